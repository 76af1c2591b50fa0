"""PyTorch's weights in networks of the zoo, and the other way round."""

from __future__ import annotations

import functools
import gzip
import json
import random
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as onp
import pytest
import torch
from closeness import assert_close
from safetensors.torch import save_file

import gluonish as mx
from gluonish.conversion import convert
from gluonish.errors import InvalidArgumentError, ParameterFileError
from gluonish.gluon.model_zoo import torch_weights, vision
from gluonish.gluon.model_zoo.torch_names import torchvision_names
from gluonish.serialization.formats import Arrays, Item

if TYPE_CHECKING:
    from collections.abc import Callable

    from gluonish.gluon.model_zoo.vision.making import Classifier

GOLDEN = Path(__file__).parents[2] / "golden"
SIZES = {"resnet18": 64, "resnet50": 64, "squeezenet1_1": 224, "densenet121": 224,
         "inception_v3": 299, "mobilenet_v2": 64}  # fmt: skip
_SOURCE = (GOLDEN / "make_torchvision.py").read_text(encoding="utf-8")


@functools.cache
def names() -> dict[str, dict[str, tuple[int, ...]]]:
    with gzip.open(GOLDEN / "torchvision.json.gz") as stream:
        found = json.load(stream)
    return {net: {key: tuple(shape) for key, shape in keys.items()} for net, keys in found.items()}


def zoo(name: str, **options: object) -> Classifier:
    name = name.removeprefix("timm ")
    ours = {"mobilenet_v2": "mobilenet_v2_1_0", "mobilenetv2_100": "mobilenet_v2_1_0"}
    ours |= {f"resnet{depth}": f"resnet{depth}_v1" for depth in (18, 34, 50, 101, 152)}
    return getattr(vision, ours.get(name, name))(**{"classes": 10, **options})


def noise() -> Callable[[str, tuple[int, ...]], onp.ndarray]:
    # The function alone: what stands around it needs torchvision.
    start = _SOURCE.index("def noise")
    scope: dict[str, Any] = {"onp": onp}
    exec("import zlib\n" + _SOURCE[start : _SOURCE.index("def main")], scope)
    return scope["noise"]


def state(name: str) -> dict[str, torch.Tensor]:
    make = noise()
    return {
        key: torch.from_numpy(make(key, shape)) if shape else torch.zeros((), dtype=torch.int64)
        for key, shape in names()[name].items()
    }


def announced(shapes: dict[str, tuple[int, ...]]) -> Arrays:
    """Return arrays of a file that is not there, of which only names and shapes are asked for."""
    items = [Item(key, shape, torch.float32, "default", "", 0) for key, shape in shapes.items()]
    return Arrays("file", items, lambda *_: pytest.fail("read"))


def sources(name: str, shapes: dict[str, tuple[int, ...]]) -> list[str]:
    found = torch_weights.fit(zoo(name), announced(shapes))
    return [source.name for source in found.values() if source.name]


def hugging_face(key: str) -> str:
    """Return what transformers call a layer of a ResNet."""
    for old, new in (("conv1", "convolution"), ("bn1", "normalization")):
        key = re.sub(rf"^{old}\.", f"resnet.embedder.embedder.{new}.", key)

    def inner(match: re.Match[str]) -> str:
        stage, block, kind, number, rest = match.groups()
        place = f"resnet.encoder.stages.{int(stage) - 1}.layers.{block}."
        if kind == "downsample.":
            return f"{place}shortcut.{('convolution', 'normalization')[int(number)]}{rest}"
        layer = "convolution" if kind == "conv" else "normalization"
        return f"{place}layer.{int(number) - 1}.{layer}{rest}"

    key = re.sub(r"^layer(\d)\.(\d+)\.(conv|bn|downsample\.)(\d)(.*)", inner, key)
    return key.replace("fc.", "classifier.1.")


@pytest.mark.parametrize("name", names())
def test_layers_are_found_whatever_the_order_of_names_in_the_file(name: str) -> None:
    shapes = names()[name]
    wanted = [
        key for key in shapes if not key.startswith("AuxLogits") and not key.endswith("tracked")
    ]
    shuffled = list(shapes.items())
    random.Random(0).shuffle(shuffled)
    assert sources(name, shapes) == wanted
    assert sources(name, dict(shuffled)) == wanted
    if name.startswith("resnet"):
        renamed = dict(sorted((f"net.{hugging_face(key)}", size) for key, size in shapes.items()))
        assert sources(name, renamed) == [f"net.{hugging_face(key)}" for key in wanted]


@pytest.mark.parametrize("name", SIZES)
@pytest.mark.parametrize("suffix", ["pth", "safetensors"])
def test_networks_give_what_those_of_torchvision_do(name: str, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"weights.{suffix}"
    given = state(name)
    if suffix == "pth":
        torch.save({"model": given, "epoch": 7}, path)
    else:
        save_file(given, path)
    size = SIZES[name]
    pixels = onp.random.default_rng(size).standard_normal((1, 3, size, size), "float32")
    data = mx.nd.array(pixels)
    with onp.load(GOLDEN / "torchvision.npz") as arrays:
        expected = arrays[name]
    scale = abs(expected).max()
    net = zoo(name, pretrained=path)
    onp.testing.assert_allclose(net(data).asnumpy(), expected, rtol=0, atol=1e-5 * scale)
    # There and back, by files of both.
    back = torch_weights.state_dict(net)
    assert {key: tuple(value.shape) for key, value in back.items()} == {
        key: shape for key, shape in names()[name].items() if not key.startswith("AuxLogits")
    }
    for key, value in back.items():
        assert torch.equal(value, given[key])
    convert(path, zoo_name(name), tmp_path / "net.params")
    other = zoo(name)
    other.load_parameters(tmp_path / "net.params")
    assert (other(data).asnumpy() == net(data).asnumpy()).all()
    (done,) = convert(
        tmp_path / "net.params", "torchvision", tmp_path / "back.pth", net=zoo_name(name)
    )
    again = torch.load(tmp_path / "back.pth", weights_only=True)
    assert again.keys() == back.keys()
    assert all(torch.equal(again[key], value) for key, value in back.items())
    assert (name == "inception_v3") is ("aux_logits=False" in " ".join(done.notes))


def test_mobilenets_of_transformers_are_found_and_warned_of() -> None:
    steps = ("expand_1x1", "conv_3x3", "reduce_1x1")
    places = [f"conv_stem.{step}" for step in ("first_conv", *steps[1:])]
    places += [f"layer.{number}.{step}" for number in range(16) for step in steps]
    theirs = [
        f"mobilenet_v2.{place}.{kind}"
        for place in (*places, "conv_1x1")
        for kind in ("convolution", "normalization")
    ]
    shapes = names()["mobilenet_v2"]
    layers = dict.fromkeys(key.rpartition(".")[0] for key in shapes)
    renamed = dict(zip(layers, [*theirs, "classifier"], strict=True))
    keys = {key: ".".join((renamed[key.rpartition(".")[0]], key.rpartition(".")[2]))
            for key in shapes}  # fmt: skip
    with pytest.warns(
        UserWarning, match=r"'file' has the names of .*tf_padding=False.*torchvision"
    ):
        found = sources("mobilenet_v2", dict(sorted((keys[key], shapes[key]) for key in shapes)))
    assert found == [key for old, key in keys.items() if not old.endswith("tracked")]


def test_files_for_torchvision_are_named_for_their_network(tmp_path: Path) -> None:
    net = vision.resnet18_v1(classes=7)
    net.initialize()
    net(mx.nd.ones((1, 3, 64, 64)))
    net.save_parameters(tmp_path / "resnet18_v1-0007.params")
    (done,) = convert(tmp_path / "resnet18_v1-0007.params", "torchvision", dtype="float16")
    assert Path(done.outputs[0]).name == "resnet18_v1-0007.pt"
    found = torch.load(done.outputs[0], weights_only=True)
    assert found["fc.weight"].shape == (7, 512)
    assert found["fc.weight"].dtype is torch.float16
    assert found["bn1.num_batches_tracked"].dtype is torch.int64
    convert(tmp_path / "resnet18_v1-0007.params", "torchvision", tmp_path / "x.safetensors")
    assert set(mx.nd.load(str(tmp_path / "x.safetensors"))) == set(found)
    (tmp_path / "resnet18_v1-0007.params").rename(tmp_path / "net.params")
    for options, text in (
        ({}, "whose name begins with that of the network"),
        ({"net": "resnet19_v1"}, "Expected a network of the model zoo.*resnet18_v1"),
        ({"net": "resnet18_v1", "names": "torch"}, "no new names"),
        ({"net": "resnet18_v2"}, "neither torchvision nor timm has"),
    ):
        with pytest.raises(mx.MXNetError, match=text):
            convert(tmp_path / "net.params", "torchvision", tmp_path / "y.pt", **options)
    assert not (tmp_path / "y.pt").exists()
    with pytest.raises(mx.MXNetError, match="for to='torchvision' alone"):
        convert(tmp_path / "net.params", "torch", net="resnet18_v1")


def zoo_name(name: str) -> str:
    return {"mobilenet_v2": "mobilenetv2_1.0"}.get(
        name, f"{name}_v1" if name.startswith("resnet") else name
    )


def test_converted_bottlenecks_are_loaded_saved_and_told_apart(tmp_path: Path) -> None:
    make = functools.partial(vision.ResNetV1, vision.BottleneckV1, [1, 1], [8, 16, 32], classes=3)
    net, data = make(), mx.nd.random.normal(shape=(2, 3, 32, 32))
    net.follow_torch()
    net.initialize()
    expected = net(data).asnumpy()
    net.save_parameters(tmp_path / "net.params")
    other = make()
    other.initialize()
    other.hybridize()
    plain = other(data).asnumpy()
    other.load_parameters(tmp_path / "net.params")
    assert_close(other(data), expected)
    assert "kernel_size=(3, 3), stride=(2, 2)" in repr(other.features[5][0].body[3])
    assert "bias" not in "".join(other._collect_params_with_prefix()).replace("output.bias", "")
    assert plain.shape == expected.shape
    # As a part of another network, whose names begin otherwise.
    outer = mx.gluon.nn.HybridSequential()
    outer.add(make())
    arrays = mx.nd.load(str(tmp_path / "net.params"))
    mx.nd.save(str(tmp_path / "outer.params"), {f"0.{key}": each for key, each in arrays.items()})
    outer.load_parameters(tmp_path / "outer.params")
    assert_close(outer(data), expected)


def test_a_file_that_does_not_fit_leaves_the_form_alone(tmp_path: Path) -> None:
    net = vision.ResNetV1(vision.BottleneckV1, [1], [8, 16], classes=3)
    net.initialize()
    data = mx.nd.ones((1, 3, 32, 32))
    before = net(data).asnumpy()
    arrays = {
        key: param.data()
        for key, param in net._collect_params_with_prefix().items()
        if key != "features.4.0.body.0.bias"
    }
    mx.nd.save(str(tmp_path / "net.params"), arrays)
    with pytest.raises(ParameterFileError, match="body.6.bias"):
        net.load_parameters(tmp_path / "net.params")
    assert len(net._collect_params_with_prefix()) == len(arrays) + 1
    assert (net(data).asnumpy() == before).all()
    torch.save({"fc.weight": torch.ones(3, 16)}, tmp_path / "net.pth")
    with pytest.raises(ParameterFileError, match="missing are features"):
        torch_weights.load(net, tmp_path / "net.pth")
    assert (net(data).asnumpy() == before).all()


def test_biases_and_strides_of_mxnets_bottlenecks_are_told() -> None:
    net = vision.ResNetV1(vision.BottleneckV1, [1, 1], [8, 16, 32], classes=3)
    net.initialize(mx.init.Xavier())
    net(mx.nd.ones((1, 3, 32, 32)))
    with pytest.raises(InvalidArgumentError, match=r"strides in the first .* Pass exact=False"):
        torch_weights.state_dict(net)
    bias = net.features[4][0].body[0].bias
    bias.set_data(mx.nd.arange(4))
    found = torch_weights.state_dict(net, exact=False)
    assert found["layer1.0.bn1.running_mean"].tolist() == [0, -1, -2, -3]
    assert "layer1.0.conv1.bias" not in found
    assert list(found)[-2:] == ["fc.weight", "fc.bias"]


def test_first_bottleneck_of_mobilenet_has_to_be_an_identity() -> None:
    net = vision.mobilenet_v2_0_25(classes=3)
    net.initialize()
    net(mx.nd.ones((1, 3, 32, 32)))
    with pytest.raises(InvalidArgumentError, match="that is no identity here"):
        torch_weights.state_dict(net)
    found = torch_weights.state_dict(net, exact=False)
    assert found["classifier.1.bias"].tolist() == [0, 0, 0]
    assert len(torchvision_names(net)) * 6 - 7 > len(found)


def test_files_of_the_zoo_itself_are_given_as_paths(tmp_path: Path) -> None:
    net = vision.squeezenet1_1(classes=3)
    net.initialize()
    data = mx.nd.ones((1, 3, 224, 224))
    expected = net(data).asnumpy()
    for name in ("own.params", "own.safetensors"):
        net.save_parameters(tmp_path / name)
        other = vision.get_model("squeezenet1.1", classes=3, pretrained=str(tmp_path / name))
        assert (other(data).asnumpy() == expected).all()


def test_wrong_files_are_refused_with_what_differs(tmp_path: Path) -> None:
    path = tmp_path / "resnet18.pth"
    torch.save(state("resnet18"), path)
    with pytest.raises(
        ParameterFileError,
        match=r"does not hold the weights of ResNetV1 'resnetv1.*': missing are features\.4\.2\."
        r"body\.0 \(64, 64, 3, 3\), .* and 22 more; unexpected are none\. Expected the layers of "
        r"the same architecture in torchvision, timm or transformers\. Name the network",
    ):
        vision.resnet34_v1(classes=10, pretrained=path)
    with pytest.raises(
        ParameterFileError, match=r"missing are .* unexpected are conv1 \(64, 3, 7, 7\), layer1\."
    ):
        vision.inception_v3(classes=10, pretrained=path)
    with pytest.raises(
        ParameterFileError, match=r"has 10 classes, and the network 1000\. .* Write classes=10"
    ):
        vision.resnet18_v1(pretrained=path)
    with pytest.raises(InvalidArgumentError, match="neither torchvision nor timm has this network"):
        vision.resnet18_v2(pretrained=path)
    with pytest.raises(InvalidArgumentError, match=r"to='resnet19_v1' .* Did you mean 'resnet"):
        convert(path, "resnet19_v1")
    with pytest.raises(InvalidArgumentError, match="Leave out --names and --rename"):
        convert(path, "resnet18_v1", names="keep", output=tmp_path / "x.params")


def test_inception_takes_over_what_torchvision_does_to_images_first() -> None:
    net = vision.inception_v3(classes=10)
    net.initialize(mx.init.Xavier(magnitude=2))
    images = torch.rand(2, 3, 299, 299) * 4 - 2
    net(mx.nd.zeros((1, 3, 299, 299)))
    net.features[0][1].running_mean.set_data(mx.nd.random.normal(0, 0.1, shape=32))
    # Of torchvision's Inception3, with transform_input=True.
    changed = torch.empty_like(images)
    for i, (mean, deviation) in enumerate([(0.485, 0.229), (0.456, 0.224), (0.406, 0.225)]):
        changed[:, i] = images[:, i] * (deviation / 0.5) + (mean - 0.5) / 0.5
    expected = net.features[:2](mx.nd.from_torch(changed)), net(mx.nd.from_torch(changed))
    torch_weights.transform_input(net)
    found = net.features[:2](mx.nd.from_torch(images)), net(mx.nd.from_torch(images))
    for ours, theirs in zip(found, expected, strict=True):
        size = abs(theirs).max().asscalar()
        onp.testing.assert_allclose((ours / size).asnumpy(), (theirs / size).asnumpy(), atol=1e-5)


def test_other_networks_have_no_images_to_change() -> None:
    with pytest.raises(InvalidArgumentError, match="AlexNet .* was given. Expected an Inception3"):
        torch_weights.transform_input(vision.alexnet())
