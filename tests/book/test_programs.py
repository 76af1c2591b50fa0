"""The steps of the book's chapter 5 and of its exercises do what they do in MXNet."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import facts
import pytest

import gluonish as mx

HERE = Path(__file__).parent
FILES = {"programs.txt": "book_programs.json", "exercises.txt": "book_exercises.json"}


def _golden(file: str) -> dict[str, list[dict[str, Any]]]:
    cells = json.loads((facts.GOLDEN / FILES[file]).read_text(encoding="utf-8"))["cells"]
    sections: dict[str, list[dict[str, Any]]] = {}
    for cell in cells:
        sections.setdefault(cell["section"], []).append(cell)
    return sections


@functools.cache
def _answers(file: str) -> dict[str, list[dict[str, Any]]]:
    command = [sys.executable, str(HERE / "runner.py"), "gluonish", file, *_golden(file)]
    root = str(Path(mx.__file__).parents[1])
    environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": root}
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, timeout=600, env=environment
    )
    return json.loads(done.stdout.splitlines()[-1])


SECTIONS = [(file, section) for file in FILES for section in _golden(file)]


@pytest.mark.parametrize(("file", "section"), SECTIONS, ids=lambda value: str(value))
def test_section_prints_what_mxnet_prints(file: str, section: str) -> None:
    rows, wrong = facts.own_ways("book"), []
    for cell, found in zip(_golden(file)[section], _answers(file)[section], strict=True):
        unlike = facts.cell_differences(found, cell["gives"])
        unlike = facts.judge(cell["code"], found, unlike, rows)
        wrong += [f"{cell['code']}\n    {d}" for d in unlike]
    assert not wrong, "\n".join(wrong)


def test_every_error_of_the_exercises_says_what_to_do() -> None:
    for cells in _answers("exercises.txt").values():
        for cell in cells:
            if cell.get("error", {}).get("own"):
                assert len(cell["error"]["says"].split(". ")) >= 2, cell["error"]
