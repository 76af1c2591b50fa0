"""Shuffles of many elements are those of the swaps, one after the other."""

from __future__ import annotations

import numpy as onp
import pytest

from gluonish.random_streams import selection


def ascending(partners):
    order = []
    for place, partner in enumerate(partners.tolist()):
        order.append(place)
        order[place], order[partner] = order[partner], place
    return order


def descending(partners):
    order = list(range(partners.size))
    for place in range(partners.size - 1, 0, -1):
        partner = int(partners[place])
        order[place], order[partner] = order[partner], order[place]
    return order


@pytest.mark.parametrize("limit", [1, 3, 100, 10_000])
@pytest.mark.parametrize("count", [1, 2, 50, 7_000])
def test_swaps_are_sorted_out_at_once(count, limit):
    generator = onp.random.default_rng(count * limit)
    highest = onp.minimum(onp.arange(1, count + 1), limit)
    partners = generator.integers(0, highest)
    assert selection._resolve_ascending(partners).tolist() == ascending(partners)
    assert selection._resolve_descending(partners).tolist() == descending(partners)
    partners = onp.arange(count) - generator.integers(0, highest)
    assert selection._resolve_ascending(partners).tolist() == ascending(partners)
    assert selection._resolve_descending(partners).tolist() == descending(partners)
