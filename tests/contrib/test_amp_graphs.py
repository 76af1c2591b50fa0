"""Graphs and Blocks in mixed precision, beside the real MXNet 1.9.1."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as onp
import pytest
from torch import Tensor  # noqa: TC002 - the table reads annotations

import gluonish as mx
from gluonish import autograd, gluon, nd, sym
from gluonish.contrib import amp
from gluonish.errors import ExportError
from gluonish.gluon import nn
from gluonish.ops.table import Op, Precision
from gluonish.symbol.graph import Entry, Node, order
from gluonish.symbol.running import evaluate

GOLDEN = json.loads((Path(__file__).parent.parent / "golden" / "amp_graphs.json").read_text())


def told(symbol):
    """Return what a graph consists of, as `golden/make_amp_graphs.py` tells it."""

    def source(entry):
        node = entry.node
        if node.path == "amp_cast":
            return f"{source(node.inputs[0])} as {node.params['dtype']}"
        if node.path == "amp_multicast":
            return f"{source(node.inputs[entry.position])} as widest"
        return node.name

    nodes = order(symbol.entries)
    found = {
        node.name: [node.file_name, [source(entry) for entry in node.inputs]]
        for node in nodes
        if not node.is_variable and not node.path.startswith("amp_")
    }
    dtypes = {
        node.name: int(node.attrs["__dtype__"])
        for node in nodes
        if node.is_variable and int(node.attrs.get("__dtype__", 0))
    }
    return {"nodes": found, "dtypes": dtypes, "heads": [source(one) for one in symbol.entries]}


def graph(name):
    names = {"sym": sym}
    exec(GOLDEN["graphs"][name], names)
    return names["y"]


def without_numbers(value):
    return json.loads(re.sub(r"_plus\d+", "_plus", json.dumps(value)))


@pytest.mark.parametrize(("name", "options", "golden"), GOLDEN["rows"])
def test_graphs_are_mxnets(name, options, golden):
    assert without_numbers(told(amp.convert_symbol(graph(name), **options))) == without_numbers(
        golden
    )


def test_the_graph_stays_as_it_is():
    before = graph("net")
    amp.convert_symbol(before)
    assert told(before)["nodes"]["conv"][1] == ["data", "conv_weight", "conv_bias"]
    assert amp.convert_symbol(before).list_arguments() == before.list_arguments()


def test_a_converted_graph_computes_in_low_precision():
    y = sym.FullyConnected(sym.var("x"), num_hidden=1, no_bias=True, name="fc")
    values = {"x": nd.array([[1, 1e-4]]), "fc_weight": nd.ones((1, 2))}
    for kind, expected in (("float16", 1.0), ("bfloat16", 1.0)):
        (found,) = evaluate(amp.convert_symbol(y, kind).entries, values)
        assert found.dtype is onp.float32
        assert found.asscalar() == expected
    assert evaluate(y.entries, values)[0].asscalar() > 1


def test_optional_parameters_are_cast():
    args = {name: nd.ones((1,)) for name in graph("net").list_arguments() if name != "data"}
    aux = {name: nd.ones((1,)) for name in graph("net").list_auxiliary_states()}
    low = {"conv_weight", "conv_bias", "fc_weight", "fc_bias"}
    for casts in (False, True):
        found, arguments, states = amp.convert_model(
            graph("net"), args, aux, cast_optional_params=casts
        )
        assert found.list_arguments() == graph("net").list_arguments()
        assert {n for n, a in arguments.items() if a.dtype is onp.float16} == (
            low if casts else set()
        )
        assert {array.dtype for array in states.values()} == {onp.float32}
        assert arguments["b"] is not args["b"]


def small():
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, 3, in_channels=1), nn.BatchNorm(in_channels=4), nn.Activation("relu"))
    net.add(nn.Dense(3, in_units=16))
    net.initialize(mx.init.Xavier())
    net.hybridize()
    return net


@pytest.mark.parametrize("kind", ["float16", "bfloat16"])
@pytest.mark.parametrize("casts", [False, True])
def test_a_converted_block_computes_nearly_the_same(kind, casts):
    net = small()
    x = nd.random.normal(shape=(2, 1, 4, 4))
    expected = net(x)
    converted = amp.convert_hybrid_block(net, kind, cast_optional_params=casts)
    found = converted(x)
    assert found.dtype is onp.float32
    difference = abs(found - expected).max().asscalar()
    assert 0 < difference < 0.05
    params, own = net.collect_params(), converted.collect_params()
    assert {*params} == {*own}
    halves = {name for name in own if own[name].data().dtype is not onp.float32}
    assert halves == ({n for n in own if "conv" in n or "dense" in n} if casts else set())
    converted.hybridize()
    for _ in range(2):
        onp.testing.assert_array_equal(converted(x).asnumpy(), found.asnumpy())
    onp.testing.assert_array_equal(net(x).asnumpy(), expected.asnumpy())


def test_a_converted_block_trains_its_own_parameters():
    net = small()
    x = nd.random.normal(shape=(2, 1, 4, 4))
    net(x)
    converted = amp.convert_hybrid_block(net)
    trainer = gluon.Trainer(converted.collect_params(), "sgd", {"learning_rate": 0.1})
    name = net[3].weight.name
    before = net[3].weight.data().asnumpy()
    with autograd.record():
        loss = converted(x).square().sum()
    loss.backward()
    trainer.step(1)
    assert (net[3].weight.data().asnumpy() == before).all()
    assert abs(converted.collect_params()[name].data().asnumpy() - before).max() > 0


def test_an_operator_of_ours_is_cast_as_the_one_that_it_stands_for():
    def twice(data: Tensor) -> Tensor:
        return 2 * data

    like = Precision(like="FullyConnected")
    op = Op(twice, ("twice",), files={("nd", "twice"): "twice"}, precision=like)
    node = Node(op, "t", path="twice", inputs=[sym.var("x").entries[0]], names=["data"])
    converted = amp.convert_symbol(sym.Symbol([Entry(node, 0)]))
    assert told(converted)["nodes"] == {"t": ["twice", ["x as float16"]]}


def test_nodes_are_left_out_by_name():
    net = small()
    x = nd.random.normal(shape=(2, 1, 4, 4))
    expected = net(x)
    names = [f"{net[0].prefix}fwd", f"{net[3].prefix}fwd"]
    converted = amp.convert_hybrid_block(net, excluded_sym_names=names)
    assert abs(converted(x) - expected).max().asscalar() < 1e-6


def test_a_converted_block_moves():
    net = small()
    net(nd.ones((2, 1, 4, 4)))
    converted = amp.convert_hybrid_block(net, ctx=mx.cpu(1))
    assert converted(nd.ones((2, 1, 4, 4), ctx=mx.cpu(1))).context == mx.cpu(1)


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: amp.convert_symbol(3), TypeError, "First argument to convert_symbol should be Sy"),
        (lambda: amp.convert_symbol(graph("net"), "int8"), AssertionError, "only float16 or bfl"),
        (
            lambda: amp.convert_symbol(graph("net"), target_dtype_ops=["exp"], fp32_ops=["exp"]),
            AssertionError,
            "exp are in target_dtype_ops and in fp32_ops",
        ),
        (
            lambda: amp.convert_symbol(graph("net"), target_dtype_ops=["nope"]),
            AttributeError,
            "operators nope were given",
        ),
        (
            lambda: amp.convert_symbol(graph("net"), excluded_sym_names="f"),
            AssertionError,
            "excluded_sym_names should be a list of strs",
        ),
        (
            lambda: amp.convert_symbol(graph("net"), data_names=["nope"]),
            ValueError,
            "data_names nope were given",
        ),
        (
            lambda: amp.convert_hybrid_block(nn.Sequential()),
            AssertionError,
            "block input should be a HybridBlock",
        ),
        (
            lambda: amp.convert_hybrid_block(nn.Dense(1, in_units=1)),
            ExportError,
            r"Please first call block\.hybridize\(\) and then run forward",
        ),
    ],
)
def test_what_can_not_be_converted_is_refused(call, kind, message):
    with pytest.raises(kind, match=message):
        call()


def test_a_converted_block_takes_as_many_arrays():
    net = small()
    x = nd.ones((2, 1, 4, 4))
    net(x)
    with pytest.raises(ValueError, match="2 arrays were given. Expected 1, for the inputs"):
        amp.convert_hybrid_block(net)(x, x)
