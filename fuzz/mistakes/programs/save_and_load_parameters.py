"""Save the parameters of a net, load them into another one, and go on."""

import os
import tempfile

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.gluon import nn


def get_net():
    mlp = nn.Sequential()
    mlp.add(nn.Dense(12, activation="sigmoid"), nn.BatchNorm(), nn.Dense(2))
    return mlp


mx.random.seed(77)
original = get_net()
original.initialize(init=mx.init.Orthogonal())
inputs, goals = nd.random.normal(shape=(20, 6)), nd.ones((20, 2))
options = {"learning_rate": 0.1, "momentum": 0.9}
trainer = gluon.Trainer(original.collect_params(), "sgd", options)


def one_step(net, trainer):
    with autograd.record():
        loss = gluon.loss.L2Loss()(net(inputs), goals)
    loss.backward()
    trainer.step(20)


one_step(original, trainer)
with tempfile.TemporaryDirectory() as tmp:
    original.save_parameters(os.path.join(tmp, "mlp.params"))
    trainer.save_states(os.path.join(tmp, "mlp.states"))
    nd.save(os.path.join(tmp, "data.nd"), {"inputs": inputs, "goals": goals})
    clone = get_net()
    clone.load_parameters(os.path.join(tmp, "mlp.params"), ctx=mx.cpu())
    trainer2 = gluon.Trainer(clone.collect_params(), "sgd", options)
    trainer2.load_states(os.path.join(tmp, "mlp.states"))
    loaded = nd.load(os.path.join(tmp, "data.nd"))
one_step(original, trainer)
one_step(clone, trainer2)
difference = clone(loaded["inputs"]) - original(inputs)
print("same after one more step:", not difference.asnumpy().any())
