"""Identity whose gradient pulls the mean of activations towards a small number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from typing_extensions import override

from gluonish.errors import ShapeError
from gluonish.ops.table import FULL, Graph, op
from gluonish.process.replay_marks import compilable, opaque

if TYPE_CHECKING:
    from gluonish.ops.table import Shape


def _units(shapes: dict[str, Shape | None], **_: object) -> dict[str, Shape]:
    """Rule for an unknown moving average: one number per unit."""
    data = shapes["data"]
    return {} if data is None or len(data) < 2 else {"moving_avg": data[1:2]}


@op(
    nd="IdentityAttachKLSparseReg",
    shapes=_units,
    aux=("moving_avg",),
    graph=Graph(initial={"moving_avg": '["zero", {}]'}),
    precision=FULL,
)
def identity_attach_kl_sparse_reg(
    data: Tensor,
    moving_avg: Tensor,
    sparseness_target: float = 0.1,
    penalty: float = 0.001,
    momentum: float = 0.9,
) -> Tensor:
    """Return the data; its gradient gets a penalty on units that are active too often.

    Parameters
    ----------
    data : Tensor, shape (batch, units, *)
        Activations in (0, 1), such as those of a sigmoid.
    moving_avg : Tensor, shape (units,)
        Moving average of each unit's mean activation, updated in place where there is a gradient.
    sparseness_target : float in (0, 1), default 0.1
        What the mean activations should be.
    penalty : float, default 0.001
        Weight of the penalty, the Kullback-Leibler divergence from the target.
    momentum : float in [0, 1], default 0.9
        Share of the moving average that stays at an update.

    Notes
    -----
    MXNet updates the moving average during `backward()`, gluonish during the forward pass whose
    `backward()` would do so: where a gradient flows through, in prediction mode too.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, average = mx.nd.array([[0.5], [0.5]]), mx.nd.array([0.5])
    >>> x.attach_grad()
    >>> with mx.autograd.record():
    ...     y = mx.nd.IdentityAttachKLSparseReg(x, average, penalty=1)
    >>> y.backward()
    >>> x.grad.asnumpy().round(4)
    array([[2.6],
           [2.6]], dtype=float32)
    """
    if data.dim() < 2 or moving_avg.shape != data.shape[1:2]:
        msg = (
            f"IdentityAttachKLSparseReg: data of shape {tuple(data.shape)} and a moving average "
            f"of shape {tuple(moving_avg.shape)} were given. Expected data of shape (batch, "
            f"units) and one number per unit. Reshape them."
        )
        raise ShapeError(msg)
    if not data.requires_grad:
        return data.clone()
    axes = [axis for axis in range(data.dim()) if axis != 1]
    mean = data.detach().mean(axes)
    moving_avg.mul_(momentum).add_(mean, alpha=1 - momentum)
    slope = (1 - sparseness_target) / (1 - moving_avg) - sparseness_target / moving_avg
    return _with_slope(data, slope * penalty)


@compilable
@opaque
def _with_slope(data: Tensor, slope: Tensor) -> Tensor:
    return _Sloped.apply(data, slope)  # type: ignore[no-any-return,no-untyped-call]


class _Sloped(torch.autograd.Function):
    """Identity to whose gradient a number is added for each unit."""

    @staticmethod
    @override
    def forward(ctx: Any, data: Tensor, slope: Tensor) -> Tensor:
        ctx.save_for_backward(slope)
        return data.clone()

    @staticmethod
    @override
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None]:
        (slope,) = ctx.saved_tensors
        shape = (1, -1, *(1,) * (grads[0].dim() - 2))
        return grads[0] + slope.view(shape).to(grads[0].dtype), None
