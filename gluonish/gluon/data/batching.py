"""Batchify functions: how the samples of a batch become arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp
import torch
import torch.utils.data

from gluonish.array import NDArray, ndarray, wrap
from gluonish.array.dtypes import tensor_of
from gluonish.array.tensors import plain
from gluonish.context import Context, current_context, is_np_array
from gluonish.errors import DTypeError, ShapeError
from gluonish.errors.arguments import value_text
from gluonish.errors.program_datasets import as_tuple
from gluonish.errors.wording import listed
from gluonish.hybrid.structure import map_arrays
from gluonish.process.torch_names import shared_tensor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

__all__ = ["default_batchify_fn", "default_mp_batchify_fn", "from_numpy"]

_SHARED = Context("cpu_shared", 0)


def default_batchify_fn(data: Sequence[Any]) -> Any:
    """Stack samples into one array, part by part where samples are tuples.

    Parameters
    ----------
    data : sequence
        Samples: arrays of one shape, numbers, lists of numbers, or tuples of these.

    Returns
    -------
    NDArray or list
        One array with a row for each sample; for tuples a list with one of them for each part.
        Of class `np.ndarray` where the samples are, or after `npx.set_np()`.

    Raises
    ------
    ShapeError
        Shapes differ.
    DTypeError
        A part is no number, such as a string.

    Examples
    --------
    >>> from gluonish.gluon.data.dataloader import default_batchify_fn
    >>> numbers, halves = default_batchify_fn([(1, 2.5), (3, 4.5)])
    >>> print(halves)
    <BLANKLINE>
    [2.5 4.5]
    <NDArray 2 @cpu(0)>
    """
    return _stack(data, None)


def default_mp_batchify_fn(data: Sequence[Any]) -> Any:
    """Stack samples as `default_batchify_fn`, on the context `cpu_shared(0)`; workers use it.

    Examples
    --------
    >>> from gluonish.gluon.data.dataloader import default_mp_batchify_fn
    >>> default_mp_batchify_fn([1, 3]).context
    cpu_shared(0)
    """
    return _stack(data, _SHARED)


_AS_TUPLE = (
    "Have the dataset's __getitem__ return a tuple of them, as in return data, label, or "
    "dataset.transform(lambda sample: (sample['data'], sample['label']))"
)


def from_numpy(values: onp.ndarray[Any, Any], ctx: Context | None = None) -> NDArray:
    """Return an array of gluon's default class around the memory of a NumPy array."""
    try:
        tensor = tensor_of(values)
    except TypeError:
        shown = f", such as {value_text(values.flat[:1].tolist()[0])}," if values.size else ""
        msg = (
            f"batchify: data of NumPy dtype {values.dtype}{shown} cannot become an array. Expected "
            f"numbers of one shape. {as_tuple() or _AS_TUPLE}; a batchify_fn of the DataLoader "
            f"joins any other samples."
        )
        raise DTypeError(msg) from None
    cls = ndarray if is_np_array() else NDArray
    return wrap(tensor, current_context() if ctx is None else ctx, cls)


def to_shared(data: Any) -> Any:
    """Return a batch with its arrays on `cpu_shared(0)`, as what comes from a worker has them."""
    return map_arrays(_shared, data)


def _shared(array: NDArray) -> NDArray:
    if array.context is _SHARED or array.stype != "default":
        return array
    return wrap(plain(array), _SHARED, type(array))


def _stack(data: Sequence[Any], ctx: Context | None, parts: int = 1) -> Any:
    first = data[0]
    if isinstance(first, NDArray):
        return _stack_arrays(data, ctx, parts)
    if isinstance(first, tuple):
        return [_stack(part, ctx, len(first)) for part in _parts(data)]
    if any(sample is None for sample in data):
        raise _missing([sample is None for sample in data])
    try:
        values = onp.asarray(data)
    except ValueError:
        raise _unstackable(data, parts) from None
    return from_numpy(values, ctx or Context("cpu", 0))


def _unstackable(data: Sequence[Any], parts: int) -> ShapeError | DTypeError:
    try:
        shapes = [onp.shape(sample) for sample in data]
    except ValueError:
        msg = (
            f"batchify: a sample is {value_text(data[0])}, whose parts have several shapes. "
            f"Expected arrays, numbers, or a tuple of these. Have the dataset's __getitem__ return "
            f"a tuple, as in return data, label; gluon.data.ArrayDataset(data, label) does."
        )
        return DTypeError(msg)
    return _unequal(shapes, parts)


def _missing(are_none: Sequence[bool]) -> DTypeError:
    msg = (
        f"batchify: sample {are_none.index(True)} of a batch is None. Expected arrays or numbers. "
        f"If the dataset's __getitem__ or a transform gave it, that ends without return: write "
        f"return, or leave samples out by dataset.filter(function)."
    )
    return DTypeError(msg)


def _stack_arrays(data: Sequence[NDArray], ctx: Context | None, parts: int) -> NDArray:
    if any(sample is None for sample in data):
        raise _missing([sample is None for sample in data])
    tensors = [plain(array) for array in data]
    try:
        stacked = torch.stack(tensors, out=_room_for(tensors))
    except RuntimeError:
        raise _unequal([array.shape for array in data], parts) from None
    return wrap(stacked, data[0].context if ctx is None else ctx, type(data[0]))


def _room_for(tensors: Sequence[Tensor]) -> Tensor | None:
    """Return where a worker process puts a batch, so that it need not be copied to be sent."""
    first = tensors[0]
    if torch.utils.data.get_worker_info() is None or first.is_cuda:
        return None
    if any(tensor.dtype is not first.dtype for tensor in tensors):
        return None
    return shared_tensor((len(tensors), *first.shape), first.dtype)


def _parts(data: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    lengths = sorted({len(sample) for sample in data})
    if len(lengths) > 1:
        msg = (
            f"batchify: samples are tuples of {', '.join(map(str, lengths))} parts. Expected the "
            f"same number of parts in every sample of a batch. Mend the dataset's __getitem__."
        )
        raise ShapeError(msg)
    return list(zip(*data, strict=True))


def _padding(kinds: list[tuple[int, ...]], parts: int) -> str:
    """Return how rows are padded, where samples are rows, or a row and something else."""
    if parts > 2 or any(len(kind) != 1 for kind in kinds):
        return ""
    rows = "mx.nd.array([numpy.pad(r, (0, max(map(len, rows)) - len(r))) for r in rows])"
    if parts == 1:
        return f", with import numpy: batchify_fn=lambda rows: {rows}"
    return (
        f" to the longest: batchify_fn=pad, with\n\ndef pad(samples):\n    import numpy\n"
        f"    rows, others = zip(*samples)\n    return {rows}, mx.nd.array(others)"
    )


def _how_to_resize(shapes: list[tuple[int, ...]]) -> str:
    """Return how samples get one shape: pictures by a transform of theirs."""
    if all(len(each) == 3 and each[0] in (1, 3) for each in shapes):
        height, width = shapes[0][1:]
        return f"Write transforms.Resize(({width}, {height})) before transforms.ToTensor()"
    return "Resize or pad them in transform()"


def _unequal(shapes: list[tuple[int, ...]], parts: int) -> ShapeError:
    kinds = sorted(set(shapes))
    msg = (
        f"batchify: samples of shapes {listed(kinds)} cannot be stacked. Expected one shape in a "
        f"batch. {_how_to_resize(kinds)}, or give the DataLoader a batchify_fn that "
        f"pads{_padding(kinds, parts)}"
    )
    msg += "" if "\n" in msg else "."
    return ShapeError(msg)
