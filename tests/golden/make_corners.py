"""Ask the real MXNet 1.9.1 for corners of operators, graphs and recording.

Run from the repository's root under a Python that has MXNet 1.9.1; writes
tests/golden/corners.json.
"""

from __future__ import annotations

import itertools

import make_facts

_REDUCTIONS = ("sum", "mean", "prod", "nansum", "nanprod", "max", "min", "norm")
_STORED = "nd.array([[1, 0, 2], [0, 0, 0], [3, 4, 0.]]).tostype({!r})"
_OTHER = "nd.array([[1, 5, 2], [0, 0, 0], [0, 4, 0.]]).tostype({!r})"
_KINDS = ("default", "row_sparse", "csr")


def flags():
    """Yield programs that give 0 and 1 for False and True."""
    for name, axis, flag in itertools.product(_REDUCTIONS, ("None", "1", "(0, 1)"), "01"):
        given = f"nd.array([[1, 2, -3], [4, 5, 6.]]), axis={axis}, keepdims={flag}"
        yield f"nd.{name}({given})"
    for name, flag in itertools.product(("argmax", "argmin"), "01"):
        yield f"nd.{name}(nd.array([[1, 2, -3], [4, 5, 6.]]), axis=1, keepdims={flag})"
    for flag in ("0", "1", "onp.int64(1)", "'1'", "True"):
        yield (
            f"y = mx.sym.sum(mx.sym.var('x'), axis=0, keepdims={flag})\n"
            f"y.attr('keepdims'), y.infer_shape(x=(2, 3))[1]"
        )
    yield "nd.moments(nd.array([[1, 2], [3, 5.]]), axes=(0,), keepdims=1)"
    yield "nd.topk(nd.array([3, 1, 2.]), k=2, is_ascend=1)"


def stored():
    """Yield programs that differentiate by arrays of all storage types."""
    forward = {"exp": "nd.exp(x)", "half": "x / 2", "square": "x ** 2"}
    for kind, formula in itertools.product(_KINDS, forward.values()):
        yield (
            f"x = {_STORED.format(kind)}\n"
            f"dx = nd.zeros_like(x)\n"
            f"mx.autograd.mark_variables([x], [dx])\n"
            f"with mx.autograd.record():\n    y = {formula}\n"
            f"mx.autograd.backward([y])\n"
            f"dx.stype, dx.asnumpy(), y.asnumpy()"
        )
    for one, two, formula in itertools.product(_KINDS, _KINDS, ("x + z", "x * z", "x + x * z")):
        yield (
            f"x, z = {_STORED.format(one)}, {_OTHER.format(two)}\n"
            f"dx, dz = nd.zeros_like(x), nd.zeros_like(z)\n"
            f"mx.autograd.mark_variables([x, z], [dx, dz])\n"
            f"with mx.autograd.record():\n    y = {formula}\n"
            f"mx.autograd.backward([y])\n"
            f"dx.stype, dz.stype, dx.asnumpy(), dz.asnumpy(), y.asnumpy()"
        )
    for kind in _KINDS:
        yield (
            f"x = nd.zeros((2, 2)).tostype({kind!r})\n"
            f"x.attach_grad()\n"
            f"with mx.autograd.record():\n    y = x * 2\n"
            f"y.backward(nd.ones_like(y).tostype({kind!r}))\n"
            f"x.grad.stype, x.grad.asnumpy()"
        )


COMPOSED = """
n = mx.sym.FullyConnected(name='fc', num_hidden=3)
c = n(fc_data=mx.sym.var('x'), name='c')
c.list_arguments(), c.list_outputs()
---
n = mx.sym.FullyConnected(mx.sym.var('d'), name='fc', num_hidden=3)
n = mx.sym.BatchNorm(n, name='bn')
c = n(d=mx.sym.var('x'), name='c')
c.list_arguments(), c.list_outputs(), c.list_auxiliary_states()
---
n = mx.sym.exp(mx.sym.var('a') * mx.sym.var('b'), name='e')
c = n(a=mx.sym.var('q'), name='c')
c.list_arguments(), c.list_outputs()
"""

SHAPES = """
y = mx.sym.softmax(mx.sym.var('x'), mx.sym.var('length'), axis=1, use_length=True)
y.list_arguments(), y.infer_shape(x=(2, 3, 4))
---
y = mx.sym.softmax(mx.sym.var('x'), mx.sym.var('length'), axis=-1, use_length=True)
y.infer_shape(x=(2, 3, 4))
---
nd.softmax(nd.array([[1, 2, 3.]]), nd.array([2], dtype='int32'), use_length=1)
---
nd.softmax(nd.array([[1, 2, 3.]]), nd.array([2]), use_length=True)
---
y = mx.sym.elemwise_add(mx.sym.var('x').reshape((0, -1), reverse=True), mx.sym.ones(shape=(5, 30)))
y.infer_shape(x=(0, 3, 5, 5)), y.infer_shape(x=(2, 3, 0, 5)), y.infer_shape(x=(2, 3, 5, 0))
---
x = mx.sym.var('x').reshape((0, 0, -1), reverse=True)
y = mx.sym.elemwise_add(x, mx.sym.ones(shape=(3, 5, 10)))
y.infer_shape(x=(0, 3, 5, 5)), y.infer_shape(x=(2, 0, 5, 5))
---
y = mx.sym.elemwise_add(mx.sym.var('x').reshape((0, -1)), mx.sym.ones(shape=(2, 75)))
y.infer_shape(x=(0, 3, 5, 5)), y.infer_shape(x=(2, 0, 5, 5))
---
nd.broadcast_like(nd.ones((1, 3)), nd.ones((2, 3)), lhs_axes=(0,), rhs_axes=(0,))
---
nd.broadcast_like(nd.ones((1, 3)), nd.ones((2, 3)), lhs_axes=(0,))
---
nd.broadcast_like(nd.ones((1, 3)), nd.ones((2, 3)), lhs_axes=(), rhs_axes=())
---
nd.broadcast_like(nd.ones((1, 3)), nd.ones((2, 3)), lhs_axes=(0,), rhs_axes=())
---
nd.broadcast_like(nd.ones((1, 3)), nd.ones((2, 3)), lhs_axes=(1,), rhs_axes=(1,))
---
nd.LeakyReLU(nd.array([[-1, 2], [-3, -4.]]), nd.array([[1, 2], [3, 4.]]), act_type='prelu')
---
x = nd.arange(-8, 8).reshape((2, 2, 2, 2))
nd.LeakyReLU(x, nd.array([[1, 2], [3, 4.]]), act_type='prelu')
---
x, gamma = nd.arange(-8, 8).reshape((2, 2, 2, 2)), nd.array([[1, 2], [3, 4.]])
x.attach_grad()
gamma.attach_grad()
with mx.autograd.record():
    y = nd.LeakyReLU(x, gamma, act_type='prelu')
y.backward()
x.grad.asnumpy(), gamma.grad.asnumpy()
"""

REFUSED = """
nd.gather_nd(nd.array([[0, 1, 2], [3, 4, 5]]), nd.array([[0, 1, 0], [0, 1, 3]])).asnumpy()
---
nd.gather_nd(nd.array([[0, 1, 2], [3, 4, 5]]), nd.array([[0, 1, 0], [0, 1, -5]])).asnumpy()
---
nd.gather_nd(nd.array([[0, 1, 2], [3, 4, 5]]), nd.array([[0, 1, -1], [0, 1, -2]]))
---
nd.tile(nd.ones((2, 2)), (1, 2, -3))
---
nd.tile(nd.ones((2, 2)), (1, 0, 3))
---
nd.tile(nd.array([[1, 2], [3, 4]]), ())
---
nd.diag(nd.ones((2, 3)), k=4)
---
nd.diag(nd.ones((2, 3)), k=2)
---
nd.depth_to_space(nd.array(onp.ones((1, 4, 0, 3))), 2)
---
nd.space_to_depth(nd.array(onp.ones((1, 0, 2, 4))), 2)
"""

DRAWN = """
mx.random.seed(3)
nd.contrib.rand_zipfian(nd.array([1, 5]), 4, 50)
---
mx.random.seed(3)
classes, true, drawn = nd.contrib.rand_zipfian(nd.array([1, 5], dtype='int32'), 4, 50, mx.cpu(1))
classes.context, true.context, classes.dtype, true.dtype
---
mx.random.seed(1)
found = mx.sym.Group(mx.sym.contrib.rand_zipfian(mx.sym.var('t'), 5, 100))
found.bind(mx.cpu(), {'t': nd.array([1, 2.])}).forward()
"""

STORED = """
x = nd.array([[1, 0], [0, 2]])
x.tostype('row_sparse')._num_aux, x.tostype('csr')._num_aux
---
nd.sparse.csr_matrix(([1, 2, 3], [0, 2, 1], [0, 1, 1, 3]), shape=(3, 4)).check_format()
---
nd.sparse.csr_matrix(([1, 2, 3], [0, 2, 1], [0, 1, 1, 3]), shape=(3, 4)).check_format(False)
---
nd.sparse.csr_matrix(([1, 2, 3], [2, 1, 0], [0, 1, 2, 3]), shape=(3, 4)).check_format()
---
with mx.util.np_shape(True):
    x = nd.zeros(())
    x[:] = 5
    y = nd.zeros(())
    y[:] = onp.ones(())
    shapes = x[:].shape, x[()].shape
shapes, x.asnumpy(), y.asnumpy()
---
with mx.util.np_shape(True):
    x = np.zeros(())
    x[:] = 5
"""

EVENTS = """
lda, alpha, beta = nd.array([[1.5, 2], [0.5, 0.7]]), nd.array([0.2, 0.3]), nd.array([1, 2.])
lags = nd.array([[1, 2, 1.5], [0.3, 0.2, 9]])
marks = nd.array([[0, 1, 0], [1, 1, 1]], dtype='int32')
for each in (lda, alpha, beta):
    each.attach_grad()
with mx.autograd.record():
    y, state = nd.contrib.hawkesll(
        lda, alpha, beta, nd.array([[0.5, 0.1], [0, 2]]), lags, marks,
        nd.array([3, {length}]), nd.array([10, 5.]))
y.backward()
y.asnumpy(), state.asnumpy(), lda.grad.asnumpy(), alpha.grad.asnumpy(), beta.grad.asnumpy()
"""

GROUPS = {
    "flags": flags(),
    "storage types": stored(),
    "composing": COMPOSED.split("---"),
    "shapes": SHAPES.split("---"),
    "bounds": REFUSED.split("---"),
    "stored": STORED.split("---"),
    "drawn classes": DRAWN.split("---"),
    "events": [
        *(EVENTS.format(length=length) for length in (2, 0)),
        "y = mx.sym.contrib.hawkesll(name='h')\ny.list_arguments(), y.list_outputs()",
    ],
}

if __name__ == "__main__":
    make_facts.write(
        "corners",
        {name: [(False, code.strip()) for code in codes] for name, codes in GROUPS.items()},
    )
