"""Updater: an optimizer with the states of the weights it updates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gluonish.optimizer.base import Optimizer


class Updater:
    """Calls an optimizer for weights by index, and keeps their states.

    Parameters
    ----------
    optimizer : Optimizer
        What computes the updates.

    Examples
    --------
    >>> import gluonish as mx
    >>> updater = mx.optimizer.get_updater(mx.optimizer.SGD(learning_rate=0.5))
    >>> w = mx.nd.array([1.])
    >>> updater(0, mx.nd.array([1.]), w)
    >>> print(w.asnumpy())
    [0.5]
    """

    def __init__(self, optimizer: Optimizer) -> None:
        self.optimizer = optimizer
        self.states: dict[Any, Any] = {}

    def __call__(self, index: Any, grad: Any, weight: Any) -> None:
        """Update one weight, or lists of them, by gradients."""
        states = self.states
        create = self.optimizer.create_state_multi_precision
        if not isinstance(index, (list, tuple)):
            if index not in states:
                states[index] = create(index, weight)
            self.optimizer.update_multi_precision(index, weight, grad, states[index])
            return
        for one, array in zip(index, weight, strict=True):
            if one not in states:
                states[one] = create(one, array)
        self.optimizer.update_multi_precision(index, weight, grad, [states[one] for one in index])


def get_updater(optimizer: Optimizer) -> Updater:
    """Return an updater for an optimizer.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.optimizer.get_updater(mx.optimizer.SGD()).states
    {}
    """
    return Updater(optimizer)
