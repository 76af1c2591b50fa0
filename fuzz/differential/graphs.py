"""Writes graphs of one node as MXNet's files have them; knows neither library."""

from __future__ import annotations

import json


def of_one_node(name: str, attrs: dict[str, str], count: int) -> str:
    """Return the text of a graph: an operator, its arguments as text, and so many variables."""
    nodes: list[dict[str, object]] = [
        {"op": "null", "name": f"in{place}", "inputs": []} for place in range(count)
    ]
    inputs = [[place, 0, 0] for place in range(count)]
    nodes.append({"op": name, "name": "node", "attrs": attrs, "inputs": inputs})
    graph = {
        "nodes": nodes,
        "arg_nodes": [*range(count)],
        "node_row_ptr": [*range(count + 2)],
        "heads": [[count, 0, 0]],
        "attrs": {"mxnet_version": ["int", 10901]},
    }
    return json.dumps(graph)
