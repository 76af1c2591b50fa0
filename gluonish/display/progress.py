"""Bars that move where somebody watches, and are one line elsewhere."""

from __future__ import annotations

import io
import sys
from typing import Any

from tqdm.auto import tqdm


def is_watched() -> bool:
    """Return whether somebody sees a bar move: on a terminal, or in a notebook.

    Examples
    --------
    >>> from gluonish.display.progress import is_watched
    >>> is_watched() in (True, False)
    True
    """
    return sys.stderr.isatty() or "ipykernel" in sys.modules


def bar(**options: Any) -> tqdm[Any]:
    """Return tqdm's bar, which draws nothing where nobody watches; `tell` writes a line of it.

    Examples
    --------
    >>> from gluonish.display.progress import bar
    >>> with bar(total=3) as shown:
    ...     _ = shown.update()
    """
    return tqdm(**options) if is_watched() else tqdm(file=io.StringIO(), **options)


def tell(shown: tqdm[Any]) -> None:
    """Write where a bar stands as a line of its own, where nobody sees it move."""
    if not is_watched():
        sys.stderr.write(f"{shown}\n")
