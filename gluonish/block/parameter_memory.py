"""Memory of parameters: where values lie, and copies of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp
import torch

from gluonish.array import NDArray, ndarray, wrap
from gluonish.array.gradients import attachment
from gluonish.array.sparse import empty, memory
from gluonish.array.tensors import as_default, plain
from gluonish.array.zero_pages import zeros_for
from gluonish.context import cpu, is_np_array

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from gluonish.array.gradients import Gradient
    from gluonish.block.parameter import Parameter
    from gluonish.context import Context


def moved(values: Tensor, ctx: Context) -> Tensor:
    """Return values on a context, lying in order: these if they are."""
    return values.to(ctx.device).contiguous()


def copied(values: Tensor, ctx: Context) -> Tensor:
    """Return a copy on a context that lies in order, so that views of it share its memory."""
    return values.to(ctx.device, copy=True, memory_format=torch.contiguous_format)


def is_same_memory(one: Tensor, other: Tensor) -> bool:
    """Return whether two tensors are the same elements of the same memory."""
    return (
        one.data_ptr() == other.data_ptr()
        and one.dtype == other.dtype
        and one.device == other.device
        and one.shape == other.shape
        and one.stride() == other.stride()
    )


def dense(array: NDArray) -> Tensor:
    """Return the values of an array of any storage type."""
    return plain(as_default(array))


def dense_class(array: NDArray) -> type[NDArray]:
    """Return the class of an array's values, were it dense."""
    return type(array) if array.stype == "default" else NDArray


def array_of(value: Any) -> NDArray:
    """Return an array of float32 in host memory, of the default class."""
    cls = ndarray if is_np_array() else NDArray
    return wrap(torch.from_numpy(onp.array(value, dtype=onp.float32)), cpu(), cls)


def no_gradient_yet(array: NDArray, stype: str) -> NDArray:
    """Return a gradient of zeros for an array, of a storage type."""
    tensor = memory(array)
    if stype == "default":
        return wrap(zeros_for(tensor), array.context, dense_class(array))
    return empty(array.shape, tensor.dtype, array.context, stype)


def copies_of(param: Parameter) -> list[NDArray]:
    """Return a parameter's arrays, one for each context; none before it has values."""
    return list(param._arrays.values())


def attachments(param: Parameter) -> list[Gradient]:
    """Return what is attached to a parameter's arrays; nothing where it has no gradients."""
    found = map(attachment, param._arrays.values())
    return [one for one in found if one is not None]


def average(arrays: Sequence[NDArray]) -> NDArray:
    """Return the average of arrays on several contexts, on the CPU."""
    values = memory(arrays[0]).cpu()
    if len(arrays) > 1:
        total = sum(memory(array).cpu() for array in arrays[1:]) + values
        values = (total / len(arrays)).to(values.dtype)
    return wrap(values, cpu(), dense_class(arrays[0]))
