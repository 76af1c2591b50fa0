"""Graphs that the real MXNet 1.9.1 wrote of the operators' samples: read, run, written again."""

from __future__ import annotations

import gzip
import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import numpy as onp
import pytest

import gluonish as mx

_ROOT = Path(__file__).parents[1]
_SPEC = importlib.util.spec_from_file_location("samples", _ROOT / "ops" / "samples.py")
samples: Any = importlib.util.module_from_spec(_SPEC)  # type: ignore[arg-type]
sys.modules["samples"] = samples
_SPEC.loader.exec_module(samples)  # type: ignore[union-attr]

GRAPHS = json.loads(gzip.decompress((_ROOT / "golden" / "sample_graphs.json.gz").read_bytes()))
RESULTS = onp.load(_ROOT / "golden" / "nd_ops.npz")
ANSWERS = json.loads(str(RESULTS["manifest"]))["rows"]

# `f[0]` is an output of a Symbol, and a row of an array: other programs.
OTHER = {"nd.where(t - 1, f[0], v)"}
RUNNING = [row for row in GRAPHS if row not in OTHER and row not in samples.MISTAKEN_RESULTS]
NAMED = [row for row in GRAPHS if "ret_typ='value'" not in row]  # see known differences
# What MXNet's functions write although it is the operator's default, and left out here.
SPELLED_OUT = {
    "_arange": {"dtype": "float32", "infer_range": "False", "repeat": "1", "step": "1.0",
                "stop": "None"},
    "_eye": {"M": "0", "dtype": "float32", "k": "0"},
    "_full": {"dtype": "float32"},
    "_linspace": {"dtype": "float32", "endpoint": "True"},
    "_ones": {"dtype": "float32"},
    "_zeros": {"dtype": "float32"},
    "diag": {"k": "0"},
}  # fmt: skip


def load(row: str) -> Any:  # noqa: ANN401 - a Symbol
    graph = {**GRAPHS[row][1], "attrs": {"mxnet_version": ["int", 10901]}}
    return mx.sym.load_json(json.dumps(graph))


def parts(answer: dict[str, Any]) -> list[dict[str, Any]]:
    return answer.get("parts") or [answer]


@pytest.mark.parametrize("row", RUNNING)
def test_graph_of_mxnet_computes_the_same(row: str) -> None:
    symbol = load(row)
    given = {
        name: mx.nd.array(value, dtype=value.dtype)
        for name, value in samples.data().items()
        if name in symbol.list_arguments()
    }
    results = symbol.eval(**given)
    expected = parts(ANSWERS[row]["result"])
    assert len(results) == len(expected)
    for result, answer in zip(results, expected, strict=True):
        values = RESULTS[answer["array"]]
        wide = 2e-3 if values.dtype == onp.float16 else 1e-5
        assert str(onp.dtype(result.dtype)) == answer["dtype"]
        onp.testing.assert_allclose(result.asnumpy(), values, rtol=wide, atol=wide)


@pytest.mark.parametrize("row", NAMED)
def test_outputs_have_mxnets_names(row: str) -> None:
    assert load(row).list_outputs() == GRAPHS[row][0]


def nodes(graph: dict[str, Any]) -> list[Any]:
    """Return operators, attributes and inputs, without what goes without saying."""
    found = []
    for node in graph["nodes"]:
        usual = SPELLED_OUT.get(node["op"], {})
        attrs = {
            key: number(value)
            for key, value in node.get("attrs", {}).items()
            if usual.get(key) != value
        }
        found.append([node["op"], attrs, node["inputs"]])
    return found


def number(text: str) -> object:
    try:
        return float(text)
    except ValueError:
        return text.replace("[", "(").replace("]", ")")


# Methods whose arguments MXNet's Symbols hand on, although its operators have no such ones.
UNWRITTEN = {"f.expand_dims(axis=0, inplace=True)", "g.reshape(-1)"}


@pytest.mark.parametrize("row", [row for row in GRAPHS if row not in UNWRITTEN])
def test_program_is_written_as_mxnet_writes_it(row: str) -> None:
    names = {name: mx.sym.var(name) for name in samples.data()}
    with mx.name.NameManager():
        symbol = eval(row, {"nd": mx.sym, **names})
        if isinstance(symbol, (list, tuple)):
            symbol = mx.sym.Group(symbol)
        found = json.loads(symbol.tojson())
    assert nodes(found) == nodes(GRAPHS[row][1])
