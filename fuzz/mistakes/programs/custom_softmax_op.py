"""A softmax output written in Python as a custom operator."""

import gluonish as mx
from gluonish import autograd, nd


class Softmax(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        y = nd.exp(in_data[0] - in_data[0].max(axis=1, keepdims=True))
        y = y / y.sum(axis=1, keepdims=True)
        self.assign(out_data[0], req[0], y)

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        label, y = in_data[1], out_data[0]
        self.assign(in_grad[0], req[0], y - nd.one_hot(label, y.shape[1]))


@mx.operator.register("py_softmax")
class SoftmaxProp(mx.operator.CustomOpProp):
    def __init__(self):
        super(SoftmaxProp, self).__init__(need_top_grad=False)

    def list_arguments(self):
        return ["data", "label"]

    def infer_shape(self, in_shape):
        return [in_shape[0], (in_shape[0][0],)], [in_shape[0]], []

    def create_operator(self, ctx, shapes, dtypes):
        return Softmax()


mx.random.seed(201)
logits = nd.random.normal(shape=(6, 4))
logits.attach_grad()
target = nd.array([0, 1, 2, 3, 0, 1])
for _ in range(10):
    with autograd.record():
        p = nd.Custom(logits, target, op_type="py_softmax", name="out")
    p.backward()
    logits -= 2 * logits.grad
sure = nd.pick(p, target).min().asscalar() > 0.7
print("sure of it:", sure, (p.argmax(axis=1) == target).sum().asscalar())
