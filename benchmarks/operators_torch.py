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

    filled = torch.ones(2, 3, device=device)
    rows = torch.tensor([0, 1, 1], device=device)
    places = torch.tensor([[0], [2]], device=device)
    bias = torch.zeros(2, device=device)
    square = torch.ones(64, 64, device=device)
    functional = torch.nn.functional

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
        "dot of 64 x 64": lambda: torch.mm(square, square),
        "zeros": lambda: torch.zeros(2, 3, device=device),
        "x[:] = 0": lambda: filled.zero_(),
        "concat": lambda: torch.cat((a, b), 1),
        "stack": lambda: torch.stack((a, b)),
        "split": lambda: a.split(1, 0)[0],
        "mean(axis=1)": lambda: a.mean(1),
        "max(axis=1)": lambda: a.amax(1),
        "argmax(axis=1)": lambda: a.argmax(1).float(),
        "norm": lambda: torch.linalg.vector_norm(a).reshape(1),
        "transpose": lambda: a.t(),
        "expand_dims": lambda: a.unsqueeze(0),
        "slice": lambda: a[1:2],
        "slice_axis": lambda: a[1:2],
        "clip": lambda: torch.clamp(a, 0, 1),
        "softmax": lambda: torch.softmax(a, -1),
        "x == y": lambda: (a == b).float(),
        "take": lambda: a.index_select(0, rows),
        "pick": lambda: a.gather(1, places).squeeze(1),
        "one_hot": lambda: functional.one_hot(rows, 3).float(),
        "Embedding": lambda: functional.embedding(rows, a),
        "FullyConnected": lambda: functional.linear(a, b, bias),
        "gradient of (w * x).sum()": gradient,
    }
