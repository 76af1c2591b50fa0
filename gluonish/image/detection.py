"""`mx.image.detection`: what works on pictures with boxes."""

from __future__ import annotations

from gluonish.image import (
    detection_augmenters,
    detection_create,
    detection_crops,
    detection_iterator,
)
from gluonish.image.detection_augmenters import *
from gluonish.image.detection_create import *
from gluonish.image.detection_crops import *
from gluonish.image.detection_iterator import *

__all__ = [
    *detection_augmenters.__all__,
    *detection_create.__all__,
    *detection_crops.__all__,
    *detection_iterator.__all__,
]
