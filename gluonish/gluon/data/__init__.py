"""Datasets, samplers and the DataLoader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish.gluon.data import dataloader, dataset, sampler
from gluonish.gluon.data.dataloader import DataLoader
from gluonish.gluon.data.dataset import *
from gluonish.gluon.data.sampler import *

if TYPE_CHECKING:
    from gluonish.gluon.data import vision

_LATE = ("vision",)  # imported when it is asked for

__all__ = [
    "DataLoader",
    "dataloader",
    "dataset",
    "sampler",
    "vision",
    *dataset.__all__,
    *sampler.__all__,
]
