from __future__ import annotations

import code
import contextlib
import io
import re
import tempfile
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
EXECUTED = re.compile(r'^```python (exec="1".*)\n((?:.*\n)*?)```$', re.MULTILINE)
SHOWN = re.compile(r"^```python\n((?:.*\n)*?)```$", re.MULTILINE)
PAGES = [path for path in sorted(DOCS.glob("*.md")) if EXECUTED.search(path.read_text())]
SUBJECTS = [path for path in sorted(DOCS.glob("reference/*.md")) if SHOWN.search(path.read_text())]


@pytest.fixture(autouse=True)
def as_before(monkeypatch):
    monkeypatch.chdir(DOCS.parent)
    monkeypatch.setenv("COLUMNS", "100")


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_what_pages_run_runs(page):
    sessions: dict[str, dict[str, object]] = {}
    for head, source in EXECUTED.findall(page.read_text(encoding="utf-8")):
        session = re.search(r'session="(\w+)"', head)
        names = sessions.setdefault(session[1], {}) if session else {}
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown):
            exec(compile(source, page.name, "exec"), names)
        assert "Traceback" not in shown.getvalue()
        if page.stem != "errors":  # which shows what a missing file looks like
            assert "No such file" not in shown.getvalue()
    for names in sessions.values():
        for value in names.values():
            if isinstance(value, tempfile.TemporaryDirectory):
                value.cleanup()


@pytest.mark.parametrize("page", SUBJECTS, ids=[page.stem for page in SUBJECTS])
def test_programs_in_the_reference_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        for source in SHOWN.findall(page.read_text(encoding="utf-8")):
            exec(compile(source, page.name, "exec"), names)


def test_quick_start_can_be_pasted_line_by_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    console = code.InteractiveConsole()
    blocks = EXECUTED.findall((DOCS / "quickstart.md").read_text(encoding="utf-8"))
    lines = [source.splitlines() for head, source in blocks if 'source="above"' in head]
    for block in lines:
        for line in [*block, ""]:
            console.push(line)
    shown = capsys.readouterr()
    assert shown.err == ""
    assert float(re.search(r"'accuracy': (0\.\d+)", shown.out)[1]) > 0.8
    assert sum(bool(line) for block in lines[:4] for line in block) == 18


def test_lines_of_first_nets_are_counted():
    text = (DOCS / "first-net.md").read_text(encoding="utf-8")
    told = [int(count) for count in re.findall(r"^\| \w.*? \| (\d+) \|", text, re.MULTILINE)]
    programs = re.findall(r"^```python.*\n((?:.*\n)*?)```$", text, re.MULTILINE)[:5]
    assert told == [sum(bool(line) for line in text.splitlines()) for text in programs]


def test_every_page_is_in_the_navigation():
    nav = (DOCS.parent / "mkdocs.yml").read_text(encoding="utf-8")
    pages = [*DOCS.glob("*.md"), *DOCS.glob("tutorials/*.md")]
    missing = [str(p.relative_to(DOCS)) for p in pages if f": {p.relative_to(DOCS)}\n" not in nav]
    assert missing == []
