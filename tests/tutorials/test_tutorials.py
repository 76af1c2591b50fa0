from __future__ import annotations

import re
from pathlib import Path

import pytest
from workers import ALONE, run_workers

from tutorials import notebook

FILES = notebook.all_files()
ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "tutorials"


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_tutorials_show_what_their_pages_hold(path, tmp_path):
    program = ROOT / "tutorials" / "__main__.py"
    run_workers(1, program, path.stem, "--into", tmp_path, timeout=600, environment=ALONE)
    shown = (tmp_path / f"{path.stem}.md").read_text(encoding="utf-8")
    kept = (PAGES / f"{path.stem}.md").read_text(encoding="utf-8")
    assert notebook.comparable(shown) == notebook.comparable(kept)
    assert len(list(tmp_path.glob("images/*"))) == kept.count("](images/")


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_tutorials_pages_are_current_and_say_what_is_to_be_seen(path):
    page = PAGES / f"{path.stem}.md"
    assert notebook.is_current(path, page), "run python -m tutorials"
    assert "**What you should see:**" in page.read_text(encoding="utf-8")


def test_chapters_have_their_exercises_solved():
    counts = [len(re.findall(r"^# ### \d", path.read_text(), re.MULTILINE)) for path in FILES[:7]]
    assert counts == [5, 5, 3, 3, 3, 4, 2]


def test_pages_compare_without_numbers_and_what_varies():
    first = "a 1.5\n<!-- varies -->\n\n```text\nx\n```\nb"
    second = "a  -2e-3\n<!-- varies -->\n\n```text\nother\n```\nb"
    assert notebook.comparable(first) == notebook.comparable(second)
    assert notebook.comparable("a") != notebook.comparable("b")


def test_tables_and_figures_are_shown_as_in_notebooks(tmp_path):
    path = tmp_path / "rich.py"
    path.write_text(
        "# %% table\nimport gluonish as mx\n\nmx.nd.ones(2)\n"
        "# %%\nmx.viz.plot_history({'loss': [2, 1]})\n# %%\nmx.nd.ones(2).shape\n"
    )
    notebook.write(path, tmp_path / "rich.md")
    page = (tmp_path / "rich.md").read_text()
    assert "<!-- varies -->\n\n<div><div><b>NDArray (2,)" in page
    assert "![What the program above draws](images/rich-1.svg)" in page
    assert "```text\n(2,)\n```" in page
    assert page.count("```text") == 1
    assert "<table>" not in notebook.comparable(page)


def test_a_cell_that_should_fail_and_does_not_is_noticed(tmp_path):
    path = tmp_path / "calm.py"
    path.write_text("# %% raises\n1\n")
    with pytest.raises(AssertionError, match="raised none"):
        notebook.run(path)


def test_a_cell_that_fails_stops_the_run(tmp_path):
    path = tmp_path / "broken.py"
    path.write_text("# %%\n1 / 0\n")
    with pytest.raises(ZeroDivisionError):
        notebook.run(path)
