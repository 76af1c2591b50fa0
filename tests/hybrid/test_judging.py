"""backend='auto' adopts what is equal and faster, and leaves everything else as it was."""

from __future__ import annotations

import copy
import logging
import pickle
import threading
import time

import numpy as onp
import pytest
import torch
from closeness import assert_close

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.gluon import nn
from gluonish.hybrid import compilations, judging, report, trials

REPORT = judging.Race.report


def block(forward, **attributes):
    """Return a Block with a forward and with attributes."""

    class Net(nn.Block):
        def __init__(self):
            super().__init__()
            for name, value in attributes.items():
                setattr(self, name, value)

    Net.forward = forward
    net = Net()
    net.initialize(mx.init.Xavier())
    net.hybridize()
    return net


def dense(units=3):
    net = nn.HybridSequential()
    net.add(nn.Dense(4, activation="tanh", in_units=2), nn.Dense(units, in_units=4))
    net.initialize(mx.init.Xavier())
    net.hybridize()
    return net


def noisy():
    """Return a net that draws in predictions, too."""
    net = nn.HybridSequential()
    net.add(nn.Dense(4, in_units=2))
    net.add(nn.HybridLambda(lambda F, x: F.Dropout(x, p=0.5, mode="always")))
    net.initialize(mx.init.Xavier())
    return net


def rows(net):
    return net.hybrid_report().rows


def settle(net, *args):
    """Call a net often enough to decide, and return its states."""
    for _ in range(12):
        net(*args)
    return [row.state for row in rows(net)]


def messages(caplog):
    return [record.getMessage() for record in caplog.records]


def altered(monkeypatch, instant, change):
    """Have the stand-in's compiled graphs do something else."""
    load = instant.load

    def load_altered(self):
        run = load(self)
        return lambda tensors: change(run, tensors)

    monkeypatch.setattr(instant, "load", load_altered)


# --- adopting -------------------------------------------------------------------------------


def test_faster_and_equal_is_adopted(instant, caplog):
    net = dense()
    x = nd.ones((5, 2))
    before = net(x).asnumpy()
    with caplog.at_level(logging.WARNING, "gluonish.hybrid"):
        assert settle(net, x) == ["compiled"]
    assert [row.backend for row in rows(net)] == ["aot"]
    onp.testing.assert_array_equal(net(x).asnumpy(), before)
    assert not caplog.records
    assert instant.count == 1


def test_slower_is_not_adopted(instant, monkeypatch, caplog):
    def slow(run, tensors):
        time.sleep(0.003)
        return run(tensors)

    altered(monkeypatch, instant, slow)
    monkeypatch.setattr(judging.Race, "report", REPORT)
    monkeypatch.setattr(judging, "IN_A_ROW", 2)
    net = dense()
    with caplog.at_level(logging.WARNING, "gluonish.hybrid"):
        assert settle(net, nd.ones((5, 2))) == ["compiled, not faster"]
    (row,) = rows(net)
    assert row.backend == "fx"
    assert row.after > row.before
    assert not caplog.records


@pytest.mark.parametrize(("seconds", "is_large"), [(0.02, True), (0.0001, False)])
def test_ways_that_take_long_leave_no_memory_to_each_other(seconds, is_large, monkeypatch):
    given, turns = [], []
    monkeypatch.setattr(judging, "give_back", lambda: given.append(len(turns)))
    race = judging.Race()
    is_over = False
    while not is_over:
        turns.append(race.turn)
        is_over = race.add(seconds)
    row = judging.IN_A_ROW
    assert turns[: 2 * row] == [0] * row + [1] * row
    assert given == (list(range(row, len(turns) + 1, row)) if is_large else [])


def test_times_decide_a_race():
    for first, second, is_faster in ((2.0, 1.0, True), (1.0, 2.0, False), (1.0, 1.0, False)):
        race, record = judging.Race(), report.GraphRecord()
        times = (first, second)
        while not race.add(times[race.turn]):
            pass
        assert race.report(record) is is_faster
        assert (record.before, record.after) == times


@pytest.mark.parametrize(
    "change",
    [
        lambda run, tensors: [one * 1.01 for one in run(tensors)],
        lambda run, tensors: [one[:1] for one in run(tensors)],
        lambda run, tensors: [one.double() for one in run(tensors)],
        lambda run, tensors: [one / 0 for one in run(tensors)],
    ],
    ids=["values", "shape", "dtype", "infinity"],
)
def test_other_results_are_not_adopted(instant, monkeypatch, caplog, change):
    altered(monkeypatch, instant, change)
    net = dense()
    x = nd.ones((5, 2))
    before = net(x).asnumpy()
    with caplog.at_level(logging.WARNING, "gluonish.hybrid"):
        assert settle(net, x) == ["the compiled graph's results differ: result 0"]
    onp.testing.assert_array_equal(net(x).asnumpy(), before)
    line = "a graph is replayed and not compiled: the compiled graph's results differ: result 0"
    assert messages(caplog) == [f"hybridize: {line}"]


def counter(self, x):
    self.calls[:] = self.calls + 1
    return x * self.calls


def test_what_is_written_is_written_once_for_each_call(instant):
    net = block(counter, calls=nd.zeros((1,)))
    found = [net(nd.ones((1,))).asscalar() for _ in range(12)]
    assert found == list(range(1, 13))
    assert [row.state for row in rows(net)] == ["compiled"]


def test_only_what_is_written_to_is_copied_for_a_trial(instant, monkeypatch):
    copied = []
    copied_by = trials._copy
    monkeypatch.setattr(
        trials, "_copy", lambda tensor: copied.append(tensor.shape) or copied_by(tensor)
    )
    net = block(counter, calls=nd.zeros((1,)))
    found = [net(nd.ones((3,))).asnumpy().tolist() for _ in range(12)]
    assert found == [[number] * 3 for number in range(1, 13)]
    assert [row.state for row in rows(net)] == ["compiled"]
    assert set(copied) == {(1,)}


def test_other_writes_are_not_adopted(instant, monkeypatch, caplog):
    def change(run, tensors):
        outputs = run(tensors)
        tensors[1].add_(1)
        return outputs

    altered(monkeypatch, instant, change)
    net = block(counter, calls=nd.zeros((1,)))
    with caplog.at_level(logging.WARNING, "gluonish.hybrid"):
        found = [net(nd.ones((1,))).asscalar() for _ in range(12)]
    assert found == list(range(1, 13))
    assert "results differ: what is written to tensor 1" in caplog.text


def test_draws_are_those_of_eager_calls(instant):
    net = noisy()
    net.add(nn.HybridLambda(lambda F, x: x + F.random.normal()))
    x = nd.ones((3, 2))
    results = []
    for is_hybrid in (False, True):
        net.hybridize(is_hybrid)
        mx.random.seed(3)
        results.append([net(x).asnumpy() for _ in range(12)])
    onp.testing.assert_array_equal(*results)
    assert [row.state for row in rows(net)] == ["compiled"]


def test_draws_that_depend_on_data_are_replayed(instant, caplog):
    net = block(lambda _, x: nd.random.normal(x, x))
    mx.random.seed(3)
    with caplog.at_level(logging.WARNING, "gluonish.hybrid"):
        (state,) = settle(net, nd.ones((3,)))
    assert "depend on the data" in state
    assert len(caplog.records) == 1


def test_memory_in_another_order_is_replayed(instant, monkeypatch):
    calls = []

    def change(run, tensors):
        calls.append(tensors[0].stride())
        return run(tensors)

    altered(monkeypatch, instant, change)
    net = dense()
    x = nd.array(onp.arange(10).reshape(5, 2))
    settle(net, x)
    calls.clear()
    turned = nd.array(onp.arange(10).reshape(2, 5)).T
    straight = nd.array(turned.asnumpy())
    assert turned._tensor.stride() == (1, 5)
    assert_close(net(turned).asnumpy(), net(straight).asnumpy())
    assert calls == [(2, 1)]


def test_trial_runs_on_arrays_that_lie_in_memory_as_the_given_ones(instant, monkeypatch):
    seen = []

    def change(run, tensors):
        seen.append((tensors[0].stride(), tensors[0].shape))
        return run(tensors)

    altered(monkeypatch, instant, change)
    net = dense()
    base = nd.array(onp.arange(30).reshape(5, 6))
    part = nd.slice_axis(base, axis=1, begin=1, end=3)
    assert settle(net, part) == ["compiled"]
    assert set(seen) == {((6, 1), (5, 2))}
    spread = mx.np.ones((5, 2))
    spread._tensor = torch.ones(1, 1).expand(5, 2)
    settle(net, spread)
    assert seen[-1] == ((0, 0), (5, 2))


# --- what can't be compiled -----------------------------------------------------------------


class FailingJob:
    """A compilation that has failed."""

    seconds = 3.0
    error = "SomeError: something is missing"
    is_done = False

    def __init__(self, task, *, begin=True):
        pass

    def look(self):
        return True


class EndlessJob(FailingJob):
    """A compilation that is never over."""

    error = None

    def look(self):
        return False


@pytest.mark.usefixtures("instant")
def test_failing_compilation_is_one_line_of_the_log(monkeypatch, caplog):
    monkeypatch.setattr(compilations, "CompileJob", FailingJob)
    with caplog.at_level(logging.WARNING, "gluonish.hybrid"):
        for _ in range(2):
            net = dense()
            assert settle(net, nd.ones((5, 2))) == ["SomeError: something is missing"]
            assert rows(net)[0].backend == "fx"
    text = "hybridize: a graph is replayed and not compiled: SomeError: something is missing"
    assert messages(caplog) == [text]


def test_no_compiler_is_no_error(instant, monkeypatch, caplog):
    monkeypatch.setattr(compilations, "has_compiler", lambda: False)
    with caplog.at_level(logging.WARNING, "gluonish.hybrid"):
        for units in (2, 3):
            net = dense(units)
            settle(net, nd.ones((5, 2)))
            assert net(nd.ones((5, 2))).shape == (5, units)
    (text,) = messages(caplog)
    assert text.endswith("not compiled: there is no C++ compiler (g++ or clang++)")
    assert instant.count == 0


@pytest.mark.usefixtures("instant")
def test_compilation_that_never_ends_does_no_harm(monkeypatch):
    monkeypatch.setattr(compilations, "CompileJob", EndlessJob)
    monkeypatch.setattr(judging, "LOOK_EVERY", 0)
    net = dense()
    x = nd.ones((5, 2))
    first = net(x).asnumpy()
    for _ in range(20):
        onp.testing.assert_array_equal(net(x).asnumpy(), first)
    assert [row.state for row in rows(net)] == ["compiling"]


def test_compiled_graph_that_fails_is_replayed(instant, monkeypatch, caplog):
    def change(run, tensors):
        msg = "no memory"
        raise RuntimeError(msg)

    altered(monkeypatch, instant, change)
    net = dense()
    with caplog.at_level(logging.WARNING, "gluonish.hybrid"):
        assert settle(net, nd.ones((5, 2))) == ["the compiled graph fails: no memory"]
    assert net(nd.ones((5, 2))).shape == (5, 3)
    assert len(caplog.records) == 1


def test_trial_without_memory_is_given_up(instant, monkeypatch, caplog):
    def copy_nothing(tensor):
        msg = "not enough memory"
        raise RuntimeError(msg)

    monkeypatch.setattr(trials, "_copy", copy_nothing)
    with caplog.at_level(logging.WARNING, "gluonish.hybrid"):
        (state,) = settle(block(counter, calls=nd.zeros((1,))), nd.ones((5, 2)))
    assert state == "there is no memory for a trial (not enough memory)"
    assert len(caplog.records) == 1
    net = dense()
    step = gluon.FusedStep(net, gluon.loss.L2Loss(), gluon.Trainer(net.collect_params(), "sgd"))
    for _ in range(6):
        step(nd.ones((5, 2)), nd.ones((5, 3)))
    assert [row.state for row in step.hybrid_report().rows] == [state]


def test_writing_to_arguments_is_replayed(instant):
    def forward(_, x, y):
        x[:] = x + 1
        return y * 1

    net = block(forward)
    x = nd.zeros((4,))
    for _ in range(10):
        net(x, nd.zeros((4,)))
    assert [row.state for row in rows(net)] == ["it writes to what it is called with"]
    assert x.asnumpy().tolist() == [10] * 4
    assert net(x[:2], x[:2]).asnumpy().tolist() == [11, 11]


def test_recorded_calls_are_left_to_fused_step(instant):
    net = dense()
    x = nd.ones((5, 2))
    for _ in range(10):
        with autograd.record():
            net(x)
    assert instant.count == 0
    assert [row.state for row in rows(net)] == ["fx"]


def test_work_decides_when_to_compile(instant, monkeypatch):
    monkeypatch.setenv("GLUONISH_COMPILE_AFTER", "inf")
    net = dense()
    assert settle(net, nd.ones((5, 2))) == ["timing"]
    monkeypatch.setenv("GLUONISH_COMPILE_AFTER", "0.001")
    net.hybridize()
    for _ in range(1000):
        net(nd.ones((5, 2)))
    assert [row.state for row in rows(net)] == ["compiled"]
    assert instant.count == 1
    monkeypatch.setenv("GLUONISH_COMPILE_AFTER", "")
    net.hybridize()
    assert settle(net, nd.ones((5, 2))) == ["timing"]
    monkeypatch.setenv("GLUONISH_COMPILE_AFTER", "soon")
    net.hybridize()
    with pytest.raises(ValueError, match="GLUONISH_COMPILE_AFTER is 'soon'. Expected seconds"):
        net(nd.ones((5, 2)))


# --- while it goes on -----------------------------------------------------------------------


def test_graphs_stay_when_other_blocks_are_made(instant):
    net = dense()
    x = nd.ones((5, 2))
    settle(net, x)
    (graph,) = net._graphs.graphs
    other = dense()
    other(x)
    nn.Dense(2).register_forward_hook(print)
    net(x)
    assert net._graphs.graphs == [graph]
    assert [row.state for row in rows(net)] == ["compiled"]
    assert instant.count == 1


@pytest.mark.parametrize("when", ["compiling", "racing", "compiled"])
def test_parameters_may_change_at_any_time(instant, monkeypatch, when, tmp_path):
    x = nd.array([[1.0, -2.0]])
    job = EndlessJob if when == "compiling" else instant
    monkeypatch.setattr(compilations, "CompileJob", job)
    net = dense()
    for _ in range({"compiling": 2, "racing": 3, "compiled": 9}[when]):
        net(x)
    assert rows(net)[0].state == when
    eager = copy.deepcopy(net)
    eager.hybridize(False)

    def both(change, x=x):
        for one in (net, eager):
            change(one)
        for _ in range(4):
            onp.testing.assert_allclose(net(x).asnumpy(), eager(x).asnumpy(), rtol=1e-3)

    both(lambda one: one[0].weight.set_data(nd.ones((4, 2))))
    both(lambda one: one[1].bias.data().__setitem__(0, 3))
    net.save_parameters(tmp_path / "a.params")
    both(lambda one: one.initialize(mx.init.Constant(2), force_reinit=True))
    both(lambda one: one.load_parameters(tmp_path / "a.params"))
    both(lambda one: one.collect_params().reset_ctx(mx.cpu(1)), x.as_in_context(mx.cpu(1)))
    both(lambda one: one.collect_params().reset_ctx(mx.cpu(0)))
    both(lambda one: one.cast("float64"), x.astype("float64"))
    both(lambda one: one.cast("float16"), x.astype("float16"))
    both(lambda one: one.cast("float32"))


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda net: pickle.loads(pickle.dumps(net))])
@pytest.mark.parametrize("when", ["compiling", "racing", "compiled"])
def test_net_may_be_copied_at_any_time(instant, monkeypatch, when, duplicate):
    x = nd.ones((5, 2))
    monkeypatch.setattr(compilations, "CompileJob", EndlessJob if when == "compiling" else instant)
    net = dense()
    for _ in range({"compiling": 2, "racing": 3, "compiled": 9}[when]):
        net(x)
    assert rows(net)[0].state == when
    other = duplicate(net)
    assert not rows(other)
    other[0].weight.set_data(nd.ones((4, 2)))
    for _ in range(8):
        assert (net(x).asnumpy() != other(x).asnumpy()).all()
    other.hybridize(False)
    expected = other(x).asnumpy()
    other.hybridize()
    for _ in range(8):
        assert_close(other(x).asnumpy(), expected)


def test_recording_in_between(instant):
    net = dense()
    x = nd.ones((5, 2))
    x.attach_grad()
    grads = []
    for _ in range(10):
        predicted = net(x).asnumpy()
        with autograd.record():
            out = net(x)
        out.backward()
        grads.append(x.grad.asnumpy())
        assert_close(out.asnumpy(), predicted)
    assert {row.backend for row in rows(net)} == {"aot", "fx"}
    for grad in grads:
        assert_close(grad, grads[0])


def test_several_threads(instant, monkeypatch):
    def slow(run, tensors):
        time.sleep(0.002)
        return run(tensors)

    altered(monkeypatch, instant, slow)
    net = noisy()
    x = nd.ones((5, 2))

    def work(number, found):
        mx.random.seed(number)
        found[number] = [net(x * (number + 1)).asnumpy() for _ in range(20)]

    results = []
    for is_hybrid in (False, True):
        net.hybridize(is_hybrid)
        found = {}
        threads = [threading.Thread(target=work, args=(n, found)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        results.append([found[number] for number in range(4)])
    onp.testing.assert_allclose(*results, rtol=1e-5)
    assert "compiled" in settle(net, x)


def test_dtypes_and_sizes_of_all_kinds(instant):
    def forward(_, x, i):
        b = i > 1
        return x * 2, i * 2, b, mx.np.where(b, i, i + 1), x.astype("float64") / 3, x[:0]

    net = block(forward)
    mx.npx.set_np()
    for size in (3, 0):
        x = mx.np.ones((size, 2), dtype="float16")
        i = mx.np.array(onp.arange(size * 2).reshape(size, 2), dtype="int32")
        before = net(x, i)
        settle(net, x, i)
        for one, other in zip(before, net(x, i), strict=True):
            assert one.dtype == other.dtype
            onp.testing.assert_array_equal(one.asnumpy(), other.asnumpy())
    assert [row.state for row in rows(net)] == ["compiled", "compiled"]


def test_not_a_number_is_equal_to_itself(instant):
    net = block(lambda _, x: nd.log(x) / 0)
    assert settle(net, nd.array([-1.0, 1.0, 2.0])) == ["compiled"]


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16", "int32"])
def test_closeness_has_the_precision_of_the_dtype(dtype):
    kind = getattr(torch, dtype)
    values = torch.tensor([1.0, 2.0, 300.0], dtype=kind)
    assert trials.are_close(values, values.clone())
    assert not trials.are_close(values, values * 2)
    assert not trials.are_close(values, values.to(torch.complex64))
    if kind.is_floating_point:
        assert trials.are_close(values * (1 + torch.finfo(kind).eps), values)
        wrong = values.clone()
        wrong[0] = float("nan")
        assert not trials.are_close(wrong, values)
