"""Matrix products the quickest way: by torch's own library or by oneDNN, as they are or turned.

Turned, (second' first')' stands for first second: libraries cut a product into blocks by the shape
of its result. Measured with one thread of processors with AVX-512: on one of Intel's, the gradient
of a (256, 20) weight, a product of (256, 256) and (256, 20), takes 49 microseconds, and 29 turned.
On one of AMD's, where MKL leaves half of it idle, (512, 128) by (128, 512) takes 590 by MKL, 264 by
oneDNN. So the ways are timed, with the shapes and strides at hand.
"""

from __future__ import annotations

import functools
import time
from typing import TYPE_CHECKING, NamedTuple

import torch

from gluonish.hybrid.products import multiplications, rewrite
from gluonish.hybrid.small_products import MOST as LEAST
from gluonish.process.torch_names import has_onednn, onednn_product

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor, fx

    Multiply = Callable[[Tensor, Tensor], Tensor]

MOST = 2**32  # multiplications: longer products are not worth the time to try them
GAIN = 0.85  # of the time of a simpler way, at most
ROUNDS = 9
SECONDS = 2e-4  # of one round, at least
SECONDS_OF_ALL = 0.2  # after which two rounds are enough
_aten = torch.ops.aten


class Way(NamedTuple):
    """How two matrices are multiplied.

    Parameters
    ----------
    is_onednn : bool
        Whether oneDNN does it.
    is_turned : bool
        Whether the product of the turned matrices is turned.
    """

    is_onednn: bool
    is_turned: bool

    def __call__(self, first: Tensor, second: Tensor) -> Tensor:
        """Return the product, in memory as the library leaves it."""
        if self.is_turned:
            return self._multiply(second.t(), first.t()).t()
        return self._multiply(first, second)

    def write(self, graph: fx.Graph, first: fx.Node, second: fx.Node) -> fx.Node:
        """Add the product to a graph, in memory as it was: contiguous."""
        if not self.is_turned:
            return graph.call_function(self._multiply, (first, second))
        rows = graph.call_function(_aten.t.default, (second,))
        columns = graph.call_function(_aten.t.default, (first,))
        made = graph.call_function(self._multiply, (rows, columns))
        back = graph.call_function(_aten.t.default, (made,))
        return graph.call_function(  # which costs nothing where it is used
            _aten.clone.default, (back,), {"memory_format": torch.contiguous_format}
        )

    @property
    def _multiply(self) -> Multiply:
        return onednn_product() if self.is_onednn else _aten.mm.default


PLAIN = Way(is_onednn=False, is_turned=False)
TURNED = Way(is_onednn=False, is_turned=True)
OTHERS = (
    Way(is_onednn=True, is_turned=False), TURNED, Way(is_onednn=True, is_turned=True),
)  # fmt: skip


def hasten(traced: fx.GraphModule) -> None:
    """Write products of matrices on a CPU, in a graph with fake tensors, the quickest way."""
    rewrite(traced, _choose)


def _choose(
    first: Tensor, second: Tensor
) -> Callable[[fx.Graph, fx.Node, fx.Node], fx.Node] | None:
    if not LEAST < multiplications(first, second) <= MOST:
        return None
    way = quickest(first.dtype, _laid_out(first), _laid_out(second))
    return None if way is PLAIN else way.write


def _laid_out(matrix: Tensor) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple(matrix.shape), tuple(matrix.stride())


@functools.cache
def quickest(
    dtype: torch.dtype,
    first: tuple[tuple[int, ...], tuple[int, ...]],
    second: tuple[tuple[int, ...], tuple[int, ...]],
) -> Way:
    """Return the way that takes clearly less time than simpler ones, by trying them.

    Parameters
    ----------
    dtype : torch.dtype
        Of both matrices.
    first, second : (tuple of int, tuple of int)
        Their shapes and strides.
    """
    one, other = (torch.empty_strided(*sizes, dtype=dtype).fill_(1.0) for sizes in (first, second))
    can_onednn = has_onednn and dtype is torch.float32
    ways = [PLAIN, *(way for way in OTHERS if can_onednn or not way.is_onednn)]
    times = {way: max(1, int(SECONDS / _seconds(way, one, other, 1))) for way in ways}
    least = dict.fromkeys(ways, float("inf"))
    begin = time.perf_counter()
    for done in range(ROUNDS):
        if done > 1 and time.perf_counter() - begin > SECONDS_OF_ALL:
            break
        for way in ways:
            taken = _seconds(way, one, other, times[way]) / times[way]
            least[way] = min(least[way], taken)
    best = ways[0]
    for way in ways[1:]:  # the simple ones first: a turned product has to be brought back
        if least[way] < GAIN * least[best]:
            best = way
    return best


def _seconds(way: Way, one: Tensor, other: Tensor, times: int) -> float:
    begin = time.perf_counter()
    for _ in range(times):
        way(one, other)
    return time.perf_counter() - begin
