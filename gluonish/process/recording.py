"""Whether this thread records operators for gradients, in training or in prediction mode."""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


class LastPass:
    """The last backward pass of a thread that retained nothing; see `array.used_graphs`.

    Attributes
    ----------
    until : int
        Nodes of graphs with smaller numbers are older than the pass.
    heads : tuple of Tensor
        Where the passes of the last step began.
    is_marked : bool
        Whether the nodes below these heads are marked as used up.
    """

    __slots__ = ("heads", "is_marked", "until")

    def __init__(self) -> None:
        self.until = 0
        self.heads: tuple[Any, ...] = ()
        self.is_marked = False


NOTED = 2
"""What `state.recording` is where operators are noted, too, for `autograd.get_symbol`."""


class _State(threading.local):
    """Recording and training flags of one thread (class attributes are the defaults).

    Attributes
    ----------
    recording : int
        Whether operators are recorded: False, True, or `NOTED`.
    as_module : bool
        Whether operators run inside of a torch module, where torch's rules hold: its random
        numbers, its way with BatchNorm's statistics.
    last_pass : LastPass
        The last backward pass.
    fused_heads : sequence of Tensor
        Where the latest pass began that was one graph with the calls before it.
    """

    recording: int = False
    training = False
    as_module = False
    fused_heads: Any = ()

    def __init__(self) -> None:  # once in each thread
        self.last_pass = LastPass()


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
