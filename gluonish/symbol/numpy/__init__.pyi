"""`mx.sym.np`: NumPy's names.

Written by scripts/make_stubs.py; do not edit.
"""

import builtins
from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from gluonish.array.dtypes import DTypeLike
from gluonish.context import Context
from gluonish.symbol.attributes import Attributes
from gluonish.symbol.np_symbol import NumpySymbol
from gluonish.symbol.numpy import linalg as linalg, random as random

_Symbol = NumpySymbol
from gluonish.symbol.symbol import Symbol

def abs(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def absolute(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def add(
    x1: Symbol | builtins.float | None = None,
    x2: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def all(
    a: Symbol | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def allclose(
    a: Symbol | None = None,
    b: Symbol | None = None,
    rtol: builtins.float = 1e-05,
    atol: builtins.float = 1e-08,
    equal_nan: builtins.bool | builtins.int = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def alltrue(
    a: Symbol | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def amax(
    a: Symbol | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def amin(
    a: Symbol | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def any(
    a: Symbol | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def append(
    arr: Symbol | None = None,
    values: Symbol | None = None,
    axis: builtins.int | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def arange(
    start: builtins.float,
    stop: builtins.float | None = None,
    step: builtins.float | None = 1,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def arccos(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def arccosh(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def arcsin(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def arcsinh(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def arctan(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def arctan2(
    x1: Symbol | builtins.float | None = None,
    x2: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def arctanh(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def argmax(
    a: Symbol | None = None,
    axis: builtins.int | None = None,
    keepdims: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def argmin(
    a: Symbol | None = None,
    axis: builtins.int | None = None,
    keepdims: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def argsort(
    a: Symbol | None = None,
    axis: builtins.int | None = -1,
    kind: builtins.str | None = None,
    order: builtins.str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def argwhere(
    a: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def around(
    x: Symbol | None = None,
    decimals: builtins.int = 0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def array_equal(
    a1: Symbol | None = None,
    a2: Symbol | None = None,
    equal_nan: builtins.bool | builtins.int = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def array_equiv(
    a1: Symbol | None = None,
    a2: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def array_split(
    ary: Symbol, indices_or_sections: builtins.int | Sequence[builtins.int], axis: builtins.int = 0
) -> builtins.list[NumpySymbol]: ...
def atleast_1d(
    *arys: Symbol,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Any: ...
def atleast_2d(
    *arys: Symbol,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Any: ...
def atleast_3d(
    *arys: Symbol,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Any: ...
def average(
    a: Symbol | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    weights: Symbol | None = None,
    returned: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Any: ...
def bincount(
    x: Symbol | None = None,
    weights: Symbol | None = None,
    minlength: builtins.int = 0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def bitwise_and(
    x1: Symbol | builtins.float | None = None,
    x2: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def bitwise_not(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def bitwise_or(
    x1: Symbol | builtins.float | None = None,
    x2: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def bitwise_xor(
    x1: Symbol | builtins.float | None = None,
    x2: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def blackman(
    M: builtins.int,
    dtype: DTypeLike = ...,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def broadcast_arrays(
    *args: Symbol,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> list[NumpySymbol]: ...
def broadcast_to(
    array: Symbol | None = None,
    shape: builtins.int | Sequence[builtins.int] = ...,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def cbrt(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def ceil(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def clip(
    a: Symbol | None = None,
    a_min: Symbol | builtins.float | None = ...,
    a_max: Symbol | builtins.float | None = ...,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def column_stack(
    tup: Sequence[Symbol] | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def compress(
    condition: Symbol | None = None,
    a: Symbol | None = None,
    axis: builtins.int | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def concatenate(
    seq: Sequence[Symbol] | None = None,
    axis: builtins.int | None = 0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def convolve(
    a: Symbol | None = None,
    v: Symbol | None = None,
    mode: builtins.str = "full",
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def copy(
    a: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def copysign(
    x1: Symbol | builtins.float | None = None,
    x2: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def corrcoef(
    x: Symbol | None = None,
    y: Symbol | None = None,
    rowvar: builtins.bool | builtins.int = True,
    *,
    dtype: DTypeLike | None = None,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def cos(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def cosh(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def count_nonzero(
    a: Symbol | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    *,
    keepdims: builtins.bool = False,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def cov(
    m: Symbol | None = None,
    y: Symbol | None = None,
    rowvar: builtins.bool | builtins.int = True,
    bias: builtins.bool | builtins.int = False,
    ddof: builtins.float | None = None,
    fweights: Symbol | None = None,
    aweights: Symbol | None = None,
    *,
    dtype: DTypeLike | None = None,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def cross(
    a: Symbol | None = None,
    b: Symbol | None = None,
    axisa: builtins.int = -1,
    axisb: builtins.int = -1,
    axisc: builtins.int = -1,
    axis: builtins.int | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def cumprod(
    a: Symbol | None = None,
    axis: builtins.int | None = None,
    dtype: DTypeLike | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def cumsum(
    a: Symbol | None = None,
    axis: builtins.int | None = None,
    dtype: DTypeLike | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def deg2rad(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def degrees(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def delete(
    arr: Symbol | None = None,
    obj: builtins.int | builtins.slice | Sequence[builtins.int] | Symbol = ...,
    axis: builtins.int | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def diag(
    array: Symbol | None = None,
    k: builtins.int = 0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def diag_indices_from(
    arr: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> list[NumpySymbol]: ...
def diagflat(
    array: Symbol | None = None,
    k: builtins.int = 0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def diagonal(
    a: Symbol | None = None,
    offset: builtins.int = 0,
    axis1: builtins.int = 0,
    axis2: builtins.int = 1,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def diff(
    a: Symbol | None = None,
    n: builtins.int = 1,
    axis: builtins.int = -1,
    prepend: Symbol | builtins.float | None = None,
    append: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def digitize(
    x: Symbol | None = None,
    bins: Symbol | None = None,
    right: builtins.bool | builtins.int = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def divide(
    x1: Symbol | builtins.float | None = None,
    x2: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def dot(
    a: Symbol | builtins.float | None = None,
    b: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def dsplit(
    ary: Symbol | None = None,
    indices_or_sections: builtins.int | Sequence[builtins.int] | Symbol = ...,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> list[NumpySymbol]: ...
def dstack(
    arrays: Sequence[Symbol] | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def ediff1d(
    ary: Symbol | None = None,
    to_end: Symbol | builtins.float | None = None,
    to_begin: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def einsum(
    subscripts: builtins.str,
    *operands: Symbol,
    optimize: builtins.bool | builtins.int | builtins.str = False,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def empty(
    shape: builtins.int | Sequence[builtins.int],
    dtype: DTypeLike = ...,
    order: builtins.str = "C",
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def empty_like(
    prototype: Symbol | None = None,
    dtype: DTypeLike | None = None,
    order: builtins.str = "C",
    subok: builtins.bool = False,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def equal(
    x1: Symbol | builtins.float | None = None,
    x2: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def exp(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def expand_dims(
    a: Symbol | None = None,
    axis: builtins.int | Sequence[builtins.int] = ...,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def expm1(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def extract(
    condition: Symbol | None = None,
    arr: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def eye(
    N: builtins.int,
    M: builtins.int | None = None,
    k: builtins.int = 0,
    dtype: DTypeLike | None = ...,
    *,
    ctx: Context | str | None = None,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def fabs(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def fix(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def flatnonzero(
    a: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def flip(
    m: Symbol | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def fliplr(
    m: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def flipud(
    m: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def floor(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def floor_divide(
    x1: Symbol | builtins.float | None = None,
    x2: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def fmod(
    x1: Symbol | builtins.float | None = None,
    x2: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def full(
    shape: builtins.int | Sequence[builtins.int],
    fill_value: Symbol | builtins.float | None = None,
    dtype: DTypeLike | None = None,
    order: builtins.str = "C",
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def full_like(
    a: Symbol | None = None,
    fill_value: builtins.float = ...,
    dtype: DTypeLike | None = None,
    order: builtins.str = "C",
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def greater(
    x1: Symbol | builtins.float | None = None,
    x2: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def greater_equal(
    x1: Symbol | builtins.float | None = None,
    x2: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def hamming(
    M: builtins.int,
    dtype: DTypeLike = ...,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def hanning(
    M: builtins.int,
    dtype: DTypeLike = ...,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def heaviside(
    x1: Symbol | None = None,
    x2: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def histogram(
    a: Symbol | None = None,
    bins: builtins.int | Sequence[builtins.float] | Symbol = 10,
    range: builtins.tuple[builtins.float, builtins.float] | None = None,
    normed: builtins.bool | None = None,
    weights: Symbol | None = None,
    density: builtins.bool | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> list[NumpySymbol]: ...
def hsplit(
    ary: Symbol | None = None,
    indices_or_sections: builtins.int | Sequence[builtins.int] | Symbol = ...,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> list[NumpySymbol]: ...
def hstack(
    arrays: Sequence[Symbol] | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def hypot(
    x1: Symbol | builtins.float | None = None,
    x2: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def identity(
    n: builtins.int,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def in1d(
    ar1: Symbol | None = None,
    ar2: Symbol | None = None,
    assume_unique: builtins.bool | builtins.int = False,
    invert: builtins.bool | builtins.int = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def indices(
    dimensions: Sequence[builtins.int],
    dtype: DTypeLike | None = ...,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def inner(
    a: Symbol | None = None,
    b: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def insert(
    arr: Symbol | None = None,
    obj: builtins.int | builtins.slice | Sequence[builtins.int] | Symbol = ...,
    values: Symbol | builtins.float | None = None,
    axis: builtins.int | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def interp(
    x: Symbol | None = None,
    xp: Symbol | None = None,
    fp: Symbol | None = None,
    left: builtins.float | None = None,
    right: builtins.float | None = None,
    period: builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def invert(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def isclose(
    a: Symbol | None = None,
    b: Symbol | None = None,
    rtol: builtins.float = 1e-05,
    atol: builtins.float = 1e-08,
    equal_nan: builtins.bool | builtins.int = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def isfinite(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def isin(
    element: Symbol | None = None,
    test_elements: Symbol | None = None,
    assume_unique: builtins.bool | builtins.int = False,
    invert: builtins.bool | builtins.int = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def isinf(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def isnan(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def isneginf(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def isposinf(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def kron(
    a: Symbol | None = None,
    b: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def lcm(
    x1: Symbol | builtins.float | None = None,
    x2: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def ldexp(
    x1: Symbol | builtins.float | None = None,
    x2: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def less(
    x1: Symbol | builtins.float | None = None,
    x2: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def less_equal(
    x1: Symbol | builtins.float | None = None,
    x2: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def linspace(
    start: builtins.float,
    stop: builtins.float,
    num: builtins.int = 50,
    endpoint: builtins.bool = True,
    retstep: builtins.bool | builtins.int = False,
    dtype: DTypeLike | None = None,
    axis: builtins.int = 0,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Any: ...
def log(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def log10(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def log1p(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def log2(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def logical_and(
    x1: Symbol | builtins.float | None = None,
    x2: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def logical_not(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def logical_or(
    x1: Symbol | builtins.float | None = None,
    x2: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def logical_xor(
    x1: Symbol | builtins.float | None = None,
    x2: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def logspace(
    start: builtins.float,
    stop: builtins.float,
    num: builtins.int = 50,
    endpoint: builtins.bool = True,
    base: builtins.float = 10.0,
    dtype: DTypeLike | None = None,
    axis: builtins.int = 0,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def matmul(
    a: Symbol | None = None,
    b: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def max(
    a: Symbol | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def maximum(
    x1: Symbol | builtins.float | None = None,
    x2: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def mean(
    a: Symbol | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    keepdims: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def median(
    a: Symbol | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    overwrite_input: builtins.bool | None = None,
    keepdims: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def meshgrid(
    *xi: Symbol,
    indexing: builtins.str = "xy",
    sparse: builtins.bool | builtins.int = False,
    copy: builtins.bool = True,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> list[NumpySymbol]: ...
def min(
    a: Symbol | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def minimum(
    x1: Symbol | builtins.float | None = None,
    x2: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def mod(
    x1: Symbol | builtins.float | None = None,
    x2: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def moveaxis(
    a: Symbol | None = None,
    source: builtins.int | Sequence[builtins.int] | None = ...,
    destination: builtins.int | Sequence[builtins.int] | None = ...,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def msort(
    a: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def multiply(
    x1: Symbol | builtins.float | None = None,
    x2: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def nan_to_num(
    x: Symbol | None = None,
    copy: builtins.bool = True,
    nan: builtins.float = 0.0,
    posinf: builtins.float | None = None,
    neginf: builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def nanargmax(
    a: Symbol | None = None,
    axis: builtins.int | None = None,
    *,
    keepdims: builtins.bool = False,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def nanargmin(
    a: Symbol | None = None,
    axis: builtins.int | None = None,
    *,
    keepdims: builtins.bool = False,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def nancumprod(
    a: Symbol | None = None,
    axis: builtins.int | None = None,
    dtype: DTypeLike | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def nancumsum(
    a: Symbol | None = None,
    axis: builtins.int | None = None,
    dtype: DTypeLike | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def nanmax(
    a: Symbol | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def nanmean(
    a: Symbol | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    keepdims: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def nanmin(
    a: Symbol | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def nanprod(
    a: Symbol | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    keepdims: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def nansum(
    a: Symbol | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    keepdims: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def negative(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def nonzero(
    a: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> list[NumpySymbol]: ...
def not_equal(
    x1: Symbol | builtins.float | None = None,
    x2: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def ones(
    shape: builtins.int | Sequence[builtins.int],
    dtype: DTypeLike = ...,
    order: builtins.str = "C",
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def ones_like(
    a: Symbol | None = None,
    dtype: DTypeLike | None = None,
    order: builtins.str = "C",
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def outer(a: Symbol, b: Symbol) -> NumpySymbol: ...
def pad(
    x: Symbol | None = None,
    pad_width: builtins.int | Sequence[builtins.int] | Sequence[Sequence[builtins.int]] = ...,
    mode: builtins.str = "constant",
    *,
    constant_values: builtins.float = 0,
    reflect_type: builtins.str = "even",
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def percentile(
    a: Symbol | None = None,
    q: Symbol | builtins.float | Sequence[builtins.float] | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    overwrite_input: builtins.bool | None = None,
    interpolation: builtins.str = "linear",
    keepdims: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def polyval(
    p: Symbol | None = None,
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def positive(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def power(
    x1: Symbol | builtins.float | None = None,
    x2: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def prod(
    a: Symbol | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    keepdims: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def product(
    a: Symbol | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    keepdims: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def ptp(
    a: Symbol | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def quantile(
    a: Symbol | None = None,
    q: Symbol | builtins.float | Sequence[builtins.float] | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    overwrite_input: builtins.bool | None = None,
    interpolation: builtins.str = "linear",
    keepdims: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def rad2deg(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def radians(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def ravel(
    x: Symbol | None = None,
    order: builtins.str = "C",
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def real(
    val: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def reciprocal(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def remainder(
    x1: Symbol | builtins.float | None = None,
    x2: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def repeat(
    a: Symbol | None = None,
    repeats: builtins.int | Sequence[builtins.int] = ...,
    axis: builtins.int | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def reshape(
    a: Symbol | None = None,
    newshape: builtins.int | Sequence[builtins.int] = ...,
    order: builtins.str = "C",
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def resize(
    a: Symbol | None = None,
    new_shape: builtins.int | Sequence[builtins.int] = ...,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def rint(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def roll(
    a: Symbol | None = None,
    shift: builtins.int | Sequence[builtins.int] = ...,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def rollaxis(
    a: Symbol | None = None,
    axis: builtins.int = ...,
    start: builtins.int = 0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def rot90(
    m: Symbol | None = None,
    k: builtins.int = 1,
    axes: Sequence[builtins.int] = (0, 1),
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def round(
    x: Symbol | None = None,
    decimals: builtins.int = 0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def round_(
    x: Symbol | None = None,
    decimals: builtins.int = 0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def row_stack(
    arrays: Sequence[Symbol] | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def searchsorted(
    a: Symbol | None = None,
    v: Symbol | None = None,
    side: builtins.str = "left",
    sorter: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def select(
    condlist: Sequence[Symbol] | None = None,
    choicelist: Sequence[Symbol] | None = None,
    default: builtins.float = 0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def sign(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def sin(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def sinh(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def sometrue(
    a: Symbol | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def sort(
    a: Symbol | None = None,
    axis: builtins.int | None = -1,
    kind: builtins.str | None = None,
    order: builtins.str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def split(
    ary: Symbol | None = None,
    indices_or_sections: builtins.int | Sequence[builtins.int] | Symbol = ...,
    axis: builtins.int = 0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> list[NumpySymbol]: ...
def sqrt(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def square(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def squeeze(
    a: Symbol | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def stack(
    arrays: Sequence[Symbol] | None = None,
    axis: builtins.int = 0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def std(
    a: Symbol | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ddof: builtins.float = 0,
    keepdims: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def subtract(
    x1: Symbol | builtins.float | None = None,
    x2: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def sum(
    a: Symbol | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    keepdims: builtins.bool = False,
    initial: builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def swapaxes(
    a: Symbol | None = None,
    axis1: builtins.int = ...,
    axis2: builtins.int = ...,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def take(
    a: Symbol,
    indices: Symbol,
    axis: builtins.int | None = None,
    mode: builtins.str = "raise",
    out: builtins.object = None,
) -> NumpySymbol: ...
def take_along_axis(
    arr: Symbol | None = None,
    indices: Symbol | None = None,
    axis: builtins.int | None = ...,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def tan(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def tanh(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def tensordot(
    a: Symbol | None = None,
    b: Symbol | None = None,
    axes: builtins.int | Sequence[builtins.int] | Sequence[Sequence[builtins.int]] = 2,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def tile(
    A: Symbol | None = None,
    reps: builtins.int | Sequence[builtins.int] = ...,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def trace(
    a: Symbol | None = None,
    offset: builtins.int = 0,
    axis1: builtins.int = 0,
    axis2: builtins.int = 1,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def transpose(
    a: Symbol | None = None,
    axes: builtins.int | Sequence[builtins.int] | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def trapezoid(
    y: Symbol | None = None,
    x: Symbol | None = None,
    dx: builtins.float = 1.0,
    axis: builtins.int = -1,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def trapz(
    y: Symbol | None = None,
    x: Symbol | None = None,
    dx: builtins.float = 1.0,
    axis: builtins.int = -1,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def tri(
    N: builtins.int,
    M: builtins.int | None = None,
    k: builtins.int = 0,
    dtype: DTypeLike = ...,
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def tril(
    m: Symbol | None = None,
    k: builtins.int = 0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def tril_indices(
    n: builtins.int,
    k: builtins.int = 0,
    m: builtins.int | None = None,
    *,
    ctx: Context | str | None = None,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> list[NumpySymbol]: ...
def tril_indices_from(
    arr: Symbol | None = None,
    k: builtins.int = 0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> list[NumpySymbol]: ...
def triu(
    m: Symbol | None = None,
    k: builtins.int = 0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def triu_indices(
    n: builtins.int,
    k: builtins.int = 0,
    m: builtins.int | None = None,
    *,
    ctx: Context | str | None = None,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> list[NumpySymbol]: ...
def triu_indices_from(
    arr: Symbol | None = None,
    k: builtins.int = 0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> list[NumpySymbol]: ...
def true_divide(
    x1: Symbol | builtins.float | None = None,
    x2: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def trunc(
    x: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def unique(
    ar: Symbol | None = None,
    return_index: builtins.bool = False,
    return_inverse: builtins.bool = False,
    return_counts: builtins.bool = False,
    axis: builtins.int | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Any: ...
def unravel_index(
    indices: Symbol, shape: builtins.int | Sequence[builtins.int], order: builtins.str = "C"
) -> NumpySymbol: ...
def vander(
    x: Symbol | None = None,
    N: builtins.int | None = None,
    increasing: builtins.bool | builtins.int = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def var(
    a: Symbol | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    ddof: builtins.float = 0,
    keepdims: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def vdot(a: Symbol, b: Symbol) -> NumpySymbol: ...
def vsplit(
    ary: Symbol | None = None,
    indices_or_sections: builtins.int | Sequence[builtins.int] | Symbol = ...,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> list[NumpySymbol]: ...
def vstack(
    arrays: Sequence[Symbol] | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def where(
    condition: Symbol | None = None,
    x: Symbol | builtins.float | None = None,
    y: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Any: ...
def zeros(
    shape: builtins.int | Sequence[builtins.int],
    dtype: DTypeLike | None = None,
    order: builtins.str = "C",
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def zeros_like(
    a: Symbol | None = None,
    dtype: DTypeLike | None = None,
    order: builtins.str = "C",
    ctx: Context | str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
