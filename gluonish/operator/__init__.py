"""Operators that are written in Python: `mx.operator`."""

from __future__ import annotations

from gluonish.operator import base, listing, numpy_op
from gluonish.operator.base import *
from gluonish.operator.listing import *
from gluonish.operator.numpy_op import *
from gluonish.ops.graph.custom import makers as _registry  # noqa: F401 - what is registered

__all__ = [*base.__all__, *listing.__all__, *numpy_op.__all__]
