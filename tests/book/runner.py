"""Run sections of programs.txt or exercises.txt, each in a process of its own, as a notebook does.

`python runner.py LIBRARY FILE SECTION ...` prints JSON: what each cell of each section gave.
LIBRARY is what stands for mxnet in the import lines; with several sections it is imported once, and
a process forked for each.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import facts

PROGRAMS = Path(__file__).with_name("programs.txt")
EXERCISES = Path(__file__).with_name("exercises.txt")


@dataclasses.dataclass(frozen=True)
class Cell:
    """One program, the section it belongs to and what it shows."""

    section: str
    title: str
    code: str


def read(path: Path) -> list[Cell]:
    """Read the cells of a file, in order."""
    cells: list[Cell] = []
    section = title = ""
    for part in re.split(r"^%% ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        head, _, body = part.partition("\n")
        kind, _, rest = head.partition(" ")
        if kind == "section":
            section, _, title = rest.partition(" ")
        else:
            cells.append(Cell(section, rest or title, body.rstrip("\n")))
    return cells


def run(path: Path, section: str, library: str) -> list[dict[str, Any]]:
    """Run a section's cells in one namespace and return what each gave."""
    names: dict[str, Any] = {"__name__": "__main__"}
    found = []
    for cell in read(path):
        if cell.section == section:
            code = cell.code if library == "mxnet" else facts.translate(cell.code)
            found.append(facts.run_cell(code, names))
    return found


def fork(path: Path, section: str, library: str) -> list[dict[str, Any]]:
    """Run a section in a forked process, in a new folder, and return what its cells gave."""
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder, "answer.json")
        child = os.fork()
        if child == 0:
            os.chdir(folder)
            answer.write_text(json.dumps(run(path, section, library)), encoding="utf-8")
            os._exit(0)
        os.waitpid(child, 0)
        return json.loads(answer.read_text(encoding="utf-8"))


def main() -> None:
    """Run the sections named on the command line."""
    library, file, *sections = sys.argv[1:]
    path = Path(__file__).with_name(file)
    if len(sections) == 1:
        found = {sections[0]: run(path, sections[0], library)}
    else:
        importlib.import_module(library)
        found = {section: fork(path, section, library) for section in sections}
    for cells in found.values():
        for cell in cells:
            cell["shown"] = facts.shown(cell)
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
