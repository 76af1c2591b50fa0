"""Writes the results into README.md and the documentation, between two marks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import picture, report

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["fill", "write"]

_ROOT = Path(__file__).parents[1]
_BEGIN, _END = "<!-- benchmark: begin -->", "<!-- benchmark: end -->"
_PICTURE = "images/benchmarks.svg"
_LINES = "images/time.svg"


def write(results: Mapping[str, Any], root: Path = _ROOT) -> list[Path]:
    """Fill both documents, draw the pictures that they show, and return what was written."""
    drawings = [root / "docs" / _PICTURE]
    picture.draw(results, drawings[0])
    if results.get("time"):
        drawings.append(root / "docs" / _LINES)
        picture.draw_lines(results, drawings[1])
    shown = f"![How many times as fast as PyTorch's best each contestant is]({_PICTURE})"
    pages = {
        root / "README.md": report.short_report(results),
        root / "docs" / "benchmarks.md": f"{shown}\n\n{report.full_report(results)}",
    }
    for path, text in pages.items():
        path.write_text(fill(path.read_text(), text, path.name))
    return [*drawings, *pages]


def fill(page: str, text: str, name: str) -> str:
    """Return a page with a text between its marks.

    Raises
    ------
    ValueError
        The page does not have each mark once.
    """
    if page.count(_BEGIN) != 1 or page.count(_END) != 1:
        msg = (
            f"{name} does not have the marks of the benchmark's block once each. Expected "
            f"{_BEGIN!r} and {_END!r}. Write them where the results belong."
        )
        raise ValueError(msg)
    pattern = re.compile(f"{re.escape(_BEGIN)}.*?{re.escape(_END)}", re.DOTALL)
    return pattern.sub(lambda _: f"{_BEGIN}\n{text}\n{_END}", page)
