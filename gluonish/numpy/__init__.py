"""The front end `mx.np`: NumPy's names and rules, built from the op table."""

from __future__ import annotations

import sys

from numpy import (
    bool_,
    e,
    euler_gamma,
    finfo,
    float16,
    float32,
    float64,
    iinfo,
    inf,
    int8,
    int16,
    int32,
    int64,
    nan,
    newaxis,
    pi,
    promote_types,
    uint8,
    uint16,
    uint32,
    uint64,
)

from gluonish.array import ndarray
from gluonish.ndarray.frontend import fill, install_methods
from gluonish.numpy import fallback, protocol
from gluonish.numpy.creation import array, asarray, genfromtxt, loadtxt, set_printoptions
from gluonish.numpy.properties import (
    may_share_memory,
    ndim,
    result_type,
    shape,
    shares_memory,
    size,
)
from gluonish.ops import ops

bool = bool_  # noqa: A001 - NumPy's name  # pylint: disable=redefined-builtin
NAN = NaN = nan
PINF = inf
NINF = -inf
PZERO, NZERO = 0.0, -0.0

_module = sys.modules[__name__]
_table = ops()
_names = [*fill(_module, _table, "np", ndarray), *fallback.fill(_module)]
install_methods(ndarray, _table, "nd_method", "np_method")
protocol.install(ndarray, _module)

__all__ = [
    "array",
    "asarray",
    "bool_",
    "e",
    "euler_gamma",
    "finfo",
    "float16",
    "float32",
    "float64",
    "genfromtxt",
    "iinfo",
    "inf",
    "int8",
    "int16",
    "int32",
    "int64",
    "loadtxt",
    "may_share_memory",
    "nan",
    "ndarray",
    "ndim",
    "newaxis",
    "pi",
    "promote_types",
    "result_type",
    "set_printoptions",
    "shape",
    "shares_memory",
    "size",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    *_names,
]
_UNSTARRED = ("NAN", "NINF", "NZERO", "NaN", "PINF", "PZERO", "bool", "linalg", "random")
