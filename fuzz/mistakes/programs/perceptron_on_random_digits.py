"""A multilayer perceptron that learns ten noisy prototypes of digits."""

import numpy as np

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.gluon import data as gdata, loss as gloss, nn

mx.random.seed(7)
np.random.seed(7)

prototypes = nd.random.uniform(0, 1, shape=(10, 784))
digits = nd.array([i % 10 for i in range(320)])
images = prototypes.take(digits) + 0.3 * nd.random.normal(shape=(320, 784))

net = nn.Sequential()
net.add(
    nn.Dense(128, activation="relu"),
    nn.Dense(64, activation="relu"),
    nn.Dense(10),
)
net.initialize(mx.init.Xavier(magnitude=2.24), ctx=mx.cpu())

batch_size = 32
train_set = gdata.ArrayDataset(images, digits)
train_data = gdata.DataLoader(train_set, batch_size, shuffle=True)
softmax_cross_entropy = gloss.SoftmaxCrossEntropyLoss()
trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
metric = mx.metric.Accuracy()

for epoch in range(3):
    metric.reset()
    for data, label in train_data:
        data = data.as_in_context(mx.cpu())
        label = label.as_in_context(mx.cpu())
        with autograd.record():
            output = net(data)
            loss = softmax_cross_entropy(output, label)
        loss.backward()
        trainer.step(batch_size)
        metric.update([label], [output])
    name, acc = metric.get()
    print("Epoch %d: training %s %.3f" % (epoch, name, acc))
