"""A loop that runs as one graph gives what the plain loop gives, whatever comes in between."""

from __future__ import annotations

import contextlib
import copy
import gc
import threading

import numpy as onp
import pytest
import torch

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.array.gradients import Gradient
from gluonish.contrib import amp
from gluonish.gluon import nn
from gluonish.hybrid.capture import Capture
from gluonish.hybrid.judging import State
from gluonish.hybrid.passes import PutOff
from gluonish.process.postponed import settle_all

STEPS = 40


def dense():
    net = nn.HybridSequential()
    net.add(nn.Dense(8, activation="relu"), nn.Dense(3))
    return net


def normalized():
    net = nn.HybridSequential()
    net.add(nn.Dense(8, use_bias=False), nn.BatchNorm(), nn.Activation("tanh"))
    net.add(nn.Dropout(0.4), nn.Dense(3))
    return net


def convolutional():
    net = nn.HybridSequential()
    net.add(nn.HybridLambda(lambda F, x: F.reshape(x, (-1, 1, 1, 5))))
    net.add(nn.Conv2D(4, (1, 3), activation="relu"), nn.Flatten(), nn.Dense(3))
    return net


class Several(gluon.HybridBlock):
    """Has nested results, of which one is an argument."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(3)

    def hybrid_forward(self, F, x):
        return self.dense(x), [x, F.relu(self.dense(x))]


def batches(count):
    numbers = onp.random.default_rng(5)
    return [
        (nd.array(numbers.normal(size=(6, 5))), nd.array(numbers.integers(0, 3, 6)))
        for _ in range(count)
    ]


class Run:
    """A training, step by step, and all that it shows."""

    def __init__(self, make, fuses, loss=None, optimizer="sgd", options=None, grad_req="write"):
        mx.random.seed(3)
        self.net = make()
        self.net.initialize(mx.init.Xavier())
        self.net.hybridize(fuse_loop=fuses)
        self.net(batches(1)[0][0])
        self.net.collect_params().setattr("grad_req", grad_req)
        self.loss = gluon.loss.SoftmaxCrossEntropyLoss() if loss is None else loss
        options = {"learning_rate": 0.1} if options is None else options
        self.trainer = gluon.Trainer(self.net.collect_params(), optimizer, options)
        self.shown = []
        mx.random.seed(7)

    def show(self, *arrays):
        """Keep the values of arrays."""
        self.shown += [array.asnumpy() for array in arrays]

    def step(self, data, label):
        """Train on one batch, as every program does it."""
        with autograd.record():
            output = self.net(data)
            loss = self.loss(output, label)
        loss.backward()
        self.trainer.step(data.shape[0])
        self.show(loss, output)

    @property
    def weight(self):
        """A parameter."""
        return next(iter(self.net.collect_params(".*weight").values()))

    @property
    def phases(self):
        """How far the loops of the net are."""
        return [graph.enter.state for graph in self.net._graphs.graphs if graph.enter is not None]

    def finish(self):
        """Return all that was shown, the parameters and their gradients."""
        params = self.net.collect_params().values()
        gradients = [param.grad() for param in params if param.grad_req != "null"]
        self.show(*[param.data() for param in params], *gradients, nd.random.uniform(shape=(2,)))
        return self.shown


def both(step, make=dense, steps=STEPS, tolerance=0.0, run=Run, **options):
    """Run a loop as it comes and with fusing; compare everything, bit for bit by default."""
    results, make_run = [], run
    for fuses in (False, True):
        run = make_run(make, fuses, **options)
        mx.random.seed(11)
        for number, (data, label) in enumerate(batches(steps)):
            step(run, number, data, label)
        results.append(run.finish())
    for position, (plain, fused) in enumerate(zip(*results, strict=True)):
        where = f"array {position}"
        if tolerance:
            onp.testing.assert_allclose(fused, plain, tolerance, tolerance, err_msg=where)
        else:
            onp.testing.assert_array_equal(fused, plain, err_msg=where)
    return run


def usual(run, number, data, label):
    run.step(data, label)


@pytest.fixture(autouse=True)
def always_faster(monkeypatch):
    monkeypatch.setattr("gluonish.hybrid.loops.Loop.is_faster", lambda self, best: True)
    monkeypatch.setattr("gluonish.hybrid.loops.LONGEST", float("inf"))
    monkeypatch.setattr("gluonish.hybrid.judging.IN_A_ROW", 2)
    monkeypatch.setattr("gluonish.hybrid.judging.MOST_ROUNDS", 4)


@pytest.mark.parametrize("make", [dense, normalized, convolutional])
def test_a_usual_loop_becomes_one_graph(make):
    run = both(usual, make, 120)
    assert State.ADOPTED in run.phases


@pytest.mark.parametrize("make", [dense, normalized, convolutional])
def test_one_graph_is_compiled_like_any_other(make, instant):
    run = both(usual, make, 60)
    rows = run.net.hybrid_report().rows
    states = [
        (row.backend, row.state) for row in rows if row.signature.endswith("to trainer.step()")
    ]
    assert states == [("aot", "compiled")]
    assert instant.count == 1


@pytest.mark.parametrize(("make", "count"), [(dense, 0), (normalized, 2)])
def test_a_trial_copies_what_is_written_to_alone(make, count, monkeypatch):
    found = []
    trial = PutOff._trial

    def seen(self, heads):
        found.extend(self._sources[position] for position in self._plan.written)
        return trial(self, heads)

    monkeypatch.setattr(PutOff, "_trial", seen)
    run = both(usual, make, 20)
    averages = [p.data() for p in run.net.collect_params(".*running.*").values()]
    assert len(averages) == count
    assert {id(array) for array in found} == {id(array) for array in averages}


def test_a_loop_that_writes_to_what_its_capture_did_not_is_left_alone(monkeypatch):
    monkeypatch.setattr("gluonish.hybrid.capture.Capture._used_sources", forgetful)
    run = both(usual, normalized)
    assert run.phases == [State.PLAIN]
    states = [row.state for row in run.net.hybrid_report().rows]
    assert any("shape (8,) is written to now and then" in state for state in states)


USED_SOURCES = Capture._used_sources


def forgetful(capture):
    """Say that a call has written to nothing."""
    sources, _ = USED_SOURCES(capture)
    return sources, []


OPTIMIZERS = [("sgd", {"learning_rate": 0.1, "momentum": 0.9}), ("adam", {"wd": 0.01})]


@pytest.mark.parametrize(("optimizer", "options"), OPTIMIZERS)
def test_optimizers_find_their_gradients(optimizer, options):
    both(usual, normalized, optimizer=optimizer, options=options)


@pytest.mark.parametrize("hybridized", [False, True])
def test_losses_are_part_of_it_hybridized_or_not(hybridized):
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    if hybridized:
        loss.hybridize()
    run = both(usual, loss=loss)
    assert run.phases[-1] in (State.RACING, State.ADOPTED)


def test_arrays_of_np_go_the_same_way():
    def step(run, number, data, label):
        run.step(data.as_np_ndarray(), label.as_np_ndarray())

    run = both(step)
    assert run.phases[-1] in (State.RACING, State.ADOPTED)


def test_gradients_that_are_added_up_are():
    def step(run, number, data, label):
        with autograd.record():
            loss = run.loss(run.net(data), label)
        loss.backward()
        run.show(loss)
        if number % 3 == 2:
            run.trainer.step(18)
            run.net.collect_params().zero_grad()

    both(step, grad_req="add")


def test_a_net_that_is_called_twice_in_a_pass():
    def step(run, number, data, label):
        with autograd.record():
            one, two = run.net(data), run.net(data * 2)
            loss = run.loss(two, label)
        loss.backward()
        run.trainer.step(6, ignore_stale_grad=True)
        run.show(loss, one, two)

    both(step, normalized)


def test_a_net_with_several_results():
    def step(run, number, data, label):
        with autograd.record():
            output, (given, other) = run.net(data)
            loss = run.loss(output, label)
        assert given is data
        loss.backward()
        run.trainer.step(6)
        run.show(loss, output, other)

    run = both(step, Several)
    assert run.phases[-1] in (State.RACING, State.ADOPTED)


MADE_OF = {
    "mean": lambda loss: loss.mean(),
    "sum": lambda loss: loss.sum(),
    "scaled": lambda loss: 0.5 * loss / 3,
    "negative": lambda loss: -loss,
}


@pytest.mark.parametrize("made_of", MADE_OF)
def test_what_is_made_of_the_loss_is_part_of_it(made_of):
    def step(run, number, data, label):
        with autograd.record():
            loss = MADE_OF[made_of](run.loss(run.net(data), label))
        loss.backward()
        run.trainer.step(6)
        run.show(loss)

    run = both(step)
    assert run.phases[-1] in (State.RACING, State.ADOPTED)


LOSSES_OF_OPERATORS = {
    "operators": lambda output, label: ((output - label) ** 2 / 2).mean(axis=1),
    "functions": lambda output, label: nd.mean(nd.square(output - label)),
    "the array second": lambda output, label: nd.sum((label - output) * (label - output), axis=1),
    "keywords": lambda output, label: -nd.pick(data=nd.log_softmax(output), index=label[:, 0]),
    "lists": lambda output, label: nd.concat(output, label, dim=1).square().sum(axis=1),
    "comparisons": lambda output, label: nd.where(output > label, output, label - output).sum(),
    "draws": lambda output, label: (output * nd.random.uniform(shape=(6, 3))).square().sum(),
    "slices": lambda output, label: nd.split(output, 3, axis=1)[1].abs().mean(),
    "np": lambda output, label: mx.np.abs(output.as_np_ndarray() - label.as_np_ndarray()).sum(),
}


@pytest.mark.parametrize("kind", LOSSES_OF_OPERATORS)
def test_losses_of_operators_are_part_of_it(kind):
    def step(run, number, data, label):
        label = nd.stack(label, label * 0.5, nd.ones((6,)), axis=1)
        with autograd.record():
            output = run.net(data)
            loss = LOSSES_OF_OPERATORS[kind](output, label)
        loss.backward()
        run.trainer.step(6)
        run.show(loss, output)

    run = both(step, normalized)
    if kind != "np":  # which makes another array of the output, out of sight
        assert run.phases[-1] in (State.RACING, State.ADOPTED)


def test_operators_that_are_not_recorded_go_the_plain_way():
    def step(run, number, data, label):
        with autograd.record():
            output = run.net(data)
            with autograd.pause():
                scale = output.abs().mean()
            loss = run.loss(output, label) * scale
        loss.backward()
        run.trainer.step(6)
        run.show(loss, output, scale)

    both(step)


def test_an_operator_that_fails_leaves_the_pass_as_it_was():
    def step(run, number, data, label):
        with autograd.record():
            output = run.net(data)
            with pytest.raises(mx.MXNetError):
                nd.dot(output, nd.ones((7, 7)))
            loss = run.loss(output, label)
        loss.backward()
        run.trainer.step(6)
        run.show(loss, output)

    both(step)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_several_results_are_differentiated_at_once(count):
    other = gluon.loss.L2Loss()

    def step(run, number, data, label):
        with autograd.record():
            output = run.net(data)
            losses = [
                run.loss(output, label), other(output, nd.ones((6, 3))), output.square().sum()
            ]  # fmt: skip
        losses = losses[:count] if number % 20 else losses
        autograd.backward(losses)
        run.trainer.step(6)
        run.show(*losses, output)

    def always(run, number, data, label):
        with autograd.record():
            output = run.net(data)
            losses = [run.loss(output, label)]
            if count > 1:
                losses.append(other(output, nd.ones((6, 3))))
            if count > 2:
                losses.append(output.square().sum())
        autograd.backward(losses)
        run.trainer.step(6)
        run.show(*losses, output)

    both(step, normalized)
    run = both(always, normalized)
    assert run.phases[-1] in (State.RACING, State.ADOPTED)


def test_heads_of_one_graph_are_used_up():
    run = Run(dense, True)
    for data, label in batches(STEPS):
        with autograd.record():
            output = run.net(data)
            losses = [run.loss(output, label), output.sum()]
        autograd.backward(losses)
        for loss in losses:
            with pytest.raises(mx.MXNetError):
                loss.backward()
        run.trainer.step(6)


def test_operators_that_no_graph_can_repeat_are_left_in_python(caplog):
    def step(run, number, data, label):
        with autograd.record():
            output = run.net(data)
            kept = nd.contrib.boolean_mask(output, label > 0)
            loss = kept.square().sum()
        loss.backward()
        run.trainer.step(6)
        run.show(loss, output)

    with caplog.at_level("WARNING", "gluonish.hybrid"):
        both(step)
    assert caplog.text == ""


def test_several_losses_that_are_added_up():
    other = gluon.loss.L2Loss()

    def step(run, number, data, label):
        with autograd.record():
            output = run.net(data)
            loss = run.loss(output, label) + other(output, nd.ones((6, 3))) * 0.1
        loss.backward()
        run.trainer.step(6)
        run.show(loss, output)

    run = both(step, normalized)
    assert run.phases[-1] in (State.RACING, State.ADOPTED)


def test_a_scaled_loss_with_a_scale_that_changes():
    def step(run, number, data, label):
        with autograd.record():
            loss = run.loss(run.net(data), label) * float(1 + number // 10)
        loss.backward()
        run.trainer.step(6)
        run.show(loss)

    both(step)


def test_an_error_in_one_graph_is_that_of_the_plain_way(monkeypatch):
    run = Run(dense, True)
    for data, label in batches(STEPS):
        run.step(data, label)
    loop = run.net._graphs.graphs[-1].enter
    loop._joined.settle(lambda tensors: torch.zeros(2) @ torch.zeros(3))
    for data, label in batches(3):
        run.step(data, label)
    assert loop.state is State.PLAIN


def test_a_loop_that_reads_its_loss_is_left_alone():
    def step(run, number, data, label):
        with autograd.record():
            loss = run.loss(run.net(data), label)
        if number > 20:
            run.show(loss)
        loss.backward()
        run.trainer.step(6)

    run = both(step)
    assert run.phases == [State.PLAIN]
    (row,) = [row for row in run.net.hybrid_report().rows if "not one graph" in row.state]
    assert "test_loops.py" in row.state
    assert row.state.endswith("what it computes is used before backward()")


def test_a_loop_that_goes_another_way_for_good_is_learned_again():
    def step(run, number, data, label):
        with autograd.record():
            loss = run.loss(run.net(data), label)
            if number > 30:
                loss = loss * 2
        loss.backward()
        run.trainer.step(6)

    run = both(step, steps=90)
    assert run.phases == [State.ADOPTED]
    (loop,) = loops(run)
    assert len(loop.learned.calls) == 3


def test_a_loop_that_goes_now_one_way_and_now_another_is_left_alone():
    def step(run, number, data, label):
        with autograd.record():
            loss = run.loss(run.net(data), label)
            if number % 20 > 10:
                loss = loss * number
        loss.backward()
        run.trainer.step(6)

    assert both(step, steps=200).phases == [State.PLAIN]


def test_gradients_that_are_added_up_are_compiled_without_the_update(instant):
    def step(run, number, data, label):
        run.net.collect_params().setattr("grad_req", "add")
        with autograd.record():
            loss = run.loss(run.net(data), label)
        loss.backward()
        if number % 3 == 2:
            run.trainer.step(18)
            run.net.collect_params().zero_grad()

    run = both(step, steps=120)
    (row,) = [row for row in run.net.hybrid_report().rows if "to backward()" in row.signature]
    assert row.state == "compiled"


@pytest.mark.parametrize("how", ["option", "environment"])
def test_it_can_be_switched_off(how, monkeypatch):
    if how == "environment":
        monkeypatch.setenv("GLUONISH_FUSE_LOOPS", "0")
    run = Run(dense, how == "environment")
    for data, label in batches(12):
        run.step(data, label)
    assert run.phases == []


def test_losses_with_weights_for_samples():
    def step(run, number, data, label):
        weights = label.reshape((-1, 1)) + 1
        with autograd.record():
            loss = run.loss(run.net(data), label, sample_weight=weights)
        loss.backward()
        run.trainer.step(6)
        run.show(loss)

    run = both(step)
    assert run.phases[-1] in (State.RACING, State.ADOPTED)


def test_batches_of_several_lengths_are_loops_of_their_own():
    def step(run, number, data, label):
        length = 6 if number % 2 else 4
        run.step(data[:length], label[:length])

    run = both(step, steps=60)
    assert sum(phase in (State.RACING, State.ADOPTED) for phase in run.phases) == 2


def test_memory_is_not_kept_from_pass_to_pass():
    run = Run(dense, True)
    for data, label in batches(STEPS):
        run.step(data, label)
        run.shown.clear()
    before = len(gc.get_objects())
    for data, label in batches(STEPS):
        run.step(data, label)
        run.shown.clear()
    assert len(gc.get_objects()) < before + STEPS


# What may come between a net's call and backward(), or after it.
def _reads_the_output(run, number, output, loss, data, label):
    run.show(output)


def _reads_the_loss(run, number, output, loss, data, label):
    run.show(loss.mean())


def _prints(run, number, output, loss, data, label):
    assert "NDArray" in repr(loss)


def _writes_to_a_weight(run, number, output, loss, data, label):
    with autograd.pause():
        run.weight.data()[:] = 0.5


def _sets_a_weight(run, number, output, loss, data, label):
    weight = run.weight
    weight.set_data(weight.data() * 0.5)


def _draws(run, number, output, loss, data, label):
    run.show(nd.random.normal(shape=(3,)))


def _seeds(run, number, output, loss, data, label):
    mx.random.seed(number)


def _predicts(run, number, output, loss, data, label):
    with autograd.pause():
        run.show(run.net(data))


def _updates(run, number, output, loss, data, label):
    run.trainer.step(4, ignore_stale_grad=True)


def _copies(run, number, output, loss, data, label):
    run.show(copy.deepcopy(loss), output.copy(), run.weight.data().copy())


def _reads_statistics(run, number, output, loss, data, label):
    run.show(*[param.data() for param in run.net.collect_params().values()])


def _reads_gradients(run, number, output, loss, data, label):
    run.show(*[p.grad() for p in run.net.collect_params().values() if p.grad_req != "null"])


def test_another_thread_may_settle_all_while_a_call_is_put_off(monkeypatch):
    put_off = PutOff._put_off

    def interrupted(self, position, inputs):
        thread = threading.Thread(target=settle_all)
        thread.start()
        thread.join(0.02)  # it waits until the call is put off, if it is to
        threads.append(thread)
        return put_off(self, position, inputs)

    threads = []
    monkeypatch.setattr(PutOff, "_put_off", interrupted)
    both(usual, steps=20)
    assert threads
    for thread in threads:
        thread.join()


def _looks_from_another_thread(run, number, output, loss, data, label):
    thread = threading.Thread(target=lambda: run.show(loss))
    thread.start()
    thread.join()


def _differentiates_twice(run, number, output, loss, data, label):
    loss.backward(retain_graph=True)


def _shapes(run, number, output, loss, data, label):
    assert (len(output), output.dtype) == (6, onp.float32)
    run.shown += [onp.array(output.shape), onp.array(loss.shape)]


def _takes_tensors(run, number, output, loss, data, label):
    assert output.tensor.shape == (6, 3)


def _reshapes(run, number, output, loss, data, label):
    with autograd.record():
        run.show(output.reshape((3, 6)))


def _freezes(run, number, output, loss, data, label):
    run.weight.grad_req = "null" if number % 2 else "write"


def _fails(run, number, output, loss, data, label):
    with pytest.raises(mx.MXNetError), autograd.record():
        run.net(nd.ones((2, 7)))


def _calls_another_net(run, number, output, loss, data, label):
    if not hasattr(run, "other"):
        run.other = dense()
        run.other.initialize()
        run.other.hybridize(fuse_loop=True)
    with autograd.record():
        other = run.loss(run.other(data), label)
    other.backward()
    run.show(other)


BETWEEN = [value for name, value in globals().items() if name.startswith("_") and callable(value)]
BETWEEN = [each for each in BETWEEN if each.__module__ == __name__]


@pytest.mark.parametrize("every", [1, 7])
@pytest.mark.parametrize("make", [dense, normalized])
@pytest.mark.parametrize("between", BETWEEN, ids=lambda function: function.__name__)
def test_what_comes_before_backward_is_as_in_the_plain_loop(between, make, every):
    def step(run, number, data, label):
        with autograd.record():
            output = run.net(data)
            loss = run.loss(output, label)
        if number % every == 0:
            between(run, number, output, loss, data, label)
        loss.backward()
        run.trainer.step(6, ignore_stale_grad=True)
        run.show(loss, output)

    both(step, make)


@pytest.mark.parametrize("between", BETWEEN, ids=lambda function: function.__name__)
def test_what_comes_before_the_loss_is_as_in_the_plain_loop(between):
    def step(run, number, data, label):
        with autograd.record():
            output = run.net(data)
            if number % 5 == 0:
                between(run, number, output, output.sum(axis=1), data, label)
            loss = run.loss(output, label)
        loss.backward()
        run.trainer.step(6, ignore_stale_grad=True)
        run.show(loss, output)

    both(step, normalized)


def test_writing_to_the_data_before_backward_is_refused_as_ever():
    def step(run, number, data, label):
        with autograd.record():
            loss = run.loss(run.net(data), label)
        if number % 7 == 5:
            data[:] = 0
            with pytest.raises(RuntimeError, match="modified by an inplace operation"):
                loss.backward()
        else:
            loss.backward()
            run.trainer.step(6)
        run.show(loss)

    both(step)


def test_writing_to_the_data_by_way_of_torch_is_noticed():
    run = Run(dense, True)
    tensors = []
    for data, label in batches(STEPS):
        tensors = [data.tensor]
        with autograd.record():
            loss = run.loss(run.net(data), label)
        loss.backward()
    with autograd.record():
        loss = run.loss(run.net(data), label)
    tensors[0].zero_()
    with pytest.raises(mx.MXNetError, match=r"\(6, 5\) that a hybridized Block was called with"):
        loss.backward()


def test_a_second_backward_is_refused_as_ever():
    def step(run, number, data, label):
        with autograd.record():
            loss = run.loss(run.net(data), label)
        loss.backward()
        with pytest.raises(mx.MXNetError, match="used up by loss.backward"):
            loss.backward()
        run.trainer.step(6)
        run.show(loss)

    both(step)


# What may come between backward() and trainer.step().
def _clears_gradients(run, number, *_):
    run.net.collect_params().zero_grad()


def _changes_the_rate(run, number, *_):
    run.trainer.set_learning_rate(0.01 * (number + 1))


def _changes_the_decay(run, number, *_):
    run.trainer.optimizer.wd = 0.01 * number


def _changes_the_momentum(run, number, *_):
    run.trainer.optimizer.momentum = 0.1 * (number % 3)


def _clips_elements(run, number, *_):
    run.trainer.optimizer.clip_gradient = 0.01 if number % 2 else None


def _slows_a_weight(run, number, *_):
    run.weight.lr_mult = 0.5 * (number % 3)


def _clips_the_norm(run, number, *_):
    gradients = [p.grad() for p in run.net.collect_params().values() if p.grad_req != "null"]
    gluon.utils.clip_global_norm(gradients, 0.1)


def _scales_gradients(run, number, *_):
    if run.weight.grad_req != "null":
        run.weight.grad()[:] *= 2


def _has_no_samples(run, number, *_):
    with pytest.raises(mx.MXNetError, match="batch_size=0"):
        run.trainer.step(0)


def _has_another_trainer(run, number, *_):
    params = run.net.collect_params()
    gluon.Trainer(params, "sgd", {"learning_rate": 0.3}).step(6, ignore_stale_grad=True)


def _has_a_trainer_of_a_part(run, number, *_):
    part = {run.weight.name: run.weight}
    gluon.Trainer(part, "sgd", {"learning_rate": 0.3}).step(6, ignore_stale_grad=True)


def _asks_for_gradients_anew(run, number, *_):
    run.weight.data().attach_grad()


def _counts(run, number, *_):
    run.shown.append(onp.array(run.trainer.optimizer.num_update))


def _gives_up_hybridizing(run, number, *_):
    run.net.hybridize(number % 4 == 1)


def _replaces_an_update(run, number, *_):
    optimizer = run.trainer.optimizer
    if number % 2:
        optimizer._get_lrs = lambda indices: [0.0 for _ in indices]
    else:
        optimizer.__dict__.pop("_get_lrs", None)


AFTER = [value for name, value in globals().items() if name.startswith("_") and callable(value)]
AFTER = [each for each in AFTER if each.__module__ == __name__]
AFTER.remove(_differentiates_twice)  # the graph is used up


@pytest.mark.parametrize(
    "optimizer", [("sgd", {"learning_rate": 0.1}), OPTIMIZERS[0], ("adam", {})]
)
@pytest.mark.parametrize("every", [1, 7])
@pytest.mark.parametrize("between", AFTER, ids=lambda function: function.__name__)
def test_what_comes_before_the_update_is_as_in_the_plain_loop(between, every, optimizer):
    def step(run, number, data, label):
        with autograd.record():
            output = run.net(data)
            loss = run.loss(output, label)
        loss.backward()
        if number % every == 0:
            between(run, number, output, loss, data, label)
        run.trainer.step(6, ignore_stale_grad=True)
        run.show(loss, output)

    both(step, normalized, optimizer=optimizer[0], options=optimizer[1])


def loops(run):
    """Return the loops of a run."""
    return [graph.enter for graph in run.net._graphs.graphs if graph.enter is not None]


@pytest.mark.parametrize("make", [dense, normalized, convolutional])
@pytest.mark.parametrize(("optimizer", "options"), [("sgd", {}), *OPTIMIZERS])
def test_the_update_is_part_of_the_graph(make, optimizer, options):
    run = both(usual, make, 60, optimizer=optimizer, options=options)
    assert [loop.waits for loop in loops(run)] == [True]
    assert run.net.hybrid_report().rows[-1].signature.endswith("to trainer.step()")


def test_the_report_shows_the_loop_and_what_it_became():
    run = both(usual, steps=60)
    rows = {row.signature: row for row in run.net.hybrid_report().rows}
    (name,) = [name for name in rows if name.endswith("loop")]
    loop, step = rows[name], rows[f"{name} to trainer.step()"]
    assert (loop.backend, loop.state) == ("fx", "one graph")
    assert loop.capture > 0
    assert loop.gain == pytest.approx(loop.before / loop.after)
    assert loop.since > 0
    assert (step.state, step.gain) == ("timing", None)


def test_the_update_is_left_to_itself_where_gradients_are_looked_at(caplog):
    def step(run, number, data, label):
        with autograd.record():
            loss = run.loss(run.net(data), label)
        loss.backward()
        gluon.utils.clip_global_norm([run.weight.grad()], 0.1)
        run.trainer.step(6)

    caplog.set_level("INFO", "gluonish.hybrid")
    run = both(step, steps=60)
    assert [loop.waits for loop in loops(run)] == [False]
    assert run.phases == [State.ADOPTED]
    assert "test_loops.py" in caplog.text
    assert "something is used before trainer.step()" in caplog.text
    states = {row.signature: row.state for row in run.net.hybrid_report().rows}
    (name,) = [name for name in states if name.endswith("loop")]
    assert states[name].startswith("one graph, but for updates: ")
    assert "test_loops.py" in states[name]
    assert f"{name} to backward()" in states


def test_gradients_are_there_after_a_compiled_step(instant):
    def step(run, number, data, label):
        run.step(data, label)
        _reads_gradients(run, number, None, None, data, label)

    run = both(
        step, normalized, 60, 1e-6, optimizer="sgd",
        options={"learning_rate": 0.1, "momentum": 0.9},
    )  # fmt: skip
    assert step_row(run).state == "compiled"


def zeros_like(state):
    if isinstance(state, tuple):
        return tuple(map(zeros_like, state))
    return nd.zeros(state.shape)


def other_states(states):
    for index in states:
        states[index] = zeros_like(states[index])


def states_as_lists(states):
    for index in states:
        if isinstance(states[index], tuple):
            states[index] = list(states[index])
            states[index][0] = zeros_like(states[index][0])


def other_values(states):
    for state in states.values():
        for array in state if isinstance(state, tuple) else [state]:
            array[:] = 0.25


@pytest.mark.parametrize("change", [other_states, states_as_lists, other_values])
@pytest.mark.parametrize(("name", "options"), [("sgd", {"momentum": 0.9}), ("adam", {})])
def test_states_that_change_are_those_of_a_compiled_step(change, name, options, instant):
    def step(run, number, data, label):
        run.step(data, label)
        if number in (45, 50):
            change(run.trainer._updaters[0].states)
        run.show(*run.trainer._updaters[0].states[0])

    run = both(step, dense, 60, 1e-5, optimizer=name, options=options | {"learning_rate": 0.1})
    assert step_row(run).state == "compiled"


@pytest.mark.parametrize("between", AFTER, ids=lambda function: function.__name__)
def test_what_comes_before_a_compiled_update_is_as_in_the_plain_loop(between, instant):
    def step(run, number, data, label):
        with autograd.record():
            output = run.net(data)
            loss = run.loss(output, label)
        loss.backward()
        if number > 40 and number % 5 == 0:
            between(run, number, output, loss, data, label)
        run.trainer.step(6, ignore_stale_grad=True)
        run.show(loss, output)

    both(step, normalized, 60, tolerance=1e-5)


def test_an_interrupted_step_leaves_what_was_computed_readable():
    run = Run(dense, True)
    *usual_batches, (data, label) = batches(STEPS)
    for batch in usual_batches:
        run.step(*batch)
    (loop,) = loops(run)
    assert loop.waits
    before = [param.data().asnumpy() for param in run.net.collect_params().values()]
    expected = run.loss(run.net(data), label).asnumpy()

    def interrupted(tensors):
        raise KeyboardInterrupt

    with autograd.record():
        output = run.net(data)
        loss = run.loss(output, label)
    loss.backward()
    usually = loop._joined._run
    loop._joined.settle(interrupted)
    with pytest.raises(KeyboardInterrupt):
        run.trainer.step(6)
    loop._joined.settle(usually)
    onp.testing.assert_allclose(loss.asnumpy(), expected, 1e-6)
    for param, value in zip(run.net.collect_params().values(), before, strict=True):
        onp.testing.assert_array_equal(param.data().asnumpy(), value)
    run.step(data, label)


def test_a_schedule_and_lengths_of_batches_are_followed():
    def step(run, number, data, label):
        if number == 0:
            run.trainer.optimizer.lr_scheduler = mx.lr_scheduler.FactorScheduler(3, 0.7)
        with autograd.record():
            loss = run.loss(run.net(data), label)
        loss.backward()
        run.trainer.step(1 + number % 3)
        run.show(loss)
        run.shown.append(onp.array(run.trainer.learning_rate))

    both(step, options={"learning_rate": 0.5})


def test_two_nets_with_trainers_of_their_own_take_turns():
    def step(run, number, data, label):
        if not hasattr(run, "other"):
            mx.random.seed(5)
            run.other = dense()
            run.other.initialize(mx.init.Xavier())
            run.other.hybridize(fuse_loop=True)
            run.other(data)
            run.second = gluon.Trainer(run.other.collect_params(), "adam")
        with autograd.record():
            one = run.loss(run.net(data), label)
        one.backward()
        with autograd.record():
            two = run.loss(run.other(data), label)
        two.backward()
        run.trainer.step(6)
        run.second.step(6)
        run.show(one, two)

    both(step)


class Wide(Run):
    """A training on two contexts, whose losses are differentiated one after the other."""

    def __init__(self, make, fuses, **options):
        super().__init__(make, fuses, **options)
        self.net.collect_params().reset_ctx(CONTEXTS)
        mx.random.seed(7)

    def losses(self, data, label):
        """Return the loss on each context."""
        pairs = zip(*[gluon.utils.split_and_load(x, CONTEXTS) for x in (data, label)], strict=True)
        with autograd.record():
            return [self.loss(self.net(one), other) for one, other in pairs]

    def finish(self):
        """Return all that was shown, the parameters and their gradients."""
        for param in self.net.collect_params().values():
            self.show(*param.list_data())
            if param.grad_req != "null":
                self.show(*param.list_grad())
        return self.shown


CONTEXTS = [mx.cpu(0), mx.cpu(1)]


def _nothing(run, losses):
    pass


def _reads_a_gradient(run, losses):
    run.show(run.weight.list_grad()[0])


def _reads_another_gradient(run, losses):
    run.show(run.weight.list_grad()[1])


def _reads_a_result(run, losses):
    run.show(losses[0])


def _reads_a_result_to_come(run, losses):
    run.show(losses[1])


def _calls_the_net(run, losses):
    run.show(run.net(nd.ones((3, 5))))


def _clears_a_gradient(run, losses):
    run.weight.zero_grad()


def _updates(run, losses):
    run.trainer.step(6, ignore_stale_grad=True)


def _begins_again(run, losses):
    with autograd.record():
        run.loss(run.net(nd.ones((3, 5))), nd.zeros(3)).backward()


HALFWAY = [
    _nothing, _reads_a_gradient, _reads_another_gradient, _reads_a_result, _reads_a_result_to_come,
    _calls_the_net, _clears_a_gradient, _updates, _begins_again,
]  # fmt: skip


@pytest.mark.parametrize("every", [1, 9])
@pytest.mark.parametrize("make", [dense, normalized])
@pytest.mark.parametrize("between", HALFWAY, ids=lambda function: function.__name__)
def test_losses_on_several_contexts_are_differentiated_one_after_another(between, make, every):
    def step(run, number, data, label):
        first, second = losses = run.losses(data, label)
        first.backward()
        if number % every == 0:
            between(run, losses)
        second.backward()
        run.trainer.step(6)
        run.show(first, second)

    run = both(step, make, 60, run=Wide, optimizer="adam", options={"learning_rate": 0.01})
    if between is _nothing:
        assert run.phases[0] is State.ADOPTED


def test_a_second_loss_that_is_left_out_is_one_that_was_not_wished_for():
    def step(run, number, data, label):
        first, second = run.losses(data, label)
        first.backward()
        if number % 10 != 9:
            second.backward()
        run.trainer.step(6, ignore_stale_grad=True)
        run.show(first, second)

    both(step, dense, 60, run=Wide)


def test_losses_that_share_parameters_are_differentiated_one_after_another():
    def step(run, number, data, label):
        with autograd.record():
            first, second = run.loss(run.net(data), label), run.loss(run.net(2 * data), label)
        first.backward()
        second.backward()
        run.trainer.step(6)
        run.show(first, second)

    run = both(step, dense, 60)
    assert State.PLAIN in run.phases


def clipped(arrays, max_norm=0.3):
    return gluon.utils.clip_global_norm(arrays, max_norm, check_isfinite=False)


def gradients_of(run):
    params = run.net.collect_params().values()
    return [param.grad() for param in params if param.grad_req != "null"]


def clips_everything(run, number):
    return [clipped(gradients_of(run))]


def clips_a_part(run, number):
    return [clipped(gradients_of(run)[:2])]


def clips_one_after_the_other(run, number):
    return [clipped([array]) for array in gradients_of(run)]


def clips_to_other_norms(run, number):
    return [clipped(gradients_of(run), 0.1 + number % 3)]


def clips_in_another_order(run, number):
    return [clipped(gradients_of(run)[:: 1 if number % 20 else -1])]


CLIPPING = [value for name, value in globals().items() if name.startswith("clips_")]


def clipped_steps(kind, *, looks_early=False):
    """Return a step whose gradients are clipped; norms are shown before or after the update."""

    def step(run, number, data, label):
        with autograd.record():
            loss = run.loss(run.net(data), label)
        loss.backward()
        if number % 2:
            run.trainer.allreduce_grads()
        norms = kind(run, number)
        if looks_early:
            run.show(*norms)
        update = run.trainer.update if number % 2 else run.trainer.step
        update(6)
        run.show(loss, *norms)

    return step


def step_row(run):
    """Return the row of a report on steps up to the update."""
    (row,) = [r for r in run.net.hybrid_report().rows if r.signature.endswith("to trainer.step()")]
    return row


@pytest.mark.parametrize("kind", CLIPPING, ids=lambda function: function.__name__)
@pytest.mark.parametrize("make", [dense, normalized])
def test_clipping_is_a_part_of_the_step(kind, make):
    run = both(clipped_steps(kind), make, 60, optimizer="adam", options={"learning_rate": 0.01})
    assert [loop.waits for loop in loops(run)] == [True]
    assert step_row(run).state == "timing"


@pytest.mark.parametrize("kind", CLIPPING[:4], ids=lambda function: function.__name__)
def test_clipping_is_compiled_with_the_step(kind, instant):
    run = both(clipped_steps(kind), normalized, 60, tolerance=1e-5)
    assert step_row(run).state == "compiled"


@pytest.mark.parametrize("kind", CLIPPING, ids=lambda function: function.__name__)
def test_a_norm_that_is_read_before_the_update_is_that_of_the_gradients(kind):
    run = both(clipped_steps(kind, looks_early=True), normalized, 60)
    assert [loop.waits for loop in loops(run)] == [False]


def test_clipping_what_is_no_gradient_goes_the_plain_way():
    def step(run, number, data, label):
        with autograd.record():
            loss = run.loss(run.net(data), label)
        loss.backward()
        first = gradients_of(run)[0]
        run.show(clipped([first, first]), clipped([*gradients_of(run), nd.ones(3)]))
        run.trainer.step(6)

    both(step)


def test_a_norm_can_be_read_after_a_step_that_was_interrupted():
    run = Run(dense, True)
    step = clipped_steps(clips_everything)
    *usual_batches, (data, label) = batches(STEPS)
    for number, batch in enumerate(usual_batches):
        step(run, number, *batch)
    (loop,) = loops(run)
    assert loop.waits

    def interrupted(tensors):
        raise KeyboardInterrupt

    with autograd.record():
        loss = run.loss(run.net(data), label)
    loss.backward()
    norm = clipped(gradients_of(run))
    usually = loop._joined._run
    loop._joined.settle(interrupted)
    with pytest.raises(KeyboardInterrupt):
        run.trainer.step(6)
    loop._joined.settle(usually)
    assert onp.isnan(norm.asnumpy()).tolist() == [True]
    step(run, 0, data, label)


@pytest.fixture
def scaled():
    amp.init()
    yield
    amp.amp._reset()


def scaled_step(clip_norm, bad):
    """Return a step with a scaled loss, whose data are infinite now and then."""

    def step(run, number, data, label):
        if number == 0:
            amp.init_trainer(run.trainer)
        if number in bad:
            data[2, 3] = onp.inf
        with autograd.record():
            loss = run.loss(run.net(data), label)
            with amp.scale_loss(loss, run.trainer) as wide:
                wide.backward()
        if clip_norm is not None:
            amp.unscale(run.trainer)
            clipped(gradients_of(run), clip_norm)
        run.trainer.step(6)
        run.show(loss, wide)
        scaler = run.trainer._amp_loss_scaler
        run.shown.append(onp.array([scaler.loss_scale, run.trainer.optimizer.num_update]))

    return step


BAD_STEPS = (2, 25, 31, 32, 46, 52, 57)


@pytest.mark.parametrize("clip_norm", [None, 0.2])
@pytest.mark.parametrize("make", [dense, convolutional])
def test_a_scaled_loss_is_a_part_of_the_step(make, clip_norm, scaled):
    run = both(
        scaled_step(clip_norm, BAD_STEPS), make, 60, optimizer="adam",
        options={"learning_rate": 0.01},
    )  # fmt: skip
    assert [loop.waits for loop in loops(run)] == [True]
    assert run.trainer.optimizer.num_update <= 60 - len(BAD_STEPS)
    assert step_row(run).state == "timing"


@pytest.mark.parametrize("clip_norm", [None, 0.2])
def test_a_scaled_loss_is_compiled_with_the_step(clip_norm, scaled, instant):
    run = both(scaled_step(clip_norm, BAD_STEPS), dense, 60, tolerance=1e-4)
    assert step_row(run).state == "compiled"
    assert run.trainer.optimizer.num_update <= 60 - len(BAD_STEPS)


def test_a_loss_in_half_precision_is_scaled_as_in_the_plain_loop(scaled):
    half = gluon.loss.SoftmaxCrossEntropyLoss()

    def loss(output, label):
        return half(output, label).astype("float16")

    both(scaled_step(None, BAD_STEPS), dense, 60, loss=loss)


def test_what_no_gradient_flows_to_has_a_new_gradient_in_each_step():
    class Blocked(nn.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.one, self.other = nn.Dense(1, in_units=1), nn.Dense(1, in_units=1)

        def hybrid_forward(self, F, x):
            return self.one(x) + F.BlockGrad(self.other(x))

    net = Blocked()
    net.initialize()
    net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    for _ in range(STEPS):
        with autograd.record():
            loss = net(nd.ones((4, 1))).sum()
        loss.backward()
        trainer.step(4)
        assert net.other.weight.grad().asscalar() == 0


def test_what_is_learned_and_tried_leaves_no_holes_in_the_heap_and_what_is_raced_does(monkeypatch):
    entered = []

    @contextlib.contextmanager
    def noting():
        entered.append(len(entered))
        yield

    monkeypatch.setattr("gluonish.hybrid.watched.pages_apart", noting)
    monkeypatch.setattr("gluonish.hybrid.passes.pages_apart", noting)
    run = Run(dense, True)
    counts = {}
    for data, label in batches(STEPS):
        run.step(data, label)
        counts.setdefault(run.phases[-1] if run.phases else None, []).append(len(entered))
    learned, raced = counts[State.LEARNING], counts[State.RACING]
    assert learned[-1] > learned[0]
    assert raced[0] > learned[-1]  # by the trial
    assert raced[-1] == raced[0]
    assert State.ADOPTED in counts


@pytest.mark.parametrize("make", [dense, convolutional])
def test_a_large_gradient_makes_room_for_the_next_one_in_a_race(make, monkeypatch):
    monkeypatch.setattr("gluonish.array.gradients._LARGE", 1)
    made = []
    make_room = Gradient.make_room
    monkeypatch.setattr(Gradient, "make_room", lambda self: (made.append(1), make_room(self)))
    run = both(usual, make)
    assert State.ADOPTED in run.phases
    assert made
