"""Optimizers that scale each element's step by the squares of its gradients so far."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.array import tensor_lists
from gluonish.array.guises import plain_number
from gluonish.ops.updates.foreach import (
    average_squares_,
    clipped,
    decay_,
    descend_quotients_,
    roots_of_sums,
    scaled,
    scaled_add_,
)
from gluonish.ops.updates.rules import ftrl_, rmsprop_
from gluonish.optimizer.base import Optimizer, by_rule, register, zeros_like

if TYPE_CHECKING:
    from gluonish.array import NDArray
    from gluonish.ops.updates.foreach import Tensors
    from gluonish.ops.updates.rules import Columns, Factors

__all__ = ["AdaDelta", "AdaGrad", "Ftrl", "RMSProp"]


@register
class AdaGrad(Optimizer):
    """Steps divided by the root of the sum of all squared gradients.

    `h += g * g` and `w -= lr * (g / sqrt(h + eps) + wd * w)`, where `g` is the rescaled and clipped
    gradient.

    Parameters
    ----------
    eps : float, default 1e-7
        Keeps the division finite.
    **kwargs
        Arguments of `Optimizer`.

    References
    ----------
    Duchi et al., "Adaptive subgradient methods for online learning and stochastic optimization",
    2011.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.optimizer.AdaGrad(learning_rate=0.1).float_stable_eps
    1e-07
    """

    is_elementwise = True

    def __init__(self, eps: float = 1e-7, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.float_stable_eps = eps

    @override
    def is_lazy(self, weight: NDArray) -> bool:
        return True

    @override
    def create_state(self, index: Any, weight: NDArray) -> NDArray:
        return zeros_like(weight)

    @override
    def compute(self, weights: Tensors, grads: Tensors, states: Columns, factors: Factors) -> None:
        (sums,) = states
        directions = clipped(scaled(grads, factors["scale"]), self.clip_gradient)
        decay_(weights, weights, factors["lr"], factors.get("wd"))
        tensor_lists.addcmul_(sums, directions, directions)
        divisors = roots_of_sums(sums, self.float_stable_eps)
        descend_quotients_(weights, directions, divisors, factors["lr"])


@register
class AdaDelta(Optimizer):
    """Steps as long as recent steps, in relation to recent gradients; no learning rate.

    `a = rho * a + (1 - rho) * g * g`, `step = sqrt(d + epsilon) / sqrt(a + epsilon) * g`, `d = rho
    * d + (1 - rho) * step * step` and `w -= step + wd * w`, where `g` is the rescaled and clipped
    gradient. The learning rate is not used.

    Parameters
    ----------
    rho : float, default 0.9
        Decay rate of both means per update.
    epsilon : float, default 1e-5
        Keeps the division finite, and lets the first steps be more than 0.
    **kwargs
        Arguments of `Optimizer`.

    References
    ----------
    Zeiler, "ADADELTA: an adaptive learning rate method", 2012, arXiv:1212.5701.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.optimizer.create('adadelta').rho
    0.9
    """

    is_elementwise = True

    def __init__(self, rho: float = 0.9, epsilon: float = 1e-5, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.rho = rho
        self.epsilon = epsilon

    @override
    def create_state(self, index: Any, weight: NDArray) -> tuple[NDArray, NDArray]:
        return zeros_like(weight), zeros_like(weight)

    @override
    def compute(self, weights: Tensors, grads: Tensors, states: Columns, factors: Factors) -> None:
        squares, lengths = states
        directions = clipped(scaled(grads, factors["scale"]), self.clip_gradient)
        average_squares_(squares, directions, self.rho)
        steps = tensor_lists.div(
            roots_of_sums(lengths, self.epsilon), roots_of_sums(squares, self.epsilon)
        )
        steps = tensor_lists.mul(steps, directions)
        average_squares_(lengths, steps, self.rho)
        if "wd" in factors:
            scaled_add_(weights, weights, factors["wd"], -1.0)
        tensor_lists.sub_(weights, steps)


@register
class RMSProp(Optimizer):
    """Steps divided by the root of the mean of recent squared gradients.

    `n = gamma1 * n + (1 - gamma1) * g * g` and `w -= lr * g / sqrt(n + epsilon)`. Centered: besides
    `m = gamma1 * m + (1 - gamma1) * g`, `d = gamma2 * d - lr * g / sqrt(n - m * m + epsilon)` and
    `w += d`. `g` is the rescaled gradient plus `wd * w`, clipped.

    Parameters
    ----------
    learning_rate : float, default 0.001
        Step size per update.
    gamma1 : float, default 0.9
        Decay rate of the means per update.
    gamma2 : float, default 0.9
        Momentum; used if centered.
    epsilon : float, default 1e-8
        Keeps the division finite.
    centered : bool, default False
        Whether the variance is used in place of the mean square (Graves' form).
    clip_weights : float, optional
        Each element of an updated weight is kept within [-clip_weights, clip_weights].
    **kwargs
        Arguments of `Optimizer`.

    References
    ----------
    Tieleman and Hinton, "Lecture 6.5: rmsprop", 2012. Graves, "Generating sequences with recurrent
    neural networks", 2013, arXiv:1308.0850, equations 38 to 45.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.optimizer.RMSProp(centered=True).gamma2
    0.9
    """

    is_elementwise = True

    def __init__(
        self,
        learning_rate: float = 0.001,
        gamma1: float = 0.9,
        gamma2: float = 0.9,
        epsilon: float = 1e-8,
        centered: bool = False,
        clip_weights: float | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.gamma1 = gamma1
        self.gamma2 = gamma2
        self.centered = centered
        self.epsilon = epsilon
        self.clip_weights = clip_weights

    @override
    def create_state(self, index: Any, weight: NDArray) -> tuple[NDArray, ...]:
        return tuple(zeros_like(weight) for _ in range(3 if self.centered else 1))

    @property
    def _weight_bound(self) -> float | None:
        return self.clip_weights or None

    compute = by_rule(rmsprop_, clip_weights="_weight_bound")


@register
class Ftrl(Optimizer):
    """Follow the regularized leader: keeps weights of no use at exactly 0.

    `z += g - (sqrt(n + g * g) - sqrt(n)) / lr * w`, `n += g * g`, and `w = (sign(z) * lamda1 - z) /
    ((beta + sqrt(n)) / lr + wd)` where `|z| > lamda1`, else 0; `g` is the rescaled and clipped
    gradient.

    Parameters
    ----------
    lamda1 : float, default 0.01
        Strength of the L1 regularization.
    learning_rate : float, default 0.1
        Step size per update.
    beta : float, default 1
        The larger, the smaller are the first steps.
    **kwargs
        Arguments of `Optimizer`.

    Notes
    -----
    As in MXNet 1.9.1, and other than elsewhere, a scheduler keeps its own `base_lr`, whatever
    `learning_rate` is.

    References
    ----------
    McMahan et al., "Ad click prediction: a view from the trenches", 2013.

    Examples
    --------
    >>> import gluonish as mx
    >>> ftrl = mx.optimizer.Ftrl(lamda1=2.0)
    >>> w, g = mx.nd.array([1., 1.]), mx.nd.array([0.1, 5.])
    >>> ftrl.update(0, w, g, ftrl.create_state(0, w))
    >>> print(w.asnumpy().round(4))
    [0.     0.7167]
    """

    is_elementwise = True

    def __init__(
        self, lamda1: float = 0.01, learning_rate: float = 0.1, beta: float = 1, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.lr = plain_number(learning_rate)
        self.lamda1 = lamda1
        self.beta = beta

    @override
    def is_lazy(self, weight: NDArray) -> bool:
        return weight.stype == "row_sparse"

    @override
    def create_state(self, index: Any, weight: NDArray) -> tuple[NDArray, NDArray]:
        return zeros_like(weight), zeros_like(weight)

    compute = by_rule(ftrl_)
