"""What torchvision calls the layers of the networks of the zoo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gluonish.gluon.model_zoo.vision.making import Classifier

# The branches of Inception's modules in their order, by the letters that MXNet has for the modules.
_SEVENS: Final = "7x7dbl_1 7x7dbl_2 7x7dbl_3 7x7dbl_4 7x7dbl_5"
_BRANCHES: Final = {
    "A": "1x1 5x5_1 5x5_2 3x3dbl_1 3x3dbl_2 3x3dbl_3 _pool",
    "B": "3x3 3x3dbl_1 3x3dbl_2 3x3dbl_3",
    "C": f"1x1 7x7_1 7x7_2 7x7_3 {_SEVENS} _pool",
    "D": "3x3_1 3x3_2 7x7x3_1 7x7x3_2 7x7x3_3 7x7x3_4",
    "E": "1x1 3x3_1 3x3_2a 3x3_2b 3x3dbl_1 3x3dbl_2 3x3dbl_3a 3x3dbl_3b _pool",
}
_MODULES: Final = {
    "5b": "A", "5c": "A", "5d": "A", "6a": "B", "6b": "C", "6c": "C", "6d": "C", "6e": "C",
    "7a": "D", "7b": "E", "7c": "E",
}  # fmt: skip


def torchvision_names(net: Classifier) -> list[str]:
    """Return the names of the layers with parameters, in the order of the network's."""
    return list(_FAMILIES[_family(net)](net))


def _family(net: Classifier) -> str:
    return next(cls.__name__ for cls in type(net).__mro__ if cls.__name__ in _FAMILIES)


def _alexnet(_: Any) -> Iterator[str]:
    yield from (f"features.{number}" for number in (0, 3, 6, 8, 10))
    yield from (f"classifier.{number}" for number in (1, 4, 6))


def _vgg(net: Any) -> Iterator[str]:
    places = [number for number, layer in enumerate(net.features) if layer.collect_params()]
    yield from (f"features.{number}" for number in places[:-2])
    yield from (f"classifier.{number}" for number in (0, 3, 6))


def _resnet(net: Any) -> Iterator[str]:
    yield from ("conv1", "bn1")
    stages = [stage for stage in net.features if len(stage.collect_params()) > 4]
    for stage_number, stage in enumerate(stages, 1):
        for number, block in enumerate(stage):
            start = f"layer{stage_number}.{number}"
            for conv in range(1, len(block.body) // 3 + 2):
                yield from (f"{start}.conv{conv}", f"{start}.bn{conv}")
            if block.downsample is not None:
                yield from (f"{start}.downsample.0", f"{start}.downsample.1")
    yield "fc"


def _squeezenet(net: Any) -> Iterator[str]:
    yield "features.0"
    for number, layer in enumerate(net.features):
        if number and layer.collect_params():
            yield from (
                f"features.{number}.{part}" for part in ("squeeze", "expand1x1", "expand3x3")
            )
    yield "classifier.1"


def _densenet(net: Any) -> Iterator[str]:
    yield from ("features.conv0", "features.norm0")
    stages = list(net.features)[4:-4:2]
    for stage_number, stage in enumerate(stages, 1):
        for number in range(1, len(stage) + 1):
            start = f"features.denseblock{stage_number}.denselayer{number}"
            yield from (f"{start}.{part}" for part in ("norm1", "conv1", "norm2", "conv2"))
        if stage_number < len(stages):
            start = f"features.transition{stage_number}"
            yield from (f"{start}.norm", f"{start}.conv")
    yield from ("features.norm5", "classifier")


def _inception(_: Any) -> Iterator[str]:
    layers = [f"Conv2d_{name}" for name in ("1a_3x3", "2a_3x3", "2b_3x3", "3b_1x1", "4a_3x3")]
    for module, kind in _MODULES.items():
        layers += [f"Mixed_{module}.branch{branch}" for branch in _BRANCHES[kind].split()]
    for layer in layers:
        yield from (f"{layer}.conv", f"{layer}.bn")
    yield "fc"


def _mobilenet(net: Any) -> Iterator[str]:
    yield from ("features.0.0", "features.0.1")
    number = 1
    for layer in net.features:
        if hasattr(layer, "out"):
            start = f"features.{number}.conv"
            steps = (
                ("0.0", "0.1", "1", "2") if number == 1 else ("0.0", "0.1", "1.0", "1.1", "2", "3")
            )
            yield from (f"{start}.{step}" for step in steps)
            number += 1
    yield from (f"features.{number}.0", f"features.{number}.1", "classifier.1")


_FAMILIES: Final[dict[str, Callable[[Any], Iterator[str]]]] = {
    "AlexNet": _alexnet,
    "VGG": _vgg,
    "ResNetV1": _resnet,
    "SqueezeNet": _squeezenet,
    "DenseNet": _densenet,
    "Inception3": _inception,
    "MobileNetV2": _mobilenet,
}
