"""The `F` that `hybrid_forward` receives: nd's operators for the class of the data."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from typing_extensions import override

from gluonish import ndarray as nd, numpy as np, numpy_extension as npx, symbol
from gluonish.array import NDArray, ndarray
from gluonish.ndarray import control_flow
from gluonish.ndarray.frontend import fill
from gluonish.ops import ops
from gluonish.symbol import Symbol
from gluonish.symbol.frontend import Frontend, build_function, by_path
from gluonish.symbol.np_symbol import NumpySymbol


def _on_np_arrays() -> ModuleType:
    """Return nd's operators with np.ndarray results, and np and npx beside them."""
    module = ModuleType("gluonish.F", "The operators of `mx.nd` with `np.ndarray` results.")
    fill(module, ops(), "nd", ndarray)
    vars(module.contrib).update(control_flow.FUNCTIONS)
    module.np, module.npx = np, npx  # type: ignore[attr-defined]
    return module


class _OnNumpySymbols(Frontend):
    """nd's operators with NumPy's Symbols as results; files have npx's name for them."""

    def __init__(self) -> None:
        super().__init__("gluonish.F_symbol", "nd's operators on Symbols.", "nd", NumpySymbol)
        self.np, self.npx = symbol.np, symbol.npx
        vars(self.contrib).update(symbol.control_flow.FUNCTIONS)
        for name in ("hypot", "maximum", "minimum", "power"):  # which take numbers, too
            setattr(self, name, getattr(symbol.np, name))

    @override
    def __getattr__(self, name: str) -> Any:
        op = self.__dict__.get("_found", {}).get(name)
        if op is None or not op.npx:
            return super().__getattr__(name)
        path = name if name in op.npx else op.npx[0]
        function = build_function(by_path("npx", path), "npx", path, NumpySymbol)
        setattr(self, name, function)
        return function


FRONTENDS: dict[type[NDArray], ModuleType] = {NDArray: nd, ndarray: _on_np_arrays()}
SYMBOLS: dict[type[Symbol], ModuleType] = {Symbol: symbol, NumpySymbol: _OnNumpySymbols()}


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
        both: dict[type[Any], ModuleType] = {**FRONTENDS, **SYMBOLS}
        found = next(F for cls, F in reversed(both.items()) if isinstance(data, cls))
    return found
