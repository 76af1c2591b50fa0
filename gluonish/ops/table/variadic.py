"""Lists of any number of arrays, as operators take them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

from gluonish.errors import InvalidArgumentError


def check_count(name: str, count: int, told: int | None, keyword: str) -> None:
    """Check a number of arrays that the caller states as well.

    Raises
    ------
    InvalidArgumentError
        The numbers differ, or there is no array at all.
    """
    if not count:
        msg = f"{name}: no array was given. Expected at least one. Write {name}(x, y)."
        raise InvalidArgumentError(msg)
    if told is not None and told != count:
        msg = (
            f"{name}: {count} arrays and {keyword}={told} were given. Expected {keyword} to be "
            f"the number of arrays. Leave {keyword} out."
        )
        raise InvalidArgumentError(msg)


def flat(data: tuple[Tensor | Sequence[Tensor], ...]) -> tuple[Tensor, ...]:
    """Return the arrays of `f(x, y)`, or of `f([x, y])`, as a tuple."""
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        return tuple(data[0])
    return data  # type: ignore[return-value]
