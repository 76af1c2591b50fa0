"""Programs with sparse arrays, run under the real MXNet for golden values, and by tests."""

from __future__ import annotations

import numpy as onp

DENSE = onp.array([[0, 2, 0, -1], [0, 0, 0, 0], [3, 0, 0.5, 0]], "float32")
OTHER = onp.array([[1, -2, 0, 0], [0, 0, 0, 4], [0, 0, 2, 0]], "float32")
FULL = onp.arange(1, 13, dtype="float32").reshape(3, 4) / 4
TALL = onp.arange(8, dtype="float32").reshape(4, 2) - 3

EXPRESSIONS = """
c + c2
c - c2
c * c2
c / c2
r + r2
r - r2
r * r2
r / r2
c + d
c - d
d - c
c * d
d * c
r + d
r - d
r * d
d * r
r / d
c * 2
2 * c
c / 2
c + 2
c - 1
2 - c
-c
r * 2
r / 2
2 / r
r + 1
-r
abs(r)
abs(c)
r ** 2
r % 2
r > 1
r >= 0
r < 1
r == 0
r != 0
c > 1
c != 0
c * nd.ones((1, 4)) * 3
c * nd.array([[1], [2], [3]])
c / nd.array([[1], [2], [4]])
nd.sparse.add(c, c2)
nd.sparse.subtract(r, r2)
nd.sparse.multiply(r, 3)
nd.sparse.divide(c, 4)
nd.elemwise_add(r, r2)
nd.elemwise_mul(c, d)
nd.broadcast_mul(c, nd.array([[1, 2, 3, 4]]))
nd.broadcast_div(c, nd.array([[1, 2, 4, 8]]))
nd.add_n(r, r2, r)
nd.add_n(r, r2, d)
nd.sum(c, axis=0)
nd.sum(c, axis=1)
nd.sum(c, axis=1, keepdims=True)
nd.sum(c)
nd.mean(c, axis=0)
nd.mean(c, axis=1)
nd.sum(r, axis=0)
nd.norm(c)
nd.norm(r)
nd._internal._square_sum(r, axis=1)
nd._internal._square_sum(r, axis=1, keepdims=True)
nd._internal._square_sum(r, axis=0)
nd.abs(c)
nd.sign(r)
nd.square(r)
nd.square(c)
nd.sqrt(abs(r))
nd.relu(r)
nd.relu(c)
nd.clip(r, -1, 2)
nd.clip(c, -1, 2)
nd.sin(r)
nd.tanh(r)
nd.tanh(c)
nd.arctan(c)
nd.expm1(r)
nd.log1p(abs(c))
nd.floor(c)
nd.ceil(r)
nd.rint(c)
nd.round(c)
nd.trunc(r)
nd.fix(r)
nd.degrees(c)
nd.radians(r)
nd.cbrt(abs(r))
nd.exp(r)
nd.cos(c)
nd.sigmoid(r)
nd.zeros_like(r)
nd.zeros_like(c)
nd.ones_like(r)
nd.BlockGrad(r)
nd.Cast(r, dtype='float64')
nd.slice(c, begin=(1,), end=(3,))
nd.slice(c, begin=(0, 1), end=(2, 4))
nd.concat(c, c2, dim=0)
nd.concat(c, c2, dim=1)
nd.where(c, d, d * 2)
nd.flip(c, axis=0)
nd.dot(c, t)
nd.dot(c, d, transpose_a=True)
nd.dot(c, d, transpose_b=True)
nd.dot(c, t.tostype('row_sparse'))
nd.dot(d, c, transpose_a=True)
nd.dot(nd.ones((2, 3)), c)
nd.dot(nd.ones((2, 4)), c, transpose_b=True, forward_stype='default')
nd.dot(nd.ones((2, 3)), c, forward_stype='default')
nd.dot(c, d, transpose_a=True, forward_stype='default')
nd.dot(c, d, transpose_a=True, forward_stype='row_sparse')
nd.sparse.dot(c, t)
nd.sparse.retain(r, nd.array([0, 1]))
nd.sparse.retain(r, nd.array([2, 1]))
nd.cast_storage(d, 'csr')
nd.cast_storage(nd.array(DENSE), 'row_sparse')
nd.cast_storage(c, 'default')
r.tostype('default')
r.copy()
c.copy()
c[1]
c[-1]
c[1:]
c[0:2]
c[:]
r[:]
r.astype('int32')
c.astype('float64')
c.as_in_context(mx.cpu(1))
c.copyto(nd.zeros((3, 4)))
c.copyto(nd.sparse.zeros('csr', (3, 4)))
nd.array(c)
nd.sparse.array(r)
nd.zeros((2, 3), stype='csr')
nd.sparse.zeros('row_sparse', (2, 3), dtype='float64')
nd.sparse.empty('csr', (2, 3))
nd.sparse.csr_matrix(([1, 2, 3], [3, 0, 2], [0, 1, 1, 3]), shape=(3, 4))
nd.sparse.csr_matrix(([1, 2, 3], [3, 0, 2], [0, 1, 1, 3]))
nd.sparse.csr_matrix(([3., 1.], [2, 0], [0, 2]), shape=(1, 3))
nd.sparse.csr_matrix((2, 3))
nd.sparse.csr_matrix(DENSE)
nd.sparse.csr_matrix(DENSE.tolist())
nd.sparse.csr_matrix(d)
nd.sparse.csr_matrix(c, dtype='float64')
nd.sparse.csr_matrix((onp.array([1, 2.]), onp.array([1, 0]), onp.array([0, 1, 2])), shape=(2, 2))
nd.sparse.row_sparse_array(([[1, 2], [3, 4]], [2, 0]), shape=(4, 2))
nd.sparse.row_sparse_array(([[1, 2], [3, 4]], [0, 2]))
nd.sparse.row_sparse_array((4, 2))
nd.sparse.row_sparse_array((4, 2, 1))
nd.sparse.row_sparse_array(DENSE, dtype='float16')
nd.sparse.row_sparse_array(nd.array(DENSE))
nd.sparse.row_sparse_array(([5, 6], nd.array([1, 3], dtype='int64')), shape=(5,))
nd.elemwise_add(r, r2, out=nd.sparse.zeros('row_sparse', (3, 4)))
nd.add(r, r2)
nd.add(c, c2)
nd.add(c, d)
nd.add(d, r)
nd.add(d, c)
nd.add(r, d)
nd.add(r, c)
nd.subtract(r, r2)
nd.subtract(c, c2)
nd.subtract(c, d)
nd.subtract(d, r)
nd.subtract(d, c)
nd.subtract(r, d)
nd.subtract(r, c)
nd.multiply(r, r2)
nd.multiply(c, c2)
nd.multiply(c, d)
nd.multiply(d, r)
nd.multiply(d, c)
nd.multiply(r, d)
nd.multiply(r, c)
nd.broadcast_add(r, r2)
nd.broadcast_add(c, c2)
nd.broadcast_add(c, d)
nd.broadcast_add(d, r)
nd.broadcast_add(d, c)
nd.broadcast_add(r, d)
nd.broadcast_add(r, c)
nd.broadcast_sub(r, r2)
nd.broadcast_sub(c, c2)
nd.broadcast_sub(c, d)
nd.broadcast_sub(d, r)
nd.broadcast_sub(d, c)
nd.broadcast_sub(r, d)
nd.broadcast_sub(r, c)
nd.broadcast_mul(r, r2)
nd.broadcast_mul(c, c2)
nd.broadcast_mul(c, d)
nd.broadcast_mul(d, r)
nd.broadcast_mul(d, c)
nd.broadcast_mul(r, d)
nd.broadcast_mul(r, c)
nd.maximum(r, r2)
nd.maximum(c, c2)
nd.maximum(c, d)
nd.maximum(d, r)
nd.maximum(d, c)
nd.maximum(r, d)
nd.maximum(r, c)
nd.sparse.multiply(c, d)
nd.sparse.multiply(d, r)
nd.sparse.multiply(d, c)
nd.sparse.multiply(r, d)
nd.sparse.multiply(r, c)
nd.sparse.add(c, d)
nd.sparse.add(d, r)
nd.sparse.add(d, c)
nd.sparse.add(r, d)
nd.sparse.add(r, c)
nd.sparse.multiply(nd.array([[1, 2, 3, 4]]), c)
nd.add(r, 0)
nd.multiply(3, c)
nd.subtract(c, 0)
nd._internal._plus_scalar(r, scalar=0)
nd._internal._plus_scalar(c, scalar=1)
nd._internal._minus_scalar(c, scalar=0)
nd._internal._equal_scalar(r, scalar=3)
nd._internal._equal_scalar(r, scalar=0)
nd._internal._greater_scalar(c, scalar=0)
nd._internal._lesser_equal_scalar(c, scalar=0)
""".strip().splitlines()


def arrays(mx):
    """Return what the expressions are written with."""
    nd = mx.nd
    return {
        "mx": mx,
        "nd": nd,
        "onp": onp,
        "DENSE": DENSE,
        "c": nd.array(DENSE).tostype("csr"),
        "c2": nd.array(OTHER).tostype("csr"),
        "r": nd.array(DENSE).tostype("row_sparse"),
        "r2": nd.array(OTHER).tostype("row_sparse"),
        "d": nd.array(FULL),
        "t": nd.array(TALL),
    }


def shown(array):
    """Return storage type, dtype, values and the context of an array."""
    values = onp.asarray(array.asnumpy(), "float64")
    texts = [repr(float(onp.float32(value))) for value in values.ravel()]
    return [array.stype, onp.dtype(array.dtype).name, list(array.shape), texts, str(array.context)]


def lazy(name, weight_stype, **options):
    """Return a program that updates a weight by gradients of some rows."""

    def program(mx):
        numbers = onp.random.RandomState(0)
        optimizer = mx.optimizer.create(name, learning_rate=0.1, rescale_grad=0.5, **options)
        updater = mx.optimizer.get_updater(optimizer)
        weight = mx.nd.array(numbers.rand(5, 2).astype("float32")).tostype(weight_stype)
        for rows in ([1, 3], [0, 3], [1, 3]):
            values = numbers.rand(2, 2).astype("float32")
            grad = mx.nd.sparse.row_sparse_array((values, onp.array(rows)), shape=(5, 2))
            updater(0, grad, weight)
        return shown(weight.tostype("default"))

    return program


STATES = {"sgd_mom_update": 1, "adam_update": 2, "adagrad_update": 1, "ftrl_update": 2}


def updated(space, name, **options):
    """Return a program that calls the operator of an optimizer."""

    def program(mx):
        nd = mx.nd
        grad = nd.sparse.row_sparse_array(([[1, -2], [0.5, 4]], [0, 2]), shape=(4, 2))
        weight = nd.array(onp.arange(8).reshape(4, 2) / 8)
        states = [nd.zeros((4, 2)) + 0.25 for _ in range(STATES.get(name, 0))]
        if space == "contrib":
            states = [nd.zeros((4, 1)) + 0.25]
        if space == "rows":
            weight, *states = (each.tostype("row_sparse") for each in (weight + 1, *states))
        function = getattr(getattr(nd, "contrib" if space == "contrib" else "sparse"), name)
        for _ in range(2):
            function(weight, grad, *states, lr=0.1, out=weight, **options)
        return [shown(array) for array in (weight, *states)]

    return program


def embedding(mx):
    """Gradients of an embedding."""
    seen = []
    net = mx.gluon.nn.Embedding(6, 2, sparse_grad=True)
    net.initialize(mx.init.One())
    for ids in ([1, 4, 1], [0, 1]):
        with mx.autograd.record():
            loss = (net(mx.nd.array(ids)) * 2).sum()
        loss.backward()
        grad = net.weight.grad()
        seen.append([shown(grad), grad.indices.asnumpy().tolist()])
    return seen


def training(mx):
    """Training steps by rows, with weight decay and momentum."""
    seen = []
    for contexts in ([mx.cpu(0)], [mx.cpu(0), mx.cpu(1)]):
        net = mx.gluon.nn.Embedding(6, 2, sparse_grad=True)
        net.initialize(mx.init.One(), ctx=contexts)
        options = {"learning_rate": 0.1, "momentum": 0.5, "wd": 0.1}
        trainer = mx.gluon.Trainer(net.collect_params(), "sgd", options)
        for step in range(3):
            with mx.autograd.record():
                losses = [
                    (net(mx.nd.array([1 + place, step], ctx=ctx)) * 2).sum()
                    for place, ctx in enumerate(contexts)
                ]
            mx.autograd.backward(losses)
            trainer.step(1)
        seen.append([shown(net.weight.data(ctx)) for ctx in contexts])
    return seen


def by_rows(mx):
    """A weight that is given out by rows."""

    class Table(mx.gluon.Block):
        def __init__(self):
            super().__init__(prefix="table_")
            stypes = {"stype": "row_sparse", "grad_stype": "row_sparse"}
            self.weight = self.params.get("weight", shape=(5, 2), init="ones", **stypes)

        def forward(self, x):
            rows = self.weight.row_sparse_data(x)
            return mx.nd.Embedding(x, rows, input_dim=5, output_dim=2, sparse_grad=True)

    net = Table()
    net.initialize()
    options = {"learning_rate": 1.0, "momentum": 0.9, "wd": 0.1}
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", options)
    for _ in range(2):
        x = mx.nd.array([1, 3, 1])
        with mx.autograd.record():
            loss = net(x).sum()
        loss.backward()
        trainer.step(1)
    weight = net.weight
    rows = mx.nd.array([0, 1, 3])
    return [
        *map(shown, (weight.row_sparse_data(rows), weight.grad())),
        *map(shown, weight.list_row_sparse_data(rows)),
    ]


def products(mx):
    """Gradients through products with csr matrices."""
    c = mx.nd.array(DENSE).tostype("csr")
    seen = []
    for stype in ("default", "row_sparse"):
        weight = mx.nd.array(TALL)
        weight.attach_grad(stype=stype)
        with mx.autograd.record():
            loss = (mx.nd.dot(c, weight) * mx.nd.array([[1], [2], [3]])).sum()
        loss.backward()
        seen.append(shown(weight.grad))
    other = mx.nd.array(FULL)
    other.attach_grad()
    with mx.autograd.record():
        loss = mx.nd.dot(c, other, transpose_a=True, forward_stype="default").sum()
    loss.backward()
    seen.append(shown(other.grad))
    return seen


def store(mx):
    """Rows that are pushed to a store and pulled from it."""
    nd = mx.nd
    kv = mx.kv.create("local")
    kv.init("e", nd.array(FULL).tostype("row_sparse"))
    out = nd.sparse.zeros("row_sparse", (3, 4))
    seen = []

    def pull(rows):
        kv.row_sparse_pull("e", out=out, row_ids=nd.array(rows))
        seen.append([shown(out), out.indices.asnumpy().tolist()])

    pull([2, 0, 0])
    outs = [nd.sparse.zeros("row_sparse", (3, 4), ctx=mx.cpu(i)) for i in range(2)]
    kv.row_sparse_pull("e", out=outs, row_ids=[nd.array([0]), nd.array([1, 2], ctx=mx.cpu(1))])
    seen.append([shown(each) for each in outs])
    grad = nd.sparse.row_sparse_array(([[1, 1, 1, 1]], [2]), shape=(3, 4))
    kv.set_optimizer(mx.optimizer.create("sgd", learning_rate=0.5, wd=0.1))
    kv.push("e", [grad, grad.copyto(mx.cpu(1))])
    pull([0, 1, 2])
    return seen


PROGRAMS = {
    **{
        f"{space}.{name} {options}": updated(space, name, **options)
        for space, name, options in (
            ("sparse", "sgd_update", {"wd": 0.1}),
            ("sparse", "sgd_update", {"wd": 0.1, "lazy_update": False}),
            ("rows", "sgd_update", {"wd": 0.1}),
            ("sparse", "sgd_mom_update", {"wd": 0.1, "momentum": 0.9}),
            ("rows", "sgd_mom_update", {"wd": 0.1, "momentum": 0.9}),
            ("sparse", "adam_update", {"wd": 0.1}),
            ("sparse", "adam_update", {"lazy_update": False}),
            ("rows", "adam_update", {"wd": 0.1}),
            ("rows", "ftrl_update", {"wd": 0.1}),
            ("sparse", "adagrad_update", {"clip_gradient": 1.0}),
            ("rows", "adagrad_update", {"epsilon": 0.01}),
            ("contrib", "group_adagrad_update", {}),
        )
    },
    "embedding": embedding,
    "training": training,
    "by_rows": by_rows,
    "products": products,
    "store": store,
    **{
        f"{name} {stype} {options}": lazy(name, stype, **options)
        for stype in ("default", "row_sparse")
        for name, options in (
            ("sgd", {"wd": 0.01}),
            ("sgd", {"wd": 0.01, "lazy_update": False}),
            ("sgd", {"wd": 0.01, "momentum": 0.9}),
            ("sgd", {"wd": 0.01, "momentum": 0.9, "clip_gradient": 0.1}),
            ("sgd", {"wd": 0.01, "momentum": 0.9, "lazy_update": False}),
            ("adam", {"wd": 0.01}),
            ("adam", {"wd": 0.01, "lazy_update": False}),
            ("adagrad", {}),
            ("ftrl", {"wd": 0.01}),
            ("groupadagrad", {}),
            ("lars", {"wd": 0.01}),
            ("rmsprop", {"wd": 0.01}),
            ("signum", {"wd": 0.01}),
            ("adadelta", {"wd": 0.01}),
        )
    },
}
