"""One body, two heads: a class and a number for each sample."""

import gluonish as mx
from gluonish import autograd, gluon, np, npx
from gluonish.gluon import nn

npx.set_np()
mx.random.seed(161)


class ResidualBody(nn.Block):
    def __init__(self, units):
        super().__init__()
        self.proj, self.inner = nn.Dense(units, use_bias=False), nn.Dense(units)

    def forward(self, x):
        return npx.relu(self.inner(self.proj(x)) + self.proj(x))


class MultiTask(nn.Block):
    def __init__(self):
        super().__init__()
        self.body = ResidualBody(24)
        self.classify, self.regress = nn.Dense(3), nn.Dense(1)

    def forward(self, x):
        h = self.body(x)
        return self.classify(h), self.regress(h)


samples = np.random.normal(size=(90, 6))
kind = np.argmax(samples[:, :3], axis=1)
size = np.abs(samples).mean(axis=1, keepdims=True)
both = MultiTask()
both.initialize(mx.init.Xavier())
ce, l1 = gluon.loss.SoftmaxCELoss(), gluon.loss.L1Loss(weight=2)
trainer = gluon.Trainer(both.collect_params(), "adam", {"learning_rate": 0.02})
for _ in range(30):
    with autograd.record():
        logits, value = both(samples)
        loss = ce(logits, kind) + l1(value, size)
    loss.backward()
    trainer.step(len(samples))
right = (logits.argmax(axis=1) == kind).sum().item()
print(f"right: {right} of 90, off by {np.abs(value - size).mean().item():.2f}")
