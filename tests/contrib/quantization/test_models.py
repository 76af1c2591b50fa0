"""Quantized networks beside those of the real MXNet: files, graphs and outputs."""

from __future__ import annotations

import json
import logging
import re
from pathlib import Path

import numpy as onp
import pytest

import gluonish as mx
from gluonish.contrib import quantization
from gluonish.errors import InvalidArgumentError
from gluonish.gluon import nn
from gluonish.symbol import load_json

GOLDEN = Path(__file__).parents[2] / "golden" / "quantized"
VALUES = onp.load(GOLDEN / "quantized.npz")
WAYS = {
    "none": {"calib_mode": "none"},
    "naive": {"calib_mode": "naive"},
    "entropy": {"calib_mode": "entropy"},
    "channels": {"calib_mode": "naive", "quantize_granularity": "channel-wise"},
    "smart": {"calib_mode": "naive", "quantize_mode": "smart"},
}
NETS = ("branches", "dense", "encoder", "gates", "lenet", "mobile", "residual")
# Where MXNet applies an activation to integers of 32 bits as if they were numbers.
MISTAKEN = {("encoder", "none"), ("mobile", "none")}
# Where a threshold that entropy finds is the one beside MXNet's: 0.5131 in place of 0.5170.
NEIGHBOURS = {("branches", "entropy")}
RANGE = r'"(?:min|max)_calib_range": "([^"]*)",?'


def loaded(name):
    return mx.gluon.SymbolBlock.imports(
        GOLDEN / f"{name}-symbol.json", ["data"], GOLDEN / f"{name}-0000.params"
    )


def quantized(name, way):
    options = dict(WAYS[way])
    data = VALUES[f"{name}.data"]
    if way == "none":
        options["data_shapes"] = [data.shape]
    else:
        options["calib_data"] = mx.io.NDArrayIter(data, batch_size=4)
    return quantization.quantize_net_v2(loaded(name), **options)


def steps_off(found, name, way):
    """Return how far outputs are from MXNet's, in steps of 8 bits of the largest one."""
    expected = VALUES[f"{name}.{way}"]
    return onp.abs(found.asnumpy() - expected).max() / (onp.abs(expected).max() / 127)


def described(text):
    """Return what a graph is made of: operators, names, arguments, inputs, and graphs inside."""
    nodes = json.loads(text)["nodes"]
    found = []
    for node in nodes:
        attrs = {
            key: round(float(value), 4) if "calib" in key else value
            for key, value in node.get("attrs", {}).items()
            if not key.startswith("__")
        }
        inputs = [(nodes[i]["name"], position) for i, position, _ in node["inputs"]]
        inside = [described(json.dumps(graph)) for graph in node.get("subgraphs", [])]
        found.append((node["op"], node["name"], attrs, inputs, inside))
    return [each for each in found if each[0] != "null"]


def ranges(text):
    """Return the ends of all calibrated ranges of a graph."""
    return [float(number) for number in re.findall(RANGE, text)]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", NETS)
def test_files_of_quantized_networks_load_and_answer_as_in_mxnet(name, way):
    net = loaded(f"{name}-{way}")
    data = mx.nd.array(VALUES[f"{name}.data"])
    found = net(data)
    if (name, way) in MISTAKEN:
        assert onp.abs(found.asnumpy() - VALUES[f"{name}.output"]).max() < 0.06
    else:
        # A product of two integers of 8 bits may be the next one.
        assert steps_off(found, name, way) <= (0.5 if name == "gates" else 0.05)
    net.hybridize()
    for _ in range(3):
        assert onp.abs((net(data) - found).asnumpy()).max() < 1e-5


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", NETS)
def test_files_of_quantized_networks_are_written_as_they_were(name, way):
    text = (GOLDEN / f"{name}-{way}-symbol.json").read_text(encoding="utf-8")
    again = load_json(text).tojson()
    assert described(again) == described(text)
    assert load_json(again).tojson() == again


def test_outputs_of_fused_layers_are_called_as_in_mxnet():
    text = (GOLDEN / "lenet-naive-symbol.json").read_text(encoding="utf-8")
    names = load_json(text).get_internals().list_outputs()
    fused = [name for name in names if "_sg_" in name][:3]
    start = fused[0].removesuffix("_output")
    assert fused == [f"{start}_output", f"{start}_output_min", f"{start}_output_max"]
    dense = [name for name in names if "_sg_mkldnn_fully_connected_eltwise" in name]
    assert dense[1].endswith("_min_output")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", NETS)
def test_networks_are_quantized_to_mxnets_graphs(tmp_path, name, way):
    net = quantized(name, way)
    path, _ = net.export(tmp_path / "net")
    text = Path(path).read_text(encoding="utf-8")
    expected = (GOLDEN / f"{name}-{way}-symbol.json").read_text(encoding="utf-8")
    # MXNet counts the outputs of operators that name none.
    text = re.sub(r"(dot1|transpose0)_output_quantize", r"\1_0_quantize", text)
    if (name, way) in NEIGHBOURS:
        onp.testing.assert_allclose(ranges(text), ranges(expected), rtol=0.01)
        text, expected = (re.sub(RANGE, "", each) for each in (text, expected))
        assert described(text) == described(expected)
        return
    assert described(text) == described(expected)
    data = mx.nd.array(VALUES[f"{name}.data"])
    assert onp.abs((net(data) - loaded(f"{name}-{way}")(data)).asnumpy()).max() < 1e-5


class Beside(nn.HybridBlock):
    def __init__(self):
        super().__init__()
        self.convolve = nn.Conv2D(3, 1, in_channels=3)

    def hybrid_forward(self, F, x):
        return x + self.convolve(x)


def test_layers_whose_results_are_added_to_their_own_data_are_quantized():
    net = Beside()
    net.initialize(mx.init.Xavier())
    data = mx.nd.random.uniform(-1, 1, shape=(2, 3, 4, 4))
    batches = mx.io.NDArrayIter(data, batch_size=2)
    found = quantization.quantize_net_v2(net, calib_mode="naive", calib_data=batches)
    assert "with_sum" in found._symbol.tojson()
    assert onp.abs((found(data) - net(data)).asnumpy()).max() < 0.05


@pytest.mark.parametrize(
    ("dim", "is_quantized"), [(-1, False), (0, False), (1, True), (2, True), (-2, False)]
)
def test_arrays_are_joined_as_integers_along_the_axes_of_mxnet(dim, is_quantized):
    x = mx.sym.var("data")
    symbol = mx.sym.concat(x, mx.sym.relu(x), dim=dim)
    found = quantization.quantize_graph(symbol, {}, {}, calib_mode="naive")[0]
    assert ("quantized_concat" in found.tojson()) is is_quantized


@pytest.mark.parametrize("name", NETS)
def test_entropy_finds_ranges_that_keep_the_outputs(name):
    found = quantized(name, "entropy")(mx.nd.array(VALUES[f"{name}.data"])).asnumpy()
    expected = VALUES[f"{name}.output"]
    assert onp.abs(found - expected).mean() < 0.03 * onp.abs(expected).max()


def small_net():
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Conv2D(4, 3), nn.LeakyReLU(0.3), nn.MaxPool2D(), nn.Dense(8), nn.Dropout(0.5))
        net.add(nn.Dense(3))
    net.initialize(mx.init.Xavier())
    return net


@pytest.mark.parametrize("dtype", ["int8", "uint8", "auto"])
@pytest.mark.parametrize("mode", ["full", "smart"])
@pytest.mark.parametrize("quantize", ["quantize_model", "quantize_model_mkldnn"])
def test_models_keep_their_outputs(tmp_path, quantize, mode, dtype):
    net = small_net()
    data = mx.nd.random.uniform(0, 1, shape=(8, 2, 8, 8))
    expected = net(data)
    net.hybridize()
    net(data)
    net.export(tmp_path / "net")
    symbol, args, aux = mx.model.load_checkpoint(str(tmp_path / "net"), 0)
    found, qargs, qaux = getattr(quantization, quantize)(
        symbol, args, aux, label_names=None, calib_mode="naive", quantize_mode=mode,
        quantized_dtype=dtype, calib_data=mx.io.NDArrayIter(data, batch_size=4),
    )  # fmt: skip
    is_signed_data = dtype != "uint8"  # which cuts what is negative
    result = found.eval(data=data, **qargs, **qaux)[0]
    if is_signed_data:
        off = onp.abs((result - expected).asnumpy()).max()
        assert off < 0.05 * onp.abs(expected.asnumpy()).max()
    executor = found.simple_bind(mx.cpu(), grad_req="null", data=data.shape)
    executor.copy_params_from(qargs, qaux)
    assert onp.abs((executor.forward(data=data)[0] - result).asnumpy()).max() < 1e-5
    mx.model.save_checkpoint(str(tmp_path / "int8"), 0, found, qargs, qaux)
    again, _, _ = mx.model.load_checkpoint(str(tmp_path / "int8"), 0)
    assert again.tojson() == found.tojson()


def test_layers_and_operators_are_left_out():
    data = mx.nd.random.uniform(-1, 1, shape=(2, 2, 8, 8))
    options = {"data_shapes": [data.shape]}

    def operators(**given):
        net = quantization.quantize_net_v2(small_net(), **options, **given)
        nodes = json.loads(net(mx.sym.var("data")).tojson())["nodes"]
        return {node["name"]: node for node in nodes if node["op"] != "null"}

    everything = operators()
    assert "quantized_sg_mkldnn_conv_act_0" in everything
    kept = operators(exclude_layers=["sg_mkldnn_conv_act_0"])
    assert "sg_mkldnn_conv_act_0" in kept
    kept = operators(exclude_operators=["_sg_mkldnn_fully_connected"])
    assert {"sg_mkldnn_fully_connected_0", "quantized_sg_mkldnn_conv_act_0"} <= kept.keys()
    kept = operators(exclude_layers_match=["pool"])
    assert "net_pool0_fwd" in kept
    # A layer that was fused with others keeps them all; its variables are no layers.
    for given in (
        {"exclude_layers": ["net_conv0_fwd"]},
        {"exclude_layers": ["net_leakyrelu0_fwd"]},
        {"exclude_layers_match": ["leakyrelu"]},
    ):
        kept = operators(**given)
        assert {"sg_mkldnn_conv_act_0", "quantized_sg_mkldnn_fully_connected_0"} <= kept.keys()
    assert operators(exclude_layers=["net_conv0_weight"]).keys() == everything.keys()
    assert operators(exclude_operators=["Convolution"]).keys() == everything.keys()


def test_a_collector_of_ones_own_gives_the_ranges():
    class Collector:
        def __init__(self):
            self.min_max_dict = {}

        def collect(self, name, arr):
            self.min_max_dict[name] = (-8.0, 8.0)
            assert isinstance(arr, mx.nd.NDArray)

    collector = Collector()
    data = mx.nd.random.uniform(-1, 1, shape=(4, 6))
    net = nn.Dense(3)
    net.initialize()
    found = quantization.quantize_net_v2(
        net, calib_data=mx.io.NDArrayIter(data, batch_size=2), calib_mode="customize",
        LayerOutputCollector=collector,
    )  # fmt: skip
    graph = json.loads(found(mx.sym.var("data")).tojson())
    attrs = [node["attrs"] for node in graph["nodes"] if node["op"] == "_contrib_quantize_v2"]
    assert attrs == [
        {"max_calib_range": "8.000000", "min_calib_range": "-8.000000", "out_type": "auto"}
    ]


def test_data_comes_from_loaders_with_labels_and_stops_at_the_examples_asked_for(caplog):
    rows = mx.nd.random.uniform(0, 1, shape=(8, 6)).asnumpy()
    data = mx.gluon.data.ArrayDataset(rows, onp.arange(8))
    net = nn.Dense(3)
    net.initialize()
    with caplog.at_level(logging.INFO), pytest.warns(UserWarning, match="quantize_net_v2"):
        found = quantization.quantize_net(
            net, calib_data=mx.gluon.data.DataLoader(data, batch_size=2), calib_mode="naive",
            num_calib_examples=4, logger=logging.getLogger(),
        )  # fmt: skip
    assert "Collected statistics from 2 batches of 4 examples" in caplog.text
    x = mx.nd.array(data[:4][0])
    assert onp.abs((found(x) - net(x)).asnumpy()).max() < 0.02


def test_parameters_that_are_set_anew_are_quantized_anew():
    data = mx.nd.random.uniform(-1, 1, shape=(2, 3, 6, 6))
    net = nn.Conv2D(4, 3)
    net.initialize()
    net(data)
    found = quantization.quantize_net_v2(
        net, calib_data=mx.io.NDArrayIter(data, batch_size=2), calib_mode="naive"
    )
    found.hybridize()
    for _ in range(3):
        before = found(data)
    weight = next(p for n, p in found.collect_params().items() if n.endswith("weight"))
    weight.set_data(-weight.data())
    assert onp.abs((found(data) + before).asnumpy()).max() < 0.05
    assert onp.abs(before.asnumpy()).max() > 0.05


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"calib_mode": "best"}, "calib_mode='best' was given. Expected one of 'none', 'naive'"),
        ({"quantized_dtype": "int4"}, "quantized_dtype='int4' was given"),
        ({"quantize_mode": "half"}, "quantize_mode='half' was given"),
        ({"quantize_granularity": "row"}, "quantize_granularity='row' was given"),
        ({"excluded_sym_names": "fc"}, "excluded_sym_names='fc' was given. Expected a list"),
        ({"ctx": [mx.cpu()]}, "Expected one Context"),
        ({"calib_mode": "naive"}, "calib_data=None was given with calib_mode='naive'"),
    ],
)
def test_what_a_model_cannot_be_quantized_with_is_told(options, told):
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, no_bias=True, name="fc")
    args = {"fc_weight": mx.nd.ones((2, 2))}
    with pytest.raises(InvalidArgumentError, match=told):
        quantization.quantize_model(net, args, {}, **{"calib_mode": "none", **options})


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, "neither calib_data nor data_shapes was given"),
        ({"data_shapes": [(1, 2)], "calib_mode": "naive"}, "was given without data"),
        ({"calib_data": 5}, "calib_data is a int. Expected a DataIter"),
        ({"calib_data": []}, "calib_data has no batches"),
        ({"data_shapes": [(1, 2)], "calib_mode": "customize",}, "was given without data"),
    ],
)  # fmt: skip
def test_what_a_network_cannot_be_quantized_with_is_told(options, told):
    net = nn.Dense(2)
    net.initialize()
    with pytest.raises((InvalidArgumentError, mx.MXNetError), match=told):
        quantization.quantize_net_v2(net, **options)


def test_histograms_grow_with_what_they_are_shown():
    collector = quantization.LayerHistogramCollector(num_bins=11, include_layer=["a"])
    for values in ([0, 0], [1, -2, 0.5], [5, 5, 5], [0.1]):
        collector.collect("a", mx.nd.array(values))
        collector.collect("b", mx.nd.array(values))
    assert [*collector.hist_dict] == ["a"]
    counts, edges, low, high, top = collector.hist_dict["a"]
    assert counts.sum() == 9
    assert len(edges) == len(counts) + 1
    assert (low, high) == (-2, 5)
    assert top >= 5
