"""Programs whose graphs `autograd.get_symbol` was asked for, run by both MXNet and gluonish.

Each row computes one array from `w` and `k`, which have gradients, `x` and `c`, which have none.
"""

from __future__ import annotations

import json

ND = """
w * x + 2
nd.relu((w * x + 2) * c)
nd.concat(w * x, x, dim=1)
nd.split(nd.concat(w, x, dim=1), 2, axis=1)[1]
nd.FullyConnected(x, k, no_bias=True, num_hidden=4)
nd.FullyConnected(x, k, c[0, :1].repeat(4), num_hidden=4)
nd.dot(w, k, transpose_b=True)
2 / w + 2 - w
2 - w ** 2
2 ** w
w > 1
2 < w
w == x
nd.maximum(w, 2)
nd.maximum(w, x)
nd.abs(w)
w.sum(axis=1, keepdims=True)
nd.sum(w, axis=0, exclude=True)
w.mean()
nd.norm(w)
nd.slice_axis(w, axis=1, begin=0, end=2)
nd.BlockGrad(w) * w
w.detach() * w
nd.softmax(w, axis=-1)
nd.log_softmax(w)
nd.broadcast_add(w, c.sum(axis=0, keepdims=True))
nd.elemwise_add(w, x)
nd.where(w > 1, w, x)
nd.pick(w, nd.array([0, 1]), axis=1)
nd.take(w, nd.array([1, 0]))
nd.clip(w, 0.5, 1.5)
nd.Dropout(w, p=0.5)
nd.LeakyReLU(w, act_type='leaky', slope=0.1)
nd.Activation(w, act_type='tanh')
nd.BatchNorm(w.reshape((1, 2, 3)), nd.ones(2), nd.zeros(2), nd.zeros(2), nd.ones(2))
nd.Convolution(w.reshape((1, 1, 2, 3)), kernel=(1, 3), num_filter=4, no_bias=True, weight=k4)
nd.Pooling(w.reshape((1, 1, 2, 3)), kernel=(2, 2), pool_type='max')
w.reshape((3, 2))
w.reshape((-1,))
w.expand_dims(axis=0)
w.T
w[:]
nd.batch_dot(w.expand_dims(0), k.expand_dims(0), transpose_b=True)
nd.Embedding(nd.array([1, 0]), w, input_dim=2, output_dim=3)
nd.stack(w, x, axis=1)
nd.add_n(w, x, c)
nd.one_hot(nd.array([1, 0]), 3) * w
nd.SoftmaxOutput(w, nd.array([0, 1]))
nd.L2Normalization(w)
nd.LayerNorm(w, nd.ones(3), nd.zeros(3))
nd.square(w).mean(axis=0)
nd.topk(w, k=2, ret_typ='value')
nd.smooth_l1(w, scalar=2.0)
x * 2 + w
(x * 2) * (x * 2)
w
"""

NP = """
w * x + 2
np.dot(w, w.T) + 1
np.concatenate([w, x], axis=0).sum()
np.where(w > 1, w, x)
npx.softmax(w, axis=-1)
np.einsum('ij,kj->ik', w, k)
np.maximum(w, x)
2 - w / 3
npx.relu(w) @ k.T
np.exp(w).mean(axis=0)
npx.fully_connected(x, k, no_bias=True, num_hidden=4)
np.tanh(w) ** 2
np.stack([w, x])
np.transpose(w)
np.tensordot(w, k, axes=([1], [1]))
"""


def rows(text: str) -> list[str]:
    """Return the programs, one a line."""
    return text.strip().splitlines()


def graph(mx, row: str, *, is_np: bool) -> dict | None:
    """Return the graph of a program, or None where it has none."""
    space = {"mx": mx, "nd": mx.nd, "np": mx.np, "npx": mx.npx}
    make = mx.np if is_np else mx.nd
    space["w"] = make.array([[0.5, 1.5, 2.0], [1.0, 0.25, 3.0]])
    space["x"] = make.array([[1.0, 1.5, -2.0], [2.0, 0.5, 1.0]])
    space["c"] = make.array([[3.0, 1.0, 2.0], [0.5, 2.0, 1.0]])
    space["k"] = make.ones((4, 3)) / 2
    space["k4"] = make.ones((4, 1, 1, 3)) / 2
    space["w"].attach_grad()
    space["k"].attach_grad()
    with mx.autograd.record():
        result = eval(row, space)
    try:
        return parts(mx.autograd.get_symbol(result))
    except mx.MXNetError:
        return None


def parts(symbol) -> dict:
    """Return what a graph is made of, without the numbers in names, which count all that was."""
    nodes = json.loads(symbol.tojson())["nodes"]
    return {
        "operators": [node["op"] for node in nodes],
        "inputs": [[entry[:2] for entry in node["inputs"]] for node in nodes],
        "kinds": [node["name"].rstrip("0123456789") for node in nodes],
        "attrs": [
            {
                key: plain(value)
                for key, value in sorted(node.get("attrs", {}).items())
                if key not in ("is_int", "__init__")  # which MXNet's Symbols have, too
            }
            for node in nodes
        ],
        "output": symbol.list_outputs()[0].partition("_output")[2],
    }


def plain(text: str) -> str:
    """Return numbers and lists of them as both write them."""
    text = text.replace("[", "(").replace("]", ")").replace(",)", ")").replace(" ", "")
    try:
        return str(float(text))
    except ValueError:
        return text
