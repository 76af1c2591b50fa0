"""Compares results of a folded graph with those of the plain way, a piece at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from torch import Tensor

_TOLERANCES = {torch.float64: 1e-9, torch.float32: 1e-5, torch.float16: 5e-3, torch.bfloat16: 4e-2}
_PIECE = 1 << 18  # elements that are compared at a time, rounded up to rows of the first axis


def difference(found: Sequence[Tensor], expected: Sequence[Tensor]) -> str | None:
    """Return how results differ by more than rounding, or None."""
    for position, (one, right) in enumerate(zip(found, expected, strict=True)):
        if one.shape != right.shape or one.dtype != right.dtype:
            return f"result {position} is of another kind"
        tolerance = _TOLERANCES.get(one.dtype)
        if tolerance is None:
            if not torch.equal(one, right):
                return f"result {position} differs"
        elif one.numel():
            error = max(map(_largest_error, _pieces(one), _pieces(right)))
            if error > tolerance * max(map(_largest, _pieces(right))):
                return f"result {position} differs"
    return None


def _pieces(tensor: Tensor) -> Iterator[Tensor]:
    """Return parts of a tensor, so that what is computed of them takes little memory."""
    if not tensor.dim():
        return iter((tensor,))
    rows = max(1, _PIECE * tensor.shape[0] // tensor.numel())
    return iter(torch.split(tensor, rows))


def _largest_error(one: Tensor, right: Tensor) -> float:
    error = (one - right).abs_()
    error.masked_fill_(one == right, 0.0)  # infinities
    error.masked_fill_(one.isnan() & right.isnan(), 0.0)
    return error.nan_to_num_(float("inf"), float("inf")).max().item()


def _largest(right: Tensor) -> float:
    return right.abs().nan_to_num_(0.0, 0.0, 0.0).max().item()
