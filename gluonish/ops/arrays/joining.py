"""Several arrays into one and one into several: concat, stack, split, add_n."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.errors.program_text import operands
from gluonish.ops.arrays.joinable import how_to_join
from gluonish.ops.np import recorded
from gluonish.ops.table import (
    EITHER,
    WIDEST,
    Graph,
    Picture,
    Precision,
    Quantized,
    Sparse,
    op,
    shape_rules,
)
from gluonish.ops.table.explain import explained
from gluonish.ops.table.inference import elementwise, merged
from gluonish.ops.table.variadic import check_count, flat

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from gluonish.ops.table import Shape


_FEW = 10  # parts that are written out
_SAME_BUT_ONE = "arrays whose shapes differ on that axis only"


def _joined(*data: Tensor, dim: int = 1, **_: object) -> str:
    """Return what is expected of arrays that are joined, and what would do."""
    return f"{_SAME_BUT_ONE}. {how_to_join(data, dim, 'dim')}"


def _joined_list(arrays: Sequence[Tensor], axis: int = 0, *_: object, **__: object) -> str:
    """Return the same for a list of arrays."""
    return f"{_SAME_BUT_ONE}. {how_to_join(arrays, axis, 'axis')}"


def _concat_shapes(
    shapes: Mapping[str, Shape | None],
    outputs: Sequence[Shape | None] = (),
    dim: int = 1,
    **_: object,
) -> dict[str, Shape]:
    """Rule: the arrays differ on one axis only, and there the result is as long as them all."""
    known = [shape for shape in (*shapes.values(), *outputs) if shape is not None]
    if not known or not -len(known[0]) <= dim < len(known[0]):
        return {}
    axis = dim % len(known[0])
    around = merged([(*shape[:axis], None, *shape[axis + 1 :]) for shape in known])
    if around is None:
        return {}
    found = {name: merged([around, shape]) or around for name, shape in shapes.items()}
    lengths = [shape[axis] for shape in found.values()]
    whole = merged(outputs)
    total = None if whole is None else whole[axis]
    if lengths.count(None) == 1 and total is not None:
        missing = next(name for name, shape in found.items() if shape[axis] is None)
        rest = total - sum(length for length in lengths if length is not None)
        found[missing] = (*around[:axis], rest, *around[axis + 1 :])
    return found


def _is_counted_from_the_front(given: Mapping[str, Any]) -> bool:
    """Rule for quantized networks: they join along axes 1, 2 and so on, as MXNet decides."""
    return bool(given["dim"] > 0)


@op(
    nd=("Concat", "concat"),
    reverse=_concat_shapes,
    precision=Precision("widest", "either", others={"_sparse_concat": EITHER}),
    sparse=Sparse("stacks rows", names=("concat",)),
    picture=Picture("shape"),
    quantized=Quantized("_contrib_quantized_concat", _is_counted_from_the_front),
)
@explained(_joined)
def concat(*data: Tensor, dim: int = 1, num_args: int | None = None) -> Tensor:
    """Join arrays along an axis.

    Parameters
    ----------
    *data : Tensor
        The arrays.
    dim : int, default 1
        Axis along which they are joined.
    num_args : int, optional
        How many arrays there are; checked if given.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.concat(mx.nd.zeros((2, 1)), mx.nd.ones((2, 1)), dim=1).asnumpy()
    array([[0., 1.],
           [0., 1.]], dtype=float32)
    """
    parts = flat(data)
    if num_args is not None or not parts:
        check_count("concat", len(parts), num_args, "num_args")
    return torch.cat(parts, dim)


@op(nd="concatenate", precision=Precision(like="concat"))
@explained(_joined_list)
def concatenate(arrays: Sequence[Tensor], axis: int = 0, always_copy: bool = True) -> Tensor:
    """Join a list of arrays along an axis.

    Parameters
    ----------
    arrays : list of Tensor
        The arrays.
    axis : int, default 0
        Axis along which they are joined.
    always_copy : bool, default True
        Whether a single array is copied; else it is returned as it is.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.concatenate([mx.nd.zeros((1,)), mx.nd.ones((2,))]).asnumpy()
    array([0., 1., 1.], dtype=float32)
    """
    check_count("concatenate", len(arrays), None, "")
    if len(arrays) == 1 and not always_copy:
        return arrays[0]
    return torch.cat(tuple(arrays), axis)


@op(nd="stack", shapes=shape_rules.stack, reverse=shape_rules.stack, precision=WIDEST)
@explained(
    "arrays of one shape. Pad shorter ones, as in nd.concat(x, nd.zeros((n,)), dim=0), or join all "
    "of them by nd.concat"
)
def stack(*data: Tensor, axis: int = 0, num_args: int | None = None) -> Tensor:
    """Join arrays of one shape along a new axis.

    Parameters
    ----------
    *data : Tensor
        The arrays.
    axis : int, default 0
        Position of the new axis.
    num_args : int, optional
        How many arrays there are; checked if given.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.stack(mx.nd.zeros((2,)), mx.nd.ones((2,)), axis=1).asnumpy()
    array([[0., 1.],
           [0., 1.]], dtype=float32)
    """
    parts = flat(data)
    check_count("stack", len(parts), num_args, "num_args")
    return torch.stack(parts, axis)


def _part_count(given: Mapping[str, Any]) -> int:
    _check_count("sym", given["num_outputs"], given.get("axis", 1))
    return int(given["num_outputs"])


def _check_count(space: str, parts: object, axis: object) -> None:
    if isinstance(parts, (list, tuple)):
        msg = (
            f"split: num_outputs={parts} was given. Expected the number of equal parts. To cut at "
            f"places, write {space}.split_v2({operands()[0] or 'x'}, {tuple(parts)}, axis={axis})."
        )
        raise InvalidArgumentError(msg)


def _split_reverse(
    shapes: Mapping[str, Shape | None],
    outputs: Sequence[Shape | None],
    num_outputs: int,
    axis: int,
    squeeze_axis: bool,
) -> dict[str, Shape]:
    """Rule: the data is as long as all parts together, and else like each of them."""
    parts = [shape for shape in outputs if shape is not None]
    part = merged(parts)
    if part is None:
        return {}
    if squeeze_axis:
        axis %= len(part) + 1
        whole: Shape = (*part[:axis], num_outputs, *part[axis:])
    else:
        axis %= len(part)
        length = part[axis]
        total = None if length is None else length * num_outputs
        whole = (*part[:axis], total, *part[axis + 1 :])
    return {"data": merged([whole, shapes["data"]]) or whole}


@op(
    nd=("SliceChannel", "split"),
    nd_method="split",
    outputs=_part_count,
    output_names=("output0",),
    reverse=_split_reverse,
    graph=Graph(names_input=True),
    precision=EITHER,
)
@explained("an axis of the array. Count from 0, or from the end with -1")
def split(
    data: Tensor, num_outputs: int, axis: int = 1, squeeze_axis: bool = False
) -> list[Tensor] | Tensor:
    """Cut an array into equal parts along an axis, sharing memory.

    Parameters
    ----------
    data : Tensor, any shape
        The elements.
    num_outputs : int
        How many parts; it must divide the length of the axis.
    axis : int, default 1
        The axis.
    squeeze_axis : bool, default False
        Whether to drop the axis, which must have length 1 in each part then.

    Returns
    -------
    list of Tensor, or Tensor
        The parts; the only part itself where `num_outputs` is 1.

    Examples
    --------
    >>> import gluonish as mx
    >>> [part.shape for part in mx.nd.split(mx.nd.zeros((2, 6)), num_outputs=3)]
    [(2, 2), (2, 2), (2, 2)]
    """
    length = data.shape[axis]
    _check_count("nd", num_outputs, axis)
    if num_outputs < 1 or length % num_outputs:
        cuts = tuple(length * part // num_outputs for part in range(1, min(num_outputs, _FEW)))
        how = "Choose one"
        if 1 < num_outputs <= min(length, _FEW):
            how += f", or cut in unequal parts: nd.split_v2(x, {cuts}, axis={axis})"
        msg = (
            f"split: axis {axis} of an array of shape {tuple(data.shape)} was to be cut into "
            f"num_outputs={num_outputs} equal parts. Expected a number that divides {length}. "
            f"{how}."
        )
        raise ShapeError(msg)
    parts = list(data.chunk(num_outputs, axis)) if length else [data] * num_outputs
    if squeeze_axis:
        parts = [_squeezed(part, axis) for part in parts]
    return parts[0] if num_outputs == 1 else parts


def _squeezed(part: Tensor, axis: int) -> Tensor:
    if part.shape[axis] != 1:
        msg = (
            f"split: squeeze_axis=True was given for parts of shape {tuple(part.shape)}. Expected "
            f"length 1 on axis {axis}. Cut into more parts, or leave squeeze_axis out."
        )
        raise ShapeError(msg)
    result = part.squeeze(axis)
    return result if result.ndim else result.reshape(1)


@op(nd="split_v2", nd_method="split_v2", outputs=0, recorded=recorded.split_along(None))
@explained("an axis of the array. Count from 0, or from the end with -1")
def split_v2(
    ary: Tensor,
    indices_or_sections: int | Sequence[int],
    axis: int = 0,
    squeeze_axis: bool = False,
) -> list[Tensor] | Tensor:
    """Cut an array into equal parts, or at given positions, sharing memory.

    Parameters
    ----------
    ary : Tensor, any shape
        The elements.
    indices_or_sections : int or tuple of int
        How many equal parts; or the positions where to cut.
    axis : int, default 0
        The axis.
    squeeze_axis : bool, default False
        Whether to drop the axis, which must have length 1 in each part then.

    Examples
    --------
    >>> import gluonish as mx
    >>> [part.shape for part in mx.nd.split_v2(mx.nd.zeros((6,)), (1, 3))]
    [(1,), (2,), (3,)]
    """
    length = ary.shape[axis]
    if isinstance(indices_or_sections, int):
        sections = indices_or_sections
        if sections < 1 or length % sections:
            msg = (
                f"split_v2: axis {axis} of an array of shape {tuple(ary.shape)} was to be cut "
                f"into {sections} equal parts: array split does not result in an equal division. "
                f"Expected a number that divides {length}. Give a tuple of positions instead."
            )
            raise InvalidArgumentError(msg)
        parts = list(torch.tensor_split(ary, sections, axis))
    else:
        parts = list(torch.tensor_split(ary, tuple(indices_or_sections), axis))
    if squeeze_axis:
        parts = [_squeezed(part, axis) for part in parts]
    return parts[0] if len(parts) == 1 else parts


@op(
    nd=("add_n", "ElementWiseSum"),
    shapes=elementwise,
    reverse=elementwise,
    precision=WIDEST,
    sparse=Sparse(
        "adds several",
        names=(
            "ElementWiseSum",
            "add_n",
        ),
    ),
)
@explained("arrays of one shape. Reshape them, or add with +")
def add_n(*args: Tensor, num_args: int | None = None) -> Tensor:
    """Add several arrays of one shape.

    Parameters
    ----------
    *args : Tensor
        The arrays.
    num_args : int, optional
        How many arrays there are; checked if given.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.ones((2,))
    >>> mx.nd.add_n(x, x, x).asnumpy()
    array([3., 3.], dtype=float32)
    """
    parts = flat(args)
    check_count("add_n", len(parts), num_args, "num_args")
    if any(part.shape != parts[0].shape for part in parts):
        msg = "the shapes differ"
        raise RuntimeError(msg)
    result = parts[0].clone() if len(parts) == 1 else parts[0]
    for part in parts[1:]:
        result = result + part
    return result
