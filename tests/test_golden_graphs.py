"""Graphs that the real MXNet 1.9.1 exported: imported, run, differentiated, and exported again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as onp
import pytest

import gluonish as mx
from gluonish import autograd, gluon, nd, npx
from tests.test_golden_models import (
    GRADIENTS,
    MODELS,
    PLAIN,
    RECURRENT,
    array,
    build,
    default_names,
    recorded,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

both = pytest.mark.parametrize("active", [False, True], ids=["eager", "hybridized"])


@pytest.fixture(params=[*PLAIN, *RECURRENT, "default_names"])
def name(request: pytest.FixtureRequest) -> Iterator[str]:
    if request.param.endswith("_np"):
        npx.set_np()
    yield request.param
    npx.reset_np()


def files(name: str) -> tuple[Path, Path]:
    epoch = 0 if name == "default_names" else 7
    return MODELS / name / "net-symbol.json", MODELS / name / f"net-{epoch:04d}.params"


def imported(name: str) -> gluon.SymbolBlock:
    graph, params = files(name)
    return gluon.SymbolBlock.imports(graph, ["data"], params)


def full_names(name: str) -> dict[str, str]:
    names: dict[str, str] = json.loads((MODELS / name / "names.json").read_text())
    return names


@both
def test_outputs_are_those_of_mxnet(name: str, active: bool) -> None:
    net, io = imported(name), recorded(name)
    net.hybridize(active)
    for _ in range(3):
        output = net(array(io["input"]))
        assert type(output) is (mx.np.ndarray if npx.is_np_array() else nd.NDArray)
        onp.testing.assert_allclose(output.asnumpy(), io["output"], rtol=1e-5, atol=1e-5)
    assert (net.graph is not None) is active


@both
def test_outputs_in_training_mode_are_those_of_mxnet(name: str, active: bool) -> None:
    net, io = imported(name), recorded(name)
    if "output_train_mode" not in io:
        assert name.startswith(("mlp", "default"))
        return
    net.hybridize(active)
    with autograd.record(train_mode=True):
        output = net(array(io["input"]))
    onp.testing.assert_allclose(output.asnumpy(), io["output_train_mode"], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", PLAIN, indirect=True)
@pytest.mark.parametrize("train_mode", [True, False], ids=["training", "prediction"])
@both
def test_gradients_are_those_of_mxnet(name: str, active: bool, train_mode: bool) -> None:
    net, io, names = imported(name), recorded(name), full_names(name)
    net.hybridize(active)
    start = f"{name}/{train_mode}/"
    with onp.load(GRADIENTS) as arrays:
        wanted = {key[len(start) :]: arrays[key] for key in arrays.files if key.startswith(start)}
    data = array(io["input"])
    data.attach_grad()
    with autograd.record(train_mode=False):
        loss = (net(data) ** 2).sum()
    loss.backward(train_mode=train_mode)
    onp.testing.assert_allclose(loss.asnumpy(), io["loss"], rtol=1e-5)
    params = net.collect_params()
    for key, gradient in wanted.items():
        found = data.grad if key == "input" else params[names[key]].grad()
        assert abs(found.asnumpy() - gradient).max() <= 1e-4 * abs(gradient).max(), key


@pytest.mark.parametrize("name", RECURRENT, indirect=True)
@both
def test_gradients_of_recurrent_networks_are_those_of_mxnet(name: str, active: bool) -> None:
    net, io = imported(name), recorded(name)
    net.hybridize(active)
    with autograd.record(train_mode=False):
        loss = (net(array(io["input"])) ** 2).sum()
    loss.backward()
    for key, full in full_names(name).items():
        gradient = net.collect_params()[full].grad().asnumpy()
        onp.testing.assert_allclose(gradient, io[f"grad.{key}"], rtol=1e-4, atol=1e-6)


def test_without_file_parameters_get_their_shapes_from_the_data(name: str) -> None:
    graph, params = files(name)
    net, io = gluon.SymbolBlock.imports(graph, "data"), recorded(name)
    net.initialize()
    net(array(io["input"]))
    values = {key.partition(":")[2]: value.shape for key, value in nd.load(str(params)).items()}
    assert {key: param.shape for key, param in net.collect_params().items()} == values


def without_versions(text: str) -> dict[str, Any]:
    """Return a graph less the numbers that count how often a state was used, before it too."""
    graph: dict[str, Any] = json.loads(text)
    for node in graph["nodes"]:
        node["inputs"] = [entry[:2] for entry in node["inputs"]]
    return graph


def exported(net: gluon.HybridBlock, name: str, folder: Path) -> tuple[Path, Path]:
    golden = files(name)
    epoch = int(golden[1].stem[-4:])
    graph, params = net.export(folder / "net", epoch=epoch)
    assert (Path(graph).name, Path(params).name) == tuple(file.name for file in golden)
    return Path(graph), Path(params)


def test_exported_networks_have_the_files_of_mxnet(name: str, tmp_path: Path) -> None:
    with mx.name.NameManager():
        net = default_names() if name == "default_names" else build(name)
    net.initialize()
    net.hybridize()
    net(array(recorded(name)["input"]))
    net.load_parameters(MODELS / name / "net.params")
    for found, golden in zip(exported(net, name, tmp_path), files(name), strict=True):
        if found.suffix == ".json":
            assert without_versions(found.read_text()) == without_versions(golden.read_text())
        else:
            assert found.read_bytes() == golden.read_bytes()


def test_imported_networks_are_exported_as_they_were(name: str, tmp_path: Path) -> None:
    net = imported(name)
    for found, golden in zip(exported(net, name, tmp_path), files(name), strict=True):
        if found.suffix == ".json":
            assert without_versions(found.read_text()) == without_versions(golden.read_text())
        else:
            assert found.read_bytes() == golden.read_bytes()
