from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as onp
import pytest
import torch

import gluonish as mx
from gluonish import serialization
from gluonish.conversion import convert, exporting, verifying
from gluonish.errors import (
    ConversionError,
    InvalidArgumentError,
    MissingExtraError,
    UnknownOperatorError,
)

MODELS = Path(__file__).parent.parent / "golden" / "mxnet" / "models"


def converted(name, to, folder, shape=None, **options):
    """A golden model in another form, and its golden input and output."""
    shapes = None if shape is None else {"data": shape}
    path = MODELS / name / "net"
    (done,) = convert(path, to, folder / f"{name}.{to}", input_shapes=shapes, **options)
    io = onp.load(MODELS / name / "io.npz")
    return done, io["input"], io["output"]


@pytest.mark.parametrize(
    ("name", "shape"), [("lenet", (1, 1, 28, 28)), ("resnet_np", (1, 3, 16, 16)), ("lstm", (1, 7))]
)
def test_programs_for_any_batch_compute_what_mxnet_did(name, shape, tmp_path):
    done, data, expected = converted(name, "pt2", tmp_path, shape, dynamic_batch=True)
    assert done.checks.startswith("outputs equal")
    assert done.checks.endswith(" for batches of 2 and 3, by torch.export.load")
    module = torch.export.load(done.outputs[0]).module()
    for batch in (1, len(data)):
        found = module(torch.from_numpy(data[:batch]))
        onp.testing.assert_allclose(found.detach().numpy(), expected[:batch], atol=1e-5)


@pytest.mark.parametrize(("name", "shape"), [("lenet", (1, 1, 28, 28)), ("mlp", None)])
def test_onnx_models_for_any_batch_compute_what_mxnet_did(name, shape, tmp_path):
    onnxruntime = pytest.importorskip("onnxruntime")
    done, data, expected = converted(name, "onnx", tmp_path, shape, dynamic_batch=True)
    assert done.checks.endswith("by onnx.checker and onnxruntime")
    session = onnxruntime.InferenceSession(done.outputs[0])
    assert [each.name for each in session.get_inputs()] == ["data"]
    (output,) = session.get_outputs()
    assert output.name.endswith("_fwd")
    (found,) = session.run(None, {"data": data})
    onp.testing.assert_allclose(found, expected, atol=1e-5)


def test_shapes_of_dense_networks_follow_from_their_weights(tmp_path):
    done, data, expected = converted("mlp", "pt2", tmp_path)
    assert done.notes == ("input data: shape (1, 6), from the parameters' shapes",)
    found = torch.export.load(done.outputs[0]).module()(torch.from_numpy(data[:1]))
    onp.testing.assert_allclose(found.detach().numpy(), expected[:1], atol=1e-6)


def test_shapes_that_are_not_known_are_asked_for(tmp_path):
    with pytest.raises(InvalidArgumentError, match=r"'data' \(\?,1,\?,\?\).*--input-shape data="):
        converted("lenet", "pt2", tmp_path)
    with pytest.raises(InvalidArgumentError, match=r"names image. The graph .* the inputs data"):
        convert(MODELS / "lenet/net", "pt2", tmp_path / "x", input_shapes={"image": (1, 2)})


def test_shapes_that_contradict_weights_are_refused(tmp_path):
    with pytest.raises(mx.MXNetError, match="shape"):
        converted("mlp", "pt2", tmp_path, (1, 7))
    assert list(tmp_path.iterdir()) == []


def test_labels_are_left_out(tmp_path):
    (done,) = convert(MODELS / "module_mlp/mod", "pt2", tmp_path / "x.pt2", dynamic_batch=True)
    assert done.notes[0] == "without softmax_label, which only training needs"
    io = onp.load(MODELS / "module_mlp/io.npz")
    found = torch.export.load(done.outputs[0]).module()(torch.from_numpy(io["x"]))
    onp.testing.assert_allclose(found.detach().numpy(), io["prob"], atol=1e-6)


@pytest.mark.parametrize("head", ["LinearRegressionOutput", "SVMOutput", "SoftmaxOutput"])
def test_heads_of_all_kinds_do_without_labels(head, tmp_path):
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc")
    net = getattr(mx.sym, head)(net, name="head")
    arrays = {"fc_weight": mx.nd.ones((3, 2)), "fc_bias": mx.nd.zeros((3,))}
    mx.model.save_checkpoint(str(tmp_path / "net"), 0, net, arrays, {})
    (done,) = convert(tmp_path / "net", "pt2")
    assert done.outputs == (str(tmp_path / "net.pt2"),)
    assert done.notes[0].startswith("without head_label")


def test_half_precision_is_compared_in_its_own_terms(tmp_path):
    done, data, expected = converted("mlp", "pt2", tmp_path, dtype="bfloat16")
    module = torch.export.load(done.outputs[0]).module()
    assert {value.dtype for value in module.state_dict().values()} == {torch.bfloat16}
    found = module(torch.from_numpy(data[:1]).to(torch.bfloat16)).float().detach().numpy()
    onp.testing.assert_allclose(found, expected[:1], atol=0.05)


def test_what_onnxruntime_can_not_run_is_only_checked(tmp_path):
    pytest.importorskip("onnxscript")
    pytest.importorskip("onnxruntime")
    done, _, _ = converted("mlp", "onnx", tmp_path, dtype="bfloat16")
    assert done.checks == "a valid model"
    assert "by onnx.checker alone; onnxruntime on the CPU: [ONNXRuntimeError]" in done.notes[-1]


def test_operators_that_are_missing_are_all_named(tmp_path):
    text = (MODELS / "lenet/net-symbol.json").read_text()
    text = text.replace('"Convolution"', '"FancyConv"').replace('"Pooling"', '"Qooling"')
    (tmp_path / "net-symbol.json").write_text(text)
    (tmp_path / "net-0000.params").write_bytes((MODELS / "lenet/net-0007.params").read_bytes())
    with pytest.raises(UnknownOperatorError, match=r"FancyConv.*Qooling"):
        convert(tmp_path / "net", "onnx", input_shapes={"data": (1, 1, 28, 28)})


def test_parameters_of_another_kind_are_told(tmp_path):
    files = [MODELS / "resnet/net.params", MODELS / "resnet/net-symbol.json"]
    with pytest.raises(ConversionError, match=r"none in common.*save_parameters\(\) has other"):
        convert(files, "pt2", tmp_path / "x.pt2")
    (tmp_path / "net-symbol.json").write_bytes((MODELS / "mlp/net-symbol.json").read_bytes())
    serialization.save(tmp_path / "net-0000.params", [torch.ones(1)])
    with pytest.raises(ConversionError, match="holds a list without names"):
        convert(tmp_path / "net", "pt2")


def test_parameters_converted_before_still_fit_their_graph(tmp_path):
    (there,) = convert(MODELS / "mlp/net-0007.params", "safetensors", f"{tmp_path}/", names="torch")
    graph = tmp_path / "net-symbol.json"
    graph.write_bytes((MODELS / "mlp/net-symbol.json").read_bytes())
    (done,) = convert([there.outputs[0], graph], "pt2", tmp_path / "x.pt2")
    assert done.arrays == 4


def test_a_result_that_computes_something_else_takes_no_place(tmp_path, monkeypatch):
    monkeypatch.setattr(verifying, "_difference", lambda *_: 0.5)
    with pytest.raises(ConversionError, match=r"outputs differ by 0.5.*at most 1e-05.*Nothing was"):
        converted("mlp", "pt2", tmp_path)
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr(verifying, "_difference", lambda *_: float("nan"))
    with pytest.raises(ConversionError, match="outputs differ by nan"):
        converted("mlp", "pt2", tmp_path)


def test_what_torch_cannot_export_is_told(tmp_path, monkeypatch):
    def refuse(*_, **__):
        msg = "no such luck\nat all"
        raise RuntimeError(msg)

    monkeypatch.setattr(torch.export, "export", refuse)
    with pytest.raises(ConversionError, match=r"to pt2 \(no such luck\)"):
        converted("mlp", "pt2", tmp_path)
    with pytest.raises(ConversionError, match="leave out --dynamic-batch"):
        converted("mlp", "pt2", tmp_path, dynamic_batch=True)


def test_missing_packages_for_onnx_are_named(tmp_path, monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if "onnx" in name else find(name)
    )
    with pytest.raises(MissingExtraError, match=r"onnx and onnxscript are not .*gluonish\[onnx\]"):
        converted("mlp", "onnx", tmp_path)


def test_without_onnxruntime_the_checker_decides(tmp_path, monkeypatch):
    pytest.importorskip("onnxscript")
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "onnxruntime" else find(name)
    )
    done, _, _ = converted("mlp", "onnx", tmp_path)
    assert done.checks == "a valid model"
    assert "since onnxruntime is not installed" in done.notes[-1]


@pytest.mark.parametrize("to", ["pt2", "onnx"])
def test_graphs_go_to_urls(to, monkeypatch):
    pytest.importorskip("onnxscript")
    fsspec = pytest.importorskip("fsspec")
    monkeypatch.setattr(exporting, "_LARGEST_MESSAGE", 1)
    (done,) = convert(
        [MODELS / "mlp/net-0007.params", MODELS / "mlp/net-symbol.json"],
        to,
        "memory://exported/model.bin",
    )
    found = fsspec.filesystem("memory").find("memory://exported")
    assert [f"memory:/{path}" for path in found] == list(done.outputs)
    assert "outputs equal" in done.checks
    fsspec.filesystem("memory").rm("/exported", recursive=True)


def test_large_onnx_models_keep_values_in_a_file_of_their_own(tmp_path, monkeypatch):
    onnxruntime = pytest.importorskip("onnxruntime")
    monkeypatch.setattr(exporting, "_LARGEST_MESSAGE", 1)
    done, data, expected = converted("mlp", "onnx", tmp_path)
    assert len(done.outputs) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mlp.onnx", "mlp.onnx.data"]
    (found,) = onnxruntime.InferenceSession(done.outputs[0]).run(None, {"data": data[:1]})
    onp.testing.assert_allclose(found, expected[:1], atol=1e-6)


def control_flow(kind):
    """A graph with a loop or a branch, and its arguments."""
    w, x = mx.sym.var("w"), mx.sym.var("x")
    if kind == "cond":
        (found,) = mx.sym.contrib.cond(mx.sym.var("p") > 0, lambda: [x * w], lambda: [x - w])
        return found, {"p": [1.0], "x": [5.0, 6.0]}, [[10.0, 18.0], [3.0, 3.0]]
    (rows,), _ = mx.sym.contrib.while_loop(
        lambda i, a: i < 2,
        lambda i, a: ([a * w], [i + 1, a + w]),
        [mx.sym.var("p"), x],
        max_iterations=3,
    )
    first = [[10.0, 18.0], [0, 0], [0, 0]]
    return rows, {"p": [1.0], "x": [5.0, 6.0]}, [first, [[10.0, 18.0], [14.0, 27.0], [0, 0]]]


@pytest.mark.parametrize("kind", ["cond", "while_loop"])
@pytest.mark.parametrize("to", ["pt2", "onnx"])
def test_loops_and_branches_are_exported(kind, to, tmp_path):
    symbol, given, expected = control_flow(kind)
    symbol.save(str(tmp_path / "net-symbol.json"))
    mx.nd.save(str(tmp_path / "net-0000.params"), {"arg:w": mx.nd.array([2, 3])})
    shapes = {name: (len(value),) for name, value in given.items()}
    (done,) = convert(tmp_path / "net", to, tmp_path / f"net.{to}", input_shapes=shapes)
    assert done.checks.startswith("outputs equal")
    inputs = [name for name in symbol.list_inputs() if name != "w"]
    for wanted, p in zip(expected, (1.0, 0.0 if kind == "while_loop" else -1.0), strict=True):
        values = {**given, "p": [p]}
        if to == "pt2":
            module = torch.export.load(done.outputs[0]).module()
            found = module(*[torch.tensor(values[name]) for name in inputs])
            found = found[0] if isinstance(found, (list, tuple)) else found
            found = found.detach().numpy()
        else:
            session = pytest.importorskip("onnxruntime").InferenceSession(done.outputs[0])
            arrays = {name: onp.array(values[name], "float32") for name in inputs}
            (found,) = session.run(None, arrays)
        onp.testing.assert_allclose(found, wanted)


def test_programs_of_torch_draw_and_suppress_boxes(tmp_path):
    data = mx.sym.Variable("data")
    counts = mx.sym.random.poisson_like(data, lam=3, name="counts")
    boxes = mx.sym.contrib.box_nms(data, topk=5)
    checks = {}
    for name, symbol in (("counts", counts), ("boxes", boxes)):
        symbol.save(str(tmp_path / f"{name}-symbol.json"))
        mx.nd.save(str(tmp_path / f"{name}-0000.params"), {})
        (done,) = convert(
            tmp_path / name, "pt2", tmp_path / f"{name}.pt2", input_shapes={"data": (2, 30, 6)}
        )
        checks[name] = done.checks
    assert checks["counts"].startswith("outputs that are drawn have the same shape, type and dist")
    assert checks["boxes"] == "outputs equal for random inputs, by torch.export.load"
    data = torch.rand(2, 30, 6).cumsum(2)
    found = torch.export.load(tmp_path / "boxes.pt2").module()(data)
    expected = mx.nd.contrib.box_nms(mx.nd.array(data.numpy()), topk=5).asnumpy()
    onp.testing.assert_array_equal(found[0] if isinstance(found, list) else found, expected)


def test_graphs_without_inputs_are_refused(tmp_path):
    mx.sym.random.uniform(shape=(2, 3)).save(str(tmp_path / "net-symbol.json"))
    mx.nd.save(str(tmp_path / "net-0000.params"), {})
    with pytest.raises(ConversionError, match="no input is left, there are no variables. Expected"):
        convert(tmp_path / "net", "pt2", tmp_path / "x.pt2")
