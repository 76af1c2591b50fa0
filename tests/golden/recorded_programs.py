"""Programs whose recorded graphs are asked for, for the real MXNet and gluonish alike."""

from __future__ import annotations

import json

import numpy as onp

# Of x and y with gradients and z without: what is recorded.
NUMBERS = """
x
x + y
2 - x / y
(x > y) * x + y
(x > 0.5) * (1 < y) + (x == y)
3 / x ** 2 + y % 0.3
nd.negative(x) + nd.abs(y)
2 ** x + x ** y
x * z + 1
nd.relu(x) + 2 + z
nd.concat(x, y, dim=0)[1:3]
x[0:1] * y[1:2]
x[1]
x.T
nd.dot(x.T, y)
nd.stack(x, y).sum()
(x + y).expand_dims(0).reshape((-1,)).clip(0, 1)
nd.where(x > 0.5, x, y)
nd.maximum(x, 0.4) + nd.broadcast_maximum(x, y)
nd.linalg.gemm2(x, y, transpose_b=True)
x.slice_axis(1, 0, 2).tile((2, 1))
nd.split(x + y, 3)[1]
nd.SoftmaxOutput(x, y[:, 0])
nd.softmax(x * 3, axis=0).log() - y.mean(axis=1, keepdims=True)
nd.FullyConnected(x, y, num_hidden=2, no_bias=True).tanh()
nd.LeakyReLU(x, act_type='gelu') * nd.sqrt(y)
net(x)
net(x) + net(y)
""".strip().splitlines()


def run(mx, program):
    """Return arguments, operators and the value that the graph gives for the same arrays."""
    random = onp.random.RandomState(3)
    x, y, z = (mx.nd.array(random.uniform(0.1, 1, (2, 3))) for _ in range(3))
    net = mx.gluon.nn.HybridSequential()
    net.add(mx.gluon.nn.Dense(2, activation="relu", in_units=3), mx.gluon.nn.Dropout(0.5))
    net.initialize(mx.init.Constant(0.25))
    x.attach_grad()
    y.attach_grad()
    with mx.autograd.record(train_mode=False):
        result = eval(program, {"nd": mx.nd, "x": x, "y": y, "z": z, "net": net})
    symbol = mx.autograd.get_symbol(result)
    nodes = json.loads(symbol.tojson())["nodes"]
    again = mx.sym.load_json(symbol.tojson())
    arrays = {mx.autograd.get_symbol(each).name: each for each in (x, y)}
    others = {name: z for name in again.list_arguments() if name.startswith("null")}
    params = [param.data() for param in net.collect_params().values()]
    if "net" in program:
        names = [name for name in again.list_arguments() if name not in arrays]
        others = {}
        for param in params:
            others.update({mx.autograd.get_symbol(param).name: param for _ in names})
    given = {name: {**arrays, **others}[name] for name in again.list_arguments()}
    value = again.bind(mx.cpu(), given).forward()[0]
    return {
        "arguments": [name[:3] for name in symbol.list_arguments()],
        "operators": [node["op"] for node in nodes if node["op"] != "null"],
        "outputs": len(symbol.list_outputs()),
        "value": value.asnumpy().tolist(),
        "result": result.asnumpy().tolist(),
    }
