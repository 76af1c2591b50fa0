"""Tests of the measurement of files: every contestant does its work on small arrays."""

from __future__ import annotations

import torch

from benchmarks import files
from benchmarks.targets import verdicts


def test_every_contestant_saves_and_loads(monkeypatch):
    small = {"0.weight": torch.ones(3, 2), "1.weight": torch.ones(4)}
    monkeypatch.setattr(files, "_resnet", lambda: small)
    monkeypatch.setattr(files, "_large", lambda: small)
    rows = files.table_rows(quick=True)
    assert len(rows) == 10
    assert all(set(row["milliseconds"]) == {"theirs", "safetensors", "params"} for row in rows)
    assert len(verdicts({"files": rows})) == 20


def test_arrays_are_100_megabytes():
    for make in (files._resnet, files._large):
        size = sum(tensor.nbytes for tensor in make().values())
        assert 100e6 <= size < 106e6
