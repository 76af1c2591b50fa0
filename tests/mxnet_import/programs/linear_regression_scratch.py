# prints: True
from mxnet import autograd, nd
import random

num_inputs, num_examples = 2, 200
true_w, true_b = nd.array([2, -3.4]), 4.2
features = nd.random.normal(scale=1, shape=(num_examples, num_inputs))
labels = nd.dot(features, true_w) + true_b
labels += nd.random.normal(scale=0.01, shape=labels.shape)


def data_iter(batch_size, features, labels):
    indices = list(range(len(features)))
    random.shuffle(indices)
    for i in range(0, len(features), batch_size):
        j = nd.array(indices[i : min(i + batch_size, len(features))])
        yield features.take(j), labels.take(j)


w, b = nd.random.normal(scale=0.01, shape=(num_inputs, 1)), nd.zeros(shape=(1,))
w.attach_grad()
b.attach_grad()
for epoch in range(5):
    for X, y in data_iter(10, features, labels):
        with autograd.record():
            l = (nd.dot(X, w) + b - y.reshape((-1, 1))) ** 2 / 2
        l.backward()
        for param in [w, b]:
            param[:] = param - 0.05 * param.grad / 10
print(
    bool((w.reshape(-1) - true_w).abs().max().asscalar() < 0.1) and abs(b.asscalar() - true_b) < 0.1
)
