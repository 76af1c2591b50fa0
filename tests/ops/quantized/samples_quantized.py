"""Calls of the operators on 8-bit integers that MXNet and gluonish both answer."""

from __future__ import annotations

import numpy as onp

ROWS = """
quantize(f, low, high, out_type='int8')
quantize(f, low, high, out_type='uint8')
quantize(f, nd.array([-0.5]), nd.array([0.25]), out_type='int8')
quantize(f, nd.array([1]), nd.array([2]))
quantize_v2(f)
quantize_v2(f, out_type='uint8')
quantize_v2(f, out_type='auto', min_calib_range=-1.5, max_calib_range=1.0)
quantize_v2(f, out_type='auto', min_calib_range=0.0, max_calib_range=1.0)
quantize_v2(f, out_type='auto')
quantize_v2(s)
quantize_v2(u, out_type='uint8', min_calib_range=0.0, max_calib_range=3.0)
dequantize(s, low, high)
dequantize(u, low, high)
dequantize(s, nd.array([-3]), nd.array([-1]))
requantize(i, low, high)
requantize(i, low, high, out_type='uint8')
requantize(i, low, high, min_calib_range=-0.00001, max_calib_range=0.00002)
requantize(i, low, high, out_type='auto', min_calib_range=0.0, max_calib_range=0.00002)
quantized_fully_connected(s, w, None, low, high, one * -1, one, num_hidden=3, no_bias=True)
quantized_fully_connected(u, w, None, low, high, one * -1, one, num_hidden=3, no_bias=True)
quantized_fully_connected(s, w, b, low, high, one * -1, one, one * -5, one * 4, num_hidden=3)
quantized_fully_connected(u, w, b, low, high, one * -1, one, one * -0.1, one * 0.05, num_hidden=3)
quantized_conv(images, k, None, low, high, low, high, kernel=(2, 2), num_filter=2, no_bias=True)[0]
quantized_conv(images, k, None, low, high, low, high, **spread, num_filter=2, no_bias=True)[0]
quantized_act(s, low, high, act_type='relu')
quantized_flatten(images, low, high)
quantized_pooling(images, low, high, kernel=(2, 2))
quantized_pooling(images, low, high, kernel=(2, 2), stride=(2, 2), pool_type='avg')
quantized_pooling(signed, low, high, kernel=(3, 3), pool_type='avg')
quantized_pooling(images, low, high, global_pool=True, pool_type='avg', kernel=(1, 1))
quantized_pooling(images, low, high, **padded, pooling_convention='full', pool_type='avg')
quantized_concat(s, s, low, high, one * -1, one, num_args=2, dim=0)
quantized_concat(u, u, low, high, one * 0, one, num_args=2, dim=1)
quantized_concat(s, u, low, high, one * 0, one, num_args=2)
quantized_elemwise_add(s, s, low, high, one * -1, one)
quantized_elemwise_add(u, u, low, high, one * 0, one)
quantized_elemwise_add(s, u, low, high, one * 0, one, min_calib_range=-3.0, max_calib_range=2.0)
quantized_elemwise_add(u, u, low, high, one * 0, one, min_calib_range=0.0, max_calib_range=4.0)
quantized_elemwise_add(u, s, one * 0, high, one * -1, one, min_calib_range=-2, max_calib_range=2)
quantized_elemwise_add(s, u, one * -1, one, one * 0, high, min_calib_range=-2, max_calib_range=0.5)
quantized_batch_norm(bright, gamma, beta, mean, var, one * 0, high, fix_gamma=False, **narrow)
quantized_batch_norm(images, gamma, beta, mean, var, low, high, fix_gamma=False, **calibrated)
quantized_batch_norm(signed, gamma, beta, mean, var, low, high, fix_gamma=False, **calibrated)
quantized_embedding(nd.array([0, 2, 5]), w, low, high, input_dim=3, output_dim=4)
calibrate_entropy(hist, edges, num_quantized_bins=31)
calibrate_entropy(hist, edges, num_quantized_bins=63)
calibrate_entropy(fine, fine_edges, num_quantized_bins=255)
calibrate_entropy(fine, fine_edges, num_quantized_bins=511)
"""
# What MXNet's process ends with, or refuses for no reason; its answers are formulas in the tests.
UNANSWERED = ("quantize_asym", "quantized_elemwise_mul")
KEYWORDS = {
    "calibrated": {"min_calib_range": -4.0, "max_calib_range": 5.0},
    "narrow": {"min_calib_range": -0.5, "max_calib_range": 0.5},
    "padded": {"kernel": (2, 2), "stride": (2, 2), "pad": (1, 1)},
    "spread": {"kernel": (2, 2), "stride": (2, 2), "pad": (1, 1), "dilate": (1, 1)},
}


def rows() -> list[str]:
    """Return the expressions."""
    return ROWS.strip().splitlines()


def data() -> dict[str, onp.ndarray]:
    """Return the arrays that the expressions speak of."""
    draw = onp.random.RandomState(5)
    counts, edges = onp.histogram(draw.normal(size=5000), bins=301, range=(-4, 4))
    rare = onp.abs(onp.random.RandomState(6).standard_t(5, size=5000))
    fine, fine_edges = onp.histogram(rare, bins=4001, range=(-rare.max(), rare.max()))
    return {
        "f": draw.normal(size=(2, 4)).astype("float32"),
        "s": draw.randint(-128, 128, (2, 4)).astype("int8"),
        "u": draw.randint(0, 256, (2, 4)).astype("uint8"),
        "i": draw.randint(-(10**4), 10**4, (2, 4)).astype("int32"),
        "w": draw.randint(-127, 128, (3, 4)).astype("int8"),
        "b": onp.array([-100, 0, 77], dtype="int8"),
        "images": (images := draw.randint(0, 128, (2, 3, 5, 5))).astype("uint8"),
        "signed": images.astype("int8"),
        "bright": (2 * images + 1).astype("uint8"),
        "k": draw.randint(-127, 128, (2, 3, 2, 2)).astype("int8"),
        "gamma": onp.array([1, -2, 0.5], dtype="float32"),
        "beta": onp.array([0, 1, -1], dtype="float32"),
        "mean": onp.array([0.1, 0, -0.3], dtype="float32"),
        "var": onp.array([1, 2, 0.25], dtype="float32"),
        "low": onp.array([-2], dtype="float32"),
        "high": onp.array([3], dtype="float32"),
        "one": onp.array([1], dtype="float32"),
        "hist": counts.astype("float32"),
        "edges": edges.astype("float32"),
        "fine": fine.astype("float32"),
        "fine_edges": fine_edges.astype("float32"),
    }


def answers(mx) -> dict[str, list[list]]:
    """Return what a library makes of the expressions: dtype, shape and elements of each result."""
    found = {}
    for row in rows():
        arrays = {name: mx.nd.array(value, dtype=value.dtype) for name, value in data().items()}
        name = row.partition("(")[0]
        function = getattr(mx.nd.contrib, name)
        if "None, low" in row:  # MXNet counts arrays by position
            row_, function = row.replace("None, ", ""), _without_bias(function)
        else:
            row_ = row
        result = eval(row_, {name: function, "nd": mx.nd, **KEYWORDS, **arrays})
        parts = result if isinstance(result, (list, tuple)) else [result]
        found[row] = [
            [onp.dtype(part.dtype).name, list(part.shape), part.asnumpy().ravel().tolist()]
            for part in parts
        ]
    return found


def _without_bias(function):
    def call(data, weight, *ends, **arguments):
        names = ("min_data", "max_data", "min_weight", "max_weight")
        return function(data, weight, **dict(zip(names, ends)), **arguments)  # noqa: B905

    return call
