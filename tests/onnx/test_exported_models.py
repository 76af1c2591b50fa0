"""mx.onnx: models of graphs and parameters, by MXNet's names."""

from __future__ import annotations

import sys

import numpy as onp
import pytest

import gluonish as mx
from gluonish.errors import InvalidArgumentError, MissingExtraError

pytest.importorskip("onnxscript")


@pytest.fixture(scope="module")
def net():
    net = mx.gluon.nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(mx.gluon.nn.Conv2D(2, 3), mx.gluon.nn.BatchNorm(), mx.gluon.nn.Dense(3))
    net.initialize(mx.init.Xavier())
    net.hybridize()
    net(mx.nd.ones((2, 1, 5, 5)))
    return net


def computed(file, data):
    session = pytest.importorskip("onnxruntime").InferenceSession(file)
    return session.run(None, {session.get_inputs()[0].name: data})[0]


def test_files_become_a_model_for_any_batch(net, tmp_path, caplog):
    files = net.export(tmp_path / "net")
    file = mx.onnx.export_model(
        *files,
        [(2, 1, 5, 5)],
        onnx_file_path=tmp_path / "net.onnx",
        dynamic=True,
        dynamic_input_shapes=[(None, 1, 5, 5)],
        run_shape_inference=True,
        verbose=True,
    )
    data = onp.random.RandomState(0).rand(4, 1, 5, 5).astype("float32")
    expected = net(mx.nd.array(data)).asnumpy()
    onp.testing.assert_allclose(computed(file, data), expected, rtol=1e-4, atol=1e-6)
    found = mx.onnx.get_model_metadata(file)
    assert found["input_tensor_data"] == [("data", (0, 1, 5, 5))]
    assert [shape for _, shape in found["output_tensor_data"]] == [(0, 3)]
    assert "outputs equal" in caplog.text


@pytest.mark.parametrize("joined", [True, False])
def test_symbols_and_arrays_become_a_model(net, joined, tmp_path):
    net.export(tmp_path / "net")
    symbol, arg, aux = mx.model.load_checkpoint(str(tmp_path / "net"), 0)
    symbol = mx.sym.SoftmaxOutput(symbol, name="softmax")
    params = {**arg, **aux} if joined else [arg, aux]
    file = mx.contrib.onnx.export_model(
        symbol, params, input_shape=[(2, 1, 5, 5)], onnx_file_path=str(tmp_path / "net.onnx")
    )
    data = onp.random.RandomState(0).rand(2, 1, 5, 5).astype("float32")
    expected = mx.nd.softmax(net(mx.nd.array(data))).asnumpy()
    onp.testing.assert_allclose(computed(file, data), expected, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"in_shapes": []}, r"0 shapes\. Expected one for each of the inputs, in their order"),
        (
            {"in_shapes": None},
            r"input 'data' \(\?,1,\?,\?\) is not known.*one of in_shapes of onnx\.export_model",
        ),
        ({"in_shapes": [(2, 1, 5, 5), (2,)]}, "2 shapes"),
        ({"in_types": "int32"}, r"in_types=\['int32'\] was given"),
        ({"in_types": ["float32", "float16"]}, r"\['float16', 'float32'\] was given"),
        ({"dynamic_input_shapes": [(None, 1, 5, 5)]}, "dynamic=False"),
        ({"dynamic": True, "dynamic_input_shapes": [(None, 1, None, 5)]}, "first length alone"),
    ],
)
def test_what_a_model_cannot_be_is_refused(net, options, text, tmp_path):
    files = net.export(tmp_path / "net")
    options = {"in_shapes": [(2, 1, 5, 5)], "onnx_file_path": tmp_path / "net.onnx", **options}
    with pytest.raises(InvalidArgumentError, match=text):
        mx.onnx.export_model(*files, **options)
    assert not (tmp_path / "net.onnx").exists()


def test_metadata_need_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'gluonish\[onnx\]'"):
        mx.onnx.get_model_metadata("net.onnx")


@pytest.mark.parametrize(
    "build",
    [
        lambda x: mx.sym.topk(x, axis=1, k=3),
        lambda x: mx.sym.topk(x, axis=0, k=2, ret_typ="both", is_ascend=True),
        lambda x: mx.sym.argsort(x, axis=-1, is_ascend=False),
        lambda x: mx.sym.sort(x, axis=0),
    ],
)
def test_order_is_exported_with_the_first_of_equals_first(build, tmp_path):
    symbol = build(mx.sym.var("x"))
    data = onp.array([[3, 1, 3, 2], [2, 2, 1, 1], [5, 0, 5, 5]], "float32")
    path = str(tmp_path / "order.onnx")
    mx.onnx.export_model(symbol, {}, [data.shape], onnx_file_path=path)
    session = pytest.importorskip("onnxruntime").InferenceSession(path)
    outputs = session.run(None, {"x": data})
    expected = symbol.bind(mx.cpu(), {"x": mx.nd.array(data)}).forward()
    for ours, theirs in zip(outputs, expected, strict=True):
        assert onp.array_equal(ours, theirs.asnumpy())


def test_operators_that_are_written_are_told():
    found = mx.onnx.get_operator_support(13)
    assert found == sorted(set(found)) == mx.onnx.get_operator_support()
    assert {"Convolution", "ROIPooling", "_contrib_ROIAlign", "take"} <= set(found)
    assert mx.onnx.get_operator_support(11) == []


def test_parameters_and_outputs_have_the_graphs_names(tmp_path):
    onnx = pytest.importorskip("onnx")
    net = mx.gluon.nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(mx.gluon.nn.Conv2D(2, 3, activation="relu"), mx.gluon.nn.Dense(3))
    net.initialize()
    net(mx.nd.ones((1, 3, 4, 4)))
    for bias in net.collect_params(".*bias").values():
        bias.set_data(mx.nd.ones(bias.shape))
    parts = mx.sym.split(net(mx.sym.var("data")), 3, name="parts")
    params = {name: param.data() for name, param in net.collect_params().items()}
    both = mx.sym.Group([mx.sym.relu(parts[0], name="first"), parts[1], parts[2]])
    target = tmp_path / "net.onnx"
    model = onnx.load(mx.onnx.export_model(both, params, [(1, 3, 4, 4)], onnx_file_path=target))
    assert params.keys() <= {each.name for each in model.graph.initializer}
    assert [each.name for each in model.graph.output] == ["first", "parts1", "parts2"]


def test_a_symbol_blocks_inputs_keep_their_names(tmp_path):
    left, right, weight = (mx.sym.Variable(name) for name in ("left", "right", "w"))
    dense = mx.sym.FullyConnected(left, weight, no_bias=True, num_hidden=4)
    net = mx.gluon.SymbolBlock(mx.sym.broadcast_sub(dense, right, name="sum"), [right, left])
    net.initialize()
    data = onp.random.RandomState(0).rand(2, 3).astype("float32")
    ones = onp.ones((2, 1), "float32")
    expected = net(mx.nd.array(ones), mx.nd.array(data)).asnumpy()
    files = net.export(tmp_path / "net")
    assert mx.sym.load(files[0]).list_inputs() == ["left", "w", "right"]
    file = mx.onnx.export_model(*files, [(2, 3), (2, 1)], onnx_file_path=tmp_path / "net.onnx")
    session = pytest.importorskip("onnxruntime").InferenceSession(file)
    assert [each.name for each in session.get_inputs()] == ["left", "right"]
    (found,) = session.run(["sum"], {"left": data, "right": ones})
    onp.testing.assert_allclose(found, expected, rtol=1e-5)
    again = mx.gluon.SymbolBlock.imports(files[0], ["right", "left"], files[1])
    assert mx.sym.load(again.export(tmp_path / "again")[0]).list_inputs() == ["left", "w", "right"]


def test_shapes_that_follow_from_the_parameters_need_not_be_given(tmp_path):
    net = mx.gluon.nn.Dense(3, in_units=5)
    net.initialize()
    file = mx.onnx.export_model(*net.export(tmp_path / "net"), onnx_file_path=tmp_path / "net.onnx")
    assert mx.onnx.get_model_metadata(file)["input_tensor_data"] == [("data", (1, 5))]
