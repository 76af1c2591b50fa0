"""Weights of PyTorch's networks for the networks of the zoo, and the other way round."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import torch

from gluonish.array.tensors import plain
from gluonish.block.serialization import form_kept
from gluonish.errors import InvalidArgumentError, ParameterFileError
from gluonish.errors.tracebacks import users_level
from gluonish.errors.wording import listed, natural
from gluonish.gluon.model_zoo.torch_names import torchvision_names
from gluonish.ndarray import from_torch, zeros
from gluonish.serialization.any_format import open_arrays
from gluonish.serialization.kinds import Kind, kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from torch import Tensor

    from gluonish.block.parameter import Parameter
    from gluonish.context import Contexts
    from gluonish.gluon.model_zoo.vision.inception import Inception3
    from gluonish.gluon.model_zoo.vision.making import Classifier
    from gluonish.serialization.files import PathLike
    from gluonish.serialization.formats import Arrays

__all__ = ["load", "state_dict", "transform_input"]

# What images are less, and divided by: ImageNet's means and deviations, and Inception's.
_IMAGENET: Final = ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))
_INCEPTION: Final = 0.5

# What PyTorch's layers call the parts of a normalization.
PARTS: Final = {"gamma": "weight", "beta": "bias"}
_COUNT: Final = "num_batches_tracked"
_ADVICE: Final = (
    "Expected the layers of the same architecture in torchvision, timm or transformers. Name the "
    "network that the file is of, such as resnet50_v1 for torchvision's resnet50"
)

Shape = tuple[int | None, ...]


class Source(NamedTuple):
    """Where a parameter's values come from.

    Attributes
    ----------
    name : str
        Of the array in the file, or '' if they are in no file.
    shape : tuple of int
        What the parameter's are.
    values : callable
        Takes the array, and returns the values.
    """

    name: str
    shape: tuple[int, ...]
    values: Callable[[Tensor | None], Tensor]


@dataclass(frozen=True, slots=True)
class _Layer:
    """One layer's name, and the shapes of its parts by PyTorch's names of them."""

    name: str
    parts: dict[str, Shape]

    def takes(self, other: _Layer) -> bool:
        """Return whether the parts of another one are of these shapes; None is any length."""
        return self.parts.keys() == other.parts.keys() and all(
            _alike(shape, other.parts[part]) for part, shape in self.parts.items()
        )


@dataclass(slots=True)
class _Node:
    """A part of a name, and what stands behind it."""

    layer: _Layer | None = None
    children: dict[str, _Node] = field(default_factory=dict)
    signature: tuple[Any, ...] = ()


def load(net: Classifier, path: PathLike, ctx: Contexts = None) -> None:
    """Give a network of the zoo the weights in a file.

    Parameters
    ----------
    net : Classifier
        The network. It gets the form of PyTorch's: where its strides and biases are.
    path : str or path
        File of a state_dict of the same architecture in torchvision, timm or transformers, by
        torch or safetensors; or one of the zoo's network itself.
    ctx : Context or list of Context, optional
        Where to put them; the CPU by default.

    Raises
    ------
    ParameterFileError
        The file's layers are not the network's; the message lists which.
    InvalidArgumentError
        PyTorch has no such network.

    Notes
    -----
    Layers are found by their order, their kinds and shapes, so that names may be any. Of two that
    could change places, the one comes first whose name does, with numbers in their order.

    Examples
    --------
    ::

        net = vision.resnet50_v1()
        torch_weights.load(net, 'resnet50-11ad3fa6.pth')
    """
    with open_arrays(path) as arrays:
        names = [item.name for item in arrays.items]
        if kind_of(path) is Kind.PARAMS or any(map(_is_own, names)):
            net.load_parameters(path, ctx=ctx)
            return
        with form_kept(net):
            sources = fit(net, arrays)
            params = net._collect_params_with_prefix()
            last = list(sources)[-1]
            if sources[last].shape != _shape(params[last]):
                classes = sources[last].shape[0]
                msg = (
                    f"{arrays.name!r} has {classes} classes, and the network "
                    f"{_shape(params[last])[0]}. Expected as many. Write classes={classes}, and "
                    f"put another output layer in its place later."
                )
                raise ParameterFileError(msg)
            places = {name: place for place, name in enumerate(names)}
            values = {}
            for name, source in sources.items():
                found = source.values(arrays.dense(places[source.name]) if source.name else None)
                values[params[name].name] = from_torch(found.to(torch.float32).contiguous())
            net.collect_params().load_dict(values, ctx=ctx)


def fit(net: Classifier, arrays: Arrays) -> dict[str, Source]:
    """Return where the values of a network's parameters are in a file, by structural names.

    The network gets the form of PyTorch's.

    Raises
    ------
    ParameterFileError
        The file's layers are not the network's.
    InvalidArgumentError
        PyTorch has no such network.

    Warns
    -----
    UserWarning
        The names are those of a network that computes something else with the same layers.
    """
    check_twin(net)
    net.follow_torch()
    shapes = {item.name: item.shape for item in arrays.items}
    given = [layer for layer in _layers(shapes) if not layer.name.startswith(net.torch_extras)]
    wanted = [_open(layer) for layer in _layers(_shapes(net))]
    found = _placed(wanted, given, net)
    if found is None:
        raise _misfit(arrays.name, net, wanted, given)
    _check_relative(net, arrays.name, shapes)
    sources = {}
    for name, param in net._collect_params_with_prefix().items():
        layer, _, part = name.rpartition(".")
        if layer in found:
            whole = f"{found[layer]}.{PARTS.get(part, part)}"
            shape = (shapes[whole][0], *_shape(param)[1:])
            sources[name] = Source(whole, shape, _reshaping(shape))
        else:
            sources[name] = _identity(part, param)
    return sources


def _is_own(name: str) -> bool:
    return name.split(":")[-1].startswith("output.")


def state_dict(net: Classifier, *, exact: bool = True) -> dict[str, Tensor]:
    """Return a network's parameters as torchvision's network of the same architecture has them.

    Parameters
    ----------
    net : Classifier
        AlexNet, a VGG, ResNet v1, SqueezeNet, DenseNet, Inception v3 or MobileNetV2 of the zoo.
    exact : bool, default True
        Whether to refuse a network that torchvision's would not compute: MXNet's bottlenecks have
        their strides in the first convolution, torchvision's in the second.

    Returns
    -------
    dict of str to Tensor
        For `load_state_dict`; the tensors share memory where they can. Inception's is for
        `aux_logits=False`.

    Raises
    ------
    InvalidArgumentError
        torchvision has no such network, or none that computes the same.
    UninitializedParameterError
        Parameters have no values yet.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon.model_zoo import torch_weights, vision
    >>> net = vision.squeezenet1_1()
    >>> net.initialize()
    >>> _ = net(mx.nd.ones((1, 3, 224, 224)))
    >>> list(torch_weights.state_dict(net))[2:4]
    ['features.3.squeeze.weight', 'features.3.squeeze.bias']
    """
    check_twin(net)
    params = net._collect_params_with_prefix()
    layers: dict[str, dict[str, Tensor]] = {}
    for name, param in params.items():
        layer, _, part = name.rpartition(".")
        layers.setdefault(layer, {})[PARTS.get(part, part)] = plain(param.data())
    net.as_in_torch(layers, exact=exact)
    found = {}
    for parts, theirs in zip(layers.values(), torchvision_names(net), strict=True):
        found.update({f"{theirs}.{part}": tensor for part, tensor in parts.items()})
        if "running_mean" in parts:
            found[f"{theirs}.{_COUNT}"] = torch.zeros((), dtype=torch.int64)
    return found


def transform_input(net: Inception3) -> None:
    """Have Inception v3 take images as other networks do: less ImageNet's means, by its deviations.

    torchvision's published weights are for images less 0.5, divided by 0.5; its network has
    `transform_input=True` with them, and changes images first. Here the first layer's weights take
    that over, so that outputs are those of torchvision's network for the same images.

    Parameters
    ----------
    net : Inception3
        With torchvision's weights. It is changed; do it once. Its `state_dict` is then one for
        `transform_input=False`.

    Raises
    ------
    InvalidArgumentError
        It is another network.
    UninitializedParameterError
        Parameters have no values yet.

    Examples
    --------
    ::

        net = vision.inception_v3(pretrained='inception_v3_google-0cc3c7bd.pth')
        torch_weights.transform_input(net)
    """
    if not net.has_input_transform:
        msg = (
            f"torch_weights.transform_input: {type(net).__name__} '{net.name}' was given. Expected "
            f"an Inception3: torchvision changes the images of no other. Leave it out."
        )
        raise InvalidArgumentError(msg)
    first: Any = net.features[0]
    convolution, norm = first[0], first[1]
    means, deviations = (torch.tensor(each, dtype=torch.float64) for each in _IMAGENET)
    weight = plain(convolution.weight.data())
    wide = weight.double()
    # The convolution has neither bias nor padding: what is added to images moves its mean.
    added = (wide.sum((2, 3)) * ((means - _INCEPTION) / _INCEPTION)).sum(1)
    scaled = wide * (deviations / _INCEPTION).reshape(1, 3, 1, 1)
    mean = plain(norm.running_mean.data()).double() - added
    convolution.weight.set_data(from_torch(scaled.to(weight.dtype).contiguous()))
    norm.running_mean.set_data(from_torch(mean.to(weight.dtype)))


def check_twin(net: Classifier) -> None:
    """Raise an error unless PyTorch has the architecture."""
    if not getattr(net, "has_torch_twin", False):
        msg = (
            f"{type(net).__name__}: neither torchvision nor timm has this network. Expected one "
            f"of AlexNet, VGG, ResNetV1, SqueezeNet, DenseNet, Inception3 and MobileNetV2. Take "
            f"such a one, or net.to_torch() for a module of PyTorch."
        )
        raise InvalidArgumentError(msg)


def _check_relative(net: Classifier, source: str, names: Iterable[str]) -> None:
    part, difference = net.torch_relative
    if part and any(part in name for name in names):
        warnings.warn(
            f"{source!r} has the names of {difference}. Expected weights for what "
            f"{type(net).__name__} '{net.name}' computes: outputs differ otherwise. Take those of "
            f"torchvision or timm.",
            stacklevel=users_level(),
        )


# --- layers and their shapes -------------------------------------------------------------------


def _layers(shapes: Mapping[str, Shape]) -> list[_Layer]:
    found: dict[str, dict[str, Shape]] = {}
    for name, shape in shapes.items():
        layer, _, part = name.rpartition(".")
        if part != _COUNT:
            found.setdefault(layer, {})[PARTS.get(part, part)] = shape
    return [_Layer(name, parts) for name, parts in found.items()]


def _shapes(net: Classifier) -> dict[str, Shape]:
    params: dict[str, Parameter] = net._collect_params_with_prefix()
    if any(0 in _shape(param) for param in params.values()):
        net.infer_shape(zeros((1, 3, net.image_size, net.image_size)))
    return {name: _shape(param) for name, param in params.items()}


def _open(layer: _Layer) -> _Layer:
    """Return a layer, of any number of classes if it gives those."""
    if not layer.name.startswith("output"):
        return layer
    return _Layer(layer.name, {part: (None, *shape[1:]) for part, shape in layer.parts.items()})


def _alike(wanted: Shape, given: Shape) -> bool:
    if not wanted or not given or (wanted[0] is not None and wanted[0] != given[0]):
        return False
    rest, other = wanted[1:], given[1:]
    # A Dense layer may stand as a convolution of the whole image, and the other way round.
    return rest == other or (
        len(rest) != len(other) and bool(rest) and bool(other) and _size(rest) == _size(other)
    )


def _shape(param: Parameter) -> tuple[int, ...]:
    return param.shape or ()


def _size(shape: Shape) -> int:
    return math.prod(length or 1 for length in shape)


def _reshaping(shape: tuple[int, ...]) -> Callable[[Tensor | None], Tensor]:
    def values(tensor: Tensor | None) -> Tensor:
        assert tensor is not None  # noqa: S101 - there is a name
        return tensor.reshape(shape)

    return values


def _identity(part: str, param: Parameter) -> Source:
    """Return values of a convolution of 1 by 1 and its normalization that change nothing."""
    shape = _shape(param)

    def values(_: Tensor | None) -> Tensor:
        if part == "weight":
            return torch.eye(shape[0]).reshape(shape)
        if part == "gamma":
            return torch.full(shape, math.sqrt(1 + 1e-5))
        return torch.ones(shape) if part == "running_var" else torch.zeros(shape)

    return Source("", shape, values)


# --- the order of layers -----------------------------------------------------------------------


def _placed(
    wanted: Sequence[_Layer], given: Sequence[_Layer], net: Classifier
) -> dict[str, str] | None:
    """Return the names of given layers by those of the wanted ones, if there is such an order."""
    root = _Node()
    for layer in given:
        node = root
        for part in layer.name.split("."):
            node = node.children.setdefault(part, _Node())
        node.layer = layer
    _sort(root)
    found = _Order(wanted, net.torch_lacks).of(root, 0)
    if found is None or found[0] != len(wanted):
        return None
    return {wanted[place].name: name for name, place in found[1].items()}


def _sort(node: _Node) -> None:
    """Put children in the order of their names, and note what each is like."""
    for child in node.children.values():
        _sort(child)
    node.children = dict(sorted(node.children.items(), key=lambda item: natural(item[0])))
    parts = () if node.layer is None else tuple(sorted(node.layer.parts.items()))
    node.signature = (
        parts,
        *sorted((child.signature for child in node.children.values()), key=repr),
    )


class _Order:
    """Finds the order of named things in which they are what is wanted."""

    def __init__(self, wanted: Sequence[_Layer], optional: Sequence[str]) -> None:
        self._wanted = wanted
        self._optional = optional
        self._known: dict[tuple[int, int], tuple[int, dict[str, int]] | None] = {}

    def of(self, node: _Node, at: int) -> tuple[int, dict[str, int]] | None:
        """Return where the layers of a node have their places from one on, and what comes next."""
        key = id(node), at
        if key not in self._known:
            self._known[key] = self._found(node, at)
        return self._known[key]

    def _found(self, node: _Node, at: int) -> tuple[int, dict[str, int]] | None:
        if node.layer is None:
            return self._arranged(list(node.children.values()), at)
        while at < len(self._wanted):
            if self._wanted[at].takes(node.layer):
                return at + 1, {node.layer.name: at}
            if self._wanted[at].name not in self._optional:
                break
            at += 1
        return None

    def _arranged(self, nodes: list[_Node], at: int) -> tuple[int, dict[str, int]] | None:
        if not nodes:
            return at, {}
        tried = set()
        for place, node in enumerate(nodes):
            if node.signature in tried:  # as good as one that did not lead to an end
                continue
            tried.add(node.signature)
            first = self.of(node, at)
            rest = first and self._arranged(nodes[:place] + nodes[place + 1 :], first[0])
            if first and rest:
                return rest[0], first[1] | rest[1]
        return None


def _misfit(
    source: str, net: Classifier, wanted: Sequence[_Layer], given: Sequence[_Layer]
) -> ParameterFileError:
    missing = [layer for layer in wanted if layer.name not in net.torch_lacks]
    unexpected = []
    for layer in given:
        partner = next((each for each in missing if each.takes(layer)), None)
        if partner is None:
            unexpected.append(layer)
        else:
            missing.remove(partner)
    where = f"{source!r} does not hold the weights of {type(net).__name__} '{net.name}'"
    if missing or unexpected:
        what = (
            f"missing are {listed(_told(missing)) or 'none'}; "
            f"unexpected are {listed(_told(unexpected)) or 'none'}"
        )
    else:
        what = "the layers are there, and their names put them in another order"
    return ParameterFileError(f"{where}: {what}. {_ADVICE}.")


def _told(layers: Sequence[_Layer]) -> Iterator[str]:
    for layer in layers:
        shapes = [shape for part, shape in layer.parts.items() if part == "weight"] or [
            *layer.parts.values()
        ]
        yield f"{layer.name} {tuple('any' if n is None else n for n in shapes[0])}"
