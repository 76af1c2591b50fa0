"""Tests of the gradient of BatchNorm that was recorded in prediction mode."""

from __future__ import annotations

import numpy as onp
import pytest
import torch

import gluonish as mx
from gluonish import autograd
from gluonish.gluon import nn
from gluonish.ops.nn.batch_gradient import normalize_recorded
from gluonish.process.recording import differentiated

MEAN, VARIANCE = onp.array([0.5, -1.0], "float32"), onp.array([2.0, 0.5], "float32")


def layer(**options: object) -> nn.BatchNorm:
    net = nn.BatchNorm(in_channels=2, epsilon=0.1, **options)
    net.initialize()
    net.gamma.set_data(mx.nd.array([1.5, 0.5]))
    net.running_mean.set_data(mx.nd.array(MEAN))
    net.running_var.set_data(mx.nd.array(VARIANCE))
    return net


def gradients(net: nn.BatchNorm, train_mode: bool, shape: tuple[int, ...]) -> list[onp.ndarray]:
    random = onp.random.default_rng(3)
    data, weight = (mx.nd.array(random.standard_normal(shape)) for _ in range(2))
    data.attach_grad()
    with autograd.record(train_mode=False):
        result = (net(data) * weight).sum()
    result.backward(train_mode=train_mode)
    found = [data, net.gamma.data(), net.beta.data()]
    return [data.asnumpy(), weight.asnumpy(), *(array.grad.asnumpy() for array in found)]


def test_constants_are_differentiated_as_constants_in_prediction() -> None:
    data, weight, by_data, by_gamma, by_beta = gradients(layer(), False, (5, 2))
    inverse = 1 / onp.sqrt(VARIANCE + 0.1)
    onp.testing.assert_allclose(by_data, weight * inverse * [1.5, 0.5], rtol=1e-5)
    onp.testing.assert_allclose(
        by_gamma, (weight * (data - MEAN) * inverse).sum(0), rtol=1e-4, atol=1e-6
    )
    onp.testing.assert_allclose(by_beta, weight.sum(0), rtol=1e-5, atol=1e-6)


def test_moving_averages_count_as_the_batch_in_training() -> None:
    data, weight, by_data, _, _ = gradients(layer(), True, (5, 2))
    inverse = 1 / onp.sqrt(VARIANCE + 0.1)
    centred = data - MEAN
    slope = (weight * centred).sum(0) * inverse**2 / 5
    wanted = (weight - weight.sum(0) / 5 - centred * slope) * inverse * [1.5, 0.5]
    onp.testing.assert_allclose(by_data, wanted, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("train_mode", [True, False])
def test_axis_of_the_channels_is_free(train_mode: bool) -> None:
    first = gradients(layer(axis=-1), train_mode, (3, 4, 2))
    random = onp.random.default_rng(3)
    data, weight = (mx.nd.array(random.standard_normal((3, 4, 2))) for _ in range(2))
    data.attach_grad()
    with autograd.record(train_mode=False):
        result = (layer()(data.transpose((0, 2, 1))) * weight.transpose((0, 2, 1))).sum()
    result.backward(train_mode=train_mode)
    onp.testing.assert_allclose(data.grad.asnumpy(), first[2], rtol=1e-5, atol=1e-6)


def test_moving_averages_stay_and_may_move_before_the_gradient() -> None:
    net = layer()
    x = mx.nd.array([[1.0, 2.0]])
    x.attach_grad()
    with autograd.record(train_mode=False):
        result = net(x).sum()
    onp.testing.assert_array_equal(net.running_mean.data().asnumpy(), MEAN)
    net.running_mean.set_data(mx.nd.array([9.0, 9.0]))
    result.backward(train_mode=False)
    onp.testing.assert_allclose(
        x.grad.asnumpy()[0], [1.5, 0.5] / onp.sqrt(VARIANCE + 0.1), rtol=1e-5
    )


def test_grad_takes_the_mode_too() -> None:
    net = layer()
    x = mx.nd.array([[1.0, 2.0]])
    x.attach_grad()
    with autograd.record(train_mode=False):
        result = net(x)
    (as_training,) = autograd.grad([result], [x], retain_graph=True)
    (as_prediction,) = autograd.grad([result], [x], train_mode=False, retain_graph=True)
    assert abs(as_training.asnumpy() - as_prediction.asnumpy()).max() > 0.1
    autograd.backward(result, train_mode=False)
    onp.testing.assert_array_equal(x.grad.asnumpy(), as_prediction.asnumpy())


def test_fixed_gamma_gets_no_gradient() -> None:
    net = layer(scale=False)
    x = mx.nd.array([[1.0, 2.0]])
    x.attach_grad()
    with autograd.record(train_mode=False):
        result = net(x).sum()
    result.backward(train_mode=False)
    onp.testing.assert_allclose(x.grad.asnumpy()[0], 1 / onp.sqrt(VARIANCE + 0.1), rtol=1e-5)


def test_half_precision_data_beside_float32_parameters() -> None:
    net = layer()
    x = mx.nd.array([[1.0, 2.0]], dtype="float16")
    x.attach_grad()
    with autograd.record(train_mode=False):
        result = net(x).sum()
    result.backward(train_mode=False)
    assert x.grad.dtype == onp.float16
    onp.testing.assert_allclose(
        x.grad.asnumpy()[0], [1.5, 0.5] / onp.sqrt(VARIANCE + 0.1), rtol=1e-2
    )


def test_gradient_can_be_differentiated_again() -> None:
    fixed = torch.tensor([0.5, 2.0], dtype=torch.float64)

    def normalize(data: torch.Tensor, gamma: torch.Tensor) -> torch.Tensor:
        return normalize_recorded(data, gamma, fixed, fixed, fixed, 0.1)

    data = torch.rand(3, 2, dtype=torch.float64, requires_grad=True)
    gamma = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    with differentiated(as_training=False):
        assert torch.autograd.gradcheck(normalize, (data, gamma))
        assert torch.autograd.gradgradcheck(normalize, (data, gamma))
