"""Translation of dtypes between what a user writes, torch and NumPy."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

import numpy as onp
import torch

from gluonish.errors import DTypeError
from gluonish.errors.suggestions import did_you_mean

if TYPE_CHECKING:
    from typing import TypeAlias

DTypeLike: TypeAlias = "str | type | onp.dtype[Any] | torch.dtype"

BFLOAT16 = onp.dtype([("bfloat16", onp.uint16)])

_TORCH_OF_NAME: dict[str, torch.dtype] = {
    name: getattr(torch, name)
    for name in (
        "float16", "float32", "float64", "bfloat16", "uint8", "uint16", "uint32", "uint64", "int8",
        "int16", "int32", "int64", "bool", "complex64", "complex128",
    )
}  # fmt: skip
# MXNet's numbers for dtypes, in files and in graphs.
CODE_OF_DTYPE: dict[torch.dtype, int] = {
    _TORCH_OF_NAME[name]: code
    for code, name in enumerate(
        (
            "float32", "float64", "float16", "uint8", "int32", "int8", "int64", "bool", "int16",
            "uint16", "uint32", "uint64", "bfloat16",
        )
    )
}  # fmt: skip
DTYPE_OF_CODE: dict[int, torch.dtype] = {code: dtype for dtype, code in CODE_OF_DTYPE.items()}
_NUMPY_OF_TORCH: dict[torch.dtype, onp.dtype[Any]] = {
    dtype: BFLOAT16 if name == "bfloat16" else onp.dtype(name)
    for name, dtype in _TORCH_OF_NAME.items()
}
_SHOWN: dict[torch.dtype, Any] = {
    dtype: BFLOAT16 if found is BFLOAT16 else found.type for dtype, found in _NUMPY_OF_TORCH.items()
}
# What other libraries call them.
_SHORT = {
    **{f"fp{bits}": f"float{bits}" for bits in (16, 32, 64)},
    "bf16": "bfloat16",
    **{
        f"{sign}{bits}": f"{kind}{bits}"
        for sign, kind in (("i", "int"), ("u", "uint"))
        for bits in (8, 16, 32, 64)
    },
}
_NAME = re.compile(r"[<>|=]?[A-Za-z?]\w*")
_cache: dict[Any, torch.dtype] = {}


def dtype_name(dtype: object) -> str:
    """Return the name MXNet and NumPy give a dtype of PyTorch or NumPy, such as `'float32'`."""
    return str(dtype).removeprefix("torch.")


def writable(values: Any, dtype: Any = None) -> onp.ndarray[Any, Any]:
    """Return values as NumPy has them, in memory that torch takes: contiguous and not protected.

    Examples
    --------
    >>> import numpy
    >>> from gluonish.array.dtypes import writable
    >>> writable(numpy.broadcast_to(1, (2,))).flags.writeable
    True
    """
    found: onp.ndarray[Any, Any] = onp.asanyarray(values, dtype, "C")
    if not found.flags.writeable:
        found = found.copy()
    if found.dtype.kind in "SU":  # texts, which MXNet reads as numbers
        try:
            found = found.astype(onp.float32)
        except ValueError as error:
            raise TypeError(*error.args) from error
    # Of an axis of length 1 NumPy minds no stride; torch refuses a negative one.
    return found.copy() if min(found.strides, default=0) < 0 else found


def tensor_of(values: Any) -> torch.Tensor:
    """Return a tensor around values of NumPy, in their memory if torch takes it.

    Examples
    --------
    >>> from gluonish.array.dtypes import tensor_of
    >>> tensor_of([1, 2])
    tensor([1, 2])
    """
    return torch.from_numpy(writable(values))


def torch_dtype(dtype: DTypeLike) -> torch.dtype:
    """Return the torch dtype for a name, a NumPy dtype or scalar type, or a torch dtype.

    What has a dtype, such as an array, stands for it, as it does for NumPy.

    Raises
    ------
    DTypeError
        The dtype is none that an array can have.
    """
    try:
        found = _cache.get(dtype)
    except TypeError:  # a list, which NumPy may read as fields, and no array can hold
        return _find(dtype)
    if found is None:
        if hasattr(dtype, "dtype") and not isinstance(dtype, type):
            return torch_dtype(dtype.dtype)
        found = _cache[dtype] = _find(dtype)
    return found


def _find(dtype: DTypeLike) -> torch.dtype:
    if isinstance(dtype, torch.dtype):
        name = dtype_name(dtype)
    elif isinstance(dtype, str) and (dtype == "bfloat16" or not _NAME.fullmatch(dtype)):
        # NumPy, which would evaluate parts of other texts, never sees them: files have dtypes, too.
        name = dtype if dtype == "bfloat16" else repr(dtype)
    elif not isinstance(dtype, str) and dtype == BFLOAT16:
        name = "bfloat16"
    else:
        try:
            name = onp.dtype(dtype).name
        except (TypeError, ValueError, SyntaxError):
            name = repr(dtype)
    if name not in _TORCH_OF_NAME:
        short = _SHORT.get(str(dtype).lower())
        meant = did_you_mean(short or str(dtype), _TORCH_OF_NAME)
        msg = (
            f"dtype {dtype!r}: no array can hold it. Expected one of "
            f"{', '.join(_TORCH_OF_NAME)}. Pass such a name, or a NumPy or torch dtype.{meant}"
        )
        if isinstance(dtype, int):
            msg += (
                " If that was a length: a shape is one tuple, as in np.zeros((2, 3)); several axes "
                "are, too, as in x.mean((0, 1))."
            )
        raise DTypeError(msg)
    return _TORCH_OF_NAME[name]


def number_in(number: float, dtype: torch.dtype) -> float:
    """Return what a number becomes in a dtype that may not hold it, as C's casts have it.

    Examples
    --------
    >>> import torch
    >>> from gluonish.array.dtypes import number_in
    >>> number_in(-2.5, torch.uint8), number_in(300, torch.int8), number_in(1e9, torch.float16)
    (254, 44, inf)
    """
    if dtype is torch.bool or dtype.is_complex:
        return bool(number) if dtype is torch.bool else number
    if dtype.is_floating_point:
        most = torch.finfo(dtype).max
        if -most <= number <= most or number != number:
            return float(number)
        is_near = abs(number) < most * (1 + torch.finfo(dtype).eps / 4)  # rounded down
        return math.copysign(most if is_near else math.inf, number)
    limits = torch.iinfo(dtype)
    if limits.min <= number <= limits.max:
        return int(number)
    lowest = -(2 ** (63 if limits.bits == 64 else 31))
    whole = int(number) if lowest <= number < -lowest else lowest
    span: int = 2**limits.bits
    return (whole - limits.min) % span + limits.min


def numpy_dtype(dtype: torch.dtype) -> onp.dtype[Any]:
    """Return the NumPy dtype of a torch dtype (bfloat16 as MXNet shows it)."""
    return _NUMPY_OF_TORCH[dtype]


def shown_dtype(dtype: torch.dtype) -> Any:
    """Return what arrays say their dtype is: NumPy's scalar type; for bfloat16 MXNet's dtype.

    Examples
    --------
    >>> import torch
    >>> from gluonish.array.dtypes import shown_dtype
    >>> shown_dtype(torch.float32), shown_dtype(torch.bfloat16)
    (<class 'numpy.float32'>, dtype([('bfloat16', '<u2')]))
    """
    return _SHOWN[dtype]
