"""What neural-network operators do beyond single golden values."""

from __future__ import annotations

import numpy as onp
import pytest
from closeness import assert_close

import gluonish as mx
from gluonish import nd

# Seed, shape, p, axes, dtype; then of two draws in a row the number of survivors and a checksum,
# as the real MXNet 1.9.1 gives them.
_MASKS = [
    (0, (7,), 0.5, (), "float32", 0, 4, 0.0, 32.0),
    (0, (3, 50), 0.3, (), "float32", 106, 115, 11988.571714401245, 11902.857426643372),
    (42, (4, 5, 6), 0.2, (1,), "float32", 105, 100, 8100.0, 7237.5),
    (1, (5, 4), 0.9, (0, 1), "float32", 0, 20, 0.0, 1899.9996376037598),
    (3, (6,), 0.5, (), "float64", 6, 2, 30.0, 18.0),
    (3, (6,), 0.5, (), "float16", 6, 2, 30.0, 18.0),
]


@pytest.mark.parametrize("row", _MASKS)
def test_dropout_draws_mxnets_masks(row: tuple[object, ...]) -> None:
    seed, shape, p, axes, dtype, *expected = row
    mx.random.seed(seed)
    ones = nd.ones(shape, dtype=dtype)
    with mx.autograd.train_mode():
        first = nd.Dropout(ones, p=p, axes=axes).asnumpy()
        second = nd.Dropout(ones, p=p, axes=axes, mode="always").asnumpy()
    sums = [x.astype("float64").ravel() @ onp.arange(x.size) for x in (first, second)]
    assert [(first != 0).sum(), (second != 0).sum(), *sums] == expected


def test_dropout_draws_only_where_it_drops() -> None:
    mx.random.seed(5)
    expected = nd.random.uniform(shape=3).asnumpy()
    mx.random.seed(5)
    nd.Dropout(nd.ones((4,)))
    with mx.autograd.train_mode():
        nd.Dropout(nd.ones((4,)), p=0)
    assert (nd.random.uniform(shape=3).asnumpy() == expected).all()
    before = nd.Dropout(nd.ones((50,)), mode="always").asnumpy()
    assert 0 < (before == 0).sum() < 50


def test_dropout_gives_a_copy_in_prediction() -> None:
    x = nd.ones((3,))
    y = nd.Dropout(x)
    y[:] = 5
    assert x.asnumpy().tolist() == [1, 1, 1]


def test_dropout_of_everything_is_nan() -> None:
    with mx.autograd.train_mode():
        assert onp.isnan(nd.Dropout(nd.ones((3,)), p=1).asnumpy()).all()


def test_dropout_is_scaled_in_the_gradient() -> None:
    x = nd.ones((40,))
    x.attach_grad()
    with mx.autograd.record():
        y = nd.Dropout(x, p=0.25)
    y.backward()
    assert (x.grad.asnumpy() == y.asnumpy()).all()


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


@pytest.mark.parametrize("op", ["Convolution", "Deconvolution"])
@pytest.mark.parametrize("layout", ["NWC", "NHWC", "NDHWC"])
def test_channels_last_equals_channels_first(op: str, layout: str) -> None:
    axes = len(layout) - 2
    x = nd.random.normal(shape=(2, 3, 6, 5, 4)[: axes + 2])
    shape = (3, 4) if op == "Deconvolution" else (4, 3)
    w = nd.random.normal(shape=shape + (2,) * axes)
    common = {"kernel": (2,) * axes, "num_filter": 4, "stride": (2,) * axes, "no_bias": True}
    last = (0, *range(2, axes + 2), 1)
    expected = getattr(nd, op)(x, w, **common).transpose(last)
    found = getattr(nd, op)(x.transpose(last), w.transpose(last), layout=layout, **common)
    onp.testing.assert_allclose(found.asnumpy(), expected.asnumpy(), rtol=1e-5, atol=1e-5)


def test_target_shape_of_deconvolution_cuts_evenly() -> None:
    x, w = nd.ones((1, 1, 5, 5)), nd.arange(9).reshape((1, 1, 3, 3))
    found = nd.Deconvolution(
        x, w, kernel=(3, 3), num_filter=1, stride=(2, 2), target_shape=(10, 10)
    )
    assert found.shape == (1, 1, 10, 10)
    assert found[0, 0, 0].asnumpy().tolist() == [4, 8, 4, 8, 4, 8, 4, 8, 4, 5]


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


def test_deferred_shapes_follow_from_the_data() -> None:
    for net in (
        mx.gluon.nn.Conv2D(4, 3, layout="NHWC"),
        mx.gluon.nn.Conv2DTranspose(4, 3, layout="NHWC"),
    ):
        net.initialize()
        net(nd.ones((2, 6, 5, 3)))
        assert sorted(net.weight.shape) == [3, 3, 3, 4]
