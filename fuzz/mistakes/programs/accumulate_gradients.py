"""Gradients of several small batches are added up before each step."""

import gluonish as mx
from gluonish import autograd, gluon, nd

mx.random.seed(231)


def main():
    inp = nd.random.normal(shape=(60, 9))
    out = nd.dot(inp, nd.random.normal(shape=(9, 2)))
    small_batch, accumulate = 5, 4

    linear = gluon.nn.Dense(2, in_units=9)
    linear.initialize(mx.init.Normal(0.01))
    for p in linear.collect_params().values():
        p.grad_req = "add"
    l2_loss = gluon.loss.L2Loss()
    trainer = gluon.Trainer(linear.collect_params(), "sgd", {"learning_rate": 0.3})

    for epoch in range(6):
        running = 0.0
        for n, start in enumerate(range(0, 60, small_batch)):
            rows = slice(start, start + small_batch)
            with autograd.record():
                loss = l2_loss(linear(inp[rows]), out[rows])
            loss.backward()
            running += loss.sum().asscalar()
            if (n + 1) % accumulate == 0:
                trainer.step(small_batch * accumulate)
                linear.collect_params().zero_grad()
    print("loss %.4f" % (running / 60))

    v = nd.array([1.0, 2.0])
    v.attach_grad(grad_req="add")
    for _ in range(3):
        with autograd.record():
            w = (v * v).sum()
        w.backward()
    print("three times:", v.grad.asnumpy().tolist())


if __name__ == "__main__":
    main()
