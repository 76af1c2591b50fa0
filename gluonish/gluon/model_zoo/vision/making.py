"""What the functions that make networks by name share."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, TypeVar

from typing_extensions import override

from gluonish.block.typed import Layer
from gluonish.errors import (
    MissingFileError,
    RefusedArgumentError,
    UnknownArgumentError,
    UnknownModeError,
)
from gluonish.errors.arguments import unknown_keywords
from gluonish.gluon.model_zoo import model_store, torch_weights

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from torch import Tensor

    from gluonish.block import HybridBlock
    from gluonish.context import Contexts
    from gluonish.nn import HybridSequential
    from gluonish.serialization.files import PathLike

MODELS: dict[str, Callable[..., HybridBlock]] = {}  # what `get_model` finds, by name


class Classifier(Layer):
    """A network of `features`, and of an `output` with a number for each class."""

    features: HybridSequential
    output: Any

    # Of the architecture in torchvision, if it has it: the size of images, the starts of names of
    # layers that only training needs, layers of ours that it lacks, whether it changes images.
    has_torch_twin = False
    image_size = 224
    torch_extras: tuple[str, ...] = ()
    torch_lacks: tuple[str, ...] = ()
    has_input_transform = False
    torch_relative = ("", "")  # part of the names of a network like it, and how that one differs
    torch_note = ""  # what to know of its state_dict in torchvision
    form_note = ""  # what to know of files of the network in torchvision's form

    def follow_torch(self) -> None:
        """Take the form of torchvision's network."""

    def as_in_torch(self, layers: dict[str, dict[str, Tensor]], *, exact: bool) -> None:
        """Change the values of layers into those of torchvision's network, which are as many."""

    @override
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return self.output(self.features(x))


Network = TypeVar("Network", bound=Classifier)


def check(is_right: bool, message: str) -> None:
    """Raise an error with a message, unless an argument is right."""
    if not is_right:
        raise RefusedArgumentError(message)


def check_depth(num_layers: int, depths: Iterable[int]) -> None:
    """Raise an error unless a depth is one of those there are."""
    options = list(depths)
    if num_layers not in options:
        msg = (
            f"Invalid number of layers: {num_layers}. Options are {options}. Make a network of "
            f"another depth by its class."
        )
        raise UnknownModeError(msg)


def pretrained_or_new(
    net: Network, name: str, pretrained: bool | PathLike, root: PathLike | None, ctx: Contexts
) -> Network:
    """Return a network, with a model's weights or those of a file if they are asked for."""
    if isinstance(pretrained, (str, os.PathLike)):
        try:
            torch_weights.load(net, pretrained, ctx)
        except MissingFileError as error:
            msg = (
                f"{name}: pretrained={str(pretrained)!r} was given, and there is no such file. "
                f"Expected a bool or a file of weights. Write pretrained=True for the zoo's own."
            )
            raise MissingFileError(msg) from error
    elif pretrained:
        model_store.load(net, name, root, ctx)
    return net


_KNOWN = ("pretrained", "ctx", "root", "classes", "prefix", "params")


def maker(
    name: str, make: Callable[..., Network], *args: Any, listed: str | None = None, **fixed: Any
) -> Callable[..., Network]:
    """Return the function that makes the network of a name."""

    def function(**kwargs: Any) -> Network:
        try:
            return make(*args, **{**kwargs, **fixed})
        except UnknownArgumentError as error:
            unknown = {k: v for k, v in kwargs.items() if k not in _KNOWN and f"{k}=" in str(error)}
            if not unknown:
                raise
            told = unknown_keywords([function.__name__], unknown, _KNOWN)
        raise told from None

    function.__name__ = function.__qualname__ = name.replace(".", "_")
    function.__module__ = make.__module__
    function.__doc__ = f"""Return the network {name}.

    Parameters
    ----------
    **kwargs
        As of `{make.__name__}`: {", ".join(f"`{each}`" for each in _KNOWN)}.

    Examples
    --------
    >>> from gluonish.gluon.model_zoo import vision
    >>> net = vision.{function.__name__}(classes=10)
    """
    MODELS[listed or name] = function
    return function
