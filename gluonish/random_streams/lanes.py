"""Rejection samplers that run in many generator states side by side."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as onp
import torch

from gluonish.errors import InvalidArgumentError
from gluonish.random_streams.powf import exp32
from gluonish.random_streams.units import polar32, polar64, symmetric32, symmetric64, unit32, unit64

if TYPE_CHECKING:
    import numpy.typing as npt

    from gluonish.random_streams.mersenne import TwisterBank, Words

    Array = npt.NDArray[Any]
    Float32 = npt.NDArray[onp.float32]
    Integers = npt.NDArray[onp.int64]

_WINDOW = 512
_ONE = onp.float32(1)
_LARGE_MEAN = 12.0
_PI = onp.float32(3.1415926)


class _Window:
    """The next words of the first states of a bank, and how many each state has used."""

    def __init__(self, bank: TwisterBank, states: int) -> None:
        self.bank = bank
        self.states = states
        self.used = onp.zeros(states, onp.int64)
        self.words: Words = onp.empty(0, onp.uint32)
        self.renew()

    def renew(self) -> None:
        """Give back what was not used, and look at the next words."""
        self.bank.skip(0, self.states, self.used)
        self.used[:] = 0
        self.words = self.bank.peek(0, self.states, _WINDOW).reshape(-1)


class Lanes:
    """Some states of a bank, each read at its own pace.

    Parameters
    ----------
    bank : TwisterBank
        Where the words come from.
    states : int
        How many states, from state 0 on.
    """

    def __init__(self, bank: TwisterBank, states: int) -> None:
        self.rows: Integers = onp.arange(states)
        self._window = _Window(bank, states)

    def subset(self, chosen: Integers) -> Lanes:
        """Return only the chosen lanes; reading them moves the originals on."""
        other = object.__new__(Lanes)
        other.rows = self.rows[chosen]
        other._window = self._window
        return other

    def look(self, count: int) -> Words:
        """Return the next `count` words of each lane, without taking them."""
        window = self._window
        used = window.used.take(self.rows)
        if used.max() > _WINDOW - count:
            window.renew()
            used = window.used.take(self.rows)
        places = self.rows * _WINDOW + used
        return window.words.take(places[:, None] + onp.arange(count))

    def take(self, counts: int | Integers) -> None:
        """Take words that were looked at."""
        self._window.used[self.rows] += counts

    def finish(self) -> None:
        """Leave the bank where the lanes have got to."""
        self._window.bank.skip(0, self._window.states, self._window.used)


def gamma_values(lanes: Lanes, alpha: Float32, beta: Float32, *, single: bool = True) -> Array:
    """Draw one gamma value in every lane.

    Parameters
    ----------
    lanes : Lanes
        Where the words come from.
    alpha, beta : numpy.ndarray of float32, shape (lanes,)
        Shape parameter and scale.
    single : bool, default True
        Whether the arithmetic is float32, else float64.

    References
    ----------
    Marsaglia and Tsang, "A simple method for generating gamma variables", 2000.
    """
    kind: Any = onp.float32 if single else onp.float64
    each = 1 if single else 2
    unit = unit32 if single else unit64
    values = onp.empty(alpha.size, kind)
    boosted = alpha < 1
    shift = onp.where(boosted, 2.0 / 3.0, -1.0 / 3.0)
    d = (alpha + shift).astype(kind)
    k = onp.sqrt(9.0 * d.astype(onp.float64)).astype(kind)
    c = kind(1) / k
    open_ = onp.arange(alpha.size)
    while open_.size:
        current = lanes.subset(open_)
        words = current.look(4 * each)
        z, normal = _normal_try(words[:, : 2 * each], single=single)
        d_open, boost = d[open_], boosted[open_]
        v = kind(1) + c[open_] * z
        v = v * v * v
        tried = normal & (z > -k[open_])
        u = unit(words[:, 2 * each : 3 * each])[:, 0].astype(onp.float64)
        wide_z, wide_v, wide_d = z.astype(onp.float64), v.astype(onp.float64), d_open
        bound = 0.5 * wide_z * wide_z + wide_d * (1.0 - wide_v + onp.log(wide_v))
        accepted = tried & (onp.log(1.0 - u) < bound)
        current.take(each * (2 + tried.astype(onp.int64) + (accepted & boost)))
        result = d_open * v * beta[open_]
        w = unit(words[:, 3 * each :])[:, 0]
        exponent = (kind(1) / alpha[open_].astype(kind)).astype(onp.float64)
        result = onp.where(boost, result * onp.power(w.astype(onp.float64), exponent), result)
        values[open_[accepted]] = result[accepted]
        open_ = open_[~accepted]
    return values


def _normal_try(words: Words, *, single: bool) -> tuple[Array, npt.NDArray[onp.bool_]]:
    """Return a normal value for every lane, and whether its pair was accepted."""
    points = symmetric32(words) if single else symmetric64(words)
    squares = points * points
    squares = squares[:, 0] + squares[:, 1]
    accepted = (squares <= 1) & (squares != 0)
    safe = onp.where(accepted, squares, squares.dtype.type(0.5))
    factors: Array = polar32(safe) if single else polar64(safe)
    return points[:, 1] * factors, accepted


def poisson_values(lanes: Lanes, mean: Array) -> Float32:
    """Draw one Poisson value in every lane.

    Parameters
    ----------
    lanes : Lanes
        Where the words come from.
    mean : numpy.ndarray, shape (lanes,)
        Means, used as float32.
    """
    mean = mean.astype(onp.float32)
    if not (mean < math.inf).all():
        msg = (
            f"poisson: a mean of {mean[~(mean < math.inf)][0]} was given. Expected finite numbers. "
            f"Check what it was computed from."
        )
        raise InvalidArgumentError(msg)
    large = mean >= _LARGE_MEAN
    if not large.any():
        return _count_products(lanes, mean)
    values = onp.empty(mean.size, onp.float32)
    for chosen, draw in (
        (onp.flatnonzero(~large), _count_products),
        (onp.flatnonzero(large), _reject_lorentzian),
    ):
        if chosen.size:
            values[chosen] = draw(lanes.subset(chosen), mean[chosen])
    return values


def _count_products(lanes: Lanes, mean: Float32) -> Float32:
    """Count how many uniform factors keep a product above exp(-mean)."""
    limits = exp32(-mean)
    counts = onp.zeros(mean.size, onp.float32)
    products = onp.ones(mean.size, onp.float32)
    open_ = onp.arange(mean.size)
    while open_.size:
        current = lanes.subset(open_)
        products = products * unit32(current.look(1))[:, 0]
        current.take(1)
        above = products > limits[open_]
        open_ = open_[above]
        products = products[above]
        counts[open_] += _ONE
    return counts


def _reject_lorentzian(lanes: Lanes, mean: Float32) -> Float32:
    """Draw by rejection from a Lorentzian around the mean.

    References
    ----------
    Press and others, "Numerical Recipes in C", 2nd edition, 1992, section 7.3.
    """
    values = onp.empty(mean.size, onp.float32)
    widths = onp.sqrt(onp.float32(2) * mean)
    logs = onp.log(mean.astype(onp.float64)).astype(onp.float32)
    offsets = mean * logs - _log_gamma(mean + _ONE)
    open_ = onp.arange(mean.size)
    while open_.size:
        current = lanes.subset(open_)
        units = unit32(current.look(2))
        y = onp.tan((_PI * units[:, 0]).astype(onp.float64)).astype(onp.float32)
        x = widths[open_] * y + mean[open_]
        tried = x >= 0
        x = onp.floor(x)
        power = x * logs[open_] - _log_gamma(x + _ONE) - offsets[open_]
        shape = exp32(power)
        limit = (0.9 * (1.0 + (y * y).astype(onp.float64)) * shape).astype(onp.float32)
        accepted = tried & (units[:, 1] <= limit)
        current.take(1 + tried.astype(onp.int64))
        values[open_[accepted]] = x[accepted]
        open_ = open_[~accepted]
    return values


def _log_gamma(values: Float32) -> Float32:
    wide = torch.from_numpy(onp.ascontiguousarray(values, onp.float64))
    return torch.lgamma(wide).numpy().astype(onp.float32)
