"""Batch normalization under the names that it has in older graphs, and across devices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.ops.nn.normalization import Normalized, batch_norm
from gluonish.ops.table import FULL, Graph, Precision, op
from gluonish.ops.table.inference import like_first

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torch import Tensor

    from gluonish.ops.table import Shape


def _per_channel(shapes: Mapping[str, Shape | None], **_: object) -> dict[str, Shape]:
    """Rule for unknown shapes: one number per channel."""
    data = shapes["data"]
    if data is None or len(data) < 2:
        return {}
    return {name: (data[1],) for name in shapes if name != "data"}


def _with_moments(given: Mapping[str, Any]) -> int:
    return 3 if given["output_mean_var"] else 1


@op(
    nd="contrib.SyncBatchNorm",
    outputs=_with_moments,
    output_names=("output", "mean", "var"),
    shapes=_per_channel,
    reverse=like_first,
    aux=("moving_mean", "moving_var"),
    graph=Graph(outputs=3),
    precision=FULL,
)
def sync_batch_norm(
    data: Tensor,
    gamma: Tensor,
    beta: Tensor,
    moving_mean: Tensor,
    moving_var: Tensor,
    eps: float = 1e-3,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    ndev: int = 1,  # noqa: ARG001 - for the devices of one process, which share one batch here
    key: str = "",  # noqa: ARG001 - by which MXNet's devices find each other
) -> Normalized:
    """Normalize each channel as `BatchNorm` does.

    Parameters are those of `BatchNorm`; `ndev` and `key` tell MXNet's devices of each other.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, one, zero = mx.nd.array([[1], [3]]), mx.nd.ones((1,)), mx.nd.zeros((1,))
    >>> y = mx.nd.contrib.SyncBatchNorm(x, one, zero, zero, one, eps=0, key='bn')
    >>> y.asnumpy().tolist()
    [[1.0], [3.0]]
    """
    return batch_norm(
        data, gamma, beta, moving_mean, moving_var, eps, momentum, fix_gamma, use_global_stats,
        output_mean_var,
    )  # fmt: skip


op(
    nd=(("BatchNorm_v1",), ("CuDNNBatchNorm",)),
    precision=Precision("either", others={"CuDNNBatchNorm": Precision("either", "")}),
    outputs=_with_moments,
    output_names=("output", "mean", "var"),
    shapes=_per_channel,
    reverse=like_first,
    aux=("moving_mean", "moving_var"),
    graph=Graph(outputs=3),
)(batch_norm)
