"""Rules that find shapes of operators' inputs from those of other inputs and of outputs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from gluonish.ops.table import ArgumentRule, Shape


def merged(shapes: Iterable[Shape | None]) -> Shape | None:
    """Return what several partly known shapes of one array say together.

    None if they say nothing or contradict each other.

    Examples
    --------
    >>> from gluonish.ops.table.inference import merged
    >>> merged([(None, 3), None, (2, None)])
    (2, 3)
    """
    known = [shape for shape in shapes if shape is not None]
    if not known or any(len(shape) != len(known[0]) for shape in known):
        return None
    result = []
    for lengths in zip(*known, strict=True):
        found = {length for length in lengths if length is not None}
        if len(found) > 1:
            return None
        result.append(found.pop() if found else None)
    return tuple(result)


def elementwise(
    shapes: Mapping[str, Shape | None], outputs: Sequence[Shape | None] = (), **_: object
) -> dict[str, Shape]:
    """Rule: all inputs and outputs have one shape."""
    shape = merged([*shapes.values(), *outputs])
    return {} if shape is None else dict.fromkeys(shapes, shape)


def like_first(
    shapes: Mapping[str, Shape | None], outputs: Sequence[Shape | None] = (), **_: object
) -> dict[str, Shape]:
    """Rule: the first input has the shape of the first output."""
    first = next(iter(shapes))
    shape = merged([shapes[first], outputs[0] if outputs else None])
    return {} if shape is None else {first: shape}


def unless(flag: str, *names: str) -> ArgumentRule:
    """Return a rule for the array inputs that there are: the last one not if a flag is set."""

    def rule(given: Mapping[str, Any]) -> tuple[str, ...]:
        return names[:-1] if given[flag] else names

    return rule


def when(*names: str, **flags: str) -> ArgumentRule:
    """Return a rule for the array inputs that there are: more of them for each flag that is set.

    Examples
    --------
    >>> from gluonish.ops.table.inference import when
    >>> when('data', use_length='length')({'use_length': True})
    ('data', 'length')
    """

    def rule(given: Mapping[str, Any]) -> tuple[str, ...]:
        return names + tuple(name for flag, name in flags.items() if given[flag])

    return rule
