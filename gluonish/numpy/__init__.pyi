"""The front end `mx.np`: NumPy's names and rules, built from the op table.

Written by scripts/make_stubs.py; do not edit.
"""

import builtins
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as onp
from numpy import (
    bool_ as bool_,
    e as e,
    euler_gamma as euler_gamma,
    finfo as finfo,
    float16 as float16,
    float32 as float32,
    float64 as float64,
    iinfo as iinfo,
    inf as inf,
    int8 as int8,
    int16 as int16,
    int32 as int32,
    int64 as int64,
    nan as nan,
    newaxis as newaxis,
    pi as pi,
    promote_types as promote_types,
    uint8 as uint8,
    uint16 as uint16,
    uint32 as uint32,
    uint64 as uint64,
)

from gluonish.array import ndarray as ndarray
from gluonish.array.dtypes import DTypeLike
from gluonish.context import Context
from gluonish.numpy import fallback as fallback, linalg as linalg, random as random
from gluonish.numpy.creation import (
    array as array,
    asarray as asarray,
    genfromtxt as genfromtxt,
    loadtxt as loadtxt,
    set_printoptions as set_printoptions,
)
from gluonish.numpy.properties import (
    may_share_memory as may_share_memory,
    ndim as ndim,
    result_type as result_type,
    shape as shape,
    shares_memory as shares_memory,
    size as size,
)

NAN: builtins.float
NINF: builtins.float
NZERO: builtins.float
NaN: builtins.float
PINF: builtins.float
PZERO: builtins.float
bool = bool_

_ArrayLike: TypeAlias = ndarray | Sequence[Any] | onp.ndarray[Any, Any] | float

def abs(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def absolute(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def add(
    x1: _ArrayLike | builtins.float,
    x2: _ArrayLike | builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def all(
    a: _ArrayLike,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def allclose(
    a: _ArrayLike,
    b: _ArrayLike,
    rtol: builtins.float = 1e-05,
    atol: builtins.float = 1e-08,
    equal_nan: builtins.bool | builtins.int = False,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> builtins.bool: ...
def alltrue(
    a: _ArrayLike,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def amax(
    a: _ArrayLike,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def amin(
    a: _ArrayLike,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def any(
    a: _ArrayLike,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def append(
    arr: _ArrayLike,
    values: _ArrayLike,
    axis: builtins.int | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def apply_along_axis(*args: Any, **kwargs: Any) -> Any: ...
def apply_over_axes(*args: Any, **kwargs: Any) -> Any: ...
def arange(
    start: builtins.float,
    stop: builtins.float | None = None,
    step: builtins.float | None = 1,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def arccos(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def arccosh(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def arcsin(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def arcsinh(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def arctan(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def arctan2(
    x1: _ArrayLike | builtins.float,
    x2: _ArrayLike | builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def arctanh(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def argmax(
    a: _ArrayLike,
    axis: builtins.int | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
    keepdims: builtins.bool = False,
) -> ndarray: ...
def argmin(
    a: _ArrayLike,
    axis: builtins.int | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
    keepdims: builtins.bool = False,
) -> ndarray: ...
def argpartition(*args: Any, **kwargs: Any) -> Any: ...
def argsort(
    a: _ArrayLike,
    axis: builtins.int | None = -1,
    kind: builtins.str | None = None,
    order: builtins.str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def argwhere(a: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def around(
    x: _ArrayLike, decimals: builtins.int = 0, *, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def array_equal(
    a1: _ArrayLike,
    a2: _ArrayLike,
    equal_nan: builtins.bool | builtins.int = False,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> builtins.bool: ...
def array_equiv(
    a1: _ArrayLike, a2: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None
) -> builtins.bool: ...
def array_split(
    ary: _ArrayLike,
    indices_or_sections: builtins.int | Sequence[builtins.int] | _ArrayLike,
    axis: builtins.int = 0,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> builtins.list[ndarray]: ...
def atleast_1d(
    *arys: _ArrayLike, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray | builtins.list[ndarray]: ...
def atleast_2d(
    *arys: _ArrayLike, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray | builtins.list[ndarray]: ...
def atleast_3d(
    *arys: _ArrayLike, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray | builtins.list[ndarray]: ...
def average(
    a: _ArrayLike,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    weights: _ArrayLike | None = None,
    returned: builtins.bool = False,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray | builtins.list[ndarray]: ...
def bincount(
    x: _ArrayLike,
    weights: _ArrayLike | None = None,
    minlength: builtins.int = 0,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def bitwise_and(
    x1: _ArrayLike | builtins.float,
    x2: _ArrayLike | builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def bitwise_not(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def bitwise_or(
    x1: _ArrayLike | builtins.float,
    x2: _ArrayLike | builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def bitwise_xor(
    x1: _ArrayLike | builtins.float,
    x2: _ArrayLike | builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def blackman(
    M: builtins.int,
    dtype: DTypeLike = ...,
    ctx: Context | str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def broadcast_arrays(
    *args: _ArrayLike, out: ndarray | Sequence[ndarray] | None = None
) -> builtins.list[ndarray]: ...
def broadcast_to(
    array: _ArrayLike,
    shape: builtins.int | Sequence[builtins.int],
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def cbrt(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def ceil(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def choose(*args: Any, **kwargs: Any) -> Any: ...
def clip(
    a: _ArrayLike,
    a_min: _ArrayLike | builtins.float | None,
    a_max: _ArrayLike | builtins.float | None,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def column_stack(
    tup: Sequence[_ArrayLike], *, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def compress(
    condition: _ArrayLike,
    a: _ArrayLike,
    axis: builtins.int | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def concatenate(
    seq: Sequence[_ArrayLike],
    axis: builtins.int | None = 0,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def convolve(
    a: _ArrayLike,
    v: _ArrayLike,
    mode: builtins.str = "full",
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def copy(a: _ArrayLike, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def copysign(
    x1: _ArrayLike | builtins.float,
    x2: _ArrayLike | builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def corrcoef(
    x: _ArrayLike,
    y: _ArrayLike | None = None,
    rowvar: builtins.bool | builtins.int = True,
    *,
    dtype: DTypeLike | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def correlate(*args: Any, **kwargs: Any) -> Any: ...
def cos(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def cosh(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def count_nonzero(
    a: _ArrayLike,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    *,
    keepdims: builtins.bool = False,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def cov(
    m: _ArrayLike,
    y: _ArrayLike | None = None,
    rowvar: builtins.bool | builtins.int = True,
    bias: builtins.bool | builtins.int = False,
    ddof: builtins.float | None = None,
    fweights: _ArrayLike | None = None,
    aweights: _ArrayLike | None = None,
    *,
    dtype: DTypeLike | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def cross(
    a: _ArrayLike,
    b: _ArrayLike,
    axisa: builtins.int = -1,
    axisb: builtins.int = -1,
    axisc: builtins.int = -1,
    axis: builtins.int | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def cumprod(
    a: _ArrayLike,
    axis: builtins.int | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def cumsum(
    a: _ArrayLike,
    axis: builtins.int | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def deg2rad(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def degrees(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def delete(
    arr: _ArrayLike,
    obj: builtins.int | builtins.slice | Sequence[builtins.int] | _ArrayLike,
    axis: builtins.int | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def diag(
    array: _ArrayLike, k: builtins.int = 0, *, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def diag_indices_from(
    arr: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None
) -> builtins.tuple[ndarray, ...]: ...
def diagflat(
    array: _ArrayLike, k: builtins.int = 0, *, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def diagonal(
    a: _ArrayLike,
    offset: builtins.int = 0,
    axis1: builtins.int = 0,
    axis2: builtins.int = 1,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def diff(
    a: _ArrayLike,
    n: builtins.int = 1,
    axis: builtins.int = -1,
    prepend: _ArrayLike | builtins.float | None = None,
    append: _ArrayLike | builtins.float | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def digitize(
    x: _ArrayLike,
    bins: _ArrayLike,
    right: builtins.bool | builtins.int = False,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def divide(
    x1: _ArrayLike | builtins.float,
    x2: _ArrayLike | builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def divmod(*args: Any, **kwargs: Any) -> Any: ...
def dot(
    a: _ArrayLike | builtins.float,
    b: _ArrayLike | builtins.float,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def dsplit(
    ary: _ArrayLike,
    indices_or_sections: builtins.int | Sequence[builtins.int] | _ArrayLike,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> builtins.list[ndarray]: ...
def dstack(
    arrays: Sequence[_ArrayLike], *, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def ediff1d(
    ary: _ArrayLike,
    to_end: _ArrayLike | builtins.float | None = None,
    to_begin: _ArrayLike | builtins.float | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def einsum(
    subscripts: builtins.str,
    *operands: _ArrayLike,
    out: ndarray | Sequence[ndarray] | None = None,
    optimize: builtins.bool | builtins.int | builtins.str = False,
) -> ndarray: ...
def empty(
    shape: builtins.int | Sequence[builtins.int],
    dtype: DTypeLike = ...,
    order: builtins.str = "C",
    ctx: Context | str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def empty_like(
    prototype: _ArrayLike,
    dtype: DTypeLike | None = None,
    order: builtins.str = "C",
    subok: builtins.bool = False,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def equal(
    x1: _ArrayLike | builtins.float,
    x2: _ArrayLike | builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def exp(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def expand_dims(
    a: _ArrayLike,
    axis: builtins.int | Sequence[builtins.int],
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def expm1(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def extract(
    condition: _ArrayLike, arr: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def eye(
    N: builtins.int,
    M: builtins.int | None = None,
    k: builtins.int = 0,
    dtype: DTypeLike | None = ...,
    *,
    ctx: Context | str | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def fabs(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def fix(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def flatnonzero(a: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def flip(
    m: _ArrayLike,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def fliplr(m: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def flipud(m: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def float_power(*args: Any, **kwargs: Any) -> Any: ...
def floor(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def floor_divide(
    x1: _ArrayLike | builtins.float,
    x2: _ArrayLike | builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def fmod(
    x1: _ArrayLike | builtins.float,
    x2: _ArrayLike | builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def frexp(*args: Any, **kwargs: Any) -> Any: ...
def full(
    shape: builtins.int | Sequence[builtins.int],
    fill_value: _ArrayLike | builtins.float,
    dtype: DTypeLike | None = None,
    order: builtins.str = "C",
    ctx: Context | str | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def full_like(
    a: _ArrayLike,
    fill_value: builtins.float,
    dtype: DTypeLike | None = None,
    order: builtins.str = "C",
    ctx: Context | str | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def greater(
    x1: _ArrayLike | builtins.float,
    x2: _ArrayLike | builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def greater_equal(
    x1: _ArrayLike | builtins.float,
    x2: _ArrayLike | builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def hamming(
    M: builtins.int,
    dtype: DTypeLike = ...,
    ctx: Context | str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def hanning(
    M: builtins.int,
    dtype: DTypeLike = ...,
    ctx: Context | str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def heaviside(
    x1: _ArrayLike, x2: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def histogram(
    a: _ArrayLike,
    bins: builtins.int | Sequence[builtins.float] | _ArrayLike = 10,
    range: builtins.tuple[builtins.float, builtins.float] | None = None,
    normed: builtins.bool | None = None,
    weights: _ArrayLike | None = None,
    density: builtins.bool | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> builtins.list[ndarray]: ...
def histogram2d(*args: Any, **kwargs: Any) -> Any: ...
def histogram_bin_edges(*args: Any, **kwargs: Any) -> Any: ...
def histogramdd(*args: Any, **kwargs: Any) -> Any: ...
def hsplit(
    ary: _ArrayLike,
    indices_or_sections: builtins.int | Sequence[builtins.int] | _ArrayLike,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> builtins.list[ndarray]: ...
def hstack(
    arrays: Sequence[_ArrayLike], *, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def hypot(
    x1: _ArrayLike | builtins.float,
    x2: _ArrayLike | builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def i0(*args: Any, **kwargs: Any) -> Any: ...
def identity(
    n: builtins.int,
    dtype: DTypeLike | None = None,
    ctx: Context | str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def in1d(
    ar1: _ArrayLike,
    ar2: _ArrayLike,
    assume_unique: builtins.bool | builtins.int = False,
    invert: builtins.bool | builtins.int = False,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def indices(
    dimensions: Sequence[builtins.int],
    dtype: DTypeLike | None = ...,
    ctx: Context | str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def inner(
    a: _ArrayLike, b: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def insert(
    arr: _ArrayLike,
    obj: builtins.int | builtins.slice | Sequence[builtins.int] | _ArrayLike,
    values: _ArrayLike | builtins.float,
    axis: builtins.int | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def interp(
    x: _ArrayLike,
    xp: _ArrayLike,
    fp: _ArrayLike,
    left: builtins.float | None = None,
    right: builtins.float | None = None,
    period: builtins.float | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def intersect1d(*args: Any, **kwargs: Any) -> Any: ...
def invert(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def isclose(
    a: _ArrayLike,
    b: _ArrayLike,
    rtol: builtins.float = 1e-05,
    atol: builtins.float = 1e-08,
    equal_nan: builtins.bool | builtins.int = False,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def isfinite(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def isin(
    element: _ArrayLike,
    test_elements: _ArrayLike,
    assume_unique: builtins.bool | builtins.int = False,
    invert: builtins.bool | builtins.int = False,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def isinf(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def isnan(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def isneginf(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def isposinf(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def ix_(*args: Any, **kwargs: Any) -> Any: ...
def kron(
    a: _ArrayLike, b: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def lcm(
    x1: _ArrayLike | builtins.float,
    x2: _ArrayLike | builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def ldexp(
    x1: _ArrayLike | builtins.float,
    x2: _ArrayLike | builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def less(
    x1: _ArrayLike | builtins.float,
    x2: _ArrayLike | builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def less_equal(
    x1: _ArrayLike | builtins.float,
    x2: _ArrayLike | builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def lexsort(*args: Any, **kwargs: Any) -> Any: ...
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
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray | builtins.tuple[ndarray, builtins.float]: ...
def log(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def log10(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def log1p(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def log2(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def logical_and(
    x1: _ArrayLike | builtins.float,
    x2: _ArrayLike | builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def logical_not(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def logical_or(
    x1: _ArrayLike | builtins.float,
    x2: _ArrayLike | builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def logical_xor(
    x1: _ArrayLike | builtins.float,
    x2: _ArrayLike | builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
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
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def matmul(
    a: _ArrayLike, b: _ArrayLike, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def max(
    a: _ArrayLike,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def maximum(
    x1: _ArrayLike | builtins.float,
    x2: _ArrayLike | builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def mean(
    a: _ArrayLike,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
    keepdims: builtins.bool = False,
) -> ndarray: ...
def median(
    a: _ArrayLike,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
    overwrite_input: builtins.bool | None = None,
    keepdims: builtins.bool = False,
) -> ndarray: ...
def meshgrid(
    *xi: _ArrayLike,
    indexing: builtins.str = "xy",
    sparse: builtins.bool | builtins.int = False,
    copy: builtins.bool = True,
    out: ndarray | Sequence[ndarray] | None = None,
) -> builtins.list[ndarray]: ...
def min(
    a: _ArrayLike,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def minimum(
    x1: _ArrayLike | builtins.float,
    x2: _ArrayLike | builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def mod(
    x1: _ArrayLike | builtins.float,
    x2: _ArrayLike | builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def modf(*args: Any, **kwargs: Any) -> Any: ...
def moveaxis(
    a: _ArrayLike,
    source: builtins.int | Sequence[builtins.int] | None,
    destination: builtins.int | Sequence[builtins.int] | None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def msort(a: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def multiply(
    x1: _ArrayLike | builtins.float,
    x2: _ArrayLike | builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def nan_to_num(
    x: _ArrayLike,
    copy: builtins.bool = True,
    nan: builtins.float = 0.0,
    posinf: builtins.float | None = None,
    neginf: builtins.float | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def nanargmax(
    a: _ArrayLike,
    axis: builtins.int | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
    *,
    keepdims: builtins.bool = False,
) -> ndarray: ...
def nanargmin(
    a: _ArrayLike,
    axis: builtins.int | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
    *,
    keepdims: builtins.bool = False,
) -> ndarray: ...
def nancumprod(
    a: _ArrayLike,
    axis: builtins.int | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def nancumsum(
    a: _ArrayLike,
    axis: builtins.int | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def nanmax(
    a: _ArrayLike,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
    keepdims: builtins.bool = False,
) -> ndarray: ...
def nanmean(
    a: _ArrayLike,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
    keepdims: builtins.bool = False,
) -> ndarray: ...
def nanmedian(*args: Any, **kwargs: Any) -> Any: ...
def nanmin(
    a: _ArrayLike,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
    keepdims: builtins.bool = False,
) -> ndarray: ...
def nanpercentile(*args: Any, **kwargs: Any) -> Any: ...
def nanprod(
    a: _ArrayLike,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
    keepdims: builtins.bool = False,
) -> ndarray: ...
def nanquantile(*args: Any, **kwargs: Any) -> Any: ...
def nansum(
    a: _ArrayLike,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
    keepdims: builtins.bool = False,
) -> ndarray: ...
def negative(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def nonzero(
    a: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None
) -> builtins.tuple[ndarray, ...]: ...
def not_equal(
    x1: _ArrayLike | builtins.float,
    x2: _ArrayLike | builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def ones(
    shape: builtins.int | Sequence[builtins.int],
    dtype: DTypeLike = ...,
    order: builtins.str = "C",
    ctx: Context | str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def ones_like(
    a: _ArrayLike,
    dtype: DTypeLike | None = None,
    order: builtins.str = "C",
    ctx: Context | str | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def outer(
    a: _ArrayLike, b: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def packbits(*args: Any, **kwargs: Any) -> Any: ...
def pad(
    x: _ArrayLike,
    pad_width: builtins.int | Sequence[builtins.int] | Sequence[Sequence[builtins.int]],
    mode: builtins.str = "constant",
    *,
    constant_values: builtins.float = 0,
    reflect_type: builtins.str = "even",
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def partition(*args: Any, **kwargs: Any) -> Any: ...
def percentile(
    a: _ArrayLike,
    q: _ArrayLike | builtins.float | Sequence[builtins.float],
    axis: builtins.int | Sequence[builtins.int] | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
    overwrite_input: builtins.bool | None = None,
    interpolation: builtins.str = "linear",
    keepdims: builtins.bool = False,
) -> ndarray: ...
def piecewise(*args: Any, **kwargs: Any) -> Any: ...
def poly(*args: Any, **kwargs: Any) -> Any: ...
def polyadd(*args: Any, **kwargs: Any) -> Any: ...
def polydiv(*args: Any, **kwargs: Any) -> Any: ...
def polyfit(*args: Any, **kwargs: Any) -> Any: ...
def polyint(*args: Any, **kwargs: Any) -> Any: ...
def polymul(*args: Any, **kwargs: Any) -> Any: ...
def polysub(*args: Any, **kwargs: Any) -> Any: ...
def polyval(
    p: _ArrayLike, x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def positive(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def power(
    x1: _ArrayLike | builtins.float,
    x2: _ArrayLike | builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def prod(
    a: _ArrayLike,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
    keepdims: builtins.bool = False,
) -> ndarray: ...
def product(
    a: _ArrayLike,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
    keepdims: builtins.bool = False,
) -> ndarray: ...
def ptp(
    a: _ArrayLike,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
    keepdims: builtins.bool = False,
) -> ndarray: ...
def quantile(
    a: _ArrayLike,
    q: _ArrayLike | builtins.float | Sequence[builtins.float],
    axis: builtins.int | Sequence[builtins.int] | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
    overwrite_input: builtins.bool | None = None,
    interpolation: builtins.str = "linear",
    keepdims: builtins.bool = False,
) -> ndarray: ...
def rad2deg(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def radians(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def ravel(
    x: _ArrayLike, order: builtins.str = "C", *, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def real(val: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def reciprocal(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def remainder(
    x1: _ArrayLike | builtins.float,
    x2: _ArrayLike | builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def repeat(
    a: _ArrayLike,
    repeats: builtins.int | Sequence[builtins.int],
    axis: builtins.int | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def reshape(
    a: _ArrayLike,
    newshape: builtins.int | Sequence[builtins.int],
    order: builtins.str = "C",
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def resize(
    a: _ArrayLike,
    new_shape: builtins.int | Sequence[builtins.int],
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def rint(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def roll(
    a: _ArrayLike,
    shift: builtins.int | Sequence[builtins.int],
    axis: builtins.int | Sequence[builtins.int] | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def rollaxis(
    a: _ArrayLike,
    axis: builtins.int,
    start: builtins.int = 0,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def roots(*args: Any, **kwargs: Any) -> Any: ...
def rot90(
    m: _ArrayLike,
    k: builtins.int = 1,
    axes: Sequence[builtins.int] = (0, 1),
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def round(
    x: _ArrayLike, decimals: builtins.int = 0, *, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def round_(
    x: _ArrayLike, decimals: builtins.int = 0, *, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def row_stack(
    arrays: Sequence[_ArrayLike], out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def searchsorted(
    a: _ArrayLike,
    v: _ArrayLike,
    side: builtins.str = "left",
    sorter: _ArrayLike | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def select(
    condlist: Sequence[_ArrayLike],
    choicelist: Sequence[_ArrayLike],
    default: builtins.float = 0,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def setdiff1d(*args: Any, **kwargs: Any) -> Any: ...
def setxor1d(*args: Any, **kwargs: Any) -> Any: ...
def sign(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def signbit(*args: Any, **kwargs: Any) -> Any: ...
def sin(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def sinh(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def sometrue(
    a: _ArrayLike,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def sort(
    a: _ArrayLike,
    axis: builtins.int | None = -1,
    kind: builtins.str | None = None,
    order: builtins.str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def spacing(*args: Any, **kwargs: Any) -> Any: ...
def split(
    ary: _ArrayLike,
    indices_or_sections: builtins.int | Sequence[builtins.int] | _ArrayLike,
    axis: builtins.int = 0,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> builtins.list[ndarray]: ...
def sqrt(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def square(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def squeeze(
    a: _ArrayLike,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def stack(
    arrays: Sequence[_ArrayLike],
    axis: builtins.int = 0,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def std(
    a: _ArrayLike,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
    ddof: builtins.float = 0,
    keepdims: builtins.bool = False,
) -> ndarray: ...
def subtract(
    x1: _ArrayLike | builtins.float,
    x2: _ArrayLike | builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def sum(
    a: _ArrayLike,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    keepdims: builtins.bool = False,
    initial: builtins.float | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def swapaxes(
    a: _ArrayLike,
    axis1: builtins.int,
    axis2: builtins.int,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def take(
    a: _ArrayLike,
    indices: _ArrayLike | builtins.int | Sequence[builtins.int],
    axis: builtins.int | None = None,
    mode: builtins.str = "raise",
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def take_along_axis(
    arr: _ArrayLike,
    indices: _ArrayLike,
    axis: builtins.int | None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def tan(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def tanh(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def tensordot(
    a: _ArrayLike,
    b: _ArrayLike,
    axes: builtins.int | Sequence[builtins.int] | Sequence[Sequence[builtins.int]] = 2,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def tile(
    A: _ArrayLike,
    reps: builtins.int | Sequence[builtins.int],
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def trace(
    a: _ArrayLike,
    offset: builtins.int = 0,
    axis1: builtins.int = 0,
    axis2: builtins.int = 1,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def transpose(
    a: _ArrayLike,
    axes: builtins.int | Sequence[builtins.int] | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def trapezoid(
    y: _ArrayLike,
    x: _ArrayLike | None = None,
    dx: builtins.float = 1.0,
    axis: builtins.int = -1,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def trapz(
    y: _ArrayLike,
    x: _ArrayLike | None = None,
    dx: builtins.float = 1.0,
    axis: builtins.int = -1,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def tri(
    N: builtins.int,
    M: builtins.int | None = None,
    k: builtins.int = 0,
    dtype: DTypeLike = ...,
    ctx: Context | str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def tril(
    m: _ArrayLike, k: builtins.int = 0, *, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def tril_indices(
    n: builtins.int,
    k: builtins.int = 0,
    m: builtins.int | None = None,
    *,
    ctx: Context | str | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
) -> builtins.tuple[ndarray, ndarray]: ...
def tril_indices_from(
    arr: _ArrayLike, k: builtins.int = 0, *, out: ndarray | Sequence[ndarray] | None = None
) -> builtins.tuple[ndarray, ndarray]: ...
def trim_zeros(*args: Any, **kwargs: Any) -> Any: ...
def triu(
    m: _ArrayLike, k: builtins.int = 0, *, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def triu_indices(
    n: builtins.int,
    k: builtins.int = 0,
    m: builtins.int | None = None,
    *,
    ctx: Context | str | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
) -> builtins.tuple[ndarray, ndarray]: ...
def triu_indices_from(
    arr: _ArrayLike, k: builtins.int = 0, *, out: ndarray | Sequence[ndarray] | None = None
) -> builtins.tuple[ndarray, ndarray]: ...
def true_divide(
    x1: _ArrayLike | builtins.float,
    x2: _ArrayLike | builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def trunc(x: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def union1d(*args: Any, **kwargs: Any) -> Any: ...
def unique(
    ar: _ArrayLike,
    return_index: builtins.bool = False,
    return_inverse: builtins.bool = False,
    return_counts: builtins.bool = False,
    axis: builtins.int | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray | builtins.tuple[ndarray, ...]: ...
def unpackbits(*args: Any, **kwargs: Any) -> Any: ...
def unravel_index(*args: Any, **kwargs: Any) -> Any: ...
def unwrap(*args: Any, **kwargs: Any) -> Any: ...
def vander(
    x: _ArrayLike,
    N: builtins.int | None = None,
    increasing: builtins.bool | builtins.int = False,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def var(
    a: _ArrayLike,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
    ddof: builtins.float = 0,
    keepdims: builtins.bool = False,
) -> ndarray: ...
def vdot(
    a: _ArrayLike, b: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def vsplit(
    ary: _ArrayLike,
    indices_or_sections: builtins.int | Sequence[builtins.int] | _ArrayLike,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> builtins.list[ndarray]: ...
def vstack(
    arrays: Sequence[_ArrayLike], out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def where(
    condition: _ArrayLike,
    x: _ArrayLike | builtins.float | None = None,
    y: _ArrayLike | builtins.float | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray | builtins.tuple[ndarray, ...]: ...
def zeros(
    shape: builtins.int | Sequence[builtins.int],
    dtype: DTypeLike | None = None,
    order: builtins.str = "C",
    ctx: Context | str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def zeros_like(
    a: _ArrayLike,
    dtype: DTypeLike | None = None,
    order: builtins.str = "C",
    ctx: Context | str | None = None,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
