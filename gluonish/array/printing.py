"""The printed forms of both array classes, letter for letter as MXNet prints them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp

if TYPE_CHECKING:
    from gluonish.array.core import NDArray

_SILENT_DTYPES = (onp.dtype("float32"), onp.dtype("bool"))


def repr_nd(array: NDArray) -> str:
    """Return the values, then class, shape and context of an `NDArray`."""
    shape = "x".join(map(str, array.shape))
    return f"\n{array.asnumpy()!s}\n<{type(array).__name__} {shape} @{array.context}>"


def repr_np(array: NDArray) -> str:
    """Return NumPy's form of an `np.ndarray`, with dtype where it is not float32."""
    values = array.asnumpy()
    text = _numpys_repr(values)
    dtype_at = text.rfind("dtype=")
    if dtype_at != -1 and values.dtype == onp.float32:
        text = text[: text.rindex(",", 0, dtype_at)] + ")"
    elif dtype_at == -1 and values.dtype not in _SILENT_DTYPES:
        text = f"{text[:-1]}, dtype={values.dtype})"
    if array.context.device_type == "cpu":
        return text
    return f"{text[:-1]}, ctx={array.context})"


def _numpys_repr(values: onp.ndarray[Any, Any]) -> str:
    """Return NumPy's form as it was before 2.2, without the shape of arrays that are cut short."""
    text = repr(values)
    if not values.size or "shape=" not in text:
        return text
    body = onp.array2string(values, separator=", ", prefix="array(", suffix=",")
    if "dtype=" not in text:
        return f"array({body})"
    start = f"array({body},"
    dtype = text[text.rindex("dtype=") :]
    last_line = len(start) - start.rfind("\n") - 1
    fits = last_line + len(dtype) < onp.get_printoptions()["linewidth"]
    return f"{start} {dtype}" if fits else f"{start}\n      {dtype}"


def str_np(array: NDArray) -> str:
    """Return NumPy's short form, with the context where there are elements on another device."""
    text = str(array.asnumpy())
    if array.ndim == 0 or array.context.device_type == "cpu":
        return text
    return f"{text} @{array.context}"
