"""Tests of the measurement of two processes: both do their work, and the tables name it."""

from __future__ import annotations

import json

from workers import run_workers

from benchmarks import distributed, report
from benchmarks.targets import verdicts

PROGRAM = """
import sys
from benchmarks import distributed
distributed._LARGE, distributed._WIDTH, distributed._LAYERS = 1000, 16, 5
distributed._main(2, sys.argv[1])
"""


def test_every_contestant_exchanges_and_trains(tmp_path):
    run_workers(2, PROGRAM, str(tmp_path / "rows.json"))
    rows = json.loads((tmp_path / "rows.json").read_text())
    assert [row["name"].split(",")[0] for row in rows] == [
        "push and pull",
        "push and pull",
        "training step",
        "training step",
        "training step",
        "the first step",
    ]
    assert all(set(row["milliseconds"]) == {"torch", "gluonish"} for row in rows)
    assert len(verdicts({"distributed": rows})) == 4
    assert "| push and pull, 4 bytes |" in report._distributed(rows).replace("  ", "")
    assert distributed.__doc__
