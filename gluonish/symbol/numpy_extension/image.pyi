"""Operators image.* of sym.npx.

Written by scripts/make_stubs.py; do not edit.
"""

import builtins
from collections.abc import Mapping, Sequence
from typing import Unpack

from gluonish.symbol.attributes import Attributes
from gluonish.symbol.np_symbol import NumpySymbol
from gluonish.symbol.symbol import Symbol

def adjust_lighting(
    data: Symbol | None = None,
    alpha: Sequence[builtins.float] = ...,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def crop(
    data: Symbol | None = None,
    x: builtins.int = ...,
    y: builtins.int = ...,
    width: builtins.int = ...,
    height: builtins.int = ...,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def flip_left_right(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def flip_top_bottom(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def normalize(
    data: Symbol | None = None,
    mean: builtins.float | Sequence[builtins.float] = 0.0,
    std: builtins.float | Sequence[builtins.float] = 1.0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def random_brightness(
    data: Symbol | None = None,
    min_factor: builtins.float = ...,
    max_factor: builtins.float = ...,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def random_color_jitter(
    data: Symbol | None = None,
    brightness: builtins.float = ...,
    contrast: builtins.float = ...,
    saturation: builtins.float = ...,
    hue: builtins.float = ...,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def random_contrast(
    data: Symbol | None = None,
    min_factor: builtins.float = ...,
    max_factor: builtins.float = ...,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def random_flip_left_right(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def random_flip_top_bottom(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def random_hue(
    data: Symbol | None = None,
    min_factor: builtins.float = ...,
    max_factor: builtins.float = ...,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def random_lighting(
    data: Symbol | None = None,
    alpha_std: builtins.float = 0.05,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def random_saturation(
    data: Symbol | None = None,
    min_factor: builtins.float = ...,
    max_factor: builtins.float = ...,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def resize(
    data: Symbol | None = None,
    size: builtins.int | Sequence[builtins.int] = 0,
    keep_ratio: builtins.bool = False,
    interp: builtins.int = 1,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def to_tensor(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
