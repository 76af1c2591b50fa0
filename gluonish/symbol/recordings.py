"""What was computed while recording, as a graph of operators: `autograd.get_symbol`."""

from __future__ import annotations

import functools
import itertools
import operator as operators
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from typing_extensions import override

from gluonish import symbol as F  # noqa: N812 - as layers call a front end
from gluonish.array import NDArray, indexing, ndarray
from gluonish.array.constant_results import join, tensors_in
from gluonish.array.core import unwrap_key
from gluonish.array.dtypes import numpy_dtype, torch_dtype
from gluonish.array.tensors import held
from gluonish.array.used_graphs import is_past
from gluonish.errors import AutogradError, MXNetError, OperandError
from gluonish.errors.tracebacks import shorten
from gluonish.errors.wording import class_name
from gluonish.hybrid import ChangeCounts
from gluonish.hybrid.recorder import report
from gluonish.name import NameManager
from gluonish.ndarray.exchanges import wrap
from gluonish.ops import ops
from gluonish.ops.elementwise import forms
from gluonish.process.noting import note_all
from gluonish.process.postponed import settle_all
from gluonish.process.recording import NOTED, state
from gluonish.symbol.frontend import by_path, compose
from gluonish.symbol.np_symbol import NumpySymbol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gluonish.ops.table import Op
    from gluonish.symbol.symbol import Symbol

_ORIGIN = "noted_origin"  # attribute of tensors
_numbers, _variables = itertools.count(), itertools.count()


def _is_for_equal_shapes(op: Op) -> bool:
    """Return whether it is the narrower one of two operators that share a function."""
    return op.reverse is not None


class _Notes:
    """Whether calls are noted."""

    are_taken = False


class _Call:
    """One call of an operator: what makes its Symbol, and what it was given."""

    __slots__ = ("args", "compose", "kwargs", "number")

    def __init__(
        self, compose: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]
    ) -> None:
        self.compose, self.args, self.kwargs = compose, args, kwargs
        self.number = next(_numbers)


class _Result:
    """Where a tensor comes from: one of a call's results, or, without a call, nowhere."""

    __slots__ = ("call", "name", "position")

    def __init__(self, call: _Call | None, position: int = 0, name: str = "") -> None:
        self.call, self.position, self.name = call, position, name


class _Names(NameManager):
    """Names nodes as MXNet does: `node_0`, `node_1`."""

    def __init__(self) -> None:
        super().__init__()
        self._count = itertools.count()

    @override
    def get(self, name: str | None, hint: str) -> str:
        return f"node_{next(self._count)}"


def get_symbol(x: object) -> Symbol:
    """Return the graph of what an array was computed from while recording.

    Parameters
    ----------
    x : NDArray
        A recorded result, or an array with an attached gradient.

    Returns
    -------
    Symbol
        Operators are called `node_0`, `node_1`, ..., arrays with gradients `var0`, the other ones
        `null1`, ... in the order in which they were recorded.

    Raises
    ------
    AutogradError
        It was not recorded, or the graph was used up by `backward()`. Or something else than an
        operator of MXNet computed a part of it.

    Notes
    -----
    Operators are noted where the file that calls `autograd.record()`, or one that has called it,
    speaks of `get_symbol`; otherwise once `get_symbol` was asked in vain. Hybridized Blocks then
    run operator by operator while they are recorded.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.ones((2,))
    >>> x.attach_grad()
    >>> with mx.autograd.record():
    ...     y = 2 * x + 1
    >>> graph = mx.autograd.get_symbol(y)
    >>> graph
    <Symbol node_1>
    >>> len(graph.list_arguments())
    1
    """
    if not isinstance(x, NDArray):
        msg = (
            f"autograd.get_symbol: {class_name(x)} was given. Expected one array. Write "
            f"[autograd.get_symbol(each) for each in arrays] for several."
        )
        raise OperandError(msg)
    settle_all()
    tensor = held(x)
    node = tensor.grad_fn
    if node is None and tensor.requires_grad:
        _note_variable(tensor)
    origin = getattr(tensor, _ORIGIN, None)
    if origin is None or (node is not None and is_past(node)):
        raise _not_recorded(tensor, is_new=origin is None)
    with _Names():
        return F.Symbol(_composed(origin, is_np=isinstance(x, ndarray)).entries)


def start() -> None:
    """Note from now on what operators compute while recording."""
    if _Notes.are_taken:
        return
    _Notes.are_taken = True
    functions: dict[Any, list[Op]] = {}
    for op in sorted(ops(), key=_is_for_equal_shapes):
        functions.setdefault(op.function, []).append(op)
    for function, found in functions.items():
        wrap(function, functools.partial(_noting, found))
    for name, form in _METHODS.items():
        for cls in (NDArray, ndarray):
            method: Any = vars(cls).get(name)
            if isinstance(method, property):
                get: Any = method.fget
                setattr(cls, name, property(_noting_method(get, form)))
            elif method is not None:
                setattr(cls, name, _noting_method(method, form))
    ChangeCounts.operators_changed()


# --- noting -----------------------------------------------------------------------------------


def _noting(found: Sequence[Op], function: Callable[..., Any]) -> Callable[..., Any]:
    """Return what computes an operator and notes its results."""
    compose = functools.partial(_operator, found)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        return _noted(result, compose, args, kwargs) if state.recording is NOTED else result

    return call


def _noting_method(method: Callable[..., Any], compose: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method of arrays that notes its result."""
    is_index = compose is _noted_part

    @functools.wraps(method)
    def call(self: NDArray, *args: Any, **kwargs: Any) -> Any:
        try:
            if state.recording is not NOTED or self.stype != "default":
                return method(self, *args, **kwargs)
            source = held(self)
            result = method(self, *args, **kwargs)
        except Exception as error:
            trace: Any = shorten(error).__traceback__
            if trace is not None and trace.tb_next is None:  # arguments that do not fit
                error.__traceback__ = None
            raise
        if isinstance(result, NDArray) and result.stype == "default" and result is not self:
            found = held(result)
            if is_index:
                _noted(found, *_noted_part(source, found, *args), {})
            else:
                _noted(found, compose, (source, *args), kwargs)
        return result

    return call


def _noted(
    result: Any, compose: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Return a call's result as part of the graph, with a note of where it comes from."""
    given = [*tensors_in((args, kwargs))]
    if not any(tensor.requires_grad or hasattr(tensor, _ORIGIN) for tensor in given):
        return result  # as MXNet, which records what is computed from variables
    report("autograd.get_symbol asks for the operators that are recorded")
    for tensor in given:
        _note_variable(tensor)
    joined = join(result, (args, kwargs))
    call = _Call(compose, args, kwargs)
    for position, part in enumerate(tensors_in(joined)):
        if all(part is not tensor for tensor in given):  # x[:] is x
            setattr(part, _ORIGIN, _Result(call, position))
    return joined


def _note_variable(tensor: Tensor) -> None:
    """Name a tensor that no operator has computed, if it has no name yet."""
    if getattr(tensor, _ORIGIN, None) is None and tensor.grad_fn is None:
        kind = "var" if tensor.requires_grad else "null"
        setattr(tensor, _ORIGIN, _Result(None, name=f"{kind}{next(_variables)}"))


def _not_recorded(tensor: Tensor, *, is_new: bool) -> AutogradError:
    how = "Compute it inside autograd.record(), and ask before backward(), which forgets it"
    if is_new and tensor.grad_fn is not None:
        start()
        note_all()
        how = "Record it once more: operators of nd, np and npx are noted since this call"
    msg = (
        f"autograd.get_symbol: the array of shape {tuple(tensor.shape)}: NDArray is not part of a "
        f"computation graph. Did you forget to turn on recording? {how}."
    )
    return AutogradError(msg)


# --- composing --------------------------------------------------------------------------------


def _composed(origin: _Result, *, is_np: bool) -> Any:
    """Return the Symbol of a noted tensor."""
    kind: Any = NumpySymbol if is_np else F.Symbol
    found: dict[int, Symbol] = {}
    variables: dict[str, Symbol] = {}

    def symbol_of(value: Any) -> Any:
        if isinstance(value, Tensor):
            return of(getattr(value, _ORIGIN, None), value)
        if isinstance(value, (list, tuple)):
            return type(value)(map(symbol_of, value))
        return value

    def of(result: _Result | None, tensor: Tensor | None = None) -> Symbol:
        if result is None:
            raise _foreign(tensor)
        if result.call is None:
            return variables.setdefault(result.name, kind(F.var(result.name).entries))
        made = found[result.call.number].entries
        part: Symbol = kind(made if len(made) == 1 else [made[result.position]])
        return part

    for call in _calls_before(origin):
        args = [symbol_of(value) for value in call.args]
        kwargs = {key: symbol_of(value) for key, value in call.kwargs.items()}
        try:
            made = call.compose(kind, *args, **kwargs)
        except (MXNetError, AttributeError) as error:  # AttributeError: of a method
            msg = (
                f"autograd.get_symbol: an operator on the way has no form in graphs with these "
                f"arguments. {error.args[0]}"
            )
            raise AutogradError(msg) from error
        found[call.number] = F.Group(made) if isinstance(made, (list, tuple)) else made
    return of(origin)


def _calls_before(origin: _Result) -> list[_Call]:
    """Return the calls that a result comes from, in the order in which they were recorded."""
    waiting = [] if origin.call is None else [origin.call]  # grows while it is walked
    found = {call.number: call for call in waiting}
    for call in waiting:
        for tensor in tensors_in((call.args, call.kwargs)):
            before = getattr(tensor, _ORIGIN, None)
            if before is not None and before.call is not None and before.call.number not in found:
                found[before.call.number] = before.call
                waiting.append(before.call)
    return [found[number] for number in sorted(found)]


def _foreign(tensor: Tensor | None) -> AutogradError:
    shape = () if tensor is None else tuple(tensor.shape)
    msg = (
        f"autograd.get_symbol: an array of shape {shape} on the way was computed by something that "
        f"is no operator of MXNet's, such as a function of torch or an autograd.Function. "
        f"Expected operators of nd, np or npx. Write that part with them."
    )
    return AutogradError(msg)


def _operator(found: Sequence[Op], kind: type[Symbol], *args: Any, **kwargs: Any) -> Any:
    """Compose the operator that a front end has among those of one function."""
    is_np = kind is not F.Symbol
    is_pair = len(args) == 2 and all(isinstance(each, F.Symbol) for each in args)
    by_name = [
        (op, space, getattr(op, space)[0])
        for space in (("np", "npx", "nd") if is_np else ("nd", "np", "npx"))
        for op in found
        if getattr(op, space)
    ]
    methods = [n for op in found for n in ((is_np and op.np_method) or op.nd_method)]
    if len(args) == 2 and not (is_pair and by_name):
        for name in filter(_is_sign, methods):  # such as x + 1, and 1 - x
            if hasattr(operators, name):
                return getattr(operators, name)(*args)
            if hasattr(operators, mirrored := f"__{name[3:]}"):
                return getattr(operators, mirrored)(*reversed(args))
        for name in forms.FUNCTIONS.keys() & {name for op in found for name in op.nd}:
            return getattr(F, name)(*args, **kwargs)  # which takes numbers, too
    if methods and not by_name:
        return getattr(args[0], methods[0])(*args[1:], **kwargs)
    if not by_name:  # MXNet's files alone have it
        by_name = [(op, *place) for op in found for place in op.files]
    op, space, path = by_name[0]
    if is_np is (space != "nd"):
        front: Any = F if space == "nd" else getattr(F, space)
        return functools.reduce(getattr, path.split("."), front)(*args, **kwargs)
    return compose(op, space, path, kind, args, kwargs)


def _is_sign(name: str) -> bool:
    return name.startswith("__")


def _sliced(kind: type[Symbol], source: Symbol, key: Any, shapes: Any) -> Any:
    """Compose what an index of numbers and slices selects."""
    before, after = shapes
    bounds = [(0, length, 1) for length in before]
    axes = iter(range(len(before)))
    taken = [part for part in key if part is not None and part is not ...]
    for part in key:
        if part is ...:
            for _ in range(len(before) - len(taken)):
                next(axes)
        elif part is not None:
            axis = next(axes)
            if isinstance(part, slice):
                bounds[axis] = _bounds(part, before[axis])
            else:
                start = part % before[axis]
                bounds[axis] = (start, start + 1, 1)
    if all(bound == (0, length, 1) for bound, length in zip(bounds, before, strict=True)):
        made, shape = source, before
    else:
        begin, end, step = zip(*bounds, strict=True)
        made = _nd("slice", kind, source, begin=begin, end=end, step=step)
        shape = tuple(
            len(range(length)[slice(*b)]) for b, length in zip(bounds, before, strict=True)
        )
    return made if shape == after else made.reshape(after)


def _bounds(part: slice, length: int) -> tuple[int, int | None, int]:
    start, stop, step = part.indices(length)
    return start, None if stop < 0 else stop, step


def _taken(_kind: type[Symbol], source: Symbol, positions: Symbol) -> Any:
    """Compose what arrays as indices select, by its positions among all elements."""
    return source.reshape((-1,)).take(positions)


def _copied(kind: type[Symbol], source: Symbol, *_: Any, **_options: Any) -> Any:
    return _nd("identity", kind, source)


def _transposed(_kind: type[Symbol], source: Symbol) -> Any:
    return source.transpose()


def _cast(_kind: type[Symbol], source: Symbol, dtype: Any, *_: Any, **_options: Any) -> Any:
    return source.astype(numpy_dtype(torch_dtype(dtype)).name)


def _nd(path: str, kind: type[Symbol], *args: Any, **kwargs: Any) -> Any:
    return compose(by_path("nd", path), "nd", path, kind, args, kwargs)


def _noted_part(source: Tensor, result: Tensor, key: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return what composes a part of an array, and its arguments."""
    parts = key if isinstance(key, tuple) else (key,)
    if all(type(part) in indexing.SIMPLE for part in parts):
        return _sliced, (source, parts, (tuple(source.shape), tuple(result.shape)))
    places = torch.arange(source.numel()).reshape(source.shape)
    positions = indexing.read(places, unwrap_key(key))
    return _taken, (source, positions.reshape(result.shape))


# What composes the results of methods of arrays that stand for no operator.
_METHODS: dict[str, Callable[..., Any]] = {
    "__getitem__": _noted_part,
    "T": _transposed,
    "as_in_context": _copied,
    "as_in_ctx": _copied,
    "astype": _cast,
    "copy": _copied,
}
