"""What scripts write into pages is not taken for Markdown's marks."""

from __future__ import annotations

import runpy
from pathlib import Path

_SCRIPTS = Path(__file__).parents[2] / "scripts"


def test_the_picture_of_the_house_has_no_marks_of_bold_type() -> None:
    picture = runpy.run_path(str(_SCRIPTS / "docs_house.py"))["picture"]()
    assert "&#95;&#95;main&#95;&#95;" in picture
    assert "__" not in picture


def test_titles_of_mistakes_keep_their_underscores() -> None:
    page = runpy.run_path(str(_SCRIPTS / "docs_errors.py"))["page"]()
    titles = [line for line in page.splitlines() if line.startswith("### ")]
    assert any(r"\_\_init\_\_" in title for title in titles)
    assert not any("__" in title for title in titles)
