"""The largest elements, whichever way they are found."""

from __future__ import annotations

import numpy as onp
import pytest

import gluonish as mx


@pytest.mark.parametrize("is_ascend", [False, True])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_the_largest_elements_are_those_of_the_sorted_ones(axis, is_ascend):
    generator = onp.random.default_rng(0)
    numbers = generator.integers(-3, 4, (70, 90)).astype(onp.float32)
    numbers[3, 5], numbers[8, 5], numbers[8, 9] = onp.inf, -onp.inf, onp.nan
    x = mx.nd.array(numbers)
    found = mx.nd.topk(x, axis=axis, k=5, ret_typ="value", is_ascend=is_ascend)
    in_order = mx.nd.sort(x, axis=axis, is_ascend=is_ascend)
    expected = mx.nd.slice_axis(in_order, axis=axis, begin=0, end=5)
    onp.testing.assert_array_equal(found.asnumpy(), expected.asnumpy())


def test_the_gradient_goes_to_the_first_ones_of_equal_elements():
    x = mx.nd.ones((2, 4))
    x.attach_grad()
    with mx.autograd.record():
        largest = mx.nd.topk(x, k=2, ret_typ="value")
    largest.backward()
    assert x.grad.asnumpy().tolist() == [[1, 1, 0, 0]] * 2
