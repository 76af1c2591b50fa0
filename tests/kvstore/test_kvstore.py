"""KVStore: golden programs, keys, updates, compression, errors."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as onp
import pytest
from store_programs import COMPRESSED, PROGRAMS, pulled, values_on

import gluonish as mx
from gluonish import nd

GOLDEN = json.loads((Path(__file__).parent.parent / "golden" / "kvstore.json").read_text())
NAMES = ("local", "device", "local_update_cpu", "local_allreduce_cpu", "local_allreduce_device")


def assert_equal(found, expected):
    if isinstance(expected, list) and expected and not isinstance(expected[0], (int, float)):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert_equal(one, other)
    elif isinstance(expected, str):
        assert found == expected
    else:
        onp.testing.assert_allclose(found, expected, rtol=2e-6, atol=2e-6)


@pytest.mark.parametrize("kind", ["local", "device"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_give_what_mxnets_stores_give(kind, name):
    assert_equal(PROGRAMS[name](mx, mx.kv.create(kind)), GOLDEN["results"][f"{kind}/{name}"])


@pytest.mark.parametrize("name", COMPRESSED)
def test_compressed_sums_are_mxnets(name):
    kv = mx.kv.create("device")
    assert COMPRESSED[name](mx, kv) == GOLDEN["results"][f"device/{name}"]


@pytest.mark.parametrize("name", NAMES)
def test_stores_of_one_process_know_what_they_are(name):
    kv = mx.kvstore.create(name.upper())
    assert (kv.type, kv.rank, kv.num_workers) == (name, 0, 1)
    assert isinstance(kv, mx.kvstore.KVStore)
    assert isinstance(kv, mx.kv.KVStoreBase)
    kv.barrier()
    assert kv._barrier() is None
    assert kv.is_capable("Optimizer")
    with pytest.raises(ValueError, match="Unknown capability: wings"):
        kv.is_capable("wings")


@pytest.mark.parametrize("name", ["dist_sync", "dist_device_sync", "dist_async", "dist", "horovod"])
def test_stores_of_several_processes_have_one_worker_without_a_launcher(name):
    kv = mx.kv.create(name)
    assert (kv.type, kv.rank, kv.num_workers) == (name, 0, 1)
    assert isinstance(kv, mx.kv.KVStore)


def test_unknown_stores_are_refused():
    with pytest.raises(ValueError, match=r"Expected one of .*'byteps', 'device', 'dist'"):
        mx.kv.create("locale")
    with pytest.raises(TypeError, match="name must be a string"):
        mx.kv.create(3)


def test_what_is_stored_is_a_copy():
    kv = mx.kv.create()
    x = nd.ones((2,))
    kv.init(0, x)
    x[:] = 5
    assert pulled(mx, kv, 0, (2,)) == [1, 1]
    kv.push(0, x)
    x[:] = 7
    assert pulled(mx, kv, 0, (2,)) == [5, 5]


def test_an_updater_gets_arrays_on_one_context_and_writes_through():
    kv = mx.kv.create("device")
    kv.init("w", nd.ones((2,), ctx=mx.cpu(2)))
    seen = []

    def update(key, value, stored):
        seen.append((key, value.context, stored.context, type(stored)))
        stored[:] = stored + value

    kv.set_updater(update)
    kv.push("w", [nd.ones((2,), ctx=mx.cpu(i)) for i in range(3)])
    assert seen == [("w", mx.cpu(2), mx.cpu(2), nd.NDArray)]
    assert pulled(mx, kv, "w", (2,)) == [4, 4]


def test_keys_of_an_updater_come_in_order():
    kv, seen = mx.kv.create(), []
    kv.init(["b", "c", "a"], [nd.ones((1,))] * 3)
    kv.set_updater(lambda key, value, stored: seen.append(key))
    kv.push(["a", "c", "b", "c"], [nd.ones((1,))] * 4)
    assert seen == ["b", "c", "a"]


def test_pushed_gradients_stay_as_they_were():
    kv = mx.kv.create("device")
    kv.init(0, nd.zeros((2, 3)))
    kv.set_optimizer(mx.optimizer.SGD())
    values = values_on(mx, 3)
    before = [value.asnumpy() for value in values]
    kv.push(0, values)
    kv.push(0, values)
    for value, old in zip(values, before, strict=True):
        assert (value.asnumpy() == old).all()


def test_several_keys_are_updated_as_each_alone():
    stores = [mx.kv.create(), mx.kv.create()]
    for kv in stores:
        kv.init([0, 1, 2], [nd.ones((2, 3))] * 3)
        kv.set_optimizer(mx.optimizer.Adam(learning_rate=0.1))
    for step in range(3):
        gradients = [values_on(mx, 2), values_on(mx, 1), [nd.ones((2, 3)) * step]]
        stores[0].push([0, 1, 2], gradients)
        for key in range(3):
            stores[1].push(key, gradients[key])
    for key in range(3):
        assert pulled(mx, stores[0], key) == pulled(mx, stores[1], key)


def test_np_arrays_are_taken():
    kv = mx.kv.create()
    kv.init(0, mx.np.zeros((2,)))
    out = mx.np.ones((2,))
    kv.pushpull(0, [mx.np.ones((2,)), mx.np.ones((2,))], out=out)
    assert out.tolist() == [2, 2]


def test_arrays_with_gradients_are_taken():
    kv = mx.kv.create()
    x = nd.ones((2,))
    x.attach_grad()
    kv.init(0, x)
    with mx.autograd.record():
        y = x * 3
    kv.push(0, y)
    kv.pull(0, out=x)
    assert x.asnumpy().tolist() == [3, 3]
    with (
        mx.autograd.record(),
        pytest.raises(mx.MXNetError, match=r"kv\.pull: the array, of shape \(2,\), takes"),
    ):
        kv.pull(0, out=x)


def test_optimizer_states_go_into_files_and_back(tmp_path):
    path = tmp_path / "adam.states"
    first, second = mx.kv.create(), mx.kv.create()
    for kv in (first, second):
        kv.init("w", nd.ones((2,)))
        kv.set_optimizer(mx.optimizer.Adam(learning_rate=0.1))
    first.push("w", nd.ones((2,)))
    first.push("w", nd.ones((2,)) * 3)
    first.save_optimizer_states(path, dump_optimizer=True)
    second.load_optimizer_states(path)
    second.push("w", nd.ones((2,)))
    assert second._updater.optimizer._index_update_count == {"w": 3}
    first.push("w", nd.ones((2,)))
    for mine, other in zip(first._updater.states["w"], second._updater.states["w"], strict=True):
        assert (mine.asnumpy() == other.asnumpy()).all()


def test_without_an_optimizer_there_are_no_states(tmp_path):
    kv = mx.kv.create()
    for what in (kv.save_optimizer_states, kv.load_optimizer_states):
        with pytest.raises(AssertionError, match=r"Cannot (save|load) states"):
            what(tmp_path / "x")
    kv.set_updater(lambda key, value, stored: None)
    with pytest.raises(mx.MXNetError, match="the store has no optimizer"):
        kv.save_optimizer_states(tmp_path / "x")


@pytest.mark.parametrize(
    ("act", "error", "message"),
    [
        (lambda kv, x: kv.init(3, x), mx.MXNetError, "duplicate init of key 3"),
        (lambda kv, x: kv.init([8, 8], [x, x]), ValueError, "duplicate init of key 8"),
        (lambda kv, x: kv.init(8, [x, x]), ValueError, "2 arrays for key 8"),
        (lambda kv, x: kv.init("a", x), mx.MXNetError, "Mixed key types are not allowed"),
        (lambda kv, x: kv.init(["a", 4], [x, x]), AssertionError, "inconsistent types of keys"),
        (lambda kv, x: kv.init(6.5, x), AssertionError, "unexpected type for keys"),
        (lambda kv, x: kv.init(None, x), AssertionError, "unexpected type for keys"),
        (lambda kv, x: kv.push(99, x), KeyError, "key 99 has not been inited"),
        (lambda kv, x: kv.pull(99, out=x), mx.MXNetError, r"Call kv.init\(99, mx.nd.zeros"),
        (lambda kv, x: kv.pushpull(99, x), mx.MXNetError, "kv.pushpull: key 99"),
        (lambda kv, x: kv.pull("w", out=x), mx.MXNetError, "Mixed key types"),
        (lambda kv, x: kv.push(3, nd.ones((3,))), ValueError, r"array of shape \(3,\).*\(2,\)"),
        (lambda kv, x: kv.push(3, [x, nd.ones((3,))]), mx.MXNetError, "Reshape it"),
        (lambda kv, x: kv.pull(3, out=nd.ones((1,))), ValueError, "kv.pull: an array of shape"),
        (lambda kv, x: kv.pull(3), AssertionError, "out=None was given for key 3"),
        (lambda kv, x: kv.push(3, None), TypeError, "NoneType was given for key 3"),
        (lambda kv, x: kv.push(3, x.asnumpy()), AssertionError, "ndarray was given for key 3"),
        (lambda kv, x: kv.push(3, [x, 1.0]), TypeError, "float was given for key 3"),
        (lambda kv, x: kv.push([3, 4], [x]), AssertionError, "2 keys and 1 values"),
        (lambda kv, x: kv.push([3, 4], x), AssertionError, "2 keys and one value"),
        (lambda kv, x: kv.broadcast(8, x, out=None), TypeError, "NoneType was given for key 8"),
        (lambda kv, x: kv.set_optimizer("sgd"), TypeError, r"mx\.optimizer\.create\('sgd'\)"),
        (lambda kv, x: kv.set_updater(3), TypeError, "Expected a function"),
        (
            lambda kv, x: kv.row_sparse_pull(3, out=x, row_ids=x),
            AssertionError,
            "NDArray was given as out",
        ),
        (lambda kv, x: kv.row_sparse_pull(3, out=x), AssertionError, "row_ids=None"),
    ],
)
def test_mistakes_are_explained_and_change_nothing(act, error, message):
    kv = mx.kv.create()
    kv.init([3, 4], [nd.ones((2,)), nd.ones((2,))])
    with pytest.raises(error, match=message):
        act(kv, nd.zeros((2,)))
    assert pulled(mx, kv, 3, (2,)) == [1, 1]
    assert list(kv._stored) == [3, 4]


def test_compression_is_for_stores_on_devices():
    with pytest.raises(mx.MXNetError, match="not supported for this type of kvstore, 'local'"):
        mx.kv.create("local").set_gradient_compression({"type": "2bit"})
    kv = mx.kv.create("device")
    for params in ({"type": "3bit"}, {"type": "2bit", "threshold": -1}, {"type": "2bit", "x": 1}):
        with pytest.raises(ValueError, match="compression_params="):
            kv.set_gradient_compression(params)


def test_one_bit_keeps_what_is_lost():
    kv = mx.kv.create("device")
    kv.set_gradient_compression({"type": "1bit", "threshold": 0.0})
    kv.init(0, nd.zeros((2,)))
    kv.push(0, nd.array([0.25, -3]))
    assert pulled(mx, kv, 0, (2,)) == [1, -1]
    kv.push(0, nd.array([0.25, 0]))
    assert pulled(mx, kv, 0, (2,)) == [-1, -1]


def test_a_value_from_more_contexts_than_before_has_a_residual_of_its_own():
    kv = mx.kv.create("device")
    kv.set_gradient_compression({"type": "2bit", "threshold": 1})
    kv.init(0, nd.zeros((1,)))
    kv.push(0, nd.array([0.6]))
    kv.push(0, [nd.array([0.6]), nd.array([0.6])])
    assert pulled(mx, kv, 0, (1,)) == [1]


def test_exact_sums_of_many_pushes():
    rng = onp.random.default_rng(7)
    kv = mx.kv.create("device")
    shapes = [tuple(rng.integers(1, 6, rng.integers(1, 4))) for _ in range(20)]
    kv.init(list(range(20)), [nd.zeros(tuple(map(int, shape))) for shape in shapes])
    for _ in range(50):
        keys = [int(key) for key in rng.permutation(20)[:5]]
        counts = rng.integers(1, 5, 5)
        values = [
            [rng.integers(-99, 99, shapes[key]) for _ in range(count)]
            for key, count in zip(keys, counts, strict=True)
        ]
        arrays = [[nd.array(x, ctx=mx.cpu(i)) for i, x in enumerate(some)] for some in values]
        kv.push(keys, arrays)
        for key, some in zip(keys, values, strict=True):
            assert (onp.array(pulled(mx, kv, key, some[0].shape)) == sum(some)).all()


def test_a_registered_store_is_found_by_its_name():
    @mx.kv.KVStoreBase.register
    class MyOwn(mx.kv.KVStoreBase):
        type, rank, num_workers = "myown", 1, 2

    try:
        assert mx.kv.create("MyOwn").num_workers == 2
        with pytest.warns(UserWarning, match="overriding existing kvstore myown"):
            mx.kv.KVStoreBase.register(MyOwn)
    finally:
        del mx.kv.KVStoreBase.kv_registry["myown"]


@pytest.mark.parametrize(
    ("what", "message"),
    [
        (lambda kv: kv.type, "the property `type`"),
        (lambda kv: kv.rank, "the property `rank`"),
        (lambda kv: kv.num_workers, "the property `num_workers`"),
        (lambda kv: kv.broadcast(0, None, None), r"broadcast\("),
        (lambda kv: kv.pushpull(0, None), r"pushpull\("),
        (lambda kv: kv.set_optimizer(None), r"set_optimizer\("),
        (lambda kv: kv.save_optimizer_states("x"), r"save_optimizer_states\("),
        (lambda kv: kv.load_optimizer_states("x"), r"load_optimizer_states\("),
        (lambda kv: kv.is_capable("optimizer"), "does not say what it can do"),
    ],
)
def test_a_store_of_ones_own_is_told_what_it_lacks(what, message):
    class Bare(mx.kv.KVStoreBase):
        pass

    with pytest.raises(NotImplementedError, match=message):
        what(Bare())


def test_the_store_for_tests_sums_over_contexts_and_updates_nothing():
    x = mx.gluon.Parameter("x", shape=(3,))
    x.initialize(ctx=[mx.cpu(0), mx.cpu(1)], init="zeros")
    store = mx.kv.create("teststore")
    assert isinstance(store, mx.kvstore.base.TestStore)
    trainer = mx.gluon.Trainer([x], "sgd", {"learning_rate": 1.0, "momentum": 0.5}, kvstore=store)
    with mx.autograd.record():
        for weight in x.list_data():
            (weight + 1).backward()
    trainer.step(1)
    assert trainer._update_on_kvstore is False
    assert x.data(mx.cpu(1)).asnumpy().tolist() == [-2.0] * 3
    both = [mx.nd.ones(2), mx.nd.ones(2, ctx=mx.cpu(1))]
    store.pushpull("w", both)
    store.broadcast("w", mx.nd.ones(2) * 3, out=(last := mx.nd.zeros(2)))
    assert [each.asnumpy().tolist() for each in (*both, last)] == [[2, 2], [2, 2], [3, 3]]
    refused = mx.gluon.Trainer([x], "sgd", kvstore=store, update_on_kvstore=True)
    with pytest.raises(ValueError, match="update_on_kvstore"):
        refused._init_kvstore()
    with pytest.raises(ValueError, match="TestStore.is_capable: 'sparse' was given. Unknown"):
        store.is_capable("sparse")


@pytest.mark.parametrize("stype", ["default", "row_sparse"])
@pytest.mark.parametrize("updates", [False, True])
def test_dense_gradients_are_compressed_whatever_is_stored(stype, updates):
    kv = mx.kv.create("device")
    kv.set_gradient_compression({"type": "2bit", "threshold": 0.5})
    kv.init("w", mx.nd.zeros((2, 3)).tostype(stype))
    if updates:
        kv._set_updater(lambda key, gradient, stored: gradient.copyto(stored))
    kv.push("w", [mx.nd.ones((2, 3)) * 1.25] * 2)
    found = mx.nd.zeros((2, 3))
    kv.pull("w", out=found, ignore_sparse=False)
    assert found.asnumpy().tolist() == [[1, 1, 1], [1, 1, 1]]  # as in MXNet: 0.5 of each


@pytest.mark.parametrize("name", ["adam", "no such store"])
def test_names_of_no_store_are_none_on_one_context(name: str) -> None:
    net = mx.gluon.nn.Dense(1, in_units=2)
    net.initialize(mx.init.One())
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 1}, kvstore=name)
    with mx.autograd.record():
        loss = net(mx.nd.ones((1, 2))).sum()
    loss.backward()
    with pytest.warns(UserWarning, match=f"kvstore='{name}' was given.*optimizer='{name}'"):
        trainer.step(1)
    assert net.weight.data().asnumpy().tolist() == [[0, 0]]
    both = mx.gluon.nn.Dense(1, in_units=2)
    both.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
    trainer = mx.gluon.Trainer(both.collect_params(), "sgd", kvstore=name)
    with pytest.raises(mx.MXNetError, match=f"kv.create: '{name}' was given"):
        trainer.allreduce_grads()
