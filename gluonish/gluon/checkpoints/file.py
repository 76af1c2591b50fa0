"""The file of a checkpoint: safetensors with a description and a checksum of all of it."""

from __future__ import annotations

import json
import zlib
from typing import TYPE_CHECKING, Any, Final, NoReturn

from gluonish.errors import FileFormatError
from gluonish.serialization import json_text, safetensors_format
from gluonish.serialization.elements import byte_view, stored_form
from gluonish.serialization.files import open_source, replacing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torch import Tensor

_KEY: Final = safetensors_format.Checkpoint.key
_CHECKSUM: Final = "gluonish.crc32"
_VERSION: Final = 1


def write(path: str, description: Mapping[str, Any], tensors: dict[str, Tensor]) -> None:
    """Write a checkpoint as a whole or not at all."""
    stored = {name: stored_form(tensor) for name, tensor in tensors.items()}
    text = json.dumps({"version": _VERSION, **description})
    with replacing(path) as stream:
        safetensors_format.write(
            stream, stored, {_KEY: text, _CHECKSUM: f"{_checksum(text, stored):08x}"}
        )


def read(path: str) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """Return the description and the tensors of a checkpoint.

    Raises
    ------
    FileFormatError
        The file is damaged, or is no checkpoint.
    """
    with open_source(path, entire=True) as source:
        found, metadata = safetensors_format.read(source.cursor())
    text = metadata.get(_KEY)
    if text is None or not isinstance(found, dict):
        refuse(path, "it is no checkpoint of a training")
    if metadata.get(_CHECKSUM) != f"{_checksum(text, found):08x}":
        refuse(path, "its checksum is not that of its content")
    try:
        description = json_text.parse(text, are_constants_allowed=True)
    except ValueError as error:
        refuse(path, f"its description is damaged ({error})")
    if not isinstance(description, dict) or description.get("version") != _VERSION:
        refuse(path, "it was written by another version of the program")
    return description, found


def is_whole(path: str) -> bool:
    """Return whether a file has the beginning and the length of a checkpoint."""
    try:
        with open_source(path) as source:
            arrays = safetensors_format.Checkpoint().scan(source.cursor())
    except (FileFormatError, OSError):
        return False
    return _KEY in arrays.metadata


def refuse(path: str, problem: str) -> NoReturn:
    """Raise `FileFormatError` for a checkpoint."""
    msg = (
        f"Loading checkpoint {path!r}: {problem}. Expected a file that Checkpoint.save wrote. "
        f"Remove it, and go on from the one before."
    )
    raise FileFormatError(msg)


def _checksum(text: str, tensors: Mapping[str, Tensor]) -> int:
    value = zlib.crc32(text.encode())
    for name in sorted(tensors):
        tensor = tensors[name]
        value = zlib.crc32(f"{name} {tensor.dtype} {tuple(tensor.shape)}".encode(), value)
        if tensor.numel():
            value = zlib.crc32(byte_view(tensor).numpy().data, value)
    return value
