"""Identity that scales the gradient."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from typing_extensions import override

from gluonish.ops.table import op
from gluonish.ops.table.inference import elementwise
from gluonish.process.replay_marks import compilable, opaque

if TYPE_CHECKING:
    from typing import TypeAlias

    Saved: TypeAlias = Any


class _Scaled(torch.autograd.Function):
    """Identity whose gradient is a multiple of the one from above."""

    @staticmethod
    @override
    def forward(ctx: Saved, data: Tensor, scalar: float) -> Tensor:
        ctx.scalar = scalar
        return data.clone()

    @staticmethod
    @override
    def backward(ctx: Saved, *grads: Tensor) -> tuple[Tensor, None]:
        return grads[0] * ctx.scalar, None


@op(nd="contrib.gradientmultiplier", reverse=elementwise)
@compilable
@opaque
def gradientmultiplier(
    data: Tensor,
    scalar: float = 1.0,
    is_int: bool = True,  # noqa: ARG001 - how MXNet's compiler should write the number
) -> Tensor:
    """Return the same values; the gradient is multiplied by a number.

    Parameters
    ----------
    data : Tensor, any shape
        Values.
    scalar : float, default 1
        What the gradient is multiplied by; below 0, it is reversed.
    is_int : bool, default True
        Hint to MXNet about the number's type, which torch does not need.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([1, 2])
    >>> x.attach_grad()
    >>> with mx.autograd.record():
    ...     y = mx.nd.contrib.gradientmultiplier(x, scalar=-0.5)
    >>> y.backward()
    >>> x.grad.asnumpy()
    array([-0.5, -0.5], dtype=float32)
    """
    return _Scaled.apply(data, scalar)  # type: ignore[no-any-return,no-untyped-call]
