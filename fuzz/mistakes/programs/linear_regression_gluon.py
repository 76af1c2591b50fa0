"""Linear regression by gluon, with the arrays of mx.np."""

import numpy

import gluonish as mx
from gluonish import autograd, gluon, init, np, npx
from gluonish.gluon import nn

npx.set_np()
mx.random.seed(1)
numpy.random.seed(1)


def synthetic_data(w, b, num_examples):
    X = np.random.normal(0, 1, (num_examples, len(w)))
    y = np.dot(X, w) + b
    y += np.random.normal(0, 0.01, y.shape)
    return X, y.reshape((-1, 1))


def load_array(data_arrays, batch_size, is_train=True):
    dataset = gluon.data.ArrayDataset(*data_arrays)
    return gluon.data.DataLoader(dataset, batch_size, shuffle=is_train)


true_w = np.array([2, -3.4])
true_b = 4.2
features, labels = synthetic_data(true_w, true_b, 500)
data_iter = load_array((features, labels), 25)

net = nn.Sequential()
net.add(nn.Dense(1))
net.initialize(init.Normal(sigma=0.01))
loss = gluon.loss.L2Loss()
trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})

for _ in range(3):
    for X, y in data_iter:
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
print(f"last loss {float(loss(net(features), labels).mean()):.5f}")
w = net[0].weight.data()
print("error in w:", bool((np.abs(true_w - w.reshape(true_w.shape)) < 0.05).all()))
