"""Training in mixed precision, by the plain loop and by FusedStep; as `golden/make_amp.py`."""

from __future__ import annotations

import numpy as onp

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.contrib import amp

STEPS = 10
BAD = (2, 5, 6)


class Scaled(gluon.HybridBlock):
    """A weight for each feature; no operator of the low precision."""

    def __init__(self):
        super().__init__()
        with self.name_scope():
            self.weight = self.params.get("weight", shape=(3,), init="ones")

    def hybrid_forward(self, F, x, weight):
        return x * weight


def dense():
    """Return a small network."""
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Dense(4, activation="relu", in_units=3), gluon.nn.Dense(3, in_units=4))
    return net


def steps_of(net, optimizer, options, *, clip=None, is_hybrid=False):
    """Return what ten steps leave, three of which run over."""
    net.initialize(mx.init.One())
    if is_hybrid:
        net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), optimizer, options)
    amp.init_trainer(trainer)
    trainer._amp_loss_scaler._scale_seq_len = 2
    loss = gluon.loss.L2Loss()
    random = onp.random.RandomState(3)
    rows = []
    for step in range(STEPS):
        x = nd.array(random.randn(4, 3))
        y = nd.array(random.randn(4, 3))
        if step in BAD:
            x[0, 0] = float("inf")
        with autograd.record():
            found = loss(net(x), y)
            with amp.scale_loss(found, trainer) as scaled:
                autograd.backward(scaled)
        if clip is not None:
            amp.unscale(trainer)
            grads = [p.grad() for p in net.collect_params().values()]
            gluon.utils.clip_global_norm(grads, clip, check_isfinite=False)
        trainer.step(4)
        rows.append(
            {
                "loss": found.astype("float32").asnumpy(),
                "scale": trainer._amp_loss_scaler.loss_scale,
                "updates": trainer.optimizer.num_update,
                "weights": [p.data().asnumpy().ravel() for p in net.collect_params().values()],
            }
        )
    return rows
