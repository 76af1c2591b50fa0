"""dist_async: owners update as gradients arrive, and nobody waits for another's program."""

from __future__ import annotations

import time

import numpy as onp
import pytest
from workers import returned, run_workers, shown

import gluonish as mx

SHAPES = {"w": (3, 4), "big": (200, 100), "b": (7,)}


def sums(rank):
    """Have all updates of all workers add up, whatever their order."""
    kv = mx.kv.create("dist_async")
    kv.init(list(SHAPES), [mx.nd.zeros(shape) for shape in SHAPES.values()])
    kv.set_optimizer(mx.optimizer.create("test", rescale_grad=1.0))
    for step in range(50):
        for key in SHAPES:
            kv.push(key, mx.nd.ones(SHAPES[key]) * (rank + step))
    own = {key: mx.nd.zeros(shape) for key, shape in SHAPES.items()}
    kv.pull(list(own), out=list(own.values()))
    least = min(array.asnumpy().min() for array in own.values())
    kv.barrier()
    kv.pull(list(own), out=list(own.values()))
    return least, [onp.unique(array.asnumpy()).tolist() for array in own.values()]


@pytest.mark.parametrize("count", [1, 3])
def test_updates_of_all_workers_add_up(count):
    total = sum(rank + step for rank in range(count) for step in range(50))
    for rank, (least, values) in enumerate(returned(count, sums)):
        assert least >= sum(rank + step for step in range(50))  # its own are in what it pulls
        assert values == [[total]] * 3


def paces(rank, is_working):
    """Count the steps in a time, of which one worker does other things for most."""
    kv = mx.kv.create("dist_async")
    kv.init(0, mx.nd.zeros((50, 50)))
    kv.set_optimizer(mx.optimizer.SGD(learning_rate=0.1))
    out = mx.nd.zeros((50, 50))
    kv.barrier()
    end, count, longest = time.monotonic() + 2.5, 0, 0.0
    while time.monotonic() < end:
        if rank == 3:
            begin = time.monotonic()
            while time.monotonic() < begin + 1.2:
                sum(range(1000)) if is_working else time.sleep(0.1)
        begin = time.monotonic()
        kv.pushpull(0, mx.nd.ones((50, 50)), out=out)
        longest = max(longest, time.monotonic() - begin)
        count += 1
    return count, longest


@pytest.mark.parametrize("is_working", [True, False])
def test_a_slow_worker_holds_nobody_up(is_working):
    *fast, (slow, _) = returned(4, paces, is_working)
    assert slow <= 3
    for count, longest in fast:
        assert count > 4 * slow
        assert longest < 1.0  # and one step of the slow worker takes 1.2 s


def states(rank, folder):
    """Save and load states, of which each worker has a part."""
    kv = mx.kv.create("dist_async")
    kv.init(list(SHAPES), [mx.nd.ones(shape) for shape in SHAPES.values()])
    kv.set_optimizer(mx.optimizer.Adam(learning_rate=0.1))
    kv.push(list(SHAPES), [mx.nd.ones(shape) for shape in SHAPES.values()])
    kv.save_optimizer_states(f"{folder}/states", dump_optimizer=True)
    kv.load_optimizer_states(f"{folder}/states")
    kv.push(list(SHAPES), [mx.nd.ones(shape) for shape in SHAPES.values()])
    kv.barrier()
    outs = [mx.nd.zeros(shape) for shape in SHAPES.values()]
    kv.pull(list(SHAPES), out=outs)
    return [onp.unique(array.asnumpy()).tolist() for array in outs]


def test_states_of_all_workers_are_in_one_file(tmp_path):
    first, second = returned(2, states, str(tmp_path))
    assert first == second
    loaded = mx.optimizer.get_updater(mx.optimizer.Adam())
    loaded.set_states((tmp_path / "states").read_bytes())
    assert {key: mean.shape for key, (mean, _) in loaded.states.items()} == SHAPES


def compressed(rank, kind):
    """Push what compression rounds."""
    kv = mx.kv.create("dist_async")
    kv.set_gradient_compression({"type": kind, "threshold": 0.5})
    kv.init(0, mx.nd.zeros((5,)))
    kv.init(1, mx.nd.zeros((200, 100)))
    kv.set_optimizer(mx.optimizer.create("test", rescale_grad=1.0))
    kv.push([0, 1], [mx.nd.array([0.3, 0.6, -2, 0, 1]), mx.nd.ones((200, 100))])
    kv.barrier()
    out = mx.nd.zeros((5,)), mx.nd.zeros((200, 100))
    kv.pull([0, 1], out=list(out))
    return out[0].asnumpy().round(2).tolist(), onp.unique(out[1].asnumpy()).tolist()


@pytest.mark.parametrize(
    ("kind", "values", "ones"),
    [
        ("2bit", [0, 1, -1, 0, 1], [1]),
        ("1bit", [-2, 2, -2, -2, 2], [2]),
        ("fp16", [0.6, 1.2, -4, 0, 2], [2]),
    ],
)
def test_compressed_gradients_arrive(kind, values, ones):
    for found in returned(2, compressed, kind):
        assert found == (pytest.approx(values, abs=0.01), ones)


def trained_digits(rank):
    """Train with an accuracy to reach, each worker at its own pace."""
    from digits import batches, digits, make_net

    from gluonish import autograd, gluon

    net, loss = make_net(), gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(
        net.collect_params(), "sgd", {"learning_rate": 0.05}, kvstore="dist_async"
    )
    for _ in range(3):
        for data, label in batches(rank, 2, 2000):
            with autograd.record():
                result = loss(net(data), label)
            result.backward()
            trainer.step(16)
    data, labels = digits(2000)
    return float((net(mx.nd.array(data)).asnumpy().argmax(1) == labels).mean())


def test_digits_are_learned():
    assert min(returned(2, trained_digits)) > 0.85


def broken_update(rank):
    """Have the update of another worker fail."""
    kv = mx.kv.create("dist_async")
    kv.init(0, mx.nd.zeros((2,)))

    def update(key, gradient, stored):
        msg = "no update today"
        raise ValueError(msg)

    kv.set_updater(update)
    if rank == 1:
        kv.push(0, mx.nd.ones((2,)))
        try:
            kv.pull(0, out=mx.nd.zeros((2,)))
        except mx.MXNetError as error:
            return str(error)
    return None


def test_a_failed_update_is_told_to_those_who_pull():
    workers = run_workers(2, broken_update, check=False)
    assert "no update today" in workers[1].value, shown(workers)


def test_async_stores_need_an_optimizer():
    kv = mx.kv.create("dist_async")
    kv.init(0, mx.nd.zeros((2,)))
    with pytest.raises(mx.MXNetError, match="Updater needs to be set for async mode"):
        kv.push(0, mx.nd.ones((2,)))
    with pytest.raises(ValueError, match="Please set update_on_kvstore=True"):
        kv.reduce([(0, [mx.nd.ones((2,))])])
    net = mx.gluon.nn.Dense(1, in_units=1)
    net.initialize()
    with pytest.raises(ValueError, match="Please set update_on_kvstore=True when training in"):
        mx.gluon.Trainer(
            net.collect_params(), "sgd", kvstore=mx.kv.create("dist_async"),
            update_on_kvstore=False,
        )._init_kvstore()  # fmt: skip
