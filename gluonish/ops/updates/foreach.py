"""Arithmetic of optimizers on lists of tensors, for Trainer and for graphs of whole steps alike.

A rate is a factor that changes from step to step, one for each weight: a float, or, while a graph
is traced, a tensor without axes, so that the graph takes it as an input. Nothing here looks at the
value of a tensor. Equal floats, and one tensor for all, cost a single call; a graph that was traced
with one tensor for all keeps to that.
"""

from __future__ import annotations

import functools
import operator
from typing import TYPE_CHECKING, Any

import numpy as onp
import torch
from torch import Tensor

from gluonish.array import tensor_lists
from gluonish.process.torch_names import fused_sgd_

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

_FULL = (torch.float32, torch.float64)
_shape_of = operator.attrgetter("shape")
_dtype_of = operator.attrgetter("dtype")
Rates: TypeAlias = "Sequence[Any]"
Tensors: TypeAlias = "list[Tensor] | tuple[Tensor, ...]"


def only(rates: Rates) -> Any:  # noqa: ANN401 - a float or a tensor
    """Return the one rate of all weights, or None where they differ."""
    first = rates[0]
    if isinstance(first, Tensor):
        return first if all(rate is first for rate in rates) else None
    return first if len(set(rates)) == 1 else None


def product(rates: Rates, others: Rates) -> Rates:
    """Return the products of two lists of rates."""
    if isinstance(rates[0], Tensor) and isinstance(others[0], Tensor):
        one, other = only(rates), only(others)
        if one is not None and other is not None:
            return [one * other] * len(rates)
    return [one * other for one, other in zip(rates, others, strict=True)]


def scaled(directions: Tensors, rates: Rates) -> Tensors:
    """Return rate * direction; the directions themselves where all rates are the float 1."""
    rate = only(rates)
    if rate is None:
        return tensor_lists.mul(directions, list(rates))
    if not isinstance(rate, Tensor) and rate == 1.0:
        return directions
    return tensor_lists.mul(directions, rate)


def scaled_add_(targets: Tensors, directions: Tensors, rates: Rates, times: float = 1.0) -> None:
    """Do target += times * rate * direction."""
    if isinstance(rates[0], Tensor):
        tensor_lists.addcmul_(targets, directions, list(rates), value=times)
        return
    rate = only(rates)
    if rate is None:
        steps = tensor_lists.mul(directions, [times * rate for rate in rates])
        tensor_lists.add_(targets, steps)
    else:
        tensor_lists.add_(targets, directions, alpha=times * rate)


def clipped(tensors: Tensors, bound: float | None) -> Tensors:
    """Return tensors with each element within [-bound, bound]."""
    if bound is None or bound < 0:
        return tensors
    return tensor_lists.clamp_min(tensor_lists.clamp_max(tensors, bound), -bound)


def decayed(grads: Tensors, weights: Tensors, wds: Rates | None) -> Tensors:
    """Return grad + wd * weight."""
    if wds is None:
        return grads
    return tensor_lists.add(grads, scaled(weights, wds))


def decay_(
    targets: Tensors, weights: Tensors, lrs: Rates, wds: Rates | None, times: float = 1.0
) -> None:
    """Do target -= times * lr * wd * weight."""
    if wds is not None:
        scaled_add_(targets, weights, product(lrs, wds), -times)


def fade_(weights: Tensors, lrs: Rates, wds: Rates | None) -> None:
    """Do weight *= 1 - lr * wd: infinities stay, which a difference would make NaN."""
    if wds is None:
        return
    shares = [1.0 - rate for rate in product(lrs, wds)]
    share = only(shares)
    tensor_lists.mul_(weights, shares if share is None else share)


def descend_(
    targets: Tensors, grads: Tensors, lrs: Rates, scales: Rates, clip: float | None
) -> None:
    """Do target -= lr * clip(scale * grad)."""
    if clip is None or clip < 0:
        scaled_add_(targets, grads, product(lrs, scales), -1.0)
    else:
        scaled_add_(targets, clipped(scaled(grads, scales), clip), lrs, -1.0)


def descend_quotients_(
    targets: Tensors, numerators: Tensors, denominators: Tensors, rates: Rates
) -> None:
    """Do target -= rate * numerator / denominator."""
    rate = only(rates)
    if rate is None or isinstance(rate, Tensor):
        scaled_add_(targets, tensor_lists.div(numerators, denominators), rates, -1.0)
    else:
        tensor_lists.addcdiv_(targets, numerators, denominators, value=-rate)


def descend_with_momentum_(
    targets: Tensors,
    grads: Tensors,
    momenta: Tensors,
    lrs: Rates,
    scales: Rates,
    wds: Rates | None,
    momentum: float,
) -> bool:
    """Do momentum = share * momentum - lr * (scale * grad + wd * target), target += momentum.

    All in one pass, where that is possible: equal numbers for all, arrays that lie alike in the
    memory of a CPU. Otherwise nothing is done.

    Returns
    -------
    bool
        Whether it is done.
    """
    lr, scale, wd = only(lrs), only(scales), 0.0 if wds is None else only(wds)
    if type(lr) is not float or type(scale) is not float or type(wd) is not float or not scale:
        return False
    if not (momentum and lie_alike(targets, grads, momenta)):
        return False
    fused_sgd_(
        list(targets), list(grads), list(momenta),
        weight_decay=wd / scale, momentum=momentum, lr=-1.0, dampening=1.0 + lr * scale,
        nesterov=False, maximize=False, is_first_step=False,
    )  # fmt: skip
    return True


def lie_alike(first: Tensors, *others: Tensors) -> bool:
    """Return whether all elements of lists of tensors on a CPU lie in the same order."""
    dtype = first[0].dtype
    if type(first[0]) is not Tensor or not first[0].is_cpu or dtype not in _FULL:
        return False
    everything = list(first)
    shapes = list(map(_shape_of, first))
    for each in others:
        if list(map(_shape_of, each)) != shapes:
            return False
        everything += each
    return all(map(Tensor.is_contiguous, everything)) and set(map(_dtype_of, everything)) == {dtype}


def shrink_(tensors: Tensors, share: float) -> None:
    """Do tensor *= share."""
    first = tensors[0]
    if type(first) is Tensor and first.is_cpu and first.dtype in _FULL:
        tensor_lists.mul_(tensors, _number(share, first.dtype))  # a third of a number's time
    else:
        tensor_lists.mul_(tensors, share)


@functools.lru_cache
def _number(value: float, dtype: torch.dtype) -> Tensor:
    return torch.tensor(value, dtype=dtype)


def held(share: float, tensors: Tensors) -> float:
    """Return a share as MXNet's operators have it: rounded to `float16` beside such tensors.

    Optimizers that MXNet writes in Python round `share` and `1 - share` each for itself.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.updates.foreach import held
    >>> held(0.9, [torch.ones(1, dtype=torch.float16)]), held(0.9, [torch.ones(1)])
    (0.89990234375, 0.9)
    """
    return float(onp.float16(share)) if tensors[0].dtype is torch.float16 else share


def average_(means: Tensors, values: Tensors, share: float) -> None:
    """Do mean = share * mean + (1 - share) * value."""
    shrink_(means, share)  # not lerp_, which subtracts infinities from each other
    tensor_lists.add_(means, values, alpha=1.0 - share)


def average_squares_(means: Tensors, values: Tensors, share: float) -> None:
    """Do mean = share * mean + (1 - share) * value * value."""
    shrink_(means, share)
    tensor_lists.addcmul_(means, values, values, value=1.0 - share)


def divided(directions: Tensors, rates: Rates) -> Tensors:
    """Return direction / rate."""
    rate = only(rates)
    return tensor_lists.div(directions, list(rates) if rate is None else rate)


def shift_(targets: Tensors, rates: Rates) -> None:
    """Do target += rate."""
    tensor_lists.add_(targets, list(rates))


def roots(means: Tensors, epsilon: float) -> Tensors:
    """Return sqrt(mean) + epsilon."""
    found = tensor_lists.sqrt(means)
    tensor_lists.add_(found, epsilon)
    return found


def roots_of_sums(means: Tensors, epsilon: float) -> Tensors:
    """Return sqrt(mean + epsilon)."""
    found = tensor_lists.add(means, epsilon)
    tensor_lists.sqrt_(found)
    return found


def norms(tensors: Tensors) -> Tensor:
    """Return the Euclidean norm of each tensor as one element of a vector."""
    return torch.stack(tuple(tensor_lists.norm(tensors)))
