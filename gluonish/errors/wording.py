"""How messages and reports word numbers, lists and shapes."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from gluonish.errors.program_layers import channels_of_block

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def counted(number: int, what: str) -> str:
    """Return a number of things: `'1 array'`, `'2,000 arrays'`.

    Examples
    --------
    >>> from gluonish.errors.wording import counted
    >>> counted(1, 'array'), counted(2000, 'array')
    ('1 array', '2,000 arrays')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def listed(items: Iterable[object], most: int = 10) -> str:
    """Return things in a row, and how many more there are.

    Examples
    --------
    >>> from gluonish.errors.wording import listed
    >>> listed(['a', 'b']), listed(range(5), 2)
    ('a, b', '0, 1 and 3 more')
    """
    texts = [str(item) for item in items]
    more = f" and {len(texts) - most} more" if len(texts) > most else ""
    return ", ".join(texts[:most]) + more


def class_name(value: object) -> str:
    """Return the name of a value's class, with its library's where that is not ours.

    Examples
    --------
    >>> import numpy
    >>> from gluonish.errors.wording import class_name
    >>> class_name(numpy.ones(2)), class_name([1, 2])
    ('numpy.ndarray', 'list')
    """
    cls = type(value)
    home = cls.__module__.partition(".")[0]
    return cls.__name__ if home in _BARE else f"{home}.{cls.__name__}"


def article(name: str) -> str:
    """Return a name after its indefinite article.

    Examples
    --------
    >>> from gluonish.errors.wording import article
    >>> article("NDArray"), article("Trainer")
    ('an NDArray', 'a Trainer')
    """
    return f"{'an' if name[:1] in 'AEIOaeio' or name[:2].upper() == 'ND' else 'a'} {name}"


def percent(part: float, whole: float) -> str:
    """Return a share in whole per cent, of which only all is 100% and only nothing 0%.

    Examples
    --------
    >>> from gluonish.errors.wording import percent
    >>> percent(999, 1000), percent(1, 1000), percent(3, 4), percent(2, 2), percent(0, 2)
    ('99%', '1%', '75%', '100%', '0%')
    """
    if not 0 < part < whole:
        return f"{part / whole:.0%}"
    return f"{min(max(round(100 * part / whole), 1), 99)}%"


def natural(name: str) -> list[tuple[str, int]]:
    """Return a key by which numbers in names are sorted as numbers.

    Examples
    --------
    >>> from gluonish.errors.wording import natural
    >>> sorted(['conv10', 'conv2'], key=natural)
    ['conv2', 'conv10']
    """
    parts = re.split(r"(\d+)", name)
    return [
        (text, int(number)) for text, number in zip(parts[::2], [*parts[1::2], "-1"], strict=True)
    ]


def shape_text(shape: Sequence[int | None] | None) -> str:
    """Return a shape, with question marks for what is not known.

    Examples
    --------
    >>> from gluonish.errors.wording import shape_text
    >>> shape_text((None, 3)), shape_text((2,))
    ('(?, 3)', '(2,)')
    """
    if shape is None:
        return "?"
    dims = ["?" if dim is None else str(dim) for dim in shape]
    return f"({', '.join(dims)}{',' if len(dims) == 1 else ''})"


_PICTURES = 4  # axes of a batch of them
_BARE = ("builtins", "gluonish", "__main__")  # homes that are left out


def how_to_fit(
    one: tuple[int, ...], other: tuple[int, ...], names: tuple[str, str] = ("", "")
) -> str:
    """Return how to reshape one of two arrays, so that they can be combined.

    `names` are what a program calls them, where that is known.

    Examples
    --------
    >>> from gluonish.errors.wording import how_to_fit
    >>> how_to_fit((32, 10), (32,)), how_to_fit((2, 3), (3, 2))
    ('Reshape the second, with x.reshape((32, 1)), or compute it with keepdims=True', \
'Transpose one of them, with x.T')
    """
    which, small, large = ("first", one, other) if len(one) < len(other) else ("second", other, one)
    longer = with_last_axes(small, large)
    if longer is not None:
        kept = ", or compute it with keepdims=True" if longer[-1:] == (1,) else ""
        name = names[which == "second"]
        return f"Reshape the {which}, with {name or 'x'}.reshape({longer}){kept}"
    if len(one) == len(other) and one[::-1] == other:
        return f"Transpose one of them, with {names[1] or 'x'}.T"
    for which, turned, beside, name in (
        ("second", other[::-1], one, names[1]),
        ("first", one[::-1], other, names[0]),
    ):
        if len(one) == len(other) == len((1, 1)) and 1 in turned and with_last_axes(turned, beside):
            return f"Transpose the {which}, with {name or 'x'}.T"
    if len(one) == len(other) == _PICTURES and one[0] == other[0]:
        pairs = sorted(zip((one, other), names, strict=True), key=lambda pair: -pair[0][2])
        return _of_a_residual_block(*pairs[0], *pairs[1])
    if len(one) == len(other) and math.prod(one) != math.prod(other):
        axes = [axis for axis, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
        return (
            f"Bring both to one length along axis {', '.join(map(str, axes))}: make them with "
            f"equal sizes, cut or pad one, or average over it"
        )
    return "Reshape one of them, for example with x.reshape(...) or x.expand_dims(axis)"


def how_to_compare(
    pred: Sequence[int], label: Sequence[int], otherwise: str, names: str = "label pred"
) -> str:
    """Return what to do about predictions and labels of different shapes.

    Examples
    --------
    >>> from gluonish.errors.wording import how_to_compare
    >>> how_to_compare((4, 3), (5, 3), "Reshape one of them")
    'Take both from one batch: pred has 4 samples, label 5'
    """
    other, one = names.split()
    if len(pred) != len(label) or math.prod(pred) == math.prod(label):
        return otherwise
    axes = [axis for axis, (a, b) in enumerate(zip(pred, label, strict=True)) if a != b]
    if axes == [0]:
        return f"Take both from one batch: {one} has {pred[0]} samples, {other} {label[0]}"
    if len(pred) == _PICTURES and min(axes) > 1:
        return (
            f"padding of each layer, and output_padding=1 of each Conv2DTranspose with strides=2, "
            f"decide on the size of {one}: change them, or cut {other} with nd.slice_like({other}, "
            f"{one})"
        )
    return f"Make {one} of the shape of {other}, which differs on axis {listed(axes)}"


def _of_a_residual_block(
    wide: tuple[int, ...], first: str, narrow: tuple[int, ...], second: str
) -> str:
    """Return how two batches of pictures are added; `first` and `second` are their names."""
    strides = max(round(wide[2] / max(narrow[2], 1)), 1)
    lost = [a - b for a, b in zip(wide[2:], narrow[2:], strict=True)]
    unpadded = strides == 1 and lost[0] > 0 and lost[0] == lost[1] and lost[0] % 2 == 0
    pad = f"give the convolution that loses pixels padding={lost[0] // 2}" if unpadded else ""
    if pad and wide[1] == narrow[1]:
        return f"The smaller pictures lost {lost[0]} pixels on their way: {pad}, or cut the others"
    is_smaller = wide[2:] != narrow[2:]
    channels = narrow[1] if is_smaller else max(wide[1], narrow[1])
    shortcut = (
        f"the shortcut is nn.Conv2D({channels_of_block(channels)}, kernel_size=1, "
        f"strides={strides})"
    )
    if first and second:
        less = first if is_smaller or wide[1] < narrow[1] else second
        shortcut += f", made in __init__, through which {less} goes before the sum"
    return (
        f"Bring one of them to the channels and sizes of the other: in a residual block "
        f"{shortcut}{', and ' if pad else ''}{pad}"
    )


def with_last_axes(small: tuple[int, ...], large: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return a shape with as many axes as another, of 1 at its end, if it fits then.

    Examples
    --------
    >>> from gluonish.errors.wording import with_last_axes
    >>> with_last_axes((4,), (4, 6)), with_last_axes((4,), (5, 6))
    ((4, 1), None)
    """
    longer = (*small, *[1] * (len(large) - len(small)))
    fits = len(longer) == len(large) and all(
        a == b or 1 in (a, b) for a, b in zip(longer, large, strict=True)
    )
    return longer if fits else None


def reason(error: Exception) -> str:
    """Return what an error of NumPy says, with texts as programs write them.

    Examples
    --------
    >>> from gluonish.errors.wording import reason
    >>> reason(ValueError("could not convert string to float: np.str_('cat')."))
    "could not convert string to float: 'cat'"
    """
    return re.sub(r"np\.(?:str|bytes)_\((.*?)\)", r"\1", str(error)).rstrip(".")
