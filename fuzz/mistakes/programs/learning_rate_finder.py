"""A learning rate finder by hand: raise the rate until the loss explodes."""

import math

import gluonish as mx
from gluonish import autograd, nd
from gluonish.gluon import Trainer, loss, nn


class LRFinder:
    def __init__(self, net, loss_fn, optimizer="sgd"):
        self.net = net
        self.loss_fn = loss_fn
        self.trainer = Trainer(net.collect_params(), optimizer, {"learning_rate": 1e-4})
        self.lrs = []
        self.losses = []

    def find(self, batches, factor=1.6):
        lr = 1e-4
        for x, y in batches:
            self.trainer.set_learning_rate(lr)
            with autograd.record():
                batch_loss = self.loss_fn(self.net(x), y)
            batch_loss.backward()
            self.trainer.step(x.shape[0])
            current = batch_loss.mean().asscalar()
            if math.isnan(current) or (self.losses and current > 4 * min(self.losses)):
                break
            self.lrs.append(lr)
            self.losses.append(current)
            lr *= factor
        return self.lrs[self.losses.index(min(self.losses))] / 10


mx.random.seed(81)
regressor = nn.HybridSequential()
regressor.add(nn.Dense(32), nn.PReLU(), nn.Dense(1))
regressor.initialize(mx.init.Xavier())
inputs = nd.random.normal(shape=(64, 10))
outputs = nd.dot(inputs, nd.random.normal(shape=(10, 1)))
finder = LRFinder(regressor, loss.L2Loss())
best_lr = finder.find([(inputs, outputs)] * 40)
print("rates tried:", len(finder.lrs) > 10, "best rate sensible:", 1e-4 < best_lr < 1)
