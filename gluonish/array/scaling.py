"""Arrays that are multiplied by one factor: clipped by their norm, or freed of a loss's scale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from gluonish.array import tensor_lists

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from torch import Tensor

    Rule: TypeAlias = "Callable[[Sequence[Tensor], Any], tuple[Any, Tensor | None]]"


def by_norm(tensors: Sequence[Tensor], max_norm: Any) -> tuple[Tensor, Tensor]:
    """Return what makes the norm of all elements at most `max_norm`, and their norm, shape (1,).

    Parameters
    ----------
    tensors : sequence of Tensor
        They may be on several devices; half precision is added up in float32.
    max_norm : float, or Tensor without axes
        The largest norm.
    """
    norms = tensor_lists.norm([one.float() if one.element_size() < 4 else one for one in tensors])
    device = norms[0].device
    together = torch.stack([norm.to(device).float() for norm in norms])
    norm = together.square().sum().sqrt()
    return (max_norm / (norm + 1e-8)).clamp(max=1.0), norm.reshape(1)


def by_number(_tensors: Sequence[Tensor], number: Any) -> tuple[Any, None]:
    """Return the number that was given."""
    return number, None


def scaled(tensors: Sequence[Tensor], rule: Rule, number: Any) -> tuple[list[Tensor], Any]:
    """Return tensors times what a rule gives for them, and what else it found."""
    factor, found = rule(tensors, number)
    if isinstance(factor, torch.Tensor):
        return [one * factor.to(one.device, one.dtype) for one in tensors], found
    return [one * factor for one in tensors], found


def scale_(tensors: Sequence[Tensor], rule: Rule, number: Any) -> Tensor | None:
    """Multiply tensors in place by what a rule gives for them; return what else it found."""
    factor, found = rule(tensors, number)
    for one in tensors:
        one.mul_(factor.to(one.device, one.dtype) if isinstance(factor, torch.Tensor) else factor)
    return found
