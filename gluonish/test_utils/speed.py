"""How long a graph's calls take: `mx.test_utils.check_speed`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.context import current_context
from gluonish.errors import InvalidArgumentError
from gluonish.ndarray import waitall

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gluonish.array import NDArray
    from gluonish.context import Context
    from gluonish.symbol import Symbol

__all__ = ["check_speed"]


def check_speed(
    sym: Symbol,
    location: Mapping[str, NDArray | onp.ndarray[Any, Any]] | None = None,
    ctx: Context | None = None,
    N: int = 20,  # noqa: N803 - MXNet's name
    grad_req: str | Sequence[str] | Mapping[str, str] | None = None,
    typ: str = "whole",
    **kwargs: tuple[int, ...],
) -> float:
    """Return the seconds that a call of a graph takes, on average.

    Parameters
    ----------
    sym : Symbol
        The graph.
    location : dict of str to array, optional
        Values of its arguments; random ones by default, of the shapes in `kwargs`.
    ctx : Context, optional
        Where to compute; the current context by default.
    N : int, default 20
        How many calls there are, after one that does not count.
    grad_req : str, list or dict, optional
        What becomes of gradients; 'write' by default.
    typ : {'whole', 'forward'}, default 'whole'
        Whether a call is forward and backward, or forward alone.
    **kwargs
        Shapes of arguments by name.

    Returns
    -------
    float
        Seconds per call.

    Raises
    ------
    InvalidArgumentError
        `typ` is neither 'whole' nor 'forward'.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.sym.var('x')
    >>> 0 < mx.test_utils.check_speed(x * x, N=2, x=(3, 4)) < 10
    True
    """
    if typ not in ("whole", "forward"):
        msg = (
            f"check_speed: typ={typ!r} was given. typ can only be 'whole' or 'forward'. Leave it "
            f"out for 'whole'."
        )
        raise InvalidArgumentError(msg)
    shapes = kwargs if location is None else {name: each.shape for name, each in location.items()}
    executor = sym.simple_bind(ctx or current_context(), grad_req or "write", **shapes)
    draws = onp.random.RandomState(0)
    for name, array in executor.arg_dict.items():
        if location is None:
            array[:] = draws.normal(size=array.shape)
        elif name in location:
            array[:] = location[name]
    start = 0.0
    for number in range(N + 1):
        if number == 1:
            waitall()
            start = time.perf_counter()
        outputs = executor.forward(is_train=typ == "whole")
        if typ == "whole":
            executor.backward(outputs)
    waitall()
    return (time.perf_counter() - start) / N
