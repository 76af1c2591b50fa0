"""Exponentials and powers in float32 that round as the C library's `expf` and `powf` do."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as onp

from gluonish.random_streams.logf import INVERSES, IS_GLIBC, split

if TYPE_CHECKING:
    import numpy.typing as npt

    Float32 = npt.NDArray[onp.float32]
    Float64 = npt.NDArray[onp.float64]

_FEW = 24
_PARTS = 32
_ROOTS = (
    "0x1p+0 0x1.059b0d3158574p+0 0x1.0b5586cf9890fp+0 0x1.11301d0125b51p+0 "
    "0x1.172b83c7d517bp+0 0x1.1d4873168b9aap+0 0x1.2387a6e756238p+0 0x1.29e9df51fdee1p+0 "
    "0x1.306fe0a31b715p+0 0x1.371a7373aa9cbp+0 0x1.3dea64c123422p+0 0x1.44e086061892dp+0 "
    "0x1.4bfdad5362a27p+0 0x1.5342b569d4f82p+0 0x1.5ab07dd485429p+0 0x1.6247eb03a5585p+0 "
    "0x1.6a09e667f3bcdp+0 0x1.71f75e8ec5f74p+0 0x1.7a11473eb0187p+0 0x1.82589994cce13p+0 "
    "0x1.8ace5422aa0dbp+0 0x1.93737b0cdc5e5p+0 0x1.9c49182a3f09p+0 0x1.a5503b23e255dp+0 "
    "0x1.ae89f995ad3adp+0 0x1.b7f76f2fb5e47p+0 0x1.c199bdd85529cp+0 0x1.cb720dcef9069p+0 "
    "0x1.d5818dcfba487p+0 0x1.dfc97337b9b5fp+0 0x1.ea4afa2a490dap+0 0x1.f50765b6e454p+0"
)
_LOGARITHMS = (
    "-0x1.efec65b963019p-2 -0x1.b0b6832d4fca4p-2 -0x1.7418b0a1fb77bp-2 -0x1.39de91a6dcf7bp-2 "
    "-0x1.01d9bf3f2b631p-2 -0x1.97c1d1b3b7afp-3 -0x1.2f9e393af3c9fp-3 -0x1.960cbbf788d5cp-4 "
    "-0x1.a6f9db6475fcep-5 0x0p+0 0x1.338ca9f24f53dp-4 0x1.476a9543891bap-3 "
    "0x1.e840b4ac4e4d2p-3 0x1.40645f0c6651cp-2 0x1.88e9c2c1b9ff8p-2 0x1.ce0a44eb17bccp-2"
)
_LOG2_SERIES = tuple(
    map(
        float.fromhex,
        (
            "0x1.27616c9496e0bp-2",
            "-0x1.71969a075c67ap-2",
            "0x1.ec70a6ca7baddp-2",
            "-0x1.7154748bef6c8p-1",
            "0x1.71547652ab82bp0",
        ),
    )
)
_EXP2_SERIES = tuple(
    map(
        float.fromhex,
        ("0x1.c6af84b912394p-5", "0x1.ebfce50fac4f3p-3", "0x1.62e42ff0c52d6p-1"),
    )
)
_ROOT_TABLE = onp.array([float.fromhex(text) for text in _ROOTS.split()])
_LOGARITHM_TABLE = onp.array([float.fromhex(text) for text in _LOGARITHMS.split()])
_LARGEST_POWER = 1000
_POWER_TABLE = onp.ldexp(1.0, onp.arange(-_LARGEST_POWER, _LARGEST_POWER + 1))
_LOG2_E = 1.0 / math.log(2.0)


def exp32(values: Float32) -> Float32:
    """Return e to the power of float32 values.

    References
    ----------
    The GNU C library from 2.27 on (the same constants are in Arm's optimized routines).

    Examples
    --------
    >>> exp32(onp.array([0.0, 1.0], onp.float32))
    array([1.       , 2.7182817], dtype=float32)
    """
    return _exp2(values.astype(onp.float64) * _LOG2_E)


def pow32(base: Float32, exponent: Float32) -> Float32:
    """Return float32 values, not negative, to the power of positive float32 values.

    References
    ----------
    The GNU C library from 2.28 on (the same constants are in Arm's optimized routines).

    Examples
    --------
    >>> pow32(onp.array([4.0, 0.0], onp.float32), onp.float32(0.5))
    array([2., 0.], dtype=float32)
    """
    if base.size <= _FEW and exponent.size == 1 and IS_GLIBC:
        # one at a time, NumPy asks the C library
        power = exponent.reshape(-1)[0]
        powers = onp.empty(base.size, onp.float32)
        with onp.errstate(over="ignore", under="ignore"):
            for index, one in enumerate(base.reshape(-1)):
                powers[index] = one**power
        return powers.reshape(base.shape)
    ordinary = (base >= onp.float32(2.0**-126)) & onp.isfinite(base)
    if not ordinary.all():
        rest = onp.power(base.astype(onp.float64), exponent).astype(onp.float32)
        usual = pow32(onp.where(ordinary, base, onp.float32(1)), exponent)
        return onp.where(ordinary, usual, rest)
    place, power, mantissa = split(base)
    rest = mantissa * INVERSES.take(place) - 1.0
    start = _LOGARITHM_TABLE.take(place) + power
    fifth, fourth, third, second, first = _LOG2_SERIES
    squared = rest * rest
    upper = fifth * rest + fourth
    middle = third * rest + second
    lower = middle * squared + (first * rest + start)
    logarithm = upper * (squared * squared) + lower
    return _exp2(exponent * logarithm)


def _exp2(values: Float64) -> Float32:
    """Return 2 to the power of float64 values, in float32."""
    if onp.isnan(values).any():
        known = onp.where(onp.isnan(values), 0.0, values)
        return onp.where(onp.isnan(values), onp.float32("nan"), _exp2(known))
    parts = onp.rint(onp.minimum(onp.maximum(values, -_LARGEST_POWER), _LARGEST_POWER) * _PARTS)
    rest = values - parts / _PARTS
    whole = parts.astype(onp.int64)
    scale = _ROOT_TABLE.take(whole & (_PARTS - 1))
    scale *= _POWER_TABLE.take((whole >> 5) + _LARGEST_POWER)  # faster than `ldexp`
    third, second, first = _EXP2_SERIES
    result = (third * rest + second) * (rest * rest) + (first * rest + 1.0)
    with onp.errstate(over="ignore", under="ignore"):
        return onp.asarray(result * scale).astype(onp.float32)
