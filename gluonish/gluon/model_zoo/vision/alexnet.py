"""AlexNet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish import nn
from gluonish.gluon.model_zoo.vision.making import MODELS, Classifier, pretrained_or_new

if TYPE_CHECKING:
    from gluonish.context import Contexts
    from gluonish.serialization.files import PathLike

__all__ = ["AlexNet", "alexnet"]


class AlexNet(Classifier):
    """Five convolutions and three Dense layers, for one device.

    Parameters
    ----------
    classes : int, default 1000
        Number of outputs.
    prefix, params
        See `HybridBlock`.

    References
    ----------
    Krizhevsky, One weird trick for parallelizing convolutional neural networks, 2014,
    arXiv:1404.5997.

    Examples
    --------
    >>> from gluonish.gluon.model_zoo import vision
    >>> vision.AlexNet(classes=10).output
    Dense(None -> 10, linear)
    """

    has_torch_twin = True

    def __init__(self, classes: int = 1000, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            with self.features.name_scope():
                self.features.add(
                    nn.Conv2D(64, 11, 4, 2, activation="relu"),
                    nn.MaxPool2D(3, 2),
                    nn.Conv2D(192, 5, padding=2, activation="relu"),
                    nn.MaxPool2D(3, 2),
                    *[
                        nn.Conv2D(channels, 3, padding=1, activation="relu")
                        for channels in (384, 256, 256)
                    ],
                    nn.MaxPool2D(3, 2),
                    nn.Flatten(),
                    nn.Dense(4096, "relu"),
                    nn.Dropout(0.5),
                    nn.Dense(4096, "relu"),
                    nn.Dropout(0.5),
                )
            self.output = nn.Dense(classes)


def alexnet(
    pretrained: bool | PathLike = False,
    ctx: Contexts = None,
    root: PathLike | None = None,
    **kwargs: Any,
) -> AlexNet:
    """Return AlexNet, for images of 224 by 224.

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
    >>> vision.alexnet(classes=10).output
    Dense(None -> 10, linear)
    """
    return pretrained_or_new(AlexNet(**kwargs), "alexnet", pretrained, root, ctx)


MODELS["alexnet"] = alexnet
