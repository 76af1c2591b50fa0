"""Angles and hyperbolic functions, element by element."""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor

from gluonish.ops.elementwise.one_array import family, rounded_once
from gluonish.ops.table import EITHER, EXACT, FULL, Precision

_family = partial(family, __name__)
# Quotients of 180 and pi in float32, whatever the dtype, as in MXNet.
_TO_DEGREES = 57.2957763671875
_TO_RADIANS = 0.01745329238474369


_atan, _atanh = rounded_once(torch.atan), rounded_once(torch.atanh)
_asinh, _acosh = rounded_once(torch.asinh), rounded_once(torch.acosh)


def _scaled(factor: float, data: Tensor) -> Tensor:
    """Return numbers times a factor; whole ones are multiplied in float32."""
    if data.is_floating_point():
        return data * factor
    found = data.to(torch.float32) * factor
    return found if data.dtype is torch.bool else found.to(data.dtype)


_family(EITHER, "keeps zeros")(
    ("sin", torch.sin, "the sine of the angle in radians", "0, 1", "0.    , 0.8415"),
    (
        "arctan",
        _atan,
        "the angle in (-pi/2, pi/2) with the tangent",
        "0, 1",
        "0.    , 0.7854",
    ),
    ("arcsinh", _asinh, "the inverse hyperbolic sine", "0, 1", "0.    , 0.8814"),
)
_family(EITHER, "")(
    ("cos", torch.cos, "the cosine of the angle in radians", "0, 1", "1.    , 0.5403"),
    ("arccosh", _acosh, "the inverse hyperbolic cosine", "1, 2", "0.   , 1.317"),
)
_family(FULL, "keeps zeros")(
    ("tan", torch.tan, "the tangent of the angle in radians", "0, 1", "0.    , 1.5574"),
    ("arcsin", torch.asin, "the angle in [-pi/2, pi/2] with the sine", "0, 1", "0.    , 1.5708"),
    (
        "arctanh",
        _atanh,
        "the inverse hyperbolic tangent",
        "0, 0.5",
        "0.    , 0.5493",
    ),
)
_family(FULL, "")(
    ("arccos", torch.acos, "the angle in [0, pi] with the cosine", "1, 0", "0.    , 1.5708"),
    ("cosh", torch.cosh, "the hyperbolic cosine", "0, 1", "1.    , 1.5431"),
)
_family(Precision("full", others={"_sparse_sinh": EITHER}), "keeps zeros")(
    ("sinh", torch.sinh, "the hyperbolic sine", "0, 1", "0.    , 1.1752"),
)
_family(EXACT, "keeps zeros")(
    ("tanh", torch.tanh, "the hyperbolic tangent", "0, 1", "0.    , 0.7616"),
)
_family(EITHER, "keeps zeros", np=("{}", "rad2deg"))(
    (
        "degrees",
        partial(_scaled, _TO_DEGREES),
        "the angle in degrees, given in radians,",
        "0, 1",
        " 0.    , 57.2958",
    ),
)
_family(EITHER, "keeps zeros", np=("{}", "deg2rad"))(
    (
        "radians",
        partial(_scaled, _TO_RADIANS),
        "the angle in radians, given in degrees,",
        "0, 180",
        "0.    , 3.1416",
    ),
)
