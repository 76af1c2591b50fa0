"""Operators random.* of npx.

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
def normal_n(
    loc: _ArrayLike | builtins.float = 0.0,
    scale: _ArrayLike | builtins.float = 1.0,
    batch_shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def seed(seed: int, ctx: str | Context = "all") -> None: ...
def uniform_n(
    low: _ArrayLike | builtins.float = 0.0,
    high: _ArrayLike | builtins.float = 1.0,
    batch_shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
