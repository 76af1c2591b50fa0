from __future__ import annotations

import contextlib
import copy
import json
import pickle
import time
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

import gluonish as mx
from gluonish.array.texts import literal
from gluonish.errors import (
    FileFormatError,
    MissingFileError,
    MXNetError,
    SymbolTypeError,
    UnknownOperatorError,
)
from gluonish.symbol.reading import from_json

MODELS = Path(__file__).parents[1] / "golden" / "mxnet" / "models"


@pytest.fixture(autouse=True)
def fresh_names():
    with mx.name.NameManager():
        yield


def graph(*nodes, heads=((0, 0, 0),), **more):
    """Return a file's text: nodes are (op, name, attrs, inputs)."""
    return json.dumps(
        {
            "nodes": [
                {"op": op, "name": name, "attrs": attrs, "inputs": inputs}
                for op, name, attrs, inputs in nodes
            ],
            "heads": heads,
            "attrs": {"mxnet_version": ["int", 10901]},
            **more,
        }
    )


X = ("null", "x", {}, [])


def without_versions(text):
    found = json.loads(text)
    for node in found["nodes"]:
        node["inputs"] = [entry[:2] for entry in node["inputs"]]
    return found


@pytest.mark.parametrize(
    "path", sorted(MODELS.glob("*/net-symbol.json")), ids=lambda p: p.parent.name
)
def test_files_of_mxnet_are_read_and_written_again(path):
    text = path.read_text()
    net = mx.sym.load(path)
    with mx.np_shape("is_np_shape" in text):
        written = net.tojson()
    assert without_versions(written) == without_versions(text)
    assert len(written) == len(text)


def test_layout_is_mxnets_to_the_letter():
    x = mx.sym.var("x")
    net = mx.sym.FullyConnected(x, num_hidden=2, no_bias=True, name="fc")
    assert mx.sym.Group([net, x]).tojson() == (
        '{\n  "nodes": [\n    {\n      "op": "null", \n      "name": "x", \n      "inputs": []\n'
        '    }, \n    {\n      "op": "null", \n      "name": "fc_weight", \n      "attrs": {\n'
        '        "no_bias": "True", \n        "num_hidden": "2"\n      }, \n      "inputs": []\n'
        '    }, \n    {\n      "op": "FullyConnected", \n      "name": "fc", \n      "attrs": {\n'
        '        "no_bias": "True", \n        "num_hidden": "2"\n      }, \n'
        '      "inputs": [[0, 0, 0], [1, 0, 0]]\n    }\n  ], \n  "arg_nodes": [0, 1], \n'
        '  "node_row_ptr": [0, 1, 2, 3], \n  "heads": [[2, 0, 0], [0, 0, 0]], \n'
        '  "attrs": {"mxnet_version": ["int", 10901]}\n}'
    )


def test_names_are_escaped_as_mxnet_escapes_them():
    name = 'é"\n\\\t/'
    text = mx.sym.var(name).tojson()
    assert '"name": "é\\"\\n\\\\\\t/"' in text
    assert mx.sym.load_json(text).name == name


def test_long_lists_take_a_line_for_each_number():
    x = mx.sym.var("x")
    text = mx.sym.Group([x] * 11).tojson()
    assert '"heads": [\n    [0, 0, 0], \n    [0, 0, 0]' in text


def test_operators_mark_the_variables_that_they_update():
    mean, var = mx.sym.var("m"), mx.sym.var("v")
    net = mx.sym.var("x")
    for name in ("b1", "b2"):
        net = mx.sym.BatchNorm(net, moving_mean=mean, moving_var=var, name=name)
    nodes = {node["name"]: node for node in json.loads(net.tojson())["nodes"]}
    assert [entry[2] for entry in nodes["b1"]["inputs"]] == [0, 0, 0, 1, 1]
    assert [entry[2] for entry in nodes["b2"]["inputs"]] == [0, 0, 0, 2, 2]


def test_casts_of_mixed_precision_are_left_out_unless_asked_for():
    cast = mx.sym.amp_cast(mx.sym.var("x"), dtype="float16")
    net = mx.sym.exp(cast)
    assert [node["op"] for node in json.loads(net.tojson())["nodes"]] == ["null", "exp"]
    kept = json.loads(net.tojson(remove_amp_cast=False))["nodes"]
    assert [node["op"] for node in kept] == ["null", "amp_cast", "exp"]


def test_saved_symbols_are_loaded(tmp_path):
    net = mx.sym.FullyConnected(mx.sym.var("x"), num_hidden=2, name="fc", attr={"__a__": "b"})
    path = tmp_path / "net-symbol.json"
    net.save(path)
    loaded = mx.sym.load(str(path))
    assert loaded.attr_dict() == net.attr_dict()
    assert path.read_bytes() == net.tojson().encode()
    with pytest.raises(MissingFileError):
        mx.sym.load(tmp_path / "nowhere.json")
    with pytest.raises(SymbolTypeError, match="fromjson required string"):
        mx.sym.load_json(b"{}")


def test_pickles_and_copies_are_the_same():
    x = mx.sym.var("x").as_np_ndarray()
    for net in (x + 1, mx.sym.exp(mx.sym.var("y", shape=(2, 3)))):
        other = pickle.loads(pickle.dumps(net))
        assert type(other) is type(net)
        assert other.tojson() == net.tojson() == copy.deepcopy(net).tojson()


# --- older files --------------------------------------------------------------------------


def test_every_spelling_of_attributes_is_read():
    node = {"op": "FullyConnected", "name": "f", "inputs": [[0, 0], [1, 0]]}
    node |= {"param": {"num_hidden": "2"}, "attr": {"no_bias": "True"}, "attrs": {"__a__": "b"}}
    variables = [{"op": "null", "name": name, "inputs": []} for name in "xw"]
    text = json.dumps({"nodes": [*variables, node], "heads": [[2, 0]]})
    found = mx.sym.load_json(text)
    assert found.list_attr() == {"num_hidden": "2", "no_bias": "True", "__a__": "b"}
    assert found.infer_shape(x=(3, 4))[1] == [(3, 2)]


def test_old_files_get_the_states_that_they_leave_out():
    node = ("BatchNorm", "bn", {"fix_gamma": "True"}, [[0, 0], [1, 0], [2, 0]])
    variables = [("null", name, {}, []) for name in ("x", "bn_gamma", "bn_beta")]
    old = graph(*variables, node, heads=[[3, 0]], attrs={"mxnet_version": ["int", 800]})
    net = mx.sym.load_json(old)
    assert net.list_auxiliary_states() == ["bn_moving_mean", "bn_moving_var"]
    assert net.attr_dict()["bn_moving_var"] == {"fix_gamma": "True", "__init__": '["one", {}]'}
    with pytest.raises(FileFormatError, match="'bn' .*3 inputs, not 5"):
        mx.sym.load_json(graph(*variables, node, heads=[[3, 0]]))


def test_old_hidden_attributes_move_where_they_belong():
    weight = ("null", "w", {}, [])
    attrs = {"num_hidden": "2", "no_bias": "1", "lr_mult": "0.1", "weight_wd_mult": "0.5"}
    node = ("FullyConnected", "f", attrs, [[0, 0], [1, 0]])
    found = mx.sym.load_json(graph(X, weight, node, heads=[[2, 0]])).attr_dict()
    assert found["w"]["__wd_mult__"] == "0.5"
    assert found["f"]["__lr_mult__"] == "0.1"
    assert "weight_wd_mult" not in found["f"]


def test_the_old_axis_for_all_is_dropped():
    node = ("argmax", "a", {"axis": "-1"}, [[0, 0]])
    old = graph(X, node, heads=[[1, 0]], attrs={"mxnet_version": ["int", 904]})
    assert mx.sym.load_json(old).list_attr() == {}
    assert mx.sym.load_json(graph(X, node, heads=[[1, 0]])).list_attr() == {"axis": "-1"}


def test_nodes_may_stand_in_any_order():
    net = mx.sym.load_json(graph(("exp", "e", {}, [[1, 0, 0]]), X))
    assert net.list_outputs() == ["e_output"]


def test_aliases_and_absent_arguments_are_understood():
    net = mx.sym.load_json(graph(X, ("_Plus", "p", {}, [[0, 0], [0, 0]]), heads=[[1, 0]]))
    assert json.loads(net.tojson())["nodes"][1]["op"] == "elemwise_add"
    norm = mx.sym.load_json(graph(X, ("_npi_zeros", "z", {}, []), heads=[[1, 0]]))
    assert norm.infer_shape_partial()[1] == [()]


# --- bad files ----------------------------------------------------------------------------

FC = {"num_hidden": "2", "no_bias": "True"}
BAD = {
    "": "no JSON",
    "{": "no JSON",
    "[]": "holds a list",
    "{}": "no list of nodes",
    '{"nodes": [], "heads": []}': "no nodes",
    '{"nodes": [1], "heads": [[0, 0]]}': "node 0 is a int",
    '{"nodes": [{}], "heads": [[0, 0]]}': "no text as op",
    '{"nodes": [{"op": "null", "name": "x", "name": "y"}], "heads": [[0, 0]]}': "'name' stands",
    '{"nodes": [{"op": "null", "name": "x"}], "heads": [[NaN, 0]]}': "NaN is no number",
    "[" * 100_000: "nested too deeply",
    graph(X) + "x": "Extra data",
    graph(X, heads=[[1, 0, 0]]): "heads name node 1, of 1",
    graph(X, heads=[[-1, 0, 0]]): "heads name node -1",
    graph(X, heads=[[0, 1, 0]]): "output 1 of 'x'",
    graph(X, heads=[[0, -1, 0]]): "output -1 of 'x'",
    graph(X, heads=[[True, 0, 0]]): "no pair or triple",
    graph(X, heads=[[0]]): "no pair or triple",
    graph(X, heads=[[0, 0, 0, 0]]): "no pair or triple",
    graph(X, heads="00"): "no list of heads",
    graph(X, arg_nodes=[5]): "arg_nodes",
    graph(X, arg_nodes="a"): "arg_nodes",
    graph(("null", "x", {"a": 1}, [])): "attrs that are no texts",
    graph(("null", "x", [], [])): "attrs that are no texts",
    graph(("null", "x", {}, [[0, 0, 0]])): "variable 'x' has inputs",
    graph(X, ("exp", "e", {}, [[2, 0]])): "has node 2 as input",
    graph(X, ("exp", "e", {}, [[10**30, 0]])): "has node 1000",
    graph(X, ("exp", "e", {}, "abc")): "is no list",
    graph(X, ("exp", "e", {}, [[1, 0]])): "need themselves as inputs: e",
    graph(("exp", "e", {}, [[1, 0]]), ("exp", "f", {}, [[0, 0]])): "themselves as inputs: e, f",
    graph(X, ("exp", "e", {}, [[0, 0], [0, 0]])): "2 inputs, not 1",
    graph(X, ("exp", "e", {}, [])): "0 inputs, not 1",
    graph(X, ("sum", "e", {"foo": "1"}, [[0, 0]])): "Cannot find argument 'foo'",
    graph(X, ("split", "s", {}, [[0, 0]])): "num_outputs is missing",
    graph(X, ("split", "s", {"num_outputs": "0"}, [[0, 0]])): "out of range",
    graph(X, ("split", "s", {"num_outputs": "9" * 20}, [[0, 0]])): "num_outputs",
    graph(X, ("split", "s", {"num_outputs": "8abc"}, [[0, 0]])): "'8abc' was given",
    graph(X, X, ("FullyConnected", "f", FC | {"num_hidden": "-1"}, [[0, 0], [1, 0]])): "of range",
    graph(X, X, ("FullyConnected", "f", FC | {"flatten": "maybe"}, [[0, 0], [1, 0]])): "'maybe'",
    graph(X, ("transpose", "t", {"axes": "__import__('os')"}, [[0, 0]])): "axes=",
    graph(X, ("transpose", "t", {"axes": "(" * 50}, [[0, 0]])): "axes=",
    graph(X, ("clip", "c", {"a_min": "0", "a_max": "1;2"}, [[0, 0]])): "a_max=",
    graph(X, ("split", "s", {"num_outputs": "2147483647"}, [[0, 0]])): "2147483647 outputs",
    graph(X, ("Cast", "c", {"dtype": "(1,"}, [[0, 0]])): "dtype='(1,'",
    graph(("_npi_uniform", "u", {"low": "relu"}, [])): "low='relu' is no number",
    graph(X, ("Custom", "c", {"op_type": "nobody"}, [[0, 0]])): "custom operator nobody",
}  # fmt: skip


@pytest.mark.parametrize("text", BAD, ids=lambda text: text[:40])
def test_bad_files_are_refused(text):
    start = time.process_time()
    with pytest.raises(MXNetError) as caught:
        mx.sym.load_json(text)
    assert isinstance(caught.value, (FileFormatError, UnknownOperatorError))
    assert BAD[text] in str(caught.value)
    assert time.process_time() - start < 2


def test_all_unknown_operators_are_named_at_once():
    nodes = [X, *[(f"Nope{i}", f"n{i}", {}, [[0, 0]]) for i in range(12)]]
    with pytest.raises(UnknownOperatorError, match="Nope0, Nope1, Nope10, .*2 more"):
        mx.sym.load_json(graph(*nodes, heads=[[1, 0]]))


def test_unknown_operators_are_counted_and_the_nearest_are_named():
    names = ["FullyConected", "FullyConected", "zzz"]
    nodes = [X, *[(name, f"n{i}", {}, [[0, 0]]) for i, name in enumerate(names)]]
    message = r"operators FullyConected \(2 times, nearest is FullyConnected\), zzz are not known"
    with pytest.raises(UnknownOperatorError, match=message):
        mx.sym.load_json(graph(*nodes, heads=[[1, 0]]))


def test_several_problems_are_told_together():
    attrs = {"num_hidden": "x", "foo": "1"}
    text = graph(X, X, ("FullyConnected", "f", attrs, [[0, 0], [1, 0]]), heads=[[2, 0]])
    with pytest.raises(FileFormatError, match="'foo'") as caught:
        mx.sym.load_json(text)
    assert "num_hidden='x'" in str(caught.value)


def test_long_chains_are_read_and_written():
    nodes = [X, *[("exp", f"e{i}", {}, [[i, 0, 0]]) for i in range(20_000)]]
    net = mx.sym.load_json(graph(*nodes, heads=[[20_000, 0, 0]]))
    assert len(net.get_internals()) == 20_001
    assert len(json.loads(net.tojson())["nodes"]) == 20_001


@given(st.integers(0, 10**9), st.integers(0, 255))
@settings(max_examples=300, deadline=None)
def test_damaged_files_raise_the_errors_that_are_documented(place, byte):
    data = bytearray(DAMAGED)
    data[place % len(data)] = byte
    with contextlib.suppress(FileFormatError, UnknownOperatorError):
        from_json(bytes(data))


_x = mx.sym.var("x")
DAMAGED = (
    mx.sym.Group(
        [
            mx.sym.Convolution(_x, kernel=(3, 3), num_filter=2, name="c"),
            mx.sym.split(mx.sym.BatchNorm(_x, name="b"), num_outputs=2),
            mx.sym.Concat(_x, _x, dim=0) + 1.5,
        ]
    )
    .tojson()
    .encode()
)


def test_text_is_parsed_and_never_run():
    good = {
        "(1, 2)": (1, 2), "[1,1]": (1, 1), "(3,)": (3,), "()": (), "3": 3, "(3L, 3L)": (3, 3),
        "None": None, "True": True, "1e-05": 1e-05, "0.899999976158142": 0.899999976158142,
        "-3": -3, "(None, 1)": (None, 1), "((1, 2), (3, 4))": ((1, 2), (3, 4)), " 7 ": 7,
        "inf": float("inf"), "'a'": "a",
    }  # fmt: skip
    for text, value in good.items():
        assert literal(text) == value
    for text in (
        "",
        "(",
        "1 2",
        "f(1)",
        "1+1",
        "a.b",
        "[1",
        "1)",
        "(,)",
        "{1}",
        "9" * 30,
        "lambda",
    ):
        with pytest.raises(ValueError):  # noqa: PT011 - the caller says what is wrong
            literal(text)


@pytest.mark.parametrize("name", ["_npi_argmax", "_npi_argmin"])
def test_positions_of_extremes_keep_axes_where_files_say_so(name: str) -> None:
    symbol = getattr(mx.sym.np, name.removeprefix("_npi_"))(mx.sym.var("x").as_np_ndarray(), axis=1)
    text = symbol.tojson().replace('"keepdims": "False"', '"keepdims": "True"')
    assert mx.sym.load_json(text).infer_shape(x=(2, 3))[1] == [(2, 1)]


@pytest.mark.parametrize("name", ["zeros", "random_uniform", "random.normal"])
def test_where_an_array_is_made_stands_in_files(name: str) -> None:
    function = mx.sym
    for part in name.split("."):
        function = getattr(function, part)
    symbol = function(shape=(2,), ctx=mx.cpu(0))
    assert '"ctx": "cpu(0)"' in symbol.tojson()
    assert mx.sym.load_json(symbol.tojson()).eval(ctx=mx.cpu())[0].shape == (2,)


def test_zeros_in_shapes_of_older_files_are_unknown_to_numpy_shapes() -> None:
    open_shape = mx.sym.var("weight", shape=(4, 0))
    net = mx.sym.FullyConnected(mx.sym.var("data"), open_shape, num_hidden=4, name="fc")
    text = (net + mx.sym.var("z", shape=())).tojson()
    with mx.np_shape():
        again = mx.sym.load_json(text)
        assert again.infer_shape(data=(2, 3))[0] == [(2, 3), (4, 3), (4,), (2, 4)]
        empty = mx.sym.load_json(mx.sym.var("x", shape=(2, 0)).tojson())
        assert empty.infer_shape() == ([(2, 0)], [(2, 0)], [])


def test_an_operator_alone_has_its_outputs_and_no_inputs() -> None:
    inputs = [mx.sym.var(name) for name in ("data", "param", "h", "c")]
    layer = mx.sym.RNN(*inputs, state_size=2, num_layers=1, state_outputs=True, mode="lstm")
    alone = layer._gen_atomic_symbol()
    assert alone.list_outputs() == ["output", "state_output", "statecell_output"]
    assert alone.list_arguments() == []
    assert alone.list_attr()["state_size"] == "2"
    with pytest.raises(SymbolTypeError, match="the variable 'data' was given. Expected the res"):
        inputs[0]._gen_atomic_symbol()
