"""`mx.image.detection`: what works on pictures with boxes."""

from __future__ import annotations

from gluonish.image.detection_augmenters import (
    DetAugmenter,
    DetBorrowAug,
    DetHorizontalFlipAug,
    DetRandomSelectAug,
)
from gluonish.image.detection_create import CreateDetAugmenter, CreateMultiRandCropAugmenter
from gluonish.image.detection_crops import DetRandomCropAug, DetRandomPadAug
from gluonish.image.detection_iterator import ImageDetIter

__all__ = [
    "CreateDetAugmenter",
    "CreateMultiRandCropAugmenter",
    "DetAugmenter",
    "DetBorrowAug",
    "DetHorizontalFlipAug",
    "DetRandomCropAug",
    "DetRandomPadAug",
    "DetRandomSelectAug",
    "ImageDetIter",
]
