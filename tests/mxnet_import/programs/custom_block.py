# prints: (2, 10) Parameter mlp0_dense0_weight (shape=(256, 20), dtype=float32)
from mxnet import nd
from mxnet.gluon import nn


class MLP(nn.Block):
    def __init__(self, **kwargs):
        super(MLP, self).__init__(**kwargs)
        with self.name_scope():
            self.hidden = nn.Dense(256, activation="relu")
            self.output = nn.Dense(10)

    def forward(self, x):
        return self.output(self.hidden(x))


net = MLP()
net.initialize()
print(net(nd.random.uniform(shape=(2, 20))).shape, net.hidden.weight)
