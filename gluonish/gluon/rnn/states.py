"""Makes and normalizes the states of recurrent layers and cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish import ndarray as nd, numpy as np
from gluonish.array import NDArray
from gluonish.context import is_np_array
from gluonish.errors import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def begin_states(
    where: str,
    names: Sequence[str],
    info: Sequence[dict[str, Any]],
    batch_size: int,
    func: Callable[..., Any] | None,
    options: dict[str, Any],
) -> list[Any]:
    """Return one array for each state, made by `func`.

    Raises
    ------
    InvalidArgumentError
        The batch has no sequences.
    """
    if batch_size < 1 and info:
        msg = (
            f"{where}.begin_state: batch_size={batch_size} was given. Expected the number of "
            f"sequences, 1 or more. Write begin_state(batch_size=x.shape[axis])."
        )
        raise InvalidArgumentError(msg)
    zeros: Callable[..., Any] = np.zeros if is_np_array() else nd.zeros
    make = zeros if func is None else func
    states = []
    for name, each in zip(names, info, strict=True):
        about = {key: value for key, value in each.items() if key != "__layout__"}
        states.append(make(name=name, **(about | options)))
    return states


def as_states(states: Any) -> list[Any]:
    """Return states as a list; a single array counts as one."""
    return [states] if isinstance(states, NDArray) else list(states)
