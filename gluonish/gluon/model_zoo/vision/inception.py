"""Inception v3."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from gluonish import nn
from gluonish.gluon.contrib.nn import HybridConcurrent
from gluonish.gluon.model_zoo.vision.making import MODELS, Classifier, pretrained_or_new

if TYPE_CHECKING:
    from gluonish.block import HybridBlock
    from gluonish.context import Contexts
    from gluonish.serialization.files import PathLike

__all__ = ["Inception3", "inception_v3"]

Sizes: TypeAlias = "int | tuple[int, int]"
# A convolution's channels, size, stride and padding.
Conv: TypeAlias = "tuple[int, Sizes, int, Sizes]"


def _one(channels: int) -> Conv:
    return channels, 1, 1, 0


def _wide(channels: int) -> Conv:
    return channels, 3, 1, 1


def _row(channels: int, size: int) -> Conv:
    return channels, (1, size), 1, (0, size // 2)


def _column(channels: int, size: int) -> Conv:
    return channels, (size, 1), 1, (size // 2, 0)


def _shrinking(channels: int) -> Conv:
    return channels, 3, 2, 0


def _convolution(conv: Conv) -> nn.HybridSequential:
    """Return a convolution with its normalization and activation."""
    channels, size, stride, padding = conv
    layers = nn.HybridSequential(prefix="")
    layers.add(nn.Conv2D(channels, size, stride, padding, use_bias=False))
    layers.add(nn.BatchNorm(epsilon=0.001), nn.Activation("relu"))
    return layers


def _branch(*convs: Conv, pool: HybridBlock | None = None) -> nn.HybridSequential:
    """Return convolutions one after the other, behind a pooling or not."""
    layers = nn.HybridSequential(prefix="")
    if pool is not None:
        layers.add(pool)
    for conv in convs:
        layers.add(_convolution(conv))
    return layers


def _forked(*convs: Conv) -> nn.HybridSequential:
    """Return convolutions, and behind them two side by side: a row and a column."""
    layers = nn.HybridSequential(prefix="")
    layers.add(_branch(*convs))
    fork = HybridConcurrent(axis=1, prefix="")
    fork.add(_branch(_row(384, 3)))
    fork.add(_branch(_column(384, 3)))
    layers.add(fork)
    return layers


def _average() -> nn.AvgPool2D:
    return nn.AvgPool2D(3, 1, 1)


def _a(features: int, prefix: str) -> HybridConcurrent:
    module = HybridConcurrent(axis=1, prefix=prefix)
    with module.name_scope():
        module.add(_branch(_one(64)))
        module.add(_branch(_one(48), (64, 5, 1, 2)))
        module.add(_branch(_one(64), _wide(96), _wide(96)))
        module.add(_branch(_one(features), pool=_average()))
    return module


def _b(prefix: str) -> HybridConcurrent:
    module = HybridConcurrent(axis=1, prefix=prefix)
    with module.name_scope():
        module.add(_branch(_shrinking(384)))
        module.add(_branch(_one(64), _wide(96), _shrinking(96)))
        module.add(_branch(pool=nn.MaxPool2D(3, 2)))
    return module


def _c(width: int, prefix: str) -> HybridConcurrent:
    module = HybridConcurrent(axis=1, prefix=prefix)
    with module.name_scope():
        module.add(_branch(_one(192)))
        module.add(_branch(_one(width), _row(width, 7), _column(192, 7)))
        module.add(
            _branch(_one(width), _column(width, 7), _row(width, 7), _column(width, 7), _row(192, 7))
        )
        module.add(_branch(_one(192), pool=_average()))
    return module


def _d(prefix: str) -> HybridConcurrent:
    module = HybridConcurrent(axis=1, prefix=prefix)
    with module.name_scope():
        module.add(_branch(_one(192), _shrinking(320)))
        module.add(_branch(_one(192), _row(192, 7), _column(192, 7), _shrinking(192)))
        module.add(_branch(pool=nn.MaxPool2D(3, 2)))
    return module


def _e(prefix: str) -> HybridConcurrent:
    module = HybridConcurrent(axis=1, prefix=prefix)
    with module.name_scope():
        module.add(_branch(_one(320)))
        module.add(_forked(_one(384)))
        module.add(_forked(_one(448), _wide(384)))
        module.add(_branch(_one(192), pool=_average()))
    return module


class Inception3(Classifier):
    """Inception v3: modules of convolutions of several sizes side by side.

    Parameters
    ----------
    classes : int, default 1000
        Number of outputs.
    prefix, params
        See `HybridBlock`.

    References
    ----------
    Szegedy et al., Rethinking the Inception Architecture for Computer Vision, 2015,
    arXiv:1512.00567.

    Examples
    --------
    >>> from gluonish.gluon.model_zoo import vision
    >>> vision.Inception3(classes=10).output
    Dense(None -> 10, linear)
    """

    has_torch_twin = True
    has_input_transform = True
    image_size = 299
    torch_extras = ("AuxLogits.",)
    torch_note = "torchvision's network is that with aux_logits=False"
    form_note = (
        "torchvision's published weights are for images less 0.5, divided by 0.5; "
        "torch_weights.transform_input(net) has the network take ImageNet's means and deviations"
    )

    def __init__(self, classes: int = 1000, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            self.features.add(_convolution(_shrinking(32)), _convolution((32, 3, 1, 0)))
            self.features.add(_convolution(_wide(64)), nn.MaxPool2D(3, 2))
            self.features.add(_convolution(_one(80)), _convolution((192, 3, 1, 0)))
            self.features.add(nn.MaxPool2D(3, 2))
            self.features.add(_a(32, "A1_"), _a(64, "A2_"), _a(64, "A3_"), _b("B_"))
            self.features.add(_c(128, "C1_"), _c(160, "C2_"), _c(160, "C3_"), _c(192, "C4_"))
            self.features.add(_d("D_"), _e("E1_"), _e("E2_"))
            self.features.add(nn.AvgPool2D(8), nn.Dropout(0.5))
            self.output = nn.Dense(classes)


def inception_v3(
    pretrained: bool | PathLike = False,
    ctx: Contexts = None,
    root: PathLike | None = None,
    **kwargs: Any,
) -> Inception3:
    """Return Inception v3, for images of 299 by 299.

    Parameters
    ----------
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
    >>> vision.inception_v3(classes=10).output
    Dense(None -> 10, linear)
    """
    return pretrained_or_new(Inception3(**kwargs), "inceptionv3", pretrained, root, ctx)


MODELS["inceptionv3"] = inception_v3
