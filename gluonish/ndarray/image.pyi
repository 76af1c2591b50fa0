"""Operators image.* of nd.

Written by scripts/make_stubs.py; do not edit.
"""

import builtins
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as onp

from gluonish.array import NDArray, ndarray

_ArrayLike: TypeAlias = ndarray | Sequence[Any] | onp.ndarray[Any, Any] | float

def adjust_lighting(
    data: NDArray,
    alpha: Sequence[builtins.float],
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def crop(
    data: NDArray,
    x: builtins.int,
    y: builtins.int,
    width: builtins.int,
    height: builtins.int,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def flip_left_right(
    data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def flip_top_bottom(
    data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def normalize(
    data: NDArray,
    mean: builtins.float | Sequence[builtins.float] = 0.0,
    std: builtins.float | Sequence[builtins.float] = 1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def random_brightness(
    data: NDArray,
    min_factor: builtins.float,
    max_factor: builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def random_color_jitter(
    data: NDArray,
    brightness: builtins.float,
    contrast: builtins.float,
    saturation: builtins.float,
    hue: builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def random_contrast(
    data: NDArray,
    min_factor: builtins.float,
    max_factor: builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def random_flip_left_right(
    data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def random_flip_top_bottom(
    data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def random_hue(
    data: NDArray,
    min_factor: builtins.float,
    max_factor: builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def random_lighting(
    data: NDArray,
    alpha_std: builtins.float = 0.05,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def random_saturation(
    data: NDArray,
    min_factor: builtins.float,
    max_factor: builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def resize(
    data: NDArray,
    size: builtins.int | Sequence[builtins.int] = 0,
    keep_ratio: builtins.bool = False,
    interp: builtins.int = 1,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def to_tensor(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
