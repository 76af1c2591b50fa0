"""NumPy's window functions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as onp
import torch
from torch import Tensor

from gluonish.array.dtypes import DTypeLike, torch_dtype
from gluonish.errors import InvalidArgumentError
from gluonish.ops.np.arguments import device_of
from gluonish.ops.table import Graph, op

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.context import Context


def _window(
    name: str, length: int, dtype: DTypeLike, ctx: Context | None, weights: Sequence[float]
) -> Tensor:
    target = torch_dtype(dtype)
    if not target.is_floating_point:
        msg = (
            f"np.{name}: dtype={dtype!r} was given. Expected a floating-point dtype. Convert the "
            f"result with x.astype(...)."
        )
        raise InvalidArgumentError(msg)
    count = max(int(length), 0)
    places = torch.arange(count, dtype=torch.float64, device=device_of(ctx))
    if count == 1:
        return torch.ones_like(places).to(target)
    turn = 2 * math.pi / max(count - 1, 1)
    waves = [weight * torch.cos(turn * n * places) for n, weight in enumerate(weights)]
    return torch.stack(waves).sum(0).to(target)


@op(np="hanning", graph=Graph(written={"np.hanning": "dtype=float32 ctx=cpu(0)"}))
def hanning(
    M: int,  # noqa: N803 - NumPy's name
    dtype: DTypeLike = onp.float32,
    ctx: Context | None = None,
) -> Tensor:
    """Return the Hann window of `M` points.

    Examples
    --------
    >>> from gluonish import np
    >>> np.hanning(3)
    array([0., 1., 0.])
    """
    return _window("hanning", M, dtype, ctx, (0.5, -0.5))


@op(np="hamming", graph=Graph(written={"np.hamming": "dtype=float32 ctx=cpu(0)"}))
def hamming(
    M: int,  # noqa: N803 - NumPy's name
    dtype: DTypeLike = onp.float32,
    ctx: Context | None = None,
) -> Tensor:
    """Return the Hamming window of `M` points.

    Examples
    --------
    >>> from gluonish import np
    >>> np.hamming(3)
    array([0.08, 1.  , 0.08])
    """
    return _window("hamming", M, dtype, ctx, (0.54, -0.46))


@op(np="blackman", graph=Graph(written={"np.blackman": "dtype=float32 ctx=cpu(0)"}))
def blackman(
    M: int,  # noqa: N803 - NumPy's name
    dtype: DTypeLike = onp.float32,
    ctx: Context | None = None,
) -> Tensor:
    """Return the Blackman window of `M` points.

    Examples
    --------
    >>> from gluonish import np
    >>> np.blackman(3).round(3) + 0
    array([0., 1., 0.])
    """
    return _window("blackman", M, dtype, ctx, (0.42, -0.5, 0.08))
