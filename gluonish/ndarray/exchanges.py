"""Puts another function in the place of an operator's, in all that was built for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    Wrapper: TypeAlias = Callable[[Callable[..., Any]], Callable[..., Any]]

# For each operator's function, what makes the functions and methods built for it call another.
_exchanges: dict[Callable[..., Any], list[Callable[[Callable[..., Any]], None]]] = {}
_now: dict[Callable[..., Any], Callable[..., Any]] = {}  # what is called in the place of which


def wrap(function: Callable[..., Any], around: Wrapper) -> None:
    """Have all that was built for an operator, in every front end, call another function.

    Parameters
    ----------
    function : callable
        The operator's function in the table.
    around : callable
        Receives what is called now, and returns what is called in its place, with the same
        arguments.
    """
    _now[function] = by = around(_now.get(function, function))
    for put in _exchanges.get(function, ()):
        put(by)


def exchangeable(function: Callable[..., Any], put: Callable[[Callable[..., Any]], None]) -> None:
    """Have `put` called with what takes the place of an operator's function."""
    _exchanges.setdefault(function, []).append(put)
    if function in _now:
        put(_now[function])
