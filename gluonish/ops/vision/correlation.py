"""Correlation of the patches of two feature maps."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.ops.table import WIDEST, Graph, op
from gluonish.ops.table.explain import check_floats
from gluonish.ops.vision.checks import wrong_shape


@op(nd="Correlation", graph=Graph(outputs=3), precision=WIDEST)
def correlation(
    data1: Tensor,
    data2: Tensor,
    kernel_size: int = 1,
    max_displacement: int = 1,
    stride1: int = 1,
    stride2: int = 1,
    pad_size: int = 0,
    is_multiply: bool = True,
) -> Tensor:
    """Compare each patch of a feature map with the patches around it of another one.

    Parameters
    ----------
    data1, data2 : Tensor, shape (batch, channels, height, width)
        Feature maps.
    kernel_size : int, default 1
        Height and width of a patch; odd.
    max_displacement : int, default 1
        How far the second patch may be from the first, along each axis.
    stride1, stride2 : int, default 1
        Distances of the first patches, and of the second patches around one of them.
    pad_size : int, default 0
        Width of the zeros around both feature maps.
    is_multiply : bool, default True
        Whether to average products; otherwise, absolute differences.

    Returns
    -------
    Tensor, shape (batch, displacements, rows, columns)
        The averages, for each displacement along y, then x.

    References
    ----------
    Dosovitskiy et al., "FlowNet: Learning Optical Flow with Convolutional Networks", 2015,
    arXiv:1504.06852.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.ones((1, 2, 5, 5))
    >>> mx.nd.Correlation(x, 3 * x, max_displacement=2, stride2=2).shape
    (1, 9, 1, 1)
    """
    where = "Correlation"
    if data1.dim() != 4 or data1.shape != data2.shape:
        expected = "two arrays of the same shape (batch, channels, height, width)"
        raise wrong_shape(where, expected, "Reshape them", data1=data1, data2=data2)
    check_floats(where, data1=data1, data2=data2)
    numbers = (kernel_size, max_displacement, stride1, stride2, pad_size)
    if kernel_size % 2 == 0 or min(numbers) < 0 or min(stride1, stride2) < 1:
        names = ("kernel_size", "max_displacement", "stride1", "stride2", "pad_size")
        given = ", ".join(f"{name}={value}" for name, value in zip(names, numbers, strict=True))
        msg = (
            f"{where}: {given} were given. Expected an odd kernel_size, strides above 0 and no "
            f"negative number. Correct those."
        )
        raise InvalidArgumentError(msg)
    border = max_displacement + kernel_size // 2
    rows, columns = (-((2 * border - size - 2 * pad_size) // stride1) for size in data1.shape[2:])
    if min(rows, columns) < 1:
        msg = (
            f"{where}: kernel_size={kernel_size}, max_displacement={max_displacement} and "
            f"pad_size={pad_size} were given for data of shape {tuple(data1.shape)}. Expected "
            f"patches that fit into the padded data. Raise pad_size."
        )
        raise ShapeError(msg)
    height, width = (rows - 1) * stride1 + kernel_size, (columns - 1) * stride1 + kernel_size
    one, other = (functional.pad(each, [pad_size] * 4) for each in (data1, data2))
    here = one.narrow(2, max_displacement, height).narrow(3, max_displacement, width)
    reach = max_displacement // stride2
    starts = [max_displacement + step * stride2 for step in range(-reach, reach + 1)]
    found = []
    for top in starts:
        band = other.narrow(2, top, height)
        for left in starts:
            there = band.narrow(3, left, width)
            values = here * there if is_multiply else _distance(here, there)
            found.append(values.mean(1, keepdim=True))
    return functional.avg_pool2d(torch.cat(found, 1), kernel_size, stride1)


def _distance(one: Tensor, other: Tensor) -> Tensor:
    """Return absolute differences; where there is none, the gradient is 1, as in MXNet."""
    return torch.where(one >= other, one - other, other - one)
