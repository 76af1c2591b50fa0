"""What `x + y` and its like are with Symbols."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.errors import MXNetError
from gluonish.errors.tracebacks import shorten
from gluonish.ops import ops
from gluonish.ops.elementwise.forms import FUNCTIONS, OPERATORS
from gluonish.symbol.arrays_in_graphs import not_an_operand
from gluonish.symbol.frontend import (
    BY_FILE,
    by_path,
    compose,
    scalar_arguments,
    scalar_form,
)
from gluonish.symbol.np_symbol import NumpySymbol
from gluonish.symbol.symbol import Symbol

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from gluonish.ops.table import Op

    Form: TypeAlias = tuple[Op, str, str]

_NUMBERS = (int, float, onp.generic)

_POWERS = ("pow", "power")  # their operands have names of their own
_COMPARISONS = ("eq", "ne", "gt", "ge", "lt", "le")
_ARITHMETIC = ("add", "sub", "mul", "truediv", "mod", "pow", "matmul")


def install() -> None:
    """Install Python's operators on both classes of Symbols."""
    for name, forms in OPERATORS.items():
        pair, right, left = (in_nd(path) if path else None for path in forms)
        _put(Symbol, name, pair, right, left)
    for name in (*_ARITHMETIC, *_COMPARISONS):
        op = next(op for op in ops() if op.np and f"__{name}__" in op.np_method)
        left = None if name in _COMPARISONS else scalar_form(op, "np", reflected=True)
        right = scalar_form(op, "np", reflected=False)
        _put(NumpySymbol, name, (op, "np", op.np[0]), right, left)


def _put(
    cls: type[Symbol], name: str, pair: Form | None, right: Form | None, left: Form | None
) -> None:
    setattr(cls, f"__{name}__", _method(pair, right))
    if left is not None:
        setattr(cls, f"__r{name}__", _method(None, left))


def _method(pair: Form | None, scalar: Form | None) -> Callable[[Symbol, Any], Symbol]:
    def method(self: Symbol, other: Any) -> Symbol:
        try:
            if isinstance(other, Symbol) and pair is not None:
                return _compose(pair, type(self), (self, other), {})
            if isinstance(other, _NUMBERS) and scalar is not None:
                return _with_number(scalar, self, other, is_left=pair is None)
            raise not_an_operand(self, other)
        except MXNetError as error:
            shorten(error)
            raise

    return method


def _with_number(form: Form, symbol: Symbol, number: Any, *, is_left: bool = False) -> Symbol:
    params = scalar_arguments(form[1], number, is_left=is_left)
    return _compose(form, type(symbol), (symbol,), params)


def _compose(
    form: Form, cls: type[Symbol], symbols: tuple[Symbol, ...], params: dict[str, Any]
) -> Symbol:
    op, space, path = form
    result: Symbol = compose(op, space, path, cls, symbols, params)
    return result


def functions() -> dict[str, Callable[..., Any]]:
    """Return the functions of two operands that MXNet's `sym` has instead of broadcasting ones."""
    return {name: _function(name) for name in FUNCTIONS}


def _function(name: str) -> Callable[..., Any]:
    (pair, with_right, with_left), on_numbers = FUNCTIONS[name]
    op = in_nd(pair)[0]

    def call(left: Any, right: Any) -> Any:
        first, second = left, right
        if isinstance(first, Symbol) and isinstance(second, Symbol):
            return _compose(in_nd(pair), type(first), (first, second), {})
        if isinstance(first, Symbol) and isinstance(second, _NUMBERS):
            return _with_number(in_nd(with_right), first, second)
        if isinstance(second, Symbol) and isinstance(first, _NUMBERS):
            return _with_number(in_nd(with_left), second, first)
        if isinstance(first, _NUMBERS) and isinstance(second, _NUMBERS):
            return on_numbers(first, second)
        symbol, other = (first, second) if isinstance(first, Symbol) else (second, first)
        raise not_an_operand(symbol, other)

    def raise_to(base: Any, exp: Any) -> Any:
        return call(base, exp)

    made = raise_to if name in _POWERS else call
    made.__name__ = made.__qualname__ = name
    made.__doc__ = op.function.__doc__
    return made


def negative(self: Symbol) -> Symbol:
    """Return -x, as the multiplication that MXNet makes of it."""
    return _with_number(in_nd("_MulScalar"), self, -1.0)


def absolute(self: Symbol) -> Symbol:
    """Return |x|."""
    is_np = isinstance(self, NumpySymbol)
    form = in_np("absolute") if is_np else (by_path("nd", "abs"), "nd", "abs")
    return _compose(form, type(self), (self,), {})


def numpy_negative(self: Symbol) -> Symbol:
    """Return -x, as the multiplication that MXNet makes of it."""
    return _with_number(in_np("multiply_scalar"), self, -1.0)


def in_nd(name: str) -> Form:
    """Return an operator by its name in `nd._internal`."""
    path = f"_internal.{name}"
    return by_path("nd", path), "nd", path


def in_np(name: str) -> Form:
    """Return an operator by its name in files, without what np's names start with."""
    return BY_FILE[f"_npi_{name}"]


install()
setattr(Symbol, "__neg__", negative)  # noqa: B010 - mypy takes it for an operand
setattr(NumpySymbol, "__neg__", numpy_negative)  # noqa: B010
setattr(Symbol, "__abs__", absolute)  # noqa: B010
