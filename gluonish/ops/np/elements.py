"""NumPy's functions of elements that `nd` lacks: limits, replaced values, steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as onp
import torch
from torch import Tensor

from gluonish.array.constant_results import is_captured
from gluonish.array.dtypes import numpy_dtype, torch_dtype
from gluonish.errors import InvalidArgumentError
from gluonish.ops.elementwise.functions import clamped
from gluonish.ops.np import recorded
from gluonish.ops.np.arguments import Out, as_tensor, into
from gluonish.ops.table import Graph, Sparse, op

if TYPE_CHECKING:
    from typing import TypeAlias


Bound: TypeAlias = "torch.Tensor | float | None"


def _clip(a: Tensor, lower: Bound, upper: Bound) -> Tensor:
    if lower is None and upper is None:
        msg = (
            "np.clip: neither a_min nor a_max was given. Expected one of them at least. Pass the "
            "limits, for example x.clip(0, 1)."
        )
        raise InvalidArgumentError(msg)
    if isinstance(lower, Tensor) or isinstance(upper, Tensor):
        ends = [None if each is None else as_tensor(each, a).to(a.dtype) for each in (lower, upper)]
        return torch.clamp(a, *ends)
    return clamped(a, lower, upper)


@op(np="clip", file="clip", recorded=recorded.clip, sparse=Sparse("clips"))
def clip(a: Tensor, a_min: Bound, a_max: Bound, out: Out = None) -> Tensor:
    """Return the elements with those below or above limits replaced by the limit.

    Examples
    --------
    >>> from gluonish import np
    >>> np.clip(np.arange(4), 1, 2)
    array([1., 1., 2., 2.])
    """
    return into(out, _clip(as_tensor(a), a_min, a_max))


@op(np_method="clip")
def clip_method(
    a: Tensor,
    min: Bound = None,  # noqa: A002 - NumPy's name
    max: Bound = None,  # noqa: A002
    out: Out = None,
) -> Tensor:
    """Return the elements with those below or above limits replaced by the limit.

    Examples
    --------
    >>> from gluonish import np
    >>> np.arange(4).clip(max=2)
    array([0., 1., 2., 2.])
    """
    result = _clip(a, min, max)
    return result if out is None else into(out, result)


@op(
    np="nan_to_num",
    recorded=recorded.renamed("_npi_nan_to_num", x="data"),
    graph=Graph(written={"np.nan_to_num": "copy=True nan=0.0 posinf=None neginf=None"}),
)
def nan_to_num(
    x: Tensor,
    copy: bool = True,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
) -> Tensor:
    """Return the elements with not-a-number and infinities replaced.

    Parameters
    ----------
    x : ndarray
        The elements.
    copy : bool, default True
        Whether the result has memory of its own; False writes into `x`, but not in graphs.
    nan : float, default 0.0
        What stands for not-a-number.
    posinf, neginf : float, optional
        What stands for the infinities: by default the largest and the least number.

    Examples
    --------
    >>> from gluonish import np
    >>> np.nan_to_num(np.array([1, np.nan]))
    array([1., 0.])
    """
    x = as_tensor(x)
    if not x.is_floating_point():
        return x.clone() if copy else x
    result = torch.nan_to_num(x, nan, posinf, neginf)
    return result if copy or x.requires_grad or is_captured() else into(x, result)


@op(np="heaviside")
def heaviside(x1: Tensor, x2: Tensor) -> Tensor:
    """Return 0 where the first is negative, 1 where it is positive, the second where it is 0.

    Examples
    --------
    >>> from gluonish import np
    >>> np.heaviside(np.array([-1, 0, 2]), 0.5)
    array([0. , 0.5, 1. ])
    """
    x1 = as_tensor(x1)
    x2 = as_tensor(x2, x1)
    both = (onp.zeros(0, numpy_dtype(x.dtype)) for x in (x1, x2))
    target = torch_dtype(onp.heaviside(*both).dtype)
    x1 = x1.to(target)
    steps = torch.heaviside(x1, x2.to(target))
    return torch.where(x1.isnan(), x1, steps)  # which torch takes for a negative number


@op(np="real")
def real(val: Tensor) -> Tensor:
    """Return the real part: of arrays of real numbers, the array.

    Examples
    --------
    >>> from gluonish import np
    >>> np.real(np.ones(2))
    array([1., 1.])
    """
    return torch.real(as_tensor(val))
