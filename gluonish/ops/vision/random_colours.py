"""Images: random colours, and mirroring, with the numbers that MXNet draws."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.ops.table import EITHER, op
from gluonish.ops.vision.images import check_picture
from gluonish.process.replay_marks import opaque
from gluonish.random_streams import main, selection

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_GREY = (0.299, 0.587, 0.114)  # share of red, green and blue in brightness (ITU-R BT.601)
# Principal components of ImageNet's colours, times the roots of their variances.
_LIGHTING = (
    (-0.5675 * 55.46, 0.7192 * 4.794, 0.4009 * 1.148),
    (-0.5808 * 55.46, -0.0045 * 4.794, -0.8140 * 1.148),
    (-0.5836 * 55.46, -0.6948 * 4.794, 0.4203 * 1.148),
)

_MIRRORED = """Mirror a picture {way}, with probability 1/2.

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
>>> mx.npx.image.{name}(mx.np.ones((2, 3, 1))).shape
(2, 3, 1)
"""
_CHANGED = """{does}

Parameters
----------
data : Tensor, shape (height, width, channels)
    uint8, or floating-point numbers{numbers}.
min_factor, max_factor : float
    Bounds of the {factor}.

Raises
------
ShapeError
    `data` has other than three axes.
InvalidArgumentError
    A bound is negative.
{notes}
Examples
--------
>>> import gluonish as mx
>>> mx.npx.image.{name}(mx.np.ones((2, 3, 3)), 0.5, 1.5).shape
(2, 3, 3)
"""
_BLUE = """
Notes
-----
As MXNet does, it takes 0.114 times the blue channel for a pixel's grey, so a factor below 1
darkens too.
"""


def _register_mirror(way: str, axis: int) -> None:
    """Register an operator that mirrors a picture along an axis, or does not."""
    name = f"random_flip_{way}"

    def mirrored(data: Tensor) -> Tensor:
        check_picture(name, data)
        return data.flip(axis) if _toss() else data.clone()

    _register(name, mirrored, _MIRRORED.format(name=name, way=way.replace("_", " to ")))


def _register_change(
    name: str,
    change: Callable[[Tensor, float], Tensor],
    does: str,
    *,
    numbers: str = "",
    factor: str = "factor, 0 or more",
    notes: str = "",
) -> None:
    """Register an operator that changes a picture's colours by a random factor."""

    def changed(data: Tensor, min_factor: float, max_factor: float) -> Tensor:
        check_picture(name, data)
        return change(data, _factor(name, min_factor, max_factor))

    doc = _CHANGED.format(name=name, does=does, numbers=numbers, factor=factor, notes=notes)
    _register(name, changed, doc)


def _register(name: str, function: Callable[..., Tensor], doc: str) -> None:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    op(nd=f"image.{name}", npx=f"image.{name}", precision=EITHER)(opaque(function))


@op(nd="image.random_color_jitter", npx="image.random_color_jitter", precision=EITHER)
@opaque
def random_color_jitter(
    data: Tensor, brightness: float, contrast: float, saturation: float, hue: float
) -> Tensor:
    """Change brightness, contrast, saturation and hue at random, in random order.

    Parameters
    ----------
    data : Tensor, shape (height, width, channels)
        uint8, or floating-point numbers of 0 to 1.
    brightness, contrast, saturation, hue : float
        Factors are drawn from [1 - x, 1 + x); 0 leaves the change out.

    Raises
    ------
    ShapeError
        `data` has other than three axes.
    InvalidArgumentError
        One of them is negative.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.npx.image.random_color_jitter(mx.np.ones((2, 3, 3)), 0.4, 0.4, 0.4, 0.1).shape
    (2, 3, 3)
    """
    check_picture("random_color_jitter", data)
    spreads = (brightness, contrast, saturation, hue)
    if not min(spreads) >= 0:
        msg = (
            f"random_color_jitter: brightness, contrast, saturation and hue of {spreads} were "
            f"given. Expected 0 or more. Pass 0 to leave a change out."
        )
        raise InvalidArgumentError(msg)
    changes = (_brighten, _contrast, _saturate, _turn)
    result = data.clone()
    for position in selection.shuffle_order(4).tolist():
        if spread := spreads[position]:
            factor = main.uniform(1 - spread, 1 + spread, (1,)).item()
            result = changes[position](result, factor)
    return result


@op(nd="image.random_lighting", npx="image.random_lighting", precision=EITHER)
@opaque
def random_lighting(data: Tensor, alpha_std: float = 0.05) -> Tensor:
    """Add noise along the principal components of ImageNet's colours; grey pictures stay.

    Parameters
    ----------
    data : Tensor, shape (height, width, channels)
        uint8, or floating-point numbers of 0 to 255.
    alpha_std : float, default 0.05
        Standard deviation of the noise, 0 or more.

    Raises
    ------
    ShapeError
        `data` has other than three axes.

    References
    ----------
    Krizhevsky, Sutskever, Hinton: ImageNet classification with deep convolutional neural
    networks, 2012.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.npx.image.random_lighting(mx.np.ones((2, 3, 3)), 0.1).shape
    (2, 3, 3)
    """
    return adjust_lighting(data, main.normal(0.0, alpha_std, (3,)).tolist())


@op(nd="image.adjust_lighting", npx="image.adjust_lighting", precision=EITHER)
def adjust_lighting(data: Tensor, alpha: Sequence[float]) -> Tensor:
    """Add given amounts of the principal components of ImageNet's colours; grey pictures stay.

    Parameters
    ----------
    data : Tensor, shape (height, width, channels)
        uint8, or floating-point numbers of 0 to 255.
    alpha : (float, float, float)
        Amount of each component.

    Raises
    ------
    ShapeError
        `data` has other than three axes, or there are not three amounts.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.npx.image.adjust_lighting(mx.np.zeros((1, 1, 3)), (0.1, 0, 0)).asnumpy().round(2)
    array([[[-3.15, -3.22, -3.24]]], dtype=float32)
    """
    check_picture("adjust_lighting", data)
    if len(alpha) != 3:
        msg = (
            f"adjust_lighting: alpha={tuple(alpha)} was given. Expected three amounts, one for "
            f"each principal component. Write alpha=(0.1, 0.1, 0.1)."
        )
        raise ShapeError(msg)
    if data.size(-1) == 1:
        return data.clone()
    shift = [sum(a * b for a, b in zip(alpha, row, strict=True)) for row in _LIGHTING]
    return _back(data.float() + torch.tensor(shift, device=data.device), data)


def _toss() -> bool:
    return bool(main.draw64(1)[0] >= 0.5)


def _factor(name: str, smallest: float, largest: float) -> float:
    if not min(smallest, largest) >= 0:
        msg = (
            f"{name}: min_factor={smallest} and max_factor={largest} were given. Expected factors "
            f"of 0 or more. Factors around 1 change little."
        )
        raise InvalidArgumentError(msg)
    return float(main.uniform(smallest, largest, (1,)).item())


def _brighten(data: Tensor, factor: float) -> Tensor:
    return _back(data.float() * factor, data)


def _contrast(data: Tensor, factor: float) -> Tensor:
    values = data.float()
    mean = (values @ values.new_tensor(_GREY)).mean() if data.size(-1) == 3 else values.mean()
    return _back(values * factor + (1 - factor) * mean, data)


def _saturate(data: Tensor, factor: float) -> Tensor:
    if data.size(-1) == 1:
        return data.clone()
    values = data.float()
    return _back(values * factor + (1 - factor) * _GREY[2] * values[..., 2:], data)


def _turn(data: Tensor, factor: float) -> Tensor:
    """Turn hues: colours go to hue, lightness and saturation, and back."""
    if data.size(-1) == 1:
        return data.clone()
    scale = 1.0 if data.is_floating_point() else 255.0
    colours = data.float() / scale
    high, low = colours.amax(-1, keepdim=True), colours.amin(-1, keepdim=True)
    spread = (high - low).clamp(min=1e-12)
    red, green, blue = colours[..., :1], colours[..., 1:2], colours[..., 2:]
    sector = torch.where(
        high == red,
        (green - blue) / spread,
        torch.where(high == green, (blue - red) / spread + 2, (red - green) / spread + 4),
    )
    hue = sector / 6 + factor
    # Each channel is high within a third of the circle about its own hue, low opposite to it.
    thirds = hue + colours.new_tensor([1 / 3, 0.0, -1 / 3])
    distance = (6 * (thirds - thirds.floor()) - 2).abs() - 1
    turned = high - (high - low) * distance.clamp(0, 1)
    return _back(turned * scale, data)


def _back(values: Tensor, data: Tensor) -> Tensor:
    """Return values in the dtype of the data; bytes are cut off, as MXNet does."""
    if data.dtype is torch.uint8:
        values = values.clamp(0, 255)
    elif not data.is_floating_point():
        values = values.to(torch.int64)  # others wrap around
    return values.to(data.dtype)


_register_mirror("left_right", -2)
_register_mirror("top_bottom", -3)
_register_change("random_brightness", _brighten, "Multiply a picture by a random factor.")
_register_change(
    "random_contrast",
    _contrast,
    "Multiply a picture's distance from its mean brightness by a random factor.",
)
_register_change(
    "random_saturation",
    _saturate,
    "Change a colour picture's saturation by a random factor; others stay as they are.",
    notes=_BLUE,
)
_register_change(
    "random_hue",
    _turn,
    "Turn the hues of a colour picture by a random share of a full turn; others stay.",
    numbers=" of 0 to 1",
    factor="share, 0 or more; 1 is a full turn",
)
