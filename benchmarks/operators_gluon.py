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
    filled = nd.ones((2, 3), ctx=ctx)
    rows = nd.array([0, 1, 1], ctx=ctx)
    places = nd.array([0, 2], ctx=ctx)
    bias = nd.zeros((2,), ctx=ctx)
    square = nd.ones((64, 64), ctx=ctx)
    record = mx.autograd.record

    def fill() -> Any:  # noqa: ANN401
        filled[:] = 0
        return filled

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
        "dot of 64 x 64": lambda: nd.dot(square, square),
        "zeros": lambda: nd.zeros((2, 3), ctx=ctx),
        "x[:] = 0": fill,
        "concat": lambda: nd.concat(x, y, dim=1),
        "stack": lambda: nd.stack(x, y),
        "split": lambda: nd.split(x, 2, axis=0)[0],
        "mean(axis=1)": lambda: x.mean(axis=1),
        "max(axis=1)": lambda: x.max(axis=1),
        "argmax(axis=1)": lambda: x.argmax(axis=1),
        "norm": lambda: x.norm(),
        "transpose": lambda: x.transpose(),
        "expand_dims": lambda: x.expand_dims(0),
        "slice": lambda: nd.slice(x, begin=(1,), end=(2,)),
        "slice_axis": lambda: nd.slice_axis(x, axis=0, begin=1, end=2),
        "clip": lambda: nd.clip(x, 0, 1),
        "softmax": lambda: nd.softmax(x),
        "x == y": lambda: x == y,
        "take": lambda: nd.take(x, rows),
        "pick": lambda: nd.pick(x, places, axis=1),
        "one_hot": lambda: nd.one_hot(rows, 3),
        "Embedding": lambda: nd.Embedding(rows, x, input_dim=2, output_dim=3),
        "FullyConnected": lambda: nd.FullyConnected(x, y, bias, num_hidden=2),
        "gradient of (w * x).sum()": gradient,
    }
