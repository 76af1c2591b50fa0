"""Sizes and layouts that layers are given, one number for each spatial axis."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING

from gluonish.array.guises import plain_number
from gluonish.errors import InvalidArgumentError, RefusedArgumentError
from gluonish.errors.arguments import value_text
from gluonish.errors.habits.keywords import POSITIONS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from gluonish.block import Parameter

Sizes: TypeAlias = "int | Sequence[int]"


_FROM_ZERO = ("padding", "output_padding", "adj")
_MOST_AXES = 8  # more than any data has: numbers from there on are channels


def size_of(where: str, name: str, size: object, least: int = 1) -> int:
    """Return a whole number that a layer is given, in every guise.

    Raises
    ------
    RefusedArgumentError
        It is none, or below `least`.

    Examples
    --------
    >>> from gluonish.nn.shapes import size_of
    >>> size_of('Dense', 'units', '10')
    10
    """
    given = plain_number(size)
    if type(given) is float and given.is_integer():
        given = int(given)
    try:
        found = operator.index(given)
    except TypeError:
        found = least - 1
    if found < least:
        like = abs(given) if isinstance(given, int) else 1
        how = f"Write {name}={max(like, 1)}, for example"
        if getattr(size, "shape", ()):
            how = f"Make the layer, then call it: layer = {where}(...); layer(x)"
            if math.prod(getattr(size, "shape", ())) == 1:
                how = f"Write {name}=int(x.asscalar()), the number of such an array x"
        msg = (
            f"{where}: {name}={value_text(size)} was given. Expected a whole number, {least} or "
            f"more. {how}."
        )
        raise RefusedArgumentError(msg)
    return found


def inputs_of(where: str, name: str, size: object) -> int:
    """Return the number of inputs of a layer; 0, which None and -1 say, too, is not known yet."""
    return 0 if size is None or plain_number(size) == -1 else size_of(where, name, size, 0)


def tuple_of(where: str, name: str, sizes: Sizes, axes: int) -> tuple[int, ...]:
    """Return one number per spatial axis; a single number counts for all, in every guise.

    Raises
    ------
    RefusedArgumentError
        There are more or fewer numbers than axes, or one is no size: 1 or more, for padding
        0 or more.
    """
    given = plain_number(sizes)
    is_single = isinstance(given, (int, float))
    result = (given,) * axes if is_single else tuple(map(plain_number, given))
    if len(result) != axes:
        is_word = name == "padding" and str(sizes) in ("same", "valid", "full")
        same = (
            " Half of the kernel, rounded down, keeps the size, with odd kernels and strides of "
            "1: padding=1 for kernel_size=3, padding=2 for 5."
            if is_word
            else ""
        )
        if str(sizes) == "valid":
            same = " padding=0, the default, is Keras's 'valid'."
        msg = (
            f"{where}: {name}={sizes!r} was given. {name} must be a number or a list of {axes} "
            f"ints.{same or ' Pass one number for each spatial axis.'}"
        )
        raise RefusedArgumentError(msg)
    least = 0 if name in _FROM_ZERO else 1
    return tuple(size_of(where, name, size, least) for size in result)


def check_axis(where: str, axis: int) -> None:
    """Check that a number is one that an axis can have.

    Raises
    ------
    InvalidArgumentError
        No array has so many axes.
    """
    if not -_MOST_AXES <= axis < _MOST_AXES:
        msg = (
            f"{where}: axis={axis} was given. Expected the number of an axis: 1 are the channels "
            f"of images, -1 is the last one. {POSITIONS.get(where, 'Leave it out')}."
        )
        raise InvalidArgumentError(msg)


def check_layout(where: str, layout: str, known: Sequence[str]) -> None:
    """Check that a layout is one of those that the layer knows.

    Raises
    ------
    RefusedArgumentError
        It is not.
    """
    if layout not in known:
        names = " and ".join(repr(name) for name in known)
        msg = (
            f"{where}: layout={layout!r} was given. Only supports {names} layout for now. "
            f"{_how_to_lay_out(layout, known)}."
        )
        raise RefusedArgumentError(msg)


def _how_to_lay_out(layout: object, known: Sequence[str]) -> str:
    """Return what to write in place of a layout that there is not."""
    if not isinstance(layout, str):
        return "Pass one of them, or transpose the data. A global pooling needs no size"
    word = layout.lower().replace("_", "").replace(" ", "")
    if word not in ("channelslast", "channelsfirst"):
        return "Pass one of them, or transpose the data"
    is_last = word.endswith("last")
    meant = next((name for name in known if name.endswith("C") is is_last), None)
    if meant is None:
        return f"Transpose the data to {known[0]!r}"
    return f"Write layout={meant!r}, for this layer and for all others that have a layout"


def sizes(param: Parameter) -> tuple[int, ...]:
    """Return the shape of a parameter, as it is printed."""
    return param.shape or ()
