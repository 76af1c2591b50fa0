"""Trainers go on from the files of states that the real MXNet 1.9.1 saved."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as onp
import pytest

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.errors import FileFormatError, ParameterFileError
from gluonish.gluon import nn
from gluonish.serialization.pickled_names import Record
from gluonish.serialization.states import write_states

STATES = Path(__file__).parent.parent / "golden" / "mxnet" / "states"
NAMES = sorted(path.stem for path in STATES.glob("*.states"))
STRUCTURAL = ("momentum", "centered", "multi_precision")


def network(golden, case, prefix="t_"):
    """Return the net of the golden files as it was after three steps."""
    if case == "sgd_mom_fp16_multi":
        params = gluon.ParameterDict(prefix)
        weight = params.get("weight", shape=(4,), dtype="float16")
        params.initialize()

        def net(x):
            return x * weight.data().reshape((1, 4))

    else:
        net = nn.HybridSequential(prefix=prefix)
        with net.name_scope():
            net.add(nn.Dense(3, activation="tanh", in_units=4), nn.Dense(2, in_units=3))
        net.initialize()
        params = net.collect_params()
    for name, param in params.items():
        param.set_data(nd.array(golden[f"p3.{name}"], dtype=param.dtype))
    return net, params


def step(net, trainer, golden, dtype):
    with autograd.record():
        loss = (net(nd.array(golden["x"], dtype=dtype)) - nd.array(golden["t"], dtype=dtype)) ** 2
        loss = loss.sum()
    loss.backward()
    trainer.step(5)


@pytest.fixture
def case(request):
    with onp.load(STATES / f"{request.param}.npz") as found:
        return (
            request.param,
            dict(found),
            json.loads((STATES / f"{request.param}.json").read_text()),
        )


@pytest.mark.parametrize("way", ["mxnet", "saved again"])
@pytest.mark.parametrize("case", NAMES, indirect=True)
def test_the_fourth_step_is_mxnets(case, way, tmp_path):
    name, golden, described = case
    dtype = "float16" if "fp16" in name else "float32"
    net, params = network(golden, name)
    options = {key: value for key, value in described["args"].items() if key in STRUCTURAL}
    trainer = gluon.Trainer(params, described["optimizer"], options)
    trainer.load_states(STATES / f"{name}.states")
    if way == "saved again":
        trainer.save_states(tmp_path / "s")
        trainer = gluon.Trainer(params, described["optimizer"], options)
        trainer.load_states(tmp_path / "s")
    assert trainer.optimizer.num_update == described["num_update"]
    assert trainer.learning_rate == pytest.approx(described["learning_rate_after_3"])
    step(net, trainer, golden, dtype)
    for key, param in params.items():
        onp.testing.assert_allclose(
            param.data().asnumpy(), golden[f"p4.{key}"], rtol=1e-5, atol=1e-5
        )


@pytest.mark.parametrize("on_store", [False, True])
def test_states_go_to_all_contexts(on_store):
    with onp.load(STATES / "adam.npz") as found:
        golden = dict(found)
    net = nn.HybridSequential(prefix="t_")
    with net.name_scope():
        net.add(nn.Dense(3, activation="tanh", in_units=4), nn.Dense(2, in_units=3))
    net.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
    params = net.collect_params()
    for name, param in params.items():
        param.set_data(nd.array(golden[f"p3.{name}"]))
    trainer = gluon.Trainer(params, "adam", update_on_kvstore=on_store)
    trainer.load_states(STATES / "adam.states")
    halves = [(nd.array(golden[k]).slice_axis(0, 0, 2), nd.array(golden[k]).slice_axis(0, 2, 5))
              for k in ("x", "t")]  # fmt: skip
    with autograd.record():
        losses = [
            ((net(x.as_in_context(mx.cpu(i))) - t.as_in_context(mx.cpu(i))) ** 2).sum()
            for i, (x, t) in enumerate(zip(*halves, strict=True))
        ]
    autograd.backward(losses)
    trainer.step(5)
    for name, param in params.items():
        for array in param.list_data():
            onp.testing.assert_allclose(array.asnumpy(), golden[f"p4.{name}"], rtol=1e-5, atol=1e-5)


def trainer_of(units=2, optimizer="adam", options=None):
    net = nn.Dense(units, in_units=3, prefix="t_")
    net.initialize()
    with autograd.record():
        loss = net(nd.ones((1, 3))).sum()
    loss.backward()
    trainer = gluon.Trainer(net.collect_params(), optimizer, options)
    trainer.step(1)
    return trainer


def refused(tmp_path, data, kind=ParameterFileError, **options):
    trainer = trainer_of(**options)
    before = trainer._updaters[0].get_states(dump_optimizer=True)
    path = tmp_path / "x.states"
    path.write_bytes(data)
    with pytest.raises(kind) as caught:
        trainer.load_states(path)
    assert trainer._updaters[0].get_states(dump_optimizer=True) == before
    assert str(path) in str(caught.value)
    return str(caught.value)


def test_states_of_another_net_or_optimizer_are_refused(tmp_path):
    adam = (STATES / "adam.states").read_bytes()
    assert "it has states for 2, 3, the Trainer has 2 parameters: t_bias, t_weight" in refused(
        tmp_path, adam
    )
    small = write_states({0: None, 1: None})
    assert "States of parameter 't_bias' are nothing; its weight and the optimizer expect" in (
        refused(tmp_path, small)
    )
    assert "it has states for 'u_bias', the Trainer has" in refused(
        tmp_path, write_states({"u_bias": None})
    )
    sgd = Record("mxnet.optimizer.optimizer", "SGD", {"num_update": 1})
    assert "those of optimizer 'SGD'. Expected those of 'Adam'" in refused(
        tmp_path, write_states({}, sgd)
    )


def test_states_by_name_find_their_parameters(tmp_path):
    trainer = trainer_of(optimizer="sgd", options={"momentum": 0.5})
    states = {param.name: param.data()._tensor.clone() for param in trainer._params}
    (tmp_path / "s").write_bytes(write_states(states))
    trainer.load_states(tmp_path / "s")
    for index, param in enumerate(trainer._params):
        found = trainer._updaters[0].states[index].asnumpy()
        assert found.tolist() == states[param.name].tolist()


ADAM = {"lr": 0.5, "num_update": 3, "_index_update_count": {0: 3, 1: 3}, "lr_mult": {}}
FACTOR = {"base_lr": 0.1, "warmup_steps": 0, "step": 2, "count": 0, "factor": 0.5}


def optimizer_with(**changes):
    return write_states({}, Record("mxnet.optimizer", "Adam", {**ADAM, **changes}))


def schedule_with(name="FactorScheduler", **changes):
    record = Record("mxnet.lr_scheduler", name, {**FACTOR, **changes})
    return optimizer_with(lr_scheduler=record)


DAMAGED = {
    "'lr' of Adam is of type str, here float": optimizer_with(lr="fast"),
    "'num_update' is no count of updates": optimizer_with(num_update=-1),
    "'begin_num_update' is no count": optimizer_with(begin_num_update=2**60),
    "numbers of its optimizer are not told by parameter": optimizer_with(lr_mult=3),
    "a number of a parameter is damaged": optimizer_with(wd_mult={"a": "b"}),
    "the counts of updates are not told by device": optimizer_with(
        _all_index_update_counts={"a": {}}
    ),
    "its learning rate schedule is of no known kind": optimizer_with(lr_scheduler=3),
    "the learning rate changes every 0 updates": schedule_with(step=0),
    "changes every 1 updates, 100000000000 are due": write_states(
        {},
        Record(
            "mxnet.optimizer",
            "Adam",
            {
                **ADAM,
                "num_update": 10**11,
                "lr_scheduler": Record("mxnet.lr_scheduler", "FactorScheduler", {"step": 1}),
            },
        ),
    ),
    "'base_lr' of FactorScheduler is nan": schedule_with(base_lr=float("nan")),
    "'step' of FactorScheduler is of type str, here int": schedule_with(step="a"),
    "'warmup_steps' of FactorScheduler is -1": schedule_with(warmup_steps=-1),
    "'max_steps' of PolyScheduler is 0": schedule_with("PolyScheduler", max_steps=0),
    "'step' of MultiFactorScheduler is 'a'": schedule_with("MultiFactorScheduler", step=[1, "a"]),
}


@pytest.mark.parametrize("problem", DAMAGED)
def test_damaged_settings_are_refused(problem, tmp_path):
    text = refused(tmp_path, DAMAGED[problem], FileFormatError)
    assert problem in text
    assert "Save the states anew, or go on without them." in text


def test_optimizers_of_old_versions_lack_some_settings(tmp_path):
    trainer = trainer_of()
    (tmp_path / "s").write_bytes(schedule_with())
    trainer.load_states(tmp_path / "s")
    assert trainer.optimizer._index_update_count == {0: 3, 1: 3}
    assert trainer.optimizer.lr_scheduler.stop_factor_lr == 1e-8
    assert trainer.learning_rate == 0.05
    trainer.save_states(tmp_path / "t")
    trainer.load_states(tmp_path / "t")


def test_files_of_other_kinds_are_refused(tmp_path):
    text = refused(tmp_path, struct.pack("<QQQQ", 0x112, 0, 0, 0), FileFormatError)
    assert "the header is not that of a file of states" in text
    assert "Expected what save_states or get_states of gluonish or MXNet wrote" in text
