"""How many parameters began to wait for data, by which Blocks know whether to look for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.array.sparse import memory

if TYPE_CHECKING:
    from torch import Tensor

    from gluonish.block.parameter import Parameter

count = 0
"""Grows with each of them; a variable of a module, since each call of a Block reads it."""


def noted(param: Parameter, asked: tuple[Any, ...]) -> None:
    """Take note that `initialize()` was called, and how; its shape may be found anew."""
    global count
    count += 1
    is_open = param._inferred_from is not None and param._declared is not None
    param._fresh = (asked, _tensors(param)) if is_open else None


def joined() -> None:
    """Take note that a Block may wait for data since it has got a child or a parameter."""
    global count
    count += 1


def is_fresh(param: Parameter) -> bool:
    """Return whether an inferred shape and its values are as `initialize()` has left them."""
    if param._fresh is None:
        return False
    now = _tensors(param)
    return len(now) == len(param._fresh[1]) and all(
        one is two and version == before
        for (one, version), (two, before) in zip(now, param._fresh[1], strict=True)
    )


def reopen(param: Parameter) -> None:
    """Have a fresh parameter wait for data, as it did before the shape was inferred."""
    if param._fresh is not None:
        param._shape, param._deferred_init = param._declared, param._fresh[0]
        param._arrays, param._inferred_from, param._fresh = {}, None, None


def _tensors(param: Parameter) -> list[tuple[Tensor, int]]:
    tensors = [memory(array) for array in param._arrays.values()]
    return [(tensor, tensor._version) for tensor in tensors]  # noqa: SLF001 - no public name
