"""Checkpoint: trainings go on bit for bit, whatever happened to the process or to files."""

from __future__ import annotations

import signal
from pathlib import Path

import numpy as onp
import pytest
from checkpoint_programs import PROGRAMS, train
from workers import ALONE, run_workers

from gluonish.contrib.amp import amp

PROGRAM = Path(__file__).with_name("checkpoint_programs.py")
EPOCHS = 3


class InterruptedTrainingError(Exception):
    pass


@pytest.fixture
def interrupting(monkeypatch):
    """Have the kill of a program's own process end `train` instead."""

    def kill(pid, number):
        assert number == signal.SIGKILL
        raise InterruptedTrainingError

    monkeypatch.setattr("os.kill", kill)


@pytest.fixture(autouse=True)
def fresh_amp():
    yield
    amp._reset()


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return what trainings give that are not interrupted."""
    found = {}

    def of(name):
        if name not in found:
            found[name] = train(name, tmp_path_factory.mktemp(name), EPOCHS)
        return found[name]

    return of


def same(one, other):
    assert one.keys() == other.keys()
    for name, values in one.items():
        assert values.tobytes() == other[name].tobytes(), name


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_training_that_goes_on_is_the_one_that_went_on(name, whole, tmp_path, interrupting):
    for stop in (1, 3, 5, 9):  # within an epoch, at its end, and some of them after one another
        with pytest.raises(InterruptedTrainingError):
            train(name, tmp_path / "run", EPOCHS, stop)
    same(train(name, tmp_path / "run", EPOCHS), whole(name))
    assert len(list((tmp_path / "run").iterdir())) == 3


def test_random_updates_go_on_in_their_order_when_names_have_other_numbers(
    whole, tmp_path, interrupting
):
    """A Trainer's parameters are sorted by names, in which dense10 comes before dense9."""
    for stop, first in ((3, 0), (5, 9), (9, 10)):
        with pytest.raises(InterruptedTrainingError):
            train("mlp-workers", tmp_path, EPOCHS, stop, (first,))
    same(train("mlp-workers", tmp_path, EPOCHS, 0, (99,)), whole("mlp-workers"))


def test_a_killed_process_goes_on_in_another(whole, tmp_path):
    name = "mlp-momentum"

    def run(stop):
        arguments = (PROGRAM, name, tmp_path, EPOCHS, stop)
        return run_workers(1, *arguments, environment=ALONE, check=False)[0].code

    assert run(4) == -signal.SIGKILL
    assert run(0) == 0
    with onp.load(tmp_path / "weights.npz") as found:
        same(dict(found), whole(name))
