# prints: [0. 0. 1. 2.] [0. 0. 1. 1.]
import mxnet as mx
from mxnet import autograd


class Relu(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], mx.nd.maximum(in_data[0], 0))

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], out_grad[0] * (in_data[0] > 0))


@mx.operator.register("my_relu")
class ReluProp(mx.operator.CustomOpProp):
    def __init__(self):
        super(ReluProp, self).__init__(need_top_grad=True)

    def create_operator(self, ctx, shapes, dtypes):
        return Relu()


x = mx.nd.array([-2, -1, 1, 2])
x.attach_grad()
with autograd.record():
    y = mx.nd.Custom(x, op_type="my_relu")
y.backward()
print(y.asnumpy(), x.grad.asnumpy())
