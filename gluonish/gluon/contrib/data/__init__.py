"""Further ways to read datasets."""

from __future__ import annotations

from gluonish.gluon.contrib.data import sampler
from gluonish.gluon.contrib.data.sampler import IntervalSampler

__all__ = ["IntervalSampler", "sampler"]
