"""Residual networks, of both versions."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish import nn
from gluonish.block import HybridBlock
from gluonish.errors import InvalidArgumentError
from gluonish.gluon.model_zoo.vision.making import Classifier, check, maker, pretrained_or_new

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Sequence

    from torch import Tensor

    from gluonish.context import Contexts
    from gluonish.serialization.files import PathLike

__all__ = [
    "BasicBlockV1",
    "BasicBlockV2",
    "BottleneckV1",
    "BottleneckV2",
    "ResNetV1",
    "ResNetV2",
    "get_resnet",
    "resnet18_v1",
    "resnet18_v2",
    "resnet34_v1",
    "resnet34_v2",
    "resnet50_v1",
    "resnet50_v2",
    "resnet101_v1",
    "resnet101_v2",
    "resnet152_v1",
    "resnet152_v2",
]

# Depth -> (kind of Blocks, Blocks in each stage, channels of each); the names are MXNet's.
resnet_spec: dict[int, tuple[str, list[int], list[int]]] = {
    18: ("basic_block", [2, 2, 2, 2], [64, 64, 128, 256, 512]),
    34: ("basic_block", [3, 4, 6, 3], [64, 64, 128, 256, 512]),
    50: ("bottle_neck", [3, 4, 6, 3], [64, 256, 512, 1024, 2048]),
    101: ("bottle_neck", [3, 4, 23, 3], [64, 256, 512, 1024, 2048]),
    152: ("bottle_neck", [3, 8, 36, 3], [64, 256, 512, 1024, 2048]),
}


def _conv3x3(channels: int, stride: int, in_channels: int) -> nn.Conv2D:
    """Return a convolution of 3 by 3 that keeps the size."""
    return nn.Conv2D(channels, 3, stride, 1, use_bias=False, in_channels=in_channels)


class BasicBlockV1(HybridBlock):
    """Two convolutions of 3 by 3 beside a shortcut, with the last activation behind the sum.

    Parameters
    ----------
    channels : int
        Channels of the result.
    stride : int
        Stride of the first convolution.
    downsample : bool, default False
        Whether the shortcut has a convolution too.
    in_channels : int, default 0
        Channels of the data, if known.
    prefix, params
        See `HybridBlock`.

    References
    ----------
    He et al., Deep Residual Learning for Image Recognition, 2015, arXiv:1512.03385.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon.model_zoo import vision
    >>> block = vision.BasicBlockV1(4, 2, downsample=True)
    >>> block.initialize()
    >>> block(mx.nd.ones((1, 3, 8, 8))).shape
    (1, 4, 4, 4)
    """

    def __init__(
        self,
        channels: int,
        stride: int,
        downsample: bool = False,
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.body = nn.HybridSequential(prefix="")
        self._fill(channels, stride, in_channels)
        self.downsample: nn.HybridSequential | None = None
        if downsample:
            self.downsample = nn.HybridSequential(prefix="")
            self.downsample.add(
                nn.Conv2D(channels, 1, stride, use_bias=False, in_channels=in_channels),
                nn.BatchNorm(),
            )

    def _fill(self, channels: int, stride: int, in_channels: int) -> None:
        self.body.add(
            _conv3x3(channels, stride, in_channels), nn.BatchNorm(), nn.Activation("relu")
        )
        self.body.add(_conv3x3(channels, 1, channels), nn.BatchNorm())

    @override
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        shortcut = x if self.downsample is None else self.downsample(x)
        return F.Activation(self._sum(shortcut, self.body(x)), act_type="relu")

    def _sum(self, shortcut: Any, result: Any) -> Any:
        return shortcut + result


class BottleneckV1(BasicBlockV1):
    """Convolutions of 1, 3 and 1 beside a shortcut, with the last activation behind the sum.

    Parameters
    ----------
    channels : int
        Channels of the result; a quarter of them inside.
    stride : int
        Stride of the first convolution.
    downsample : bool, default False
        Whether the shortcut has a convolution too.
    in_channels : int, default 0
        Channels of the data, if known.
    prefix, params
        See `HybridBlock`.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon.model_zoo import vision
    >>> block = vision.BottleneckV1(8, 2, downsample=True)
    >>> block.initialize()
    >>> block(mx.nd.ones((1, 3, 8, 8))).shape
    (1, 8, 4, 4)
    """

    @override
    def _fill(self, channels: int, stride: int, in_channels: int) -> None:
        inner = channels // 4
        self._sizes = channels, stride
        self.body.add(nn.Conv2D(inner, 1, stride), nn.BatchNorm(), nn.Activation("relu"))
        self.body.add(_conv3x3(inner, 1, inner), nn.BatchNorm(), nn.Activation("relu"))
        self.body.add(nn.Conv2D(channels, 1, 1), nn.BatchNorm())

    @property
    def has_torch_form(self) -> bool:
        """Whether the stride is in the convolution of 3 by 3, and none has a bias."""
        return len(self.body[0].collect_params()) == 1

    def follow_torch(self) -> None:
        """Have the stride in the convolution of 3 by 3, and no biases, as in torchvision."""
        channels, stride = self._sizes
        inner = channels // 4
        for place, channels_, size, strides in (
            (0, inner, 1, 1), (3, inner, 3, stride), (6, channels, 1, 1),
        ):  # fmt: skip
            old = self.body[place]
            conv = nn.Conv2D(
                channels_, size, strides, size // 2, use_bias=False,
                prefix=old.prefix, params=old.params,
            )  # fmt: skip
            self.body.register_child(conv, str(place))

    def take_form_of(self, names: Container[str]) -> None:
        """Take torchvision's form if a file has no biases, which it would have in MXNet's."""
        if "body.0.weight" in names and "body.0.bias" not in names:
            self.follow_torch()

    @override
    def _sum(self, shortcut: Any, result: Any) -> Any:
        return result + shortcut  # the order in which MXNet's graphs have their inputs


class BasicBlockV2(HybridBlock):
    """Two convolutions of 3 by 3 beside a shortcut, each behind a normalization and an activation.

    Parameters
    ----------
    channels : int
        Channels of the result.
    stride : int
        Stride of the first convolution.
    downsample : bool, default False
        Whether the shortcut has a convolution too.
    in_channels : int, default 0
        Channels of the data, if known.
    prefix, params
        See `HybridBlock`.

    References
    ----------
    He et al., Identity Mappings in Deep Residual Networks, 2016, arXiv:1603.05027.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon.model_zoo import vision
    >>> block = vision.BasicBlockV2(4, 2, downsample=True)
    >>> block.initialize()
    >>> block(mx.nd.ones((1, 3, 8, 8))).shape
    (1, 4, 4, 4)
    """

    def __init__(
        self,
        channels: int,
        stride: int,
        downsample: bool = False,
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._pairs: list[tuple[str, str]] = []
        for number, conv in enumerate(self._convolutions(channels, stride, in_channels), 1):
            names = f"bn{number}", f"conv{number}"
            setattr(self, names[0], nn.BatchNorm())
            setattr(self, names[1], conv())
            self._pairs.append(names)
        self.downsample: nn.Conv2D | None = None
        if downsample:
            self.downsample = nn.Conv2D(
                channels, 1, stride, use_bias=False, in_channels=in_channels
            )

    def _convolutions(self, channels: int, stride: int, in_channels: int) -> Sequence[Any]:
        return (
            lambda: _conv3x3(channels, stride, in_channels),
            lambda: _conv3x3(channels, 1, channels),
        )

    @override
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        shortcut = x
        for position, (norm, conv) in enumerate(self._pairs):
            x = F.Activation(getattr(self, norm)(x), act_type="relu")
            if position == 0 and self.downsample is not None:
                shortcut = self.downsample(x)
            x = getattr(self, conv)(x)
        return x + shortcut


class BottleneckV2(BasicBlockV2):
    """Convolutions of 1, 3 and 1 beside a shortcut, each behind normalization and activation.

    Parameters
    ----------
    channels : int
        Channels of the result; a quarter of them inside.
    stride : int
        Stride of the second convolution.
    downsample : bool, default False
        Whether the shortcut has a convolution too.
    in_channels : int, default 0
        Channels of the data, if known.
    prefix, params
        See `HybridBlock`.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon.model_zoo import vision
    >>> block = vision.BottleneckV2(8, 2, downsample=True)
    >>> block.initialize()
    >>> block(mx.nd.ones((1, 3, 8, 8))).shape
    (1, 8, 4, 4)
    """

    @override
    def _convolutions(self, channels: int, stride: int, in_channels: int) -> Sequence[Any]:
        inner = channels // 4
        return (
            lambda: nn.Conv2D(inner, 1, 1, use_bias=False),
            lambda: _conv3x3(inner, stride, inner),
            lambda: nn.Conv2D(channels, 1, 1, use_bias=False),
        )


class _ResNet(Classifier):
    """What residual networks of both versions share."""

    def __init__(
        self,
        block: Callable[..., HybridBlock],
        layers: Sequence[int],
        channels: Sequence[int],
        classes: int = 1000,
        thumbnail: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        check(
            len(layers) == len(channels) - 1,
            f"{type(self).__name__}: {len(layers)} layers and {len(channels)} channels were given. "
            f"Expected one more of channels than of layers. Write layers=[2, 2], "
            f"channels=[64, 64, 128], for example.",
        )
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            self._start(channels[0], thumbnail)
            for number, count in enumerate(layers):
                stride = 1 if number == 0 else 2
                stage = nn.HybridSequential(prefix=f"stage{number + 1}_")
                before, after = channels[number], channels[number + 1]
                with stage.name_scope():
                    stage.add(block(after, stride, after != before, in_channels=before, prefix=""))
                    for _ in range(count - 1):
                        stage.add(block(after, 1, False, in_channels=after, prefix=""))
                self.features.add(stage)
            self._end()
            self.output = nn.Dense(classes, in_units=channels[-1])

    def _start(self, channels: int, thumbnail: bool) -> None:
        if thumbnail:
            self.features.add(_conv3x3(channels, 1, 0))
            return
        self.features.add(nn.Conv2D(channels, 7, 2, 3, use_bias=False))
        self.features.add(nn.BatchNorm(), nn.Activation("relu"), nn.MaxPool2D(3, 2, 1))

    def _end(self) -> None:
        self.features.add(nn.GlobalAvgPool2D())


class ResNetV1(_ResNet):
    """Residual network with activations behind the sums.

    Parameters
    ----------
    block : type
        `BasicBlockV1` or `BottleneckV1`.
    layers : list of int
        How many of them in each stage.
    channels : list of int
        Channels of the first convolution, then of each stage.
    classes : int, default 1000
        Number of outputs.
    thumbnail : bool, default False
        Whether images are small, so that nothing shrinks them at the start.
    prefix, params
        See `HybridBlock`.

    References
    ----------
    He et al., Deep Residual Learning for Image Recognition, 2015, arXiv:1512.03385.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon.model_zoo import vision
    >>> net = vision.ResNetV1(vision.BasicBlockV1, [1, 1], [4, 4, 8], classes=10, thumbnail=True)
    >>> net.initialize()
    >>> net(mx.nd.ones((2, 3, 8, 8))).shape
    (2, 10)
    """

    has_torch_twin = True

    @override
    def follow_torch(self) -> None:
        for block in self._bottlenecks():
            block.follow_torch()
            self.form_note = (
                "bottlenecks have their strides in the convolutions of 3 by 3, as in torchvision; "
                "MXNet's own network has them elsewhere, and reads no such file"
            )

    @override
    def as_in_torch(self, layers: dict[str, dict[str, Tensor]], *, exact: bool) -> None:
        if exact and not all(block.has_torch_form for block in self._bottlenecks()):
            msg = (
                f"ResNetV1 '{self.name}': its bottlenecks have their strides in the first "
                f"convolutions, those of torchvision in the second ones. Expected the latter, for "
                f"equal outputs. Pass exact=False, and have torchvision's modules exchange "
                f"conv1.stride and conv2.stride; or take net.to_torch()."
            )
            raise InvalidArgumentError(msg)
        names = list(layers)
        for name, after in itertools.pairwise(names):
            if "running_mean" in layers[after] and "bias" in layers[name]:
                norm = layers[after]
                norm["running_mean"] = norm["running_mean"] - layers[name].pop("bias")

    def _bottlenecks(self) -> Iterator[BottleneckV1]:
        for stage in self.features:
            if isinstance(stage, nn.HybridSequential):
                yield from (block for block in stage if isinstance(block, BottleneckV1))


class ResNetV2(_ResNet):
    """Residual network with normalizations and activations in front of the convolutions.

    Parameters
    ----------
    block : type
        `BasicBlockV2` or `BottleneckV2`.
    layers : list of int
        How many of them in each stage.
    channels : list of int
        Channels of the first convolution, then of each stage.
    classes : int, default 1000
        Number of outputs.
    thumbnail : bool, default False
        Whether images are small, so that nothing shrinks them at the start.
    prefix, params
        See `HybridBlock`.

    References
    ----------
    He et al., Identity Mappings in Deep Residual Networks, 2016, arXiv:1603.05027.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon.model_zoo import vision
    >>> net = vision.ResNetV2(vision.BasicBlockV2, [1, 1], [4, 4, 8], classes=10, thumbnail=True)
    >>> net.initialize()
    >>> net(mx.nd.ones((2, 3, 8, 8))).shape
    (2, 10)
    """

    @override
    def _start(self, channels: int, thumbnail: bool) -> None:
        self.features.add(nn.BatchNorm(scale=False, center=False))
        super()._start(channels, thumbnail)

    @override
    def _end(self) -> None:
        self.features.add(nn.BatchNorm(), nn.Activation("relu"))
        self.features.add(nn.GlobalAvgPool2D(), nn.Flatten())


resnet_net_versions: list[type[_ResNet]] = [ResNetV1, ResNetV2]
resnet_block_versions: list[dict[str, type[HybridBlock]]] = [
    {"basic_block": BasicBlockV1, "bottle_neck": BottleneckV1},
    {"basic_block": BasicBlockV2, "bottle_neck": BottleneckV2},
]


def get_resnet(
    version: int,
    num_layers: int,
    pretrained: bool | PathLike = False,
    ctx: Contexts = None,
    root: PathLike | None = None,
    **kwargs: Any,
) -> _ResNet:
    """Return a residual network for images of 224 by 224.

    Parameters
    ----------
    version : {1, 2}
        Where activations stand.
    num_layers : {18, 34, 50, 101, 152}
        Depth.
    pretrained : bool or path, default False
        Whether to load weights, see `model_store.get_model_file`; or a file of them, which may be
        PyTorch's, see `torch_weights.load`.
    ctx : Context, optional
        Where to put them; the CPU by default.
    root : str or path, optional
        Folder with the weights.
    **kwargs
        `classes`, `thumbnail`, `prefix`, `params`.

    Examples
    --------
    >>> from gluonish.gluon.model_zoo import vision
    >>> vision.get_resnet(2, 18, classes=10).output
    Dense(512 -> 10, linear)
    """
    check(
        num_layers in resnet_spec,
        f"Invalid number of layers: {num_layers}. Options are {list(resnet_spec)}. "
        f"Make a network of another depth by its class.",
    )
    check(version in (1, 2), f"Invalid resnet version: {version}. Options are 1 and 2. Pass one.")
    kind, layers, channels = resnet_spec[num_layers]
    block = resnet_block_versions[version - 1][kind]
    net = resnet_net_versions[version - 1](block, layers, channels, **kwargs)
    return pretrained_or_new(net, f"resnet{num_layers}_v{version}", pretrained, root, ctx)


resnet18_v1 = maker("resnet18_v1", get_resnet, 1, 18)
resnet34_v1 = maker("resnet34_v1", get_resnet, 1, 34)
resnet50_v1 = maker("resnet50_v1", get_resnet, 1, 50)
resnet101_v1 = maker("resnet101_v1", get_resnet, 1, 101)
resnet152_v1 = maker("resnet152_v1", get_resnet, 1, 152)
resnet18_v2 = maker("resnet18_v2", get_resnet, 2, 18)
resnet34_v2 = maker("resnet34_v2", get_resnet, 2, 34)
resnet50_v2 = maker("resnet50_v2", get_resnet, 2, 50)
resnet101_v2 = maker("resnet101_v2", get_resnet, 2, 101)
resnet152_v2 = maker("resnet152_v2", get_resnet, 2, 152)
