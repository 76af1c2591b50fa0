"""`gluonish launch`, and MXNet's launcher: programs in several processes, by real commands."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as onp
import pytest
from workers import LIMIT

from gluonish.cli import launch, main
from gluonish.cli.command import _parser

HERE = Path(__file__).parent
COMMAND = [sys.executable, "-c", "import sys; from gluonish.cli import main; sys.exit(main())"]
PROGRAM = """
import os, sys
import gluonish as mx
kv = mx.kv.create("dist_sync")
kv.init("a", mx.nd.zeros(1))
kv.push("a", mx.nd.ones(1) * (kv.rank + 1))
out = mx.nd.zeros(1)
kv.pull("a", out=out)
sys.stdout.write(f"worker {kv.rank} of {kv.num_workers}: {out.asscalar():g} {sys.argv[1:]}\\n")
sys.stdout.flush()
if sys.argv[1:] == ["die"] and kv.rank == 1:
    os.kill(os.getpid(), 9)
kv.barrier()
"""

ROOT = HERE.parents[1]


def environment(**more):
    known = {name: value for name, value in os.environ.items() if not name.startswith("DMLC_")}
    path = os.pathsep.join([str(ROOT), str(HERE), *sys.path])
    return {**known, "PYTHONPATH": path, "GLOO_SOCKET_IFNAME": "lo", "OMP_NUM_THREADS": "1", **more}


def run(*command, timeout=LIMIT, **more):
    return subprocess.run(
        command, capture_output=True, text=True, timeout=timeout, env=environment(**more),
        check=False,
    )  # fmt: skip


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return str(path)


def free_port():
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


def test_the_same_program_runs_alone_and_launched(program):
    alone = run(sys.executable, program, "--x")
    assert alone.stdout == "worker 0 of 1: 1 ['--x']\n"
    launched = run(*COMMAND, "launch", "-n", "2", program, "--x", "-n", "7")
    assert launched.returncode == 0, launched.stderr
    lines = sorted(launched.stdout.splitlines())
    assert lines == [f"worker {rank} of 2: 3 ['--x', '-n', '7']" for rank in range(2)]


def test_a_dead_worker_is_named_by_the_launcher(program):
    launched = run(*COMMAND, "launch", "-n", "2", program, "die")
    assert launched.returncode == 1
    last = launched.stderr.splitlines()[-1]
    assert re.fullmatch(
        r"gluonish launch: worker 1 \(process \d+ on .+\) was ended by SIGKILL(, and 1 other had "
        r"to end with it)?. Expected status 0 of all. See what it wrote, and whether the host had "
        r"memory left.",
        last,
    )


def test_training_goes_on_when_workers_are_killed(tmp_path):
    program = str(HERE / "resumed.py")
    (tmp_path / "a").mkdir()
    folder = tmp_path / "b"
    folder.mkdir()
    whole = run(*COMMAND, "launch", "-n", "2", program, str(tmp_path / "a"), "1", "0")
    assert whole.returncode == 0, whole.stderr
    command = [*COMMAND, "launch", "-n", "2", "--max-restarts", "2", program, str(folder), "1"]
    with subprocess.Popen([*command, "0.05"], env=environment(), stderr=subprocess.DEVNULL) as job:
        for kill in range(2):
            wait_for(lambda kill=kill: len(list((folder / "run").glob("*.saf*"))) > kill, job)
            known = (folder / f"pid-{kill}").read_text()
            os.kill(int(known), signal.SIGKILL)
            wait_for(
                lambda kill=kill, known=known: (folder / f"pid-{kill}").read_text() != known, job
            )
        assert job.wait(LIMIT) == 0
    reports = [json.loads((tmp_path / one / "report.json").read_text()) for one in "ab"]
    assert reports[1]["began"] is not None
    assert reports[0]["accuracy"] == reports[1]["accuracy"]
    first, second = (onp.load(tmp_path / one / "weights.npz") for one in "ab")
    for name in first.files:
        assert (first[name] == second[name]).all()


def wait_for(condition, job, limit=LIMIT):
    end = time.monotonic() + limit
    while not condition():
        assert time.monotonic() < end
        assert job.poll() is None
        time.sleep(0.02)


def test_hosts_of_a_file_run_the_program_together(program, tmp_path):
    hosts = tmp_path / "hosts"
    hosts.write_text("localhost  # the first\n\n127.0.0.1 slots=1\n")
    shell = tmp_path / "shell"  # what ssh does, on this host
    shell.write_text('#!/bin/sh\nshift\nexec sh -c "$1"\n')
    shell.chmod(0o755)
    endpoint = f"127.0.0.1:{free_port()}"
    launched = run(
        *COMMAND, "launch", "-n", "1", "-H", str(hosts), "--ssh", str(shell), "--rdzv-endpoint",
        endpoint, program, "a b",
    )  # fmt: skip
    assert launched.returncode == 0, launched.stderr
    lines = sorted(launched.stdout.splitlines())
    assert lines == [f"worker {rank} of 2: 3 ['a b']" for rank in range(2)]


def test_a_host_that_fails_is_named(tmp_path, program):
    hosts = tmp_path / "hosts"
    hosts.write_text("here\nthere\n")
    launched = run(*COMMAND, "launch", "-H", str(hosts), "--ssh", "false", program)
    assert launched.returncode == 1
    told = re.fullmatch(
        r"gluonish launch: the job has failed on (.+), of 2 hosts\. "
        r"Expected status 0 of all\. See what the first of them wrote\.\n",
        launched.stderr,
    )
    assert told, launched.stderr
    assert sorted(told[1].split(", ")) == ["here (status 1)", "there (status 1)"]


# --- MXNet's launcher ----------------------------------------------------------------------------


def roles(program, *names, timeout=LIMIT, **more):
    """Run a program in the roles of MXNet's launcher; return what became of each."""
    settings = {
        "DMLC_PS_ROOT_URI": "127.0.0.1",
        "DMLC_PS_ROOT_PORT": str(free_port()),
        "DMLC_NUM_WORKER": str(names.count("worker")),
        "DMLC_NUM_SERVER": str(names.count("server")),
    }
    known = environment(**settings | more)
    jobs = [
        subprocess.Popen(
            [sys.executable, program], env={**known, "DMLC_ROLE": name}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for name in names
    ]  # fmt: skip
    try:
        return [(job, *job.communicate(timeout=timeout)) for job in jobs]
    finally:
        for job in jobs:
            job.kill()
            job.communicate()


def test_the_roles_of_mxnets_launcher_do_what_is_theirs(program):
    found = roles(program, "scheduler", "server", "worker", "worker")
    assert [job.returncode for job, *_ in found] == [0, 0, 0, 0], found
    (_, *scheduler), (_, *server), *workers = found
    about = "gluonish: DMLC_ROLE={}: nothing is left to do, {}.\n"
    assert scheduler == ["", about.format("scheduler", "all 2 workers have left")]
    kept = "the workers keep what servers kept, each its share"
    assert server == ["", about.format("server", kept)]
    lines = sorted(output for _, output, _ in workers)
    assert lines == [f"worker {rank} of 2: 3 []\n" for rank in range(2)]


def test_a_scheduler_tells_of_a_dead_worker(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM.replace('sys.argv[1:] == ["die"] and', ""))
    scheduler, *workers = roles(str(path), "scheduler", "worker", "worker")
    assert scheduler[0].returncode == 1
    assert re.search(r"DMLC_ROLE=scheduler: kv: worker 1 .* is dead: its process", scheduler[2])
    assert sorted(job.returncode for job, *_ in workers) == [-9, 1]
    assert any(re.search(r"worker 1 \(process \d+ on .*\) is dead", one[2]) for one in workers)


STUCK = """
import os, signal, sys, threading
import gluonish as mx
from gluonish.kvstore.workers import agreement
agreement.break_channel = lambda *channel: None  # as gloo now and then leaves them
kv = mx.kv.create("dist_sync")
kv.init("a", mx.nd.ones(3))
if kv.rank == 1:
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGSTOP)).start()
try:
    while True:
        kv.pushpull("a", mx.nd.ones(3), out=mx.nd.zeros(3))
except mx.MXNetError as error:
    sys.stdout.write(f"caught {error}")
"""


def test_a_wait_that_nothing_ends_is_given_up_and_the_program_ends(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(STUCK)
    shared = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port())}
    jobs = [
        subprocess.Popen(
            [sys.executable, path], stdout=subprocess.PIPE, text=True,
            env=environment(**shared, RANK=rank, GLUONISH_HEARTBEAT="2"),
        )
        for rank in "01"
    ]  # fmt: skip
    try:
        output, _ = jobs[0].communicate(timeout=LIMIT / 3)
    finally:
        for job in jobs:
            job.kill()
            job.communicate()
    assert jobs[0].returncode == 0
    assert output.startswith(f"caught kv: worker 1 (process {jobs[1].pid} on ")


def test_a_scheduler_does_not_wait_for_ever(program):
    ((job, _, errors),) = roles(program, "scheduler", DMLC_NUM_WORKER="3", GLUONISH_TIMEOUT="1")
    assert job.returncode == 1
    assert "nothing is left to do, 0 of 3 workers came within 1 s.\n" in errors


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing.py"], "'nothing.py' is not there. Expected the file of a program."),
        (["-H", "nowhere", "x.py"], "-H nowhere: there is no such file. Expected one host a line."),
        (["--env", "=1", __file__], "--env =1 was given. Expected NAME=VALUE"),
        (["--env", "NOT_SET_AT_ALL", __file__], "--env NOT_SET_AT_ALL was given. Expected"),
        (["--nnodes", "2", __file__], "--nnodes 2 was given without --rdzv-endpoint. Expected the"),
        (["-n", "0", __file__], "-n 0 --nnodes 1 were given. Expected numbers"),
        (["-n", "some", __file__], "-n some --nnodes 1 were given. Expected numbers"),
    ],
)
def test_what_is_wrong_is_told(arguments, message, capsys, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert main(["launch", *arguments]) == 1
    assert f"gluonish launch: {message}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it names no host. Expected one a line."),
        ("a b c\n", "line 1 is 'a b c'. Expected the name of a host, or 'name slots=4'."),
        ("\na slots=x\n", "line 2 is 'a slots=x'. Expected the name of a host"),
    ],
)
def test_files_of_hosts_that_are_wrong_are_told(text, message, tmp_path, capsys):
    path = tmp_path / "hosts"
    path.write_text(text)
    assert main(["launch", "-H", str(path), "x.py"]) == 1
    assert f"gluonish launch: -H {path}: {message}" in capsys.readouterr().err


def test_options_become_those_of_torchrun():
    options = _parser().parse_args(
        shlex.split(
            "launch --nnodes 1:3 --rdzv-endpoint a:1 --rdzv-id j --max-restarts 4 --log-dir d "
            "--local-addr b --is-host 1 -m pack.mod --lr 1"
        )
    )
    assert launch._for_torchrun(options, "2") == shlex.split(
        "--nproc-per-node 2 --max-restarts 4 --nnodes 1:3 --rdzv-backend c10d --rdzv-endpoint a:1 "
        "--rdzv-id j --rdzv-conf is_host=1 --local-addr b --log-dir d --tee 3 --module pack.mod "
        "--lr 1"
    )


def test_variables_are_set_for_workers(program, monkeypatch):
    monkeypatch.setenv("GIVEN", "1")
    monkeypatch.delenv("CHOSEN", raising=False)
    launch._set(["GIVEN", "CHOSEN=2=3"])
    assert os.environ["CHOSEN"] == "2=3"
