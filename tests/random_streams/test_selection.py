"""Shuffles of many elements are those of the swaps, one after the other."""

from __future__ import annotations

import numpy as onp
import pytest

from gluonish import random_streams
from gluonish.random_streams import selection
from gluonish.random_streams.mersenne import MASK, Twister


@pytest.fixture(params=["by LAPACK", "by NumPy"])
def way(request, monkeypatch):
    if request.param == "by NumPy":
        monkeypatch.setattr(selection, "swapped", lambda *_, **__: None)


def ascending(partners):
    order = []
    for place, partner in enumerate(partners.tolist()):
        order.append(place)
        order[place], order[partner] = order[partner], place
    return order


@pytest.mark.parametrize("limit", [1, 3, 100, 10_000])
@pytest.mark.parametrize("count", [1, 2, 50, 7_000, 70_000])
def test_swaps_are_sorted_out_at_once(count, limit):
    generator = onp.random.default_rng(count * limit)
    highest = onp.minimum(onp.arange(1, count + 1), limit)
    partners = generator.integers(0, highest)
    assert selection._resolve(partners).tolist() == ascending(partners)
    partners = onp.arange(count) - generator.integers(0, highest)
    assert selection._resolve(partners).tolist() == ascending(partners)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("count", [1, 2, 50, 500, 7_000])
def test_rows_are_swapped_from_the_last_one_on(count):
    limits = onp.arange(count, 1, -1, dtype=onp.uint32)
    random_streams.seed(count)
    order = list(range(count))
    for place, partner in zip(range(count - 1, 0, -1), selection.draw_below(limits), strict=True):
        order[place], order[partner] = order[partner], order[place]
    random_streams.seed(count)
    assert selection.shuffle_rows_order(count).tolist() == order


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("count", [1, 2, 50, 500, 7_000])
def test_elements_are_swapped_from_the_first_one_on(count):
    random_streams.seed(count)
    limits = onp.arange(2, count + 1, dtype=onp.uint32)
    partners = onp.append([0], selection.draw_below(limits)).astype(onp.int64)
    random_streams.seed(count)
    assert selection.shuffle_order(count).tolist() == ascending(partners)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize(("total", "count"), [(9, 3), (900, 500), (900, 300), (9_000, 8_000)])
def test_choices_without_replacement_are_swaps_with_what_is_kept(total, count):
    swaps = min(count, total - count)
    random_streams.seed(total)
    words = random_streams.main.streams.main.words(swaps).tolist()
    order = list(range(total))
    for place, word in zip(range(total - swaps, total), words, strict=True):
        partner = word % (place + 1)
        if partner < total - swaps:
            order[place], order[partner] = order[partner], order[place]
    expected = order[-swaps:] if 2 * count < total else order[:count]
    random_streams.seed(total)
    assert selection.choose_without(total, count).tolist() == expected


@pytest.mark.parametrize("highest", [40_000, 3_000_000_000])
def test_integers_below_limits_are_those_of_one_draw_after_the_other(highest):
    limits = onp.linspace(2, highest, 3000).astype(onp.uint32)
    twister = Twister(highest)
    expected = []
    for limit in limits.tolist():
        size = MASK // limit
        word = MASK
        while word >= limit * size:
            (word,) = twister.words(1).tolist()
        expected.append(word // size)
    assert selection.draw_below(limits, Twister(highest)).tolist() == expected
