"""Programs in MXNet's many styles run unchanged, and print what MXNet prints."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import gluonish as mx
from gluonish.cli import main
from gluonish.mxnet_import.checking import missing_names
from gluonish.mxnet_import.taking_over import give_back

PROGRAMS = sorted(Path(__file__).parent.joinpath("programs").glob("*.py"))


@pytest.fixture(autouse=True)
def process(monkeypatch, tmp_path):
    """Run in an empty folder, and give back what a program took."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", list(sys.argv))
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    with mx.name.NameManager():
        yield
    give_back()


def told(path: Path, word: str) -> str:
    lines = path.read_text(encoding="utf-8").splitlines()
    marked = [line for line in lines if line.startswith(f"# {word}: ")]
    return marked[0].partition(": ")[2] if marked else ""


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_program_runs_unchanged(path, capsys):
    assert main(["run", str(path), *told(path, "arguments").split()]) == 0
    shown = capsys.readouterr().out
    assert " ".join(shown.split()) == told(path, "prints")


def test_programs_use_no_name_that_is_missing():
    assert [missing for path in PROGRAMS for missing in missing_names(path)] == []
