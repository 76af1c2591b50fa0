"""Operators for one update of many weights by LAMB, LARS and AdamW; states change in place."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.errors import InvalidArgumentError
from gluonish.ops.elementwise.identity import check_count
from gluonish.ops.table import op
from gluonish.ops.updates.adamw import adamw
from gluonish.ops.updates.foreach import norms
from gluonish.ops.updates.lists import as_given, per_weight
from gluonish.ops.updates.rules import lamb_directions

if TYPE_CHECKING:
    from collections.abc import Sequence


@op(nd="contrib.multi_adamw_update", outputs=0)
def multi_adamw_update(
    weights: Sequence[Tensor],
    grads: Sequence[Tensor],
    mean: Sequence[Tensor],
    var: Sequence[Tensor],
    rescale_grad: Tensor | float,
    lrs: Sequence[float],
    wds: Sequence[float],
    etas: Sequence[float],
    size: int = 0,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    clip_gradient: float = -1.0,
) -> Tensor | list[Tensor]:
    """Return several weights after one update of AdamW; see `adamw_update`.

    Parameters
    ----------
    weights, grads : list of Tensor
        The weights and their gradients.
    mean, var : list of Tensor
        Running means of the gradients and of their squares; change in place.
    rescale_grad : Tensor, shape (1), or float
        Factor on all gradients; nothing changes where it is 0, infinite or NaN.
    lrs, wds, etas : tuple of float
        Learning rate, weight decay and factor on both, of each weight.
    size : int, default 0
        How many weights there are; all by default.
    beta1 : float, default 0.9
        Decay rate of the first mean per update.
    beta2 : float, default 0.999
        Decay rate of the second mean per update.
    epsilon : float, default 1e-8
        Keeps the division finite.
    clip_gradient : float, default -1.0
        Each element of a gradient is kept within this bound; no bound up to 0.

    Examples
    --------
    >>> import gluonish as mx
    >>> w, v = mx.nd.ones((1,)), mx.nd.ones((2,))
    >>> states = [[x.zeros_like() for x in (w, v)] for _ in range(2)]
    >>> rates = {'lrs': (0.5, 0.1), 'wds': (0, 0), 'etas': (0.1, 1)}
    >>> _ = mx.nd.contrib.multi_adamw_update([w, v], [w, v], *states, 1.0, **rates, out=[w, v])
    >>> print(w.asnumpy().round(4), v.asnumpy().round(4))
    [0.8419] [0.6838 0.6838]
    """
    name = "multi_adamw_update"
    count = _count(name, size, weights, grads, mean, var)
    rates = zip(*per_weight(name, count, lrs=lrs, etas=etas, wds=wds), strict=True)
    return as_given(
        [
            adamw(
                weight.clone(), grad, states, rescale_grad, one, (beta1, beta2), epsilon,
                clip_gradient,
            )
            for weight, grad, *states, one in zip(weights, grads, mean, var, rates, strict=True)
        ]
    )  # fmt: skip


@op(nd="contrib.multi_mp_adamw_update", outputs=0)
def multi_mp_adamw_update(
    weights: Sequence[Tensor],
    grads: Sequence[Tensor],
    mean: Sequence[Tensor],
    var: Sequence[Tensor],
    weights32: Sequence[Tensor],
    rescale_grad: Tensor | float,
    lrs: Sequence[float],
    wds: Sequence[float],
    etas: Sequence[float],
    size: int = 0,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    clip_gradient: float = -1.0,
) -> Tensor | list[Tensor]:
    """Return several half-precision weights after one update of AdamW on their float32 copies.

    Parameters
    ----------
    weights, grads, mean, var
        As in `multi_adamw_update`.
    weights32 : list of Tensor
        The float32 copies of the weights; change in place.
    rescale_grad, lrs, wds, etas, size, beta1, beta2, epsilon, clip_gradient
        As in `multi_adamw_update`.

    Examples
    --------
    >>> import gluonish as mx
    >>> w, zeros = mx.nd.ones((1,)), mx.nd.zeros((2, 1))
    >>> half, rates = w.astype('float16'), {'lrs': (0.5,), 'wds': (0,), 'etas': (0.1,)}
    >>> mean, var = zeros
    >>> mx.nd.contrib.multi_mp_adamw_update(
    ...     [half], [half], [mean], [var], [w], 1.0, **rates
    ... ).asnumpy()
    array([0.842], dtype=float16)
    """
    name = "multi_mp_adamw_update"
    count = _count(name, size, weights, grads, mean, var, weights32)
    rates = zip(*per_weight(name, count, lrs=lrs, etas=etas, wds=wds), strict=True)
    masters = [
        adamw(
            master.detach(), grad.float(), states, rescale_grad, one, (beta1, beta2), epsilon,
            clip_gradient,
        )
        for master, grad, *states, one in zip(weights32, grads, mean, var, rates, strict=True)
    ]  # fmt: skip
    return as_given([new.to(old.dtype) for new, old in zip(masters, weights, strict=True)])


@op(nd="contrib.multi_lamb_update", outputs=0)
def multi_lamb_update(
    weights: Sequence[Tensor],
    grads: Sequence[Tensor],
    mean: Sequence[Tensor],
    var: Sequence[Tensor],
    step_count: Sequence[int],
    lrs: Sequence[float],
    wds: Sequence[float],
    num_tensors: int = 0,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-6,
    rescale_grad: float = 1.0,
    lower_bound: float = -1.0,
    upper_bound: float = -1.0,
    clip_gradient: float = -1.0,
    bias_correction: bool = True,
) -> Tensor | list[Tensor]:
    """Return several weights after one update of LAMB.

    Parameters
    ----------
    weights, grads : list of Tensor
        The weights and their gradients.
    mean, var : list of Tensor
        Running means of the gradients and of their squares; change in place.
    step_count : tuple of int
        Number of this update of each weight, from 1.
    lrs, wds : tuple of float
        Learning rate and weight decay of each weight, per update.
    num_tensors : int, default 0
        How many weights there are; all by default.
    beta1 : float, default 0.9
        Decay rate of the first mean per update.
    beta2 : float, default 0.999
        Decay rate of the second mean per update.
    epsilon : float, default 1e-6
        Keeps the division finite.
    rescale_grad : float, default 1.0
        Factor on all gradients.
    lower_bound, upper_bound : float, default -1.0
        Bounds of a weight's norm in its ratio to the step's; none below 0.
    clip_gradient : float, default -1.0
        Each element of a gradient is kept within this bound; no bound below 0.
    bias_correction : bool, default True
        Whether the means are corrected for their start at 0.

    Examples
    --------
    >>> import gluonish as mx
    >>> w, mean, var = mx.nd.ones((1,)), mx.nd.zeros((1,)), mx.nd.zeros((1,))
    >>> mx.nd.contrib.multi_lamb_update([w], [w], [mean], [var], (1,), (0.5,), (0,)).asnumpy()
    array([0.5], dtype=float32)
    """
    _count("multi_lamb_update", num_tensors, weights, grads, mean, var)
    return as_given(
        _lamb(
            "multi_lamb_update", [weight.clone() for weight in weights], list(grads), (mean, var),
            (step_count, lrs, wds), (beta1, beta2, epsilon), rescale_grad,
            (lower_bound, upper_bound), clip_gradient, bias_correction=bias_correction,
        )
    )  # fmt: skip


@op(nd="contrib.multi_mp_lamb_update", outputs=0)
def multi_mp_lamb_update(
    weights: Sequence[Tensor],
    grads: Sequence[Tensor],
    mean: Sequence[Tensor],
    var: Sequence[Tensor],
    weights32: Sequence[Tensor],
    step_count: Sequence[int],
    lrs: Sequence[float],
    wds: Sequence[float],
    num_tensors: int = 0,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-6,
    rescale_grad: float = 1.0,
    lower_bound: float = -1.0,
    upper_bound: float = -1.0,
    clip_gradient: float = -1.0,
    bias_correction: bool = True,
) -> Tensor | list[Tensor]:
    """Return several half-precision weights after one update of LAMB on their float32 copies.

    Parameters
    ----------
    weights, grads, mean, var
        As in `multi_lamb_update`.
    weights32 : list of Tensor
        The float32 copies of the weights; change in place.
    step_count, lrs, wds, num_tensors, beta1, beta2, epsilon, rescale_grad
        As in `multi_lamb_update`.
    lower_bound, upper_bound, clip_gradient, bias_correction
        As in `multi_lamb_update`.

    Examples
    --------
    >>> import gluonish as mx
    >>> w, mean, var = mx.nd.ones((1,)), mx.nd.zeros((1,)), mx.nd.zeros((1,))
    >>> half = w.astype('float16')
    >>> mx.nd.contrib.multi_mp_lamb_update(
    ...     [half], [half], [mean], [var], [w], (1,), (0.5,), (0,)
    ... ).asnumpy()
    array([0.5], dtype=float16)
    """
    _count("multi_mp_lamb_update", num_tensors, weights, grads, mean, var, weights32)
    masters = _lamb(
        "multi_mp_lamb_update", [master.detach() for master in weights32],
        [grad.float() for grad in grads], (mean, var), (step_count, lrs, wds),
        (beta1, beta2, epsilon), rescale_grad, (lower_bound, upper_bound), clip_gradient,
        bias_correction=bias_correction,
    )  # fmt: skip
    return as_given([new.to(old.dtype) for new, old in zip(masters, weights, strict=True)])


@op(nd="multi_lars")
def multi_lars(
    lrs: Tensor,
    weights_sum_sq: Tensor,
    grads_sum_sq: Tensor,
    wds: Tensor,
    eta: float,
    eps: float,
    rescale_grad: float = 1.0,
) -> Tensor:
    """Return learning rates of LARS: each times the ratio of a weight's norm to its step's.

    Parameters
    ----------
    lrs : Tensor, shape (weights,)
        Learning rates.
    weights_sum_sq, grads_sum_sq : Tensor, shape (weights,)
        Sums of the squares of each weight and gradient, as `multi_sum_sq` returns them.
    wds : Tensor, shape (weights,)
        Weight decays.
    eta : float
        Factor on the ratio.
    eps : float
        Keeps the division finite.
    rescale_grad : float, default 1.0
        Factor on all gradients.

    Notes
    -----
    `lr * eta * |w| / (|g| + wd * |w| + eps)`; lr alone where a norm is 0.

    Examples
    --------
    >>> import gluonish as mx
    >>> lrs, squares = mx.nd.array([1, 1]), mx.nd.array([4, 0])
    >>> mx.nd.multi_lars(lrs, squares, squares, lrs * 0, eta=0.5, eps=0).asnumpy()
    array([0.5, 1. ], dtype=float32)
    """
    weights, grads = weights_sum_sq.sqrt(), grads_sum_sq.sqrt()
    ratios = eta * weights / (grads * rescale_grad + wds * weights + eps)
    return torch.where((weights > 0) & (grads > 0), lrs * ratios, lrs)


@op(nd="reset_arrays", outputs=0)
def reset_arrays(*data: Tensor, num_arrays: int | None = None) -> list[Tensor]:
    """Write zeros into arrays; return nothing.

    Parameters
    ----------
    *data : Tensor
        The arrays; change in place.
    num_arrays : int, optional
        How many there are; checked if given.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.ones((2,))
    >>> mx.nd.reset_arrays(x, num_arrays=1)
    []
    >>> print(x.asnumpy())
    [0. 0.]
    """
    check_count("reset_arrays", len(data), num_arrays, "num_arrays")
    for one in data:
        one.detach().zero_()
    return []


def _lamb(
    name: str,
    weights: list[Tensor],
    grads: list[Tensor],
    states: tuple[Sequence[Tensor], Sequence[Tensor]],
    rates: tuple[Sequence[int], Sequence[float], Sequence[float]],
    constants: tuple[float, float, float],
    scale: float,
    bounds: tuple[float, float],
    clip: float,
    *,
    bias_correction: bool,
) -> list[Tensor]:
    """Update weights in place, and return them."""
    steps, lrs, wds = per_weight(
        name, len(weights), step_count=rates[0], lrs=rates[1], wds=rates[2]
    )
    beta1, beta2, epsilon = constants
    factors = {"scale": [scale] * len(weights), "wd": wds}
    if bias_correction:
        factors["rise"] = [1.0 / (1.0 - beta1**step) for step in steps]
        factors["spread"] = [1.0 / math.sqrt(1.0 - beta2**step) for step in steps]
    columns = [[state.detach() for state in column] for column in states]
    directions = lamb_directions(
        weights, grads, columns, factors, beta1=beta1, beta2=beta2, epsilon=epsilon, clip=clip
    )
    lengths, others = norms(weights), norms(directions)
    lower, upper = bounds
    if lower >= 0:
        lengths = lengths.clamp_min(lower)
    if upper >= 0:
        lengths = lengths.clamp_max(upper)
    ratios = torch.where((lengths == 0) | (others == 0), 1.0, lengths / others)
    for weight, direction, lr, ratio in zip(weights, directions, lrs, ratios, strict=True):
        weight.sub_(lr * ratio * direction)
    return weights


def _count(name: str, told: int, *lists: Sequence[Tensor]) -> int:
    """Return how many weights there are.

    Raises
    ------
    InvalidArgumentError
        Lists are of different lengths, empty, or not of the length that the caller has told.
    """
    counts = [len(one) for one in lists]
    if not counts[0] or len(set(counts)) > 1 or told not in (0, counts[0]):
        expected = "as many of each" if not told else f"{told} of each"
        msg = (
            f"{name}: lists of {', '.join(map(str, counts))} arrays were given. Expected "
            f"{expected}, one or more. Pass weights, gradients and states in the same order."
        )
        raise InvalidArgumentError(msg)
    return counts[0]
