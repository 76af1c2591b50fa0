"""Activation functions that draw, and gradients of others."""

from __future__ import annotations

import numpy as onp
from closeness import assert_close

import gluonish as mx
from gluonish import nd


def test_rrelu_draws_slopes_in_training_and_takes_the_mean_otherwise() -> None:
    x = nd.array([-2, -0.5, 0, 1.5])
    found = nd.LeakyReLU(x, act_type="rrelu").asnumpy()
    assert_close(found, [-0.459, -0.11475, 0, 1.5])
    x = -nd.ones((1000,))
    mx.random.seed(3)
    with mx.autograd.train_mode():
        first = -nd.LeakyReLU(x, act_type="rrelu", lower_bound=0.1, upper_bound=0.3).asnumpy()
    assert 0.1 <= first.min() < 0.11
    assert 0.29 < first.max() <= 0.3
    mx.random.seed(3)
    with mx.autograd.train_mode():
        again = -nd.LeakyReLU(x, act_type="rrelu", lower_bound=0.1, upper_bound=0.3).asnumpy()
    assert (first == again).all()


def test_selu_has_its_true_gradient() -> None:
    x = nd.array([-2, -0.5, 1.5])
    x.attach_grad()
    with mx.autograd.record():
        y = nd.LeakyReLU(x, act_type="selu")
    y.backward()
    expected = [1.0507 * 1.67326 * onp.exp(-2), 1.0507 * 1.67326 * onp.exp(-0.5), 1.0507]
    onp.testing.assert_allclose(x.grad.asnumpy(), expected, rtol=1e-5)
