"""Saving and loading of collections of tensors, whatever the format."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, NoReturn, TypeAlias, overload

import torch

from gluonish.array.dtypes import dtype_name
from gluonish.array.sparse_tensor import SparseTensor
from gluonish.errors import FileFormatError
from gluonish.serialization import container, npz_format, safetensors_format
from gluonish.serialization.cursor import Cursor
from gluonish.serialization.files import (
    PathLike,
    Source,
    buffer_source,
    open_source,
    path_text,
    replacing,
    reserve,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.array.sparse_tensor import Stored
    from gluonish.serialization.elements import Tensors

Format: TypeAlias = Literal["container", "safetensors", "npz", "npy"]

_HEAD: Final = 16
_FOREIGN: Final = {
    b"\x80": "a Python pickle, which gluonish never runs. If torch.save() or pickle wrote it, read "
    "it with that and save the arrays anew",
    b"\x1f\x8b": "compressed with gzip. Unpack it first",
    b"\x89HDF": "an HDF5 file. Read it with h5py and save the arrays anew",
    b"{": "JSON text, such as a -symbol.json. The parameters are in the .params file beside it",
}


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
    as_safetensors = path_text(path).endswith(".safetensors")
    with replacing(path) as stream:
        reserve(stream, _value_bytes(data))
        if as_safetensors:
            safetensors_format.write(stream, _dense(data))
        else:
            container.write(stream, data, np_shape=np_shape)


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
    ...     serialization.save(f"{folder}/x.params", {"w": torch.ones(2, 3)})
    ...     serialization.describe(f"{folder}/x.params")
    [Entry(name='w', shape=(2, 3), dtype='float32', format='MXNet V2')]
    """
    with open_source(path) as source:
        kind = detect(source)
        if kind == "container":
            return _describe_container(source)
        if kind == "safetensors":
            return _describe_safetensors(source)
        if kind == "npz":
            headers = npz_format.scan_npz(source.stream, source.size, source.name)
            return [_npy_entry(name, header) for name, header in headers.items()]
        return [_npy_entry(None, npz_format.scan_npy(_cursor(source)))]


def _value_bytes(data: Tensors | Stored) -> int:
    """Return at least how many bytes of a file the tensors take."""
    tensors = data.values() if isinstance(data, dict) else data
    found = (each.values if isinstance(each, SparseTensor) else each for each in tensors)
    return sum(tensor.nbytes for tensor in found if tensor.layout is torch.strided)


def _dense(data: Tensors | Stored) -> Tensors:
    if isinstance(data, dict):
        return {name: _one_dense(value) for name, value in data.items()}
    return [_one_dense(value) for value in data]


def _one_dense(array: torch.Tensor | SparseTensor) -> torch.Tensor:
    return array.dense() if isinstance(array, SparseTensor) else array


def _describe_container(source: Source) -> list[Entry]:
    records, names = container.scan(_cursor(source))
    labels: Sequence[str | None] = names or [None] * len(records)
    return [
        Entry(name, record.shape, dtype_name(record.dtype), record.layout)
        for name, record in zip(labels, records, strict=True)
    ]


def _describe_safetensors(source: Source) -> list[Entry]:
    places = safetensors_format.scan(_cursor(source)).places
    return [
        Entry(name, place.shape, dtype_name(place.dtype), "safetensors")
        for name, place in places.items()
    ]


def _npy_entry(name: str | None, header: npz_format.Header) -> Entry:
    return Entry(name, header.shape, dtype_name(header.dtype), "npy")


@overload
def load_source(source: Source) -> Tensors: ...
@overload
def load_source(source: Source, *, keeps_sparse: bool) -> Tensors | Stored: ...


def load_source(source: Source, *, keeps_sparse: bool = False) -> Tensors | Stored:
    """Read tensors from an open source in any format that gluonish knows; see `load`."""
    kind = detect(source)
    if kind == "container":
        return container.read(_cursor(source), keeps_sparse=keeps_sparse)
    if kind == "npz":
        return npz_format.read_npz(source.stream, source.size, source.name)
    if kind == "npy":
        return [npz_format.read_npy(_cursor(source))]
    return safetensors_format.read(_cursor(source))[0]


def _cursor(source: Source) -> Cursor:
    return Cursor(source.stream, source.size, source.name, maps=source.path is not None)


def detect(source: Source) -> Format:
    """Return the format of a stream at its beginning, and leave it there."""
    head = source.stream.read(_HEAD)
    source.stream.seek(0)
    if head[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        return "npz"
    if head[:6] == b"\x93NUMPY":
        return "npy"
    if head[8:9] == b"{":
        return "safetensors"
    if head[:8] == container.MAGIC.to_bytes(8, "little"):
        return "container"
    return _refuse_unknown(source, head)


def _refuse_unknown(source: Source, head: bytes) -> NoReturn:
    found = "empty" if not head else f"of no known format (it begins with {head[:8]!r})"
    fix = "It may be damaged; save, copy or download it again."
    for start, what in _FOREIGN.items():
        if head.startswith(start):
            found, _, fix = what.partition(". ")
            fix += "."
    msg = (
        f"Loading {source.name!r}: the file is {found}. "
        f"Expected MXNet's NDArray container, safetensors, .npz or .npy. {fix}"
    )
    raise FileFormatError(msg)
