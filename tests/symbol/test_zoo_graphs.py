"""MXNet's model zoo as graphs: imported, run, trained, exported again, and made torch modules."""

from __future__ import annotations

import functools
import gzip
import json
import zlib
from pathlib import Path
from typing import Any

import numpy as onp
import pytest
import torch

import gluonish as mx

GOLDEN = Path(__file__).parents[1] / "golden"
SIZES = {
    "resnet18_v1": 64, "resnet18_v2": 64, "resnet50_v1": 64, "resnet50_v2": 64, "vgg11": 32,
    "vgg11_bn": 32, "alexnet": 224, "densenet121": 224, "squeezenet1.0": 224,
    "squeezenet1.1": 224, "inceptionv3": 299, "mobilenet0.25": 64, "mobilenetv2_0.25": 64,
}  # fmt: skip
SMALL = ["mobilenet0.25", "mobilenetv2_0.25", "resnet18_v2"]


@functools.cache
def graphs() -> dict[str, Any]:
    with gzip.open(GOLDEN / "model_zoo.json.gz") as stream:
        found: dict[str, Any] = json.load(stream)
    return found


def outputs(name: str) -> onp.ndarray[Any, Any]:
    with onp.load(GOLDEN / "model_zoo.npz") as arrays:
        found: onp.ndarray[Any, Any] = arrays[name]
    return found


def value(name: str, shape: list[int]) -> mx.nd.NDArray:
    """Return what the parameter of that name is filled with, there as here."""
    noise = onp.random.default_rng(zlib.crc32(name.encode())).standard_normal(shape)
    if name.endswith("weight"):
        noise *= (2 / onp.prod(shape[1:])) ** 0.5
    elif name.endswith(("gamma", "var")):
        noise = 1 + 0.1 * abs(noise)
    else:
        noise *= 0.1
    return mx.nd.array(noise.astype("float32"))


def image(size: int) -> mx.nd.NDArray:
    pixels = onp.random.default_rng(size).standard_normal((1, 3, size, size))
    return mx.nd.array(pixels.astype("float32"))


def imported(name: str, folder: Path) -> mx.gluon.SymbolBlock:
    """Return a network from files as MXNet exports them."""
    graph = graphs()[name]
    (folder / "net-symbol.json").write_text(json.dumps(graph))
    symbol = mx.sym.load(folder / "net-symbol.json")
    states = symbol.list_auxiliary_states()
    values = {
        f"{'aux' if key in states else 'arg'}:{key}": value(key, shape)
        for key, shape in graph["shapes"].items()
    }
    mx.nd.save(folder / "net-0000.params", values)
    return mx.gluon.SymbolBlock.imports(
        folder / "net-symbol.json", ["data"], folder / "net-0000.params"
    )


def assert_close(found: onp.ndarray[Any, Any], name: str) -> None:
    expected = outputs(name)
    onp.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5 * abs(expected).max())


@pytest.mark.parametrize("name", SIZES)
def test_outputs_are_those_of_mxnet(name: str, tmp_path: Path) -> None:
    net = imported(name, tmp_path)
    assert_close(net(image(SIZES[name])).asnumpy(), name)


@pytest.mark.parametrize("family", ["resnet", "vgg", "densenet", "mobilenet", "squeeze", "a", "i"])
def test_all_graphs_are_read_and_written_as_they_were(family: str) -> None:
    assert len(graphs()) == 34
    for name, graph in graphs().items():
        if not name.startswith(family):
            continue
        symbol = mx.sym.load_json(json.dumps(graph))
        size = 299 if name == "inceptionv3" else 224
        assert symbol.infer_shape(data=(2, 3, size, size))[1] == [(2, 10)], name
        for one, other in zip(json.loads(symbol.tojson())["nodes"], graph["nodes"], strict=True):
            assert (one["op"], one["name"]) == (other["op"], other["name"])
            assert one.get("attrs") == other.get("attrs")


@pytest.mark.parametrize("name", SMALL)
def test_captured_and_exported_networks_give_the_same(name: str, tmp_path: Path) -> None:
    net = imported(name, tmp_path)
    net.hybridize()
    data = image(SIZES[name])
    for _ in range(2):
        assert_close(net(data).asnumpy(), name)
    assert net.graph is not None
    again = mx.gluon.SymbolBlock.imports(*_called(net.export(f"{tmp_path}/again")))
    assert_close(again(data).asnumpy(), name)


def _called(files: tuple[str, str]) -> tuple[str, list[str], str]:
    return files[0], ["data"], files[1]


@pytest.mark.parametrize("name", SMALL)
def test_networks_train_and_become_modules(name: str, tmp_path: Path) -> None:
    net = imported(name, tmp_path)
    data = image(SIZES[name])
    module = net.to_torch().eval()
    tensor = torch.from_numpy(data.asnumpy())
    assert_close(module(tensor).detach().numpy(), name)
    program = torch.export.export(module, (tensor,))
    assert_close(program.module()(tensor).detach().numpy(), name)
    trainer = mx.gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 1e-5})
    losses = []
    for _ in range(2):
        with mx.autograd.record(train_mode=False):
            loss = (net(data) ** 2).sum()
        loss.backward(train_mode=False)
        trainer.step(1)
        losses.append(float(loss.asscalar()))
    assert losses[1] < losses[0]
