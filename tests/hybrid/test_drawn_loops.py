"""Loops drawn at random: nets, losses, optimizers, and what comes in between."""

from __future__ import annotations

import random

import pytest
from test_loops import AFTER, BETWEEN, CLIPPING, both, convolutional, dense, normalized

from gluonish import autograd, gluon, nd
from gluonish.gluon import nn, rnn

COUNT = 40


def recurrent():
    net = nn.HybridSequential()
    net.add(nn.HybridLambda(lambda F, x: F.expand_dims(x, axis=0)))
    net.add(rnn.LSTM(4), nn.HybridLambda(lambda F, x: F.squeeze(x, axis=0)), nn.Dense(3))
    return net


def residual():
    class Residual(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.one, self.two = nn.Dense(5, activation="relu"), nn.Dense(3)

        def hybrid_forward(self, F, x):
            return self.two(F.Dropout(x + self.one(x), p=0.3))

    return Residual()


NETS = [dense, normalized, convolutional, recurrent, residual]
LOSSES = [
    lambda: gluon.loss.SoftmaxCrossEntropyLoss(),
    lambda: gluon.loss.SoftmaxCrossEntropyLoss(weight=2.0),
    lambda: gluon.loss.SoftmaxCrossEntropyLoss(sparse_label=False),
    lambda: gluon.loss.L1Loss(),
    lambda: gluon.loss.HuberLoss(rho=0.5),
    lambda: lambda output, label: ((output - label) ** 2).mean(axis=1),
    lambda: lambda output, label: -(nd.log_softmax(output) * label).sum(axis=1) * 0.5,
    lambda: lambda output, label: nd.mean(nd.relu(1 - output * label), axis=1),
]
MADE_OF = [
    lambda loss: loss, lambda loss: loss.mean(), lambda loss: loss.sum() / 6,
    lambda loss: loss * 2 + loss, lambda loss: nd.exp(loss * 0.1),
]  # fmt: skip
OPTIMIZERS = [
    ("sgd", {"learning_rate": 0.05, "momentum": 0.9}), ("adam", {}), ("rmsprop", {}),
    ("nag", {"learning_rate": 0.05, "wd": 0.01}),
]  # fmt: skip


PLACES = (BETWEEN, BETWEEN, AFTER)


def draw_loop(seed):
    """Return a loop's step, and what it is trained with."""
    numbers = random.Random(seed)
    make_loss, made_of = numbers.choice(LOSSES), numbers.choice(MADE_OF)
    optimizer, options = numbers.choice(OPTIMIZERS)
    often = numbers.choice([0.0, 0.05, 0.4])
    plan = [
        [numbers.choice(kinds) if numbers.random() < often else None for kinds in PLACES]
        for _ in range(60)
    ]
    sparse = make_loss is LOSSES[0] or make_loss is LOSSES[1]

    is_listed, with_more = numbers.random() < 0.3, numbers.random() < 0.5
    # Some loops go another way from some step on, and some come back to the first one.
    turn, back = sorted(numbers.choices(range(10, 80), k=2))
    made_later = numbers.choice(MADE_OF)
    clip = numbers.choice([None, None, *CLIPPING])
    looks_at_norm = numbers.random() < 0.1

    def step(run, number, data, label):
        first, second, third = plan[number]
        if not sparse:
            label = nd.one_hot(label, 3)
        with autograd.record():
            output = run.net(data)
            if first is not None:
                first(run, number, output, output.sum(axis=1), data, label)
            made = made_later if turn <= number < back else made_of
            loss = made(run.loss(output, label))
        try:
            if second is not None and loss.shape:
                second(run, number, output, loss, data, label)
            if is_listed:
                autograd.backward([loss, output.square().mean()] if with_more else [loss])
            else:
                loss.backward()
        except RuntimeError as error:  # of what was overwritten, in both ways
            run.shown.append(type(error).__name__ + str(error).split("[")[0])
        if third is not None and "twice" not in third.__name__ and "loss" not in third.__name__:
            third(run, number, output, output.sum(axis=1), data, label)
        norms = [] if clip is None or run.weight.grad_req == "null" else clip(run, number)
        if looks_at_norm:
            run.show(*norms)
        run.trainer.step(6, ignore_stale_grad=True)
        run.show(loss, output, *norms)

    hybridizes = numbers.random() < 0.5
    loss = make_loss()
    if hybridizes and isinstance(loss, nn.Block):
        loss.hybridize()
    return step, numbers.choice(NETS), {"loss": loss, "optimizer": optimizer, "options": options}


@pytest.mark.parametrize("seed", range(COUNT))
def test_a_drawn_loop_gives_what_the_plain_loop_gives(seed, monkeypatch):
    monkeypatch.setattr("gluonish.hybrid.loops.Loop.is_faster", lambda self, best: True)
    monkeypatch.setattr("gluonish.hybrid.loops.LONGEST", float("inf"))
    monkeypatch.setattr("gluonish.hybrid.judging.IN_A_ROW", 2)
    monkeypatch.setattr("gluonish.hybrid.judging.MOST_ROUNDS", 4)
    step, make, options = draw_loop(seed)
    both(step, make, **options)
