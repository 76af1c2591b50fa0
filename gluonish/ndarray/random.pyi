"""Operators random.* of nd.

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

def exponential(
    scale: NDArray | builtins.float = 1,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def exponential_like(
    data: NDArray, lam: builtins.float = 1.0, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def gamma(
    alpha: NDArray | builtins.float = 1,
    beta: NDArray | builtins.float = 1,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def gamma_like(
    data: NDArray,
    alpha: builtins.float = 1.0,
    beta: builtins.float = 1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def generalized_negative_binomial(
    mu: NDArray | builtins.float = 1,
    alpha: NDArray | builtins.float = 1,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def generalized_negative_binomial_like(
    data: NDArray,
    mu: builtins.float = 1.0,
    alpha: builtins.float = 1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def multinomial(
    data: NDArray,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    get_prob: builtins.bool = False,
    dtype: DTypeLike = "int32",
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray | builtins.tuple[NDArray, NDArray]: ...
def negative_binomial(
    k: NDArray | builtins.int = 1,
    p: NDArray | builtins.float = 1,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def negative_binomial_like(
    data: NDArray,
    k: builtins.int = 1,
    p: builtins.float = 1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def normal(
    loc: NDArray | builtins.float = 0,
    scale: NDArray | builtins.float = 1,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def normal_like(
    data: NDArray,
    loc: builtins.float = 0.0,
    scale: builtins.float = 1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def poisson(
    lam: NDArray | builtins.float = 1,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def poisson_like(
    data: NDArray, lam: builtins.float = 1.0, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def randint(
    low: builtins.int,
    high: builtins.int,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def randn(
    *shape: builtins.int,
    loc: builtins.float = 0,
    scale: builtins.float = 1,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def shuffle(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def uniform(
    low: NDArray | builtins.float = 0,
    high: NDArray | builtins.float = 1,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def uniform_like(
    data: NDArray,
    low: builtins.float = 0.0,
    high: builtins.float = 1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
