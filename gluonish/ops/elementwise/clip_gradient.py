"""The gradient of large arrays that are clipped, in one pass over memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp
import torch
from torch import Tensor
from typing_extensions import override

from gluonish.process.replay_marks import compilable, opaque

if TYPE_CHECKING:
    from typing import TypeAlias

Saved: TypeAlias = "Any"

LEAST = 2**14
"""Elements from which on it pays: an `autograd.Function` takes some microseconds."""


@compilable
@opaque  # since a recorder would see the value's functions, and none of the gradient's
def clip_recorded(data: Tensor, low: float, high: float) -> Tensor:
    """Return float32 values cut to a range, recorded for their gradient.

    torch's own gradient of `clamp` makes two masks, joins them, and chooses by them: with ReLU6
    everywhere, a quarter of a training step.

    Examples
    --------
    >>> from gluonish.ops.elementwise.clip_gradient import clip_recorded
    >>> x = torch.tensor([-1.0, 0.0, 6.0, 7.0], requires_grad=True)
    >>> torch.autograd.grad(clip_recorded(x, 0, 6).sum(), x)
    (tensor([0., 1., 1., 0.]),)
    """
    return _Clip.apply(data, low, high)  # type: ignore[no-any-return,no-untyped-call]


class _Clip(torch.autograd.Function):
    """torch's side of `clip_recorded`."""

    @staticmethod
    @override
    def forward(ctx: Any, data: Tensor, low: float, high: float) -> Tensor:
        ctx.save_for_backward(data)
        ctx.bounds = low, high
        return torch.clamp(data, low, high)

    @staticmethod
    @override
    def backward(ctx: Any, *heads: Tensor) -> tuple[Tensor | None, ...]:
        # Only with create_graph=True is the gradient itself recorded.
        if not torch.is_grad_enabled():
            return _in_one_pass(ctx, *heads)
        (data,) = ctx.saved_tensors
        low, high = ctx.bounds
        passes = (data.detach() >= low) & (data.detach() <= high)
        return torch.where(passes, heads[0], 0), None, None


def _in_one_pass(ctx: Saved, *heads: Tensor) -> tuple[Tensor | None, ...]:
    (data,) = ctx.saved_tensors
    low, high = (onp.float32(bound) for bound in ctx.bounds)
    # Its bounds let nothing pass, ours do: the numbers next to them are the same for it.
    below = float(onp.nextafter(low, onp.float32(-onp.inf)))
    above = float(onp.nextafter(high, onp.float32(onp.inf)))
    return torch.ops.aten.hardtanh_backward(heads[0], data, below, above), None, None
