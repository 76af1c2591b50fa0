"""Calls on tiny arrays, as a Gluon program has them; `mx` is gluonish or the real MXNet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["calls"]


def calls(mx: Any, ctx: Any = None) -> dict[str, Callable[[], Any]]:  # noqa: ANN401
    """Return calls on arrays of six elements, by name."""
    nd = mx.nd
    x, y = nd.ones((2, 3), ctx=ctx), nd.ones((2, 3), ctx=ctx)
    w = nd.ones((2, 3), ctx=ctx)
    w.attach_grad()
    record = mx.autograd.record

    def gradient() -> None:
        with record():
            total = (w * x).sum()
        total.backward()

    return {
        "x + y": lambda: x + y,
        "x * 2": lambda: x * 2,
        "relu(x)": lambda: nd.relu(x),
        "exp(x)": lambda: nd.exp(x),
        "x.sum(axis=1)": lambda: x.sum(axis=1),
        "x[0]": lambda: x[0],
        "x.reshape((3, 2))": lambda: x.reshape((3, 2)),
        "dot(x, y, transpose_b)": lambda: nd.dot(x, y, transpose_b=True),
        "gradient of (w * x).sum()": gradient,
    }
