"""Resizing of images, and sampling of them at freely chosen places."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as onp
import torch
from torch import Tensor
from torch.nn import functional

from gluonish.errors import InvalidArgumentError
from gluonish.ops.table import EITHER, Graph, op
from gluonish.ops.table.choices import unknown_choice
from gluonish.ops.table.explain import check_floats
from gluonish.ops.vision.checks import wrong_shape

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

_TRANSFORMS = ("affine", "warp")
_IMAGES = "images of shape (batch, channels, height, width)"
_AFFINE = "one row of 6 numbers, the 2 by 3 matrix of the transformation, for each image"


@op(nd="contrib.AdaptiveAvgPooling2D", precision=EITHER)
def adaptive_avg_pooling_2d(data: Tensor, output_size: int | Sequence[int] = ()) -> Tensor:
    """Average equal parts of images, as many as the result shall have pixels.

    Parameters
    ----------
    data : Tensor, shape (batch, channels, height, width)
        Images.
    output_size : int or pair of int, default 1
        Height and width of the result; one number for both.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.arange(8).reshape((1, 1, 2, 4))
    >>> print(mx.nd.contrib.AdaptiveAvgPooling2D(x, output_size=(1, 2)).asnumpy())
    [[[[2.5 4.5]]]]
    """
    where = "AdaptiveAvgPooling2D"
    _check_images(where, data=data)
    sizes = (output_size,) if isinstance(output_size, int) else tuple(output_size) or (1,)
    if len(sizes) > 2 or min(sizes) < 0:
        msg = (
            f"{where}: output_size={output_size!r} was given. Expected one or two sizes. Pass "
            f"(height, width)."
        )
        raise InvalidArgumentError(msg)
    return functional.adaptive_avg_pool2d(data, (sizes[0], sizes[-1]))


_PARITY = {
    "to_even_down": (0, -1),
    "to_even_up": (0, 1),
    "to_odd_down": (1, -1),
    "to_odd_up": (1, 1),
}
_MODES = ("like", "odd_scale", "size", *_PARITY)


def _resize_arguments(given: Mapping[str, Any]) -> tuple[str, ...]:
    """Rule for the array inputs that there are: images of another size only for 'like'."""
    return ("data", "like") if given["mode"] == "like" else ("data",)


@op(
    nd="contrib.BilinearResize2D",
    arguments=_resize_arguments,
    precision=EITHER,
    choices={"mode": _MODES},
)
def bilinear_resize_2d(
    data: Tensor,
    like: Tensor | None = None,
    height: int = 1,
    width: int = 1,
    scale_height: float | None = None,
    scale_width: float | None = None,
    mode: str = "size",
    align_corners: bool = True,
) -> Tensor:
    """Resize images with bilinear interpolation.

    Parameters
    ----------
    data : Tensor, shape (batch, channels, height, width)
        Images.
    like : Tensor, shape (batch, channels, height, width), optional
        Images of the size to get, for the mode 'like'; without gradient.
    height, width : int, default 1
        The result's size, for the mode 'size' without a scale.
    scale_height, scale_width : float, optional
        Factors, for the modes 'size' and 'odd_scale'.
    mode : {'size', 'odd_scale', 'like', 'to_even_down', 'to_even_up', 'to_odd_down', 'to_odd_up'}
        How the size is found. 'odd_scale' scales all but the first pixel of an odd length; the
        last four add or take away a pixel where a length is not even, or not odd.
    align_corners : bool, default True
        Whether the corners' pixels keep their values, instead of pixels being areas.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([[[[0, 2]]]])
    >>> print(mx.nd.contrib.BilinearResize2D(x, height=1, width=3).asnumpy())
    [[[[0. 1. 2.]]]]
    """
    where = "BilinearResize2D"
    _check_images(where, data=data)
    if mode not in _MODES:
        raise unknown_choice(mode, where, "mode", _MODES)
    if (like is not None) is not (mode == "like"):
        msg = (
            f"{where}: mode={mode!r} was given with{'out' if like is None else ''} like. Expected "
            f"like with the mode 'like', and with no other. Pass mode='like' to get its size."
        )
        raise InvalidArgumentError(msg)
    if like is not None:
        if like.dim() != 4:
            raise wrong_shape(where, _IMAGES, "Reshape like", like=like)
        size = like.shape[2], like.shape[3]
    elif mode in _PARITY:
        size = _to_parity(data.shape[2], mode), _to_parity(data.shape[3], mode)
    else:
        size = (
            _scaled(data.shape[2], height, scale_height, mode),
            _scaled(data.shape[3], width, scale_width, mode),
        )
    if min(size) < 1:
        msg = (
            f"{where}: a result of height {size[0]} and width {size[1]} was asked for. Expected "
            f"at least one pixel. Choose larger sizes or scales."
        )
        raise InvalidArgumentError(msg)
    return _resize(data, size, align_corners)


def _to_parity(length: int, mode: str) -> int:
    remainder, change = _PARITY[mode]
    return length if length % 2 == remainder else length + change


def _scaled(length: int, given: int, scale: float | None, mode: str) -> int:
    """Return a length by the modes 'size' and 'odd_scale', rounded as in single precision."""
    if scale is None:
        if mode == "odd_scale":
            msg = (
                "BilinearResize2D: mode='odd_scale' was given without scales. Expected "
                "scale_height and scale_width. Pass both."
            )
            raise InvalidArgumentError(msg)
        return given
    factor = onp.float32(scale)
    if mode == "odd_scale" and length % 2:
        return int(onp.float32(length - 1) * factor + onp.float32(1))
    return int(onp.float32(length) * factor)


def _resize(data: Tensor, size: tuple[int, int], align_corners: bool) -> Tensor:
    """Interpolate; a single pixel is the first one, as in MXNet."""
    if not align_corners:
        for axis, length in zip((2, 3), size, strict=True):
            if length == 1:
                data = data.narrow(axis, 0, 1)
    return functional.interpolate(data, size, mode="bilinear", align_corners=align_corners)


def _check_images(where: str, **images: Tensor) -> None:
    for name, each in images.items():
        if each.dim() != 4:
            raise wrong_shape(where, _IMAGES, f"Reshape {name}", **{name: each})
    check_floats(where, **images)


@op(
    nd="GridGenerator",
    graph=Graph(outputs=2),
    precision=EITHER,
    choices={"transform_type": _TRANSFORMS},
)
def grid_generator(
    data: Tensor, transform_type: str, target_shape: Sequence[int] = (0, 0)
) -> Tensor:
    """Return places at which to sample images, as `BilinearSampler` takes them.

    Parameters
    ----------
    data : Tensor, shape (batch, 6) or (batch, 2, height, width)
        For 'affine', the matrices of transformations, by rows; for 'warp', how many pixels to go
        along x and along y.
    transform_type : {'affine', 'warp'}
        What the data is.
    target_shape : pair of int
        Height and width of the result; for 'affine' only.

    Returns
    -------
    Tensor, shape (batch, 2, height, width)
        Coordinates along x and y, -1 and 1 being the centres of the first and last pixel.

    Examples
    --------
    >>> import gluonish as mx
    >>> flip = mx.nd.array([[-1, 0, 0, 0, 1, 0]])
    >>> print(mx.nd.GridGenerator(flip, 'affine', (2, 2)).asnumpy())
    [[[[ 1. -1.]
       [ 1. -1.]]
    <BLANKLINE>
      [[-1. -1.]
       [ 1.  1.]]]]
    """
    where = "GridGenerator"
    if transform_type == "affine":
        return _affine_grid(where, "data", data, target_shape)
    if transform_type != "warp":
        raise unknown_choice(transform_type, where, "transform_type", _TRANSFORMS)
    if data.dim() != 4 or data.shape[1] != 2:
        expected = "shape (batch, 2, height, width), the ways along x and y of each pixel"
        raise wrong_shape(where, expected, "Reshape the data", data=data)
    check_floats(where, data=data)
    height, width = data.shape[2:]
    x = torch.arange(width, dtype=data.dtype, device=data.device)
    y = torch.arange(height, dtype=data.dtype, device=data.device)
    along_x = (data[:, 0] + x) / ((width - 1) / 2) - 1
    along_y = (data[:, 1] + y[:, None]) / ((height - 1) / 2) - 1
    return torch.stack([along_x, along_y], 1)


def _affine_grid(where: str, name: str, data: Tensor, target_shape: Sequence[int]) -> Tensor:
    if data.dim() != 2 or data.shape[1] != 6:
        raise wrong_shape(where, _AFFINE, f"Reshape {name} to (batch, 6)", **{name: data})
    check_floats(where, **{name: data})
    sizes = tuple(target_shape)
    if len(sizes) != 2 or min(sizes) < 1:
        msg = (
            f"{where}: target_shape={target_shape!r} was given. Expected the result's height and "
            f"width. Pass target_shape=(28, 28), for example."
        )
        raise InvalidArgumentError(msg)
    height, width = sizes
    y, x = (
        torch.arange(size, dtype=data.dtype, device=data.device) * 2 / (size - 1) - 1
        for size in sizes
    )
    places = torch.stack([x.expand(height, width), y[:, None].expand(height, width)])
    places = torch.cat([places, torch.ones_like(places[:1])]).flatten(1)
    return (data.reshape(-1, 2, 3) @ places).reshape(-1, 2, height, width)


@op(nd="BilinearSampler", graph=Graph(outputs=2), precision=EITHER)
def bilinear_sampler(
    data: Tensor,
    grid: Tensor,
    cudnn_off: bool | None = None,  # noqa: ARG001 - a hint to MXNet's own kernels
) -> Tensor:
    """Sample images at given places, interpolating between pixels; outside of them is 0.

    Parameters
    ----------
    data : Tensor, shape (batch, channels, height, width)
        Images.
    grid : Tensor, shape (batch, 2, rows, columns)
        Coordinates along x and y, -1 and 1 being the centres of the first and last pixel.
    cudnn_off : bool, optional
        Hint to MXNet's own kernels, which torch's do not need.

    Returns
    -------
    Tensor, shape (batch, channels, rows, columns)
        The images' values at these places.

    References
    ----------
    Jaderberg et al., "Spatial Transformer Networks", 2015, arXiv:1506.02025.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([[[[1, 2], [3, 4]]]])
    >>> flip = mx.nd.GridGenerator(mx.nd.array([[-1, 0, 0, 0, 1, 0]]), 'affine', (2, 2))
    >>> print(mx.nd.BilinearSampler(x, flip).asnumpy())
    [[[[2. 1.]
       [4. 3.]]]]
    """
    where = "BilinearSampler"
    if data.dim() != 4 or grid.dim() != 4 or (grid.shape[0], grid.shape[1]) != (len(data), 2):
        expected = f"{_IMAGES}, and a grid of shape (batch, 2, rows, columns)"
        raise wrong_shape(where, expected, "Reshape them", data=data, grid=grid)
    check_floats(where, data=data, grid=grid)
    return _sample(data, grid)


def _sample(data: Tensor, grid: Tensor) -> Tensor:
    return functional.grid_sample(data, grid.permute(0, 2, 3, 1), align_corners=True)


@op(
    nd="SpatialTransformer",
    graph=Graph(needed=("transform_type", "sampler_type"), outputs=3),
    precision=EITHER,
    choices={"transform_type": ("affine",), "sampler_type": ("bilinear",)},
)
def spatial_transformer(
    data: Tensor,
    loc: Tensor,
    target_shape: Sequence[int] = (0, 0),
    transform_type: str = "",
    sampler_type: str = "",
    cudnn_off: bool | None = None,  # noqa: ARG001 - a hint to MXNet's own kernels
) -> Tensor:
    """Transform images by affine maps, which may be learned.

    Parameters
    ----------
    data : Tensor, shape (batch, channels, height, width)
        Images.
    loc : Tensor, shape (batch, 6)
        For each image, the matrix that leads from places of the result to places of the image.
    target_shape : pair of int
        Height and width of the result.
    transform_type : {'affine'}
        Kind of the map; must be given.
    sampler_type : {'bilinear'}
        Kind of the interpolation; must be given.
    cudnn_off : bool, optional
        Hint to MXNet's own kernels, which torch's do not need.

    References
    ----------
    Jaderberg et al., "Spatial Transformer Networks", 2015, arXiv:1506.02025.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([[[[1, 2], [3, 4]]]])
    >>> flip = mx.nd.array([[-1, 0, 0, 0, 1, 0]])
    >>> print(mx.nd.SpatialTransformer(x, flip, (2, 2), 'affine', 'bilinear').asnumpy())
    [[[[2. 1.]
       [4. 3.]]]]
    """
    where = "SpatialTransformer"
    if transform_type != "affine":
        raise unknown_choice(transform_type, where, "transform_type", ("affine",))
    if sampler_type != "bilinear":
        raise unknown_choice(sampler_type, where, "sampler_type", ("bilinear",))
    _check_images(where, data=data)
    if len(loc) != len(data):
        raise wrong_shape(where, _AFFINE, "Give each image its own", data=data, loc=loc)
    return _sample(data, _affine_grid(where, "loc", loc, target_shape))
