"""Networks that classify images, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.errors import InvalidArgumentError
from gluonish.errors.suggestions import did_you_mean
from gluonish.gluon.model_zoo.vision import densenet, mobilenet, resnet, squeezenet, vgg
from gluonish.gluon.model_zoo.vision.alexnet import AlexNet, alexnet
from gluonish.gluon.model_zoo.vision.densenet import *
from gluonish.gluon.model_zoo.vision.inception import Inception3, inception_v3
from gluonish.gluon.model_zoo.vision.making import MODELS
from gluonish.gluon.model_zoo.vision.mobilenet import *
from gluonish.gluon.model_zoo.vision.resnet import *
from gluonish.gluon.model_zoo.vision.squeezenet import *
from gluonish.gluon.model_zoo.vision.vgg import *

if TYPE_CHECKING:
    from gluonish.block import HybridBlock

__all__ = [
    "AlexNet",
    "Inception3",
    "alexnet",
    "get_model",
    "inception_v3",
    *densenet.__all__,
    *mobilenet.__all__,
    *resnet.__all__,
    *squeezenet.__all__,
    *vgg.__all__,
]


def get_model(name: str, **kwargs: Any) -> HybridBlock:
    """Return a network by name.

    Parameters
    ----------
    name : str
        Such as `'resnet18_v1'`; upper and lower case are the same.
    **kwargs
        `pretrained`, `ctx`, `root`, `classes`, `prefix`, `params`, and what the network has
        beside them.

    Raises
    ------
    InvalidArgumentError
        There is no such network.

    Examples
    --------
    >>> from gluonish.gluon.model_zoo import vision
    >>> vision.get_model('resnet18_v1', classes=10).output
    Dense(512 -> 10, linear)
    """
    make = MODELS.get(name.lower())
    if make is None:
        options = "\n\t".join(sorted(MODELS))
        alike = [each for each in MODELS if each.startswith(f"{name.lower()}_")]
        hint = f" Did you mean {' or '.join(map(repr, alike))}?" if alike else ""
        hint = hint or did_you_mean(name, MODELS)
        msg = f"Model {name.lower()} is not supported.{hint} Available options are\n\t{options}"
        raise InvalidArgumentError(msg)
    return make(**kwargs)
