"""ONNX models as graphs: ONNX's own examples, PyTorch's exporter, and round trips."""

from __future__ import annotations

import re
import sys
import warnings
from pathlib import Path

import numpy as onp
import pytest
import torch

import gluonish as mx
from gluonish.errors import ConversionError, FileFormatError, MissingExtraError, MissingFileError
from gluonish.gluon.model_zoo import vision

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxscript")
numpy_helper = onnx.numpy_helper
helper = onnx.helper

# Inputs that have to be computed; further ones are known when a model is read.
COMPUTED = {
    "Loop": 0,
    "Where": 3,
    "Gemm": 3,
    "Einsum": 9,
    "Concat": 9,
    "Max": 9,
    "Min": 9,
    "Sum": 9,
    "Mean": 9,
}
PAIRS = (
    "Add Sub Mul Div Pow MatMul Mod And Or Xor Equal Less Greater LessOrEqual GreaterOrEqual PRelu"
)
COMPUTED |= dict.fromkeys(PAIRS.split(), 2)
# Other dtypes than torch computes with, arrays without elements, training, and draws.
OUTSIDE = re.compile(
    r"uint16|uint32|uint64|string|bfloat16|bf16|empty_set|zero_size|training|bernoulli|expanded|"
    r"min_greater_than_max|last_window_starts_on_pad|sequence|optional|loop1._seq"
)
# Operators of which no example can be read; the errors say why.
REFUSED = {"LayerNormalization"}
MOST = 8  # examples of each operator
STORED = Path(onnx.__file__).parent / "backend" / "test" / "data"


def computed(file, names, values):
    symbol, arg, aux = mx.contrib.onnx.import_model(file)
    inputs = symbol.list_inputs()
    given = {
        name: mx.nd.array(value, dtype="int32" if value.dtype == bool else value.dtype)
        for name, value in zip(names, values, strict=False)
        if name in inputs
    }
    executor = symbol.bind(mx.cpu(), {**arg, **given}, aux_states=aux)
    return [output.asnumpy() for output in executor.forward()]


def compare(found, expected):
    assert len(found) >= 1
    for one, other in zip(found, expected, strict=True):
        assert one.size == other.size
        one = one.reshape(other.shape).astype("float64")
        close = 2e-3 if other.dtype == onp.float16 else 1e-5
        scale = abs(other[onp.isfinite(other)].astype("float64")).max(initial=1)
        onp.testing.assert_allclose(one, other.astype("float64"), rtol=0, atol=close * scale)


@pytest.fixture(scope="module")
def examples():
    """Give ONNX's examples of operators that there is a way for, by operator."""
    from onnx.backend.test.case import node

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = node.collect_testcases(None)
    found = {}
    for case in cases:
        opset = {each.domain: each.version for each in case.model.opset_import}.get("", 0)
        ops = {each.op_type for each in case.model.graph.node}
        if ops <= OPERATORS and 6 <= opset <= 24 and not OUTSIDE.search(case.name):
            found.setdefault(case.model.graph.node[0].op_type, []).append(case)
    return {op: cases[:MOST] for op, cases in found.items()}


from gluonish.onnx.operators import OPERATORS as _TABLE  # noqa: E402 - after the extra is there

OPERATORS = set(_TABLE)


@pytest.mark.parametrize("op", sorted(OPERATORS))
def test_operators_compute_what_onnx_says(op, examples, tmp_path):
    equal, refused = 0, []
    for case in examples.get(op, []):
        inputs, outputs = ([onp.asarray(each) for each in part] for part in case.data_sets[0])
        model = onnx.ModelProto()
        model.CopyFrom(case.model)
        names = [each.name for each in model.graph.input]
        count = COMPUTED.get(op, 1)
        for name, value in list(zip(names, inputs, strict=True))[count:]:
            model.graph.initializer.append(numpy_helper.from_array(value, name))
        onnx.save(model, tmp_path / "model.onnx")
        try:
            found = computed(tmp_path / "model.onnx", names[:count], inputs)
        except ConversionError as error:
            refused.append(str(error))
            continue
        compare(found, outputs)
        equal += 1
    if op in examples and op not in REFUSED:
        assert equal > 0, refused


@pytest.mark.parametrize(
    "name",
    [path.parent.name for path in sorted(STORED.glob("pytorch-*/*/model.onnx"))],
)
def test_models_that_pytorch_wrote_long_ago_are_read(name):
    (folder,) = STORED.glob(f"pytorch-*/{name}")
    model = onnx.load(folder / "model.onnx")
    known = {each.name for each in model.graph.initializer}
    names = [each.name for each in model.graph.input if each.name not in known]
    data = sorted(folder.glob("test_data_set_*"))[0]

    def read(kind, number):
        tensor = onnx.TensorProto()
        tensor.ParseFromString((data / f"{kind}_{number}.pb").read_bytes())
        return numpy_helper.to_array(tensor)

    values = [read("input", number) for number in range(len(names))]
    outputs = [read("output", number) for number in range(len(model.graph.output))]
    compare(computed(folder / "model.onnx", names, values), outputs)


@pytest.mark.parametrize("name", ["squeezenet1.1", "mobilenetv2_0.25", "resnet18_v1"])
def test_networks_come_back_from_onnx(name, tmp_path):
    net = vision.get_model(name, classes=10)
    net.initialize(mx.init.Xavier())
    net.hybridize()
    size = 224 if name.startswith("squeeze") else 64
    net(mx.nd.ones((1, 3, size, size)))
    is_dynamic = not name.startswith("squeeze")
    file = mx.onnx.export_model(
        *net.export(tmp_path / "net"),
        [(2, 3, size, size)],
        onnx_file_path=tmp_path / "net.onnx",
        dynamic=is_dynamic,
    )
    data = mx.nd.random.normal(shape=(3 if is_dynamic else 2, 3, size, size))
    back = mx.contrib.onnx.import_to_gluon(file, ctx=mx.cpu())
    compare([back(data).asnumpy()], [net(data).asnumpy()])
    # Its graph and parameters are files of MXNet again, and it trains.
    back.export(str(tmp_path / "back"))
    again = mx.gluon.SymbolBlock.imports(
        str(tmp_path / "back-symbol.json"), ["data"], str(tmp_path / "back-0000.params")
    )
    compare([again(data).asnumpy()], [net(data).asnumpy()])
    trainer = mx.gluon.Trainer(back.collect_params(), "sgd", {"learning_rate": 0.1})
    with mx.autograd.record():
        loss = back(data).square().sum()
    loss.backward()
    trainer.step(1)
    assert not (back(data).asnumpy() == net(data).asnumpy()).all()


class Words(torch.nn.Module):
    """Recurrent layers, attention and normalizations in one network."""

    def __init__(self):
        super().__init__()
        self.embedding = torch.nn.Embedding(10, 16)
        self.encoder = torch.nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
        self.lstm = torch.nn.LSTM(16, 8, 2, bidirectional=True, batch_first=True)
        self.norm = torch.nn.GroupNorm(4, 16)
        self.gru = torch.nn.GRU(16, 5)
        self.rnn = torch.nn.RNN(5, 5, nonlinearity="relu")
        self.out = torch.nn.Linear(5, 3)

    def forward(self, x):
        h, _ = self.lstm(self.encoder(self.embedding(x)))
        h = self.norm(h.transpose(1, 2)).transpose(1, 2)
        return self.out(self.rnn(self.gru(h)[0])[0]).softmax(-1)


def test_networks_of_pytorchs_exporter_are_read(tmp_path):
    torch.manual_seed(0)
    net, data = Words().eval(), torch.randint(0, 10, (2, 7))
    file = str(tmp_path / "words.onnx")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(net, (data,), file, dynamo=True, verbose=False)
    with torch.no_grad():
        expected = net(data).numpy()
    compare([mx.contrib.onnx.import_to_gluon(file)(mx.nd.array(data)).asnumpy()], [expected])


class _Head(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.classes = torch.nn.Conv2d(3, 6, 3, 2, 1)
        self.boxes = torch.nn.Conv2d(3, 8, 3, 2, 1)

    def forward(self, x):
        scores = self.classes(x).permute(0, 2, 3, 1).reshape(x.shape[0], -1, 3).sigmoid()
        boxes = self.boxes(x).permute(0, 2, 3, 1).reshape(x.shape[0], -1, 4)
        best, places = scores.max(-1)[0].topk(5, dim=1)
        return best, torch.gather(boxes, 1, places.unsqueeze(-1).expand(-1, -1, 4))


@pytest.mark.parametrize("opset", [11, 17])
def test_lengths_that_a_file_leaves_out_follow_from_the_operators(opset, tmp_path):
    torch.manual_seed(0)
    net, data = _Head().eval(), torch.randn(2, 3, 8, 8)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(net, (data,), tmp_path / "m.onnx", opset_version=opset, dynamo=False)
    found = mx.contrib.onnx.import_to_gluon(tmp_path / "m.onnx")(mx.nd.array(data.numpy()))
    with torch.no_grad():
        expected = [each.numpy() for each in net(data)]
    compare([each.asnumpy() for each in found], expected)


REGIONS = [[0, 1, 1, 6, 7], [1, 0, 2, 9, 10], [0, 3, 3, 11, 11], [-1, 0, 0, 5, 5]]


@pytest.mark.parametrize(
    ("op", "options"),
    [
        ("ROIPooling", {"pooled_size": (3, 3), "spatial_scale": 1.0}),
        ("ROIPooling", {"pooled_size": (2, 4), "spatial_scale": 0.6}),
        ("ROIAlign", {"pooled_size": (3, 3), "spatial_scale": 0.5}),
        ("ROIAlign", {"pooled_size": (2, 3), "spatial_scale": 0.8, "sample_ratio": 3,
                      "aligned": True}),
        ("ROIAlign", {"pooled_size": (2, 3), "spatial_scale": 0.8, "sample_ratio": 2,
                      "position_sensitive": True}),
    ],
)  # fmt: skip
def test_pooled_regions_go_there_and_back(op, options, tmp_path):
    onnxruntime = pytest.importorskip("onnxruntime")
    data = onp.random.RandomState(0).rand(2, 12, 12, 12).astype("float32")
    rois = onp.array(REGIONS, dtype="float32")
    make = mx.sym.ROIPooling if op == "ROIPooling" else mx.sym.contrib.ROIAlign
    symbol = make(mx.sym.var("data"), mx.sym.var("rois"), **options)
    expected = symbol.eval(data=mx.nd.array(data), rois=mx.nd.array(rois))[0].asnumpy()
    file = mx.onnx.export_model(
        symbol, {}, [data.shape, rois.shape], onnx_file_path=str(tmp_path / "m.onnx")
    )
    given = {"data": data, "rois": rois}
    compare(onnxruntime.InferenceSession(file).run(None, given), [expected])
    compare(computed(file, ["data", "rois"], [data, rois]), [expected])


def one_node(path, op, shapes, opset=17, **attrs):
    inputs = [
        helper.make_tensor_value_info(f"x{place}", 1, shape) for place, shape in enumerate(shapes)
    ]
    output = helper.make_tensor_value_info("y", 1, None)
    node = helper.make_node(op, [each.name for each in inputs], ["y"], **attrs)
    model = helper.make_model(
        helper.make_graph([node], "graph", inputs, [output]),
        opset_imports=[helper.make_opsetid("", opset)],
    )
    onnx.save(model, path)
    return path


def test_shapes_that_only_data_tell_are_computed(tmp_path):
    """A batch of any length is flattened behind its own length, which the graph looks up."""
    parts = [
        helper.make_node("Shape", ["x"], ["shape"]),
        helper.make_node("Gather", ["shape", "zero"], ["batch"]),
        helper.make_node("Unsqueeze", ["batch", "axes"], ["row"]),
        helper.make_node("Concat", ["row", "rest"], ["to"], axis=0),
        helper.make_node("Reshape", ["x", "to"], ["y"]),
        helper.make_node("Concat", ["row", "three"], ["wide"], axis=0),
        helper.make_node("Expand", ["one", "wide"], ["ones"]),
    ]
    values = {"zero": onp.array(0), "axes": onp.array([0]), "rest": onp.array([-1]),
              "three": onp.array([3]), "one": onp.ones((1, 1), "float32")}  # fmt: skip
    graph = helper.make_graph(
        parts, "graph", [helper.make_tensor_value_info("x", 1, ["n", 2, 3])],
        [helper.make_tensor_value_info(name, 1, None) for name in ("y", "ones")],
        [numpy_helper.from_array(value, name) for name, value in values.items()],
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    onnx.save(model, tmp_path / "model.onnx")
    for batch in (1, 4):
        data = onp.arange(6.0 * batch, dtype="float32").reshape(batch, 2, 3)
        found = computed(tmp_path / "model.onnx", ["x"], [data])
        compare(found, [data.reshape(batch, 6), onp.ones((batch, 3))])


@pytest.mark.parametrize(
    ("op", "shapes", "attrs", "message"),
    [
        ("MelWeightMatrix", [(2,)], {}, r"no way for: MelWeightMatrix\. Expected those of"),
        ("Relu", [(2,)], {"opset": 3}, r"operators of version 3\. Expected versions from 6 to 24"),
        ("Reshape", [(2,), (1,)], {}, r"\(Reshape, opset 17\): its input 'x1' is computed\. Exp"),
        ("Range", [(), (), ()], {}, r"\(Range, opset 17\): its inputs are computed"),
        (
            "Resize",
            [(1, 1, 4, 4)],
            {"coordinate_transformation_mode": "tf_crop_and_resize"},
            "Expected one of half_pixel, asymmetric",
        ),
        ("LRN", [(1, 4, 2, 2)], {"size": 4}, r"size=4\. Expected an odd number"),
        ("Hardmax", [(2, 3)], {"axis": 0}, r"axis=0 of shape \[2, 3\]\. Expected the last axis"),
    ],
)
def test_what_cannot_be_read_is_explained(op, shapes, attrs, message, tmp_path):
    file = one_node(tmp_path / "model.onnx", op, shapes, **attrs)
    with pytest.raises(ConversionError, match=message):
        mx.contrib.onnx.import_model(file)


def test_files_that_are_no_models_are_refused(tmp_path, monkeypatch):
    (tmp_path / "bad.onnx").write_bytes(b"\xff\x00 no model")
    with pytest.raises(FileFormatError, match="is no ONNX model, or is damaged"):
        mx.contrib.onnx.import_model(tmp_path / "bad.onnx")
    with pytest.raises(MissingFileError, match=r"there is no file .*none\.onnx"):
        mx.contrib.onnx.import_to_gluon(tmp_path / "none.onnx")
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'gluonish\[onnx\]'"):
        mx.contrib.onnx.import_model(tmp_path / "bad.onnx")


# --- what PyTorch's exporter writes of graphs that hold graphs, and of sizes ----------------------


def _scripted(function):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.jit.script(function)


@_scripted
def _repeated(x: torch.Tensor) -> torch.Tensor:
    state = torch.zeros_like(x)
    for _ in range(3):
        state = torch.tanh(state + x)
    return state


@_scripted
def _branched(x: torch.Tensor) -> torch.Tensor:
    y = x * 2
    if bool(x.sum() > 0):
        y = x + 1
    return y


class _Repeated(torch.nn.Module):
    def forward(self, x):
        return _repeated(x)


class _Branched(torch.nn.Module):
    def forward(self, x):
        return _branched(x)


class _Resized(torch.nn.Module):
    def forward(self, x):
        resize = torch.nn.functional.interpolate
        return (
            resize(x, scale_factor=2, mode="bicubic", align_corners=True),
            resize(x, size=(5, 7), mode="bicubic", align_corners=False),
            resize(x, size=(3, 5), mode="nearest"),
            resize(x, size=(5, 7), mode="bilinear", align_corners=False),
            resize(x[:, :, 0], scale_factor=2, mode="linear"),
        )


class _Pooled(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.pools = torch.nn.ModuleList(
            torch.nn.MaxPool2d(3, 2, 1, dilation=2, ceil_mode=ceil) for ceil in (False, True)
        )

    def forward(self, x):
        return tuple(pool(x) for pool in self.pools)


class _Sampled(torch.nn.Module):
    def forward(self, x):
        turn = torch.tensor([[[0.8, -0.6, 0.1], [0.6, 0.8, -0.2]]]).repeat(2, 1, 1)
        grid = torch.nn.functional.affine_grid(turn, (2, 2, 5, 4), align_corners=False)
        sample = torch.nn.functional.grid_sample
        return sample(x, grid, align_corners=False), sample(x, grid, align_corners=True)


@pytest.mark.parametrize("opset", [7, 11, 16, 20])
@pytest.mark.parametrize(
    ("module", "shape"),
    [
        (_Repeated, (2, 3)),
        (_Branched, (2, 3)),
        (_Resized, (2, 2, 6, 8)),
        (_Pooled, (2, 3, 12, 13)),
        (_Sampled, (2, 2, 6, 7)),
    ],
)
def test_what_pytorch_writes_comes_out_the_same(module, shape, opset, tmp_path):
    if opset < {_Sampled: 16, _Resized: 11, _Pooled: 11}.get(module, 0):
        pytest.skip("that version has no such operator")
    net, file = module(), tmp_path / "net.onnx"
    torch.manual_seed(0)
    data = torch.randn(shape)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(net, (data,), file, opset_version=opset, dynamo=False)
    name = onnx.load(file).graph.input[0].name
    for values in (data, -data):
        expected = net(values)
        expected = [expected] if isinstance(expected, torch.Tensor) else expected
        compare(computed(file, [name], [values.numpy()]), [each.numpy() for each in expected])


def test_a_gru_whose_reset_gate_comes_first_is_that_of_onnx(tmp_path):
    draw = onp.random.RandomState(0)
    shapes = {"W": (2, 12, 3), "R": (2, 12, 4), "B": (2, 24)}
    values = {name: draw.randn(*shape).astype("float32") for name, shape in shapes.items()}
    data, state = draw.randn(5, 2, 3).astype("float32"), draw.randn(2, 2, 4).astype("float32")
    node = helper.make_node(
        "GRU", ["x", "W", "R", "B", "", "h"], ["y", "last"], hidden_size=4,
        direction="bidirectional", linear_before_reset=0,
    )  # fmt: skip
    kind = onnx.TensorProto.FLOAT
    graph = helper.make_graph(
        [node], "net",
        [helper.make_tensor_value_info("x", kind, (5, 2, 3)),
         helper.make_tensor_value_info("h", kind, (2, 2, 4))],
        [helper.make_tensor_value_info(name, kind, None) for name in ("y", "last")],
        [numpy_helper.from_array(value, name) for name, value in values.items()],
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=8)
    onnx.save(model, tmp_path / "gru.onnx")
    runtime = pytest.importorskip("onnxruntime")
    expected = runtime.InferenceSession(str(tmp_path / "gru.onnx")).run(
        None, {"x": data, "h": state}
    )
    compare(computed(tmp_path / "gru.onnx", ["x", "h"], [data, state]), expected)


def test_draws_of_a_model_are_drawn(tmp_path):
    node = helper.make_node(
        "Multinomial", ["x"], ["y"], sample_size=4, dtype=onnx.TensorProto.INT32
    )
    made = helper.make_tensor_value_info
    ends = [made("x", 1, (2, 3))], [made("y", onnx.TensorProto.INT32, (2, 4))]
    graph = helper.make_graph([node], "draws", *ends)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)])
    onnx.save(model, tmp_path / "draws.onnx")
    symbol, _, _ = mx.contrib.onnx.import_model(tmp_path / "draws.onnx")
    logs = mx.nd.array([[-99, 0, -99], [0, -99, -99]])
    (found,) = symbol.bind(mx.cpu(), {"x": logs}).forward()
    assert found.asnumpy().tolist() == [[1] * 4, [0] * 4]
