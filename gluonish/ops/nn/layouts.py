"""Where the channels are: MXNet's layout strings and its tuples of one number per spatial axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from gluonish.errors import InvalidArgumentError, ShapeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

Sizes: TypeAlias = "Sequence[int] | int"

_CACHE = 32_768  # bytes of a processor's innermost cache
_LAYOUTS = {1: ("NCW", "NWC"), 2: ("NCHW", "NHWC"), 3: ("NCDHW", "NDHWC")}


def is_channels_last(where: str, layout: str | None, axes: int) -> bool:
    """Return whether a layout puts the channels behind the spatial axes.

    Parameters
    ----------
    where : str
        Name of the operator, for the error.
    layout : str or None
        Such as 'NCHW'; None means channels first.
    axes : int
        Number of spatial axes, 1 to 3.

    Raises
    ------
    InvalidArgumentError
        The layout is none of those for that many axes.
    """
    if layout is None:
        return False
    if axes not in _LAYOUTS:
        msg = (
            f"{where}: data with {max(axes, 0)} spatial axes were given for layout={layout!r}. "
            f"Expected batch, channels and one to three more axes. One example becomes a batch by "
            f"x.expand_dims(0), a matrix a picture of one channel by x.expand_dims(1)."
        )
        raise ShapeError(msg)
    first, last = _LAYOUTS[axes]
    if layout == first:
        return False
    if layout == last:
        return True
    msg = (
        f"{where}: layout={layout!r} was given for {axes} spatial axes. Expected {first!r} or "
        f"{last!r}. Pass one of them, or leave layout out."
    )
    raise InvalidArgumentError(msg)


def channels_first(tensor: Tensor) -> Tensor:
    """Return a view with the last axis moved to place 1."""
    return tensor.movedim(-1, 1)


def channels_last(tensor: Tensor) -> Tensor:
    """Return a view with axis 1 moved to the end."""
    return tensor.movedim(1, -1)


def per_axis(sizes: Sizes, axes: int, default: int) -> tuple[int, ...]:
    """Return one number per spatial axis; nothing given means the default everywhere."""
    if isinstance(sizes, int):
        return (sizes,) * axes
    return tuple(sizes) if sizes else (default,) * axes


def has_long_rows(width: int, channels: int) -> bool:
    """Return whether a row of pixels, each with all its channels, is more than a cache holds.

    oneDNN sums the gradient of a filter over such rows, again and again, where channels are
    innermost in memory.
    """
    return 4 * width * channels > _CACHE
