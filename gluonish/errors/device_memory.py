"""What torch says where a GPU has no room, in words of arrays and contexts."""

from __future__ import annotations

import re

_TOLD = re.compile(
    r"Tried to allocate ([\d.]+ \w+)\. GPU (\d+) has a total capacity of ([\d.]+ \w+) "
    r"of which ([\d.]+ \w+) is free"
)


def missing_on_device(told: str) -> str | None:
    """Return what is missing where, or None if torch speaks of something else.

    Examples
    --------
    >>> from gluonish.errors.device_memory import missing_on_device
    >>> missing_on_device(
    ...     "CUDA out of memory. Tried to allocate 4.00 GiB. GPU 0 has a total capacity of "
    ...     "8.00 GiB of which 1.50 GiB is free."
    ... )
    '4.00 GiB of memory on gpu(0), where 1.50 GiB of 8.00 GiB are free'
    """
    found = _TOLD.search(told)
    if found is None:
        return None
    wanted, number, total, free = found.groups()
    return f"{wanted} of memory on gpu({number}), where {free} of {total} are free"
