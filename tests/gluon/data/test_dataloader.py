from __future__ import annotations

import gc
import json
import multiprocessing
import os
import re
import threading
import time
from pathlib import Path

import numpy as onp
import pytest

import gluonish as mx
from gluonish import nd, np, npx
from gluonish.gluon.data import ArrayDataset, BatchSampler, DataLoader, SequentialSampler
from gluonish.gluon.data.dataloader import default_batchify_fn, default_mp_batchify_fn

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "data.json").read_text())["batches"]
SAMPLES = {
    "integers": [3, 1, 2],
    "floats": [1.5, 2.5, 3.5],
    "pairs": [(1, 2.5), (2, 3.5), (3, 4.5)],
    "nested": [(1, (2, 3)), (4, (5, 6)), (7, (8, 9))],
    "lists": [[1, 2], [3, 4], [5, 6]],
    "booleans": [True, False, True],
    "float32": [onp.float32(1), onp.float32(2), onp.float32(3)],
    "int64 arrays": [onp.arange(3, dtype="int64")] * 3,
}
WORKERS = [{"num_workers": 2}, {"num_workers": 2, "thread_pool": True}]


def describe(batch):
    if isinstance(batch, list):
        return [describe(part) for part in batch]
    return [list(batch.shape), onp.dtype(batch.dtype).name, batch.asnumpy().tolist()]


def values(loader):
    return [batch.asnumpy().tolist() for batch in loader]


class Numbers:
    """Its samples are their positions; some take long, one cannot be read."""

    def __init__(self, length=10, bad=None, slow=None):
        self.length, self.bad, self.slow = length, bad, slow

    def __len__(self):
        return self.length

    def __getitem__(self, position):
        if position == self.bad:
            msg = f"sample {position} is broken"
            raise ValueError(msg)
        if position == self.slow:
            threading.Event().wait(3)
        return position


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_batches_are_those_of_mxnet(name):
    assert [describe(batch) for batch in DataLoader(SAMPLES[name], 2)] == GOLDEN[name]


@pytest.mark.parametrize("options", [{}, *WORKERS])
def test_all_samples_come_in_order_each_time(options):
    loader = DataLoader(Numbers(), 3, **options)
    expected = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9]]
    assert values(loader) == expected
    assert values(loader) == expected
    assert len(loader) == 4


@pytest.mark.parametrize("options", [{}, *WORKERS])
def test_two_iterators_of_one_loader_do_not_disturb_each_other(options):
    loader = DataLoader(Numbers(4), 2, **options)
    pairs = [
        (a.asnumpy().tolist(), b.asnumpy().tolist()) for a, b in zip(loader, loader, strict=True)
    ]
    assert pairs == [([0, 1], [0, 1]), ([2, 3], [2, 3])]


@pytest.mark.parametrize("front", [nd, np])
@pytest.mark.parametrize("options", [{}, *WORKERS])
def test_arrays_keep_their_class_and_mix_with_others(front, options):
    data = ArrayDataset(front.arange(12).reshape(6, 2), onp.arange(6))
    loader = DataLoader(data, 4, **options)
    if front is np:
        npx.set_np()
    (x, y), _ = loader
    cls = np.ndarray if front is np else nd.NDArray
    assert type(x) is type(y) is cls
    assert (x.shape, y.shape) == ((4, 2), (4,))
    assert y.asnumpy().tolist() == [0, 1, 2, 3]
    assert onp.dtype(y.dtype) == "int64"
    assert x.context == (mx.Context("cpu_shared") if options else mx.cpu())
    assert (x + front.ones((4, 2))).asnumpy()[1].tolist() == [3.0, 4.0]
    assert x.as_in_context(mx.cpu()).context == mx.cpu()


def test_shuffle_draws_from_numpys_generator():
    onp.random.seed(0)  # noqa: NPY002
    assert values(DataLoader(Numbers(5), 5, shuffle=True)) == [[2, 0, 1, 3, 4]]


def test_last_batch_can_be_dropped_or_rolled_over():
    assert values(DataLoader(Numbers(5), 2, last_batch="discard")) == [[0, 1], [2, 3]]
    rollover = DataLoader(Numbers(5), 2, last_batch="rollover")
    assert values(rollover) == [[0, 1], [2, 3]]
    assert values(rollover) == [[4, 0], [1, 2], [3, 4]]


def test_sampler_and_batch_sampler_decide_the_order():
    assert values(DataLoader(Numbers(), 2, sampler=SequentialSampler(3, 4))) == [[4, 5], [6]]
    batches = BatchSampler(SequentialSampler(4), 2)
    assert values(DataLoader(Numbers(), batch_sampler=batches)) == [[0, 1], [2, 3]]


@pytest.mark.parametrize("options", [{}, *WORKERS])
def test_batchify_fn_makes_the_batch(options):
    loader = DataLoader(Numbers(4), 2, batchify_fn=lambda samples: {"sum": sum(samples)}, **options)
    assert list(loader) == [{"sum": 1}, {"sum": 5}]


@pytest.mark.parametrize("options", [{}, *WORKERS])
def test_errors_of_samples_surface(options):
    with pytest.raises(ValueError, match="sample 3 is broken") as caught:
        list(DataLoader(Numbers(bad=3), 2, **options))
    if options.get("num_workers") and not options.get("thread_pool"):
        [note] = caught.value.__notes__
        assert note.startswith("in a worker process:")
        assert "in __getitem__" in note


@pytest.mark.parametrize("options", WORKERS)
def test_slow_workers_time_out(options):
    loader = DataLoader(Numbers(slow=0), 2, timeout=1, **options)
    batches = iter(loader)
    with pytest.raises(multiprocessing.TimeoutError, match="made no batch within 1 seconds"):
        next(batches)


@pytest.mark.parametrize("epochs", [1, 3])
def test_no_process_is_left_behind(epochs):
    for _ in range(epochs):
        for batch in DataLoader(Numbers(), 2, num_workers=2):
            assert batch.shape == (2,)
            break
    unused = iter(DataLoader(Numbers(), 2, num_workers=2))
    del unused
    gc.collect()
    deadline = time.monotonic() + 10
    while multiprocessing.active_children() and time.monotonic() < deadline:
        threading.Event().wait(0.05)
    assert multiprocessing.active_children() == []


def test_workers_are_processes_or_threads():
    def who(_):
        return os.getpid(), threading.get_ident()

    for process, _ in DataLoader(Numbers(), 2, batchify_fn=who, num_workers=1):
        assert process != os.getpid()
    for process, thread in DataLoader(
        Numbers(), 2, batchify_fn=who, num_workers=1, thread_pool=True
    ):
        assert process == os.getpid()
        assert thread != threading.get_ident()


@pytest.mark.parametrize("options", WORKERS)
def test_workers_draw_repeatable_numbers_of_their_own(options):
    def draw(samples):
        return float(mx.nd.random.uniform(shape=(1,)).asscalar()), samples

    def epoch(seed):
        mx.random.seed(seed)
        loader = DataLoader(Numbers(), 2, batchify_fn=draw, **options)
        return {draws[0] for draws in loader}, {draws[0] for draws in loader}

    first, second = epoch(1)
    assert len(first | second) == 10
    if not options.get("thread_pool"):  # which thread takes which batch is not fixed
        assert epoch(1) == (first, second)
    assert epoch(2)[0] != first


def test_pinned_batches_say_so():
    for options in ({}, {"num_workers": 1}):
        loader = DataLoader([(1, 2.0), (3, 4.0)], 2, pin_memory=True, pin_device_id=1, **options)
        ((x, y),) = loader
        assert x.context == y.context == mx.cpu_pinned(1)


def test_prefetch_reads_ahead():
    read = []

    def record(samples):
        read.append(samples)
        return samples

    loader = DataLoader(
        Numbers(8), 1, batchify_fn=record, num_workers=1, thread_pool=True, prefetch=3
    )
    batches = iter(loader)
    next(batches)
    deadline = time.monotonic() + 5
    while len(read) < 4 and time.monotonic() < deadline:
        threading.Event().wait(0.01)
    assert len(read) == 4


def test_auto_reload_begins_the_next_epoch():
    order = iter(range(100))

    class Counting(SequentialSampler):
        def __iter__(self):
            return iter([next(order) % 4])

    loader = DataLoader(
        Numbers(), 1, sampler=Counting(1), num_workers=1, auto_reload=True, thread_pool=True
    )
    assert next(order) == 1
    assert values(loader) == [[0]]
    assert next(order) == 3
    assert values(loader) == [[2]]
    loader.clean()
    loader.refresh()
    assert values(loader) == [[1]]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({}, ValueError, "batch_size must be specified unless batch_sampler is specified"),
        (
            {"batch_size": 2, "shuffle": True, "sampler": SequentialSampler(2)},
            ValueError,
            "shuffle must not be specified if sampler is specified",
        ),
        (
            {"batch_size": 2, "batch_sampler": BatchSampler(SequentialSampler(2), 1)},
            ValueError,
            "must not be specified if batch_sampler is specified",
        ),
        ({"batch_size": 2, "timeout": 0}, AssertionError, "timeout must be positive, given 0"),
        ({"batch_size": 0}, AssertionError, "batch_size=0 was given"),
        ({"batch_size": 2, "last_batch": "drop"}, ValueError, "last_batch must be one of"),
    ],
)
def test_loader_refuses_arguments_that_contradict(arguments, error, message):
    with pytest.raises(error, match=message):
        DataLoader([1, 2], **arguments)


@pytest.mark.parametrize(
    ("samples", "error", "message"),
    [
        (
            ["a", "b"],
            TypeError,
            "batchify: data of NumPy dtype <U1, such as 'a', cannot become an array",
        ),
        (
            [None, None],
            TypeError,
            "sample 0 of a batch is None",
        ),
        (
            [onp.zeros(3), onp.zeros(4)],
            ValueError,
            "samples of shapes (3,), (4,) cannot be stacked",
        ),
        ([nd.zeros(3), nd.zeros(4)], ValueError, "samples of shapes (3,), (4,) cannot be stacked"),
        ([(1,), (1, 2)], ValueError, "samples are tuples of 1, 2 parts"),
    ],
)
def test_batchify_refuses_what_cannot_be_stacked(samples, error, message):
    for batchify in (default_batchify_fn, default_mp_batchify_fn):
        with pytest.raises(error, match=re.escape(message)) as caught:
            batchify(samples)
        assert isinstance(caught.value, mx.MXNetError)
    with pytest.raises(error, match=re.escape(message)):
        list(DataLoader(samples, 2, num_workers=1))


@pytest.mark.parametrize("hybridize", [False, True])
@pytest.mark.parametrize("options", [{}, *WORKERS])
def test_a_net_trains_on_batches_wherever_they_come_from(options, hybridize):
    data = ArrayDataset(nd.random.normal(shape=(8, 3)), nd.arange(8))
    net = mx.gluon.nn.Dense(1)
    net.initialize()
    if hybridize:
        net.hybridize()
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    loss_of = mx.gluon.loss.L2Loss()
    losses = []
    for _ in range(3):
        for x, y in DataLoader(data, 4, pin_memory=bool(options), **options):
            with mx.autograd.record():
                loss = loss_of(net(x), y)
            loss.backward()
            trainer.step(4)
            losses.append(float(loss.mean().asscalar()))
    assert losses[-1] < losses[1]
    assert net.weight.data().context == mx.cpu(0)
