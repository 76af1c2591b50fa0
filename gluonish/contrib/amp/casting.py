"""Casts the inputs of operators before they are computed, as lists of operators want it."""

from __future__ import annotations

import functools
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from gluonish.errors import UnknownOperatorError
from gluonish.hybrid import ChangeCounts
from gluonish.ndarray.exchanges import wrap
from gluonish.ops import ops
from gluonish.ops.elementwise.forms import WITH_NUMBER
from gluonish.ops.table import file_name

if TYPE_CHECKING:
    import inspect
    from collections.abc import Callable, Iterable, Mapping
    from typing import TypeAlias

    from gluonish.contrib.amp.cards import Condition, Lists

    Function: TypeAlias = "Callable[..., Any]"
    Given: TypeAlias = "tuple[tuple[Any, ...], dict[str, Any]]"
    Cast: TypeAlias = "Callable[[tuple[Any, ...], dict[str, Any]], Given]"

_HALF = (torch.float16, torch.bfloat16)


@dataclass(frozen=True, slots=True)
class Operator:
    """One function of the table, with all of its names; the first that a list has decides."""

    function: Function
    names: tuple[str, ...]
    signature: inspect.Signature


class _Active(threading.local):
    """The casts by operator's function; those of the class are for threads without their own."""

    casts: Mapping[Function, Cast] | None = None


_active = _Active()
_wrapped: set[Function] = set()


@functools.cache
def operators() -> tuple[Operator, ...]:
    """Return the operators that casts may stand before."""
    names: dict[Function, list[str]] = {}
    signatures: dict[Function, inspect.Signature] = {}
    for op in ops():
        found = names.setdefault(op.function, [])
        for path in (*op.nd, *op.np, *op.npx):
            found.append(file_name(path))
        found += [op.precision.like] if op.precision.like else []
        found += [*op.files.values(), *op.nd_method, *op.np_method]
        signatures[op.function] = op.signature
    return tuple(
        Operator(function, tuple(dict.fromkeys(found)), signatures[function])
        for function, found in names.items()
        if not function.__module__.startswith("gluonish.ops.updates")  # they write to their inputs
    )


def casts_for(dtype: torch.dtype, lists: Lists) -> dict[Function, Cast]:
    """Return what to do with the inputs of operators, by their functions.

    Parameters
    ----------
    dtype : torch.dtype
        The low precision.
    lists : Lists
        The operators.

    Raises
    ------
    UnknownOperatorError
        There is no operator of that name.
    """
    casts: dict[Function, Cast] = {}
    for operator in operators():
        cast = _cast_of(operator, dtype, lists)
        if cast is not None:
            casts[operator.function] = cast
    return casts


def check_names(names: Iterable[str], where: str) -> None:
    """Check that there are operators of these names.

    Raises
    ------
    UnknownOperatorError
        There is none.
    """
    known = set().union(*(operator.names for operator in operators()))
    unknown = sorted(name for name in names if name not in known)
    if unknown:
        msg = (
            f"{where}: operators {', '.join(unknown[:10])} were given. Expected names of operators "
            f"in MXNet's files, such as 'FullyConnected'. Leave the others out."
        )
        raise UnknownOperatorError(msg)


def with_aliases(names: Iterable[str]) -> frozenset[str]:
    """Return names of operators, and the other names of the same operators."""
    given = set(names)
    return frozenset(given).union(
        *(operator.names for operator in operators() if not given.isdisjoint(operator.names))
    )


def activate(casts: Mapping[Function, Cast] | None) -> None:
    """Cast inputs from now on, in all threads; None ends it."""
    _wrap(casts or {})
    _Active.casts = casts
    ChangeCounts.operators_changed()


class casting:  # noqa: N801 - used like a function
    """Context manager: casts inputs in this thread."""

    def __init__(self, casts: Mapping[Function, Cast] | None) -> None:
        _wrap(casts or {})
        self._casts = casts

    def __enter__(self) -> None:
        self._before = _active.casts
        _active.casts = self._casts

    def __exit__(self, *error: object) -> None:
        _active.casts = self._before


def _wrap(functions: Iterable[Function]) -> None:
    """Have the front ends ask for casts before they call functions."""
    for function in functions:
        if function not in _wrapped:
            wrap(function, functools.partial(_asking, function))
            _wrapped.add(function)


def _asking(function: Function, now: Function) -> Function:
    @functools.wraps(now)
    def call(*args: Any, **kwargs: Any) -> Any:
        casts = _active.casts
        if casts is not None:
            cast = casts.get(function)
            if cast is not None:
                args, kwargs = cast(args, kwargs)
        return now(*args, **kwargs)

    return call


# --- casts ----------------------------------------------------------------------------------


def _cast_of(operator: Operator, dtype: torch.dtype, lists: Lists) -> Cast | None:
    cast = _listed(operator.names, dtype, lists)
    conditions = [one for one in lists.conditions if one[0] in operator.names]
    if conditions:
        cast = _conditional(operator, conditions, cast)
    for name, (right, left) in WITH_NUMBER.items():
        if name in operator.names:
            return _by_operands(
                cast,
                _listed((right,), dtype, lists),
                _listed((left,), dtype, lists),
            )
    return cast


def _listed(names: Iterable[str], dtype: torch.dtype, lists: Lists) -> Cast | None:
    for name in names:
        if name in lists.low:
            return functools.partial(_to_low, dtype)
        if name in lists.full:
            return _to_full
        if name in lists.widest:
            return _to_widest
        if name in lists.either:
            return None
    return None


def _to_low(dtype: torch.dtype, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Given:
    def cast(tensor: Tensor) -> Tensor:
        kind = tensor.dtype
        return tensor.to(dtype) if kind is torch.float32 or kind in _HALF else tensor

    return _mapped(cast, args), {name: _mapped(cast, value) for name, value in kwargs.items()}


def _to_full(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Given:
    def cast(tensor: Tensor) -> Tensor:
        return tensor.float() if tensor.dtype in _HALF else tensor

    return _mapped(cast, args), {name: _mapped(cast, value) for name, value in kwargs.items()}


def _to_widest(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Given:
    kinds: set[torch.dtype] = set()

    def note(tensor: Tensor) -> Tensor:
        if tensor.is_floating_point():
            kinds.add(tensor.dtype)
        return tensor

    _mapped(note, args)
    _mapped(note, tuple(kwargs.values()))
    if len(kinds) < 2:
        return args, kwargs
    widest = functools.reduce(torch.promote_types, kinds)

    def cast(tensor: Tensor) -> Tensor:
        return tensor.to(widest) if tensor.is_floating_point() else tensor

    return _mapped(cast, args), {name: _mapped(cast, value) for name, value in kwargs.items()}


def _by_operands(arrays: Cast | None, right: Cast | None, left: Cast | None) -> Cast | None:
    """Return the cast of an operator of two arrays, or of one array and a number."""
    if arrays is right is left:
        return arrays

    def cast(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Given:
        operands = [*args, *kwargs.values()][:2]
        are_arrays = [isinstance(operand, Tensor) for operand in operands]
        chosen = arrays if all(are_arrays) else right if are_arrays[0] else left
        return (args, kwargs) if chosen is None else chosen(args, kwargs)

    return cast


def _conditional(
    operator: Operator, conditions: Iterable[Condition], otherwise: Cast | None
) -> Cast:
    """Return the cast of an operator whose arguments decide."""
    signature = operator.signature
    values: dict[str, set[str]] = {}
    for _, argument, chosen in conditions:
        values.setdefault(argument, set()).update(map(str, chosen))

    def cast(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Given:
        bound = signature.bind_partial(*args, **kwargs)
        bound.apply_defaults()
        for argument, chosen in values.items():
            if str(bound.arguments.get(argument)) in chosen:
                return _to_full(args, kwargs)
        return (args, kwargs) if otherwise is None else otherwise(args, kwargs)

    return cast


def _mapped(cast: Callable[[Tensor], Tensor], value: Any) -> Any:
    """Return a value with every tensor in it cast."""
    if isinstance(value, Tensor):
        return cast(value)
    if type(value) in (list, tuple):
        return type(value)(_mapped(cast, part) for part in value)
    return value
