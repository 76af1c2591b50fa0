"""Writes graphs in MXNet's JSON, to the letter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.context import is_np_shape
from gluonish.symbol.graph import Entry, order

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gluonish.symbol.graph import Node

VERSION = 10901  # what these files say MXNet's version is: 1.9.1
_INDENT = "  "
_ROW = 10  # numbers that stand in one line
_ESCAPES = str.maketrans({'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def to_json(entries: Sequence[Entry], *, remove_amp_cast: bool = True) -> str:
    """Return a graph as text.

    Parameters
    ----------
    entries : sequence of Entry
        Its outputs.
    remove_amp_cast : bool, default True
        Whether the casts are left out that mixed precision put in.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.symbol.writing import to_json
    >>> to_json(mx.sym.var('x').entries).splitlines()[-2]
    '  "attrs": {"mxnet_version": ["int", 10901]}'
    """
    extra = {"is_np_shape": ["int", 1]} if is_np_shape() else {}
    graph = _graph(entries, remove_amp_cast=remove_amp_cast)
    return _text({**graph, "attrs": {**extra, "mxnet_version": ["int", VERSION]}}, 0)


def _graph(
    entries: Sequence[Entry], *, remove_amp_cast: bool, has_versions: bool = True
) -> dict[str, Any]:
    nodes = order(entries, source=_source if remove_amp_cast else None)
    ids = {id(node): position for position, node in enumerate(nodes)}
    counts = _versions(nodes) if has_versions else {}
    rows = [0]
    written = []
    for node in nodes:
        rows.append(rows[-1] + _counted(node))
        written.append(_node(node, ids, counts, remove_amp_cast=remove_amp_cast))
    heads = [
        [ids[id(entry.node)], entry.position, counts.get((id(entry.node), -1), 0)]
        for entry in entries
    ]
    return {
        "nodes": written,
        "arg_nodes": [position for position, node in enumerate(nodes) if node.is_variable],
        "node_row_ptr": rows,
        "heads": heads,
    }


def _node(
    node: Node,
    ids: Mapping[int, int],
    versions: Mapping[tuple[int, int], int],
    *,
    remove_amp_cast: bool,
) -> dict[str, Any]:
    found: dict[str, Any] = {"op": node.file_name, "name": node.name}
    attrs = node.texts()
    if attrs:
        found["attrs"] = {key: attrs[key] for key in sorted(attrs, key=str.encode)}
    inputs = []
    for position, entry in enumerate(node.inputs):
        source = _source(entry) if remove_amp_cast else entry
        version = versions.get((id(node), position), 0)
        inputs.append([ids[id(source.node)], source.position, version])
    found["inputs"] = inputs
    subgraphs = () if node.op is None else getattr(node.op.function, "subgraphs", ())
    if subgraphs:
        found["subgraphs"] = [
            _graph(
                subgraph.entries,
                remove_amp_cast=remove_amp_cast,
                has_versions=not node.auxiliary(),  # a layer's own graph has none
            )
            for subgraph in subgraphs
        ]
    return found


def _source(entry: Entry) -> Entry:
    """Return what goes into a cast of mixed precision; other entries as they are."""
    while entry.node.op is not None and entry.node.op.precision.is_cast:
        entry = entry.node.inputs[entry.position]
    return entry


def _versions(nodes: Iterable[Node]) -> dict[tuple[int, int], int]:
    """Return how often variables were updated once each operator that updates them has run.

    The keys are the `id` of a node and the position of an input of its; for variables -1, and the
    value then counts all operators.
    """
    found: dict[tuple[int, int], int] = {}
    for node in nodes:
        updated = {id(variable) for variable in node.auxiliary()}
        function = None if node.op is None else node.op.function
        updated |= {id(node.inputs[i].node) for i in getattr(function, "updated", ())}
        for position, entry in enumerate(node.inputs):
            if id(entry.node) in updated:
                count = found.get((id(entry.node), -1), 0) + 1
                found[id(entry.node), -1] = found[id(node), position] = count
    return found


def _counted(node: Node) -> int:
    """Return how many outputs MXNet counts, those included that a graph cannot use."""
    if node.op is None:
        return node.outputs
    return max(node.outputs, node.op.graph.counted(node.arguments()))


def _text(value: Any, depth: int) -> str:
    """Return a value in the layout of MXNet's writer."""
    if isinstance(value, str):
        return f'"{value.translate(_ESCAPES)}"'
    if isinstance(value, int):
        return str(value)
    if isinstance(value, list) and len(value) == 3 and type(value[0]) is int:
        return f"[{value[0]}, {value[1]}, {value[2]}]"  # most of a graph's lists
    inner = f"\n{_INDENT * (depth + 1)}"
    outer = f"\n{_INDENT * depth}"
    if isinstance(value, dict):
        parts = [f"{_text(key, 0)}: {_text(part, depth + 1)}" for key, part in value.items()]
        is_long = len(parts) > 1
        opening, closing = "{", "}"
    else:
        parts = [_text(part, depth + 1) for part in value]
        is_long = len(parts) > _ROW or any(isinstance(part, dict) for part in value)
        opening, closing = "[", "]"
    if not is_long:
        return f"{opening}{', '.join(parts)}{closing}"
    return f"{opening}{inner}{f', {inner}'.join(parts)}{outer}{closing}"
