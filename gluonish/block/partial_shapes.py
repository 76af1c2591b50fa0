"""Shapes of which some dimensions are not known yet: None inside, 0 or -1 outside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish.context import is_np_shape

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

PartialShape: TypeAlias = "tuple[int | None, ...]"


def partial(shape: int | Sequence[int | None]) -> PartialShape:
    """Return a shape that was given as it is kept: None for what is not known."""
    sizes = (shape,) if isinstance(shape, int) else shape
    # A parameter without elements makes no sense: 0 is "unknown", under NumPy's shapes as well.
    return tuple(None if size in (None, -1, 0) else int(size) for size in sizes)


def agree(old: PartialShape, new: PartialShape) -> bool:
    """Return whether two shapes can be of one array."""
    return len(old) == len(new) and all(
        before is None or after is None or before == after
        for before, after in zip(old, new, strict=True)
    )


def forgets(old: PartialShape, new: PartialShape) -> bool:
    """Return whether a length that is known in one shape is not in another."""
    return any(before is not None and after is None for before, after in zip(old, new, strict=True))


def shown(shape: PartialShape) -> tuple[int, ...]:
    """Return a shape as users see it: 0 for what is not known, -1 under NumPy's shapes."""
    unknown = -1 if is_np_shape() else 0
    return tuple(unknown if size is None else size for size in shape)
