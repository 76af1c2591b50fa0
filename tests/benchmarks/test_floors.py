from __future__ import annotations

import torch

import gluonish as mx
from benchmarks import floors
from benchmarks.gluon_program import GluonProgram
from benchmarks.timing import Plan
from benchmarks.workloads import WORKLOADS


def test_products_of_a_step_are_found_and_called_again():
    program = GluonProgram(mx, WORKLOADS["perceptron-2"], mx.cpu())
    forward = floors.heavy_calls(program, "forward")
    assert [tuple(call().shape) for call in forward] == [(2, 256), (2, 10)]
    step = floors.heavy_calls(program, "step")
    assert len(step) == 5  # the gradient of the data is nobody's
    assert all(isinstance(call(), torch.Tensor) for call in step)


def test_rows_have_the_whole_beside_its_part():
    rows = floors.table_rows(["perceptron-2"], Plan(3, 0.001, 0.1))
    assert [(row["workload"], row["mode"]) for row in rows] == [
        ("perceptron-2", "forward"), ("perceptron-2", "step"),
    ]  # fmt: skip
    assert all(set(row["microseconds"]) == {"whole", "alone"} for row in rows)
