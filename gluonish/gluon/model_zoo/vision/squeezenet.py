"""SqueezeNet, of both versions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish import nn
from gluonish.gluon.contrib.nn import HybridConcurrent
from gluonish.gluon.model_zoo.vision.making import Classifier, check, maker, pretrained_or_new

if TYPE_CHECKING:
    from gluonish.context import Contexts
    from gluonish.serialization.files import PathLike

__all__ = ["SqueezeNet", "squeezenet1_0", "squeezenet1_1"]

# Version -> (channels and size of the first convolution, channels in each module; 0 is a pooling).
_VERSIONS = {
    "1.0": ((96, 7), (0, 16, 16, 32, 0, 32, 48, 48, 64, 0, 64)),
    "1.1": ((64, 3), (0, 16, 16, 0, 32, 32, 0, 48, 48, 64, 64)),
}


def _convolution(channels: int, size: int, padding: int = 0) -> nn.HybridSequential:
    layers = nn.HybridSequential(prefix="")
    layers.add(nn.Conv2D(channels, size, padding=padding), nn.Activation("relu"))
    return layers


def _fire(channels: int) -> nn.HybridSequential:
    """Return a module that squeezes channels and expands them by convolutions of two sizes."""
    layers = nn.HybridSequential(prefix="")
    layers.add(_convolution(channels, 1))
    expand = HybridConcurrent(axis=1, prefix="")
    expand.add(_convolution(4 * channels, 1), _convolution(4 * channels, 3, 1))
    layers.add(expand)
    return layers


class SqueezeNet(Classifier):
    """Network with few parameters, of modules that squeeze channels and expand them.

    Parameters
    ----------
    version : {'1.0', '1.1'}
        Which of the two.
    classes : int, default 1000
        Number of outputs.
    prefix, params
        See `HybridBlock`.

    References
    ----------
    Iandola et al., SqueezeNet: AlexNet-level accuracy with 50x fewer parameters, 2016,
    arXiv:1602.07360.

    Examples
    --------
    >>> from gluonish.gluon.model_zoo import vision
    >>> vision.SqueezeNet('1.1', classes=10).output[0]
    Conv2D(None -> 10, kernel_size=(1, 1), stride=(1, 1))
    """

    has_torch_twin = True

    def __init__(self, version: str, classes: int = 1000, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        check(
            version in _VERSIONS,
            f"Unsupported SqueezeNet version {version!r}: '1.0' or '1.1' expected. Pass one.",
        )
        (channels, size), modules = _VERSIONS[version]
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            self.features.add(nn.Conv2D(channels, size, 2), nn.Activation("relu"))
            for squeezed in modules:
                is_pooling = squeezed == 0
                self.features.add(
                    nn.MaxPool2D(3, 2, ceil_mode=True) if is_pooling else _fire(squeezed)
                )
            self.features.add(nn.Dropout(0.5))
            self.output = nn.HybridSequential(prefix="")
            self.output.add(nn.Conv2D(classes, 1), nn.Activation("relu"))
            self.output.add(nn.AvgPool2D(13), nn.Flatten())


def get_squeezenet(
    version: str,
    pretrained: bool | PathLike = False,
    ctx: Contexts = None,
    root: PathLike | None = None,
    **kwargs: Any,
) -> SqueezeNet:
    """Return SqueezeNet, for images of 224 by 224.

    Parameters
    ----------
    version : {'1.0', '1.1'}
        Which of the two.
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
    >>> from gluonish.gluon.model_zoo.vision import squeezenet
    >>> len(squeezenet.get_squeezenet('1.0').features)
    14
    """
    net = SqueezeNet(version, **kwargs)
    return pretrained_or_new(net, f"squeezenet{version}", pretrained, root, ctx)


squeezenet1_0 = maker("squeezenet1.0", get_squeezenet, "1.0")
squeezenet1_1 = maker("squeezenet1.1", get_squeezenet, "1.1")
