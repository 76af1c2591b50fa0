"""What LARS needs beside updates: learning rates by layer, and arrays of norms that start anew."""

from __future__ import annotations

import torch
from torch import Tensor

from gluonish.ops.table import op
from gluonish.ops.table.variadic import check_count
from gluonish.process.postponed import settle_all


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
    settle_all()
    for one in data:
        one.detach().zero_()
    return []
