"""The front end `mx.np`: NumPy's names and rules, built from the op table."""

from __future__ import annotations

import sys

from gluonish.array import ndarray
from gluonish.ndarray.frontend import fill, install_methods
from gluonish.ops import ops

_table = ops()
__all__ = ["ndarray", *fill(sys.modules[__name__], _table, "np", ndarray)]
install_methods(ndarray, _table, "nd_method", "np_method")
