"""A loop that has become one step is put off in a shorter way, with the same values."""

from __future__ import annotations

import threading

import pytest
from test_loops import Run, both, dense, normalized

from gluonish import autograd, nd
from gluonish.array.waiting import is_waiting
from gluonish.hybrid.known_passes import KnownPass
from gluonish.hybrid.passes import PutOff

STEPS = 40


@pytest.fixture(autouse=True)
def _adopts(monkeypatch):
    monkeypatch.setattr("gluonish.hybrid.loops.Loop.is_faster", lambda self, best: True)
    monkeypatch.setattr("gluonish.hybrid.loops.LONGEST", float("inf"))
    monkeypatch.setattr("gluonish.hybrid.judging.IN_A_ROW", 2)
    monkeypatch.setattr("gluonish.hybrid.judging.MOST_ROUNDS", 4)


@pytest.fixture
def known(monkeypatch):
    """Passes that went the shorter way to their end."""
    found = []
    update = KnownPass.update

    def noted(self, owner, make):
        is_done = update(self, owner, make)
        if self.became is None:
            found.append(self)
        return is_done

    monkeypatch.setattr(KnownPass, "update", noted)
    return found


@pytest.mark.parametrize("make", [dense, normalized])
@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
def test_most_passes_go_the_shorter_way(known, make, optimizer):
    both(lambda run, number, data, label: run.step(data, label), make, optimizer=optimizer,
         options={"learning_rate": 0.01})  # fmt: skip
    assert len(known) > STEPS / 2


def swap_weight(run):
    run.weight.set_data(nd.ones(run.weight.shape) * 0.1)


INTERRUPTIONS = {
    "reads a weight": lambda run, data: run.show(run.weight.data()),
    "writes to a weight": lambda run, data: run.weight.data().__setitem__(0, 0.5),
    "sets a weight": lambda run, data: swap_weight(run),
    "reads a gradient": lambda run, data: run.show(run.weight.grad()),
    "writes to the data": lambda run, data: data.__setitem__(slice(None), 2),
    "sets a rate": lambda run, data: run.trainer.set_learning_rate(0.01),
    "sets a factor": lambda run, data: setattr(run.weight, "lr_mult", 0.5),
    "predicts": lambda run, data: run.show(run.net(data)),
    "looks from a thread": lambda run, data: _in_thread(lambda: run.show(run.weight.data())),
    "asks whether a gradient is new": lambda run, data: run.shown.append(
        nd.array([run.weight.data()._fresh_grad]).asnumpy()
    ),
}


def _in_thread(function):
    thread = threading.Thread(target=function)
    thread.start()
    thread.join()


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("what", INTERRUPTIONS)
def test_what_comes_in_between_changes_no_value(known, what, place):
    interrupt = INTERRUPTIONS[what]
    if what == "writes to the data" and place < 2:
        place = 3  # elsewhere torch refuses to go back, in the plain loop as well

    def step(run, number, data, label):
        def reach(here):
            if number >= 25 and number % 6 == 1 and here == place:
                with autograd.pause():
                    interrupt(run, data)

        with autograd.record():
            output = run.net(data)
            reach(0)
            loss = run.loss(output, label)
            reach(1)
        loss.backward()
        reach(2)
        run.trainer.step(6)
        reach(3)
        run.show(loss, output)

    both(step, optimizer="sgd", options={"learning_rate": 0.05, "momentum": 0.9})
    assert known


def test_two_signatures_share_weights():
    def step(run, number, data, label):
        run.step(data, label)
        run.step(data[:4], label[:4])

    both(step)


def test_loaded_states_are_used(known, tmp_path):
    def step(run, number, data, label):
        if number == 25:
            run.trainer.save_states(tmp_path / "states")
        if number == 30:
            run.trainer.load_states(tmp_path / "states")
        run.step(data, label)

    both(step, optimizer="adam", options={})
    assert len(known) > 10


def test_an_update_that_fails_leaves_results_to_be_read(known):
    run = Run(dense, fuses=True)
    (batch,) = [(nd.ones((6, 5)), nd.zeros(6))]
    for _ in range(STEPS):
        run.step(*batch)
    assert known
    before = run.weight.data().asnumpy()
    run.step(*batch)

    class StopsError(Exception):
        pass

    def stop():
        raise StopsError

    step = run.net._graphs.known.step
    expected = run.weight.data().asnumpy()
    assert (before != expected).any()
    plain, step.run = step.run, lambda *_: stop()
    with autograd.record():
        loss = run.loss(run.net(batch[0]), batch[1])
    loss.backward()
    with pytest.raises(StopsError):
        run.trainer.step(6)
    step.run = plain
    assert loss.asnumpy().shape == (6,)
    assert (run.weight.data().asnumpy() == expected).all()


def test_arrays_stay_hidden_from_one_pass_to_the_next_until_somebody_looks(monkeypatch):
    run = Run(dense, fuses=True)
    batch = nd.ones((6, 5)), nd.zeros(6)
    for _ in range(STEPS):
        run.step(*batch)
    array = next(iter(run.weight._arrays.values()))
    assert is_waiting(array)
    assert type(run.weight.data()) is nd.NDArray
    assert type(run.weight.grad()) is nd.NDArray
    array.asnumpy()
    assert not is_waiting(array)
    monkeypatch.setattr(PutOff, "first", None)  # which is not what begins a pass
    run.step(*batch)
    assert is_waiting(array)
