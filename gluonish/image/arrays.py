"""Pictures as arrays: between NDArray and the NumPy values that are computed with."""

from __future__ import annotations

from typing import Any

import numpy as onp

from gluonish.array import NDArray, ndarray, wrap
from gluonish.array.dtypes import tensor_of
from gluonish.context import cpu, is_np_array
from gluonish.errors import DTypeError, OperandError, ShapeError
from gluonish.errors.arguments import how_to_array
from gluonish.errors.pictures import warn_of_channels
from gluonish.errors.wording import class_name

Values = onp.ndarray[Any, Any]


def new_array(values: Values) -> NDArray:
    """Return an array of MXNet's default class on `cpu(0)` around values."""
    tensor = tensor_of(values)
    return wrap(tensor, cpu(), ndarray if is_np_array() else NDArray)


def array_like(values: Values, src: NDArray) -> NDArray:
    """Return an array of the class and on the device of a picture around values."""
    tensor = tensor_of(values)
    return wrap(tensor.to(src.tensor.device), src.context, type(src))


def check_picture(src: Any, where: str) -> None:
    """Raise the error for what is no picture, channels last.

    Raises
    ------
    OperandError
        It is no NDArray.
    ShapeError
        It has other than three axes.
    """
    if not isinstance(src, NDArray):
        how = how_to_array(src, "Write mx.nd.array(x, dtype=x.dtype).")
        msg = f"{where}: {class_name(src)} was given. Expected an NDArray. {how}"
        raise OperandError(msg)
    if src.ndim != 3:
        msg = (
            f"{where}: data of shape {src.shape} was given. Expected (height, width, channels). "
            f"Add a last axis to a grey picture with src.expand_dims(-1)."
        )
        raise ShapeError(msg)
    warn_of_channels(where, src.shape)


def pixels_of(src: Any, where: str) -> Values:
    """Return a picture's values: uint8 or floating-point numbers.

    Raises
    ------
    OperandError
        It is no NDArray.
    ShapeError
        It has other than three axes.
    DTypeError
        Its values are others.
    """
    check_picture(src, where)
    values: Values = src.asnumpy()
    if values.dtype == onp.uint8 or values.dtype.kind == "f":
        return values
    msg = (
        f"{where}: a picture of dtype {values.dtype} was given. Expected uint8 or floating-point "
        f"numbers. Convert it with src.astype('float32')."
    )
    raise DTypeError(msg)
