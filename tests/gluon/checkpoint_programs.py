"""Trainings that are interrupted and go on; run by tests, in processes that are killed.

`python checkpoint_programs.py NAME FOLDER EPOCHS STOP` trains, and is killed by itself after the
save number STOP (0: never); at the end it writes the weights to FOLDER/weights.npz.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import numpy as onp

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.contrib import amp
from gluonish.gluon import nn

SAMPLES = 24


def data(shape, classes=3):
    random = onp.random.RandomState(5)
    x = random.randn(SAMPLES, *shape).astype("float32")
    return nd.array(x), nd.array(random.randint(0, classes, SAMPLES))


def perceptron(first=0):
    net = nn.HybridSequential()
    net.add(
        nn.Dense(8, activation="relu", prefix=f"dense{first}_"),
        nn.Dropout(0.5),
        nn.Dense(3, prefix=f"dense{first + 1}_"),
    )
    return net


def lenet():
    net = nn.HybridSequential()
    net.add(
        nn.Conv2D(3, 3),
        nn.BatchNorm(),
        nn.Activation("relu"),
        nn.MaxPool2D(2),
        nn.Conv2D(4, 2, activation="tanh"),
        nn.Flatten(),
        nn.Dropout(0.3),
        nn.Dense(3),
    )
    return net


def loader(shape, is_split=False, **options):
    samples = gluon.data.ArrayDataset(*data(shape))
    if is_split:
        sampler = gluon.data.SplitSampler(SAMPLES, seed=3)
        return gluon.data.DataLoader(samples, 5, sampler=sampler, **options)
    return gluon.data.DataLoader(samples, 5, shuffle=True, **options)


PROGRAMS = {
    "mlp-momentum": (perceptron, (4,), "sgd", {"momentum": 0.9, "learning_rate": 0.1}, {}),
    "mlp-scheduled": (perceptron, (4,), "adam", {"scheduled": True}, {"iterator": True}),
    "mlp-roll": (perceptron, (4,), "nadam", {}, {"iterator": True, "last": "roll_over"}),
    "lenet-adam": (lenet, (1, 8, 8), "adam", {"learning_rate": 0.01}, {"hybridize": True}),
    "lenet-two": (lenet, (1, 8, 8), "sgd", {"momentum": 0.9}, {"contexts": 2}),
    "mlp-fused": (perceptron, (4,), "adam", {}, {"fused": True}),
    "mlp-amp": (perceptron, (4,), "sgd", {"momentum": 0.9}, {"amp": True}),
    "mlp-summed": (perceptron, (4,), "lars", {"momentum": 0.9}, {"summed": True}),
    "mlp-workers": (perceptron, (4,), "sgld", {}, {"workers": 1}),
    "mlp-rollover": (perceptron, (4,), "sgd", {"momentum": 0.9}, {"last": "rollover"}),
    "mlp-rollover-workers": (perceptron, (4,), "adam", {}, {"last": "rollover", "workers": 1}),
    "mlp-split": (perceptron, (4,), "adam", {}, {"last": "rollover", "split": True}),
    "mlp-compressed": (perceptron, (4,), "sgd", {}, {"contexts": 2, "compressed": True}),
}


def built(name, *arguments):
    build, shape, optimizer, options, how = PROGRAMS[name]
    mx.random.seed(11)
    onp.random.seed(12)  # noqa: NPY002 - the generator of samplers
    contexts = [mx.cpu(i) for i in range(how.get("contexts", 1))]
    net = build(*arguments)
    net.initialize(mx.init.Xavier(), ctx=contexts)
    if how.get("hybridize"):
        net.hybridize()
    options = dict(options)
    if options.pop("scheduled", False):
        options["lr_scheduler"] = mx.lr_scheduler.FactorScheduler(3, 0.7, base_lr=0.1)
    compressed = {"type": "2bit", "threshold": 0.01} if how.get("compressed") else None
    trainer = gluon.Trainer(net.collect_params(), optimizer, options, compression_params=compressed)
    if how.get("amp"):
        amp.init()
        amp.init_trainer(trainer)
        trainer._amp_loss_scaler._scale_seq_len = 4
    if how.get("summed"):
        for param in net.collect_params().values():
            param.grad_req = "add"
    if how.get("iterator"):
        batches = mx.io.NDArrayIter(
            *data(shape), 5, shuffle=True, last_batch_handle=how.get("last", "pad")
        )
    else:
        batches = loader(
            shape,
            num_workers=how.get("workers", 0),
            thread_pool=True,
            last_batch=how.get("last"),
            is_split=how.get("split", False),
        )
    return net, trainer, batches, contexts, how


class Step:
    """One step of a training on a batch."""

    def __init__(self, net, trainer, contexts, how):
        self.net, self.trainer, self.contexts, self.how = net, trainer, contexts, how
        self.loss = gluon.loss.SoftmaxCrossEntropyLoss()
        self.count = 0
        self.fused = None
        if how.get("fused"):
            self.fused = gluon.FusedStep(net, self.loss, trainer, backend="fx")

    def __call__(self, batch):
        x, y = (batch.data[0], batch.label[0]) if isinstance(batch, mx.io.DataBatch) else batch
        if self.fused is not None:
            self.fused(x, y, batch_size=len(x))
            return
        parts = zip(
            gluon.utils.split_and_load(x, self.contexts, even_split=False),
            gluon.utils.split_and_load(y, self.contexts, even_split=False),
            strict=True,
        )
        with autograd.record():
            losses = [self.loss(self.net(a), b) for a, b in parts]
            if self.how.get("amp"):
                with amp.scale_loss(losses, self.trainer) as scaled:
                    autograd.backward(scaled)
        if not self.how.get("amp"):
            autograd.backward(losses)
        self.count += 1
        if not self.how.get("summed"):
            self.trainer.step(len(x))
        elif self.count % 2 == 0:
            self.trainer.step(2 * len(x))
            for param in self.net.collect_params().values():
                param.zero_grad()


def train(name, folder, epochs, stop=0, built_with=()):
    """Train, saving after every second batch and every epoch; return the weights."""
    net, trainer, batches, contexts, how = built(name, *built_with)
    checkpoint = gluon.Checkpoint(folder, net, trainer)
    step = Step(net, trainer, contexts, how)
    found = checkpoint.restore()
    saves = found.values["saves"] if found else 0
    step.count = found.values["steps"] if found else 0
    for _epoch in checkpoint.epochs(epochs):
        for batch in checkpoint.batches(batches):
            step(batch)
            if step.count % 2 == 0:
                saves += 1
                checkpoint.save(saves=saves, steps=step.count)
                if saves == stop:
                    os.kill(os.getpid(), signal.SIGKILL)
        saves += 1
        checkpoint.save(saves=saves, steps=step.count)
        if saves == stop:
            os.kill(os.getpid(), signal.SIGKILL)
    return {
        f"{name}@{place}": array.asnumpy()
        for name, param in net._collect_params_with_prefix().items()
        for place, array in enumerate(param.list_data())
    } | {"draws": mx.nd.random.normal(shape=(3,)).asnumpy(), "order": onp.random.rand(3)}  # noqa: NPY002


if __name__ == "__main__":
    arguments = sys.argv[1:]
    weights = train(arguments[0], arguments[1], int(arguments[2]), int(arguments[3]))
    onp.savez(Path(arguments[1], "weights.npz"), **weights)
