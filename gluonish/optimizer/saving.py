"""Files of optimizers' states: safetensors with a description in the header, or MXNet's pickles."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NoReturn

from torch import Tensor

from gluonish.array import NDArray
from gluonish.array.tensors import plain
from gluonish.errors import DTypeError, FileFormatError
from gluonish.optimizer.mxnet_states import record_of, settings_from, states_from
from gluonish.optimizer.settings import check
from gluonish.serialization import json_text, safetensors_format
from gluonish.serialization.cursor import Cursor
from gluonish.serialization.states import is_pickle, read_states, write_states

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gluonish.serialization.pickled_names import Names

_KEY: Final = safetensors_format.States.key
_VERSION: Final = 1
_DEEPEST: Final = 16  # tuples in tuples
_FOREIGN: Final = "the header is not that of a file of states, or is damaged"
_NUMBERS: Final = (bool, int, float)


@dataclass(frozen=True)
class Saved:
    """What a file of states holds.

    Attributes
    ----------
    states : dict of int or str to object
        State of each weight by its index: None, a number, a tensor, or a tuple or list of these.
    names : dict of int or str to str
        Names of parameters by index, whether they have a state or not; empty if not known.
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
    description = describe(Saved(dict(states), dict(names), optimizer), tensors)
    return safetensors_format.to_bytes(tensors, {_KEY: json.dumps(description)})


def describe(saved: Saved, tensors: dict[str, Tensor], prefix: str = "") -> dict[str, Any]:
    """Return a description that JSON can hold, and put the tensors beside it.

    Parameters
    ----------
    saved : Saved
        What to describe; its states may hold arrays.
    tensors : dict of str to Tensor
        Where the states' tensors are put.
    prefix : str, default ''
        What their names begin with.

    Raises
    ------
    DTypeError
        A state holds something else than arrays.
    """
    trees = [
        [index, _described(state, tensors, f"{prefix}{place}", index)]
        for place, (index, state) in enumerate(saved.states.items())
    ]
    return {
        "version": _VERSION,
        "states": trees,
        "names": list(saved.names.items()),
        "optimizer": saved.optimizer,
    }


def to_mxnet(data: bytes, source: str, own: Names = (), np_arrays: bool = False) -> bytes:
    """Return a file of states as MXNet 1.x reads it, from one of gluonish or MXNet.

    Parameters
    ----------
    data : bytes
        Content of the file.
    source : str
        Its name, for messages.
    own : collection of (str, str), optional
        Modules and names of the program's own optimizers and schedules.
    np_arrays : bool, default False
        Whether arrays are those of `mx.np` instead of `mx.nd`.

    Raises
    ------
    FileFormatError
        The content is damaged.
    InvalidArgumentError
        MXNet 1.9.1 has no such optimizer or schedule.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.optimizer.saving import to_mxnet, unpack
    >>> updater = mx.optimizer.get_updater(mx.optimizer.SGD(momentum=0.9))
    >>> updater(0, mx.nd.ones((1,)), mx.nd.ones((1,)))
    >>> unpack(to_mxnet(updater.get_states(), 'states'), 'pickle').states
    {0: tensor([-0.0100])}
    """
    saved = unpack(data, source, own)
    if saved.optimizer is None:
        return write_states(saved.states, None, np_arrays)
    record, states = record_of(saved.optimizer, saved.states, own)
    return write_states(states, record, np_arrays)


def to_safetensors(data: bytes, source: str, own: Names = ()) -> bytes:
    """Return a file of states in gluonish's own form, from one of MXNet or gluonish.

    Raises
    ------
    FileFormatError
        The content is damaged.

    Examples
    --------
    >>> from gluonish.optimizer.saving import to_safetensors, unpack
    >>> from gluonish.serialization.states import write_states
    >>> unpack(to_safetensors(write_states({0: None}), 'pickle'), 'states').states
    {0: None}
    """
    saved = unpack(data, source, own)
    return pack(saved.states, saved.names, saved.optimizer)


def unpack(data: bytes, source: str, own: Names = ()) -> Saved:
    """Return what `pack` was given, or what MXNet pickled, with tensors on the CPU.

    Parameters
    ----------
    data : bytes
        Content of the file.
    source : str
        Its name, for messages.
    own : collection of (str, str), optional
        Modules and names of the program's own optimizers and schedules.

    Raises
    ------
    FileFormatError
        The content is damaged, or of no known form.
    """
    if is_pickle(data) and data[8:9] != b"{":
        found = read_states(data, source, own)
        optimizer = found.optimizer
        settings = None if optimizer is None else settings_from(optimizer, source)
        return Saved(states_from(found), {}, settings)
    cursor = Cursor(io.BytesIO(data), len(data), source)
    try:
        arrays, metadata = safetensors_format.read(cursor)
    except FileFormatError as error:
        problem = str(error).partition(": ")[2].partition(". ")[0]
        _refuse(source, f"{_FOREIGN}; {cursor.label}, byte {cursor.offset}: {problem}")
    if _KEY not in metadata or not isinstance(arrays, dict):
        _refuse(source, _FOREIGN)
    try:
        description = json_text.parse(metadata[_KEY], are_constants_allowed=True)
    except ValueError as error:
        _refuse(source, f"its description is damaged ({error})")
    return saved_from(description, arrays, source)


def saved_from(description: Any, arrays: Mapping[str, Tensor], source: str) -> Saved:
    """Return what `describe` described, with tensors for arrays.

    Raises
    ------
    FileFormatError
        The description is damaged.
    """
    if not isinstance(description, dict) or type(description.get("version")) is not int:
        _refuse(source, "its description is damaged: it has no version")
    if description["version"] != _VERSION:
        version = description["version"]
        _refuse(source, f"it has version {version!r} of the format, this program reads 1")
    states = _pairs(description, "states", source)
    names = _pairs(description, "names", source)
    if not all(isinstance(name, str) for name in names.values()):
        _refuse(source, "its description is damaged: a name is no text")
    settings = description.get("optimizer")
    if settings is not None:
        check(settings, source)
    return Saved(
        {index: _tree(tree, arrays, source, 0) for index, tree in states.items()},
        names,
        settings,
    )


def _pairs(description: dict[str, Any], what: str, source: str) -> dict[Any, Any]:
    """Return what a description tells by index."""
    found = description.get(what)
    if not isinstance(found, list):
        _refuse(source, f"its description is damaged: it has no list of {what}")
    for pair in found:
        if not isinstance(pair, list) or len(pair) != 2 or type(pair[0]) not in (int, str):
            _refuse(source, f"its description is damaged: one of its {what} has no index")
    pairs = dict(map(tuple, found))
    if len(pairs) < len(found):
        _refuse(source, f"its description is damaged: an index has two {what}")
    return pairs


def _described(state: Any, tensors: dict[str, Tensor], place: str, index: Any) -> Any:
    """Return the form of a state, and put its tensors under the names that the form has."""
    if state is None or isinstance(state, _NUMBERS):
        return state
    if isinstance(state, (NDArray, Tensor)):
        tensor = plain(state) if isinstance(state, NDArray) else state
        tensors[place] = tensor.cpu().contiguous().clone()
        return place
    if isinstance(state, (tuple, list)):
        parts = [
            _described(part, tensors, f"{place}.{number}", index)
            for number, part in enumerate(state)
        ]
        return ["list" if type(state) is list else "tuple", *parts]
    msg = (
        f"states of weight {index!r}: {type(state).__name__} was found. Expected None, arrays, "
        f"numbers, or tuples and lists of them. Let create_state return those, or keep it out of "
        f"the file."
    )
    raise DTypeError(msg)


def _tree(described: Any, tensors: Mapping[str, Tensor], source: str, depth: int) -> Any:
    if described is None or isinstance(described, _NUMBERS):
        return described
    if isinstance(described, str) and described in tensors:
        return tensors[described]
    if (
        not isinstance(described, list)
        or not described
        or described[0] not in ("list", "tuple")
        or depth > _DEEPEST
    ):
        _refuse(source, "its description is damaged: a state is none of arrays that are there")
    kind, *parts = described
    made = [_tree(part, tensors, source, depth + 1) for part in parts]
    return made if kind == "list" else tuple(made)


def _refuse(source: str, why: str) -> NoReturn:
    msg = (
        f"Loading states from {source!r}: {why}. Expected what save_states or get_states of "
        f"gluonish or MXNet wrote. Save the states anew, or go on without them."
    )
    raise FileFormatError(msg)


def leaves(state: Any) -> list[Any]:
    """Return the arrays or tensors of a state in order."""
    if state is None or isinstance(state, _NUMBERS):
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
    if isinstance(state, _NUMBERS):
        return "number"
    tensor = plain(state) if isinstance(state, NDArray) else state
    return f"{str(tensor.dtype).removeprefix('torch.')} {tuple(tensor.shape)}"
