"""Programs of users that `make check` reads with `mypy --strict` run, too."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

PROGRAMS = sorted(Path(__file__).parent.glob("*_program.py"))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_typed_program_runs(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(path), run_name="__main__")


def test_there_are_five():
    assert len(PROGRAMS) == 5
