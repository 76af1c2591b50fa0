"""Attributes of objects that are as they were if what changes them fails."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def kept(*objects: object) -> Iterator[None]:
    """Give objects their attributes back if the block of a `with` statement raises.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from gluonish.process.keeping import kept
    >>> one = SimpleNamespace(size=1)
    >>> try:
    ...     with kept(one):
    ...         one.size, one.shape = 2, ()
    ...         raise ValueError
    ... except ValueError:
    ...     one
    namespace(size=1)
    """
    before = [(one, dict(vars(one))) for one in objects]
    try:
        yield
    except BaseException:
        for one, attributes in before:
            vars(one).clear()
            vars(one).update(attributes)
        raise
