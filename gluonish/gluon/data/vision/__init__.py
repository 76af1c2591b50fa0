"""Datasets and transforms of images."""

from __future__ import annotations

from gluonish.gluon.data.vision import datasets, transforms
from gluonish.gluon.data.vision.datasets import (
    CIFAR10,
    CIFAR100,
    MNIST,
    FashionMNIST,
    ImageFolderDataset,
    MNISTSample,
)
from gluonish.gluon.data.vision.image_datasets import ImageListDataset, ImageRecordDataset

__all__ = [
    "CIFAR10",
    "CIFAR100",
    "MNIST",
    "FashionMNIST",
    "ImageFolderDataset",
    "ImageListDataset",
    "ImageRecordDataset",
    "MNISTSample",
    "datasets",
    "transforms",
]
