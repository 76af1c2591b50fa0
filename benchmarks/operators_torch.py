"""The same calls on tiny arrays by hand in PyTorch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["calls"]


def calls(device: str = "cpu") -> dict[str, Callable[[], object]]:
    """Return calls on tensors of six elements, by name."""
    a, b = torch.ones(2, 3, device=device), torch.ones(2, 3, device=device)
    w = torch.ones(2, 3, device=device, requires_grad=True)

    def gradient() -> None:
        w.grad = None
        (w * a).sum().backward()

    return {
        "x + y": lambda: a + b,
        "x * 2": lambda: a * 2,
        "relu(x)": lambda: torch.relu(a),
        "exp(x)": lambda: torch.exp(a),
        "x.sum(axis=1)": lambda: a.sum(dim=1),
        "x[0]": lambda: a[0],
        "x.reshape((3, 2))": lambda: a.reshape(3, 2),
        "dot(x, y, transpose_b)": lambda: torch.mm(a, b.T),
        "gradient of (w * x).sum()": gradient,
    }
