"""The heap of this process, which keeps memory that was freed for the arrays that come next."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import sys
import threading
from typing import TYPE_CHECKING

from gluonish.process.environment import is_off

if TYPE_CHECKING:
    from collections.abc import Iterator

# glibc gives blocks back to the system as soon as they are free, or keeps them, depending on how
# large they are and where they happen to lie. A training step frees about what the next one takes,
# and the system hands out each page anew: a third of the time of some steps.
_TRIM_THRESHOLD = -1  # mallopt's numbers
_MMAP_THRESHOLD = -3
_KEPT = 2**30  # bytes of free memory that stay at the end of the heap
_LARGEST = 2**25  # bytes of the largest block that comes from the heap; glibc's own limit
_APART = 2**16  # bytes of the smallest block that has pages of its own while it should
_CHOSEN = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TOP_PAD_")


def keep_freed() -> bool:
    """Have this process keep memory that it frees; return whether it does.

    Nothing changes where the C library is not glibc, where the environment says how its heap works
    (`MALLOC_TRIM_THRESHOLD_` and its like, or malloc's settings in `GLIBC_TUNABLES`), or where
    `GLUONISH_KEEP_MEMORY=0` is in it.

    Examples
    --------
    >>> import os
    >>> os.environ['GLUONISH_KEEP_MEMORY'] = '0'
    >>> from gluonish.process import heap
    >>> heap.keep_freed()
    False
    >>> del os.environ['GLUONISH_KEEP_MEMORY']
    """
    is_chosen = any(name in os.environ for name in _CHOSEN)
    if is_chosen or "glibc.malloc" in os.environ.get("GLIBC_TUNABLES", ""):
        return False
    mallopt = None if is_off("GLUONISH_KEEP_MEMORY") else _glibc("mallopt")
    if mallopt is None:
        return False
    _heap.keeps = bool(mallopt(_MMAP_THRESHOLD, _LARGEST) and mallopt(_TRIM_THRESHOLD, _KEPT))
    return _heap.keeps


class _Heap:
    """How the heap of this process works.

    Attributes
    ----------
    keeps : bool
        Whether it keeps what is freed.
    apart : int
        How many are at present in `pages_apart`, in all threads.
    lock : Lock
        Who holds it changes `apart`.
    """

    def __init__(self) -> None:
        self.keeps = False
        self.apart = 0
        self.lock = threading.Lock()


_heap = _Heap()


@contextlib.contextmanager
def pages_apart() -> Iterator[None]:
    """Have larger blocks come from pages of their own, which go back as soon as they are free.

    For what stays, such as parameters, and for what happens once, such as the first run of a net:
    between them the heap would have holes that nothing fits into later, and be larger for good.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.process import heap
    >>> with heap.pages_apart():
    ...     weight = mx.nd.zeros((1000, 1000))
    """
    mallopt = _glibc("mallopt") if _heap.keeps else None
    if mallopt is None:
        yield
        return
    with _heap.lock:
        _heap.apart += 1
        mallopt(_MMAP_THRESHOLD, _APART)
    try:
        yield
    finally:
        with _heap.lock:
            _heap.apart -= 1
            if not _heap.apart:
                mallopt(_MMAP_THRESHOLD, _LARGEST)


def give_back() -> None:
    """Give memory that is free back to the system, where the C library is glibc.

    Examples
    --------
    >>> from gluonish.process import heap
    >>> heap.give_back()
    """
    trim = _glibc("malloc_trim")
    if trim is not None:
        trim(0)


@functools.cache
def _glibc(name: str) -> ctypes._NamedFuncPointer | None:
    """Return a function of glibc, or None on another system."""
    if sys.platform != "linux":
        return None
    return getattr(ctypes.CDLL(None), name, None)
