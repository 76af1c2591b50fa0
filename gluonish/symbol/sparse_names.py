"""`mx.sym.sparse`: operators that MXNet has for sparse arrays, too; here they get dense ones."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from typing_extensions import override

from gluonish.errors.suggestions import unknown_name
from gluonish.symbol.frontend import build_function, by_path
from gluonish.symbol.symbol import Symbol

_NAMES = """
ElementWiseSum Embedding FullyConnected LinearRegressionOutput LogisticRegressionOutput
MAERegressionOutput abs adam_update add_n arccos arccosh arcsin arcsinh arctan arctanh broadcast_add
broadcast_div broadcast_minus broadcast_mul broadcast_plus broadcast_sub cast_storage cbrt ceil clip
concat cos cosh degrees dot elemwise_add elemwise_div elemwise_mul elemwise_sub exp expm1 fix floor
ftrl_update gamma gammaln log log10 log1p log2 make_loss mean negative norm radians relu rint round
rsqrt sgd_mom_update sgd_update sigmoid sign sin sinh slice sqrt square stop_gradient sum tan tanh
trunc where zeros_like adagrad_update retain
"""
PATHS = {
    "adagrad_update": "_internal._sparse_adagrad_update",
    "retain": "_internal._sparse_retain",
}


class Sparse(ModuleType):
    """The module; each function is built when it is asked for.

    Parameters
    ----------
    name : str
        The module's name.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name, __doc__)
        self.__all__ = _NAMES.split()

    @override
    def __getattr__(self, name: str) -> Any:
        if name not in self.__dict__.get("__all__", ()):
            raise unknown_name(self.__name__, name)
        path = PATHS.get(name, name)
        function = build_function(by_path("nd", path), "nd", path, Symbol)
        setattr(self, name, function)
        return function

    @override
    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.__all__})
