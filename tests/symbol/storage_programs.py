"""Graphs of sparse arrays that the real MXNet 1.9.1 answered: storage types, results, gradients.

Each program takes the package and returns what its graph gives; see golden/make_storages.py.
"""

from __future__ import annotations

import numpy as onp

X = [[1, 2], [0, 0], [3, 0]]
Y = [[0, 2], [0, 0], [3, 4]]


def shown(array):
    """Return storage type and values of an array."""
    values = onp.asarray(array.asnumpy(), "float64")
    return [array.stype, list(array.shape), [round(value, 5) for value in values.ravel().tolist()]]


def bound(symbol, **arrays):
    """Return a program that binds a graph to arrays, each with its storage type and request."""

    def program(mx):
        net = symbol(mx.sym)
        made = {name: mx.nd.array(values).tostype(k) for name, (values, k, _) in arrays.items()}
        grads = {
            name: mx.nd.zeros(made[name].shape).tostype(grad)
            for name, (_, _, grad) in arrays.items()
            if grad is not None
        }
        requests = {name: "write" if name in grads else "null" for name in arrays}
        executor = net.bind(mx.cpu(), made, args_grad=grads, grad_req=requests)
        (output,) = executor.forward(is_train=True)
        found = [shown(output)]
        if grads:
            executor.backward(mx.nd.ones(output.shape))
            found += [shown(executor.grad_dict[name]) for name in grads]
        return found

    return program


def made(symbol, requests="write", **shapes):
    """Return a program that tells the storage types which `simple_bind` chooses."""

    def program(mx):
        executor = symbol(mx.sym).simple_bind(mx.cpu(), grad_req=requests, **shapes)
        grads = [None if grad is None else grad.stype for grad in executor.grad_arrays]
        stypes = {name: array.stype for name, array in executor.arg_dict.items()}
        return [stypes, grads, [output.stype for output in executor.outputs]]

    return program


def unary(name, stype):
    """Return a program for a function that keeps zeros."""
    return bound(
        lambda sym: getattr(sym.sparse, name)(sym.var("x", stype=stype)), x=(X, stype, stype)
    )


def binary(name, first, second):
    """Return a program for a function of two arrays."""

    def symbol(sym):
        return getattr(sym.sparse, name)(sym.var("x", stype=first), sym.var("y", stype=second))

    return bound(symbol, x=(X, first, first), y=(Y, second, second))


def trained(mx):
    """Train a factorization of rows with `Executor`, weights and gradients as rows."""
    sym = mx.sym
    score = sym.sparse.dot(sym.var("x", stype="csr"), sym.var("w", stype="row_sparse"))
    net = sym.LinearRegressionOutput(score, sym.var("label"))
    requests = {"x": "null", "w": "write", "label": "null"}
    executor = net.simple_bind(mx.cpu(), x=(3, 2), w=(2, 1), label=(3, 1), grad_req=requests)
    executor.arg_dict["x"][:] = mx.nd.array(X).tostype("csr")
    executor.arg_dict["label"][:] = 1
    found = []
    for _ in range(3):
        executor.forward(is_train=True)
        executor.backward()
        rate = mx.nd.array([[0.1], [0.1]])
        weight = executor.arg_dict["w"].tostype("default")
        weight = weight - rate * executor.grad_dict["w"].tostype("default")
        executor.arg_dict["w"][:] = weight.tostype("row_sparse")
        found.append(shown(executor.grad_dict["w"]))
    return [*found, shown(executor.arg_dict["w"]), shown(executor.outputs[0])]


def added(mx):
    """Add gradients of rows up."""
    w = mx.nd.ones((3, 2)).tostype("row_sparse")
    net = mx.sym.sparse.square(mx.sym.var("w", stype="row_sparse"))
    grad = mx.nd.zeros((3, 2)).tostype("row_sparse")
    executor = net.bind(mx.cpu(), {"w": w}, args_grad={"w": grad})
    executor.forward(is_train=True)
    executor.backward(mx.nd.array(X))
    first = shown(grad)
    w[:] = mx.nd.array(X).tostype("row_sparse")
    executor.forward(is_train=True)
    executor.backward(mx.nd.ones((3, 2)))
    return [first, shown(grad), shown(executor.outputs[0])]


def scattered(mx):
    """Compute with the stored rows alone."""
    x, y = mx.nd.array(X).tostype("row_sparse"), mx.nd.array(Y).tostype("row_sparse")
    spaces = mx.nd._internal
    return [
        shown(spaces._scatter_plus_scalar(x, scalar=2)),
        shown(spaces._scatter_minus_scalar(x, scalar=2)),
        shown(spaces._scatter_elemwise_div(x, mx.nd.ones((3, 2)) * 2)),
        shown(mx.nd.elemwise_mul(mx.nd.ones((3, 2)) * 2, y)),
        shown(mx.nd.elemwise_mul(mx.nd.ones((3, 2)) * 2, mx.nd.array(Y).tostype("csr"))),
    ]


WEIGHTS = ([[1, 2], [3, 4]], "default", "row_sparse")
PROGRAMS = {
    **{
        f"{name} {k}": unary(name, k)
        for name in ("abs", "square", "tanh")
        for k in ("csr", "row_sparse")
    },
    **{
        f"{name} {one} {other}": binary(name, one, other)
        for name in ("elemwise_add", "elemwise_sub", "elemwise_mul")
        for one in ("default", "row_sparse", "csr")
        for other in ("default", "row_sparse", "csr")
    },
    "dot": bound(
        lambda s: s.sparse.dot(s.var("x", stype="csr"), s.var("w")), x=(X, "csr", None), w=WEIGHTS
    ),
    "dot turned": bound(
        lambda s: s.sparse.dot(s.var("x", stype="csr"), s.var("w"), transpose_a=True),
        x=(X, "csr", None),
        w=(Y, "default", "default"),
    ),
    "embedding": bound(
        lambda s: s.Embedding(s.var("x"), s.var("w"), input_dim=3, output_dim=2, sparse_grad=True),
        x=([1, 2, 1], "default", None),
        w=(Y, "default", "row_sparse"),
    ),
    "square_sum": bound(
        lambda s: s._internal._square_sum(s.var("x", stype="row_sparse"), axis=1),
        x=(X, "row_sparse", "row_sparse"),
    ),
    "cast": bound(lambda s: s.cast_storage(s.var("x"), "csr"), x=(X, "default", "default")),
    "made dot": made(
        lambda s: s.sparse.dot(s.var("x", stype="csr"), s.var("w", stype="row_sparse")),
        x=(3, 2),
        w=(2, 1),
    ),
    "made dot turned": made(
        lambda s: s.sparse.dot(s.var("x", stype="csr"), s.var("w"), transpose_a=True),
        x=(3, 2),
        w=(3, 1),
    ),
    "made embedding": made(
        lambda s: s.Embedding(
            s.var("x"), s.var("w", stype="row_sparse"), input_dim=3, output_dim=2, sparse_grad=True
        ),
        x=(3,),
    ),
    "made SparseEmbedding": made(
        lambda s: s.contrib.SparseEmbedding(s.var("x"), s.var("w"), input_dim=3, output_dim=2),
        x=(3,),
    ),
    "made dense": made(lambda s: s.FullyConnected(s.var("x", stype="csr"), num_hidden=2), x=(3, 2)),
    "made sum": made(
        lambda s: s.var("x", stype="row_sparse") + s.var("y", stype="row_sparse"),
        x=(3, 2),
        y=(3, 2),
    ),
    "made number": made(lambda s: s.var("x", stype="row_sparse") * 3, x=(3, 2)),
    "trained": trained,
    "added": added,
    "scattered": scattered,
}
