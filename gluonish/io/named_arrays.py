"""Arrays with their names, as NDArrayIter keeps them: whole, in another order and in part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp
import torch

from gluonish.array import NDArray, wrap
from gluonish.array.core import like
from gluonish.array.sparse import is_sparse, sparse_array
from gluonish.array.sparse_base import parts_of
from gluonish.array.storage import chosen
from gluonish.array.tensors import plain
from gluonish.context import cpu
from gluonish.errors import DTypeError, RefusedArgumentError, ShapeError
from gluonish.io.batches import DataDesc
from gluonish.ndarray.sparse import csr_matrix

if TYPE_CHECKING:
    from collections.abc import Sequence

    Named = list[tuple[str, Any]]


def samples_axis(values: Any, layout: str) -> int:
    """Return the axis of the samples: where N stands in a layout, else the first."""
    axis = DataDesc.get_batch_axis(layout)
    return axis if isinstance(values, NDArray) and 0 <= axis < values.ndim else 0


def _init_data(data: Any, allow_empty: bool, default_name: str) -> Named:
    """Return arrays with their names, in the order of these."""
    if data is None:
        data = []
    if not isinstance(data, (list, tuple, dict)):
        data = [data]
    if not data and not allow_empty:
        msg = f"NDArrayIter: no {default_name} was given. Expected one array or more. Pass one."
        raise RefusedArgumentError(msg)
    if not isinstance(data, dict):
        is_one = len(data) == 1
        data = {default_name if is_one else f"_{i}_{default_name}": x for i, x in enumerate(data)}
    return [(key, _array(key, data[key])) for key in sorted(data)]


def _has_instance(data: Sequence[tuple[str, Any]], dtype: type | tuple[type, ...]) -> bool:
    """Return whether one of the arrays is of a class."""
    return any(isinstance(values, dtype) for _, values in data)


def _getdata_by_idx(data: Sequence[tuple[str, Any]], idx: Any, layout: str = "NCHW") -> Named:
    """Return arrays with their samples in another order, as float32; files stay as they are."""
    places = onp.asarray(idx)
    return [(name, _in_order(values, places, layout)) for name, values in data]


def _in_order(values: Any, places: Any, layout: str) -> Any:
    if not isinstance(values, NDArray):
        return values
    if is_sparse(values):
        wanted = torch.from_numpy(places).to(parts_of(values).values.device)
        return sparse_array(chosen(parts_of(values), wanted), values.context)
    tensor = plain(values)
    wanted = torch.from_numpy(places).to(tensor.device)
    rows = tensor.index_select(samples_axis(values, layout), wanted)
    return like(values, rows.to(torch.float32))


def _slice_along_batch_axis(data: NDArray, s: slice, batch_axis: int) -> NDArray:
    """Return a copy of a part of an array, dense."""
    if is_sparse(data):
        part: NDArray = data[s].tostype("default")
        return part
    start, stop, _ = s.indices(data.shape[batch_axis])
    return like(data, plain(data).narrow(batch_axis, start, max(stop - start, 0)).clone())


def read_rows(dataset: Any, places: Any) -> NDArray:
    """Return rows of a dataset in a file, which are read in ascending order."""
    once, inverse = onp.unique(places, return_inverse=True)
    return from_numpy(dataset[once][inverse])


def from_numpy(values: Any) -> NDArray:
    """Return NumPy's values as a float32 array."""
    return wrap(torch.from_numpy(onp.array(values, onp.float32)), cpu(), NDArray)


def _array(name: str, values: Any) -> Any:
    """Return what batches can be cut from: an array, or a dataset in a file."""
    if isinstance(values, torch.Tensor):
        return NDArray(values)
    if isinstance(values, (list, tuple, int, float)):
        values = onp.asarray(values)
    if type(values).__module__.startswith("scipy.sparse"):
        return csr_matrix(values)
    if is_sparse(values) and values.stype != "csr":
        msg = (
            f"NDArrayIter: {name!r} is a {type(values).__name__}. Expected a dense array or a "
            f"CSRNDArray, whose rows can be chosen. Write x.tostype('default')."
        )
        raise DTypeError(msg)
    is_file = type(values).__module__.split(".")[0] == "h5py"
    if not (is_file or isinstance(values, (NDArray, onp.ndarray))):
        msg = (
            f"NDArrayIter: {name!r} is of type {type(values).__name__}. Input must be NDArray, "
            f"numpy.ndarray, h5py.Dataset a list of them or dict with them as values. "
            f"Convert it first."
        )
        raise DTypeError(msg)
    if not values.shape:
        msg = (
            f"NDArrayIter: {name!r} has no axes. Expected an axis of samples. Write "
            f"numpy.array(list) for a list of numbers: a list is one of arrays, each an input."
        )
        raise ShapeError(msg)
    return from_numpy(values) if isinstance(values, onp.ndarray) else values
