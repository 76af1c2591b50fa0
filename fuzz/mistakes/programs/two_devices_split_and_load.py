"""Data parallel training: batches are split between two devices."""

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.gluon import utils as gutils

mx.random.seed(41)
ctx_list = [mx.cpu(0), mx.cpu(1)]

xs = nd.random.normal(shape=(96, 10))
ys = (xs.sum(axis=1) > 0).astype("float32")

network = gluon.nn.Sequential()
network.add(gluon.nn.Dense(16, activation="softrelu"), gluon.nn.Dense(2))
network.initialize(mx.init.Xavier(), ctx=ctx_list)
objective = gluon.loss.SoftmaxCrossEntropyLoss()
params = network.collect_params()
trainer = gluon.Trainer(params, "sgd", {"learning_rate": 0.5}, update_on_kvstore=False)


def train_batch(batch, labels):
    parts = gutils.split_and_load(batch, ctx_list, batch_axis=0)
    targets = gutils.split_and_load(labels, ctx_list)
    with autograd.record():
        losses = [objective(network(p), t) for p, t in zip(parts, targets)]
    for l in losses:
        l.backward()
    trainer.allreduce_grads()
    for ctx in ctx_list:
        grads = [p.grad(ctx) for p in params.values()]
        norm = gutils.clip_global_norm(grads, max_norm=20.0)
    trainer.update(batch.shape[0])
    return sum(l.sum().asscalar() for l in losses) / batch.shape[0], norm


for epoch in range(4):
    for k in range(0, 96, 24):
        loss, norm = train_batch(xs[k : k + 24], ys[k : k + 24])
nd.waitall()
halves = gutils.split_data(xs, num_slice=3)
print("pieces:", [h.shape for h in halves], "norm is finite:", norm < 100)
print("loss %.3f on %s" % (loss, ctx_list))
