"""Graphs that are built to hurt: refused, or handled without recursion and without much time."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

import gluonish as mx
from gluonish.array.texts import literal
from gluonish.errors import FileFormatError, MXNetError, ShapeError, SymbolNameError

_LONG = 5_000  # nodes; recursion ends at 1,000


def graph(nodes: list[dict[str, Any]], head: int) -> str:
    return json.dumps({"nodes": nodes, "arg_nodes": [0], "heads": [[head, 0, 0]]})


def variable(name: str = "x") -> dict[str, Any]:
    return {"op": "null", "name": name, "inputs": []}


@pytest.fixture(scope="module")
def chain() -> mx.sym.Symbol:
    steps = range(_LONG)
    relus = [{"op": "relu", "name": f"n{step}", "inputs": [[step, 0, 0]]} for step in steps]
    return mx.sym.load_json(graph([variable(), *relus], _LONG))


def test_long_chain_is_looked_at(chain: mx.sym.Symbol) -> None:
    assert chain.list_arguments() == ["x"]
    assert chain.list_auxiliary_states() == []
    assert len(chain.get_internals().list_outputs()) == _LONG + 1
    assert len(chain.debug_str().splitlines()) > _LONG
    assert chain.infer_shape(x=(2, 3))[1] == [(2, 3)]
    assert len(chain.infer_type(x="float16")[1]) == 1


def test_long_chain_is_written_and_copied(chain: mx.sym.Symbol) -> None:
    assert chain.tojson().count('"op"') == _LONG + 1
    assert chain(x=mx.sym.var("y")).list_arguments() == ["y"]


def test_long_chain_is_bound_and_run(chain: mx.sym.Symbol) -> None:
    executor = chain.bind(mx.cpu(), {"x": mx.nd.ones((2,))}, {"x": mx.nd.zeros((2,))})
    assert executor.forward(is_train=True)[0].asnumpy().tolist() == [1, 1]
    executor.backward(mx.nd.ones((2,)))
    assert executor.grad_dict["x"].asnumpy().tolist() == [1, 1]


@pytest.mark.parametrize("depth", [21, 100, 10_000])
def test_graphs_inside_of_graphs_are_refused_when_they_are_too_deep(depth: int) -> None:
    inner = '{"nodes": [{"op": "null", "name": "x", "inputs": []}], "heads": [[0, 0, 0]]}'
    start = (
        '{"nodes": [{"op": "null", "name": "x", "inputs": []}, {"op": "_foreach", "name": "f", '
        '"inputs": [[0, 0, 0]], "attrs": {"num_out_data": "1", "in_data_locs": "[0]", '
        '"in_state_locs": "[]", "remain_locs": "[]"}, "subgraphs": ['
    )
    text = start * depth + inner + ']}], "heads": [[1, 0, 0]]}' * depth
    with pytest.raises(FileFormatError, match="deep"):
        mx.sym.load_json(text)


@pytest.mark.parametrize("opening", ["[", '{"a":', '{"nodes":[{"subgraphs":['])
def test_open_brackets_are_refused(opening: str) -> None:
    with pytest.raises(FileFormatError, match="nested too deeply"):
        mx.sym.load_json(opening * 100_000)


def test_repeated_key_is_found_quickly() -> None:
    keys = ", ".join(f'"key{number}": 0' for number in range(100_000))
    start = time.process_time()
    with pytest.raises(FileFormatError, match=r"the key 'key7' stands there twice"):
        mx.sym.load_json(f'{{{keys}, "key7": 1}}')
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    "text",
    [
        "((((((", "(" * 100_000, "[" * 1000 + "]" * 1000, "9**9**9", "__import__('os').mkdir('x')",
        "9" * 100_000, "(1,)" * 100_000, "1 if 1 else 2", "lambda: 0", "[x for x in (1,)]", "1e",
        "--1",
        "0x10", "'a' 'b'", "{}", "{1: 2}", "a.b", "()()", "\\", "1" + "_" * 100_000 + "x",
    ],
)  # fmt: skip
def test_text_of_an_argument_is_never_run(text: str) -> None:
    start = time.process_time()
    with pytest.raises(ValueError, match="."):
        literal(text)
    assert time.process_time() - start < 1


@pytest.mark.parametrize("text", ["((((((", "9**9**9", "(1000000000,)", "-3", "1e999", "nan"])
def test_hostile_argument_of_a_graph_is_refused(text: str) -> None:
    node = {"op": "FullyConnected", "name": "fc", "attrs": {"num_hidden": text}}
    nodes = [variable(), variable("w"), variable("b"), node | {"inputs": [[0, 0], [1, 0], [2, 0]]}]
    with pytest.raises(FileFormatError, match="num_hidden"):
        mx.sym.load_json(graph(nodes, 3))


@pytest.mark.parametrize("text", ["3", "(1, 2)", "True"])
def test_array_for_a_result_is_no_argument_of_a_graph(text: str) -> None:
    flip = {"op": "_npi_flip", "name": "f", "inputs": [[0, 0, 0]], "attrs": {"out": text}}
    with pytest.raises(FileFormatError, match="Cannot find argument 'out'"):
        mx.sym.load_json(graph([variable(), flip], 1))


@pytest.mark.parametrize("text", ['["zero"', '["eval", {}]', "[" * 2000, "9**9"])
def test_initializer_that_is_none_is_refused_when_it_is_needed(text: str) -> None:
    nodes = [variable(), variable("w") | {"attrs": {"__init__": text, "__shape__": "(2, 3)"}}]
    nodes.append({"op": "dot", "name": "d", "inputs": [[0, 0], [1, 0]]})
    module = mx.mod.Module(mx.sym.load_json(graph(nodes, 2)), ["x"], None)
    module.bind([("x", (4, 2))])
    with pytest.raises(MXNetError, match=r"init.create: .* was given|is not registered"):
        module.init_params()


def test_array_that_no_memory_holds_is_refused_when_it_is_bound() -> None:
    attrs = {"shape": "(1000000, 1000000, 1000)"}
    symbol = mx.sym.load_json(graph([{"op": "_zeros", "name": "z", "attrs": attrs}], 0))
    with pytest.raises(ShapeError, match=r"bind: output 0 of 'z' has shape \(1000000, .* memory"):
        symbol.bind(mx.cpu(), {})


def test_many_missing_arrays_are_counted() -> None:
    symbol = mx.sym.Group([mx.sym.var(f"x{number}") for number in range(5000)])
    with pytest.raises(SymbolNameError, match=r"`x9`, `... 4990 more` is missing in `args`"):
        symbol.bind(mx.cpu(), {})


def test_many_names_that_occur_twice_are_found_quickly() -> None:
    symbol = mx.sym.Group([mx.sym.var(f"x{number // 2}") for number in range(20_000)])
    start = time.process_time()
    with pytest.raises(SymbolNameError, match=r'duplicated argument name "x0, x1, x10, .* more"'):
        symbol.bind(mx.cpu(), {})
    assert time.process_time() - start < 2


def test_many_variables_without_dtypes_are_bound_quickly() -> None:
    names = [f"x{number}" for number in range(1000)]
    symbol = mx.sym.Group([mx.sym.exp(mx.sym.var(name)) for name in names])
    start = time.process_time()
    executor = symbol.simple_bind(mx.cpu(), grad_req="null", **dict.fromkeys(names, (2,)))
    assert time.process_time() - start < 2
    assert len(executor.outputs) == 1000
