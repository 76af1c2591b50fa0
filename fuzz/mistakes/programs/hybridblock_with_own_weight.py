"""An own HybridBlock with its own weight and bias, hybridized."""

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.gluon import nn


class ScaledDense(gluon.HybridBlock):
    def __init__(self, units, in_units=0, **kwargs):
        super(ScaledDense, self).__init__(**kwargs)
        with self.name_scope():
            self.weight = self.params.get(
                "weight", shape=(units, in_units), allow_deferred_init=True
            )
            self.scale = self.params.get("scale", shape=(1,), init=mx.init.One())
            self.bias = self.params.get("bias", shape=(units,), init="zeros")
        self._units = units

    def infer_shape(self, x, *args):
        self.weight.shape = (self._units, x.shape[1])

    def hybrid_forward(self, F, x, weight, scale, bias):
        out = F.FullyConnected(x, weight, bias, num_hidden=self._units)
        return F.broadcast_mul(F.tanh(out), scale.reshape((1, 1)))


mx.random.seed(21)
net = nn.HybridSequential(prefix="scaled_")
with net.name_scope():
    net.add(ScaledDense(16, in_units=4))
    net.add(ScaledDense(1, in_units=16))
net.initialize(mx.init.Normal(0.5))
net.hybridize(static_alloc=True)

x = nd.random.normal(shape=(50, 4))
y = nd.sin(x.sum(axis=1, keepdims=True))
trainer = gluon.Trainer(net.collect_params(), "adam", dict(learning_rate=0.02))
for i in range(40):
    with autograd.record():
        loss = nd.mean(nd.square(net(x) - y))
    loss.backward()
    trainer.step(1)
print("parameters:", [name.replace("scaled_", "") for name in net.collect_params(".*scale$")][:2])
print("loss below 0.4:", loss.asscalar() < 0.4)
