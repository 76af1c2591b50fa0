"""What workers say when others die, leave, come late, stand still or do something else."""

from __future__ import annotations

import os
import re
import signal
import socket
import time

import pytest
from workers import COMES_LATE, LIMIT, Workers, run_workers, shown

import gluonish as mx

STEPS = """
import os, sys, time
import gluonish as mx
kv = mx.kv.create("dist_sync")
kv.init("a", mx.nd.zeros(3))
sys.stdout.write("ready\\n")
out = mx.nd.zeros(3)
for step in range(100000):
    kv.push("a", mx.nd.ones(3))
    kv.pull("a", out=out)
    %s
"""
BARRIERS = STEPS.replace('kv.push("a", mx.nd.ones(3))', "kv.barrier()")


def killed(program, count=3, victim=1, is_dead=None):
    """Return the workers, and the seconds after which they ended once one of them was killed.

    The file `is_dead`, if it is given, is there from then on.
    """
    environment = {"DEAD": str(is_dead)} if is_dead else {}
    with Workers(count, program, environment=environment) as workers:
        for rank in range(count):
            workers.wait_for(rank, "ready")
        time.sleep(0.3)
        pid = workers.processes[victim].pid
        before = time.monotonic()
        workers.kill(victim)
        if is_dead is not None:
            is_dead.touch()
        finished = workers.finish()
        return finished, time.monotonic() - before, pid


@pytest.mark.parametrize("victim", [0, 2])
@pytest.mark.parametrize("program", [STEPS % "pass", BARRIERS % "pass"])
def test_a_killed_worker_ends_all_with_an_error_that_names_it(program, victim):
    finished, seconds, pid = killed(program, victim=victim)
    assert seconds < 30, shown(finished)
    name = f"worker {victim} (process {pid} on {socket.gethostname()}) is dead"
    for worker in finished:
        if worker.rank != victim:
            assert worker.code == 1, shown(finished)
            assert f"DistributedError: kv: {name}" in worker.output, shown(finished)


def test_a_worker_that_does_not_wait_learns_of_a_death_at_its_next_call(tmp_path):
    waits = "while not os.path.exists(os.environ['DEAD']): time.sleep(0.02)"
    program = STEPS % f"if kv.rank == 0 and step == 5:\n        {waits}"
    finished, _, pid = killed(program, count=2, is_dead=tmp_path / "dead")
    assert f"worker 1 (process {pid} on " in finished[0].output, shown(finished)


def test_a_worker_that_ends_by_an_error_is_quoted():
    program = STEPS % "if kv.rank == 1 and step == 20: raise ValueError('no more data')"
    finished = run_workers(3, program, check=False)
    assert [worker.code for worker in finished] == [1, 1, 1], shown(finished)
    for rank in (0, 2):
        assert re.search(r"kv: worker \d .*has ended with .*no more data", finished[rank].output)


def test_a_worker_that_ends_early_is_named():
    program = STEPS % "if kv.rank == 1 and step == 20: break"
    finished = run_workers(3, program, check=False)
    assert [worker.code for worker in finished] == [1, 0, 1], shown(finished)
    message = r"worker 1 \(process \d+ on .*\) has ended, and this one waits for it. Expected"
    assert re.search(message, finished[0].output + finished[2].output), shown(finished)
    program = BARRIERS % "if kv.rank == 1 and step == 20: break"
    finished = run_workers(2, program, check=False)
    assert [worker.code for worker in finished] == [1, 0], shown(finished)
    assert re.search(message, finished[0].output), shown(finished)


def test_a_worker_that_stands_still_ends_the_job_in_stated_time():
    with Workers(3, STEPS % "pass", environment={"GLUONISH_HEARTBEAT": "3"}) as workers:
        for rank in range(3):
            workers.wait_for(rank, "ready")
        pid = workers.processes[1].pid
        os.kill(pid, signal.SIGSTOP)
        before = time.monotonic()
        workers.processes[0].join(LIMIT)
        workers.processes[2].join(LIMIT)
        seconds = time.monotonic() - before
        os.kill(pid, signal.SIGCONT)
        finished = workers.finish()
    assert seconds < 30, shown(finished)
    message = f"worker 1 (process {pid} on {socket.gethostname()}) is dead: it has given no sign"
    for worker in finished:
        assert worker.code == 1, shown(finished)
        assert message in worker.output, shown(finished)


def test_a_worker_that_stands_still_for_a_while_is_waited_for():
    program = STEPS.replace("range(100000)", "range(200)") % "time.sleep(0.01)"
    with Workers(2, program, environment={"GLUONISH_HEARTBEAT": "10"}) as workers:
        workers.wait_for(1, "ready")
        os.kill(workers.processes[1].pid, signal.SIGSTOP)
        time.sleep(3)
        os.kill(workers.processes[1].pid, signal.SIGCONT)
        finished = workers.finish()
    assert [worker.code for worker in finished] == [0, 0], shown(finished)


CREATE = "import sys, gluonish as mx; kv = mx.kv.create('dist_sync'); sys.stdout.write('ready\\n')"


def test_a_worker_that_comes_late_is_waited_for(tmp_path):
    has_waited = tmp_path / "waited"
    each = [{}, {"LATE": str(has_waited)}]
    with Workers(2, COMES_LATE + CREATE, each=each) as workers:
        workers.processes[0].join(1)
        has_waited.touch()
        finished = workers.finish()
    assert [worker.code for worker in finished] == [0, 0], shown(finished)
    assert all("ready" in worker.output for worker in finished)


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
            "kv.barrier() if kv.rank else kv.init('a', mx.nd.zeros(2))",
            "worker 0 calls kv.init, worker 1 kv.barrier",
        ),
    ],
)
def test_workers_that_do_something_else_are_told_what(line, message):
    finished = run_workers(2, f"{CREATE}\n{line}", check=False)
    for worker in finished:
        assert worker.code == 1, shown(finished)
        assert "WorkersDifferError: kv: " in worker.output
        assert f"{message}. Expected the same" in worker.output


def test_workers_that_push_other_keys_in_one_step_are_told_so():
    program = f"""{CREATE}
kv.init(['a', 'b'], [mx.nd.zeros(2), mx.nd.zeros(3)])
for step in range(10):
    key = 'b' if kv.rank and step == 5 else 'a'
    out = mx.nd.zeros(3 if key == 'b' else 2)
    kv.push(key, mx.nd.ones(out.shape))
    kv.pull(key, out=out)
"""
    finished = run_workers(2, program, check=False)
    for worker in finished:
        assert worker.code == 1, shown(finished)
        assert "WorkersDifferError: kv: kv.push: worker 0 has key 'a', which" in worker.output


@pytest.mark.parametrize("name", ["GLUONISH_HEARTBEAT", "GLUONISH_TIMEOUT"])
@pytest.mark.parametrize("value", ["soon", "0", "-1"])
def test_settings_of_time_have_to_be_numbers_above_0(name, value):
    environment = {"WORLD_SIZE": "2", "GLUONISH_TIMEOUT": "2"} | {name: value}
    (worker,) = run_workers(1, CREATE, environment=environment, check=False)
    message = f"kv.create: the environment has {name}='{value}'. Expected a number of seconds"
    assert message in worker.output, worker.output


def test_workers_of_one_rank_are_told_so():
    finished = run_workers(
        2, CREATE, environment={"GLUONISH_TIMEOUT": "3"}, each=[{}, {"RANK": "0"}], check=False
    )
    assert any("another process has come to" in worker.output for worker in finished)
    assert all(worker.code == 1 for worker in finished)


DIES = """
import os
import torch.distributed as dist
import gluonish as mx
kv = mx.kv.create("dist_sync")
kv.init("a", mx.nd.zeros((20, 3)).tostype("row_sparse"))
kv.set_optimizer(mx.optimizer.Adam())
if kv.rank == 1:
    dist.all_gather = lambda *arguments, **options: os.kill(os.getpid(), 9)
%s
"""


@pytest.mark.parametrize(
    "line",
    [
        "kv.save_optimizer_states(os.devnull)",
        "kv.push('a', mx.nd.ones((20, 3)).tostype('row_sparse'))\nkv.barrier()",
    ],
)
def test_a_worker_that_dies_while_messages_go_around_is_named(line):
    finished = run_workers(3, DIES % line, check=False)
    for rank in (0, 2):
        assert finished[rank].code == 1, shown(finished)
        assert re.search(r"kv: worker 1 \(process \d+ on .*\) is dead", finished[rank].output)


def test_one_worker_needs_nobody():
    assert mx.kv.create("dist_sync").num_workers == 1
