"""The optimizers that most programs use: SGD, NAG and Adam."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import torch
from typing_extensions import override

from gluonish.errors import InvalidArgumentError
from gluonish.optimizer.base import Optimizer, register, zeros_like
from gluonish.optimizer.functional import (
    average_,
    average_squares_,
    clipped,
    decay_,
    decayed,
    descend_,
    descend_quotients_,
    scaled,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.array import NDArray
    from gluonish.optimizer.base import Columns, Factors
    from gluonish.optimizer.functional import Tensors


class _Momentum(Optimizer):
    """What SGD and NAG share: one momentum per weight, if any."""

    master_position = -1

    def __init__(self, momentum: float = 0.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.momentum = momentum

    @override
    def create_state(self, index: Any, weight: NDArray) -> NDArray | None:
        return zeros_like(weight) if self.momentum else None


@register
class SGD(_Momentum):
    """Stochastic gradient descent, with momentum.

    Without momentum `w -= lr * (g + wd * w)`; with it `m = momentum * m - lr * (g + wd * w)` and
    `w += m`, where `g` is the rescaled and clipped gradient.

    Parameters
    ----------
    momentum : float, default 0.0
        Share of the last update that is added to this one, in [0, 1).
    lazy_update : bool, default True
        Matters for sparse gradients only, which gluonish does not have; True and False do the
        same.
    **kwargs
        Arguments of `Optimizer`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.optimizer.SGD(learning_rate=0.1, momentum=0.9).learning_rate
    0.1
    """

    def __init__(self, momentum: float = 0.0, lazy_update: bool = True, **kwargs: Any) -> None:
        super().__init__(momentum, **kwargs)
        self.lazy_update = lazy_update

    @override
    def compute(self, weights: Tensors, grads: Tensors, states: Columns, factors: Factors) -> None:
        lrs, scales, wds = factors["lr"], factors["scale"], factors.get("wd")
        if not self.momentum:
            decay_(weights, weights, lrs, wds)
            descend_(weights, grads, lrs, scales, self.clip_gradient)
            return
        (momenta,) = states
        torch._foreach_mul_(momenta, self.momentum)
        decay_(momenta, weights, lrs, wds)
        descend_(momenta, grads, lrs, scales, self.clip_gradient)
        torch._foreach_add_(weights, momenta)


@register
class NAG(_Momentum):
    """Nesterov's accelerated gradient.

    `m = momentum * m - lr * (g + wd * w)` and `w += momentum * m - lr * (g + wd * w)`; the momentum
    that is kept for the next update has the weight decay of the new weight.

    Parameters
    ----------
    momentum : float, default 0.0
        Share of the last update that is added to this one, in [0, 1).
    **kwargs
        Arguments of `Optimizer`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.optimizer.create('nag', momentum=0.9).momentum
    0.9
    """

    @override
    def compute(self, weights: Tensors, grads: Tensors, states: Columns, factors: Factors) -> None:
        lrs, scales, wds = factors["lr"], factors["scale"], factors.get("wd")
        clip = self.clip_gradient
        decay_(weights, weights, lrs, wds, 1.0 + self.momentum)
        if self.momentum:
            (momenta,) = states
            torch._foreach_mul_(momenta, self.momentum)
            descend_(momenta, grads, lrs, scales, clip)
            torch._foreach_add_(weights, momenta, alpha=self.momentum)
        descend_(weights, grads, lrs, scales, clip)
        if self.momentum:
            decay_(momenta, weights, lrs, wds)


@register
class Adam(Optimizer):
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
        Matters for sparse gradients only, which gluonish does not have.
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

    def __init__(
        self,
        learning_rate: float = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        lazy_update: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate=learning_rate, **kwargs)
        for name, beta in (("beta1", beta1), ("beta2", beta2)):
            if not 0 <= beta < 1:
                msg = f"Adam: {name}={beta} was given. Expected a number in [0, 1)."
                raise InvalidArgumentError(msg)
        self.beta1, self.beta2, self.epsilon = beta1, beta2, epsilon
        self.lazy_update = lazy_update

    @override
    def create_state(self, index: Any, weight: NDArray) -> tuple[NDArray, NDArray]:
        """Return zeros for the two means."""
        return zeros_like(weight), zeros_like(weight)

    @override
    def factors(self, indices: Sequence[Any]) -> dict[str, list[float]]:
        factors = super().factors(indices)
        counts = (self._index_update_count[index] for index in indices)
        factors["lr"] = [
            lr * math.sqrt(1.0 - self.beta2**count) / (1.0 - self.beta1**count)
            for lr, count in zip(factors["lr"], counts, strict=True)
        ]
        return factors

    @override
    def compute(self, weights: Tensors, grads: Tensors, states: Columns, factors: Factors) -> None:
        directions = decayed(scaled(grads, factors["scale"]), weights, factors.get("wd"))
        directions = clipped(directions, self.clip_gradient)
        means, variances = states
        average_(means, directions, self.beta1)
        average_squares_(variances, directions, self.beta2)
        roots = torch._foreach_sqrt(variances)
        torch._foreach_add_(roots, self.epsilon)
        descend_quotients_(weights, means, roots, factors["lr"])


Optimizer.opt_registry["ccsgd"] = SGD
