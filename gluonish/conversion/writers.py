"""Writes arrays that come one at a time, in the formats of others."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import torch

from gluonish.array.dtypes import CODE_OF_DTYPE, dtype_name
from gluonish.conversion.headers import METADATA, TAG_OF_DTYPE
from gluonish.errors import DTypeError, InvalidArgumentError
from gluonish.serialization import container
from gluonish.serialization.elements import byte_view

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import BinaryIO

    from torch import Tensor

    from gluonish.array.sparse_tensor import SparseTensor
    from gluonish.conversion.plans import Array

# Which dtypes MXNet 1.9.1 reads; it knows no others that files may hold.
MXNET_DTYPES: Final = frozenset(
    dtype for dtype, code in CODE_OF_DTYPE.items() if code <= 7 or dtype is torch.bfloat16
)


def write_safetensors(
    stream: BinaryIO,
    arrays: Sequence[Array],
    values: Callable[[Array], Tensor],
    metadata: Mapping[str, str],
) -> None:
    """Write a safetensors file.

    Parameters
    ----------
    stream : BinaryIO
        Open for writing.
    arrays : sequence of Array
        What is written.
    values : callable
        Returns an array's values when its turn has come.
    metadata : dict of str to str
        Texts for the header.
    """
    # The largest elements first, so that all are aligned, as the format's own library does.
    ordered = sorted(arrays, key=lambda array: -array.dtype.itemsize)
    header: dict[str, object] = {METADATA: dict(metadata)}
    offset = 0
    for array in ordered:
        if array.name == METADATA:
            msg = (
                f"Saving array {METADATA!r}: safetensors files keep this name for themselves. "
                f"Expected another name. Rename the array with --rename."
            )
            raise InvalidArgumentError(msg)
        end = offset + array.size
        header[array.name] = {
            "dtype": TAG_OF_DTYPE[array.dtype],
            "shape": list(array.shape),
            "data_offsets": [offset, end],
        }
        offset = end
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    stream.write(len(text).to_bytes(8, "little") + text)
    for array in ordered:
        tensor = values(array)
        if tensor.numel():
            stream.write(byte_view(tensor).numpy().data)


def write_container(
    stream: BinaryIO,
    arrays: Sequence[Array],
    values: Callable[[Array], Tensor | SparseTensor],
    *,
    named: bool,
    np_shape: bool,
) -> None:
    """Write MXNet's container of arrays, as MXNet 1.9.1 reads it.

    Raises
    ------
    DTypeError
        MXNet 1.9.1 does not know a dtype. Nothing was written.
    """
    foreign = [array for array in arrays if array.dtype not in MXNET_DTYPES]
    if foreign:
        first = foreign[0]
        msg = (
            f"Saving array {first.name!r}: its dtype is {dtype_name(first.dtype)}, which MXNet "
            f"1.9.1 cannot read ({len(foreign)} of {len(arrays)} arrays). Expected one of "
            f"{', '.join(sorted(map(dtype_name, MXNET_DTYPES)))}. Convert the arrays where the "
            f"file was made, or choose --to safetensors."
        )
        raise DTypeError(msg)
    container.write_in_turn(
        stream,
        [array.name for array in arrays] if named else [],
        (values(array) for array in arrays),
        len(arrays),
        np_shape=np_shape,
    )


def write_torch(
    stream: BinaryIO, arrays: Sequence[Array], values: Callable[[Array], Tensor], *, named: bool
) -> None:
    """Write a state_dict, or a list if the arrays have no names, as `torch.save` does."""
    tensors = {array.name: values(array) for array in arrays}
    torch.save(tensors if named else list(tensors.values()), stream)


def needs_np_shape(arrays: Sequence[Array]) -> bool:
    """Return whether arrays have shapes that MXNet reads only with NumPy's shapes switched on."""
    return any(0 in array.shape or not array.shape for array in arrays)
