"""Converts model files, and shows what is in them: what `gluonish convert` and `inspect` do."""

from __future__ import annotations

from gluonish.conversion.converting import convert
from gluonish.conversion.inspecting import inspect
from gluonish.conversion.plans import Converted
from gluonish.conversion.reports import ArrayReport, NodeReport, Report, Statistics
from gluonish.serialization.kinds import Kind, kind_of

__all__ = [
    "ArrayReport",
    "Converted",
    "Kind",
    "NodeReport",
    "Report",
    "Statistics",
    "convert",
    "inspect",
    "kind_of",
]
