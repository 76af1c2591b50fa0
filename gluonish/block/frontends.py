"""The `F` that `hybrid_forward` receives: nd's operators for the class of the data."""

from __future__ import annotations

from types import ModuleType

from gluonish import ndarray as nd, numpy as np, numpy_extension as npx
from gluonish.array import NDArray, ndarray
from gluonish.ndarray.frontend import fill
from gluonish.ops import ops


def _on_np_arrays() -> ModuleType:
    """Return nd's operators with np.ndarray results, and np and npx beside them."""
    module = ModuleType("gluonish.F", "The operators of `mx.nd` with `np.ndarray` results.")
    fill(module, ops(), "nd", ndarray)
    module.np, module.npx = np, npx  # type: ignore[attr-defined]
    return module


FRONTENDS: dict[type[NDArray], ModuleType] = {NDArray: nd, ndarray: _on_np_arrays()}
