"""Arrays of `nd` from other data: lists, NumPy arrays, tensors, DLPack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import TYPE_CHECKING, Any

import numpy as onp
import torch
from torch import Tensor

from gluonish.array.contexts import context_of
from gluonish.array.core import NDArray, wrap
from gluonish.array.dtypes import DTypeLike, tensor_of, torch_dtype
from gluonish.array.tensors import assign, plain
from gluonish.context import Context, as_context
from gluonish.errors import DTypeError, InvalidArgumentError, ShapeError
from gluonish.errors.program_arguments import arguments
from gluonish.errors.wording import reason
from gluonish.ndarray import sparse
from gluonish.process.recording import state

if TYPE_CHECKING:
    from gluonish.array.core import A

__all__ = [
    "array",
    "from_dlpack",
    "from_numpy",
    "from_torch",
    "onehot_encode",
    "to_dlpack_for_read",
    "to_dlpack_for_write",
    "waitall",
]


def array(source_array: Any, ctx: Context | None = None, dtype: DTypeLike | None = None) -> NDArray:
    """Return a new array of the given numbers.

    Parameters
    ----------
    source_array : array_like
        Numbers, nested lists of numbers, a NumPy array, an NDArray or a tensor. A sparse array
        stays one.
    ctx : Context, optional
        Where the array is; an NDArray's own, else the current context by default.
    dtype : str, type or dtype, optional
        Type of the elements; an NDArray's own, else float32 by default.

    Raises
    ------
    DTypeError
        The data are no numbers, or no regular array.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.array([[1, 2], [3, 4]], dtype='int32').asnumpy()
    array([[1, 2],
           [3, 4]], dtype=int32)
    """
    if isinstance(source_array, NDArray):
        target = as_context(ctx, source_array.context)
        if source_array.stype != "default":
            return sparse.array(source_array, ctx, dtype)
        source = plain(source_array)
        return wrap(
            source.to(
                target.device, source.dtype if dtype is None else torch_dtype(dtype), copy=True
            ),
            target,
            NDArray,
        )
    if sparse.is_scipy(source_array):
        return sparse.array(source_array, ctx, dtype)
    target = as_context(ctx)
    kind = torch.float32 if dtype is None else torch_dtype(dtype)
    if isinstance(source_array, Tensor):
        return wrap(source_array.detach().to(target.device, kind, copy=True), target, NDArray)
    return wrap(_tensor_of(source_array, kind, target), target, NDArray)


def _is_text(source: Any) -> bool:
    return all(isinstance(each, str) for each in source.flat)


def _how_to_list(source: Any) -> str:
    """Return what to write for data that are no rows of numbers."""
    if isinstance(source, Mapping):
        return "Write nd.array(list(x.values())), or make an array of each value."
    if isinstance(source, (Set, Iterator)):
        return "Write nd.array(list(x))."
    if isinstance(source, (list, tuple)) and any(isinstance(each, NDArray) for each in source):
        return "Pad the arrays to one shape, or join them by nd.concat(*list, dim=0)."
    rows = source if isinstance(source, (list, tuple)) else ()
    parts = [each for row in rows for each in (row if isinstance(row, (list, tuple)) else [row])]
    if any(isinstance(each, str) for each in parts):
        (name,) = arguments(1) or ["x"]
        return (
            f"Give each text a number: names = sorted(set({name})), then "
            f"nd.array([names.index(each) for each in {name}])."
        )
    if getattr(getattr(source, "dtype", None), "kind", "") in ("U", "O") and _is_text(source):
        (name,) = arguments(1) or ["x"]
        return (
            f"Give each text a number: import numpy; names, numbers = numpy.unique({name}, "
            f"return_inverse=True), then nd.array(numbers)."
        )
    lengths = _lengths(source)
    if len(lengths) > 1:
        longest = max(lengths)
        short = next(
            at
            for at, row in enumerate(source)
            if isinstance(row, (list, tuple)) and len(row) < longest
        )
        (name,) = arguments(1) or ["x"]
        return (
            f"Row {short} has {len(source[short])}, others {longest}: add what is missing, or make "
            f"all rows equally long, without None or text, as in [row + [0] * ({longest} - "
            f"len(row)) for row in {name}]."
        )
    return "Make all rows equally long, without None or text."


def _lengths(source: Any) -> list[int]:
    """Return how long the rows of a list of lists are, each length once."""
    rows = source if isinstance(source, (list, tuple)) else ()
    return list(dict.fromkeys(len(row) for row in rows if isinstance(row, (list, tuple))))


def _tensor_of(source: Any, dtype: torch.dtype, ctx: Context) -> Tensor:
    try:
        values = onp.asarray(source)
        if values.dtype == object or (values.dtype.kind == "c" and not dtype.is_complex):
            values = values.astype(onp.object_).astype(onp.float32)
        return tensor_of(values).to(ctx.device, dtype, copy=True)
    except (TypeError, ValueError) as error:
        lengths = _lengths(source)
        told = (
            f"rows of {' and '.join(map(str, lengths))} elements"
            if len(lengths) > 1
            else reason(error)
        )
        msg = (
            f"array: {type(source).__name__} was given ({told}). Expected "
            f"numbers, or lists of equal length of numbers. {_how_to_list(source)}"
        )
        raise DTypeError(msg) from error


def from_numpy(
    ndarray: object,
    zero_copy: bool = True,
    array_cls: type[A] = NDArray,  # type: ignore[assignment]
) -> A:
    """Return an array of a NumPy array's dtype, sharing its memory.

    Parameters
    ----------
    ndarray : numpy.ndarray
        The values; C-contiguous if memory is shared.
    zero_copy : bool, default True
        Whether to share memory; the NumPy array becomes read-only then, as in MXNet.
    array_cls : type, default NDArray
        Class of the result.

    Raises
    ------
    InvalidArgumentError
        Memory is to be shared and the array is not C-contiguous.

    Examples
    --------
    >>> import numpy
    >>> import gluonish as mx
    >>> mx.nd.from_numpy(numpy.arange(3)).dtype
    <class 'numpy.int64'>
    """
    if not isinstance(ndarray, onp.ndarray):
        msg = (
            f"from_numpy: {type(ndarray).__name__} was given. Expected a NumPy array. Write "
            f"nd.array(...) for other data."
        )
        raise DTypeError(msg)
    ctx = Context("cpu", 0)
    if not zero_copy:
        return wrap(torch.tensor(ndarray), ctx, array_cls)
    if not ndarray.flags["C_CONTIGUOUS"]:
        msg = (
            f"from_numpy: an array of shape {ndarray.shape} and strides {ndarray.strides} was "
            f"given. Expected a C-contiguous one to share memory with. Pass "
            f"numpy.ascontiguousarray(x), or zero_copy=False."
        )
        raise InvalidArgumentError(msg)
    if not ndarray.flags.writeable:
        try:  # memory that was shared before is shared again
            ndarray.flags["WRITEABLE"] = True
        except ValueError:  # that of a file, or of text
            return wrap(torch.tensor(ndarray), ctx, array_cls)
    tensor = torch.from_numpy(ndarray)
    ndarray.flags["WRITEABLE"] = False
    return wrap(tensor, ctx, array_cls)


def from_torch(tensor: object) -> NDArray:
    """Return an array that shares memory with a torch tensor.

    Inside `autograd.record()` gradients flow through: what torch computes from `x.tensor` can
    be used on, and `backward()` reaches torch's own leaves.

    Parameters
    ----------
    tensor : torch.Tensor
        The values; on a CPU or a GPU.

    Examples
    --------
    >>> import torch
    >>> import gluonish as mx
    >>> tensor = torch.zeros(2)
    >>> x = mx.nd.from_torch(tensor)
    >>> x[0] = 5
    >>> tensor
    tensor([5., 0.])
    """
    if not isinstance(tensor, Tensor):
        msg = (
            f"from_torch: {type(tensor).__name__} was given. Expected a torch tensor. Write "
            f"nd.array(...) for other data."
        )
        raise DTypeError(msg)
    return wrap(tensor if state.recording else tensor.detach(), context_of(tensor), NDArray)


def from_dlpack(dlpack: Any) -> NDArray:
    """Return an array that shares memory with a DLPack capsule, or an object that makes one.

    Parameters
    ----------
    dlpack : capsule or object with `__dlpack__`
        The memory.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.ones((2,))
    >>> mx.nd.from_dlpack(mx.nd.to_dlpack_for_read(x)).asnumpy()
    array([1., 1.], dtype=float32)
    """
    return from_torch(torch.utils.dlpack.from_dlpack(dlpack))


def to_dlpack_for_read(data: NDArray) -> Any:
    """Return a DLPack capsule of an array's memory, for reading.

    Examples
    --------
    >>> import gluonish as mx
    >>> type(mx.nd.to_dlpack_for_read(mx.nd.ones((2,)))).__name__
    'PyCapsule'
    """
    return data.to_dlpack_for_read()


def to_dlpack_for_write(data: NDArray) -> Any:
    """Return a DLPack capsule of an array's memory, for reading and writing.

    Examples
    --------
    >>> import gluonish as mx
    >>> type(mx.nd.to_dlpack_for_write(mx.nd.ones((2,)))).__name__
    'PyCapsule'
    """
    return data.to_dlpack_for_write()


def onehot_encode(indices: NDArray, out: NDArray) -> NDArray:
    """Write one row with a single 1 for each index into `out`.

    Parameters
    ----------
    indices : NDArray, shape (batch,)
        Position of the 1 in each row.
    out : NDArray, shape (batch, classes)
        Array to write to.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.onehot_encode(mx.nd.array([1, 0]), mx.nd.zeros((2, 3))).asnumpy()
    array([[0., 1., 0.],
           [1., 0., 0.]], dtype=float32)
    """
    if out.ndim != 2 or indices.shape != out.shape[:1]:
        msg = (
            f"onehot_encode: indices of shape {indices.shape} and out of shape {out.shape} were "
            f"given. Expected shapes (batch,) and (batch, classes). Make out with "
            f"nd.zeros((batch, classes))."
        )
        raise ShapeError(msg)
    classes = torch.arange(out.shape[1], device=plain(out).device)
    rows = plain(indices).to(torch.int64).unsqueeze(1) == classes
    assign(out, rows, "onehot_encode")
    return out


def waitall() -> None:
    """Wait until all computations are done; returns at once on a CPU.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.waitall()
    """
    if torch.cuda.is_available() and torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
        for device in range(torch.cuda.device_count()):
            torch.cuda.synchronize(device)
