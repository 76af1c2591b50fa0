"""A sigmoid and a straight-through rounding as autograd.Functions."""

import gluonish as mx
from gluonish import autograd, nd

mx.random.seed(211)


class Sigmoid(autograd.Function):
    def forward(self, x):
        y = 1 / (1 + nd.exp(-x))
        self.save_for_backward(y)
        return y

    def backward(self, dy):
        (y,) = self.saved_tensors
        return dy * y * (1 - y)


class RoundThrough(autograd.Function):
    def forward(self, x, scale):
        return nd.round(x * scale) / scale

    def backward(self, dy):
        return dy, nd.zeros((1,))


x = nd.random.uniform(-2, 2, shape=(10,))
x.attach_grad()
with autograd.record():
    y = Sigmoid()(x)
y.backward(nd.ones_like(y))
mine = x.grad.copy()
with autograd.record():
    z = nd.sigmoid(x)
z.backward()
print("gradients agree:", nd.abs(mine - x.grad).max().asscalar() < 1e-6)

scale = nd.array([4.0])
with autograd.record():
    coarse = RoundThrough()(x, scale)
    loss = (coarse - 0.5).square().sum()
loss.backward()
print("straight through:", (x.grad == 2 * (coarse - 0.5)).asnumpy().all())
