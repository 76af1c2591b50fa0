"""Trainings whose optimizers get other settings on the way, for the real MXNet and for tests."""

from __future__ import annotations

import numpy as onp

OPTIMIZERS = {
    "sgd": {"learning_rate": 0.05},
    "sgd momentum": {"learning_rate": 0.05, "momentum": 0.9},
    "adam": {"learning_rate": 0.05},
    "nag": {"learning_rate": 0.02, "momentum": 0.9},
    "rmsprop": {"learning_rate": 0.01},
    "rmsprop centered": {"learning_rate": 0.01, "centered": True},
    "adagrad": {"learning_rate": 0.05},
    "adadelta": {},
    "ftrl": {"learning_rate": 0.1},
    "signum": {"learning_rate": 0.01, "momentum": 0.9},
    "adamax": {"learning_rate": 0.02},
    "nadam": {"learning_rate": 0.02},
    "ftml": {"learning_rate": 0.02},
    "lamb": {"learning_rate": 0.02},
    "lars": {"learning_rate": 0.5, "momentum": 0.9},
    "lbsgd": {"learning_rate": 0.02, "momentum": 0.9},
}
ATTRIBUTES = {
    "lr": 0.001, "wd": 0.1, "rescale_grad": 0.1, "clip_gradient": 0.05, "momentum": 0.5,
    "beta1": 0.5, "beta2": 0.5, "epsilon": 0.5, "gamma1": 0.3, "gamma2": 0.3, "rho": 0.3,
    "lamda1": 0.3, "beta": 0.3, "wd_lh": 0.3, "eta": 0.3, "float_stable_eps": 0.3,
    "schedule_decay": 0.3, "bias_correction": False, "lower_bound": 3.0, "upper_bound": 0.3,
    "clip_weights": 0.15, "lazy_update": False, "num_update": 50, "begin_num_update": 50,
    "multi_precision": True, "aggregate_num": 1,
}  # fmt: skip
# MXNet fails where momentum comes to an optimizer that has none, and where one that is centered no
# longer is. What docs/differences.md says of LARS, LBSGD and Nadam is left out.
LEFT_OUT = {
    ("sgd", "momentum", 1), ("sgd", "momentum", 2),
    ("lars", "lr", 2), ("lars", "learning rate", 2), ("lars", "schedule", 2),
    ("lbsgd", "schedule", 1), ("lbsgd", "schedule", 2),
}  # fmt: skip


def changes(mx):
    """Return functions that change something of a Trainer, or of its net, by name."""

    class Falling(mx.lr_scheduler.LRScheduler):
        def __call__(self, num_update):
            return 0.05 / (1 + num_update)

    def multiply(trainer, net):
        net.weight.lr_mult = 0.1

    def decay(trainer, net):
        trainer._optimizer.wd, net.bias.wd_mult = 0.1, 0.0

    def freeze(trainer, net):
        net.bias.grad_req = "null"

    found = {
        name: lambda trainer, net, name=name, value=value: setattr(trainer._optimizer, name, value)
        for name, value in ATTRIBUTES.items()
    }
    return {
        **found,
        "schedule": lambda trainer, net: setattr(trainer._optimizer, "lr_scheduler", Falling()),
        "learning rate": lambda trainer, net: trainer.set_learning_rate(0.001),
        "scale": lambda trainer, net: setattr(trainer, "_scale", 0.1),
        "lr_mult": multiply,
        "set_lr_mult": lambda trainer, net: trainer._optimizer.set_lr_mult({0: 0.1, 1: 0.5}),
        "wd_mult": decay,
        "frozen": freeze,
    }


def names(mx):
    """Return what is trained: optimizer, what is changed, and on how many contexts."""
    several = ("lr", "wd", "rescale_grad", "clip_gradient", "learning rate", "schedule", "lr_mult")
    return [
        (optimizer, change, contexts)
        for optimizer in OPTIMIZERS
        for change in changes(mx)
        for contexts in ((1, 2) if change in several else (1,))
        if (optimizer, change, contexts) not in LEFT_OUT
    ]


def train(mx, optimizer, change, contexts):
    """Return the weights after six steps, before the fourth of which something is changed."""
    places = [mx.cpu(number) for number in range(contexts)]
    net = mx.gluon.nn.Dense(2, in_units=3)
    net.initialize(ctx=places)
    net.weight.set_data(mx.nd.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]))
    net.bias.set_data(mx.nd.array([0.1, -0.1]))
    options = dict(OPTIMIZERS[optimizer])
    trainer = mx.gluon.Trainer(net.collect_params(), optimizer.split()[0], options)
    data = [mx.nd.array([[1, 2, 3], [4, 5, 6.0]], ctx=place) / 3 for place in places]
    for step in range(6):
        if step == 3:
            changes(mx)[change](trainer, net)
        with mx.autograd.record():
            losses = [(net(x) ** 2).sum() for x in data]
        for loss in losses:
            loss.backward()
        trainer.step(2)
    weight, bias = net.weight.data(places[0]).asnumpy(), net.bias.data(places[0]).asnumpy()
    return [round(float(value), 6) for value in onp.concatenate([weight.ravel(), bias])]
