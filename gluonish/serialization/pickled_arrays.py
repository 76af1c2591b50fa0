"""Arrays that MXNet's users pickled: read as data, without running the pickle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gluonish.errors import FileFormatError
from gluonish.serialization.cursor import refuse
from gluonish.serialization.pickled_names import PickledArray, States
from gluonish.serialization.pickles import Machine
from gluonish.serialization.states import is_pickle

if TYPE_CHECKING:
    from torch import Tensor

    from gluonish.serialization.elements import Tensors
    from gluonish.serialization.files import Source

_LIST: Final = b"]"  # how the oldest pickles of lists begin
_FIX: Final = "Nothing in it was run. Save the arrays with mx.nd.save, which needs no pickle."


def read(source: Source, error: FileFormatError) -> Tensors:
    """Read the arrays of a pickle, which no reader of arrays has taken.

    Parameters
    ----------
    source : Source
        At any place.
    error : FileFormatError
        Why the others did not take it; it is raised if the file is no pickle of arrays, with a
        note of what it is.

    Returns
    -------
    list of Tensor or dict of str to Tensor
        Dense tensors in CPU memory; a list of one for an array alone.
    """
    source.stream.seek(0)
    first = source.stream.read(1)
    if not is_pickle(first) and first != _LIST:
        raise error
    source.stream.seek(0)
    data = source.stream.read()
    try:
        found = Machine(data, source.name, States(source.name, len(data), ())).run()
        return _arranged(found, source.name)
    except FileFormatError as problem:
        if first == b"\x80":  # the others may begin any text
            error.add_note(f"As a pickle of MXNet's arrays: {problem}")
        raise error from None


def _arranged(found: object, name: str) -> Tensors:
    if isinstance(found, PickledArray):
        return [_tensor(found, "the array", name)]
    if isinstance(found, (list, tuple)):
        return [_tensor(part, f"item {number}", name) for number, part in enumerate(found)]
    if isinstance(found, dict) and all(type(key) is str for key in found):
        return {key: _tensor(part, f"item {key!r}", name) for key, part in found.items()}
    return refuse(name, "", f"it holds {type(found).__name__}; expected arrays", _FIX)


def _tensor(part: object, where: str, name: str) -> Tensor:
    if isinstance(part, PickledArray) and part.tensor is not None:
        return part.tensor
    kind = "one without values" if isinstance(part, PickledArray) else type(part).__name__
    return refuse(name, where, f"{kind} was found; expected an array", _FIX)
