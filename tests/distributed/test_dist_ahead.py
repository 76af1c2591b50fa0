"""Gradients that leave during the backward pass: the sums are those of gradients that wait."""

from __future__ import annotations

import math
import socket
import time

import numpy as onp
import pytest
from workers import Workers, returned, shown


def loss_of(net, what, x, skips):
    y = net[0](x)
    y = net[2](y if skips else net[1](y))
    return (net[3](net[4](y) if what == "shared" else y) ** 2).mean()


def make_net(what, contexts):
    import gluonish as mx

    net = mx.gluon.nn.HybridSequential()
    for units in (48, 48, 48, 3):  # three large keys, and small ones
        net.add(mx.gluon.nn.Dense(units, in_units=48))
    if what == "shared":
        net.add(mx.gluon.nn.Dense(48, in_units=48, params=net[2].params))
    net.initialize(mx.init.Xavier(), ctx=contexts)
    if what == "hybrid":
        net.hybridize()
    return net


def messages_ahead(store):
    ahead = store._traffic.foresight.ahead
    return 0 if ahead is None else ahead._next


def train(rank, what, *, ahead):
    """Return the parameters after some steps, and how many messages left before each step."""
    import gluonish as mx
    from gluonish import autograd, gluon
    from gluonish.kvstore.exchange import foresight, manifest

    manifest._FIRST = 9000
    manifest._SHARE = 0
    mx.random.seed(3)
    store = mx.kv.create("dist_sync")
    if not ahead:
        store._traffic.foresight.failures = foresight._FAILURES
    contexts = [mx.cpu(0), mx.cpu(1)] if what == "two contexts" else [mx.cpu()]
    net = make_net(what, contexts)
    params = net.collect_params()
    trainer = gluon.Trainer(
        params, "sgd", {"learning_rate": 0.1, "momentum": 0.9}, store, update_on_kvstore=False
    )
    if what == "add":
        params.setattr("grad_req", "add")
    left = []
    for step in range(6):
        times = 2 if what in ("twice", "add") or (what, rank, step) == ("once twice", 0, 3) else 1
        for number in range(times):
            with autograd.record():
                losses = [
                    loss_of(
                        net,
                        what,
                        mx.nd.full((2, 48), (rank + 1 + number + step) / 50, ctx=ctx),
                        what == "unused" and (step + rank) % 2,
                    )
                    for ctx in contexts
                ]
            autograd.backward(losses)
        left.append(messages_ahead(store))
        gradients = [one.list_grad()[0] for one in params.values() if one.grad_req != "null"]
        before = gradients[-1].asnumpy()
        if what == "barrier":
            store.barrier()
        assert (before == gradients[-1].asnumpy()).all(), (what, step)
        if what == "clip" or (what == "clip on one" and rank == 1 and step > 2):
            gluon.utils.clip_global_norm(gradients, 0.01)
        if what == "allreduce":
            trainer.allreduce_grads()
            for one in gradients:
                one[:] *= 0.5
            trainer.update(4)
        else:
            trainer.step(4, ignore_stale_grad=what == "unused")
        if what == "add":
            params.zero_grad()
        if what == "compression" and step == 2:
            store.set_gradient_compression({"type": "fp16"})
        if what == "frozen" and step == 2:
            net[0].collect_params().setattr("grad_req", "null")
        if what == "attached" and step == 3:
            net[2].weight.grad_req = "null"
            net[2].weight.grad_req = "write"
    return (
        [one.list_data()[0].asnumpy() for one in params.values()],
        left,
        store._traffic.foresight.failures,
    )


CASES = {  # how many messages leave ahead in the end, and how often they were wrong
    "plain": (4, 0),
    "hybrid": (4, 0),
    "two contexts": (4, 0),
    "shared": (4, 0),
    "barrier": (4, 0),
    "allreduce": (4, 0),
    "unused": (None, 0),
    "clip": (None, 3),
    "clip on one": (None, 3),
    "twice": (None, 3),
    "once twice": (4, 1),
    "add": (0, 3),
    "frozen": (3, 1),
    "attached": (4, 1),
    "compression": (0, 3),
}


def train_cases(rank):
    return {what: [train(rank, what, ahead=ahead) for ahead in (True, False)] for what in CASES}


def test_sums_are_those_of_gradients_that_wait():
    results = returned(2, train_cases)
    for what, (messages, failures) in CASES.items():
        for found in results:
            (params, left, count), (others, none, _) = found[what]
            assert not any(none)
            assert all(onp.isfinite(one).all() for one in params), what
            assert count == failures, what
            assert messages is None or left[-1] == messages, (what, left)
            for one, other, same in zip(params, others, results[0][what][0][0], strict=True):
                onp.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-6, err_msg=what)
                assert (one == same).all(), what


@pytest.mark.parametrize("who", ["True", "kv.rank == 0"])
def test_programs_end_with_gradients_on_their_way(who):
    program = f"""
import gluonish as mx
from gluonish import autograd, gluon
kv = mx.kv.create("dist_sync")
net = gluon.nn.Dense(500, in_units=500)
net.initialize()
trainer = gluon.Trainer(net.collect_params(), "sgd", kvstore=kv, update_on_kvstore=False)
for step in range(3):
    with autograd.record():
        y = net(mx.nd.ones((2, 500)))
    if step < 2 or {who}:
        y.backward()
    if step < 2:
        trainer.step(2)
"""
    with Workers(2, program) as workers:
        finished = workers.finish()
    for worker in finished:
        assert worker.code == 0, shown(finished)
        assert worker.seconds < 30, shown(finished)


STEPS = """
import sys, time
import gluonish as mx
from gluonish import autograd, gluon
kv = mx.kv.create("dist_sync")
net = gluon.nn.Dense(1100, in_units=1100)
net.initialize()
trainer = gluon.Trainer(net.collect_params(), "sgd", kvstore=kv, update_on_kvstore=False)
for step in range(%s):
    with autograd.record():
        y = net(mx.nd.ones((2, 1100)))
    y.backward()
    if step == 3:
        assert kv._traffic.foresight.ahead._next == 2
        sys.stdout.write("ready\\n")
        %s
    trainer.step(2)
"""


def test_workers_that_do_something_else_are_told():
    with Workers(2, STEPS % (5, "if kv.rank: kv.barrier()")) as workers:
        finished = workers.finish()
    words = "WorkersDifferError: kv: worker 0 calls Trainer.step, worker 1 kv.barrier"
    for worker in finished:
        assert worker.code == 1, shown(finished)
        assert words in worker.output, shown(finished)


@pytest.mark.parametrize("victim", [0, 1])
def test_a_killed_worker_ends_all(victim):
    with Workers(3, STEPS % (10**6, "pass")) as workers:
        for rank in range(3):
            workers.wait_for(rank, "ready")
        time.sleep(0.3)
        pid = workers.processes[victim].pid
        before = time.monotonic()
        workers.kill(victim)
        finished = workers.finish()
    assert time.monotonic() - before < 30, shown(finished)
    name = f"worker {victim} (process {pid} on {socket.gethostname()}) is dead"
    for worker in finished:
        if worker.rank != victim:
            assert worker.code == 1, shown(finished)
            assert f"DistributedError: kv: {name}" in worker.output, shown(finished)


def push_and_overwrite(rank):
    import gluonish as mx
    from gluonish.kvstore.exchange import manifest, shares

    manifest._LARGEST, shares._PIECE = 2**16, 2**14
    straight, leave = [], shares.Shares._leave

    def seen(*args):
        straight.append(leave(*args))
        return straight[-1]

    shares.Shares._leave = seen
    kv = mx.kv.create("dist_sync")
    kv.init("w", mx.nd.zeros(80000))
    value, out = mx.nd.zeros(80000), mx.nd.zeros(80000)
    for step in range(12):
        value[:] = mx.nd.arange(80000) + rank + step
        shares._COPIED_A_SECOND = math.inf if step % 3 == rank else 1.0  # slow enough to spare it
        if step % 4 == 2 + rank:
            time.sleep(0.1)
        kv.push("w", value)
        value[:] = -1
        kv.pull("w", out=out)
        assert (out == 2 * mx.nd.arange(80000) + 2 * step + 1).asnumpy().all(), step
    return straight


def test_what_is_pushed_is_what_was_there_at_the_time():
    for rank, straight in enumerate(returned(2, push_and_overwrite)):
        expected = [step > 1 and step % 3 != rank for step in range(12)]
        assert straight == expected


def average_in_place(rank):
    import gluonish as mx
    from gluonish.kvstore.exchange import manifest

    manifest._LARGEST = 2**16
    kv = mx.kv.create("dist_sync")
    weight = mx.nd.ones(80000)
    kv.begin([("w", weight)], "test")  # the store uses the array itself
    found = []
    for push in (kv.push, kv.pushpull, lambda key, value: kv.merge([(key, [value])])):
        for scale in (1.0, 2.0):
            weight[:] = mx.nd.arange(80000) * scale * (rank + 1)
            push("w", weight)
            kv.pull("w", out=weight)
            found.append((weight == mx.nd.arange(80000) * scale * 6).asnumpy().all())
    return found


def test_arrays_that_the_store_uses_are_summed_in_place():
    for found in returned(3, average_in_place):
        assert all(found), found
