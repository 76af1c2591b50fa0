"""Notes on tensors of which operators they came from, while somebody asks for graphs of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from torch import Tensor

from gluonish.array.constant_results import is_captured
from gluonish.process.recording import keeping, state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_NAME = "gluonish_note"


class Origin:
    """A call whose results are part of a recorded graph.

    Attributes
    ----------
    function : callable
        The operator's function in the table.
    args, kwargs
        What it was called with, tensors included.
    name : str
        What a graph calls it; empty before one is asked for.
    """

    __slots__ = ("args", "function", "kwargs", "name")

    def __init__(
        self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        self.function = function
        self.args = args
        self.kwargs = kwargs
        self.name = ""


class Note(NamedTuple):
    """Which result of which call a tensor is."""

    origin: Origin
    position: int


def noting(
    function: Callable[..., Any], by: Callable[..., Any] | None = None
) -> Callable[..., Any]:
    """Return a function that notes on its results what it was called with.

    Parameters
    ----------
    function : callable
        What the note tells.
    by : callable, optional
        What is called in its place.
    """
    called = function if by is None else by

    def run(*args: Any, **kwargs: Any) -> Any:
        result = called(*args, **kwargs)
        if keeping.scopes and state.recording and not is_captured() and _in_graph(args, kwargs):
            origin = Origin(function, args, kwargs)
            for position, tensor in enumerate(tensors_of(result)):
                setattr(tensor, _NAME, Note(origin, position))
        return result

    return run


def note_on(tensor: Tensor) -> Note | None:
    """Return the note on a tensor, if there is one."""
    found: Note | None = getattr(tensor, _NAME, None)
    return found


def tensors_of(values: Any) -> Iterator[Tensor]:
    """Yield the tensors in lists, tuples and dictionaries."""
    if isinstance(values, Tensor):
        yield values
    elif isinstance(values, (list, tuple)):
        for value in values:
            yield from tensors_of(value)
    elif isinstance(values, dict):
        yield from tensors_of(tuple(values.values()))


def _in_graph(*values: Any) -> bool:
    return any(each.requires_grad or note_on(each) is not None for each in tensors_of(values))
