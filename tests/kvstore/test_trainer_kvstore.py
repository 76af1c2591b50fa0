"""Trainer through stores: golden runs, stores of one's own, what is kept where."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as onp
import pytest
from store_programs import (
    RECORDED,
    TRAINING,
    TRAINING_IN_BITS,
    backward,
    make_net,
    make_recorder,
)

import gluonish as mx
from gluonish import gluon, nd
from gluonish.contrib import amp

GOLDEN = json.loads((Path(__file__).parent.parent / "golden" / "kvstore.json").read_text())[
    "results"
]


def assert_close(found, expected):
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        onp.testing.assert_allclose(one, other, rtol=1e-5, atol=4e-6)


def assert_equal_run(found, expected):
    assert_close(found[0], expected[0])
    assert found[1:] == expected[1:]


@pytest.mark.parametrize("kind", ["local", "device"])
@pytest.mark.parametrize("name", TRAINING)
def test_training_equals_mxnets(kind, name):
    assert_equal_run(TRAINING[name](mx, kind), GOLDEN[f"{kind}/trained/{name}"])


@pytest.mark.parametrize("name", TRAINING_IN_BITS)
def test_training_with_compressed_gradients_equals_mxnets(name):
    assert_equal_run(TRAINING_IN_BITS[name](mx, "device"), GOLDEN[f"device/trained/{name}"])


@pytest.mark.parametrize("name", RECORDED)
def test_a_store_of_ones_own_is_called_as_mxnet_does(name):
    calls, values, *rest = RECORDED[name](mx, None)
    golden_calls, golden_values, *golden_rest = GOLDEN[f"recorded/{name}"]
    for call, golden in zip(calls, golden_calls, strict=True):
        if call[0] == "broadcast":
            onp.testing.assert_allclose(call.pop(2), golden.pop(2), rtol=1e-6)
        assert call == golden
    assert_close(values, golden_values)
    assert rest == golden_rest


@pytest.mark.parametrize("kind", ["local", "device"])
def test_a_store_is_used_on_one_context_if_it_is_given_itself(kind):
    store = mx.kv.create(kind)
    assert_equal_run(TRAINING["alone"](mx, store), GOLDEN[f"{kind}/of one's own"])
    assert store.has(2)


def trained(contexts, steps=3, **options):
    net, data = make_net(mx, contexts)
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.1}, **options)
    for _ in range(steps):
        backward(mx, net, data)
        trainer.step(4)
    return net, data, trainer


def test_the_store_holds_the_parameters_themselves():
    net, data, trainer = trained(2)
    out = nd.zeros((3, 2))
    trainer._kvstore.pull(1, out=out)
    weight = net[0].weight
    assert (out.asnumpy() == weight.data(mx.cpu(1)).asnumpy()).all()
    weight.set_data(nd.zeros((3, 2)))
    trainer.set_learning_rate(0)
    backward(mx, net, data)
    trainer.step(4)
    for array in weight.list_data():
        assert not array.asnumpy().any()


def test_gradients_of_each_context_stay_its_own_where_the_store_updates():
    net, data, trainer = trained(2)
    backward(mx, net, data)
    before = [grad.asnumpy() for grad in net[0].weight.list_grad()]
    trainer.step(4)
    for grad, old in zip(net[0].weight.list_grad(), before, strict=True):
        assert (grad.asnumpy() == old).all()


def test_copies_that_differ_become_equal_at_the_first_step():
    net, data = make_net(mx, 2)
    net[0].weight.data(mx.cpu(1))[:] = 7
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.0})
    backward(mx, net, data)
    trainer.step(4)
    first, second = (array.asnumpy() for array in net[0].weight.list_data())
    assert (first == second).all()


def test_a_net_that_moves_to_more_contexts_gets_a_store():
    net, data, trainer = trained(1)
    assert trainer._kvstore is None
    state = trainer._updaters[0].states[0]
    net.collect_params().reset_ctx([mx.cpu(0), mx.cpu(1)])
    backward(mx, net, data * 2 if len(data) > 1 else [data[0], data[0].copyto(mx.cpu(1))])
    trainer.step(4)
    assert trainer._kvstore.type == "device"
    assert trainer._updaters[0].states[0] is state


def test_stale_gradients_are_left_out_of_a_store():
    net, data = make_net(mx, 2)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 1.0})
    with mx.autograd.record():
        losses = [net[0](x).sum() for x in data]
    mx.autograd.backward(losses)
    before = net[1].weight.data(mx.cpu(0)).asnumpy()
    with pytest.raises(UserWarning, match="n_dense1_weight"):
        trainer.step(1)
    trainer.step(1, ignore_stale_grad=True)
    assert (net[1].weight.data(mx.cpu(0)).asnumpy() == before).all()
    with pytest.raises(UserWarning, match="n_dense0_bias"):
        trainer.step(1)


def test_states_in_the_store_go_into_files_and_back(tmp_path):
    first, data, trainer = trained(2)
    trainer.save_states(tmp_path / "s")
    second, _, other = trained(2, steps=0)
    for mine, theirs in zip(
        second.collect_params().values(), first.collect_params().values(), strict=True
    ):
        mine.set_data(theirs.data(mx.cpu(0)))
    other.load_states(tmp_path / "s")
    for net, one in ((first, trainer), (second, other)):
        backward(mx, net, data)
        one.step(4)
    for mine, theirs in zip(
        second.collect_params().values(), first.collect_params().values(), strict=True
    ):
        assert (mine.data(mx.cpu(1)).asnumpy() == theirs.data(mx.cpu(1)).asnumpy()).all()


def test_states_in_a_store_of_ones_own_are_its_business():
    recorder = make_recorder(mx, able=True)
    seen = []
    recorder.save_optimizer_states = lambda name, dump_optimizer: seen.append(
        (name, dump_optimizer)
    )
    recorder.load_optimizer_states = seen.append
    _, _, trainer = trained(1, kvstore=recorder)
    trainer.save_states("s")
    trainer.load_states("s")
    assert seen == [("s", True), "s"]


def test_loss_scaling_keeps_infinite_gradients_from_every_store():
    amp.init("bfloat16")
    for options in ({}, {"update_on_kvstore": False}, {"kvstore": mx.kv.create("device")}):
        net, data, trainer = trained(2, **options)
        amp.init_trainer(trainer)
        before = net[0].weight.data(mx.cpu(0)).asnumpy()
        backward(mx, net, data)
        net[0].weight.grad(mx.cpu(1))[:] = onp.inf
        trainer.step(4)
        assert (net[0].weight.data(mx.cpu(0)).asnumpy() == before).all()
        backward(mx, net, data)
        trainer.step(4)
        first, second = (array.asnumpy() for array in net[0].weight.list_data())
        assert (first == second).all()
        assert (first != before).all()
        assert onp.isfinite(first).all()


def test_loss_scaling_reaches_a_store_of_ones_own_only_with_finite_gradients():
    amp.init("bfloat16")
    recorder = make_recorder(mx, able=True)
    net, data, trainer = trained(1, steps=1, kvstore=recorder)
    amp.init_trainer(trainer)
    recorder.calls.clear()
    backward(mx, net, data)
    net[0].weight.grad()[:] = onp.nan
    trainer.step(4)
    assert recorder.calls == []
    backward(mx, net, data)
    trainer.step(4)
    assert [call[0] for call in recorder.calls] == ["pushpull"] * 3


def test_a_store_that_can_not_update_is_not_asked_to():
    recorder = make_recorder(mx, able=False)
    net, data = make_net(mx, 1)
    trainer = gluon.Trainer(net.collect_params(), "sgd", kvstore=recorder, update_on_kvstore=True)
    backward(mx, net, data)
    with pytest.raises(ValueError, match="Please set update_on_kvstore=False when training with"):
        trainer.step(1)


def test_large_weights_are_not_updated_by_a_local_store(monkeypatch):
    monkeypatch.setattr("gluonish.kvstore.creation._LARGE", 5)
    assert trained(2, kvstore="local")[2]._update_on_kvstore is False
    assert trained(2, kvstore="device")[2]._update_on_kvstore is True


def test_an_environment_variable_keeps_updates_out_of_stores(monkeypatch):
    monkeypatch.setenv("MXNET_UPDATE_ON_KVSTORE", "0")
    trainer = trained(2)[2]
    assert trainer._update_on_kvstore is False
    trainer.allreduce_grads()


def test_a_store_serves_one_trainer():
    store = mx.kv.create("device")
    trained(2, kvstore=store)
    with pytest.raises(mx.MXNetError, match=r"kvstore has an array for key 0 already"):
        trained(2, kvstore=store)


def test_stores_are_checked_when_a_trainer_is_made():
    net, _ = make_net(mx, 1)
    params = net.collect_params()
    with pytest.raises(ValueError, match="'dist_synk' was given.*Expected one of"):
        gluon.Trainer(params, "sgd", kvstore="dist_synk")
    with pytest.raises(TypeError, match="kvstore must be KVStore, str or None"):
        gluon.Trainer(params, "sgd", kvstore=3)
    with pytest.raises(ValueError, match="needs a kvstore"):
        gluon.Trainer(params, "sgd", kvstore=None, update_on_kvstore=True)


def test_without_a_store_every_context_goes_its_own_way():
    net, _, trainer = trained(2, kvstore=None)
    assert (trainer._kvstore, trainer._update_on_kvstore) == (None, None)
    first, second = (array.asnumpy() for array in net[0].weight.list_data())
    assert (first != second).any()


def test_a_fused_step_compiles_the_gradients_and_leaves_the_update_to_a_store(instant):
    net, data = make_net(mx, 1)
    store = mx.kv.create("device")
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1}, kvstore=store)
    step = gluon.FusedStep(net, gluon.loss.L2Loss(), trainer)
    plain, _ = make_net(mx, 1)
    other = gluon.Trainer(plain.collect_params(), "sgd", {"learning_rate": 0.1}, kvstore=None)
    for _ in range(8):
        step(data[0], nd.zeros((2, 2)))
        with mx.autograd.record():
            loss = gluon.loss.L2Loss()(plain(data[0]), nd.zeros((2, 2)))
        loss.backward()
        other.step(2)
    assert [row.backend for row in step.hybrid_report().rows] == ["aot"]
    for one, right in zip(
        net.collect_params().values(), plain.collect_params().values(), strict=True
    ):
        onp.testing.assert_allclose(one.data().asnumpy(), right.data().asnumpy(), rtol=1e-5)


def test_a_fused_step_calls_a_store_of_ones_own_in_every_step(instant):
    net, data = make_net(mx, 1)
    recorder = make_recorder(mx, able=False)
    trainer = gluon.Trainer(net.collect_params(), "sgd", kvstore=recorder)
    step = gluon.FusedStep(net, gluon.loss.L2Loss(), trainer)
    for _ in range(8):
        step(data[0], nd.zeros((2, 2)))
    assert [call[0] for call in recorder.calls] == ["broadcast"] * 3 + ["pushpull"] * 24
