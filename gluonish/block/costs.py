"""Costs: multiply-adds of each layer, and bytes, counted while a Block runs once."""

from __future__ import annotations

import importlib
import math
from typing import TYPE_CHECKING, Any

import torch

from gluonish.array import NDArray
from gluonish.array.tensors import as_default, plain

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self


class Costs:
    """Counts multiply-adds, and whose they are: of a layer itself, without its children.

    Parameters
    ----------
    is_counting : bool
        Whether there is anything to count.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.block.costs import Costs
    >>> x, w = mx.nd.ones((2, 3)), mx.nd.ones((3, 4))
    >>> with Costs(is_counting=True) as costs:
    ...     costs.enter()
    ...     _ = mx.nd.dot(x, w)
    ...     costs.leave(), costs.total()
    (24, 24)
    """

    def __init__(self, *, is_counting: bool) -> None:
        self._counter: Any = None
        if is_counting:
            known = {getattr(torch.ops.aten, name): count for name, count in _RECURRENT.items()}
            counters = importlib.import_module("torch.utils.flop_counter")  # takes 7 ms
            self._counter = counters.FlopCounterMode(display=False, custom_mapping=known)
        self._stack: list[list[int]] = []

    def __enter__(self) -> Self:
        if self._counter is not None:
            self._counter.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._counter is not None:
            self._counter.__exit__(kind, error, trace)

    def total(self) -> int:
        """Return all multiply-adds up to now."""
        return int(self._counter.get_total_flops()) // 2

    def enter(self) -> None:
        """Begin a layer."""
        self._stack.append([self.total(), 0])

    def leave(self) -> int:
        """End a layer, and return its own multiply-adds."""
        began, inside = self._stack.pop()
        whole = self.total() - began
        if self._stack:
            self._stack[-1][1] += whole
        return whole - inside


def memory_of(value: Any) -> int:
    """Return the bytes of all arrays in an output.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.block.costs import memory_of
    >>> memory_of([mx.nd.ones(3), [mx.nd.ones(2)]])
    20
    """
    if isinstance(value, (list, tuple)):
        return sum(map(memory_of, value))
    if not isinstance(value, NDArray):
        return 0
    dense = as_default(value)
    return plain(dense).nbytes


def memory_text(size: float) -> str:
    """Return bytes in a unit that makes them short.

    Examples
    --------
    >>> from gluonish.block.costs import memory_text
    >>> memory_text(20), memory_text(3 << 20)
    ('20 B', '3.0 MiB')
    """
    power = min(int(math.log(size, 1024)), 4) if size else 0
    number = size / 1024**power
    return f"{number:.{1 if power else 0}f} {('B', 'KiB', 'MiB', 'GiB', 'TiB')[power]}"


def _rnn_layer(x: Any, inputs: Any, states: Any, *_: Any, **__: Any) -> int:
    """Return the operations of a recurrent layer of oneDNN, in one direction."""
    return int(2 * math.prod(x[:-1]) * (math.prod(inputs) + math.prod(states)))


def _cudnn_rnn(x: Any, weights: Any, *_: Any, **__: Any) -> int:
    """Return the operations of all recurrent layers that cuDNN runs in one call."""
    matrices = [shape for shape in weights if len(shape) > 1]
    return int(2 * math.prod(x[:-1]) * sum(map(math.prod, matrices)))


# What torch's counter leaves out, by the names of PyTorch's operators.
_RECURRENT = {"mkldnn_rnn_layer": _rnn_layer, "_cudnn_rnn": _cudnn_rnn}
