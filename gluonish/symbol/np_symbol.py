"""Symbols with NumPy's rules: those of `mx.sym.np` and `mx.sym.npx`."""

from __future__ import annotations

from gluonish.symbol.fluent import NumpySymbolFluent
from gluonish.symbol.symbol import Symbol


class NumpySymbol(NumpySymbolFluent, Symbol):  # type: ignore[misc]
    """A Symbol whose operators and methods are those of `np.ndarray`.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.sym.var('x').as_np_ndarray()
    >>> (x + 1).sum(axis=0).infer_shape(x=(2, 3))[1]
    [(3,)]
    """

    __slots__ = ()


NumpySymbol.__name__ = NumpySymbol.__qualname__ = "_Symbol"  # MXNet's name, which it prints
_Symbol = NumpySymbol  # where pickle looks for it


def as_np_ndarray(self: Symbol) -> NumpySymbol:
    """Return the same outputs with NumPy's rules."""
    return NumpySymbol(self.entries)


setattr(Symbol, "as_np_ndarray", as_np_ndarray)  # noqa: B010 - mypy knows it from the stub
