"""What `inspect` says of graphs: those, too, that cannot be built."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from gluonish.conversion.finding import checkpoints_of
from gluonish.conversion.naming import split_mark
from gluonish.conversion.reports import NodeReport, tally
from gluonish.errors import FileFormatError, MXNetError, UnknownOperatorError
from gluonish.errors.wording import shape_text
from gluonish.ops.table.graph_names import find
from gluonish.serialization.any_format import open_arrays
from gluonish.serialization.files import open_source
from gluonish.symbol import shape_inference
from gluonish.symbol.graph import order
from gluonish.symbol.inference import declared_shapes
from gluonish.symbol.reading import from_json
from gluonish.symbol.writing import VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gluonish.conversion.reports import Report
    from gluonish.symbol.graph import Entry
    from gluonish.symbol.shape_inference import Shape

_PARAMETERS: Final = (
    "weight", "bias", "gamma", "beta", "alpha", "moving_mean", "moving_var", "running_mean",
    "running_var", "moving_avg", "parameters", "const",
)  # fmt: skip
_OLD: Final = "MXNet 0.8 to 0.10, which did not say"


def graph_report(report: Report, input_shapes: Mapping[str, tuple[int, ...]]) -> None:
    """Fill in what a graph computes, and of what."""
    with open_source(report.path) as source:
        content = source.stream.read()
    nodes, attrs = _raw(content)
    operators = [node["op"] for node in nodes if node["op"] != "null"]
    facts = report.facts
    if attrs is not None:
        facts["written by"] = _writer(attrs)
    if attrs is not None and "is_np_shape" in attrs:
        facts["mode"] = "NumPy shapes"
    facts["nodes"] = len(nodes)
    facts["variables"] = len(nodes) - len(operators)
    facts["operators"] = tally(operators)
    missing = [name for name in facts["operators"] if find(name) is None]
    if missing:
        facts["not in gluonish"] = missing
    report.nodes = [NodeReport(n["name"], n["op"], None) for n in nodes if n["op"] != "null"]
    try:
        entries = from_json(content, report.path)
    except UnknownOperatorError:
        return  # named already
    except FileFormatError as error:
        report.damage = str(error)
        return
    _built(report, entries, input_shapes)


def _built(
    report: Report, entries: Sequence[Entry], input_shapes: Mapping[str, tuple[int, ...]]
) -> None:
    """Fill in what only a graph that could be built tells."""
    found = checkpoints_of(report.path)
    values = _shapes_in(found[max(found)]) if found else {}
    nodes = order(entries)
    variables = [node.name for node in nodes if node.is_variable]
    auxiliary = {node.name for each in nodes for node in each.auxiliary()}
    inputs = [
        name
        for name in variables
        if name not in auxiliary
        and (name not in values if values else not name.endswith(_PARAMETERS))
    ]
    known: dict[str, Shape] = declared_shapes(nodes)
    known |= values
    known |= dict(input_shapes)
    shapes: Mapping[Entry, Shape | None] = {}
    try:
        shapes = shape_inference.infer(entries, known)
    except MXNetError as error:
        report.facts["shapes"] = f"not found: {error}"
    by_name = {node.name: shape for (node, _), shape in shapes.items() if node.is_variable}
    report.facts["inputs"] = {name: shape_text(by_name.get(name)) for name in inputs}
    report.facts["outputs"] = {
        f"{entry.node.name}{f'[{entry.position}]' if entry.node.outputs > 1 else ''}": shape_text(
            shapes.get(entry)
        )
        for entry in entries
    }
    report.facts["parameters"] = len(variables) - len(inputs) - len(auxiliary)
    report.facts["auxiliary"] = len(auxiliary)
    if found:
        report.facts["values"] = found[max(found)]
        lacking = [name for name in [*variables] if name in auxiliary and name not in values]
        if lacking:
            report.facts["without values"] = lacking
    first = {id(node): shape for (node, index), shape in shapes.items() if index == 0}
    report.nodes = [
        NodeReport(node.name, node.file_name, first.get(id(node)))
        for node in nodes
        if not node.is_variable
    ]


def _shapes_in(path: str) -> dict[str, Shape]:
    """Return the shapes of parameters, by the names that graphs have for them."""
    try:
        with open_arrays(path, partial=True) as arrays:
            return {split_mark(item.name)[1]: item.shape for item in arrays.items}
    except MXNetError:
        return {}


def _writer(attrs: Mapping[str, Any]) -> str:
    told = attrs.get("mxnet_version")
    if isinstance(told, list) and len(told) == 2 and type(told[1]) is int:
        number = told[1]
        version = f"MXNet {number // 10000}.{number // 100 % 100}.{number % 100}"
        return f"{version}, or gluonish" if number == VERSION else version
    return _OLD


def _raw(content: bytes) -> tuple[list[dict[str, Any]], dict[str, Any] | None]:
    """Return a text's nodes, only those before the damage if there is any, and its attributes."""
    text = content.decode("utf-8-sig", "replace")
    try:
        graph = json.loads(text)
    except (ValueError, RecursionError):
        return _nodes_before_damage(text), None
    if not isinstance(graph, dict):
        return [], None
    nodes, attrs = graph.get("nodes"), graph.get("attrs")
    return (
        [node for node in nodes if _is_node(node)] if isinstance(nodes, list) else [],
        attrs if isinstance(attrs, dict) else {},
    )


def _nodes_before_damage(text: str) -> list[dict[str, Any]]:
    """Return the nodes that can be read one after another."""
    decoder = json.JSONDecoder()
    position = text.find("[", text.find('"nodes"')) + 1
    found: list[dict[str, Any]] = []
    while position > 0:
        while position < len(text) and text[position] in " \t\r\n,":
            position += 1
        try:
            node, position = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            break
        if not _is_node(node):
            break
        found.append(node)
    return found


def _is_node(node: object) -> bool:
    if not isinstance(node, dict):
        return False
    return isinstance(node.get("op"), str) and isinstance(node.get("name"), str)
