"""Batch normalization under the names that it has in older graphs, and across devices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish.ops.nn.normalization import (
    Normalized,
    batch_norm,
    moments_of_batch,
    normalized_and_moments,
)
from gluonish.ops.table import Precision

if TYPE_CHECKING:
    from torch import Tensor


@moments_of_batch(nd="contrib.SyncBatchNorm")
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

    Parameters are those of `BatchNorm`; `ndev` and `key` tell MXNet's devices of each other. With
    `output_mean_var`, mean and variance are returned too.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, one, zero = mx.nd.array([[1], [3]]), mx.nd.ones((1,)), mx.nd.zeros((1,))
    >>> y = mx.nd.contrib.SyncBatchNorm(x, one, zero, zero, one, eps=0, key='bn')
    >>> y.asnumpy().tolist()
    [[1.0], [3.0]]
    """
    found = normalized_and_moments(
        data, gamma, beta, moving_mean, moving_var, eps, momentum, fix_gamma, use_global_stats, 1
    )
    return found if output_mean_var else found[0]


moments_of_batch(
    nd=(("BatchNorm_v1",), ("CuDNNBatchNorm",)),
    precision=Precision("either", others={"CuDNNBatchNorm": Precision("either", "")}),
)(batch_norm)
