"""Compilations in other processes: what comes of them, and of those that fail."""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as onp
import pytest
import torch

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.errors import CompileError
from gluonish.gluon import nn
from gluonish.hybrid import compilers, jobs, judging, worker
from gluonish.hybrid.program import Like, Program
from gluonish.hybrid.worker import CompileTask

BOUND = 300  # seconds for a compilation, on a machine that does other things as well


def task_of(function, *tensors):
    module = torch.fx.symbolic_trace(function)
    outputs = next(node for node in module.graph.nodes if node.op == "output")
    outputs.args = ((outputs.args[0],),)
    return CompileTask(Program.of(module), None, [Like.of(tensor) for tensor in tensors], 1)


def broken_task():
    return task_of(lambda x: torch.reshape(x, (7,)), torch.ones(2, 3))


@pytest.fixture
def queue(monkeypatch, own_cache):
    """A queue of the test's own, whose process is ended after the test."""
    own = compilers.Compilers()
    monkeypatch.setattr(jobs, "compilers", own)
    monkeypatch.setattr(judging, "compilers", own)
    yield own
    own.stop()


@pytest.fixture
def quick(monkeypatch, queue):
    """In the place of the compiler's process: one that fails at once."""
    start = subprocess.Popen
    code = """
import os, pathlib, sys, time
os.write(1, b"\\n")
for line in sys.stdin:
    time.sleep(0.05)
    task_file = pathlib.Path(line.strip())
    task_file.with_suffix('.txt').write_text('SomeError: it is broken')
    task_file.unlink(missing_ok=True)
"""

    def start_quickly(_command, **options):
        return start([sys.executable, "-S", "-c", code], **options)

    monkeypatch.setattr(compilers.subprocess, "Popen", start_quickly)
    return queue


# --- without a compiler ---------------------------------------------------------------------


@pytest.mark.usefixtures("real_compiler")
def test_broken_task_writes_its_reason():
    job = jobs.CompileJob(broken_task())
    assert job.wait(BOUND)
    assert "RuntimeError: shape '[7]' is invalid for input of size 6" in job.error
    assert not job.is_done
    assert list(jobs.folder().iterdir()) == []


def test_end_of_the_process_is_an_error(quick):
    job = jobs.CompileJob(broken_task())
    os.kill(quick._process.number, signal.SIGKILL)
    assert job.wait(BOUND)
    assert job.error == "the compiler's process ended with status -9"


@pytest.mark.usefixtures("quick")
def test_process_that_takes_too_long_is_stopped(monkeypatch):
    monkeypatch.setattr(jobs, "MOST_SECONDS", 0)
    job = jobs.CompileJob(broken_task())
    assert job.wait(BOUND)
    assert job.error == "the compiler's process was stopped after 0 seconds"
    assert list(jobs.folder().iterdir()) == []


def test_jobs_wait_for_their_turn(quick):
    first, second = (jobs.CompileJob(broken_task()) for _ in range(2))
    assert quick._running is first
    assert list(quick._waiting) == [second]
    number = quick._process.number
    assert first.wait(BOUND)
    assert second.wait(BOUND)
    assert first.error == second.error == "SomeError: it is broken"
    assert quick._process.number == number  # which has imported its compiler once


def test_whole_steps_come_before_parts_of_them(quick):
    running, part, step = (jobs.CompileJob(broken_task(), begin=False) for _ in range(3))
    step.is_urgent = True
    for job in (running, part, step):
        quick.add(job)
    assert quick._running is running
    assert list(quick._waiting) == [step, part]


def test_process_that_has_just_ended_is_started_anew(quick):
    first = jobs.CompileJob(broken_task())
    assert first.wait(BOUND)
    process = quick._process
    process._popen.stdin.close()
    process._popen.wait()
    quick._process = Ended(process)
    second = jobs.CompileJob(broken_task())
    assert second.wait(BOUND)
    assert second.error == "SomeError: it is broken"


class Ended:
    """A process that seems to be there when it is given something."""

    def __init__(self, process):
        self.number, self.close = process.number, process.close
        self.asked = 0

    @property
    def status(self):
        self.asked += 1
        return None if self.asked == 1 else 0

    def give(self, task_file):
        pass


def test_queue_is_stopped_with_the_program(quick):
    jobs.CompileJob(broken_task())
    process = quick._process
    quick.stop()
    assert process.status is not None
    assert list(jobs.folder().iterdir()) == []


def test_interrupt_from_the_keyboard_is_meant_for_the_program(quick):
    jobs.CompileJob(broken_task())
    number = quick._process.number
    assert os.getpgid(number) == number != os.getpgid(0)


@pytest.mark.skipif(sys.platform != "linux", reason="processes are held by signals of Linux")
def test_compiler_that_costs_too_much_is_held(quick):
    job = jobs.CompileJob(broken_task())
    while not quick._process._may_be_held():
        time.sleep(0.01)
    quick.lose(1e6)
    assert quick.is_held
    assert not quick.works
    assert status_of(quick._process.number) == "T"
    assert not job.wait(0.3)
    quick.lose(-2e6)
    assert quick.works
    assert job.wait(BOUND)


def status_of(number):
    end = time.monotonic() + BOUND
    while time.monotonic() < end:
        with open(f"/proc/{number}/stat") as file:  # noqa: PTH123 - no file of a folder
            status = file.read().rpartition(")")[2].split()[0]
        if status == "T":
            break
        time.sleep(0.01)
    return status


def test_several_threads_look_at_one_queue(quick):
    job = jobs.CompileJob(broken_task())
    errors = []

    def look():
        try:
            while not job.look():
                time.sleep(0.001)
        except AttributeError as error:
            errors.append(error)

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert job.error


@pytest.mark.usefixtures("queue")
def test_folder_that_cant_be_written_is_an_error(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GLUONISH_CACHE", str(tmp_path / "file" / "graphs"))
    job = jobs.CompileJob(broken_task())
    assert job.look()
    assert job.error.startswith("the compiler's process can't be started (")


@pytest.mark.usefixtures("queue")
def test_what_cant_be_pickled_is_an_error():
    task = broken_task()
    task.program.constants["function"] = lambda: None
    with pytest.raises(CompileError, match="it holds what another process can't be given"):
        jobs.CompileJob(task)


@pytest.mark.usefixtures("quick")
def test_damaged_library_is_removed():
    job = jobs.CompileJob(broken_task())
    assert job.wait(BOUND)
    job._stem.mkdir()
    (job._stem / worker.LIBRARY).write_bytes(b"nonsense")
    again = jobs.CompileJob(broken_task())
    assert again.is_done
    with pytest.raises(CompileError, match="the compiled graph can't be loaded"):
        again.load()
    assert not jobs.CompileJob(broken_task()).is_done


def test_library_that_was_made_meanwhile_is_taken(quick):
    jobs.CompileJob(broken_task())
    second = jobs.CompileJob(broken_task())
    quick._waiting.remove(second)
    quick.stop()
    second._stem.mkdir(exist_ok=True)
    (second._stem / worker.LIBRARY).write_bytes(b"")
    quick._running = None
    quick.add(second)
    assert second.look()
    assert second.is_done


def test_folder_is_kept_small(quick, monkeypatch):
    monkeypatch.setattr(jobs, "MOST_KEPT", 3)
    folder = jobs.folder()
    for number in range(6):
        (folder / f"graph{number}").mkdir(parents=True)
        (folder / f"graph{number}" / worker.LIBRARY).write_bytes(b"")
        os.utime(folder / f"graph{number}", (number, number))
    os.utime(folder / "graph0")
    job = jobs.CompileJob(broken_task())
    assert job.wait(BOUND)
    assert sorted(path.name for path in folder.iterdir()) == ["graph0", "graph4", "graph5"]


def test_folder_is_the_users(monkeypatch, tmp_path):
    monkeypatch.delenv("GLUONISH_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert jobs.folder() == tmp_path / "gluonish" / "graphs"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert jobs.folder() == tmp_path / ".cache" / "gluonish" / "graphs"
    monkeypatch.setenv("GLUONISH_CACHE", str(tmp_path / "own"))
    assert jobs.folder() == tmp_path / "own"


def test_compilers_are_looked_for(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    assert not jobs.has_compiler()
    (tmp_path / "clang++").write_text("")
    (tmp_path / "clang++").chmod(0o755)
    assert jobs.has_compiler()


# --- with a compiler ------------------------------------------------------------------------


def adopted(call, report):
    """Call until the report says that it is decided, and return its rows."""
    end = time.monotonic() + BOUND
    while time.monotonic() < end:
        call()
        rows = report().rows
        if not {"fx", "timing", "compiling", "racing"} & {row.state for row in rows}:
            return rows
        time.sleep(0.05)  # the other process has work to do
    return rows


@pytest.fixture
def eager_to_compile(monkeypatch, real_compiler):
    """Have compilations begin at once, and adopted whatever their speed."""

    def report(self, record):
        record.backend, record.state = "aot", "compiled"
        return True

    monkeypatch.setattr(judging.Race, "report", report)
    return real_compiler


class Predictor(nn.Block):
    """Draws, returns views, an argument and a parameter."""

    def __init__(self):
        super().__init__()
        self.body = nn.HybridSequential()
        self.body.add(nn.Conv2D(4, 3, in_channels=2), nn.BatchNorm(in_channels=4))
        self.body.add(nn.Activation("relu"), nn.MaxPool2D(), nn.Dense(3, in_units=36))

    def forward(self, x, ids):
        noise = nd.Dropout(nd.ones_like(x), p=0.5, mode="always")
        out = self.body(x * noise)
        weight = self.body[0].weight.data()
        return out, out.T, ids > 1, x.reshape((-1,)), weight, weight[0]


@pytest.mark.compiler
@pytest.mark.usefixtures("eager_to_compile")
def test_prediction_is_compiled_and_found_on_disk():
    def build():
        net = Predictor()
        net.initialize(mx.init.Xavier())
        return net

    def inputs():
        values = onp.random.default_rng(1).normal(size=(2, 2, 8, 8))
        return nd.array(values), nd.array([[0, 1, 2]], dtype="int32")

    net = build()
    mx.random.seed(1)
    eager = [net(*inputs()) for _ in range(2)]
    net.hybridize()
    (row,) = adopted(lambda: net(*inputs()), net.hybrid_report)
    assert (row.state, row.backend) == ("compiled", "aot")
    assert row.compile > 0
    mx.random.seed(1)
    for outputs in eager:
        for one, other in zip(outputs, net(*inputs()), strict=True):
            assert one.dtype == other.dtype
            onp.testing.assert_allclose(other.asnumpy(), one.asnumpy(), rtol=1e-5, atol=1e-5)

    x, ids = inputs()
    out, turned, _, flat, weight, first = net(x, ids)
    out[:] = 3
    assert (turned.asnumpy() == 3).all()
    flat[:] = 4
    assert (x.asnumpy() == 4).all()
    weight[:] = 5
    first[:] = 6
    assert net.body[0].weight.data().asnumpy().mean(axis=(1, 2, 3)).tolist() == [6, 5, 5, 5]

    part = nd.slice(nd.array(onp.ones((4, 2, 9, 9))), (1, 0, 0, 1), (3, 2, 8, 9))
    assert part.shape == x.shape
    mx.random.seed(2)
    found = net(part, ids)[0].asnumpy()
    mx.random.seed(2)
    onp.testing.assert_allclose(net(nd.array(part.asnumpy()), ids)[0].asnumpy(), found, rtol=1e-5)

    second = build()
    second.hybridize()
    (row,) = adopted(lambda: second(*inputs()), second.hybrid_report)
    assert (row.state, row.compile) == ("compiled", 0)


def dense_layers():
    net = nn.HybridSequential()
    net.add(nn.Dense(8, in_units=10), nn.BatchNorm(in_channels=8), nn.Activation("relu"))
    net.add(nn.Dropout(0.4), nn.Dense(3, in_units=8))
    return net


def recurrent_layers():
    net = nn.HybridSequential()
    net.add(gluon.rnn.LSTM(8, layout="NTC", input_size=5), nn.Dense(3, in_units=16))
    return net


@pytest.mark.compiler
@pytest.mark.usefixtures("eager_to_compile")
@pytest.mark.parametrize("layers", [dense_layers, recurrent_layers])
def test_step_is_compiled_and_found_on_disk(layers):
    def build():
        mx.random.seed(4)
        net = layers()
        net.initialize(mx.init.Xavier())
        options = {"learning_rate": 0.1, "momentum": 0.9, "wd": 1e-3}
        trainer = gluon.Trainer(net.collect_params(), "sgd", options)
        return net, gluon.loss.SoftmaxCrossEntropyLoss(), trainer

    numbers = onp.random.default_rng(5)
    data, label = nd.array(numbers.normal(size=(6, 2, 5))), nd.array(numbers.integers(0, 3, 6))

    def values(net):
        return [param.data().asnumpy() for param in net.collect_params().values()]

    def check(fused, plain):
        net, loss, trainer = plain
        shown = []
        for _ in range(4):
            mx.random.seed(9)
            found = step(data, label)
            shown.append((found, found.asnumpy().copy()))
            mx.random.seed(9)
            with autograd.record():
                expected = loss(net(data), label)
            expected.backward()
            trainer.step(6)
            onp.testing.assert_allclose(found.asnumpy(), expected.asnumpy(), rtol=1e-5, atol=1e-5)
        for one, other in zip(values(fused[0]), values(net), strict=True):
            onp.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)
        for found, value in shown:  # the calls after it leave it alone
            onp.testing.assert_array_equal(found.asnumpy(), value)

    seconds = []
    for _ in range(2):
        fused, plain = build(), build()
        step = gluon.FusedStep(*fused)
        (row,) = adopted(lambda step=step: step(data, label), step.hybrid_report)
        assert (row.state, row.backend) == ("compiled", "aot")
        seconds.append(row.compile)
        plain[2]._updaters[0].set_states(fused[2]._updaters[0].get_states(dump_optimizer=True))
        for one, value in zip(plain[0].collect_params().values(), values(fused[0]), strict=True):
            one.set_data(nd.array(value))
        check(fused, plain)
    assert seconds[0] > 0
    assert seconds[1] == 0


_SHORT_PROGRAM = """
import gluonish as mx
net = mx.gluon.nn.Dense(2, in_units=3)
net.initialize()
net.hybridize()
for _ in range(5):
    net(mx.nd.ones((1, 3)))
print(net.hybrid_report().rows[0].state)
"""


@pytest.mark.compiler
def test_what_a_program_has_begun_is_finished_for_its_next_run(own_cache):
    def run():
        done = subprocess.run(
            [sys.executable, "-c", _SHORT_PROGRAM],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "GLUONISH_COMPILE_AFTER": "0"},
        )
        assert done.stderr == ""
        return done.stdout.strip()

    assert run() == "compiling"
    folder = own_cache / "graphs"
    end = time.monotonic() + BOUND
    while any(path.suffix for path in folder.iterdir()) and time.monotonic() < end:
        time.sleep(0.1)
    left = list(folder.iterdir())  # nothing, where other programs left it no time
    assert all((path / worker.LIBRARY).exists() for path in left)
    if left:
        assert run() != "compiling"


def worker_of(program, task_file):
    command = [sys.executable, "-m", "gluonish.hybrid.worker", str(program)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)
    process.stdin.write(os.fsencode(task_file) + b"\n")
    process.stdin.close()
    return process


def test_nothing_is_begun_for_a_program_that_has_ended(tmp_path):
    task_file = tmp_path / "graph.task"
    task_file.write_bytes(b"")
    with held(tmp_path):
        process = worker_of(0, task_file)
        assert process.wait(BOUND) == 1
    assert not task_file.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="processes are held by signals of Linux")
def test_worker_that_is_held_goes_on_when_the_program_is_killed(tmp_path):
    program = """
import os, pathlib, sys, time
from gluonish.hybrid.compilers import Process
process = Process()
while not process._may_be_held():
    time.sleep(0.1)
process.hold(True)
print(process.number, flush=True)
time.sleep(600)
"""
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        number = int(running.stdout.readline())
        running.kill()
    end = time.monotonic() + BOUND
    while time.monotonic() < end:
        try:
            os.kill(number, 0)
        except OSError:
            return
        time.sleep(0.1)
    pytest.fail("it is still there")


@contextlib.contextmanager
def held(folder):
    """Compile something else of this user, as it were."""
    fcntl = pytest.importorskip("fcntl")
    with folder.with_suffix(".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def test_one_compilation_of_a_user_waits_for_another(tmp_path):
    folder = tmp_path / "graphs"
    folder.mkdir()
    task_file = folder / "graph.task"
    task_file.write_bytes(pickle.dumps(broken_task()))
    with held(folder):
        process = worker_of(os.getpid(), task_file)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(3)
    assert process.wait(BOUND) == 0
    assert "shape '[7]' is invalid" in task_file.with_suffix(".txt").read_text()


def test_what_another_program_has_compiled_is_not_compiled_again(tmp_path):
    task_file = tmp_path / "graph.7.task"
    task_file.write_bytes(pickle.dumps(broken_task()))
    with held(tmp_path):
        process = worker_of(os.getpid(), task_file)
        library = tmp_path / "graph" / worker.LIBRARY
        library.parent.mkdir()
        library.touch()
    assert process.wait(BOUND) == 0
    assert list(tmp_path.iterdir()) == [library.parent]


def test_programs_do_not_take_each_others_tasks_away(monkeypatch):
    job = jobs.CompileJob(broken_task(), begin=False)
    task_file = job.start()
    with monkeypatch.context() as patch:
        patch.setattr(os, "getpid", lambda: 7)
        other = jobs.CompileJob(broken_task(), begin=False)
    other.start().unlink()
    assert other.has_come()
    assert not job.has_come()
    job.clean(0)
    assert not task_file.exists()


def test_compilers_are_switched_off(monkeypatch, caplog):
    monkeypatch.setenv("GLUONISH_COMPILE", "0")
    monkeypatch.setenv("GLUONISH_COMPILE_AFTER", "0")
    net = nn.Dense(2, in_units=3)
    net.initialize()
    net.hybridize()
    for _ in range(3):
        net(nd.ones((1, 3)))
    (row,) = net.hybrid_report().rows
    assert row.state == "the environment variable GLUONISH_COMPILE is 0"
    assert caplog.text == ""


@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.ones(3),
        lambda: torch.arange(6.0).reshape(2, 3).t(),
        lambda: torch.ones(1).expand(4),
        lambda: torch.zeros(0, 3),
        lambda: torch.tensor(True),
        lambda: torch.ones(2, 2, dtype=torch.bfloat16)[:, 1],
    ],
)
def test_equal_tasks_are_equal_text(make):
    def text():
        task = broken_task()
        task.program.constants["ones"] = make()
        return jobs._text_of(task)

    first, others = text(), [torch.ones(100) for _ in range(10)]
    assert text() == first
    assert others
    found = pickle.loads(first).program.constants["ones"]
    assert found.stride() == make().stride()
    assert torch.equal(found, make())


def test_a_loops_graph_is_looked_for_by_the_same_name_in_each_run(own_cache):
    program = """
import numpy as onp
import gluonish as mx
net = mx.gluon.nn.Dense(2, in_units=3)
net.initialize()
net.hybridize()
loss_of = mx.gluon.loss.L2Loss()
trainer = mx.gluon.Trainer(net.collect_params(), 'sgd')
from gluonish.hybrid import jobs
names = set()
look = jobs.CompileJob._is_there
jobs.CompileJob._is_there = lambda self: names.add(self._stem.name) or look(self)
from gluonish.hybrid.loops import Loop
Loop.is_faster = lambda self, best: True
others = [onp.ones(int(n)) for n in onp.random.default_rng().integers(1, 9999, 50)]
for _ in range(150):
    with mx.autograd.record():
        loss = loss_of(net(mx.nd.ones((4, 3))), mx.nd.ones((4, 2)))
    loss.backward()
    trainer.step(4)
print(sorted(names))
"""

    def run():
        environment = {**os.environ, "GLUONISH_COMPILE_AFTER": "1000"}
        command = [sys.executable, "-c", program]
        return subprocess.run(
            command, capture_output=True, text=True, check=True, env=environment
        ).stdout

    first = run()
    assert first.count("'") == 2
    assert run() == first
