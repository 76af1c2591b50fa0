"""The operators on 8-bit integers, beside the real MXNet's answers."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import numpy as onp
import pytest
import torch

import gluonish as mx
from gluonish import nd
from gluonish.errors import DTypeError, InvalidArgumentError, ShapeError
from gluonish.ops.quantized import packing

_SPEC = importlib.util.spec_from_file_location(
    "samples_quantized", Path(__file__).with_name("samples_quantized.py")
)
programs = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(programs)
GOLDEN = json.loads(
    (Path(__file__).parents[2] / "golden" / "quantized_ops.json").read_text(encoding="utf-8")
)
LOW, HIGH = nd.array([-1]), nd.array([1])


@pytest.fixture(scope="module")
def answers():
    return programs.answers(mx)


@pytest.mark.parametrize("row", programs.rows())
def test_operator_answers_as_mxnet_does_to_one_step(answers, row):
    assert len(answers[row]) == len(GOLDEN[row])
    for (dtype, shape, mine), (expected, sizes, theirs) in zip(
        answers[row], GOLDEN[row], strict=True
    ):
        assert (dtype, shape) == (expected, sizes)
        mine, theirs = onp.array(mine, dtype="float64"), onp.array(theirs, dtype="float64")
        if dtype in ("int8", "uint8"):
            step = 0 if row.startswith("quantized_elemwise_add") else 1
            assert onp.abs(mine - theirs).max() <= step
        else:
            one = 1 if dtype == "int32" else 0
            assert onp.allclose(mine, theirs, rtol=1e-4, atol=one + 1e-9)


def symbol_of(row):
    """Return a graph of an expression, and the arrays that it needs."""
    arrays = programs.data()
    variables = {name: mx.sym.var(name) for name in arrays}
    name = row.partition("(")[0]
    names = {name: getattr(mx.sym.contrib, name), **programs.KEYWORDS, **variables}
    return eval(row.replace("[0]", ""), names), arrays


PLAIN = [row for row in programs.rows() if "None" not in row and "nd." not in row]


@pytest.mark.parametrize("row", PLAIN[::2])
def test_graphs_of_operators_know_shapes_and_dtypes(row):
    symbol, arrays = symbol_of(row)
    known = {name: nd.array(value, dtype=value.dtype) for name, value in arrays.items()}
    given = {name: known[name] for name in symbol.list_inputs()}
    results = symbol.eval(**given)
    shapes = {name: array.shape for name, array in given.items()}
    dtypes = {name: array.dtype for name, array in given.items()}
    assert symbol.infer_shape(**shapes)[1] == [result.shape for result in results]
    assert symbol.infer_type(**dtypes)[1] == [result.dtype for result in results]
    again = mx.sym.load_json(symbol.tojson())
    for one, two in zip(again.eval(**given), results, strict=True):
        assert one.asnumpy().tolist() == two.asnumpy().tolist()


@pytest.mark.parametrize("dtype", ["int8", "uint8"])
@pytest.mark.parametrize("groups", [1, 3])
def test_convolution_adds_up_integers_exactly(dtype, groups):
    draw = onp.random.RandomState(0)
    low = -128 if dtype == "int8" else 0
    x = draw.randint(low, low + 256, (2, 6, 7, 5)).astype(dtype)
    w = draw.randint(-127, 128, (6, 6 // groups, 3, 2)).astype("int8")
    options = {"kernel": (3, 2), "num_filter": 6, "num_group": groups, "no_bias": True}
    options |= {"stride": (2, 1), "pad": (1, 2), "dilate": (1, 2)}
    ends = {"min_data": LOW, "max_data": HIGH, "min_weight": LOW, "max_weight": HIGH}
    found = nd.contrib.quantized_conv(
        nd.array(x, dtype=dtype), nd.array(w, dtype="int8"), **ends, **options
    )
    wide = nd.array(x, dtype="float64"), nd.array(w, dtype="float64")
    assert found[0].asnumpy().tolist() == nd.Convolution(*wide, **options).asnumpy().tolist()


def test_convolution_scales_its_bias_and_range():
    x, w = nd.ones((1, 1, 1, 1), dtype="uint8"), nd.ones((1, 1, 1, 1), dtype="int8")
    found = nd.contrib.quantized_conv(
        x, w, nd.array([100], dtype="int8"), LOW, HIGH, LOW, HIGH, LOW, HIGH,
        kernel=(1, 1), num_filter=1,
    )  # fmt: skip
    real = found[0].asscalar() * found[2].asscalar() / (2**31 - 1)
    assert abs(real / (1 / 255 / 127 + 100 / 127.5) - 1) < 1e-2


def test_weights_that_are_written_to_are_packed_anew():
    x, w = nd.ones((1, 2, 3, 3), dtype="uint8"), nd.ones((1, 2, 1, 1), dtype="int8")
    ends = {"min_data": LOW, "max_data": HIGH, "min_weight": LOW, "max_weight": HIGH}
    options = {"kernel": (1, 1), "num_filter": 1, "no_bias": True}
    assert nd.contrib.quantized_conv(x, w, **ends, **options)[0].max().asscalar() == 2
    w[:] = 5
    assert nd.contrib.quantized_conv(x, w, **ends, **options)[0].max().asscalar() == 10


@pytest.mark.parametrize("dtype", ["int8", "uint8"])
@pytest.mark.parametrize(
    ("rows", "features", "units"), [(1, 1, 4), (2, 1, 1), (2, 2, 1), (2, 1, 7)]
)
def test_products_of_few_features_are_exact(dtype, rows, features, units):
    x = onp.arange(rows * features).reshape(rows, features) * 50 - (dtype == "int8") * 100
    w = onp.arange(units * features).reshape(units, features) * 31 % 255 - 127
    found = nd.contrib.quantized_fully_connected(
        nd.array(x, dtype=dtype), nd.array(w, dtype="int8"), min_data=LOW, max_data=HIGH,
        min_weight=LOW, max_weight=HIGH, num_hidden=units, no_bias=True,
    )  # fmt: skip
    assert (found[0].asnumpy() == x @ w.T).all()


def test_weights_are_packed_for_each_size_of_images_and_few_are_kept():
    draw = onp.random.RandomState(0)
    w = nd.array(draw.randint(-127, 128, (8, 16, 3, 3)), dtype="int8")
    ends = {"min_data": LOW, "max_data": HIGH, "min_weight": LOW, "max_weight": HIGH}
    for size in [*range(4, 20), 5, 4]:
        x = draw.randint(0, 256, (2, 16, size, size))
        found = nd.contrib.quantized_conv(
            nd.array(x, dtype="uint8"), w, **ends, kernel=(3, 3), num_filter=8, no_bias=True
        )
        exact = torch.nn.functional.conv2d(torch.from_numpy(x).double(), w.tensor.double())
        assert (found[0].asnumpy() == exact.numpy()).all()
    kept = packing._made.get(w.tensor, {})
    assert len(kept) <= 8
    assert bool(kept) == packing._kernels_are_exact(is_convolution=True)


def test_products_of_elements_know_their_range():
    x, y = nd.array([[51, -102]], dtype="int8"), nd.array([[100, 100]], dtype="int8")
    integers, low, high = nd.contrib.quantized_elemwise_mul(x, y, LOW, HIGH, LOW, HIGH)
    assert integers.asnumpy().tolist() == [[5100, -10200]]
    numbers = nd.contrib.quantized_elemwise_mul(
        x, y, LOW, HIGH, LOW, HIGH, enable_float_output=True
    )
    wide = integers.asnumpy() * (high.asscalar() / (2**31 - 1))
    assert onp.allclose(numbers.asnumpy(), wide, rtol=1e-5)
    assert low.asscalar() == -high.asscalar()
    small, _, _ = nd.contrib.quantized_elemwise_mul(
        x, y, LOW, HIGH, LOW, HIGH, min_calib_range=-1, max_calib_range=1
    )
    assert small.asnumpy().tolist() == [[40, -81]]


def test_asymmetric_quantization_spreads_the_range():
    integers, scale, shift = nd.contrib.quantize_asym(nd.array([-1, 0, 3]))
    assert integers.asnumpy().tolist() == [0, 64, 255]
    assert (scale.asscalar(), shift.asscalar()) == (63.75, 63.75)


def test_an_empty_range_gives_zeros():
    zeros = nd.zeros((3,))
    for dtype in ("int8", "uint8"):
        assert nd.contrib.quantize_v2(zeros, out_type=dtype)[0].asnumpy().tolist() == [0, 0, 0]


def test_results_have_no_gradient_and_keep_arguments():
    x = nd.array([1.0, -2.0])
    x.attach_grad()
    with mx.autograd.record():
        integers = nd.contrib.quantize_v2(x)[0]
    assert integers.dtype == onp.int8
    assert x.asnumpy().tolist() == [1, -2]


@pytest.mark.parametrize(
    ("call", "kind", "told"),
    [
        (lambda: nd.contrib.quantize_v2(nd.ones((2,), dtype="float64")), DTypeError,
         r"quantize_v2: data is an array of shape \(2,\) and dtype float64. Expected float32"),
        (lambda: nd.contrib.quantize_v2(nd.ones((2,)), out_type="int4"), InvalidArgumentError,
         "quantize_v2: out_type='int4' was given. Expected one of 'auto', 'int8', 'uint8'"),
        (lambda: nd.contrib.dequantize(nd.ones((2,)), LOW, HIGH), DTypeError,
         "dequantize: data is .* Expected int8 or uint8"),
        (lambda: nd.contrib.requantize(nd.ones((2,)), LOW, HIGH), DTypeError,
         "requantize: data is .* Expected int32"),
        (lambda: nd.contrib.quantized_act(nd.ones((2,), dtype="int8"), LOW, HIGH,
                                          act_type="tanh"), InvalidArgumentError,
         "quantized_act: act_type='tanh' was given. Expected one of 'relu'"),
        (lambda: nd.contrib.quantized_pooling(nd.ones((1, 1, 2, 2), dtype="int8"), LOW, HIGH,
                                              kernel=(2, 2), pool_type="sum"),
         InvalidArgumentError, "quantized_pooling: pool_type='sum' was given"),
        (lambda: nd.contrib.quantized_concat(LOW, HIGH, num_args=2), InvalidArgumentError,
         "quantized_concat: 2 arrays and num_args=2 were given"),
        (lambda: nd.contrib.quantized_elemwise_add(
            nd.ones((2,), dtype="int8"), nd.ones((3,), dtype="int8"), LOW, HIGH, LOW, HIGH),
         ShapeError, "Expected arrays of one shape"),
        (lambda: nd.contrib.quantized_fully_connected(
            nd.ones((1, 2), dtype="int8"), nd.ones((1, 3), dtype="int8"), min_data=LOW,
            max_data=HIGH, min_weight=LOW, max_weight=HIGH, num_hidden=1, no_bias=True),
         ShapeError, "quantized_fully_connected: data of shape"),
        (lambda: nd.contrib.quantized_fully_connected(
            nd.ones((1, 2), dtype="int8"), nd.ones((1, 2), dtype="int8"), num_hidden=1,
            no_bias=True), InvalidArgumentError, "a range was not given"),
        (lambda: nd.contrib.quantized_conv(
            nd.ones((1, 2, 2), dtype="int8"), nd.ones((1, 2, 1, 1), dtype="int8"), min_data=LOW,
            max_data=HIGH, min_weight=LOW, max_weight=HIGH, kernel=(1, 1), num_filter=1,
            no_bias=True), ShapeError, "quantized_conv: data of shape"),
        (lambda: nd.contrib.calibrate_entropy(nd.ones((3,)), nd.ones((3,))),
         InvalidArgumentError, "calibrate_entropy: hist is"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told(call, kind, told):
    with pytest.raises(kind, match=told):
        call()


@pytest.mark.parametrize("largest", [0.34396836, 0.07555443, 0.7243188])
def test_the_end_of_a_range_is_the_integer_that_one_division_makes_it(largest):
    end = onp.float32(-largest)
    expected = onp.rint(end * (onp.float32(127.5) / -end)).clip(-128, 127)  # MXNet's, bit by bit
    assert nd.contrib.quantize_v2(nd.array([end]))[0].asscalar() == expected


def test_what_is_no_number_is_in_no_range_and_becomes_an_end():
    x = nd.array([onp.nan, -1, 2])
    integers, low, high = nd.contrib.quantize_v2(x)
    assert integers.asnumpy().tolist() == [127, -64, 127]
    assert (low.asscalar(), high.asscalar()) == (-2, 2)
    assert nd.contrib.quantize_v2(x, out_type="uint8")[0].asnumpy().tolist() == [0, 0, 255]


def test_infinite_ranges_leave_zeros_but_at_their_ends():
    x = nd.array([-onp.inf, 1, 2, onp.inf])
    assert nd.contrib.quantize_v2(x)[0].asnumpy().tolist() == [127, 0, 0, 127]


@pytest.mark.parametrize(
    ("given", "wanted"),
    [({}, "int8"), ({"out_type": "uint8"}, "uint8"), ({"out_type": "int8"}, "int8")],
)
def test_integers_that_are_quantized_keep_their_bits(given, wanted):
    x = mx.nd.array([0, 127, 200]).astype("uint8")
    found = mx.nd.contrib.quantize_v2(x, **given)[0].asnumpy()
    assert found.dtype == wanted
    assert found.view("uint8").tolist() == [0, 127, 200]
