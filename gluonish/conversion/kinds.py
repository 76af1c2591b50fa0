"""Tells what a file is by its content."""

from __future__ import annotations

import enum
import io
import re
import zipfile
from typing import TYPE_CHECKING, Final

from gluonish.conversion.headers import safetensors_metadata
from gluonish.serialization import container
from gluonish.serialization.files import open_source, path_text

if TYPE_CHECKING:
    from gluonish.serialization.files import PathLike, Source


class Kind(enum.Enum):
    """Kind of a file; its value is what people read."""

    PARAMS = "MXNet parameters"
    SAFETENSORS = "safetensors"
    NPZ = "NumPy archive"
    NPY = "NumPy array"
    TORCH = "PyTorch file"
    TORCH_PROGRAM = "PyTorch exported program"
    ONNX = "ONNX model"
    PICKLED_STATES = "optimizer states"
    STATES = "gluonish optimizer states"
    CHECKPOINT = "gluonish checkpoint"
    GRAPH = "MXNet graph"
    RECORDS = "RecordIO"
    RECORD_INDEX = "RecordIO index"
    IDX = "IDX array"
    UNKNOWN = "unknown"


WITH_ARRAYS: Final = frozenset(
    {Kind.PARAMS, Kind.SAFETENSORS, Kind.NPZ, Kind.NPY, Kind.TORCH, Kind.IDX}
)
WITH_STATES: Final = frozenset({Kind.PICKLED_STATES, Kind.STATES})

_HEAD: Final = 4096  # bytes
_RECORD_MAGIC: Final = b"\n#\xd7\xce"
_IDX_TYPES: Final = (8, 9, 11, 12, 13, 14)
_STATES_KEY: Final = "gluonish.states"
_CHECKPOINT_KEY: Final = "gluonish.checkpoint"
_GRAPH_KEYS: Final = (b'"nodes"', b'"arg_nodes"', b'"heads"')
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")
_INDEX_LINES: Final = re.compile(rb"[^\t\n]+\t\d+\r?\n")
# Pickles of protocol 0 and 1 begin with a mark, a tuple or a dict; MXNet's with these.
_OLD_PICKLE: Final = re.compile(rb"\(?[dl(}]|\(i\w|c\w")


def kind_of(path: PathLike) -> Kind:
    """Return the kind of a file.

    Parameters
    ----------
    path : str or os.PathLike
        File or URL.

    Raises
    ------
    MissingFileError
        There is no such file.
    FileAccessError
        The file cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> import gluonish as mx
    >>> from gluonish.conversion import kind_of
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     mx.nd.save(f'{folder}/x', [mx.nd.ones((2,))])
    ...     kind_of(f'{folder}/x')
    <Kind.PARAMS: 'MXNet parameters'>
    """
    with open_source(path) as source:
        return kind_of_source(source, path_text(path))


def kind_of_source(source: Source, name: str) -> Kind:
    """Return the kind of what a stream at its beginning holds, and leave it there."""
    head = source.stream.read(_HEAD)
    source.stream.seek(0)
    if head[:8] == container.MAGIC.to_bytes(8, "little"):
        return Kind.PARAMS
    if head[:6] == b"\x93NUMPY":
        return Kind.NPY
    if head[:4] in _ZIP:
        return _kind_of_zip(source)
    if head[8:9] == b"{":
        metadata = safetensors_metadata(source)
        if _CHECKPOINT_KEY in metadata:
            return Kind.CHECKPOINT
        return Kind.STATES if _STATES_KEY in metadata else Kind.SAFETENSORS
    if head[:4] == _RECORD_MAGIC:
        return Kind.RECORDS
    if head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{":
        is_graph = name.endswith("-symbol.json") or any(key in head for key in _GRAPH_KEYS)
        return Kind.GRAPH if is_graph else Kind.UNKNOWN
    if _is_idx(head):
        return Kind.IDX
    return _kind_of_rest(head, name)


def _kind_of_rest(head: bytes, name: str) -> Kind:
    """Return the kind of a file that has no sure mark."""
    if _INDEX_LINES.match(head):
        return Kind.RECORD_INDEX
    if head[:1] == b"\x80" and head[1:2] <= b"\x05":
        return Kind.PICKLED_STATES if b"torch" not in head else Kind.TORCH
    if name.endswith(".onnx"):
        return Kind.ONNX
    if name.endswith(".rec") and not head:
        return Kind.RECORDS
    if name.endswith(".idx") and not head:
        return Kind.RECORD_INDEX
    if name.endswith(".states") and _OLD_PICKLE.match(head):
        return Kind.PICKLED_STATES
    # What is damaged at its very beginning is told by its name, for better messages.
    ends = {
        ".params": Kind.PARAMS, ".nd": Kind.PARAMS, ".states": Kind.PICKLED_STATES,
        "-symbol.json": Kind.GRAPH, ".rec": Kind.RECORDS, ".safetensors": Kind.SAFETENSORS,
    }  # fmt: skip
    return next((kind for end, kind in ends.items() if name.endswith(end)), Kind.UNKNOWN)


def _is_idx(head: bytes) -> bool:
    if head[:2] == b"\x1f\x8b":
        # The first bytes of a deflated stream cannot be told without unpacking some of it.
        import zlib

        try:
            head = zlib.decompressobj(wbits=31).decompress(head, 64)
        except zlib.error:
            return False
    return head[:2] == b"\0\0" and head[2:3] in map(bytes, zip(_IDX_TYPES)) and len(head) > 3


def _kind_of_zip(source: Source) -> Kind:
    try:
        with zipfile.ZipFile(source.stream) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, EOFError):
        names = _names_from_the_start(source)
    finally:
        source.stream.seek(0)
    if any(name.endswith(".npy") for name in names) or not names:
        return Kind.NPZ
    if any(name.endswith(("models/model.json", "archive_format")) for name in names):
        return Kind.TORCH_PROGRAM
    return Kind.TORCH if any(name.endswith("data.pkl") for name in names) else Kind.UNKNOWN


def _names_from_the_start(source: Source) -> list[str]:
    """Return the first member's name in an archive whose directory is lost."""
    source.stream.seek(0)
    head = io.BytesIO(source.stream.read(_HEAD)).getvalue()
    length = int.from_bytes(head[26:28], "little")
    return [head[30 : 30 + length].decode("utf-8", "replace")]
