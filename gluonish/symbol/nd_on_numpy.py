"""nd's operators with NumPy's Symbols as results: the `F` that Blocks receive for these."""

from __future__ import annotations

from typing import Any

from typing_extensions import override

from gluonish.ops.elementwise.forms import FUNCTIONS
from gluonish.symbol import control_flow
from gluonish.symbol.frontend import Frontend, build_function, by_path
from gluonish.symbol.np_symbol import NumpySymbol


class OnNumpySymbols(Frontend):
    """The operators; files have npx's name for them.

    Parameters
    ----------
    np, npx : module
        The front ends `mx.sym.np` and `mx.sym.npx`.
    """

    def __init__(self, np: Any, npx: Any) -> None:
        super().__init__("gluonish.F_symbol", "nd's operators on Symbols.", "nd", NumpySymbol)
        self.np, self.npx = np, npx
        vars(self.contrib).update(control_flow.FUNCTIONS)
        for name in FUNCTIONS.keys() & np.__all__:  # which take numbers, too
            setattr(self, name, getattr(np, name))

    @override
    def __getattr__(self, name: str) -> Any:
        op = self.__dict__.get("_found", {}).get(name)
        if op is None or not op.npx:
            return super().__getattr__(name)
        path = name if name in op.npx else op.npx[0]
        function = build_function(by_path("npx", path), "npx", path, NumpySymbol)
        setattr(self, name, function)
        return function
