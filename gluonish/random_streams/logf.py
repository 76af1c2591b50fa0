"""Natural logarithms that round as the C library's `logf` and `log` do."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as onp
import torch

if TYPE_CHECKING:
    import numpy.typing as npt

_LN2 = float.fromhex("0x1.62e42fefa39efp-1")
_CUBIC = float.fromhex("-0x1.00ea348b88334p-2")
_SQUARE = float.fromhex("0x1.5575b0be00b6ap-2")
_LINEAR = float.fromhex("-0x1.ffffef20a4123p-2")
_INVERSES = (
    "0x1.661ec79f8f3bep+0 0x1.571ed4aaf883dp+0 0x1.49539f0f010bp+0 0x1.3c995b0b80385p+0 "
    "0x1.30d190c8864a5p+0 0x1.25e227b0b8eap+0 0x1.1bb4a4a1a343fp+0 0x1.12358f08ae5bap+0 "
    "0x1.0953f419900a7p+0 0x1p+0 0x1.e608cfd9a47acp-1 0x1.ca4b31f026aap-1 "
    "0x1.b2036576afce6p-1 0x1.9c2d163a1aa2dp-1 0x1.886e6037841edp-1 0x1.767dcf5534862p-1"
)
_LOGARITHMS = (
    "-0x1.57bf7808caadep-2 -0x1.2bef0a7c06ddbp-2 -0x1.01eae7f513a67p-2 -0x1.b31d8a68224e9p-3 "
    "-0x1.6574f0ac07758p-3 -0x1.1aa2bc79c81p-3 -0x1.a4e76ce8c0e5ep-4 -0x1.1973c5a611cccp-4 "
    "-0x1.252f438e10c1ep-5 0x0p+0 0x1.aa5aa5df25984p-5 0x1.c5e53aa362eb4p-4 "
    "0x1.526e57720db08p-3 0x1.bc2860d22477p-3 0x1.1058bc8a07ee1p-2 0x1.4043057b6ee09p-2"
)
IS_GLIBC = "CS_GNU_LIBC_VERSION" in getattr(os, "confstr_names", ())
"""Whether the C library is the one that MXNet's numbers come from."""

_ONE = torch.ones(())  # a number would be made a tensor of at each call
_OFFSET = 0x3F330000
_BITS = 19
_SMALLEST = (0x00800000 - _OFFSET) >> _BITS
_FIRST = onp.int32(_OFFSET + (_SMALLEST << _BITS))
_SHIFT = onp.int32(_BITS)
_LARGEST = (0x7F7FFFFF - _OFFSET) >> _BITS


def _tables() -> tuple[npt.NDArray[onp.float64], npt.NDArray[onp.float64]]:
    """Return 1/c and log(c) for the sixteenths of every binade, powers of two included."""
    interval = onp.arange(_SMALLEST, _LARGEST + 1)
    sixteenth, exponent = interval & 15, interval >> 4
    inverses = onp.array([float.fromhex(text) for text in _INVERSES.split()])
    logarithms = onp.array([float.fromhex(text) for text in _LOGARITHMS.split()])
    return (
        onp.ldexp(inverses[sixteenth], -exponent),
        logarithms[sixteenth] + exponent * _LN2,
    )


_INVERSE_TABLE, _LOGARITHM_TABLE = _tables()

INVERSES = onp.array([float.fromhex(text) for text in _INVERSES.split()])
"""1/c for points c near the middles of the sixteenths of an octave."""


def split(
    values: npt.NDArray[onp.float32],
) -> tuple[npt.NDArray[onp.intp], npt.NDArray[onp.int64], npt.NDArray[onp.float64]]:
    """Return the sixteenth, the power of two and the mantissa of positive, normal values."""
    bits = values.view(onp.int32)
    interval = (bits - onp.int32(_OFFSET)) >> _BITS
    power = interval >> 4
    mantissa = (bits - (power << 23)).view(onp.float32)
    return (
        (interval & 15).astype(onp.intp),
        power.astype(onp.int64),
        mantissa.astype(onp.float64),
    )


def log32(values: npt.NDArray[onp.float32]) -> npt.NDArray[onp.float32]:
    """Return the logarithm of positive, normal, finite float32 values.

    Parameters
    ----------
    values : numpy.ndarray of float32
        C-contiguous; every value at least 2**-126.

    References
    ----------
    The GNU C library from 2.27 on (the same constants are in Arm's optimized routines).

    Examples
    --------
    >>> log32(onp.array([0.5, 1.0, 2.0], onp.float32))
    array([-0.6931472,  0.       ,  0.6931472], dtype=float32)
    """
    if IS_GLIBC:  # torch's `xlogy` has no kernel of its own, and calls the C library
        return torch.xlogy(_ONE, torch.from_numpy(values)).numpy()
    interval = values.view(onp.int32) - _FIRST
    interval >>= _SHIFT
    places = interval.astype(onp.intp)
    rest = values.astype(onp.float64)
    rest *= _INVERSE_TABLE.take(places)
    rest -= 1.0
    result = _LOGARITHM_TABLE.take(places)
    result += rest
    linear = rest * _SQUARE
    linear += _LINEAR
    rest *= rest
    cubic = rest * _CUBIC
    cubic += linear
    cubic *= rest
    cubic += result
    return cubic.astype(onp.float32)


def log64(values: npt.NDArray[onp.float64]) -> npt.NDArray[onp.float64]:
    """Return the logarithm of positive float64 values as the C library gives it.

    NumPy's and torch's vector kernels differ from the C library in the last bit of one value in a
    thousand; `xlogy` has none, and calls it.

    Examples
    --------
    >>> log64(onp.array([0.5, 2.0]))
    array([-0.69314718,  0.69314718])
    """
    return torch.xlogy(_ONE, torch.from_numpy(values)).numpy()
