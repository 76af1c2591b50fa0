"""MXNet's NDArray list container, the layout of its `.params` files."""

from __future__ import annotations

import io
import struct
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

import torch
from typing_extensions import override

from gluonish.array.core import above
from gluonish.array.dtypes import CODE_OF_DTYPE, DTYPE_OF_CODE
from gluonish.array.sparse_tensor import SparseTensor
from gluonish.errors import FileFormatError, InvalidArgumentError
from gluonish.serialization.cursor import Cursor
from gluonish.serialization.elements import (
    MAX_NDIM,
    byte_size,
    byte_view,
    check_dtype,
    has_foreign_bool,
    shape_problem,
    stored_form,
)
from gluonish.serialization.formats import ArrayFormat, Arrays, Item, Target, content_of
from gluonish.serialization.packing import dense_problem

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import BinaryIO

    from torch import Tensor

    from gluonish.array.sparse_tensor import Stored
    from gluonish.serialization.elements import Tensors
    from gluonish.serialization.formats import Content

_MAGIC: Final = 0x112
_VERSION_OF_MAGIC: Final = {0xF993FAC8: 1, 0xF993FAC9: 2, 0xF993FACA: 3}
_V2_MAGIC: Final = 0xF993FAC9
_V3_MAGIC: Final = 0xF993FACA
_DENSE, _ROW_SPARSE, _CSR = 0, 1, 2
_STORAGE_NAMES: Final = {_DENSE: "default", _ROW_SPARSE: "row_sparse", _CSR: "csr"}
_DEVICE_TYPES: Final = (1, 2, 3, 5)
_CPU: Final = 1
_SMALLEST_RECORD: Final = 4


class _Record(NamedTuple):
    """What a file says of one array, and where its values are.

    Attributes
    ----------
    version : int
        Layout of the record, 0 to 3.
    storage : int
        0 dense, 1 row_sparse, 2 csr.
    shape : tuple of int
        Shape of the array.
    dtype : torch.dtype
        Type of its values.
    aux : tuple of (torch.dtype, int)
        Type and length of each index array of a sparse one.
    offset : int
        Where the values begin in the file, in bytes.
    """

    version: int
    storage: int
    shape: tuple[int, ...]
    dtype: torch.dtype
    aux: tuple[tuple[torch.dtype, int], ...]
    offset: int

    @property
    def layout(self) -> str:
        """Name of the layout for people, such as `'MXNet V2 csr'`."""
        kind = "" if self.storage == _DENSE else f" {_STORAGE_NAMES[self.storage]}"
        return f"MXNet V{self.version}{kind}"

    @property
    def values_shape(self) -> tuple[int, ...]:
        """Shape of the values that are stored."""
        if self.storage == _DENSE:
            return self.shape
        # The storage shape in the file can be stale, the lengths of the indices never are.
        return (self.aux[-1][1], *(self.shape[1:] if self.storage == _ROW_SPARSE else ()))

    @property
    def stored_bytes(self) -> int:
        """Number of bytes of the values and of all index arrays."""
        values = byte_size(self.values_shape, self.dtype)
        if not self.aux:
            return values
        return values + sum(count * dtype.itemsize for dtype, count in self.aux)


class Container(ArrayFormat):
    """MXNet's container; byte for byte as MXNet 1.9.1 writes it."""

    title = "MXNet parameters"
    spelled = "MXNet's NDArray container"
    target = Target("mxnet", ".params", "what MXNet 1.9.1 reads: .params, -symbol.json, .states")
    ends = (".params", ".nd")
    holds_sparse = True
    tells_names = True
    writers: ClassVar[Mapping[str, str]] = {
        "MXNet V0": "MXNet 0.10 or older",
        "MXNet V1": "MXNet 0.11",
        "MXNet V2": "MXNet 0.12 to 1.9, or gluonish",
        "MXNet V3": "MXNet 1.5 or newer in NumPy mode, or gluonish",
    }

    @override
    def begins(self, head: bytes, name: str) -> bool:
        return head[:8] == _MAGIC.to_bytes(8, "little") and head[8:9] != b"{"

    @override
    def scan(self, cursor: Cursor, *, partial: bool = False) -> Arrays:
        records: list[_Record] = []
        names: list[str] = []
        damage = None
        try:
            names = _scan(cursor, records)
        except FileFormatError as error:
            if not partial:
                raise
            damage = error
        labels = names or [str(number) for number in range(len(records))]
        items = [
            Item(
                label,
                record.shape,
                record.dtype,
                _STORAGE_NAMES[record.storage],
                record.layout,
                record.stored_bytes,
                record.offset,
            )
            for label, record in zip(labels, records, strict=True)
        ]

        def read(position: int, keeps_sparse: bool) -> Tensor | SparseTensor:
            cursor.label = f"array {position}" + (f" ({names[position]!r})" if names else "")
            cursor.seek(records[position].offset)
            return (_read_stored if keeps_sparse else _read)(cursor, records[position])

        return Arrays(cursor.source, items, read, bool(names), damage=damage)

    @override
    def write(self, stream: BinaryIO, content: Content) -> None:
        """Write a container; V3 records hold no sparse arrays, which are V2 in any case."""
        encoded = [_encode_name(item.name) for item in content.items] if content.named else []
        stream.write(struct.pack("<QQQ", _MAGIC, 0, len(content.items)))
        magic = _V3_MAGIC if content.np_shape else _V2_MAGIC
        for position in range(len(content.items)):
            array = content.values(position)
            if isinstance(array, SparseTensor):
                _write_sparse(stream, array)
            else:
                _write_record(stream, array, magic)
        stream.write(struct.pack("<Q", len(encoded)))
        for name in encoded:
            stream.write(struct.pack("<Q", len(name)) + name)


def write(stream: BinaryIO, data: Tensors | Stored, *, np_shape: bool) -> None:
    """Write a container of arrays in memory.

    Parameters
    ----------
    stream : BinaryIO
        Open for writing.
    data : list or dict of Tensor or SparseTensor
        The arrays.
    np_shape : bool
        Whether to write V3 records (NumPy semantics) instead of V2.

    Raises
    ------
    DTypeError
        A dtype has no code in the format. Nothing was written.
    InvalidArgumentError
        A name cannot be stored. Nothing was written.
    """
    Container().write(stream, content_of(data, np_shape=np_shape))


def read_record(cursor: Cursor) -> Tensor:
    """Read one record that stands alone, as in a pickled array of MXNet.

    Raises
    ------
    FileFormatError
        The record is damaged, or more bytes follow it.
    """
    record = _scan_record(cursor)
    if cursor.left:
        cursor.refuse(f"{cursor.left} bytes follow the array; expected the end of its record")
    cursor.seek(record.offset)
    return _read(cursor, record)


def _unpickled(data: bytes) -> Tensor:
    return read_record(Cursor(io.BytesIO(data), len(data), "a pickled array"))


above.unpickled = _unpickled


def write_record(stream: BinaryIO, tensor: Tensor, *, np_shape: bool) -> None:
    """Write one record that stands alone, as in a pickled array of MXNet.

    Raises
    ------
    DTypeError
        The dtype has no code in the format.
    """
    check_dtype(tensor, "an array")
    _write_record(stream, tensor, _V3_MAGIC if np_shape else _V2_MAGIC)


def _write_record(stream: BinaryIO, tensor: Tensor, magic: int) -> None:
    ndim, code = tensor.dim(), CODE_OF_DTYPE[tensor.dtype]
    stream.write(struct.pack(f"<Iii{ndim}qiii", magic, _DENSE, ndim, *tensor.shape, _CPU, 0, code))
    if tensor.numel():
        stream.write(byte_view(stored_form(tensor)).numpy().data)


def _write_sparse(stream: BinaryIO, array: SparseTensor) -> None:
    aux = [array.indices] if array.indptr is None else [array.indptr, array.indices]
    aux = [stored_form(indices.long()) for indices in aux]
    storage = _ROW_SPARSE if array.indptr is None else _CSR
    stream.write(struct.pack("<Ii", _V2_MAGIC, storage))
    for shape in (array.values.shape, array.shape):
        stream.write(struct.pack(f"<i{len(shape)}q", len(shape), *shape))
    stream.write(struct.pack("<iii", _CPU, 0, CODE_OF_DTYPE[array.dtype]))
    for indices in aux:
        stream.write(struct.pack("<iiq", CODE_OF_DTYPE[indices.dtype], 1, indices.numel()))
    for tensor in (stored_form(array.values), *aux):
        if tensor.numel():
            stream.write(byte_view(tensor).numpy().data)


def _encode_name(name: str) -> bytes:
    try:
        encoded = name.encode()
    except UnicodeEncodeError:
        encoded = b"\0"
    if b"\0" in encoded:
        msg = (
            f"Saving array {name!r}: the name cannot be stored. Expected text of valid Unicode "
            f"without NUL characters. Give the array another name."
        )
        raise InvalidArgumentError(msg)
    return encoded


def _scan(cursor: Cursor, records: list[_Record]) -> list[str]:
    """Read and check everything but the values; put records into a list, and return the names."""
    magic, _, count = cursor.unpack("QQQ", "the header")
    if magic != _MAGIC:
        cursor.refuse(f"the file begins with {magic:#x}; expected {_MAGIC:#x}")
    if count > cursor.left // _SMALLEST_RECORD:
        cursor.refuse(
            f"{count} arrays are announced; expected at most {cursor.left // _SMALLEST_RECORD} "
            f"in the {cursor.left} bytes that are left"
        )
    for number in range(count):
        cursor.label = f"array {number}"
        records.append(_scan_record(cursor))
    names = _scan_names(cursor, count)
    if cursor.left:
        cursor.refuse(f"{cursor.left} bytes follow the last name; expected the end of the file")
    return names


def _scan_record(cursor: Cursor) -> _Record:
    (word,) = cursor.unpack("I", "the version")
    version = _VERSION_OF_MAGIC.get(word, 0)
    if version >= 2:
        return _scan_modern(cursor, version)
    if version == 0 and word > MAX_NDIM:
        cursor.refuse(
            f"the record begins with {word:#x}; expected the mark of a version, "
            f"or 0 to {MAX_NDIM} dimensions"
        )
    shape = _scan_shape(cursor) if version else _scan_dims(cursor, word, "I")
    if not shape:
        cursor.refuse("the array was saved before it had a value; expected a shape and values")
    dtype = _scan_device_and_dtype(cursor)
    return _checked(cursor, _Record(version, _DENSE, shape, dtype, (), cursor.offset))


def _scan_modern(cursor: Cursor, version: int) -> _Record:
    storage, ndim = cursor.unpack("ii", "the storage type and the number of dimensions")
    if storage not in _STORAGE_NAMES:
        cursor.refuse(f"the storage type is {storage}; expected 0, 1 or 2")
    if storage == _DENSE:
        shape = _scan_dims(cursor, ndim, "q")
        dtype = _scan_device_and_dtype(cursor)
        return _checked(cursor, _Record(version, _DENSE, shape, dtype, (), cursor.offset))
    if version == 3:
        cursor.refuse(f"a V3 record has storage type {storage}; expected 0, since V3 is dense only")
    stored = _scan_dims(cursor, ndim, "q")
    shape = _scan_shape(cursor)
    if len(shape) != 2 if storage == _CSR else storage == _ROW_SPARSE and not shape:
        cursor.refuse(
            f"a {_STORAGE_NAMES[storage]} array has shape {shape}; "
            f"expected {'2 dimensions' if storage == _CSR else 'at least 1 dimension'}"
        )
    dtype = _scan_device_and_dtype(cursor)
    aux = tuple(_scan_aux(cursor) for _ in range(storage))
    record = _Record(version, storage, shape, dtype, aux, cursor.offset)
    _check_sparse(cursor, record, stored)
    return _checked(cursor, record)


def _check_sparse(cursor: Cursor, record: _Record, stored: tuple[int, ...]) -> None:
    shape = record.shape
    if record.storage == _CSR and record.aux[0][1] != shape[0] + 1:
        cursor.refuse(
            f"indptr has {record.aux[0][1]} entries; expected {shape[0] + 1} for {shape[0]} rows"
        )
    expected = record.values_shape
    if stored not in (expected, (0, *expected[1:])):
        cursor.refuse(f"the stored values have shape {stored}; expected {expected}")


def _checked(cursor: Cursor, record: _Record) -> _Record:
    """Check a record whose values begin at the cursor, and pass over these."""
    cursor.check(shape_problem(record.shape, record.dtype))
    size = record.stored_bytes
    if size > cursor.left:
        cursor.need(size, f"an array of shape {record.shape}")
    cursor.seek(cursor.offset + size)
    return record


def _scan_shape(cursor: Cursor) -> tuple[int, ...]:
    (ndim,) = cursor.unpack("i", "the number of dimensions")
    return _scan_dims(cursor, ndim, "q")


def _scan_dims(cursor: Cursor, ndim: int, code: str) -> tuple[int, ...]:
    if not 0 <= ndim <= MAX_NDIM:
        cursor.refuse(f"the number of dimensions is {ndim}; expected 0 to {MAX_NDIM}")
    shape = cursor.unpack(f"{ndim}{code}", "the shape")
    if any(dim < 0 for dim in shape):
        cursor.refuse(f"the shape is {shape}; expected no negative dimension")
    return shape


def _scan_device_and_dtype(cursor: Cursor) -> torch.dtype:
    device, _, code = cursor.unpack("iii", "device and dtype")
    if device not in _DEVICE_TYPES:
        cursor.refuse(f"the device type is {device}; expected 1, 2, 3 or 5")
    return _dtype(cursor, code)


def _dtype(cursor: Cursor, code: int) -> torch.dtype:
    if code not in DTYPE_OF_CODE:
        cursor.refuse(f"the dtype code is {code}; expected 0 to {max(DTYPE_OF_CODE)}")
    return DTYPE_OF_CODE[code]


def _scan_aux(cursor: Cursor) -> tuple[torch.dtype, int]:
    (code,) = cursor.unpack("i", "the dtype of the indices")
    dtype = _dtype(cursor, code)
    if dtype not in (torch.int32, torch.int64):
        cursor.refuse(f"the dtype code of the indices is {code}; expected 4 (int32) or 6 (int64)")
    shape = _scan_shape(cursor)
    if len(shape) != 1:
        cursor.refuse(f"the indices have shape {shape}; expected one dimension")
    return dtype, shape[0]


def _scan_names(cursor: Cursor, count: int) -> list[str]:
    cursor.label = "names"
    (name_count,) = cursor.unpack("Q", "the number of names")
    if name_count not in (0, count):
        cursor.refuse(f"{name_count} names are announced; expected 0 or {count}")
    names: dict[str, None] = {}
    for number in range(name_count):
        cursor.label = f"name {number}"
        (length,) = cursor.unpack("Q", "the length of the name")
        name = _decode_name(cursor, cursor.take(length, "the name"))
        if name in names:
            cursor.refuse(f"the name {name!r} occurs twice; expected distinct names")
        names[name] = None
    return list(names)


def _decode_name(cursor: Cursor, encoded: bytes) -> str:
    try:
        name = encoded.decode()
    except UnicodeDecodeError:
        cursor.refuse(f"the name is {encoded[:40]!r}; expected UTF-8")
    if "\0" in name:
        cursor.refuse(f"the name is {name[:40]!r}; expected no NUL character")
    return name


def _read(cursor: Cursor, record: _Record) -> Tensor:
    """Return the array of a record, dense."""
    if record.storage != _DENSE:
        cursor.check(dense_problem(record.shape, record.dtype, record.stored_bytes))
    array = _read_stored(cursor, record)
    return array.dense() if isinstance(array, SparseTensor) else array


def _read_stored(cursor: Cursor, record: _Record) -> Tensor | SparseTensor:
    """Return the array of a record, at whose values the cursor stands, sparse if it is."""
    if record.storage == _DENSE:
        values = cursor.values(record.shape, record.dtype, "the values")
    else:
        values = cursor.tensor(record.values_shape, record.dtype, "the values")
    if has_foreign_bool(values):
        cursor.seek(record.offset)
        cursor.refuse("a bool is stored as a byte above 1; expected 0 or 1")
    if record.storage == _DENSE:
        return values
    aux = [cursor.tensor((count,), dtype, "the indices") for dtype, count in record.aux]
    array = SparseTensor(record.shape, values, aux[-1], *aux[:-1])
    cursor.check(array.problem())
    return array
