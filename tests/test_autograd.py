"""Autograd in both front ends, as the real MXNet 1.9.1 does it (golden/autograd.json)."""

from __future__ import annotations

import facts
import numpy as onp
import pytest

import gluonish as mx


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
