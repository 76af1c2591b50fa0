"""Transfer learning: keep the features of a trained net, give it a new output."""

import gluonish as mx
from gluonish import autograd, gluon, np, npx
from gluonish.gluon import nn

npx.set_np()
mx.random.seed(141)


class SmallNet(nn.HybridBlock):
    def __init__(self, classes, **kwargs):
        super(SmallNet, self).__init__(**kwargs)
        self.features = nn.HybridSequential()
        self.features.add(nn.Dense(20, activation="relu"), nn.Dense(10, activation="relu"))
        self.output = nn.Dense(classes)

    def hybrid_forward(self, F, x):
        return self.output(self.features(x))


def fit(net, params, X, y, lr, steps):
    loss_fn = gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(params, "adam", {"learning_rate": lr})
    for _ in range(steps):
        with autograd.record():
            loss = loss_fn(net(X), y)
        loss.backward()
        trainer.step(len(X))
    return float(loss.mean())


X = np.random.normal(size=(80, 12))
y = X[:, :4].argmax(axis=1)
source = SmallNet(classes=4)
source.initialize(mx.init.Xavier())
before = fit(source, source.collect_params(), X, y, lr=0.02, steps=20)
target = SmallNet(classes=2)
target.features = source.features
target.features.collect_params().setattr("grad_req", "null")
target.output.initialize(mx.init.Xavier())
frozen = source.features[0].weight.data().copy()
after = fit(target, target.output.collect_params(), X, y % 2, lr=0.05, steps=20)
same = np.array_equal(frozen, target.features[0].weight.data())
print(f"losses {before:.2f} {after:.2f}, features kept: {same}")
