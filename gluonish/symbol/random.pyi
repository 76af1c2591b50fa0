"""Operators random.* of sym.

Written by scripts/make_stubs.py; do not edit.
"""

import builtins
from collections.abc import Mapping, Sequence
from typing import Unpack

from gluonish.array.dtypes import DTypeLike
from gluonish.context import Context
from gluonish.symbol.attributes import Attributes
from gluonish.symbol.symbol import Symbol

def exponential(
    scale: Symbol | builtins.float = 1,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def exponential_like(
    data: Symbol | None = None,
    lam: builtins.float = 1.0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def gamma(
    alpha: Symbol | builtins.float = 1,
    beta: Symbol | builtins.float = 1,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def gamma_like(
    data: Symbol | None = None,
    alpha: builtins.float = 1.0,
    beta: builtins.float = 1.0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def generalized_negative_binomial(
    mu: Symbol | builtins.float = 1,
    alpha: Symbol | builtins.float = 1,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def generalized_negative_binomial_like(
    data: Symbol | None = None,
    mu: builtins.float = 1.0,
    alpha: builtins.float = 1.0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def multinomial(
    data: Symbol | None = None,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    get_prob: builtins.bool = False,
    dtype: DTypeLike = "int32",
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def negative_binomial(
    k: Symbol | builtins.int = 1,
    p: Symbol | builtins.float = 1,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def negative_binomial_like(
    data: Symbol | None = None,
    k: builtins.int = 1,
    p: builtins.float = 1.0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def normal(
    loc: Symbol | builtins.float = 0,
    scale: Symbol | builtins.float = 1,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def normal_like(
    data: Symbol | None = None,
    loc: builtins.float = 0.0,
    scale: builtins.float = 1.0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def poisson(
    lam: Symbol | builtins.float = 1,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def poisson_like(
    data: Symbol | None = None,
    lam: builtins.float = 1.0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def randint(
    low: builtins.int,
    high: builtins.int,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def randn(
    *shape: builtins.int,
    loc: builtins.float = 0,
    scale: builtins.float = 1,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def shuffle(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def uniform(
    low: Symbol | builtins.float = 0,
    high: Symbol | builtins.float = 1,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def uniform_like(
    data: Symbol | None = None,
    low: builtins.float = 0.0,
    high: builtins.float = 1.0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
