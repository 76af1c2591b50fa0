"""Operators for one update of one weight by AdamW; states change in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.ops.table import op
from gluonish.ops.updates.rules import adamw_

if TYPE_CHECKING:
    from collections.abc import Sequence


@op(nd=("_internal._adamw_update", "contrib.adamw_update"), aux=("mean", "var"))
def adamw_update(
    weight: Tensor,
    grad: Tensor,
    mean: Tensor,
    var: Tensor,
    rescale_grad: Tensor | float,
    lr: float,
    eta: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    wd: float = 0.0,
    clip_gradient: float = -1.0,
) -> Tensor:
    """Return a weight after one update of AdamW, without its correction of the learning rate.

    `w - eta * (lr * m / (sqrt(v) + epsilon) + wd * w)`. Nothing changes where `rescale_grad` is 0,
    infinite or NaN, as a scale of the loss that ran over makes it.

    Parameters
    ----------
    weight, grad : Tensor, shape (*)
        The weight and its gradient.
    mean : Tensor
        Running mean of the gradient; changes in place.
    var : Tensor
        Running mean of its square; changes in place.
    rescale_grad : Tensor, shape (1), or float
        Factor on the gradient.
    lr : float
        Learning rate per update.
    eta : float
        Factor on learning rate and weight decay.
    beta1 : float, default 0.9
        Decay rate of the first mean per update.
    beta2 : float, default 0.999
        Decay rate of the second mean per update.
    epsilon : float, default 1e-8
        Keeps the division finite.
    wd : float, default 0.0
        Weight decay per update.
    clip_gradient : float, default -1.0
        Each element of the gradient is kept within this bound; no bound up to 0.

    Examples
    --------
    >>> import gluonish as mx
    >>> w, zeros = mx.nd.ones((1,)), mx.nd.zeros((2, 1))
    >>> mx.nd.contrib.adamw_update(w, w, *zeros, 1.0, lr=0.5, eta=0.1).asnumpy().round(4)
    array([0.8419], dtype=float32)
    """
    return adamw(
        weight.clone(),
        grad,
        (mean, var),
        rescale_grad,
        (lr, eta, wd),
        (beta1, beta2),
        epsilon,
        clip_gradient,
    )


@op(nd=("_internal._mp_adamw_update", "contrib.mp_adamw_update"), aux=("mean", "var", "weight32"))
def mp_adamw_update(
    weight: Tensor,
    grad: Tensor,
    mean: Tensor,
    var: Tensor,
    weight32: Tensor,
    rescale_grad: Tensor | float,
    lr: float,
    eta: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    wd: float = 0.0,
    clip_gradient: float = -1.0,
) -> Tensor:
    """Return a half-precision weight after one update of AdamW on its float32 copy.

    See `adamw_update`.

    Parameters
    ----------
    weight, grad : Tensor, shape (*)
        The weight and its gradient.
    mean : Tensor
        Running mean of the gradient; changes in place.
    var : Tensor
        Running mean of its square; changes in place.
    weight32 : Tensor
        The weight's float32 copy; changes in place.
    rescale_grad : Tensor, shape (1), or float
        Factor on the gradient.
    lr : float
        Learning rate per update.
    eta : float
        Factor on learning rate and weight decay.
    beta1 : float, default 0.9
        Decay rate of the first mean per update.
    beta2 : float, default 0.999
        Decay rate of the second mean per update.
    epsilon : float, default 1e-8
        Keeps the division finite.
    wd : float, default 0.0
        Weight decay per update.
    clip_gradient : float, default -1.0
        Each element of the gradient is kept within this bound; no bound up to 0.

    Examples
    --------
    >>> import gluonish as mx
    >>> w, zeros = mx.nd.ones((1,)), mx.nd.zeros((2, 1))
    >>> half = w.astype('float16')
    >>> mx.nd.contrib.mp_adamw_update(half, half, *zeros, w, 1.0, lr=0.5, eta=0.1).asnumpy()
    array([0.842], dtype=float16)
    """
    updated = adamw(
        weight32.detach(),
        grad.float(),
        (mean, var),
        rescale_grad,
        (lr, eta, wd),
        (beta1, beta2),
        epsilon,
        clip_gradient,
    )
    return updated.to(weight.dtype)


def adamw(
    updated: Tensor,
    grad: Tensor,
    states: Sequence[Tensor],
    scale: Tensor | float,
    rates: tuple[float, float, float],
    betas: tuple[float, float],
    epsilon: float,
    clip: float,
) -> Tensor:
    """Update a tensor in place unless the scale forbids it."""
    scale = torch.as_tensor(scale, dtype=updated.dtype, device=updated.device).reshape(())
    is_usable = scale.isfinite() & (scale != 0)
    arrays = [updated, *(state.detach() for state in states)]
    before = [array.clone() for array in arrays]
    lr, eta, wd = rates
    updated.mul_(1.0 - eta * wd)
    adamw_(
        arrays[:1],
        [grad],
        [[state] for state in arrays[1:]],
        {"lr": [eta * lr], "scale": [scale]},
        beta1=betas[0],
        beta2=betas[1],
        epsilon=epsilon,
        clip=clip if clip > 0 else None,
    )
    for array, old in zip(arrays, before, strict=True):
        array.copy_(torch.where(is_usable, array, old))
    return updated
