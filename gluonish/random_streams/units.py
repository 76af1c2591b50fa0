"""Numbers in [0, 1] and accepted polar pairs, made from 32-bit draws."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as onp

from gluonish.random_streams.logf import log32, log64

if TYPE_CHECKING:
    import numpy.typing as npt

    from gluonish.random_streams.mersenne import Words

    Float32 = npt.NDArray[onp.float32]
    Float64 = npt.NDArray[onp.float64]

_UNIT = onp.float32(2.0**-32)
_TWO_UNITS = onp.float32(2.0**-31)
_ONE = onp.float32(1.0)
_MINUS_TWO = onp.float32(-2.0)


def unit32(words: Words) -> Float32:
    """Return one float32 for every draw; the largest 128 draws give exactly 1."""
    values = words.astype(onp.float32)
    values *= _UNIT
    return values


def unit64(words: Words) -> Float64:
    """Return one float64 for every two draws along the last axis, the lower half first."""
    return of_halves(words[..., 0::2], words[..., 1::2])


def of_halves(lower: Words, upper: Words) -> Float64:
    """Return one float64 for every two draws."""
    values = upper.astype(onp.float64)
    values *= 2.0**32
    values += lower
    values *= 2.0**-64
    return values


def symmetric32(words: Words) -> Float32:
    """Return one float32 in [-1, 1] for every draw."""
    values = words.astype(onp.float32)
    values *= _TWO_UNITS
    values -= _ONE
    return values


def symmetric64(words: Words) -> Float64:
    """Return one float64 in [-1, 1] for every two draws."""
    values = unit64(words)
    values *= 2.0
    values -= 1.0
    return values


def polar32(squares: Float32) -> Float32:
    """Return the factor that turns points of the given squared radius into normal values."""
    factors = log32(squares)
    factors *= _MINUS_TWO
    factors /= squares
    return onp.sqrt(factors, out=factors)


def polar64(squares: Float64) -> Float64:
    """Return in float64 what `polar32` returns in float32."""
    factors = log64(squares)
    factors *= -2.0
    factors /= squares
    return onp.sqrt(factors, out=factors)
