"""Networks of depthwise convolutions, for small devices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from typing_extensions import override

from gluonish import nn
from gluonish.block import HybridBlock
from gluonish.errors import InvalidArgumentError
from gluonish.gluon.model_zoo.vision.making import Classifier, maker, pretrained_or_new

if TYPE_CHECKING:
    from collections.abc import Container

    from torch import Tensor

    from gluonish.context import Contexts
    from gluonish.serialization.files import PathLike

__all__ = [
    "MobileNet",
    "MobileNetV2",
    "get_mobilenet",
    "get_mobilenet_v2",
    "mobilenet0_5",
    "mobilenet0_25",
    "mobilenet0_75",
    "mobilenet1_0",
    "mobilenet_v2_0_5",
    "mobilenet_v2_0_25",
    "mobilenet_v2_0_75",
    "mobilenet_v2_1_0",
]

# Channels that each pair of convolutions gives, and the stride of the first of them.
_PAIRS = [
    (64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), *[(512, 1)] * 5, (1024, 2),
    (1024, 1),
]  # fmt: skip
# Channels of each group of bottlenecks, how many they are, what they widen by, the first stride.
_GROUPS = [
    (16, 1, 1, 1), (24, 2, 6, 2), (32, 3, 6, 2), (64, 4, 6, 2), (96, 3, 6, 1), (160, 3, 6, 2),
    (320, 1, 6, 1),
]  # fmt: skip


_EPSILON = 1e-5  # of normalizations
_CLOSE = 1e-5  # how far from an identity a layer may be that is left out


class RELU6(HybridBlock):
    """Activation that cuts its data at 0 and at 6."""

    @override
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return F.clip(x, 0, 6, name="relu6")


def _add(
    layers: nn.HybridSequential,
    channels: int,
    size: int = 1,
    stride: int = 1,
    groups: int = 1,
    activation: nn.HybridBlock | None = None,
) -> None:
    """Add a convolution that keeps the size, its normalization and its activation."""
    layers.add(
        nn.Conv2D(channels, size, stride, size // 2, groups=groups, use_bias=False), nn.BatchNorm()
    )
    if activation is not None:
        layers.add(activation)


class MobileNet(Classifier):
    """Network of depthwise convolutions, each with one of 1 by 1 behind it.

    Parameters
    ----------
    multiplier : float, default 1.0
        Factor on the channels of all layers.
    classes : int, default 1000
        Number of outputs.
    prefix, params
        See `HybridBlock`.

    References
    ----------
    Howard et al., MobileNets: Efficient Convolutional Neural Networks for Mobile Vision
    Applications, 2017, arXiv:1704.04861.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon.model_zoo import vision
    >>> net = vision.MobileNet(0.25, classes=10)
    >>> net.initialize()
    >>> net(mx.nd.ones((1, 3, 32, 32))).shape
    (1, 10)
    """

    def __init__(self, multiplier: float = 1.0, classes: int = 1000, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            with self.features.name_scope():
                channels = int(32 * multiplier)
                _add(self.features, channels, 3, 2, activation=nn.Activation("relu"))
                for wanted, stride in _PAIRS:
                    _add(self.features, channels, 3, stride, channels, nn.Activation("relu"))
                    channels = int(wanted * multiplier)
                    _add(self.features, channels, activation=nn.Activation("relu"))
                self.features.add(nn.GlobalAvgPool2D(), nn.Flatten())
            self.output = nn.Dense(classes)


class LinearBottleneck(HybridBlock):
    """Module that widens, filters each channel and narrows again, without activation at the end.

    Parameters
    ----------
    in_channels, channels : int
        Channels of data and of the result.
    t : int
        What the data is widened by.
    stride : int
        Stride of the filter.
    prefix, params
        See `HybridBlock`.
    """

    def __init__(self, in_channels: int, channels: int, t: int, stride: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.use_shortcut = stride == 1 and in_channels == channels
        wide = in_channels * t
        with self.name_scope():
            self.out = nn.HybridSequential()
            _add(self.out, wide, activation=RELU6())
            _add(self.out, wide, 3, stride, wide, RELU6())
            _add(self.out, channels)

    @override
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        out = self.out(x)
        return F.elemwise_add(out, x) if self.use_shortcut else out


class MobileNetV2(Classifier):
    """Network of bottlenecks that are narrow outside and linear at the end.

    Parameters
    ----------
    multiplier : float, default 1.0
        Factor on the channels of all layers.
    classes : int, default 1000
        Number of outputs.
    prefix, params
        See `HybridBlock`.

    References
    ----------
    Sandler et al., MobileNetV2: Inverted Residuals and Linear Bottlenecks, 2018,
    arXiv:1801.04381.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon.model_zoo import vision
    >>> net = vision.MobileNetV2(0.25, classes=10)
    >>> net.initialize()
    >>> net(mx.nd.ones((1, 3, 32, 32))).shape
    (1, 10)
    """

    has_torch_twin = True
    form_note = "the last layer has a bias, as in torchvision; MXNet's own network has none"
    torch_lacks = ("features.3.out.0", "features.3.out.1")
    torch_relative = (
        "conv_stem.first_conv.",
        (
            "transformers' MobileNetV2, which pads as TensorFlow does and adds 0.001 to variances, "
            "unless its config says tf_padding=False and layer_norm_eps=1e-05"
        ),
    )

    def __init__(self, multiplier: float = 1.0, classes: int = 1000, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._classes = classes
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="features_")
            with self.features.name_scope():
                self._fill(multiplier)
            self.output = nn.HybridSequential(prefix="output_")
            with self.output.name_scope():
                self.output.add(nn.Conv2D(classes, 1, use_bias=False, prefix="pred_"))
                self.output.add(nn.Flatten())

    @override
    def follow_torch(self) -> None:
        old = self.output[0]
        conv = nn.Conv2D(self._classes, 1, prefix=old.prefix, params=old.params)
        self.output.register_child(conv, "0")

    def take_form_of(self, names: Container[str]) -> None:
        """Have a bias in the last layer if a file has, as torchvision's files have."""
        if "output.0.bias" in names:
            self.follow_torch()

    @override
    def as_in_torch(self, layers: dict[str, dict[str, Tensor]], *, exact: bool) -> None:
        conv, norm = (layers.pop(name) for name in self.torch_lacks)
        scale = norm["weight"] / (norm["running_var"] + _EPSILON).sqrt()
        shift = norm["bias"] - norm["running_mean"] * scale
        matrix = conv["weight"].flatten(1) * scale[:, None]
        rest = (matrix - torch.eye(len(matrix))).abs().max() + shift.abs().max()
        if exact and rest > _CLOSE:
            msg = (
                f"MobileNetV2 '{self.name}': its first bottleneck widens its data by a convolution "
                f"that torchvision's network does not have, and that is no identity here. Expected "
                f"one, as networks have with PyTorch's weights. Take net.to_torch()."
            )
            raise InvalidArgumentError(msg)
        last = layers["output.0"]
        last["weight"] = last["weight"].flatten(1)
        last.setdefault("bias", last["weight"].new_zeros(len(last["weight"])))

    def _fill(self, multiplier: float) -> None:
        before = int(32 * multiplier)
        _add(self.features, before, 3, 2, activation=RELU6())
        for wanted, count, widening, stride in _GROUPS:
            channels = int(wanted * multiplier)
            for number in range(count):
                step = stride if number == 0 else 1
                self.features.add(LinearBottleneck(before, channels, widening, step))
                before = channels
        last = int(1280 * multiplier) if multiplier > 1 else 1280
        _add(self.features, last, activation=RELU6())
        self.features.add(nn.GlobalAvgPool2D())


def get_mobilenet(
    multiplier: float,
    pretrained: bool | PathLike = False,
    ctx: Contexts = None,
    root: PathLike | None = None,
    **kwargs: Any,
) -> MobileNet:
    """Return a MobileNet for images of 224 by 224.

    Parameters
    ----------
    multiplier : float
        Factor on the channels of all layers; weights are there for 1.0, 0.75, 0.5 and 0.25.
    pretrained : bool or path, default False
        Whether to load weights, see `model_store.get_model_file`; or a file of them, which may be
        PyTorch's, see `torch_weights.load`.
    ctx : Context, optional
        Where to put them; the CPU by default.
    root : str or path, optional
        Folder with the weights.
    **kwargs
        `classes`, `prefix`, `params`.

    Examples
    --------
    >>> from gluonish.gluon.model_zoo import vision
    >>> vision.get_mobilenet(0.5, classes=10).output
    Dense(None -> 10, linear)
    """
    net = MobileNet(multiplier, **kwargs)
    return pretrained_or_new(net, f"mobilenet{_text(multiplier)}", pretrained, root, ctx)


def get_mobilenet_v2(
    multiplier: float,
    pretrained: bool | PathLike = False,
    ctx: Contexts = None,
    root: PathLike | None = None,
    **kwargs: Any,
) -> MobileNetV2:
    """Return a MobileNetV2 for images of 224 by 224.

    Parameters
    ----------
    multiplier : float
        Factor on the channels of all layers; weights are there for 1.0, 0.75, 0.5 and 0.25.
    pretrained : bool or path, default False
        Whether to load weights, see `model_store.get_model_file`; or a file of them, which may be
        PyTorch's, see `torch_weights.load`.
    ctx : Context, optional
        Where to put them; the CPU by default.
    root : str or path, optional
        Folder with the weights.
    **kwargs
        `classes`, `prefix`, `params`.

    Examples
    --------
    >>> from gluonish.gluon.model_zoo import vision
    >>> len(vision.get_mobilenet_v2(0.5, classes=10).features)
    24
    """
    net = MobileNetV2(multiplier, **kwargs)
    return pretrained_or_new(net, f"mobilenetv2_{_text(multiplier)}", pretrained, root, ctx)


def _text(multiplier: float) -> str:
    text = f"{multiplier:.2f}"
    return text[:-1] if text in ("1.00", "0.50") else text


mobilenet1_0 = maker("mobilenet1.0", get_mobilenet, 1.0)
mobilenet0_75 = maker("mobilenet0.75", get_mobilenet, 0.75)
mobilenet0_5 = maker("mobilenet0.5", get_mobilenet, 0.5)
mobilenet0_25 = maker("mobilenet0.25", get_mobilenet, 0.25)
mobilenet_v2_1_0 = maker("mobilenet_v2_1.0", get_mobilenet_v2, 1.0, listed="mobilenetv2_1.0")
mobilenet_v2_0_75 = maker("mobilenet_v2_0.75", get_mobilenet_v2, 0.75, listed="mobilenetv2_0.75")
mobilenet_v2_0_5 = maker("mobilenet_v2_0.5", get_mobilenet_v2, 0.5, listed="mobilenetv2_0.5")
mobilenet_v2_0_25 = maker("mobilenet_v2_0.25", get_mobilenet_v2, 0.25, listed="mobilenetv2_0.25")
