"""Files of PyTorch: those of torch.save, and programs."""

from __future__ import annotations

import pickle
import warnings
from typing import TYPE_CHECKING, Any, Final

import torch
from typing_extensions import override

from gluonish.errors import FileFormatError
from gluonish.serialization.cursor import refuse
from gluonish.serialization.formats import ZIP, ArrayFormat, Arrays, Format, Target, arrays_at_once
from gluonish.serialization.packing import dense_problem

if TYPE_CHECKING:
    from typing import BinaryIO

    from gluonish.serialization.cursor import Cursor
    from gluonish.serialization.elements import Tensors
    from gluonish.serialization.formats import Content, Start

# Under what training programs put the state_dict beside other things.
_WRAPPERS: Final = ("state_dict", "model_state_dict", "model")
_DEEPEST: Final = 32


class Torch(ArrayFormat):
    """What `torch.save` wrote, of which PyTorch's own reader takes nothing but tensors."""

    title = "PyTorch file"
    target = Target("torch", ".pt", "a state_dict (.pt), for torch.load(..., weights_only=True)")
    tells_names = True

    @override
    def begins(self, head: bytes, name: str) -> bool:
        is_pickle = head[:1] == b"\x80" and head[1:2] <= b"\x05"
        return head[:4] in ZIP or (is_pickle and b"torch" in head)

    @override
    def is_sure(self, start: Start) -> bool:
        if start.head[:4] not in ZIP:
            return True
        return any(name.endswith("data.pkl") for name in start.members) and not is_program(start)

    @override
    def scan(self, cursor: Cursor, *, partial: bool = False) -> Arrays:
        notes: list[str] = []
        return arrays_at_once(cursor.source, _load(cursor, notes), "torch", notes=notes)

    @override
    def write(self, stream: BinaryIO, content: Content) -> None:
        tensors = {item.name: content.tensor(place) for place, item in enumerate(content.items)}
        torch.save(tensors if content.named else list(tensors.values()), stream)


class TorchProgram(Format):
    """What `torch.export.save` wrote."""

    title = "PyTorch exported program"
    advice = " Read it with torch.export.load()."
    target = Target("pt2", ".pt2", "graph and parameters as a program, for torch.export.load()")

    @override
    def begins(self, head: bytes, name: str) -> bool:
        return head[:4] in ZIP

    @override
    def is_sure(self, start: Start) -> bool:
        return is_program(start)


def is_program(start: Start) -> bool:
    """Return whether an archive is one of `torch.export.save`."""
    return any(name.endswith(("models/model.json", "archive_format")) for name in start.members)


def _load(cursor: Cursor, notes: list[str]) -> Tensors:
    """Return a file's tensors, and note what was left out."""
    content = _content(cursor)
    if isinstance(content, torch.Tensor):
        return [_plain(content, "0", cursor)]
    if isinstance(content, dict) and not _has_tensors(content):
        keys = [key for key in _WRAPPERS if isinstance(content.get(key), dict)]
        if keys:
            others = sorted(str(key) for key in content if key != keys[0])
            content = content[keys[0]]
            if others:
                notes.append(f"taken from {keys[0]!r}; left out: {', '.join(others)}")
    found: dict[str, torch.Tensor] = {}
    others = []
    _collect(content, "", found, others, 0)
    found = {name: _plain(tensor, name, cursor) for name, tensor in found.items()}
    is_list = isinstance(content, (list, tuple)) and len(found) == len(content)
    if others:
        more = f" and {len(others) - 5} more" if len(others) > 5 else ""
        notes.append(f"left out, being no tensors: {', '.join(others[:5])}{more}")
    if not found and content not in ({}, []):
        msg = (
            f"Loading {cursor.source!r}: the file holds no tensors. Expected a state_dict that "
            f"torch.save(net.state_dict(), ...) wrote. Save that."
        )
        raise FileFormatError(msg)
    return list(found.values()) if is_list else found


def _content(cursor: Cursor) -> Any:  # noqa: ANN401 - anything may be in it
    target: Any = cursor.path or cursor.stream
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return torch.load(
                    target, map_location="cpu", weights_only=True, mmap=cursor.path is not None
                )
            except RuntimeError:
                # Files from before PyTorch 1.6 cannot be mapped.
                cursor.stream.seek(0)
                return torch.load(cursor.stream, map_location="cpu", weights_only=True)
    except pickle.UnpicklingError as error:
        msg = (
            f"Loading {cursor.source!r}: it holds Python objects beside tensors, which only "
            f"running the file could make, or is damaged; gluonish runs no file. Expected a "
            f"state_dict. Save it anew with torch.save(net.state_dict(), ...)."
        )
        raise FileFormatError(msg) from error
    except (RuntimeError, EOFError, ValueError, TypeError, LookupError, OSError) as error:
        first = str(error).partition("\n")[0]
        msg = (
            f"Loading {cursor.source!r}: PyTorch cannot read it ({first}). Expected a state_dict. "
            f"The file is damaged or incomplete; save, copy or download it again."
        )
        raise FileFormatError(msg) from error


def _has_tensors(content: dict[Any, Any]) -> bool:
    return any(isinstance(value, torch.Tensor) for value in content.values())


def _collect(
    value: object, name: str, found: dict[str, torch.Tensor], others: list[str], depth: int
) -> None:
    """Put tensors under their dotted names."""
    if isinstance(value, torch.Tensor):
        found[name] = value
        return
    parts: list[tuple[object, object]] = []
    if isinstance(value, dict):
        parts = list(value.items())
    elif isinstance(value, (list, tuple)):
        parts = list(enumerate(value))
    if depth >= _DEEPEST or not isinstance(value, (dict, list, tuple)):
        others.append(name or type(value).__name__)
        return
    for key, part in parts:
        _collect(part, f"{name}.{key}" if name else str(key), found, others, depth + 1)


def _plain(tensor: torch.Tensor, name: str, cursor: Cursor) -> torch.Tensor:
    """Return a tensor's dense form, if what is stored can be meant to be so large."""
    tensor = tensor.detach()
    is_dense = tensor.layout is torch.strided
    stored = tensor.untyped_storage().nbytes() if is_dense else cursor.size
    problem = dense_problem(tuple(tensor.shape), tensor.dtype, stored)
    if problem is not None:
        refuse(cursor.source, f"array {name!r}", problem)
    return tensor if is_dense else tensor.to_dense()
