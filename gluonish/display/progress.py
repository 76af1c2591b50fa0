"""Bars that move where somebody watches, and are one line elsewhere."""

from __future__ import annotations

import importlib.util
import io
import sys
from typing import TYPE_CHECKING, Any

# Widgets in notebooks, where they are installed; tqdm.auto warns, in red, where they are not.
if TYPE_CHECKING or importlib.util.find_spec("ipywidgets") is None:
    from tqdm import tqdm
else:
    from tqdm.auto import tqdm

__all__ = ["bar", "is_watched", "tell", "tqdm"]

_NOTEBOOKS = "ipykernel"


def is_watched() -> bool:
    """Return whether somebody sees a bar move: on a terminal, or in a notebook.

    Examples
    --------
    >>> from gluonish.display.progress import is_watched
    >>> is_watched() in (True, False)
    True
    """
    return sys.stderr.isatty() or _NOTEBOOKS in sys.modules


def bar(**options: Any) -> tqdm[Any]:
    """Return tqdm's bar, which draws nothing where nobody watches; `tell` writes a line of it.

    Examples
    --------
    >>> from gluonish.display.progress import bar
    >>> with bar(total=3) as shown:
    ...     _ = shown.update()
    """
    if not is_watched():
        return tqdm(file=io.StringIO(), **options)
    # Notebooks show what goes to stderr in red.
    return tqdm(**options, **({"file": sys.stdout} if _NOTEBOOKS in sys.modules else {}))


def tell(shown: tqdm[Any]) -> None:
    """Write where a bar stands as a line of its own, where nobody sees it move."""
    if not is_watched():
        sys.stderr.write(f"{shown}\n")
