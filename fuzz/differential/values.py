"""Arguments of cases as plain data, and what they stand for; knows NumPy alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp

if TYPE_CHECKING:
    from collections.abc import Callable

SPECIAL = (float("inf"), float("-inf"), float("nan"), -0.0, 0.0, 1.0, -1.0, 0.5, -2.5, 1e4, -30.0)


def array_of(spec: dict[str, Any]) -> onp.ndarray:
    """Return the array that a description stands for.

    Parameters
    ----------
    spec : dict
        `shape`, `dtype`, `seed` and `values`: the kind of values, with its numbers. `nudge`, if
        there is one, changes them by about such a part of themselves. `turned` says that the
        library's array is the transposed one of the transposed values.
    """
    shape, (kind, *numbers) = tuple(spec["shape"]), spec["values"]
    draw = onp.random.RandomState(spec["seed"])
    if kind == "literal":
        return onp.array(numbers[0], spec["dtype"]).reshape(shape)
    found = _KINDS[kind](draw, shape, *numbers)
    if "nudge" in spec:
        found = found * (1 + spec["nudge"] * onp.cos(onp.arange(found.size)).reshape(shape))
    with onp.errstate(all="ignore"):
        return onp.asarray(found).astype(spec["dtype"])


def decoded(value: Any, make: Callable[[dict[str, Any]], Any]) -> Any:
    """Return what a description of an argument stands for; `make` makes the arrays."""
    if isinstance(value, list):
        return [decoded(part, make) for part in value]
    if not isinstance(value, dict):
        return value
    ((kind, content),) = value.items()
    if kind == "array":
        return make(content)
    if kind == "tuple":
        return tuple(decoded(part, make) for part in content)
    if kind in ("object", "given"):
        return make(value)
    if kind == "number":
        return onp.dtype(content[0]).type(content[1])
    if kind == "slice":
        return slice(*content)
    if kind == "ellipsis":
        return ...
    return float(content)


def _special(draw: Any, shape: tuple[int, ...]) -> onp.ndarray:
    found: onp.ndarray = onp.array(SPECIAL)[draw.randint(0, len(SPECIAL), size=shape)]
    return found


def _definite(draw: Any, shape: tuple[int, ...]) -> onp.ndarray:
    root: onp.ndarray = draw.normal(size=shape)
    found: onp.ndarray = root @ onp.swapaxes(root, -1, -2) + 3 * onp.eye(shape[-1])
    return found


def _boxes(draw: Any, shape: tuple[int, ...], size: float) -> onp.ndarray:
    corners: onp.ndarray = onp.sort(draw.uniform(0, size, size=(*shape[:-1], 2, 2)), axis=-2)
    return corners.reshape(*shape[:-1], 4)


def _regions(draw: Any, shape: tuple[int, ...], batch: int, size: float) -> onp.ndarray:
    boxes = _boxes(draw, (shape[0], 4), size)
    return onp.concatenate([draw.randint(0, batch, size=(shape[0], 1)), boxes], axis=1)


_KINDS: dict[str, Callable[..., Any]] = {
    "normal": lambda draw, shape, scale=1.0: draw.normal(size=shape) * scale,
    "uniform": lambda draw, shape, low, high: draw.uniform(low, high, size=shape),
    "ints": lambda draw, shape, low, high: draw.randint(low, high + 1, size=shape),
    "special": _special,
    "zeros": lambda draw, shape: onp.zeros(shape),
    "definite": _definite,
    "lower": lambda draw, shape: onp.tril(draw.normal(size=shape)) + 3 * onp.eye(shape[-1]),
    "permutation": lambda draw, shape: draw.permutation(int(onp.prod(shape))).reshape(shape),
    "boxes": _boxes,
    "regions": _regions,
    "simplex": lambda draw, shape: draw.dirichlet(onp.ones(shape[-1]), size=shape[:-1]),
}
