"""A layer used twice, shared parameters, and a constant one."""

import gluonish as mx
from gluonish import gluon, nd
from gluonish.autograd import record
from gluonish.gluon import nn

mx.random.seed(221)


class FixedMix(nn.HybridBlock):
    def __init__(self, matrix, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.mix = self.params.get_constant("mix", matrix)
            self.dense = nn.Dense(6, flatten=False)

    def hybrid_forward(self, F, x, mix):
        x = self.dense(x)
        x = F.relu(F.dot(x, mix) + 1)
        x = self.dense(x)
        return F.broadcast_div(x, F.norm(x))


shared = nn.Dense(8, activation="relu", in_units=8)
net = nn.HybridSequential()
net.add(
    nn.Dense(8, activation="relu"),
    shared,
    nn.Dense(8, activation="relu", in_units=8, params=shared.params),
    nn.Dense(6),
    FixedMix(nd.eye(6) * 0.5),
)
net.initialize(mx.init.Xavier())
net.hybridize()

x = nd.random.uniform(shape=(5, 3))
trainer = gluon.Trainer(net.collect_params(), "adagrad", {"learning_rate": 0.1})
with record():
    loss = (net(x) - 0.1).abs().sum()
loss.backward()
trainer.step(5, ignore_stale_grad=True)
print("shared:", (net[1].weight.data() == net[2].weight.data()).min().asscalar() == 1)
print("constant kept:", net[4].mix.data().sum().asscalar(), net[4].mix.grad_req)
