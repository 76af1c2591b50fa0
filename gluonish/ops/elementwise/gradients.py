"""Identities and steps whose gradient is another: stopped, started, scaled, passed through."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from typing_extensions import override

from gluonish.errors import InvalidArgumentError
from gluonish.ops.elementwise.arithmetic import multiply
from gluonish.ops.elementwise.rounding import round_half_away
from gluonish.ops.elementwise.scalar import beside_a_number
from gluonish.ops.table import EITHER, FULL, Graph, Sparse, op
from gluonish.ops.table.inference import elementwise
from gluonish.ops.table.own_gradient import read_before
from gluonish.process.replay_marks import compilable, opaque

if TYPE_CHECKING:
    from typing import TypeAlias


@op(
    nd=("_internal._copy", "identity"),
    reverse=elementwise,
    precision=EITHER,
    sparse=Sparse("keeps zeros"),
)
def identity(data: Tensor) -> Tensor:
    """Return a copy; the gradient passes unchanged.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.identity(mx.nd.array([1, 2])).asnumpy()
    array([1., 2.], dtype=float32)
    """
    return data.clone()


@op(
    nd=("BlockGrad", "stop_gradient"),
    npx="stop_gradient",
    reverse=elementwise,
    graph=Graph(is_loss=True),
    precision=EITHER,
    sparse=Sparse("keeps zeros", names=("stop_gradient",)),
)
def stop_gradient(data: Tensor) -> Tensor:
    """Return the same values as a constant: no gradient passes.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([3])
    >>> x.attach_grad()
    >>> with mx.autograd.record():
    ...     y = x * mx.nd.stop_gradient(x)
    >>> y.backward()
    >>> x.grad.asnumpy()
    array([3.], dtype=float32)
    """
    return data.detach().clone()


Saved: TypeAlias = Any
"""What torch hands to both directions of a function of its own."""


class _Loss(torch.autograd.Function):
    """Identity whose gradient is a constant, whatever comes from above."""

    @staticmethod
    @override
    def forward(ctx: Saved, data: Tensor, scale: Tensor | float) -> Tensor:
        ctx.scale = scale
        ctx.save_for_backward(data)
        return data.clone()

    @staticmethod
    @override
    def backward(ctx: Saved, *_: Tensor) -> tuple[Tensor, None]:
        (data,) = ctx.saved_tensors
        return torch.ones_like(data) * ctx.scale, None


@op(
    nd="make_loss",
    output_names=("loss",),
    reverse=elementwise,
    graph=Graph(is_loss=True),
    precision=FULL,
    sparse=Sparse("keeps zeros", names=("make_loss",)),
)
@compilable
@opaque
def make_loss(data: Tensor) -> Tensor:
    """Mark a loss: its gradient is 1, whatever is computed from it.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([3])
    >>> x.attach_grad()
    >>> with mx.autograd.record():
    ...     y = 5 * mx.nd.make_loss(2 * x)
    >>> y.backward()
    >>> x.grad.asnumpy()
    array([2.], dtype=float32)
    """
    return _Loss.apply(data, 1.0)  # type: ignore[no-any-return,no-untyped-call]


@op(
    nd="MakeLoss",
    reverse=elementwise,
    graph=Graph(names_input=True, is_loss=True),
    precision=FULL,
    choices={"normalization": ("batch", "null", "valid")},
)
@compilable
@opaque
def scaled_loss(
    data: Tensor,
    grad_scale: float = 1.0,
    valid_thresh: float = 0.0,
    normalization: str = "null",
) -> Tensor:
    """Mark a loss: its gradient is `grad_scale`, whatever is computed from it.

    Parameters
    ----------
    data : Tensor, any shape
        Values of the loss.
    grad_scale : float, default 1.0
        The gradient of each element.
    valid_thresh : float, default 0.0
        With 'valid', elements above this count.
    normalization : {'null', 'batch', 'valid'}, default 'null'
        Whether to divide by the number of rows (all axes but the last, as MXNet counts them) or by
        the number of valid elements.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([[3], [4]])
    >>> x.attach_grad()
    >>> with mx.autograd.record():
    ...     y = mx.nd.MakeLoss(2 * x, normalization='batch')
    >>> y.backward()
    >>> x.grad.asnumpy()
    array([[1.],
           [1.]], dtype=float32)
    """
    if normalization not in ("null", "batch", "valid"):
        msg = (
            f"MakeLoss: normalization={normalization!r} was given. Expected 'null', 'batch' or "
            f"'valid'. Leave normalization out for no division."
        )
        raise InvalidArgumentError(msg)
    read_before(grad_scale)
    scale: Tensor | float = grad_scale
    if normalization == "batch":
        scale = grad_scale * data.shape[-1] / max(data.numel(), 1)
    elif normalization == "valid":
        scale = grad_scale / (data > valid_thresh).sum().clamp(min=1)
    return _Loss.apply(data, scale)  # type: ignore[no-any-return,no-untyped-call]


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


@op(nd="contrib.gradientmultiplier", reverse=elementwise, precision=EITHER)
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
    read_before(scalar)
    return _Scaled.apply(data, scalar)  # type: ignore[no-any-return,no-untyped-call]


@op(nd="contrib.backward_gradientmultiplier", reverse=elementwise)
def backward_gradientmultiplier(
    data: Tensor,
    scalar: float = 1.0,
    is_int: bool = True,
) -> Tensor:
    """Return the values times a number: what `gradientmultiplier` makes of gradients.

    Parameters
    ----------
    data : Tensor, any shape
        Values.
    scalar : float, default 1
        What they are multiplied by.
    is_int : bool, default True
        Whether the number is an integer; beside integers another one makes float64.

    Examples
    --------
    >>> import gluonish as mx
    >>> print(mx.nd.contrib.backward_gradientmultiplier(mx.nd.ones((2,)), scalar=3).asnumpy())
    [3. 3.]
    """
    return multiply(beside_a_number(data, is_int), scalar)


class _Straight(torch.autograd.Function):
    """A result whose gradient is that of something else."""

    @staticmethod
    @override
    def forward(ctx: Saved, result: Tensor, data: Tensor) -> Tensor:
        return result.clone()

    @staticmethod
    @override
    def backward(ctx: Saved, *heads: Tensor) -> tuple[None, Tensor]:
        return None, heads[0]


@compilable
@opaque
def straight(result: Tensor, data: Tensor) -> Tensor:
    """Return the result with the gradient of the data.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.elementwise.gradients import straight
    >>> x = torch.tensor([0.4, 2.5], requires_grad=True)
    >>> straight(x.detach().round(), x * 3).sum().backward()
    >>> x.grad
    tensor([3., 3.])
    """
    return _Straight.apply(result, data)  # type: ignore[no-any-return,no-untyped-call]


@op(nd="contrib.round_ste", reverse=elementwise)
def round_ste(data: Tensor) -> Tensor:
    """Round to the nearest integer, halves away from 0; the gradient is passed on as it is.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.contrib.round_ste(mx.nd.array([0.4, 2.5])).asnumpy()
    array([0., 3.], dtype=float32)
    """
    return straight(round_half_away(data.detach()), data)


@op(nd="contrib.sign_ste", reverse=elementwise)
def sign_ste(data: Tensor) -> Tensor:
    """Return the sign, 0 for 0; the gradient is passed on as it is.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.contrib.sign_ste(mx.nd.array([-0.4, 2.5])).asnumpy()
    array([-1.,  1.], dtype=float32)
    """
    return straight(torch.sign(data.detach().nan_to_num(0)), data)
