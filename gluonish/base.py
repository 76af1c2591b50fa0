"""`mx.base`: those of its names that programs use."""

from __future__ import annotations

import numpy as onp

from gluonish.errors import MXNetError

__all__ = ["MXNetError", "integer_types", "mx_real_t", "numeric_types", "py_str", "string_types"]

string_types = (str,)
integer_types = (int, onp.int32, onp.int64)
numeric_types = (float, int, onp.generic)
mx_real_t = onp.float32


def py_str(x: bytes) -> str:
    """Return bytes as text.

    Examples
    --------
    >>> from gluonish.base import py_str
    >>> py_str(b'data')
    'data'
    """
    return x.decode("utf-8")


def _as_list(obj: object) -> list[object]:
    """Return a list as it is, a tuple's elements, or a list of the one object."""
    return list(obj) if isinstance(obj, (list, tuple)) else [obj]
