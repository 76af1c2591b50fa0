"""How much larger packed and sparse data may become: a few bytes can announce gigabytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gluonish.array.dtypes import dtype_name
from gluonish.serialization.elements import byte_size, shape_problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    import torch

_ALWAYS: Final = 2**26  # bytes that are taken as meant, whatever they are made of
_TIMES_PACKED: Final = 100
_TIMES_SPARSE: Final = 1024


def growth_problem(packed: int, unpacked: int) -> str | None:
    """Return why data that is compressed is not unpacked, if that is so.

    Parameters
    ----------
    packed, unpacked : int
        Its length in bytes, and the length that it announces.

    Notes
    -----
    Numbers that were measured or trained become some times smaller; only constants become a
    thousand times smaller. Up to 64 MiB, or 100 times the compressed length, are taken as meant.

    Examples
    --------
    >>> from gluonish.serialization.packing import growth_problem
    >>> growth_problem(1000, 2**26)
    >>> growth_problem(1000, 2**27)
    '1000 compressed bytes announce 134217728; expected at most 67108864'
    """
    most = max(_ALWAYS, _TIMES_PACKED * packed)
    if unpacked <= most:
        return None
    return f"{packed} compressed bytes announce {unpacked}; expected at most {most}"


def dense_problem(shape: Sequence[int], dtype: torch.dtype, stored: int) -> str | None:
    """Return why a sparse array of `stored` bytes cannot be made dense, if that is so.

    Notes
    -----
    A few bytes can announce an array of terabytes. Up to 64 MiB, or 1,024 times the stored bytes,
    are taken as meant.
    """
    problem = shape_problem(shape, dtype)
    if problem is not None:
        return problem
    size = byte_size(shape, dtype)
    limit = max(_ALWAYS, _TIMES_SPARSE * stored)
    if size > limit:
        return (
            f"the sparse array of shape {tuple(shape)} would take {size} bytes of dense "
            f"{dtype_name(dtype)} from {stored} stored bytes; expected at most {limit}"
        )
    return None
