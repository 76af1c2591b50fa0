"""Windows of pooling at the edges, and gradients at zero."""

from __future__ import annotations

import numpy as onp
import pytest

import gluonish as mx
from gluonish import nd


def test_pooling_windows_without_data_give_the_lowest_number() -> None:
    x = nd.arange(16).reshape((1, 1, 4, 4))
    found = nd.Pooling(x, kernel=(2, 2), stride=(3, 3), pad=(1, 1), pooling_convention="full")
    lowest = onp.finfo("float32").min
    expected = [[0, 3, lowest], [12, 15, lowest], [lowest] * 3]
    assert found[0, 0].asnumpy().tolist() == expected
    assert nd.Pooling(x, kernel=(2, 2), pad=(2, 2))[0, 0, 0].asnumpy().tolist() == [lowest] * 7


def test_same_convention_has_one_window_for_each_stride() -> None:
    x = nd.arange(7).reshape((1, 1, 7))
    found = nd.Pooling(x, kernel=(3,), stride=(2,), pooling_convention="same")
    assert found.asnumpy().tolist() == [[[2, 4, 6, 6]]]


def test_p_norm_of_zeros_has_gradient_zero() -> None:
    x = nd.zeros((1, 1, 4))
    x.attach_grad()
    with mx.autograd.record():
        y = nd.Pooling(x, kernel=(2,), pool_type="lp", p_value=2)
    y.backward()
    assert x.grad.asnumpy().tolist() == [[[0, 0, 0, 0]]]


def test_strides_and_padding_may_be_longer_than_the_window() -> None:
    x = nd.arange(25).reshape((1, 1, 5, 5))
    plain = nd.Pooling(x, kernel=(3, 3), stride=(2, 1), pad=(1, 0))
    longer = nd.Pooling(x, kernel=(3, 3), stride=(2, 1, 7, 7), pad=(1, 0, 1, 1))
    assert longer.asnumpy().tolist() == plain.asnumpy().tolist()


def test_windows_far_in_the_padding_are_0_in_three_dimensions():
    x = mx.nd.ones((1, 1, 1, 1, 5))
    given = {"kernel": (1, 1, 1), "stride": (2, 2, 2), "pad": (2, 2, 2), "pool_type": "avg"}
    y = mx.nd.Pooling(x, count_include_pad=False, **given)
    assert y.asnumpy().sum() == 3
    assert y[0, 0, 1, 1].asnumpy().tolist() == [0, 1, 1, 1, 0]


@pytest.mark.parametrize("include", [None, True, False])
def test_averages_of_windows_beyond_the_end_are_no_numbers_in_three_dimensions(include):
    x = mx.nd.ones((1, 1, 3, 3, 3))
    given = {"kernel": (2, 2, 2), "stride": (3, 3, 3), "pool_type": "avg"}
    y = mx.nd.Pooling(x, pooling_convention="full", count_include_pad=include, **given)
    assert onp.array_equal(y.asnumpy().ravel(), [1, *[onp.nan] * 7], equal_nan=True)
