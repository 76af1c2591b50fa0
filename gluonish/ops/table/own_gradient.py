"""Operators whose gradient is a rule of their own, whatever is computed from their result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable
from typing_extensions import override

from gluonish.process.replay_marks import compilable, opaque

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

Value: TypeAlias = "Callable[..., Tensor]"
Gradient: TypeAlias = "Callable[..., Tensor]"
Saved: TypeAlias = "Any"


def read_before(*numbers: float) -> None:
    """Refuse numbers that are text in the forward pass, where they are only used in the backward.

    The call is then repeated with the numbers that the text stands for.

    Raises
    ------
    TypeError
        There is text.
    """
    if str in map(type, numbers):
        msg = "text stands in the place of a number"
        raise TypeError(msg)


@compilable
@opaque  # since a recorder would see the value's functions, and none of the gradient's
def with_gradient(
    value: Value, gradient: Gradient, data: Tensor, label: Tensor, options: object = None
) -> Tensor:
    """Compute a value that has a gradient of its own.

    Parameters
    ----------
    value : callable
        Computes the result from `data` and `options`; a new tensor.
    gradient : callable
        Computes the gradient for `data` from the result, `label`, the head gradient and
        `options`.
    data : Tensor
        What is differentiated by.
    label : Tensor
        What `gradient` compares with; its own gradient is 0.
    options : object, optional
        What both need to know.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.table.own_gradient import with_gradient
    >>> x = torch.tensor([3.0], requires_grad=True)
    >>> copy, gap = lambda x, _: x.clone(), lambda y, label, head, _: y - label
    >>> y = with_gradient(copy, gap, x, torch.tensor([1.0]))
    >>> torch.autograd.grad(5 * y, x)
    (tensor([2.]),)
    """
    if not (data.requires_grad or label.requires_grad):
        return value(data, options)
    return _Own.apply(value, gradient, data, label, options)  # type: ignore[no-any-return,no-untyped-call]


class _Own(torch.autograd.Function):
    """torch's side of `with_gradient`."""

    @staticmethod
    @override
    def forward(
        ctx: Any, value: Value, gradient: Gradient, data: Tensor, label: Tensor, options: Any
    ) -> Tensor:
        result = value(data, options)
        ctx.save_for_backward(result, label)
        ctx.gradient, ctx.options = gradient, options
        return result

    @staticmethod
    @override
    def backward(ctx: Saved, *heads: Tensor) -> tuple[Tensor | None, ...]:
        # Only with create_graph=True is the gradient itself recorded.
        return _once(ctx, *heads) if torch.is_grad_enabled() else _gradients(ctx, *heads)


def _gradients(ctx: Saved, *heads: Tensor) -> tuple[Tensor | None, ...]:
    result, label = ctx.saved_tensors
    _, _, needs_data, needs_label, _ = ctx.needs_input_grad
    by_data = ctx.gradient(result, label, heads[0], ctx.options) if needs_data else None
    by_label = torch.zeros_like(label) if needs_label else None
    return None, None, by_data, by_label, None


_once = once_differentiable(_gradients)
