"""Functions of parameters alone that a rewritten graph needs once: folded and packed weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish.process.torch_names import pack_filters, pack_matrix

if TYPE_CHECKING:
    from torch import Tensor


def scaled(weight: Tensor, gamma: Tensor | None, variance: Tensor, eps: float) -> Tensor:
    """Return a weight whose products come out normalized, but for the shift.

    Parameters
    ----------
    weight : Tensor, shape (channels, *)
        Filters, or the rows of a matrix.
    gamma : Tensor, shape (channels,), or None
        Scale of the normalization; None counts as 1.
    variance : Tensor, shape (channels,)
        What it divides by.
    eps : float
        Added to the variance.
    """
    factor = _factor(gamma, variance, eps).view(-1, *(1,) * (weight.dim() - 1))
    return (weight.to(factor.dtype) * factor).to(weight.dtype)


def shifted(
    bias: Tensor | None,
    gamma: Tensor | None,
    beta: Tensor | None,
    mean: Tensor,
    variance: Tensor,
    eps: float,
    weight: Tensor,
) -> Tensor:
    """Return the bias that goes with `scaled`, of the dtype of the weight."""
    centre = -mean if bias is None else bias.to(mean.dtype) - mean
    shift = centre * _factor(gamma, variance, eps)
    return (shift if beta is None else shift + beta).to(weight.dtype)


def _factor(gamma: Tensor | None, variance: Tensor, eps: float) -> Tensor:
    inverse = (variance + eps).rsqrt()
    return inverse if gamma is None else inverse * gamma


def packed_filters(
    weight: Tensor,
    padding: tuple[int, int],
    stride: tuple[int, int],
    dilation: tuple[int, int],
    groups: int,
) -> Tensor:
    """Return filters in the order that oneDNN's convolution wants, whatever the batch."""
    packed: Tensor = pack_filters(weight, padding, stride, dilation, groups, None)
    return packed


def packed_matrix(weight: Tensor) -> Tensor:
    """Return a matrix in the order that oneDNN's product wants, whatever the batch."""
    packed: Tensor = pack_matrix(weight.contiguous(), None)
    return packed
