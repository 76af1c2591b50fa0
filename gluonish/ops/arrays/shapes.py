"""Other shapes for the same elements: reshape, transpose, new, dropped and swapped axes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from gluonish.errors import (
    DTypeError,
    InvalidArgumentError,
    RefusedArgumentError,
    ShapeError,
)
from gluonish.errors.program_arguments import lengths as written_lengths
from gluonish.ops.table import EITHER, Graph, Picture, Quantized, op, shape_rules
from gluonish.ops.table.explain import describe, explained
from gluonish.ops.table.inference import like_first

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

Axes: TypeAlias = "int | Sequence[int] | None"

SHARING = ("reshape", "reshape_view", "ravel")  # methods whose results share memory
_NEW_AXIS = "a position among the axes, at most one past the last. Append with axis=-1"
_LENGTH_ONE = (
    "axes of length 1. Leave axis out to drop all such axes; where there is none, x[:, 0] takes "
    "one column"
)
_ONE_AXIS = "an array with at least one axis. Reshape the number with x.reshape((1, 1))"
_MOST = 1024
_PLAIN: dict[tuple[int, ...], tuple[int, ...]] = {}
_DECODED: dict[tuple[tuple[int, ...], tuple[int, ...], bool], tuple[int, ...]] = {}
_COPY, _INFER, _REST, _MERGE, _SPLIT = 0, -1, -2, -3, -4


@op(
    nd=("Reshape", "reshape"),
    reverse=shape_rules.reshape,
    precision=EITHER,
    picture=Picture("shape"),
)
def reshape(
    data: Tensor,
    shape: int | Sequence[int] = (),
    reverse: bool = False,
    target_shape: Sequence[int] = (),
    keep_highest: bool = False,
) -> Tensor:
    """Return the elements in another shape, sharing memory where that is possible.

    Parameters
    ----------
    data : Tensor, any shape
        The elements.
    shape : int or tuple of int
        Lengths, or codes: 0 copies a length, -1 is inferred (once), -2 copies all that remain,
        -3 is the product of two, -4 splits one into the two that follow.
    reverse : bool, default False
        Whether codes are matched from the last axis.
    target_shape : tuple of int, optional
        MXNet's old spelling: 0 is inferred.
    keep_highest : bool, default False
        With `target_shape`: whether the first axis stays.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.reshape(mx.nd.zeros((2, 3, 4)), shape=(0, -1)).shape
    (2, 12)
    >>> mx.nd.reshape(mx.nd.zeros((2, 3, 4)), shape=(-4, 1, 2, -3)).shape
    (1, 2, 12)
    """
    if target_shape and not shape:
        shape = [_INFER if length == 0 else length for length in target_shape]
        if keep_highest:
            shape[0] = data.shape[0]
    return reshape_by_codes(data, (shape,) if isinstance(shape, int) else shape, reverse)


def reshape_by_codes(data: Tensor, shape: Sequence[int], reverse: bool = False) -> Tensor:
    """Return a tensor in the shape that MXNet's codes describe.

    Raises
    ------
    ShapeError
        The codes do not fit the tensor's shape.
    """
    try:
        if type(shape) is tuple:
            return data.reshape(*_lengths(data, shape, reverse))
        return data.reshape(infer_shape(tuple(data.shape), shape, reverse))
    except (RuntimeError, IndexError, ValueError, TypeError) as error:
        msg = (
            f"reshape: an array of shape {tuple(data.shape)} ({data.numel()} elements) was to get "
            f"shape {tuple(shape) if _is_sequence(shape) else shape!r}. "
            f"{_of_codes(tuple(data.shape), shape) or how_many(data.numel(), shape, _CODES)}."
        )
        raise ShapeError(msg) from error


_CODES = "Write -1 for one length to have it inferred, 0 to keep a length"


def _of_codes(source: tuple[int, ...], codes: Sequence[int] | int) -> str:
    """Return what was expected where a code of a shape does not fit the length it is for."""
    if isinstance(codes, int):
        return ""
    if not codes:
        return "Expected lengths. Write for example shape=(-1,), which makes one axis of all"
    position = at = 0
    if not all(type(code) is int for code in codes) or min(codes, default=0) > _COPY:
        return ""
    while position < len(codes):
        code, rest = codes[position], len(source) - at
        if (code == _COPY and rest < 1) or (code == _MERGE and rest < 2):
            what = f"merges two lengths of {source}" if code == _MERGE else "keeps a length"
            return (
                f"Expected codes for the {len(source)} axes of {source}; {code} at position "
                f"{position} {what}, and {rest} are left. Write lengths there"
            )
        if code == _SPLIT and rest and len(codes) > position + 2:
            pair = codes[position + 1 : position + 3]
            known = [length for length in pair if length != _INFER]
            if min(known, default=0) < 1:
                return ""
            if source[at] % math.prod(known) or (len(known) == 2 and math.prod(known) < source[at]):
                length, each = source[at], next((n for n in known if source[at] % n), known[0])
                near = min(
                    (n for n in range(1, length + 1) if length % n == 0),
                    key=lambda n: abs(n - each),
                )
                return (
                    f"Expected two lengths that make one; code -4 splits {length}, of axis {at}, "
                    f"into {pair[0]} and {pair[1]}. Write two whose product is {length}, such as "
                    f"{near} and {length // near}"
                )
        if code == _REST:
            return ""
        at += 2 if code == _MERGE else 1
        position += 3 if code == _SPLIT else 1
    if at < len(source) and min(codes) < _INFER:
        return (
            f"Expected codes for the {len(source)} axes of {source}; these are for {at}. Write -2 "
            f"behind them to keep the others, or a code for each"
        )
    return ""


def _with_repeated(count: int, lengths: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return lengths with another number where one stands several times, if these fit."""
    for length in lengths:
        times = lengths.count(length)
        rest = math.prod(lengths) // length**times
        other = round((count / rest) ** (1 / times))
        if times > 1 and rest * other**times == count:
            return tuple(other if each == length else each for each in lengths)
    return None


def how_many(count: int, shape: Sequence[int] | int, otherwise: str) -> str:
    """Return what was expected, and what to change, where so many elements do not fit a shape.

    Examples
    --------
    >>> from gluonish.ops.arrays.shapes import how_many
    >>> how_many(100, (-1, 16), 'Change the lengths')[38:]
    '100 is no multiple of 16: x.reshape(-1)[:96] is, or choose another length'
    >>> how_many(7, (4, 2), 'Change the lengths')
    'Expected a shape of as many elements; (4, 2) has 8. Change the lengths'
    >>> how_many(6, (4, 2), 'Change the lengths')[52:]
    'Write (-1, 2), where -1 becomes 3'
    >>> how_many(6, (6 / 2, 2), 'Change the lengths')
    'Expected whole numbers; 3.0 is a float. Write n // 2 in place of n / 2, or int(n / 2)'
    """
    lengths = tuple(shape) if isinstance(shape, (list, tuple)) else (shape,)
    if fractions := [n for n in lengths if isinstance(n, float)]:
        return (
            f"Expected whole numbers; {fractions[0]} is a float. Write n // 2 in place of n / 2, "
            f"or int(n / 2)"
        )
    if lengths.count(_INFER) > 1:
        return (
            "Expected at most one length -1, which is then inferred. Write out the others, such as "
            "x.shape[0]"
        )
    asked = (
        f"; {lengths} has {math.prod(lengths)}"
        if all(type(n) is int and n > 0 for n in lengths)
        else ""
    )
    otherwise = f"Expected a shape of as many elements{asked}. {otherwise}"
    known = [n for n in lengths if n != _INFER]
    if all(type(n) is int and n > 0 for n in known) and len(known) == len(lengths) - 1:
        each = math.prod(known)
        if rest := count % each:
            cut = f": x.reshape(-1)[:{count - rest}] is," if count > rest else ","
            return (
                f"Expected a shape of as many elements. {count} is no multiple of {each}{cut} or "
                f"choose another length"
            )
    elif asked:
        whole = math.prod(lengths)
        own = written_lengths(lengths) or [*map(str, lengths)]
        end = "," if len(own) == 1 else ""
        fitting = {
            axis: f"({', '.join([*own[:axis], '-1', *own[axis + 1 :]])}{end}), "
            f"where -1 becomes {fits}"
            for axis, length in enumerate(lengths)
            if not count % (whole // length) and (fits := count // (whole // length))
        }
        if fitting:
            ways = [*fitting.values()][:2]
            if count < whole:  # of a smaller last batch, or of pictures with other channels
                is_channel = lengths[1:2] == (3,) and 1 in fitting and whole == 3 * count
                ways = ways[::-1] if is_channel else ways[:1]
            return f"Expected a shape of as many elements{asked}. Write {'; or '.join(ways)}"
        if (alike := _with_repeated(count, lengths)) is not None:
            return f"Expected a shape of as many elements{asked}. Write {alike}"
        if whole < count:
            return (
                f"Expected a shape of as many elements{asked}. x.reshape(-1)[:{whole}] has as "
                f"many; choose other lengths to keep all"
            )
    return otherwise


def _lengths(data: Tensor, shape: tuple[int, ...], reverse: bool) -> tuple[int, ...]:
    """Return what is to be handed to torch, decided once for a shape, and for codes with data's."""
    if (lengths := _PLAIN.get(shape)) is not None:
        return lengths
    if min(shape) >= _INFER and _COPY not in shape:
        plain = tuple(int(n) if isinstance(n, bool) else n for n in shape)
        if len(_PLAIN) < _MOST and all(type(n) is int for n in plain):  # 1.0 and True equal 1
            _PLAIN[shape] = plain
        return plain
    key = (data.shape, shape, reverse)
    try:
        lengths = _DECODED.get(key)
    except TypeError:  # lengths of a program for any
        return infer_shape(tuple(data.shape), shape, reverse)
    if lengths is None:
        lengths = tuple(map(int, infer_shape(tuple(data.shape), shape, reverse)))
        if len(_DECODED) < _MOST:
            _DECODED[key] = lengths
    return lengths


def _is_sequence(value: object) -> bool:
    return isinstance(value, (list, tuple, torch.Size))


def infer_shape(source: tuple[int, ...], codes: Sequence[int], reverse: bool) -> tuple[int, ...]:
    """Return the shape that MXNet's reshape codes stand for."""
    if not reverse:
        return _decode(source, list(codes))
    return _decode(source[::-1], list(codes)[::-1])[::-1]


def _decode(source: tuple[int, ...], codes: list[int]) -> tuple[int, ...]:
    result: list[int] = []
    at = position = 0
    while position < len(codes):
        code = codes[position]
        if code == _REST:
            result += source[at:]
            at = len(source)
        elif code == _MERGE:
            result.append(source[at] * source[at + 1])
            at += 2
        elif code == _SPLIT:
            result += _split_length(source[at], codes[position + 1], codes[position + 2])
            position += 2
            at += 1
        else:
            result.append(source[at] if code == _COPY else code)
            at += 1
        position += 1
    return _fill_in(result, math.prod(source))


def _split_length(length: int, first: int, second: int) -> tuple[int, int]:
    if first == _INFER:
        return length // second, second
    return first, (length // first if second == _INFER else second)


def _fill_in(lengths: list[int], size: int) -> tuple[int, ...]:
    if _INFER not in lengths:
        return tuple(lengths)
    rest = math.prod(length for length in lengths if length != _INFER)
    inferred = size // rest if rest else 0
    return tuple(inferred if length == _INFER else length for length in lengths)


@op(nd_method="reshape")
def reshape_method(data: Tensor, *shape: Any, **options: Any) -> Tensor:
    """Return the elements in another shape, sharing memory where that is possible.

    Parameters
    ----------
    data : Tensor, any shape
        The elements.
    *shape : int or tuple of int
        Lengths or codes, as in `mx.nd.reshape`; also as keyword `shape`.
    **options : bool
        `reverse=True` matches codes from the last axis.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.zeros((2, 3, 4)).reshape(0, -1).shape
    (2, 12)
    """
    if not options and len(shape) == 1 and type(shape[0]) is tuple and shape[0]:
        known = _PLAIN.get(shape[0])
        if known is not None:
            try:
                return data.reshape(*known)
            except RuntimeError:  # explained below
                pass
        return reshape_by_codes(data, shape[0])
    lengths: Any = shape or options.pop("shape", None)
    reverse = options.pop("reverse", False)
    if options or lengths is None:
        msg = (
            f"reshape: {', '.join(sorted(options)) or 'no shape'} was given. Expected lengths, "
            f"and reverse=True or nothing else. Write x.reshape((2, -1))."
        )
        raise DTypeError(msg) if options else RefusedArgumentError(msg)
    if isinstance(lengths, int):
        lengths = (lengths,)
    elif len(lengths) == 1 and _is_sequence(lengths[0]):
        lengths = lengths[0]
    if not len(lengths):
        lengths = (1,)
    return reshape_by_codes(data, lengths, reverse)


@op(
    nd="reshape_like",
    npx="reshape_like",
    nd_method="reshape_like",
    graph=Graph(own_dtypes=("rhs",)),
    precision=EITHER,
)
@explained("ranges of axes with as many elements. Choose the ranges, or reshape to x.shape")
def reshape_like(
    lhs: Tensor,
    rhs: Tensor,
    lhs_begin: int | None = None,
    lhs_end: int | None = None,
    rhs_begin: int | None = None,
    rhs_end: int | None = None,
) -> Tensor:
    """Return the first array in the shape of the second, or of some of its axes.

    Parameters
    ----------
    lhs : Tensor, any shape
        The elements.
    rhs : Tensor, any shape
        Gives the shape.
    lhs_begin, lhs_end : int, optional
        The axes of `lhs` that are replaced; all by default.
    rhs_begin, rhs_end : int, optional
        The axes of `rhs` that they become; all by default.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.reshape_like(mx.nd.zeros((6,)), mx.nd.zeros((2, 3))).shape
    (2, 3)
    """
    first, last, _ = slice(lhs_begin, lhs_end).indices(lhs.ndim)
    middle = rhs.shape[slice(rhs_begin, rhs_end)]
    return lhs.reshape(lhs.shape[:first] + middle + lhs.shape[last:])


@op(
    nd=("Flatten", "flatten"),
    npx="batch_flatten",
    reverse=shape_rules.keeps_batch,
    precision=EITHER,
    picture=Picture("shape"),
    quantized=Quantized("_contrib_quantized_flatten"),
)
@explained(_ONE_AXIS)
def flatten(data: Tensor) -> Tensor:
    """Return a matrix: the first axis stays, all others become one.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.flatten(mx.nd.zeros((2, 3, 4))).shape
    (2, 12)
    """
    return data.reshape(data.shape[0], math.prod(data.shape[1:]))


@op(nd_method="flatten")
@explained(_ONE_AXIS)
def flatten_method(data: Tensor, inplace: bool = False) -> Tensor:
    """Return a matrix: the first axis stays, all others become one.

    Parameters
    ----------
    data : Tensor, shape (batch, *)
        The elements.
    inplace : bool, default False
        Whether the result shares memory; it is a copy otherwise.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.zeros((2, 3, 4)).flatten().shape
    (2, 12)
    """
    return flatten(data if inplace else data.clone(memory_format=torch.contiguous_format))


def how_to_turn(axes: int, order: Sequence[int]) -> str:
    """Return how to exchange axes of an array that has so many, of which others were given.

    Examples
    --------
    >>> from gluonish.ops.arrays.shapes import how_to_turn
    >>> how_to_turn(4, (0, 2, 1)), how_to_turn(2, (1, 1))
    ('Name the others, too, as in x.transpose(0, 2, 1, 3)', 'Write x.transpose(1, 0)')
    """
    count = len(order)
    if axes < count:
        return (
            f"{count} were named: give the array the axis that it lacks first, as "
            f"x.reshape((*x.shape, 1)) does at the end"
        )
    if axes < 3:
        return f"Write x.transpose({', '.join(map(str, range(axes - 1, -1, -1)))})"
    if sorted(order) == list(range(count)):
        rest = ", ".join(map(str, [*order, *range(count, axes)]))
        return f"Name the others, too, as in x.transpose({rest})"
    order = [*range(axes - 2), axes - 1, axes - 2]
    return f"To exchange the last two, write x.transpose({', '.join(map(str, order))})"


def _each_axis(data: Tensor, *order: Any, axes: Sequence[int] = (), **_: object) -> str:
    """Return what `transpose` expects of axes, and how to name them."""
    given = order[0] if len(order) == 1 and _is_sequence(order[0]) else order or axes
    how = how_to_turn(data.ndim, [each for each in given if isinstance(each, int)])
    return f"each of its {data.ndim} axes exactly once. {how}"


@op(nd="transpose", reverse=shape_rules.transpose, precision=EITHER)
@explained(_each_axis)
def transpose(data: Tensor, axes: Sequence[int] = ()) -> Tensor:
    """Return the array with its axes in another order, sharing memory.

    Parameters
    ----------
    data : Tensor, any shape
        The elements.
    axes : tuple of int, optional
        For each axis of the result, the axis of the data; the reverse order by default.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.transpose(mx.nd.zeros((2, 3, 4)), axes=(1, 0, 2)).shape
    (3, 2, 4)
    """
    return data.permute(tuple(axes) if axes else tuple(range(data.ndim - 1, -1, -1)))


@op(nd_method="transpose")
@explained(_each_axis)
def transpose_method(data: Tensor, *order: Any, axes: Sequence[int] = ()) -> Tensor:
    """Return the array with its axes in another order, sharing memory.

    Parameters
    ----------
    data : Tensor, any shape
        The elements.
    *order : int or tuple of int
        For each axis of the result, the axis of the data; the reverse order by default.
    axes : tuple of int, optional
        The same as a keyword.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.zeros((2, 3, 4)).transpose((1, 0, 2)).shape
    (3, 2, 4)
    """
    if len(order) == 1 and (order[0] is None or _is_sequence(order[0])):
        order = tuple(order[0] or ())
    return transpose(data, order or axes)


@op(
    nd=("SwapAxis", "swapaxes"),
    nd_method="swapaxes",
    reverse=shape_rules.swap,
    graph=Graph(names_input=True),
    precision=EITHER,
)
@explained("two axes of the array. Count from 0, or from the end with -1")
def swapaxes(data: Tensor, dim1: int = 0, dim2: int = 0) -> Tensor:
    """Exchange two axes, sharing memory.

    Parameters
    ----------
    data : Tensor, any shape
        The elements.
    dim1, dim2 : int, default 0
        The axes.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.swapaxes(mx.nd.zeros((2, 3, 4)), 0, 2).shape
    (4, 3, 2)
    """
    return data.transpose(dim1, dim2)


@op(nd="moveaxis")
@explained("axes of the array, as many sources as destinations. Count from 0")
def moveaxis(
    tensor: Tensor, source: int | Sequence[int], destination: int | Sequence[int]
) -> Tensor:
    """Move axes to other positions; the others keep their order.

    Parameters
    ----------
    tensor : Tensor, any shape
        The elements.
    source, destination : int or tuple of int
        Where the axes are, and where they shall be.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.moveaxis(mx.nd.zeros((2, 3, 4)), 0, 2).shape
    (3, 4, 2)
    """
    old = (source,) if isinstance(source, int) else tuple(source)
    new = (destination,) if isinstance(destination, int) else tuple(destination)
    return torch.movedim(tensor, old, new)


@op(nd="expand_dims", reverse=shape_rules.expand_dims, precision=EITHER)
@explained(_NEW_AXIS)
def expand_dims(data: Tensor, axis: int) -> Tensor:
    """Insert an axis of length 1, sharing memory.

    Parameters
    ----------
    data : Tensor, any shape
        The elements.
    axis : int
        Position of the new axis.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.expand_dims(mx.nd.zeros((2, 3)), axis=1).shape
    (2, 1, 3)
    """
    return data.unsqueeze(axis)


@op(nd_method="expand_dims")
@explained(_NEW_AXIS)
def expand_dims_method(data: Tensor, axis: int, inplace: bool = False) -> Tensor:
    """Insert an axis of length 1.

    Parameters
    ----------
    data : Tensor, any shape
        The elements.
    axis : int
        Position of the new axis.
    inplace : bool, default False
        Whether the result shares memory; it is a copy otherwise.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.zeros((2, 3)).expand_dims(axis=0).shape
    (1, 2, 3)
    """
    result = expand_dims(data, axis)
    return result if inplace else result.clone()


@op(
    nd="squeeze",
    graph=Graph(names_input=True, written={"nd_method.squeeze": "axis=None"}),
    precision=EITHER,
)
@explained(_LENGTH_ONE)
def squeeze(data: Tensor, axis: Axes = None) -> Tensor:
    """Drop axes of length 1, sharing memory; one axis stays.

    Parameters
    ----------
    data : Tensor, any shape
        The elements.
    axis : int or tuple of int, optional
        Axes to drop; all of length 1 by default.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.squeeze(mx.nd.zeros((1, 2, 1)), axis=0).shape
    (2, 1)
    """
    result = squeezed(data, axis)
    return result if result.ndim else result.reshape(1)


def squeezed(data: Tensor, axis: Axes) -> Tensor:
    """Return a tensor without some axes of length 1.

    Raises
    ------
    RuntimeError
        One of the axes has another length.
    """
    if axis is None:
        return data.squeeze()
    if type(axis) is int and data.shape[axis] == 1:
        return data.squeeze(axis)
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    if any(data.shape[one] != 1 for one in axes):
        msg = "an axis of another length than 1 can't be dropped"
        raise RuntimeError(msg)
    return data.squeeze(axes)


@op(nd_method="squeeze")
@explained(_LENGTH_ONE)
def squeeze_method(data: Tensor, axis: Axes = None, inplace: bool = False) -> Tensor:
    """Drop axes of length 1; one axis stays.

    Parameters
    ----------
    data : Tensor, any shape
        The elements.
    axis : int or tuple of int, optional
        Axes to drop; all of length 1 by default.
    inplace : bool, default False
        Whether the result shares memory; it is a copy otherwise.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.zeros((1, 2, 1)).squeeze().shape
    (2,)
    """
    result = squeeze(data, axis)
    return result if inplace else result.clone()


@op(
    nd=("reverse", "flip"),
    nd_method="flip",
    reverse=like_first,
    graph=Graph(names_input=True),
    precision=EITHER,
)
@explained("axes of the array. Count from 0, or from the end with -1")
def flip(data: Tensor, axis: int | Sequence[int]) -> Tensor:
    """Reverse the order of the elements along axes.

    Parameters
    ----------
    data : Tensor, any shape
        The elements.
    axis : int or tuple of int
        The axes.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.flip(mx.nd.array([1, 2, 3]), axis=0).asnumpy()
    array([3., 2., 1.], dtype=float32)
    """
    return torch.flip(data, (axis,) if isinstance(axis, int) else tuple(axis))


def _lengths_of_pictures(data: Tensor, where: str) -> torch.Size:
    if not data.numel():
        msg = (
            f"{where}: an {describe(data)} was given. Expected elements along each axis. Leave "
            f"the call out where there are none."
        )
        raise ShapeError(msg)
    return data.shape


def _require_block(size: int, where: str) -> None:
    if size <= 0:
        msg = f"{where}: block_size={size} was given. Expected 1 or more. Write for example 2."
        raise InvalidArgumentError(msg)


@op(
    nd="depth_to_space",
    nd_method="depth_to_space",
    graph=Graph(names_input=True),
    precision=EITHER,
)
@explained("shape (batch, channels, height, width), channels divisible by block_size**2")
def depth_to_space(data: Tensor, block_size: int) -> Tensor:
    """Move blocks of channels into height and width.

    Parameters
    ----------
    data : Tensor, shape (batch, channels, height, width)
        The elements.
    block_size : int
        Factor by which height and width grow.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.depth_to_space(mx.nd.zeros((1, 8, 2, 2)), 2).shape
    (1, 2, 4, 4)
    """
    batch, channels, height, width = _lengths_of_pictures(data, "depth_to_space")
    _require_block(block_size, "depth_to_space")
    rest = channels // block_size**2
    blocks = data.reshape(batch, block_size, block_size, rest, height, width)
    mixed = blocks.permute(0, 3, 4, 1, 5, 2)
    return mixed.reshape(batch, rest, height * block_size, width * block_size)


@op(
    nd="space_to_depth",
    nd_method="space_to_depth",
    graph=Graph(names_input=True),
    precision=EITHER,
)
@explained("shape (batch, channels, height, width), height and width divisible by block_size")
def space_to_depth(data: Tensor, block_size: int) -> Tensor:
    """Move blocks of height and width into channels.

    Parameters
    ----------
    data : Tensor, shape (batch, channels, height, width)
        The elements.
    block_size : int
        Factor by which height and width shrink.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.space_to_depth(mx.nd.zeros((1, 2, 4, 4)), 2).shape
    (1, 8, 2, 2)
    """
    batch, channels, height, width = _lengths_of_pictures(data, "space_to_depth")
    _require_block(block_size, "space_to_depth")
    rows, columns = height // block_size, width // block_size
    blocks = data.reshape(batch, channels, rows, block_size, columns, block_size)
    mixed = blocks.permute(0, 3, 5, 1, 2, 4)
    return mixed.reshape(batch, channels * block_size**2, rows, columns)


@op(
    nd="diag",
    nd_method="diag",
    graph=Graph(names_input=True, written={"nd_method.diag": "k=0"}),
    precision=EITHER,
)
@explained("a vector, or an array with the two axes. Choose axis1 and axis2")
def diag(data: Tensor, k: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """Return a diagonal, or for a vector the matrix that has it as its diagonal.

    Parameters
    ----------
    data : Tensor, any shape
        The elements.
    k : int, default 0
        Diagonal: 0 is the main one, positive ones are above it.
    axis1, axis2 : int, default 0 and 1
        The matrices' axes.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.diag(mx.nd.array([[1, 2], [3, 4]])).asnumpy()
    array([1., 4.], dtype=float32)
    """
    if data.ndim == 1:
        return torch.diag(data, k)
    found = data.diagonal(k, axis1, axis2)
    if k > data.size(axis2) or -k > data.size(axis1):
        msg = (
            f"diag: k={k} was given for an {describe(data)} and axes {axis1} and {axis2}. Expected "
            f"a diagonal inside of the matrix. Take one nearer to 0."
        )
        raise InvalidArgumentError(msg)
    return found.clone(memory_format=torch.contiguous_format)


@op(nd="shape_array", npx="shape_array", nd_method="shape_array", precision=EITHER)
def shape_array(data: Tensor) -> Tensor:
    """Return the shape as an array of int64.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.shape_array(mx.nd.zeros((2, 3))).asnumpy()
    array([2, 3])
    """
    return torch.tensor(data.shape, dtype=torch.int64, device=data.device)


@op(nd="size_array", nd_method="size_array", precision=EITHER)
def size_array(data: Tensor) -> Tensor:
    """Return the number of elements as an array of int64.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.size_array(mx.nd.zeros((2, 3))).asnumpy()
    array([6])
    """
    return torch.tensor([data.numel()], dtype=torch.int64, device=data.device)
