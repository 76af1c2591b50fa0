"""Puts another function in the place of an operator's, in all that was built for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    Function = Callable[..., Any]

# For each operator's function, what makes the functions and methods built for it call another.
_exchanges: dict[Function, list[Callable[[Function], None]]] = {}
_in_place: dict[Function, Function] = {}
_wraps: list[Callable[[Function, Function], Function]] = []  # one at most


def exchange(function: Callable[..., Any], by: Callable[..., Any]) -> None:
    """Have all that was built for an operator, in every front end, call another function.

    Parameters
    ----------
    function : callable
        The operator's function in the table.
    by : callable
        What is called in its place, with the same arguments; `function` itself undoes it.
    """
    _in_place[function] = by
    for put in _exchanges.get(function, ()):
        put(_called(function))


def wrap_all(wrap: Callable[[Callable[..., Any], Callable[..., Any]], Callable[..., Any]]) -> None:
    """Have all that was built for operators call what `wrap` makes of their functions, for good.

    It receives the operator's function in the table, and what is called in its place.
    """
    _wraps[:] = [wrap]
    for function, puts in _exchanges.items():
        for put in puts:
            put(_called(function))


def exchangeable(function: Callable[..., Any], put: Callable[[Callable[..., Any]], None]) -> None:
    """Have `put` called with what takes the place of an operator's function."""
    _exchanges.setdefault(function, []).append(put)
    if _wraps or function in _in_place:
        put(_called(function))


def _called(function: Function) -> Function:
    by = _in_place.get(function, function)
    return _wraps[0](function, by) if _wraps else by
