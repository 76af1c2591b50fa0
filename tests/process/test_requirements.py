"""Libraries that are too old are refused in one line, when gluonish is imported."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gluonish.errors import OldLibraryError
from gluonish.process import requirements

if TYPE_CHECKING:
    from collections.abc import Sequence

_ROOT = Path(__file__).parents[2]
_PROJECT = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def _text(oldest: Sequence[int]) -> str:
    return ".".join(map(str, oldest))


def test_the_oldest_are_those_of_the_package() -> None:
    assert f"torch>={_text(requirements.OLDEST_TORCH)}" in _PROJECT["dependencies"]
    assert f"numpy>={_text(requirements.OLDEST_NUMPY)}" in _PROJECT["dependencies"]
    assert _PROJECT["requires-python"] == f">={_text(requirements.OLDEST_PYTHON)}"


def test_the_page_on_installing_says_so() -> None:
    page = (_ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    assert f"torch {_text(requirements.OLDEST_TORCH)}" in page
    assert f"NumPy {_text(requirements.OLDEST_NUMPY)}" in page
    assert f"Python {_text(requirements.OLDEST_PYTHON)}" in page


@pytest.mark.parametrize("installed", ["2.12.1", "2.9.0+cpu", "1.13.1"])
def test_older_ones_are_refused(installed: str) -> None:
    with pytest.raises(OldLibraryError, match=r"Expected 2.13 or later. Write: pip install -U"):
        requirements.require("torch", installed, requirements.OLDEST_TORCH)


@pytest.mark.parametrize("installed", ["2.13.0+cpu", "2.14.0a0+git1", "3.0", "unknown"])
def test_others_are_taken(installed: str) -> None:
    requirements.require("torch", installed, requirements.OLDEST_TORCH)


def test_the_refusal_is_one_line_of_the_program() -> None:
    program = "import torch; torch.__version__ = '2.4.0'; import gluonish"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=_ROOT
    )
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.endswith(
        "gluonish: torch 2.4.0 is installed. Expected 2.13 or later. Write: pip install -U "
        "'torch>=2.13'."
    )
