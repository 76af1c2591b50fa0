"""The index of scripts that ask the real MXNet, without asking it."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPTS = runpy.run_path(str(ROOT / "scripts" / "make_golden.py"))["scripts"]()
WRITTEN = re.compile(r"\.(npz|json|json\.gz|states|params|lst)\b")


@pytest.mark.parametrize("script", SCRIPTS, ids=[script.name for script in SCRIPTS])
def test_each_script_says_what_it_asks_and_writes_files(script):
    assert re.match(r"[A-Z].*[.:]$", script.summary), script.summary
    source = script.path.read_text(encoding="utf-8")
    assert WRITTEN.search(source) or "make_facts.write" in source
    for command in script.commands():
        assert Path(command[1]).is_file()


def test_golden_values_have_a_script_that_wrote_them():
    told = "\n".join(script.path.read_text(encoding="utf-8") for script in SCRIPTS)
    files = [path for path in (ROOT / "tests" / "golden").iterdir() if WRITTEN.search(path.name)]
    without = [
        path.name
        for path in files
        if path.name not in told and not re.search(rf"\b{path.name.partition('.')[0]}\b", told)
    ]
    assert without == []
