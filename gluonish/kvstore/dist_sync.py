"""Stores of several processes that go in step: all workers make the same calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.kvstore.dist import DistKVStore
from gluonish.kvstore.exchange.traffic import Traffic
from gluonish.kvstore.kvstore import KVStore

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gluonish.array import NDArray
    from gluonish.array.gradients import Gradient
    from gluonish.kvstore.keys import Group, Key


class SyncKVStore(DistKVStore):
    """Arrays by key, which all contexts of several processes push to and pull from, in step.

    Made by `mx.kv.create('dist_sync')`. What is pushed is summed over the contexts, then over the
    processes, and the sum replaces what is stored, or updates it by an optimizer or a function.
    Each worker owns a share of all elements: it sums and updates these, and sends the results to
    all others, so that an optimizer's states are in one place each.

    Parameters
    ----------
    type : str
        Its name, which `create` has checked.

    Notes
    -----
    All workers make the same calls with the same keys. Different keys may be pushed in any order:
    they are sent when a worker pulls, or pushes a key again; from the second time on as soon as
    all keys of a message are there, which then travels while the program goes on. `pull` waits.
    Differences between workers end in an error on each of them.

    Examples
    --------
    >>> import gluonish as mx
    >>> kv = mx.kv.create('dist_sync')
    >>> kv.init('w', mx.nd.zeros((2,)))
    >>> kv.push('w', mx.nd.ones((2,)) * (kv.rank + 1))
    >>> a = mx.nd.zeros((2,))
    >>> kv.pull('w', out=a)
    >>> print(a.asnumpy())
    [1. 1.]
    """

    def __init__(self, type: str) -> None:  # noqa: A002 - MXNet's name of the attribute
        super().__init__(type, cuts_rows=True)
        self._traffic: Traffic | None = None
        if self.steps is not None:
            self._traffic = Traffic(self._rows, self._shards, self._totals, self.steps, self.number)

    @property
    @override
    def is_in_step(self) -> bool:
        return True

    # --- values -----------------------------------------------------------------------------

    @override
    def begin(self, pairs: Sequence[tuple[Key, NDArray]], where: str) -> None:
        """Store arrays themselves, and overwrite those of new keys by those of worker 0."""
        new = [(key, array) for key, array in pairs if not self.has(key)]
        for key, array in pairs:
            if self._stored.get(key) is not array or not array._tensor.is_contiguous():
                self.adopt(key, array)
        if new:
            self.share(new, where)

    @override
    def merge(self, groups: Sequence[Group]) -> None:
        self._offer(groups, 0)
        self.settle()

    @override
    def _offer(self, groups: Sequence[Group], priority: int, *, is_lent: bool = True) -> None:
        if self._traffic is None:
            super().merge(groups)
        else:
            self._traffic.offer(groups, priority, is_sum=False, is_lent=is_lent)

    @override
    def spread(self, groups: Iterable[Group]) -> None:
        pulling: dict[Key, list[NDArray]] = {}
        for key, arrays in groups:
            pulling[key] = pulling[key] + arrays if key in pulling else arrays
        if self._traffic is not None:
            self._traffic.settle(pulling)
        super().spread(
            (key, self._rows.write(self._stored[key], arrays)) for key, arrays in pulling.items()
        )

    @override
    def _pull_rows(self, groups: Sequence[Group], ids: Sequence[Any]) -> None:
        self.settle()
        super()._pull_rows(groups, ids)

    @override
    def reduce(self, groups: Iterable[Group]) -> None:
        if self._traffic is None:
            super().reduce(groups)
            return
        self._traffic.offer(list(groups), 0, is_sum=True, is_lent=True)
        self.settle()

    @override
    def sum_gradients(self, gradients: Sequence[tuple[Key, list[Gradient]]]) -> None:
        """Sum gradients as `reduce` does; the next ones leave while backward makes others.

        Parameters
        ----------
        gradients : list of (key, list of Gradient)
            The gradients of each key, on all contexts.
        """
        foresight = None if self._traffic is None else self._traffic.foresight
        if foresight is not None and foresight.ahead is not None:
            self.settle()
            if foresight.fulfil(gradients):
                return
        super().sum_gradients(gradients)
        if foresight is not None:
            foresight.learn(gradients)

    @override
    def settle(self) -> None:
        if self._traffic is not None:
            self._traffic.settle({})

    @override
    def close(self, *, waits: bool) -> None:
        if self._traffic is not None and not waits:
            self._traffic.foresight.break_off()

    @override
    def _forget(self) -> None:
        if self._traffic is not None:
            self._traffic.forget()


class SummingKVStore(SyncKVStore):
    """A store of several processes that leaves updates to the workers.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.kv.create('horovod').is_capable('optimizer')
    False
    """

    @staticmethod
    @override
    def is_capable(capability: str) -> bool:
        """Return whether the store updates weights: it does not."""
        return not KVStore.is_capable(capability)
