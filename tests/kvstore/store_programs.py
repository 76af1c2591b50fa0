"""Programs for stores, run under the real MXNet for golden values, and under gluonish by tests."""

from __future__ import annotations

import numpy as onp

GRADIENT = onp.array([0.3, 0.6, -0.7, 1.7, -0.2], "float32")


def values_on(mx, count, shape=(2, 3)):
    """Return arrays of small whole numbers on contexts cpu(0), cpu(1), ..."""
    numbers = onp.arange(onp.prod(shape), dtype="float32").reshape(shape)
    return [mx.nd.array(numbers * (i + 1) - i, ctx=mx.cpu(i)) for i in range(count)]


def shown(array):
    """Return an array as nested lists."""
    return array.asnumpy().tolist()


def pulled(mx, kv, key, shape=(2, 3)):
    """Return what is stored under a key."""
    out = mx.nd.zeros(shape)
    kv.pull(key, out=out)
    return shown(out)


def seed_program(mx, kv):
    """The program of MXNet's tutorial, with what its updater was called with."""
    shape, calls = (2, 3), []
    cpus = [mx.cpu(i) for i in range(4)]
    kv.init(3, mx.nd.ones(shape) * 2)
    seen = [pulled(mx, kv, 3)]
    kv.push(3, mx.nd.ones(shape) * 8)
    seen.append(pulled(mx, kv, 3))
    kv.push(3, [mx.nd.ones(shape, cpu) for cpu in cpus])
    seen.append(pulled(mx, kv, 3))

    def update(key, input, stored):  # noqa: A002
        calls.append(key)
        stored += input * 2

    kv._set_updater(update)
    seen.append(pulled(mx, kv, 3))
    kv.push(3, mx.nd.ones(shape))
    seen.append(pulled(mx, kv, 3))
    b = [mx.nd.ones(shape, cpu) for cpu in cpus]
    kv.pull(3, out=b)
    seen.append(shown(b[1]))
    keys = [5, 7, 9]
    kv.init(keys, [mx.nd.ones(shape)] * len(keys))
    kv.push(keys, [mx.nd.ones(shape)] * len(keys))
    b = [mx.nd.zeros(shape)] * len(keys)
    kv.pull(keys, out=b)
    seen.append(shown(b[1]))
    b = [[mx.nd.ones(shape, cpu) for cpu in cpus]] * len(keys)
    kv.push(keys, b)
    kv.pull(keys, out=b)
    seen.append(shown(b[1][1]))
    kv.push([9, 5, 7, 5], [mx.nd.ones(shape)] * 4)
    seen.append([pulled(mx, kv, key) for key in keys])
    return [seen, calls]


def sums(mx, kv):
    """Sums over contexts, of keys given twice, of several dtypes."""
    seen = []
    for count in (1, 2, 3, 5):  # a key each: the real MXNet can't stand a growing number of values
        kv.init(f"w{count}", mx.nd.zeros((2, 3)))
        for factor in (1, 2):
            kv.push(f"w{count}", [value * factor for value in values_on(mx, count)])
            seen.append(pulled(mx, kv, f"w{count}"))
    kv.push(["w3", "w3"], [values_on(mx, 2), values_on(mx, 3)[2]])
    seen.append(pulled(mx, kv, "w3"))
    for dtype in ("int32", "float64", "float16"):
        kv.init(dtype, mx.nd.ones((2,), dtype=dtype))
        kv.push(dtype, [mx.nd.ones((2,), dtype=dtype) * 3] * 2)
        out = mx.nd.zeros((2,), dtype=dtype)
        kv.pull(dtype, out=out)
        seen.append([str(onp.dtype(out.dtype)), shown(out)])
    mixed = mx.nd.zeros((2,), dtype="float64")
    kv.pull("int32", out=mixed)
    return [*seen, shown(mixed)]


def both_ways(mx, kv):
    """Pushpull and broadcast, with outputs and without."""
    outs = [mx.nd.zeros((2, 3), mx.cpu(i)) for i in range(3)]
    kv.broadcast(1, values_on(mx, 2)[1], out=outs)
    seen = [shown(out) for out in outs]
    kv.broadcast([2, 3], values_on(mx, 2), out=[outs[0], outs[1:]])
    seen += [shown(out) for out in outs]
    kv.pushpull(1, values_on(mx, 3), out=outs)
    seen += [shown(out) for out in outs]
    values = values_on(mx, 2)
    kv.pushpull(1, values)
    seen += [shown(value) for value in values]
    values = [values_on(mx, 2), values_on(mx, 3)]
    kv.pushpull([2, 3], values)
    return [*seen, *(shown(value) for group in values for value in group), pulled(mx, kv, 1)]


def trained(name, **options):
    """Return a program that updates by an optimizer."""

    def program(mx, kv):
        kv.set_optimizer(mx.optimizer.create(name, **options))
        kv.init([0, 1], [mx.nd.ones((2, 3)), mx.nd.array(GRADIENT)])
        seen = []
        for step in range(3):
            kv.push([0, 1], [values_on(mx, 2), mx.nd.array(GRADIENT) * step])
            seen += [pulled(mx, kv, 0), pulled(mx, kv, 1, (5,))]
        return seen

    return program


def quantized(threshold, count):
    """Return a program that compresses gradients of some contexts."""

    def program(mx, kv):
        kv.set_gradient_compression({"type": "2bit", "threshold": threshold})
        kv.init(0, mx.nd.zeros((5,)))
        seen = []
        for step in range(4):
            base = mx.nd.array(GRADIENT)
            kv.push(0, [(base * (i + 1) - step).copyto(mx.cpu(i)) for i in range(count)])
            seen.append(pulled(mx, kv, 0, (5,)))
        return seen

    return program


PROGRAMS = {
    "seed_program": seed_program,
    "sums": sums,
    "both_ways": both_ways,
    "sgd": trained("sgd", learning_rate=0.1, momentum=0.9, wd=0.01),
    "adam": trained("adam", learning_rate=0.1),
    "rmsprop": trained("rmsprop", learning_rate=0.1, clip_gradient=1.5, rescale_grad=0.5),
}
COMPRESSED = {
    "half": quantized(0.5, 2),
    "two": quantized(2.0, 3),
    "alone": quantized(0.5, 1),
}


def make_net(mx, contexts):
    """Return a small net with fixed weights, and data for each context."""
    net = mx.gluon.nn.HybridSequential(prefix="n_")
    with net.name_scope():
        net.add(mx.gluon.nn.Dense(3, activation="tanh", in_units=2))
        net.add(mx.gluon.nn.Dense(2, in_units=3, use_bias=False))
    ctx = [mx.cpu(i) for i in range(contexts)]
    net.initialize(ctx=ctx)
    for number, param in enumerate(net.collect_params().values()):
        size = int(onp.prod(param.shape))
        values = onp.cos(onp.arange(size) + number).reshape(param.shape)
        param.set_data(mx.nd.array(values))
    data = [mx.nd.array([[i + 1.0, 0.5], [-i, 1.0]], ctx=one) for i, one in enumerate(ctx)]
    return net, data


def backward(mx, net, data):
    """Compute the gradients on all contexts."""
    with mx.autograd.record():
        losses = [(net(x) ** 2).sum() for x in data]
    mx.autograd.backward(losses)


def shared_training(contexts, steps=4, optimizer="sgd", **options):
    """Return a program that trains on several contexts by way of a store."""

    def program(mx, kvstore):
        net, data = make_net(mx, contexts)
        settings = {"learning_rate": 0.1, **({"momentum": 0.9} if optimizer == "sgd" else {})}
        params = net.collect_params()
        trainer = mx.gluon.Trainer(params, optimizer, settings, kvstore=kvstore, **options)
        for _ in range(steps):
            backward(mx, net, data)
            trainer.step(4)
        values = [shown(array) for param in params.values() for array in param.list_data()]
        return [values, trainer._kvstore is not None, trainer._update_on_kvstore]

    return program


TRAINING = {
    "alone": shared_training(1),
    "two": shared_training(2),
    "four": shared_training(4),
    "four_adam": shared_training(4, optimizer="adam"),
    "apart": shared_training(2, update_on_kvstore=False),
    "apart_adam": shared_training(3, optimizer="adam", update_on_kvstore=False),
    "on_store": shared_training(2, update_on_kvstore=True),
}
SENT_IN_BITS = {"type": "2bit", "threshold": 0.25}
TRAINING_IN_BITS = {
    "bits": shared_training(3, compression_params=SENT_IN_BITS),
    "bits_apart": shared_training(3, compression_params=SENT_IN_BITS, update_on_kvstore=False),
}


def make_recorder(mx, able):
    """Return a store of one's own that writes down its calls and sums on its own, or does not."""

    class Recorder(mx.kv.KVStoreBase):
        type, rank, num_workers = "recorder", 0, 1

        def __init__(self):
            self.calls = []

        def _said(self, *call):
            self.calls.append(list(call))

        def broadcast(self, key, value, out, priority=0):
            self._said("broadcast", key, shown(value), len(out), priority)

        def pushpull(self, key, value, out=None, priority=0):
            count = None if out is None else len(out)
            self._said("pushpull", key, len(value), count, priority)

        def set_optimizer(self, optimizer):
            self._said("set_optimizer", type(optimizer).__name__)

        def set_gradient_compression(self, compression_params):
            self._said("set_gradient_compression", compression_params)

        @staticmethod
        def is_capable(capability):
            return able

    return Recorder()


def recorded(contexts, able, **options):
    """Return a program that trains by way of a store of one's own."""

    def program(mx, _kvstore):
        recorder = make_recorder(mx, able)
        result = shared_training(contexts, steps=2, **options)(mx, recorder)
        return [recorder.calls, *result]

    return program


RECORDED = {
    "sums": recorded(2, able=False),
    "updates": recorded(2, able=True),
    "could_update": recorded(2, able=True, update_on_kvstore=False),
    "one_context": recorded(1, able=True),
    "sums_bits": recorded(2, able=False, compression_params=SENT_IN_BITS),
    "updates_bits": recorded(1, able=True, compression_params=SENT_IN_BITS),
}
