"""Whether this thread records operators for gradients, in training or in prediction mode."""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


class _State(threading.local):
    """Recording and training flags of one thread (class attributes are the defaults).

    Attributes
    ----------
    as_module : bool
        Whether operators run inside of a torch module, where torch's rules hold: its random
        numbers, its way with BatchNorm's statistics.
    used_until : int
        Nodes of graphs with smaller numbers are older than the last backward pass.
    used_heads : tuple of Tensor
        Where the passes of the last step began.
    is_marked : bool
        Whether the nodes below these heads are marked as used up.
    fused_head : Tensor or None
        Where the latest pass began that was one graph with the calls before it.
    """

    recording = False
    training = False
    as_module = False
    used_until = 0
    used_heads: tuple[Any, ...] = ()
    is_marked = False
    fused_head: Any = None


class _Differentiation:
    """Mode in which `backward()` differentiates; one for all threads, since torch has its own."""

    as_training = True


state = _State()
differentiation = _Differentiation()


@contextlib.contextmanager
def differentiated(*, as_training: bool) -> Iterator[None]:
    """Run `backward()` of operators such as BatchNorm as in training, or as in prediction."""
    before = differentiation.as_training
    differentiation.as_training = as_training
    try:
        yield
    finally:
        differentiation.as_training = before
