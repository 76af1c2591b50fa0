"""Conversions to another dtype or storage type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from gluonish.array.dtypes import torch_dtype
from gluonish.errors import InvalidArgumentError
from gluonish.ops.table import EITHER, Graph, Precision, Sparse, op
from gluonish.ops.table.choices import STORAGE_TYPES
from gluonish.ops.table.inference import elementwise
from gluonish.ops.table.variadic import check_count

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torch import Tensor

    from gluonish.array.dtypes import DTypeLike


@op(nd=("Cast", "cast"), npx="cast", reverse=elementwise, precision=EITHER)
def cast(data: Tensor, dtype: DTypeLike) -> Tensor:
    """Convert to a dtype, rounding towards zero where it is an integer's.

    Parameters
    ----------
    data : Tensor, any shape
        Numbers.
    dtype : str, type or dtype
        The new dtype.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.cast(mx.nd.array([1.7, -1.7]), 'int32').asnumpy()
    array([ 1, -1], dtype=int32)
    """
    return data.to(dtype=torch_dtype(dtype), copy=True)


_ROUNDED = (torch.int8, torch.uint8, torch.int32)


@op(nd="amp_cast", reverse=elementwise, precision=Precision("either", "", is_cast=True))
def amp_cast(data: Tensor, dtype: DTypeLike) -> Tensor:
    """Convert floating-point numbers to a dtype; leave integers as they are.

    Parameters
    ----------
    data : Tensor, any shape
        Numbers.
    dtype : str, type or dtype
        The new dtype.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.amp_cast(mx.nd.array([1.5]), 'float16').dtype
    <class 'numpy.float16'>
    """
    if not data.is_floating_point():
        return data.clone()
    target = torch_dtype(dtype)
    if data.dtype is torch.float32 and target in _ROUNDED:  # by oneDNN in MXNet
        limits = torch.iinfo(target)
        return data.round().clamp(limits.min, limits.max).to(target)
    return data.to(dtype=target, copy=True)


def _cast_count(given: Mapping[str, Any]) -> int:
    """Rule for the number of outputs: that of the inputs."""
    return int(given["num_outputs"])


@op(
    nd="amp_multicast",
    outputs=_cast_count,
    graph=Graph(own_dtypes=("data",)),
    precision=Precision("either", "", is_cast=True),
)
def amp_multicast(
    *data: Tensor, num_outputs: int | None = None, cast_narrow: bool = False
) -> Tensor | list[Tensor]:
    """Convert several arrays to the widest of their floating-point dtypes.

    Parameters
    ----------
    *data : Tensor
        The arrays.
    num_outputs : int, optional
        How many there are; checked if given.
    cast_narrow : bool, default False
        Whether to use the narrowest dtype instead.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.ones((1,))
    >>> [part.dtype.__name__ for part in mx.nd.amp_multicast(x, x.astype('float16'))]
    ['float32', 'float32']
    """
    check_count("amp_multicast", len(data), num_outputs, "num_outputs")
    if len(data) == 1:
        return data[0].clone()
    sizes = {part.dtype: part.element_size() for part in data if part.is_floating_point()}
    if not sizes:
        return [part.clone() for part in data]
    choose = min if cast_narrow else max
    dtype = choose(sizes, key=lambda key: sizes[key])
    return [
        part.to(dtype, copy=True) if part.is_floating_point() else part.clone() for part in data
    ]


@op(
    nd="cast_storage",
    reverse=elementwise,
    precision=EITHER,
    sparse=Sparse("casts", names=("cast_storage",)),
    choices={"stype": STORAGE_TYPES},
)
def cast_storage(data: Tensor, stype: str) -> Tensor:
    """Return a copy in a storage type; in a graph, which is dense, it is a hint.

    Parameters
    ----------
    data : Tensor, any shape
        Values.
    stype : {'default', 'row_sparse', 'csr'}
        The storage type.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.cast_storage(mx.nd.ones((2,)), 'default').stype
    'default'
    """
    if stype not in ("default", "row_sparse", "csr"):
        msg = (
            f"cast_storage: stype={stype!r} was given. Expected 'default', 'row_sparse' or 'csr'. "
            f"Choose one of them."
        )
        raise InvalidArgumentError(msg)
    return data.clone()
