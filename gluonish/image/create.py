"""CreateAugmenter: the usual list of augmenters from a few numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.array import NDArray
from gluonish.errors import InvalidArgumentError, RefusedArgumentError
from gluonish.image.arrays import new_array
from gluonish.image.augmenters import (
    Augmenter,
    CastAug,
    CenterCropAug,
    HorizontalFlipAug,
    RandomCropAug,
    RandomSizedCropAug,
    ResizeAug,
)
from gluonish.image.colours import (
    ColorJitterAug,
    ColorNormalizeAug,
    HueJitterAug,
    LightingAug,
    RandomGrayAug,
)
from gluonish.io.image_changes import EIGVAL, EIGVEC

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["CreateAugmenter"]

_CHANNELS = (1, 3, 4)  # of pictures
# Of ImageNet: mean and standard deviation of the colours, and their principal components.
IMAGENET_MEAN = (123.68, 116.28, 103.53)
IMAGENET_STD = (58.395, 57.12, 57.375)


def check_channels_first(where: str, data_shape: Sequence[int]) -> None:
    """Check what augmenters are made for: (channels, height, width).

    Raises
    ------
    InvalidArgumentError
        There are not three numbers, or the channels seem to come last.

    Examples
    --------
    >>> from gluonish.image.create import check_channels_first
    >>> check_channels_first("CreateAugmenter", (16, 16, 3))
    Traceback (most recent call last):
    ...
    gluonish.errors.InvalidArgumentError: CreateAugmenter: data_shape=(16, 16, 3) was given. \
Expected (channels, height, width). Write data_shape=(3, 16, 16).
    """
    shape = tuple(data_shape)
    if len(shape) != 3:
        how = (
            "three numbers, (channels, height, width). Write data_shape=(3, 224, 224), for example"
        )
    elif shape[0] not in _CHANNELS and shape[2] in _CHANNELS:
        how = f"(channels, height, width). Write data_shape={(shape[2], *shape[:2])}"
    else:
        return
    msg = f"{where}: data_shape={shape} was given. Expected {how}."
    raise InvalidArgumentError(msg)


def CreateAugmenter(  # noqa: N802 - MXNet's name
    data_shape: Sequence[int],
    resize: int = 0,
    rand_crop: bool = False,
    rand_resize: bool = False,
    rand_mirror: bool = False,
    mean: Any = None,
    std: Any = None,
    brightness: float = 0,
    contrast: float = 0,
    saturation: float = 0,
    hue: float = 0,
    pca_noise: float = 0,
    rand_gray: float = 0,
    inter_method: int = 2,
) -> list[Augmenter]:
    """Return the usual augmenters for a classifier of pictures.

    Parameters
    ----------
    data_shape : (int, int, int)
        Channels, height and width of what the net takes.
    resize : int, default 0
        New length of the shorter side, before anything is cut; 0 leaves it.
    rand_crop : bool, default False
        Whether a part is cut at a random place, instead of the middle.
    rand_resize : bool, default False
        Whether the part has a random size, too. Needs `rand_crop`.
    rand_mirror : bool, default False
        Whether pictures are mirrored with probability 1/2.
    mean : array of 1 or 3, or True, optional
        Subtracted from the channels; True stands for ImageNet's mean.
    std : array of 1 or 3, or True, optional
        Divides the channels; True stands for ImageNet's standard deviation.
    brightness, contrast, saturation : float, default 0
        Random factors are drawn from [1 - x, 1 + x].
    hue : float, default 0
        Hues are turned by up to this share of half a turn.
    pca_noise : float, default 0
        Standard deviation of noise along the principal components of ImageNet's colours.
    rand_gray : float, default 0
        Probability of grey instead of colours.
    inter_method : int, default 2
        As `interp` in `imresize`.

    Raises
    ------
    InvalidArgumentError
        `data_shape` is not (channels, height, width).
    RefusedArgumentError
        `rand_resize` without `rand_crop`, or `mean` or `std` of another kind.

    Examples
    --------
    >>> import gluonish as mx
    >>> for augmenter in mx.image.CreateAugmenter((3, 224, 224), resize=256, rand_mirror=True):
    ...     print(augmenter.dumps())
    ["resizeaug", {"size": 256, "interp": 2}]
    ["centercropaug", {"size": [224, 224], "interp": 2}]
    ["horizontalflipaug", {"p": 0.5}]
    ["castaug", {"type": "float32"}]
    """
    check_channels_first("CreateAugmenter", data_shape)
    augmenters: list[Augmenter] = []
    if resize > 0:
        augmenters.append(ResizeAug(resize, inter_method))
    size = (data_shape[2], data_shape[1])
    if rand_resize and not rand_crop:
        msg = (
            "CreateAugmenter: rand_resize=True was given without rand_crop=True. Expected both, "
            "since the part of random size is cut at a random place. Add rand_crop=True."
        )
        raise RefusedArgumentError(msg)
    if rand_resize:
        augmenters.append(RandomSizedCropAug(size, 0.08, (3.0 / 4.0, 4.0 / 3.0), inter_method))
    elif rand_crop:
        augmenters.append(RandomCropAug(size, inter_method))
    else:
        augmenters.append(CenterCropAug(size, inter_method))
    if rand_mirror:
        augmenters.append(HorizontalFlipAug(0.5))
    augmenters.append(CastAug())
    augmenters += colour_augmenters(
        brightness, contrast, saturation, hue, pca_noise, rand_gray, mean, std, "CreateAugmenter"
    )
    return augmenters


def colour_augmenters(
    brightness: float,
    contrast: float,
    saturation: float,
    hue: float,
    pca_noise: float,
    rand_gray: float,
    mean: Any,
    std: Any,
    where: str,
) -> list[Augmenter]:
    """Return those augmenters that change colours, which come last."""
    augmenters: list[Augmenter] = []
    if brightness or contrast or saturation:
        augmenters.append(ColorJitterAug(brightness, contrast, saturation))
    if hue:
        augmenters.append(HueJitterAug(hue))
    if pca_noise > 0:
        augmenters.append(LightingAug(pca_noise, onp.array(EIGVAL), onp.array(EIGVEC)))
    if rand_gray > 0:
        augmenters.append(RandomGrayAug(rand_gray))
    mean = _channels(mean, IMAGENET_MEAN, "mean", where)
    std = _channels(std, IMAGENET_STD, "std", where)
    if mean is not None or std is not None:
        augmenters.append(ColorNormalizeAug(mean, std))
    return augmenters


def _channels(value: Any, usual: tuple[float, ...], name: str, where: str) -> Any:
    if value is None:
        return None
    if value is True:
        return new_array(onp.array(usual, onp.float32))
    if isinstance(value, NDArray | onp.ndarray) and value.shape and value.shape[0] in (1, 3):
        return value
    msg = (
        f"{where}: {name}={value!r} was given. Expected True for ImageNet's, or an array of 1 or "
        f"3 numbers. Write {name}=mx.nd.array([...])."
    )
    raise RefusedArgumentError(msg)
