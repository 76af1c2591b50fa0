"""Reader of NumPy's `.npy` and `.npz` files, which MXNet 2.0 writes as parameter files."""

from __future__ import annotations

import io
import re
import struct
import sys
import zipfile
import zlib
from typing import TYPE_CHECKING, Final, NamedTuple

import torch
from typing_extensions import override

from gluonish.array.dtypes import BFLOAT16, CODE_OF_DTYPE, dtype_name, numpy_dtype
from gluonish.array.sparse_tensor import SparseTensor
from gluonish.errors import FileFormatError
from gluonish.serialization.cursor import Cursor, refuse
from gluonish.serialization.elements import (
    MAX_NDIM,
    byte_size,
    byte_view,
    has_foreign_bool,
    shape_problem,
)
from gluonish.serialization.formats import (
    NUMPY,
    ZIP,
    ArrayFormat,
    Arrays,
    arrays_at_once,
)
from gluonish.serialization.npz_rescue import whole_arrays
from gluonish.serialization.packing import dense_problem, growth_problem

if TYPE_CHECKING:
    from collections.abc import Container
    from typing import BinaryIO

    from torch import Tensor

    from gluonish.serialization.formats import Start

_DTYPE_OF_TAG: Final = {
    str(found) if found is BFLOAT16 else found.str[1:]: dtype
    for dtype, found in ((dtype, numpy_dtype(dtype)) for dtype in CODE_OF_DTYPE)
}
# The header is the text of a Python dict; this is all of it that NumPy and MXNet write.
_HEADER_TEXT: Final = re.compile(
    r"\{'descr': ?(?P<descr>'[^']*'|\[.*\]), ?'fortran_order': ?(?P<fortran>True|False), ?"
    r"'shape': ?\((?P<shape>(?:\d+L?, ?)*(?:\d+L?)?) ?\),? ?\}\s*"
)
_LENGTH_BYTES: Final = {(1, 0): 2, (2, 0): 4, (3, 0): 4}
_MAX_HEADER: Final = 2**16
_MAX_DIGITS: Final = 20
_INDEX_DTYPES: Final = (torch.int32, torch.int64)
_STORAGES: Final = {b"row_sparse": "row_sparse", b"csr": "csr"}
_DEFLATE_LIMIT: Final = 1040  # RFC 1951: at most 258 bytes from two bits, 1032 to 1 and a little
# What zipfile lets through when the numbers in an archive are wrong.
_ZIP_ERRORS: Final = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
)
_FOREIGN_ZIP: Final = "Expected an .npz file, whose members are .npy files."
_OF_TORCH: Final = (
    "Expected parameters of MXNet or gluonish, or an .npz file. Write them anew: state = "
    "torch.load(file), then nd.save('new.params', {name: nd.from_torch(tensor) for name, "
    "tensor in state.items()})."
)


class _Header(NamedTuple):
    """What an `.npy` file says of its array."""

    shape: tuple[int, ...]
    dtype: torch.dtype
    swapped: bool
    fortran: bool


class Npy(ArrayFormat):
    """One array of NumPy."""

    title = "NumPy array"
    spelled = ".npy"

    @override
    def begins(self, head: bytes, name: str) -> bool:
        return head.startswith(NUMPY)

    @override
    def scan(self, cursor: Cursor, *, partial: bool = False) -> Arrays:
        return arrays_at_once(cursor.source, [read_npy(cursor)], "npy")


def read_npy(cursor: Cursor) -> Tensor:
    """Read one `.npy` file.

    Raises
    ------
    FileFormatError
        The file is damaged, or holds something else than numbers.
    """
    header = _scan_npy(cursor)
    shape = header.shape[::-1] if header.fortran else header.shape
    tensor = cursor.values(shape, header.dtype, "the values")
    if cursor.left:
        cursor.refuse(f"{cursor.left} bytes follow the values; expected the end of the file")
    if has_foreign_bool(tensor):
        cursor.refuse("a bool is stored as a byte above 1; expected 0 or 1")
    if header.swapped and tensor.numel():
        swapped = byte_view(tensor).reshape(-1, header.dtype.itemsize).flip(1).contiguous()
        tensor = swapped.view(header.dtype).reshape(shape)
    if header.fortran:
        tensor = tensor.permute(*reversed(range(tensor.dim()))).contiguous()
    return tensor


def _scan_npy(cursor: Cursor) -> _Header:
    """Read and check the header of an `.npy` file; the cursor then stands at the values."""
    cursor.label = "header"
    version = cursor.take(8, "the header")[6:]
    if tuple(version) not in _LENGTH_BYTES:
        cursor.refuse(f"the version of .npy is {tuple(version)}; expected (1, 0), (2, 0) or (3, 0)")
    length_bytes = cursor.take(_LENGTH_BYTES[version[0], version[1]], "the header")
    length = int.from_bytes(length_bytes, "little")
    if length > _MAX_HEADER:
        cursor.refuse(f"the header announces {length} bytes; expected at most {_MAX_HEADER}")
    text = cursor.take(length, "the header").decode("latin-1")
    match = _HEADER_TEXT.fullmatch(text)
    if match is None:
        cursor.refuse(f"the header is {text[:80]!r}; expected descr, fortran_order and shape")
    shape = _parse_shape(cursor, match["shape"])
    order, dtype = _parse_dtype(cursor, match["descr"])
    header = _Header(shape, dtype, order != sys.byteorder, match["fortran"] == "True")
    cursor.check(shape_problem(header.shape, header.dtype))
    cursor.need(byte_size(header.shape, header.dtype), f"an array of shape {shape}")
    return header


def _parse_shape(cursor: Cursor, text: str) -> tuple[int, ...]:
    dims = [dim.strip().removesuffix("L") for dim in text.split(",") if dim.strip()]
    if len(dims) > MAX_NDIM or any(len(dim) > _MAX_DIGITS for dim in dims):
        cursor.refuse(
            f"the shape is ({text[:80]}); expected at most {MAX_NDIM} dimensions "
            f"of at most {_MAX_DIGITS} digits"
        )
    return tuple(map(int, dims))


def _parse_dtype(cursor: Cursor, text: str) -> tuple[str, torch.dtype]:
    tag = text.strip("'")
    order = "big" if tag[:1] == ">" else "little"
    dtype = _DTYPE_OF_TAG.get(tag[1:] if tag[:1] in ("<", ">", "|") else tag)
    if dtype is None:
        cursor.refuse(
            f"the dtype is {tag[:80]}; expected one of {', '.join(map(dtype_name, CODE_OF_DTYPE))}"
        )
    return (order if dtype.itemsize > 1 else sys.byteorder), dtype


class Npz(ArrayFormat):
    """A zip archive of arrays of NumPy, the sparse ones of MXNet 2.0 included."""

    title = "NumPy archive"
    spelled = ".npz"

    @override
    def begins(self, head: bytes, name: str) -> bool:
        return head[:4] in ZIP

    @override
    def is_sure(self, start: Start) -> bool:
        return not start.members or any(name.endswith(".npy") for name in start.members)

    @override
    def scan(self, cursor: Cursor, *, partial: bool = False) -> Arrays:
        """Read a whole archive: what is packed can only be checked by unpacking it."""
        try:
            tensors, damage = _read(cursor.stream, cursor.size, cursor.source), None
        except FileFormatError as error:
            if not partial:
                raise
            tensors, damage = whole_arrays(cursor, read_npy), error
        return arrays_at_once(cursor.source, tensors, "npy", damage=damage)


def _read(stream: BinaryIO, size: int, source: str) -> dict[str, Tensor]:
    with _open(stream, size, source) as archive:
        names = dict.fromkeys(_member_names(archive, source))
        result = {}
        for name in names:
            folder, _, part = name.rpartition("/")
            if f"{folder}/format" not in names or not folder:
                result[name] = read_npy(_member_cursor(archive, name, source))
            elif part == "format":
                result[folder] = _read_sparse(archive, names, folder, source)
        return result


def _open(stream: BinaryIO, size: int, source: str) -> zipfile.ZipFile:
    try:
        archive = zipfile.ZipFile(stream)
    except _ZIP_ERRORS as error:
        refuse(source, "", f"it begins as a zip archive and is none ({error})")
    packed = unpacked = 0
    for info in archive.infolist():
        packed += info.compress_size
        unpacked += info.file_size
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            refuse(source, f"member {info.filename!r}", "its compression is not NumPy's")
        if info.file_size > _DEFLATE_LIMIT * (info.compress_size + 1) or packed > size:
            refuse(
                source,
                f"member {info.filename!r}",
                f"{info.file_size} bytes are announced from {info.compress_size} in a file of "
                f"{size}; expected lengths that the file can hold",
            )
    problem = growth_problem(size, unpacked)
    if problem is not None:
        refuse(source, "", problem, "Unpack it with unzip first if it is meant to be that large.")
    return archive


def _member_names(archive: zipfile.ZipFile, source: str) -> list[str]:
    members = archive.namelist()
    foreign = [name for name in members if not name.endswith(".npy")]
    if foreign:
        inside = f"it is a zip archive with a member {foreign[0]!r}"
        if foreign[0].endswith("/data.pkl"):
            refuse(source, "", f"this is a file of torch.save(), a checkpoint: {inside}", _OF_TORCH)
        refuse(source, "", inside, _FOREIGN_ZIP)
    names = [name.removesuffix(".npy") for name in members]
    if len(set(names)) != len(names):
        refuse(source, "", "a name occurs twice in the zip archive; expected distinct names")
    return names


def _member_cursor(archive: zipfile.ZipFile, name: str, source: str) -> Cursor:
    info = archive.getinfo(name + ".npy")
    try:
        with archive.open(info) as member:
            data = member.read(info.file_size)  # without a length, all that is packed is unpacked
    except _ZIP_ERRORS as error:
        refuse(source, f"array {name!r}", f"it cannot be unpacked ({error})")
    return Cursor(io.BytesIO(data), len(data), f"{source}: {name}")


def _read_sparse(
    archive: zipfile.ZipFile, names: Container[str], folder: str, source: str
) -> Tensor:
    kind = None
    if archive.getinfo(f"{folder}/format.npy").file_size <= _MAX_HEADER:
        kind = _STORAGES.get(_raw_text(_member_cursor(archive, f"{folder}/format", source)))
    parts = ["data", "indices", "shape"] + (["indptr"] if kind == "csr" else [])
    missing = [part for part in parts if f"{folder}/{part}" not in names]
    if kind is None or missing:
        what = f"the parts {missing} are missing" if missing else "its storage type is unknown"
        refuse(source, f"sparse array {folder!r}", f"{what}; expected row_sparse or csr")
    found = {part: read_npy(_member_cursor(archive, f"{folder}/{part}", source)) for part in parts}
    shape = tuple(found["shape"].reshape(-1).tolist())
    array = SparseTensor(shape, found["data"], found["indices"], found.get("indptr"))
    problem = _sparse_problem(array, found)
    if problem is not None:
        refuse(source, f"sparse array {folder!r}", problem)
    return array.dense()


def _sparse_problem(array: SparseTensor, parts: dict[str, Tensor]) -> str | None:
    data, shape, is_csr = array.values, array.shape, array.indptr is not None
    for part in ("indices", "shape", "indptr"):
        found = parts.get(part)
        if found is not None and (found.dim() != 1 or found.dtype not in _INDEX_DTYPES):
            return f"its {part} are {dtype_name(found.dtype)} of {found.dim()} dimensions"
    if len(shape) > MAX_NDIM or (len(shape) != 2 if is_csr else not shape):
        return f"its shape {shape} is none of a {array.storage} array"
    expected = (array.indices.numel(), *(() if is_csr else shape[1:]))
    if tuple(data.shape) != expected:
        return f"its values have shape {tuple(data.shape)}; expected {expected}"
    problem = dense_problem(shape, data.dtype, data.numel() * data.dtype.itemsize)
    if problem is None and is_csr and parts["indptr"].numel() != shape[0] + 1:
        problem = f"its indptr has {parts['indptr'].numel()} entries; expected {shape[0] + 1}"
    return problem or array.problem()


def _raw_text(cursor: Cursor) -> bytes:
    """Return what follows the header of MXNet 2.0's `format.npy`, which NumPy cannot parse."""
    lead = cursor.take(min(cursor.left, 10), "the header")
    length = int.from_bytes(lead[8:10], "little")
    cursor.skip(min(length, cursor.left), "the header")
    return cursor.take(cursor.left, "the text").replace(b"\0", b"").strip()
