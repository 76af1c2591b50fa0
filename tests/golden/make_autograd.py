"""Ask the real MXNet 1.9.1 how autograd behaves, in both front ends.

Run from the repository's root under a Python that has MXNet 1.9.1, with the path of one that has
MXNet 1.6.0 as argument; writes tests/golden/autograd.json.
"""

from __future__ import annotations

import make_facts

# Programs are separated by blank lines; A stands for the front end.
BOTH = """
x = A.array([1., 2., 3.])
x.attach_grad()
with autograd.record():
    y = (x * x).sum()
y.backward()
[x.grad, y]

x = A.array([1., 2., 3.])
x.attach_grad()
x.grad

x = A.array([1., 2.])
x.grad

x = A.array([1., 2., 3.])
x.attach_grad()
with autograd.record():
    y = x * x
y.backward()
x.grad

x = A.array([1., 2., 3.])
x.attach_grad()
with autograd.record():
    y = x * x
y.backward(A.array([1., 10., 100.]))
x.grad

x = A.array([1., 2., 3.])
x.attach_grad()
with autograd.record():
    y = x * x
y.backward(A.array([1., 10.]))
x.grad

x = A.array([1., 2., 3.])
x.attach_grad()
for _ in range(2):
    with autograd.record():
        y = (x * 2).sum()
    y.backward()
x.grad

x = A.array([1., 2., 3.])
x.attach_grad('add')
for _ in range(3):
    with autograd.record():
        y = (x * 2).sum()
    y.backward()
x.grad

x = A.array([1., 2., 3.])
x.attach_grad(grad_req='add')
with autograd.record():
    y = (x * 2).sum()
y.backward()
x.grad[:] = 0
with autograd.record():
    y = (x * 3).sum()
y.backward()
x.grad

x = A.array([1., 2., 3.])
x.attach_grad('null')
with autograd.record():
    y = (x * 2).sum()
y.backward()
x.grad

x = A.array([1., 2., 3.])
x.attach_grad('nonsense')

x = A.array([1., 2., 3.])
x.attach_grad()
g = x.grad
with autograd.record():
    y = (x * 2).sum()
y.backward()
[g is x.grad, g]

x = A.array([1., 2.])
x.attach_grad()
with autograd.record():
    y = (x * x).sum()
y.backward()
y.backward()

x = A.array([1., 2.])
x.attach_grad()
with autograd.record():
    y = (x * x).sum()
y.backward(retain_graph=True)
y.backward()
x.grad

x = A.array([1., 2.])
y = (x * x).sum()
y.backward()

x = A.array([1., 2.])
x.attach_grad()
y = (x * x).sum()
y.backward()

x = A.array([1., 2.])
with autograd.record():
    y = (x * x).sum()
y.backward()

x = A.array([1., 2.])
x.attach_grad()
x.backward()
x.grad

x = A.array([1., 2.])
x.attach_grad()
with autograd.record():
    y = x * 2
    y += 1
y.backward()
x.grad

x = A.array([1., 2.])
x.attach_grad()
with autograd.record():
    x += 1

x = A.array([1., 2.])
x.attach_grad()
with autograd.record():
    x[0] = 1

x = A.array([1., 2.])
x.attach_grad()
with autograd.record():
    x[:] = 1

x = A.array([1., 2.])
x.attach_grad()
with autograd.record():
    y = x * 2
    y[0] = 5

x = A.array([1., 2.])
x.attach_grad()
with autograd.record():
    y = x * 2
    y[:] = 5

x = A.array([1., 2.])
x.attach_grad()
with autograd.record():
    z = A.zeros((2,))
    z[:] = x
    y = z * 3
y.backward()
x.grad

x = A.array([1., 2.])
x.attach_grad()
with autograd.record():
    y = x * 2
y[:] = 5
y

x = A.array([1., 2.])
x.attach_grad()
with autograd.record():
    y = x * x
x += 1
y.backward()
[x, x.grad]

x = A.array([1., 2., 3., 4.])
x.attach_grad()
with autograd.record():
    y = x[1:3] * 5
y.backward()
x.grad

x = A.array([1., 2., 3., 4.])
x.attach_grad()
with autograd.record():
    y = x[1] * 5 + x[::-1][0]
y.backward()
x.grad

x = A.array([[1., 2.], [3., 4.]])
x.attach_grad()
with autograd.record():
    y = x[[0, 0, 1]] * A.array([[1., 2.], [3., 4.], [5., 6.]])
y.backward()
x.grad

x = A.array([[1., 2.], [3., 4.]])
x.attach_grad()
with autograd.record():
    y = x.reshape((4,))[1:3].sum() + x.T[0].sum()
y.backward()
x.grad

x = A.array([1., 2., 3.])
x.attach_grad()
with autograd.record():
    a, b, c = x
    y = a * 2 + c
y.backward()
x.grad

x = A.array([1., 2.])
x.attach_grad()
with autograd.record():
    y = x * 2
    y.attach_grad()
    z = (y * y).sum()
z.backward()
[x.grad, y.grad]

x = A.array([1., 2.])
x.attach_grad()
with autograd.record():
    y = x * 2
    z = y.detach() * x
z.backward()
x.grad

x = A.array([1., 2.])
x.attach_grad()
with autograd.record():
    y = x * 2
    with autograd.pause():
        z = y * 3
    w = (y * z).sum()
w.backward()
x.grad

x = A.array([1., 2.])
x.attach_grad()
with autograd.record():
    y = x * 2
with autograd.record():
    z = y * 3
z.backward()
x.grad

x = A.array([1., 2.])
x.attach_grad()
with autograd.record():
    y = x * 2
z = y * 3
z.backward()

x, y = A.array([1., 2.]), A.array([3., 4.])
x.attach_grad()
y.attach_grad()
with autograd.record():
    a = (x * y).sum()
    b = (x + y).sum()
autograd.backward([a, b])
[x.grad, y.grad]

x, y = A.array([1., 2.]), A.array([3., 4.])
x.attach_grad()
y.attach_grad()
with autograd.record():
    a = x * y
    b = x + y
autograd.backward([a, b], [A.array([1., 2.]), A.array([3., 4.])])
[x.grad, y.grad]

x = A.array([1., 2.])
x.attach_grad()
with autograd.record():
    a = x * 2
    b = x * 3
a.backward()
first = x.grad.copy()
b.backward()
[first, x.grad]

x, y = A.array([1., 2.]), A.array([3., 4.])
x.attach_grad()
y.attach_grad()
with autograd.record():
    a = x * 2
a.backward()
[x.grad, y.grad]

x = A.array([1., 2.])
x.attach_grad()
with autograd.record():
    y = x * x * x
    g = autograd.grad(y, x, create_graph=True, retain_graph=True)[0]
g.backward()
[g, x.grad]

x = A.array([1., 2.])
x.attach_grad()
with autograd.record():
    y = (x * x * x).sum()
    g = autograd.grad(y, [x], create_graph=True)
    h = (g[0] * g[0]).sum()
h.backward()
x.grad

x = A.array([1., 2.])
x.attach_grad()
with autograd.record():
    y = A.exp(x)
autograd.grad(y, x)

x = A.array([1., 2.])
x.attach_grad()
with autograd.record():
    y = A.exp(x)
autograd.grad(y, [x])

x = A.array([1., 2.])
x.attach_grad()
with autograd.record():
    y = A.exp(x)
autograd.grad([y], [x], head_grads=[A.array([1., 10.])])

x = A.array([1., 2.])
x.attach_grad()
with autograd.record():
    y = A.exp(x)
g = autograd.grad(y, x, retain_graph=False)
x.grad

x = A.array([1., 2.])
z = A.array([1., 2.])
x.attach_grad()
with autograd.record():
    y = A.exp(x)
autograd.grad(y, z)

x = A.array([1., 2.])
z = A.array([1., 2.])
x.attach_grad()
z.attach_grad()
with autograd.record():
    y = A.exp(x)
autograd.grad(y, [z])

x = A.array([2.])
x.attach_grad()
with autograd.record():
    y = A.sin(x)
    g1 = autograd.grad(y, x, create_graph=True, retain_graph=True)[0]
    g2 = autograd.grad(g1, x, create_graph=True, retain_graph=True)[0]
g2.backward()
[g1, g2, x.grad]

x = A.array([1., 2.])
g = A.array([0., 0.])
autograd.mark_variables([x], [g])
with autograd.record():
    y = x * 4
y.backward()
[g, x.grad]

x = A.array([1., 2.])
g = A.array([7., 7.])
autograd.mark_variables(x, g, 'add')
with autograd.record():
    y = x * 4
y.backward()
g

x = A.array([1., 2.])
autograd.mark_variables([x], [A.array([0.])])

x = A.array([1., 2.])
autograd.mark_variables([x], [A.array([0., 0.]), A.array([0., 0.])])

class Sigmoid(autograd.Function):
    def forward(self, x):
        y = 1 / (1 + A.exp(-x))
        self.save_for_backward(y)
        return y
    def backward(self, dy):
        y, = self.saved_tensors
        return dy * y * (1 - y)
x = A.array([0., 1.])
x.attach_grad()
with autograd.record():
    y = Sigmoid()(x)
y.backward()
[y, x.grad]

class Two(autograd.Function):
    def forward(self, a, b):
        return a * 2, b * 3
    def backward(self, da, db):
        return da * 20, db * 30
a, b = A.array([1., 2.]), A.array([3.])
a.attach_grad()
b.attach_grad()
with autograd.record():
    c, d = Two()(a, b)
    y = c.sum() + d.sum()
y.backward()
[c, d, a.grad, b.grad]

class Wrong(autograd.Function):
    def forward(self, a, b):
        return a * b
    def backward(self, dy):
        return dy
a, b = A.array([1., 2.]), A.array([3., 4.])
a.attach_grad()
with autograd.record():
    y = Wrong()(a, b)
y.backward()
a.grad.asnumpy()

class Twice(autograd.Function):
    def forward(self, a):
        return a * 2
    def backward(self, dy):
        return dy * 2
f = Twice()
a = A.array([1., 2.])
a.attach_grad()
with autograd.record():
    y = f(f(a))
y.backward()
a.grad

x = A.array([1., 2.])
x.attach_grad()
with autograd.record():
    y = x * 2
x.attach_grad()
y.backward()
x.grad

x = A.array([1, 2], dtype='int32')
x.attach_grad()
with autograd.record():
    y = x * 2
y.backward()
x.grad

x = A.array([1., 2.], dtype='float64')
x.attach_grad()
with autograd.record():
    y = x.astype('float32') * 3
y.backward()
x.grad

x = A.array([1., 2.], dtype='float16')
x.attach_grad()
with autograd.record():
    y = (x * x).sum()
y.backward()
x.grad

x = A.array([1., -2., 0.])
x.attach_grad()
with autograd.record():
    y = abs(x) + A.sign(x) + x ** 2 + 2 ** x + 1 / (x + 3) - x % 2
y.backward()
x.grad

x = A.array([3., 1., 2., 3.])
x.attach_grad()
with autograd.record():
    y = x.max()
y.backward()
x.grad

x = A.array([1., 2.])
x.attach_grad()
with autograd.record():
    y = (x > 1) * x
y.backward()
x.grad

x = A.array([[1., 2.], [3., 4.]])
x.attach_grad()
with autograd.record():
    y = x.as_in_context(mx.cpu(1)) * 2
y.backward()
[x.grad, y]

x = A.array([1., 2.])
x.attach_grad()
with autograd.record():
    y = x.copy() * 2 + x.copyto(mx.cpu()) * 3
y.backward()
x.grad

x = A.array([1., 2.])
x.attach_grad()
with autograd.record():
    y = x.asnumpy() * 2
y

x = A.array([0.5, 2.])
x.attach_grad()
with autograd.record():
    y = x
    while y.sum().asnumpy().item() < 100:
        y = y * 2
y.backward()
x.grad

[autograd.is_recording(), autograd.is_training()]

with autograd.record():
    a = [autograd.is_recording(), autograd.is_training()]
    with autograd.pause():
        b = [autograd.is_recording(), autograd.is_training()]
        with autograd.train_mode():
            c = [autograd.is_recording(), autograd.is_training()]
    with autograd.predict_mode():
        d = [autograd.is_recording(), autograd.is_training()]
    with autograd.record(train_mode=False):
        e = [autograd.is_recording(), autograd.is_training()]
    f = [autograd.is_recording(), autograd.is_training()]
[a, b, c, d, e, f]

with autograd.pause(train_mode=True):
    a = [autograd.is_recording(), autograd.is_training()]
with autograd.train_mode():
    b = [autograd.is_recording(), autograd.is_training()]
    with autograd.record():
        c = [autograd.is_recording(), autograd.is_training()]
[a, b, c]

try:
    with autograd.record():
        raise KeyError('x')
except KeyError:
    pass
[autograd.is_recording(), autograd.is_training()]

a = autograd.set_recording(True)
b = autograd.set_recording(False)
c = autograd.set_training(True)
d = autograd.set_training(False)
[a, b, c, d]

import threading
seen = []
with autograd.record():
    t = threading.Thread(target=lambda: seen.append(autograd.is_recording()))
    t.start()
    t.join()
seen

x = A.array([1., 2.])
x.attach_grad()
with autograd.record():
    y = x * 2
y.backward(train_mode=False)
x.grad

autograd.backward([])

autograd.backward(A.array([1.]), [A.array([1.]), A.array([1.])])

x = A.array([1., 2.])
x.attach_grad()
with autograd.record():
    y = x * 2
x.grad = A.array([5., 5.])

x = A.array([1., 2.])
x.attach_grad()
x.grad[:] = 5
with autograd.record():
    y = x * 2
y.backward()
x.grad

x = A.array([1., 2.])
x.attach_grad()
with autograd.record():
    y = x * 2
y.backward()
with autograd.record():
    y = x.grad * x
y.backward()
x.grad

x = A.array([1., 2.])
x.attach_grad()
with autograd.record():
    pass
x.backward()
x.grad

w = A.array([[1., 2.], [3., 4.]])
w.attach_grad()
with autograd.record():
    y = A.dot(w, A.array([1., 1.])).sum()
y.backward()
w[:] = w - 0.1 * w.grad
[w, w.grad]

w, s, found = A.array([2.]), A.ones((1,)), []
w.attach_grad()
for _ in range(3):
    with autograd.record():
        s = s * w
        y = (s * s).sum()
    y.backward()
    found.append(w.grad.copy())
[found, s]

w, s = A.array([2.]), A.ones((1,))
w.attach_grad('add')
for _ in range(3):
    s.detach()
    with autograd.record():
        s = s + w
        y = s.sum()
    y.backward()
[w.grad, s]

w = A.array([2.])
w.attach_grad()
with autograd.record():
    y = w * w
y.backward()
y.backward()
w.grad

w = A.array([2.])
w.attach_grad()
with autograd.record():
    y = w + 1
y.backward()
y.backward()
w.grad

w = A.array([2.])
w.attach_grad()
with autograd.record():
    y = w * w
    z = y * 3
z.backward()
y.backward()
w.grad

w, v = A.array([2.]), A.array([5.])
w.attach_grad()
v.attach_grad()
with autograd.record():
    y = w * w
    z = y * 3
    u = y * v
z.backward()
u.backward()
[w.grad, v.grad]

w, v = A.array([2.]), A.array([5.])
w.attach_grad()
v.attach_grad()
with autograd.record():
    y = w * w * 3
    z = v * v
y.backward()
z.backward()
[w.grad, v.grad]

w, v = A.array([2.]), A.array([5.])
w.attach_grad()
v.attach_grad()
with autograd.record():
    y = w * w
    u = y + v * 3
    z = y * 2
z.backward()
with autograd.record():
    z = u * u
z.backward()
[w.grad, v.grad]

w, v = A.array([2.]), A.array([5.])
w.attach_grad()
v.attach_grad()
with autograd.record():
    y = w * w
for _ in range(3):
    with autograd.record():
        z = v * v
    z.backward()
with autograd.record():
    z = y * y
z.backward()
[w.grad, v.grad]

w = A.array([2.])
w.attach_grad()
with autograd.record():
    y = w * w
    z = y * 3
z.backward(retain_graph=True)
with autograd.record():
    z = y * y
z.backward()
w.grad

w = A.array([2.])
w.attach_grad()
with autograd.record():
    y = w * w
    z = y * 3
    g = autograd.grad(z, [w], retain_graph=False)[0]
with autograd.record():
    z = y * w
z.backward()
[w.grad, g.asnumpy().tolist()]

w = A.array([2.])
w.attach_grad()
with autograd.record():
    y = w * w
    z = y * 3
z.backward()
y.attach_grad()
with autograd.record():
    z = y * y
z.backward()
[w.grad, y.grad]

x = A.array([1., -2.])
x.attach_grad()
x.grad[:] = 7
with autograd.record():
    y = x > 0
y.backward()
x.grad

x, w = A.array([1., -2.]), A.array([3., 4.])
x.attach_grad()
w.attach_grad('add')
w.grad[:] = 7
x.grad[:] = 7
with autograd.record():
    y = A.zeros_like(x * w)
y.backward()
[x.grad, w.grad]

x = A.array([1., -2.])
x.attach_grad()
x.grad[:] = 7
with autograd.record():
    y = x.argmax(axis=0)
y.backward()
x.grad

x, w = A.array([1., -2.]), A.array([3., 4.])
x.attach_grad()
w.attach_grad()
w.grad[:] = 7
with autograd.record():
    y = x * 2
    z = w <= 3
autograd.backward([y, z])
[x.grad, w.grad]

x = A.array([1., -2.])
x.attach_grad()
with autograd.record():
    y = x >= 0
autograd.grad(y, x)

x = A.array([1., -2.])
x.attach_grad()
with autograd.record():
    y = abs(x)
    g = autograd.grad(y, x, create_graph=True, retain_graph=True)[0]
    h = autograd.grad(g, x, create_graph=True, retain_graph=True)[0]
[g, h]

x = A.array([1., -2.])
x.attach_grad()
with autograd.record():
    y = abs(x)
    g = autograd.grad(y, x, create_graph=True, retain_graph=True)[0]
g.backward()
[x.grad, x.grad + 1]

x = A.array([1, 2], dtype='int32')
x.attach_grad()
x.grad

x = A.array([1, 0], dtype='int32')
w = A.array([1., 2.])
x.attach_grad()
w.attach_grad()
with autograd.record():
    y = A.take(w, x)
y.backward()
[x.grad, w.grad]
"""

DRAWS = """
x = np.array([2., 3.])
x.attach_grad()
with autograd.record():
    y = np.random.exponential(x, size=(3, 2))
y.backward()
x.grad

x = np.array([2., 3.])
x.attach_grad()
with autograd.record():
    y = np.random.rayleigh(x) * 2
y.backward()
x.grad

x = np.array([2., 3.])
x.attach_grad()
with autograd.record():
    y = np.random.weibull(x, size=(3, 2))
y.backward()
x.grad

x = np.array([2., 3.])
x.attach_grad()
with autograd.record():
    y = np.random.pareto(x, size=(3, 2))
y.backward()
x.grad

x, s = np.array([2., 3.]), np.array([1., 2.])
x.attach_grad()
s.attach_grad()
with autograd.record():
    y = np.random.normal(x, s, size=(3, 2)) + np.random.gumbel(x, s) + np.random.logistic(x, s)
y.backward()
[x.grad, s.grad]

x, s = np.array([2., 3.]), np.array([1., 2.])
x.attach_grad()
s.attach_grad()
with autograd.record():
    y = npx.random.normal_n(x, s, batch_shape=(3,))
y.backward()
[x.grad, s.grad]

x, s = np.array([2., 3.]), np.array([1., 2.])
x.attach_grad()
s.attach_grad()
x.grad[:] = 7
with autograd.record():
    y = np.random.uniform(x, s, size=(3, 2)) + np.random.gamma(x, s) + np.random.beta(x, s)
y.backward()
[x.grad, s.grad]

class Drawn(gluon.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.w = self.params.get('w', shape=(2,), init='ones')
    def hybrid_forward(self, F, x, w):
        return F.np.random.exponential(w, size=(2,)) + F.np.random.pareto(w, size=(2,)) * x
net, found = Drawn(), []
net.initialize()
net.hybridize()
for _ in range(3):
    with autograd.record():
        y = net(np.ones((2,)))
    y.backward()
    found += [y, net.w.grad().copy()]
found

x, s = nd.array([2., 3.]), nd.array([1., 2.])
x.attach_grad()
s.attach_grad()
x.grad[:] = 7
with autograd.record():
    y = nd.sample_normal(x, s, shape=(3,)) + nd.random.gamma(x, s, shape=(3,))
y.backward()
[x.grad, s.grad]
"""

NUMPY = """
x = np.array(2.0)
x.attach_grad()
with autograd.record():
    y = x ** 3
y.backward()
[x.grad, y]

x = np.arange(4.0)
x.attach_grad()
with autograd.record():
    y = 2 * np.dot(x, x)
y.backward()
[y, x.grad, x.grad == 4 * x]

x = np.random.uniform(size=(2, 3))
x.attach_grad()
with autograd.record():
    y = np.concatenate([x, x * 2], axis=0).mean()
y.backward()
x.grad

x = np.array([1., 2., 3.])
x.attach_grad()
with autograd.record():
    y = x[x > 1.5].sum()
y.backward()
x.grad

x = np.array([1., 2., 3.])
x.attach_grad()
with autograd.record():
    y = np.where(x > 1.5, x * 2, x * 3)
y.backward()
x.grad

x = np.array([1., 2.])
x.attach_grad()
with autograd.record():
    y = x.as_nd_ndarray() * 2
y.backward()
[x.grad, y]

x = np.zeros((0, 3))
x.attach_grad()
with autograd.record():
    y = (x * 2).sum()
y.backward()
x.grad

x = np.array([1., 2.])
x.attach_grad()
with autograd.record():
    y = np.stack([x, x]).sum(axis=0)
y.backward(np.array([1., 2.]))
x.grad

x = A.array([1., 2., 3.])
x.attach_grad()
with autograd.record():
    y = A.ones_like(x)
y.backward()
x.grad

x = A.array([1., 2., 3.])
x.attach_grad()
with autograd.record():
    y = A.argmax(x * 2, axis=0)
    z = A.floor(x) + x
autograd.backward([y, z])
x.grad
"""

LEGACY = """
x = nd.array([1., 2., 3.])
x.attach_grad()
with autograd.record():
    y = x > 2
y.backward()
x.grad

x = nd.array([1., 2., 3.])
x.attach_grad()
with autograd.record():
    y, i = nd.topk(x, k=2, ret_typ='both')
autograd.backward([i, y])
x.grad

x = nd.array([1., 2., 3.])
x.attach_grad()
with autograd.record():
    y = nd.BlockGrad(x * x)
y.backward()
y.backward()

x = nd.array([1., 2., 3.])
with autograd.record():
    y = x > 2
y.backward()

class Net(gluon.HybridBlock):
    def hybrid_forward(self, F, x):
        return F.broadcast_greater(x * 2, x)
net = Net()
net.hybridize()
x = nd.array([1., 2., 3.])
x.attach_grad()
with autograd.record():
    y = net(x)
y.backward()
x.grad

x, w = nd.array([1., -2.]), nd.array([3., 4.])
x.attach_grad()
w.attach_grad()
w.grad[:] = 7
with autograd.record():
    y = x * (w > 0)
y.backward()
[x.grad, w.grad]

x = nd.array([1., -2.])
x.attach_grad()
x.grad[:] = 7
with autograd.record():
    y = (nd.BlockGrad(x) * 2).sum()
y.backward()
x.grad

x = nd.array([1., -2.])
x.attach_grad('add')
x.grad[:] = 7
with autograd.record():
    y = nd.argsort(x) + nd.ones_like(x)
y.backward()
x.grad

w = nd.ones((3, 2))
w.attach_grad(stype='row_sparse')
with autograd.record():
    y = nd.BlockGrad(nd.Embedding(nd.array([1]), w, input_dim=3, output_dim=2, sparse_grad=True))
y.backward()
[w.grad.stype, w.grad.asnumpy()]

class Compared(gluon.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.w = self.params.get('w', shape=(2,), init='ones')
    def hybrid_forward(self, F, x, w):
        return F.sum((x > w) * 2)
net, x, found = Compared(), nd.array([1., -2.]), []
net.initialize()
x.attach_grad()
for _ in range(4):
    net.w.grad()[:] = 7
    x.grad[:] = 7
    with autograd.record():
        y = net(x)
    y.backward()
    found += [net.w.grad().copy(), x.grad.copy()]
    net.hybridize()
found

x = nd.array([[1., 2.], [3., 4.]])
x.attach_grad()
with autograd.record():
    y = nd.BlockGrad(x) * x
y.backward()
x.grad

x = nd.array([1., 2., 3.])
x.attach_grad()
with autograd.record():
    y = nd.clip(x, 1.5, 2.5)
y.backward()
x.grad

x = nd.array([1., 2., 3.])
x.attach_grad()
with autograd.record():
    y = nd.concat(x, x * 2, dim=0)
y.backward()
x.grad

x = nd.array([1., 2., 3.])
x.attach_grad()
with autograd.record():
    y = x.as_np_ndarray() * 2
y.backward()
[x.grad, y]

x = nd.ones((2, 3))
x.attach_grad(stype='default')
x.grad

x = nd.ones((2, 3))
with autograd.record():
    y = nd.Dropout(x, p=0.5)
z = nd.Dropout(x, p=0.5)
[float(y.max().asscalar()), z]

net = gluon.rnn.LSTM(3)
net.initialize(init.One())
s, found = net.begin_state(batch_size=2), []
for _ in range(3):
    with autograd.record():
        o, s = net(nd.ones((2, 2, 4)) * 0.1, s)
        z = o.sum()
    z.backward()
    found.append(net.l0_i2h_weight.grad().copy())
found

net = gluon.rnn.GRUCell(3)
net.initialize(init.One())
net.hybridize()
s, found = net.begin_state(batch_size=2), []
for _ in range(4):
    with autograd.record():
        o, s = net(nd.ones((2, 4)) * 0.1, s)
        z = (o * o).sum()
    z.backward()
    found.append(net.i2h_weight.grad().copy())
found

w, s = nd.array([2., 3.]), nd.ones((2,))
w.attach_grad()
for _ in range(3):
    with autograd.record():
        s = nd.concat(s[0:1] * w[0:1], s[1:2] + w[1:2], dim=0)
        z = (s * s).sum()
    autograd.backward([z])
[w.grad, s]
"""


def main():
    """Write autograd.json."""
    groups = {}
    for front, programs in (("nd", BOTH), ("np", BOTH), ("np only", NUMPY), ("nd only", LEGACY)):
        code = [
            program.strip().replace("A.", front[:2] + ".") for program in programs.split("\n\n")
        ]
        groups[front] = [(front.startswith("np"), program) for program in code]
    seed = "mx.random.seed(3)\n"
    groups["draws"] = [(True, seed + program.strip()) for program in DRAWS.split("\n\n")]
    make_facts.write("autograd", groups)


if __name__ == "__main__":
    main()
