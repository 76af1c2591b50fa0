"""Dropout draws what the real MXNet 1.9.1 draws, and no more than it needs."""

from __future__ import annotations

import numpy as onp
import pytest

import gluonish as mx
from gluonish import nd

# Seed, shape, p, axes, dtype; then of two draws in a row the number of survivors and a checksum,
# as the real MXNet 1.9.1 gives them.
_MASKS = [
    (0, (7,), 0.5, (), "float32", 0, 4, 0.0, 32.0),
    (0, (3, 50), 0.3, (), "float32", 106, 115, 11988.571714401245, 11902.857426643372),
    (42, (4, 5, 6), 0.2, (1,), "float32", 105, 100, 8100.0, 7237.5),
    (1, (5, 4), 0.9, (0, 1), "float32", 0, 20, 0.0, 1899.9996376037598),
    (3, (6,), 0.5, (), "float64", 6, 2, 30.0, 18.0),
    (3, (6,), 0.5, (), "float16", 6, 2, 30.0, 18.0),
]


@pytest.mark.parametrize("row", _MASKS)
def test_dropout_draws_mxnets_masks(row: tuple[object, ...]) -> None:
    seed, shape, p, axes, dtype, *expected = row
    mx.random.seed(seed)
    ones = nd.ones(shape, dtype=dtype)
    with mx.autograd.train_mode():
        first = nd.Dropout(ones, p=p, axes=axes).asnumpy()
        second = nd.Dropout(ones, p=p, axes=axes, mode="always").asnumpy()
    sums = [x.astype("float64").ravel() @ onp.arange(x.size) for x in (first, second)]
    assert [(first != 0).sum(), (second != 0).sum(), *sums] == expected


def test_dropout_draws_only_where_it_drops() -> None:
    mx.random.seed(5)
    expected = nd.random.uniform(shape=3).asnumpy()
    mx.random.seed(5)
    nd.Dropout(nd.ones((4,)))
    with mx.autograd.train_mode():
        nd.Dropout(nd.ones((4,)), p=0)
    assert (nd.random.uniform(shape=3).asnumpy() == expected).all()
    before = nd.Dropout(nd.ones((50,)), mode="always").asnumpy()
    assert 0 < (before == 0).sum() < 50


def test_dropout_gives_a_copy_in_prediction() -> None:
    x = nd.ones((3,))
    y = nd.Dropout(x)
    y[:] = 5
    assert x.asnumpy().tolist() == [1, 1, 1]


def test_dropout_of_everything_is_nan() -> None:
    with mx.autograd.train_mode():
        assert onp.isnan(nd.Dropout(nd.ones((3,)), p=1).asnumpy()).all()


def test_dropout_is_scaled_in_the_gradient() -> None:
    x = nd.ones((40,))
    x.attach_grad()
    with mx.autograd.record():
        y = nd.Dropout(x, p=0.25)
    y.backward()
    assert (x.grad.asnumpy() == y.asnumpy()).all()
