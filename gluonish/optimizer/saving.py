"""The file format of optimizers' states: safetensors, with a description in its header."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NoReturn

from safetensors import SafetensorError
from safetensors.torch import load, save

from gluonish.array import NDArray
from gluonish.array.core import plain
from gluonish.errors import DTypeError, FileFormatError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torch import Tensor

_KEY: Final = "gluonish.states"
_VERSION: Final = 1
_PICKLE: Final = b"\x80"


@dataclass(frozen=True)
class Saved:
    """What a file of states holds.

    Attributes
    ----------
    states : dict of int or str to object
        State of each weight by its index: None, a tensor, or a tuple or list of these.
    names : dict of int or str to str
        Names of parameters by index, whether they have a state or not.
    optimizer : dict or None
        Settings of the optimizer and its counts, if they were saved; see `settings`.
    """

    states: dict[Any, Any]
    names: dict[Any, str]
    optimizer: dict[str, Any] | None


def pack(
    states: Mapping[Any, Any], names: Mapping[Any, str], optimizer: dict[str, Any] | None
) -> bytes:
    """Return the content of a file.

    Raises
    ------
    DTypeError
        A state holds something else than arrays.
    """
    tensors: dict[str, Tensor] = {}
    trees = [
        [index, _described(state, tensors, f"{place}", index)]
        for place, (index, state) in enumerate(states.items())
    ]
    description = {
        "version": _VERSION,
        "states": trees,
        "names": list(names.items()),
        "optimizer": optimizer,
    }
    return save(tensors, {"format": "pt", _KEY: json.dumps(description)})


def unpack(data: bytes, source: str) -> Saved:
    """Return what `pack` was given, with tensors on the CPU.

    Raises
    ------
    FileFormatError
        The content is damaged, or is none that gluonish wrote.
    """
    try:
        tensors = load(data)
        header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
        text = header["__metadata__"][_KEY]
    except (SafetensorError, KeyError):
        if data[:1] == _PICKLE:
            _refuse(source, "it is a pickle, as MXNet 1.x writes, and those can run any program")
        _refuse(source, "the header is not that of a file of states, or is damaged")
    try:
        description = json.loads(text)
        version = description["version"]
        if version != _VERSION:
            _refuse(source, f"it has version {version!r} of the format, this program reads 1")
        return Saved(
            {index: _tree(tree, tensors) for index, tree in description["states"]},
            dict(map(tuple, description["names"])),
            description["optimizer"],
        )
    except (ValueError, KeyError, TypeError) as error:
        if isinstance(error, FileFormatError):
            raise
        _refuse(source, f"its description is damaged ({error!r})")


def _described(state: Any, tensors: dict[str, Tensor], place: str, index: Any) -> Any:
    """Return the form of a state, and put its tensors under the names that the form has."""
    if state is None:
        return None
    if isinstance(state, NDArray):
        tensors[place] = plain(state).cpu().contiguous().clone()
        return place
    if isinstance(state, (tuple, list)):
        parts = [
            _described(part, tensors, f"{place}.{number}", index)
            for number, part in enumerate(state)
        ]
        return ["list" if type(state) is list else "tuple", *parts]
    msg = (
        f"states of weight {index!r}: {type(state).__name__} was found. Expected None, arrays, or "
        f"tuples and lists of them. Let create_state return those, or keep it out of the file."
    )
    raise DTypeError(msg)


def _tree(described: Any, tensors: Mapping[str, Tensor]) -> Any:
    if described is None:
        return None
    if isinstance(described, str):
        return tensors[described]
    kind, *parts = described
    made = [_tree(part, tensors) for part in parts]
    return made if kind == "list" else tuple(made)


def _refuse(source: str, why: str) -> NoReturn:
    msg = (
        f"Loading states from {source}: {why}. Expected what gluonish's save_states or get_states "
        f"wrote. Save the states anew, or go on without them."
    )
    raise FileFormatError(msg)


def leaves(state: Any) -> list[Any]:
    """Return the arrays or tensors of a state in order."""
    if state is None:
        return []
    if isinstance(state, (tuple, list)):
        return [leaf for part in state for leaf in leaves(part)]
    return [state]


def form(state: Any) -> str:
    """Return a state's form as text: shapes and dtypes."""
    if isinstance(state, (tuple, list)):
        return f"({', '.join(map(form, state))})"
    if state is None:
        return "nothing"
    tensor = plain(state) if isinstance(state, NDArray) else state
    return f"{str(tensor.dtype).removeprefix('torch.')} {tuple(tensor.shape)}"
