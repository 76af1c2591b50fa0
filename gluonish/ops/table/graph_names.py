"""Finds operators by the names that MXNet's files call them."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from gluonish.ops.table import STARTS, file_name, ops

if TYPE_CHECKING:
    from gluonish.ops.table import Op

_MOST_LETTERS = 3  # more, or fewer, than in a name that is like another
_SPARSE = "_sparse_"  # what the names of operators also begin with, where arrays may be sparse


class Found(NamedTuple):
    """An operator, with the front end (`nd`, `np`, `npx`) and the name there that a file means."""

    op: Op
    space: str
    path: str


def find(name: str, op_type: str = "") -> Found | None:
    """Return the operator that MXNet's files call by a name, or None.

    Parameters
    ----------
    name : str
        The name, or an alias of it.
    op_type : str, optional
        Which `Custom` it is: MXNet writes some operators of its own as such, which the table
        calls `Custom:resize_fallback`.

    Examples
    --------
    >>> from gluonish.ops.table.graph_names import find
    >>> found = find('_Plus')
    >>> found.op.name, found.space, found.path
    ('elemwise_add', 'nd', 'elemwise_add')
    >>> find('_npx_fully_connected').path
    'FullyConnected'
    """
    names = _index()
    found = names.get(f"{name}:{op_type}") if op_type else None
    return found or names.get(name) or names.get(name.removeprefix(_SPARSE))


def nearest(name: str) -> str | None:
    """Return the known name that looks most like one that is not, or None.

    Examples
    --------
    >>> from gluonish.ops.table.graph_names import nearest
    >>> nearest('FullyConected'), nearest('MyOwnOperator')
    ('FullyConnected', None)
    """
    likely = [known for known in _index() if abs(len(known) - len(name)) <= _MOST_LETTERS]
    return next(iter(get_close_matches(name, likely, n=1, cutoff=0.8)), None)


@cache
def _index() -> dict[str, Found]:
    """Return all operators by name; MXNet's own names come before aliases."""
    own: dict[str, Found] = {}
    aliases: dict[str, str] = {}
    for op in ops():
        for (space, path), name in op.files.items():
            found = Found(op, space, path)
            if name not in own or _rank(found, name) < _rank(own[name], name):
                own[name] = found
            aliases.setdefault(file_name(path, STARTS[space]), name)
    return {alias: own[name] for alias, name in aliases.items()} | own


def _rank(found: Found, name: str) -> tuple[int, bool]:
    """Return what is less for the operator that graphs mean.

    The front end comes first whose names look like that; in it, an operator that only graphs have
    comes before a function that they write as others.
    """
    spaces = ("np", "npx", "nd") if name.startswith("_np") else ("nd", "np", "npx")
    return spaces.index(found.space), found.path != name
