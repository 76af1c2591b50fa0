"""Splitting of batches over contexts, for training on several devices."""

from __future__ import annotations

import itertools
import operator
from typing import TYPE_CHECKING, Any

import numpy as onp
import torch

from gluonish.array import NDArray, wrap
from gluonish.array.tensors import as_default, unwrap
from gluonish.context import Context, cpu
from gluonish.errors import AxisError, DTypeError, InvalidArgumentError
from gluonish.errors.program_arguments import with_keyword
from gluonish.gluon.data.batching import from_numpy

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["split_and_load", "split_data"]


def split_data(
    data: Any, num_slice: int, batch_axis: int = 0, even_split: bool = True
) -> list[Any]:
    """Split an array into slices along its batch axis.

    Parameters
    ----------
    data : NDArray or numpy.ndarray
        A batch. Slices of an NDArray share its memory.
    num_slice : int
        How many slices, 1 or more.
    batch_axis : int, default 0
        Axis of the samples.
    even_split : bool, default True
        Whether all slices must have the same length. Otherwise the first ones get one sample
        more where the batch cannot be divided evenly.

    Raises
    ------
    InvalidArgumentError
        The batch cannot be split evenly although `even_split`, or `num_slice` is less than 1.
    AxisError
        `data` has no axis `batch_axis`.

    Examples
    --------
    >>> import gluonish as mx
    >>> batch = mx.np.arange(5)
    >>> mx.gluon.utils.split_data(batch, 2, even_split=False)
    [array([0., 1., 2.]), array([3., 4.])]
    """
    shape = tuple(data.shape)
    if num_slice < 1:
        msg = (
            f"split_data: num_slice={num_slice} was given. Expected 1 or more. Give one slice "
            f"for each context."
        )
        raise InvalidArgumentError(msg)
    if not isinstance(batch_axis, int) or isinstance(batch_axis, bool):
        batch_axis = _whole(batch_axis)
    if not -len(shape) <= batch_axis < len(shape):
        msg = (
            f"split_data: batch_axis={batch_axis} was given for data with shape {shape}. "
            f"Expected an axis of the data. Use 0 where the samples come first."
        )
        raise AxisError(msg)
    size = shape[batch_axis]
    if even_split and size % num_slice:
        own = with_keyword("even_split", "False", "")
        uneven = f"write {own}" if own else "set even_split=False"
        msg = (
            f"split_data: data with shape {shape} cannot be evenly split into {num_slice} slices "
            f"along axis {batch_axis}. Use a batch size that's multiple of {num_slice}, for each "
            f"batch (last_batch='discard' of a DataLoader leaves out the rest), or {uneven}, for "
            f"labels too, to allow uneven partitioning of data."
        )
        raise InvalidArgumentError(msg)
    return _slices(data, num_slice, batch_axis)


def split_and_load(
    data: Any, ctx_list: Sequence[Context], batch_axis: int = 0, even_split: bool = True
) -> list[NDArray]:
    """Split a batch over contexts, one slice for each.

    Parameters
    ----------
    data : NDArray, numpy.ndarray or list
        A batch.
    ctx_list : list of Context
        Where the slices go.
    batch_axis, even_split
        As for `split_data`.

    Raises
    ------
    InvalidArgumentError
        The batch cannot be split evenly although `even_split`, or `ctx_list` is empty.
    DTypeError
        `ctx_list` is a single context.

    Examples
    --------
    >>> import gluonish as mx
    >>> batch = mx.nd.ones((4, 2))
    >>> [x.context for x in mx.gluon.utils.split_and_load(batch, [mx.cpu(0), mx.cpu(1)])]
    [cpu(0), cpu(1)]
    """
    if isinstance(ctx_list, Context) or not ctx_list:
        msg = (
            f"split_and_load: ctx_list={ctx_list!r} was given. Expected a list of one context or "
            f"more. Write split_and_load(data, [mx.cpu()])."
        )
        raise (DTypeError if isinstance(ctx_list, Context) else InvalidArgumentError)(msg)
    if not isinstance(data, NDArray):
        # float32 whatever it was, as mx.nd.array and mx.np.array make it
        data = from_numpy(onp.array(data, dtype=onp.float32), cpu())
    if len(ctx_list) == 1:
        return [data.as_in_context(ctx_list[0])]
    slices = split_data(data, len(ctx_list), batch_axis, even_split)
    return [part.as_in_context(ctx) for part, ctx in zip(slices, ctx_list, strict=True)]


def _whole(axis: Any) -> int:
    try:
        return int(operator.index(axis))
    except TypeError as error:
        msg = (
            f"split_data: batch_axis={axis!r} was given, a {type(axis).__name__}. Expected the "
            f"number of an axis. Use 0 where the samples come first."
        )
        raise DTypeError(msg) from error


def _slices(data: Any, count: int, axis: int) -> list[Any]:
    length, longer = divmod(data.shape[axis], count)
    sizes = [length + (position < longer) for position in range(count)]
    if not isinstance(data, NDArray):
        stops = onp.cumsum(sizes)[:-1]
        return onp.split(onp.asarray(data), stops, axis)
    if data.stype == "csr" and axis % 2 == 0 and length:
        starts = onp.cumsum([0, *sizes]).tolist()
        return [data[start:stop] for start, stop in itertools.pairwise(starts)]
    data = as_default(data)
    parts = torch.split(unwrap(data), sizes, axis)
    return [wrap(part, data.context, type(data)) for part in parts]
