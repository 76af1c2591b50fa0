"""Contexts of arrays: where a tensor is, and which contexts may meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish.context import REHEARSED, Context, current_context
from gluonish.errors import ContextError, ContextMismatchError

if TYPE_CHECKING:
    from torch import Tensor

    from gluonish.array.core import NDArray


def context_of(tensor: Tensor) -> Context:
    """Return the context that a tensor's device stands for."""
    device = tensor.device
    if device.type == "cuda":
        return Context("gpu", device.index or 0)
    ambient = current_context()
    return ambient if ambient.device_type == "cpu" else Context("cpu", 0)


def compatible(first: Context, second: Context) -> bool:
    """Return whether an operator takes arrays of two contexts: as in MXNet, of all of a CPU."""
    if first is second or "meta" in (first.device.type, second.device.type):
        return True
    if REHEARSED in (first.device_id, second.device_id):  # a program may say ctx=mx.cpu() there
        return first.device.type == second.device.type
    return "gpu" not in (first.device_type, second.device_type)


def is_one_place(first: Context, second: Context) -> bool:
    """Return whether two contexts are one for a graph: pinned and shared memory count as CPU."""
    return compatible(first, second) and not (
        first is not second and first.device_type == second.device_type == "cpu"
    )


def mismatch(first: NDArray, second: NDArray, where: str) -> ContextError:
    """Return the error for operands on different contexts."""
    msg = (
        f"{where}: an array of shape {first.shape} is on {first._ctx}, another of shape "
        f"{second.shape} on {second._ctx}. Expected all on one context. Move one with "
        f"x.as_in_context({second._ctx}) or x.copyto({second._ctx})."
    )
    return ContextMismatchError(msg)
