"""CreateDetAugmenter: the usual list of augmenters for pictures with boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.errors import RefusedArgumentError
from gluonish.image.augmenters import CastAug, ForceResizeAug, ResizeAug
from gluonish.image.create import (
    IMAGENET_MEAN,
    IMAGENET_STD,
    check_channels_first,
    colour_augmenters,
)
from gluonish.image.detection_augmenters import (
    DetAugmenter,
    DetBorrowAug,
    DetHorizontalFlipAug,
    DetRandomSelectAug,
)
from gluonish.image.detection_crops import DetRandomCropAug, DetRandomPadAug

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["CreateDetAugmenter", "CreateMultiRandCropAugmenter"]


def CreateMultiRandCropAugmenter(  # noqa: N802 - MXNet's name
    min_object_covered: Any = 0.1,
    aspect_ratio_range: Any = (0.75, 1.33),
    area_range: Any = (0.05, 1.0),
    min_eject_coverage: Any = 0.3,
    max_attempts: Any = 50,
    skip_prob: float = 0,
) -> DetRandomSelectAug:
    """Return an augmenter that draws one of several ways of cutting.

    Parameters
    ----------
    min_object_covered, aspect_ratio_range, area_range, min_eject_coverage, max_attempts
        As in `DetRandomCropAug`, or lists of these, of which each entry makes a way of cutting.
        What is no list, or has one entry, holds for all ways.
    skip_prob : float, default 0
        Probability of not cutting.

    Raises
    ------
    RefusedArgumentError
        Two lists have different lengths.

    Examples
    --------
    >>> import gluonish as mx
    >>> cut = mx.image.CreateMultiRandCropAugmenter([0.1, 0.5, 0.9], skip_prob=0.25)
    >>> [part.min_object_covered for part in cut.aug_list]
    [0.1, 0.5, 0.9]
    """
    given = {
        "min_object_covered": min_object_covered,
        "aspect_ratio_range": aspect_ratio_range,
        "area_range": area_range,
        "min_eject_coverage": min_eject_coverage,
        "max_attempts": max_attempts,
    }
    lists = {name: value if isinstance(value, list) else [value] for name, value in given.items()}
    count = max(map(len, lists.values()))
    for name, values in lists.items():
        if len(values) not in (1, count):
            msg = (
                f"CreateMultiRandCropAugmenter: {name} has {len(values)} entries, another list "
                f"has {count}. Expected lists of one length. Give one value where it is the same "
                f"for all."
            )
            raise RefusedArgumentError(msg)
        if len(values) == 1:
            lists[name] = values * count
    rows = zip(*lists.values(), strict=True)
    ways = [DetRandomCropAug(**dict(zip(lists, row, strict=True))) for row in rows]
    return DetRandomSelectAug(ways, skip_prob=skip_prob)


def CreateDetAugmenter(  # noqa: N802 - MXNet's name
    data_shape: Sequence[int],
    resize: int = 0,
    rand_crop: float = 0,
    rand_pad: float = 0,
    rand_gray: float = 0,
    rand_mirror: bool = False,
    mean: Any = None,
    std: Any = None,
    brightness: float = 0,
    contrast: float = 0,
    saturation: float = 0,
    pca_noise: float = 0,
    hue: float = 0,
    inter_method: int = 2,
    min_object_covered: Any = 0.1,
    aspect_ratio_range: Any = (0.75, 1.33),
    area_range: Any = (0.05, 3.0),
    min_eject_coverage: Any = 0.3,
    max_attempts: Any = 50,
    pad_val: float | Sequence[float] = (127, 127, 127),
) -> list[DetAugmenter]:
    """Return the usual augmenters for a detector of objects.

    Parameters
    ----------
    data_shape : (int, int, int)
        Channels, height and width of what the net takes.
    resize : int, default 0
        New length of the shorter side, before anything is cut; 0 leaves it.
    rand_crop : float, default 0
        Probability of cutting, in [0, 1].
    rand_pad : float, default 0
        Probability of a border, in [0, 1].
    rand_gray : float, default 0
        Probability of grey instead of colours.
    rand_mirror : bool, default False
        Whether pictures are mirrored with probability 1/2.
    mean, std : array of 1 or 3, or True, optional
        Subtracted from the channels, and divides them; True stands for ImageNet's.
    brightness, contrast, saturation : float, default 0
        Random factors are drawn from [1 - x, 1 + x].
    pca_noise : float, default 0
        Standard deviation of noise along the principal components of ImageNet's colours.
    hue : float, default 0
        Hues are turned by up to this share of half a turn.
    inter_method : int, default 2
        As `interp` in `imresize`.
    min_object_covered, aspect_ratio_range, area_range, min_eject_coverage, max_attempts
        As in `CreateMultiRandCropAugmenter`. Borders take the first two numbers for themselves:
        the proportions, and the upper bound of the area.
    pad_val : float or sequence of float, default (127, 127, 127)
        Colour of borders.

    Raises
    ------
    InvalidArgumentError
        `data_shape` is not (channels, height, width).
    RefusedArgumentError
        `mean` or `std` is of another kind, or lists have different lengths.

    Examples
    --------
    >>> import gluonish as mx
    >>> for augmenter in mx.image.CreateDetAugmenter((3, 256, 256), rand_mirror=True):
    ...     print(augmenter.dumps())
    ["dethorizontalflipaug", {"p": 0.5}]
    ['detborrowaug', '["forceresizeaug", {"size": [256, 256], "interp": 2}]']
    ['detborrowaug', '["castaug", {"type": "float32"}]']
    """
    check_channels_first("CreateDetAugmenter", data_shape)
    augmenters: list[DetAugmenter] = []
    if resize > 0:
        augmenters.append(DetBorrowAug(ResizeAug(resize, inter_method)))
    if rand_crop > 0:
        augmenters.append(
            CreateMultiRandCropAugmenter(
                min_object_covered,
                aspect_ratio_range,
                area_range,
                min_eject_coverage,
                max_attempts,
                skip_prob=1 - rand_crop,
            )
        )
    if rand_mirror > 0:
        augmenters.append(DetHorizontalFlipAug(0.5))
    if rand_pad > 0:
        pad = DetRandomPadAug(aspect_ratio_range, (1.0, area_range[1]), max_attempts, pad_val)
        augmenters.append(DetRandomSelectAug([pad], 1 - rand_pad))
    size = (data_shape[2], data_shape[1])
    augmenters.append(DetBorrowAug(ForceResizeAug(size, inter_method)))
    augmenters.append(DetBorrowAug(CastAug()))
    colours = colour_augmenters(
        brightness,
        contrast,
        saturation,
        hue,
        pca_noise,
        rand_gray,
        onp.array(IMAGENET_MEAN) if mean is True else mean,
        onp.array(IMAGENET_STD) if std is True else std,
        "CreateDetAugmenter",
    )
    augmenters += map(DetBorrowAug, colours)
    return augmenters
