"""NumPy's coordinate grids, and its matrix of powers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as onp
import torch
from torch import Tensor

from gluonish.array.dtypes import DTypeLike, torch_dtype
from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.ops.np.arguments import as_shape, as_tensor, as_tensors, device_of
from gluonish.ops.table import Graph, op

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.context import Context


@op(np="meshgrid", outputs=0)
def meshgrid(
    *xi: Tensor, indexing: str = "xy", sparse: bool | int = False, copy: bool = True
) -> list[Tensor]:
    """Return coordinate matrices of vectors: each point of a grid has its value in all of them.

    Parameters
    ----------
    *xi : ndarray
        Coordinates along each axis.
    indexing : {'xy', 'ij'}, default 'xy'
        Whether the first vector runs along columns or along rows.
    sparse : bool, default False
        Whether each matrix has length 1 along the other axes.
    copy : bool, default True
        Whether the matrices have memory of their own.

    Examples
    --------
    >>> from gluonish import np
    >>> x, y = np.meshgrid(np.arange(2), np.arange(3))
    >>> x.shape, y[:, 0]
    ((3, 2), array([0., 1., 2.]))
    """
    if indexing not in ("xy", "ij"):
        msg = (
            f"np.meshgrid: indexing={indexing!r} was given. Expected 'xy' or 'ij'. Write "
            f"indexing='ij' for rows first."
        )
        raise InvalidArgumentError(msg)
    vectors = [each.reshape(-1) for each in as_tensors(xi)]
    if not vectors:
        return []
    count = len(vectors)
    grids = [
        each.reshape([-1 if axis == place else 1 for axis in range(count)])
        for place, each in enumerate(vectors)
    ]
    if indexing == "xy" and count > 1:
        grids = [each.transpose(0, 1) for each in grids]
    if not sparse:
        grids = list(torch.broadcast_tensors(*grids))  # type: ignore[no-untyped-call]
    return [each.contiguous().clone() for each in grids] if copy else grids


@op(np="indices", graph=Graph(written={"np.indices": "dtype=int32 ctx=cpu(0)"}))
def indices(
    dimensions: Sequence[int], dtype: DTypeLike | None = onp.int32, ctx: Context | None = None
) -> Tensor:
    """Return the position of each element of an array of some shape, one axis after the other.

    Examples
    --------
    >>> from gluonish import np
    >>> np.indices((2, 2))[0]
    array([[0, 0],
           [1, 1]], dtype=int32)
    """
    shape = as_shape(dimensions, "np.indices")
    device = device_of(ctx)
    target = torch.int32 if dtype is None else torch_dtype(dtype)
    if not shape:
        return torch.empty((0,), dtype=target, device=device)
    counts = [torch.arange(length, device=device) for length in shape]
    return torch.stack(torch.meshgrid(*counts, indexing="ij")).to(target)


@op(np="vander")
def vander(
    x: Tensor,
    N: int | None = None,  # noqa: N803 - NumPy's name
    increasing: bool | int = False,
) -> Tensor:
    """Return the powers of each element of a vector, one row for each, in float64 or int64.

    Examples
    --------
    >>> from gluonish import np
    >>> np.vander(np.array([1, 2]), 3)
    array([[1., 1., 1.],
           [4., 2., 1.]], dtype=float64)
    """
    x = as_tensor(x)
    if x.ndim != 1:
        msg = (
            f"np.vander: an array of shape {tuple(x.shape)} was given. Expected a vector. Flatten "
            f"it first."
        )
        raise ShapeError(msg)
    kind = torch.float64 if x.is_floating_point() else torch.int64
    columns = torch.vander(x.to(kind), N=N, increasing=True)
    return columns if increasing else columns.flip(1)
