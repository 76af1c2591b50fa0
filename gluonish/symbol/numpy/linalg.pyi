"""Operators linalg.* of sym.np.

Written by scripts/make_stubs.py; do not edit.
"""

import builtins
from collections.abc import Mapping, Sequence
from typing import Unpack

from gluonish.symbol.attributes import Attributes
from gluonish.symbol.np_symbol import NumpySymbol
from gluonish.symbol.symbol import Symbol

def cholesky(
    a: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def cond(
    x: Symbol | None = None,
    p: builtins.float | builtins.str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def det(
    a: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def eig(
    a: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> list[NumpySymbol]: ...
def eigh(
    a: Symbol | None = None,
    UPLO: builtins.str = "L",
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> list[NumpySymbol]: ...
def eigvals(
    a: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def eigvalsh(
    a: Symbol | None = None,
    UPLO: builtins.str = "L",
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def inv(
    a: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def lstsq(
    a: Symbol | None = None,
    b: Symbol | None = None,
    rcond: builtins.float | builtins.str | None = "warn",
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> list[NumpySymbol]: ...
def matrix_power(
    a: Symbol | None = None,
    n: builtins.int = ...,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def matrix_rank(
    A: Symbol | None = None,
    tol: builtins.float | None = None,
    hermitian: builtins.bool | builtins.int = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def multi_dot(
    arrays: Sequence[Symbol] | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def norm(
    x: Symbol | None = None,
    ord: builtins.float | builtins.str | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def pinv(
    a: Symbol | None = None,
    rcond: builtins.float = 1e-15,
    hermitian: builtins.bool | builtins.int = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def qr(
    a: Symbol | None = None,
    mode: builtins.str = "reduced",
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> list[NumpySymbol]: ...
def slogdet(
    a: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> list[NumpySymbol]: ...
def solve(
    a: Symbol | None = None,
    b: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def svd(
    a: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> list[NumpySymbol]: ...
def tensorinv(
    a: Symbol | None = None,
    ind: builtins.int = 2,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def tensorsolve(
    a: Symbol | None = None,
    b: Symbol | None = None,
    axes: builtins.int | Sequence[builtins.int] | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
