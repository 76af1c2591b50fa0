"""Turning of pictures that have their channels first."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as onp
import torch

from gluonish.array import NDArray, wrap
from gluonish.errors import DTypeError, InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

__all__ = ["imrotate", "random_rotate"]


def imrotate(
    src: NDArray,
    rotation_degrees: float | NDArray | Sequence[float],
    zoom_in: bool = False,
    zoom_out: bool = False,
) -> NDArray:
    """Return pictures turned about their middle, in their old size.

    Parameters
    ----------
    src : NDArray, shape (channels, height, width) or (batch, channels, height, width)
        float32.
    rotation_degrees : float, or array of shape (batch,)
        The angle, clockwise; for a batch, one for each picture or one for all.
    zoom_in : bool, default False
        Whether to enlarge pictures until no border shows.
    zoom_out : bool, default False
        Whether to shrink pictures until all of them shows.

    Raises
    ------
    DTypeError
        `src` is not float32, or several angles are given for one picture.
    InvalidArgumentError
        `src` has other than three or four axes, the angles are too few or too many, or both zooms
        are asked for.

    Notes
    -----
    What lies outside of a picture is 0; between pixels, values are bilinear.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.image.imrotate(mx.nd.array([[[1, 2], [3, 4]]]), 90).round()
    <BLANKLINE>
    [[[2. 4.]
      [1. 3.]]]
    <NDArray 1x2x2 @cpu(0)>
    """
    if zoom_in and zoom_out:
        msg = (
            "image.imrotate: `zoom_in` and `zoom_out` cannot be both True. Expected one of them "
            "at most. Leave one of them out."
        )
        raise InvalidArgumentError(msg)
    tensor = src.tensor
    if tensor.dtype is not torch.float32:
        msg = (
            f"image.imrotate: Only `float32` images are supported by this function, "
            f"{tensor.dtype} was given. Convert them with src.astype('float32')."
        )
        raise DTypeError(msg)
    if tensor.ndim not in (3, 4):
        msg = (
            f"image.imrotate: Only 3D and 4D are supported by this function, shape {src.shape} "
            f"was given. Expected (channels, height, width), with or without a batch."
        )
        raise InvalidArgumentError(msg)
    angles = _angles(rotation_degrees, tensor)
    pictures = tensor if tensor.ndim == 4 else tensor.unsqueeze(0)
    grids = [_grid(angle, tuple(pictures.shape[2:]), zoom_in, zoom_out) for angle in angles]
    turned = torch.nn.functional.grid_sample(
        pictures, torch.stack(grids).to(tensor.device), align_corners=True
    )
    return wrap(turned.reshape(tensor.shape), src.context, type(src))


def random_rotate(
    src: NDArray,
    angle_limits: Sequence[float],
    zoom_in: bool = False,
    zoom_out: bool = False,
) -> NDArray:
    """Return pictures turned about their middle by random angles, in their old size.

    Parameters
    ----------
    src : NDArray, shape (channels, height, width) or (batch, channels, height, width)
        float32.
    angle_limits : (float, float)
        Bounds of the angles in degrees.
    zoom_in, zoom_out : bool, default False
        As in `imrotate`.

    Raises
    ------
    DTypeError
        `angle_limits` is no pair, or `src` is not float32.

    Notes
    -----
    The angles come from NumPy's global generator, as in MXNet.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.image.random_rotate(mx.nd.ones((1, 2, 2)), (-30, 30)).shape
    (1, 2, 2)
    """
    if not hasattr(angle_limits, "__len__") or len(angle_limits) != 2:
        msg = (
            f"image.random_rotate: angle_limits={angle_limits!r} was given. Expected two angles "
            f"in degrees. Write (-30, 30), for example."
        )
        raise DTypeError(msg)
    low, high = angle_limits
    count = src.shape[0] if src.ndim == 4 else None
    angles: Any = onp.random.uniform(low, high, count)  # noqa: NPY002 - MXNet's generator
    return imrotate(src, angles, zoom_in, zoom_out)


def _angles(degrees: Any, tensor: Tensor) -> list[float]:
    values = degrees.asnumpy() if isinstance(degrees, NDArray) else onp.asarray(degrees)
    if tensor.ndim == 3:
        if values.ndim:
            msg = (
                f"image.imrotate: angles of shape {values.shape} were given. When a single image "
                f"is passed the rotation angle is required to be a scalar. Write 30.0."
            )
            raise DTypeError(msg)
        return [float(values)]
    if values.ndim == 0:
        return [float(values)] * tensor.size(0)
    if values.shape != (tensor.size(0),):
        msg = (
            f"image.imrotate: angles of shape {values.shape} were given for {tensor.size(0)} "
            f"pictures. The number of images must be equal to the number of rotation angles. "
            f"Give one angle for all."
        )
        raise InvalidArgumentError(msg)
    return [float(value) for value in values]


def _grid(degrees: float, size: tuple[int, ...], zoom_in: bool, zoom_out: bool) -> Tensor:
    """Return for each new pixel the old place, in shares of half the picture from its middle."""
    height, width = size
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    rows = (torch.arange(height) - (height - 1) / 2).unsqueeze(1)
    columns = torch.arange(width) - (width - 1) / 2
    x = (columns * cos - rows * sin) / max((width - 1) / 2, 1e-12)
    y = (columns * sin + rows * cos) / max((height - 1) / 2, 1e-12)
    scale = 1.0
    if zoom_in or zoom_out:
        # Sides of the upright rectangle around the turned picture.
        across = width * abs(cos) + height * abs(sin)
        down = width * abs(sin) + height * abs(cos)
        larger = max(across / width, down / height)
        scale = larger if zoom_out else 1 / larger
    return torch.stack([x, y], dim=-1) * scale
