"""Draws from the 1024 parallel generators: what `nd.random` and Dropout give."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.random_streams import rejection
from gluonish.random_streams.lanes import draw
from gluonish.random_streams.logf import log64
from gluonish.random_streams.mersenne import ELEMENTS_PER_STATE
from gluonish.random_streams.scalars import parse_float32
from gluonish.random_streams.state import streams
from gluonish.random_streams.units import (
    polar32,
    polar64,
    symmetric32,
    symmetric64,
    unit32,
    unit64,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from gluonish.random_streams.lanes import Sampler
    from gluonish.random_streams.mersenne import Words

    Array = npt.NDArray[Any]
    Float32 = npt.NDArray[onp.float32]
    Float64 = npt.NDArray[onp.float64]
    Parameter = float | Array
    Shape = tuple[int, ...]

_TRIES_PER_VALUE = 4.0 / math.pi
_COLUMNS = 1000
_WORDS = 3072
_ONE = onp.float32(1)
_ZERO = onp.float32(0)


def draw32(count: int, out: Float32 | None = None) -> Float32:
    """Return `count` uniform float32 values, flat; in `out` where that is given, and large."""
    if count <= ELEMENTS_PER_STATE:
        return unit32(streams.bank.words(0, 1, count)[0])
    values = onp.empty(count, onp.float32) if out is None else out.reshape(-1)
    for part, words in streams.bank.blocks(values, 1):
        part[...] = unit32(words)
    return values


def draw64(count: int) -> Float64:
    """Return `count` uniform float64 values, flat."""
    values = onp.empty(count, onp.float64)
    for part, words in streams.bank.blocks(values, 2):
        part[...] = unit64(words)
    return values


def draw_normal32(count: int, out: Float32 | None = None) -> Float32:
    """Return `count` standard normal float32 values, flat; one value of each pair is used.

    They are in `out` where that is given, and large.
    """
    if 0 < count <= ELEMENTS_PER_STATE:
        return draw(streams.bank, count, rejection.normal)
    values = onp.empty(count, onp.float32) if out is None else out.reshape(-1)
    for part, first, last in streams.bank.parts(values, _COLUMNS, 2):
        _fill_normal(part, first, last, 2, symmetric32, polar32)
    return values


def draw_normal64(count: int) -> Float64:
    """Return `count` standard normal float64 values, flat."""
    if 0 < count <= ELEMENTS_PER_STATE:
        return draw(streams.bank, count, rejection.normal, False)
    values = onp.empty(count, onp.float64)
    for part, first, last in streams.bank.parts(values, _COLUMNS // 2, 4):
        _fill_normal(part, first, last, 4, symmetric64, polar64)
    return values


def _fill_normal(
    out: Array,
    first: int,
    last: int,
    each: int,
    symmetric: Callable[[Words], Any],
    polar: Callable[[Any], Any],
) -> None:
    """Fill the rows of `out` from the states `first` to `last`."""
    rows, columns = out.shape
    tries = int(_TRIES_PER_VALUE * columns + 3.0 * math.sqrt(columns)) + 8
    while True:
        points = symmetric(streams.bank.peek(first, last, each * tries)).reshape(-1)
        squares = points * points
        squares = squares[0::2] + squares[1::2]
        accepted = (squares <= _ONE) & (squares != _ZERO)
        places = accepted.nonzero()[0]
        if rows == 1:
            if places.size >= columns:
                places = places[:columns]
                streams.bank.skip(first, last, each * (int(places[-1]) + 1))
                break
        else:
            counts = onp.count_nonzero(accepted.reshape(rows, tries), axis=1)
            if counts.min() >= columns:
                starts = counts.cumsum()
                starts -= counts
                places = places.take(starts[:, None] + onp.arange(columns))
                used = places[:, -1] + 1 - onp.arange(0, rows * tries, tries)
                streams.bank.skip(first, last, each * used)
                break
        tries = min(2 * tries, _WORDS // each)
    factors = polar(squares.take(places))
    places *= 2
    places += 1
    onp.multiply(points.take(places), factors, out=out.reshape(factors.shape))


def spread(parameter: Array, count: int) -> Array:
    """Repeat each of the parameters for its share of `count` elements."""
    return parameter.reshape(-1).repeat(count // max(parameter.size, 1))


def _is_single(dtype: npt.DTypeLike) -> bool:
    return onp.dtype(dtype) not in (onp.float64, onp.float16)


def _narrow(values: Float64, dtype: npt.DTypeLike) -> Array:
    if onp.dtype(dtype) == onp.float16:
        return values.astype(onp.float32).astype(onp.float16)
    return values.astype(dtype, copy=False)


def uniform(
    low: Parameter,
    high: Parameter,
    shape: Shape,
    dtype: npt.DTypeLike = onp.float32,
    out: Float32 | None = None,
) -> Array:
    """Draw from [low, high].

    Parameters
    ----------
    low, high : float or numpy.ndarray
        Bounds, as float32: numbers, or arrays of one value per element in row-major order.
    shape : tuple of int
        Shape of the result.
    dtype : dtype, default float32
        For float64 and float16, two draws are used per value and the arithmetic is float64.
    out : numpy.ndarray of float32, contiguous, optional
        Where the values are drawn, if they are float32 and more than a few.

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.seed(0)
    >>> random_streams.parallel.uniform(0.0, 1.0, (2,))
    array([0.5488135, 0.5928446], dtype=float32)
    """
    count = math.prod(shape)
    start = onp.asarray(low, onp.float32)
    width = onp.asarray(high, onp.float32) - start
    values: Array = draw32(count, out) if _is_single(dtype) else draw64(count)
    if start.ndim or start != 0 or width != 1:
        values *= width
        values += start
    return _narrow(values, dtype).reshape(shape)


def normal(
    loc: Parameter,
    scale: Parameter,
    shape: Shape,
    dtype: npt.DTypeLike = onp.float32,
    out: Float32 | None = None,
) -> Array:
    """Draw from the normal distribution.

    Parameters
    ----------
    loc, scale : float or numpy.ndarray
        Mean and standard deviation, as float32: numbers, or arrays of one value per element in
        row-major order.
    shape : tuple of int
        Shape of the result.
    dtype : dtype, default float32
        For float64 and float16, the arithmetic is float64.
    out : numpy.ndarray of float32, contiguous, optional
        Where the values are drawn, if they are float32 and more than a few.

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.seed(0)
    >>> random_streams.parallel.normal(0.0, 1.0, (2,))
    array([2.2122064, 0.7740038], dtype=float32)
    """
    count = math.prod(shape)
    mean = onp.asarray(loc, onp.float32)
    deviation = onp.asarray(scale, onp.float32)
    values: Array = draw_normal32(count, out) if _is_single(dtype) else draw_normal64(count)
    if mean.ndim or mean != 0 or deviation.ndim or deviation != 1:
        values *= deviation
        values += mean
    return _narrow(values, dtype).reshape(shape)


def randint(
    low: int, high: int, shape: Shape, dtype: npt.DTypeLike = onp.int32
) -> npt.NDArray[Any]:
    """Draw integers from [low, high).

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.seed(0)
    >>> random_streams.parallel.randint(0, 10, (8,))
    array([1, 4, 3, 9, 9, 4, 7, 0], dtype=int32)
    """
    values = onp.empty(math.prod(shape), onp.int64)
    width = high - low
    for part, words in streams.bank.blocks(values, 2):
        draws = words[:, 0::2].astype(onp.int64)
        draws <<= 31
        draws += words[:, 1::2]
        quotients = draws // width
        if draws.min() < 0:
            negative = (draws < 0) & (quotients * width != draws)
            quotients += negative
        quotients *= width
        onp.subtract(draws, quotients, out=part)
    values += low
    return values.astype(dtype, copy=False).reshape(shape)


def exponential(lam: Parameter, shape: Shape, dtype: npt.DTypeLike = onp.float32) -> Array:
    """Draw from the exponential distribution of rate `lam`.

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.seed(0)
    >>> random_streams.parallel.exponential(1.0, (2,))
    array([0.79587454, 0.89856035], dtype=float32)
    """
    rate = onp.asarray(lam, onp.float32)
    count = math.prod(shape)
    with onp.errstate(divide="ignore"):
        if _is_single(dtype):
            rest = 1.0 - draw32(count).astype(onp.float64)
            values = (-onp.log(rest) / rate).astype(onp.float32)
            return values.astype(dtype, copy=False).reshape(shape)
        return _narrow(-log64(1.0 - draw64(count)) / rate, dtype).reshape(shape)


def dropout_mask(
    p: float,
    shape: Shape,
    dtype: npt.DTypeLike = onp.float32,
    axes: Sequence[int] = (),
) -> Float32:
    """Draw the mask by which Dropout multiplies: 0, or 1 / (1 - p).

    Parameters
    ----------
    p : float
        Probability of 0.
    shape : tuple of int
        Shape of the data.
    dtype : dtype, default float32
        Dtype of the data; for float64 and float16 two draws are used per value.
    axes : sequence of int
        Axes along which one value is shared; they are 1 in the shape of the mask.

    Returns
    -------
    numpy.ndarray of float32

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.seed(0)
    >>> random_streams.parallel.dropout_mask(0.5, (4,))
    array([0., 0., 0., 0.], dtype=float32)
    """
    shared = {axis % len(shape) for axis in axes}
    shape = tuple(1 if axis in shared else size for axis, size in enumerate(shape))
    count = math.prod(shape)
    units = draw32(count) if _is_single(dtype) else draw64(count).astype(onp.float32)
    keep = _ONE - parse_float32(p)
    kept = units < keep if axes else units <= keep
    with onp.errstate(divide="ignore", invalid="ignore"):
        onp.multiply(kept, _ONE / keep, out=units)
    return units.reshape(shape)


def gamma(
    alpha: Parameter, beta: Parameter, shape: Shape, dtype: npt.DTypeLike = onp.float32
) -> Array:
    """Draw from the gamma distribution of shape `alpha` and scale `beta`.

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.seed(0)
    >>> random_streams.parallel.gamma(2.0, 1.0, (3,))
    array([6.4644885, 2.1283226, 3.7099428], dtype=float32)
    """
    single = onp.dtype(dtype) != onp.float64
    return _draw(rejection.finite_gamma, shape, dtype, alpha, beta, single)


def poisson(lam: Parameter, shape: Shape, dtype: npt.DTypeLike = onp.float32) -> Array:
    """Draw from the Poisson distribution of mean `lam`.

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.seed(0)
    >>> random_streams.parallel.poisson(3.0, (6,))
    array([7., 4., 2., 3., 5., 3.], dtype=float32)
    """
    return _draw(rejection.poisson, shape, dtype, lam)


def negative_binomial(
    k: Parameter, p: Parameter, shape: Shape, dtype: npt.DTypeLike = onp.float32
) -> Array:
    """Draw how many failures come before `k` successes of probability `p`.

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.parallel.negative_binomial(3.0, 0.5, (2,)).shape
    (2,)
    """
    return _draw(rejection.negative_binomial, shape, dtype, k, p)


def generalized_negative_binomial(
    mu: Parameter, alpha: Parameter, shape: Shape, dtype: npt.DTypeLike = onp.float32
) -> Array:
    """Draw from the negative binomial distribution of mean `mu` and dispersion `alpha`.

    With `alpha` 0 it is the Poisson distribution.

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.parallel.generalized_negative_binomial(3.0, 0.5, (2,)).shape
    (2,)
    """
    return _draw(rejection.generalized_negative_binomial, shape, dtype, mu, alpha)


def _draw(
    kind: Callable[..., Sampler], shape: Shape, dtype: npt.DTypeLike, *given: Parameter
) -> Array:
    return _narrow(draw(streams.bank, math.prod(shape), kind, *given), dtype).reshape(shape)
