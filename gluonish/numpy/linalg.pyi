"""Operators linalg.* of np.

Written by scripts/make_stubs.py; do not edit.
"""

import builtins
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as onp

from gluonish.array import ndarray

_ArrayLike: TypeAlias = ndarray | Sequence[Any] | onp.ndarray[Any, Any] | float

def cholesky(a: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def cond(
    x: _ArrayLike,
    p: builtins.float | builtins.str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def det(a: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def eig(
    a: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None
) -> builtins.tuple[ndarray, ndarray]: ...
def eigh(
    a: _ArrayLike, UPLO: builtins.str = "L", *, out: ndarray | Sequence[ndarray] | None = None
) -> builtins.tuple[ndarray, ndarray]: ...
def eigvals(a: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def eigvalsh(
    a: _ArrayLike, UPLO: builtins.str = "L", *, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def inv(a: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def lstsq(
    a: _ArrayLike,
    b: _ArrayLike,
    rcond: builtins.float | builtins.str | None = "warn",
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> builtins.tuple[ndarray, ndarray, ndarray, ndarray]: ...
def matrix_power(
    a: _ArrayLike, n: builtins.int, *, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def matrix_rank(
    A: _ArrayLike,
    tol: builtins.float | None = None,
    hermitian: builtins.bool | builtins.int = False,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def multi_dot(
    arrays: Sequence[_ArrayLike], *, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def norm(
    x: _ArrayLike,
    ord: builtins.float | builtins.str | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def pinv(
    a: _ArrayLike,
    rcond: builtins.float = 1e-15,
    hermitian: builtins.bool | builtins.int = False,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def qr(
    a: _ArrayLike, mode: builtins.str = "reduced", *, out: ndarray | Sequence[ndarray] | None = None
) -> builtins.tuple[ndarray, ndarray]: ...
def slogdet(
    a: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None
) -> builtins.tuple[ndarray, ndarray]: ...
def solve(
    a: _ArrayLike, b: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def svd(
    a: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None
) -> builtins.tuple[ndarray, ndarray, ndarray]: ...
def tensorinv(
    a: _ArrayLike, ind: builtins.int = 2, *, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def tensorsolve(
    a: _ArrayLike,
    b: _ArrayLike,
    axes: builtins.int | Sequence[builtins.int] | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
