"""Calls of NumPy's functions with Symbols `x`, `y`, `q`, for the real MXNet and gluonish alike."""

from __future__ import annotations

import json

ROWS = """
np.around(x)
np.around(x, 2)
np.round(x)
np.round_(x, decimals=1)
x.round()
x.round(1)
np.abs(x)
np.absolute(x)
np.fabs(x)
np.mod(x, y)
np.remainder(x, y)
np.remainder(x, 2)
np.hanning(3)
np.hamming(3, dtype='float64')
np.blackman(4, ctx=mx.cpu())
np.vstack([x, y])
np.row_stack([x, y])
np.ediff1d(x)
np.ediff1d(x, y)
np.ediff1d(x, to_begin=1)
np.ediff1d(x, to_begin=y, to_end=2.5)
np.einsum('ij,j->i', x, y)
np.einsum('ij,j->i', x, y, optimize=True)
np.full((2, 3), 1.5)
np.full((2, 3), True)
np.full((2, 3), x)
np.full((2, 3), x, dtype='int32')
np.full_like(x, 3, dtype='int64', order='C')
np.zeros_like(x, order='C')
np.ones_like(x, dtype='float16', order='C')
np.zeros((2, 3), order='C')
np.ones(2, dtype='int32', order='C')
np.indices((2, 3))
np.indices((2,), dtype='int64')
np.insert(x, 1, 2)
np.insert(x, 1, 2.5)
np.linalg.eigvalsh(q)
np.linalg.eigvalsh(q, 'U')
np.linspace(0, 1)
np.linspace(0, 1, 5, endpoint=False, axis=0)
np.logspace(0, 1)
np.logspace(0, 1, 5, dtype='int32')
np.nan_to_num(x)
np.nan_to_num(x, nan=1.5, posinf=2)
np.pad(x, ((1, 2), (0, 1)))
np.pad(x, ((1, 2), (0, 1)), 'edge')
np.percentile(x, onp.float32(0.1))
np.quantile(x, 0.5, interpolation='nearest')
np.random.beta(1, 2.5, size=3)
np.random.beta(x, y, dtype='float64')
np.random.chisquare(3, size=2)
np.random.chisquare(x)
np.random.choice(5)
np.random.choice(5, size=3, replace=False)
np.random.choice(5, p=x)
np.random.exponential()
np.random.exponential(2.5, size=())
np.random.exponential(x)
np.random.gamma(2)
np.random.gamma(x, 1.5)
np.random.gamma(x, y, size=(2, 3), dtype='float64')
np.random.gumbel()
np.random.gumbel(x, 2)
np.random.logistic(1, 2, size=3)
np.random.lognormal()
np.random.lognormal(x, 0.5, size=(2,))
np.random.normal(1, 2, size=())
np.random.normal(x, y)
np.random.pareto(2.5)
np.random.pareto(x, size=2)
np.random.power(2.5)
np.random.power('1')
np.random.power(x)
np.random.randint(3)
np.random.randint(1, 5, size=2, dtype='int32')
np.random.rayleigh(2.5)
np.random.rayleigh(x, size=())
np.random.uniform()
np.random.uniform(x, 2, size=())
np.random.weibull(2.5)
np.random.weibull(x)
npx.log_softmax(x, dtype=None)
npx.softmax(x, dtype=None)
npx.random.bernoulli(0.3, size=2)
npx.random.bernoulli(x)
npx.random.bernoulli(logit=x, dtype='uint8')
npx.random.normal_n(x)
npx.random.normal_n(x, y, batch_shape=3)
npx.random.uniform_n(0.5, x, batch_shape=(2, 3))
npx.random.uniform_n(high=x)
""".strip().splitlines()


def nodes(mx: object, onp: object, row: str) -> list[list[object]]:
    """Return the operators that a call writes: name, what the node is called, and arguments."""
    names = {name: mx.sym.var(name).as_np_ndarray() for name in "xyq"}
    with mx.name.NameManager():
        symbol = eval(row, {"mx": mx, "np": mx.sym.np, "npx": mx.sym.npx, "onp": onp, **names})
        if isinstance(symbol, list):
            symbol = mx.sym.Group(symbol)
        found = json.loads(symbol.tojson())["nodes"]
    return [
        [
            node["op"],
            node["name"].rstrip("0123456789"),
            sorted(map(list, node.get("attrs", {}).items())),
        ]
        for node in found
        if node["op"] != "null"
    ]
