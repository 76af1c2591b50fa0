"""Classes drawn for sampled softmax losses, in graphs: `mx.sym.contrib.rand_zipfian`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from gluonish.ndarray.candidates import counted
from gluonish.symbol.frontend import by_path, compose

if TYPE_CHECKING:
    from collections.abc import Callable

    from gluonish.symbol.symbol import Symbol


def rand_zipfian(
    true_classes: Symbol, num_sampled: int, range_max: int
) -> tuple[Symbol, Symbol, Symbol]:
    """Draw classes, small numbers more often; see `mx.nd.contrib.rand_zipfian`.

    Parameters
    ----------
    true_classes : Symbol
        Classes whose expected counts are asked for.
    num_sampled : int
        How many classes to draw.
    range_max : int
        How many classes there are.

    Returns
    -------
    (Symbol, Symbol, Symbol)
        The classes, and the expected counts of the true and of the drawn ones.

    Examples
    --------
    >>> import gluonish as mx
    >>> classes, true, drawn = mx.sym.contrib.rand_zipfian(mx.sym.var('t'), 4, 5)
    >>> true.list_arguments(), drawn.list_arguments()
    (['t'], [])
    """
    options = {"low": 0.0, "high": math.log(range_max + 1), "shape": (num_sampled,)}
    path = "random.uniform"
    drawn = compose(
        by_path("nd", path), "nd", path, type(true_classes), (), {**options, "dtype": "float64"}
    )
    found: tuple[Symbol, Symbol, Symbol] = counted(drawn, true_classes, num_sampled, range_max)
    return found


FUNCTIONS: dict[str, Callable[..., Any]] = {"rand_zipfian": rand_zipfian}
