"""Classes drawn for sampled softmax losses: `mx.nd.contrib.rand_zipfian`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import torch

from gluonish.array.core import NDArray, wrap
from gluonish.context import Context, as_context
from gluonish.ops.random.draws import draw

if TYPE_CHECKING:
    from collections.abc import Callable


def rand_zipfian(
    true_classes: NDArray, num_sampled: int, range_max: int, ctx: Context | None = None
) -> tuple[NDArray, NDArray, NDArray]:
    """Draw classes, small numbers more often: class k with log((k + 2) / (k + 1)) / log(max + 1).

    Parameters
    ----------
    true_classes : NDArray
        Classes whose expected counts are asked for.
    num_sampled : int
        How many classes to draw.
    range_max : int
        How many classes there are.
    ctx : Context, optional
        Where to draw; the current context by default.

    Returns
    -------
    (NDArray, NDArray, NDArray)
        The classes as int64, how often each true class was to be expected, and how often each drawn
        one, as float64.

    Examples
    --------
    >>> import gluonish as mx
    >>> classes, true, drawn = mx.nd.contrib.rand_zipfian(mx.nd.array([3]), 4, 5)
    >>> classes.shape, true.asnumpy().round(4), drawn.shape
    ((4,), array([0.4982]), (4,))
    """
    place = as_context(ctx)
    limit = math.log(range_max + 1)
    drawn = draw("nd_uniform", (num_sampled,), torch.float64, place.device, 0.0, limit)
    given = true_classes.as_in_context(place)
    found: tuple[NDArray, NDArray, NDArray] = counted(
        wrap(drawn, place, NDArray), given, num_sampled, range_max
    )
    return found


def counted(drawn: Any, given: Any, num_sampled: int, range_max: int) -> Any:
    """Return the classes that uniform numbers stand for, and expected counts of given and drawn."""

    def expected(classes: Any) -> Any:
        return ((classes + 2.0) / (classes + 1.0)).log() / math.log(range_max + 1) * num_sampled

    classes = (drawn.exp() - 1).astype("int64") % range_max
    return classes, expected(given.astype("float64")), expected(classes.astype("float64"))


FUNCTIONS: dict[str, Callable[..., Any]] = {"rand_zipfian": rand_zipfian}
