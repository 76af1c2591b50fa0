"""FusedStep where gradients are those of several processes or contexts."""

from __future__ import annotations

import logging

import instant
import numpy as onp
import pytest
from digits import BATCH, batches, make_net, values
from workers import returned

import gluonish as mx
from gluonish import autograd, gluon
from gluonish.contrib import amp
from gluonish.errors import OptimizerError
from gluonish.hybrid import report

STEPS = 10
OPTIMIZERS = {
    "sgd": {"learning_rate": 0.05, "momentum": 0.9},
    "adam": {"learning_rate": 0.002},
}
CASES = {
    "updates in the store": {"optimizer": "sgd", "update_on_kvstore": True},
    "updates of adam in the store": {"optimizer": "adam", "update_on_kvstore": True},
    "updates in the workers": {"optimizer": "adam"},
    "clipped": {"optimizer": "sgd", "clip": 5},
    "gradients added up": {"optimizer": "sgd", "adds": True},
    "scaled": {"optimizer": "sgd", "scaled": True},
    "scaled and clipped": {"optimizer": "sgd", "scaled": True, "clip": 5},
    "scaled, updates in the store": {"optimizer": "sgd", "scaled": True, "update_on_kvstore": True},
}


def plain(optimizer, clip=None):
    """Return what the plain loop learns in one process."""
    net, loss = make_net(), gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), optimizer, dict(OPTIMIZERS[optimizer]))
    for data, label in batches(0, 1, STEPS * BATCH):
        with autograd.record():
            result = loss(net(data), label)
        result.backward()
        if clip:
            gluon.utils.clip_global_norm([p.grad() for p in net.collect_params().values()], clip)
        trainer.step(BATCH)
    return values(net)


def fused(rank, optimizer, update_on_kvstore=False, clip=None, scaled=False, adds=False):
    """Return what a fused step learns on a worker, and how its steps ran."""
    net, loss = make_net(), gluon.loss.SoftmaxCrossEntropyLoss()
    if adds:
        net.collect_params().setattr("grad_req", "add")
    kv = mx.kv.create("dist_sync")
    trainer = gluon.Trainer(
        net.collect_params(),
        optimizer,
        dict(OPTIMIZERS[optimizer]),
        kvstore=kv,
        update_on_kvstore=update_on_kvstore,
    )
    if scaled:
        trainer._amp_loss_scaler = amp.LossScaler()
    step = gluon.FusedStep(net, loss, trainer, clip_norm=clip)
    for data, label in batches(rank, kv.num_workers, STEPS * BATCH):
        step(data, label)
        if adds:
            net.collect_params().zero_grad()
    return values(net), [row.backend for row in step.hybrid_report().rows]


def all_cases(rank):
    """Run all cases on a worker, with what stands in for a compiler."""
    with pytest.MonkeyPatch.context() as patch:
        instant.install(patch)
        return {name: fused(rank, **case) for name, case in CASES.items()}


def test_workers_learn_what_one_process_learns():
    for found in returned(2, all_cases):
        for name, (own, rows) in found.items():
            case = CASES[name]
            assert rows == ["aot"], name
            for one, other in zip(own, plain(case["optimizer"], case.get("clip")), strict=True):
                onp.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5, err_msg=name)


def clipped_in_the_store(rank):
    """Clip where the store updates."""
    net = make_net()
    trainer = gluon.Trainer(net.collect_params(), "sgd", kvstore="dist_sync")
    step = gluon.FusedStep(net, gluon.loss.SoftmaxCrossEntropyLoss(), trainer, clip_norm=1)
    (data, label), *_ = batches(rank, 2)
    try:
        step(data, label)
    except OptimizerError as error:
        return str(error)


def test_clipping_needs_updates_in_the_workers():
    for text in returned(2, clipped_in_the_store):
        assert "Try setting `update_on_kvstore` to False" in text


CONTEXTS = [mx.cpu(0), mx.cpu(1), mx.cpu(2)]


@pytest.mark.parametrize(
    ("clip", "update_on_kvstore"), [(None, None), (None, False), (5, False)], ids=str
)
def test_contexts_learn_what_one_learns(monkeypatch, caplog, clip, update_on_kvstore):
    instant.install(monkeypatch)
    monkeypatch.setattr(report, "_said", set())
    net, loss = make_net(), gluon.loss.SoftmaxCrossEntropyLoss()
    net.collect_params().reset_ctx(CONTEXTS)
    trainer = gluon.Trainer(
        net.collect_params(),
        "sgd",
        dict(OPTIMIZERS["sgd"]),
        update_on_kvstore=update_on_kvstore,
    )
    step = gluon.FusedStep(net, loss, trainer, clip_norm=clip)
    with caplog.at_level(logging.WARNING):
        for data, label in batches(0, 1, STEPS * BATCH):
            expected = loss(net(data), label)
            result = step(data, label)
            onp.testing.assert_allclose(result.asnumpy(), expected.asnumpy(), rtol=1e-5, atol=1e-6)
            assert result.context == mx.cpu(0)
    for param, value in zip(net.collect_params().values(), plain("sgd", clip), strict=True):
        for array in param.list_data():
            onp.testing.assert_allclose(array.asnumpy(), value, rtol=1e-5, atol=1e-5)
    (line,) = [record.getMessage() for record in caplog.records]
    assert "FusedStep: the plain loop goes on, a step is not compiled: parameter " in line
    assert line.endswith("lives on several contexts")


def test_several_results_and_inputs_are_split_and_joined():
    class Sum(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.scale = self.params.get("scale", shape=(1,), init="ones")

        def hybrid_forward(self, F, x, pair, scale):
            return F.broadcast_mul(x + pair[0], scale)

    def loss(y, label):
        error = (y - label).square()
        return error, [y, None]

    net = Sum()
    net.initialize(ctx=CONTEXTS[:2])
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    step = gluon.FusedStep(net, loss, trainer, backend="fx")
    x = mx.nd.array([1, 2, 3])
    error, (y, nothing) = step([x, [x * 2, x]], mx.nd.zeros((3,)))
    assert error.asnumpy().tolist() == [9, 36, 81]
    assert y.asnumpy().tolist() == [3, 6, 9]
    assert nothing is None
    assert [array.asnumpy().tolist() for array in net.scale.list_data()] == [
        pytest.approx([1 - 0.1 * 2 * 126 / 3], rel=1e-5)
    ] * 2
