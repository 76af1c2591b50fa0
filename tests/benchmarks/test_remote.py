from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.local import by_hand
from benchmarks.remote import ByHand, MXNet, find_python
from benchmarks.workloads import WORKLOADS


def test_python_of_mxnet_is_taken_from_the_argument_then_the_environment(monkeypatch, tmp_path):
    theirs = tmp_path / "theirs"
    theirs.touch(0o755)
    monkeypatch.setenv("GLUONISH_BENCH_MXNET", str(theirs))
    assert find_python(sys.executable) == sys.executable
    assert find_python(None) == str(theirs)


def test_a_path_of_no_python_is_told_before_anything_runs():
    with pytest.raises(SystemExit, match=r"--mxnet is 'nowhere'. Expected .* Correct it"):
        find_python("nowhere")


def test_a_python_without_mxnet_is_told(tmp_path):
    (tmp_path / "mxnet.py").write_text("raise ImportError('no mxnet here')")
    environment = {"PYTHONPATH": f"{tmp_path}"}
    with pytest.raises(RuntimeError, match="(?s)process ended while .*Give it with --mxnet"):
        MXNet(sys.executable, environment=environment)


def test_by_hand_is_the_same_in_a_process_of_its_own():
    workload = WORKLOADS["perceptron-2"]
    with ByHand() as process:
        contestant = process.build("torch", workload)
        assert contestant.modes == ("forward", "step")
        assert contestant.losses(3) == by_hand("torch", workload).losses(3)
        assert contestant.timer("step")(2) > 0
        process.ask("clear")
        with pytest.raises(RuntimeError, match="ByHand's process ended while it was asked to time"):
            contestant.timer("step")(2)


def test_pytorch_by_hand_knows_nothing_of_gluonish():
    program = "import sys, benchmarks.torch_driver; print('gluonish' in sys.modules)"
    root = Path(__file__).parents[2]
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True
    )
    assert run.stdout == "False\n"
