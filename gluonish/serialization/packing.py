"""How much larger compressed data may become: a few bytes can unpack to gigabytes."""

from __future__ import annotations

from typing import Final

_ALWAYS: Final = 2**26
_TIMES: Final = 100


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
    most = max(_ALWAYS, _TIMES * packed)
    if unpacked <= most:
        return None
    return f"{packed} compressed bytes announce {unpacked}; expected at most {most}"
