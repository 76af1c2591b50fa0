"""Keys summed from device to device; host memory stands for that of GPUs, and gloo for NCCL.

Every test of this folder passes with TEST_ON_DEVICES=1 in the environment too, but for one that
looks at how host memory is sent, and one at the words for it.
"""

from __future__ import annotations

import re
import time

import numpy as onp
import pytest
import test_dist_ahead
from workers import ON_DEVICES, Workers, returned, run_workers, shown

ON = {ON_DEVICES: "1"}


def seen_ways():
    """Note from now on which kinds of messages leave, and whether they go between devices."""
    from gluonish.kvstore.exchange import shares, transfer

    seen = set()
    for kind in (transfer.Whole, transfer.Parts, shares.Shares):

        def leave(self, memory, kind=kind, before=kind._leave):
            if self.layout.total:
                wait_for = getattr(self, "_wait_for", None)
                seen.add((kind.__name__, wait_for == self._steps.follow))
            return before(self, memory)

        kind._leave = leave
    return seen


def sums(rank, update):
    from sums import random_sums

    ways = seen_ways()
    return (*random_sums(rank, "dist_device_sync", update, 15, 3), sorted(ways))


@pytest.mark.parametrize(
    ("count", "update", "ways"),
    [
        (2, "none", [("Whole", True)]),
        (3, "none", [("Whole", True)]),
        (2, "function", [("Parts", True)]),
        (3, "optimizer", [("Parts", True)]),
    ],
)
def test_sums_on_devices_are_exact(count, update, ways):
    for checked, wrong, seen in returned(count, sums, update, environment=ON):
        assert checked > 75
        assert wrong == 0
        assert seen == ways


def large_keys(rank):
    from test_dist_sums import large_sums

    ways = seen_ways()
    return large_sums(rank), sorted(ways)


def test_large_keys_need_no_pieces():
    for right, seen in returned(2, large_keys, environment=ON):
        assert right == [True] * 14
        assert seen == [("Parts", True), ("Whole", True)]


def test_gradients_leave_during_backward():
    for found in returned(2, test_dist_ahead.train_cases, environment=ON):
        for what, (messages, failures) in test_dist_ahead.CASES.items():
            (params, left, count), (others, none, _) = found[what]
            assert not any(none)
            assert count == failures, what
            assert messages is None or left[-1] == messages, (what, left)
            for one, other in zip(params, others, strict=True):
                onp.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-6, err_msg=what)


def train_all(rank, kvstore):
    from test_dist_training import train_all as trained

    return trained(rank, kvstore)


def test_digits_are_trained_as_by_one_process():
    alone = returned(1, train_all, "device")[0]
    results = returned(2, train_all, "dist_device_sync", environment=ON)
    for found in results:
        for run, expected, first in zip(found, alone, results[0], strict=True):
            for one, other, same in zip(run, expected, first, strict=True):
                onp.testing.assert_allclose(one, other, atol=1e-5, rtol=0)
                assert (one == same).all()


def compressed_sums(rank):
    import gluonish as mx

    ways = seen_ways()
    kv = mx.kv.create("dist_sync")
    kv.set_gradient_compression({"type": "fp16"})
    kv.init("w", mx.nd.zeros(5))
    kv.push("w", mx.nd.ones(5) * (rank + 1))
    out = mx.nd.zeros(5)
    kv.pull("w", out=out)
    return out.asnumpy().tolist(), sorted(ways)


def test_compressed_keys_go_through_host_memory():
    for found in returned(2, compressed_sums, environment=ON):
        assert found == ([3] * 5, [("Shares", False)])


def sums_where(rank, same):
    """Push where two workers have the same device, or one has none that others know of."""
    import torch

    import gluonish as mx
    from gluonish.kvstore.workers import devices

    mark = devices._mark
    if same:
        devices._mark = lambda _: mark(torch.device("cpu")) * 0 + 7
    elif rank:
        devices._mark = lambda _: mark(torch.device("cpu")) * 0
    ways = seen_ways()
    kv = mx.kv.create("dist_sync")
    kv.init("w", mx.nd.zeros(5))
    kv.push("w", mx.nd.ones(5) * (rank + 1))
    out = mx.nd.zeros(5)
    kv.pull("w", out=out)
    return out.asnumpy().tolist(), sorted(ways)


@pytest.mark.parametrize(
    ("same", "words"),
    [
        (
            True,
            r"kv: these have the same device: worker 0 \(process \d+ on .*, worker 1 \(.*\)\. W",
        ),
        (False, r"kv: these have no array on a device, while others have one: worker 1 \(.*\)\. W"),
    ],
)
def test_workers_without_a_device_of_their_own_use_host_memory(same, words):
    workers = run_workers(2, sums_where, same, environment=ON)
    for worker in workers:
        assert worker.value == ([3] * 5, [("Whole", False)])
    assert re.search(words + "hat the workers exchange goes through", workers[0].output)
    assert "kv:" not in workers[1].output


def unconnected(rank):
    import torch.distributed

    import gluonish as mx

    kv = mx.kv.create("dist_sync")
    whole = torch.distributed.all_reduce

    def all_reduce(*args, **kwargs):
        if not kwargs.get("async_op"):
            msg = "NCCL error in: some.cpp\nncclSystemError: no way"
            raise torch.distributed.DistBackendError(msg)
        return whole(*args, **kwargs)

    torch.distributed.all_reduce = all_reduce
    kv.init("w", mx.nd.zeros(5))


def test_devices_that_do_not_reach_one_another_are_told():
    for worker in run_workers(2, unconnected, environment=ON, check=False):
        assert worker.code == 1, shown([worker])
        words = (
            f"DistributedError: kv: cpu of worker {worker.rank} could not be connected to the "
            f"devices of the others (ncclSystemError: no way). Expected all to reach one another. "
            f"NCCL_DEBUG=WARN has NCCL tell more; GLUONISH_NCCL=0"
        )
        assert words in worker.output, shown([worker])


PUSHES = """
import sys, time
import gluonish as mx
kv = mx.kv.create("dist_device_sync")
kv.init("w", mx.nd.zeros(300000))
%s
out = mx.nd.zeros(300000)
for step in range(%s):
    kv.push("w", mx.nd.ones(300000))
    if step == 3:
        sys.stdout.write("ready\\n")
        %s
    kv.pull("w", out=out)
"""
TEST = "kv.set_optimizer(mx.optimizer.create('test'))"


@pytest.mark.parametrize("optimizer", ["", TEST])
def test_workers_that_do_something_else_are_told(optimizer):
    program = PUSHES % (optimizer, 5, "if kv.rank: kv.set_gradient_compression({'type': 'fp16'})")
    program += "kv.barrier()"
    with Workers(2, program, environment=ON) as workers:
        finished = workers.finish()
    for worker in finished:
        assert worker.code == 1, shown(finished)
        assert "WorkersDifferError: kv: " in worker.output, shown(finished)


@pytest.mark.parametrize("optimizer", ["", TEST])
def test_a_killed_worker_ends_all(optimizer):
    with Workers(3, PUSHES % (optimizer, 10**6, ""), environment=ON) as workers:
        for rank in range(3):
            workers.wait_for(rank, "ready")
        pid, before = workers.processes[1].pid, time.monotonic()
        workers.kill(1)
        finished = workers.finish()
    assert time.monotonic() - before < 30, shown(finished)
    for worker in (finished[0], finished[2]):
        assert worker.code == 1, shown(finished)
        assert f"DistributedError: kv: worker 1 (process {pid} on " in worker.output


QUEUED = """
import time
import gluonish as mx
from gluonish.kvstore.workers.agreement import Call
class Queued:
    \"\"\"A sum that is queued on a device and does not end.\"\"\"
    def wait(self):
        pass
    def is_completed(self):
        return False
kv = mx.kv.create("dist_sync")
kv.barrier()
if kv.rank == 0:
    steps = kv.steps
    steps.follow(Queued(), steps.take(), lambda: Call("kv.push"))
    while steps.found is None:
        time.sleep(0.05)
%s
kv.barrier()
"""


def test_what_is_queued_on_a_device_is_watched_while_the_program_goes_on():
    finished = run_workers(2, QUEUED % "", check=False)
    words = "WorkersDifferError: kv: worker 0 calls kv.push, worker 1 kv.barrier"
    for worker in finished:
        assert worker.code == 1, shown(finished)
        assert words in worker.output, shown(finished)


def test_what_is_queued_on_a_device_and_does_not_end_is_an_error():
    program = QUEUED % "else: time.sleep(100)"
    words = "DistributedError: kv: what workers exchange between their devices was not there within"
    with Workers(2, program, environment={"GLUONISH_TIMEOUT": "10"}) as workers:
        workers.wait_for(0, words)


def test_connections_of_nccl_are_broken_by_what_it_has_for_that(monkeypatch):
    from gluonish.kvstore.workers import agreement

    aborted = []

    class Channel:
        def abort(self):
            aborted.append(self)
            raise RuntimeError

    channel = Channel()
    monkeypatch.setattr(agreement.dist, "get_backend", lambda _: "nccl")
    agreement.break_channel(None, channel)
    assert aborted == [channel]


def test_nccl_can_be_switched_off(monkeypatch):
    import torch

    from gluonish.kvstore.workers.devices import kinds_here

    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.distributed, "is_nccl_available", lambda: True)
    assert kinds_here() == ["cuda"]
    monkeypatch.setenv("GLUONISH_NCCL", "0")
    assert kinds_here() == []


UNEQUAL = """
import gluonish as mx
kv = mx.kv.create("dist_sync")
kv.init("w", mx.nd.zeros((2, 3)))
if kv.rank:
    kv._group.connected.clear()
kv.push("w", mx.nd.ones((2, 3)))
kv.barrier()
"""


def test_a_key_that_is_on_a_device_here_and_not_there_is_told():
    finished = run_workers(2, UNEQUAL, environment=ON, check=False)
    words = (
        "WorkersDifferError: kv: kv.push: for key 'w' worker 0 has float32 on cpu of shape (2, 3), "
        "worker 1 float32 of shape (2, 3). Expected the same calls"
    )
    for worker in finished:
        assert worker.code == 1, shown(finished)
        assert words in worker.output, shown(finished)


class Done:
    """A transfer between devices that has ended."""

    def wait(self):
        pass

    def is_completed(self):
        return True


class Gradient:
    """What a backward pass makes on a device, again and again."""

    grad_req, listener = "write", None

    def __init__(self, make):
        self.make = make
        self.buffer = make()

    def renew(self):
        self.buffer._tensor = self.make()._tensor
        if self.listener is not None:
            self.listener()


def calls_without_values(rank):
    """Exchange keys on a device without values, of which nothing can be copied to host memory."""
    import torch
    import torch.distributed as dist

    import gluonish as mx
    from gluonish.array.core import wrap
    from gluonish.kvstore.workers.group import Group
    from gluonish.ndarray import NDArray

    seen = []
    real = {name: getattr(dist, name) for name in ("all_reduce", "reduce", "broadcast")}
    for name in real:

        def call(tensor, *args, name=name, **kwargs):
            if tensor.device.type != "meta":
                return real[name](tensor, *args, **kwargs)
            seen.append((name, tensor.numel()))
            return Done()

        setattr(dist, name, call)
    opened = Group.open_channel
    Group.open_channel = lambda self, kind=None: kind or opened(self)
    kv = mx.kv.create("dist_device_sync")
    kv._group.connected["meta"] = "meta"
    kv.share = lambda *_: None  # first values go through host memory
    shapes = {"a": (300, 400), "b": (5,), "c": (7, 3)}
    keys = list(shapes)

    def array(key):
        return wrap(torch.empty(shapes[key], device="meta"), mx.cpu(), NDArray)

    kv.init(keys, [array(key) for key in keys])
    found = {}
    for optimizer in (None, "sgd", "adam"):
        if optimizer is not None:
            kv.set_optimizer(mx.optimizer.create(optimizer))
        for _ in range(3):
            kv.push(keys, [array(key) for key in keys])
            kv.pull(keys, out=[array(key) for key in keys])
        kv.pushpull("a", array("a"), out=array("a"))
        found[optimizer], seen[:] = tuple(seen), []
    gradients = [(key, [Gradient(lambda key=key: array(key))]) for key in keys]
    for _ in range(3):
        for _, (gradient,) in gradients:
            gradient.renew()
        kv.sum_gradients(gradients)
    return {**found, "gradients": tuple(seen)}


def test_nothing_of_what_is_on_a_device_comes_to_host_memory():
    parts = [("reduce", 60005), ("reduce", 60021), ("broadcast", 60005), ("broadcast", 60021)]
    alone = [(name, 60000) for name, _ in parts]
    for found in returned(2, calls_without_values):
        assert found == {
            None: (*[("all_reduce", 120026)] * 3, ("all_reduce", 120000)),
            "sgd": (*parts * 3, *alone),
            "adam": (*parts * 3, *alone),
            "gradients": (("all_reduce", 120026),) * 3,
        }
