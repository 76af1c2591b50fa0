"""Gamma, Poisson and negative binomial values by rejection, as `nd.random` draws them."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any

import numpy as onp
import torch

from gluonish.errors import InvalidArgumentError
from gluonish.random_streams.lanes import Sampler
from gluonish.random_streams.powf import exp32
from gluonish.random_streams.readers import Reader, pick
from gluonish.random_streams.units import polar32, polar64

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from gluonish.random_streams.lanes import Tried
    from gluonish.random_streams.readers import Window

    Array = npt.NDArray[Any]
    Flags = npt.NDArray[onp.bool_]
    Float32 = npt.NDArray[onp.float32]
    Integers = npt.NDArray[onp.int64]
    Counts = npt.NDArray[onp.int16]

_ZERO = onp.float32(0)
_ONE = onp.float32(1)
_HALF = onp.float32(0.5)
_FOURTH = onp.float32(0.0331)  # of the bound below which all are accepted,
_LEAST = 0.6666  # for such d
_SPARE = onp.float32(1e-5)
_NEVER = 2.0
_LARGE_MEAN = 12.0
_LARGE_SHARE = 8
_FACTORIALS = 4096
_PI = onp.float32(3.1415926)
_BLOCK = 8
_NORMAL_WORDS = 2.6
_GAMMA_WORDS = 4.2
_MOST_REFUSED = 16
_MARGIN = 1.001
_GAMMA_TRIES = 1.05
_WIDE_GAMMA_TRIES = _GAMMA_TRIES * 4 / math.pi
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
    spare = onp.where(d >= _LEAST, _SPARE * onp.sqrt(d + kind(1)), kind(_NEVER))
    parameters = (d, -k, kind(1) / k, _array(beta), exponent, spare)
    each = 1 if single else 2
    attempt = _try_gamma if single else _try_wide_gamma
    if boosted.any():  # what is accepted then takes more words than what is not
        return Sampler(attempt, parameters, each * (_GAMMA_WORDS + 1))
    return Sampler(
        attempt,
        parameters,
        each * _GAMMA_WORDS,
        lengths=_gamma_lengths if single else _wide_gamma_lengths,
        tries=_GAMMA_TRIES if single else _WIDE_GAMMA_TRIES,
    )


def finite_gamma(alpha: float | Array, beta: float | Array, single: bool = True) -> Sampler:
    """Return what `gamma` does; infinite shape parameters are refused, too."""
    shape = _array(alpha)
    require_limits("gamma: a shape parameter", shape < math.inf, shape, "finite numbers")
    return gamma(alpha, beta, single)


def _array(parameter: float | Array) -> Float32:
    return onp.asarray(parameter, onp.float32).reshape(-1)


def _try_normal(reader: Reader) -> Tried:
    ahead, squares, y = reader.point()
    accepted = (squares <= _ONE) & (squares != _ZERO)
    if not accepted.all():
        squares = onp.where(accepted, squares, _HALF)
    ahead += 2
    return ahead, accepted, y * polar32(squares)


def _try_wide_normal(reader: Reader) -> Tried:
    x, y = 2 * reader.unit64(0) - 1, 2 * reader.unit64(2) - 1
    squares = x * x + y * y
    accepted = (squares <= 1) & (squares != 0)
    values = y * polar64(onp.where(accepted, squares, 0.5))
    return onp.full(accepted.size, 4), accepted, values


def _try_gamma(reader: Reader, *parameters: Array) -> Tried:
    used, normal, z = _try_normal(reader)
    after = reader.moved(used)
    return _test_gamma(used, 1, z, normal, after.unit32, *parameters)


def _try_wide_gamma(reader: Reader, *parameters: Array) -> Tried:
    used, normal, z = _try_wide_normal(reader)
    after = reader.moved(used)
    return _test_gamma(used, 2, z, normal, after.unit64, *parameters)


def _gamma_lengths(
    window: Window, rows: Integers, parameters: list[Array]
) -> npt.NDArray[onp.int8]:
    """Return how far it is from each place of a window to the next try of a gamma value.

    Too low a normal value is refused before a uniform one is drawn.
    """
    refused, squares = window.refused, window.squares
    lengths = refused + onp.int8(3)
    lasting = onp.flatnonzero(refused == _MOST_REFUSED)
    after = squares.take(lasting + _MOST_REFUSED, mode="wrap")
    lengths[lasting[(after > _ONE) | (after == _ZERO)]] -= 1
    places, bounds = _low_points(squares, parameters[1], rows, window.lanes)
    is_point = refused.take(places) == 0
    places, bounds = places[is_point], bounds if bounds.size == 1 else bounds[is_point]
    _, _, z = _try_normal(Reader(window, places))
    places = places[z <= bounds]
    for back in range(0, _MOST_REFUSED + 2, 2):  # tries that begin with points that are refused
        starts = places[places >= back] - back
        lengths[starts[refused.take(starts) == back]] -= 1
    return lengths


def _wide_gamma_lengths(
    window: Window, rows: Integers, parameters: list[Array]
) -> npt.NDArray[onp.int8]:
    """Return in float64 what `_gamma_lengths` returns, for every second word."""
    squares = window.wide_squares
    tried = (squares <= 1) & (squares != 0)
    places, bounds = _low_points(squares, parameters[1], rows, window.lanes)
    _, _, z = _try_wide_normal(Reader(window, 2 * places))
    tried[places[z <= bounds]] = False
    lengths = onp.full(window.words.size, 4, onp.int8)
    lengths[::2] += tried.view(onp.int8) * onp.int8(2)
    return lengths


def _low_points(
    squares: Array, lowest: Array, rows: Integers, lanes: int
) -> tuple[Integers, Array]:
    """Return where points are from which normal values may be as low, and how low it is there.

    The lowest values are those of some generators, or of all.
    """
    reach = onp.exp(-0.5 * lowest * lowest) * lowest.dtype.type(_MARGIN)
    if lowest.size == 1:
        return onp.flatnonzero(squares <= reach), lowest
    of_lanes = onp.zeros((2, lanes, 1), lowest.dtype)
    of_lanes[0, rows, 0], of_lanes[1, rows, 0] = reach, lowest
    places = onp.flatnonzero(squares.reshape(lanes, -1) <= of_lanes[0])
    return places, of_lanes[1].take(places // (squares.size // lanes))


def _test_gamma(
    used: Integers,
    each: int,
    z: Array,
    normal: Flags,
    read: Callable[[int], Array],
    d: Array,
    lowest: Array,
    c: Array,
    beta: Array,
    exponent: Array,
    spare: Array,
) -> Tried:
    """Return what becomes of normal values `z` that took `used` words.

    `read` gives the numbers after them, each of which takes `each` words.

    Most are accepted by Marsaglia and Tsang's bound, without a logarithm, with something to spare
    for rounding.
    """
    v = z.dtype.type(1) + c * z
    v = v * v * v
    tried = normal & (z > lowest)
    u = read(0)
    fourth = z * z
    fourth *= fourth
    accepted = tried & (u > _FOURTH * fourth + spare)
    rest = (tried > accepted).nonzero()[0]
    if rest.size:
        accepted[rest] = _accept(z.take(rest), v.take(rest), u.take(rest), *pick(rest, d))
    used = used + each * tried
    values = d * v * beta
    if exponent.any():
        boosted = exponent > 0
        used += each * (accepted & boosted)
        factors = onp.power(read(each).astype(onp.float64), exponent)
        values = onp.where(boosted, values * factors, values).astype(z.dtype, copy=False)
    return used, accepted, values


def _accept(z: Array, v: Array, u: Array, d: Array) -> Flags:
    wide_z, wide_v = z.astype(onp.float64), v.astype(onp.float64)
    bound = 0.5 * wide_z * wide_z + d * (1.0 - wide_v + onp.log(wide_v))
    accepted: Flags = onp.log(1.0 - u.astype(onp.float64)) < bound
    return accepted


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
    return Sampler(_count_factors, (mean,), words, limits=exp32(-mean))


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
        return _count_factors(reader, mean)
    steps, accepted, values = _count_factors(reader, onp.where(mean >= _LARGE_MEAN, _ZERO, mean))
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


def _count_factors(reader: Reader, mean: Float32) -> Tried:
    """Count how many uniform factors keep a product above exp(-mean)."""
    counts, unsure = reader.factors(mean)
    if unsure.any():
        chosen = unsure.nonzero()[0]
        counts[chosen] = _count_products(reader.subset(chosen), exp32(-pick(chosen, mean)[0]))
    return counts + 1, onp.ones(counts.size, onp.bool_), counts.astype(onp.float32)


def _count_products(reader: Reader, limits: Float32) -> Integers:
    """Return what `_count_factors` does, by multiplying."""
    open_, block = None, reader.unit32(0, _BLOCK)
    values = onp.zeros(len(block), onp.int64)
    factors = 0
    while True:
        onp.multiply.accumulate(block, axis=1, out=block)
        counts = onp.count_nonzero(block > limits.reshape(-1, 1), axis=1)
        values[... if open_ is None else open_] += counts
        chosen = (counts == _BLOCK).nonzero()[0]
        if not chosen.size:
            return values
        factors += _BLOCK
        open_ = chosen if open_ is None else open_[chosen]
        products = block[chosen, -1]
        reader, (limits,) = reader.subset(chosen), pick(chosen, limits)
        block = reader.unit32(factors, _BLOCK)
        block[:, 0] *= products


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
    power = x * logs - _log_factorials(x) - offsets
    limit = (0.9 * (1.0 + (y * y).astype(onp.float64)) * exp32(power)).astype(onp.float32)
    accepted = tried & (reader.unit32(1) <= limit)
    return 1 + tried.astype(onp.int64), accepted, x


def _log_factorials(values: Float32) -> Float32:
    """Return the logarithms of the factorials of whole numbers; of negative ones, anything."""
    table = _log_factorial_table()
    logs = table.take(values.astype(onp.int64), mode="clip")
    large = (values >= table.size).nonzero()[0]
    if large.size:
        logs[large] = _log_gamma(values.take(large) + _ONE)
    return logs


@functools.cache
def _log_factorial_table() -> Float32:
    return _log_gamma(onp.arange(1, _FACTORIALS + 1, dtype=onp.float32))


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
        return Sampler(
            functools.partial(_try_mixture, _try_gamma), drawn.parameters, words, in_stages=True
        )
    fixed = onp.where(onp.isfinite(alpha), onp.float32(onp.nan), mean)
    parameters = (fixed, *drawn.parameters)
    return Sampler(functools.partial(_try_mixture, _try_fixed), parameters, words, in_stages=True)


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
    fresh = onp.isnan(stages).nonzero()[0]
    if fresh.size:
        steps[fresh], drawn, means = draw_mean(reader.subset(fresh), *pick(fresh, *parameters))
        done = drawn.nonzero()[0]
        chosen, means = fresh.take(done), means.take(done)
        _require_finite(means)
        stages[chosen] = means
        small = (means < _LARGE_MEAN).nonzero()[0]
        if small.size:
            chosen = chosen.take(small)
            at = reader.subset(chosen, steps.take(chosen))
            more, accepted[chosen], values[chosen] = _count_factors(at, means.take(small))
            steps[chosen] += more
            stages[chosen] = onp.nan
    waiting = (~onp.isnan(stages)).nonzero()[0]
    if waiting.size * _LARGE_SHARE > stages.size or not fresh.size:  # few of them are dear
        at = reader.subset(waiting, steps.take(waiting))
        used, ended, values[waiting] = _try_large(at, *_large_parameters(stages.take(waiting)))
        steps[waiting] += used
        accepted[waiting] = ended
        stages[waiting[ended]] = onp.nan
    return steps, accepted, values
