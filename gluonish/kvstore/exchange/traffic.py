"""All that the workers of a store exchange in step, as elements, as rows and ahead of time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish.kvstore.exchange.foresight import Foresight
from gluonish.kvstore.exchange.homes import Homes
from gluonish.kvstore.exchange.manifest import Manifest
from gluonish.kvstore.exchange.order import Order
from gluonish.kvstore.exchange.outbox import Outbox
from gluonish.kvstore.exchange.row_exchange import RowExchange

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.array import NDArray
    from gluonish.kvstore.exchange.rows import Rows
    from gluonish.kvstore.keys import Group, Key
    from gluonish.kvstore.owners.updates import Shards
    from gluonish.kvstore.totals import Totals
    from gluonish.kvstore.workers.agreement import Steps


class Traffic:
    """The ways by which arrays are summed over workers, each key by the one that fits.

    Parameters
    ----------
    rows : Rows
        What the store does with rows.
    shards : Shards
        What this worker owns, and how it is updated.
    totals : Totals
        What is sent of arrays.
    steps : Steps
        The store's.
    number : int
        The store's among all.

    Attributes
    ----------
    foresight : Foresight
        The way of gradients that leave during the backward pass.
    """

    def __init__(
        self, rows: Rows, shards: Shards, totals: Totals, steps: Steps, number: int
    ) -> None:
        manifest, order = Manifest(shards.ownership, totals, steps.group), Order(steps)
        homes = Homes(shards, totals, steps, number)
        self.foresight = Foresight(shards.ownership.stored, totals, manifest, steps)
        self._outbox = Outbox(manifest, order, homes, shards, totals)
        self._row_exchange = RowExchange(rows, shards, manifest, order, steps)
        self._rows, self._order, self._homes = rows, order, homes

    def offer(self, groups: Sequence[Group], priority: int, *, is_sum: bool, is_lent: bool) -> None:
        """Take arrays to be summed; see `Outbox.offer`."""
        rows, others = self._rows.split(groups)
        if self._outbox.holds(others) or self._row_exchange.holds(rows):
            self.settle({})
        self._row_exchange.offer(rows, is_sum=is_sum)
        self._outbox.offer(others, priority, is_sum=is_sum, is_lent=is_lent)

    def settle(self, pulling: dict[Key, list[NDArray]]) -> None:
        """Send everything, and wait for what comes of it; see `Landing.land`."""
        self._outbox.settle(pulling)
        self._row_exchange.settle()

    def forget(self) -> None:
        """Have everything named and laid out anew, since it is sent in another way from now on."""
        self.foresight.forget()
        self._homes.forget()
        self._order.forget()
