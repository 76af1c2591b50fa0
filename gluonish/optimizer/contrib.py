"""Optimizers that MXNet keeps in `mx.optimizer.contrib`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from typing_extensions import override

from gluonish.array import wrap
from gluonish.array.tensors import plain
from gluonish.errors import RefusedArgumentError
from gluonish.ops.updates.rules import group_adagrad_
from gluonish.optimizer.base import Optimizer, by_rule, register
from gluonish.optimizer.lazy import stand_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.array import NDArray

__all__ = ["GroupAdaGrad"]


@register
class GroupAdaGrad(Optimizer):
    """AdaGrad with one sum of squares for each row of a matrix, such as an embedding.

    `h += mean(g * g)` over each row and `w -= lr * g / sqrt(h + eps)`, where `g` is the rescaled
    and clipped gradient. There is no weight decay.

    Parameters
    ----------
    eps : float, default 1e-5
        Keeps the division finite.
    **kwargs
        Arguments of `Optimizer`.

    Raises
    ------
    RefusedArgumentError
        A weight is no matrix, or has weight decay.

    Examples
    --------
    >>> import gluonish as mx
    >>> optimizer = mx.optimizer.create('groupadagrad')
    >>> optimizer.create_state(0, mx.nd.ones((4, 3))).shape
    (4, 1)
    """

    def __init__(self, eps: float = 1e-5, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.float_stable_eps = eps

    @override
    def is_lazy(self, weight: NDArray) -> bool:
        return True

    @override
    def create_state(self, index: Any, weight: NDArray) -> NDArray:
        if weight.ndim != 2:
            msg = (
                f"GroupAdaGrad: weight {self.idx2name.get(index, index)!r} of shape {weight.shape} "
                f"was given. Expected a matrix. Train other weights with 'adagrad'."
            )
            raise RefusedArgumentError(msg)
        weight = stand_in(weight)
        return wrap(torch.zeros_like(plain(weight)[:, :1]), weight.context, type(weight))

    @override
    def factors(self, indices: Sequence[Any]) -> dict[str, list[float]]:
        factors = super().factors(indices)
        if "wd" in factors:
            msg = (
                f"GroupAdaGrad: wd={self.wd} was given. Weight decay is not supported for "
                f"GroupAdaGrad; expected 0. Leave wd out."
            )
            raise RefusedArgumentError(msg)
        return factors

    compute = by_rule(group_adagrad_, epsilon="float_stable_eps")
