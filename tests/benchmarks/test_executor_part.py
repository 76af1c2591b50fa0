"""The benchmark of an Executor: both programs compute the same, and the report shows it."""

from __future__ import annotations

import torch

import gluonish as mx
from benchmarks import contestants, report, targets
from benchmarks.executor_program import ExecutorProgram
from benchmarks.executor_torch import TorchIteration


def test_both_programs_train_alike():
    ours, by_hand = ExecutorProgram(mx), TorchIteration()
    for _ in range(5):
        probabilities = ours.step()
        scores = by_hand.step()
        data = ours.executor.arg_dict["data"]
        data[:] = by_hand._data.numpy()  # which the program has updated, too
        torch.testing.assert_close(probabilities.tensor, torch.softmax(scores.detach(), 1))


def test_the_contestants_can_be_timed():
    ours = contestants.executor()
    assert ours.modes == ("step",)
    assert ours.timer("step")(3) > 0
    assert contestants.iteration().timer("step")(3) > 0
    assert "forward, training" in ours.report()


def test_ratios_are_judged():
    times = {"eager": 200.0, "torch": 220.0, "mxnet": 500.0}
    lines = list(map(str, targets.verdicts({"executor": times})))
    assert lines == [
        "MISSED   2.50 (needed 3.00)  iteration with an Executor x MXNet",
        "met      1.10 (needed 1.00)  iteration with an Executor x PyTorch by hand",
    ]


def test_times_are_shown():
    machine = {"device": "CPU", "python": "3", "torch": "2", "mxnet": None}
    results = {"machine": machine, "threads": 1, "quick": False, "executor": {"eager": 200.0}}
    assert "| microseconds" in report.full_report(results)
    assert "200 |" in report.full_report(results)
