"""IDX files: MNIST's format, plain or gzipped."""

from __future__ import annotations

import gzip
import math
import os
import struct
import zlib
from pathlib import PurePosixPath
from typing import IO, TYPE_CHECKING, Any

import numpy as onp
import torch
from typing_extensions import override

from gluonish.errors import FileFormatError
from gluonish.serialization.elements import MAX_NDIM
from gluonish.serialization.files import open_source
from gluonish.serialization.formats import ArrayFormat, Arrays, arrays_at_once
from gluonish.serialization.packing import growth_problem

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from gluonish.serialization.cursor import Cursor

_DTYPES = {8: ">u1", 9: ">i1", 11: ">i2", 12: ">i4", 13: ">f4", 14: ">f8"}
_GZIP = b"\x1f\x8b"
_CHUNK = 1 << 20  # bytes


class Idx(ArrayFormat):
    """MNIST's arrays, plain or gzipped."""

    title = "IDX array"
    is_of_models = False

    @override
    def begins(self, head: bytes, name: str) -> bool:
        if head[:2] == _GZIP:
            try:
                head = zlib.decompressobj(wbits=31).decompress(head, 64)
            except zlib.error:
                return False
        return head[:2] == b"\0\0" and len(head) > 3 and head[2] in _DTYPES

    @override
    def scan(self, cursor: Cursor, *, partial: bool = False) -> Arrays:
        stem = PurePosixPath(cursor.source.replace("\\", "/")).name.removesuffix(".gz")
        array = torch.from_numpy(_read_file(cursor.stream, cursor.source))
        return arrays_at_once(cursor.source, {stem: array}, "IDX")


def read_idx(path: str | os.PathLike[str] | Traversable) -> onp.ndarray[Any, Any]:
    """Return the array that an IDX file holds.

    Parameters
    ----------
    path : path
        A file or URL, gzipped or not: its content decides.

    Raises
    ------
    FileFormatError
        The file is no IDX file, or longer or shorter than its header says.

    Examples
    --------
    >>> import gzip, pathlib, tempfile
    >>> from gluonish.serialization.idx_format import read_idx
    >>> path = pathlib.Path(tempfile.mkdtemp(), "labels.gz")
    >>> _ = path.write_bytes(gzip.compress(bytes([0, 0, 8, 1, 0, 0, 0, 3, 7, 8, 9])))
    >>> read_idx(path)
    array([7, 8, 9], dtype=uint8)
    """
    if isinstance(path, str | os.PathLike):
        with open_source(path, entire=True) as source:
            return _read_file(source.stream, str(path))
    with path.open("rb") as file:
        return _read_file(file, str(path))


def _read_file(file: IO[bytes], name: str) -> onp.ndarray[Any, Any]:
    start = file.read(2)
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    if start != _GZIP:
        return _read(file, name)
    try:
        with gzip.open(file) as unzipped:
            return _read(unzipped, name, size)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        msg = (
            f"{name}: its gzip data is damaged ({error}). Expected an IDX file, plain or "
            f"gzipped. Fetch the file again."
        )
        raise FileFormatError(msg) from error


def _read(
    file: IO[bytes] | gzip.GzipFile, name: str, packed: int | None = None
) -> onp.ndarray[Any, Any]:
    head = file.read(4)
    if len(head) < 4 or head[:2] != b"\0\0" or head[2] not in _DTYPES:
        msg = (
            f"{name}: it starts with {head!r}. Expected an IDX file: two zero bytes, a type "
            f"(8, 9, 11 to 14) and a number of dimensions. Check that it is the right file."
        )
        raise FileFormatError(msg)
    dtype, ndim = onp.dtype(_DTYPES[head[2]]), head[3]
    sizes = file.read(4 * ndim)
    if len(sizes) < 4 * ndim:
        found = f"{len(sizes)} bytes follow its start"
        raise _wrong(name, found, f"{4 * ndim} bytes of dimensions")
    shape = struct.unpack(f">{ndim}I", sizes)
    if ndim > MAX_NDIM:
        raise _wrong(name, f"it announces {ndim} dimensions", f"at most {MAX_NDIM}")
    length = math.prod(shape) * dtype.itemsize
    problem = None if packed is None else growth_problem(packed, length)
    if problem is not None:
        msg = f"{name}: {problem}. Unpack it with gunzip first if it is meant to be that large."
        raise FileFormatError(msg)
    data = _read_at_most(file, length + 1)
    if len(data) != length or math.prod(max(size, 1) for size in shape) > 1 << 62:
        at_least = "at least " if len(data) > length else ""
        found = f"{at_least}{len(data)} bytes follow its header"
        raise _wrong(name, found, f"{length} bytes for an array of shape {shape}")
    return onp.frombuffer(data, dtype).astype(dtype.newbyteorder("=")).reshape(shape)


def _read_at_most(file: IO[bytes] | gzip.GzipFile, length: int) -> bytearray:
    """Read piece by piece, so that a header that lies about the length costs no memory."""
    data = bytearray()
    while chunk := file.read(min(_CHUNK, length - len(data))):
        data += chunk
    return data


def _wrong(name: str, found: str, expected: str) -> FileFormatError:
    msg = f"{name}: {found}. Expected {expected}. The file is cut off or damaged: fetch it again."
    return FileFormatError(msg)
