"""Datasets and transforms of images."""

from __future__ import annotations

from gluonish.gluon.data.vision import datasets, image_datasets, transforms
from gluonish.gluon.data.vision.datasets import *
from gluonish.gluon.data.vision.image_datasets import *

__all__ = ["datasets", "transforms", *datasets.__all__, *image_datasets.__all__]
