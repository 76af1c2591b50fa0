"""Operators linalg.* of sym.

Written by scripts/make_stubs.py; do not edit.
"""

import builtins
from collections.abc import Mapping
from typing import Unpack

from gluonish.symbol.attributes import Attributes
from gluonish.symbol.symbol import Symbol

def det(
    A: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def extractdiag(
    A: Symbol | None = None,
    offset: builtins.int = 0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def extracttrian(
    A: Symbol | None = None,
    offset: builtins.int = 0,
    lower: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def gelqf(
    A: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def gemm(
    A: Symbol | None = None,
    B: Symbol | None = None,
    C: Symbol | None = None,
    transpose_a: builtins.bool = False,
    transpose_b: builtins.bool = False,
    alpha: builtins.float = 1.0,
    beta: builtins.float = 1.0,
    axis: builtins.int = -2,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def gemm2(
    A: Symbol | None = None,
    B: Symbol | None = None,
    transpose_a: builtins.bool = False,
    transpose_b: builtins.bool = False,
    alpha: builtins.float = 1.0,
    axis: builtins.int = -2,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def inverse(
    A: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def makediag(
    A: Symbol | None = None,
    offset: builtins.int = 0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def maketrian(
    A: Symbol | None = None,
    offset: builtins.int = 0,
    lower: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def potrf(
    A: Symbol | None = None,
    lower: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def potri(
    A: Symbol | None = None,
    lower: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def slogdet(
    A: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def sumlogdiag(
    A: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def syevd(
    A: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def syrk(
    A: Symbol | None = None,
    transpose: builtins.bool = False,
    alpha: builtins.float = 1.0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def trmm(
    A: Symbol | None = None,
    B: Symbol | None = None,
    transpose: builtins.bool = False,
    rightside: builtins.bool = False,
    lower: builtins.bool = True,
    alpha: builtins.float = 1.0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def trsm(
    A: Symbol | None = None,
    B: Symbol | None = None,
    transpose: builtins.bool = False,
    rightside: builtins.bool = False,
    lower: builtins.bool = True,
    alpha: builtins.float = 1.0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
