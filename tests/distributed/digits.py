"""Trains a small net on digits, with a share of each batch on every worker."""

from __future__ import annotations

import gzip
import importlib.resources

import numpy as onp

import gluonish as mx
from gluonish import autograd, gluon

BATCH = 32
_FOLDER = importlib.resources.files("gluonish") / "data_files" / "mnist5k"


def digits(count=640):
    """Return pictures and labels."""
    pictures = gzip.decompress((_FOLDER / "train-images-idx3-ubyte.gz").read_bytes())[16:]
    labels = gzip.decompress((_FOLDER / "train-labels-idx1-ubyte.gz").read_bytes())[8:]
    data = onp.frombuffer(pictures, onp.uint8).reshape(-1, 784)[:count].astype("float32") / 255
    return data, onp.frombuffer(labels, onp.uint8)[:count].astype("float32")


def make_net(dropout=0.0):
    """Return a net with random weights, the same in all processes."""
    mx.random.seed(3)
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Dense(150, activation="relu", in_units=784))
    if dropout:
        net.add(gluon.nn.Dropout(dropout))
    net.add(gluon.nn.Dense(10, in_units=150))
    net.initialize(mx.init.Xavier())
    return net


def batches(rank, workers, count=640):
    """Give each worker's share of every batch."""
    data, labels = digits(count)
    each = BATCH // workers
    for start in range(0, count, BATCH):
        begin = start + rank * each
        yield mx.nd.array(data[begin : begin + each]), mx.nd.array(labels[begin : begin + each])


def values(net):
    """Return a net's parameters."""
    return [param.data().asnumpy() for param in net.collect_params().values()]


def trained(optimizer, options, kvstore, update_on_kvstore, steps=20, **more):
    """Return the parameters after some steps."""
    kv = mx.kv.create(kvstore)
    net, loss = make_net(), gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(
        net.collect_params(), optimizer, options, kvstore=kv,
        update_on_kvstore=update_on_kvstore, **more,
    )  # fmt: skip
    for data, label in batches(kv.rank, kv.num_workers, steps * BATCH):
        with autograd.record():
            result = loss(net(data), label)
        result.backward()
        trainer.step(BATCH)
    return values(net)
