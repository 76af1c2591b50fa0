"""VGG networks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish import init, nn
from gluonish.gluon.model_zoo.vision.making import (
    Classifier,
    check,
    check_depth,
    maker,
    pretrained_or_new,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.context import Contexts
    from gluonish.serialization.files import PathLike

__all__ = [
    "VGG",
    "get_vgg",
    "vgg11",
    "vgg11_bn",
    "vgg13",
    "vgg13_bn",
    "vgg16",
    "vgg16_bn",
    "vgg19",
    "vgg19_bn",
]

# Depth -> (convolutions in each stage, channels of each); the name is MXNet's.
vgg_spec: dict[int, tuple[list[int], list[int]]] = {
    11: ([1, 1, 2, 2, 2], [64, 128, 256, 512, 512]),
    13: ([2, 2, 2, 2, 2], [64, 128, 256, 512, 512]),
    16: ([2, 2, 3, 3, 3], [64, 128, 256, 512, 512]),
    19: ([2, 2, 4, 4, 4], [64, 128, 256, 512, 512]),
}


class VGG(Classifier):
    """Stages of convolutions of 3 by 3 with a pooling after each, then three Dense layers.

    Parameters
    ----------
    layers : list of int
        How many convolutions in each stage.
    filters : list of int
        Channels of each stage.
    classes : int, default 1000
        Number of outputs.
    batch_norm : bool, default False
        Whether there is a normalization behind each convolution.
    prefix, params
        See `HybridBlock`.

    References
    ----------
    Simonyan and Zisserman, Very Deep Convolutional Networks for Large-Scale Image Recognition,
    2014, arXiv:1409.1556.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon.model_zoo import vision
    >>> net = vision.VGG([1, 1], [4, 8], classes=10)
    >>> net.initialize()
    >>> net(mx.nd.ones((2, 3, 8, 8))).shape
    (2, 10)
    """

    has_torch_twin = True

    def __init__(
        self,
        layers: Sequence[int],
        filters: Sequence[int],
        classes: int = 1000,
        batch_norm: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        check(
            len(layers) == len(filters),
            f"VGG: {len(layers)} layers and {len(filters)} filters were given. Expected as many of "
            f"the one as of the other. Write layers=[1, 2], filters=[64, 128], for example.",
        )
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            for count, channels in zip(layers, filters, strict=True):
                self._add_stage(count, channels, batch_norm)
            for _ in range(2):
                dense = nn.Dense(
                    4096, "relu", weight_initializer="normal", bias_initializer="zeros"
                )
                self.features.add(dense, nn.Dropout(0.5))
            self.output = nn.Dense(classes, weight_initializer="normal", bias_initializer="zeros")

    def _add_stage(self, count: int, channels: int, batch_norm: bool) -> None:
        for _ in range(count):
            start = init.Xavier(rnd_type="gaussian", factor_type="out", magnitude=2)
            conv = nn.Conv2D(
                channels, 3, padding=1, weight_initializer=start, bias_initializer="zeros"
            )
            self.features.add(conv, *([nn.BatchNorm()] if batch_norm else []))
            self.features.add(nn.Activation("relu"))
        self.features.add(nn.MaxPool2D(strides=2))


def get_vgg(
    num_layers: int,
    pretrained: bool | PathLike = False,
    ctx: Contexts = None,
    root: PathLike | None = None,
    **kwargs: Any,
) -> VGG:
    """Return a VGG network for images of 224 by 224.

    Parameters
    ----------
    num_layers : {11, 13, 16, 19}
        Depth.
    pretrained : bool or path, default False
        Whether to load weights, see `model_store.get_model_file`; or a file of them, which may be
        PyTorch's, see `torch_weights.load`.
    ctx : Context, optional
        Where to put them; the CPU by default.
    root : str or path, optional
        Folder with the weights.
    **kwargs
        `batch_norm`, `classes`, `prefix`, `params`.

    Examples
    --------
    >>> from gluonish.gluon.model_zoo import vision
    >>> len(vision.get_vgg(11, batch_norm=True).features)
    33
    """
    check_depth(num_layers, vgg_spec)
    net = VGG(*vgg_spec[num_layers], **kwargs)
    suffix = "_bn" if kwargs.get("batch_norm") else ""
    return pretrained_or_new(net, f"vgg{num_layers}{suffix}", pretrained, root, ctx)


vgg11 = maker("vgg11", get_vgg, 11)
vgg13 = maker("vgg13", get_vgg, 13)
vgg16 = maker("vgg16", get_vgg, 16)
vgg19 = maker("vgg19", get_vgg, 19)
vgg11_bn = maker("vgg11_bn", get_vgg, 11, batch_norm=True)
vgg13_bn = maker("vgg13_bn", get_vgg, 13, batch_norm=True)
vgg16_bn = maker("vgg16_bn", get_vgg, 16, batch_norm=True)
vgg19_bn = maker("vgg19_bn", get_vgg, 19, batch_norm=True)
