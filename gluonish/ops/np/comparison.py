"""NumPy's comparisons of whole arrays."""

from __future__ import annotations

import torch
from torch import Tensor

from gluonish.ops.elementwise.comparison import within
from gluonish.ops.np.arguments import as_tensors, shape_error
from gluonish.ops.table import op


def _common(where: str, a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    a, b = as_tensors((a, b))
    kind = torch.promote_types(a.dtype, b.dtype)
    try:
        first, second = torch.broadcast_tensors(a.to(kind), b.to(kind))  # type: ignore[no-untyped-call]
    except RuntimeError as error:
        raise shape_error(error, where, a, b) from error
    return first, second


@op(np="isclose")
def isclose(
    a: Tensor, b: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool | int = False
) -> Tensor:
    """Return where two arrays are equal within |a - b| <= atol + rtol |b|.

    Examples
    --------
    >>> from gluonish import np
    >>> np.isclose(np.array([1, 2]), np.array([1.000001, 3]))
    array([ True, False])
    """
    a, b = _common("np.isclose", a, b)
    return within(a, b, rtol, atol, bool(equal_nan))


@op(np="allclose", outputs=0)
def allclose(
    a: Tensor, b: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool | int = False
) -> bool:
    """Return whether two arrays are equal everywhere within |a - b| <= atol + rtol |b|.

    Examples
    --------
    >>> from gluonish import np
    >>> np.allclose(np.ones(2), np.array([1, 1.000001]))
    True
    """
    a, b = _common("np.allclose", a, b)
    return bool(within(a, b, rtol, atol, bool(equal_nan)).all())


@op(np="array_equal", outputs=0)
def array_equal(a1: Tensor, a2: Tensor, equal_nan: bool | int = False) -> bool:
    """Return whether two arrays have one shape and the same elements.

    Examples
    --------
    >>> from gluonish import np
    >>> np.array_equal(np.ones(2), np.ones(3))
    False
    """
    a1, a2 = as_tensors((a1, a2))
    if a1.shape != a2.shape:
        return False
    same = a1 == a2
    if equal_nan:
        same = same | (a1.isnan() & a2.isnan())
    return bool(same.all())


@op(np="array_equiv", outputs=0)
def array_equiv(a1: Tensor, a2: Tensor) -> bool:
    """Return whether two arrays are equal once repeated to a common shape.

    Examples
    --------
    >>> from gluonish import np
    >>> np.array_equiv(np.ones(2), np.ones((3, 2)))
    True
    """
    a1, a2 = as_tensors((a1, a2))
    try:
        return bool((a1 == a2).all())
    except RuntimeError:
        return False
