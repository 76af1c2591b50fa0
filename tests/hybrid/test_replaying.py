"""Replays that take cheaper calls than the captured program, with the same numbers."""

from __future__ import annotations

import pytest
import torch
from torch import fx

import gluonish as mx
from gluonish.errors.tracebacks import is_program
from gluonish.gluon import nn
from gluonish.hybrid.recorder import Recorder
from gluonish.hybrid.replaying import compiled, replay


def captured(function, *tensors):
    recorder = Recorder([(f"input{i}", [tensor]) for i, tensor in enumerate(tensors)])
    with recorder:
        results = function(*tensors)
    assert recorder.obstacle is None
    recorder.graph.output(tuple(recorder.output_of(result) for result in results))
    return fx.GraphModule(recorder.root, recorder.graph)


def calls(run):
    """Return the names of the functions that a replay calls."""
    names = []

    class Listener(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            names.append(func.__name__)
            return func(*args, **(kwargs or {}))

    with Listener():
        run()
    return names


def tensors(*shapes):
    generator = torch.Generator().manual_seed(1)
    return [torch.randn(shape, generator=generator) for shape in shapes]


@pytest.mark.parametrize("name", ["relu", "sigmoid", "tanh"])
def test_an_activation_of_what_nobody_else_uses_works_in_place(name):
    given = tensors((4, 3), (5, 3), (5,))
    activation = getattr(torch, name)
    module = captured(lambda x, w, b: [activation(torch.nn.functional.linear(x, w, b))], *given)
    run = replay(module)
    copies = [tensor.clone() for tensor in given]
    (result,) = run(given)
    assert torch.equal(result, module(*given)[0])
    assert all(torch.equal(one, other) for one, other in zip(given, copies, strict=True))
    assert calls(lambda: run(given)) == ["addmm", f"{name}_"]


@pytest.mark.parametrize(
    "function",
    [
        lambda x, w, b: [torch.relu(x)],
        lambda x, w, b: [(y := torch.mm(x, w.t())), torch.relu(y)],
        lambda x, w, b: [torch.relu(y := torch.mm(x, w.t())) + y],
        lambda x, w, b: [torch.relu((x + x).view(-1))],
        lambda x, w, b: [torch.relu(x[0])],
        lambda x, w, b: [torch.sigmoid(torch.mul((x > 0).int(), 2))],
    ],
    ids=["an input", "a result", "used twice", "a view", "a row", "another dtype"],
)
def test_what_somebody_else_may_see_is_not_written_to(function):
    given = tensors((4, 3), (5, 3), (5,))
    module = captured(function, *given)
    copies = [tensor.clone() for tensor in given]
    for result, right in zip(replay(module)(given), function(*copies), strict=True):
        assert torch.equal(result, right)
    assert all(torch.equal(one, other) for one, other in zip(given, copies, strict=True))


def test_a_layer_without_bias_and_one_on_more_axes_give_the_same():
    given = tensors((4, 3), (5, 3), (2, 4, 3), (5,))
    linear = torch.nn.functional.linear
    module = captured(lambda x, w, y, b: [linear(x, w), linear(y, w, b)], *given)
    run = replay(module)
    for result, right in zip(run(given), module(*given), strict=True):
        assert torch.equal(result, right)
    assert calls(lambda: run(given)) == ["mm", "linear"]


def test_a_recorded_replay_calls_what_was_captured():
    given = tensors((4, 3), (5, 3), (5,))
    module = captured(lambda x, w, b: [torch.relu(torch.nn.functional.linear(x, w, b))], *given)
    assert calls(lambda: replay(module, is_recorded=True)(given)) == ["linear", "relu"]


def test_a_weight_that_is_written_to_or_replaced_is_read_anew():
    net = nn.HybridSequential()
    net.add(nn.Dense(4, activation="relu", in_units=3), nn.Dense(2, in_units=4))
    net.initialize()
    net.hybridize(backend="fx")
    x = mx.nd.random.normal(shape=(5, 3))
    net(x)
    for change in (
        lambda weight: weight.set_data(mx.nd.ones((4, 3))),
        lambda weight: weight.data().__setitem__(slice(None), 0.5),
        lambda weight: weight.initialize(mx.init.Normal(1), force_reinit=True),
    ):
        change(net[0].weight)
        replayed = net(x)
        net.hybridize(False)
        assert (net(x) == replayed).asnumpy().all()
        net.hybridize(backend="fx")
        net(x)


def test_a_graph_that_is_shown_is_the_program_as_it_was_written():
    net = nn.Dense(4, activation="relu", in_units=3)
    net.initialize()
    net.hybridize(backend="fx")
    net(mx.nd.ones((2, 3)))
    assert "linear" in net.graph.code
    assert "relu_" not in net.graph.code


def allocated(run):
    """Return the most bytes that one call of torch allocated for itself."""
    with torch.profiler.profile(profile_memory=True) as profile:
        run()
    return max(event.self_cpu_memory_usage for event in profile.key_averages())


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("hybridized", [False, True])
def test_an_lstm_that_predicts_keeps_no_gates_for_gradients(hybridized):
    net = mx.gluon.rnn.LSTM(64, input_size=64)
    net.initialize()
    if hybridized:
        net.hybridize()
    x = mx.nd.ones((40, 8, 64))
    gates = 4 * 40 * 8 * 64 * 4  # bytes
    for _ in range(3):
        net(x)
    assert allocated(lambda: net(x)) < 3 * gates / 4
    with mx.autograd.record():
        assert allocated(lambda: net(x)) > gates


def test_a_captured_graphs_frames_are_not_the_programs() -> None:
    graph = torch.fx.symbolic_trace(lambda x: x.relu() + 1)
    function, _ = compiled(graph)
    assert not is_program(function.__code__.co_filename)
    assert function(None, torch.tensor([-1.0, 2.0])).tolist() == [1.0, 3.0]
