"""Draws from the main generator: what `np.random` and `npx.random` give."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.errors import InvalidArgumentError
from gluonish.random_streams.logf import log32
from gluonish.random_streams.mersenne import BLOCK
from gluonish.random_streams.powf import exp32, pow32
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
    from collections.abc import Callable

    import numpy.typing as npt

    from gluonish.random_streams.mersenne import Twister, Words

    Array = npt.NDArray[Any]
    Float32 = npt.NDArray[onp.float32]
    Float64 = npt.NDArray[onp.float64]
    Parameter = float | Array
    Shape = tuple[int, ...]

_PAIRS = BLOCK // 2
_TRIES_PER_PAIR = 4.0 / math.pi
_FEW = 16
_UPPER = 2.0**32
_SCALE = 2.0**-64
_ONE = onp.float32(1)
_ZERO = onp.float32(0)


def draw32(count: int) -> Float32:
    """Return `count` uniform float32 values, flat."""
    if count <= BLOCK:
        return unit32(streams.main.words(count))
    values = onp.empty(count, onp.float32)
    for start in range(0, count, BLOCK):
        part = values[start : start + BLOCK]
        part[...] = unit32(streams.main.words(part.size))
    return values


def draw64(count: int) -> Float64:
    """Return `count` uniform float64 values, flat."""
    return unit64(streams.main.words(2 * count))


def draw_normal32(count: int) -> Float32:
    """Return `count` standard normal float32 values, flat; both values of each pair are used."""
    values: Float32 = _draw_normal(streams.main, count, 2, symmetric32, polar32, onp.float32)
    return values


def vectors(shape: Shape) -> Float32:
    """Draw the normal values of `multivariate_normal`, from a generator that no seed changes.

    MXNet 1.9.1 runs that function in a thread of its own, whose generators stay as they were
    when the process started.

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.main.vectors((2, 3)).shape
    (2, 3)
    """
    values = _draw_normal(streams.fallback, math.prod(shape), 2, symmetric32, polar32, onp.float32)
    return onp.asarray(values.reshape(shape))


def draw_normal64(count: int) -> Float64:
    """Return `count` standard normal float64 values, flat."""
    values: Float64 = _draw_normal(streams.main, count, 4, symmetric64, polar64, onp.float64)
    return values


def _draw_normal(
    twister: Twister,
    count: int,
    each: int,
    symmetric: Callable[[Words], Any],
    polar: Callable[[Any], Any],
    dtype: type[onp.floating[Any]],
) -> Any:  # noqa: ANN401
    pairs = (count + 1) // 2
    values = onp.empty((pairs, 2), dtype)
    done = 0
    while done < pairs:
        missing = pairs - done
        tries = min(int(_TRIES_PER_PAIR * missing + 3.0 * math.sqrt(missing)) + 4, _PAIRS)
        points = symmetric(twister.peek(each * tries))
        squares = points * points
        squares = squares[0::2] + squares[1::2]
        accepted = ((squares <= _ONE) & (squares != _ZERO)).nonzero()[0]
        if accepted.size >= missing:
            accepted = accepted[:missing]
            tries = int(accepted[-1]) + 1
        twister.skip(each * tries)
        factors = polar(squares.take(accepted))
        part = values[done : done + accepted.size]
        accepted *= 2
        onp.multiply(points.take(accepted), factors, out=part[:, 1])
        accepted += 1
        onp.multiply(points.take(accepted), factors, out=part[:, 0])
        done += accepted.size
    return values.reshape(-1)[:count]


def uniform(
    low: Parameter, high: Parameter, shape: Shape, dtype: npt.DTypeLike = onp.float32
) -> Array:
    """Draw from [low, high].

    Parameters
    ----------
    low, high : float or numpy.ndarray
        Bounds; arrays are broadcast to `shape`. Used as float32.
    shape : tuple of int
        Shape of the result.
    dtype : dtype, default float32
        The float32 values are cast to it.

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.seed(0)
    >>> random_streams.main.uniform(0.0, 1.0, (2,))
    array([0.5488135, 0.5928446], dtype=float32)
    """
    values = draw32(math.prod(shape)).reshape(shape)
    if isinstance(low, float) and isinstance(high, float) and low == 0.0 and high == 1.0:
        return values.astype(dtype, copy=False)
    start, stop = _operands(low, high)
    width = stop - start
    return _result(values * width + start, dtype)


def normal(
    loc: Parameter, scale: Parameter, shape: Shape, dtype: npt.DTypeLike = onp.float32
) -> Array:
    """Draw from the normal distribution.

    Parameters
    ----------
    loc, scale : float or numpy.ndarray
        Mean and standard deviation; arrays are broadcast to `shape`. Used as float32.
    shape : tuple of int
        Shape of the result.
    dtype : dtype, default float32
        The float32 values are cast to it.

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.seed(0)
    >>> random_streams.main.normal(0.0, 1.0, (2,))
    array([2.2122064, 1.1630787], dtype=float32)
    """
    values = draw_normal32(math.prod(shape)).reshape(shape)
    if not (isinstance(loc, float) and isinstance(scale, float) and loc == 0.0 and scale == 1.0):
        mean, deviation = _operands(loc, scale)
        return _result(values * deviation + mean, dtype)
    return values.astype(dtype, copy=False)


def _operands(*parameters: Parameter) -> list[Array]:
    """Return the parameters as arrays: float64 if one of them is such an array, else float32."""
    wide = any(isinstance(one, onp.ndarray) and one.dtype == onp.float64 for one in parameters)
    kind = onp.float64 if wide else onp.float32
    return [
        onp.asarray(onp.asarray(one, onp.float32), kind)
        if onp.ndim(one) == 0
        else onp.asarray(one, kind)
        for one in parameters
    ]


def _result(values: Array, dtype: npt.DTypeLike) -> Array:
    """Round to float32, then to the wanted dtype."""
    return values.astype(onp.float32, copy=False).astype(dtype, copy=False)


def bernoulli_prob(prob: Parameter, shape: Shape, dtype: npt.DTypeLike = onp.float32) -> Array:
    """Draw 1 with probability `prob`, else 0.

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.seed(0)
    >>> random_streams.main.bernoulli_prob(0.55, (4,))
    array([1., 0., 0., 0.], dtype=float32)
    """
    values = draw32(math.prod(shape)).reshape(shape)
    return onp.asarray(onp.asarray(prob, onp.float32) > values).astype(dtype)


def bernoulli_logit(logit: Parameter, shape: Shape, dtype: npt.DTypeLike = onp.float32) -> Array:
    """Draw 1 with probability ``1 / (1 + exp(-logit))``, else 0.

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.seed(0)
    >>> random_streams.main.bernoulli_logit(1.0, (4,))
    array([1., 1., 1., 0.], dtype=float32)
    """
    thresholds = _logit(draw32(math.prod(shape))).reshape(shape)
    return onp.asarray(onp.asarray(logit, onp.float32) > thresholds).astype(dtype)


def _logit(units: Float32) -> Float32:
    """Return log(u) - log(1 - u): logarithms in float64, 1 - u in float32."""
    with onp.errstate(divide="ignore"):
        rest = onp.log((onp.float32(1) - units).astype(onp.float64))
        return (onp.log(units.astype(onp.float64)) - rest).astype(onp.float32)


def _log_units(shape: Shape) -> Float64:
    with onp.errstate(divide="ignore"):
        return onp.log(draw32(math.prod(shape)).astype(onp.float64)).reshape(shape)


def logistic(loc: Parameter, scale: Parameter, shape: Shape) -> Float32:
    """Draw from the logistic distribution, in float32.

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.seed(0)
    >>> random_streams.main.logistic(0.0, 1.0, (2,))
    array([0.19587798, 0.3757374 ], dtype=float32)
    """
    noise = _logit(draw32(math.prod(shape))).reshape(shape)
    return _shift(noise, loc, scale)


def gumbel(loc: Parameter, scale: Parameter, shape: Shape) -> Float32:
    """Draw from the Gumbel distribution, in float32.

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.seed(0)
    >>> random_streams.main.gumbel(0.0, 1.0, (2,))
    array([0.51083136, 0.64851236], dtype=float32)
    """
    with onp.errstate(divide="ignore"):
        noise = -onp.log(-_log_units(shape))
    return _shift(noise.astype(onp.float32), loc, scale)


def _minus_log32(shape: Shape) -> Float32:
    """Return -logf(u) for uniform u."""
    units = draw32(math.prod(shape)).reshape(shape)
    logs = -log32(units)
    if not units.all():
        logs[units == 0] = onp.inf
    return logs


def _shift(noise: Float32, loc: Parameter, scale: Parameter) -> Float32:
    noise *= onp.asarray(scale, onp.float32)
    noise += onp.asarray(loc, onp.float32)
    return noise


def exponential(scale: Parameter, shape: Shape) -> Float32:
    """Draw from the exponential distribution, in float32.

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.seed(0)
    >>> random_streams.main.exponential(1.0, (2,))
    array([0.59999657, 0.522823  ], dtype=float32)
    """
    if isinstance(scale, onp.ndarray):
        (wide,) = _operands(scale)
        return onp.asarray(_minus_log32(shape) * wide).astype(onp.float32)
    return onp.asarray(-onp.float32(scale) * _log_units(shape)).astype(onp.float32)


def rayleigh(scale: Parameter, shape: Shape) -> Float32:
    """Draw from the Rayleigh distribution, in float32.

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.seed(0)
    >>> random_streams.main.rayleigh(1.0, (2,))
    array([1.0954419, 1.0225683], dtype=float32)
    """
    noise = onp.sqrt(-2.0 * _log_units(shape)).astype(onp.float32)
    return _shift(noise, 0.0, scale)


def pareto(a: Parameter, shape: Shape) -> Float32:
    """Draw from the Pareto II distribution, in float32.

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.seed(0)
    >>> random_streams.main.pareto(2.0, (2,))
    array([0.3498565 , 0.29876196], dtype=float32)
    """
    if isinstance(a, onp.ndarray):
        (wide,) = _operands(a)
        exponent = onp.asarray(_minus_log32(shape) / wide).astype(onp.float64)
    else:
        exponent = -_log_units(shape) / float(onp.float32(a))
    return onp.asarray(onp.exp(exponent) - 1.0).astype(onp.float32)


def weibull(a: Parameter, shape: Shape) -> Float32:
    """Draw from the Weibull distribution, in float32.

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.seed(0)
    >>> random_streams.main.weibull(2.0, (2,))
    array([0.7745944 , 0.72306496], dtype=float32)
    """
    return _power32(_minus_log32(shape), a)


def power(a: Parameter, shape: Shape) -> Float32:
    """Draw from the power distribution, in float32; one draw more than values is used.

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.seed(0)
    >>> random_streams.main.power(2.0, (2,))
    array([0.6717042, 0.6380873], dtype=float32)
    """
    values = draw32(math.prod(shape) + 1)[:-1].reshape(shape)
    return _power32(onp.float32(1) - values, a)


def _power32(base: Float32, a: Parameter) -> Float32:
    """Return base ** (1 / a) with the exponent rounded to float32."""
    return pow32(base, onp.asarray(_ONE / onp.asarray(a, onp.float32)))


def lognormal(
    mean: Parameter, sigma: Parameter, shape: Shape, dtype: npt.DTypeLike = onp.float32
) -> Array:
    """Draw from the distribution whose logarithm is normal.

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.seed(0)
    >>> random_streams.main.lognormal(0.0, 1.0, (2,))
    array([9.135851 , 3.1997693], dtype=float32)
    """
    logarithms = normal(mean, sigma, shape, dtype)
    if logarithms.dtype == onp.float64:
        return onp.exp(logarithms)
    return onp.asarray(exp32(logarithms.astype(onp.float32))).astype(dtype, copy=False)


def gamma(
    a: Parameter, scale: Parameter, shape: Shape, dtype: npt.DTypeLike = onp.float32
) -> Array:
    """Draw from the gamma distribution.

    Parameters
    ----------
    a, scale : float or numpy.ndarray
        Shape parameter and scale; arrays are broadcast to `shape`.
    shape : tuple of int
        Shape of the result.
    dtype : dtype, default float32
        The float64 values are cast to it.

    References
    ----------
    Marsaglia and Tsang, "A simple method for generating gamma variables", 2000.

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.seed(0)
    >>> random_streams.main.gamma(2.0, 1.0, (3,))
    array([1.3180723, 1.4530704, 1.5560241], dtype=float32)
    """
    count = math.prod(shape)
    alpha = _double(a)
    if not (alpha > 0).all():
        msg = (
            f"gamma: {alpha[~(alpha > 0)].reshape(-1)[0]} was given as parameter of shape. "
            f"Expected numbers above 0. Use np.abs(...) or a limit."
        )
        raise InvalidArgumentError(msg)
    alpha = alpha.reshape(1) if alpha.size == 1 else onp.broadcast_to(alpha, shape).reshape(-1)
    values = _draw_gamma(alpha, count).reshape(shape)
    if not (isinstance(scale, float) and scale == 1.0):
        values = values * _double(scale)
    return onp.asarray(values).astype(dtype, copy=False)


def _draw_gamma(alpha: Float64, count: int) -> Float64:
    """Draw gamma values for one shape parameter, or for each of `count`; several rounds of all."""
    if count <= _FEW and alpha.size == 1:
        return onp.array(_draw_few_gamma(float(alpha[0]), count), onp.float64)
    values = onp.empty(count, onp.float64)
    boosted = alpha < 1.0
    is_boosted = bool(boosted.any())
    d = alpha + onp.where(boosted, 2.0 / 3.0, -1.0 / 3.0) if is_boosted else alpha - 1.0 / 3.0
    c = 1.0 / onp.sqrt(9.0 * d)
    open_ = onp.arange(count)
    while open_.size:
        uniforms = draw64(2 * count)
        z, u = draw_normal64(2 * count)[0::2], uniforms[0::2]
        if open_.size < count:
            z, u = z.take(open_), u.take(open_)
        accepted, v = _accept_gamma(u, z, c, d)
        result = d * v
        if is_boosted:
            w = uniforms[1::2].take(open_).astype(onp.float32)
            result = onp.where(boosted, result * _power32(w, alpha), result)
        values[open_[accepted]] = result[accepted]
        refused = (~accepted).nonzero()[0]
        open_ = open_.take(refused)
        if alpha.size > 1:
            boosted = boosted.take(refused)
            alpha, d, c = (one.take(refused) for one in (alpha, d, c))
    return values


def _draw_few_gamma(alpha: float, count: int) -> list[float]:
    """Draw gamma values one by one: for few, NumPy's calls take longer."""
    boosted = alpha < 1.0
    d = alpha + 2.0 / 3.0 if boosted else alpha - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    values = [0.0] * count
    open_ = list(range(count))
    while open_:
        words = streams.main.words(4 * count).tolist()
        normals = _draw_few_normal64(count)
        refused = []
        boosts: dict[int, float] = {}
        for place in open_:
            low, high, low_boost, high_boost = words[4 * place : 4 * place + 4]
            z, u = normals[place], (high * _UPPER + low) * _SCALE
            v = 1.0 + c * z
            v = v * v * v
            squared = z * z
            if v > 0.0 and (
                u <= 1.0 - 0.0331 * squared * squared
                or _log32_of(u) < 0.5 * squared + d * (1.0 - v + _log32_of(v))
            ):
                values[place] = d * v
                if boosted:
                    boosts[place] = (high_boost * _UPPER + low_boost) * _SCALE
            else:
                refused.append(place)
        if boosts:
            factors = _power32(onp.array(list(boosts.values()), onp.float32), alpha).tolist()
            for place, factor in zip(boosts, factors, strict=True):
                values[place] *= factor
        open_ = refused
    return values


def _log32_of(value: float) -> float:
    return float(log32(onp.array([value], onp.float32))[0])


def _draw_few_normal64(pairs: int) -> list[float]:
    """Return the first values of so many pairs of standard normal float64 values."""
    values: list[float] = []
    while len(values) < pairs:
        tries = 2 * (pairs - len(values))
        words = streams.main.peek(4 * tries).tolist()
        used = 0
        while used < 4 * tries and len(values) < pairs:
            low, high, low_y, high_y = words[used : used + 4]
            used += 4
            x = (high * _UPPER + low) * _SCALE * 2.0 - 1.0
            y = (high_y * _UPPER + low_y) * _SCALE * 2.0 - 1.0
            square = x * x + y * y
            if 0.0 < square <= 1.0:
                values.append(y * math.sqrt(math.log(square) * -2.0 / square))
        streams.main.skip(used)
    return values


def _double(parameter: Parameter) -> Float64:
    """Return a parameter in float64; a number is rounded to float32 before."""
    if not isinstance(parameter, onp.ndarray):
        parameter = float(onp.float32(parameter))
    return onp.asarray(parameter, onp.float64)


def _accept_gamma(
    u: Float64, z: Float64, c: Float64, d: Float64
) -> tuple[npt.NDArray[onp.bool_], Float64]:
    v = 1.0 + c * z
    v = v * v * v
    squared = z * z
    accepted = u <= 1.0 - 0.0331 * squared * squared
    accepted &= v > 0.0
    rest = (~accepted & (v > 0.0)).nonzero()[0]
    if rest.size:
        tried = v.take(rest)
        log_v = log32(tried.astype(onp.float32))
        factor = d.take(rest) if d.size > 1 else d
        bound = 0.5 * squared.take(rest) + factor * (1.0 - tried + log_v)
        accepted[rest] = log32(u.take(rest).astype(onp.float32)) < bound
    return accepted, v


def chisquare(df: Parameter, shape: Shape, dtype: npt.DTypeLike = onp.float32) -> Array:
    """Draw ``gamma(df / 2, 1 / 2)``: MXNet 1.9.1 has this scale, a quarter of the right one.

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.seed(0)
    >>> random_streams.main.chisquare(4.0, (2,))
    array([0.21112017, 0.65903616], dtype=float32)
    """
    return gamma(_double(df) / 2.0, 0.5, shape, dtype)
