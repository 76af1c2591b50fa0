"""Optimizers that fit the learning rate to the norms of each layer's weight and gradient."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import torch
from typing_extensions import override

from gluonish.array import tensor_lists
from gluonish.errors import InvalidArgumentError
from gluonish.ops.updates.foreach import (
    clipped,
    decayed,
    norms,
    product,
    scaled,
    scaled_add_,
)
from gluonish.ops.updates.rules import lamb_directions, sgd_once_
from gluonish.optimizer.adam import TwoMeans
from gluonish.optimizer.base import register, zeros_like
from gluonish.optimizer.descent import Momentum

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from torch import Tensor

    from gluonish.array import NDArray
    from gluonish.ops.updates.foreach import Tensors
    from gluonish.ops.updates.rules import Columns, Factors

__all__ = ["LAMB", "LARS", "LBSGD"]

_WARMUPS = ("linear", "power2", "sqrt", "lars")


@register
class LAMB(TwoMeans):
    """Adam whose step has the length of the weight: for large batches.

    `u = m / (sqrt(v) + epsilon) + wd * w`, with Adam's means of the rescaled and clipped gradient,
    corrected for their start at 0, and `w -= lr * |w| / |u| * u`; where a norm is 0 the ratio is 1.

    Parameters
    ----------
    learning_rate : float, default 0.001
        Step size per update.
    beta1, beta2 : float, default 0.9 and 0.999
        Decay rates of the two means per update, in [0, 1).
    epsilon : float, default 1e-6
        Keeps the division finite.
    lower_bound, upper_bound : float, optional
        Limits of the weight's norm in the ratio.
    bias_correction : bool, default True
        Whether the means are corrected.
    **kwargs
        Arguments of `Optimizer`.

    References
    ----------
    You et al., "Large batch optimization for deep learning: training BERT in 76 minutes", 2020,
    arXiv:1904.00962.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.optimizer.LAMB().bias_correction
    True
    """

    updates_at_once = 45

    asks_update = False

    has_update_impl = True

    def __init__(
        self,
        learning_rate: float = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-6,
        lower_bound: float | None = None,
        upper_bound: float | None = None,
        bias_correction: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(beta1, beta2, learning_rate=learning_rate, **kwargs)
        self.aggregate_num = max(1, min(self.updates_at_once, self.aggregate_num))
        self.epsilon = epsilon
        self.lower_bound = lower_bound
        self.upper_bound = upper_bound
        self.bias_correction = bias_correction

    @override
    def factors(self, indices: Sequence[Any]) -> dict[str, list[float]]:
        factors = super().factors(indices)
        if self.bias_correction:
            counts = self.counts(indices)
            factors["rise"] = [1.0 / (1.0 - self.beta1**count) for count in counts]
            factors["spread"] = [1.0 / math.sqrt(1.0 - self.beta2**count) for count in counts]
        return factors

    @override
    def compute(self, weights: Tensors, grads: Tensors, states: Columns, factors: Factors) -> None:
        steps = lamb_directions(
            weights,
            grads,
            states,
            factors,
            beta1=self.beta1,
            beta2=self.beta2,
            epsilon=self.epsilon,
            clip=self._gradient_bound,
        )
        lengths = norms(weights)
        if self.lower_bound:
            lengths = lengths.clamp_min(self.lower_bound)
        if self.upper_bound:
            lengths = lengths.clamp_max(self.upper_bound)
        others = norms(steps)
        ratios = torch.where((lengths == 0) | (others == 0), 1.0, lengths / others)
        scaled_add_(weights, steps, product(ratios.unbind(), factors["lr"]), -1.0)


@register
class LARS(Momentum):
    """SGD with a learning rate for each layer, in proportion to its norms: for large batches.

    The learning rate of a weight is multiplied by `eta * |w| / (|g| + wd * |w| + eps)` if both
    norms are more than 0, except where the name ends in gamma, beta or bias.

    Parameters
    ----------
    momentum : float, default 0.0
        Share of the last update that is added to this one, in [0, 1).
    lazy_update : bool, default True
        Whether a row_sparse gradient changes its own rows only; others then have neither weight
        decay nor momentum.
    eta : float, default 0.001
        The learning rate's share of the ratio of norms.
    eps : float, default 0
        Added to the divisor.
    momentum_correction : bool, default True
        Whether the momentum is scaled with the learning rate, when that changes.
    **kwargs
        Arguments of `Optimizer`.

    References
    ----------
    You et al., "Large batch training of convolutional networks", 2017, arXiv:1708.03888.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.optimizer.LARS(learning_rate=0.1, momentum=0.9).eta
    0.001
    """

    changing = Momentum.changing | {"last_lr", "cur_lr"}

    master_position = -1

    updates_at_once = 4

    asks_in_lists = True

    asks_update = False

    sees_whole_weight = True

    has_update_impl = True

    def __init__(
        self,
        momentum: float = 0.0,
        lazy_update: bool = True,
        eta: float = 0.001,
        eps: float = 0,
        momentum_correction: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(momentum, **kwargs)
        self.lazy_update = lazy_update
        self.eta = eta
        self.eps = eps
        self.momentum_correction = momentum_correction
        self.last_lr: float | None = None
        self.cur_lr: float | None = None

    @override
    def is_lazy(self, weight: NDArray) -> bool:
        return self.lazy_update

    @override
    def set_wd_mult(self, args_wd_mult: Mapping[Any, float]) -> None:
        """Set factors on the weight decay of parameters, by index or name."""
        super().set_wd_mult(args_wd_mult)
        gammas = (name for name in self.idx2name.values() if name.endswith("_gamma"))
        self.wd_mult = {**dict.fromkeys(gammas, 0.0), **self.wd_mult}

    @override
    def _update_count(self, index: Any) -> None:
        before = self.num_update
        super()._update_count(index)
        if self.num_update != before:
            self.last_lr, self.cur_lr = self.cur_lr, self.learning_rate

    @override
    def factors(self, indices: Sequence[Any]) -> dict[str, list[float]]:
        factors = super().factors(indices)
        factors["adapts"] = [float(self._adapts(index)) for index in indices]
        momentum = self.momentum
        if self.momentum_correction and self.last_lr and self.cur_lr is not None:
            momentum *= self.cur_lr / self.last_lr
        factors["momentum"] = [momentum] * len(indices)
        return factors

    def _adapts(self, index: Any) -> bool:
        name = str(self.idx2name.get(index, index))
        return not name.endswith(("gamma", "beta", "bias"))

    def _share(self, adapts: Any, length: Tensor, other: Tensor, wd: Any) -> Tensor:
        """Return the factor on the learning rate; 1 where `adapts` is 0."""
        own: Tensor = adapts * self.eta * length / (other + wd * length + self.eps) + (1.0 - adapts)
        return own

    @override
    def compute(self, weights: Tensors, grads: Tensors, states: Columns, factors: Factors) -> None:
        grads = scaled(grads, factors["scale"])
        lengths, others = norms(weights).unbind(), norms(grads).unbind()
        wds = factors.get("wd", [0.0] * len(weights))
        rates = [
            lr * torch.where((w > 0) & (g > 0), self._share(a, w, g, wd), 1.0)
            for lr, a, w, g, wd in zip(
                factors["lr"], factors["adapts"], lengths, others, wds, strict=True
            )
        ]
        grads = clipped(grads, self._gradient_bound)
        directions = decayed(grads, weights, factors.get("wd"))
        if not self.momentum:
            scaled_add_(weights, directions, rates, -1.0)
            return
        (momenta,) = states
        tensor_lists.copy_(momenta, scaled(momenta, factors["momentum"]))
        scaled_add_(momenta, directions, rates, -1.0)
        tensor_lists.add_(weights, momenta)


@register
class LBSGD(Momentum):
    """SGD for large batches that are put together from several small ones, with a warm-up.

    Gradients of `batch_scale` updates are averaged, then applied with a learning rate that rises to
    `batch_scale` times its value during the warm-up.

    Parameters
    ----------
    momentum : float, default 0.0
        Share of the last update that is added to this one, in [0, 1).
    multi_precision : bool, default False
        Whether half-precision weights are updated by way of a float32 copy.
    warmup_strategy : {'linear', 'power2', 'sqrt', 'lars'}, default 'linear'
        How the factor rises; 'lars' takes `sqrt(|w|**2 / (|g|**2 + wd * |w|**2))`, kept within
        [0.01, 100], all the time.
    warmup_epochs : int, default 5
        Epochs of the warm-up.
    batch_scale : int, default 1
        Number of small batches in a large one.
    updates_per_epoch : int, default 32
        Number of updates in an epoch.
    begin_epoch : int, default 0
        Epochs done before.
    num_epochs : int, default 60
        Kept as an attribute; no effect.
    **kwargs
        Arguments of `Optimizer`.

    Examples
    --------
    >>> import gluonish as mx
    >>> lbsgd = mx.optimizer.LBSGD(learning_rate=0.5, batch_scale=2, warmup_epochs=0)
    >>> w, g = mx.nd.array([1.]), mx.nd.array([0.1])
    >>> state = lbsgd.create_state(0, w)
    >>> for _ in range(2):
    ...     lbsgd.update(0, w, g, state)
    ...     print(w.asnumpy().round(4))
    [1.]
    [0.9]
    """

    sees_whole_weight = True

    def __init__(
        self,
        momentum: float = 0.0,
        multi_precision: bool = False,
        warmup_strategy: str = "linear",
        warmup_epochs: int = 5,
        batch_scale: int = 1,
        updates_per_epoch: int = 32,
        begin_epoch: int = 0,
        num_epochs: int = 60,
        **kwargs: Any,
    ) -> None:
        super().__init__(momentum, multi_precision=multi_precision, **kwargs)
        if warmup_strategy not in _WARMUPS:
            msg = (
                f"LBSGD: warmup_strategy={warmup_strategy!r} was given. Expected one of "
                f"{', '.join(map(repr, _WARMUPS))}. Leave it out for 'linear'."
            )
            raise InvalidArgumentError(msg)
        self.warmup_strategy = warmup_strategy
        self.warmup_epochs = warmup_epochs
        self.batch_scale = batch_scale
        self.updates_per_epoch = updates_per_epoch
        self.init_updates = begin_epoch * updates_per_epoch
        self.num_epochs = num_epochs

    @override
    def is_lazy(self, weight: NDArray) -> bool:
        return True

    @override
    def create_state(self, index: Any, weight: NDArray) -> Any:
        """Return the momentum, and the sum of gradients if batches are put together."""
        momentum = super().create_state(index, weight)
        return (momentum, zeros_like(weight)) if self.batch_scale > 1 else momentum

    def _warmup(self, count: int) -> float:
        length = self.warmup_epochs * self.updates_per_epoch
        if count >= length:
            return float(self.batch_scale)
        if length <= 1 or self.warmup_strategy == "lars":
            return 1.0
        powers = {"linear": 1.0, "power2": 2.0, "sqrt": 0.5}
        share: float = (count / length) ** powers[self.warmup_strategy]
        return 1.0 + (self.batch_scale - 1) * share

    @override
    def factors(self, indices: Sequence[Any]) -> dict[str, list[float]]:
        factors = super().factors(indices)
        counts = [self.init_updates + self._index_update_count[index] for index in indices]
        full = [count % self.batch_scale == 0 for count in counts]
        factors["lr"] = [
            (lr if self.warmup_strategy == "lars" else lr * self._warmup(count)) if due else 0.0
            for lr, count, due in zip(factors["lr"], counts, full, strict=True)
        ]
        factors["due"] = [float(due) for due in full]
        factors["kept"] = [float(not due) for due in full]
        factors["momentum"] = [self.momentum if due else 1.0 for due in full]
        return factors

    @override
    def compute(self, weights: Tensors, grads: Tensors, states: Columns, factors: Factors) -> None:
        if self.batch_scale > 1:
            *states, sums = states
            tensor_lists.add_(sums, grads)
            grads = tensor_lists.div(sums, float(self.batch_scale))
            tensor_lists.copy_(sums, scaled(sums, factors["kept"]))
        wds = factors.get("wd")
        rates = factors["lr"]
        if self.warmup_strategy == "lars":
            squares, others = norms(weights).square(), norms(grads).square()
            divisors = [
                other + wd * square
                for other, wd, square in zip(
                    others.unbind(), wds or [0.0] * len(grads), squares.unbind(), strict=True
                )
            ]
            ratios = (squares / (torch.stack(divisors) + 1e-18)).sqrt().clamp(0.01, 100.0)
            rates = product(ratios.unbind(), rates)
        if not self.momentum:
            sgd_once_(weights, grads, [], {**factors, "lr": rates}, clip=self.clip_gradient)
            return
        directions = clipped(scaled(grads, factors["scale"]), self.clip_gradient)
        directions = decayed(directions, weights, wds)
        (momenta,) = states
        tensor_lists.copy_(momenta, scaled(momenta, factors["momentum"]))
        scaled_add_(momenta, directions, rates, -1.0)
        scaled_add_(weights, momenta, factors["due"])
