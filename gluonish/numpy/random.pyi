"""Operators random.* of np.

Written by scripts/make_stubs.py; do not edit.
"""

import builtins
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as onp

from gluonish.array import ndarray
from gluonish.array.dtypes import DTypeLike
from gluonish.context import Context

_ArrayLike: TypeAlias = ndarray | Sequence[Any] | onp.ndarray[Any, Any] | float

def bernoulli(
    prob: _ArrayLike | builtins.float | None = None,
    logit: _ArrayLike | builtins.float | None = None,
    size: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def beta(
    a: _ArrayLike | builtins.float,
    b: _ArrayLike | builtins.float,
    size: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def chisquare(
    df: _ArrayLike | builtins.float,
    size: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def choice(
    a: _ArrayLike | builtins.int,
    size: builtins.int | Sequence[builtins.int] | None = None,
    replace: builtins.bool = True,
    p: _ArrayLike | None = None,
    ctx: Context | str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def exponential(
    scale: _ArrayLike | builtins.float = 1.0,
    size: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def gamma(
    shape: _ArrayLike | builtins.float,
    scale: _ArrayLike | builtins.float = 1.0,
    size: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def gumbel(
    loc: _ArrayLike | builtins.float = 0.0,
    scale: _ArrayLike | builtins.float = 1.0,
    size: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def logistic(
    loc: _ArrayLike | builtins.float = 0.0,
    scale: _ArrayLike | builtins.float = 1.0,
    size: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def lognormal(
    mean: _ArrayLike | builtins.float = 0.0,
    sigma: _ArrayLike | builtins.float = 1.0,
    size: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def multinomial(
    n: builtins.int,
    pvals: _ArrayLike | Sequence[builtins.float],
    size: builtins.int | Sequence[builtins.int] | None = None,
    *,
    ctx: Context | str | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def multivariate_normal(
    mean: _ArrayLike,
    cov: _ArrayLike,
    size: builtins.int | Sequence[builtins.int] | None = None,
    check_valid: builtins.str | None = None,
    tol: builtins.float | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def normal(
    loc: _ArrayLike | builtins.float = 0.0,
    scale: _ArrayLike | builtins.float = 1.0,
    size: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def pareto(
    a: _ArrayLike | builtins.float,
    size: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def permutation(
    x: _ArrayLike | builtins.int,
    ctx: Context | str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def power(
    a: _ArrayLike | builtins.float,
    size: builtins.int | Sequence[builtins.int] | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def rand(
    *size: builtins.int,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def randint(
    low: builtins.int,
    high: builtins.int | None = None,
    size: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def randn(
    *size: builtins.int,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def rayleigh(
    scale: _ArrayLike | builtins.float = 1.0,
    size: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def shuffle(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> None: ...
def uniform(
    low: _ArrayLike | builtins.float = 0.0,
    high: _ArrayLike | builtins.float = 1.0,
    size: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def weibull(
    a: _ArrayLike | builtins.float,
    size: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
