"""What a node of a captured graph computes, whether torch's functions or its kernels were seen."""

from __future__ import annotations

from typing import Any, NamedTuple

from torch import fx

from gluonish.process.replay_marks import is_opaque
from gluonish.process.torch_names import OperatorOverload


def name_of(node: fx.Node) -> str | None:
    """Return the name of torch's function that a node calls; None for anything else."""
    target: Any = node.target
    if node.op == "call_method":
        return str(target)
    if node.op != "call_function" or is_opaque(target):
        return None
    if isinstance(target, OperatorOverload):
        return str(target).split(".")[1]
    where = getattr(target, "__module__", None) or "torch"
    if where.partition(".")[0] in ("torch", "_operator"):
        return str(getattr(target, "__name__", ""))
    return None


class Convolution(NamedTuple):
    """A convolution of images."""

    data: fx.Node
    weight: fx.Node
    bias: fx.Node | None
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]
    groups: int


class Product(NamedTuple):
    """A product with a matrix whose rows belong to the features of the result."""

    data: fx.Node
    weight: fx.Node
    bias: fx.Node | None


class Norm(NamedTuple):
    """A batch normalization by given mean and variance."""

    data: fx.Node
    gamma: fx.Node | None
    beta: fx.Node | None
    mean: fx.Node
    variance: fx.Node
    eps: float


class Activation(NamedTuple):
    """A function of each element, in oneDNN's words."""

    data: fx.Node
    name: str
    numbers: tuple[float, ...] = ()
    algorithm: str | None = ""


class Sum(NamedTuple):
    """The sum of two tensors."""

    left: fx.Node
    right: fx.Node


def convolution(node: fx.Node) -> Convolution | None:
    """Return what a node convolves, if it does."""
    name, args = name_of(node), node.args
    if node.kwargs:
        return None
    if name == "conv2d" and len(args) == 7:
        data, weight, bias, stride, padding, dilation, groups = args
    elif name == "convolution" and len(args) == 9 and args[6] is False:
        data, weight, bias, stride, padding, dilation, _, _, groups = args
    else:
        return None
    if not (_are_nodes(data, weight) and _is_node_or_none(bias)) or isinstance(padding, str):
        return None
    sizes = [(n, n) if isinstance(n, int) else tuple(n) for n in (stride, padding, dilation)]  # type: ignore[arg-type]
    if any(len(size) != 2 for size in sizes) or len(shape_of(weight) or ()) != 4:
        return None
    made: Any = (data, weight, bias, *sizes, groups)
    return Convolution(*made)


def product(node: fx.Node) -> Product | None:
    """Return what a node multiplies with a matrix, if it does."""
    name, args = name_of(node), node.args
    if node.kwargs:
        return None
    if name == "linear":
        data, weight, bias = (*args, None)[:3]
    elif name == "addmm" and len(args) == 3:
        bias, data, weight = args[0], args[1], _transposed(args[2])
    elif name == "mm" and len(args) == 2:
        bias, data, weight = None, args[0], _transposed(args[1])
    else:
        return None
    if not _are_nodes(data, weight) or not _is_node_or_none(bias):
        return None
    if len(shape_of(weight) or ()) != 2 or (bias and len(shape_of(bias) or ()) != 1):
        return None
    return Product(data, weight, bias)  # type: ignore[arg-type]


def norm(node: fx.Node) -> Norm | None:
    """Return what a node normalizes by constants, if it does."""
    args = node.args
    if node.kwargs:
        return None
    name = name_of(node)
    if name == "getitem" and args[1] == 0 and isinstance(args[0], fx.Node):
        source = args[0]
        if name_of(source) != "native_batch_norm" or len(source.users) > 1:
            return None
        given = source.args
    elif name == "batch_norm" and len(args) == 9:
        given = args[:8]
    else:
        return None
    data, gamma, beta, mean, variance, is_training, _, eps = given
    if is_training or not (_are_nodes(data, mean, variance) and _is_node_or_none(gamma)):
        return None
    return Norm(data, gamma, beta, mean, variance, eps) if _is_node_or_none(beta) else None  # type: ignore[arg-type]


def activation(node: fx.Node) -> Activation | None:
    """Return which function of each element a node computes, if it is one that oneDNN knows."""
    read = _ACTIVATIONS.get(name_of(node) or "")
    if read is None or not node.args or not isinstance(node.args[0], fx.Node):
        return None
    found: Activation | None = read(node.args[0], node.args[1:], node.kwargs)
    return found


def addition(node: fx.Node) -> Sum | None:
    """Return which two tensors of one shape and dtype a node adds, if it does."""
    if name_of(node) != "add" or len(node.args) != 2 or node.kwargs:
        return None
    left, right = node.args
    if not isinstance(left, fx.Node) or not isinstance(right, fx.Node):
        return None
    same = like(left) is not None and like(left) == like(right) == like(node)
    return Sum(left, right) if same and left is not right else None


def copied(node: fx.Node) -> fx.Node | None:
    """Return what a node makes a copy of, in the same order of elements; None if it makes none."""
    if name_of(node) != "clone" or len(node.args) != 1 or node.kwargs:
        return None
    (source,) = node.args
    return source if isinstance(source, fx.Node) else None


def like(node: fx.Node) -> tuple[Any, Any] | None:
    """Return shape and dtype of what a node makes, where they were noted."""
    noted: tuple[Any, Any] | None = node.meta.get("like")
    return noted


def shape_of(node: object) -> tuple[int, ...] | None:
    """Return the shape of what a node makes, where it was noted."""
    noted = like(node) if isinstance(node, fx.Node) else None
    return None if noted is None else tuple(noted[0])


def _are_nodes(*values: object) -> bool:
    return all(isinstance(value, fx.Node) for value in values)


def _is_node_or_none(value: object) -> bool:
    return value is None or isinstance(value, fx.Node)


def _transposed(node: object) -> fx.Node | None:
    """Return the matrix whose axes a node swaps."""
    if isinstance(node, fx.Node) and name_of(node) == "t" and len(node.args) == 1:
        (source,) = node.args
        return source if isinstance(source, fx.Node) else None
    return None


def _simple(name: str, algorithm: str | None = "") -> Any:
    def read(data: fx.Node, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Activation | None:
        return None if args or kwargs else Activation(data, name, (), algorithm)

    return read


def _clamp(data: fx.Node, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Activation | None:
    limits = (*args, *(kwargs[each] for each in ("min", "max") if each in kwargs))
    if len(limits) != 2 or not all(isinstance(each, (int, float)) for each in limits):
        return None
    low, high = (float(each) for each in limits)
    return Activation(data, "hardtanh", (low, high)) if low <= high else None


def _leaky(data: fx.Node, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Activation | None:
    slope = args[0] if args else kwargs.get("negative_slope", 0.01)
    if kwargs.get("inplace", False) or any(args[1:]) or not isinstance(slope, (int, float)):
        return None
    return Activation(data, "leaky_relu", (float(slope),))


def _gelu(data: fx.Node, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Activation | None:
    algorithm = kwargs.get("approximate", "none")
    if args or algorithm not in ("none", "tanh"):
        return None
    return Activation(data, "gelu", (), algorithm)


_ACTIVATIONS: dict[str, Any] = {
    "relu": _simple("relu"),
    "sigmoid": _simple("sigmoid"),
    "tanh": _simple("tanh"),
    "hardswish": _simple("hardswish"),
    "silu": _simple("swish"),
    "clamp": _clamp,
    "leaky_relu": _leaky,
    "gelu": _gelu,
}
