"""Graphs of what `autograd.record()` recorded, as Symbols."""

from __future__ import annotations

import functools
import itertools
import threading
from typing import TYPE_CHECKING, Any

from torch import Tensor

from gluonish.array import NDArray, ndarray as np_ndarray
from gluonish.array.constant_results import head
from gluonish.array.core import in_graph_form
from gluonish.array.gradients import not_recorded
from gluonish.array.notes import Origin, note_on, noting, tensors_of
from gluonish.array.tensors import held, recorded
from gluonish.errors import AutogradError, OperandError
from gluonish.hybrid import ChangeCounts
from gluonish.ndarray.exchanges import wrap_all
from gluonish.ops import ops
from gluonish.ops.elementwise.forms import OPERATORS, WITH_NUMBER
from gluonish.ops.table.graph_names import find
from gluonish.process.recording import keeping
from gluonish.symbol.frontend import compose, scalar_arguments
from gluonish.symbol.graph import Entry, Node
from gluonish.symbol.np_symbol import NumpySymbol
from gluonish.symbol.symbol import Symbol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gluonish.ops.table import Op

__all__ = ["get_symbol"]

_NAME = "gluonish_variable"
_lock = threading.RLock()
_installed: list[bool] = []
_nodes, _variables = itertools.count(), itertools.count()


def get_symbol(x: Any) -> Symbol:
    """Return the graph of what an array was recorded to be computed from.

    Parameters
    ----------
    x : NDArray
        A result of `autograd.record()`, or an array that such a result was computed from.

    Returns
    -------
    Symbol
        Its arguments are `var0`, ... for arrays with gradients and `null0`, ... for others, as
        they are met; its operators `node_0`, ...

    Raises
    ------
    OperandError
        It is no array.
    AutogradError
        It was not recorded, or its graph was used up; or it was recorded before anything told
        that graphs would be asked for, or by what no graph holds, such as `autograd.Function`.

    Notes
    -----
    Recording keeps torch's graph, which has no operators of MXNet. These are noted where
    `record()` is called in a file whose text has the word `get_symbol`, and everywhere once this
    function has refused an array for want of notes. Meanwhile hybridized Blocks run in Python.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.ones((2, 3))
    >>> x.attach_grad()
    >>> with mx.autograd.record():
    ...     y = mx.nd.relu(x) + 2
    >>> mx.autograd.get_symbol(y).list_arguments()
    ['var0']
    """
    if not isinstance(x, NDArray):
        msg = (
            f"autograd.get_symbol: {type(x).__name__} was given. Expected an array that was "
            f"computed inside autograd.record(). Pass one array; of several, take one after the "
            f"other."
        )
        raise OperandError(msg)
    tensor = recorded(in_graph_form(x))
    is_known = note_on(tensor) is not None or hasattr(tensor, _NAME)
    if not is_known and head(tensor) is None:
        error = not_recorded(tensor, "autograd.get_symbol")
        raise error
    with _lock:
        return _Walk(isinstance(x, np_ndarray)).symbol_of(tensor)


def begin() -> None:
    """Note from now on which operators recorded results come from."""
    with _lock:
        if not _installed:
            _installed.append(True)
            wrap_all(noting)
            _note_methods()
        keeping.scopes += 1
        ChangeCounts.structure_changed()  # captured graphs call no operators


def end() -> None:
    """Note no longer what `begin` asked for."""
    with _lock:
        keeping.scopes -= 1
        ChangeCounts.structure_changed()


def _note_methods() -> None:
    """Have those methods of arrays noted, too, that call no operator of the table."""
    read, turned = NDArray.__getitem__, NDArray.T.fget  # type: ignore[attr-defined]
    as_type, copied = NDArray.astype, NDArray.copy

    def part(self: NDArray, key: Any) -> NDArray:
        return _noted(_part, self, (key,), read(self, key))

    def transposed(self: NDArray) -> NDArray:
        return _noted(_function("transpose"), self, (), turned(self))

    def cast(self: NDArray, dtype: Any, copy: bool = True) -> NDArray:
        return _noted(_function("Cast"), self, (dtype,), as_type(self, dtype, copy))

    def copy(self: NDArray) -> NDArray:
        return _noted(_function("_copy"), self, (), copied(self))

    for name, made in (("__getitem__", part), ("astype", cast), ("copy", copy)):
        setattr(NDArray, name, functools.wraps(getattr(NDArray, name))(made))
    setattr(NDArray, "T", property(transposed, doc=NDArray.T.__doc__))  # noqa: B010 - a property


def _noted(
    function: Callable[..., Any], array: NDArray, rest: tuple[Any, ...], result: NDArray
) -> NDArray:
    """Note what a method's result came from, unless it is the array itself or has a note."""
    tensor = held(result)
    if tensor is not held(array) and note_on(tensor) is None:
        noting(function, lambda *_: tensor)(held(array), *rest)
    return result


def _function(name: str) -> Callable[..., Any]:
    return _found(name)[0].function


def _part(tensor: Tensor, key: Any) -> Any:
    """Stand for `tensor[key]` in notes."""
    raise NotImplementedError


def _found(name: str) -> tuple[Op, str, str]:
    found = find(name)
    assert found is not None  # noqa: S101 - a name of the table's forms
    return found


def _with_numbers(cards: Sequence[Op]) -> dict[str, str]:
    """Return what operators of two operands are called: of two arrays, and with a number."""
    names = [name for op in cards for name in (*op.nd, *op.nd_method)]
    for name in names:
        if name in WITH_NUMBER:
            right, left = WITH_NUMBER[name]
            return {"right": right, "left": left} | ({} if name[0] == "_" else {"pair": name})
    for name in names:
        if name.strip("_") in OPERATORS and name.startswith("__"):
            _, right, left = OPERATORS[name.strip("_")]
            forms = ((key, find(form)) for key, (form, _) in WITH_NUMBER.items() if key[0] != "_")
            pair = next((key for key, form in forms if form == find(right)), "")
            return {"right": right, "left": left or right} | ({"pair": pair} if pair else {})
    return {}


def _one(position: int) -> slice:
    return slice(position, position + 1 or None)


class _Walk:
    """Makes Symbols of tensors and all that they were computed from."""

    def __init__(self, is_np: bool) -> None:
        self._spaces = ("np", "npx", "nd") if is_np else ("nd", "np", "npx")
        self._cls = NumpySymbol if is_np else Symbol
        self._made: dict[int, list[Entry]] = {}

    def symbol_of(self, tensor: Tensor) -> Symbol:
        """Return the graph of a tensor, the calls that it needs made first, without recursion."""
        note = note_on(tensor)
        if note is None:
            return self._cls([self._variable(tensor)])
        waiting = [note.origin]
        while waiting:
            origin = waiting[-1]
            if id(origin) in self._made:
                waiting.pop()
                continue
            needed = [
                found.origin
                for each in tensors_of((origin.args, origin.kwargs))
                if (found := note_on(each)) is not None and id(found.origin) not in self._made
            ]
            if needed:
                waiting += reversed(needed)
            else:
                self._made[id(waiting.pop())] = self._entries(origin)
        return self._cls([self._made[id(note.origin)][note.position]])

    def _entries(self, origin: Origin) -> list[Entry]:
        """Return what a call gives, as a node of a graph."""
        if not origin.name:
            origin.name = f"node_{next(_nodes)}"
        if origin.function is _part:
            return self._part(origin)
        args, kwargs = self._symbols(origin.args), self._symbols(origin.kwargs)
        kwargs = {key: value for key, value in kwargs.items() if key not in ("out", "ctx")}
        made = self._composed(origin, args, kwargs)
        parts = made if isinstance(made, list) else [made]
        return [entry for part in parts for entry in part.entries]

    def _composed(self, origin: Origin, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        cards = [op for op in ops() if op.function is origin.function]
        named = {**kwargs, "name": origin.name}
        with_numbers = {} if self._spaces[0] == "np" else _with_numbers(cards)
        if with_numbers and len(args) == 2:
            is_left = not isinstance(args[0], Symbol)
            if is_left or not isinstance(args[1], Symbol):
                op, space, path = _found(with_numbers["left" if is_left else "right"])
                named |= scalar_arguments(space, args[not is_left], is_left=is_left)
                return compose(op, space, path, self._cls, (args[is_left],), named)
            if "pair" in with_numbers:  # MXNet's arrays broadcast, whatever they are
                return compose(*_found(with_numbers["pair"]), self._cls, args, named)
        for space in self._spaces:
            for op in cards:
                for where, path in op.files:
                    if where == space:
                        return compose(op, space, path, self._cls, args, named)
        method = next(name for op in cards for name in (*op.np_method, *op.nd_method))
        if method.startswith("__"):  # Python's operators, which give nodes names of their own
            made = getattr(args[0], method)(*args[1:])
            made.entries[0].node.name = origin.name
            return made
        return getattr(args[0], method)(*args[1:], **named)

    def _part(self, origin: Origin) -> list[Entry]:
        """Return an index of numbers and slices as MXNet has it: `slice`, then `Reshape`."""
        tensor, key = origin.args
        keys = list(key) if isinstance(key, tuple) else [key]
        symbol = self._symbols(tensor)
        if not all(isinstance(each, (int, slice)) for each in keys):
            kinds = ", ".join(sorted({type(each).__name__ for each in keys}))
            msg = (
                f"autograd.get_symbol: an array was indexed by {kinds}. Expected numbers and "
                f"slices, which graphs know. Write nd.take or nd.gather_nd for indices in arrays."
            )
            raise AutogradError(msg)
        parts = [each if isinstance(each, slice) else _one(each) for each in keys]
        found = symbol.slice(
            begin=tuple(each.start for each in parts),
            end=tuple(each.stop for each in parts),
            step=tuple(each.step for each in parts),
            name=origin.name,
        )
        if not all(isinstance(each, slice) for each in keys):
            kept = tensor[key].shape or (1,)
            found = found.reshape(shape=tuple(kept), name=f"node_{next(_nodes)}")
        entries: list[Entry] = found.entries
        return entries

    def _symbols(self, value: Any) -> Any:
        """Return arguments with Symbols for tensors."""
        if isinstance(value, Tensor):
            note = note_on(value)
            if note is None:
                return self._cls([self._variable(value)])
            return self._cls([self._made[id(note.origin)][note.position]])
        if isinstance(value, (list, tuple)):
            return type(value)(self._symbols(each) for each in value)
        if isinstance(value, dict):
            return {key: self._symbols(each) for key, each in value.items()}
        return value

    def _variable(self, tensor: Tensor) -> Entry:
        if tensor.grad_fn is not None:
            if not keeping.scopes:
                begin()  # for good, since nothing tells when this is over
            msg = (
                "autograd.get_symbol: a part of the graph came from something that no graph "
                "holds, or was recorded before anything told that graphs would be asked for. "
                "Expected operators of mx.nd, mx.np and layers. Compute it again: all is noted "
                "from now on; leave autograd.Function and operators of torch out."
            )
            raise AutogradError(msg)
        name = getattr(tensor, _NAME, None)
        if name is None:
            name = f"{'var' if tensor.requires_grad else 'null'}{next(_variables)}"
            setattr(tensor, _NAME, name)
        if id(tensor) not in self._made:
            self._made[id(tensor)] = [Entry(Node(None, name), 0)]
        return self._made[id(tensor)][0]
