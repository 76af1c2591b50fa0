"""The classes of what Blocks are called with."""

from __future__ import annotations

from gluonish.array import NDArray
from gluonish.symbol import Symbol

tensor_types = (Symbol, NDArray)
"""What `hybrid_forward` may be given; Blocks of others ask with `isinstance`."""
