"""The graph that Symbols are made of: nodes, what goes in and out, and how it is walked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from gluonish.array.texts import parse
from gluonish.errors import SymbolError
from gluonish.symbol.attributes import text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from gluonish.ops.table import Op


class Entry(NamedTuple):
    """One output of a node."""

    node: Node
    position: int


class Node:
    """A variable, or one use of an operator.

    Parameters
    ----------
    op : Op or None
        The operator; None for a variable.
    name : str
        How it is called.
    space, path : str
        The front end (`nd`, `np` or `npx`) and the operator's name there.
    params : dict, optional
        The operator's arguments that are no arrays, as they were given.
    attrs : dict of str to str, optional
        Attributes that users set.
    inputs : list of Entry, optional
        Where its arrays come from, by the operator's names for them, in order.
    names : tuple of str, optional
        Which of the operator's inputs these are; a list's name occurs once for each part.
    spelled : dict of str to str, optional
        The arguments as text, by the names that files have for them; those of `params` by default.
    """

    __slots__ = ("attrs", "inputs", "name", "names", "op", "params", "path", "space", "spelled")

    def __init__(
        self,
        op: Op | None,
        name: str,
        space: str = "nd",
        path: str = "",
        params: Mapping[str, Any] | None = None,
        attrs: Mapping[str, str] | None = None,
        inputs: Iterable[Entry] = (),
        names: Iterable[str] = (),
        spelled: Mapping[str, str] | None = None,
    ) -> None:
        self.op = op
        self.name = name
        self.space = space
        self.path = path
        self.params = dict(params or {})
        self.attrs = dict(attrs or {})
        self.inputs = list(inputs)
        self.names = tuple(names)
        self.spelled = None if spelled is None else dict(spelled)

    @property
    def is_variable(self) -> bool:
        """Whether it is a variable."""
        return self.op is None

    @property
    def file_name(self) -> str:
        """What MXNet's files call its operator; `null` for a variable."""
        return self._names_in_files()[0]

    def _names_in_files(self) -> tuple[str, str]:
        """Return what files call its operator, and its `op_type` if that is `Custom`."""
        if self.op is None:
            return "null", ""
        name, _, op_type = self.op.files[self.space, self.path].partition(":")
        return name, op_type

    @property
    def outputs(self) -> int:
        """How many outputs it has.

        Raises
        ------
        SymbolError
            That depends on values.
        """
        if self.op is None:
            return 1
        count = self.op.outputs
        if callable(count):
            count = count(self.arguments())
        if count < 1:
            msg = (
                f"{self.path} '{self.name}': its number of outputs depends on the values of its "
                f"inputs. Expected an operator whose arguments tell it. Call it on arrays instead."
            )
            raise SymbolError(msg)
        return count

    @property
    def output_names(self) -> list[str]:
        """What its outputs are called; a variable's has its own name."""
        if self.op is None:
            return [self.name]
        count = self.outputs
        named = self.op.output_names
        own = named(self.arguments()) if callable(named) else named
        start = f"{self.name}_" if self.name else ""
        if len(own) >= count:
            return [f"{start}{name}" for name in own[:count]]
        if count == 1:
            return [f"{start}output"]
        return [f"{start}output{index}" for index in range(count)]

    @property
    def watched_names(self) -> list[str]:
        """What monitors call its inputs; MXNet counts those that an operator has no names for."""
        if self.op is None:
            return []
        if self.op.inputs == ("data",) and self.space == "nd":
            if self.op.is_variadic:
                return [f"arg{index}" for index in range(len(self.inputs))]
            if not self.op.graph.names_input:
                return ["input0"]
        return list(self.names)

    @property
    def open_shape(self) -> str:
        """Which of its arguments other operators may have to complete; empty if none."""
        name = "" if self.op is None else self.op.open_shape
        return name if name and self.arguments().get(name) is not False else ""

    def arguments(self) -> dict[str, Any]:
        """Return all of the operator's arguments that are no arrays, defaults included."""
        if self.op is None:
            return {}
        found = dict(self.op.options)
        found.update(self.params)
        if self.op.counted:
            found.setdefault(self.op.counted, len(self.inputs))
            if found[self.op.counted] is None:
                found[self.op.counted] = len(self.inputs)
        return found

    def texts(self) -> dict[str, str]:
        """Return its attributes as MXNet keeps them: as text, the operator's arguments too."""
        spelled = self.spelled
        if spelled is None:
            spelled = {self.written(name): text(value) for name, value in self.params.items()}
            if self.op is not None and self.op.counted:
                spelled.setdefault(self.op.counted, str(len(self.inputs)))
        if op_type := self._names_in_files()[1]:
            spelled = {**spelled, "op_type": op_type}
        return spelled | self.attrs

    def written(self, name: str) -> str:
        """Return what files call one of the operator's arguments."""
        if self.op is None:
            return name
        return next((key for key, other in self.op.attributes.items() if other == name), name)

    def set_argument(self, name: str, value: str) -> None:
        """Set one of the operator's arguments, written as text."""
        if self.op is None:
            return
        where = f"{self.path} '{self.name}'"
        self.spelled = {key: self.texts()[key] for key in self.texts() if key not in self.attrs}
        self.spelled[self.written(name)] = value
        self.params[name] = parse(value, self.op.signature.parameters[name], where)

    def auxiliary(self) -> list[Node]:
        """Return the variables among its inputs that it updates itself."""
        if self.op is None:
            return []
        inside = getattr(self.op.function, "moving", ())  # of a layer that the node holds
        if inside:
            return [self.inputs[i].node for i in inside if self.inputs[i].node.is_variable]
        if self.op.graph.auxiliary is not None:
            places = self.op.graph.auxiliary(len(self.inputs))
            return [self.inputs[i].node for i in places if self.inputs[i].node.is_variable]
        if not self.op.aux:
            return []
        pairs = zip(self.names, self.inputs, strict=True)
        return [e.node for name, e in pairs if name in self.op.aux and e.node.is_variable]

    def copy(self) -> Node:
        """Return another node that is the same."""
        return Node(
            self.op, self.name, self.space, self.path, self.params, self.attrs, self.inputs,
            self.names, self.spelled,
        )  # fmt: skip


def order(entries: Iterable[Entry], source: Callable[[Entry], Entry] | None = None) -> list[Node]:
    """Return the nodes that make some outputs, each after its inputs, from left to right.

    Parameters
    ----------
    entries : iterable of Entry
        The outputs.
    source : callable, optional
        What is taken for each input of a node.
    """
    found: list[Node] = []
    seen: set[int] = set()
    for entry in entries:
        stack = [(entry.node, 0)]
        if id(entry.node) in seen:
            continue
        seen.add(id(entry.node))
        while stack:
            node, position = stack.pop()
            if position == len(node.inputs):
                found.append(node)
                continue
            stack.append((node, position + 1))
            below = node.inputs[position]
            child = (below if source is None else source(below)).node
            if id(child) not in seen:
                seen.add(id(child))
                stack.append((child, 0))
    return found


def copied(entries: Iterable[Entry]) -> tuple[list[Entry], dict[int, Node]]:
    """Return a copy of a graph, and its nodes by the `id` of those they are copies of."""
    entries = list(entries)
    copies: dict[int, Node] = {}
    for node in order(entries):
        copy = copies[id(node)] = node.copy()
        copy.inputs = [Entry(copies[id(entry.node)], entry.position) for entry in node.inputs]
    return [Entry(copies[id(entry.node)], entry.position) for entry in entries], copies


def auxiliary(nodes: Iterable[Node]) -> set[int]:
    """Return the `id` of each variable among some nodes that an operator updates."""
    return {id(variable) for node in nodes for variable in node.auxiliary()}


def variables(nodes: Sequence[Node]) -> tuple[list[Node], list[Node]]:
    """Return the variables among nodes: arguments, and what operators update themselves."""
    states = auxiliary(nodes)
    found = [node for node in nodes if node.is_variable]
    own = [node for node in found if id(node) in states]
    return [node for node in found if id(node) not in states], own
