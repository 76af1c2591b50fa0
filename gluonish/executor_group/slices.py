"""Dividing batches among contexts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish.errors import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Sequence


def split_input_slice(batch_size: int, work_load_list: Sequence[float]) -> list[slice]:
    """Return the part of a batch that each context gets, in proportion to its power.

    Parameters
    ----------
    batch_size : int
        Examples in a batch.
    work_load_list : list of float
        The power of each context.

    Raises
    ------
    InvalidArgumentError
        There is no example for some context.

    Examples
    --------
    >>> from gluonish.executor_group.slices import split_input_slice
    >>> split_input_slice(10, [1, 4])
    [slice(0, 2, None), slice(2, 10, None)]
    """
    total = sum(work_load_list)
    counts = [round(batch_size * load / total) for load in work_load_list]
    if counts and sum(counts) < batch_size:
        counts[-1] += batch_size - sum(counts)
    slices, end = [], 0
    for count in counts:
        begin, end = min(end, batch_size), min(end + count, batch_size)
        if begin >= end:
            break
        slices.append(slice(begin, end))
    if not slices or len(slices) < len(counts):
        msg = (
            f"Too many slices. Some splits are empty: a batch of {batch_size} was to be divided by "
            f"the work loads {list(work_load_list)}. Expected an example for each. Use larger "
            f"batches or fewer contexts."
        )
        raise InvalidArgumentError(msg)
    return slices
