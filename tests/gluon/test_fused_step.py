"""FusedStep gives what the plain loop gives, whatever runs it."""

from __future__ import annotations

import logging

import numpy as onp
import pytest
from instant import InstantJob

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.gluon import nn
from gluonish.hybrid import report, trials


def dense():
    net = nn.HybridSequential()
    net.add(nn.Dense(8, activation="relu", in_units=5), nn.Dense(3, in_units=8))
    return net


def normalized():
    net = nn.HybridSequential()
    net.add(nn.Dense(8, in_units=5, use_bias=False), nn.BatchNorm(in_channels=8))
    net.add(nn.Activation("relu"), nn.Dropout(0.4), nn.Dense(3, in_units=8))
    return net


def batches(count, size=6):
    numbers = onp.random.default_rng(5)
    return [
        (nd.array(numbers.normal(size=(size, 5))), nd.array(numbers.integers(0, 3, size)))
        for _ in range(count)
    ]


def train(make, optimizer, options, steps, *, fused, change=None, dtype="float32", **more):
    """Train; return losses, parameters and the step."""
    mx.random.seed(3)
    net = make()
    net.initialize(mx.init.Xavier())
    net.cast(dtype)
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), optimizer, dict(options))
    step = gluon.FusedStep(net, loss, trainer, **more)
    mx.random.seed(7)
    losses = []
    for number, (data, label) in enumerate(batches(steps)):
        if change is not None:
            change(number, net, trainer)
        data = data.astype(dtype)
        if fused:
            losses.append(step(data, label))
        else:
            with autograd.record():
                losses.append(loss(net(data), label))
            losses[-1].backward()
            if "clip_norm" in more:
                grads = [p.grad() for p in net.collect_params().values() if p.grad_req != "null"]
                gluon.utils.clip_global_norm(grads, more["clip_norm"])
            trainer.step(data.shape[0])
    params = [param.data().asnumpy() for param in net.collect_params().values()]
    return [one.asnumpy() for one in losses], params, step


def check_same(make, optimizer, options, steps=12, *, is_fused=True, rtol=1e-5, **more):
    """Check that a fused step follows the plain loop, and whether it was one graph at the end."""
    losses, params, _ = train(make, optimizer, options, steps, fused=False, **more)
    fused_losses, fused_params, step = train(make, optimizer, options, steps, fused=True, **more)
    for one, other in zip(losses + params, fused_losses + fused_params, strict=True):
        onp.testing.assert_allclose(other, one, rtol=rtol, atol=rtol * 0.1)
    rows = step.hybrid_report().rows
    assert (InstantJob.steps > 0 and "aot" in [row.backend for row in rows]) is is_fused
    return step


OPTIMIZERS = [
    ("sgd", {"learning_rate": 0.1}),
    ("sgd", {"learning_rate": 0.1, "momentum": 0.9, "wd": 1e-2}),
    ("nag", {"learning_rate": 0.1, "momentum": 0.9, "clip_gradient": 0.1}),
    ("adam", {"learning_rate": 0.01, "wd": 1e-2}),
    ("adagrad", {"learning_rate": 0.1}),
    ("rmsprop", {"learning_rate": 0.01, "centered": True}),
    ("nadam", {"learning_rate": 0.01}),
    ("ftrl", {"learning_rate": 0.1}),
    ("lamb", {"learning_rate": 0.01}),
    ("signum", {"learning_rate": 0.01}),
    ("adadelta", {}),
    ("adamax", {}),
    ("ftml", {}),
]


@pytest.mark.usefixtures("instant")
@pytest.mark.parametrize(("optimizer", "options"), OPTIMIZERS)
def test_follows_the_plain_loop(optimizer, options):
    check_same(normalized, optimizer, options)


@pytest.mark.usefixtures("instant")
def test_schedules_and_set_rates_need_no_new_graph():
    scheduler = {"learning_rate": 0.1, "momentum": 0.9}

    def change(number, net, trainer):
        if number > 6:
            trainer.set_learning_rate(0.1 / number)
            trainer.optimizer.wd = 0.01
            net[0].weight.lr_mult = 0.5

    check_same(dense, "sgd", scheduler, change=change)
    assert InstantJob.count == 1


@pytest.mark.usefixtures("instant")
def test_scheduler_is_followed():
    def options():
        return {"lr_scheduler": mx.lr_scheduler.FactorScheduler(3, 0.5, base_lr=0.2)}

    results = [train(dense, "sgd", options(), 12, fused=fused)[:2] for fused in (False, True)]
    for one, other in zip(*([*losses, *params] for losses, params in results), strict=True):
        onp.testing.assert_allclose(other, one, rtol=1e-5, atol=1e-6)
    assert InstantJob.count == 1


@pytest.mark.usefixtures("instant")
def test_constants_of_the_optimizer_may_change():
    def change(number, net, trainer):
        if number == 6:
            trainer.optimizer.momentum = 0.5

    check_same(dense, "sgd", {"learning_rate": 0.1, "momentum": 0.9}, 16, change=change)
    assert InstantJob.count == 2


@pytest.mark.usefixtures("instant")
def test_clips_the_norm_of_all_gradients():
    check_same(dense, "sgd", {"learning_rate": 1.0}, clip_norm=0.05)


@pytest.mark.usefixtures("instant")
def test_frozen_parameters_stay():
    def change(number, net, trainer):
        net[0].weight.grad_req = "null" if number < 8 else "write"

    check_same(dense, "sgd", {"learning_rate": 0.1}, 20, change=change)


@pytest.mark.usefixtures("instant")
def test_half_precision_with_float32_copies():
    options = {"learning_rate": 0.1, "momentum": 0.9, "multi_precision": True}
    check_same(dense, "sgd", options, dtype="float16", rtol=1e-2)


@pytest.mark.usefixtures("instant")
def test_gradients_add_up_over_several_batches():
    def run(*, fused):
        mx.random.seed(3)
        net = dense()
        net.initialize(mx.init.Xavier())
        net.collect_params().setattr("grad_req", "add")
        loss = gluon.loss.SoftmaxCrossEntropyLoss()
        trainer = gluon.Trainer(net.collect_params(), "adam")
        step = gluon.FusedStep(net, loss, trainer)
        for number, (data, label) in enumerate(batches(24)):
            is_last = number % 3 == 2
            if fused:
                step(data, label, batch_size=18, update=is_last)
            else:
                with autograd.record():
                    value = loss(net(data), label)
                value.backward()
                if is_last:
                    trainer.step(18)
            if is_last:
                net.collect_params().zero_grad()
        return [p.data().asnumpy() for p in net.collect_params().values()], step

    plain, _ = run(fused=False)
    fused, step = run(fused=True)
    for one, other in zip(plain, fused, strict=True):
        onp.testing.assert_allclose(other, one, rtol=1e-5, atol=1e-6)
    assert [row.backend for row in step.hybrid_report().rows] == ["aot", "aot"]


@pytest.mark.usefixtures("instant")
def test_several_inputs_outputs_and_results():
    class Pair(nn.HybridBlock):
        def __init__(self):
            super().__init__()
            self.one, self.two = nn.Dense(2, in_units=3), nn.Dense(2, in_units=4)

        def forward(self, x, y):
            return self.one(x), self.two(y)

    def loss(a, b, label, weight):
        value = ((a - b - label) ** 2).mean(axis=1) * weight
        return value, a + b

    def run(*, fused):
        mx.random.seed(1)
        net = Pair()
        net.initialize(mx.init.Xavier())
        trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
        step = gluon.FusedStep(net, loss, trainer)
        data = (nd.ones((2, 3)), nd.ones((2, 4)))
        labels = [nd.ones((2, 2)), nd.array([1.0, 2.0])]
        found = []
        for _ in range(8):
            if fused:
                value, extra = step(data, labels)
            else:
                with autograd.record():
                    value, extra = loss(*net(*data), *labels)
                value.backward()
                trainer.step(2)
            found += [value.asnumpy(), extra.asnumpy()]
        return found, step

    plain, _ = run(fused=False)
    fused, step = run(fused=True)
    for one, other in zip(plain, fused, strict=True):
        onp.testing.assert_allclose(other, one, rtol=1e-5)
    assert "aot" in [row.backend for row in step.hybrid_report().rows]


@pytest.mark.usefixtures("instant")
def test_plain_loop_may_go_on_in_between():
    def change(number, net, trainer):
        if number % 4 == 3:
            data, label = batches(1)[0]
            with autograd.record():
                value = gluon.loss.SoftmaxCrossEntropyLoss()(net(data), label)
            value.backward()
            trainer.step(6)

    check_same(normalized, "adam", {}, 20, change=change)


@pytest.mark.usefixtures("instant")
def test_each_shape_has_its_step():
    mx.random.seed(1)
    net = dense()
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    step = gluon.FusedStep(net, gluon.loss.SoftmaxCrossEntropyLoss(), trainer)
    for _ in range(6):
        for size in (6, 4):
            assert step(*batches(1, size)[0]).shape == (size,)
    assert [row.backend for row in step.hybrid_report().rows] == ["aot", "aot"]


@pytest.mark.usefixtures("instant")
def test_what_cant_be_one_graph_stays_the_plain_loop(caplog):
    report._said.clear()
    with caplog.at_level(logging.WARNING, "gluonish.hybrid"):
        check_same(dense, "sgld", {"learning_rate": 0.01}, is_fused=False)
    texts = [record.getMessage() for record in caplog.records]
    expected = "the plain loop goes on, a step is not compiled: SGLD computes its update in Python"
    assert texts == [f"FusedStep: {expected}"]


@pytest.mark.usefixtures("instant")
def test_data_dependent_python_stays_the_plain_loop(caplog):
    class Peek(nn.Block):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(3, in_units=5)

        def forward(self, x):
            y = self.dense(x)
            return y * 2 if y.sum() > 0 else y

    with caplog.at_level(logging.WARNING, "gluonish.hybrid"):
        check_same(Peek, "sgd", {"learning_rate": 0.1}, is_fused=False)
    assert "Python reads a value of the data" in caplog.text


@pytest.mark.usefixtures("instant")
def test_wrong_results_of_a_compiler_are_not_adopted(caplog, monkeypatch):
    load = InstantJob.load

    def wrong(self):
        run = load(self)

        def scaled(tensors):
            out = run(tensors)
            tensors[2].mul_(1.01)  # a weight
            return out

        return scaled

    monkeypatch.setattr(InstantJob, "load", wrong)
    report._said.clear()
    with caplog.at_level(logging.WARNING, "gluonish.hybrid"):
        check_same(dense, "sgd", {"learning_rate": 0.1}, 16, is_fused=False)
    assert "the compiled graph's results differ: what is written to tensor" in caplog.text


@pytest.mark.usefixtures("instant")
@pytest.mark.parametrize(("wrong", "is_fused"), [(9, True), (10, False)])
def test_results_may_differ_by_chance_now_and_then(monkeypatch, wrong, is_fused):
    difference, found = trials.Trial.difference, []

    def compare(self, *args):
        found.append(difference(self, *args))
        return "result 0" if len(found) <= wrong else found[-1]

    monkeypatch.setattr(trials.Trial, "difference", compare)
    check_same(dense, "sgd", {"learning_rate": 0.1}, 16, is_fused=is_fused)
    assert found == [None] * 10


def test_bad_arguments_are_refused():
    net = dense()
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    loss = gluon.loss.L2Loss()
    with pytest.raises(ValueError, match="net=3 was given. Expected a Block"):
        gluon.FusedStep(3, loss, trainer)
    with pytest.raises(ValueError, match="loss=None was given. Expected a callable"):
        gluon.FusedStep(net, None, trainer)
    with pytest.raises(ValueError, match="trainer='sgd' was given. Expected a gluon.Trainer"):
        gluon.FusedStep(net, loss, "sgd")
    with pytest.raises(ValueError, match="clip_norm=-1 was given"):
        gluon.FusedStep(net, loss, trainer, clip_norm=-1)
    with pytest.raises(ValueError, match="clip_norm='1' was given. Expected a positive number"):
        gluon.FusedStep(net, loss, trainer, clip_norm="1")
    with pytest.raises(ValueError, match="backend='inductor' was given. Expected 'auto' or 'fx'"):
        gluon.FusedStep(net, loss, trainer, backend="inductor")
    step = gluon.FusedStep(net, loss, trainer)
    with pytest.raises(ValueError, match="update=False was given, and parameter"):
        step(nd.ones((2, 5)), nd.ones((2, 3)), update=False)
    with pytest.raises(ValueError, match="batch_size is not given"):
        step([], nd.ones((2, 3)))


@pytest.mark.parametrize("result", [3.0, None, [], {}, [None]])
def test_loss_that_is_no_array_is_refused(result):
    net = dense()
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    step = gluon.FusedStep(net, lambda *_: result, trainer)
    with pytest.raises(ValueError, match="returned .*Expected an array with the loss of each"):
        step(nd.ones((2, 5)), nd.ones((2, 3)))


@pytest.mark.usefixtures("instant")
def test_results_may_be_nested_and_hold_what_was_given():
    net = dense()
    net.initialize()
    before = net[1].bias.data().asnumpy()
    trainer = gluon.Trainer(net.collect_params(), "sgd")

    def loss(output, label):
        return (output - label) ** 2, label, {"outputs": [output, output * 2]}, 5

    step = gluon.FusedStep(net, loss, trainer)
    label = nd.ones((2, 3))
    for _ in range(6):
        _, given, more, number = step(nd.ones((2, 5)), label)
        assert given is label
        assert number == 5
        output, twice = more["outputs"]
        onp.testing.assert_array_equal(twice.asnumpy(), 2 * output.asnumpy())
    assert [row.backend for row in step.hybrid_report().rows] == ["aot"]
    assert (net[1].bias.data().asnumpy() != before).all()


def test_parameter_that_takes_no_part_is_an_error_as_in_the_plain_loop():
    net = dense()
    net.initialize()
    spare = nn.Dense(1, in_units=1)
    spare.initialize()
    params = [*net.collect_params().values(), *spare.collect_params().values()]
    step = gluon.FusedStep(net, gluon.loss.L2Loss(), gluon.Trainer(params, "sgd"))
    with pytest.raises(UserWarning, match="has not been updated by backward"):
        step(nd.ones((2, 5)), nd.ones((2, 3)))


def test_a_batch_without_samples_is_refused_and_changes_nothing():
    net = dense()
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    step = gluon.FusedStep(net, gluon.loss.L2Loss(), trainer)
    before = net[0].weight.data().asnumpy()
    for batch_size in (0, None):
        with pytest.raises(mx.MXNetError, match="batch_size=0 was given"):
            step(nd.zeros((0, 5)), nd.zeros((0, 3)), batch_size)
    assert (net[0].weight.data().asnumpy() == before).all()


def test_a_report_names_the_step_by_its_net():
    net = dense()
    net.initialize()
    step = gluon.FusedStep(net, gluon.loss.L2Loss(), gluon.Trainer(net.collect_params(), "sgd"))
    step(nd.ones((2, 5)), nd.ones((2, 3)))
    assert [row.block for row in step.hybrid_report().rows] == [f"Step '{net.name}'"]
