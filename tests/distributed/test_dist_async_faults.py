"""dist_async: what workers say when others die, leave, come late, stand still or differ."""

from __future__ import annotations

import os
import re
import signal
import socket
import time

import pytest
from workers import COMES_LATE, LIMIT, Workers, returned, run_workers, shown

import gluonish as mx

CREATE = "import sys, time\nimport gluonish as mx\nkv = mx.kv.create('dist_async')\n"
STEPS = f"""{CREATE}
kv.init(["a", "big"], [mx.nd.zeros(3), mx.nd.zeros((200, 100))])  # all workers own parts of one
kv.set_optimizer(mx.optimizer.create("test", rescale_grad=1.0))
out = mx.nd.zeros((200, 100))
sys.stdout.write("ready\\n")
for step in range(100000):
    kv.push(["a", "big"], [mx.nd.ones(3), mx.nd.ones((200, 100))])
    %s
"""
PULLS = STEPS % 'kv.pull("big", out=out)'
PUSHES = STEPS % "pass"
SLEEPS = STEPS % "time.sleep(0.5)"


@pytest.mark.parametrize("victim", [0, 2])
@pytest.mark.parametrize("program", [PULLS, PUSHES, SLEEPS])
def test_a_killed_worker_ends_all_with_an_error_that_names_it(program, victim):
    with Workers(3, program) as workers:
        for rank in range(3):
            workers.wait_for(rank, "ready")
        time.sleep(0.3)
        pid = workers.processes[victim].pid
        begin = time.monotonic()
        workers.kill(victim)
        finished = workers.finish()
        seconds = time.monotonic() - begin
    assert seconds < 30, shown(finished)  # 3 s where nothing gets stuck
    message = f"kv: worker {victim} (process {pid} on {socket.gethostname()}) is dead"
    for worker in finished:
        if worker.rank != victim:
            assert worker.code == 1, shown(finished)
            assert message in worker.output, shown(finished)


@pytest.mark.parametrize("program", [PULLS, PUSHES])
def test_a_worker_that_stands_still_ends_the_job_also_for_itself(program):
    with Workers(3, program, environment={"GLUONISH_HEARTBEAT": "2"}) as workers:
        for rank in range(3):
            workers.wait_for(rank, "ready")
        pid = workers.processes[1].pid
        os.kill(pid, signal.SIGSTOP)
        begin = time.monotonic()
        for rank in (0, 2):
            workers.processes[rank].join(LIMIT)
        seconds = time.monotonic() - begin
        os.kill(pid, signal.SIGCONT)
        finished = workers.finish()
    assert seconds < 30, shown(finished)
    message = f"worker 1 (process {pid} on {socket.gethostname()}) is dead: it has given no sign"
    for worker in finished:
        assert worker.code == 1, shown(finished)
        assert message in worker.output, shown(finished)


def test_a_worker_that_ends_by_an_error_is_quoted():
    program = STEPS % (
        "if kv.rank == 1 and step == 20: raise ValueError('no more data')\n"
        "    kv.pull('big', out=out)"
    )
    finished = run_workers(3, program, check=False)
    assert [worker.code for worker in finished] == [1, 1, 1], shown(finished)
    for rank in (0, 2):
        assert re.search(r"kv: worker \d .*has ended with .*no more data", finished[rank].output)


def counted(rank, batches):
    """Train for one's own number of batches; the last one to end sees all updates."""
    kv = mx.kv.create("dist_async")
    kv.init("big", mx.nd.zeros((200, 100)))
    kv.set_optimizer(mx.optimizer.create("test", rescale_grad=1.0))
    for _ in range(batches[rank]):
        kv.push("big", mx.nd.ones((200, 100)))
    kv.barrier()
    out = mx.nd.zeros((200, 100))
    kv.pull("big", out=out)
    return float(out.asnumpy().min()), float(out.asnumpy().max())


def test_workers_may_have_different_numbers_of_batches():
    assert returned(3, counted, [5, 90, 30]) == [(125.0, 125.0)] * 3


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "kv.init('a', mx.nd.zeros((2 + kv.rank, 3)))",
            "for key 'a' worker 0 has float32 of shape (2, 3), worker 1 float32 of shape (3, 3)",
        ),
        (
            "kv.init('a', mx.nd.zeros(2, dtype=['float32', 'int32'][kv.rank]))",
            "for key 'a' worker 0 has float32 of shape (2,), worker 1 int32 of shape (2,)",
        ),
        (
            "kv.init(f'a{kv.rank}', mx.nd.zeros(2))",
            "worker 1 has key 'a1', which worker 0 has not",
        ),
        (
            "kv.barrier() if kv.rank else kv.set_optimizer(mx.optimizer.SGD())",
            "worker 0 calls kv.set_optimizer, worker 1 kv.barrier",
        ),
        (
            "kv.set_optimizer([mx.optimizer.SGD, mx.optimizer.Adam][kv.rank](learning_rate=1.0))",
            "kv.set_optimizer: worker 0 has SGD with",
        ),
    ],
)
def test_workers_that_do_something_else_are_told_what(line, message):
    finished = run_workers(2, CREATE + line, check=False)
    for worker in finished:
        assert worker.code == 1, shown(finished)
        assert "WorkersDifferError: kv: " in worker.output
        assert message in worker.output, shown(finished)


def test_a_key_that_only_one_worker_adds_is_told_when_another_ends():
    program = CREATE + (
        "kv.init('a', mx.nd.zeros(2))\nif kv.rank:\n    kv.init('b', mx.nd.zeros(2))\n"
    )
    finished = run_workers(2, program, check=False)
    assert finished[1].code == 1, shown(finished)
    message = "kv: worker 0 calls the end of the program, worker 1 kv.init. Expected the same"
    assert message in finished[1].output, shown(finished)


def test_a_worker_that_comes_too_late_is_named_and_told(tmp_path):
    is_over, limit = tmp_path / "over", {"GLUONISH_TIMEOUT": "6"}
    each = [{}, {"LATE": str(is_over), "GLUONISH_TIMEOUT": "1"}, {}]
    with Workers(3, COMES_LATE + CREATE, environment=limit, each=each) as workers:
        for rank in (0, 2):
            workers.processes[rank].join(LIMIT)
        is_over.touch()
        finished = workers.finish()
    for rank in (0, 2):
        message = r"kv.create: worker 1 of 3 did not come to 127.0.0.1:\d+ within 6 s. Expected all"
        assert re.search(message, finished[rank].output), shown(finished)
    assert finished[1].code == 1, shown(finished)
    assert "DistributedError: kv.create: " in finished[1].output, shown(finished)
