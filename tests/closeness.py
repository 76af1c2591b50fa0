"""How near two results are that were computed in different ways, or on different processors."""

from __future__ import annotations

import numpy as onp


def assert_close(found, expected, *, steps=16, where=""):
    """Find two arrays equal but for some roundings, each of an element or of the largest one.

    A sum's rounding errors are as large as those of its largest terms, however small the sum is.
    Halves are computed in float32: `steps` counts its roundings, and their own are two at most.
    """
    one, other = _values(found), _values(expected)
    assert one.shape == other.shape, where
    size = max(
        (onp.finfo(each.dtype).eps for each in (one, other) if each.dtype.kind == "f"), default=0
    )
    close = float(size) * (2 if size > onp.finfo("float32").eps else steps)
    largest = float(abs(other[onp.isfinite(other)]).max(initial=0))
    onp.testing.assert_allclose(one, other, rtol=close, atol=close * largest, err_msg=where)


def _values(array):
    """Return an NDArray's, a tensor's or a list's elements."""
    if hasattr(array, "asnumpy"):
        return array.asnumpy()
    return onp.asarray(array.detach() if hasattr(array, "detach") else array)
