"""Operators of MXNet's graphs that join arrays, and that split them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from gluonish.errors import ShapeError
from gluonish.ops.arrays.creation import as_shape
from gluonish.ops.table import EITHER, Graph, op
from gluonish.ops.table.variadic import check_count, flat

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gluonish.ops.table import Shape


def _equal_shares(
    shapes: Mapping[str, Shape | None],
    outputs: Sequence[Shape | None] = (),
    dim: int = 1,
    **_: object,
) -> dict[str, Shape]:
    """Rule: the vectors whose lengths are not known are as long as each other.

    Those of the first layer's directions are not, all of which read the data.
    """
    known = [shape for shape in shapes.values() if shape is not None and None not in shape]
    total = None if not outputs or outputs[0] is None else outputs[0][0]
    missing = [name for name, shape in shapes.items() if shape is None or None in shape]
    if dim != 0 or total is None or not missing or any(len(shape) != 1 for shape in known):
        return {}
    rest = total - sum(shape[0] or 0 for shape in known)
    return {} if rest % len(missing) else dict.fromkeys(missing, (rest // len(missing),))


@op(nd="_internal._rnn_param_concat", reverse=_equal_shares, precision=EITHER)
def rnn_param_concat(*data: Tensor, dim: int = 1, num_args: int | None = None) -> Tensor:
    """Join the parameters of recurrent layers into the vector that `RNN` takes.

    Parameters
    ----------
    *data : Tensor
        The parameters.
    dim : int, default 1
        Axis along which they are joined.
    num_args : int, optional
        How many there are; checked if given.

    Examples
    --------
    >>> import gluonish as mx
    >>> w, b = mx.nd.array([1, 2]), mx.nd.array([3])
    >>> mx.nd._internal._rnn_param_concat(w, b, dim=0).asnumpy()
    array([1., 2., 3.], dtype=float32)
    """
    parts = flat(data)
    check_count("_rnn_param_concat", len(parts), num_args, "num_args")
    return torch.cat(parts, dim)


def _split_count(given: Mapping[str, Any]) -> int:
    """Rule for the number of outputs: that of the parts."""
    return int(given["sections"]) or len(as_shape(given["indices"], "_split_v2"))


@op(
    nd="_internal._split_v2",
    outputs=_split_count,
    graph=Graph(names_input=True, hint="split"),
    precision=EITHER,
)
def split_v2(
    data: Tensor,
    indices: int | Sequence[int] = (),
    axis: int = 1,
    squeeze_axis: bool = False,
    sections: int = 0,
) -> list[Tensor] | Tensor:
    """Cut an array into parts along an axis, sharing memory.

    Parameters
    ----------
    data : Tensor, any shape
        The elements.
    indices : tuple of int
        Where each part begins, the first one at 0.
    axis : int, default 1
        The axis.
    squeeze_axis : bool, default False
        Whether to drop the axis, which must have length 1 in each part then.
    sections : int, default 0
        How many equal parts; 0 where `indices` count.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.zeros((6,))
    >>> [part.shape for part in mx.nd._internal._split_v2(x, indices=(0, 1, 3), axis=0)]
    [(1,), (2,), (3,)]
    """
    length = data.shape[axis]
    if sections:
        if length % sections:
            msg = (
                f"_split_v2: sections={sections} was given for axis {axis} of an array of shape "
                f"{tuple(data.shape)}. Expected a number that divides {length}. Pass indices "
                f"instead."
            )
            raise ShapeError(msg)
        parts = list(torch.tensor_split(data, sections, axis))
    else:
        parts = list(torch.tensor_split(data, as_shape(indices, "_split_v2")[1:], axis))
    if squeeze_axis:
        parts = [part.squeeze(axis) for part in parts]
    return parts[0] if len(parts) == 1 else parts


op(np="_npi_dsplit", outputs=_split_count)(split_v2)


@op(np="_npi_hsplit", outputs=_split_count)
def hsplit(
    data: Tensor,
    indices: int | Sequence[int] = (),
    axis: int = 1,  # noqa: ARG001 - graphs have it, it counts for nothing
    squeeze_axis: bool = False,
    sections: int = 0,
) -> list[Tensor] | Tensor:
    """Cut an array into parts along its second axis, or its only one, as `_split_v2` does.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.graph.joining import hsplit
    >>> [part.tolist() for part in hsplit(torch.arange(4), sections=2)]
    [[0, 1], [2, 3]]
    """
    return split_v2(data, indices, int(data.dim() > 1), squeeze_axis, sections)
