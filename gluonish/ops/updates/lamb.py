"""Operators for one update of one weight by LAMB; states change in place."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from gluonish.ops.table import op
from gluonish.ops.updates.rules import columns_of, factors_of, lamb_directions


@op(nd="lamb_update_phase1", aux=("mean", "var"))
def lamb_update_phase1(
    weight: Tensor,
    grad: Tensor,
    mean: Tensor,
    var: Tensor,
    *,
    t: int,
    wd: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-6,
    bias_correction: bool = True,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> Tensor:
    """Return the direction of one update of LAMB.

    Parameters
    ----------
    weight, grad : Tensor, shape (*)
        The weight and its gradient.
    mean : Tensor
        Running mean of the gradient; changes in place.
    var : Tensor
        Running mean of its square; changes in place.
    t : int
        Number of this update, from 1.
    wd : float
        Weight decay per update.
    beta1 : float, default 0.9
        Decay rate of the first mean per update.
    beta2 : float, default 0.999
        Decay rate of the second mean per update.
    epsilon : float, default 1e-6
        Keeps the division finite.
    bias_correction : bool, default True
        Whether the means are corrected for their start at 0.
    rescale_grad : float, default 1.0
        Factor on the gradient.
    clip_gradient : float, default -1.0
        Each element of the gradient is kept within this bound; no bound below 0.

    Examples
    --------
    >>> import gluonish as mx
    >>> w, zeros = mx.nd.ones((1,)), mx.nd.zeros((2, 1))
    >>> mx.nd.lamb_update_phase1(w, w, *zeros, t=1, wd=0.5).asnumpy().round(4)
    array([1.5], dtype=float32)
    """
    columns = columns_of(mean, var)
    factors = factors_of(0.0, wd, rescale_grad)
    if bias_correction:
        factors |= {"rise": [1.0 / (1.0 - beta1**t)], "spread": [1.0 / math.sqrt(1.0 - beta2**t)]}
    return lamb_directions(
        [weight],
        [grad],
        columns,
        factors,
        beta1=beta1,
        beta2=beta2,
        epsilon=epsilon,
        clip=clip_gradient,
    )[0]


@op(nd="mp_lamb_update_phase1", aux=("mean", "var"))
def mp_lamb_update_phase1(
    weight: Tensor,  # noqa: ARG001 - MXNet's signature
    grad: Tensor,
    mean: Tensor,
    var: Tensor,
    weight32: Tensor,
    *,
    t: int,
    wd: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-6,
    bias_correction: bool = True,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> Tensor:
    """Return the direction of one update of LAMB for a weight with a float32 copy.

    Parameters
    ----------
    weight, grad : Tensor, shape (*)
        The weight, of which only the copy is used, and its gradient.
    mean : Tensor
        Running mean of the gradient; changes in place.
    var : Tensor
        Running mean of its square; changes in place.
    weight32 : Tensor
        The weight's float32 copy.
    t : int
        Number of this update, from 1.
    wd : float
        Weight decay per update.
    beta1 : float, default 0.9
        Decay rate of the first mean per update.
    beta2 : float, default 0.999
        Decay rate of the second mean per update.
    epsilon : float, default 1e-6
        Keeps the division finite.
    bias_correction : bool, default True
        Whether the means are corrected for their start at 0.
    rescale_grad : float, default 1.0
        Factor on the gradient.
    clip_gradient : float, default -1.0
        Each element of the gradient is kept within this bound; no bound below 0.

    Examples
    --------
    >>> import gluonish as mx
    >>> w, zeros = mx.nd.ones((1,)), mx.nd.zeros((2, 1))
    >>> half = w.astype('float16')
    >>> mx.nd.mp_lamb_update_phase1(half, half, *zeros, w, t=1, wd=0.5).asnumpy().round(4)
    array([1.5], dtype=float32)
    """
    return lamb_update_phase1(
        weight32,
        grad.float(),
        mean,
        var,
        t=t,
        wd=wd,
        beta1=beta1,
        beta2=beta2,
        epsilon=epsilon,
        bias_correction=bias_correction,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
    )


@op(nd="lamb_update_phase2")
def lamb_update_phase2(
    weight: Tensor,
    g: Tensor,
    r1: Tensor,
    r2: Tensor,
    lr: float,
    lower_bound: float = -1.0,
    upper_bound: float = -1.0,
) -> Tensor:
    """Return a weight after a step of LAMB along a direction.

    Parameters
    ----------
    weight : Tensor, shape (*)
        The weight.
    g : Tensor, shape (*)
        What `lamb_update_phase1` returned.
    r1, r2 : Tensor, shape (1)
        Norms of weight and direction.
    lr : float
        Learning rate per update.
    lower_bound : float, default -1.0
        Least norm of the weight in the ratio; none below 0.
    upper_bound : float, default -1.0
        Greatest norm of the weight in the ratio; none below 0.

    Examples
    --------
    >>> import gluonish as mx
    >>> w, norm = mx.nd.ones((1,)), mx.nd.ones((1,))
    >>> mx.nd.lamb_update_phase2(w, w, norm, norm, lr=0.5).asnumpy()
    array([0.5], dtype=float32)
    """
    length = r1.reshape(())
    if lower_bound >= 0:
        length = length.clamp_min(lower_bound)
    if upper_bound >= 0:
        length = length.clamp_max(upper_bound)
    other = r2.reshape(())
    ratio = torch.where((length == 0) | (other == 0), 1.0, length / other)
    return weight - lr * ratio * g


@op(nd="mp_lamb_update_phase2", aux=("weight32",))
def mp_lamb_update_phase2(
    weight: Tensor,
    g: Tensor,
    r1: Tensor,
    r2: Tensor,
    weight32: Tensor,
    lr: float,
    lower_bound: float = -1.0,
    upper_bound: float = -1.0,
) -> Tensor:
    """Return a half-precision weight after a step of LAMB on its float32 copy.

    Parameters
    ----------
    weight : Tensor, shape (*)
        The weight.
    g : Tensor, shape (*)
        What `mp_lamb_update_phase1` returned.
    r1, r2 : Tensor, shape (1)
        Norms of weight and direction.
    weight32 : Tensor
        The weight's float32 copy; changes in place.
    lr : float
        Learning rate per update.
    lower_bound : float, default -1.0
        Least norm of the weight in the ratio; none below 0.
    upper_bound : float, default -1.0
        Greatest norm of the weight in the ratio; none below 0.

    Examples
    --------
    >>> import gluonish as mx
    >>> w, norm = mx.nd.ones((1,)), mx.nd.ones((1,))
    >>> half = w.astype('float16')
    >>> mx.nd.mp_lamb_update_phase2(half, w, norm, norm, w, lr=0.5).asnumpy()
    array([0.5], dtype=float16)
    """
    master = weight32.detach()
    master.copy_(lamb_update_phase2(master, g, r1, r2, lr, lower_bound, upper_bound))
    return master.to(weight.dtype)
