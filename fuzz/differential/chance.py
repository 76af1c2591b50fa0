"""One seeded source of sizes, dtypes, arrays and axes."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

Shape: TypeAlias = "tuple[int, ...]"
Value: TypeAlias = Any
"""An argument as plain data (`fuzz.differential.values`)."""

FLOATS = ("float32",) * 10 + ("float64",) * 3 + ("float16",) * 2
INTEGERS = ("int32", "int64", "uint8", "int8")
_SIZES = (1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 7)
_VALUES = (("normal",),) * 5 + (
    ("normal", 4.0),
    ("uniform", -1.0, 1.0),
    ("uniform", 0.1, 3.0),
    ("ints", -3, 3),
    ("ints", 0, 4),
    ("special",),
)


def tuple_of(parts: Sequence[Value]) -> Value:
    """Return the plain data of a tuple."""
    return {"tuple": list(parts)}


class Chance(random.Random):
    """Draws what cases are made of.

    Attributes
    ----------
    is_np : bool
        Whether arrays may have no axes, and booleans.
    empty : float
        How often a size is 0.
    """

    def __init__(self, seed: str, *, is_np: bool) -> None:
        super().__init__(seed)
        self.is_np = is_np
        self.empty = 0.3 if self.happens(0.03) else 0.0

    def happens(self, probability: float) -> bool:
        """Return whether something of that probability happens."""
        return self.random() < probability

    def one(self, *choices: Value) -> Value:
        """Return one of some values."""
        return self.choice(choices)

    def size(self) -> int:
        """Return a length, rarely 0."""
        return 0 if self.happens(self.empty) else self.choice(_SIZES)

    def shape(self, low: int = 0, high: int = 4) -> Shape:
        """Return a shape of so many axes."""
        low = max(low, 0 if self.is_np else 1)
        rank = min(high, max(low, self.choice((0, 1, 1, 2, 2, 2, 3, 3, 4))))
        return tuple(self.size() for _ in range(rank))

    def any_dtype(self) -> str:
        """Return a dtype, most often one of floating point."""
        if self.happens(0.75):
            return self.choice(FLOATS)
        return self.choice((*INTEGERS, "bool") if self.is_np else INTEGERS)

    def array(
        self, shape: Shape, dtype: str | None = None, values: tuple[Value, ...] | None = None
    ) -> Value:
        """Return the plain data of an array."""
        dtype = dtype or self.any_dtype()
        values = values or self.values(dtype)
        spec: dict[str, Any] = {"shape": list(shape), "dtype": dtype, "values": list(values)}
        if len(shape) > 1 and 0 not in shape and self.happens(0.06):
            spec["turned"] = True
        return {"array": {**spec, "seed": self.randrange(2**31)}}

    def values(self, dtype: str) -> tuple[Value, ...]:
        """Return a kind of values that a dtype has."""
        if dtype == "bool":
            return ("ints", 0, 1)
        if dtype in INTEGERS:
            low = 0 if dtype.startswith("u") else -4
            if self.happens(0.1):
                return self.one(("ints", 100, 127), ("zeros",), ("ints", 1, 1))  # type: ignore[no-any-return]
            return self.one(("ints", low, 5), ("ints", 0, 3), ("ints", low, 100))  # type: ignore[no-any-return]
        if self.happens(0.04):
            return self.one(("zeros",), ("ints", 1, 1), ("normal", 100.0), ("normal", 1e-4))  # type: ignore[no-any-return]
        return self.choice(_VALUES)

    def alike(self, shape: Shape) -> Shape:
        """Return a shape that another one can be broadcast with."""
        kind = self.random()
        if kind < 0.55:
            return shape
        found = tuple(1 if self.happens(0.4) else size for size in shape)
        if kind > 0.8 and (len(shape) > 1 or self.is_np):
            found = found[self.randrange(len(shape) + self.is_np) :]
        return found if kind < 0.97 else self.shape()

    def axis(self, rank: int) -> int:
        """Return an axis, counted from either end, rarely one that is not there."""
        if self.happens(0.02):
            return self.one(rank, -rank - 1)  # type: ignore[no-any-return]
        return self.randrange(-rank, rank) if rank else self.one(0, -1)

    def axes(self, rank: int) -> Value:
        """Return None, one axis, or several."""
        kind = self.random()
        if kind < 0.15:
            return None
        if kind < 0.5:
            return self.axis(rank)
        if kind < 0.55 or not rank:
            return tuple_of([])
        several = self.sample(range(rank), self.randint(1, rank))
        return tuple_of([axis - rank * self.happens(0.3) for axis in several])

    def number(self) -> float:
        """Return a number, whole or not."""
        if self.happens(0.05):
            return self.one(255, 300, -300, 1e9, -1e9, 7e4, 1e-9)  # type: ignore[no-any-return]
        return self.one(0, 1, 2, 3, -1, 0.5, 1.5, -2.5, 0.1, 2.0, 1e-3)  # type: ignore[no-any-return]
