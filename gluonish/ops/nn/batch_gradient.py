"""Gradient of batch normalization that was recorded in prediction mode, as MXNet has it."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from typing_extensions import override

from gluonish.process.recording import differentiation
from gluonish.process.replay_marks import compilable, opaque


@compilable
@opaque
def normalize_recorded(
    data: Tensor, gamma: Tensor | None, beta: Tensor, mean: Tensor, variance: Tensor, eps: float
) -> Tensor:
    """Normalize by given mean and variance, so that `backward(train_mode=...)` decides.

    Parameters
    ----------
    data : Tensor, shape (batch, channels, *)
        Floating-point numbers.
    gamma : Tensor, shape (channels,), or None
        Scale; None counts as 1.
    beta, mean, variance : Tensor, shape (channels,)
        Shift, and what to normalize by.
    eps : float
        Added to the variance.

    Notes
    -----
    MXNet chooses the formula of the gradient when `backward()` runs, in training mode unless it
    is told otherwise: mean and variance then count as the batch's, although their values are the
    moving averages. With `train_mode=False` they are constants.

    References
    ----------
    Agrees with what MXNet 1.9.1 computes; its `src/operator/nn/batch_norm.cc` fixes it.
    """
    return _Normalize.apply(data, gamma, beta, mean, variance, eps)  # type: ignore[no-untyped-call,no-any-return]


class _Normalize(torch.autograd.Function):
    """torch's side of `normalize_recorded`."""

    @staticmethod
    @override
    def forward(
        ctx: Any,
        data: Tensor,
        gamma: Tensor | None,
        beta: Tensor,
        mean: Tensor,
        variance: Tensor,
        eps: float,
    ) -> Tensor:
        # Copies: the moving averages may be moved before the gradient is computed.
        ctx.save_for_backward(data, gamma, mean.clone(), variance.clone())
        ctx.eps = eps
        return torch.batch_norm(data, gamma, beta, mean, variance, False, 0.0, eps, True)

    @staticmethod
    @override
    def backward(ctx: Any, *grads: Tensor) -> Any:
        data, gamma, mean, variance = ctx.saved_tensors
        shape = (1, -1, *(1,) * (data.dim() - 2))
        axes = [axis for axis in range(data.dim()) if axis != 1]
        grad = grads[0].to(mean.dtype)
        centred = data.to(mean.dtype) - mean.view(shape)
        inverse = (variance + ctx.eps).rsqrt()
        total, product = grad.sum(axes), (grad * centred).sum(axes)
        scale = inverse if gamma is None else inverse * gamma
        if differentiation.as_training:
            count = max(data.numel() // max(mean.numel(), 1), 1)
            slope = product * inverse * inverse / count
            grad = grad - (total / count).view(shape) - centred * slope.view(shape)
        by_gamma = None if gamma is None else product * inverse
        by_data = (grad * scale.view(shape)).to(data.dtype)
        return by_data, by_gamma, total, None, None, None
