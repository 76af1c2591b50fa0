"""Programs with operators written in Python, for the real MXNet and for gluonish alike."""

from __future__ import annotations

import numpy as onp


def define(mx, log):
    """Register the operators; each tells `log` what it is given."""

    class Softmax(mx.operator.CustomOp):
        def forward(self, is_train, req, in_data, out_data, aux):
            x = in_data[0].asnumpy()
            y = onp.exp(x - x.max(axis=1, keepdims=True))
            y /= y.sum(axis=1, keepdims=True)
            log("forward", bool(is_train), list(req))
            self.assign(out_data[0], req[0], mx.nd.array(y))

        def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
            label = in_data[1].asnumpy().ravel().astype("int")
            y = out_data[0].asnumpy().copy()
            y[range(len(label)), label] -= 1.0
            log("backward", list(req), len(out_grad))
            self.assign(in_grad[0], req[0], mx.nd.array(y))

    @mx.operator.register("golden_softmax")
    class SoftmaxProp(mx.operator.CustomOpProp):
        def __init__(self):
            super().__init__(need_top_grad=False)

        def list_arguments(self):
            return ["data", "label"]

        def list_outputs(self):
            return ["output"]

        def infer_shape(self, in_shape):
            log("infer_shape", [list(shape) for shape in in_shape])
            return [in_shape[0], [in_shape[0][0]]], [in_shape[0]], []

        def infer_type(self, in_type):
            return in_type, [in_type[0]], []

        def create_operator(self, ctx, in_shapes, in_dtypes):
            log("create", str(ctx), [list(shape) for shape in in_shapes])
            return Softmax()

    class Pair(mx.operator.CustomOp):
        def __init__(self, factor):
            super().__init__()
            self.factor = factor

        def forward(self, is_train, req, in_data, out_data, aux):
            log("forward", bool(is_train), list(req), aux[0].asnumpy().tolist())
            self.assign(out_data[0], req[0], self.factor * in_data[0] * in_data[1])
            self.assign(out_data[1], req[1], in_data[0] - in_data[1])
            self.assign(aux[0], "add", 1)

        def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
            grads = [array.asnumpy().tolist() for array in out_grad]
            log("backward", list(req), grads, aux[0].asnumpy().tolist())
            log("modes", mx.autograd.is_recording(), mx.autograd.is_training())
            first, second = out_grad
            left, right = in_data
            self.assign(in_grad[0], req[0], self.factor * right * first + second)
            self.assign(in_grad[1], req[1], self.factor * left * first - second)
            aux[0][:] *= 10

    @mx.operator.register("golden_pair")
    class PairProp(mx.operator.CustomOpProp):
        def __init__(self, factor, **rest):
            super().__init__()
            log("init", factor, sorted(rest.items()))
            self.factor = float(factor)

        def list_arguments(self):
            return ["left", "right"]

        def list_outputs(self):
            return ["product", "difference"]

        def list_auxiliary_states(self):
            return ["count"]

        def infer_shape(self, in_shape):
            return in_shape, [in_shape[0], in_shape[0]], [[1]]

        def create_operator(self, ctx, in_shapes, in_dtypes):
            log("create", str(ctx), [list(shape) for shape in in_shapes])
            return Pair(self.factor)


def run(mx):
    """Return what happens, as plain data."""
    told = []
    define(mx, lambda *what: told.append(list(what)))
    nd = mx.nd
    results = []

    def show(*arrays):
        results.extend(array.asnumpy().tolist() for array in arrays)

    x = nd.array([[1, 2, 3], [3, 1, 0.5]])
    x.attach_grad()
    with mx.autograd.record():
        y = nd.Custom(x, nd.array([2, 0]), op_type="golden_softmax")
        z = y * 7
    z.backward()
    show(y, x.grad)
    left, right, count = nd.array([[1, 2]]), nd.array([[3, 5]]), nd.zeros((1,))
    left.attach_grad()
    right.attach_grad()
    options = {"factor": 2.5, "flag": True, "shape": (1, 2), "nothing": None}
    show(*nd.Custom(left, right, count, op_type="golden_pair", **options), count)
    with mx.autograd.record():
        product, difference = nd.Custom(left, right, count, op_type="golden_pair", factor=3)
        loss = product * 2
    loss.backward()
    show(left.grad, right.grad, count)
    with mx.autograd.record(train_mode=False):
        product, difference = nd.Custom(left, right, count, op_type="golden_pair", factor=1)
    mx.autograd.backward([product, difference], [nd.array([[1, 0]]), nd.array([[0, 4]])])
    show(left.grad, right.grad, count)
    out = nd.zeros((2, 3))
    nd.Custom(x, nd.array([2, 0]), op_type="golden_softmax", out=out)
    show(out)
    return {"told": told, "results": results}
