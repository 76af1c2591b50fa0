"""Module.fit and FeedForward.fit through stores of several processes."""

from __future__ import annotations

import numpy as onp
import pytest
from workers import returned

import gluonish as mx

STEPS = 8


def symbol():
    data = mx.sym.Variable("data")
    hidden = mx.sym.Activation(
        mx.sym.FullyConnected(data, num_hidden=30, name="fc1"), act_type="relu"
    )
    return mx.sym.SoftmaxOutput(
        mx.sym.FullyConnected(hidden, num_hidden=10, name="fc2"), name="softmax"
    )


def weights():
    random = onp.random.RandomState(5)
    shapes = {"fc1_weight": (30, 784), "fc1_bias": (30,), "fc2_weight": (10, 30), "fc2_bias": (10,)}
    return {name: mx.nd.array(random.normal(0, 0.1, shape)) for name, shape in shapes.items()}


def share(rank, workers):
    """Return an iterator over a worker's share of every batch of 32."""
    from digits import digits

    data, labels = digits(32 * STEPS)
    each = 32 // workers
    rows = onp.arange(32 * STEPS).reshape(STEPS, 32)[:, rank * each : (rank + 1) * each].reshape(-1)
    return mx.io.NDArrayIter(data[rows], labels[rows], each, label_name="softmax_label")


def fitted(rank, workers, kvstore, cls):
    """Return the weights after an epoch."""
    options = {"learning_rate": 0.2, "momentum": 0.9}
    if cls == "Module":
        module = mx.mod.Module(symbol())
        module.fit(
            share(rank, workers), kvstore=kvstore, optimizer="sgd", optimizer_params=options,
            arg_params=weights(), initializer=None, num_epoch=1, eval_metric="acc",
        )  # fmt: skip
        found, scale = module.get_params()[0], module._optimizer.rescale_grad
    else:
        model = mx.model.FeedForward(
            symbol(),
            num_epoch=1,
            optimizer="sgd",
            arg_params=weights(),
            numpy_batch_size=32,
            **options,
        )
        model.fit(share(rank, workers), kvstore=kvstore, eval_metric="acc")
        found, scale = model.arg_params, 1 / 32
    return {name: value.asnumpy() for name, value in found.items()}, scale


@pytest.mark.parametrize("cls", ["Module", "FeedForward"])
@pytest.mark.parametrize("on_store", ["1", "0"])
@pytest.mark.filterwarnings("ignore:.*mxnet.model.FeedForward has been deprecated")
def test_fit_trains_as_one_process_does(cls, on_store):
    expected, scale = fitted(0, 1, "local", cls)
    for found, own in returned(
        2, fitted, 2, "dist_sync", cls, environment={"MXNET_UPDATE_ON_KVSTORE": on_store}
    ):
        assert own == pytest.approx(scale)
        for name, value in expected.items():
            onp.testing.assert_allclose(found[name], value, atol=1e-5)


def test_async_module_trains():
    for found, _ in returned(2, fitted, 2, "dist_async", "Module"):
        assert all(onp.isfinite(value).all() for value in found.values())
