"""Softmax regression on batches of an NDArrayIter."""

import numpy as np

import gluonish as mx
from gluonish import autograd as ag, gluon

mx.random.seed(10)
np.random.seed(10)

points = np.random.rand(103, 6).astype("float32")
kinds = (points[:, :3].sum(axis=1) > points[:, 3:].sum(axis=1)).astype("float32")

train_iter = mx.io.NDArrayIter(
    data={"points": points}, label={"kinds": kinds}, batch_size=20, shuffle=True
)
val_iter = mx.io.NDArrayIter(points, kinds, batch_size=20, last_batch_handle="discard")
print(train_iter.provide_data[0].name, train_iter.provide_data[0].shape)

clf = gluon.nn.Dense(2)
clf.initialize(mx.init.Normal(0.1))
cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()
updater = gluon.Trainer(clf.collect_params(), "sgd", {"learning_rate": 1.0})

for round_no in range(4):
    train_iter.reset()
    for batch in train_iter:
        d, k = batch.data[0], batch.label[0]
        with ag.record():
            err = cross_entropy(clf(d), k)
        err.backward()
        updater.step(d.shape[0] - batch.pad)

acc = mx.metric.Accuracy()
for batch in val_iter:
    acc.update(batch.label, [clf(batch.data[0])])
print("validated on", acc.num_inst, "accuracy above 0.7:", acc.get()[1] > 0.7)
