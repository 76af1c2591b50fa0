"""How messages and reports word numbers, lists and shapes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def counted(number: int, what: str) -> str:
    """Return a number of things: `'1 array'`, `'2,000 arrays'`.

    Examples
    --------
    >>> from gluonish.errors.wording import counted
    >>> counted(1, 'array'), counted(2000, 'array')
    ('1 array', '2,000 arrays')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def listed(items: Iterable[object], most: int = 10) -> str:
    """Return things in a row, and how many more there are.

    Examples
    --------
    >>> from gluonish.errors.wording import listed
    >>> listed(['a', 'b']), listed(range(5), 2)
    ('a, b', '0, 1 and 3 more')
    """
    texts = [str(item) for item in items]
    more = f" and {len(texts) - most} more" if len(texts) > most else ""
    return ", ".join(texts[:most]) + more


def percent(part: float, whole: float) -> str:
    """Return a share in whole per cent, of which only all is 100% and only nothing 0%.

    Examples
    --------
    >>> from gluonish.errors.wording import percent
    >>> percent(999, 1000), percent(1, 1000), percent(3, 4), percent(2, 2), percent(0, 2)
    ('99%', '1%', '75%', '100%', '0%')
    """
    if not 0 < part < whole:
        return f"{part / whole:.0%}"
    return f"{min(max(round(100 * part / whole), 1), 99)}%"


def natural(name: str) -> list[tuple[str, int]]:
    """Return a key by which numbers in names are sorted as numbers.

    Examples
    --------
    >>> from gluonish.errors.wording import natural
    >>> sorted(['conv10', 'conv2'], key=natural)
    ['conv2', 'conv10']
    """
    parts = re.split(r"(\d+)", name)
    return [
        (text, int(number)) for text, number in zip(parts[::2], [*parts[1::2], "-1"], strict=True)
    ]


def shape_text(shape: Sequence[int | None] | None) -> str:
    """Return a shape, with question marks for what is not known.

    Examples
    --------
    >>> from gluonish.errors.wording import shape_text
    >>> shape_text((None, 3)), shape_text((2,))
    ('(?, 3)', '(2,)')
    """
    if shape is None:
        return "?"
    dims = ["?" if dim is None else str(dim) for dim in shape]
    return f"({', '.join(dims)}{',' if len(dims) == 1 else ''})"
