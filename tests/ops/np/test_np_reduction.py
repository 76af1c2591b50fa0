"""Reductions and matrices of `np` where MXNet's answer is not NumPy's first thought."""

from __future__ import annotations

import numpy as onp
import pytest

import gluonish as mx
from gluonish import np
from gluonish.errors import AxisError, InvalidArgumentError
from gluonish.gluon import nn


def test_extremes_of_nothing_are_refused_unless_nothing_is_asked_for():
    assert np.max(np.zeros((0, 0, 3, 0)), axis=-3).shape == (0, 3, 0)
    with pytest.raises(InvalidArgumentError, match="zero-size array"):
        np.max(np.zeros((0, 3)), axis=0)


def test_eye_is_float32_where_no_dtype_is_given():
    assert np.eye(2, dtype=None).dtype == "float32"


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("share", [0.5, [0.25, 0.5]])
def test_quantiles_along_an_axis_beside_one_of_length_0_are_empty(share, keepdims):
    found = np.quantile(np.zeros((0, 3)), np.array(share), axis=1, keepdims=keepdims)
    expected = onp.quantile(onp.zeros((0, 3)), share, axis=1, keepdims=keepdims)
    assert found.shape == expected.shape


@pytest.mark.parametrize("name", ["quantile", "percentile"])
def test_graphs_infer_what_quantiles_of_shares_in_an_array_are(name):
    symbols = [mx.sym.var(each).as_np_ndarray() for each in "aq"]
    found = getattr(mx.sym.np, name)(*symbols, axis=1)
    assert found.infer_shape(a=(2, 4), q=(3,))[1] == [(3, 2)]
    assert found.infer_type(a="float16", q="float32")[1] == [onp.float32]


def test_quantiles_of_nothing_are_refused():
    with pytest.raises(mx.MXNetError, match=r"np\.quantile: an array of shape \(3, 0\)"):
        np.quantile(np.zeros((3, 0)), 0.5, axis=1)


@pytest.mark.parametrize("shape", [(), [], ((),)])
def test_one_element_is_viewed_without_axes(shape):
    assert np.ones(1).reshape_view(*shape if isinstance(shape, tuple) else (shape,)).shape == ()


def test_positions_in_graphs_are_taken_by_calls_that_are_written_for_arrays():
    x, i = mx.sym.var("x").as_np_ndarray(), mx.sym.var("i").as_np_ndarray()
    assert mx.sym.np.take(x, i, out=None).infer_shape(x=(2, 3), i=(4,))[1] == [(4,)]


def test_transposed_arrays_of_integers_are_looked_for():
    x, y = (np.array(onp.arange(12).reshape(3, 4) + n, dtype="uint8").T for n in (0, 5))
    expected = onp.isin(x.asnumpy(), y.asnumpy())
    assert np.isin(x, y).tolist() == expected.tolist()
    twice = np.concatenate([x, x])
    assert np.isin(twice, y, assume_unique=True).tolist() == [*expected.tolist()] * 2
    assert np.in1d(x, y).tolist() == expected.reshape(-1).tolist()


def test_kron_takes_transposed_arrays():
    x, y = (np.array(onp.arange(2 * n * 3).reshape(2, n, 3)).T for n in (2, 4))
    assert np.kron(x, y).tolist() == onp.kron(x.asnumpy(), y.asnumpy()).tolist()


def test_interp_at_a_point_is_its_value_whatever_the_next_one_is():
    x = np.array([0.0, 1, 1.5, 2, 3])
    found = np.interp(x, np.array([1.0, 2]), np.array([0.0, onp.inf]))
    assert found.tolist() == [0, 0, onp.inf, onp.inf, onp.inf]
    found = np.interp(x, np.array([1.0, 2]), np.array([onp.nan, 3]))
    assert onp.isnan(found.asnumpy()).tolist() == [True, True, True, False, False]


def test_means_of_nan_and_of_nothing_as_integers_are_mxnets():
    for numbers, expected in (([1, onp.nan, 3], -715827882), ([onp.inf, 1], -1073741824)):
        assert np.mean(np.array(numbers), dtype="int32").item() == expected
    assert np.mean(np.zeros((0, 2)), axis=0, dtype="int32").tolist() == [0, 0]


@pytest.mark.parametrize(
    "name", ["all", "any", "max", "mean", "min", "nanprod", "nansum", "prod", "std", "sum", "var"]
)
def test_an_array_without_axes_is_reduced_along_its_only_one(name: str) -> None:
    x = mx.np.array(3.0)
    reduce = getattr(mx.np, name)
    for axis in (0, -1):
        assert reduce(x, axis=axis).shape == ()
        assert float(reduce(x, axis=axis)) == float(reduce(x))
    for axis in (1, -2):
        with pytest.raises(AxisError, match=rf"axis {axis} is out of bounds .* shape \(\)"):
            reduce(x, axis=axis)


@pytest.mark.parametrize("name", ["cumsum", "cumprod", "nancumsum", "nancumprod"])
def test_running_results_of_an_array_without_axes_are_those_of_one_element(name: str) -> None:
    x = mx.np.array(3.0)
    run = getattr(mx.np, name)
    for axis in (None, 0, -1):
        assert run(x, axis=axis).asnumpy().tolist() == getattr(onp, name)(3.0, axis).tolist()
    with pytest.raises(AxisError, match="axis 1 is out of bounds"):
        run(x, axis=1)


def test_weights_of_an_average_of_bytes_wrap_as_in_mxnet():
    mean, weights = np.average(np.ones((4, 7, 7), dtype="int8"), returned=True)
    assert (mean.item(), weights.item(), str(weights.dtype)) == (1, -60, "int8")
    assert np.average(np.ones((4, 7, 7), dtype="int8")).item() == 1


def test_nan_to_num_writes_in_place_but_not_in_graphs():
    values = [float("inf"), 1.0, float("nan")]
    x = np.array(values)
    assert np.nan_to_num(x, copy=False, posinf=3) is not None
    assert x.tolist() == [3, 1, 0]
    net = nn.HybridLambda(lambda F, x: F.np.nan_to_num(x, copy=False, posinf=3))
    net.hybridize()
    for _ in range(2):
        x = np.array(values)
        assert net(x).tolist() == [3, 1, 0]
        assert x[0] == float("inf")


@pytest.mark.parametrize("seed", range(40))
def test_insert_is_numpys(seed):
    draw = onp.random.RandomState(seed)
    shape = tuple(draw.randint(1, 4, size=draw.randint(1, 4)))
    axis = int(draw.randint(-len(shape), len(shape)))
    place = int(draw.randint(0, shape[axis] + 1))
    lengths = [each if draw.rand() < 0.6 else 1 for each in shape][draw.randint(len(shape) + 1) :]
    array = onp.arange(onp.prod(shape), dtype="float32").reshape(shape)
    values = onp.arange(onp.prod(lengths), dtype="float32").reshape(lengths) + 100
    at = onp.array([place]) if draw.rand() < 0.5 else place
    try:
        expected = onp.insert(array, at, values, axis=axis)
    except ValueError:
        expected = None
    given = at if isinstance(at, int) else np.array(at, dtype="int64")
    if expected is None:
        with pytest.raises(mx.MXNetError, match=r"np\.insert: values of shape"):
            np.insert(np.array(array), given, np.array(values), axis=axis)
    else:
        found = np.insert(np.array(array), given, np.array(values), axis=axis)
        onp.testing.assert_array_equal(found.asnumpy(), expected)


@pytest.mark.parametrize("order", [None, 1, 2, 3, -1, -2, float("inf"), float("-inf"), "fro"])
@pytest.mark.parametrize(("shape", "axis"), [((0, 0), 1), ((0, 3), 1), ((3, 0), 0)])
def test_norms_of_no_rows_are_none(order, shape, axis):
    norms = np.linalg.norm(np.zeros(shape), ord=order, axis=axis, keepdims=True)
    wanted = tuple(1 if place == axis else length for place, length in enumerate(shape))
    assert norms.shape == wanted
    assert norms.size == 0
