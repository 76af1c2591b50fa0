"""dist_sync: updates, files of states, compression, and workers that do different things."""

from __future__ import annotations

import os

import numpy as onp
import pytest
import torch
from workers import returned, run_workers

import gluonish as mx

SHAPES = {"a": (3,), "w": (300, 250), "b": (4, 5)}


def pulled(kv, key, shape):
    out = mx.nd.zeros(shape)
    kv.pull(key, out=out)
    return out.asnumpy()


def basics(rank):
    """Do what the documents show."""
    kv = mx.kv.create("dist_sync")
    seen = [
        kv.type,
        kv.rank,
        kv.num_workers,
        isinstance(kv, mx.kv.KVStore),
        kv.is_capable("optimizer"),
    ]
    kv.init(3, mx.nd.ones((2, 3)) * (rank + 2))  # the value of worker 0 wins
    seen.append(float(pulled(kv, 3, (2, 3))[0, 0]))
    kv.push(3, [mx.nd.ones((2, 3), mx.cpu(i)) for i in range(2)])
    seen.append(float(pulled(kv, 3, (2, 3))[0, 0]))
    outs = [mx.nd.zeros((2, 3), mx.cpu(i)) for i in range(2)]
    kv.pushpull(3, mx.nd.ones((2, 3)) * rank, out=outs)
    seen += [float(out.asnumpy()[1, 2]) for out in outs]
    kv.broadcast(4, mx.nd.ones((2,)) * (rank + 7), out=outs[0][0, :2])
    seen.append(float(pulled(kv, 4, (2,))[0]))
    kv.barrier()
    updates = []

    def update(key, gradient, stored):
        updates.append(key)
        stored += gradient * 2

    kv.set_updater(update)
    kv.push([3, 4], [mx.nd.ones((2, 3)), mx.nd.ones((2,))])
    seen += [float(pulled(kv, 3, (2, 3))[0, 0]), float(pulled(kv, 4, (2,))[0])]
    return seen, updates


def test_values_are_those_of_worker_0_and_pushes_add_up():
    (first, by_first), (second, by_second) = returned(2, basics)
    assert first == ["dist_sync", 0, 2, True, True, 2, 4, 1, 1, 7, 5, 11]
    assert second == ["dist_sync", 1, *first[2:]]
    assert sorted(by_first + by_second) == [3, 4]  # each key is updated once, somewhere


OPTIMIZERS = {
    "sgd": {"momentum": 0.9, "learning_rate": 0.1},
    "adam": {"learning_rate": 0.1},
    "nadam": {"learning_rate": 0.1},
    "lamb": {"learning_rate": 0.1},
    "ftml": {"learning_rate": 0.1},
}


def gradients(step, worker):
    random = onp.random.RandomState(step * 10 + worker)
    return {key: random.uniform(-1, 1, shape).astype("float32") for key, shape in SHAPES.items()}


def begun(kv, name):
    kv.init(list(SHAPES), [mx.nd.ones(shape) * 3 for shape in SHAPES.values()])
    kv.set_optimizer(mx.optimizer.create(name, **OPTIMIZERS[name]))


def stepped(kv, steps):
    """Push the gradients of four shares, as many of them on each worker as it has to have."""
    each = 4 // kv.num_workers
    for step in steps:
        own = [gradients(step, kv.rank * each + i) for i in range(each)]
        kv.push(
            list(SHAPES),
            [[mx.nd.array(one[key], mx.cpu(i)) for i, one in enumerate(own)] for key in SHAPES],
        )
    return [pulled(kv, key, shape) for key, shape in SHAPES.items()]


def updated(rank, kind, folder=None, after=()):
    """Train with every optimizer, or go on from the files in a folder."""
    found = {}
    for name in OPTIMIZERS:
        kv = mx.kv.create(kind)
        begun(kv, name)
        values = stepped(kv, range(3))
        if folder is not None:
            kv.save_optimizer_states(f"{folder}/{name}", dump_optimizer=True)
            kv.load_optimizer_states(f"{folder}/{name}")
            values = stepped(kv, range(3, 5))
        found[name] = (
            values,
            sum(array.size for state in kv._updater.states.values() for array in leaves_of(state)),
        )
    return found


def leaves_of(state):
    from gluonish.optimizer.saving import leaves

    return leaves(state)


def resumed(rank, kind, folder):
    """Go on from files that another number of workers has written."""
    found = {}
    for name in OPTIMIZERS:
        kv = mx.kv.create(kind)
        begun(kv, name)
        values = stepped(kv, range(3))
        kv.load_optimizer_states(f"{folder}/{name}")
        found[name] = stepped(kv, range(3, 5)), values
    return found


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    folder = tmp_path_factory.mktemp("alone")
    found = updated(0, "device", str(folder))
    return {name: values for name, (values, _) in found.items()}, found, folder


@pytest.mark.parametrize("count", [2, 4])
def test_updates_and_files_are_those_of_one_process(count, alone, tmp_path):
    values, sizes, folder = alone
    results = returned(count, updated, "dist_sync", str(tmp_path))
    for name, expected in values.items():
        for found in results:
            for one, other in zip(found[name][0], expected, strict=True):
                onp.testing.assert_allclose(one, other, rtol=2e-5, atol=2e-5, err_msg=name)
        parts = [found[name][1] for found in results]
        assert sum(parts) == sizes[name][1]  # no state is kept twice
    assert max(found["adam"][1] for found in results) < 0.6 * sizes["adam"][1]
    for file in folder.iterdir():
        assert len((tmp_path / file.name).read_bytes()) == len(file.read_bytes())
    for found in (
        resumed(0, "device", str(tmp_path)),
        returned(2, resumed, "dist_sync", str(folder))[1],
    ):
        for name, expected in values.items():
            for one, other in zip(found[name][0], expected, strict=True):
                onp.testing.assert_allclose(one, other, rtol=2e-5, atol=2e-5, err_msg=name)


@pytest.mark.parametrize("kind", ["dist_sync", "dist_async"])
def test_one_worker_goes_on_from_files_too(kind, alone, tmp_path):
    values, _, folder = alone
    for name, (expected, _) in updated(0, kind, str(tmp_path)).items():
        for one, other in zip(values[name], expected, strict=True):
            onp.testing.assert_allclose(one, other, rtol=2e-5, atol=2e-5, err_msg=name)
    for name, (expected, _) in resumed(0, kind, str(folder)).items():
        for one, other in zip(values[name], expected, strict=True):
            onp.testing.assert_allclose(one, other, rtol=2e-5, atol=2e-5, err_msg=name)


def pulled_in_many_ways(rank):
    """Pull a key that goes alone twice at once, and into an array of rows."""
    kv = mx.kv.create("dist_sync")
    kv.init("w", mx.nd.zeros((4, 2)))
    seen = []
    for _ in range(3):
        kv.push("w", mx.nd.ones((4, 2)))
        outs = mx.nd.zeros((4, 2)), mx.nd.zeros((4, 2))
        kv.pull(["w", "w"], out=list(outs))
        kv.push("w", mx.nd.ones((4, 2)))
        rows = mx.nd.sparse.zeros("row_sparse", (4, 2))
        kv.pull("w", out=rows, ignore_sparse=False)
        seen += [array.asnumpy().tolist() for array in (*outs, rows)]
    return seen


def test_every_array_of_a_pull_is_written():
    for found in returned(2, pulled_in_many_ways):
        assert found == [[[2.0, 2.0]] * 4] * 9


def compressed(rank, kind):
    kv = mx.kv.create("dist_sync")
    kv.set_gradient_compression({"type": kind, "threshold": 0.5})
    kv.init([0, 1], [mx.nd.zeros((5,)), mx.nd.zeros((300, 250))])
    seen = []
    for _ in range(3):
        kv.push([0, 1], [mx.nd.array([0.3, 0.6, -2, 0, 1]), mx.nd.ones((300, 250)) * 0.3])
        seen.append([pulled(kv, 0, (5,)).tolist(), float(pulled(kv, 1, (300, 250)).mean())])
    return seen


@pytest.mark.parametrize("kind", ["2bit", "1bit", "fp16"])
def test_compressed_gradients_are_those_of_one_process(kind):
    local = mx.kv.create("device")
    local.set_gradient_compression({"type": kind, "threshold": 0.5})
    local.init([0, 1], [mx.nd.zeros((5,)), mx.nd.zeros((300, 250))])
    expected = []
    for _ in range(3):
        copies = [
            [mx.nd.array(value, mx.cpu(i)) for i in range(2)]
            for value in ([0.3, 0.6, -2, 0, 1], onp.full((300, 250), 0.3))
        ]
        local.push([0, 1], copies)
        expected.append([pulled(local, 0, (5,)).tolist(), pulled(local, 1, (300, 250)).mean()])
    for found in returned(2, compressed, kind):
        for (values, mean), (other, middle) in zip(found, expected, strict=True):
            onp.testing.assert_allclose(values, other, atol=1e-6)
            assert mean == pytest.approx(middle, abs=1e-6)


def differing(rank, case):
    """Do something else on worker 1; return what every worker is told."""
    kv = mx.kv.create("dist_sync")
    one = mx.nd.ones((2,))
    out = mx.nd.zeros((2,))
    try:
        if case == "shape":
            kv.init("w", mx.nd.zeros((2, 3) if rank == 0 else (3, 2)))
        if case == "dtype":
            kv.init("w", mx.nd.zeros((2,), dtype="float32" if rank == 0 else "float16"))
        kv.init(["a", "b", "c"], [one] * 3)
        for _ in range(3):
            kv.push(["a", "b"], [one, one])
            kv.pull("a", out=out)
        if case == "keys":
            kv.push("c" if rank == 1 else "a", one)
        if case == "more":
            kv.push(["a"] if rank == 1 else ["a", "b"], [one] * (1 + (rank != 1)))
        if case == "barrier" and rank == 1:
            kv.barrier()
        if case == "barrier" and rank != 1:
            kv.push(["a", "b"], [one, one])
        if case == "optimizer":
            kv.set_optimizer(mx.optimizer.SGD(learning_rate=0.1 + rank))
        kv.pull("a", out=out)
    except mx.MXNetError as error:
        first = f"{type(error).__name__}: {error}"
        try:
            kv.barrier()
        except mx.MXNetError as again:
            return first, str(again)
    return None


@pytest.mark.parametrize(
    ("case", "words"),
    [
        (
            "shape",
            "for key 'w' worker 0 has float32 of shape (2, 3), worker 1 float32 of shape (3, 2)",
        ),
        ("dtype", "for key 'w' worker 0 has float32 of shape (2,), worker 1 float16 of shape (2,)"),
        ("keys", "worker 0 has key 'a', which worker 1 has not"),
        ("more", "worker 0 has key 'b', which worker 1 has not"),
        ("barrier", "worker 0 calls kv.push, worker 1 kv.barrier"),
        ("optimizer", "kv.set_optimizer: worker 0 has SGD with"),
    ],
)
def test_differences_are_told_to_every_worker(case, words):
    for first, again in returned(3, differing, case):
        assert first.startswith("WorkersDifferError: kv: ")
        assert words in first
        assert "the store has failed before" in again


def late(rank, told):
    kv = mx.kv.create("dist_sync")
    kv.init(0, mx.nd.ones((2,)))
    if rank == 1:
        import time

        while not told.exists():
            time.sleep(0.02)
        return None
    try:
        kv.barrier()
    except mx.MXNetError as error:
        return str(error)
    finally:
        told.touch()


def test_waits_end_in_an_error_that_names_who_did_not_come(tmp_path):
    limit = {"GLUONISH_TIMEOUT": "1.5"}
    workers = run_workers(2, late, tmp_path / "told", environment=limit, check=False)
    assert "did not come within 1.5 s" in workers[0].value
    assert "worker 1" in workers[0].value
    assert workers[0].seconds < 10


def horovod(rank, kind):
    from digits import BATCH, batches, make_net, values

    from gluonish import autograd, gluon

    net, loss = make_net(), gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1}, kvstore=kind)
    for data, label in batches(rank, 2, 64):
        with autograd.record():
            result = loss(net(data), label)
        result.backward()
        trainer.step(BATCH)
    return trainer._kvstore.type, trainer._update_on_kvstore, values(net)[1].sum()


@pytest.mark.parametrize("kind", ["horovod", "byteps"])
def test_stores_named_for_other_engines_sum_gradients_and_say_so(kind):
    workers = run_workers(2, horovod, kind)
    assert workers[0].value == workers[1].value
    assert workers[0].value[:2] == (kind, False)
    for worker in workers:
        message = f"'{kind}' stands for sums over torch.distributed here; the package {kind} is not"
        assert message in worker.output


def test_nccl_is_refused_where_there_is_no_gpu(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    message = "'nccl' was asked for, and torch sees no GPU. Expected one or more. Write kv.create"
    with pytest.raises(mx.MXNetError, match=message + r"\('device'\)"):
        mx.kv.create("NCCL")
    monkeypatch.setattr("gluonish.kvstore.creation.expects_others", lambda: True)
    with pytest.raises(mx.MXNetError, match=message + r"\('dist_sync'\)"):
        mx.kv.create("nccl")


def test_nccl_means_no_store_for_one_context(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    net = mx.gluon.nn.Dense(1, in_units=1)
    net.initialize()
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", kvstore="nccl")
    trainer._init_kvstore()
    assert trainer._kvstore is None


def rows(rank):
    """Leave one worker without a gradient for a layer."""
    from gluonish import autograd, gluon

    nets = [gluon.nn.Dense(2, in_units=3, prefix=f"n{i}_") for i in range(2)]
    mx.random.seed(rank)  # weights become those of worker 0
    for net in nets:
        net.initialize(mx.init.Normal())
    params = {**nets[0].collect_params(), **nets[1].collect_params()}
    trainer = gluon.Trainer(params, "sgd", {"learning_rate": 1.0}, kvstore="dist_sync")
    before = nets[1].weight.data().asnumpy()
    with autograd.record():
        loss = nets[0](mx.nd.ones((1, 3))).sum()
        if rank == 1:
            loss = loss + nets[1](mx.nd.ones((1, 3))).sum()
    loss.backward()
    trainer.step(1, ignore_stale_grad=True)
    return before, nets[1].weight.data().asnumpy()


def test_old_gradients_count_as_0_and_all_workers_update_the_same():
    (before, after), (_, other) = returned(2, rows)
    assert (after == other).all()
    onp.testing.assert_allclose(after, before - 1, atol=1e-6)


def in_torchs_group(rank):
    """Use the process group that the program has made."""
    torch.distributed.init_process_group("gloo")
    kv = mx.kv.create("dist_sync")
    kv.init(0, mx.nd.ones((2,)))
    kv.push(0, mx.nd.ones((2,)) * rank)
    return kv.rank, kv.num_workers, pulled(kv, 0, (2,)).tolist()


def test_a_group_of_torch_is_used_as_it_is():
    assert returned(2, in_torchs_group) == [(0, 2, [1, 1]), (1, 2, [1, 1])]


def test_odd_variables_are_refused(monkeypatch):
    from gluonish.kvstore.workers import group

    monkeypatch.setattr(group, "_joined", [])
    for name, value, words in (
        ("GLUONISH_TIMEOUT", "soon", "a number of seconds above 0"),
        ("MXNET_KVSTORE_BIGARRAY_BOUND", "-3", "a whole number of elements"),
    ):
        monkeypatch.setenv(name, value)
        with pytest.raises(ValueError, match=words):
            mx.kv.create("dist_sync")
        monkeypatch.delenv(name)
        group._joined.clear()
    monkeypatch.setenv("RANK", "2")
    monkeypatch.setenv("WORLD_SIZE", "2")
    with pytest.raises(ValueError, match="RANK='2'. Expected a number below WORLD_SIZE=2"):
        mx.kv.create("dist_sync")
    monkeypatch.setenv("RANK", "1")
    with pytest.raises(ValueError, match="no MASTER_PORT|MASTER_ADDR"):
        mx.kv.create("dist_sync")
    assert os.environ["RANK"] == "1"
