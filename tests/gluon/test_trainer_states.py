"""Trainer: files of its states."""

from __future__ import annotations

import json
import pickle

import numpy as onp
import pytest
import safetensors.torch
import torch

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.gluon import nn

OPTIMIZERS = {
    "sgd": {"momentum": 0.9, "wd": 0.1},
    "nag": {"momentum": 0.9},
    "signum": {},
    "sgld": {"learning_rate": 0.01},
    "dcasgd": {"momentum": 0.5},
    "adam": {"clip_gradient": 0.5},
    "adamw": {"wd": 0.1},
    "adamax": {},
    "nadam": {},
    "adagrad": {},
    "adadelta": {},
    "rmsprop": {"centered": True},
    "ftrl": {},
    "ftml": {},
    "lamb": {},
    "lars": {"momentum": 0.9},
    "lbsgd": {"momentum": 0.9, "batch_scale": 2},
    "test": {},
}


def make_net(ctx=None, prefix="t_", units=2, dtype="float32"):
    net = nn.Dense(units, in_units=3, prefix=prefix)
    net.initialize(mx.init.One(), ctx=ctx or mx.cpu())
    net.cast(dtype)
    return net


def steps(net, trainer, count, dtype="float32"):
    for step in range(count):
        with autograd.record():
            losses = [
                (net(nd.full((1, 3), 1 + step, ctx=ctx, dtype=dtype)) ** 2).sum()
                for ctx in net.weight.list_ctx()
            ]
        autograd.backward(losses)
        trainer.step(2)


def copy_values(source, target):
    pairs = zip(source.collect_params().values(), target.collect_params().values(), strict=True)
    for one, other in pairs:
        other.set_data(one.list_data()[0])


def values_of(net):
    return [array.asnumpy() for p in net.collect_params().values() for array in p.list_data()]


def goes_on(path, first, second, options, **also):
    """Return whether training that goes on from a file is training that went on."""
    mx.random.seed(1)
    steps(*first, 3, **also)
    first[1].save_states(path)
    copy_values(first[0], second[0])
    second[1].load_states(path)
    mx.random.seed(2)
    steps(*first, 3, **also)
    mx.random.seed(2)
    steps(*second, 3, **also)
    for one, other in zip(values_of(first[0]), values_of(second[0]), strict=True):
        assert one.tolist() == other.tolist()


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_training_goes_on_from_a_file(name, tmp_path):
    options = {"learning_rate": 0.1, **OPTIMIZERS[name]}
    first, second = make_net(), make_net()
    goes_on(
        tmp_path / "s",
        (first, gluon.Trainer(first.collect_params(), name, options)),
        (second, gluon.Trainer(second.collect_params(), name)),
        options,
    )


@pytest.mark.parametrize("on_store", [False, True])
def test_training_on_two_contexts_goes_on_from_a_file(on_store, tmp_path):
    ctx = [mx.cpu(0), mx.cpu(1)]
    pairs = []
    for net in (make_net(ctx), make_net(ctx)):
        params = net.collect_params()
        pairs.append((net, gluon.Trainer(params, "adam", update_on_kvstore=on_store)))
    goes_on(tmp_path / "s", *pairs, {})


def test_float32_copies_of_half_precision_weights_are_saved(tmp_path):
    options = {"momentum": 0.9, "multi_precision": True}
    nets = [make_net(dtype="float16") for _ in range(2)]
    pairs = [(net, gluon.Trainer(net.collect_params(), "sgd", options)) for net in nets]
    goes_on(tmp_path / "s", *pairs, options, dtype="float16")
    momentum, master = pairs[1][1]._updaters[0].states[0]
    assert (momentum.dtype, master.dtype) == (onp.float32, onp.float32)


def test_files_are_loaded_for_more_contexts_than_they_were_saved_from(tmp_path):
    one, two = make_net(), make_net([mx.cpu(0), mx.cpu(1)])
    trainers = [
        gluon.Trainer(net.collect_params(), "adam", update_on_kvstore=False) for net in (one, two)
    ]
    steps(one, trainers[0], 2)
    trainers[0].save_states(tmp_path / "s")
    trainers[1].load_states(tmp_path / "s")
    steps(two, trainers[1], 1)
    assert trainers[1].optimizer._all_index_update_counts == {0: {0: 3, 1: 3}, 1: {0: 3, 1: 3}}
    assert trainers[1]._updaters[1].states[0][0].context == mx.cpu(1)
    first, second = (array.asnumpy() for array in two.weight.list_data())
    assert first.tolist() == second.tolist()


def test_settings_come_from_the_file(tmp_path):
    net = make_net()
    schedule = mx.lr_scheduler.MultiFactorScheduler([2, 4], 0.5, base_lr=0.8)
    options = {"lr_scheduler": schedule, "wd": 0.25, "beta1": 0.5, "learning_rate": 0.8}
    trainer = gluon.Trainer(net.collect_params(), "adam", options)
    trainer.optimizer.set_lr_mult({"a": 3.0})
    steps(net, trainer, 3)
    trainer.save_states(tmp_path / "s")
    other = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 7})
    optimizer = other.optimizer
    other.load_states(tmp_path / "s")
    assert other.optimizer is optimizer
    assert (optimizer.wd, optimizer.beta1, optimizer.num_update) == (0.25, 0.5, 3)
    assert optimizer.lr_mult == {"a": 3.0}
    assert other.learning_rate == trainer.learning_rate == 0.4
    assert optimizer.lr_scheduler is not schedule
    steps(net, other, 2)
    assert other.learning_rate == 0.2
    assert trainer.learning_rate == 0.4

    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.3})
    trainer.save_states(tmp_path / "t")
    other.load_states(tmp_path / "t")
    assert other.learning_rate == 0.3
    other.set_learning_rate(0.1)


class Falling(mx.lr_scheduler.LRScheduler):
    def __init__(self, power=1):
        super().__init__(base_lr=1.0)
        self.power = power

    def __call__(self, num_update):
        return self.base_lr / (1 + num_update) ** self.power


def test_your_own_schedule_gets_its_numbers_back(tmp_path):
    net = make_net()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"lr_scheduler": Falling(2)})
    trainer.save_states(tmp_path / "s")
    other = gluon.Trainer(net.collect_params(), "sgd", {"lr_scheduler": Falling()})
    other.load_states(tmp_path / "s")
    assert other.optimizer.lr_scheduler.power == 2
    other = gluon.Trainer(net.collect_params(), "sgd")
    with pytest.raises(mx.MXNetError, match=r"schedule 'Falling', which is the program's own"):
        other.load_states(tmp_path / "s")


def test_states_may_be_loaded_before_shapes_are_known(tmp_path):
    net = make_net()
    trainer = gluon.Trainer(net.collect_params(), "adam")
    steps(net, trainer, 2)
    trainer.save_states(tmp_path / "s")
    for features in (3, 5):
        other = nn.Dense(2, prefix="t_")
        other.initialize(mx.init.One())
        resumed = gluon.Trainer(other.collect_params(), "adam")
        resumed.load_states(tmp_path / "s")
        with autograd.record():
            loss = other(nd.ones((1, features))).sum()
        loss.backward()
        if features == 3:
            resumed.step(1)
            assert resumed.optimizer.num_update == 3
        else:
            with pytest.raises(ValueError, match=r"float32 \(2, 3\).* expect .*float32 \(2, 5\)"):
                resumed.step(1)


def test_names_may_differ_in_their_numbers(tmp_path):
    nets = []
    for first in (3, 9):
        net = nn.Sequential(prefix="")
        for number in range(2):
            net.add(nn.Dense(3, in_units=3, prefix=f"dense{first + number}_"))
        net.initialize(mx.init.Xavier())
        nets.append(net)
    trainers = [gluon.Trainer(net.collect_params(), "adam") for net in nets]
    for net in nets[:1]:
        with autograd.record():
            loss = net(nd.ones((1, 3))).sum()
        loss.backward()
    trainers[0].step(1)
    trainers[0].save_states(tmp_path / "s")
    trainers[1].load_states(tmp_path / "s")
    states = [
        {param.name: trainer._updaters[0].states[i] for i, param in enumerate(trainer._params)}
        for trainer in trainers
    ]
    for number in range(2):
        mean = states[0][f"dense{3 + number}_weight"][0].asnumpy()
        assert mean.any()
        assert mean.tolist() == states[1][f"dense{9 + number}_weight"][0].asnumpy().tolist()


def test_loading_keeps_the_arrays_that_are_there(tmp_path):
    net = make_net()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"momentum": 0.9})
    steps(net, trainer, 1)
    trainer.save_states(tmp_path / "s")
    state = trainer._updaters[0].states[0]
    before = state.asnumpy()
    steps(net, trainer, 1)
    trainer.load_states(tmp_path / "s")
    assert trainer._updaters[0].states[0] is state
    assert state.asnumpy().tolist() == before.tolist()


def refused(path, net, name="adam", kind=ValueError, options=None):
    trainer = gluon.Trainer(net.collect_params(), name, options)
    steps(net, trainer, 1)
    kept = [state[0].asnumpy().tolist() for state in trainer._updaters[0].states.values()]
    settings = trainer.learning_rate, trainer.optimizer.num_update
    with pytest.raises(kind) as caught:
        trainer.load_states(path)
    assert isinstance(caught.value, mx.MXNetError)
    now = [state[0].asnumpy().tolist() for state in trainer._updaters[0].states.values()]
    assert now == kept
    assert settings == (trainer.learning_rate, trainer.optimizer.num_update)
    return str(caught.value)


@pytest.fixture
def saved(tmp_path):
    net = make_net()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.25})
    steps(net, trainer, 2)
    trainer.save_states(tmp_path / "s")
    return tmp_path / "s"


def test_states_of_other_shapes_are_refused_together(saved):
    text = refused(saved, make_net(units=4))
    assert "States of parameter 't_bias' are (float32 (2,), float32 (2,));" in text
    assert "optimizer expect (float32 (4,), float32 (4,))." in text
    assert "States of parameter 't_weight'" in text
    assert text.endswith("Load the file that was saved with this net and these settings.")


def test_states_of_other_parameters_are_refused(saved):
    text = refused(saved, make_net(prefix="u_"))
    assert "only in the file: t_bias, t_weight; only in the Trainer: u_bias, u_weight" in text


def test_states_of_another_optimizer_are_refused(saved):
    text = refused(saved, make_net(), "adamax", AssertionError)
    assert "those of optimizer 'Adam'. Expected those of 'Adamax', which is used here" in text


def test_pickles_are_never_run(tmp_path):
    class Trap:
        def __reduce__(self):
            return (pytest.fail, ("a pickle was run",))

    path = tmp_path / "s"
    path.write_bytes(pickle.dumps(({0: Trap()}, None)))
    text = refused(path, make_net())
    assert "expected only MXNet's arrays, optimizers and learning rate schedules" in text
    assert "Nothing in it was run." in text


def test_damaged_and_foreign_files_are_refused(saved, tmp_path):
    content = saved.read_bytes()
    tensors = safetensors.torch.load(content)
    path = tmp_path / "other"
    key = "gluonish.states"
    described = json.loads(json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])[
        "__metadata__"
    ][key])  # fmt: skip
    foreign = {
        "is not that of a file of states, or is damaged": [
            content[:-3],
            b"",
            b"nonsense and more of it",
            safetensors.torch.save(tensors),
            safetensors.torch.save({"a": torch.ones(1)}, {"b": "c"}),
        ],
        "it has version 2 of the format, this program reads 1": [
            safetensors.torch.save(tensors, {key: json.dumps({**described, "version": 2})})
        ],
        "its description is damaged": [
            safetensors.torch.save(tensors, {key: "{"}),
            safetensors.torch.save(tensors, {key: "[]"}),
            safetensors.torch.save({}, {key: json.dumps(described)}),
        ],
    }
    for expected, contents in foreign.items():
        for one in contents:
            path.write_bytes(one)
            assert expected in refused(path, make_net())


def test_missing_files_and_folders_are_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        gluon.Trainer(make_net().collect_params(), "adam").load_states(tmp_path / "nowhere")
    with pytest.raises(FileNotFoundError, match="Create it first"):
        gluon.Trainer(make_net().collect_params(), "adam").save_states(tmp_path / "no" / "s")
