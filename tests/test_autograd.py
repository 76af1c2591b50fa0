"""Autograd in both front ends, as the real MXNet 1.9.1 does it (golden/autograd.json)."""

from __future__ import annotations

import facts
import numpy as onp
import pytest

import gluonish as mx
from gluonish import autograd, nd


@pytest.mark.parametrize("group", facts.load("autograd"))
def test_autograd_is_mxnets(group: str) -> None:
    facts.check("autograd", group)


def test_heads_gradients_are_constants_of_second_derivatives():
    x = mx.nd.array([2.0])
    x.attach_grad()
    scale = mx.nd.array([3.0])
    scale.attach_grad()
    with mx.autograd.record():
        y = mx.nd.exp(x)
        z = mx.autograd.grad(y, x, head_grads=scale * x, create_graph=True)[0]
    z.backward()  # MXNet: 6 e^2, and nothing for what the heads' gradients are made of
    assert x.grad.asscalar() == pytest.approx(6 * onp.exp(2), rel=1e-5)
    assert scale.grad.asscalar() == 0


@pytest.mark.parametrize(
    "operator",
    [
        lambda w, x: nd.pick(x, w[:, 0]),
        lambda w, x: nd.take(x, w),
        lambda w, x: nd.where(w > 0, x, x * 2),
        lambda w, x: nd.where(w, x, x * 2),
        lambda w, x: nd.broadcast_like(x[:1], w),
        lambda w, x: nd.contrib.boolean_mask(x, w[:, 0]),
        lambda w, x: nd.gather_nd(x, w[:, :2].T),
    ],
)
def test_indices_conditions_and_likes_get_zeros(operator):
    x, w = nd.array([[1, 2, 3], [3, 2, 1]]), nd.array([[1, 0, 1], [0, 1, 1]])
    x.attach_grad()
    w.attach_grad()
    w.grad[:] = 7
    with autograd.record():
        y = operator(w, x).sum()
    y.backward()
    assert w.grad.asnumpy().tolist() == [[0] * 3] * 2
    assert x.grad.asnumpy().any()
