from __future__ import annotations

import sys

import pytest

from benchmarks.remote import MXNet, find_python


def test_python_of_mxnet_is_taken_from_the_argument_then_the_environment(monkeypatch):
    monkeypatch.setenv("GLUONISH_BENCH_MXNET", "theirs")
    assert find_python("mine") == "mine"
    assert find_python(None) == "theirs"


def test_a_python_without_mxnet_is_told(tmp_path):
    (tmp_path / "mxnet.py").write_text("raise ImportError('no mxnet here')")
    environment = {"PYTHONPATH": f"{tmp_path}"}
    with pytest.raises(RuntimeError, match="(?s)process ended while .*Give it with --mxnet"):
        MXNet(sys.executable, environment=environment)
