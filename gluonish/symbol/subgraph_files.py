"""How files tell what operators with subgraphs do with their inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from gluonish.array.texts import literal, parse_int
from gluonish.errors import InvalidArgumentError
from gluonish.symbol.attributes import cut
from gluonish.symbol.fused_nodes import LAYERS, build_layer
from gluonish.symbol.graph import Node
from gluonish.symbol.subgraphs import Cond, Foreach, Subgraph, WhileLoop

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gluonish.symbol.graph import Entry
    from gluonish.symbol.subgraphs import ControlFlow

# How many subgraphs each operator has.
COUNTS = {"_foreach": 1, "_while_loop": 2, "_cond": 3, **dict.fromkeys(LAYERS, 1)}


def texts_of(function: ControlFlow, inputs: int) -> dict[str, str]:
    """Return an operator's arguments as files have them."""
    found: dict[str, Any] = {
        "num_args": inputs + len(function.subgraphs),
        "num_outputs": function.outputs,
    }
    if isinstance(function, Foreach):
        source = function.sources[0]
        data, states = function.num_data, function.num_states
        found |= {
            "num_out_data": function.num_out_data,
            "in_data_locs": [source.index(k) for k in range(data)],
            "in_state_locs": [source.index(data + k) for k in range(states)],
            "remain_locs": [source.index(k) for k in range(data + states, inputs)],
        }
    elif isinstance(function, WhileLoop):
        cond, func = function.sources
        found |= {
            "num_out_data": function.num_out_data,
            "max_iterations": function.max_iterations,
            "cond_input_locs": list(cond),
            "func_input_locs": list(func),
            "func_var_locs": [func.index(i) for i in function.variables],
        }
    else:
        names = ("cond_input_locs", "then_input_locs", "else_input_locs")
        found |= dict(zip(names, map(list, function.sources), strict=True))
    return {key: str(value) for key, value in found.items()}


def build(
    op: str,
    name: str,
    texts: Mapping[str, str],
    graphs: Sequence[Sequence[Entry]],
    inputs: Sequence[Entry],
) -> Node:
    """Return the node that a file describes.

    Parameters
    ----------
    op : str
        The operator: one of `COUNTS`.
    name : str
        The node's name.
    texts : dict of str to str
        Its attributes.
    graphs : sequence of sequence of Entry
        The outputs of its subgraphs.
    inputs : sequence of Entry
        Its inputs.

    Raises
    ------
    InvalidArgumentError
        The attributes do not fit the subgraphs.
    """
    if op in LAYERS:
        return build_layer(op, name, texts, graphs[0], inputs)
    reader = _Reader(f"{name!r} ({op})", texts, len(inputs))
    subgraphs = [Subgraph(graph) for graph in graphs]
    function = {"_foreach": _foreach, "_while_loop": _while_loop, "_cond": _cond}[op](
        reader, subgraphs
    )
    attrs = {key: text for key, text in texts.items() if key not in reader.read}
    unknown = [key for key in attrs if not key.startswith("__")]
    if unknown:
        reader.refuse(f"Cannot find argument {unknown[0]!r}")
    node = Node(function.op(), name, "nd", f"_internal.{op}", attrs=attrs, inputs=inputs)
    node.names = ("data",) * len(inputs)
    node.spelled = texts_of(function, len(inputs))
    return node


class _Reader:
    """Reads one node's arguments.

    Parameters
    ----------
    where : str
        How errors begin.
    texts : dict of str to str
        The arguments.
    inputs : int
        How many inputs the node has.
    """

    def __init__(self, where: str, texts: Mapping[str, str], inputs: int) -> None:
        self.where = where
        self.inputs = inputs
        self.read = {"num_args", "num_outputs", "num_out_data"}
        self._texts = texts

    def number(self, key: str, most: int) -> int:
        """Return a number from 0 to another one."""
        self.read.add(key)
        found = parse_int(self._texts.get(key, "None"), f"{self.where}: {key}")
        if not 0 <= found <= most:
            self.refuse(f"{key}={found} is out of range")
        return found

    def places(self, key: str, count: int) -> list[int]:
        """Return different numbers below another one."""
        self.read.add(key)
        try:
            value = literal(self._texts.get(key, "None"))
        except ValueError:
            value = None
        is_list = isinstance(value, tuple) and all(type(each) is int for each in value)
        if not is_list or len(set(value)) < len(value) or not all(0 <= i < count for i in value):
            text = cut(repr(self._texts.get(key)))
            self.refuse(f"{key}={text} are not different numbers below {count}")
        return list(value)

    def source(self, key: str, subgraph: Subgraph) -> list[int]:
        """Return which inputs the variables of a subgraph are."""
        found = self.places(key, self.inputs)
        if len(found) != len(subgraph.names):
            self.refuse(f"{key} has {len(found)} numbers for {subgraph.names}")
        return found

    def refuse(self, problem: str) -> NoReturn:
        """Raise an error."""
        msg = f"{self.where}: {problem}. Expected what fits its subgraphs. Export the model again."
        raise InvalidArgumentError(msg)


def _foreach(reader: _Reader, subgraphs: list[Subgraph]) -> ControlFlow:
    (body,) = subgraphs
    count = len(body.names)
    keys = ("in_data_locs", "in_state_locs", "remain_locs")
    data, states, rest = (reader.places(key, count) for key in keys)
    places = [*data, *states, *rest]
    outputs = reader.number("num_out_data", len(body.entries))
    is_right = sorted(places) == list(range(count)) and count == reader.inputs and data
    if not is_right or len(body.entries) != outputs + len(states):
        reader.refuse(
            f"{reader.inputs} inputs, {count} variables and {len(body.entries)} outputs of the "
            f"body do not fit {', '.join(keys)} and num_out_data"
        )
    return Foreach(body, [places.index(i) for i in range(count)], len(data), len(states))


def _while_loop(reader: _Reader, subgraphs: list[Subgraph]) -> ControlFlow:
    cond, func = subgraphs
    sources = [reader.source("cond_input_locs", cond), reader.source("func_input_locs", func)]
    places = reader.places("func_var_locs", len(func.names))
    outputs = reader.number("num_out_data", len(func.entries))
    most = reader.number("max_iterations", 1 << 31)
    if len(func.entries) != outputs + len(places) or len(cond.entries) != 1 or not most:
        reader.refuse(
            f"{len(func.entries)} outputs of the function do not fit func_var_locs and "
            f"num_out_data, or there is not one condition, or max_iterations is 0"
        )
    return WhileLoop(cond, func, sources, [sources[1][i] for i in places], most)


def _cond(reader: _Reader, subgraphs: list[Subgraph]) -> ControlFlow:
    keys = ("cond_input_locs", "then_input_locs", "else_input_locs")
    sources = [reader.source(key, subgraph) for key, subgraph in zip(keys, subgraphs, strict=True)]
    pred, then, otherwise = subgraphs
    if len(pred.entries) != 1 or len(then.entries) != len(otherwise.entries):
        reader.refuse("the branches have different numbers of outputs")
    return Cond(pred, then, otherwise, sources)
