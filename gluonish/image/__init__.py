"""`mx.image`: reading, changing and iterating over pictures."""

from __future__ import annotations

import sys

from gluonish.image import (
    augmenters,
    colours,
    create,
    detection,
    geometry,
    iterator,
    reading,
    rotation,
)
from gluonish.image.augmenters import *
from gluonish.image.colours import *
from gluonish.image.create import *
from gluonish.image.detection import *
from gluonish.image.geometry import *
from gluonish.image.geometry import get_interp_method
from gluonish.image.iterator import *
from gluonish.image.reading import *
from gluonish.image.rotation import *

det = detection  # MXNet has both names
image = sys.modules[__name__]  # `mx.image.image` is where MXNet defines them
_get_interp_method = get_interp_method  # GluonCV calls it by this name, of `mx.image.image`

__all__ = [
    "det",
    "detection",
    "image",
    *augmenters.__all__,
    *colours.__all__,
    *create.__all__,
    *detection.__all__,
    *geometry.__all__,
    *iterator.__all__,
    *reading.__all__,
    *rotation.__all__,
]
_UNSTARRED = ("detection",)
