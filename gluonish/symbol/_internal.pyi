"""Operators _internal.* of sym.

Written by scripts/make_stubs.py; do not edit.
"""

import builtins
from collections.abc import Mapping, Sequence
from typing import Unpack

from gluonish.array.dtypes import DTypeLike
from gluonish.context import Context
from gluonish.symbol.attributes import Attributes
from gluonish.symbol.symbol import Symbol

def _abs(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _adamw_update(
    weight: Symbol | None = None,
    grad: Symbol | None = None,
    mean: Symbol | None = None,
    var: Symbol | None = None,
    rescale_grad: Symbol | builtins.float | None = None,
    lr: builtins.float = ...,
    eta: builtins.float = ...,
    beta1: builtins.float = 0.9,
    beta2: builtins.float = 0.999,
    epsilon: builtins.float = 1e-08,
    wd: builtins.float = 0.0,
    clip_gradient: builtins.float = -1.0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _add(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _arange(
    start: builtins.float = 0.0,
    stop: builtins.float | None = None,
    step: builtins.float = 1.0,
    repeat: builtins.int = 1,
    infer_range: builtins.bool | Sequence[builtins.int | None] = False,
    ctx: Context | str | None = None,
    dtype: DTypeLike = "float32",
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _copy(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _crop_assign(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    begin: builtins.int | Sequence[builtins.int | None] | None = ...,
    end: builtins.int | Sequence[builtins.int | None] | None = ...,
    step: builtins.int | Sequence[builtins.int | None] | None = (),
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _crop_assign_scalar(
    data: Symbol | None = None,
    scalar: builtins.float = 0.0,
    begin: builtins.int | Sequence[builtins.int | None] | None = (),
    end: builtins.int | Sequence[builtins.int | None] | None = (),
    step: builtins.int | Sequence[builtins.int | None] | None = (),
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _Div(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _div(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _div_scalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _DivScalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _Equal(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _equal(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _equal_scalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _EqualScalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _eye(
    N: builtins.int,
    M: builtins.int = 0,
    k: builtins.int = 0,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _full(
    shape: builtins.int | Sequence[builtins.int] = (),
    value: builtins.float = 0.0,
    ctx: Context | str | None = None,
    dtype: DTypeLike = "float32",
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _grad_add(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _Greater(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _greater(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _Greater_Equal(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _greater_equal(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _greater_equal_scalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _greater_scalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _GreaterEqualScalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _GreaterScalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _histogram(
    data: Symbol | None = None,
    bins: Symbol | None = None,
    bin_cnt: builtins.int | None = None,
    range: builtins.tuple[builtins.float, builtins.float] | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _Hypot(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _hypot(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _hypot_scalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _HypotScalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _identity_with_attr_like_rhs(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _Lesser(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _lesser(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _Lesser_Equal(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _lesser_equal(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _lesser_equal_scalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _lesser_scalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _LesserEqualScalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _LesserScalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _linspace(
    start: builtins.float,
    stop: builtins.float,
    num: builtins.int,
    endpoint: builtins.bool = True,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = "float32",
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _Logical_And(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _logical_and(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _logical_and_scalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _Logical_Or(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _logical_or(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _logical_or_scalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _Logical_Xor(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _logical_xor(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _logical_xor_scalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _LogicalAndScalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _LogicalOrScalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _LogicalXorScalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _Maximum(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _maximum(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _maximum_scalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _MaximumScalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _Minimum(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _minimum(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _minimum_scalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _MinimumScalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _Minus(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _minus(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _minus_scalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _MinusScalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _Mod(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _mod(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _mod_scalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _ModScalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _mp_adamw_update(
    weight: Symbol | None = None,
    grad: Symbol | None = None,
    mean: Symbol | None = None,
    var: Symbol | None = None,
    weight32: Symbol | None = None,
    rescale_grad: Symbol | builtins.float | None = None,
    lr: builtins.float = ...,
    eta: builtins.float = ...,
    beta1: builtins.float = 0.9,
    beta2: builtins.float = 0.999,
    epsilon: builtins.float = 1e-08,
    wd: builtins.float = 0.0,
    clip_gradient: builtins.float = -1.0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _Mul(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _mul(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _mul_scalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _MulScalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _Not_Equal(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _not_equal(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _not_equal_scalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _NotEqualScalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _onehot_encode(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _ones(
    shape: builtins.int | Sequence[builtins.int],
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _Plus(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _plus(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _plus_scalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _PlusScalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _Power(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _power(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _power_scalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _PowerScalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _random_exponential(
    lam: builtins.float = 1.0,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _random_exponential_like(
    data: Symbol | None = None,
    lam: builtins.float = 1.0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _random_gamma(
    alpha: builtins.float = 1.0,
    beta: builtins.float = 1.0,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _random_gamma_like(
    data: Symbol | None = None,
    alpha: builtins.float = 1.0,
    beta: builtins.float = 1.0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _random_generalized_negative_binomial(
    mu: builtins.float = 1.0,
    alpha: builtins.float = 1.0,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _random_generalized_negative_binomial_like(
    data: Symbol | None = None,
    mu: builtins.float = 1.0,
    alpha: builtins.float = 1.0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _random_negative_binomial(
    k: builtins.int = 1,
    p: builtins.float = 1.0,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _random_negative_binomial_like(
    data: Symbol | None = None,
    k: builtins.int = 1,
    p: builtins.float = 1.0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _random_normal(
    loc: builtins.float = 0.0,
    scale: builtins.float = 1.0,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _random_normal_like(
    data: Symbol | None = None,
    loc: builtins.float = 0.0,
    scale: builtins.float = 1.0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _random_pdf_dirichlet(
    sample: Symbol | None = None,
    alpha: Symbol | None = None,
    is_log: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _random_pdf_exponential(
    sample: Symbol | None = None,
    lam: Symbol | None = None,
    is_log: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _random_pdf_gamma(
    sample: Symbol | None = None,
    alpha: Symbol | None = None,
    beta: Symbol | None = None,
    is_log: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _random_pdf_generalized_negative_binomial(
    sample: Symbol | None = None,
    mu: Symbol | None = None,
    alpha: Symbol | None = None,
    is_log: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _random_pdf_negative_binomial(
    sample: Symbol | None = None,
    k: Symbol | None = None,
    p: Symbol | None = None,
    is_log: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _random_pdf_normal(
    sample: Symbol | None = None,
    mu: Symbol | None = None,
    sigma: Symbol | None = None,
    is_log: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _random_pdf_poisson(
    sample: Symbol | None = None,
    lam: Symbol | None = None,
    is_log: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _random_pdf_uniform(
    sample: Symbol | None = None,
    low: Symbol | None = None,
    high: Symbol | None = None,
    is_log: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _random_poisson(
    lam: builtins.float = 1.0,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _random_poisson_like(
    data: Symbol | None = None,
    lam: builtins.float = 1.0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _random_randint(
    low: builtins.int,
    high: builtins.int,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _random_uniform(
    low: builtins.float = 0.0,
    high: builtins.float = 1.0,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _random_uniform_like(
    data: Symbol | None = None,
    low: builtins.float = 0.0,
    high: builtins.float = 1.0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _ravel_multi_index(
    data: Symbol | None = None,
    shape: builtins.int | Sequence[builtins.int] = ...,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _rdiv_scalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _RDivScalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _rminus_scalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _RMinusScalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _rmod_scalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _RModScalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _rnn_layers(
    data: Symbol | None = None,
    weights: Sequence[Symbol] | None = None,
    states: Sequence[Symbol] | None = None,
    sequence_length: Symbol | None = None,
    mode: builtins.str = "lstm",
    hidden_size: builtins.int = 1,
    num_layers: builtins.int = 1,
    layout: builtins.str = "TNC",
    bidirectional: builtins.bool = False,
    p: builtins.float = 0.0,
    projection_size: builtins.int | None = None,
    clip: builtins.tuple[builtins.float, builtins.float, builtins.bool] | None = None,
    state_outputs: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _rnn_param_concat(
    *data: Symbol,
    dim: builtins.int = 1,
    num_args: builtins.int | None = None,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _rnn_step(
    data: Symbol | None = None,
    states: Sequence[Symbol] | None = None,
    weights: Sequence[Symbol] | None = None,
    mode: builtins.str = "lstm",
    hidden_size: builtins.int = 1,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _rpower_scalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _RPowerScalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _sample_exponential(
    lam: Symbol | None = None,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _sample_gamma(
    alpha: Symbol | None = None,
    beta: Symbol | None = None,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _sample_generalized_negative_binomial(
    mu: Symbol | None = None,
    alpha: Symbol | None = None,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _sample_multinomial(
    data: Symbol | None = None,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    get_prob: builtins.bool = False,
    dtype: DTypeLike = "int32",
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _sample_negative_binomial(
    k: Symbol | None = None,
    p: Symbol | None = None,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _sample_normal(
    mu: Symbol | None = None,
    sigma: Symbol | None = None,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _sample_poisson(
    lam: Symbol | None = None,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _sample_uniform(
    low: Symbol | None = None,
    high: Symbol | None = None,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _sample_unique_zipfian(
    range_max: builtins.int,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _scatter_elemwise_div(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _scatter_minus_scalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _scatter_plus_scalar(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _scatter_set_nd(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    indices: Symbol | None = None,
    shape: builtins.tuple[builtins.int | None, ...] = (),
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _shuffle(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _slice_assign(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    begin: builtins.int | Sequence[builtins.int | None] | None = ...,
    end: builtins.int | Sequence[builtins.int | None] | None = ...,
    step: builtins.int | Sequence[builtins.int | None] | None = (),
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _slice_assign_scalar(
    data: Symbol | None = None,
    scalar: builtins.float = 0.0,
    begin: builtins.int | Sequence[builtins.int | None] | None = (),
    end: builtins.int | Sequence[builtins.int | None] | None = (),
    step: builtins.int | Sequence[builtins.int | None] | None = (),
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _sparse_adagrad_update(
    weight: Symbol | None = None,
    grad: Symbol | None = None,
    history: Symbol | None = None,
    lr: builtins.float = ...,
    epsilon: builtins.float = 1e-07,
    wd: builtins.float = 0.0,
    rescale_grad: builtins.float = 1.0,
    clip_gradient: builtins.float = -1.0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _sparse_retain(
    data: Symbol | None = None,
    indices: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _split_v2(
    data: Symbol | None = None,
    indices: builtins.int | Sequence[builtins.int] = (),
    axis: builtins.int = 1,
    squeeze_axis: builtins.bool = False,
    sections: builtins.int = 0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _square_sum(
    data: Symbol | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    exclude: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _sub(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _unravel_index(
    data: Symbol | None = None,
    shape: builtins.int | Sequence[builtins.int] = ...,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _zeros(
    shape: builtins.int | Sequence[builtins.int],
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    stype: builtins.str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def _zeros_without_dtype(
    shape: builtins.int | Sequence[builtins.int] = (),
    ctx: Context | str | None = None,
    dtype: DTypeLike | builtins.int = -1,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
