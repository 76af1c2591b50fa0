"""Operators _internal.* of nd.

Written by scripts/make_stubs.py; do not edit.
"""

import builtins
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as onp

from gluonish.array import NDArray, ndarray
from gluonish.array.dtypes import DTypeLike
from gluonish.context import Context

_ArrayLike: TypeAlias = ndarray | Sequence[Any] | onp.ndarray[Any, Any] | float

def _abs(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def _adamw_update(
    weight: NDArray,
    grad: NDArray,
    mean: NDArray,
    var: NDArray,
    rescale_grad: NDArray | builtins.float,
    lr: builtins.float,
    eta: builtins.float,
    beta1: builtins.float = 0.9,
    beta2: builtins.float = 0.999,
    epsilon: builtins.float = 1e-08,
    wd: builtins.float = 0.0,
    clip_gradient: builtins.float = -1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _add(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _arange(
    start: builtins.float = 0.0,
    stop: builtins.float | None = None,
    step: builtins.float = 1.0,
    repeat: builtins.int = 1,
    infer_range: builtins.bool | Sequence[builtins.int | None] = False,
    ctx: Context | str | None = None,
    dtype: DTypeLike = "float32",
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _copy(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def _crop_assign(
    lhs: NDArray,
    rhs: NDArray,
    begin: builtins.int | Sequence[builtins.int | None] | None,
    end: builtins.int | Sequence[builtins.int | None] | None,
    step: builtins.int | Sequence[builtins.int | None] | None = (),
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _crop_assign_scalar(
    data: NDArray,
    scalar: builtins.float = 0.0,
    begin: builtins.int | Sequence[builtins.int | None] | None = (),
    end: builtins.int | Sequence[builtins.int | None] | None = (),
    step: builtins.int | Sequence[builtins.int | None] | None = (),
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _div(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _Div(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _div_scalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _DivScalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _equal(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _Equal(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _equal_scalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _EqualScalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _eye(
    N: builtins.int,
    M: builtins.int = 0,
    k: builtins.int = 0,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _full(
    shape: builtins.int | Sequence[builtins.int] = (),
    value: builtins.float = 0.0,
    ctx: Context | str | None = None,
    dtype: DTypeLike = "float32",
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _grad_add(
    lhs: NDArray, rhs: NDArray, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def _greater(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _Greater(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _greater_equal(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _Greater_Equal(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _greater_equal_scalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _greater_scalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _GreaterEqualScalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _GreaterScalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _histogram(
    data: NDArray,
    bins: NDArray | None = None,
    bin_cnt: builtins.int | None = None,
    range: builtins.tuple[builtins.float, builtins.float] | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> builtins.tuple[NDArray, NDArray]: ...
def _hypot(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _Hypot(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _hypot_scalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _HypotScalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _identity_with_attr_like_rhs(
    lhs: NDArray, rhs: NDArray, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def _lesser(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _Lesser(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _lesser_equal(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _Lesser_Equal(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _lesser_equal_scalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _lesser_scalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _LesserEqualScalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _LesserScalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _linspace(
    start: builtins.float,
    stop: builtins.float,
    num: builtins.int,
    endpoint: builtins.bool = True,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = "float32",
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _logical_and(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _Logical_And(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _logical_and_scalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _logical_or(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _Logical_Or(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _logical_or_scalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _logical_xor(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _Logical_Xor(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _logical_xor_scalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _LogicalAndScalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _LogicalOrScalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _LogicalXorScalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _maximum(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _Maximum(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _maximum_scalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _MaximumScalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _minimum(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _Minimum(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _minimum_scalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _MinimumScalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _minus(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _Minus(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _minus_scalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _MinusScalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _mod(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _Mod(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _mod_scalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _ModScalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _mp_adamw_update(
    weight: NDArray,
    grad: NDArray,
    mean: NDArray,
    var: NDArray,
    weight32: NDArray,
    rescale_grad: NDArray | builtins.float,
    lr: builtins.float,
    eta: builtins.float,
    beta1: builtins.float = 0.9,
    beta2: builtins.float = 0.999,
    epsilon: builtins.float = 1e-08,
    wd: builtins.float = 0.0,
    clip_gradient: builtins.float = -1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _mul(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _Mul(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _mul_scalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _MulScalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _not_equal(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _Not_Equal(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _not_equal_scalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _NotEqualScalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _onehot_encode(
    lhs: NDArray, rhs: NDArray, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def _ones(
    shape: builtins.int | Sequence[builtins.int],
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _plus(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _Plus(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _plus_scalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _PlusScalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _power(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _Power(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _power_scalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _PowerScalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _random_exponential(
    lam: builtins.float = 1.0,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _random_exponential_like(
    data: NDArray, lam: builtins.float = 1.0, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def _random_gamma(
    alpha: builtins.float = 1.0,
    beta: builtins.float = 1.0,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _random_gamma_like(
    data: NDArray,
    alpha: builtins.float = 1.0,
    beta: builtins.float = 1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _random_generalized_negative_binomial(
    mu: builtins.float = 1.0,
    alpha: builtins.float = 1.0,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _random_generalized_negative_binomial_like(
    data: NDArray,
    mu: builtins.float = 1.0,
    alpha: builtins.float = 1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _random_negative_binomial(
    k: builtins.int = 1,
    p: builtins.float = 1.0,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _random_negative_binomial_like(
    data: NDArray,
    k: builtins.int = 1,
    p: builtins.float = 1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _random_normal(
    loc: builtins.float = 0.0,
    scale: builtins.float = 1.0,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _random_normal_like(
    data: NDArray,
    loc: builtins.float = 0.0,
    scale: builtins.float = 1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _random_pdf_dirichlet(
    sample: NDArray,
    alpha: NDArray,
    is_log: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _random_pdf_exponential(
    sample: NDArray,
    lam: NDArray,
    is_log: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _random_pdf_gamma(
    sample: NDArray,
    alpha: NDArray,
    beta: NDArray,
    is_log: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _random_pdf_generalized_negative_binomial(
    sample: NDArray,
    mu: NDArray,
    alpha: NDArray,
    is_log: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _random_pdf_negative_binomial(
    sample: NDArray,
    k: NDArray,
    p: NDArray,
    is_log: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _random_pdf_normal(
    sample: NDArray,
    mu: NDArray,
    sigma: NDArray,
    is_log: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _random_pdf_poisson(
    sample: NDArray,
    lam: NDArray,
    is_log: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _random_pdf_uniform(
    sample: NDArray,
    low: NDArray,
    high: NDArray,
    is_log: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _random_poisson(
    lam: builtins.float = 1.0,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _random_poisson_like(
    data: NDArray, lam: builtins.float = 1.0, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def _random_randint(
    low: builtins.int,
    high: builtins.int,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _random_uniform(
    low: builtins.float = 0.0,
    high: builtins.float = 1.0,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _random_uniform_like(
    data: NDArray,
    low: builtins.float = 0.0,
    high: builtins.float = 1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _ravel_multi_index(
    data: NDArray,
    shape: builtins.int | Sequence[builtins.int],
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _rdiv_scalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _RDivScalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _rminus_scalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _RMinusScalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _rmod_scalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _RModScalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _rnn_layers(
    data: NDArray,
    weights: Sequence[NDArray],
    states: Sequence[NDArray] | None = None,
    sequence_length: NDArray | None = None,
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
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray | builtins.tuple[NDArray, ...]: ...
def _rnn_param_concat(
    *data: NDArray,
    dim: builtins.int = 1,
    num_args: builtins.int | None = None,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _rnn_step(
    data: NDArray,
    states: Sequence[NDArray],
    weights: Sequence[NDArray],
    mode: builtins.str = "lstm",
    hidden_size: builtins.int = 1,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> builtins.tuple[NDArray, ...]: ...
def _rpower_scalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _RPowerScalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _sample_exponential(
    lam: NDArray,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _sample_gamma(
    alpha: NDArray,
    beta: NDArray,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _sample_generalized_negative_binomial(
    mu: NDArray,
    alpha: NDArray,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _sample_multinomial(
    data: NDArray,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    get_prob: builtins.bool = False,
    dtype: DTypeLike = "int32",
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray | builtins.tuple[NDArray, NDArray]: ...
def _sample_negative_binomial(
    k: NDArray,
    p: NDArray,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _sample_normal(
    mu: NDArray,
    sigma: NDArray,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _sample_poisson(
    lam: NDArray,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _sample_uniform(
    low: NDArray,
    high: NDArray,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _sample_unique_zipfian(
    range_max: builtins.int,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> builtins.tuple[NDArray, NDArray]: ...
def _scatter_elemwise_div(
    lhs: NDArray, rhs: NDArray, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def _scatter_minus_scalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _scatter_plus_scalar(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _scatter_set_nd(
    lhs: NDArray,
    rhs: NDArray,
    indices: NDArray,
    shape: builtins.tuple[builtins.int | None, ...] = (),
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _shuffle(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def _slice_assign(
    lhs: NDArray,
    rhs: NDArray,
    begin: builtins.int | Sequence[builtins.int | None] | None,
    end: builtins.int | Sequence[builtins.int | None] | None,
    step: builtins.int | Sequence[builtins.int | None] | None = (),
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _slice_assign_scalar(
    data: NDArray,
    scalar: builtins.float = 0.0,
    begin: builtins.int | Sequence[builtins.int | None] | None = (),
    end: builtins.int | Sequence[builtins.int | None] | None = (),
    step: builtins.int | Sequence[builtins.int | None] | None = (),
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _sparse_adagrad_update(
    weight: NDArray,
    grad: NDArray,
    history: NDArray,
    lr: builtins.float,
    epsilon: builtins.float = 1e-07,
    wd: builtins.float = 0.0,
    rescale_grad: builtins.float = 1.0,
    clip_gradient: builtins.float = -1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _sparse_retain(
    data: NDArray, indices: NDArray, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def _split_v2(
    data: NDArray,
    indices: builtins.int | Sequence[builtins.int] = (),
    axis: builtins.int = 1,
    squeeze_axis: builtins.bool = False,
    sections: builtins.int = 0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> builtins.list[NDArray] | NDArray: ...
def _square_sum(
    data: NDArray,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    exclude: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _sub(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _unravel_index(
    data: NDArray,
    shape: builtins.int | Sequence[builtins.int],
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _zeros(
    shape: builtins.int | Sequence[builtins.int],
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    stype: builtins.str | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _zeros_without_dtype(
    shape: builtins.int | Sequence[builtins.int] = (),
    ctx: Context | str | None = None,
    dtype: DTypeLike | builtins.int = -1,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
