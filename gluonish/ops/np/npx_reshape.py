"""The reshape of `npx`, whose codes -1 to -6 say what to do with each axis."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.ops.np.arguments import as_tensor
from gluonish.ops.table import op

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

_COPY, _SKIP, _REST, _MERGE, _SPLIT = -2, -3, -4, -5, -6


@op(npx="reshape")
def npx_reshape(
    a: Tensor, newshape: int | Sequence[int], reverse: bool = False, order: str = "C"
) -> Tensor:
    """Return the elements in another shape, which may speak of the axes there are.

    Parameters
    ----------
    a : ndarray
        The array.
    newshape : int or tuple of int
        Lengths, and codes that are read from left to right: -1 infers a length from the
        others, -2 copies the axis, -3 drops an axis of length 1, -4 copies all the axes left,
        -5 merges two axes, -6 splits one into the two lengths that follow.
    reverse : bool, default False
        Whether to read from right to left.
    order : {'C'}, default 'C'
        Order in which elements are read.

    Examples
    --------
    >>> from gluonish import np, npx
    >>> npx.reshape(np.zeros((2, 3, 4)), (-5, -4)).shape
    (6, 4)
    """
    a = as_tensor(a)
    if order not in ("C", "A", "K"):  # arrays are stored row by row
        msg = f"npx.reshape: order={order!r} was given. Expected 'C'. Leave order out."
        raise InvalidArgumentError(msg)
    codes = [newshape] if isinstance(newshape, int) else list(newshape)
    lengths = list(a.shape)
    if reverse:
        shape = _translate(a, _reversed_codes(codes), lengths[::-1], newshape)[::-1]
    else:
        shape = _translate(a, codes, lengths, newshape)
    try:
        return a.reshape(shape)
    except RuntimeError as error:
        raise _refuse(a, newshape, f"the lengths {tuple(shape)} do not fit") from error


def _reversed_codes(codes: list[int]) -> list[int]:
    """Return codes from the last to the first, each split before its two lengths."""
    turned: list[int] = []
    position = len(codes) - 1
    while position >= 0:
        if position >= 2 and codes[position - 2] == _SPLIT:
            turned += [_SPLIT, codes[position], codes[position - 1]]
            position -= 3
        else:
            turned.append(codes[position])
            position -= 1
    return turned


def _translate(
    a: Tensor, codes: list[int], lengths: list[int], newshape: int | Sequence[int]
) -> list[int]:
    """Return the new lengths; one of them may be -1."""
    result: list[int] = []
    left = list(lengths)
    steps = iter(codes)
    for code in steps:
        if code == _REST:
            result += left
            left = []
        elif code == _SPLIT:
            length = _next(a, left, code, newshape)
            result += _split(a, length, next(steps, 0), next(steps, 0), newshape)
        elif code == _MERGE:
            result.append(_next(a, left, code, newshape) * _next(a, left, code, newshape))
        elif code == _SKIP:
            if _next(a, left, code, newshape) != 1:
                raise _refuse(a, newshape, "-3 met an axis whose length is not 1")
        elif code == _COPY:
            result.append(_next(a, left, code, newshape))
        elif code >= -1:
            result.append(code)
            left = left[1:]
        else:
            raise _refuse(a, newshape, f"{code} is no length and no code")
    return result


def _next(a: Tensor, left: list[int], code: int, newshape: int | Sequence[int]) -> int:
    if not left:
        raise _refuse(a, newshape, f"no axis is left for {code}")
    return left.pop(0)


def _split(
    a: Tensor, length: int, first: int, second: int, newshape: int | Sequence[int]
) -> tuple[int, int]:
    if first == -1 and second > 0:
        first = length // second
    elif second == -1 and first > 0:
        second = length // first
    if first < 0 or second < 0 or math.prod((first, second)) != length:
        raise _refuse(a, newshape, f"-6 can't split {length} into {first} times {second}")
    return first, second


def _refuse(a: Tensor, newshape: int | Sequence[int], reason: str) -> ShapeError:
    msg = (
        f"npx.reshape: newshape={newshape!r} was given for an array of shape {tuple(a.shape)}: "
        f"{reason}. Expected lengths or the codes -1 to -6 that use up its {a.numel()} elements. "
        f"Correct the codes."
    )
    return ShapeError(msg)
