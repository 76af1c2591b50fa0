"""Decimal text to float32 as MXNet's operator parameters read it."""

from __future__ import annotations

import functools
import re

import numpy as onp

_NUMBER = re.compile(r"([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?")
_DIGITS = 19
_WORD = 2**64
_HUGE = 10**39


def parse_float32(value: float) -> onp.float32:
    """Return the float32 that an `nd` operator makes of a Python number.

    MXNet passes parameters as text and reads digits before and after the point apart, each in
    float32, so the result can be one bit off the nearest float32.

    Parameters
    ----------
    value : float
        Any number whose `str` is decimal text.

    Examples
    --------
    >>> parse_float32(0.1)
    np.float32(0.1)
    """
    kind = type(value)
    return _parse_plain(value) if kind is float or kind is int else _parse(str(value))


@functools.lru_cache(maxsize=1024)
def _parse_plain(value: float) -> onp.float32:
    return _parse(str(value))


@functools.lru_cache(maxsize=1024)
def _parse(text: str) -> onp.float32:
    match = _NUMBER.fullmatch(text)
    if match is None:
        return onp.float32(text)
    sign, whole, fraction, exponent = match.groups()
    with onp.errstate(over="ignore", under="ignore"):
        result = onp.float32(min(int(whole or 0), _HUGE))
        if fraction:
            kept = fraction[:_DIGITS]
            upper = float(int(kept) % _WORD)
            result = result + onp.float32(upper / float(10 ** len(kept) % _WORD))
        result = _scale(result, int(exponent or 0))
    return -result if sign == "-" else result


def _scale(value: onp.float32, exponent: int) -> onp.float32:
    factor = onp.float32(1)
    rest = abs(exponent)
    while rest >= 8:
        factor = factor * onp.float32(1e8)
        rest -= 8
    for _ in range(rest):
        factor = factor * onp.float32(10)
    return value / factor if exponent < 0 else value * factor
