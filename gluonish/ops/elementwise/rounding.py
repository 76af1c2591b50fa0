"""Rounding, element by element."""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor

from gluonish.ops.elementwise.one_array import family
from gluonish.ops.table import EITHER, Graph, Sparse, op
from gluonish.ops.table.explain import explained
from gluonish.ops.table.inference import elementwise

_family = partial(family, __name__)
_LARGE = frozenset((torch.float32, torch.float64))


def _half_down(data: Tensor) -> Tensor:
    floor = torch.floor(data)
    ceil = torch.ceil(data)
    return torch.where(data - floor <= ceil - data, floor, ceil)


def _half_away(data: Tensor) -> Tensor:
    whole = torch.trunc(data)
    further = torch.trunc(2 * (data - whole))
    return torch.where(further == 0, whole, whole + further).where(data.isfinite(), data.detach())


_family(EITHER, "keeps zeros", method=("{}", "__{}__"))(
    ("floor", torch.floor, "the next integer below", "-1.5, 1.5", "-2.,  1."),
    ("ceil", torch.ceil, "the next integer above", "-1.5, 1.5", "-1.,  2."),
    ("trunc", torch.trunc, "the next integer towards zero", "-1.5, 1.5", "-1.,  1."),
)
_family(EITHER, "keeps zeros")(
    ("fix", torch.trunc, "the next integer towards zero", "-1.5, 1.5", "-1.,  1."),
    ("rint", _half_down, "the nearest integer (halves go down)", "1.5, 1.6", "1., 2."),
)
_family(EITHER, "keeps zeros", np=(), method=())(
    (
        "round",
        _half_away,
        "the nearest integer (halves go away from zero)",
        "-1.5, 2.5",
        "-2.,  3.",
    ),
)


@op(nd_method="round", sparse=Sparse("keeps zeros"))
def round_half_away(data: Tensor) -> Tensor:
    """Round to the nearest integer, halves away from zero.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.array([-1.5, 2.5]).round().asnumpy()
    array([-2.,  3.], dtype=float32)
    """
    return _half_away(data)


@op(
    np=("around", "round", "round_"),
    np_method=("round", "__round__"),
    reverse=elementwise,
    graph=Graph(
        written=dict.fromkeys(
            ("np.around", "np.round", "np.round_", "np_method.round"), "decimals=0"
        ),
        hint="around",
    ),
)
@explained("numbers and an integer number of decimals. Convert with x.astype('float32')")
def around(x: Tensor, decimals: int = 0) -> Tensor:
    """Round to a number of decimals, halves to even.

    Parameters
    ----------
    x : Tensor, any shape
        Numbers.
    decimals : int, default 0
        Digits after the point to keep.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.np.around(mx.np.array([1.5, 2.5, 2.26]), 1)
    array([1.5, 2.5, 2.3])
    """
    if x.dtype in _LARGE:
        return _by_steps(x, decimals)
    if x.is_floating_point():
        return torch.round(x, decimals=decimals)
    if decimals >= 0:
        return x.clone()
    unit = int(10**-decimals)
    if unit > torch.iinfo(x.dtype).max:
        return torch.zeros_like(x)
    return torch.div(x, unit, rounding_mode="trunc") * unit  # towards 0, as MXNet


def _by_steps(x: Tensor, decimals: int) -> Tensor:
    """Move the point by one place after the other, as MXNet does: each step is rounded."""
    there, back = (torch.mul, torch.div) if decimals > 0 else (torch.div, torch.mul)
    for _ in range(abs(decimals)):
        x = there(x, 10.0)
    x = torch.round(x)
    for _ in range(abs(decimals)):
        x = back(x, 10.0)
    return x
