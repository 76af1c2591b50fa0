"""Operators random.* of sym.npx.

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
def normal_n(
    loc: Symbol | builtins.float = 0.0,
    scale: Symbol | builtins.float = 1.0,
    batch_shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def uniform_n(
    low: Symbol | builtins.float = 0.0,
    high: Symbol | builtins.float = 1.0,
    batch_shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
