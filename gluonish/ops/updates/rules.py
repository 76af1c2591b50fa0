"""Update rules of optimizers: formulas that change lists of weights and of their states in place.

`states` holds, for each array in a weight's state, the list of those of all weights; `factors` the
numbers that change from step to step: learning rates `lr`, weight decays `wd` (left out where all
are 0), and `scale`, the factors on the gradients.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish.array import tensor_lists
from gluonish.ops.updates.foreach import (
    average_,
    average_squares_,
    clipped,
    decay_,
    decayed,
    descend_,
    descend_quotients_,
    descend_with_momentum_,
    divided,
    fade_,
    held,
    roots,
    roots_of_sums,
    scaled,
    scaled_add_,
    shift_,
    shrink_,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from torch import Tensor

    from gluonish.ops.updates.foreach import Rates, Tensors

Columns: TypeAlias = "list[list[Tensor]]"
Factors: TypeAlias = "Mapping[str, Rates]"
Batch: TypeAlias = "tuple[Tensors, Tensors, Columns, Factors]"
"""What all rules receive: weights, gradients, states and factors."""


def sgd_(*batch: *Batch, momentum: float, clip: float | None) -> None:
    """Do one update of SGD."""
    weights, grads, states, factors = batch
    lrs, scales, wds = factors["lr"], factors["scale"], factors.get("wd")
    if not states:
        if wds is not None:
            decay_(weights, weights, lrs, wds)
        descend_(weights, grads, lrs, scales, clip)
        return
    (momenta,) = states
    if clip is None and descend_with_momentum_(weights, grads, momenta, lrs, scales, wds, momentum):
        return
    shrink_(momenta, momentum)
    decay_(momenta, weights, lrs, wds)
    descend_(momenta, grads, lrs, scales, clip)
    tensor_lists.add_(weights, momenta)


def sgd_once_(*batch: *Batch, clip: float | None) -> None:
    """Do one update of SGD of a weight by itself: MXNet shrinks that before it is changed."""
    weights, grads, _, factors = batch
    fade_(weights, factors["lr"], factors.get("wd"))
    descend_(weights, grads, factors["lr"], factors["scale"], clip)


def nag_(*batch: *Batch, momentum: float, clip: float | None) -> None:
    """Do one update of NAG."""
    weights, grads, states, factors = batch
    lrs, scales, wds = factors["lr"], factors["scale"], factors.get("wd")
    if not states:
        sgd_once_(*batch, clip=clip)
        return
    (momenta,) = states
    decay_(weights, weights, lrs, wds, 1.0 + momentum)
    shrink_(momenta, momentum)
    descend_(momenta, grads, lrs, scales, clip)
    tensor_lists.add_(weights, momenta, alpha=momentum)
    descend_(weights, grads, lrs, scales, clip)
    decay_(momenta, weights, lrs, wds)


def signum_(*batch: *Batch, momentum: float, wd_lh: float, clip: float | None) -> None:
    """Do one update of Signum."""
    weights, grads, states, factors = batch
    lrs, wds = factors["lr"], factors.get("wd")
    if not states:  # as in MXNet whatever the scale is, also below 0
        fade_(weights, lrs, wds)
        scaled_add_(weights, tensor_lists.sign(grads), lrs, -1.0)
        return
    (momenta,) = states
    directions = clipped(scaled(grads, factors["scale"]), clip)
    average_(momenta, tensor_lists.neg(decayed(directions, weights, wds)), held(momentum, momenta))
    if wd_lh:
        fade_(weights, lrs, [wd_lh] * len(weights))
    scaled_add_(weights, tensor_lists.sign(momenta), lrs)


def adam_(*batch: *Batch, beta1: float, beta2: float, epsilon: float, clip: float | None) -> None:
    """Do one update of Adam."""
    weights, grads, states, factors = batch
    means, variances = states
    directions = decayed_and_clipped(grads, weights, factors, clip)
    average_(means, directions, held(beta1, means))
    average_squares_(variances, directions, held(beta2, variances))
    descend_quotients_(weights, means, roots(variances, epsilon), factors["lr"])


def adamw_(*batch: *Batch, beta1: float, beta2: float, epsilon: float, clip: float | None) -> None:
    """Do one update of AdamW."""
    weights, grads, states, factors = batch
    means, variances = states
    directions = clipped(scaled(grads, factors["scale"]), clip)
    average_(means, directions, held(beta1, means))
    average_squares_(variances, directions, held(beta2, variances))
    decay_(weights, weights, factors["lr"], factors.get("wd"))
    descend_quotients_(weights, means, roots(variances, epsilon), factors["lr"])


def ftml_(*batch: *Batch, beta1: float, beta2: float, epsilon: float, clip: float | None) -> None:
    """Do one update of FTML."""
    weights, grads, states, factors = batch
    divisors, variances, leaders = states
    directions = decayed_and_clipped(grads, weights, factors, clip)
    average_squares_(variances, directions, held(beta2, variances))
    widths = tensor_lists.add(scaled(tensor_lists.sqrt(variances), factors["spread"]), epsilon)
    following = divided(widths, factors["lr"])
    average_(leaders, directions, held(beta1, leaders))
    growth = tensor_lists.sub(following, divisors, alpha=beta1)
    tensor_lists.addcmul_(leaders, growth, weights, value=-1.0)
    tensor_lists.copy_(divisors, following)
    tensor_lists.copy_(weights, tensor_lists.neg(tensor_lists.div(leaders, following)))


def rmsprop_(
    *batch: *Batch,
    gamma1: float,
    gamma2: float,
    epsilon: float,
    centered: bool,
    clip_weights: float | None,
    clip: float | None,
) -> None:
    """Do one update of RMSProp."""
    weights, grads, states, factors = batch
    directions = decayed_and_clipped(grads, weights, factors, clip)
    average_squares_(states[0], directions, held(gamma1, states[0]))
    if centered:
        squares, means, steps = states
        average_(means, directions, held(gamma1, means))
        spreads = tensor_lists.addcmul(squares, means, means, value=-1.0)
        tensor_lists.mul_(steps, gamma2)
        divisors = roots_of_sums(spreads, epsilon)
        descend_quotients_(steps, directions, divisors, factors["lr"])
        tensor_lists.add_(weights, steps)
    else:
        divisors = roots_of_sums(states[0], epsilon)
        descend_quotients_(weights, directions, divisors, factors["lr"])
    if clip_weights is not None and clip_weights >= 0:
        tensor_lists.copy_(weights, clipped(weights, clip_weights))


def ftrl_(*batch: *Batch, lamda1: float, beta: float, clip: float | None) -> None:
    """Do one update of Ftrl."""
    weights, grads, states, factors = batch
    leaders, squares = states
    directions = clipped(scaled(grads, factors["scale"]), clip)
    before = tensor_lists.sqrt(squares)
    tensor_lists.addcmul_(squares, directions, directions)
    after = tensor_lists.sqrt(squares)
    growth = divided(tensor_lists.sub(after, before), factors["lr"])
    tensor_lists.add_(leaders, directions)
    tensor_lists.addcmul_(leaders, growth, weights, value=-1.0)
    divisors = divided(tensor_lists.add(after, beta), factors["lr"])
    if "wd" in factors:
        shift_(divisors, factors["wd"])
    kept = clipped(leaders, lamda1)
    if lamda1 < 0:
        kept = tensor_lists.mul(tensor_lists.sign(leaders), lamda1)
    shrunk = tensor_lists.sub(kept, leaders)
    tensor_lists.copy_(weights, tensor_lists.div(shrunk, divisors))


def group_adagrad_(*batch: *Batch, epsilon: float, clip: float | None) -> None:
    """Do one update of GroupAdaGrad."""
    weights, grads, states, factors = batch
    (sums,) = states
    directions = clipped(scaled(grads, factors["scale"]), clip)
    squares = tensor_lists.mul(directions, directions)
    tensor_lists.add_(sums, [square.mean(1, keepdim=True) for square in squares])
    divisors = roots_of_sums(sums, epsilon)
    descend_quotients_(weights, directions, divisors, factors["lr"])


def lamb_directions(
    *batch: *Batch, beta1: float, beta2: float, epsilon: float, clip: float | None
) -> Tensors:
    """Update the means of LAMB and return the directions of its steps.

    The means are corrected by the factors `rise` and `spread`, where there are any.
    """
    weights, grads, states, factors = batch
    means: Tensors
    means, variances = states
    directions = clipped(scaled(grads, factors["scale"]), clip)
    average_(means, directions, held(beta1, means))
    average_squares_(variances, directions, held(beta2, variances))
    deviations: Tensors = list(tensor_lists.sqrt(variances))
    if "rise" in factors:
        means = scaled(means, factors["rise"])
        deviations = scaled(deviations, factors["spread"])
    steps = tensor_lists.div(means, tensor_lists.add(deviations, epsilon))
    return decayed(steps, weights, factors.get("wd"))


def decayed_and_clipped(
    grads: Tensors, weights: Tensors, factors: Factors, clip: float | None
) -> Tensors:
    """Return rescaled gradients plus weight decay, clipped."""
    directions = decayed(scaled(grads, factors["scale"]), weights, factors.get("wd"))
    return clipped(directions, clip)
