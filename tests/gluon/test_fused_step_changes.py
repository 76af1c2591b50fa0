"""FusedStep goes on rightly when what its compiled step was made for has changed."""

from __future__ import annotations

import numpy as onp
import pytest

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.gluon import nn

LOSS = gluon.loss.L2Loss()


def net_of(*layers):
    net = nn.HybridSequential()
    net.add(*(layers or (nn.Dense(4, activation="tanh", in_units=3), nn.Dense(2, in_units=4))))
    return net


def batch(number, dtype="float32", ctx=None):
    values = onp.random.default_rng(number)
    data, label = values.normal(size=(5, 3)), values.normal(size=(5, 2))
    return nd.array(data, dtype=dtype, ctx=ctx), nd.array(label, dtype=dtype, ctx=ctx)


class Run:
    """A training that goes on, fused or plain."""

    def __init__(self, optimizer, options, *, fused, net=None, grad_req="write"):
        mx.random.seed(2)
        self.net = net_of() if net is None else net()
        self.net.initialize(mx.init.Xavier())
        self.net.collect_params().setattr("grad_req", grad_req)
        self.trainer = gluon.Trainer(self.net.collect_params(), optimizer, dict(options))
        self.fused = gluon.FusedStep(self.net, LOSS, self.trainer) if fused else None
        self.losses = []

    def steps(self, count, *, update=True, **kwargs):
        for number in range(count):
            data, label = batch(number, **kwargs)
            if self.fused is not None:
                loss = self.fused(data, label, update=update)
            else:
                with autograd.record():
                    loss = LOSS(self.net(data), label)
                loss.backward()
                if update:
                    self.trainer.step(5)
            self.losses.append(loss.asnumpy())

    @property
    def states(self):
        return [row.state for row in self.fused.hybrid_report().rows]

    @property
    def values(self):
        params = [param.data().asnumpy() for param in self.net.collect_params().values()]
        return [*self.losses, *params]


def check(optimizer, options, change, *, rtol=1e-5, **more):
    """Check fused against plain, with a change after some steps; return the fused run."""
    runs = [Run(optimizer, options, fused=fused, **more) for fused in (False, True)]
    for run in runs:
        run.steps(8)
        if run.fused is not None:
            assert run.states == ["compiled"]
        change(run)
    plain, fused = runs
    for one, other in zip(plain.values, fused.values, strict=True):
        onp.testing.assert_allclose(other, one, rtol=rtol, atol=rtol * 0.1)
    return fused


@pytest.mark.usefixtures("instant")
@pytest.mark.parametrize("optimizer", ["adam", "sgd"])
def test_states_that_are_loaded_are_used(tmp_path, optimizer):
    options = {"learning_rate": 0.05}
    if optimizer == "sgd":
        options["momentum"] = 0.9

    def change(run):
        run.trainer.save_states(tmp_path / "a.states")
        run.steps(3)
        run.trainer.load_states(tmp_path / "a.states")
        run.steps(6)

    assert check(optimizer, options, change).states == ["compiled"]


@pytest.mark.usefixtures("instant")
def test_states_that_are_set_as_bytes_are_used():
    def change(run):
        updater = run.trainer._updaters[0]
        states = updater.get_states(dump_optimizer=True)
        run.steps(3)
        updater.set_states(states)
        run.steps(6)

    assert check("adam", {"learning_rate": 0.05}, change).states == ["compiled"]


@pytest.mark.usefixtures("instant")
def test_gradient_arrays_may_be_made_anew():
    def change(run):
        params = run.net.collect_params()
        params.setattr("grad_req", "null")
        params.setattr("grad_req", "add")
        run.steps(3)
        for param in params.values():
            param.data().attach_grad("add")
        run.steps(3)
        params.zero_grad()
        run.steps(2)

    check("sgd", {"learning_rate": 0.01}, change, grad_req="add")


@pytest.mark.usefixtures("instant")
def test_parameters_may_be_set_loaded_and_initialized(tmp_path):
    def change(run):
        run.net.save_parameters(tmp_path / "a.params")
        run.steps(2)
        run.net.load_parameters(tmp_path / "a.params")
        run.steps(2)
        run.net[0].weight.set_data(nd.ones((4, 3)) * 0.1)
        run.net[1].bias.data()[:] = 2
        run.steps(2)
        run.net.initialize(mx.init.Constant(0.2), force_reinit=True)
        run.steps(8)

    check("sgd", {"learning_rate": 0.1, "momentum": 0.9}, change)


@pytest.mark.usefixtures("instant")
def test_parameters_may_be_moved():
    def change(run):
        run.net.collect_params().reset_ctx(mx.cpu(1))
        run.steps(6, ctx=mx.cpu(1))

    check("sgd", {"learning_rate": 0.1, "momentum": 0.9}, change)


@pytest.mark.usefixtures("instant")
def test_parameters_may_be_cast():
    def change(run):
        run.net.cast("float64")
        run.steps(6, dtype="float64")

    check("sgd", {"learning_rate": 0.1}, change)


@pytest.mark.usefixtures("instant")
def test_children_may_be_added():
    def change(run):
        layer = nn.Dense(2, in_units=2)
        layer.initialize(mx.init.Constant(0.3))
        run.net.add(layer)
        run.trainer = gluon.Trainer(run.net.collect_params(), "sgd")
        if run.fused is not None:
            run.fused = gluon.FusedStep(run.net, LOSS, run.trainer)
        run.steps(6)

    check("sgd", {"learning_rate": 0.1}, change)


@pytest.mark.usefixtures("instant")
def test_labels_and_data_may_be_views_of_one_array():
    def run(*, fused):
        one = Run("sgd", {"learning_rate": 0.1}, fused=fused)
        everything = nd.array(onp.random.default_rng(3).normal(size=(5, 6)))
        for part in (everything, everything * 2, everything.T.copy().T):
            data = nd.slice_axis(part, axis=1, begin=1, end=4)
            label = nd.slice_axis(part, axis=1, begin=0, end=2)
            for _ in range(5):
                if fused:
                    loss = one.fused(data, label)
                else:
                    with autograd.record():
                        loss = LOSS(one.net(data), label)
                    loss.backward()
                    one.trainer.step(5)
                one.losses.append(loss.asnumpy())
        return one.values

    for one, other in zip(run(fused=False), run(fused=True), strict=True):
        onp.testing.assert_allclose(other, one, rtol=1e-5, atol=1e-6)


@pytest.mark.usefixtures("instant")
def test_net_that_writes_to_its_data_stays_the_plain_loop(caplog):
    class Net(nn.Block):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(2, in_units=3)

        def forward(self, x):
            x[:] = x * 0.5
            return self.dense(x)

    runs = [Run("sgd", {"learning_rate": 0.1}, fused=fused, net=Net) for fused in (False, True)]
    with caplog.at_level("WARNING", "gluonish.hybrid"):
        for run in runs:
            run.steps(6)
    for one, other in zip(runs[0].values, runs[1].values, strict=True):
        onp.testing.assert_allclose(other, one, rtol=1e-5)
    (record,) = caplog.records
    assert record.getMessage().endswith("not compiled: it writes to what it is called with")


@pytest.mark.usefixtures("instant")
def test_prediction_in_between_and_metrics_see_the_new_parameters():
    def change(run):
        run.net.hybridize()
        for _ in range(3):
            run.steps(1)
            run.losses.append(run.net(batch(9)[0]).asnumpy())

    check("sgd", {"learning_rate": 0.1}, change)


@pytest.mark.usefixtures("instant")
def test_error_in_the_middle_of_a_step_changes_nothing(monkeypatch):
    run = Run("adam", {"learning_rate": 0.1}, fused=True)
    run.steps(8)
    before = run.values
    counts = dict(run.trainer.optimizer._index_update_count)
    with pytest.raises(mx.MXNetError):
        run.fused(nd.ones((5, 7)), nd.ones((5, 2)))
    assert not autograd.is_recording()
    assert counts == run.trainer.optimizer._index_update_count
    for one, other in zip(before, run.values, strict=True):
        onp.testing.assert_array_equal(one, other)


def test_environment_names_a_compiler_for_the_loss_alone(monkeypatch):
    monkeypatch.setenv("GLUONISH_BACKEND", "aot_eager")
    plain, fused = (Run("adam", {"learning_rate": 0.1}, fused=fused) for fused in (False, True))
    plain.steps(4)
    fused.steps(4)
    for one, other in zip(plain.values, fused.values, strict=True):
        onp.testing.assert_allclose(other, one, rtol=1e-5, atol=1e-6)
    assert [row.backend for row in fused.fused.hybrid_report().rows] == ["aot_eager"]
