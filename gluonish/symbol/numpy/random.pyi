"""Operators random.* of sym.np.

Written by scripts/make_stubs.py; do not edit.
"""

import builtins
from collections.abc import Mapping, Sequence
from typing import Unpack

from gluonish.array.dtypes import DTypeLike
from gluonish.context import Context
from gluonish.symbol.attributes import Attributes
from gluonish.symbol.np_symbol import NumpySymbol
from gluonish.symbol.symbol import Symbol

def bernoulli(
    prob: Symbol | builtins.float | None = None,
    logit: Symbol | builtins.float | None = None,
    size: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def beta(
    a: Symbol | builtins.float | None = None,
    b: Symbol | builtins.float | None = None,
    size: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def chisquare(
    df: Symbol | builtins.float | None = None,
    size: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def choice(
    a: Symbol | builtins.int | None = None,
    size: builtins.int | Sequence[builtins.int] | None = None,
    replace: builtins.bool = True,
    p: Symbol | None = None,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def exponential(
    scale: Symbol | builtins.float = 1.0,
    size: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def gamma(
    shape: Symbol | builtins.float | None = None,
    scale: Symbol | builtins.float = 1.0,
    size: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def gumbel(
    loc: Symbol | builtins.float = 0.0,
    scale: Symbol | builtins.float = 1.0,
    size: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def logistic(
    loc: Symbol | builtins.float = 0.0,
    scale: Symbol | builtins.float = 1.0,
    size: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def lognormal(
    mean: Symbol | builtins.float = 0.0,
    sigma: Symbol | builtins.float = 1.0,
    size: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def multinomial(
    n: builtins.int,
    pvals: Symbol | Sequence[builtins.float] | None = None,
    size: builtins.int | Sequence[builtins.int] | None = None,
    *,
    ctx: Context | str | None = None,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def multivariate_normal(
    mean: Symbol | None = None,
    cov: Symbol | None = None,
    size: builtins.int | Sequence[builtins.int] | None = None,
    check_valid: builtins.str | None = None,
    tol: builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def normal(
    loc: Symbol | builtins.float = 0.0,
    scale: Symbol | builtins.float = 1.0,
    size: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def pareto(
    a: Symbol | builtins.float | None = None,
    size: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def permutation(
    x: Symbol | builtins.int | None = None,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def power(
    a: Symbol | builtins.float | None = None,
    size: builtins.int | Sequence[builtins.int] | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def rand(
    *size: builtins.int,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def randint(
    low: builtins.int,
    high: builtins.int | None = None,
    size: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def randn(
    *size: builtins.int,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def rayleigh(
    scale: Symbol | builtins.float = 1.0,
    size: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def shuffle(
    x: Symbol,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def uniform(
    low: Symbol | builtins.float = 0.0,
    high: Symbol | builtins.float = 1.0,
    size: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def weibull(
    a: Symbol | builtins.float | None = None,
    size: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
