"""Densely connected networks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish import nn
from gluonish.gluon.contrib.nn import HybridConcurrent, Identity
from gluonish.gluon.model_zoo.vision.making import Classifier, check_depth, maker, pretrained_or_new

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.context import Contexts
    from gluonish.serialization.files import PathLike

__all__ = ["DenseNet", "densenet121", "densenet161", "densenet169", "densenet201"]

# Depth -> (channels of the first convolution, channels a layer adds, layers of each stage);
# the name is MXNet's.
densenet_spec = {
    121: (64, 32, [6, 12, 24, 16]),
    161: (96, 48, [6, 12, 36, 24]),
    169: (64, 32, [6, 12, 32, 32]),
    201: (64, 32, [6, 12, 48, 32]),
}


def _dense_layer(growth_rate: int, bn_size: int, dropout: float) -> HybridConcurrent:
    """Return a layer that adds channels to those it is given."""
    new = nn.HybridSequential(prefix="")
    new.add(nn.BatchNorm(), nn.Activation("relu"))
    new.add(nn.Conv2D(bn_size * growth_rate, 1, use_bias=False))
    new.add(nn.BatchNorm(), nn.Activation("relu"))
    new.add(nn.Conv2D(growth_rate, 3, padding=1, use_bias=False))
    if dropout:
        new.add(nn.Dropout(dropout))
    layer = HybridConcurrent(axis=1, prefix="")
    layer.add(Identity(), new)
    return layer


def _transition(channels: int) -> nn.HybridSequential:
    """Return what halves channels and size."""
    layers = nn.HybridSequential(prefix="")
    layers.add(nn.BatchNorm(), nn.Activation("relu"))
    layers.add(nn.Conv2D(channels, 1, use_bias=False), nn.AvgPool2D(2, 2))
    return layers


class DenseNet(Classifier):
    """Network whose layers are given the results of all layers before them in the stage.

    Parameters
    ----------
    num_init_features : int
        Channels of the first convolution.
    growth_rate : int
        Channels that each layer adds.
    block_config : list of int
        How many layers in each stage.
    bn_size : int, default 4
        Channels inside of a layer, as a multiple of those it adds.
    dropout : float in [0, 1), default 0
        Probability of 0 for what each layer adds.
    classes : int, default 1000
        Number of outputs.
    prefix, params
        See `HybridBlock`.

    References
    ----------
    Huang et al., Densely Connected Convolutional Networks, 2016, arXiv:1608.06993.

    Examples
    --------
    >>> from gluonish.gluon.model_zoo import vision
    >>> vision.DenseNet(8, 4, [1, 2], classes=10).output
    Dense(None -> 10, linear)
    """

    has_torch_twin = True

    def __init__(
        self,
        num_init_features: int,
        growth_rate: int,
        block_config: Sequence[int],
        bn_size: int = 4,
        dropout: float = 0,
        classes: int = 1000,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            self.features.add(nn.Conv2D(num_init_features, 7, 2, 3, use_bias=False))
            self.features.add(nn.BatchNorm(), nn.Activation("relu"), nn.MaxPool2D(3, 2, 1))
            channels = num_init_features
            for number, count in enumerate(block_config, 1):
                stage = nn.HybridSequential(prefix=f"stage{number}_")
                with stage.name_scope():
                    for _ in range(count):
                        stage.add(_dense_layer(growth_rate, bn_size, dropout))
                self.features.add(stage)
                channels += count * growth_rate
                if number < len(block_config):
                    channels //= 2
                    self.features.add(_transition(channels))
            self.features.add(nn.BatchNorm(), nn.Activation("relu"))
            self.features.add(nn.AvgPool2D(7), nn.Flatten())
            self.output = nn.Dense(classes)


def get_densenet(
    num_layers: int,
    pretrained: bool | PathLike = False,
    ctx: Contexts = None,
    root: PathLike | None = None,
    **kwargs: Any,
) -> DenseNet:
    """Return a densely connected network for images of 224 by 224.

    Parameters
    ----------
    num_layers : {121, 161, 169, 201}
        Depth.
    pretrained : bool or path, default False
        Whether to load weights, see `model_store.get_model_file`; or a file of them, which may be
        PyTorch's, see `torch_weights.load`.
    ctx : Context, optional
        Where to put them; the CPU by default.
    root : str or path, optional
        Folder with the weights.
    **kwargs
        `bn_size`, `dropout`, `classes`, `prefix`, `params`.

    Examples
    --------
    >>> from gluonish.gluon.model_zoo.vision import densenet
    >>> densenet.get_densenet(121, classes=10).output
    Dense(None -> 10, linear)
    """
    check_depth(num_layers, densenet_spec)
    net = DenseNet(*densenet_spec[num_layers], **kwargs)
    return pretrained_or_new(net, f"densenet{num_layers}", pretrained, root, ctx)


densenet121 = maker("densenet121", get_densenet, 121)
densenet161 = maker("densenet161", get_densenet, 161)
densenet169 = maker("densenet169", get_densenet, 169)
densenet201 = maker("densenet201", get_densenet, 201)
