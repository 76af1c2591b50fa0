"""Operators linalg.* of nd.

Written by scripts/make_stubs.py; do not edit.
"""

import builtins
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as onp

from gluonish.array import NDArray, ndarray

_ArrayLike: TypeAlias = ndarray | Sequence[Any] | onp.ndarray[Any, Any] | float

def det(A: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def extractdiag(
    A: NDArray, offset: builtins.int = 0, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def extracttrian(
    A: NDArray,
    offset: builtins.int = 0,
    lower: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def gelqf(
    A: NDArray, *, out: NDArray | Sequence[NDArray] | None = None
) -> builtins.tuple[NDArray, NDArray]: ...
def gemm(
    A: NDArray,
    B: NDArray,
    C: NDArray,
    transpose_a: builtins.bool = False,
    transpose_b: builtins.bool = False,
    alpha: builtins.float = 1.0,
    beta: builtins.float = 1.0,
    axis: builtins.int = -2,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def gemm2(
    A: NDArray,
    B: NDArray,
    transpose_a: builtins.bool = False,
    transpose_b: builtins.bool = False,
    alpha: builtins.float = 1.0,
    axis: builtins.int = -2,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def inverse(A: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def makediag(
    A: NDArray, offset: builtins.int = 0, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def maketrian(
    A: NDArray,
    offset: builtins.int = 0,
    lower: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def potrf(
    A: NDArray, lower: builtins.bool = True, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def potri(
    A: NDArray, lower: builtins.bool = True, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def slogdet(
    A: NDArray, *, out: NDArray | Sequence[NDArray] | None = None
) -> builtins.tuple[NDArray, NDArray]: ...
def sumlogdiag(A: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def syevd(
    A: NDArray, *, out: NDArray | Sequence[NDArray] | None = None
) -> builtins.tuple[NDArray, NDArray]: ...
def syrk(
    A: NDArray,
    transpose: builtins.bool = False,
    alpha: builtins.float = 1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def trmm(
    A: NDArray,
    B: NDArray,
    transpose: builtins.bool = False,
    rightside: builtins.bool = False,
    lower: builtins.bool = True,
    alpha: builtins.float = 1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def trsm(
    A: NDArray,
    B: NDArray,
    transpose: builtins.bool = False,
    rightside: builtins.bool = False,
    lower: builtins.bool = True,
    alpha: builtins.float = 1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
