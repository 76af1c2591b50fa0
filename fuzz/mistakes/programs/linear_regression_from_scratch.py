"""Linear regression with nothing but NDArrays, as the first lesson has it."""

import random

import gluonish as mx
from gluonish import autograd, nd

mx.random.seed(42)
random.seed(42)

num_inputs = 2
num_examples = 400
true_w = nd.array([2, -3.4])
true_b = 4.2
features = nd.random.normal(scale=1, shape=(num_examples, num_inputs))
labels = nd.dot(features, true_w) + true_b
labels += nd.random.normal(scale=0.01, shape=labels.shape)


def data_iter(batch_size, features, labels):
    indices = list(range(len(features)))
    random.shuffle(indices)
    for i in range(0, len(indices), batch_size):
        j = nd.array(indices[i : i + batch_size])
        yield features.take(j), labels.take(j)


w = nd.random.normal(scale=0.01, shape=(num_inputs, 1))
b = nd.zeros(shape=(1,))
w.attach_grad()
b.attach_grad()

lr = 0.1
for epoch in range(4):
    for X, y in data_iter(20, features, labels):
        with autograd.record():
            loss = (nd.dot(X, w) + b - y.reshape((-1, 1))) ** 2 / 2
        loss.backward()
        for param in [w, b]:
            param[:] = param - lr * param.grad / X.shape[0]
    train_l = (nd.dot(features, w) + b - labels.reshape((-1, 1))) ** 2 / 2
print("last loss %.6f" % train_l.mean().asscalar())
print("w", w.reshape(-1).asnumpy().round(2), "b", round(b.asscalar(), 2))
