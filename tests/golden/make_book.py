"""Run the programs of tests/book under the real MXNet 1.9.1 and write down what they give.

Run from the repository's root under a Python that has MXNet 1.9.1, with the path of one that has
MXNet 1.6.0 as argument; writes tests/golden/book_programs.json and book_exercises.json.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "book")]

import facts
import make_facts
import runner


def ask(python, section, file):
    """Run one section in a fresh process and return what its cells gave."""
    script = str(TESTS / "book" / "runner.py")
    command = [python, "-W", "ignore", script, "mxnet", file, section]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=True, timeout=600
        )
    found = json.loads(done.stdout.splitlines()[-1])[section]
    return [{k: v for k, v in cell.items() if k not in {"value", "text"}} for cell in found]


def write(file, target):
    """Run every section of a file under both MXNets and write what they gave."""
    cells = runner.read(TESTS / "book" / file)
    versions, rows = {"mxnet": "1.9.1", "mxnet_before": "1.6.0"}, []
    for section in dict.fromkeys(cell.section for cell in cells):
        programs = [cell for cell in cells if cell.section == section]
        found, before = ask(sys.executable, section, file), ask(sys.argv[1], section, file)
        for cell, now, then in zip(programs, found, before, strict=True):
            row = {"section": section, "title": cell.title, "code": cell.code}
            if not facts.same_text(now["shown"], then["shown"]):
                row["gives_in_1.6"] = then
            make_facts.shorten(now)
            rows.append(row | {"gives": now})
    lines = ",\n".join(json.dumps(row) for row in rows)
    text = f'{{"versions": {json.dumps(versions)}, "cells": [\n{lines}\n]}}\n'
    (TESTS / "golden" / target).write_text(text)


def main():
    """Write both files."""
    write("programs.txt", "book_programs.json")
    write("exercises.txt", "book_exercises.json")


if __name__ == "__main__":
    main()
