"""The buffered Mersenne Twisters against NumPy's."""

from __future__ import annotations

import random

import numpy as onp
import pytest

from gluonish.random_streams.mersenne import STATES, Twister, TwisterBank


def raw(seed: int, count: int) -> onp.ndarray:
    generator = onp.random.RandomState(seed)
    return generator.randint(0, 2**32, count, dtype=onp.uint32)


def test_twister_gives_numpys_draws_whatever_the_sizes() -> None:
    order = random.Random(1)
    expected = raw(5, 300_000)
    twister = Twister(5)
    at = 0
    while at < 200_000:
        count = order.choice([0, 1, 2, 33, 1000, 1248, 1249, 65537])
        onp.testing.assert_array_equal(twister.peek(count), expected[at : at + count])
        taken = order.randint(0, count)
        twister.skip(taken)
        at += taken
    onp.testing.assert_array_equal(twister.words(7), expected[at : at + 7])


def test_twister_takes_its_seed_modulo_32_bits() -> None:
    onp.testing.assert_array_equal(Twister(-3).words(4), raw(2**32 - 3, 4))
    onp.testing.assert_array_equal(Twister(2**32 + 7).words(4), raw(7, 4))


@pytest.mark.parametrize("salt", range(4))
def test_bank_gives_each_states_draws_whatever_the_sizes(salt: int) -> None:
    order = random.Random(salt)
    limit = 40_000
    expected: dict[int, onp.ndarray] = {}
    bank = TwisterBank(0)
    at = onp.zeros(STATES, int)
    for step in range(60):
        first = order.choice([0, 0, order.randrange(STATES)])
        last = min(first + order.choice([1, 2, 30]), STATES)
        count = order.choice([1, 2, 3, 64, 977, 3072, order.randrange(1, 3073)])
        words = bank.peek(first, last, count)
        for row in range(first, last):
            if row not in expected:
                expected[row] = raw(row, limit)
            wanted = expected[row][at[row] : at[row] + count]
            onp.testing.assert_array_equal(words[row - first, : wanted.size], wanted)
        taken = onp.array([order.randint(0, count) for _ in range(first, last)])
        bank.skip(first, last, taken)
        at[first:last] += taken
        if step % 20 == 19:
            state = bank.get_state()
            bank = TwisterBank(9)
            bank.words(0, 3, 5)
            bank.set_state(state)


@pytest.mark.parametrize(
    ("count", "split"),
    [
        (1, (1, 1)),
        (64, (1, 64)),
        (65, (2, 33)),
        (130, (3, 44)),
        (65536, (1024, 64)),
        (1_000_003, (1024, 977)),
    ],
)
def test_bank_splits_an_output_as_mxnet_does(count: int, split: tuple[int, int]) -> None:
    assert TwisterBank.split(count) == split
