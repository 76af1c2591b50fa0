"""The optimizers that most programs use: SGD, NAG and Adam."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.errors import InvalidArgumentError
from gluonish.optimizer import functional
from gluonish.optimizer.base import Optimizer, columns_of, register, tensors_of, zeros_like

if TYPE_CHECKING:
    from torch import Tensor

    from gluonish.array import NDArray


class _Momentum(Optimizer):
    """What SGD and NAG share: one momentum per weight, if any."""

    def __init__(self, momentum: float = 0.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.momentum = momentum

    @override
    def create_state(self, index: Any, weight: NDArray) -> NDArray | None:
        return zeros_like(weight) if self.momentum else None

    @override
    def create_state_multi_precision(self, index: Any, weight: NDArray) -> Any:
        state = super().create_state_multi_precision(index, weight)
        return state[::-1] if self._has_master(weight) else state

    @override
    def update_multi_precision(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        # MXNet stores (momentum, float32 weight) here, the other way round than elsewhere.
        if not isinstance(index, (list, tuple)) and self._has_master(weight):
            state = state[::-1]
        super().update_multi_precision(index, weight, grad, state)


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
    def apply(
        self, indices: list[Any], weights: list[Tensor], grads: list[Tensor], states: list[Any]
    ) -> None:
        """Update tensors in place."""
        lrs, wds = self._get_lrs(indices), self._get_wds(indices)
        if self.momentum:
            functional.sgd_momentum(
                weights, self._rescaled(grads), tensors_of(states), lrs, wds, self.momentum
            )
        elif self.clip_gradient is None and not any(wds):
            scale = self.rescale_grad
            functional.descend(weights, grads, [lr * scale for lr in lrs])
        else:
            functional.sgd(weights, self._rescaled(grads), lrs, wds)


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
    def apply(
        self, indices: list[Any], weights: list[Tensor], grads: list[Tensor], states: list[Any]
    ) -> None:
        """Update tensors in place."""
        lrs, wds = self._get_lrs(indices), self._get_wds(indices)
        directions = self._rescaled(grads)
        if self.momentum:
            functional.nag(weights, directions, tensors_of(states), lrs, wds, self.momentum)
        else:
            functional.sgd(weights, directions, lrs, wds)


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
    def apply(
        self, indices: list[Any], weights: list[Tensor], grads: list[Tensor], states: list[Any]
    ) -> None:
        """Update tensors in place."""
        counts = [self._index_update_count[index] for index in indices]
        lrs = [
            lr * math.sqrt(1.0 - self.beta2**count) / (1.0 - self.beta1**count)
            for lr, count in zip(self._get_lrs(indices), counts, strict=True)
        ]
        scaled = functional.rescale(grads, self.rescale_grad, None)
        decayed = functional.decay(scaled, weights, self._get_wds(indices))
        directions = functional.rescale(decayed, 1.0, self.clip_gradient)
        means, variances = columns_of(states)
        functional.adam(
            weights, directions, means, variances, lrs, self.beta1, self.beta2, self.epsilon
        )


Optimizer.opt_registry["ccsgd"] = SGD
