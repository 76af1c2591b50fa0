"""Fuzzing's cases: which file a family, a seed and a number give, always the same."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from fuzz import parts
from fuzz.families import FAMILIES

_BIGGEST = 1 << 20  # bytes of a file


class Case(NamedTuple):
    """A file to read: what it was made of, how, and its bytes."""

    seed: str
    steps: list[str]
    data: bytes


def make(family: str, seed: int, number: int) -> Case:
    """Return a family's case of a number.

    Parameters
    ----------
    family : str
        One of `fuzz.families.FAMILIES`.
    seed, number : int
        What all randomness comes from.
    """
    random = Random(f"{family}/{seed}/{number}")
    found = FAMILIES[family]
    one, other = random.choices(*found.seeds)[0], random.choices(*found.seeds)[0]
    data, steps = found.change(random, one, other)
    if random.random() < 0.15:
        data = parts.damage(random, data)
        steps.append("bytes damaged")
    return Case(one.name, steps, data[:_BIGGEST])
