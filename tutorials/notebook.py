"""Reads programs in cells, runs them, and writes what they show as a page."""

from __future__ import annotations

import ast
import contextlib
import hashlib
import io
import linecache
import os
import re
import sys
import tempfile
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")

from matplotlib import pyplot as plt
from matplotlib.figure import Figure

import gluonish.viz  # noqa: F401 - has arrays show themselves as tables

_HEAD = re.compile(r"^# %%[ \t]*(.*)$", re.MULTILINE)
_STAMP = "<!-- made from a tutorial with the digest {} -->"
_VARIES = "<!-- varies -->"
_NUMBER = re.compile(r"[-+]?(?:\d[\d_,]*\.?\d*|\.\d+)(?:e[-+]?\d+)?|\b(?:nan|inf)\b")
_STYLE = {
    "svg.hashsalt": "gluonish",
    "svg.fonttype": "path",
    "figure.figsize": (6.0, 3.2),
    "figure.constrained_layout.use": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
}


@dataclass
class Cell:
    """One cell: text, or code with what it showed.

    Parameters
    ----------
    kind : str
        "markdown", "code", "varies" (code whose output is another one each time), "table" (such
        code, whose value is shown as notebooks show it) or "raises" (code that shows a mistake,
        and ends in an error).
    source : str
        Markdown, or Python.
    """

    kind: str
    source: str
    shown: str = ""
    table: str = ""
    figures: list[bytes] = field(default_factory=list)


def all_files() -> list[Path]:
    """Return the tutorials in their order."""
    return sorted(
        Path(__file__).parent.glob("[0-9]*.py"), key=lambda path: int(path.name.partition("-")[0])
    )


def read(path: Path) -> list[Cell]:
    """Return the cells of a file in percent format."""
    parts = _HEAD.split(path.read_text(encoding="utf-8"))
    cells = []
    for mark, body in zip(parts[1::2], parts[2::2], strict=True):
        text = body.strip("\n")
        if mark == "[markdown]":
            text = "\n".join(line.removeprefix("#").removeprefix(" ") for line in text.split("\n"))
            cells.append(Cell("markdown", text))
        else:
            cells.append(Cell(mark or "code", text))
    return cells


def run(path: Path) -> list[Cell]:
    """Run a file's code in a new folder, cell by cell, and return the cells with what they show."""
    cells = read(path)
    names: dict[str, Any] = {"__name__": "__main__"}
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder, mpl.rc_context(_STYLE):
        os.chdir(folder)
        try:
            for number, cell in enumerate(cells):
                if cell.kind != "markdown":
                    _run_cell(cell, names, f"{path.name}, cell {number}")
        finally:
            os.chdir(before)
    return cells


def _run_cell(cell: Cell, names: dict[str, Any], where: str) -> None:
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown):
        try:
            value = _execute(cell.source, names, where)
        except Exception as error:
            if cell.kind != "raises":
                raise
            shown.write("".join(traceback.format_exception_only(error)))
        else:
            if cell.kind == "raises":
                msg = f"{where} was to show an error, and raised none."
                raise AssertionError(msg)
            _show(value, cell)
    cell.shown = shown.getvalue().strip("\n")
    for figure in map(plt.figure, plt.get_fignums()):
        _draw(figure, cell)
    plt.close("all")


def _show(value: Any, cell: Cell) -> None:
    """Show what a cell's last line gives: a figure, a table or text."""
    if isinstance(value, Figure):
        _draw(value, cell)
    elif cell.kind == "table":
        cell.table = value._repr_html_()
    elif value is not None and not cell.source.endswith(";"):
        sys.stdout.write(f"{value!r}\n")


def _draw(figure: Figure, cell: Cell) -> None:
    picture = io.BytesIO()
    figure.savefig(picture, format="svg", metadata={"Date": None})
    cell.figures.append(picture.getvalue())


def _execute(source: str, names: dict[str, Any], where: str) -> Any:
    """Run code, and return the value of its last line if that is an expression."""
    linecache.cache[where] = (len(source), None, source.splitlines(keepends=True), where)
    tree = ast.parse(source, where)
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Expr):
        tree.body.pop()
        exec(compile(tree, where, "exec"), names)
        return eval(compile(ast.Expression(last.value), where, "eval"), names)
    exec(compile(tree, where, "exec"), names)
    return None


def digest(path: Path) -> str:
    """Return what tells whether a page was made from this file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def is_current(path: Path, page: Path) -> bool:
    """Return whether a page was made from a file as it is."""
    return page.exists() and _STAMP.format(digest(path)) in page.read_text(encoding="utf-8")


def write(path: Path, page: Path) -> None:
    """Run a file, and write its page and figures."""
    lines = [_STAMP.format(digest(path)), ""]
    pictures = page.parent / "images"
    pictures.mkdir(parents=True, exist_ok=True)
    for old in pictures.glob(f"{page.stem}-*.svg"):
        old.unlink()
    count = 0
    for cell in run(path):
        if cell.kind == "markdown":
            lines += [cell.source, ""]
            continue
        lines += ["```python", cell.source, "```", ""]
        if cell.kind in ("varies", "table"):
            lines += [_VARIES, ""]
        if cell.table:
            lines += [f"<div>{cell.table}</div>", ""]
        if cell.shown:
            lines += ["```text", cell.shown, "```", ""]
        for figure in cell.figures:
            count += 1
            name = f"{page.stem}-{count}.svg"
            (pictures / name).write_bytes(figure)
            lines += [f"![What the program above draws](images/{name})", ""]
    page.write_text("\n".join(lines), encoding="utf-8")


def comparable(page: str) -> str:
    """Return a page without what may differ from run to run: digits, and outputs that vary."""
    page = re.sub(_VARIES + r"\n\n```text\n.*?\n```\n", "", page, flags=re.DOTALL)
    page = re.sub(_VARIES + r"\n\n<div[^\n]*\n", "", page)
    lines = re.sub(r"^<!-- made from .*$", "", page, flags=re.MULTILINE)
    return re.sub(r"\s+", " ", _NUMBER.sub("#", lines)).replace("[ #", "[#")
