"""Bars: widgets where there are some, text elsewhere, nothing red in notebooks."""

from __future__ import annotations

import importlib.util
import runpy
import sys
from typing import TYPE_CHECKING

import pytest
import tqdm
import tqdm.auto

from gluonish.display import progress

if TYPE_CHECKING:
    from types import ModuleType


@pytest.mark.parametrize(("has_widgets", "kind"), [(True, tqdm.auto.tqdm), (False, tqdm.tqdm)])
def test_bars_are_widgets_only_where_these_are_installed(
    monkeypatch: pytest.MonkeyPatch, has_widgets: bool, kind: type
) -> None:
    monkeypatch.setattr(
        importlib.util,
        "find_spec",
        lambda name: object() if has_widgets and name == "ipywidgets" else None,
    )
    assert runpy.run_path(progress.__file__)["tqdm"] is kind


def test_bars_of_notebooks_are_not_red(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    modules: dict[str, ModuleType] = sys.modules
    monkeypatch.setitem(modules, "ipykernel", pytest)
    with progress.bar(total=2) as shown:
        shown.update(2)
    written = capsys.readouterr()
    assert "100%" in written.out
    assert written.err == ""
