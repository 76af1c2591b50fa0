"""Functions that a captured graph must call again instead of seeing through them."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, TypeVar

from torch.overrides import handle_torch_function

from gluonish.process.recording import state
from gluonish.process.torch_names import count_kernel_modes, sees_functions

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor

Function = TypeVar("Function", bound="Callable[..., Any]")

_is_captured = sees_functions


def opaque(function: Function) -> Function:
    """Make a function one node of a captured graph, called anew at each replay.

    What draws random numbers, or computes with anything but torch functions, needs this: the
    recorder sees torch's functions only. Costs 50 ns where nothing is being captured.
    """

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - whatever it wraps
        if _is_captured():
            return handle_torch_function(call, (), *args, **kwargs)
        return function(*args, **kwargs)

    return call  # type: ignore[return-value]


def runs_once(tensor: Tensor) -> bool:
    """Return whether torch checks the positions of a call with this tensor, here and for good.

    It does so on CPUs. Where a call is captured, other positions may come with each replay; there
    a check, or a limit, has to be among the functions.
    """
    return tensor.is_cpu and not (state.as_module or _is_captured() or count_kernel_modes())


def once_only(function: Function) -> Function:
    """Make a function opaque, and a Block that calls it stay in Python: no replay can repeat it."""
    function = opaque(function)
    function.is_replayable = False  # type: ignore[attr-defined]
    return function


def compilable(function: Function) -> Function:
    """Say of an opaque function that torch functions are all it is made of.

    A compiler may then look inside; it refuses graphs with other opaque functions.
    """
    function.is_compilable = True  # type: ignore[attr-defined]
    return function


def is_opaque(function: object) -> bool:
    """Return whether a captured graph calls a function anew instead of seeing through it."""
    where = getattr(function, "__module__", None) or ""
    return hasattr(function, "__wrapped__") and where.startswith("gluonish.")
