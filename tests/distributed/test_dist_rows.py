"""Arrays of rows in stores of several processes: sums, updates, pulls of rows, embeddings."""

from __future__ import annotations

import numpy as onp
import pytest
from workers import returned, run_workers, shown

import gluonish as mx

SHAPES = {"a": (7, 3), "wide": (400, 200), "v": (9,), "odd": (3, 30000)}
DENSE = ("a",)  # the others are stored as rows
OPTIMIZERS = {
    "none": None,
    "lazy sgd": ("sgd", {"learning_rate": 0.1, "momentum": 0.9, "wd": 0.01, "lazy_update": True}),
    "sgd": ("sgd", {"learning_rate": 0.1, "momentum": 0.9, "wd": 0.01}),
    "lazy adam": ("adam", {"learning_rate": 0.1, "lazy_update": True}),
    "lamb": ("lamb", {"learning_rate": 0.1}),
}


def gradient(step, share, shape, dtype="float32"):
    """Return a few random rows, none at all at times."""
    random = onp.random.RandomState(step * 100 + share)
    rows = random.permutation(shape[0])[: random.randint(0, 4)]
    values = onp.zeros(shape, dtype)
    values[rows] = random.randint(-3, 4, (len(rows), *shape[1:]))
    return mx.nd.array(values, dtype=dtype).tostype("row_sparse")


def begun(kind, name):
    kv = mx.kv.create(kind)
    kv.init(
        list(SHAPES),
        [
            mx.nd.ones(shape).tostype("default" if key in DENSE else "row_sparse")
            for key, shape in SHAPES.items()
        ],
    )
    if OPTIMIZERS[name] is not None:
        optimizer, options = OPTIMIZERS[name]
        kv.set_optimizer(mx.optimizer.create(optimizer, **options))
    return kv


def stepped(kv, steps):
    """Push four shares of each step's gradients, and return all that can be pulled."""
    each, found = 4 // kv.num_workers, []
    for step in steps:
        for key, shape in SHAPES.items():
            own = [kv.rank * each + i for i in range(each)]
            kv.push(key, [gradient(step, share, shape).copyto(mx.cpu(share)) for share in own])
        for key, shape in SHAPES.items():
            rows = mx.nd.sparse.zeros("row_sparse", shape)
            kv.row_sparse_pull(key, out=rows, row_ids=mx.nd.array([2, 0, 2]))
            whole = mx.nd.zeros(shape)
            kv.pull(key, out=whole)
            sparse = mx.nd.sparse.zeros("row_sparse", shape)
            kv.pull(key, out=sparse, ignore_sparse=False)
            assert rows.indices.asnumpy().tolist() == [0, 2]
            found += [rows.asnumpy(), whole.asnumpy(), sparse.asnumpy()]
    return found


def trained(rank, kind, folder=None):
    """Train with all optimizers, and go on from files."""
    found = {}
    for name, optimizer in OPTIMIZERS.items():
        kv = begun(kind, name)
        values = stepped(kv, range(3))
        if optimizer is not None and folder is not None:
            kv.save_optimizer_states(f"{folder}/{name}", dump_optimizer=True)
            kv = begun(kind, name)
            kv.load_optimizer_states(f"{folder}/{name}")
            values += stepped(kv, range(3, 5))
        found[name] = values
    return found


@pytest.mark.parametrize("kind", ["dist_sync", "dist_async"])
def test_rows_are_those_of_a_store_of_one_process_for_one_worker(kind):
    for name in list(OPTIMIZERS)[kind == "dist_async" :]:
        for one, other in zip(
            stepped(begun(kind, name), range(3)),
            stepped(begun("device", name), range(3)),
            strict=True,
        ):
            assert (one == other).all()


@pytest.mark.parametrize("count", [2, 4])
def test_rows_are_summed_and_updated_as_by_one_process(count, tmp_path):
    for folder in ("alone", "together"):
        (tmp_path / folder).mkdir()
    alone = trained(0, "device", str(tmp_path / "alone"))
    for found in returned(count, trained, "dist_sync", str(tmp_path / "together")):
        for name, expected in alone.items():
            for one, other in zip(found[name], expected, strict=True):
                onp.testing.assert_allclose(one, other, rtol=2e-5, atol=2e-5, err_msg=name)


def exact(rank, kind):
    """Sum rows of several dtypes, from two contexts."""
    kv, found = mx.kv.create(kind), []
    for key, dtype in enumerate(("float16", "float32", "float64", "int32", "int64", "int8")):
        shape = (300 + key, 60)
        kv.init(key, mx.nd.zeros(shape, dtype=dtype).tostype("row_sparse"))
        for step in range(3):
            own = [gradient(step, 2 * rank + i, shape, dtype).copyto(mx.cpu(i)) for i in range(2)]
            kv.push(key, own)
            out = mx.nd.zeros(shape, dtype=dtype)
            kv.pull(key, out=out)
            shares = range(2 * kv.num_workers)
            total = sum(gradient(step, share, shape, dtype).asnumpy() for share in shares)
            found.append(bool((out.asnumpy() == total).all()) and out.dtype == total.dtype)
            kv.reduce([(key, own)])
            found += [bool((one.asnumpy() == total).all()) for one in own]
            assert all(one.stype == "row_sparse" for one in own)
    return found


def test_sums_of_rows_are_exact():
    assert returned(3, exact, "dist_sync") == [[True] * 54] * 3


def asynchronous(rank):
    """Push rows at one's own pace to keys that others own parts of."""
    kv = mx.kv.create("dist_async")
    kv.init(
        list(SHAPES),
        [mx.nd.zeros(shape).tostype("row_sparse") for shape in SHAPES.values()],
    )
    kv.set_optimizer(mx.optimizer.create("test", rescale_grad=1.0))
    sums = {key: onp.zeros(shape, "float32") for key, shape in SHAPES.items()}
    for step in range(20):
        for key, shape in SHAPES.items():
            kv.push(key, gradient(step, rank, shape))
            sums[key] += sum(gradient(step, one, shape).asnumpy() for one in range(kv.num_workers))
        if step == 10:
            kv.push(key, mx.nd.zeros(shape))  # dense ones may come between
    kv.barrier()
    found = []
    for key, shape in SHAPES.items():
        rows = [mx.nd.sparse.zeros("row_sparse", shape) for _ in range(2)]
        ids = [mx.nd.array([2, 0]), mx.nd.array([1])]
        kv.row_sparse_pull(key, out=rows, row_ids=ids)
        found += [
            bool((one.data.asnumpy() == sums[key][one.indices.asnumpy()]).all()) for one in rows
        ]
    kv.row_sparse_pull(list(SHAPES), out=[mx.nd.sparse.zeros("row_sparse", one) for one in
                       SHAPES.values()], row_ids=[mx.nd.array([0])] * len(SHAPES))  # fmt: skip
    for key, shape in SHAPES.items():
        whole = mx.nd.zeros(shape)
        kv.pull(key, out=whole)
        found.append(bool((whole.asnumpy() == sums[key]).all()))
    return found


@pytest.mark.parametrize("count", [1, 2, 3])
def test_owners_take_rows_as_they_come(count):
    assert returned(count, asynchronous) == [[True] * 12] * count


def embedded(rank, kind, updates, stype="default", optimizer="lazy adam", copies=1):
    """Train an embedding whose gradients are rows, with a dense layer behind it."""
    from gluonish import autograd, gluon

    mx.random.seed(4)
    kv, contexts = mx.kv.create(kind), [mx.cpu(i) for i in range(copies)]
    table = gluon.Parameter(
        "table", shape=(600, 40), stype=stype, grad_stype="row_sparse", init=mx.init.Uniform(1)
    )
    table.initialize(ctx=contexts)
    dense = gluon.nn.Dense(1, in_units=40, prefix="dense_")
    dense.initialize(mx.init.Uniform(0.3), ctx=contexts)
    params = [table, *dense.collect_params().values()]
    name, options = OPTIMIZERS[optimizer]
    trainer = gluon.Trainer(params, name, options, kvstore=kv, update_on_kvstore=updates)
    each = 12 // kv.num_workers
    for step in range(5):
        words = onp.random.RandomState(step).randint(0, 600, (12, 3))
        parts = gluon.utils.split_and_load(words[rank * each : (rank + 1) * each], contexts)
        with autograd.record():
            losses = []
            for part in parts:
                rows = part if stype == "row_sparse" else None
                weight = table.data(part.context) if rows is None else table.row_sparse_data(rows)
                vectors = mx.nd.Embedding(
                    part, weight, input_dim=600, output_dim=40, sparse_grad=True
                )
                losses.append((dense(vectors.mean(1)) ** 2).sum())
        autograd.backward(losses)
        assert table.list_grad()[0].stype == "row_sparse"
        trainer.step(12, ignore_stale_grad=step == 3)
    found = []
    for context in contexts:
        rows = mx.nd.arange(600, ctx=context)
        values = table.data(context) if stype == "default" else table.row_sparse_data(rows)
        found += [values.asnumpy(), dense.weight.data(context).asnumpy()]
    return found


@pytest.mark.parametrize(
    ("updates", "stype"), [(True, "default"), (False, "default"), (True, "row_sparse")]
)
@pytest.mark.parametrize(("optimizer", "copies"), [("sgd", 1), ("lazy adam", 1), ("lazy sgd", 2)])
def test_embeddings_are_trained_as_by_one_process(updates, stype, optimizer, copies):
    alone = embedded(0, "device", updates, stype, optimizer)
    first, *others = returned(2, embedded, "dist_sync", updates, stype, optimizer, copies)
    for found in (first, *others):
        for one, other, same in zip(found, alone * copies, first, strict=True):
            onp.testing.assert_allclose(one, other, atol=1e-5, rtol=0)
            assert (one == same).all()


@pytest.mark.parametrize("stype", ["default", "row_sparse"])
def test_embeddings_are_trained_at_each_worker_s_pace(stype):
    begin = embedded(0, "device", True, stype, "sgd")[0]
    for values, *_ in returned(2, embedded, "dist_async", True, stype, "lazy adam", 2):
        assert onp.isfinite(values).all()
        assert values.shape == begin.shape


def other_kinds(rank):
    """Push matrices by rows, and arrays of several storage types at once."""
    kv = mx.kv.create("dist_sync")
    kv.init([0, 1], [mx.nd.zeros((3, 2)).tostype("csr"), mx.nd.zeros((3, 2))])
    found = []
    kv.push(0, mx.nd.array([[0, rank], [0, 0], [2, 0]]).tostype("csr"))
    kv.push(1, [mx.nd.ones((3, 2)), gradient(0, 5, (3, 2)).copyto(mx.cpu(1))])
    for key in (0, 1):
        out = mx.nd.zeros((3, 2))
        kv.pull(key, out=out)
        found.append(out.asnumpy().tolist())
    return found


def test_other_storage_types_are_summed_too():
    total = 2 * (1 + gradient(0, 5, (3, 2)).asnumpy())
    assert returned(2, other_kinds) == [[[[0, 1], [0, 0], [4, 0]], total.tolist()]] * 2


MIXED = """
import gluonish as mx
kv = mx.kv.create("dist_sync")
kv.init(["w", "a"], [mx.nd.ones((400, 200)), mx.nd.ones((2, 3))])
%s
kv.pull("w", out=mx.nd.zeros((400, 200)))
kv.pull("a", out=mx.nd.zeros((2, 3)))
"""


def test_workers_that_push_different_storage_types_are_told_so():
    program = MIXED % (
        "x = mx.nd.ones((400, 200))\nkv.push('w', x.tostype('row_sparse') if kv.rank else x)"
    )
    workers = run_workers(2, program, check=False)
    message = (
        "for key 'w' worker 0 has float32 of shape (400, 200), worker 1 row_sparse float32 of "
        "shape (400, 200). Expected the same calls"
    )
    for worker in workers:
        assert worker.code == 1, shown(workers)
        assert message in worker.output, shown(workers)


def test_rows_after_dense_updates_are_refused_for_keys_in_parts():
    program = MIXED % (
        "kv.set_optimizer(mx.optimizer.Adam())\n"
        "for key, shape in (('a', (2, 3)), ('w', (400, 200))):\n"
        "    kv.push(key, mx.nd.ones(shape))\n"
        "    kv.pull(key, out=mx.nd.zeros(shape))\n"
        "    kv.push(key, mx.nd.ones(shape).tostype('row_sparse'))\n"
    )
    for worker in run_workers(2, program, check=False):
        assert worker.code == 1, worker.output
        message = "kv.push: rows were given for key 'w', whose updates so far were dense. Expected"
        assert message in worker.output, worker.output
