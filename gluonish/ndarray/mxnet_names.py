"""Tables and names of MXNet's `ndarray.ndarray` that programs import."""

from __future__ import annotations

from typing import NoReturn

from gluonish.array import NDArray
from gluonish.array.dtypes import DTYPE_OF_CODE, shown_dtype
from gluonish.errors import MissingLibraryError

py_slice = slice
NDArrayBase = NDArray
_GRAD_REQ_MAP = {"null": 0, "write": 1, "add": 3}

_STORAGE_TYPE_UNDEFINED, _STORAGE_TYPE_DEFAULT = -1, 0
_STORAGE_TYPE_ROW_SPARSE, _STORAGE_TYPE_CSR = 1, 2
_STORAGE_TYPE_STR_TO_ID = {
    "undefined": _STORAGE_TYPE_UNDEFINED,
    "default": _STORAGE_TYPE_DEFAULT,
    "row_sparse": _STORAGE_TYPE_ROW_SPARSE,
    "csr": _STORAGE_TYPE_CSR,
}
_STORAGE_TYPE_ID_TO_STR = {number: name for name, number in _STORAGE_TYPE_STR_TO_ID.items()}
_DTYPE_MX_TO_NP = {-1: None} | {code: shown_dtype(dtype) for code, dtype in DTYPE_OF_CODE.items()}
_DTYPE_NP_TO_MX = {dtype: code for code, dtype in _DTYPE_MX_TO_NP.items()}


def _new_empty_handle() -> NoReturn:
    """Refuse to make a handle of MXNet's library in C, which is not there.

    Raises
    ------
    MissingLibraryError
        Always.
    """
    msg = (
        "ndarray._new_empty_handle: a handle of MXNet's library in C was asked for. gluonish "
        "computes with PyTorch and has no such library. Make an array with mx.nd.empty(shape)."
    )
    raise MissingLibraryError(msg)
