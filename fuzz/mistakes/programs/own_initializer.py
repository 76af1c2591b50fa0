"""Initializers: ready ones, one by pattern of names and one's own."""

import gluonish as mx
from gluonish import init, nd
from gluonish.gluon import nn


@mx.init.register
class CheckerInit(init.Initializer):
    def __init__(self, value=1.0):
        super(CheckerInit, self).__init__(value=value)
        self.value = value

    def _init_weight(self, name, arr):
        signs = nd.arange(arr.size).reshape(arr.shape) % 2 * 2 - 1
        arr[:] = signs * self.value


mx.random.seed(191)
x = nd.random.uniform(shape=(2, 7))

net = nn.Sequential()
net.add(nn.Dense(4, weight_initializer=CheckerInit(0.5), bias_initializer=init.Constant(3)))
net.add(nn.Dense(4, weight_initializer="orthogonal"))
net.add(nn.Dense(2))
net.initialize(init=init.Xavier(rnd_type="uniform", factor_type="out", magnitude=3))
net(x)
print(net[0].weight.data()[0, :3].asnumpy(), net[0].bias.data()[0].asscalar())

q = net[1].weight.data()
identity = nd.dot(q, q, transpose_b=True)
print("orthogonal:", nd.abs(identity / identity[0, 0] - nd.eye(4)).max().asscalar() < 1e-4)

net.collect_params(".*weight").initialize(init.One(), force_reinit=True)
ones = net[2].weight.data().sum().asscalar()
net[1].bias.set_data(nd.arange(4))
net[2].weight.initialize(init="checkerinit", force_reinit=True)
print(ones, net[2].weight.data()[0].asnumpy(), net[1].bias.data().asnumpy())
