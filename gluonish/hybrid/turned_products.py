"""Matrix products that are quicker the other way round: (second' first')' for first second.

Libraries cut a product into blocks by the shape of its result. Measured on a processor with
AVX-512, one thread: the gradient of a (256, 20) weight, a product of (256, 256) and (256, 20),
takes 49 microseconds, and 29 turned; (256, 256) by (256, 10) 30 and 18; where no side is short,
both take the same. So both are timed, with the shapes and strides at hand.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import torch

from gluonish.hybrid.products import multiplications, rewrite
from gluonish.hybrid.small_products import MOST as LEAST

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor, fx

MOST = 2**26  # multiplications: longer products are not worth the time to try them
SHORT = 64  # a side of one of the three matrices that is not longer
GAIN = 0.85  # of the time, at most, for the turned product
ROUNDS = 9
SECONDS = 2e-4  # of one round
_aten = torch.ops.aten


def turn(traced: fx.GraphModule) -> None:
    """Write products of matrices on a CPU, in a graph with fake tensors, the quicker way round."""
    rewrite(traced, _gains, _turned)


def _gains(first: Tensor, second: Tensor) -> bool:
    is_short = min(*first.shape, second.shape[1]) <= SHORT
    is_tried = is_short and LEAST < multiplications(first, second) <= MOST
    return is_tried and is_quicker_turned(first, second)


def is_quicker_turned(first: Tensor, second: Tensor) -> bool:
    """Return whether the turned product of two matrices takes clearly less time, by trying it."""
    one, other = _like(first), _like(second)

    def as_it_is() -> Tensor:
        return torch.mm(one, other)

    def turned() -> Tensor:
        return torch.mm(other.t(), one.t())

    times = max(1, int(SECONDS / _seconds(as_it_is, 1)))
    rounds = [(_seconds(as_it_is, times), _seconds(turned, times)) for _ in range(ROUNDS)]
    plain = min(seconds for seconds, _ in rounds)
    return min(seconds for _, seconds in rounds) < GAIN * plain


def _like(fake: Tensor) -> Tensor:
    return torch.empty_strided(fake.shape, fake.stride(), dtype=fake.dtype).fill_(1.0)


def _seconds(product: Callable[[], Tensor], times: int) -> float:
    begin = time.perf_counter()
    for _ in range(times):
        product()
    return time.perf_counter() - begin


def _turned(graph: fx.Graph, first: fx.Node, second: fx.Node) -> fx.Node:
    """Return the product in memory as it was: contiguous, which costs nothing where it is used."""
    rows = graph.call_function(_aten.t.default, (second,))
    columns = graph.call_function(_aten.t.default, (first,))
    made = graph.call_function(_aten.mm.default, (rows, columns))
    back = graph.call_function(_aten.t.default, (made,))
    return graph.call_function(
        _aten.clone.default, (back,), {"memory_format": torch.contiguous_format}
    )
