"""ONNX's operators that change the size of images, or sample them: as products of matrices."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish import symbol
from gluonish.onnx.values import handles

sym: Any = symbol  # whose functions are those of the op table

if TYPE_CHECKING:
    from collections.abc import Callable

    from gluonish.onnx.values import Node
    from gluonish.symbol import Symbol

_HOW = "coordinate_transformation_mode"
_COORDINATES = (
    "half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel", "half_pixel_symmetric",
)  # fmt: skip
# By which ways of finding the nearest element each is repeated as often as the factor says.
_REPEATING = {
    ("asymmetric", "floor"),
    ("half_pixel", "round_prefer_ceil"),
    ("half_pixel", "round_prefer_floor"),
    ("pytorch_half_pixel", "round_prefer_ceil"),
    ("pytorch_half_pixel", "round_prefer_floor"),
}
_NEAREST: dict[str, Callable[[Any], Any]] = {
    "floor": onp.floor,
    "ceil": onp.ceil,
    "round_prefer_floor": lambda places: onp.ceil(places - 0.5),
    "round_prefer_ceil": lambda places: onp.floor(places + 0.5),
}


@handles("Resize", "Upsample")
def _resize(node: Node) -> Any:
    node.only("keep_aspect_ratio_policy", "stretch")
    is_old = node.op == "Upsample" or node.version == 10
    how = "asymmetric" if is_old else node.attrs.get(_HOW, "half_pixel")
    mode = node.attrs.get("mode", "nearest")
    if how not in _COORDINATES or mode not in ("nearest", "linear", "cubic"):
        node.refuse(f"mode={mode!r}, {_HOW}={how!r}", f"one of {', '.join(_COORDINATES)}")
    shape, scales, lengths = _sizes(node, is_old=is_old)
    antialias = bool(node.attrs.get("antialias", 0)) and mode != "nearest"
    if mode == "nearest":
        rounding = "floor" if is_old else node.attrs.get("nearest_mode", "round_prefer_floor")
        is_whole = all(scale >= 1 and scale == int(scale) for scale in scales)
        if is_whole and (how, rounding) in _REPEATING:
            data = node[0]
            for axis, scale in enumerate(scales):
                data = data if scale == 1 else sym.repeat(data, repeats=int(scale), axis=axis)
            return data
    elif _is_plain(node, how, scales, shape, lengths):
        return sym.contrib.BilinearResize2D(
            node[0],
            height=lengths[2],
            width=lengths[3],
            align_corners=how == "align_corners",
            name=node.name,
        )
    data = node[0]
    for axis, (old, scale, new) in enumerate(zip(shape, scales, lengths, strict=True)):
        if scale == 1 and new == old:
            continue
        if old is None or new is None:
            node.refuse(f"scales={scales} of images of shape {shape}", "images of known sizes")
        places = _places(how, old, new, scale)
        if mode == "nearest":
            rounded = _NEAREST[rounding](places).clip(0, old - 1)
            chosen = node.constant(f"places{axis}", rounded.astype("float32"))
            data = sym.take(data, chosen, axis=axis)
        else:
            matrix = _matrix(node, places, old, scale if antialias else 1.0)
            data = _along(data, axis, node.constant(f"weights{axis}", matrix.astype("float32")))
    return data


def _is_plain(
    node: Node,
    how: str,
    scales: list[float],
    shape: list[int | None],
    lengths: list[int | None],
) -> bool:
    """Return whether MXNet's operator resizes the same way."""
    if node.attrs.get("mode") != "linear" or node.attrs.get("antialias", 0):
        return False
    if how not in ("half_pixel", "align_corners") or len(scales) != 4 or scales[:2] != [1, 1]:
        return False
    exact = [(old or 0) * scale for old, scale in zip(shape[2:], scales[2:], strict=True)]
    return exact == lengths[2:] and None not in lengths[2:]


def _sizes(node: Node, *, is_old: bool) -> tuple[list[int | None], list[float], list[int | None]]:
    """Return the lengths of all axes before, the factors, and the lengths afterwards."""
    shape = node.shape(0)
    scales, sizes = node.known(1 if is_old else 2, "scales"), node.known(3)
    axes = [axis % len(shape) for axis in node.attrs.get("axes", range(len(shape)))]
    factors: list[float] = [1.0] * len(shape)
    lengths = list(shape)
    for place, axis in enumerate(axes):
        length = shape[axis]
        if scales:
            factors[axis] = scales[place]
            known = length is not None and scales[place] != 1
            lengths[axis] = math.floor((length or 0) * scales[place]) if known else length
        elif length is not None:
            factors[axis], lengths[axis] = sizes[place] / length, sizes[place]
        else:
            node.refuse(f"sizes={sizes} for the shape {shape}", "images of known sizes")
    return shape, factors, lengths


def _places(how: str, old: int, new: int, scale: float) -> Any:
    """Return where the elements of a resized axis were before."""
    numbers = onp.arange(new, dtype="float64")
    if how == "align_corners":
        return numbers * (old - 1) / max(old * scale - 1, 1e-9) if old * scale > 1 else numbers * 0
    if how == "asymmetric" or (how == "pytorch_half_pixel" and new == 1):
        return numbers / scale if how == "asymmetric" else numbers * 0
    places = (numbers + 0.5) / scale - 0.5
    if how == "half_pixel_symmetric":
        places += old / 2 * (1 - new / (scale * old))
    return places


def _matrix(node: Node, places: Any, old: int, scale: float) -> Any:
    """Return the share of each element before, of shape (before, afterwards)."""
    is_linear = node.attrs.get("mode") == "linear"
    slope = node.attrs.get("cubic_coeff_a", -0.75)
    width = min(scale, 1.0)
    reach = math.ceil((1 if is_linear else 2) / width)
    leaves_out = bool(node.attrs.get("exclude_outside", 0)) or width < 1
    found = onp.zeros((old, len(places)))
    for number, place in enumerate(places):
        first = math.floor(place)
        near = onp.arange(first - reach + 1, first + reach + 1)
        apart = abs(near - place) * width
        shares = _linear(apart) if is_linear else _cubic(apart, slope)
        if leaves_out:
            shares = onp.where((near < 0) | (near >= old), 0.0, shares)
            shares = shares / shares.sum()
        onp.add.at(found[:, number], near.clip(0, old - 1), shares)
    return found


def _linear(apart: Any) -> Any:
    return onp.maximum(1 - apart, 0)


def _cubic(apart: Any, slope: float) -> Any:
    near = ((slope + 2) * apart - (slope + 3)) * apart**2 + 1
    far = slope * (((apart - 5) * apart + 8) * apart - 4)
    return onp.where(apart <= 1, near, onp.where(apart < 2, far, 0.0))


def _along(data: Symbol, axis: int, matrix: Symbol) -> Symbol:
    """Return data whose elements along an axis are multiplied by a matrix."""
    moved = sym.SwapAxis(data, dim1=axis, dim2=-1)
    return sym.SwapAxis(sym.dot(moved, matrix), dim1=axis, dim2=-1)  # type: ignore[no-any-return]


@handles("GridSample")
def _grid_sample(node: Node) -> Any:
    node.only("mode", "bilinear", "linear")
    node.only("padding_mode", "zeros")
    shape = node.shape(0)
    if len(shape) != 4 or None in shape[2:]:
        node.refuse(f"images of shape {shape}", "images of known sizes")
    grid = sym.transpose(node[1], axes=(0, 3, 1, 2))
    if not node.attrs.get("align_corners", 0):  # -1 and 1 are edges of pixels, not their centres
        lengths = onp.array([shape[3], shape[2]], "float32").reshape(1, 2, 1, 1)
        if lengths.min() == 1:
            node.refuse(f"images of shape {shape}", "two pixels each way")
        grid = sym.broadcast_mul(grid, node.constant("spread", lengths / (lengths - 1)))
    return sym.BilinearSampler(node[0], grid, name=node.name)
