"""Datasets, samplers and the DataLoader."""

from __future__ import annotations

from gluonish.gluon.data import dataloader, dataset, sampler, vision
from gluonish.gluon.data.dataloader import DataLoader
from gluonish.gluon.data.dataset import ArrayDataset, Dataset, SimpleDataset
from gluonish.gluon.data.record_dataset import RecordFileDataset
from gluonish.gluon.data.sampler import (
    BatchSampler,
    FilterSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    SplitSampler,
)

__all__ = [
    "ArrayDataset",
    "BatchSampler",
    "DataLoader",
    "Dataset",
    "FilterSampler",
    "RandomSampler",
    "RecordFileDataset",
    "Sampler",
    "SequentialSampler",
    "SimpleDataset",
    "SplitSampler",
    "dataloader",
    "dataset",
    "sampler",
    "vision",
]
