"""Steps that are compiled as one graph train as the plain ones do, and as the real MXNet does."""

from __future__ import annotations

import logging

import numpy as onp
import pytest
from module_programs import PROGRAMS, Heard, convolutional, data, iterator, mlp, parameters
from test_module_programs import RESULTS, unlike

import gluonish as mx

FUSED = [
    "sgd", "momentum", "adam", "schedule", "rmsprop_ce", "validation_metric", "images", "fixed",
    "feed_forward", "feed_forward_epoch_size",
]  # fmt: skip


@pytest.mark.parametrize("name", FUSED)
def test_compiled_steps_train_as_mxnet_does(instant, name):
    wrong = unlike(PROGRAMS[name](mx), RESULTS[name])
    assert not wrong, "\n".join(wrong[:10])
    assert instant.steps


@pytest.mark.parametrize("name", ["two_contexts", "no_store", "device"])
def test_several_contexts_are_not_compiled_as_one_graph(instant, name):
    assert not unlike(PROGRAMS[name](mx), RESULTS[name])
    assert not instant.steps


def dropping():
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=8, name="fc1")
    net = mx.sym.Dropout(mx.sym.relu(net), p=0.5)
    net = mx.sym.FullyConnected(net, num_hidden=3, name="fc2")
    return mx.sym.SoftmaxOutput(net, name="softmax")


def trained(net=None, epochs=6, change=None, optimizer="sgd", options=None, **fit):
    mx.random.seed(2)
    module = mx.mod.Module(mlp(mx) if net is None else net)
    fit.setdefault("initializer", mx.init.Xavier())
    module.fit(
        iterator(mx), num_epoch=epochs, optimizer=optimizer, batch_end_callback=change,
        optimizer_params=options or {"learning_rate": 0.1}, **fit,
    )  # fmt: skip
    return module


def test_dropout_draws_the_same_numbers(instant, monkeypatch):
    fused = parameters(trained(dropping()))
    assert instant.steps
    monkeypatch.setenv("GLUONISH_BACKEND", "fx")
    assert not unlike(parameters(trained(dropping())), fused)


def test_gradients_outputs_and_states_are_where_they_always_are(instant, monkeypatch):
    seen = []

    def look(param):
        module = param.locals["self"]
        grads = [grads[0].asnumpy() for grads in module._exec_group.grad_arrays]
        outputs = module.get_outputs()[0].asnumpy()
        seen.append([*grads, outputs, module._updater.states[0].asnumpy()])

    options = {"learning_rate": 0.1, "momentum": 0.9}
    trained(change=look, options=options)
    assert instant.steps
    fused, seen = seen, []
    monkeypatch.setenv("GLUONISH_BACKEND", "fx")
    trained(change=look, options=options)
    for mine, plain in zip(fused, seen, strict=True):
        for a, b in zip(mine, plain, strict=True):
            onp.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6)


def test_learning_rate_may_change_between_steps(instant, monkeypatch):
    def change(param):
        param.locals["self"]._optimizer.set_learning_rate(0.1 / (1 + param.nbatch))

    fused = parameters(trained(change=change))
    assert instant.steps
    monkeypatch.setenv("GLUONISH_BACKEND", "fx")
    assert not unlike(parameters(trained(change=change)), fused)


def test_momentum_may_change_between_steps(instant, monkeypatch):
    def change(param):
        param.locals["self"]._optimizer.momentum = 0.5 + 0.1 * param.epoch

    options = {"learning_rate": 0.1, "momentum": 0.5}
    fused = parameters(trained(change=change, options=options))
    monkeypatch.setenv("GLUONISH_BACKEND", "fx")
    assert not unlike(parameters(trained(change=change, options=options)), fused)


def test_a_monitor_sees_every_step(instant):
    monitor = mx.mon.Monitor(1, pattern="fc1_output")
    with Heard() as heard:
        trained(epochs=2, monitor=monitor)
    assert len([line for line in heard.lines if "fc1_output" in line]) == 8
    assert not instant.steps


def test_an_optimizer_in_python_updates_by_itself(instant, caplog):
    class Halving(mx.optimizer.Optimizer):
        def create_state(self, index, weight):
            return None

        def update(self, index, weight, grad, state):
            weight[:] = weight - grad * (0.1 * self.rescale_grad)

    with caplog.at_level(logging.WARNING, "gluonish.hybrid"):
        module = trained(optimizer=Halving(rescale_grad=0.1), epochs=2)
    assert not instant.steps
    assert not unlike(parameters(module), parameters(trained(epochs=2)))
    assert "Module.fit: the plain loop goes on" in caplog.text


def test_batchnorm_moves_its_averages_in_compiled_steps(instant, monkeypatch):
    def run():
        mx.random.seed(5)
        x, y = data(48, 36)
        module = mx.mod.Module(convolutional(mx))
        module.fit(mx.io.NDArrayIter(x.reshape(48, 1, 6, 6), y, 12), num_epoch=4)
        return parameters(module)

    fused = run()
    assert instant.steps
    monkeypatch.setenv("GLUONISH_BACKEND", "fx")
    assert not unlike(run(), fused)


@pytest.mark.compiler
@pytest.mark.usefixtures("real_compiler")
def test_a_step_is_really_compiled(monkeypatch):
    monkeypatch.setenv("GLUONISH_COMPILE_AFTER", "0.04")  # the halves of a step take less
    from gluonish.executor_group import whole_steps

    variants = []
    made = whole_steps.WholeSteps._made

    def note(self, group, executor):
        variants.append(made(self, group, executor))
        return variants[-1]

    def wait(param):
        for variant in variants:
            if variant._compilation is not None:
                variant._compilation.job.wait(300)

    monkeypatch.setattr(whole_steps.WholeSteps, "_made", note)
    module = trained(change=wait, epochs=100, options={"learning_rate": 0.01, "momentum": 0.9})
    states = [variant.record.state for variant in variants]
    assert states
    assert all(state in ("racing", "compiled", "compiled, not faster") for state in states), states
    monkeypatch.setenv("GLUONISH_BACKEND", "fx")
    plain = trained(epochs=100, options={"learning_rate": 0.01, "momentum": 0.9})
    assert not unlike(parameters(module), parameters(plain))


def test_an_optimizer_that_wraps_another_ones_update_is_called(instant):
    calls = []

    class Watched(mx.optimizer.SGD):
        def update_multi_precision(self, index, weight, grad, state):
            calls.append(index)
            super().update_multi_precision(index, weight, grad, state)

    module = trained(optimizer=Watched(rescale_grad=0.1, learning_rate=0.1), epochs=2)
    assert len(calls) == 8
    assert not instant.steps
    assert not unlike(parameters(module), parameters(trained(epochs=2)))
