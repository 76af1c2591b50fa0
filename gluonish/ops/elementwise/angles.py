"""Angles and hyperbolic functions, element by element."""

from __future__ import annotations

from functools import partial

import torch

from gluonish.ops.elementwise.one_array import register
from gluonish.ops.table import EITHER, EXACT, FULL, Precision

_register = partial(register, __name__)

_register(
    "sin",
    torch.sin,
    "the sine of the angle in radians",
    "[0, 1]",
    "[0.    , 0.8415]",
    precision=EITHER,
    sparse="keeps zeros",
)
_register(
    "cos",
    torch.cos,
    "the cosine of the angle in radians",
    "[0, 1]",
    "[1.    , 0.5403]",
    precision=EITHER,
    sparse="",
)
_register(
    "tan",
    torch.tan,
    "the tangent of the angle in radians",
    "[0, 1]",
    "[0.    , 1.5574]",
    precision=FULL,
    sparse="keeps zeros",
)
_register(
    "arcsin",
    torch.asin,
    "the angle in [-pi/2, pi/2] with the sine",
    "[0, 1]",
    "[0.    , 1.5708]",
    precision=FULL,
    sparse="keeps zeros",
)
_register(
    "arccos",
    torch.acos,
    "the angle in [0, pi] with the cosine",
    "[1, 0]",
    "[0.    , 1.5708]",
    precision=FULL,
    sparse="",
)
_register(
    "arctan",
    torch.atan,
    "the angle in (-pi/2, pi/2) with the tangent",
    "[0, 1]",
    "[0.    , 0.7854]",
    precision=EITHER,
    sparse="keeps zeros",
)
_register(
    "sinh",
    torch.sinh,
    "the hyperbolic sine",
    "[0, 1]",
    "[0.    , 1.1752]",
    precision=Precision("full", others={"_sparse_sinh": EITHER}),
    sparse="keeps zeros",
)
_register(
    "cosh",
    torch.cosh,
    "the hyperbolic cosine",
    "[0, 1]",
    "[1.    , 1.5431]",
    precision=FULL,
    sparse="",
)
_register(
    "tanh",
    torch.tanh,
    "the hyperbolic tangent",
    "[0, 1]",
    "[0.    , 0.7616]",
    precision=EXACT,
    sparse="keeps zeros",
)
_register(
    "arcsinh",
    torch.asinh,
    "the inverse hyperbolic sine",
    "[0, 1]",
    "[0.    , 0.8814]",
    precision=EITHER,
    sparse="keeps zeros",
)
_register(
    "arccosh",
    torch.acosh,
    "the inverse hyperbolic cosine",
    "[1, 2]",
    "[0.   , 1.317]",
    precision=EITHER,
    sparse="",
)
_register(
    "arctanh",
    torch.atanh,
    "the inverse hyperbolic tangent",
    "[0, 0.5]",
    "[0.    , 0.5493]",
    precision=FULL,
    sparse="keeps zeros",
)
_register(
    "degrees",
    torch.rad2deg,
    "the angle in degrees, given in radians,",
    "[0, 1]",
    "[ 0.    , 57.2958]",
    np=("degrees", "rad2deg"),
    precision=EITHER,
    sparse="keeps zeros",
)
_register(
    "radians",
    torch.deg2rad,
    "the angle in radians, given in degrees,",
    "[0, 180]",
    "[0.    , 3.1416]",
    np=("radians", "deg2rad"),
    precision=EITHER,
    sparse="keeps zeros",
)
