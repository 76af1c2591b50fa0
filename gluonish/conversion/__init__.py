"""Converts model files, and shows what is in them: what `gluonish convert` and `inspect` do."""

from __future__ import annotations

from gluonish.conversion.converting import convert
from gluonish.conversion.kinds import Kind, kind_of
from gluonish.conversion.plans import Converted

__all__ = ["Converted", "Kind", "convert", "kind_of"]
