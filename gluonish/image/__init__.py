"""`mx.image`: reading, changing and iterating over pictures."""

from __future__ import annotations

import sys

from gluonish.image import detection
from gluonish.image.augmenters import (
    Augmenter,
    CastAug,
    CenterCropAug,
    ForceResizeAug,
    HorizontalFlipAug,
    RandomCropAug,
    RandomOrderAug,
    RandomSizedCropAug,
    ResizeAug,
    SequentialAug,
)
from gluonish.image.colours import (
    BrightnessJitterAug,
    ColorJitterAug,
    ColorNormalizeAug,
    ContrastJitterAug,
    HueJitterAug,
    LightingAug,
    RandomGrayAug,
    SaturationJitterAug,
    color_normalize,
)
from gluonish.image.create import CreateAugmenter
from gluonish.image.detection_augmenters import (
    DetAugmenter,
    DetBorrowAug,
    DetHorizontalFlipAug,
    DetRandomSelectAug,
)
from gluonish.image.detection_create import CreateDetAugmenter, CreateMultiRandCropAugmenter
from gluonish.image.detection_crops import DetRandomCropAug, DetRandomPadAug
from gluonish.image.detection_iterator import ImageDetIter
from gluonish.image.geometry import (
    center_crop,
    copyMakeBorder,
    fixed_crop,
    get_interp_method,
    imresize,
    random_crop,
    random_size_crop,
    resize_short,
    scale_down,
)
from gluonish.image.iterator import ImageIter
from gluonish.image.reading import imdecode, imread
from gluonish.image.rotation import imrotate, random_rotate

det = detection  # MXNet has both names
image = sys.modules[__name__]  # `mx.image.image` is where MXNet defines them
_get_interp_method = get_interp_method  # GluonCV calls it by this name, of `mx.image.image`

__all__ = [
    "Augmenter",
    "BrightnessJitterAug",
    "CastAug",
    "CenterCropAug",
    "ColorJitterAug",
    "ColorNormalizeAug",
    "ContrastJitterAug",
    "CreateAugmenter",
    "CreateDetAugmenter",
    "CreateMultiRandCropAugmenter",
    "DetAugmenter",
    "DetBorrowAug",
    "DetHorizontalFlipAug",
    "DetRandomCropAug",
    "DetRandomPadAug",
    "DetRandomSelectAug",
    "ForceResizeAug",
    "HorizontalFlipAug",
    "HueJitterAug",
    "ImageDetIter",
    "ImageIter",
    "LightingAug",
    "RandomCropAug",
    "RandomGrayAug",
    "RandomOrderAug",
    "RandomSizedCropAug",
    "ResizeAug",
    "SaturationJitterAug",
    "SequentialAug",
    "center_crop",
    "color_normalize",
    "copyMakeBorder",
    "det",
    "detection",
    "fixed_crop",
    "image",
    "imdecode",
    "imread",
    "imresize",
    "imrotate",
    "random_crop",
    "random_rotate",
    "random_size_crop",
    "resize_short",
    "scale_down",
]
_UNSTARRED = ("detection",)
