"""Trainer: golden steps, stale gradients, several contexts, errors."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as onp
import pytest
from closeness import assert_close

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.gluon import nn

STATES = Path(__file__).parent.parent / "golden" / "states"


@pytest.mark.parametrize("hybridize", [False, True])
@pytest.mark.parametrize("case", ["sgd", "sgd_mom", "nag", "adam", "adam_factor"])
def test_four_steps_equal_mxnets(case, hybridize):
    golden = onp.load(STATES / f"{case}.npz")
    description = json.loads((STATES / f"{case}.json").read_text())
    options = dict(description["args"])
    if case == "adam_factor":
        options["lr_scheduler"] = mx.lr_scheduler.FactorScheduler(2, 0.5, base_lr=0.01)
    net = nn.HybridSequential(prefix="t_")
    with net.name_scope():
        net.add(nn.Dense(3, activation="tanh", in_units=4), nn.Dense(2, in_units=3))
    net.initialize()
    if hybridize:
        net.hybridize()
    params = net.collect_params()
    for name, param in params.items():
        param.set_data(nd.array(golden[f"p0.{name}"]))
    trainer = gluon.Trainer(params, description["optimizer"], options)
    x, t = nd.array(golden["x"]), nd.array(golden["t"])
    for step in range(4):
        with autograd.record():
            loss = ((net(x) - t) ** 2).sum()
        loss.backward()
        trainer.step(5)
        if step == 2:
            assert trainer.learning_rate == pytest.approx(description["learning_rate_after_3"])
        if step in (2, 3):
            for name, param in params.items():
                expected = golden[f"p{step + 1}.{name}"]
                onp.testing.assert_allclose(param.data().asnumpy(), expected, rtol=1e-5, atol=1e-6)


@pytest.fixture
def net():
    net = nn.Dense(1, in_units=2, use_bias=False, prefix="d_")
    net.initialize(mx.init.One(), ctx=[mx.cpu(0), mx.cpu(1)])
    return net


def backward(net, *ctxs):
    with autograd.record():
        losses = [net(nd.ones((1, 2), ctx=ctx) * (i + 1)) for i, ctx in enumerate(ctxs)]
    autograd.backward(losses)


def test_gradients_of_several_contexts_are_summed(net):
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 1.0})
    backward(net, mx.cpu(0), mx.cpu(1))
    trainer.step(4)
    for ctx in (mx.cpu(0), mx.cpu(1)):
        assert net.weight.data(ctx).asnumpy().tolist() == [[0.25, 0.25]]


@pytest.mark.parametrize("name", ["sgd", "adam"])
def test_copies_stay_equal_however_they_are_updated(net, name):
    trained = []
    for on_store in (True, False):
        net.initialize(mx.init.One(), ctx=[mx.cpu(0), mx.cpu(1)], force_reinit=True)
        trainer = gluon.Trainer(net.collect_params(), name, update_on_kvstore=on_store)
        for _ in range(3):
            backward(net, mx.cpu(0), mx.cpu(1))
            trainer.step(2)
        first, second = (array.asnumpy() for array in net.weight.list_data())
        assert first.tolist() == second.tolist()
        trained.append(first)
    assert_close(*trained)


def test_reduce_then_update_allows_clipping_in_between(net):
    trainer = gluon.Trainer(
        net.collect_params(), "sgd", {"learning_rate": 1.0}, update_on_kvstore=False
    )
    backward(net, mx.cpu(0), mx.cpu(1))
    trainer.allreduce_grads()
    assert net.weight.grad(mx.cpu(1)).asnumpy().tolist() == [[3, 3]]
    for grad in net.weight.list_grad():
        grad[:] = 0.5
    trainer.update(1)
    assert net.weight.data(mx.cpu(0)).asnumpy().tolist() == [[0.5, 0.5]]


def test_store_updates_can_not_be_split(net):
    trainer = gluon.Trainer(net.collect_params(), "sgd", update_on_kvstore=True)
    for what in (trainer.allreduce_grads, lambda: trainer.update(1)):
        with pytest.raises(mx.MXNetError, match="`update_on_kvstore` to False"):
            what()


def test_compressed_gradients_keep_what_is_lost(net):
    trainer = gluon.Trainer(
        net.collect_params(), "sgd", {"learning_rate": 1.0},
        compression_params={"type": "2bit", "threshold": 0.5},
    )  # fmt: skip
    backward(net, mx.cpu(0), mx.cpu(1))
    trainer.step(1)
    assert net.weight.data(mx.cpu(0)).asnumpy().tolist() == [[0, 0]]
    with pytest.raises(ValueError, match="compression_params"):
        gluon.Trainer(net.collect_params(), "sgd", compression_params={"type": "3bit"})


def test_stale_gradients_are_refused_or_skipped(net):
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 1.0})
    with pytest.raises(UserWarning, match=r"Gradient of Parameter `d_weight` on context cpu\(0\)"):
        trainer.step(1)
    trainer.step(1, ignore_stale_grad=True)
    assert net.weight.data(mx.cpu(0)).asnumpy().tolist() == [[1, 1]]
    backward(net, mx.cpu(0), mx.cpu(1))
    trainer.step(1)
    with pytest.raises(mx.MXNetError, match="and that of every other one, has not been updated"):
        trainer.step(1)


def test_multipliers_of_a_parameter_are_used(net):
    net.weight.lr_mult = 0.5
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 1.0})
    backward(net, mx.cpu(0), mx.cpu(1))
    trainer.step(2)
    assert net.weight.data(mx.cpu(0)).asnumpy().tolist() == [[0.25, 0.25]]


def test_learning_rate_can_be_set(net):
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    assert trainer.learning_rate == 0.01
    trainer.set_learning_rate(0.5)
    assert trainer.learning_rate == trainer.optimizer.lr == 0.5


def test_wrong_arguments_are_refused(net):
    params = net.collect_params()
    with pytest.raises(ValueError, match="got list of <class 'int'>"):
        gluon.Trainer([1], "sgd")
    with pytest.raises(ValueError, match="First argument must be a list or dict of Parameters"):
        gluon.Trainer(3, "sgd")
    with pytest.raises(ValueError, match="Cannot find optimizer foo"):
        gluon.Trainer(params, "foo")
    with pytest.raises(AssertionError, match="optimizer_params must be None if optimizer is an"):
        gluon.Trainer(params, mx.optimizer.SGD(), {"learning_rate": 1})
    with pytest.raises(RuntimeError, match="has not been initialized"):
        gluon.Trainer(nn.Dense(2).collect_params(), "sgd")


def test_contexts_must_agree(net):
    other = nn.Dense(1, in_units=1)
    other.initialize()
    with pytest.raises(AssertionError, match="must be initialized on the same set of contexts"):
        gluon.Trainer([net.weight, other.weight], "sgd")


def test_deferred_parameters_can_be_given_to_a_trainer():
    net = nn.Dense(1)
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    with autograd.record():
        loss = net(nd.ones((2, 3))).sum()
    loss.backward()
    before = net.weight.data().asnumpy()
    trainer.step(2)
    assert_close(net.weight.data().asnumpy(), before - 0.1)


@pytest.mark.parametrize("call", ["step", "update"])
def test_a_batch_without_samples_is_refused(net, call):
    trainer = gluon.Trainer(net.collect_params(), "sgd", kvstore=None)
    backward(net, mx.cpu())
    with pytest.raises(ZeroDivisionError, match="batch_size=0 was given. Expected the number of"):
        getattr(trainer, call)(0)
    with pytest.raises(TypeError, match="batch_size='2' was given, a str"):
        getattr(trainer, call)("2")


def test_settings_that_are_no_dict_are_refused(net):
    with pytest.raises(TypeError, match=r"optimizer_params=0\.1 was given. Expected a dict"):
        gluon.Trainer(net.collect_params(), "sgd", 0.1)
