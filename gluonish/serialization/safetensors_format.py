"""Reading and writing of safetensors files."""

from __future__ import annotations

import io
import json
import math
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn, TypeGuard

import torch

from gluonish.errors import InvalidArgumentError
from gluonish.serialization import json_text
from gluonish.serialization.cursor import refuse
from gluonish.serialization.elements import (
    MAX_NDIM,
    Tensors,
    byte_size,
    byte_view,
    check_dtype,
    has_foreign_bool,
    shape_problem,
    stored_form,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import BinaryIO

    from torch import Tensor

    from gluonish.serialization.cursor import Cursor

_RESERVED_NAME: Final = "__metadata__"
_KIND: Final = "gluonish.kind"
_LENGTH_BYTES: Final = 8
_ALIGNMENT: Final = 64  # bytes; a line of the cache, so that mapped values are read at full speed
_LONGEST_HEADER: Final = 100_000_000  # bytes; the format's own limit
_DTYPE_OF_TAG: Final[Mapping[str, torch.dtype]] = {
    "F64": torch.float64,
    "F32": torch.float32,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "I64": torch.int64,
    "I32": torch.int32,
    "I16": torch.int16,
    "I8": torch.int8,
    "U64": torch.uint64,
    "U32": torch.uint32,
    "U16": torch.uint16,
    "U8": torch.uint8,
    "BOOL": torch.bool,
}
_TAG_OF_DTYPE: Final = {dtype: tag for tag, dtype in _DTYPE_OF_TAG.items()}
_WHOLE: Final = "expected a whole safetensors file"


class Place(NamedTuple):
    """What a header says of one array; `offset` is where its values begin in the file."""

    shape: tuple[int, ...]
    dtype: torch.dtype
    offset: int


class Contents(NamedTuple):
    """What a header says: the arrays by name in its order, and the texts beside them."""

    places: dict[str, Place]
    metadata: dict[str, str]

    def arranged(self, tensors: dict[str, Tensor]) -> Tensors:
        """Return the arrays as they were saved: a list's are named by their positions."""
        positions = [str(number) for number in range(len(tensors))]
        if self.metadata.get(_KIND) == "list" and tensors.keys() == set(positions):
            return [tensors[position] for position in positions]
        return tensors


def write(stream: BinaryIO, data: Tensors, metadata: Mapping[str, str] | None = None) -> None:
    """Write a safetensors file; a list's arrays are named by their positions.

    Parameters
    ----------
    stream : BinaryIO
        Open for writing.
    data : list of Tensor or dict of str to Tensor
        The arrays.
    metadata : dict of str to str, optional
        Texts to put beside them.

    Raises
    ------
    DTypeError
        A dtype is none that arrays have. Nothing was written.
    InvalidArgumentError
        A name cannot be stored. Nothing was written.
    """
    named = data if isinstance(data, dict) else {str(i): tensor for i, tensor in enumerate(data)}
    for name, tensor in named.items():
        check_dtype(tensor, f"array {name!r}")
    # The widest first, so that every array's values are aligned; readers may map them.
    order = sorted(named, key=lambda name: -named[name].dtype.itemsize)
    kind = "dict" if isinstance(data, dict) else "list"
    stream.write(_header(named, order, {"format": "pt", _KIND: kind, **(metadata or {})}))
    for name in order:
        if named[name].numel():
            stream.write(byte_view(stored_form(named[name])).numpy().data)


def to_bytes(data: Tensors, metadata: Mapping[str, str] | None = None) -> bytes:
    """Return what `write` would write."""
    stream = io.BytesIO()
    write(stream, data, metadata)
    return stream.getvalue()


def read(cursor: Cursor) -> tuple[Tensors, dict[str, str]]:
    """Read a whole safetensors file into new tensors; return them and the texts beside them.

    Raises
    ------
    FileFormatError
        The file is damaged, or holds a dtype that arrays cannot have.
    """
    contents = scan(cursor)
    tensors = dict.fromkeys(contents.places, torch.empty(0))
    for name, place in sorted(contents.places.items(), key=lambda item: item[1].offset):
        tensors[name] = read_values(cursor, name, place)
    return contents.arranged(tensors), contents.metadata


def read_values(cursor: Cursor, name: str, place: Place) -> Tensor:
    """Read the values of one array into a new tensor."""
    cursor.label = f"array {name!r}"
    cursor.seek(place.offset)
    tensor = cursor.values(place.shape, place.dtype, "the values")
    if has_foreign_bool(tensor):
        refuse(cursor.source, cursor.label, "a bool is stored as a byte above 1; expected 0 or 1")
    return tensor


def scan(cursor: Cursor) -> Contents:
    """Read and check everything in a safetensors file but the values.

    Parameters
    ----------
    cursor : Cursor
        At the beginning of the file.

    Raises
    ------
    FileFormatError
        The file is damaged, or holds a dtype that arrays cannot have.
    """
    cursor.label = "safetensors header"
    (length,) = cursor.unpack("Q", "the length of the header")
    if length > _LONGEST_HEADER:
        cursor.refuse(f"the header announces {length} bytes; expected at most {_LONGEST_HEADER}")
    header = _parsed(cursor, cursor.take(length, "the header"))
    metadata = header.pop(_RESERVED_NAME, None)
    if metadata is None:
        metadata = {}
    if not isinstance(metadata, dict) or not all(
        isinstance(text, str) for text in metadata.values()
    ):
        cursor.refuse(f"its {_RESERVED_NAME} are no texts; {_WHOLE}")
    start, size = cursor.offset, cursor.left
    places = {}
    reach = []
    for name, said in header.items():
        place, end = _place(cursor, name, said, start)
        places[name] = place
        reach.append((place.offset - start, end))
    _check_cover(cursor, sorted(reach), size)
    return Contents(places, metadata)


def _header(named: Mapping[str, Tensor], order: list[str], metadata: Mapping[str, str]) -> bytes:
    if _RESERVED_NAME in named:
        msg = (
            f"Saving array {_RESERVED_NAME!r}: safetensors files keep this name for themselves. "
            f"Expected another name. Rename the array, or save under a name ending in .params."
        )
        raise InvalidArgumentError(msg)
    offsets = {}
    end = 0
    for name in order:
        start, end = end, end + byte_size(named[name].shape, named[name].dtype)
        offsets[name] = [start, end]
    header: dict[str, Any] = {_RESERVED_NAME: metadata}
    for name, tensor in named.items():
        header[name] = {
            "dtype": _TAG_OF_DTYPE[tensor.dtype],
            "shape": list(tensor.shape),
            "data_offsets": offsets[name],
        }
    try:
        text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError as error:
        bad = [name for name in named if any(0xD800 <= ord(letter) < 0xE000 for letter in name)]
        msg = (
            f"Saving array {', '.join(map(repr, bad))}: the name cannot be stored. Expected text "
            f"of valid Unicode. Give the array another name."
        )
        raise InvalidArgumentError(msg) from error
    text += b" " * (-(_LENGTH_BYTES + len(text)) % _ALIGNMENT)
    return len(text).to_bytes(_LENGTH_BYTES, "little") + text


def _parsed(cursor: Cursor, text: bytes) -> dict[str, Any]:
    try:
        header = json_text.parse(text)
    except ValueError as error:
        cursor.refuse(f"it is no JSON ({error}); {_WHOLE}")
    if not isinstance(header, dict):
        cursor.refuse(f"it holds a {type(header).__name__}; {_WHOLE}")
    return header


def _place(cursor: Cursor, name: str, said: Any, start: int) -> tuple[Place, int]:  # noqa: ANN401
    """Check what is said of an array; return it, and where its values end after the header."""
    cursor.label = f"array {name!r}"
    if not isinstance(said, dict):
        cursor.refuse(f"a {type(said).__name__} stands for it in the header; {_WHOLE}")
    tag, shape, reach = said.get("dtype"), said.get("shape"), said.get("data_offsets")
    if not isinstance(tag, str) or not _are_sizes(shape) or not _are_sizes(reach):
        cursor.refuse(f"its dtype, shape or data_offsets are missing or wrong; {_WHOLE}")
    if tag not in _DTYPE_OF_TAG:
        _refuse_dtype(cursor, tag)
    dtype = _DTYPE_OF_TAG[tag]
    if len(shape) > MAX_NDIM:
        cursor.refuse(f"it has {len(shape)} dimensions; expected at most {MAX_NDIM}")
    problem = shape_problem(shape, dtype)
    if problem is not None:
        cursor.refuse(problem)
    if len(reach) != 2 or reach[1] - reach[0] != math.prod(shape) * dtype.itemsize:
        cursor.refuse(
            f"its data_offsets are {reach[:3]}; expected two that are "
            f"{byte_size(shape, dtype)} bytes apart"
        )
    return Place(tuple(shape), dtype, start + reach[0]), reach[1]


def _are_sizes(value: Any) -> TypeGuard[list[int]]:  # noqa: ANN401 - anything that JSON can hold
    return isinstance(value, list) and all(type(part) is int and part >= 0 for part in value)


def _check_cover(cursor: Cursor, reach: list[tuple[int, int]], size: int) -> None:
    """Refuse a file in which arrays overlap, or bytes belong to none."""
    cursor.label = "safetensors header"
    last = 0
    for start, end in reach:
        if start != last:
            cursor.refuse(
                f"an array begins at byte {start} of the data; expected {last}, where the "
                f"one before it ends"
            )
        last = end
    if last != size:
        cursor.refuse(f"{size} bytes of data follow it; expected {last}")


def _refuse_dtype(cursor: Cursor, tag: str) -> NoReturn:
    refuse(
        cursor.source,
        cursor.label,
        f"the dtype is {tag[:20]!r}; expected one of {', '.join(_DTYPE_OF_TAG)}",
        "Convert the array where the file was made, and save it again.",
    )
