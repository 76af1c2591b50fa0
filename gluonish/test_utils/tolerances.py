"""How far apart numbers of a dtype may be."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as onp
import torch

from gluonish.array import NDArray
from gluonish.util import get_cuda_compute_capability

if TYPE_CHECKING:
    from gluonish.array.dtypes import DTypeLike

    ByDType: TypeAlias = Mapping[onp.dtype[Any], float]
    Tolerance: TypeAlias = "float | ByDType | None"

__all__ = [
    "default_atols",
    "default_numeric_eps",
    "default_rtols",
    "effective_dtype",
    "get_atol",
    "get_etol",
    "get_rtol",
    "get_tolerance",
    "get_tols",
]

_EXACT = ("bool", "int8", "uint8", "int32", "uint32", "int64", "uint64")


def default_rtols() -> dict[onp.dtype[Any], float]:
    """Return the relative tolerance for each dtype.

    Examples
    --------
    >>> import numpy
    >>> import gluonish as mx
    >>> mx.test_utils.default_rtols()[numpy.dtype('float16')]
    0.01
    """
    return _with_exact(float16=1e-2, float32=1e-4, float64=1e-5)


def default_atols() -> dict[onp.dtype[Any], float]:
    """Return the absolute tolerance for each dtype.

    Examples
    --------
    >>> import numpy
    >>> import gluonish as mx
    >>> mx.test_utils.default_atols()[numpy.dtype('float32')]
    0.001
    """
    return _with_exact(float16=1e-1, float32=1e-3, float64=1e-20)


def default_numeric_eps() -> dict[onp.dtype[Any], float]:
    """Return how far apart the points of a finite difference are, for each dtype.

    Powers of two, which lose no bits when they are added to a number.

    Examples
    --------
    >>> import numpy
    >>> import gluonish as mx
    >>> mx.test_utils.default_numeric_eps()[numpy.dtype('float32')]
    0.001953125
    """
    powers = {"float16": 6, "float32": 9, "float64": 14}
    return {onp.dtype(name): 2.0**-power for name, power in powers.items()}


def effective_dtype(dat: Any) -> onp.dtype[Any]:  # noqa: ANN401 - arrays of any kind
    """Return the dtype that tells how exact an array is.

    It is the array's own, but for float32 on a GPU where PyTorch multiplies in TF32: float16.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.effective_dtype(mx.nd.ones((2,)))
    dtype('float32')
    """
    dtype: onp.dtype[Any] = onp.dtype(dat.dtype)
    if dtype == onp.float32 and isinstance(dat, NDArray) and dat.context.device_type == "gpu":
        backends = torch.backends
        allowed = backends.cudnn.allow_tf32 or backends.cuda.matmul.allow_tf32
        recent = get_cuda_compute_capability(dat.context) >= 80
        if allowed and recent and os.environ.get("NVIDIA_TF32_OVERRIDE") != "0":
            return onp.dtype("float16")
    return dtype


def get_tolerance(dat: Any, tol: Tolerance, default_tol: ByDType) -> float:  # noqa: ANN401
    """Return a tolerance for an array: the given one, or the one of the array's dtype.

    Parameters
    ----------
    dat : array
        The array.
    tol : float, dict of dtype to float, or None
        The tolerance, or those of dtypes.
    default_tol : dict of dtype to float
        What holds for dtypes that `tol` does not have.

    Examples
    --------
    >>> import gluonish as mx
    >>> known = mx.test_utils.default_rtols()
    >>> mx.test_utils.get_tolerance(mx.nd.ones((2,)), None, known)
    0.0001
    """
    if tol is not None and not isinstance(tol, Mapping):
        return tol
    dtype = effective_dtype(dat)
    return (tol or {}).get(dtype, default_tol.get(dtype, 0.0))


def get_tols(x: Any, y: Any, rtol: Tolerance, atol: Tolerance) -> tuple[float, float]:  # noqa: ANN401
    """Return the relative and the absolute tolerance for comparing arrays: the wider of theirs.

    Examples
    --------
    >>> import numpy
    >>> import gluonish as mx
    >>> mx.test_utils.get_tols(mx.nd.ones((2,)), numpy.ones(2), None, None)
    (0.0001, 0.001)
    """
    pair = [each if hasattr(each, "dtype") else onp.asarray(each) for each in (x, y)]
    return (
        max(get_tolerance(each, rtol, default_rtols()) for each in pair),
        max(get_tolerance(each, atol, default_atols()) for each in pair),
    )


def get_rtol(rtol: float | None = None, dtype: DTypeLike = "float64") -> float:
    """Return a relative tolerance: the given one, else the dtype's.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.get_rtol(), mx.test_utils.get_rtol(0.1)
    (1e-05, 0.1)
    """
    return default_rtols()[onp.dtype(dtype)] if rtol is None else rtol  # type: ignore[arg-type]


def get_atol(atol: float | None = None, dtype: DTypeLike = "float64") -> float:
    """Return an absolute tolerance: the given one, else the dtype's.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.get_atol()
    1e-20
    """
    return default_atols()[onp.dtype(dtype)] if atol is None else atol  # type: ignore[arg-type]


def get_etol(etol: float | None = None) -> float:
    """Return the share of elements that may differ: the given one, else none.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.get_etol(), mx.test_utils.get_etol(0.1)
    (0, 0.1)
    """
    return 0 if etol is None else etol


def _with_exact(**loose: float) -> dict[onp.dtype[Any], float]:
    tolerances = loose | dict.fromkeys(_EXACT, 0)
    return {onp.dtype(name): tolerance for name, tolerance in tolerances.items()}
