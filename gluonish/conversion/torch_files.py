"""Reading files of torch.save, of which nothing but tensors is taken."""

from __future__ import annotations

import pickle
import warnings
from typing import TYPE_CHECKING, Any, Final

import torch

from gluonish.errors import FileFormatError
from gluonish.serialization.cursor import refuse
from gluonish.serialization.packing import dense_problem

if TYPE_CHECKING:
    from gluonish.serialization.files import Source

# Under what training programs put the state_dict beside other things.
_WRAPPERS: Final = ("state_dict", "model_state_dict", "model")
_DEEPEST: Final = 32


def load_tensors(source: Source, notes: list[str]) -> tuple[dict[str, torch.Tensor], bool]:
    """Return a file's tensors by name, and whether they have names or are a list.

    Parameters
    ----------
    source : Source
        The file.
    notes : list of str
        Receives what was left out.

    Raises
    ------
    FileFormatError
        It is damaged, holds objects that only running it could make, or no tensors.
    """
    content = _content(source)
    if isinstance(content, torch.Tensor):
        return {"0": _plain(content, "0", source)}, False
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
    found = {name: _plain(tensor, name, source) for name, tensor in found.items()}
    is_list = isinstance(content, (list, tuple)) and len(found) == len(content)
    if others:
        more = f" and {len(others) - 5} more" if len(others) > 5 else ""
        notes.append(f"left out, being no tensors: {', '.join(others[:5])}{more}")
    if not found and content not in ({}, []):
        msg = (
            f"Loading {source.name!r}: the file holds no tensors. Expected a state_dict that "
            f"torch.save(net.state_dict(), ...) wrote. Save that."
        )
        raise FileFormatError(msg)
    return found, not is_list


def _content(source: Source) -> Any:  # noqa: ANN401 - anything may be in it
    target: Any = source.path or source.stream
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return torch.load(
                    target, map_location="cpu", weights_only=True, mmap=source.path is not None
                )
            except RuntimeError:
                # Files from before PyTorch 1.6 cannot be mapped.
                source.stream.seek(0)
                return torch.load(source.stream, map_location="cpu", weights_only=True)
    except pickle.UnpicklingError as error:
        msg = (
            f"Loading {source.name!r}: it holds Python objects beside tensors, which only running "
            f"the file could make, or is damaged; gluonish runs no file. Expected a state_dict. "
            f"Save it anew with torch.save(net.state_dict(), ...)."
        )
        raise FileFormatError(msg) from error
    except (RuntimeError, EOFError, ValueError, TypeError, LookupError, OSError) as error:
        first = str(error).partition("\n")[0]
        msg = (
            f"Loading {source.name!r}: PyTorch cannot read it ({first}). Expected a state_dict. "
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


def _plain(tensor: torch.Tensor, name: str, source: Source) -> torch.Tensor:
    """Return a tensor's dense form, if what is stored can be meant to be so large."""
    tensor = tensor.detach()
    is_dense = tensor.layout is torch.strided
    stored = tensor.untyped_storage().nbytes() if is_dense else source.size
    problem = dense_problem(tuple(tensor.shape), tensor.dtype, stored)
    if problem is not None:
        refuse(source.name, f"array {name!r}", problem)
    return tensor if is_dense else tensor.to_dense()
