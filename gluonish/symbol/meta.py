"""Kernels on tensors without elements, without importing torch's compiler for them."""

from __future__ import annotations

import contextlib
import functools
import sys
import threading
from types import ModuleType
from typing import TYPE_CHECKING, Any

from gluonish.process.torch_names import COMPILER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_lock = threading.RLock()


@contextlib.contextmanager
def without_compiler() -> Iterator[None]:
    """Do without `torch._dynamo` for a while, unless it has been imported.

    Torch computes shapes with functions of Python, and imports its compiler at the first one to
    tell it not to look inside: two seconds. Here that is put off until somebody imports it.

    Examples
    --------
    >>> import torch
    >>> from gluonish.symbol.meta import without_compiler
    >>> with without_compiler():
    ...     torch.empty((2, 3), device='meta').exp().shape
    torch.Size([2, 3])
    """
    with _lock:
        if COMPILER in sys.modules:
            yield
            return
        stand_in = ModuleType(COMPILER)
        stand_in.disable = _put_off  # type: ignore[attr-defined]
        sys.modules[COMPILER] = stand_in
        try:
            yield
        finally:
            if sys.modules.get(COMPILER) is stand_in:
                del sys.modules[COMPILER]


def _put_off(
    function: Callable[..., Any], recursive: bool = True, *, wrapping: bool = True
) -> Callable[..., Any]:
    """Return a function that is hidden from the compiler as soon as that has been imported."""
    hidden: Callable[..., Any] | None = None

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        nonlocal hidden
        if hidden is None:
            disable = getattr(sys.modules.get(COMPILER), "disable", _put_off)
            if disable is _put_off:
                return function(*args, **kwargs)
            hidden = disable(function, recursive, wrapping=wrapping)
        return hidden(*args, **kwargs)

    return call
