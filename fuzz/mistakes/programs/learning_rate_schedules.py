"""Learning rate schedules: by hand, by Trainer and set anew in the loop."""

import gluonish as mx
from gluonish import autograd, gluon, lr_scheduler, nd

mx.random.seed(4)

schedules = {
    "factor": lr_scheduler.FactorScheduler(step=5, factor=0.5, base_lr=1.0),
    "multi": lr_scheduler.MultiFactorScheduler(step=[8, 15], factor=0.1, base_lr=1.0),
    "poly": lr_scheduler.PolyScheduler(max_update=20, base_lr=1.0, pwr=2),
    "cosine": lr_scheduler.CosineScheduler(
        max_update=20, base_lr=1.0, final_lr=0.01, warmup_steps=4
    ),
}
for key in schedules:
    values = [round(schedules[key](t), 3) for t in range(1, 20, 6)]
    if key in ("multi", "cosine"):
        print(key, values)

A = nd.random.normal(shape=(30, 3))
b = nd.dot(A, nd.array([[1.0], [0.5], [-1.0]]))
dense = gluon.nn.Dense(1, in_units=3, use_bias=False)
dense.initialize(mx.init.Zero())
halving = lr_scheduler.FactorScheduler(step=5, factor=0.5, base_lr=0.4)
sgd = mx.optimizer.SGD(momentum=0.5, lr_scheduler=halving)
trainer = gluon.Trainer(dense.collect_params(), sgd)
square_loss = gluon.loss.L2Loss()
for t in range(20):
    with autograd.record():
        loss = square_loss(dense(A), b)
    loss.backward()
    trainer.step(30)
rate = trainer.learning_rate
plain = gluon.Trainer(dense.collect_params(), "sgd", {"learning_rate": 0.5})
plain.set_learning_rate(plain.learning_rate * 0.1)
print("rates %.4f and %.4f, loss %.4f" % (rate, plain.learning_rate, loss.mean().asscalar()))
