"""Moving averages, fixed parameters and dtypes of batch normalization."""

from __future__ import annotations

import numpy as onp

import gluonish as mx
from gluonish import nd


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
