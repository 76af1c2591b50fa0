"""A user's program on symbols of both kinds, which `mypy --strict` accepts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gluonish as mx

if TYPE_CHECKING:
    from gluonish.symbol import Symbol


def residual(data: Symbol, channels: int) -> Symbol:
    """Return a block whose data goes around its convolution, too."""
    weight = mx.sym.var("weight", shape=(channels, channels, 3, 3))
    made = mx.sym.Convolution(
        data, weight, kernel=(3, 3), pad=(1, 1), num_filter=channels, no_bias=True, name="conv"
    )
    made = mx.sym.BatchNorm(made, fix_gamma=False, attr={"__mood__": "calm"}, lr_mult=2.0)
    return mx.sym.relu(made + 0.5 * data) ** 2 / (1 - mx.sym.maximum(made, 2))


def attention(query: Symbol, key: Symbol) -> Symbol:
    """Return weights of one sequence for another, by operators of sub-namespaces."""
    scores = mx.sym.linalg.gemm2(query, key, transpose_b=True, alpha=0.5)
    scores = scores.reshape((-1, 4)).softmax(axis=-1, name="scores")
    noise = mx.sym.random.uniform(0, 1, shape=(1, 4))
    return mx.sym.broadcast_add(scores, mx.sym.contrib.div_sqrt_dim(noise))


def numpy_style(x: mx.sym.np._Symbol) -> list[mx.sym.np._Symbol]:
    """Return parts of what the rules of NumPy make."""
    scaled = mx.sym.npx.relu(mx.sym.np.add(x, 1) @ x.T)
    total: mx.sym.np._Symbol = scaled.sum(axis=0, keepdims=True)
    return mx.sym.np.split(mx.sym.np.concatenate([scaled, total, total]), 2)


def loop(steps: Symbol) -> Symbol:
    """Return sums of all steps until then."""
    outputs, _ = mx.sym.contrib.foreach(lambda d, s: (d + s, d + s), steps, mx.sym.zeros((2,)))
    found: Symbol = outputs
    return found


def mistakes(x: Symbol) -> None:
    """Do what a type checker refuses; `mypy --strict` says so if it does not."""
    mx.sym.FullyConnected(x, num_hiden=3)  # type: ignore[call-arg]
    mx.sym.FullyConnected(x, num_hidden="many")  # type: ignore[arg-type]
    mx.sym.FulyConnected(x)  # type: ignore[attr-defined]
    mx.sym.np.relu(x)  # type: ignore[attr-defined]
    mx.sym.exp(mx.nd.ones(3))  # type: ignore[arg-type]
    x.reshap((1, 2))  # type: ignore[attr-defined]
    x + "1"  # type: ignore[operator]


if __name__ == "__main__":
    block = residual(mx.sym.Variable("data"), 3)
    shapes = block.infer_shape(data=(1, 3, 8, 8))[1]
    block = mx.sym.fromjson(block.tojson())
    executor = block.simple_bind(mx.cpu(), data=(1, 3, 8, 8))
    array: mx.nd.NDArray = executor.forward()[0]
    first: Symbol = mx.sym.Group([block, block])[0]
    both = attention(mx.sym.var("q"), mx.sym.var("k"))
    both.eval(q=mx.nd.ones((3, 4)), k=mx.nd.ones((4, 4)))
    parts = numpy_style(mx.sym.var("x").as_np_ndarray())
    parts[0].as_nd_ndarray().eval(x=mx.nd.ones((2, 2)))
    loop(mx.sym.var("x")).eval(x=mx.nd.ones((3, 2)))
