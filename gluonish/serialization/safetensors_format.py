"""Reading and writing of safetensors files."""

from __future__ import annotations

import io
import json
import re
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn, TypeGuard

import torch
from typing_extensions import override

from gluonish.errors import FileFormatError, InvalidArgumentError
from gluonish.serialization import json_text
from gluonish.serialization.cursor import refuse
from gluonish.serialization.elements import (
    MAX_NDIM,
    byte_size,
    byte_view,
    has_foreign_bool,
    shape_problem,
    stored_form,
)
from gluonish.serialization.formats import (
    DENSE,
    NUMPY,
    ZIP,
    ArrayFormat,
    Arrays,
    Item,
    Target,
    content_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import BinaryIO

    from torch import Tensor

    from gluonish.serialization.cursor import Cursor
    from gluonish.serialization.elements import Tensors
    from gluonish.serialization.formats import Content, Start

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


class Safetensors(ArrayFormat):
    """Safetensors: a header in JSON, and the values behind it."""

    title = "safetensors"
    spelled = "safetensors"
    suffix = ".safetensors"
    target: ClassVar[Target | None] = Target(
        "safetensors", suffix, "the arrays, which PyTorch, JAX, TensorFlow and others read"
    )
    ends: ClassVar[tuple[str, ...]] = (suffix,)
    tells_names = True

    @override
    def begins(self, head: bytes, name: str) -> bool:
        # What NumPy writes may have a brace there, too.
        return head[8:9] == b"{" and not head.startswith((*ZIP, NUMPY))

    @override
    def scan(self, cursor: Cursor, *, partial: bool = False) -> Arrays:
        header = _parsed(cursor)
        metadata = header.pop(_RESERVED_NAME)
        start, size = cursor.offset, cursor.left
        items = [_item(cursor, name, said, start) for name, said in header.items()]
        damage = None
        try:
            _check_cover(cursor, [(item.offset or 0, item.size) for item in items], start, size)
        except FileFormatError as error:
            if not partial:
                raise
            damage = error
            items = [item for item in items if (item.offset or 0) + item.size <= cursor.size]
        is_list = metadata.get(_KIND) == "list" and header.keys() == {
            str(position) for position in range(len(header))
        }
        if is_list:
            items.sort(key=lambda item: int(item.name))

        def read(position: int, _: bool) -> Tensor:
            item = items[position]
            cursor.label = f"array {item.name!r}"
            cursor.seek(item.offset or 0)
            tensor = cursor.values(item.shape, item.dtype, "the values")
            if has_foreign_bool(tensor):
                problem = "a bool is stored as a byte above 1; expected 0 or 1"
                refuse(cursor.source, cursor.label, problem)
            return tensor

        return Arrays(cursor.source, items, read, not is_list, metadata, damage=damage)

    @override
    def write(self, stream: BinaryIO, content: Content) -> None:
        """Write a file; a list's arrays are named by their positions."""
        # The widest first, so that every array's values are aligned; readers may map them.
        items = content.items
        order = sorted(range(len(items)), key=lambda position: -items[position].dtype.itemsize)
        kind = "dict" if content.named else "list"
        metadata = {"format": "pt", _KIND: kind, **content.metadata}
        stream.write(_header(items, order, metadata))
        for position in order:
            tensor = content.tensor(position)
            if tensor.numel():
                stream.write(byte_view(stored_form(tensor)).numpy().data)


class _Marked(Safetensors):
    """Safetensors files of our own, which a key of their metadata marks."""

    spelled = suffix = ""
    target = None
    ends = ()
    key: ClassVar[str]

    @override
    def is_sure(self, start: Start) -> bool:
        """Return whether the header has the key; what else is in it may be damaged."""
        length = int.from_bytes(start.head[:_LENGTH_BYTES], "little")
        header = start.read(_LENGTH_BYTES + min(length, _LONGEST_HEADER))
        return re.search(rb'"%s"\s*:' % re.escape(self.key.encode()), header) is not None


class Checkpoint(_Marked):
    """A training that can go on; see `gluon.Checkpoint`."""

    title = "gluonish checkpoint"
    use = None
    advice = " Restore it with gluon.Checkpoint, and save the net's parameters."
    key = "gluonish.checkpoint"


class States(_Marked):
    """States of an optimizer; see `gluonish.optimizer.saving`."""

    title = "gluonish optimizer states"
    use = "states"
    key = "gluonish.states"


def write(stream: BinaryIO, data: Tensors, metadata: Mapping[str, str] | None = None) -> None:
    """Write a safetensors file of arrays in memory.

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
    Safetensors().write(stream, content_of(data, metadata))


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
    arrays = Safetensors().scan(cursor)
    return arrays.load(), arrays.metadata


def _header(items: Sequence[Item], order: Sequence[int], metadata: Mapping[str, str]) -> bytes:
    if any(item.name == _RESERVED_NAME for item in items):
        msg = (
            f"Saving array {_RESERVED_NAME!r}: safetensors files keep this name for themselves. "
            f"Expected another name. Rename the array, or save under a name ending in .params."
        )
        raise InvalidArgumentError(msg)
    offsets = {}
    end = 0
    for position in order:
        start, end = end, end + items[position].size
        offsets[position] = [start, end]
    header: dict[str, Any] = {_RESERVED_NAME: metadata}
    for position, item in enumerate(items):
        header[item.name] = {
            "dtype": _TAG_OF_DTYPE[item.dtype],
            "shape": list(item.shape),
            "data_offsets": offsets[position],
        }
    try:
        text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError as error:
        bad = [
            item.name for item in items if any("\ud800" <= each < "\ue000" for each in item.name)
        ]
        msg = (
            f"Saving array {', '.join(map(repr, bad))}: the name cannot be stored. Expected text "
            f"of valid Unicode. Give the array another name."
        )
        raise InvalidArgumentError(msg) from error
    text += b" " * (-(_LENGTH_BYTES + len(text)) % _ALIGNMENT)
    return len(text).to_bytes(_LENGTH_BYTES, "little") + text


def _parsed(cursor: Cursor) -> dict[str, Any]:
    """Return what a header holds, its metadata checked and there; the cursor stands behind it."""
    cursor.label = "safetensors header"
    (length,) = cursor.unpack("Q", "the length of the header")
    if length > _LONGEST_HEADER:
        cursor.refuse(f"the header announces {length} bytes; expected at most {_LONGEST_HEADER}")
    text = cursor.take(length, "the header")
    try:
        header = json_text.parse(text)
    except ValueError as error:
        cursor.refuse(f"it is no JSON ({error}); {_WHOLE}")
    if not isinstance(header, dict):
        cursor.refuse(f"it holds a {type(header).__name__}; {_WHOLE}")
    metadata = header.setdefault(_RESERVED_NAME, {})
    if metadata is None:
        metadata = header[_RESERVED_NAME] = {}
    if not isinstance(metadata, dict) or not all(
        isinstance(text, str) for text in metadata.values()
    ):
        cursor.refuse(f"its {_RESERVED_NAME} are no texts; {_WHOLE}")
    return header


def _item(cursor: Cursor, name: str, said: Any, start: int) -> Item:  # noqa: ANN401 - JSON
    """Check what is said of an array, and return it; values begin after `start`."""
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
    cursor.check(shape_problem(shape, dtype))
    size = byte_size(shape, dtype)
    if len(reach) != 2 or reach[1] - reach[0] != size:
        cursor.refuse(f"its data_offsets are {reach[:3]}; expected two that are {size} bytes apart")
    return Item(name, tuple(shape), dtype, DENSE, "safetensors", size, start + reach[0])


def _are_sizes(value: Any) -> TypeGuard[list[int]]:  # noqa: ANN401 - anything that JSON can hold
    return isinstance(value, list) and all(type(part) is int and part >= 0 for part in value)


def _check_cover(cursor: Cursor, reach: list[tuple[int, int]], begin: int, size: int) -> None:
    """Refuse a file in which arrays overlap, or bytes belong to none.

    Parameters
    ----------
    cursor : Cursor
        What refuses.
    reach : list of (int, int)
        Offset and size of each array.
    begin, size : int
        Where the values begin, and how many bytes there are.
    """
    cursor.label = "safetensors header"
    last = 0
    for offset, length in sorted(reach):
        if offset - begin != last:
            cursor.refuse(
                f"an array begins at byte {offset - begin} of the data; expected {last}, where the "
                f"one before it ends"
            )
        last += length
    if last != size:
        cursor.refuse(f"{size} bytes of data follow it; expected {last}")


def _refuse_dtype(cursor: Cursor, tag: str) -> NoReturn:
    refuse(
        cursor.source,
        cursor.label,
        f"the dtype is {tag[:20]!r}; expected one of {', '.join(_DTYPE_OF_TAG)}",
        "Convert the array where the file was made, and save it again.",
    )
