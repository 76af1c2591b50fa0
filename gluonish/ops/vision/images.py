"""Images: layout, size, parts and normalization of pictures with their channels last."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as onp
import torch
from torch import Tensor

from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.errors.pictures import warn_of_channels
from gluonish.errors.program_layers import called_in
from gluonish.numpy_images.resizing import resize as resize_pixels
from gluonish.ops.table import EITHER, Graph, op
from gluonish.process.replay_marks import opaque

if TYPE_CHECKING:
    from collections.abc import Sequence

# What torch computes as OpenCV does for floating-point numbers; None is left to our own.
_MODES = {0: "nearest", 1: "bilinear", 2: "bicubic", 3: None, 4: None}


@op(
    nd="image.to_tensor",
    npx="image.to_tensor",
    graph=Graph(names_input=True),
    precision=EITHER,
)
def to_tensor(data: Tensor) -> Tensor:
    """Turn pictures of 0 to 255, channels last, into float32 of 0 to 1, channels first.

    Parameters
    ----------
    data : Tensor, shape (height, width, channels) or (batch, height, width, channels)
        Any dtype.

    Returns
    -------
    Tensor, shape (channels, height, width) or (batch, channels, height, width)
        float32.

    Raises
    ------
    ShapeError
        `data` has other than three or four axes.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.npx.image.to_tensor(mx.np.full((1, 2, 1), 51, dtype="uint8"))
    array([[[0.2, 0.2]]])
    """
    check_picture("to_tensor", data, batches=True)
    planes = data.movedim(-1, -3).contiguous()  # bytes are moved faster than what becomes of them
    return (planes if planes.dtype is torch.float32 else planes.float()) / 255.0


@op(nd="image.normalize", npx="image.normalize", precision=EITHER)
def normalize(
    data: Tensor, mean: float | Sequence[float] = 0.0, std: float | Sequence[float] = 1.0
) -> Tensor:
    """Subtract a mean from pictures and divide by a standard deviation, channel by channel.

    Parameters
    ----------
    data : Tensor, shape (channels, height, width) or (batch, channels, height, width)
        1 or 3 channels.
    mean : float or tuple of float, default 0.0
        One for all channels or one for each.
    std : float or tuple of float, default 1.0
        One for all channels or one for each.

    Returns
    -------
    Tensor, shape of the data
        Of the data's dtype: results for integers are cut to whole numbers, as in MXNet.

    Raises
    ------
    ShapeError
        `data` has other than three or four axes, or other than 1 or 3 channels, or `mean` or
        `std` has another number of elements.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.npx.image.normalize(mx.np.ones((1, 1, 2)), mean=0.5, std=0.25)
    array([[[2., 2.]]])
    """
    if data.ndim not in (3, 4) or data.size(-3) not in (1, 3):
        how = (
            "Put ToTensor() before Normalize(...), or call to_tensor before: it moves the channels "
            "of (height, width, channels) to the front, and divides by 255 itself"
        )
        if data.size(-1) not in (1, 3) and (line := called_in("Resize")):  # of the wrong sides
            how = f"Put Resize(...){line}, before ToTensor(), which moves the channels to the front"
        msg = (
            f"normalize: data of shape {tuple(data.shape)} was given. Expected (channels, height, "
            f"width), or a batch of these, with 1 or 3 channels. {how}."
        )
        raise ShapeError(msg)
    result = (data - _by_channel("mean", mean, data)) / _by_channel("std", std, data)
    return result if result.dtype is data.dtype else result.to(data.dtype)


@op(nd="image.resize", npx="image.resize", precision=EITHER)
def resize(
    data: Tensor, size: int | Sequence[int] = 0, keep_ratio: bool = False, interp: int = 1
) -> Tensor:
    """Resize pictures.

    Parameters
    ----------
    data : Tensor, shape (height, width, channels) or (batch, height, width, channels)
        uint8 or floating-point numbers.
    size : int or (int, int)
        New (width, height); a single number stands for both.
    keep_ratio : bool, default False
        Whether a single number is the shorter side's, and the other side follows.
    interp : {0, 1, 2, 3, 4}, default 1
        Nearest pixel, bilinear, bicubic, mean over the area, or Lanczos.

    Raises
    ------
    ShapeError
        `data` has other than three or four axes.
    InvalidArgumentError
        A length is less than 1, or `interp` is not known.

    Notes
    -----
    On CPUs, numbers become those that OpenCV computes for MXNet, bytes in whole numbers; on GPUs
    they may differ by 1. Where a gradient is wanted, which MXNet does not have, they differ by
    rounding.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.npx.image.resize(mx.np.ones((4, 6, 3)), 2, keep_ratio=True).shape
    (2, 3, 3)
    """
    check_picture("resize", data, batches=True)
    width, height = _new_size(data, size, keep_ratio)
    if interp not in _MODES:
        msg = (
            f"resize: interp={interp!r} was given. Expected 0 (nearest), 1 (bilinear), 2 "
            f"(bicubic), 3 (area) or 4 (Lanczos). Leave it out for bilinear."
        )
        raise InvalidArgumentError(msg)
    mode = _MODES[interp]
    is_plain = data.dtype is torch.uint8 or interp == 0 or not data.requires_grad
    if mode is None or (is_plain and not data.is_cuda):
        return _resize_as_opencv(data, width, height, interp)
    planes = data.movedim(-1, -3).to(data.dtype if data.is_floating_point() else torch.float32)
    if data.ndim == 3:
        planes = planes.unsqueeze(0)
    planes = torch.nn.functional.interpolate(planes, (height, width), mode=mode)
    if not data.is_floating_point():
        planes = planes.round().clamp(0, 255)
    resized = planes.movedim(-3, -1).to(data.dtype).contiguous()
    return resized[0] if data.ndim == 3 else resized


@opaque
def _resize_as_opencv(data: Tensor, width: int, height: int, interp: int) -> Tensor:
    """Resize on the CPU, with OpenCV's arithmetic; no gradient comes back, nor does it in MXNet."""
    shape = (*data.shape[:-3], height, width, data.size(-1))
    if data.is_meta:
        return data.new_empty(shape)
    values = data.detach().cpu()
    if values.dtype not in (torch.uint8, torch.float64):
        values = values.float()
    pictures = values.reshape(-1, *data.shape[-3:]).numpy()
    resized = onp.stack([resize_pixels(picture, width, height, interp) for picture in pictures])
    result = torch.from_numpy(resized).reshape(shape)
    if not data.is_floating_point():
        result = result.round().clamp(0, 255)
    return result.to(data)


@op(nd="image.crop", npx="image.crop", precision=EITHER)
def crop(data: Tensor, x: int, y: int, width: int, height: int) -> Tensor:
    """Cut a rectangle out of pictures.

    Parameters
    ----------
    data : Tensor, shape (height, width, channels) or (batch, height, width, channels)
        Any dtype.
    x, y : int
        Left column and top row of the rectangle, from 0.
    width, height : int
        Its size, 1 or more.

    Raises
    ------
    ShapeError
        `data` has other than three or four axes.
    InvalidArgumentError
        The rectangle does not lie within the picture.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.npx.image.crop(mx.np.ones((4, 6, 3)), x=1, y=2, width=5, height=2).shape
    (2, 5, 3)
    """
    check_picture("crop", data, batches=True)
    rows, columns = data.shape[-3:-1]
    inside = 0 <= x <= columns - width and 0 <= y <= rows - height
    if not inside or width < 1 or height < 1:
        msg = (
            f"crop: x={x}, y={y}, width={width}, height={height} were given for a picture "
            f"{columns} wide and {rows} high. Expected a rectangle within it. Make the rectangle "
            f"smaller, or resize the picture first."
        )
        raise InvalidArgumentError(msg)
    part = data[..., y : y + height, x : x + width, :]
    return part.clone(memory_format=torch.contiguous_format)


@op(nd="image.flip_left_right", npx="image.flip_left_right", precision=EITHER)
def flip_left_right(data: Tensor) -> Tensor:
    """Mirror a picture, left to right.

    Parameters
    ----------
    data : Tensor, shape (height, width, channels)
        Any dtype.

    Raises
    ------
    ShapeError
        `data` has other than three axes.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.npx.image.flip_left_right(mx.np.arange(3).reshape(1, 3, 1)).reshape(-1)
    array([2., 1., 0.])
    """
    check_picture("flip_left_right", data)
    return data.flip(-2)


@op(nd="image.flip_top_bottom", npx="image.flip_top_bottom", precision=EITHER)
def flip_top_bottom(data: Tensor) -> Tensor:
    """Mirror a picture, top to bottom.

    Parameters
    ----------
    data : Tensor, shape (height, width, channels)
        Any dtype.

    Raises
    ------
    ShapeError
        `data` has other than three axes.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.npx.image.flip_top_bottom(mx.np.arange(3).reshape(3, 1, 1)).reshape(-1)
    array([2., 1., 0.])
    """
    check_picture("flip_top_bottom", data)
    return data.flip(-3)


def check_picture(name: str, data: Tensor, *, batches: bool = False) -> None:
    """Raise the error for data that is no picture, channels last."""
    if data.ndim == 3 or (batches and data.ndim == 4):
        warn_of_channels(name, data.shape)
        return
    msg = (
        f"{name}: data of shape {tuple(data.shape)} was given. Expected (height, width, channels)"
        f"{' or (batch, height, width, channels)' if batches else ''}. Add a last axis to a grey "
        f"picture with x.expand_dims(-1)."
    )
    raise ShapeError(msg)


def _by_channel(name: str, value: float | Sequence[float], data: Tensor) -> Tensor | float:
    if isinstance(value, (int, float)):
        return value
    if len(value) not in (1, data.size(-3)):
        full = (*value, *[value[-1] if value else 1.0] * data.size(-3))[: data.size(-3)]
        msg = (
            f"normalize: Invalid {name} for data of shape {tuple(data.shape)}: {tuple(value)} has "
            f"{len(value)} elements. Expected as many as channels, {data.size(-3)}, or one number "
            f"for all of them. Write for example {full} for {name}."
        )
        raise ShapeError(msg)
    dtype = data.dtype if data.is_floating_point() else torch.float32
    return torch.tensor(value, dtype=dtype, device=data.device).reshape(-1, 1, 1)


def _new_size(data: Tensor, size: int | Sequence[int], keep_ratio: bool) -> tuple[int, int]:
    height, width = data.shape[-3:-1]
    sizes = [size] if isinstance(size, int) else list(size)
    if len(sizes) not in (1, 2) or min(sizes) < 1:
        msg = (
            f"resize: size={size!r} was given. Expected a positive length, or a pair of them: "
            f"(width, height). Write resize(data, (224, 224)), for example."
        )
        raise InvalidArgumentError(msg)
    if len(sizes) == 2:
        return sizes[0], sizes[1]
    if not keep_ratio:
        return sizes[0], sizes[0]
    if height > width:
        return sizes[0], height * sizes[0] // width
    return width * sizes[0] // height, sizes[0]
