"""Optimizers that scale steps by running means of the gradient and of its size: Adam's family."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import torch
from typing_extensions import override

from gluonish.array import tensor_lists
from gluonish.array.guises import plain_number
from gluonish.errors import InvalidArgumentError
from gluonish.ops.updates.foreach import (
    average_,
    average_squares_,
    descend_quotients_,
    scaled,
)
from gluonish.ops.updates.rules import adam_, adamw_, decayed_and_clipped, ftml_
from gluonish.optimizer.base import Optimizer, by_rule, register, zeros_like

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.array import NDArray
    from gluonish.ops.updates.foreach import Tensors
    from gluonish.ops.updates.rules import Columns, Factors

__all__ = ["FTML", "Adam", "AdamW", "Adamax", "Nadam"]


class TwoMeans(Optimizer):
    """Base of optimizers that keep two running means per weight.

    Raises
    ------
    InvalidArgumentError
        A decay rate is outside of [0, 1).
    """

    def __init__(self, beta1: float, beta2: float, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        for name, beta in (("beta1", beta1), ("beta2", beta2)):
            if not 0 <= beta < 1:
                msg = (
                    f"{type(self).__name__}: {name}={beta} was given. Expected a number in "
                    f"[0, 1). Leave it out for the default."
                )
                raise InvalidArgumentError(msg)
        self.beta1: float = plain_number(beta1)
        self.beta2: float = plain_number(beta2)

    @override
    def create_state(self, index: Any, weight: NDArray) -> Any:
        """Return zeros for the two means."""
        return zeros_like(weight), zeros_like(weight)

    def counts(self, indices: Sequence[Any]) -> list[int]:
        """Return how often each weight has been updated, this update included."""
        return [self._index_update_count[index] for index in indices]

    def corrected(self, factors: dict[str, list[float]], indices: Sequence[Any]) -> list[float]:
        """Return learning rates that make up for means that started at 0."""
        return [
            lr * math.sqrt(1.0 - self.beta2**count) / (1.0 - self.beta1**count)
            for lr, count in zip(factors["lr"], self.counts(indices), strict=True)
        ]


@register
class Adam(TwoMeans):
    """Adam: steps scaled by running means of the gradient and of its square.

    `m = beta1 * m + (1 - beta1) * g`, `v = beta2 * v + (1 - beta2) * g * g` and
    `w -= lr * sqrt(1 - beta2**t) / (1 - beta1**t) * m / (sqrt(v) + epsilon)`, where `g` is the
    rescaled gradient plus `wd * w`, clipped.

    Parameters
    ----------
    learning_rate : float, default 0.001
        Step size per update.
    beta1, beta2 : float, default 0.9 and 0.999
        Decay rates of the two means per update, in [0, 1).
    epsilon : float, default 1e-8
        Keeps the division finite.
    lazy_update : bool, default True
        Whether a row_sparse gradient changes its own rows only; others then have neither weight
        decay nor momentum.
    **kwargs
        Arguments of `Optimizer`.

    References
    ----------
    Kingma and Ba, "Adam: a method for stochastic optimization", 2015, arXiv:1412.6980.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.optimizer.Adam().learning_rate
    0.001
    """

    is_elementwise = True

    def __init__(
        self,
        learning_rate: float = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        lazy_update: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(beta1, beta2, learning_rate=learning_rate, **kwargs)
        self.epsilon = epsilon
        self.lazy_update = lazy_update

    @override
    def is_lazy(self, weight: NDArray) -> bool:
        return self.lazy_update

    @override
    def factors(self, indices: Sequence[Any]) -> dict[str, list[float]]:
        factors = super().factors(indices)
        factors["lr"] = self.corrected(factors, indices)
        return factors

    compute = by_rule(adam_)


@register
class AdamW(TwoMeans):
    """Adam with decoupled weight decay.

    `m` and `v` as in `Adam`, of the rescaled and clipped gradient alone; `w -= lr * (m / (sqrt(v) +
    epsilon) + wd * w)`, where `lr` holds the correction `sqrt(1 - beta2**t) / (1 - beta1**t)`.

    Parameters
    ----------
    learning_rate : float, default 0.001
        Step size per update.
    beta1, beta2 : float, default 0.9 and 0.999
        Decay rates of the two means per update, in [0, 1).
    epsilon : float, default 1e-6
        Keeps the division finite.
    correct_bias : bool, default True
        Whether the learning rate is corrected.
    **kwargs
        Arguments of `Optimizer`.

    Notes
    -----
    MXNet 1.9.1 has the operator `contrib.adamw_update` only; arguments and formula are those of
    the class in MXNet 2.

    References
    ----------
    Loshchilov and Hutter, "Decoupled weight decay regularization", 2019, arXiv:1711.05101.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.optimizer.create('adamw', wd=0.01).epsilon
    1e-06
    """

    is_elementwise = True

    def __init__(
        self,
        learning_rate: float = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-6,
        correct_bias: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(beta1, beta2, learning_rate=learning_rate, **kwargs)
        self.epsilon = epsilon
        self.correct_bias = correct_bias

    @override
    def factors(self, indices: Sequence[Any]) -> dict[str, list[float]]:
        factors = super().factors(indices)
        if self.correct_bias:
            factors["lr"] = self.corrected(factors, indices)
        return factors

    compute = by_rule(adamw_)


@register
class Adamax(TwoMeans):
    """Adam with the largest recent gradient instead of the mean square.

    `m = beta1 * m + (1 - beta1) * g`, `u = max(beta2 * u, |g|)` and `w -= lr / (1 - beta1**t) * m /
    u`, where `g` is the rescaled gradient plus `wd * w`, clipped. Where `u` is 0 the weight stays.

    Parameters
    ----------
    learning_rate : float, default 0.002
        Step size per update.
    beta1, beta2 : float, default 0.9 and 0.999
        Decay rates per update, in [0, 1).
    **kwargs
        Arguments of `Optimizer`.

    References
    ----------
    Kingma and Ba, "Adam: a method for stochastic optimization", 2015, arXiv:1412.6980, section 7.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.optimizer.Adamax().learning_rate
    0.002
    """

    is_elementwise = True

    def __init__(
        self,
        learning_rate: float = 0.002,
        beta1: float = 0.9,
        beta2: float = 0.999,
        **kwargs: Any,
    ) -> None:
        super().__init__(beta1, beta2, learning_rate=learning_rate, **kwargs)

    @override
    def factors(self, indices: Sequence[Any]) -> dict[str, list[float]]:
        factors = super().factors(indices)
        factors["lr"] = [
            lr / (1.0 - self.beta1**count)
            for lr, count in zip(factors["lr"], self.counts(indices), strict=True)
        ]
        return factors

    @override
    def compute(self, weights: Tensors, grads: Tensors, states: Columns, factors: Factors) -> None:
        means, largest = states
        directions = decayed_and_clipped(grads, weights, factors, self.clip_gradient)
        average_(means, directions, self.beta1)
        tensor_lists.mul_(largest, self.beta2)
        tensor_lists.maximum_(largest, tensor_lists.abs(directions))
        divisors = [torch.where(bound == 0, 1.0, bound) for bound in largest]
        descend_quotients_(weights, means, divisors, factors["lr"])


@register
class Nadam(TwoMeans):
    """Adam with Nesterov's momentum.

    Parameters
    ----------
    learning_rate : float, default 0.001
        Step size per update.
    beta1, beta2 : float, default 0.9 and 0.999
        Decay rates of the two means per update, in [0, 1).
    epsilon : float, default 1e-8
        Keeps the division finite.
    schedule_decay : float, default 0.004
        How fast the momentum rises to `beta1`.
    **kwargs
        Arguments of `Optimizer`.

    Notes
    -----
    With `b(t) = beta1 * (1 - 0.96**(t * schedule_decay) / 2)` and `s` the product of all `b` so
    far, `w -= lr * ((1 - b(t)) * g / (1 - s) + b(t + 1) * m / (1 - s * b(t + 1))) / (sqrt(v / (1 -
    beta2**t)) + epsilon)`, where `m` and `v` are Adam's means and `g` is the rescaled gradient plus
    `wd * w`, clipped. As in MXNet 1.9.1, `s` is one number for all weights, which every update of
    any weight multiplies.

    References
    ----------
    Dozat, "Incorporating Nesterov momentum into Adam", 2016.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.optimizer.Nadam().schedule_decay
    0.004
    """

    changing = TwoMeans.changing | {"m_schedule"}

    def __init__(
        self,
        learning_rate: float = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        schedule_decay: float = 0.004,
        **kwargs: Any,
    ) -> None:
        super().__init__(beta1, beta2, learning_rate=learning_rate, **kwargs)
        self.epsilon = epsilon
        self.schedule_decay: float = plain_number(schedule_decay)
        self.m_schedule = 1.0
        self._schedules: dict[Any, tuple[int, float]] = {}

    def _momentum(self, count: int) -> float:
        share: float = 0.96 ** (count * self.schedule_decay)
        return self.beta1 * (1.0 - 0.5 * share)

    @override
    def forget(self) -> None:
        self._schedules = {}

    @override
    def _update_count(self, index: Any) -> None:
        super()._update_count(index)
        schedules = dict(self._schedules)
        for one in index if isinstance(index, (list, tuple)) else (index,):
            count = self._index_update_count[one]
            if schedules.get(one, (0, 0.0))[0] != count:  # else a copy on another device
                self.m_schedule *= self._momentum(count)
                schedules[one] = count, self.m_schedule
        self._schedules = schedules

    @override
    def factors(self, indices: Sequence[Any]) -> dict[str, list[float]]:
        factors = super().factors(indices)
        fresh, kept, spreads = [], [], []
        counts = self.counts(indices)
        for index, lr, count in zip(indices, factors["lr"], counts, strict=True):
            now, following = self._momentum(count), self._momentum(count + 1)
            schedule = self._schedules.get(index, (0, self.m_schedule))[1]
            fresh.append(lr * (1.0 - now) / (1.0 - schedule))
            kept.append(lr * following / (1.0 - schedule * following))
            spreads.append(1.0 / math.sqrt(1.0 - self.beta2**count))
        return {**factors, "fresh": fresh, "kept": kept, "spread": spreads}

    @override
    def compute(self, weights: Tensors, grads: Tensors, states: Columns, factors: Factors) -> None:
        means, variances = states
        directions = decayed_and_clipped(grads, weights, factors, self.clip_gradient)
        average_(means, directions, self.beta1)
        average_squares_(variances, directions, self.beta2)
        divisors = scaled(tensor_lists.sqrt(variances), factors["spread"])
        divisors = tensor_lists.add(divisors, self.epsilon)
        descend_quotients_(weights, directions, divisors, factors["fresh"])
        descend_quotients_(weights, means, divisors, factors["kept"])


@register
class FTML(TwoMeans):
    """Follow the moving leader.

    `v = beta2 * v + (1 - beta2) * g * g`, `d' = (1 - beta1**t) / lr * (sqrt(v / (1 - beta2**t)) +
    epsilon)`, `z = beta1 * z + (1 - beta1) * g - (d' - beta1 * d) * w`, `w = -z / d'` and `d = d'`,
    where `g` is the rescaled gradient plus `wd * w`, clipped.

    Parameters
    ----------
    beta1, beta2 : float, default 0.6 and 0.999
        Decay rates per update, in [0, 1).
    epsilon : float, default 1e-8
        Keeps the division finite.
    **kwargs
        Arguments of `Optimizer`.

    References
    ----------
    Zheng and Kwok, "Follow the moving leader in deep learning", 2017.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.optimizer.FTML(learning_rate=0.0025).beta1
    0.6
    """

    is_elementwise = True

    def __init__(
        self, beta1: float = 0.6, beta2: float = 0.999, epsilon: float = 1e-8, **kwargs: Any
    ) -> None:
        super().__init__(beta1, beta2, **kwargs)
        self.epsilon = epsilon

    @override
    def create_state(self, index: Any, weight: NDArray) -> tuple[NDArray, NDArray, NDArray]:
        """Return zeros for d, v and z."""
        return zeros_like(weight), zeros_like(weight), zeros_like(weight)

    @override
    def factors(self, indices: Sequence[Any]) -> dict[str, list[float]]:
        factors = super().factors(indices)
        counts = self.counts(indices)
        factors["lr"] = [
            lr / (1.0 - self.beta1**count) for lr, count in zip(factors["lr"], counts, strict=True)
        ]
        factors["spread"] = [1.0 / math.sqrt(1.0 - self.beta2**count) for count in counts]
        return factors

    compute = by_rule(ftml_)
