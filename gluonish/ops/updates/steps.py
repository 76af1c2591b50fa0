"""Formulas of operators that optimizers do not share: in factors, signs or guards of their own."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as onp
import torch

from gluonish.array import tensor_lists
from gluonish.ops.updates.foreach import clipped, decayed, norms, roots_of_sums, scaled
from gluonish.ops.updates.rules import adamw_, ftml_, lamb_directions

if TYPE_CHECKING:
    from torch import Tensor

    from gluonish.ops.updates.foreach import Rates, Tensors
    from gluonish.ops.updates.rules import Batch


def adagrad_(*batch: *Batch, epsilon: float, clip: float) -> None:
    """Do one update of AdaGrad, with weight decay as a part of the gradient."""
    weights, grads, states, factors = batch
    (sums,) = states
    directions = clipped(scaled(grads, factors["scale"]), clip)
    directions = decayed(directions, weights, factors.get("wd"))
    tensor_lists.add_(sums, tensor_lists.mul(directions, directions))
    steps = tensor_lists.div(scaled(directions, factors["lr"]), roots_of_sums(sums, epsilon))
    tensor_lists.sub_(weights, steps)


def ftml_numbered_(*batch: *Batch, beta1: float, beta2: float, **constants: Any) -> None:
    """Do one update of FTML, whose number says how far the means are from their start."""
    weights, grads, states, factors = batch
    (number,), (lr,) = factors["t"], factors["lr"]
    if weights[0].dtype is torch.float16:
        beta1, beta2 = (float(onp.float16(beta)) for beta in (beta1, beta2))
    factors = {
        **factors,
        "lr": [lr / _gone(beta1, number, weights[0])],
        "spread": [1.0 / math.sqrt(_gone(beta2, number, weights[0]))],
    }
    ftml_(weights, grads, states, factors, beta1=beta1, beta2=beta2, **constants)


def adamw_unless_overflown_(*batch: *Batch, clip: float, **constants: Any) -> None:
    """Do one update of AdamW, or none where the factor on gradients is 0, infinite or NaN."""
    weights, grads, states, factors = batch
    constants["clip"] = clip if clip >= 0 else None
    rates = zip(factors["lr"], factors["eta"], factors.get("wd", [0.0] * len(weights)), strict=True)
    for weight, grad, *means, (lr, eta, wd) in zip(weights, grads, *states, rates, strict=True):
        scale = torch.as_tensor(factors["scale"][0], dtype=weight.dtype, device=weight.device)
        scale = scale.reshape(-1)[0]
        is_usable = scale.isfinite() & (scale != 0)
        arrays = [weight, *means]
        before = [array.clone() for array in arrays]
        weight.sub_(weight * (eta * wd))  # NaN where it is infinite, as in MXNet
        columns = [[mean] for mean in means]
        adamw_([weight], [grad], columns, {"lr": [eta * lr], "scale": [scale]}, **constants)
        for array, old in zip(arrays, before, strict=True):
            array.copy_(torch.where(is_usable, array, old))


def lamb_numbered(
    *batch: *Batch, beta1: float, beta2: float, bias_correction: bool, **constants: Any
) -> Tensors:
    """Return the directions of steps of LAMB, by the numbers of the updates."""
    weights, grads, states, factors = batch
    if bias_correction:
        numbers = factors["t"]
        pairs = list(zip(numbers, weights, strict=True))
        rise = [1.0 / _gone(beta1, *pair) for pair in pairs]
        spread = [1.0 / math.sqrt(_gone(beta2, *pair)) for pair in pairs]
        factors = {**factors, "rise": rise, "spread": spread}
    return lamb_directions(weights, grads, states, factors, beta1=beta1, beta2=beta2, **constants)


def _gone(beta: float, number: float, weight: Tensor) -> float:
    """Return how far means have come from their start; MXNet rounds each step to `float16`."""
    left: float = beta**number
    if weight.dtype is torch.float16:
        return float(onp.float16(1.0 - float(onp.float16(left))))
    return 1.0 - left


def lamb_(*batch: *Batch, lower: float, upper: float, **constants: Any) -> None:
    """Do one update of LAMB."""
    weights, _, _, factors = batch
    directions = lamb_numbered(*batch, **constants)
    lengths, others = norms(weights), norms(directions)
    _descend_by_norms_(weights, directions, lengths, others, factors["lr"], (lower, upper))


def lamb_along_(*batch: *Batch, lower: float, upper: float) -> None:
    """Do one update of LAMB along a direction, by the norms of weight and direction."""
    weights, directions, states, factors = batch
    lengths, others = (column[0].reshape(-1)[:1] for column in states)
    _descend_by_norms_(weights, directions, lengths, others, factors["lr"], (lower, upper))


def _descend_by_norms_(
    weights: Tensors,
    directions: Tensors,
    lengths: Tensor,
    others: Tensor,
    lrs: Rates,
    bounds: tuple[float, float],
) -> None:
    """Do weight -= lr * length / other * direction."""
    lower, upper = bounds
    if lower >= 0:
        lengths = lengths.clamp_min(lower)
    if upper >= 0:
        lengths = lengths.clamp_max(upper)
    ratios = torch.where((lengths == 0) | (others == 0), 1.0, lengths / others)
    for weight, direction, lr, ratio in zip(weights, directions, lrs, ratios, strict=True):
        weight.sub_(lr * ratio * direction)
