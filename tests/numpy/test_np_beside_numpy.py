"""Random calls of np beside NumPy's own answers."""

from __future__ import annotations

from typing import Any

import numpy as onp
import pytest
from hypothesis import assume, given, strategies as st
from hypothesis.extra import numpy as hnp

from gluonish import autograd, np

SHAPES = hnp.array_shapes(min_dims=1, max_dims=3, max_side=4)
NUMBERS = st.integers(-20, 20).map(lambda value: value / 4)
ARRAYS = SHAPES.flatmap(lambda shape: hnp.arrays("float32", shape, elements=NUMBERS))
VECTORS = hnp.arrays("float32", st.integers(1, 6), elements=NUMBERS)


def equal(found: Any, expected: Any) -> None:  # noqa: ANN401
    if isinstance(expected, (tuple, list)):
        assert len(found) == len(expected)
        for part, other in zip(found, expected, strict=True):
            equal(part, other)
        return
    values = onp.asarray(expected)
    assert found.shape == values.shape
    onp.testing.assert_allclose(found.asnumpy(), values, rtol=1e-5, atol=1e-6)


def axis_of(values: onp.ndarray, data: st.DataObject) -> int:
    return data.draw(st.integers(-values.ndim, values.ndim - 1))


@given(ARRAYS, st.data())
def test_delete(values: onp.ndarray, data: st.DataObject) -> None:
    axis = axis_of(values, data)
    length = values.shape[axis]
    places = data.draw(st.lists(st.integers(-length, length - 1), max_size=3))
    chosen = data.draw(st.sampled_from([places, slice(0, length, 2), length - 1]))
    equal(np.delete(np.array(values), chosen, axis), onp.delete(values, chosen, axis))


@given(ARRAYS, st.data())
def test_insert_of_a_number(values: onp.ndarray, data: st.DataObject) -> None:
    axis = axis_of(values, data)
    length = values.shape[axis]
    places = data.draw(st.lists(st.integers(-length, length), min_size=1, max_size=3))
    chosen = data.draw(st.sampled_from([places, length, slice(0, length, 2)]))
    expected = onp.insert(values, chosen, 7.0, axis)
    equal(np.insert(np.array(values), chosen, 7.0, axis), expected)


@given(VECTORS, VECTORS, st.data())
def test_insert_of_a_vector(values: onp.ndarray, added: onp.ndarray, data: st.DataObject) -> None:
    place = data.draw(st.integers(-len(values), len(values)))
    equal(np.insert(np.array(values), place, np.array(added)), onp.insert(values, place, added))
    places = data.draw(
        st.lists(st.integers(0, len(values)), min_size=len(added), max_size=len(added))
    )
    equal(np.insert(np.array(values), places, np.array(added)), onp.insert(values, places, added))


@given(ARRAYS, st.data())
def test_insert_of_a_row(values: onp.ndarray, data: st.DataObject) -> None:
    axis = axis_of(values, data)
    row = values.take(0, axis)
    place = data.draw(st.integers(0, values.shape[axis]))
    expected = onp.insert(values, place, row, axis)
    equal(np.insert(np.array(values), place, np.array(row), axis), expected)


@given(
    ARRAYS,
    st.sampled_from(["constant", "edge", "reflect", "symmetric", "maximum", "minimum", "wrap"]),
    st.data(),
)
def test_pad(values: onp.ndarray, mode: str, data: st.DataObject) -> None:
    widths = [
        (data.draw(st.integers(0, 6)), data.draw(st.integers(0, 6))) for _ in range(values.ndim)
    ]
    equal(np.pad(np.array(values), widths, mode), onp.pad(values, widths, mode))


@given(ARRAYS, st.data())
def test_roll_flip_repeat_and_take(values: onp.ndarray, data: st.DataObject) -> None:
    axis = axis_of(values, data)
    x = np.array(values)
    shift = data.draw(st.integers(-9, 9))
    equal(np.roll(x, shift, axis), onp.roll(values, shift, axis))
    equal(np.roll(x, shift), onp.roll(values, shift))
    equal(np.flip(x, axis), onp.flip(values, axis))
    equal(np.repeat(x, 2, axis), onp.repeat(values, 2, axis))
    indices = data.draw(hnp.arrays("int64", SHAPES, elements=st.integers(-9, 9)))
    for mode in ("wrap", "clip"):
        found = np.take(x, np.array(indices), axis, mode=mode)
        equal(found, onp.take(values, indices, axis, mode=mode))


@given(ARRAYS, st.floats(0, 1, width=16), st.data())
def test_quantile(values: onp.ndarray, share: float, data: st.DataObject) -> None:
    method = data.draw(st.sampled_from(["linear", "lower", "higher", "midpoint"]))
    axis = data.draw(st.sampled_from([None, 0, -1, tuple(range(values.ndim))]))
    keepdims = data.draw(st.booleans())
    found = np.quantile(np.array(values), share, axis, interpolation=method, keepdims=keepdims)
    place = share * (values.size if axis in (None, tuple(range(values.ndim))) else 1)
    assume(method == "linear" or place != round(place) or values.size == 1)
    expected = onp.quantile(values.astype("float64"), share, axis, method=method, keepdims=keepdims)
    if method == "linear":
        equal(found, expected)
    else:
        assert found.shape == onp.shape(expected)


@pytest.mark.parametrize("method", ["linear", "lower", "higher", "midpoint", "nearest"])
def test_quantiles_of_what_is_no_number(method: str) -> None:
    values = onp.array([[1, onp.nan, 2], [3, 1, 2]], "float32")
    for share in (0, 0.3, [0.2, 1]):
        shares = share if isinstance(share, int | float) else np.array(share)
        equal(
            np.quantile(np.array(values), shares, 1, interpolation=method),
            onp.quantile(values, share, 1, method=method),
        )
    assert onp.isnan(np.median(np.array(values)).item())
    assert np.nanmedian(np.array(values)).item() == 2


@given(ARRAYS, st.data())
def test_unique_and_sets(values: onp.ndarray, data: st.DataObject) -> None:
    equal(
        np.unique(np.array(values), True, False, True),
        onp.unique(values, True, False, True),
    )
    axis = axis_of(values, data)
    equal(np.unique(np.array(values), axis=axis), onp.unique(values, axis=axis))
    tests = data.draw(VECTORS)
    equal(np.isin(np.array(values), np.array(tests)), onp.isin(values, tests))
    equal(np.setdiff1d(np.array(values), np.array(tests)), onp.setdiff1d(values, tests))


WITH_NAN = st.sampled_from([-1.0, 0.0, 1.0, onp.nan])


@given(
    hnp.arrays("float32", hnp.array_shapes(max_dims=3, max_side=4), elements=WITH_NAN),
    st.sampled_from([None, 0, -1]),
)
def test_unique_of_what_is_no_number(values: onp.ndarray, axis: int | None) -> None:
    found = np.unique(np.array(values), True, True, True, axis if values.ndim > 1 else None)
    expected = onp.unique(values, True, True, True, axis if values.ndim > 1 else None)
    for ours, theirs in zip(found, expected, strict=True):
        equal(ours, theirs.reshape(ours.shape))


@given(VECTORS, VECTORS)
def test_searches(values: onp.ndarray, edges: onp.ndarray) -> None:
    edges = onp.unique(edges)
    x, bins = np.array(values), np.array(edges)
    for right in (False, True):
        equal(np.digitize(x, bins, right), onp.digitize(values, edges, right))
        equal(np.digitize(x, np.flip(bins), right), onp.digitize(values, edges[::-1], right))
    equal(np.searchsorted(bins, x), onp.searchsorted(edges, values))
    equal(np.interp(x, bins, bins * 2), onp.interp(values, edges, edges * 2))
    equal(np.interp(x, bins, bins, -99, 99), onp.interp(values, edges, edges, -99, 99))


@given(VECTORS, st.integers(1, 5))
def test_histogram(values: onp.ndarray, bins: int) -> None:
    counts, edges = np.histogram(np.array(values), bins, range=(-5, 5))
    expected, ends = onp.histogram(values, bins, range=(-5, 5))
    equal(counts, expected)
    equal(edges, ends)


@given(VECTORS, VECTORS, st.sampled_from(["full", "same", "valid"]))
def test_convolve(a: onp.ndarray, v: onp.ndarray, mode: str) -> None:
    equal(np.convolve(np.array(a), np.array(v), mode), onp.convolve(a, v, mode))


@given(ARRAYS, st.data())
def test_reductions(values: onp.ndarray, data: st.DataObject) -> None:
    axes = st.lists(st.integers(0, values.ndim - 1), unique=True, max_size=values.ndim).map(tuple)
    axis = data.draw(st.one_of(st.none(), axes, st.integers(-values.ndim, values.ndim - 1)))
    keepdims = data.draw(st.booleans())
    for name in ("sum", "mean", "prod", "max", "min", "all", "any", "std", "var", "ptp"):
        found = getattr(np, name)(np.array(values), axis=axis, keepdims=keepdims)
        equal(found, getattr(onp, name)(values, axis=axis, keepdims=keepdims))


@given(ARRAYS, st.data())
def test_splits_and_joins(values: onp.ndarray, data: st.DataObject) -> None:
    axis = axis_of(values, data)
    sections = data.draw(st.one_of(st.integers(1, 5), st.lists(st.integers(0, 5), max_size=3)))
    parts = np.array_split(np.array(values), sections, axis)
    equal(parts, onp.array_split(values, sections, axis))
    equal(np.concatenate([np.array(values)] * 2, axis), onp.concatenate([values] * 2, axis))
    equal(np.stack([np.array(values)] * 2, axis), onp.stack([values] * 2, axis))


PAIRS = (
    "add", "subtract", "multiply", "true_divide", "mod", "power", "maximum", "minimum", "hypot",
    "arctan2", "copysign", "equal", "not_equal", "greater", "greater_equal", "less", "less_equal",
    "logical_and", "logical_or", "logical_xor", "matmul", "dot",
)  # fmt: skip


@pytest.mark.parametrize("name", PAIRS)
def test_the_second_operand_may_be_numpys_or_a_list(name: str) -> None:
    values = onp.array([1, 2, 4], "float32")
    other = onp.array([3, 2, 1], "float32")
    expected = getattr(onp, name)(values, other)
    for given_other in (other, other.tolist()):
        equal(getattr(np, name)(np.array(values), given_other), expected)


def test_gradients_reach_the_first_operand_beside_a_list() -> None:
    x = np.ones(3)
    x.attach_grad()
    with autograd.record():
        y = np.multiply(x, [1, 2, 3])
    y.backward()
    assert x.grad.tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("shape", "right"),
    [((1, 1), (1, 1)), ((1,), (1,)), ((1, 1, 1), (1, 1)), ((2, 2), (2,)), ((2, 1, 2), (2, 1))],
)
def test_tensorsolve_has_the_shape_of_numpys(
    shape: tuple[int, ...], right: tuple[int, ...]
) -> None:
    values = onp.eye(shape[0]).reshape(shape) * 2
    expected = onp.linalg.tensorsolve(values, onp.ones(right))
    equal(np.linalg.tensorsolve(np.array(values), np.ones(right)), expected)
