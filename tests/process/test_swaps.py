"""Swaps by LAPACK are those of a loop, and are left alone where there is no LAPACK."""

from __future__ import annotations

import ctypes
import importlib.util
from types import SimpleNamespace

import numpy as onp
import pytest

from gluonish.process import swaps


def by_loop(count, first, partners, backwards):
    order = list(range(count))
    steps = list(enumerate(partners.tolist(), first))
    for place, partner in reversed(steps) if backwards else steps:
        order[place], order[partner] = order[partner], order[place]
    return order


@pytest.fixture
def forget():
    swaps._lapack.cache_clear()
    yield
    swaps._lapack.cache_clear()


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize(("count", "first"), [(1, 0), (2, 1), (3, 3), (100, 37), (5_001, 1)])
def test_swaps_are_those_of_a_loop(count, first, backwards):
    partners = onp.random.default_rng(count).integers(0, count, count - first)
    order = swaps.swapped(count, first, partners, backwards)
    if order is None:
        pytest.skip("this NumPy comes without LAPACK's dlaswp")
    assert order.tolist() == by_loop(count, first, partners, backwards)


@pytest.mark.parametrize(
    "library",
    [SimpleNamespace(), SimpleNamespace(dlaswp_64_=lambda *_: None), OSError("no such file")],
)
@pytest.mark.usefixtures("forget")
def test_a_lapack_that_lacks_or_fails_to_swap_is_not_used(monkeypatch, library):
    def load(_):
        if isinstance(library, OSError):
            raise library
        return library

    monkeypatch.setattr(ctypes, "CDLL", load)
    assert swaps.swapped(3, 0, onp.array([0, 0, 1])) is None


@pytest.mark.usefixtures("forget")
def test_a_numpy_of_another_build_has_no_swaps(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    assert swaps.swapped(3, 0, onp.array([0, 0, 1])) is None
