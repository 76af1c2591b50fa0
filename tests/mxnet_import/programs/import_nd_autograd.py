# prints: [4. 8.]
from mxnet import autograd, nd

x = nd.array([1, 2])
x.attach_grad()
with autograd.record():
    y = 2 * x**2
y.backward()
print(x.grad.asnumpy())
