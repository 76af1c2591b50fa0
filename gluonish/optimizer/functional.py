"""Updates of optimizers as pure functions on lists of tensors, for Trainer and fused steps alike.

Every function changes weights and states in place and returns nothing. Gradients come already
rescaled and clipped, without weight decay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from torch import Tensor

Rates: TypeAlias = "Sequence[float]"
Tensors: TypeAlias = "list[Tensor] | tuple[Tensor, ...]"


def rescale(grads: Tensors, scale: float, clip: float | None) -> Tensors:
    """Return gradients times `scale`, each element then within [-clip, clip]."""
    if scale != 1.0:
        grads = torch._foreach_mul(grads, scale)
    if clip is not None and clip >= 0:
        grads = torch._foreach_clamp_min(torch._foreach_clamp_max(grads, clip), -clip)
    return grads


def decay(grads: Tensors, weights: Tensors, wds: Rates) -> Tensors:
    """Return gradients plus weight decay."""
    if not any(wds):
        return grads
    if len(set(wds)) == 1:
        return torch._foreach_add(grads, weights, alpha=wds[0])
    return torch._foreach_add(grads, torch._foreach_mul(weights, list(wds)))


def descend(weights: Tensors, directions: Tensors, lrs: Rates) -> None:
    """Do w -= lr * direction."""
    if len(set(lrs)) == 1:
        torch._foreach_add_(weights, directions, alpha=-lrs[0])
    else:
        torch._foreach_sub_(weights, torch._foreach_mul(directions, list(lrs)))


def sgd(weights: Tensors, grads: Tensors, lrs: Rates, wds: Rates) -> None:
    """Do w -= lr * (g + wd * w)."""
    descend(weights, decay(grads, weights, wds), lrs)


def sgd_momentum(
    weights: Tensors,
    grads: Tensors,
    momenta: Tensors,
    lrs: Rates,
    wds: Rates,
    momentum: float,
) -> None:
    """Do m = momentum * m - lr * (g + wd * w), then w += m."""
    directions = decay(grads, weights, wds)
    torch._foreach_mul_(momenta, momentum)
    descend(momenta, directions, lrs)
    torch._foreach_add_(weights, momenta)


def nag(
    weights: Tensors,
    grads: Tensors,
    momenta: Tensors,
    lrs: Rates,
    wds: Rates,
    momentum: float,
) -> None:
    """Do m = momentum * m - lr * (g + wd * w), then w += momentum * m - lr * (g + wd * w).

    The momentum that is kept has the weight decay of the new weight, as MXNet 1.9.1's has.
    """
    directions = decay(grads, weights, wds)
    torch._foreach_mul_(momenta, momentum)
    lookahead = [m.clone() for m in momenta]
    descend(lookahead, directions, lrs)
    torch._foreach_add_(weights, lookahead, alpha=momentum)
    descend(weights, directions, lrs)
    descend(momenta, decay(grads, weights, wds), lrs)


def adam(
    weights: Tensors,
    grads: Tensors,
    means: Tensors,
    variances: Tensors,
    lrs: Rates,
    beta1: float,
    beta2: float,
    epsilon: float,
) -> None:
    """Do w -= lr * m / (sqrt(v) + epsilon); `lrs` hold the bias correction."""
    torch._foreach_lerp_(means, grads, 1.0 - beta1)
    torch._foreach_mul_(variances, beta2)
    torch._foreach_addcmul_(variances, grads, grads, value=1.0 - beta2)
    roots = torch._foreach_sqrt(variances)
    torch._foreach_add_(roots, epsilon)
    if len(set(lrs)) == 1:
        torch._foreach_addcdiv_(weights, means, roots, value=-lrs[0])
    else:
        descend(weights, torch._foreach_div(means, roots), lrs)
