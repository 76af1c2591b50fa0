"""Which way arrays could be joined that could not be joined as it was asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

_FAR = 1.5  # how many times as long as another
_PICTURES = 4  # axes of a batch of them


def how_to_join(arrays: Sequence[Tensor], axis: int, word: str) -> str:
    """Return how to give arrays shapes that can be joined, or which axis would do.

    Parameters
    ----------
    arrays : sequence of Tensor
        The arrays.
    axis : int
        Along which they can't be joined.
    word : str
        What names the axis in the call.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.arrays.joinable import how_to_join
    >>> how_to_join([torch.ones(2, 3), torch.ones(2, 4)], 0, 'dim')
    'Write dim=1'
    >>> how_to_join([torch.ones(2, 3, 4), torch.ones(2, 2, 2)], 1, 'dim')
    'Flatten each, with x.reshape((2, -1)), or cut or pad them to the same length elsewhere'
    >>> how_to_join([torch.ones(2, 3), torch.ones(3)], 0, 'dim')
    'Reshape number 2, with x.reshape((1, 3))'
    """
    shapes = [tuple(array.shape) for array in arrays]
    if not shapes:
        return "Give at least one array"
    if len({len(shape) for shape in shapes}) > 1:
        return _with_as_many_axes(shapes)
    axis %= max(len(shapes[0]), 1)
    unequal = {
        place for place, lengths in enumerate(zip(*shapes, strict=True)) if len(set(lengths)) > 1
    }
    if len(unequal) == 1 and axis not in unequal:
        return f"Write {word}={unequal.pop()}"
    wrong = min(unequal - {axis}, default=None)
    if wrong is None:
        return "Reshape the arrays, or choose another axis"
    number = next(i for i, shape in enumerate(shapes) if shape[wrong] != shapes[0][wrong])
    if axis == 1 < len(unequal) and 0 not in unequal and _are_far_apart(shapes, wrong):
        flat = f"x.reshape(({shapes[0][0]}, -1))"
        return f"Flatten each, with {flat}, or cut or pad them to the same length elsewhere"
    return (
        f"No axis fits: on axis {wrong} number 1 has {shapes[0][wrong]}, number {number + 1} has "
        f"{shapes[number][wrong]}. Cut or pad them to the same length there"
        f"{', as nd.slice_like(x, y, axes=(2, 3)) cuts x' * (len(shapes[0]) == _PICTURES)}"
    )


def _are_far_apart(shapes: Sequence[tuple[int, ...]], axis: int) -> bool:
    """Return whether lengths differ by more than what is cut off at borders."""
    lengths = [shape[axis] for shape in shapes]
    return max(lengths) >= _FAR * min(lengths)


def _with_as_many_axes(shapes: Sequence[tuple[int, ...]]) -> str:
    """Return how to give arrays as many axes as others have."""
    longest = max(shapes, key=len)
    place, short = next((i, each) for i, each in enumerate(shapes) if len(each) < len(longest))
    longer = (*[1] * (len(longest) - len(short)), *short)
    differ = sum(a != b for a, b in zip(longer, longest, strict=True))
    if not short or differ > 1:
        flat = next((i for i, each in enumerate(shapes) if len(each) == len(longest)), 0)
        if len(short) > 1 and short[0] == longest[0]:
            return f"Give number {flat + 1} as many axes, with x.reshape(({short[0]}, -1))"
        return "Give each as many axes, with x.reshape(...)"
    return f"Reshape number {place + 1}, with x.reshape({longer})"
