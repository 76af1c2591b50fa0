"""Derivatives of a polynomial, and of a function with a loop, by autograd."""

import gluonish as mx
from gluonish import autograd, nd

mx.random.seed(3)

x = nd.arange(4).reshape((4, 1))
x.attach_grad()
with autograd.record():
    y = 2 * nd.dot(x.T, x)
y.backward()
print("gradient:", x.grad.asnumpy().ravel().tolist())


def doubling(a):
    b = a * 2
    while b.norm().asscalar() < 1000:
        b = b * 2
    if b.sum().asscalar() > 0:
        return b
    return 100 * b


a = nd.random.normal(shape=(1,))
a.attach_grad()
with autograd.record():
    d = doubling(a)
d.backward()
print("slope is d / a:", (a.grad == d / a).asscalar() == 1)

z = nd.array([1.0, 2.0, 3.0])
z.attach_grad()
with autograd.record():
    w = nd.sin(z)
    first = autograd.grad(w, z, create_graph=True, retain_graph=True)[0]
first.backward()
print("second derivative is -sin:", nd.abs(z.grad + nd.sin(z)).max().asscalar() < 1e-5)
