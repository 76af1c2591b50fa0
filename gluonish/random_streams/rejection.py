"""Gamma, Poisson and negative binomial values by rejection, as `nd.random` draws them."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as onp
import torch

from gluonish.errors import InvalidArgumentError
from gluonish.random_streams.lanes import Sampler, pick
from gluonish.random_streams.mersenne import ROW_LIMIT
from gluonish.random_streams.powf import exp32
from gluonish.random_streams.units import polar32, polar64, unit32

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from gluonish.random_streams.lanes import Reader, Tried
    from gluonish.random_streams.mersenne import Words

    Array = npt.NDArray[Any]
    Flags = npt.NDArray[onp.bool_]
    Float32 = npt.NDArray[onp.float32]
    Integers = npt.NDArray[onp.int64]
    Counts = npt.NDArray[onp.int16]

_ZERO = onp.float32(0)
_ONE = onp.float32(1)
_LARGE_MEAN = 12.0
_PI = onp.float32(3.1415926)
_FEW = 2048
_BLOCK = 8
_DENSE = 16
_QUICK_MEAN = 4.0  # up to which it is quicker to count from every word
_NORMAL_WORDS = 2.6
_GAMMA_WORDS = 4.2
_LARGE_POISSON_WORDS = 3.5


def normal(single: bool = True) -> Sampler:
    """Return what draws standard normal values, in float32 or else float64.

    One value of each pair is used.
    """
    if single:
        return Sampler(_try_normal, (), _NORMAL_WORDS)
    return Sampler(_try_wide_normal, (), 2 * _NORMAL_WORDS)


def gamma(alpha: float | Array, beta: float | Array, single: bool = True) -> Sampler:
    """Return what draws gamma values.

    Parameters
    ----------
    alpha, beta : float or numpy.ndarray
        Shape parameter and scale, as float32.
    single : bool, default True
        Whether the arithmetic is float32, else float64.

    Raises
    ------
    InvalidArgumentError
        A shape parameter for which the method would not end: NaN, or -2/3 and less.

    References
    ----------
    Marsaglia and Tsang, "A simple method for generating gamma variables", 2000.
    """
    kind: Any = onp.float32 if single else onp.float64
    shape = _array(alpha)
    require_limits("gamma: a shape parameter", shape > -2 / 3, shape, "positive numbers")
    boosted = shape < 1
    d = (shape + onp.where(boosted, 2.0 / 3.0, -1.0 / 3.0)).astype(kind)
    k = onp.sqrt(9.0 * d.astype(onp.float64)).astype(kind)
    exponent = (kind(1) / shape.astype(kind)).astype(onp.float64)
    exponent[~boosted] = 0
    parameters = (d, -k, kind(1) / k, _array(beta), exponent)
    words = _GAMMA_WORDS + boosted.any()
    if single:
        return Sampler(_try_gamma, parameters, words)
    return Sampler(_try_wide_gamma, parameters, 2 * words)


def _array(parameter: float | Array) -> Float32:
    return onp.asarray(parameter, onp.float32).reshape(-1)


def _try_normal(reader: Reader) -> Tried:
    x, y = 2 * reader.unit32(0) - _ONE, 2 * reader.unit32(1) - _ONE
    squares = x * x + y * y
    accepted = (squares <= 1) & (squares != 0)
    values = y * polar32(onp.where(accepted, squares, onp.float32(0.5)))
    return onp.full(accepted.size, 2), accepted, values


def _try_wide_normal(reader: Reader) -> Tried:
    x, y = 2 * reader.unit64(0) - 1, 2 * reader.unit64(2) - 1
    squares = x * x + y * y
    accepted = (squares <= 1) & (squares != 0)
    values = y * polar64(onp.where(accepted, squares, 0.5))
    return onp.full(accepted.size, 4), accepted, values


def _try_gamma(reader: Reader, *parameters: Array) -> Tried:
    _, normal, z = _try_normal(reader)
    return _test_gamma(1, z, normal, reader.unit32(2), reader.unit32(3), *parameters)


def _try_wide_gamma(reader: Reader, *parameters: Array) -> Tried:
    _, normal, z = _try_wide_normal(reader)
    return _test_gamma(2, z, normal, reader.unit64(4), reader.unit64(6), *parameters)


def _test_gamma(
    each: int,
    z: Array,
    normal: Flags,
    u: Array,
    w: Array,
    d: Array,
    lowest: Array,
    c: Array,
    beta: Array,
    exponent: Array,
) -> Tried:
    """Return what becomes of normal values `z`, each of whose numbers takes `each` words."""
    v = z.dtype.type(1) + c * z
    v = v * v * v
    tried = normal & (z > lowest)
    wide_z, wide_v = z.astype(onp.float64), v.astype(onp.float64)
    bound = 0.5 * wide_z * wide_z + d * (1.0 - wide_v + onp.log(wide_v))
    accepted = tried & (onp.log(1.0 - u.astype(onp.float64)) < bound)
    steps = 2 + tried.astype(onp.int64)
    values = d * v * beta
    boosted = exponent > 0
    if boosted.any():
        steps += accepted & boosted
        factors = onp.power(w.astype(onp.float64), exponent)
        values = onp.where(boosted, values * factors, values).astype(z.dtype, copy=False)
    return each * steps, accepted, values


def poisson(lam: float | Array) -> Sampler:
    """Return what draws Poisson values of mean `lam`, as float32."""
    mean = _array(lam)
    _require_finite(mean)
    large = mean >= _LARGE_MEAN
    if large.all():
        return Sampler(_try_large, _large_parameters(mean), _LARGE_POISSON_WORDS)
    words = float(onp.minimum(mean, _LARGE_MEAN).max()) + 1
    if large.any():
        return Sampler(_finish, (mean,), words)
    limits = exp32(-mean)
    is_quick = mean.size == 1 and mean[0] <= _QUICK_MEAN
    steps_at = partial(_count_everywhere, limit=limits[0]) if is_quick else None
    return Sampler(_count_products, (limits,), words, steps_at=steps_at)


def _count_everywhere(words: Words, limit: onp.float32) -> Counts:
    """Return how many uniform factors from each word on bring a product down to a limit."""
    size = words.size
    units = unit32(onp.concatenate((words, words[:ROW_LIMIT])))
    products = units[:size].copy()
    above = products > limit
    counts = above.astype(onp.int16)  # small, as the numbers are many
    counts += 1
    factors = 1
    while factors < _DENSE and 3 * onp.count_nonzero(above) > size:
        products *= units[factors : factors + size]
        above = products > limit
        counts += above
        factors += 1
    open_ = above.nonzero()[0]
    products = products.take(open_)
    while open_.size and factors < ROW_LIMIT:
        products *= units.take(open_ + factors, mode="wrap")
        above = products > limit
        open_, products = open_[above], products[above]
        counts[open_] += 1
        factors += 1
    return counts


def _require_finite(mean: Array) -> None:
    require_limits("poisson: a mean", mean < math.inf, mean, "finite numbers")


def require_limits(what: str, holds: Array, parameter: Array, expected: str) -> None:
    """Refuse parameters with which no draw would ever be accepted."""
    if not holds.all():
        msg = (
            f"{what} of {parameter[~holds][0]} was given. Expected {expected}. "
            f"Check what it was computed from."
        )
        raise InvalidArgumentError(msg)


def _finish(reader: Reader, mean: Float32) -> Tried:
    """Draw Poisson values to the end, at every place."""
    _require_finite(mean)
    large = (mean >= _LARGE_MEAN).nonzero()[0]
    if not large.size:
        return _count_products(reader, exp32(-mean))
    limits = exp32(-onp.where(mean >= _LARGE_MEAN, _ZERO, mean))
    steps, accepted, values = _count_products(reader, limits)
    steps[large] = 0
    parameters = _large_parameters(mean[large])
    reader = reader.subset(large)
    while large.size:
        used, done, found = _try_large(reader, *parameters)
        steps[large] += used
        values[large] = found
        more = (~done).nonzero()[0]
        reader = reader.subset(more, used[more])
        parameters = tuple(pick(more, *parameters))
        large = large[more]
    return steps, accepted, values


def _count_products(reader: Reader, limits: Float32) -> Tried:
    """Count how many uniform factors keep a product above a limit."""
    products = reader.unit32(0)
    values = onp.zeros(products.size, onp.float32)
    open_: Integers = onp.arange(products.size)
    factors = 1
    above = products > limits
    counts = above.astype(onp.float32)
    while (number := onp.count_nonzero(above)) > _FEW:
        if 2 * number < above.size:
            values[open_] += counts
            chosen = above.nonzero()[0]
            reader, open_, products = reader.subset(chosen), open_[chosen], products[chosen]
            counts = onp.zeros(number, onp.float32)
            (limits,) = pick(chosen, limits)
        products = products * reader.unit32(factors)
        factors += 1
        above = products > limits
        counts = counts + above
    values[open_] += counts
    while number:
        chosen = above.nonzero()[0]
        reader, open_, products = reader.subset(chosen), open_[chosen], products[chosen]
        (limits,) = pick(chosen, limits)
        block = reader.unit32(factors, _BLOCK)
        block[:, 0] *= products
        onp.multiply.accumulate(block, axis=1, out=block)
        counts = onp.count_nonzero(block > limits.reshape(-1, 1), axis=1)
        values[open_] += counts
        products = block[:, -1]
        factors += _BLOCK
        above = counts == _BLOCK
        number = onp.count_nonzero(above)
    return values.astype(onp.int64) + 1, onp.ones(values.size, onp.bool_), values


def _large_parameters(mean: Float32) -> tuple[Array, ...]:
    widths = onp.sqrt(onp.float32(2) * mean)
    logs = onp.log(mean.astype(onp.float64)).astype(onp.float32)
    return mean, widths, logs, mean * logs - _log_gamma(mean + _ONE)


def _try_large(
    reader: Reader, mean: Float32, widths: Float32, logs: Float32, offsets: Float32
) -> Tried:
    """Draw by rejection from a Lorentzian around the mean.

    References
    ----------
    Press and others, "Numerical Recipes in C", 2nd edition, 1992, section 7.3.
    """
    y = onp.tan((_PI * reader.unit32(0)).astype(onp.float64)).astype(onp.float32)
    x = widths * y + mean
    tried = x >= 0
    x = onp.floor(x)
    power = x * logs - _log_gamma(x + _ONE) - offsets
    limit = (0.9 * (1.0 + (y * y).astype(onp.float64)) * exp32(power)).astype(onp.float32)
    accepted = tried & (reader.unit32(1) <= limit)
    return 1 + tried.astype(onp.int64), accepted, x


def _log_gamma(values: Float32) -> Float32:
    return torch.lgamma(torch.from_numpy(values.astype(onp.float64))).numpy().astype(onp.float32)


def negative_binomial(k: float | Array, p: float | Array) -> Sampler:
    """Return what draws how many failures come before `k` successes of probability `p`."""
    probability = _array(p)
    return _mixture(_array(k), (_ONE - probability) / probability)


def generalized_negative_binomial(mu: float | Array, alpha: float | Array) -> Sampler:
    """Return what draws negative binomial values of mean `mu` and dispersion `alpha`.

    With `alpha` 0 it is the Poisson distribution.
    """
    mean, dispersion = _array(mu), _array(alpha)
    return _mixture(_ONE / dispersion, dispersion * mean, mean)


def _mixture(alpha: Float32, beta: Float32, mean: Float32 | None = None) -> Sampler:
    """Return what draws means from the gamma distribution, then Poisson values.

    Where `alpha` is infinite, `mean` is the mean.
    """
    expected = alpha * beta if mean is None else onp.where(onp.isfinite(alpha), alpha * beta, mean)
    _require_finite(expected)
    drawn = gamma(alpha, beta)
    words = drawn.words + min(float(expected.max()), _LARGE_MEAN) + 1
    if mean is None or onp.isfinite(alpha).all():
        return Sampler(partial(_try_mixture, _try_gamma), drawn.parameters, words, in_stages=True)
    fixed = onp.where(onp.isfinite(alpha), onp.float32(onp.nan), mean)
    parameters = (fixed, *drawn.parameters)
    return Sampler(partial(_try_mixture, _try_fixed), parameters, words, in_stages=True)


def _try_fixed(reader: Reader, fixed: Float32, *parameters: Array) -> Tried:
    """Take means that are fixed, and draw the others."""
    steps, accepted, means = _try_gamma(reader, *parameters)
    is_fixed = ~onp.isnan(fixed)
    return onp.where(is_fixed, 0, steps), accepted | is_fixed, onp.where(is_fixed, fixed, means)


def _try_mixture(
    draw_mean: Callable[..., Tried],
    reader: Reader,
    *parameters: Array,
    stages: Float32 | None = None,
) -> Tried:
    """Draw a mean, then a Poisson value: to the end, or in stages.

    `stages` then has large means that wait for their Poisson values, and else NaN.
    """
    if stages is None:
        steps, accepted, means = draw_mean(reader, *parameters)
        chosen = accepted.nonzero()[0]
        values = onp.zeros(steps.size, onp.float32)
        if chosen.size:
            more, _, values[chosen] = _finish(reader.subset(chosen, steps[chosen]), means[chosen])
            steps[chosen] += more
        return steps, accepted, values
    steps = onp.zeros(stages.size, onp.int64)
    accepted = onp.zeros(stages.size, onp.bool_)
    values = onp.zeros(stages.size, onp.float32)
    is_fresh = onp.isnan(stages)
    fresh, waiting = is_fresh.nonzero()[0], (~is_fresh).nonzero()[0]
    if waiting.size:
        found = _try_large(reader.subset(waiting), *_large_parameters(stages[waiting]))
        steps[waiting], accepted[waiting], values[waiting] = found
        stages[waiting[accepted[waiting]]] = onp.nan
    if fresh.size:
        steps[fresh], drawn, means = draw_mean(reader.subset(fresh), *pick(fresh, *parameters))
        done = drawn.nonzero()[0]
        chosen, means = fresh[done], means[done]
        _require_finite(means)
        is_large = means >= _LARGE_MEAN
        large, small = is_large.nonzero()[0], (~is_large).nonzero()[0]
        stages[chosen[large]] = means[large]
        if small.size:
            chosen = chosen[small]
            at = reader.subset(chosen, steps[chosen])
            more, accepted[chosen], values[chosen] = _count_products(at, exp32(-means[small]))
            steps[chosen] += more
    return steps, accepted, values
