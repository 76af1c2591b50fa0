"""Changes that mean something in MXNet's graphs: ids, operators, attributes, graphs in graphs."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from fuzz.json_format import EVIL_TEXTS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

_KEYS = (
    "num_hidden", "kernel", "stride", "pad", "shape", "axis", "num_args", "num_outputs", "dtype",
    "eps",
    "__shape__", "__dtype__", "__init__", "__lr_mult__", "lr_mult", "weight_lr_mult",
    "__storage_type__",
    "begin", "end", "step", "repeats", "reps", "depth", "k", "num_group", "mode", "p", "ctx",
    "op_type",
    "__profiler_scope__", "__ctx_group__", "____", "__class__", "layout", "target_shape", "start",
    "stop",
    "scalar", "no_bias", "flatten", "num_layers", "state_size", "act_type", "pool_type", "N", "M",
    "size",
)  # fmt: skip
_VERSIONS = (0, 700, 800, 900, 904, 905, 1000, 10901, 20000, -1, 1 << 40, "10901", None)


def change(random: Random, graph: Any, other: Any, operators: Sequence[str]) -> str:
    """Change one thing of a graph, and return what was done.

    Parameters
    ----------
    random : random.Random
        What draws.
    graph, other : dict
        The graph, and another one to take parts from.
    operators : sequence of str
        Names of operators.
    """
    nodes = graph.get("nodes") if isinstance(graph, dict) else None
    if not isinstance(nodes, list) or not nodes:
        return "no nodes are left"
    position = random.randrange(len(nodes))
    node = nodes[position]
    if not isinstance(node, dict):
        return "no node is there"
    return random.choice(_CHANGES)(random, graph, node, position, other, operators)


def _operator(random: Random, _g: Any, node: Any, _p: int, _o: Any, operators: Any) -> str:
    node["op"] = random.choice((*operators, "null", "Custom", "", "(a+)+$" * 50, "_foreach"))
    return f"op := {node['op'][:40]!r}"


def _attribute(random: Random, _g: Any, node: Any, _p: int, _o: Any, _ops: Any) -> str:
    spellings = [key for key in ("attrs", "attr", "param") if isinstance(node.get(key), dict)]
    spelling = random.choice(spellings or ["attrs"])
    attrs = node[spelling] = node[spelling] if spellings else {}
    known = [key for key in attrs if isinstance(key, str)]
    key = random.choice(known) if known and random.random() < 0.7 else random.choice(_KEYS)
    attrs[key] = random.choice(EVIL_TEXTS)
    return f"{key} := {attrs[key][:40]!r}"


def _less_attributes(random: Random, _g: Any, node: Any, _p: int, _o: Any, _ops: Any) -> str:
    attrs = node.get("attrs")
    if isinstance(attrs, dict) and attrs:
        key = random.choice(list(attrs))
        del attrs[key]
        return f"{key} left out"
    return "no attribute is there"


def _input(random: Random, graph: Any, node: Any, position: int, _o: Any, _ops: Any) -> str:
    count = len(graph["nodes"])
    number = random.choice((position, count, count - 1, -1, 0, 1 << 62, random.randrange(count)))
    inputs = node.get("inputs")
    if not isinstance(inputs, list):
        node["inputs"] = [[number, 0, 0]]
    elif inputs and random.random() < 0.6:
        inputs[random.randrange(len(inputs))] = [number, random.choice((0, 0, 0, 1, 5)), 0]
    elif inputs and random.random() < 0.5:
        del inputs[random.randrange(len(inputs))]
    else:
        inputs.insert(random.randint(0, len(inputs)), [number, 0, 0])
    return f"an input := {number}"


def _head(random: Random, graph: Any, _n: Any, _p: int, _o: Any, _ops: Any) -> str:
    count = len(graph["nodes"])
    number = random.choice((0, count - 1, count, -1, random.randrange(count)))
    graph["heads"] = [[number, random.choice((0, 0, 1, 2, -1)), 0]] * random.choice((1, 1, 2, 100))
    return f"heads := {number}"


def _taken(random: Random, graph: Any, _n: Any, position: int, other: Any, _ops: Any) -> str:
    theirs = other.get("nodes") if isinstance(other, dict) else None
    if isinstance(theirs, list) and theirs:
        graph["nodes"][position] = copy.deepcopy(random.choice(theirs))
    return "a node from another graph"


def _inside(random: Random, _g: Any, node: Any, _p: int, other: Any, _ops: Any) -> str:
    inner = copy.deepcopy(other)
    depth = random.choice((1, 1, 2, 3, 19, 22, 40))
    for _ in range(depth - 1):
        inner = {
            "nodes": [
                {"op": "null", "name": "x", "inputs": []},
                {"op": "_foreach", "name": "f", "inputs": [[0, 0, 0]], "subgraphs": [inner]},
            ],
            "heads": [[1, 0, 0]],
        }
    count = random.choice((1, 2, 3))
    node["op"] = ("_foreach", "_while_loop", "_cond")[count - 1]
    node["subgraphs"] = [copy.deepcopy(inner) for _ in range(count)]
    return f"{node['op']} of graphs {depth} deep"


def _version(random: Random, graph: Any, _n: Any, _p: int, _o: Any, _ops: Any) -> str:
    graph["attrs"] = {"mxnet_version": ["int", random.choice(_VERSIONS)]}
    return "another version"


def _spelling(random: Random, graph: Any, _n: Any, _p: int, _o: Any, _ops: Any) -> str:
    key = random.choice(("attr", "param"))
    for node in graph["nodes"]:
        if isinstance(node, dict) and "attrs" in node:
            node[key] = node.pop("attrs")
    return f"attrs spelled {key}"


def _chain(random: Random, graph: Any, _n: Any, position: int, _o: Any, _ops: Any) -> str:
    count = random.choice((10, 100, 300))
    start = len(graph["nodes"])
    node_of = random.choice(("relu", "_copy", "elemwise_add", "BatchNorm", "Activation"))
    for step in range(count):
        source = position if step == 0 else start + step - 1
        inputs = [[source, 0, 0]] * (2 if node_of == "elemwise_add" else 1)
        made = {"op": node_of, "name": f"chain{step}", "inputs": inputs}
        graph["nodes"].append(
            made | ({"attrs": {"act_type": "relu"}} if node_of == "Activation" else {})
        )
    graph["heads"] = [[start + count - 1, 0, 0]]
    return f"a chain of {count} {node_of}"


def _name(random: Random, graph: Any, node: Any, _p: int, _o: Any, _ops: Any) -> str:
    names = [each.get("name") for each in graph["nodes"] if isinstance(each, dict)]
    node["name"] = random.choice(
        (*names, "", "data", "\x1b[2J", "a\0b", "x" * 5000, "é", "a.b", "%s")
    )
    return "another name"


def _order(random: Random, graph: Any, _n: Any, _p: int, _o: Any, _ops: Any) -> str:
    random.shuffle(graph["nodes"])
    return "nodes in another order"


_CHANGES = (
    _operator, _operator, _attribute, _attribute, _attribute, _attribute, _less_attributes, _input,
    _input, _head, _taken, _inside, _version, _spelling, _chain, _name, _order,
)  # fmt: skip
