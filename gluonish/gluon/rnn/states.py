"""Makes and normalizes the states of recurrent layers and cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish import ndarray as nd, numpy as np
from gluonish.array import NDArray
from gluonish.array.symbols import Composed, is_symbol
from gluonish.context import is_np_array, is_np_shape
from gluonish.errors import InvalidArgumentError
from gluonish.late import LateModule

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gluonish import symbol
    from gluonish.symbol import frontend
else:
    symbol = LateModule("gluonish.symbol")
    frontend = LateModule("gluonish.symbol.frontend")


def begin_states(
    where: str,
    names: Sequence[str],
    info: Sequence[dict[str, Any]],
    batch_size: int,
    func: Callable[..., Any] | None,
    options: dict[str, Any],
) -> list[Any]:
    """Return one array, or Symbol, for each state, made by `func`.

    A Symbol may leave the batch's size open; it knows the layout.

    Raises
    ------
    InvalidArgumentError
        The batch has no sequences, and the states are arrays.
    """
    zeros: Callable[..., Any] = np.zeros if is_np_array() else nd.zeros
    make = zeros if func is None else func
    kept = () if func is not None and _makes_symbols(func) else ("__layout__",)
    is_empty = batch_size < 1 and bool(info)
    states = []
    if not is_empty or (func is not None and batch_size in (0, open_size())):
        for name, each in zip(names, info, strict=True):
            about = {key: value for key, value in each.items() if key not in kept}
            states.append(make(name=name, **(about | options)))
    if is_empty and not (states and all(is_symbol(state) for state in states)):
        msg = (
            f"{where}.begin_state: batch_size={batch_size} was given. Expected the number of "
            f"sequences, 1 or more. Write begin_state(batch_size=32) for 32 of them."
        )
        raise InvalidArgumentError(msg)
    return states


def open_size() -> int:
    """Return what stands for the size of a batch that a Symbol leaves open."""
    return -1 if is_np_shape() else 0


def _makes_symbols(function: Callable[..., Any]) -> bool:
    """Return whether a function is one of those of `mx.sym`."""
    name = getattr(function, "__name__", "")
    fronts = (symbol, symbol.np, *frontend.OPERATORS.values())
    return any(getattr(front, name, None) is function for front in fronts)


def as_states(states: Any) -> list[Any]:
    """Return states as a list; a single array counts as one."""
    return [states] if isinstance(states, (NDArray, Composed)) else list(states)
