"""The `F` that `hybrid_forward` receives: nd's operators for the class of the data."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any

from gluonish import ndarray as nd, numpy as np, numpy_extension as npx
from gluonish.array import NDArray, ndarray
from gluonish.late import LateModule
from gluonish.ndarray import control_flow
from gluonish.ndarray.frontend import fill
from gluonish.ops import ops

if TYPE_CHECKING:
    from gluonish.symbol import frontend
else:
    frontend = LateModule("gluonish.symbol.frontend")


def _on_np_arrays() -> ModuleType:
    """Return nd's operators with np.ndarray results, and np and npx beside them."""
    module = ModuleType("gluonish.F", "The operators of `mx.nd` with `np.ndarray` results.")
    fill(module, ops(), "nd", ndarray)
    vars(module.contrib).update(control_flow.FUNCTIONS)
    module.np, module.npx = np, npx  # type: ignore[attr-defined]
    return module


FRONTENDS: dict[type[NDArray], ModuleType] = {NDArray: nd, ndarray: _on_np_arrays()}


def frontend_of(data: Any) -> Any:
    """Return the operators for an array or a Symbol of that class.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.block.frontends import frontend_of
    >>> frontend_of(mx.nd.ones((2,))) is mx.nd, frontend_of(mx.sym.var('x')) is mx.sym
    (True, True)
    """
    found = FRONTENDS.get(type(data))
    if found is None:
        both: dict[type[Any], ModuleType] = {**FRONTENDS, **frontend.OPERATORS}
        found = next(F for cls, F in reversed(both.items()) if isinstance(data, cls))
    return found
