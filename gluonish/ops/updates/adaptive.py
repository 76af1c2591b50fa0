"""Operators for one update of one weight, by squared gradients; states change in place."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gluonish.ops.table import op
from gluonish.ops.updates.rules import (
    adam_,
    columns_of,
    factors_of,
    ftml_,
    ftrl_,
    group_adagrad_,
    rmsprop_,
)

if TYPE_CHECKING:
    from torch import Tensor


@op(nd="adam_update", aux=("mean", "var"))
def adam_update(
    weight: Tensor,
    grad: Tensor,
    mean: Tensor,
    var: Tensor,
    lr: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,  # noqa: ARG001 - gradients are dense
) -> Tensor:
    """Return a weight after one update of Adam, without its correction of the learning rate.

    Parameters
    ----------
    weight, grad : Tensor, shape (*)
        The weight and its gradient.
    mean : Tensor
        Running mean of the gradient; changes in place.
    var : Tensor
        Running mean of its square; changes in place.
    lr : float
        Learning rate per update.
    beta1 : float, default 0.9
        Decay rate of the first mean per update.
    beta2 : float, default 0.999
        Decay rate of the second mean per update.
    epsilon : float, default 1e-8
        Keeps the division finite.
    wd : float, default 0.0
        Weight decay per update.
    rescale_grad : float, default 1.0
        Factor on the gradient.
    clip_gradient : float, default -1.0
        Each element of the gradient is kept within this bound; no bound below 0.
    lazy_update : bool, default True
        Matters for sparse gradients only, which gluonish does not have.

    Examples
    --------
    >>> import gluonish as mx
    >>> w = mx.nd.array([[1.]])
    >>> mx.nd.adam_update(w, w, *mx.nd.zeros((2, 1, 1)), lr=0.5).asnumpy().round(4)
    array([[-0.5811]], dtype=float32)
    """
    factors = factors_of(lr, wd, rescale_grad)
    updated = weight.clone()
    adam_(
        [updated],
        [grad],
        columns_of(mean, var),
        factors,
        beta1=beta1,
        beta2=beta2,
        epsilon=epsilon,
        clip=clip_gradient,
    )
    return updated


@op(nd="ftml_update", aux=("d", "v", "z"))
def ftml_update(
    weight: Tensor,
    grad: Tensor,
    d: Tensor,
    v: Tensor,
    z: Tensor,
    *,
    lr: float,
    t: int,
    beta1: float = 0.6,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_grad: float = -1.0,
) -> Tensor:
    """Return a weight after one update of FTML.

    Parameters
    ----------
    weight, grad : Tensor, shape (*)
        The weight and its gradient.
    d : Tensor
        Divisor of the last update; changes in place.
    v : Tensor
        Running mean of the squared gradient; changes in place.
    z : Tensor
        Leader; changes in place.
    lr : float
        Learning rate per update.
    t : int
        Number of this update, from 1.
    beta1 : float, default 0.6
        Decay rate of the first mean per update.
    beta2 : float, default 0.999
        Decay rate of the second mean per update.
    epsilon : float, default 1e-8
        Keeps the division finite.
    wd : float, default 0.0
        Weight decay per update.
    rescale_grad : float, default 1.0
        Factor on the gradient.
    clip_grad : float, default -1.0
        Each element of the gradient is kept within this bound; no bound below 0.

    Examples
    --------
    >>> import gluonish as mx
    >>> w = mx.nd.array([[1.]])
    >>> mx.nd.ftml_update(w, w, *mx.nd.zeros((3, 1, 1)), lr=0.5, t=1).asnumpy().round(4)
    array([[0.5]], dtype=float32)
    """
    factors = factors_of(lr / (1.0 - beta1**t), wd, rescale_grad)
    factors["spread"] = [1.0 / math.sqrt(1.0 - beta2**t)]
    updated = weight.clone()
    ftml_(
        [updated],
        [grad],
        columns_of(d, v, z),
        factors,
        beta1=beta1,
        beta2=beta2,
        epsilon=epsilon,
        clip=clip_grad,
    )
    return updated


@op(nd="ftrl_update", aux=("z", "n"))
def ftrl_update(
    weight: Tensor,
    grad: Tensor,
    z: Tensor,
    n: Tensor,
    lr: float,
    lamda1: float = 0.01,
    beta: float = 1.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> Tensor:
    """Return a weight after one update of Ftrl.

    Parameters
    ----------
    weight, grad : Tensor, shape (*)
        The weight and its gradient.
    z : Tensor
        Leader; changes in place.
    n : Tensor
        Sum or running mean of squared gradients; changes in place.
    lr : float
        Learning rate per update.
    lamda1 : float, default 0.01
        Strength of the L1 regularization.
    beta : float, default 1.0
        The larger, the smaller are the first steps.
    wd : float, default 0.0
        Weight decay per update.
    rescale_grad : float, default 1.0
        Factor on the gradient.
    clip_gradient : float, default -1.0
        Each element of the gradient is kept within this bound; no bound below 0.

    Examples
    --------
    >>> import gluonish as mx
    >>> w = mx.nd.array([[1.]])
    >>> mx.nd.ftrl_update(w, w, *mx.nd.zeros((2, 1, 1)), lr=0.5).asnumpy()
    array([[0.2475]], dtype=float32)
    """
    factors = factors_of(lr, wd, rescale_grad)
    updated = weight.clone()
    ftrl_(
        [updated], [grad], columns_of(z, n), factors, lamda1=lamda1, beta=beta, clip=clip_gradient
    )
    return updated


@op(nd="rmsprop_update", aux=("n",))
def rmsprop_update(
    weight: Tensor,
    grad: Tensor,
    n: Tensor,
    lr: float,
    gamma1: float = 0.95,
    epsilon: float = 1e-8,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    clip_weights: float = -1.0,
) -> Tensor:
    """Return a weight after one update of RMSProp.

    Parameters
    ----------
    weight, grad : Tensor, shape (*)
        The weight and its gradient.
    n : Tensor
        Sum or running mean of squared gradients; changes in place.
    lr : float
        Learning rate per update.
    gamma1 : float, default 0.95
        Decay rate of the means per update.
    epsilon : float, default 1e-8
        Keeps the division finite.
    wd : float, default 0.0
        Weight decay per update.
    rescale_grad : float, default 1.0
        Factor on the gradient.
    clip_gradient : float, default -1.0
        Each element of the gradient is kept within this bound; no bound below 0.
    clip_weights : float, default -1.0
        Each element of the weight is kept within this bound; no bound below 0.

    Examples
    --------
    >>> import gluonish as mx
    >>> w = mx.nd.array([[1.]])
    >>> mx.nd.rmsprop_update(w, w, mx.nd.zeros((1, 1)), lr=0.5).asnumpy().round(4)
    array([[-1.2361]], dtype=float32)
    """
    factors = factors_of(lr, wd, rescale_grad)
    updated = weight.clone()
    rmsprop_(
        [updated],
        [grad],
        columns_of(n),
        factors,
        gamma1=gamma1,
        gamma2=0.0,
        epsilon=epsilon,
        centered=False,
        clip_weights=clip_weights,
        clip=clip_gradient,
    )
    return updated


@op(nd="rmspropalex_update", aux=("n", "g", "delta"))
def rmspropalex_update(
    weight: Tensor,
    grad: Tensor,
    n: Tensor,
    g: Tensor,
    delta: Tensor,
    lr: float,
    gamma1: float = 0.95,
    gamma2: float = 0.9,
    epsilon: float = 1e-8,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    clip_weights: float = -1.0,
) -> Tensor:
    """Return a weight after one update of centered RMSProp.

    Parameters
    ----------
    weight, grad : Tensor, shape (*)
        The weight and its gradient.
    n : Tensor
        Sum or running mean of squared gradients; changes in place.
    g : Tensor
        Running mean of the gradient; changes in place.
    delta : Tensor
        Last step; changes in place.
    lr : float
        Learning rate per update.
    gamma1 : float, default 0.95
        Decay rate of the means per update.
    gamma2 : float, default 0.9
        Decay rate of the steps per update.
    epsilon : float, default 1e-8
        Keeps the division finite.
    wd : float, default 0.0
        Weight decay per update.
    rescale_grad : float, default 1.0
        Factor on the gradient.
    clip_gradient : float, default -1.0
        Each element of the gradient is kept within this bound; no bound below 0.
    clip_weights : float, default -1.0
        Each element of the weight is kept within this bound; no bound below 0.

    Examples
    --------
    >>> import gluonish as mx
    >>> w = mx.nd.array([[1.]])
    >>> mx.nd.rmspropalex_update(w, w, *mx.nd.zeros((3, 1, 1)), lr=0.5).asnumpy().round(4)
    array([[-1.2942]], dtype=float32)
    """
    factors = factors_of(lr, wd, rescale_grad)
    updated = weight.clone()
    rmsprop_(
        [updated],
        [grad],
        columns_of(n, g, delta),
        factors,
        gamma1=gamma1,
        gamma2=gamma2,
        epsilon=epsilon,
        centered=True,
        clip_weights=clip_weights,
        clip=clip_gradient,
    )
    return updated


@op(nd="contrib.group_adagrad_update", aux=("history",))
def group_adagrad_update(
    weight: Tensor,
    grad: Tensor,
    history: Tensor,
    lr: float,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    epsilon: float = 1e-5,
) -> Tensor:
    """Return a matrix after one update of GroupAdaGrad.

    Parameters
    ----------
    weight, grad : Tensor, shape (*)
        The weight and its gradient.
    history : Tensor
        Sum of mean squares, one for each row; changes in place.
    lr : float
        Learning rate per update.
    rescale_grad : float, default 1.0
        Factor on the gradient.
    clip_gradient : float, default -1.0
        Each element of the gradient is kept within this bound; no bound below 0.
    epsilon : float, default 1e-5
        Keeps the division finite.

    Examples
    --------
    >>> import gluonish as mx
    >>> w = mx.nd.array([[1.]])
    >>> state = mx.nd.zeros((1, 1))
    >>> mx.nd.contrib.group_adagrad_update(w, w, state, lr=0.5).asnumpy().round(4)
    array([[0.5]], dtype=float32)
    """
    factors = factors_of(lr, 0.0, rescale_grad)
    updated = weight.clone()
    group_adagrad_([updated], [grad], columns_of(history), factors, eps=epsilon, clip=clip_gradient)
    return updated
