"""Training by several processes equals training by one with the whole batch."""

from __future__ import annotations

import numpy as onp
import pytest
from workers import returned

SGD = ("sgd", {"learning_rate": 0.1, "momentum": 0.9, "wd": 1e-3})
ADAM = ("adam", {"learning_rate": 0.001})


def train_all(rank, kvstore):
    from digits import trained

    return [
        trained(*optimizer, kvstore, updates)
        for optimizer in (SGD, ADAM)
        for updates in (True, False)
    ]


@pytest.fixture(scope="module")
def alone():
    return returned(1, train_all, "device")[0]


@pytest.mark.parametrize("count", [1, 2, 4])
def test_digits_are_trained_as_by_one_process(alone, count):
    results = returned(count, train_all, "dist_sync")
    for found in results:
        for run, expected, first in zip(found, alone, results[0], strict=True):
            for one, other, same in zip(run, expected, first, strict=True):
                onp.testing.assert_allclose(one, other, atol=1e-5, rtol=0)
                assert (one == same).all()
