"""How numbers, tables and errors look on a terminal."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")
_NARROWEST = 40


def bytes_text(count: int) -> str:
    """Return a number of bytes for people.

    Examples
    --------
    >>> from gluonish.cli.text import bytes_text
    >>> bytes_text(600), bytes_text(247_000)
    ('600 B', '241.2 KiB')
    """
    size = float(count)
    for unit in _UNITS[:-1]:
        if size < 1024 or unit == _UNITS[-1]:
            return f"{count} B" if unit == "B" else f"{size:,.1f} {unit}"
        size /= 1024
    return f"{size:,.1f} {_UNITS[-1]}"


def terminal_width() -> int:
    """Return the terminal's width in characters; 200 where there is none, as in a pipe."""
    return max(_NARROWEST, shutil.get_terminal_size((200, 24)).columns)


def table(
    head: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int], width: int
) -> list[str]:
    """Return the lines of a table.

    Parameters
    ----------
    head : sequence of str
        Titles of the columns.
    rows : sequence of sequence of str
        What stands in them.
    right : sequence of int
        Which columns are aligned at their right side.
    width : int
        The longest line. Where rows would be longer, the first column stands above the others.

    Examples
    --------
    >>> from gluonish.cli.text import table
    >>> table(['name', 'bytes'], [['weight', '8']], [1], 80)
    ['  name    bytes', '  weight      8']
    >>> table(['name', 'bytes'], [['weight', '8']], [1], 14)
    ['  name', '      bytes', '  weight', '          8']
    """
    sizes = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    is_stacked = 2 + sum(sizes) + 2 * (len(sizes) - 1) > width
    lines = []
    for row in [head, *rows]:
        cells = [
            cell.rjust(size) if column in right else cell.ljust(size)
            for column, (cell, size) in enumerate(zip(row, sizes, strict=True))
        ]
        if is_stacked:
            lines += [f"  {row[0]}", f"      {'  '.join(cells[1:])}".rstrip()]
        else:
            lines.append(f"  {'  '.join(cells)}".rstrip())
    return lines


def wrapped(label: str, items: Sequence[str], width: int, mark: str = ",") -> list[str]:
    """Return lines that begin with a label and name items, one after another.

    Examples
    --------
    >>> from gluonish.cli.text import wrapped
    >>> wrapped('kinds', ['one', 'two'], 30), wrapped('kinds', ['one', 'two'], 24)
    (['  kinds           one, two'], ['  kinds           one,', '                  two'])
    """
    line, lines, is_fresh = f"  {label:15} ", [], True
    for position, item in enumerate(items):
        piece = item + (mark if position + 1 < len(items) else "")
        if len(line) + len(piece) > width and not is_fresh:
            lines.append(line.rstrip())
            line, is_fresh = " " * 18, True
        line += piece + " "
        is_fresh = False
    return [*lines, line.rstrip()]


def fail(command: str, error: BaseException) -> None:
    """Say on stderr what went wrong, in one line."""
    warn_of(command, " ".join(str(error).split()))


def warn_of(command: str, text: str) -> None:
    """Say something on stderr."""
    sys.stdout.flush()
    sys.stderr.write(f"gluonish {command}: {text}\n")
