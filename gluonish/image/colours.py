"""Colours of pictures: normalization, and augmenters that change them at random."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING, Any

import numpy as onp
import torch
from typing_extensions import override

from gluonish.array import NDArray, wrap
from gluonish.errors import DTypeError, OperandError, ShapeError
from gluonish.errors.wording import class_name
from gluonish.image.arrays import check_picture
from gluonish.image.augmenters import Augmenter, RandomOrderAug

if TYPE_CHECKING:
    from torch import Tensor

    from gluonish.image.arrays import Values

__all__ = [
    "BrightnessJitterAug",
    "ColorJitterAug",
    "ColorNormalizeAug",
    "ContrastJitterAug",
    "HueJitterAug",
    "LightingAug",
    "RandomGrayAug",
    "SaturationJitterAug",
    "color_normalize",
]

_GREY = (0.299, 0.587, 0.114)  # share of red, green and blue in brightness (ITU-R BT.601)
_OTHER_GREY = (0.21, 0.72, 0.07)  # that of RandomGrayAug
_TO_YIQ = ((0.299, 0.587, 0.114), (0.596, -0.274, -0.321), (0.211, -0.523, 0.311))
_FROM_YIQ = ((1.0, 0.956, 0.621), (1.0, -0.272, -0.647), (1.0, -1.107, 1.705))


def color_normalize(src: NDArray, mean: Any, std: Any = None) -> NDArray:
    """Subtract a mean from a picture and divide by a standard deviation.

    Parameters
    ----------
    src : NDArray, shape (height, width, channels)
        Floating-point numbers.
    mean : NDArray, sequence or float
        Mean of each channel, or of all; None leaves it out.
    std : NDArray, sequence or float, optional
        Standard deviation of each channel, or of all.

    Raises
    ------
    DTypeError
        The picture has other numbers.

    Examples
    --------
    >>> import gluonish as mx
    >>> src = mx.nd.array([[[1, 2, 3]]])
    >>> mean, std = mx.nd.array([1, 1, 1]), mx.nd.array([2, 2, 2])
    >>> mx.image.color_normalize(src, mean, std).asnumpy().tolist()
    [[[0.0, 0.5, 1.0]]]
    """
    values = _floats(src, "image.color_normalize")
    if mean is not None:
        values = values - _numbers(mean, values)
    if std is not None:
        values = values / _numbers(std, values)
    return wrap(values, src.context, type(src))


class ColorNormalizeAug(Augmenter):
    """Subtraction of a mean, and division by a standard deviation.

    Parameters
    ----------
    mean : array, optional
        Mean of each channel.
    std : array, optional
        Standard deviation of each channel.

    Examples
    --------
    >>> import gluonish as mx
    >>> scale = mx.image.ColorNormalizeAug([1, 1, 1], [2, 2, 2])
    >>> scale(mx.nd.array([[[1, 2, 3]]])).asnumpy().tolist()
    [[[0.0, 0.5, 1.0]]]
    """

    def __init__(self, mean: Any, std: Any) -> None:
        super().__init__(mean=mean, std=std)
        self.mean = mean
        self.std = std

    @override
    def __call__(self, src: NDArray) -> NDArray:
        if self.mean is None and self.std is None:
            return src
        return color_normalize(src, self.mean, self.std)


class BrightnessJitterAug(Augmenter):
    """Multiplication by a random factor.

    Parameters
    ----------
    brightness : float
        The factor is drawn from [1 - brightness, 1 + brightness].

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.image.BrightnessJitterAug(0.4)(mx.nd.ones((2, 3, 3))).shape
    (2, 3, 3)
    """

    def __init__(self, brightness: float) -> None:
        super().__init__(brightness=brightness)
        self.brightness = brightness

    @override
    def __call__(self, src: NDArray) -> NDArray:
        values = _floats(src, "BrightnessJitterAug")
        factor = 1.0 + random.uniform(-self.brightness, self.brightness)
        return wrap(values * factor, src.context, type(src))


class ContrastJitterAug(Augmenter):
    """Multiplication of the distance from the mean brightness by a random factor.

    Parameters
    ----------
    contrast : float
        The factor is drawn from [1 - contrast, 1 + contrast].

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.image.ContrastJitterAug(0.4)(mx.nd.ones((2, 3, 3))).shape
    (2, 3, 3)
    """

    def __init__(self, contrast: float) -> None:
        super().__init__(contrast=contrast)
        self.contrast = contrast

    @override
    def __call__(self, src: NDArray) -> NDArray:
        values = _colours(src, "ContrastJitterAug")
        factor = 1.0 + random.uniform(-self.contrast, self.contrast)
        mean = (values * values.new_tensor(_GREY)).sum() * (3.0 / values.numel())
        return wrap(values * factor + (1.0 - factor) * mean, src.context, type(src))


class SaturationJitterAug(Augmenter):
    """Multiplication of each pixel's distance from its grey by a random factor.

    Parameters
    ----------
    saturation : float
        The factor is drawn from [1 - saturation, 1 + saturation].

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.image.SaturationJitterAug(0.4)(mx.nd.ones((2, 3, 3))).shape
    (2, 3, 3)
    """

    def __init__(self, saturation: float) -> None:
        super().__init__(saturation=saturation)
        self.saturation = saturation

    @override
    def __call__(self, src: NDArray) -> NDArray:
        values = _colours(src, "SaturationJitterAug")
        factor = 1.0 + random.uniform(-self.saturation, self.saturation)
        grey = _weighed(values, _GREY)
        return wrap(values * factor + grey * (1.0 - factor), src.context, type(src))


class HueJitterAug(Augmenter):
    """Turning of the hues by a random angle.

    Parameters
    ----------
    hue : float
        The angle is drawn from [-hue, hue]; 1 is half a turn.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.image.HueJitterAug(0.4)(mx.nd.ones((2, 3, 3))).shape
    (2, 3, 3)
    """

    def __init__(self, hue: float) -> None:
        super().__init__(hue=hue)
        self.hue = hue

    @override
    def __call__(self, src: NDArray) -> NDArray:
        values = _colours(src, "HueJitterAug")
        angle = random.uniform(-self.hue, self.hue) * math.pi
        cos, sin = math.cos(angle), math.sin(angle)
        turn = onp.array([[1.0, 0.0, 0.0], [0.0, cos, -sin], [0.0, sin, cos]])
        change = onp.array(_FROM_YIQ) @ turn @ onp.array(_TO_YIQ)
        return wrap(values @ _matrix(change.T, values), src.context, type(src))


class ColorJitterAug(RandomOrderAug):
    """Random changes of brightness, contrast and saturation, in random order.

    Parameters
    ----------
    brightness, contrast, saturation : float
        Factors are drawn from [1 - x, 1 + x]; 0 leaves the change out.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.image.ColorJitterAug(0.4, 0.4, 0.4)(mx.nd.ones((2, 3, 3))).shape
    (2, 3, 3)
    """

    def __init__(self, brightness: float, contrast: float, saturation: float) -> None:
        parts: list[Augmenter] = []
        if brightness > 0:
            parts.append(BrightnessJitterAug(brightness))
        if contrast > 0:
            parts.append(ContrastJitterAug(contrast))
        if saturation > 0:
            parts.append(SaturationJitterAug(saturation))
        super().__init__(parts)


class LightingAug(Augmenter):
    """Noise along the principal components of a dataset's colours.

    Parameters
    ----------
    alphastd : float
        Standard deviation of the noise.
    eigval : array, shape (3,)
        Roots of the components' variances.
    eigvec : array, shape (3, 3)
        The components, as columns.

    Notes
    -----
    The noise comes from NumPy's global generator, as in MXNet.

    Examples
    --------
    >>> import numpy as onp
    >>> import gluonish as mx
    >>> mx.image.LightingAug(0.1, onp.ones(3), onp.eye(3))(mx.nd.ones((2, 3, 3))).shape
    (2, 3, 3)
    """

    def __init__(self, alphastd: float, eigval: Values, eigvec: Values) -> None:
        super().__init__(alphastd=alphastd, eigval=eigval, eigvec=eigvec)
        self.alphastd = alphastd
        self.eigval = eigval
        self.eigvec = eigvec

    @override
    def __call__(self, src: NDArray) -> NDArray:
        values = _colours(src, "LightingAug")
        alpha = onp.random.normal(0, self.alphastd, size=(3,))  # noqa: NPY002 - MXNet's generator
        shift = (onp.asarray(self.eigvec) * alpha) @ onp.asarray(self.eigval)
        return wrap(values + _matrix(shift, values), src.context, type(src))


class RandomGrayAug(Augmenter):
    """Grey instead of colours, with some probability.

    Parameters
    ----------
    p : float
        Probability in [0, 1].

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.image.RandomGrayAug(1.0)(mx.nd.array([[[100, 0, 0]]])).asnumpy().round().tolist()
    [[[21.0, 21.0, 21.0]]]
    """

    def __init__(self, p: float) -> None:
        super().__init__(p=p)
        self.p = p

    @override
    def __call__(self, src: NDArray) -> NDArray:
        if random.random() >= self.p:
            return src
        values = _colours(src, "RandomGrayAug")
        grey = _weighed(values, _OTHER_GREY)
        return wrap(grey.expand_as(values).contiguous(), src.context, type(src))


def _floats(src: Any, where: str) -> Tensor:
    if not isinstance(src, NDArray):
        msg = f"{where}: {class_name(src)} was given. Expected an NDArray. Use mx.nd.array(x)."
        raise OperandError(msg)
    tensor = src.tensor
    if not tensor.is_floating_point():
        msg = (
            f"{where}: a picture of dtype {tensor.dtype} was given. Expected floating-point "
            f"numbers. Convert it with src.astype('float32'), or put CastAug() before."
        )
        raise DTypeError(msg)
    return tensor


def _colours(src: Any, where: str) -> Tensor:
    tensor = _floats(src, where)
    check_picture(src, where)
    if tensor.size(2) != 3:
        msg = (
            f"{where}: a picture of shape {src.shape} was given. Expected three channels. Read it "
            f"with flag=1."
        )
        raise ShapeError(msg)
    return tensor


def _weighed(values: Tensor, shares: tuple[float, ...]) -> Tensor:
    """Return a sum of each pixel's colours, with a last axis; three additions beat one sum."""
    parts = values * values.new_tensor(shares)
    return (parts[..., 0] + parts[..., 1] + parts[..., 2]).unsqueeze(2)


def _numbers(value: Any, like: Tensor) -> Tensor:
    plain = value.tensor if isinstance(value, NDArray) else torch.as_tensor(value)
    return plain.to(like)


def _matrix(value: Values, like: Tensor) -> Tensor:
    return torch.from_numpy(onp.ascontiguousarray(value)).to(like)
