"""The header of a safetensors file, read so far as it can be."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NoReturn

import torch

from gluonish.serialization.cursor import refuse
from gluonish.serialization.elements import MAX_NDIM, byte_size, shape_problem

if TYPE_CHECKING:
    from gluonish.serialization.files import Source

METADATA: Final = "__metadata__"
_LONGEST: Final = 100_000_000  # bytes; the limit of the safetensors library
DTYPE_OF_TAG: Final = {
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
TAG_OF_DTYPE: Final = {dtype: tag for tag, dtype in DTYPE_OF_TAG.items()}


@dataclass(frozen=True, slots=True)
class Place:
    """Where an array of a safetensors file is: `offset` counts from the file's beginning."""

    name: str
    shape: tuple[int, ...]
    dtype: torch.dtype
    offset: int

    @property
    def size(self) -> int:
        """Number of bytes."""
        return byte_size(self.shape, self.dtype)


@dataclass(slots=True)
class Header:
    """What the header of a safetensors file says."""

    places: list[Place] = field(default_factory=list)
    metadata: dict[str, str] = field(default_factory=dict)
    end: int = 0


def safetensors_metadata(source: Source) -> dict[str, str]:
    """Return the metadata of what a stream at its beginning holds; nothing if that is damaged."""
    try:
        length = int.from_bytes(source.stream.read(8), "little")
        if length > min(source.size - 8, _LONGEST):
            return {}
        try:
            header = json.loads(source.stream.read(length))
        except (ValueError, RecursionError):
            return {}
    finally:
        source.stream.seek(0)
    found = header.get(METADATA) if isinstance(header, dict) else None
    return found if isinstance(found, dict) else {}


def read_safetensors_header(source: Source) -> Header:
    """Return what the header says; whether all values are there is left to the caller.

    Raises
    ------
    FileFormatError
        The header is damaged.
    """
    lead = source.stream.read(8)
    length = int.from_bytes(lead, "little")
    left = min(source.size - len(lead), _LONGEST)
    if len(lead) < 8 or length > left:
        _refuse(source, f"it takes {length} bytes; expected at most {left}, all that is left")
    try:
        content = json.loads(source.stream.read(length))
    except (ValueError, RecursionError) as error:
        _refuse(source, f"it is no JSON ({error or 'nested too deeply'}); expected an object")
    if not isinstance(content, dict):
        _refuse(source, f"it holds a {type(content).__name__}; expected an object")
    metadata = content.pop(METADATA, {})
    if not isinstance(metadata, dict) or not all(isinstance(v, str) for v in metadata.values()):
        _refuse(source, "its metadata are no texts; expected text by name")
    start = 8 + length
    places = [_place(source, name, told, start) for name, told in content.items()]
    places.sort(key=lambda place: place.offset)
    end = start
    for place in places:
        if place.offset != end:
            _refuse(source, f"array {place.name!r} begins at {place.offset}; expected {end}")
        end += place.size
    return Header(places, metadata, end)


def _place(source: Source, name: str, told: Any, start: int) -> Place:  # noqa: ANN401 - JSON
    where = f"array {name!r}"
    tag = told.get("dtype") if isinstance(told, dict) else None
    if not isinstance(tag, str) or tag not in DTYPE_OF_TAG:
        _refuse(source, f"{where} has dtype {tag!r}; expected one of {', '.join(DTYPE_OF_TAG)}")
    shape, offsets = _integers(told.get("shape")), _integers(told.get("data_offsets"))
    if shape is None or offsets is None or len(shape) > MAX_NDIM or len(offsets) != 2:
        _refuse(source, f"{where} has no shape, or no offsets; expected lists of integers")
    problem = shape_problem(shape, DTYPE_OF_TAG[tag])
    if problem is not None:
        _refuse(source, f"{where}: {problem}")
    place = Place(name, shape, DTYPE_OF_TAG[tag], start + offsets[0])
    if offsets[1] - offsets[0] != place.size:
        _refuse(source, f"{where} has offsets {list(offsets)}; expected {place.size} bytes")
    return place


def _integers(value: object) -> tuple[int, ...] | None:
    if not isinstance(value, list) or any(type(item) is not int or item < 0 for item in value):
        return None
    return tuple(value)


def _refuse(source: Source, problem: str) -> NoReturn:
    refuse(source.name, "safetensors header", problem)
