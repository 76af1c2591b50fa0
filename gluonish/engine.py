"""`mx.engine`: the size of bulks, in which MXNet's engine runs operators."""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["bulk", "set_bulk_size"]

_local = threading.local()


def set_bulk_size(size: int) -> int:
    """Set how many operators go to the engine at once, and return what it was.

    Notes
    -----
    PyTorch has no such engine: operators are queued one by one, and `hybridize` joins them. The
    number is kept, so that programs read back what they have set; it is 0 at first.

    Examples
    --------
    >>> import gluonish as mx
    >>> before = mx.engine.set_bulk_size(30)
    >>> mx.engine.set_bulk_size(before)
    30
    """
    before: int = getattr(_local, "size", 0)
    _local.size = int(size)
    return before


@contextlib.contextmanager
def bulk(size: int) -> Iterator[None]:
    """Set the size of bulks for a block of statements; see `set_bulk_size`.

    Examples
    --------
    >>> import gluonish as mx
    >>> with mx.engine.bulk(10):
    ...     x = mx.nd.ones(3) + 1
    """
    before = set_bulk_size(size)
    try:
        yield
    finally:
        set_bulk_size(before)
