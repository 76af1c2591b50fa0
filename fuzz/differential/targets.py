"""What may be called: every name of every operator, from the op table."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from gluonish.ops import ops

if TYPE_CHECKING:
    from gluonish.ops.table.registry import Op


class Target(NamedTuple):
    """A name of an operator in a front end."""

    front: str
    name: str
    op: Op


@cache
def named(front: str, name: str) -> Target:
    """Return the target of a name, for example of "nd" and "exp"."""
    return next(t for group in targets().values() for t in group if t[:2] == (front, name))


@cache
def targets() -> dict[str, list[Target]]:
    """Return all targets, by front end."""
    found: dict[str, list[Target]] = {"nd": [], "np": [], "npx": [], "method": [], "np_method": []}
    for op in ops():
        for front in ("nd", "np", "npx"):
            found[front] += [Target(front, name, op) for name in getattr(op, front)]
        found["method"] += [Target("method", name, op) for name in op.nd_method]
        found["np_method"] += [Target("method", name, op) for name in op.np_method]
    return found
