"""Worker processes of a DataLoader, which stay from one epoch to the next."""

from __future__ import annotations

import copy
import gc
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
from pathlib import Path

import numpy as onp
import pytest

import gluonish as mx
from gluonish import nd, np, npx
from gluonish.gluon.data import ArrayDataset, DataLoader
from gluonish.gluon.data.dataloader import default_mp_batchify_fn

LARGE = 2**15  # numbers of a sample that travels through shared memory


def process_of(samples):
    return os.getpid()


class Changing:
    """Samples that a program changes, some of which cannot be read."""

    def __init__(self, values):
        self.values = values
        self.bad = None

    def __len__(self):
        return len(self.values)

    def __getitem__(self, position):
        if position == self.bad:
            msg = "this one is broken"
            raise ValueError(msg)
        return self.values[position]


def values(loader):
    return [batch.asnumpy().tolist() for batch in loader]


def test_workers_are_the_same_in_each_epoch():
    loader = DataLoader(list(range(8)), 1, num_workers=2, batchify_fn=process_of)
    first, second = set(loader), set(loader)
    assert len(first) == 2
    assert first == second


def test_epochs_draw_what_they_draw_with_new_workers():
    def draw(samples):
        return float(nd.random.uniform(shape=(1,)).asscalar()), float(onp.random.rand())  # noqa: NPY002

    def epochs(renewed):
        mx.random.seed(3)
        loader = DataLoader(list(range(6)), 2, num_workers=2, batchify_fn=draw)
        drawn = []
        for _ in range(3):
            drawn.append(list(loader))
            if renewed:
                loader.clean()
        return drawn

    state = onp.random.get_state()  # noqa: NPY002
    first = epochs(renewed=False)
    onp.random.set_state(state)  # noqa: NPY002
    assert epochs(renewed=True) == first
    assert len({pair for epoch in first for pair in epoch}) == 9


def test_an_epoch_that_is_left_early_does_not_reach_into_the_next():
    loader = DataLoader(list(range(20)), 2, num_workers=2)
    expected = [[i, i + 1] for i in range(0, 20, 2)]
    for _ in range(3):
        for batch in loader:
            assert batch.asnumpy().tolist() == [0, 1]
            break
    assert values(loader) == expected
    assert values(loader) == expected


def test_iterators_side_by_side_have_workers_of_their_own():
    loader = DataLoader(list(range(4)), 1, num_workers=1, batchify_fn=process_of)
    for one, other in zip(loader, loader, strict=True):
        assert one != other
    gc.collect()
    assert len(multiprocessing.active_children()) == 1
    assert len(set(loader)) == 1


def test_an_error_ends_the_epoch_and_the_next_one_has_new_workers():
    data = Changing(list(range(6)))
    data.bad = 3
    loader = DataLoader(data, 2, num_workers=2)
    with pytest.raises(ValueError, match="this one is broken"):
        list(loader)
    assert multiprocessing.active_children() == []
    data.bad = None
    assert values(loader) == [[0, 1], [2, 3], [4, 5]]


def test_workers_that_ended_between_epochs_are_replaced():
    loader = DataLoader(list(range(4)), 1, num_workers=2, batchify_fn=process_of)
    first = set(loader)
    for child in multiprocessing.active_children():
        child.terminate()
        child.join()
    assert not first & set(loader)


def test_workers_have_the_dataset_of_the_first_epoch_until_clean():
    data = Changing([1, 2])
    own, others = DataLoader(data, 2), DataLoader(data, 2, num_workers=1)
    assert values(own) == values(others) == [[1, 2]]
    data.values[0] = 3
    assert values(own) == [[3, 2]]
    assert values(others) == [[1, 2]]  # as in MXNet
    others.clean()
    assert values(others) == [[3, 2]]


def test_switches_of_numpys_names_reach_workers_that_are_there():
    loader = DataLoader([1, 2], 2, num_workers=1)
    assert [type(batch) for batch in loader] == [nd.NDArray]
    npx.set_np()
    assert [type(batch) for batch in loader] == [np.ndarray]


@pytest.mark.parametrize("length", [3, LARGE])
@pytest.mark.parametrize("batchify", [None, default_mp_batchify_fn, lambda samples: samples[0]])
def test_what_becomes_of_a_batch_does_not_reach_the_dataset(batchify, length):
    data = [nd.arange(length), nd.arange(length)]
    loader = DataLoader(data, 1, num_workers=1, batchify_fn=batchify)
    for _ in range(2):
        for batch in loader:
            assert batch.context == mx.Context("cpu_shared")
            assert batch.reshape(-1).asnumpy()[:3].tolist() == [0, 1, 2]
            batch[:] = -1
    assert data[0].asnumpy()[:3].tolist() == [0, 1, 2]


@pytest.mark.parametrize("dtype", ["float32", "float16", "uint8", "int64", "bool", "bfloat16"])
@pytest.mark.parametrize("length", [0, 1, LARGE])
def test_arrays_arrive_as_they_were_sent(dtype, length):
    row = (nd.arange(max(length, 1)) % 2).astype(dtype)[:length]
    ((x, y),) = DataLoader([(row, row[:1])] * 3, 3, num_workers=1)
    assert (x.shape, y.shape) == ((3, length), (3, min(length, 1)))
    assert x.dtype == y.dtype == row.dtype
    for sample in x.astype("float32").asnumpy():
        assert sample.tolist() == row.astype("float32").asnumpy().tolist()


def test_sparse_arrays_and_other_objects_arrive():
    sparse = nd.array([[0, 0], [1, 2]]).tostype("row_sparse")
    loader = DataLoader(
        [1, 2], 2, num_workers=1, batchify_fn=lambda _: {"sparse": sparse, "text": ("a", None)}
    )
    (batch,) = loader
    assert batch["sparse"].stype == "row_sparse"
    assert batch["sparse"].asnumpy().tolist() == [[0, 0], [1, 2]]
    assert batch["text"] == ("a", None)


def test_a_loader_with_workers_can_be_copied_and_pickled():
    loader = DataLoader([1, 2], 2, num_workers=1)
    assert values(loader) == [[1, 2]]
    for other in (copy.copy(loader), copy.deepcopy(loader), pickle.loads(pickle.dumps(loader))):
        assert values(other) == [[1, 2]]
    assert values(loader) == [[1, 2]]


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="Linux tells what is open there")
def test_epochs_leave_nothing_behind():
    def is_open():
        return len(list(Path("/proc/self/fd").iterdir()))

    def resident():
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

    def measure(samples):
        return default_mp_batchify_fn(samples), is_open(), resident()

    data = ArrayDataset(nd.zeros((64, LARGE)))
    loader = DataLoader(data, 16, num_workers=1, batchify_fn=measure)
    after = []
    for _ in range(12):
        _, open_there, resident_there = list(loader)[-1]
        gc.collect()
        after.append((is_open(), open_there, resident(), resident_there))
    settled, last = after[3], after[-1]
    assert last[0] == settled[0]
    assert last[1] <= settled[1] + 2
    batch = 16 * LARGE * 4
    assert last[2] - settled[2] < 4 * batch
    assert last[3] - settled[3] < 4 * batch


def test_workers_end_with_the_loader():
    loader = DataLoader([1, 2], 1, num_workers=2)
    assert values(loader) == [[1], [2]]
    assert len(multiprocessing.active_children()) == 2
    del loader
    gc.collect()
    assert multiprocessing.active_children() == []


PROGRAM = """
import signal
import threading
import gluonish as mx

signal.signal(signal.SIGINT, signal.default_int_handler)  # which what runs in the background lacks

class Slow:
    def __len__(self):
        return 1000

    def __getitem__(self, position):
        threading.Event().wait(0.01)
        return float(position)

loader = mx.gluon.data.DataLoader(Slow(), 2, **{options})
for number, batch in enumerate(loader):
    if number == 1:
        print("begun", flush=True)
        if {waits}:
            threading.Event().wait(100)  # interrupted here
"""


@pytest.mark.skipif(os.name == "nt", reason="there is no Ctrl-C for groups of processes")
@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize(
    "options", [{"num_workers": 2}, {"num_workers": 2, "thread_pool": True}, {}]
)
def test_ctrl_c_shows_the_users_frames_only(tmp_path, options, waits):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.format(options=options, waits=waits))
    running = subprocess.Popen(
        [sys.executable, program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert running.stdout.readline() == "begun\n"
    os.killpg(running.pid, signal.SIGINT)  # to the workers, too, as a terminal does
    _, said = running.communicate(timeout=60)
    lines = said.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert lines[-1] == "KeyboardInterrupt"
    frames = [line for line in lines if line.startswith("  File ")]
    assert str(program) in frames[0]
    if not waits:
        assert all(str(program) in frame for frame in frames[:-1])
        assert "gluonish/" not in said
        assert "torch/" not in said
