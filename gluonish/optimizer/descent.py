"""Optimizers that follow the gradient itself: SGD, NAG, Signum, SGLD and DCASGD."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.array import tensor_lists
from gluonish.array.tensors import all_plain, plain
from gluonish.ops.updates.foreach import (
    clipped,
    decayed,
    scaled,
    scaled_add_,
)
from gluonish.ops.updates.rules import nag_, sgd_, signum_
from gluonish.optimizer.base import Optimizer, by_rule, register, zeros_like
from gluonish.optimizer.lazy import as_dense
from gluonish.random import normal

if TYPE_CHECKING:
    from gluonish.array import NDArray
    from gluonish.ops.updates.foreach import Tensors
    from gluonish.ops.updates.rules import Columns, Factors

__all__ = ["DCASGD", "NAG", "SGD", "SGLD", "Signum", "Test", "ccSGD"]


class Momentum(Optimizer):
    """Base of optimizers that keep one momentum per weight, if any."""

    def __init__(self, momentum: float = 0.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.momentum = momentum

    @override
    def create_state(self, index: Any, weight: NDArray) -> Any:
        """Return zeros for the momentum, or None without one."""
        return zeros_like(weight) if self.momentum else None


@register
class SGD(Momentum):
    """Stochastic gradient descent, with momentum.

    Without momentum `w -= lr * (g + wd * w)`; with it `m = momentum * m - lr * (g + wd * w)` and
    `w += m`, where `g` is the rescaled and clipped gradient.

    Parameters
    ----------
    momentum : float, default 0.0
        Share of the last update that is added to this one, in [0, 1).
    lazy_update : bool, default True
        Whether a row_sparse gradient, as of `Embedding(..., sparse_grad=True)`, changes its own
        rows only; others then have neither weight decay nor momentum.
    **kwargs
        Arguments of `Optimizer`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.optimizer.SGD(learning_rate=0.1, momentum=0.9).learning_rate
    0.1
    """

    is_elementwise = True

    master_position = -1

    updates_at_once = 4

    asks_in_lists = True

    asks_update = False

    has_update_impl = True

    def __init__(self, momentum: float = 0.0, lazy_update: bool = True, **kwargs: Any) -> None:
        super().__init__(momentum, **kwargs)
        self.lazy_update = lazy_update

    @override
    def is_lazy(self, weight: NDArray) -> bool:
        return self.lazy_update and not self.has_master(weight)

    @override
    def compute(self, weights: Tensors, grads: Tensors, states: Columns, factors: Factors) -> None:
        sgd_(weights, grads, states, factors, momentum=self.momentum, clip=self._gradient_bound)


@register
class NAG(Momentum):
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

    is_elementwise = True

    master_position = -1

    asks_update = False

    has_update_impl = True

    @override
    def is_lazy(self, weight: NDArray) -> bool:
        return self.momentum == 0 and not self.has_master(weight)  # it is SGD then

    @override
    def compute(self, weights: Tensors, grads: Tensors, states: Columns, factors: Factors) -> None:
        nag_(weights, grads, states, factors, momentum=self.momentum, clip=self._gradient_bound)


@register
class ccSGD(SGD):  # noqa: N801 - MXNet's name
    """Another name of `SGD`, kept for old programs.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.optimizer.create('ccsgd', momentum=0.9).momentum
    0.9
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


@register
class Signum(Momentum):
    """Steps of one size, in the direction of the momentum's sign.

    With momentum `m = momentum * m - (1 - momentum) * (g + wd * w)` and `w = (1 - lr * wd_lh) * w +
    lr * sign(m)`; without it (SignSGD) `w = (1 - lr * wd) * w - lr * sign(g)`, where `g` is the
    rescaled and clipped gradient.

    Parameters
    ----------
    learning_rate : float, default 0.01
        Step size per update.
    momentum : float, default 0.9
        Share of the old momentum in the new one, in [0, 1).
    wd_lh : float, default 0.0
        Decoupled weight decay per update.
    **kwargs
        Arguments of `Optimizer`.

    References
    ----------
    Bernstein et al., "signSGD: compressed optimisation for non-convex problems", 2018,
    arXiv:1802.04434.

    Examples
    --------
    >>> import gluonish as mx
    >>> signum = mx.optimizer.Signum(learning_rate=0.5)
    >>> w, g = mx.nd.array([1., 1.]), mx.nd.array([0.1, -9.])
    >>> signum.update(0, w, g, signum.create_state(0, w))
    >>> print(w.asnumpy())
    [0.5 1.5]
    """

    is_elementwise = True

    has_update_impl = True

    def __init__(
        self,
        learning_rate: float = 0.01,
        momentum: float = 0.9,
        wd_lh: float = 0.0,
        **kwargs: Any,
    ) -> None:
        super().__init__(momentum, learning_rate=learning_rate, **kwargs)
        self.wd_lh = wd_lh

    compute = by_rule(signum_)


@register
class SGLD(Optimizer):
    """Stochastic gradient Langevin dynamics: draws from a posterior by noisy gradient steps.

    `w -= lr / 2 * (g + wd * w)` plus a normal draw of standard deviation `sqrt(lr)`, where `g` is
    the rescaled and clipped gradient. The draws are those of `mx.nd.random.normal`.

    Parameters
    ----------
    **kwargs
        Arguments of `Optimizer`.

    References
    ----------
    Welling and Teh, "Bayesian learning via stochastic gradient Langevin dynamics", 2011.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.optimizer.create('sgld', learning_rate=0.1).is_traceable
    False
    """

    is_traceable = False

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)

    @override
    def update(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        if isinstance(index, (list, tuple)):
            for one in zip(index, weight, grad, state, strict=True):
                self.update(*one)
            return
        self._update_count(index)
        factors = self.factors([index])
        dense = as_dense(self, [weight], [grad], [state])
        tensors = all_plain(dense.weights)
        grads = all_plain(dense.grads)
        directions = clipped(scaled(grads, factors["scale"]), self.clip_gradient)
        scaled_add_(tensors, decayed(directions, tensors, factors.get("wd")), factors["lr"], -0.5)
        deviation = math.sqrt(factors["lr"][0])
        noise = normal(0, deviation, shape=weight.shape, dtype=weight.dtype, ctx=weight.context)
        tensors[0].add_(plain(noise))
        dense.finish()


@register
class DCASGD(Momentum):
    """SGD whose gradient is corrected for the updates that other workers made meanwhile.

    `m = momentum * m - lr * (g + wd * w + lamda * g * g * (w - previous))`, then `previous = w` and
    `w += m`, where `g` is the rescaled and clipped gradient.

    Parameters
    ----------
    momentum : float, default 0.0
        Share of the last update that is added to this one, in [0, 1).
    lamda : float, default 0.04
        Strength of the correction.
    **kwargs
        Arguments of `Optimizer`.

    References
    ----------
    Zheng et al., "Asynchronous stochastic gradient descent with delay compensation", 2016,
    arXiv:1609.08326.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.optimizer.DCASGD(learning_rate=0.1).lamda
    0.04
    """

    is_elementwise = True

    def __init__(self, momentum: float = 0.0, lamda: float = 0.04, **kwargs: Any) -> None:
        super().__init__(momentum, **kwargs)
        self.lamda = lamda

    @override
    def create_state(self, index: Any, weight: NDArray) -> Any:
        """Return the momentum, if any, and a copy of the weight."""
        return super().create_state(index, weight), weight.copy()

    @override
    def compute(self, weights: Tensors, grads: Tensors, states: Columns, factors: Factors) -> None:
        *momenta, previous = states
        directions = clipped(scaled(grads, factors["scale"]), self.clip_gradient)
        squares = tensor_lists.mul(directions, directions)
        corrected = tensor_lists.addcmul(
            decayed(directions, weights, factors.get("wd")),
            squares,
            tensor_lists.sub(weights, previous),
            value=self.lamda,
        )
        tensor_lists.copy_(previous, weights)
        if not self.momentum:
            scaled_add_(weights, corrected, factors["lr"], -1.0)
            return
        tensor_lists.mul_(momenta[0], self.momentum)
        scaled_add_(momenta[0], corrected, factors["lr"], -1.0)
        tensor_lists.add_(weights, momenta[0])


@register
class Test(Optimizer):
    """Adds the rescaled gradient to the weight, and copies the weight into the state.

    Parameters
    ----------
    **kwargs
        Arguments of `Optimizer`.

    Examples
    --------
    >>> import gluonish as mx
    >>> test = mx.optimizer.Test(rescale_grad=2.0)
    >>> w, g = mx.nd.array([1.]), mx.nd.array([3.])
    >>> test.update(0, w, g, test.create_state(0, w))
    >>> print(w.asnumpy())
    [7.]
    """

    is_elementwise = True

    __test__ = False  # the name is MXNet's; it is no test to be collected

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)

    @override
    def _update_count(self, index: Any) -> None:
        """Count nothing: MXNet's does not either."""

    @override
    def create_state(self, index: Any, weight: NDArray) -> NDArray:
        return zeros_like(weight)

    @override
    def compute(self, weights: Tensors, grads: Tensors, states: Columns, factors: Factors) -> None:
        scaled_add_(weights, grads, factors["scale"])
        tensor_lists.copy_(states[0], weights)
