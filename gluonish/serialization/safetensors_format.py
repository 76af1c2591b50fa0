"""Reading and writing of safetensors files with the safetensors library."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, NoReturn, TypeAlias

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load as load_buffer, save as save_buffer, save_file

from gluonish.errors import FileAccessError, InvalidArgumentError
from gluonish.serialization.cursor import refuse
from gluonish.serialization.elements import (
    CODE_OF_DTYPE,
    Tensors,
    check_dtype,
    dtype_name,
    has_foreign_bool,
    stored_form,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torch import Tensor

Headers: TypeAlias = dict[str, tuple[tuple[int, ...], torch.dtype]]

_RESERVED_NAME: Final = "__metadata__"
_KIND: Final = "gluonish.kind"
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


def write(path: str, data: Tensors) -> None:
    """Write a safetensors file; a list's arrays are named by their positions.

    Raises
    ------
    DTypeError
        A dtype is none that arrays have. Nothing was written.
    InvalidArgumentError
        A name cannot be stored. Nothing was written.
    """
    tensors, metadata = _prepare(data)
    try:
        save_file(tensors, path, metadata)
    except SafetensorError as error:
        msg = f"Saving {path!r}: {error}. Expected room and permission. Give another place."
        raise FileAccessError(msg) from error


def to_bytes(data: Tensors) -> bytes:
    """Return what `write` would write."""
    tensors, metadata = _prepare(data)
    return save_buffer(tensors, metadata)


def read(path: str, source: str) -> Tensors:
    """Read a safetensors file into tensors that do not depend on the file any more.

    Raises
    ------
    FileFormatError
        The file is damaged, or holds a dtype that arrays cannot have.
    """
    try:
        with safe_open(path, framework="pt", device="cpu") as file:
            names = _headers(file, source)
            # Cloned, since a mapped file must not be changed or cut while its pages are in use.
            tensors = {
                name: _checked(file.get_tensor(name), name, source).clone() for name in names
            }
            metadata = file.metadata() or {}
    except SafetensorError as error:
        _refuse_damaged(source, error)
    return _arranged(tensors, metadata)


def from_bytes(data: bytes, source: str) -> Tensors:
    """Read what a buffer holds in the safetensors format.

    Raises
    ------
    FileFormatError
        The buffer is damaged, or holds a dtype that arrays cannot have.
    """
    try:
        tensors = load_buffer(data)
    except SafetensorError as error:
        _refuse_damaged(source, error)
    except KeyError as error:
        _refuse_dtype(source, "header", str(error.args[0]))
    header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    tensors = {name: _checked(tensor, name, source) for name, tensor in tensors.items()}
    return _arranged(tensors, header.get(_RESERVED_NAME) or {})


def scan(path: str, source: str) -> Headers:
    """Return shape and dtype of every array in a safetensors file, by name.

    Raises
    ------
    FileFormatError
        The file is damaged, or holds a dtype that arrays cannot have.
    """
    try:
        with safe_open(path, framework="pt", device="cpu") as file:
            return _headers(file, source)
    except SafetensorError as error:
        _refuse_damaged(source, error)


def scan_bytes(data: bytes, source: str) -> Headers:
    """Return shape and dtype of every array in a buffer, by name.

    Raises
    ------
    FileFormatError
        The buffer is damaged, or holds a dtype that arrays cannot have.
    """
    tensors = from_bytes(data, source)
    named = tensors.items() if isinstance(tensors, dict) else enumerate(tensors)
    return {str(name): (tuple(tensor.shape), tensor.dtype) for name, tensor in named}


def _headers(file: safe_open, source: str) -> Headers:
    found = {}
    for name in file.keys():  # type: ignore[no-untyped-call]  # noqa: SIM118
        part = file.get_slice(name)  # type: ignore[no-untyped-call]
        tag = part.get_dtype()
        if tag not in _DTYPE_OF_TAG:
            _refuse_dtype(source, f"array {name!r}", tag)
        found[name] = (tuple(part.get_shape()), _DTYPE_OF_TAG[tag])
    return found


def _checked(tensor: Tensor, name: str, source: str) -> Tensor:
    if tensor.dtype not in CODE_OF_DTYPE:
        _refuse_dtype(source, f"array {name!r}", dtype_name(tensor.dtype))
    if has_foreign_bool(tensor):
        refuse(source, f"array {name!r}", "a bool is stored as a byte above 1; expected 0 or 1")
    return tensor


def _arranged(tensors: dict[str, Tensor], metadata: Mapping[str, str]) -> Tensors:
    positions = [str(number) for number in range(len(tensors))]
    if metadata.get(_KIND) == "list" and tensors.keys() == set(positions):
        return [tensors[position] for position in positions]
    return tensors


def _prepare(data: Tensors) -> tuple[dict[str, Tensor], dict[str, str]]:
    is_list = not isinstance(data, dict)
    named = data if isinstance(data, dict) else {str(i): tensor for i, tensor in enumerate(data)}
    if _RESERVED_NAME in named:
        msg = (
            f"Saving array {_RESERVED_NAME!r}: safetensors files keep this name for themselves. "
            f"Expected another name. Rename the array, or save under a name ending in .params."
        )
        raise InvalidArgumentError(msg)
    ready: dict[str, Tensor] = {}
    memory = set()
    for name, tensor in named.items():
        check_dtype(tensor, f"array {name!r}")
        stored = stored_form(tensor)
        # The library refuses tensors that share memory; tied parameters are stored twice.
        place = stored.untyped_storage().data_ptr()
        ready[name] = stored.clone() if place in memory else stored
        memory.add(place)
    return ready, {"format": "pt", _KIND: "list" if is_list else "dict"}


def _refuse_damaged(source: str, error: SafetensorError) -> NoReturn:
    refuse(source, "safetensors header", f"{error}; expected a whole safetensors file")


def _refuse_dtype(source: str, where: str, tag: str) -> NoReturn:
    refuse(
        source,
        where,
        f"the dtype is {tag}; expected one of {', '.join(_DTYPE_OF_TAG)}",
        "Convert the array where the file was made, and save it again.",
    )
