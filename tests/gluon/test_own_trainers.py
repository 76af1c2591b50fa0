"""What a subclass of Trainer, or a program, replaces is called where MXNet calls it."""

from __future__ import annotations

import gluonish as mx
from gluonish import autograd, gluon, nd


def trained(trainer_of, steps=2):
    net = gluon.nn.Dense(1, in_units=2, use_bias=False)
    net.initialize(mx.init.One())
    trainer = trainer_of(net.collect_params())
    for _ in range(steps):
        with autograd.record():
            loss = net(nd.ones((1, 2)))
        loss.backward()
        trainer.step(1)
    return net.weight.data().asnumpy().ravel().tolist()


def test_parts_of_a_step_are_called_in_mxnets_order():
    calls = []

    class Own(gluon.Trainer):
        def _check_and_rescale_grad(self, scale):
            calls.append(("rescale", scale))
            super()._check_and_rescale_grad(scale)

        def _init_kvstore(self):
            calls.append("store")
            super()._init_kvstore()

        def _allreduce_grads(self):
            calls.append("reduce")
            for param in self._params:
                for grad in param.list_grad():
                    grad[:] *= 2

        def _update(self, ignore_stale_grad=False):
            calls.append("update")
            super()._update(ignore_stale_grad)

    assert trained(lambda params: Own(params, "sgd", {"learning_rate": 0.25})) == [0.0, 0.0]
    step = [("rescale", 1.0), "reduce", "update"]
    assert calls == [step[0], "store", *step[1:], *step]


def test_a_part_that_is_put_onto_a_trainer_is_called():
    calls = []

    def trainer_of(params):
        trainer = gluon.Trainer(params, "sgd", {"learning_rate": 0.25})
        trainer._update = lambda ignore_stale_grad=False: calls.append(ignore_stale_grad)
        return trainer

    assert trained(trainer_of) == [1.0, 1.0]
    assert calls == [False, False]
