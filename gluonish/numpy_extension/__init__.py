"""The front end `mx.npx`: operators of neural networks on `np.ndarray`, from the op table."""

from __future__ import annotations

import sys

from gluonish.array import ndarray
from gluonish.ndarray.frontend import fill
from gluonish.ops import ops

__all__ = [*fill(sys.modules[__name__], ops(), "npx", ndarray)]
