"""The program of MXNet's tutorial "Mixed Programming" of 2016 passes its own assertions."""

from __future__ import annotations

import sys
from pathlib import Path

from gluonish.cli import main

PROGRAM = Path(__file__).with_name("mixed_programming.txt")


def test_the_program_trains_on_one_context_and_on_several(in_place_of_mxnet, capsys):
    assert main(["run", str(PROGRAM)]) == 0
    names = vars(sys.modules["__main__"])
    assert names["toy_accuracy"] == names["parallel_accuracy"] == 1.0
    assert names["lenet_accuracy"][1] > 0.8
    assert names["lenet_accuracy"][4] > 0.9
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == str(
        ["data", "fc1_weight", "fc1_bias", "fc2_weight", "fc2_bias", "out_label"]
    )
    assert lines[1:4] == [
        "data (100, 100) cpu(0)",
        "fc1_weight (128, 100) cpu(0)",
        "fc1_bias (128,) cpu(0)",
    ]
    assert "out_label (100,) cpu(1)" in lines
    assert "iteration 90, accuracy 1.000000" in lines
    assert "workload partition:  [(cpu(0), 17), (cpu(1), 83)]" in lines
    shares = ", ".join(f"(cpu({i}), 32)" for i in range(4))
    assert f"workload partition:  [{shares}]" in lines
