"""What operators decide once for a signature holds for it alone."""

from __future__ import annotations

import numpy as onp
import pytest

import gluonish as mx
from gluonish import errors, nd


@pytest.mark.parametrize("again", range(2))
def test_codes_of_reshape_are_read_for_each_shape(again: int) -> None:
    assert again in (0, 1)
    for size in (2, 4):
        x = nd.zeros((size, 3, 4))
        assert x.reshape((0, -1)).shape == (size, 12)
        assert x.reshape((-3, 0)).shape == (3 * size, 4)
        assert nd.reshape(x, shape=(-1, 0), reverse=True).shape == (3 * size, 4)
        assert x.reshape((-4, 2, -1, -2)).shape == (2, size // 2, 3, 4)


def test_lengths_that_fitted_before_are_refused_where_they_do_not_fit() -> None:
    assert nd.zeros(6).reshape((2, 3)).shape == (2, 3)
    with pytest.raises(errors.ShapeError, match=r"\(8,\) \(8 elements\)"):
        nd.zeros(8).reshape((2, 3))


def test_bounds_of_slices_hold_for_other_shapes() -> None:
    for size in (3, 5):
        x = nd.arange(size * 2).reshape((size, 2))
        part = nd.slice(x, begin=(1, None), end=(None, 1))
        assert part.asnumpy().tolist() == x.asnumpy()[1:, :1].tolist()


def test_keys_of_slices_and_integers_select_as_numpy_does() -> None:
    x = nd.arange(24).reshape((2, 3, 4))
    y = x.asnumpy()
    for key in ((slice(None), 1), (..., 0), (None, 0), (1, slice(0, 2), None)):
        onp.testing.assert_array_equal(x[key].asnumpy(), y[key])
    onp.testing.assert_array_equal(x[:, ::-1].asnumpy(), y[:, ::-1])


def test_one_small_picture_is_convolved_as_it_lies() -> None:
    x, w = nd.random.normal(shape=(1, 2, 5, 5)), nd.random.normal(shape=(3, 2, 3, 3))
    both = nd.concat(x, x, dim=0)
    one = nd.Convolution(x, w, kernel=(3, 3), num_filter=3, no_bias=True)
    two = nd.Convolution(both, w, kernel=(3, 3), num_filter=3, no_bias=True)
    onp.testing.assert_allclose(one[0].asnumpy(), two[1].asnumpy(), 1e-4, 1e-5)


def test_what_equals_a_length_decides_nothing_for_it():
    x = mx.nd.ones((2, 3, 7))
    assert x.reshape((True, -1)).shape == (1, 42)
    assert x.reshape((1, -1)).shape == (1, 42)
    assert mx.nd.reshape(x, (True, 0, -1)).shape == mx.nd.reshape(x, (1, 0, -1)).shape
    for begin in ((0.0, 1.0), (False, True), (0, 1)):
        try:
            found = mx.nd.slice(x, begin, (2, 3))
        except mx.MXNetError:
            assert type(begin[0]) is not int
        else:
            assert found.shape == (2, 2, 7)
