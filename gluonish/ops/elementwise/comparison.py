"""Comparisons and logical connectives: numbers 1 and 0 in `nd`, booleans in `np`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.ops.elementwise.pairs import same_shape
from gluonish.ops.table import UNLISTED, WIDEST, Precision, Sparse, op
from gluonish.ops.table.explain import explained, refuse_pair
from gluonish.ops.table.inference import elementwise
from gluonish.ops.table.operands import Value, settle, settle_compared

if TYPE_CHECKING:
    from collections.abc import Callable

NUMBERS: dict[str, Callable[[Value, Value], Tensor]] = {}
BOOLEANS: dict[str, Callable[[Value, Value], Tensor]] = {}
"""The functions, by the names in `nd` and `np`."""
_ND_DOC = """Return 1 where {what}, else 0, in the dtype of the operands; with broadcasting.

Examples
--------
>>> import gluonish as mx
>>> mx.nd.{name}(mx.nd.array({left}), mx.nd.array({right})).asnumpy()
array({numbers}, dtype=float32)
"""
_NP_DOC = """Return whether {what}, element by element, with broadcasting.

Examples
--------
>>> import gluonish as mx
>>> mx.np.{name}(mx.np.array({left}), mx.np.array({right}))
array({booleans})
"""


def _register(
    nd: str,
    np: str,
    method: str,
    direct: Callable[[Tensor, Value], Tensor],
    function: Callable[[Value, Value], Tensor],
    what: str,
) -> None:
    """Register a comparison of two operands.

    `direct` is the function for a tensor of floating-point numbers and any other operand.
    `method` is the Python operator; without it the operands are truth values.
    """

    def numbers(lhs: Tensor | float, rhs: Tensor | float) -> Tensor:
        try:
            if type(lhs) is Tensor and lhs.is_floating_point():
                return direct(lhs, rhs).to(dtype=lhs.dtype)
            lhs, rhs = settle(lhs, rhs)
            return function(lhs, rhs).to(dtype=_dtype(lhs, rhs))
        except (RuntimeError, TypeError) as error:
            refuse_pair(nd, lhs, rhs, error)

    def booleans(x1: Tensor | float, x2: Tensor | float) -> Tensor:
        try:
            if type(x1) is Tensor and x1.is_floating_point():
                return direct(x1, x2)
            x1, x2 = settle_compared(x1, x2)
            return function(x1, x2)
        except (RuntimeError, TypeError) as error:
            refuse_pair(np, x1, x2, error)

    left, right = ([1, 2, 3], [2, 2, 2]) if method else ([0, 0, 1], [0, 2, 2])
    expected = function(torch.tensor(left), torch.tensor(right)).tolist()
    shown = ", ".join(f"{float(value):.0f}." for value in expected)
    numbers.__name__, booleans.__name__ = nd, np
    numbers.__doc__ = _ND_DOC.format(
        what=what, name=nd, left=left, right=right, numbers=f"[{shown}]"
    )
    width = max(len(str(value)) for value in expected)
    told = ", ".join(str(value).rjust(width) for value in expected)
    booleans.__doc__ = _NP_DOC.format(
        what=what, name=np, left=left, right=right, booleans=f"[{told}]"
    )
    methods = (method,) if method else ()
    sparse = Sparse("compares") if method else Sparse()
    op(
        nd=(f"broadcast_{nd}", nd),
        functions=(nd,),
        nd_method=methods,
        shapes=same_shape,
        precision=Precision("widest", others={nd: UNLISTED}),
        sparse=sparse,
    )(numbers)
    op(
        nd=(f"_internal._{nd}", f"_internal._{nd.title()}"),
        shapes=elementwise,
        reverse=elementwise,
        precision=WIDEST,
        sparse=sparse,
    )(numbers)
    op(np=np, np_method=methods, shapes=same_shape, sparse=sparse)(booleans)
    NUMBERS[nd], BOOLEANS[np] = numbers, booleans


def _dtype(lhs: Value, rhs: Value) -> torch.dtype:
    return lhs.dtype if isinstance(lhs, Tensor) else rhs.dtype


def _swapping(
    function: Callable[[Value, Value], Tensor], mirrored: Callable[[Value, Value], Tensor]
) -> Callable[[Value, Value], Tensor]:
    """Return a comparison that also takes a number as its first operand."""

    def compare(lhs: Value, rhs: Value) -> Tensor:
        return function(lhs, rhs) if isinstance(lhs, Tensor) else mirrored(rhs, lhs)

    return compare


def _of_tensors(function: Callable[[Tensor, Tensor], Tensor]) -> Callable[[Value, Value], Tensor]:
    """Return a connective that takes numbers as well."""

    def connect(lhs: Value, rhs: Value) -> Tensor:
        if not isinstance(rhs, Tensor):
            rhs = torch.tensor(rhs, device=lhs.device)
        elif not isinstance(lhs, Tensor):
            lhs = torch.tensor(lhs, device=rhs.device)
        return function(lhs, rhs)

    return connect


for _nd, _np, _method, _test, _mirrored, _what in (
    ("equal", "equal", "__eq__", torch.eq, torch.eq, "both are equal"),
    ("not_equal", "not_equal", "__ne__", torch.ne, torch.ne, "both differ"),
    ("greater", "greater", "__gt__", torch.gt, torch.lt, "the first is larger"),
    (
        "greater_equal",
        "greater_equal",
        "__ge__",
        torch.ge,
        torch.le,
        "the first is larger or both are equal",
    ),
    ("lesser", "less", "__lt__", torch.lt, torch.gt, "the first is smaller"),
    (
        "lesser_equal",
        "less_equal",
        "__le__",
        torch.le,
        torch.ge,
        "the first is smaller or both are equal",
    ),
):
    _register(_nd, _np, _method, _test, _swapping(_test, _mirrored), _what)
for _name, _connective, _what in (
    ("logical_and", torch.logical_and, "neither is 0"),
    ("logical_or", torch.logical_or, "one or both are not 0"),
    ("logical_xor", torch.logical_xor, "exactly one is not 0"),
):
    _register(_name, _name, "", _of_tensors(_connective), _of_tensors(_connective), _what)


@op(nd="contrib.allclose")
@explained("two arrays of one shape. Reshape one of them")
def allclose(
    a: Tensor, b: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = True
) -> Tensor:
    """Return 1 if all elements are equal up to a tolerance, else 0.

    Parameters
    ----------
    a, b : Tensor, any shape
        Numbers.
    rtol : float, default 1e-5
        Tolerance relative to `b`.
    atol : float, default 1e-8
        Absolute tolerance.
    equal_nan : bool, default True
        Whether NaN equals NaN.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.contrib.allclose(mx.nd.ones((2,)), mx.nd.ones((2,))).asnumpy()
    array(1, dtype=uint8)
    """
    return (within(a, b, rtol, atol, equal_nan) | (a == b)).all().to(torch.uint8)


def within(a: Tensor, b: Tensor, rtol: float, atol: float, equal_nan: bool) -> Tensor:
    """Return where |a - b| <= atol + rtol |b|, whatever the signs of the tolerances are."""
    if 0 <= rtol < math.inf and atol >= 0:
        return torch.isclose(a, b, rtol, atol, equal_nan)
    if a.dtype is torch.bool:
        a, b = a.to(torch.int64), b.to(torch.int64)
    close = ((a - b).abs() <= atol + rtol * b.abs()) & a.isfinite() & b.isfinite()
    same = (a == b) & a.isinf()
    return close | same | (a.isnan() & b.isnan()) if equal_nan else close | same
