"""Fit a net with the Estimator of gluon.contrib, with a handler of one's own."""

import logging

import numpy as np

import gluonish as mx
from gluonish import gluon
from gluonish.gluon.contrib.estimator import EpochEnd, Estimator, LoggingHandler

mx.random.seed(181)
np.random.seed(181)


class RememberLoss(EpochEnd):
    def __init__(self, loss_metric):
        self.loss_metric = loss_metric
        self.seen = []

    def epoch_end(self, estimator, *args, **kwargs):
        self.seen.append(self.loss_metric.get()[1])


inputs = mx.nd.random.normal(shape=(120, 5))
targets = inputs[:, 0] > 0
dataset = gluon.data.ArrayDataset(inputs, targets)
train_data = gluon.data.DataLoader(dataset, batch_size=20, shuffle=True)
val_data = gluon.data.DataLoader(dataset, batch_size=60)

net = gluon.nn.Sequential()
net.add(gluon.nn.Dense(8, activation="relu"), gluon.nn.Dense(2))
net.initialize(mx.init.Xavier())
trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.05})
est = Estimator(
    net=net,
    loss=gluon.loss.SoftmaxCrossEntropyLoss(),
    trainer=trainer,
    context=mx.cpu(),
)
est.logger.setLevel(logging.ERROR)
memory = RememberLoss(est.train_metrics[-1])
est.fit(train_data, val_data=val_data, epochs=3, event_handlers=[memory, LoggingHandler()])
print("epochs:", len(memory.seen), "better:", memory.seen[-1] < memory.seen[0])
name, acc = est.train_metrics[0].get()
print(name, "above 0.8:", acc > 0.8)
