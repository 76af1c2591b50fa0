"""Reads graphs in MXNet's JSON, of any version, and trusts nothing in them."""

from __future__ import annotations

import re
from collections import Counter, deque
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from gluonish.array.texts import parse_shape
from gluonish.context import is_np_shape
from gluonish.errors import FileFormatError, MXNetError, UnknownOperatorError
from gluonish.errors.habits.layers import OPERATORS_OF_LAYERS
from gluonish.ops.table.graph_names import nearest
from gluonish.serialization import json_text
from gluonish.serialization.foreign import foreign_json
from gluonish.symbol import attributes, subgraph_files
from gluonish.symbol.graph import Entry, Node
from gluonish.symbol.raw_nodes import build
from gluonish.symbol.subgraph_files import COUNTS

if TYPE_CHECKING:
    from collections.abc import Sequence

_BIGGEST = 1 << 30  # bytes of a file
_MOST = 10_000_000  # nodes
_DEEPEST = 20  # graphs inside of graphs
_MOST_NEAREST = 10  # unknown operators for which the nearest known one is looked for
_OLDEST = 800  # version of files that do not tell theirs: 0.8
_OF_PARAMETERS = (".params", ".nd", ".npz", ".safetensors")
_EPOCH = re.compile(r"-\d{4,}\.\w+$")


class Raw(NamedTuple):
    """A node as it stands in a file, once its form is known to be right."""

    op: str
    name: str
    attrs: dict[str, str]
    inputs: list[tuple[int, int]]
    subgraphs: list[dict[str, Any]]


def from_json(text: str | bytes, source: str = "JSON") -> list[Entry]:
    """Return the outputs of the graph that a text describes.

    Parameters
    ----------
    text : str or bytes
        The text.
    source : str, default 'JSON'
        What errors call it.

    Raises
    ------
    FileFormatError
        It is no graph, or a damaged one.
    UnknownOperatorError
        There are operators that are not known; all of them are named.

    Examples
    --------
    >>> from gluonish.symbol.reading import from_json
    >>> node = '{"op": "null", "name": "x", "inputs": []}'
    >>> from_json(f'{{"nodes": [{node}], "heads": [[0, 0]]}}')[0].node.name
    'x'
    """
    graph = _parsed(text, source)
    return _outputs(graph, _version(graph), source, 0)


def _outputs(graph: dict[str, Any], version: int, source: str, depth: int) -> list[Entry]:
    """Return the outputs of a graph, or of one inside of a node."""
    if depth > _DEEPEST:
        refuse(source, f"its nodes hold graphs that hold graphs, {depth} deep")
    raws = [_raw(node, position, source) for position, node in enumerate(_nodes(graph, source))]
    _check_ids(raws, graph, source)
    if not depth and is_np_shape() and not _has_np_shapes(graph):
        for raw in raws:
            _open_zeros(raw)
    nodes = _built(raws, version, source, depth)
    heads = []
    for position, index in _pairs(graph["heads"], "heads", source):
        heads.append(_entry(nodes, position, index, "heads", source))
    return heads


def _has_np_shapes(graph: dict[str, Any]) -> bool:
    attrs = graph.get("attrs")
    return isinstance(attrs, dict) and "is_np_shape" in attrs


def _open_zeros(raw: Raw) -> None:
    """Write a variable's shape from before NumPy's shapes as these have it.

    There 0 stood for a length that is not known, and () for any shape.
    """
    text = raw.attrs.get("__shape__") if raw.op == "null" else None
    if text is not None:
        shape = parse_shape(text, f"__shape__ of {raw.name}")
        del raw.attrs["__shape__"]
        if shape:
            raw.attrs["__shape__"] = str(tuple(length or -1 for length in shape))


def refuse(source: str, problem: str, fix: str = "Export the model again") -> NoReturn:
    """Raise the error for a text that is no graph."""
    msg = f"{source}: {problem}. Expected a graph as MXNet and gluonish write it. {fix}."
    raise FileFormatError(msg)


def _refuse_no_json(source: str, error: ValueError) -> NoReturn:
    """Raise the error for what is no JSON: parameters, perhaps, beside whose file the graph is."""
    if source.endswith(_OF_PARAMETERS):
        graph = _EPOCH.sub("-symbol.json", source)
        there = f"mx.sym.load({graph!r})" if graph != source else "mx.sym.load of its -symbol.json"
        refuse(
            source,
            "it is a file of parameters, by its name, and no JSON",
            f"The graph is beside it: {there}; mx.nd.load reads parameters",
        )
    is_text = not isinstance(error, UnicodeDecodeError)
    refuse(source, f"it is no JSON: {error}" if is_text else "it is no text, and so no JSON")


def _parsed(text: str | bytes, source: str) -> dict[str, Any]:
    if len(text) > _BIGGEST:
        refuse(source, f"it has {len(text)} characters, more than {_BIGGEST}")
    try:
        graph = json_text.parse(text)
    except ValueError as error:
        _refuse_no_json(source, error)
    if not isinstance(graph, dict):
        refuse(source, f"it holds a {type(graph).__name__}")
    return _checked(graph, source)


def _checked(graph: dict[str, Any], source: str) -> dict[str, Any]:
    for key in ("nodes", "heads"):
        if not isinstance(graph.get(key), list):
            known = foreign_json(set(graph))
            if known is not None:
                refuse(source, f"it is {known.what}: it has no list of {key}", known.fix)
            refuse(source, f"it has no list of {key}")
    return graph


def _nodes(graph: dict[str, Any], source: str) -> list[Any]:
    nodes: list[Any] = graph["nodes"]
    if len(nodes) > _MOST:
        refuse(source, f"it has {len(nodes)} nodes, more than {_MOST}")
    if not nodes or not graph["heads"]:
        refuse(source, "it has no nodes, or no outputs")
    return nodes


def _raw(node: Any, position: int, source: str) -> Raw:
    where = f"node {position}"
    if not isinstance(node, dict):
        refuse(source, f"{where} is a {type(node).__name__}, no object")
    op, name = node.get("op"), node.get("name")
    if not isinstance(op, str) or not isinstance(name, str):
        refuse(source, f"{where} has no text as op or as name")
    where = f"{where} {name!r}"
    subgraphs = node.get("subgraphs") or []
    count = COUNTS.get(op, 0)
    is_right = isinstance(subgraphs, list) and all(isinstance(each, dict) for each in subgraphs)
    if not is_right or len(subgraphs) != count:
        refuse(source, f"{where} ({op}) does not hold {count} graphs of its own")
    for each in subgraphs:
        _checked(each, f"{source}: {where}")
    attrs: dict[str, str] = {}
    for key in ("param", "attr", "attrs"):  # the spellings of MXNet 0.8, 0.12 and 1.0
        part = node.get(key, {})
        if not isinstance(part, dict) or not all(isinstance(v, str) for v in part.values()):
            refuse(source, f"{where} has {key} that are no texts")
        attrs.update(part)
    inputs = _pairs(node.get("inputs", []), f"inputs of {where}", source)
    return Raw(op, name, attrs, inputs, subgraphs)


def _pairs(value: Any, where: str, source: str) -> list[tuple[int, int]]:
    """Return references to outputs: a node's number and which output; a version may follow."""
    if not isinstance(value, list):
        refuse(source, f"{where}: {_short(value)} is no list")
    for item in value:
        if (
            not isinstance(item, list)
            or len(item) not in (2, 3)
            or any(type(number) is not int for number in item)
        ):
            refuse(source, f"{where}: {_short(item)} is no pair or triple of numbers")
    return [(item[0], item[1]) for item in value]


def _version(graph: dict[str, Any]) -> int:
    attrs = graph.get("attrs")
    told = attrs.get("mxnet_version") if isinstance(attrs, dict) else None
    if isinstance(told, list) and len(told) == 2 and type(told[1]) is int:
        return told[1]
    return _OLDEST


def _check_ids(raws: Sequence[Raw], graph: dict[str, Any], source: str) -> None:
    count = len(raws)
    for position, raw in enumerate(raws):
        for number, _ in raw.inputs:
            if not 0 <= number < count:
                refuse(source, f"node {position} {raw.name!r} has node {number} as input")
        if raw.op == "null" and raw.inputs:
            refuse(source, f"the variable {raw.name!r} has inputs")
    arguments = graph.get("arg_nodes", [])
    if not isinstance(arguments, list) or any(
        type(number) is not int or not 0 <= number < count for number in arguments
    ):
        refuse(source, "arg_nodes are not numbers of nodes")
    for number, _ in _pairs(graph["heads"], "heads", source):
        if not 0 <= number < count:
            refuse(source, f"heads name node {number}, of {count}")


def _sorted(raws: Sequence[Raw], source: str) -> list[int]:
    """Return the nodes' numbers such that each stands after its inputs."""
    missing = [len(raw.inputs) for raw in raws]
    users: list[list[int]] = [[] for _ in raws]
    for position, raw in enumerate(raws):
        for number, _ in raw.inputs:
            users[number].append(position)
    ready = deque(position for position, count in enumerate(missing) if not count)
    found = []
    while ready:
        position = ready.popleft()
        found.append(position)
        for user in users[position]:
            missing[user] -= 1
            if not missing[user]:
                ready.append(user)
    if len(found) < len(raws):
        names = [raws[position].name for position, count in enumerate(missing) if count]
        refuse(source, f"nodes need themselves as inputs: {attributes.some(names)}")
    return found


def _built(raws: Sequence[Raw], version: int, source: str, depth: int) -> list[Node]:
    nodes: list[Any] = [None] * len(raws)
    unknown: Counter[str] = Counter()
    problems: list[str] = []
    for position in _sorted(raws, source):
        raw = raws[position]
        is_right = not (unknown or problems)  # else some nodes are none
        inputs = [
            _entry(nodes, number, index if is_right else 0, f"inputs of {raw.name!r}", source)
            for number, index in raw.inputs
        ]
        if raw.subgraphs:
            nodes[position] = _with_subgraphs(raw, inputs, version, source, depth, problems)
            continue
        nodes[position] = build(raw, inputs, version, unknown, problems)
    if unknown:
        which = f"operator{'s' * (len(unknown) > 1)} {_told(unknown)}"
        nodes_of = attributes.some(repr(raw.name) for raw in raws if raw.op in unknown)
        is_one = sum(unknown.values()) == 1
        meant = [OPERATORS_OF_LAYERS.get(f"symbol.{name}") for name in unknown]
        how = next((each for each in meant if each), "Write that part of the model as a Block")
        msg = (
            f"{source}: the {which} {'is' if len(unknown) == 1 else 'are'} not known, of the "
            f"node{'' if is_one else 's'} {nodes_of}. Expected those of MXNet 1.9.1 that gluonish "
            f"has. {how}."
        )
        raise UnknownOperatorError(msg)
    if problems:
        told = attributes.some((each.removesuffix(".") for each in problems), "; ", 400)
        refuse(source, told if len(problems) == 1 else f"{len(problems)} problems: {told}")
    return nodes


def _told(unknown: Counter[str]) -> str:
    """Return names of operators, each with how often it is there and the nearest that is known."""
    told: list[str] = []
    for name, count in sorted(unknown.items()):
        notes = [f"{count} times"] if count > 1 else []
        if len(told) < _MOST_NEAREST and (found := nearest(name)) is not None:
            notes.append(f"nearest is {found}")
        told.append(f"{name} ({', '.join(notes)})" if notes else name)
    return attributes.some(told, length=200)


def _with_subgraphs(
    raw: Raw, inputs: list[Entry], version: int, source: str, depth: int, problems: list[str]
) -> Node:
    where = f"{source}: {raw.op} {raw.name!r}"
    graphs = [_outputs(graph, version, where, depth + 1) for graph in raw.subgraphs]
    try:
        return subgraph_files.build(raw.op, raw.name, raw.attrs, graphs, inputs)
    except MXNetError as error:
        problems.append(str(error))
        return Node(None, raw.name)


def _entry(nodes: Sequence[Node], number: int, index: int, where: str, source: str) -> Entry:
    node = nodes[number]
    count = max(node.outputs, 1)
    if not 0 <= index < count:
        refuse(
            source,
            f"{where}: output {index} of {node.name!r} ({node.file_name}), which has {count}",
        )
    return Entry(node, index)


def _short(value: object) -> str:
    return attributes.cut(repr(value))
