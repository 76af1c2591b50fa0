"""Operators of an array and a number, as MXNet's graphs and files have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.ops.elementwise import arithmetic as a, bitwise as b
from gluonish.ops.elementwise.comparison import BOOLEANS, NUMBERS
from gluonish.ops.table import EITHER, FULL, UNLISTED, Sparse, op
from gluonish.ops.table.inference import elementwise

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    Pair: TypeAlias = Callable[[Tensor | float, Tensor | float], Tensor]

_DOC = """Return `{formula}` for each element of the data.

Parameters
----------
data : Tensor, any shape
    The elements.
scalar : float, default 1.0
    The number.
is_int : bool, default True
    Whether the number is an integer: beside integers another one is cut to an integer, unless
    this says that it is none; then the result is float64.

Examples
--------
>>> import torch
>>> from gluonish.ops.table.graph_names import find
>>> find('{name}').op.function(torch.tensor([5, 2]), scalar=3).tolist()
{result}
"""
_SHARED_NAMES = ("maximum", "minimum", "hypot")  # files have one name for nd and np
_FULL = ("power", "rpower", "hypot", "rdiv")  # which mixed precision computes in float32
_OWN_DTYPE = ("true_divide", "rtrue_divide", "bitwise_and", "bitwise_or", "bitwise_xor", "lcm")


def beside_a_number(data: Tensor, is_int: bool) -> Tensor:
    """Return the data in the dtype that it has beside a number: float64 for one that is no int."""
    return data if is_int or data.is_floating_point() else data.to(torch.float64)


def _register(
    nd: str, alias: str, np: str, function: Pair, formula: str, result: list[float]
) -> None:
    """Register an operator by its names, without what all of them begin and end with."""
    is_turned = formula.startswith("scalar") or formula.endswith("(scalar, data)")
    is_widened = np not in _OWN_DTYPE

    def with_number(data: Tensor, scalar: float = 1.0, is_int: bool = True) -> Tensor:
        data = beside_a_number(data, is_int or not is_widened)
        return function(scalar, data) if is_turned else function(data, scalar)

    names = [f"_{nd}_scalar"] * bool(nd) + [f"_npi_{np}_scalar"] * bool(np)
    with_number.__name__ = names[0].strip("_")
    with_number.__doc__ = _DOC.format(formula=formula, name=names[0], result=result)
    op(
        nd=[f"_internal.{each}" for each in (names[0], f"_{alias}Scalar")[: 1 + bool(alias)] if nd],
        np=names[-1] if np else (),
        file=names[0] if np in _SHARED_NAMES else "",
        shapes=elementwise,
        reverse=elementwise,
        precision=UNLISTED if not nd else FULL if nd in _FULL else EITHER,
        sparse=Sparse(_SPARSE.get(nd, "")),
    )(with_number)


_SPARSE = {
    "mul": "keeps zeros",
    "div": "keeps zeros",
    "scatter_plus": "scatters",
    "scatter_minus": "scatters",
    **dict.fromkeys(("plus", "minus", *NUMBERS), "keeps zeros beside some numbers"),
}
_THIRDS = [1.6666666269302368, 0.6666666865348816]
_SHARED: tuple[tuple[str, str, str, Pair, str, list[float]], ...] = (
    ("plus", "Plus", "add", a.add, "data + scalar", [8, 5]),
    ("minus", "Minus", "subtract", a.subtract, "data - scalar", [2, -1]),
    ("rminus", "RMinus", "rsubtract", a.subtract, "scalar - data", [-2, 1]),
    ("mul", "Mul", "multiply", a.multiply, "data * scalar", [15, 6]),
    ("mod", "Mod", "mod", a.modulo, "data % scalar", [2, 2]),
    ("rmod", "RMod", "rmod", a.modulo, "scalar % data", [3, 1]),
    ("power", "Power", "power", a.power, "data ** scalar", [125, 8]),
    ("rpower", "RPower", "rpower", a.power, "scalar ** data", [243, 9]),
    ("maximum", "Maximum", "maximum", a.maximum, "maximum(data, scalar)", [5, 3]),
    ("minimum", "Minimum", "minimum", a.minimum, "minimum(data, scalar)", [3, 2]),
    ("hypot", "Hypot", "hypot", a.hypot, "hypot(data, scalar)", [5, 3]),
    ("div", "Div", "", a.divide, "data / scalar", [1, 0]),
    ("rdiv", "RDiv", "", a.divide, "scalar / data", [0, 1]),
    ("scatter_plus", "", "", a.add, "data + scalar", [8, 5]),
    ("scatter_minus", "", "", a.subtract, "data - scalar", [2, -1]),
    (
        "",
        "",
        "true_divide",
        a.true_divide,
        "data / scalar",
        _THIRDS,
    ),
    ("", "", "rtrue_divide", a.true_divide, "scalar / data", [0.6000000238418579, 1.5]),
    ("", "", "arctan2", a.arctan2, "arctan2(data, scalar)", [1, 0]),
    ("", "", "rarctan2", a.arctan2, "arctan2(scalar, data)", [0, 0]),
    ("", "", "copysign", a.copysign, "copysign(data, scalar)", [5, 2]),
    ("", "", "rcopysign", a.copysign, "copysign(scalar, data)", [3, 3]),
    ("", "", "ldexp", a.ldexp, "data * 2**scalar", [40, 16]),
    ("", "", "rldexp", a.ldexp, "scalar * 2**data", [96, 12]),
    ("", "", "bitwise_and", b.bitwise_and, "data & scalar", [1, 2]),
    ("", "", "bitwise_or", b.bitwise_or, "data | scalar", [7, 3]),
    ("", "", "bitwise_xor", b.bitwise_xor, "data ^ scalar", [6, 1]),
    ("", "", "lcm", b.lcm, "lcm(data, scalar)", [15, 6]),
)
_COMPARED = (
    ("equal", "", "Equal", "data == scalar", [0, 0]),
    ("not_equal", "", "NotEqual", "data != scalar", [1, 1]),
    ("greater", "", "Greater", "data > scalar", [1, 0]),
    ("greater_equal", "", "GreaterEqual", "data >= scalar", [1, 0]),
    ("lesser", "less", "Lesser", "data < scalar", [0, 1]),
    ("lesser_equal", "less_equal", "LesserEqual", "data <= scalar", [0, 1]),
    ("logical_and", "", "LogicalAnd", "data and scalar", [1, 1]),
    ("logical_or", "", "LogicalOr", "data or scalar", [1, 1]),
    ("logical_xor", "", "LogicalXor", "data xor scalar", [0, 0]),
)

for _row in _SHARED:
    _register(*_row)
for _name, _np, _alias, _formula, _result in _COMPARED:
    _register(_name, _alias, "", NUMBERS[_name], _formula, [*_result])
    if not _name.startswith("logical"):
        _np = _np or _name
        _register("", "", _np, BOOLEANS[_np], _formula, [bool(each) for each in _result])
