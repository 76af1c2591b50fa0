"""ONNX's operators that are layers: convolutions, poolings, normalizations and products."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish import symbol
from gluonish.onnx.shaping import padded
from gluonish.onnx.values import handles

sym: Any = symbol  # whose functions are those of the op table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.onnx.values import Node
    from gluonish.symbol import Symbol

_LOWEST = -3.4e38  # what max pooling never takes


def _pads(
    node: Node, kernel: Sequence[int], strides: Sequence[int], steps: Sequence[int]
) -> list[tuple[int, int]]:
    """Return the elements before and behind each axis of images."""
    axes, how = len(kernel), node.attrs.get("auto_pad", "NOTSET")
    if how in ("NOTSET", "VALID"):
        pads = node.attrs.get("pads", [0] * 2 * axes) if how == "NOTSET" else [0] * 2 * axes
        return [(pads[axis], pads[axis + axes]) for axis in range(axes)]
    found = []
    for axis, length in enumerate(node.shape(0)[2:]):
        if length is None:
            node.refuse(f"auto_pad={how!r} of images of unknown size", "known sizes")
        covered = (kernel[axis] - 1) * steps[axis] + 1
        total = max((-(-length // strides[axis]) - 1) * strides[axis] + covered - length, 0)
        small, large = total // 2, total - total // 2
        found.append((small, large) if how == "SAME_UPPER" else (large, small))
    return found


def _even(
    data: Symbol, pads: list[tuple[int, int]], value: float = 0
) -> tuple[Symbol, tuple[int, ...]]:
    """Return data and padding that is the same on both sides."""
    if all(before == behind for before, behind in pads):
        return data, tuple(before for before, _ in pads)
    return padded(data, [(0, 0), (0, 0), *pads], value=value), (0,) * len(pads)


@handles("Conv")
def _conv(node: Node) -> Any:
    shape = node.shape(1)
    kernel = tuple(node.attrs.get("kernel_shape", shape[2:]))
    axes = len(kernel)
    strides = tuple(node.attrs.get("strides", [1] * axes))
    steps = tuple(node.attrs.get("dilations", [1] * axes))
    data, pad = _even(node[0], _pads(node, kernel, strides, steps))
    return sym.Convolution(
        data,
        *(node[place] for place in range(1, 3) if node.has(place)),
        kernel=kernel,
        stride=strides,
        dilate=steps,
        pad=pad,
        num_filter=shape[0],
        num_group=node.attrs.get("group", 1),
        no_bias=not node.has(2),
        name=node.name,
    )


@handles("ConvTranspose")
def _conv_transpose(node: Node) -> Any:
    shape = node.shape(1)
    kernel = tuple(node.attrs.get("kernel_shape", shape[2:]))
    axes, group = len(kernel), node.attrs.get("group", 1)
    node.only("auto_pad", "NOTSET", "VALID")
    strides = tuple(node.attrs.get("strides", [1] * axes))
    steps = tuple(node.attrs.get("dilations", [1] * axes))
    pads = _pads(node, kernel, strides, steps)
    if any(before != behind for before, behind in pads) or "output_shape" in node.attrs:
        node.refuse(f"pads={pads}, output_shape={node.attrs.get('output_shape')}", "equal pads")
    return sym.Deconvolution(
        *(node[place] for place in range(3) if node.has(place)),
        kernel=kernel,
        stride=strides,
        dilate=steps,
        pad=tuple(before for before, _ in pads),
        adj=tuple(node.attrs.get("output_padding", [0] * axes)),
        num_filter=(shape[1] or 1) * group,
        num_group=group,
        no_bias=not node.has(2),
        name=node.name,
    )


@handles("MaxPool", "AveragePool", "LpPool")
def _pool(node: Node) -> Any:
    kernel = tuple(node.attrs["kernel_shape"])
    axes = len(kernel)
    strides = tuple(node.attrs.get("strides", [1] * axes))
    steps = node.attrs.get("dilations", [1] * axes)
    pads = _pads(node, kernel, strides, steps)
    if any(step != 1 for step in steps):
        return _spread_pool(node, kernel, strides, steps, pads)
    counts = node.op == "LpPool" or bool(node.attrs.get("count_include_pad", 0))
    is_uneven = any(before != behind for before, behind in pads)
    source = _power(node) if node.op == "LpPool" else node[0]
    data, pad = _even(source, pads, _LOWEST if node.op == "MaxPool" else 0)
    options: dict[str, Any] = {
        "kernel": kernel, "stride": strides, "pad": pad,
        "pooling_convention": _convention(node, kernel, strides, pads),
    }  # fmt: skip
    if node.op == "MaxPool":
        return sym.Pooling(data, pool_type="max", name=node.name, **options)
    options |= {"pool_type": "avg", "count_include_pad": counts or is_uneven}
    result = sym.Pooling(data, name=node.name, **options)
    if is_uneven and not counts:  # the share of each window that is no padding
        ones, _ = _even(sym.ones_like(source), pads)
        result = sym.elemwise_div(result, sym.Pooling(ones, **options))
    if node.op == "LpPool":
        result = (result * math.prod(kernel)) ** (1 / node.attrs.get("p", 2))
    return result


def _spread_pool(
    node: Node,
    kernel: Sequence[int],
    strides: Sequence[int],
    steps: Sequence[int],
    pads: list[tuple[int, int]],
) -> Any:
    """Return what windows with gaps give: along one axis after the other, by slices."""
    is_max, counts = node.op == "MaxPool", bool(node.attrs.get("count_include_pad", 0))
    data = _power(node) if node.op == "LpPool" else node[0]
    for axis, length in enumerate(node.shape(0)[2:]):
        if length is None:
            node.refuse(f"dilations={list(steps)} of images of unknown size", "known sizes")
        before, behind = pads[axis]
        covered = (kernel[axis] - 1) * steps[axis] + 1
        rest = length + before + behind - covered
        count = rest // strides[axis] + 1
        if node.attrs.get("ceil_mode", 0) and count * strides[axis] < length + before:
            count = -(-rest // strides[axis]) + 1  # no window begins in the padding behind
        end = (count - 1) * strides[axis] + covered
        widths = [(0, 0)] * (axis + 2) + [(before, max(end - length - before, 0))]
        widths += [(0, 0)] * (len(kernel) - axis - 1)
        wide = padded(data, widths, value=_LOWEST if is_max else 0)
        parts = []
        for place in range(kernel[axis]):
            first = place * steps[axis]
            bounds = (first, first + (count - 1) * strides[axis] + 1, strides[axis])
            begin, stop, step = ([None] * (axis + 2) + [each] for each in bounds)
            parts.append(sym.slice(wide, begin=begin, end=stop, step=step))
        data = parts[0]
        for part in parts[1:]:
            data = sym.broadcast_maximum(data, part) if is_max else sym.elemwise_add(data, part)
        if node.op == "AveragePool":
            places = onp.arange(count)[:, None] * strides[axis]
            places = places + onp.arange(kernel[axis]) * steps[axis]
            low, high = (0, length + before + behind) if counts else (before, before + length)
            inside = ((places >= low) & (places < high)).sum(1)
            lengths = [1] * (axis + 2) + [count] + [1] * (len(kernel) - axis - 1)
            shares = (1 / inside).astype("float32").reshape(lengths)
            data = sym.broadcast_mul(data, node.constant(f"shares{axis}", shares))
    return data if node.op != "LpPool" else data ** (1 / node.attrs.get("p", 2))


def _power(node: Node) -> Any:
    return sym.abs(node[0]) ** node.attrs.get("p", 2)


def _convention(
    node: Node, kernel: Sequence[int], strides: Sequence[int], pads: list[tuple[int, int]]
) -> str:
    """Return how MXNet calls the way that results are counted."""
    if not node.attrs.get("ceil_mode", 0):
        return "valid"
    ways = set()
    for axis, length in enumerate(node.shape(0)[2:]):
        if length is not None:
            before, behind = pads[axis]
            rest = length + before + behind - kernel[axis]
            # A window that would begin in the padding behind is left out.
            begins = -(-rest // strides[axis]) * strides[axis]
            is_less = rest % strides[axis] == 0 or begins >= length + before
            ways.add("valid" if is_less else "full")
            if rest % strides[axis] == 0:
                ways.discard("valid")
    if len(ways) > 1:
        node.refuse("ceil_mode=1 leaves a window out on one axis alone", "the same on all axes")
    return ways.pop() if ways else "full"


@handles("GlobalMaxPool", "GlobalAveragePool", "GlobalLpPool")
def _global_pool(node: Node) -> Any:
    kinds = {"GlobalMaxPool": "max", "GlobalAveragePool": "avg", "GlobalLpPool": "lp"}
    options = {"p_value": node.attrs.get("p", 2)} if node.op == "GlobalLpPool" else {}
    kernel = (1,) * (node.rank() - 2)
    return sym.Pooling(
        node[0],
        kernel=kernel,
        global_pool=True,
        pool_type=kinds[node.op],
        name=node.name,
        **options,
    )


@handles("MaxRoiPool")
def _roi_pool(node: Node) -> Any:
    return sym.ROIPooling(
        node[0],
        node[1],
        pooled_size=tuple(node.attrs["pooled_shape"]),
        spatial_scale=node.attrs.get("spatial_scale", 1.0),
        name=node.name,
    )


@handles("BatchNormalization")
def _batch_norm(node: Node) -> Any:
    node.only("training_mode", 0)
    node.only("spatial", 1)
    for place in (3, 4):
        _ = node.array(place)
        node.graph.auxiliary.add(node.inputs[place])
    return sym.BatchNorm(
        *node.all(),
        eps=node.attrs.get("epsilon", 1e-5),
        momentum=node.attrs.get("momentum", 0.9),
        fix_gamma=False,
        name=node.name,
    )[0]


@handles("InstanceNormalization")
def _instance_norm(node: Node) -> Any:
    eps = node.attrs.get("epsilon", 1e-5)
    return sym.InstanceNorm(*node.all(), eps=eps, name=node.name)


@handles("LayerNormalization")
def _layer_norm(node: Node) -> Any:
    axis, eps = node.axis(-1), node.attrs.get("epsilon", 1e-5)
    beta = node[2] if node.has(2) else sym.zeros_like(node[1])
    if axis != node.rank() - 1:
        axes = tuple(range(axis, node.rank()))
        centred = sym.broadcast_sub(node[0], sym.mean(node[0], axis=axes, keepdims=True))
        variance = sym.mean(sym.square(centred), axis=axes, keepdims=True)
        scaled = sym.broadcast_mul(sym.broadcast_div(centred, sym.sqrt(variance + eps)), node[1])
        return sym.broadcast_add(scaled, beta, name=node.name)
    return sym.LayerNorm(node[0], node[1], beta, axis=-1, eps=eps, name=node.name)


@handles("GroupNormalization")
def _group_norm(node: Node) -> Any:
    groups, eps = node.attrs["num_groups"], node.attrs.get("epsilon", 1e-5)
    channels = node.shape(0)[1] or 1
    ones = node.constant("ones", onp.ones(groups, "float32"))
    data = sym.reshape(node[0], shape=(0, groups, -1))
    data = sym.InstanceNorm(data, ones, sym.zeros_like(ones), eps=eps)
    data = sym.reshape_like(data, node[0])
    shape = (1, -1) + (1,) * (node.rank() - 2)
    scale, shift = (
        sym.reshape(
            sym.repeat(node[place], repeats=channels // (node.shape(place)[0] or 1)), shape=shape
        )
        for place in (1, 2)
    )
    return sym.broadcast_add(sym.broadcast_mul(data, scale), shift, name=node.name)


@handles("LRN")
def _lrn(node: Node) -> Any:
    if node.attrs["size"] % 2 == 0:  # of which ONNX takes one channel more after than before
        node.refuse(f"size={node.attrs['size']}", "an odd number")
    return sym.LRN(
        node[0],
        alpha=node.attrs.get("alpha", 1e-4),
        beta=node.attrs.get("beta", 0.75),
        knorm=node.attrs.get("bias", 1.0),
        nsize=node.attrs["size"],
        name=node.name,
    )


@handles("LpNormalization")
def _lp_norm(node: Node) -> Any:
    norm = sym.norm(node[0], ord=node.attrs.get("p", 2), axis=node.axis(-1), keepdims=True)
    # Of zeros alone, zeros.
    return sym.broadcast_div(node[0], norm + (norm == 0), name=node.name)


@handles("MeanVarianceNormalization")
def _mean_variance(node: Node) -> Any:
    axes = tuple(node.attrs.get("axes", [0, 2, 3]))
    centred = sym.broadcast_sub(node[0], sym.mean(node[0], axis=axes, keepdims=True))
    variance = sym.mean(sym.square(centred), axis=axes, keepdims=True)
    return sym.broadcast_div(centred, sym.sqrt(variance) + 1e-9, name=node.name)


@handles("Dropout")
def _dropout(node: Node) -> Any:
    ratio = float(onp.asarray(node.known(1, "ratio", 0.5)).item())
    if node.has(2) and node.known(2):
        node.refuse("training_mode is true", "a model for prediction")
    return sym.Dropout(node[0], p=ratio, name=node.name)


@handles("Softmax", "LogSoftmax")
def _softmax(node: Node) -> Any:
    function = sym.softmax if node.op == "Softmax" else sym.log_softmax
    axis = node.axis(-1 if node.version >= 13 else 1)
    if node.version >= 13 or axis == node.rank() - 1:
        return function(node[0], axis=axis, name=node.name)
    # Up to version 12, all axes from this one on are one.
    known = [length or 0 for length in node.shape(0)[axis:]]
    flat = sym.reshape(node[0], shape=(*[0] * axis, -1) if all(known) else (0,) * axis + (-1,))
    return sym.reshape_like(function(flat, axis=-1), node[0], name=node.name)


@handles("Hardmax")
def _hardmax(node: Node) -> Any:
    axis = node.axis(-1 if node.version >= 13 else 1)
    depth = node.shape(0)[axis]
    if axis != node.rank() - 1 or depth is None:
        node.refuse(f"axis={axis} of shape {node.shape(0)}", "the last axis, of known length")
    return sym.one_hot(sym.argmax(node[0], axis=-1), depth=depth, name=node.name)


@handles("Gemm")
def _gemm(node: Node) -> Any:
    alpha, beta = node.attrs.get("alpha", 1.0), node.attrs.get("beta", 1.0)
    turned, other_turned = bool(node.attrs.get("transA", 0)), bool(node.attrs.get("transB", 0))
    has_bias = node.has(2)
    if (
        other_turned
        and not turned
        and alpha == 1
        and (not has_bias or (beta == 1 and node.rank(2) == 1))
    ):
        parts = [node[place] for place in range(2 + has_bias)]
        units = node.shape(1)[0]
        return sym.FullyConnected(
            *parts, num_hidden=units, no_bias=not has_bias, flatten=False, name=node.name
        )
    result = sym.linalg.gemm2(
        node[0], node[1], transpose_a=turned, transpose_b=other_turned, alpha=alpha
    )
    return sym.broadcast_add(result, beta * node[2], name=node.name) if has_bias else result


@handles("MatMul")
def _matmul(node: Node) -> Any:
    if node.rank(0) == node.rank(1) == 2:
        return sym.dot(node[0], node[1], name=node.name)
    return sym.np.matmul(node[0].as_np_ndarray(), node[1].as_np_ndarray()).as_nd_ndarray()


@handles("RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike")
def _random(node: Node) -> Any:
    shape = node.attrs.get("shape")
    if shape is None:
        shape = node.shape(0)
    if None in shape:
        node.refuse(f"the shape {shape} is not known", "a known one")
    if "Normal" in node.op:
        options = {"loc": node.attrs.get("mean", 0.0), "scale": node.attrs.get("scale", 1.0)}
        return sym.random.normal(shape=tuple(shape), name=node.name, **options)
    low, high = node.attrs.get("low", 0.0), node.attrs.get("high", 1.0)
    return sym.random.uniform(low, high, shape=tuple(shape), name=node.name)


@handles("Multinomial")
def _multinomial(node: Node) -> Any:
    chances = sym.softmax(node[0])
    shape = (node.attrs.get("sample_size", 1),)
    return sym.random.multinomial(chances, shape=shape, get_prob=False, name=node.name)
