"""Tables as notebooks show them."""

from __future__ import annotations

import importlib
import sys
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Protocol

    class Rich(Protocol):
        """What notebooks show as HTML, and terminals as text."""

        def _repr_html_(self) -> str: ...


__all__ = ["GAP", "heading", "is_shown_in_notebook", "preformatted", "show", "table"]

GAP = "…"
_LEFT = ' style="text-align: left"'  # notebooks begin no column on the left


def table(
    head: Sequence[object],
    rows: Sequence[Sequence[str]],
    *,
    index: Sequence[int | None] | None = None,
    numbers: Collection[object] = (),
) -> str:
    """Return a table of texts; without `index`, columns but those of `numbers` begin on the left.

    Examples
    --------
    >>> from gluonish.display.tables import table
    >>> table(['x'], [['1 < 2']], index=[0])
    '<table><tr><th></th><th>x</th></tr><tr><th>0</th><td>1 &lt; 2</td></tr></table>'
    """
    is_left = [index is None and title not in numbers for title in head]
    corner = "" if index is None else "<th></th>"
    lines = [corner + _line("th", [str(title) for title in head], is_left)]
    for number, row in enumerate(rows):
        side = ""
        if index is not None:
            at = index[number]
            side = f"<th>{GAP if at is None else at}</th>"
        lines.append(side + _line("td", row, is_left))
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def heading(first: str, *rest: str) -> str:
    """Return a line above a table: what it is about, then details.

    Examples
    --------
    >>> from gluonish.display.tables import heading
    >>> heading('NDArray', 'float32')
    '<div><b>NDArray</b> · float32</div>'
    """
    return f"<div><b>{escape(first)}</b>{''.join(f' · {escape(part)}' for part in rest)}</div>"


def preformatted(text: str) -> str:
    """Return text that keeps its lines and columns.

    Examples
    --------
    >>> from gluonish.display.tables import preformatted
    >>> preformatted('a')
    '<pre style="font-family: monospace">a</pre>'
    """
    return f'<pre style="font-family: monospace">{escape(text)}</pre>'


def is_shown_in_notebook() -> bool:
    """Return whether what a program prints goes to a notebook.

    Examples
    --------
    >>> from gluonish.display.tables import is_shown_in_notebook
    >>> is_shown_in_notebook()
    False
    """
    return type(sys.stdout).__module__.startswith("ipykernel.")


def show(thing: Rich) -> None:
    """Print something: as HTML in a notebook, else its text.

    Examples
    --------
    >>> from gluonish.display.tables import show
    >>> show('text')
    text
    """
    if is_shown_in_notebook():
        importlib.import_module("IPython.display").display(thing)
    else:
        sys.stdout.write(f"{thing}\n")


def _line(tag: str, cells: Sequence[str], is_left: Sequence[bool]) -> str:
    return "".join(
        f"<{tag}{_LEFT if left else ''}>{escape(cell)}</{tag}>"
        for cell, left in zip(cells, is_left, strict=True)
    )
