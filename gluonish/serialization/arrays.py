"""Saving and loading of collections of tensors, whatever the format."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, NamedTuple, overload

import torch

from gluonish.array.dtypes import dtype_name
from gluonish.array.sparse_tensor import SparseTensor
from gluonish.serialization import container
from gluonish.serialization.files import buffer_source, open_source, replacing, reserve
from gluonish.serialization.formats import content_of
from gluonish.serialization.kinds import format_to_load, format_to_save

if TYPE_CHECKING:
    from gluonish.array.sparse_tensor import Stored
    from gluonish.serialization.elements import Tensors
    from gluonish.serialization.files import PathLike, Source


class Entry(NamedTuple):
    """One array of a file; `name` is None in a file that holds a list."""

    name: str | None
    shape: tuple[int, ...]
    dtype: str
    format: str


def save(path: PathLike, data: Tensors | Stored, np_shape: bool = False) -> None:
    """Write tensors to a file, as a whole or not at all.

    Parameters
    ----------
    path : str or os.PathLike
        File or URL. A name that ends in `.safetensors` gives a safetensors file, any other name
        MXNet's container.
    data : list or dict of Tensor or SparseTensor
        The arrays, which are stored without device; sparse ones dense in a safetensors file.
    np_shape : bool, default False
        Whether to write the container's V3 records (NumPy semantics) instead of V2.

    Raises
    ------
    FileAccessError
        The file cannot be written. An old file of that name stays as it was.
    DTypeError
        A dtype that files do not hold.
    InvalidArgumentError
        A name that files do not hold.

    Examples
    --------
    >>> import tempfile, torch
    >>> from gluonish import serialization
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     serialization.save(f"{folder}/x.params", {"w": torch.ones(2)})
    ...     serialization.load(f"{folder}/x.params")
    {'w': tensor([1., 1.])}
    """
    content = content_of(data, np_shape=np_shape)
    with replacing(path) as stream:
        reserve(stream, _value_bytes(data))
        format_to_save(path).write(stream, content)


@overload
def load(path: PathLike) -> Tensors: ...
@overload
def load(path: PathLike, *, keeps_sparse: bool) -> Tensors | Stored: ...


def load(path: PathLike, *, keeps_sparse: bool = False) -> Tensors | Stored:
    """Read tensors from a file in any format that gluonish knows; the name does not matter.

    Parameters
    ----------
    path : str or os.PathLike
        File or URL: MXNet's container, safetensors, `.npz` or `.npy`.
    keeps_sparse : bool, default False
        Whether sparse arrays stay sparse: they come as `SparseTensor`.

    Returns
    -------
    list of Tensor or dict of str to Tensor
        Tensors in CPU memory. A list if the file holds no names. The values of a large local file
        are mapped: they are read when they are used, and what is written to them stays here.

    Raises
    ------
    MissingFileError
        There is no such file.
    FileAccessError
        The file cannot be read.
    FileFormatError
        The file is damaged or in another format.

    Examples
    --------
    >>> import tempfile, torch
    >>> from gluonish import serialization
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     serialization.save(f"{folder}/x.nd", [torch.zeros(1)])
    ...     serialization.load(f"{folder}/x.nd")
    [tensor([0.])]
    """
    with open_source(path, entire=True) as source:
        return load_source(source, keeps_sparse=keeps_sparse)


def save_bytes(data: Tensors | Stored, np_shape: bool = False) -> bytes:
    """Return MXNet's container of the tensors as bytes.

    Examples
    --------
    >>> import torch
    >>> from gluonish import serialization
    >>> len(serialization.save_bytes([torch.ones(2)]))
    72
    """
    stream = io.BytesIO()
    container.write(stream, data, np_shape=np_shape)
    return stream.getvalue()


@overload
def load_bytes(data: bytes | bytearray | memoryview) -> Tensors: ...
@overload
def load_bytes(data: bytes | bytearray | memoryview, *, keeps_sparse: bool) -> Tensors | Stored: ...


def load_bytes(
    data: bytes | bytearray | memoryview, *, keeps_sparse: bool = False
) -> Tensors | Stored:
    """Read tensors from bytes in any format that gluonish knows; see `load`.

    Raises
    ------
    FileFormatError
        The bytes are damaged or in another format.

    Examples
    --------
    >>> import torch
    >>> from gluonish import serialization
    >>> serialization.load_bytes(serialization.save_bytes([torch.ones(2)]))
    [tensor([1., 1.])]
    """
    return load_source(buffer_source(data), keeps_sparse=keeps_sparse)


def describe(path: PathLike) -> list[Entry]:
    """Return name, shape, dtype and format of every array in a file, without reading values.

    Raises
    ------
    FileFormatError
        The file is damaged or in another format; `load` may raise more.

    Examples
    --------
    >>> import tempfile, torch
    >>> from gluonish import serialization
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     serialization.save(f"{folder}/x.params", {"w": torch.ones(2, 3)})
    ...     serialization.describe(f"{folder}/x.params")
    [Entry(name='w', shape=(2, 3), dtype='float32', format='MXNet V2')]
    """
    with open_source(path) as source:
        arrays = format_to_load(source).scan(source.cursor(maps=True))
        return [
            Entry(
                item.name if arrays.named else None, item.shape, dtype_name(item.dtype), item.layout
            )
            for item in arrays.items
        ]


def load_source(source: Source, *, keeps_sparse: bool) -> Tensors | Stored:
    """Read tensors from an open source in any format that gluonish knows; see `load`."""
    arrays = format_to_load(source).scan(source.cursor(maps=True))
    return arrays.load_stored() if keeps_sparse else arrays.load()


def _value_bytes(data: Tensors | Stored) -> int:
    """Return at least how many bytes of a file the tensors take."""
    tensors = data.values() if isinstance(data, dict) else data
    found = (each.values if isinstance(each, SparseTensor) else each for each in tensors)
    return sum(tensor.nbytes for tensor in found if tensor.layout is torch.strided)
