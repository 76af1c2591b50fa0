"""Gradients of large arrays that are clipped are those of small ones."""

from __future__ import annotations

import numpy as onp
import pytest

import gluonish as mx
from gluonish.ops.elementwise.clip_gradient import LEAST

POINTS = [-1e-45, -1.0, 0.0, -0.0, 1e-45, 3.0, 5.9999995, 6.0, 6.0000005, onp.inf, -onp.inf]


def slopes(values, bounds, hybridized):
    class Net(mx.gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            return 2 * F.clip(x, *bounds)

    net = Net()
    if hybridized:
        net.hybridize()
    x = mx.nd.array(values)
    x.attach_grad()
    for _ in range(3):
        with mx.autograd.record():
            y = net(x)
        y.backward()
    return y.asnumpy(), x.grad.asnumpy()


@pytest.mark.parametrize("hybridized", [False, True])
@pytest.mark.parametrize("bounds", [(0, 6), (-1.0, 0.1), (3, 3), (6, 0), (-onp.inf, 3.0)])
def test_gradient_passes_between_the_bounds_and_at_them(bounds, hybridized):
    many = onp.resize(onp.array([*POINTS, *bounds], onp.float32), LEAST)
    some = many[: len(POINTS) + 2]
    value, slope = slopes(many, bounds, hybridized)
    few_value, few_slope = slopes(some, bounds, hybridized)
    onp.testing.assert_array_equal(value[: some.size], few_value)
    onp.testing.assert_array_equal(slope[: some.size], few_slope)
    inside = (some >= onp.float32(bounds[0])) & (some <= onp.float32(bounds[1]))
    if bounds[0] <= bounds[1]:
        onp.testing.assert_array_equal(few_slope, 2 * inside)


def test_gradient_of_the_gradient_goes_through():
    x = mx.nd.array(onp.resize(onp.array([1.0, 2.0, 7.0], onp.float32), LEAST))
    x.attach_grad()
    with mx.autograd.record():
        y = mx.nd.clip(x, 0, 6) ** 2
        (slope,) = mx.autograd.grad(y, [x], create_graph=True, retain_graph=True)
        total = slope.sum()
    total.backward()
    assert x.grad[:3].asnumpy().tolist() == [2.0, 2.0, 0.0]
