"""Measurements of gluonish beside PyTorch by hand, in one run."""

from __future__ import annotations
