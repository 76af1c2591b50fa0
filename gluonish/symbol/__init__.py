"""The front end `mx.sym`: graphs that are composed first and run later."""

from __future__ import annotations

import sys
from typing import Any

from gluonish.errors import UnknownNameError
from gluonish.errors.tracebacks import shorten
from gluonish.symbol import candidates, control_flow, methods, np_functions, operators
from gluonish.symbol.files import load, load_json, load_json as fromjson, save
from gluonish.symbol.frontend import OPERATORS, Frontend
from gluonish.symbol.nd_on_numpy import OnNumpySymbols
from gluonish.symbol.np_symbol import NumpySymbol
from gluonish.symbol.operator_methods import install_methods
from gluonish.symbol.sparse_names import Sparse
from gluonish.symbol.symbol import Symbol, group as Group  # noqa: N812 - MXNet's name
from gluonish.symbol.variables import var, var as Variable  # noqa: N812 - MXNet's name

methods.install()
install_methods(Symbol, "nd_method")
install_methods(NumpySymbol, "nd_method", "np_method")

_functions = Frontend(__name__, __doc__ or "", "nd", Symbol)
numpy = np = Frontend(f"{__name__}.numpy", "`mx.sym.np`: NumPy's names.", "np", NumpySymbol)
numpy_extension = npx = Frontend(
    f"{__name__}.numpy_extension", "`mx.sym.npx`: what NumPy lacks.", "npx", NumpySymbol
)
sparse = Sparse(f"{__name__}.sparse")
vars(np)["_Symbol"] = NumpySymbol  # MXNet's name
vars(np).update(np_functions.FUNCTIONS)
for _module in (np, npx, sparse):
    sys.modules[_module.__name__] = _module
globals().update(operators.functions())
vars(_functions.contrib).update(control_flow.FUNCTIONS | candidates.FUNCTIONS)
# What MXNet's own files import there.
_functions.contrib.uniform = _functions.random.uniform
_functions.contrib.Symbol = _functions.random.Symbol = Symbol
OPERATORS[Symbol] = sys.modules[__name__]
OPERATORS[NumpySymbol] = OnNumpySymbols(np, npx)

__all__ = [
    "Group", "Symbol", "Variable", "fromjson", "load", "load_json", "np", "npx", "save", "sparse",
    "var",
]  # fmt: skip
_UNSTARRED = ("contrib", "image", "linalg", "numpy", "numpy_extension", "random", "symbol")
__all__ += sorted({*_functions.__all__, *operators.functions()} - {*__all__})


def __getattr__(name: str) -> Any:
    try:
        value = getattr(_functions, name)
    except UnknownNameError as error:
        shorten(error)
        raise
    globals()[name] = value
    return value
