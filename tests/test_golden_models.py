"""Networks whose parameters, outputs, gradients and printed form the real MXNet 1.9.1 recorded."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as onp
import pytest

import gluonish as mx
from gluonish import autograd, gluon, npx
from gluonish.gluon import nn, rnn

if TYPE_CHECKING:
    from collections.abc import Iterator

MODELS = Path(__file__).parent / "golden" / "mxnet" / "models"
# Not those of io.npz: make_model_gradients.py says why.
GRADIENTS = Path(__file__).parent / "golden" / "model_gradients.npz"


def mlp(prefix: str) -> nn.HybridSequential:
    net = nn.HybridSequential(prefix=prefix)
    with net.name_scope():
        net.add(nn.Dense(8, activation="relu"), nn.Dropout(0.5), nn.Dense(3))
    return net


def lenet(prefix: str) -> nn.HybridSequential:
    net = nn.HybridSequential(prefix=prefix)
    with net.name_scope():
        net.add(
            nn.Conv2D(4, 5, padding=2),
            nn.BatchNorm(),
            nn.Activation("sigmoid"),
            nn.AvgPool2D(2, 2),
            nn.Conv2D(6, 5),
            nn.BatchNorm(scale=False),
            nn.Activation("relu"),
            nn.MaxPool2D(2, 2),
            nn.Flatten(),
            nn.Dense(12, activation="tanh"),
            nn.Dense(10),
        )
    return net


class Residual(gluon.HybridBlock):
    def __init__(
        self, channels: int, strides: int = 1, project: bool = False, **kwargs: object
    ) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.conv1 = nn.Conv2D(channels, 3, strides=strides, padding=1, use_bias=False)
            self.bn1 = nn.BatchNorm()
            self.conv2 = nn.Conv2D(channels, 3, padding=1, use_bias=False)
            self.bn2 = nn.BatchNorm(epsilon=2e-5)
            self.proj = nn.Conv2D(channels, 1, strides=strides) if project else None

    def hybrid_forward(self, F, x):
        relu = F.npx.relu if npx.is_np_array() else F.relu
        y = self.bn2(self.conv2(relu(self.bn1(self.conv1(x)))))
        return relu(y + (self.proj(x) if self.proj is not None else x))


def resnet(prefix: str) -> nn.HybridSequential:
    net = nn.HybridSequential(prefix=prefix)
    with net.name_scope():
        net.add(
            nn.Conv2D(4, 3, padding=1),
            nn.BatchNorm(),
            nn.LeakyReLU(0.1),
            nn.MaxPool2D(3, 2, 1),
            Residual(4),
            Residual(8, 2, True),
            nn.GlobalAvgPool2D(),
            nn.Dense(5),
        )
    return net


class LSTMNet(gluon.HybridBlock):
    def __init__(self, kind: str, **kwargs: object) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.emb = nn.Embedding(11, 6)
            cls = {"lstm": rnn.LSTM, "gru": rnn.GRU, "rnn": rnn.RNN}[kind]
            self.rnn = cls(5, num_layers=2, layout="NTC", bidirectional=kind == "lstm")
            self.out = nn.Dense(4, flatten=False)

    def hybrid_forward(self, F, tokens):
        return self.out(self.rnn(self.emb(tokens)))


class Tied(gluon.HybridBlock):
    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.a = nn.Dense(4, in_units=4)
            self.b = nn.Dense(4, in_units=4, params=self.a.params)

    def hybrid_forward(self, F, x):
        return self.b(self.a(x))


def default_names() -> nn.HybridSequential:
    net = nn.HybridSequential()
    net.add(nn.Dense(4, activation="relu"), nn.BatchNorm(), nn.Dense(2))
    return net


RECURRENT = ["lstm", "gru", "rnn"]
PLAIN = ["mlp", "lenet", "resnet", "mlp_np", "lenet_np", "resnet_np"]
BUILDERS = {"mlp": mlp, "lenet": lenet, "resnet": resnet}
BUILDERS |= {kind: functools.partial(LSTMNet, kind) for kind in RECURRENT}


@pytest.fixture(params=PLAIN + RECURRENT)
def name(request: pytest.FixtureRequest) -> Iterator[str]:
    if request.param.endswith("_np"):
        npx.set_np()
    yield request.param
    npx.reset_np()


def build(name: str) -> gluon.HybridBlock:
    return BUILDERS[name.removesuffix("_np")](prefix=f"{name}_")


def array(values: onp.ndarray) -> mx.nd.NDArray:
    return (mx.np if npx.is_np_array() else mx.nd).array(values, dtype=values.dtype)


def recorded(name: str, file: str = "io.npz") -> dict[str, onp.ndarray]:
    with onp.load(MODELS / name / file) as arrays:
        return dict(arrays)


def load(net: gluon.HybridBlock, name: str, file: str) -> None:
    if file == "net.params":
        net.load_parameters(MODELS / name / file)
    else:
        net.collect_params().load(MODELS / name / file)


@pytest.mark.parametrize("file", ["net.params", "net-0007.params", "net.legacy_pdict.params"])
def test_parameters_load_with_the_values_that_mxnet_saved(name: str, file: str) -> None:
    if not (MODELS / name / file).exists():
        assert file == "net.legacy_pdict.params"
        assert name.endswith("_np")
        return
    net = build(name)
    load(net, name, file)
    values = recorded(name, "values.npz")
    params = net._collect_params_with_prefix()
    assert params.keys() == values.keys()
    for key, param in params.items():
        onp.testing.assert_array_equal(param.data().asnumpy(), values[key])


def test_parameters_have_the_names_of_mxnet(name: str) -> None:
    net = build(name)
    names = {key: param.name for key, param in net._collect_params_with_prefix().items()}
    assert names == json.loads((MODELS / name / "names.json").read_text())


@pytest.mark.parametrize("active", [False, True], ids=["eager", "hybridized"])
def test_outputs_are_those_of_mxnet(name: str, active: bool) -> None:
    net, io = build(name), recorded(name)
    net.load_parameters(MODELS / name / "net.params")
    net.hybridize(active)
    for _ in range(3):
        output = net(array(io["input"]))
        assert type(output) is (mx.np.ndarray if npx.is_np_array() else mx.nd.NDArray)
        onp.testing.assert_allclose(output.asnumpy(), io["output"], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("active", [False, True], ids=["eager", "hybridized"])
def test_outputs_in_training_mode_are_those_of_mxnet(name: str, active: bool) -> None:
    net, io = build(name), recorded(name)
    if "output_train_mode" not in io:
        assert name.startswith("mlp")
        return
    net.load_parameters(MODELS / name / "net.params")
    net.hybridize(active)
    with autograd.record(train_mode=True):
        output = net(array(io["input"]))
    onp.testing.assert_allclose(output.asnumpy(), io["output_train_mode"], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", PLAIN, indirect=True)
@pytest.mark.parametrize("train_mode", [True, False], ids=["training", "prediction"])
@pytest.mark.parametrize("active", [False, True], ids=["eager", "hybridized"])
def test_gradients_are_those_of_mxnet(name: str, active: bool, train_mode: bool) -> None:
    net, io = build(name), recorded(name)
    net.load_parameters(MODELS / name / "net.params")
    net.hybridize(active)
    with onp.load(GRADIENTS) as arrays:
        start = f"{name}/{train_mode}/"
        wanted = {
            key.removeprefix(start): arrays[key] for key in arrays.files if key.startswith(start)
        }
    for _ in range(2):
        data = array(io["input"])
        data.attach_grad()
        with autograd.record(train_mode=False):
            loss = (net(data) ** 2).sum()
        loss.backward(train_mode=train_mode)
        onp.testing.assert_allclose(loss.asnumpy(), io["loss"], rtol=1e-5)
        params = net._collect_params_with_prefix().items()
        found = {key: param.grad() for key, param in params if param.grad_req != "null"}
        found["input"] = data.grad
        assert found.keys() == wanted.keys()
        for key, gradient in found.items():
            largest = abs(wanted[key]).max()
            assert abs(gradient.asnumpy() - wanted[key]).max() <= 1e-4 * largest, key


@pytest.mark.parametrize("active", [False, True], ids=["eager", "hybridized"])
@pytest.mark.parametrize("name", RECURRENT, indirect=True)
def test_gradients_of_recurrent_networks_are_those_of_mxnet(name: str, active: bool) -> None:
    net, io = build(name), recorded(name)
    net.load_parameters(MODELS / name / "net.params")
    net.hybridize(active)
    for _ in range(2):
        with autograd.record(train_mode=False):
            loss = (net(array(io["input"])) ** 2).sum()
        loss.backward()
        onp.testing.assert_allclose(loss.asnumpy(), io["loss"], rtol=1e-5)
        for key, param in net._collect_params_with_prefix().items():
            gradient = param.grad().asnumpy()
            onp.testing.assert_allclose(gradient, io[f"grad.{key}"], rtol=1e-4, atol=1e-6)


def test_gradients_of_the_perceptron_are_those_in_the_golden_folder() -> None:
    net, io = build("mlp"), recorded("mlp")
    net.load_parameters(MODELS / "mlp" / "net.params")
    data = array(io["input"])
    data.attach_grad()
    with autograd.record(train_mode=False):
        loss = (net(data) ** 2).sum()
    loss.backward()
    onp.testing.assert_allclose(data.grad.asnumpy(), io["grad_input"], rtol=1e-4, atol=1e-5)
    for key in ("0.weight", "0.bias", "2.weight", "2.bias"):
        gradient = net._collect_params_with_prefix()[key].grad().asnumpy()
        onp.testing.assert_allclose(gradient, io[f"grad.{key}"], rtol=1e-4, atol=1e-5)


def test_printed_form_is_that_of_mxnet(name: str) -> None:
    net = build(name)
    net.load_parameters(MODELS / name / "net.params")
    assert repr(net) + "\n" == (MODELS / name / "repr.txt").read_text()


def test_saved_parameters_have_the_bytes_of_mxnet(name: str, tmp_path: Path) -> None:
    net = build(name)
    net.load_parameters(MODELS / name / "net.params")
    net.save_parameters(tmp_path / "net.params")
    assert (tmp_path / "net.params").read_bytes() == (MODELS / name / "net.params").read_bytes()


@pytest.mark.parametrize("name", ["mlp", "lenet", "resnet", *RECURRENT], indirect=True)
def test_saved_parameter_dict_has_the_bytes_of_mxnet(name: str, tmp_path: Path) -> None:
    net = build(name)
    net.load_parameters(MODELS / name / "net.params")
    net.collect_params().save(tmp_path / "net.params")
    golden = MODELS / name / "net.legacy_pdict.params"
    assert (tmp_path / "net.params").read_bytes() == golden.read_bytes()


def test_model_without_prefixes_loads_and_answers() -> None:
    net, io = default_names(), recorded("default_names")
    net.load_parameters(MODELS / "default_names" / "net.params")
    output = net(array(io["input"])).asnumpy()
    onp.testing.assert_allclose(output, io["output"], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("file", ["all.params", "dedup.params"])
def test_tied_model_loads_and_answers(file: str) -> None:
    net, io = Tied(prefix="tied_"), recorded("tied")
    net.load_parameters(MODELS / "tied" / file)
    output = net(array(io["input"])).asnumpy()
    onp.testing.assert_allclose(output, io["output"], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(("file", "deduplicate"), [("all.params", False), ("dedup.params", True)])
def test_tied_model_is_saved_with_the_bytes_of_mxnet(
    file: str, deduplicate: bool, tmp_path: Path
) -> None:
    net = Tied(prefix="tied_")
    net.load_parameters(MODELS / "tied" / "all.params")
    net.save_parameters(tmp_path / file, deduplicate=deduplicate)
    assert (tmp_path / file).read_bytes() == (MODELS / "tied" / file).read_bytes()
