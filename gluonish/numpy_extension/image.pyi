"""Operators image.* of npx.

Written by scripts/make_stubs.py; do not edit.
"""

import builtins
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as onp

from gluonish.array import ndarray

_ArrayLike: TypeAlias = ndarray | Sequence[Any] | onp.ndarray[Any, Any] | float

def adjust_lighting(
    data: _ArrayLike,
    alpha: Sequence[builtins.float],
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def crop(
    data: _ArrayLike,
    x: builtins.int,
    y: builtins.int,
    width: builtins.int,
    height: builtins.int,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def flip_left_right(
    data: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def flip_top_bottom(
    data: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def normalize(
    data: _ArrayLike,
    mean: builtins.float | Sequence[builtins.float] = 0.0,
    std: builtins.float | Sequence[builtins.float] = 1.0,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def random_brightness(
    data: _ArrayLike,
    min_factor: builtins.float,
    max_factor: builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def random_color_jitter(
    data: _ArrayLike,
    brightness: builtins.float,
    contrast: builtins.float,
    saturation: builtins.float,
    hue: builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def random_contrast(
    data: _ArrayLike,
    min_factor: builtins.float,
    max_factor: builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def random_flip_left_right(
    data: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def random_flip_top_bottom(
    data: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def random_hue(
    data: _ArrayLike,
    min_factor: builtins.float,
    max_factor: builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def random_lighting(
    data: _ArrayLike,
    alpha_std: builtins.float = 0.05,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def random_saturation(
    data: _ArrayLike,
    min_factor: builtins.float,
    max_factor: builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def resize(
    data: _ArrayLike,
    size: builtins.int | Sequence[builtins.int] = 0,
    keep_ratio: builtins.bool = False,
    interp: builtins.int = 1,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def to_tensor(data: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
