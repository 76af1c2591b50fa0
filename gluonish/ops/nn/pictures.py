"""What pictures and tables of networks show of layers: labels, colours, counts of parameters."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from gluonish.ops.table import Picture

if TYPE_CHECKING:
    from collections.abc import Mapping


def _window(given: Mapping[str, Any]) -> str:
    """Return kernel and stride: `3x3/2x2`."""
    kernel, stride = given.get("kernel") or (), given.get("stride")
    return f"{_product(kernel)}/{_product(stride) if stride else 1}"


def _product(sizes: object) -> str:
    return "x".join(map(str, sizes)) if isinstance(sizes, (list, tuple)) else str(sizes)


def _biases(arguments: Mapping[str, Any], count: int) -> int:
    return 0 if arguments.get("no_bias") else count


def _of_convolution(arguments: Mapping[str, Any], features: int, _: tuple[int, ...]) -> int:
    filters = arguments["num_filter"]
    weights = features * filters * math.prod(arguments["kernel"])
    return int(weights // arguments["num_group"] + _biases(arguments, filters))


def _of_dense(arguments: Mapping[str, Any], features: int, _: tuple[int, ...]) -> int:
    units = arguments["num_hidden"]
    return int(features * units + _biases(arguments, units))


def _of_batch_norm(_: Mapping[str, Any], __: int, shape: tuple[int, ...]) -> int:
    return shape[1] * 2 if len(shape) > 1 else 0


def _of_embedding(arguments: Mapping[str, Any], _: int, __: tuple[int, ...]) -> int:
    return int(arguments["input_dim"] * arguments["output_dim"])


CONVOLUTION = Picture(
    "weights", lambda given: f"{_window(given)}, {given['num_filter']}", _of_convolution
)
DENSE = Picture("weights", lambda given: str(given["num_hidden"]), _of_dense)
BATCH_NORM = Picture("statistics", parameters=_of_batch_norm)
EMBEDDING = Picture(parameters=_of_embedding)
ACTIVATION = Picture("activation", lambda given: str(given["act_type"]))
LEAKY = Picture("activation", lambda given: str(given.get("act_type", "Leaky")))
POOLING = Picture("pooling", lambda given: f"{given.get('pool_type', 'max')}, {_window(given)}")
