"""Operators for one update of one weight, by the gradient itself; states change in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish.ops.table import op
from gluonish.ops.updates.rules import columns_of, factors_of, nag_, sgd_, signum_

if TYPE_CHECKING:
    from torch import Tensor


@op(nd="sgd_update")
def sgd_update(
    weight: Tensor,
    grad: Tensor,
    lr: float,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,  # noqa: ARG001 - gradients are dense
) -> Tensor:
    """Return a weight after one update of SGD.

    Parameters
    ----------
    weight, grad : Tensor, shape (*)
        The weight and its gradient.
    lr : float
        Learning rate per update.
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
    >>> mx.nd.sgd_update(w, w, lr=0.5).asnumpy()
    array([[0.5]], dtype=float32)
    """
    factors = factors_of(lr, wd, rescale_grad)
    updated = weight.clone()
    sgd_([updated], [grad], columns_of(), factors, momentum=0.0, clip=clip_gradient)
    return updated


@op(nd="sgd_mom_update", aux=("mom",))
def sgd_mom_update(
    weight: Tensor,
    grad: Tensor,
    mom: Tensor,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,  # noqa: ARG001 - gradients are dense
) -> Tensor:
    """Return a weight after one update of SGD with momentum.

    Parameters
    ----------
    weight, grad : Tensor, shape (*)
        The weight and its gradient.
    mom : Tensor
        Momentum; changes in place.
    lr : float
        Learning rate per update.
    momentum : float, default 0.0
        Share of the old momentum in the new one.
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
    >>> mx.nd.sgd_mom_update(w, w, mx.nd.zeros((1, 1)), lr=0.5).asnumpy()
    array([[0.5]], dtype=float32)
    """
    factors = factors_of(lr, wd, rescale_grad)
    updated = weight.clone()
    sgd_([updated], [grad], columns_of(mom), factors, momentum=momentum, clip=clip_gradient)
    return updated


@op(nd="nag_mom_update", aux=("mom",))
def nag_mom_update(
    weight: Tensor,
    grad: Tensor,
    mom: Tensor,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> Tensor:
    """Return a weight after one update of Nesterov's accelerated gradient.

    Parameters
    ----------
    weight, grad : Tensor, shape (*)
        The weight and its gradient.
    mom : Tensor
        Momentum; changes in place.
    lr : float
        Learning rate per update.
    momentum : float, default 0.0
        Share of the old momentum in the new one.
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
    >>> mx.nd.nag_mom_update(w, w, mx.nd.zeros((1, 1)), lr=0.5).asnumpy()
    array([[0.5]], dtype=float32)
    """
    factors = factors_of(lr, wd, rescale_grad)
    updated = weight.clone()
    nag_([updated], [grad], columns_of(mom), factors, momentum=momentum, clip=clip_gradient)
    return updated


@op(nd="mp_sgd_update", aux=("weight32",))
def mp_sgd_update(
    weight: Tensor,
    grad: Tensor,
    weight32: Tensor,
    lr: float,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,  # noqa: ARG001 - gradients are dense
) -> Tensor:
    """Return a half-precision weight after one update of SGD on its float32 copy.

    Parameters
    ----------
    weight, grad : Tensor, shape (*)
        The weight and its gradient.
    weight32 : Tensor
        The weight's float32 copy; changes in place.
    lr : float
        Learning rate per update.
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
    >>> w = mx.nd.array([[1.]], dtype='float16')
    >>> mx.nd.mp_sgd_update(w, w, mx.nd.array([[1.]]), lr=0.5).asnumpy()
    array([[0.5]], dtype=float16)
    """
    factors = factors_of(lr, wd, rescale_grad)
    master = weight32.detach()
    sgd_([master], [grad.float()], columns_of(), factors, momentum=0.0, clip=clip_gradient)
    return master.to(weight.dtype)


@op(nd="mp_sgd_mom_update", aux=("mom", "weight32"))
def mp_sgd_mom_update(
    weight: Tensor,
    grad: Tensor,
    mom: Tensor,
    weight32: Tensor,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,  # noqa: ARG001 - gradients are dense
) -> Tensor:
    """Return a half-precision weight after one update of SGD with momentum on its copy.

    Parameters
    ----------
    weight, grad : Tensor, shape (*)
        The weight and its gradient.
    mom : Tensor
        Momentum; changes in place.
    weight32 : Tensor
        The weight's float32 copy; changes in place.
    lr : float
        Learning rate per update.
    momentum : float, default 0.0
        Share of the old momentum in the new one.
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
    >>> w = mx.nd.array([[1.]], dtype='float16')
    >>> mx.nd.mp_sgd_mom_update(w, w, mx.nd.zeros((1, 1)), mx.nd.array([[1.]]), lr=0.5).asnumpy()
    array([[0.5]], dtype=float16)
    """
    factors = factors_of(lr, wd, rescale_grad)
    master = weight32.detach()
    sgd_([master], [grad.float()], columns_of(mom), factors, momentum=momentum, clip=clip_gradient)
    return master.to(weight.dtype)


@op(nd="mp_nag_mom_update", aux=("mom", "weight32"))
def mp_nag_mom_update(
    weight: Tensor,
    grad: Tensor,
    mom: Tensor,
    weight32: Tensor,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> Tensor:
    """Return a half-precision weight after one update of Nesterov's method on its copy.

    Parameters
    ----------
    weight, grad : Tensor, shape (*)
        The weight and its gradient.
    mom : Tensor
        Momentum; changes in place.
    weight32 : Tensor
        The weight's float32 copy; changes in place.
    lr : float
        Learning rate per update.
    momentum : float, default 0.0
        Share of the old momentum in the new one.
    wd : float, default 0.0
        Weight decay per update.
    rescale_grad : float, default 1.0
        Factor on the gradient.
    clip_gradient : float, default -1.0
        Each element of the gradient is kept within this bound; no bound below 0.

    Examples
    --------
    >>> import gluonish as mx
    >>> w = mx.nd.array([[1.]], dtype='float16')
    >>> mx.nd.mp_nag_mom_update(w, w, mx.nd.zeros((1, 1)), mx.nd.array([[1.]]), lr=0.5).asnumpy()
    array([[0.5]], dtype=float16)
    """
    factors = factors_of(lr, wd, rescale_grad)
    master = weight32.detach()
    nag_([master], [grad.float()], columns_of(mom), factors, momentum=momentum, clip=clip_gradient)
    return master.to(weight.dtype)


@op(nd="signsgd_update")
def signsgd_update(
    weight: Tensor,
    grad: Tensor,
    lr: float,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> Tensor:
    """Return a weight after one update of SignSGD.

    Parameters
    ----------
    weight, grad : Tensor, shape (*)
        The weight and its gradient.
    lr : float
        Learning rate per update.
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
    >>> mx.nd.signsgd_update(w, w, lr=0.5).asnumpy()
    array([[0.5]], dtype=float32)
    """
    factors = factors_of(lr, wd, rescale_grad)
    updated = weight.clone()
    signum_([updated], [grad], columns_of(), factors, momentum=0.0, wd_lh=0.0, clip=clip_gradient)
    return updated


@op(nd="signum_update", aux=("mom",))
def signum_update(
    weight: Tensor,
    grad: Tensor,
    mom: Tensor,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    wd_lh: float = 0.0,
) -> Tensor:
    """Return a weight after one update of Signum.

    Parameters
    ----------
    weight, grad : Tensor, shape (*)
        The weight and its gradient.
    mom : Tensor
        Momentum; changes in place.
    lr : float
        Learning rate per update.
    momentum : float, default 0.0
        Share of the old momentum in the new one.
    wd : float, default 0.0
        Weight decay per update.
    rescale_grad : float, default 1.0
        Factor on the gradient.
    clip_gradient : float, default -1.0
        Each element of the gradient is kept within this bound; no bound below 0.
    wd_lh : float, default 0.0
        Decoupled weight decay per update.

    Examples
    --------
    >>> import gluonish as mx
    >>> w = mx.nd.array([[1.]])
    >>> mx.nd.signum_update(w, w, mx.nd.zeros((1, 1)), lr=0.5).asnumpy()
    array([[0.5]], dtype=float32)
    """
    factors = factors_of(lr, wd, rescale_grad)
    updated = weight.clone()
    signum_(
        [updated],
        [grad],
        columns_of(mom),
        factors,
        momentum=momentum,
        wd_lh=wd_lh,
        clip=clip_gradient,
    )
    return updated
