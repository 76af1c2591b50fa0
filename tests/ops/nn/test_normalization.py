"""Moving averages, fixed parameters and dtypes of batch normalization."""

from __future__ import annotations

import numpy as onp
import pytest
from closeness import assert_close

import gluonish as mx
from gluonish import autograd, nd


def _batch_norm_arrays() -> list[nd.NDArray]:
    return [nd.random.normal(2, 3, shape=(8, 3)), nd.ones(3), nd.zeros(3), nd.zeros(3), nd.ones(3)]


def test_moving_averages_follow_only_where_a_gradient_flows() -> None:
    x, gamma, beta, mean, variance = _batch_norm_arrays()
    with mx.autograd.train_mode():
        nd.BatchNorm(x, gamma, beta, mean, variance)
    with mx.autograd.record():
        nd.BatchNorm(x, gamma, beta, mean, variance)
    assert mean.asnumpy().tolist() == [0, 0, 0]
    beta.attach_grad()
    with mx.autograd.record():
        y = nd.BatchNorm(x, gamma, beta, mean, variance) + nd.BatchNorm(
            x, gamma, beta, mean, variance
        )
    y.backward()
    values = x.asnumpy()
    onp.testing.assert_allclose(mean.asnumpy(), 0.19 * values.mean(0), rtol=1e-5)
    expected = 0.81 + 0.19 * values.var(0)
    onp.testing.assert_allclose(variance.asnumpy(), expected, rtol=1e-5)


def test_fixed_gamma_counts_as_one_and_has_no_gradient() -> None:
    x, gamma, beta, mean, variance = _batch_norm_arrays()
    gamma[:] = 5
    gamma.attach_grad()
    beta.attach_grad()
    with mx.autograd.record():
        y = nd.BatchNorm(x, gamma, beta, mean, variance)
    y.backward()
    assert gamma.grad.asnumpy().tolist() == [0, 0, 0]
    assert abs(y.asnumpy()).max() < 4


def test_half_precision_data_keeps_single_precision_statistics() -> None:
    x, gamma, beta, mean, variance = _batch_norm_arrays()
    beta.attach_grad()
    with mx.autograd.record():
        y = nd.BatchNorm(x.astype("float16"), gamma, beta, mean, variance)
    y.backward()
    assert y.dtype == onp.float16
    onp.testing.assert_allclose(mean.asnumpy(), 0.1 * x.asnumpy().mean(0), rtol=1e-2)


def test_batch_norm_with_relu_is_both() -> None:
    arrays = _batch_norm_arrays()
    expected = nd.relu(nd.BatchNorm(*arrays)).asnumpy()
    assert (nd.contrib.BatchNormWithReLU(*arrays).asnumpy() == expected).all()
    results = nd.contrib.BatchNormWithReLU(*arrays, output_mean_var=True)
    assert [result.shape for result in results] == [(8, 3), (3,), (3,)]


@pytest.mark.parametrize("shape", [(1, 3, 1, 1), (1, 3)])
def test_one_number_per_channel_is_a_batch(shape: tuple[int, ...]) -> None:
    """Values are those of MXNet 1.9.1; GluonCV finds the anchors of SSD so."""
    x = nd.array(onp.arange(1.0, 4.0).reshape(shape))
    moments = [nd.zeros((3,)), nd.ones((3,))]
    beta = nd.zeros((3,))
    beta.attach_grad()
    with autograd.record():
        y = nd.BatchNorm(x, nd.ones((3,)), beta, *moments, output_mean_var=True)
    y[0].backward()
    assert abs(y[0].asnumpy()).max() < 1e-4
    assert_close(y[1].asnumpy(), onp.array([1, 2, 3], "float32"))
    assert_close(moments[0].asnumpy(), onp.array([0.1, 0.2, 0.3], "float32"))
    assert_close(moments[1].asnumpy(), onp.full(3, 0.9, "float32"))
    with autograd.train_mode():
        net = mx.sym.BatchNorm(mx.sym.var("x"), name="b")
        assert net.infer_shape(x=shape)[1] == [shape]
        block = mx.gluon.SymbolBlock(net, mx.sym.var("x"))
        block.initialize()
        assert block(x).shape == shape
