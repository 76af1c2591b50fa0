"""Replacing variables of a graph by other graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish.errors import SymbolError
from gluonish.symbol.graph import Entry, copied, order

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def substitute(
    entries: Iterable[Entry], given: Mapping[str, Entry], name: str | None
) -> list[Entry]:
    """Return a copy of a graph in which variables are replaced.

    Parameters
    ----------
    entries : list of Entry
        The graph's outputs.
    given : dict of str to Entry
        What replaces the variables of these names.
    name : str or None
        Name of the first output's node.

    Raises
    ------
    SymbolError
        There is no variable of a name.
    """
    heads, _ = copied(entries)
    nodes = order(heads)
    free = {node.name for node in nodes if node.is_variable}
    unknown = sorted(given.keys() - free)
    if unknown:
        names = [node.name for node in nodes if node.is_variable]
        msg = (
            f"Symbol.ComposeKeyword argument name {', '.join(unknown)} not found. Candidate "
            f"arguments: {names}."
        )
        raise SymbolError(msg)

    def replaced(entry: Entry) -> Entry:
        return given.get(entry.node.name, entry) if entry.node.is_variable else entry

    for node in nodes:
        node.inputs = [replaced(entry) for entry in node.inputs]
    if name and not heads[0].node.is_variable:
        heads[0].node.name = name
    return [replaced(entry) for entry in heads]
