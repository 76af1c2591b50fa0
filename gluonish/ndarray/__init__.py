"""The front end `mx.nd`: MXNet's first array and its operators, built from the op table."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from gluonish.array import NDArray
from gluonish.array.sparse import CSRNDArray, RowSparseNDArray
from gluonish.ndarray import candidates, control_flow, edges, sparse, sparse_products
from gluonish.ndarray.creation import (
    array,
    from_dlpack,
    from_numpy,
    from_torch,
    onehot_encode,
    to_dlpack_for_read,
    to_dlpack_for_write,
    waitall,
)
from gluonish.ndarray.frontend import fill, install_methods
from gluonish.ndarray.mxnet_names import (  # noqa: F401 - programs that know the C side ask
    _DTYPE_MX_TO_NP,
    _DTYPE_NP_TO_MX,
    _GRAD_REQ_MAP,
    _STORAGE_TYPE_CSR,
    _STORAGE_TYPE_DEFAULT,
    _STORAGE_TYPE_ID_TO_STR,
    _STORAGE_TYPE_ROW_SPARSE,
    _STORAGE_TYPE_STR_TO_ID,
    _STORAGE_TYPE_UNDEFINED,
    NDArrayBase,
    _new_empty_handle,
    py_slice,
)
from gluonish.ndarray.sparse import add_operators
from gluonish.ops import ops
from gluonish.profiler.stages import measured

if TYPE_CHECKING:
    from gluonish.ndarray.io import load, load_frombuffer, save
    from gluonish.ndarray.pictures import imdecode

_module = sys.modules[__name__]
_table = ops()
__all__ = [
    "CSRNDArray",
    "NDArray",
    "RowSparseNDArray",
    "array",
    "from_dlpack",
    "from_numpy",
    "from_torch",
    "imdecode",
    "load",
    "load_frombuffer",
    "onehot_encode",
    "save",
    "sparse",
    "to_dlpack_for_read",
    "to_dlpack_for_write",
    "waitall",
    *fill(_module, _table, "nd", NDArray),
]
# Imported when they are asked for.
_LATE_NAMES = {
    "gluonish.block.cached_op": ("CachedOp",),
    "gluonish.ndarray.io": ("load", "load_frombuffer", "save"),
    "gluonish.ndarray.pictures": ("imdecode",),
}
_UNSTARRED = ("CachedOp", "contrib", "image", "linalg", "ndarray", "op", "random")
vars(globals()["contrib"]).update(control_flow.FUNCTIONS | candidates.FUNCTIONS | edges.FUNCTIONS)
# What MXNet's own files import there.
globals()["contrib"].uniform = globals()["random"].uniform
globals()["random"].NDArray = NDArray
globals()["cast_storage"] = sparse.cast_storage
globals()["dot"] = sparse_products.with_storage_type(_module.dot)
install_methods(NDArray, _table, "nd_method")
add_operators(_module)
measured(_module, "waiting", "waitall", label=lambda _: "waitall")
ndarray = op = _module  # MXNet's submodules, whose names are all here
