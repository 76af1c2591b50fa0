"""The commonest mistakes are told where, what, and what to do; in a short traceback."""

from __future__ import annotations

import re
import runpy
import traceback
from pathlib import Path
from typing import Protocol

import pytest

import gluonish

_SCRIPT = runpy.run_path(str(Path(__file__).parents[2] / "scripts" / "docs_errors.py"))
_OURS = str(Path(gluonish.__file__).parent)

# Where constructors call one another, a few frames more are needed.
_FRAMES = 2
_MOST_FRAMES = 5
_LONG = (
    "misspelt a", "trainer of a net", "super()", "contains itself", "class where", "shape for",
    "Samples of",
)  # fmt: skip
_LONG_TITLES = re.compile("|".join(map(re.escape, _LONG)))


class Mistake(Protocol):
    title: str
    told: str


def _made(mistake: Mistake) -> Exception:
    error: Exception = _SCRIPT["made"](mistake)
    return error


@pytest.mark.parametrize("mistake", _SCRIPT["MISTAKES"], ids=lambda mistake: mistake.title)
def test_mistake_is_explained(mistake: Mistake) -> None:
    error = _made(mistake)
    assert isinstance(error, gluonish.MXNetError)
    text = "".join(traceback.format_exception_only(error))
    assert re.search(mistake.told, text), text


@pytest.mark.parametrize("mistake", _SCRIPT["MISTAKES"], ids=lambda mistake: mistake.title)
def test_traceback_of_a_mistake_is_short(mistake: Mistake) -> None:
    error = _made(mistake)
    frames = traceback.extract_tb(error.__traceback__)
    assert frames[0].filename == f"<{mistake.title}>"
    ours = [frame for frame in frames if frame.filename.startswith(_OURS)]
    most = _MOST_FRAMES if _LONG_TITLES.search(mistake.title) else _FRAMES
    assert len(ours) <= most, [f"{frame.filename}:{frame.name}" for frame in ours]
    shown = "".join(traceback.format_exception(error))
    assert shown.count("Traceback (most recent call last)") == 1, shown


def test_page_shows_every_mistake_and_class() -> None:
    text = _SCRIPT["page"]()
    assert text.count("### ") == len(_SCRIPT["MISTAKES"]) >= 30
    assert "| `ShapeError` | `ValueError` |" in text
