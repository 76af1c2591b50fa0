"""Cuts the part out of a graph that a loop or a branch runs."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from gluonish import attribute
from gluonish.symbol.graph import Entry, Node, order
from gluonish.symbol.subgraphs import Subgraph

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

KEY = "__subgraph_name__"  # the attribute by which MXNet knows what is in a subgraph
_counts: defaultdict[str, int] = defaultdict(int)


def unique_name(name: str) -> str:
    """Return a subgraph's name: with a number, and behind that of the subgraph around it.

    Examples
    --------
    >>> from gluonish.symbol.cutting import unique_name
    >>> unique_name('twice')
    'twice0'
    >>> unique_name('twice')
    'twice1'
    """
    around = attribute.current().get(None).get(KEY)
    full = name if around is None else f"{around}${name}"
    number = _counts[full]
    _counts[full] += 1
    return f"{full}{number}"


class Inner(NamedTuple):
    """A subgraph, and where the values of its variables come from.

    Attributes
    ----------
    graph : Subgraph
        The graph.
    inputs : list of int or Entry
        For each of its variables the number of the loop's own variable, or what it was outside.
    """

    graph: Subgraph
    inputs: list[int | Entry]


class Scope:
    """What is composed for one subgraph.

    Parameters
    ----------
    name : str
        The subgraph's name; what is composed meanwhile has it as an attribute.
    variables : sequence of Entry
        What stands for the loop's own variables.
    """

    def __init__(self, name: str, variables: Sequence[Entry] = ()) -> None:
        self._name = name
        self._own = {id(entry.node): i for i, entry in enumerate(variables)}

    def inside(self, entries: Sequence[Entry]) -> set[int]:
        """Return the `id` of the nodes that belong to the subgraph, of those that make outputs."""
        found: set[int] = set(self._own)
        for node in order(entries):
            if node.is_variable:
                continue
            is_inside = node.attrs.get(KEY) == self._name
            if is_inside or any(id(entry.node) in found for entry in node.inputs):
                found.add(id(node))
        return found

    def cut(self, entries: Sequence[Entry]) -> Inner:
        """Return the subgraph that makes some outputs, whose nodes all belong to it."""
        inside = self.inside(entries)
        nodes = [node for node in order(entries) if id(node) in inside and not node.is_variable]
        copies = {id(node): node.copy() for node in nodes}
        sources: dict[int, int | Entry] = {}
        variables: dict[tuple[int, int], Node] = {}
        taken: set[str] = set()
        for node in nodes:
            copy = copies[id(node)]
            copy.inputs = []
            for entry in node.inputs:
                key = (id(entry.node), entry.position)
                if id(entry.node) in copies:
                    copy.inputs.append(Entry(copies[id(entry.node)], entry.position))
                    continue
                if key not in variables:
                    made = variables[key] = self._variable(entry, taken)
                    sources[id(made)] = self._own.get(id(entry.node), entry)
                copy.inputs.append(Entry(variables[key], 0))
        graph = Subgraph([Entry(copies[id(entry.node)], entry.position) for entry in entries])
        order_of = [node for node in order(graph.entries) if node.is_variable]
        return Inner(graph, [sources[id(node)] for node in order_of])

    def _variable(self, entry: Entry, taken: set[str]) -> Node:
        """Return a variable for what is given, with a name of its own.

        Those that were made for the subgraph keep their attributes.
        """
        node = entry.node
        if node.is_variable and node.attrs.get(KEY) == self._name:
            made = node.copy()
        else:
            made = Node(None, node.name if node.is_variable else node.output_names[entry.position])
        start, number = made.name, 0
        while made.name in taken:
            number += 1
            made.name = f"{start}-{number}"
        taken.add(made.name)
        return made


class Inputs:
    """The inputs of an operator that runs subgraphs: each thing once.

    Parameters
    ----------
    own : sequence of Entry
        The first values of the loop's own variables.
    """

    def __init__(self, own: Sequence[Entry] = ()) -> None:
        self._own = own
        self.entries: list[Entry] = []
        self._places: dict[object, int] = {}

    def place(self, source: int | Entry) -> int:
        """Return the position of an input, which is added if it is new."""
        key: object = source
        if not isinstance(source, int):
            # Variables of one name are one, as in MXNet.
            is_variable = source.node.op is None
            key = source.node.name if is_variable else (id(source.node), source.position)
        if key not in self._places:
            self._places[key] = len(self.entries)
            self.entries.append(self._own[source] if isinstance(source, int) else source)
        return self._places[key]

    def places(self, inner: Inner) -> list[int]:
        """Return the positions of all inputs of a subgraph."""
        return [self.place(source) for source in inner.inputs]

    def given(self) -> Mapping[object, int]:
        """Return where the loop's own variables are; those that are missing are not used."""
        return self._places
