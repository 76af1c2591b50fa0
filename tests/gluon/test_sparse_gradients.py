"""Gradients of rows: who gives them, who takes them, and what stays dense."""

from __future__ import annotations

import logging

import numpy as onp
import pytest

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.errors import (
    InvalidArgumentError,
    ParameterError,
    RefusedArgumentError,
    ShapeError,
    UninitializedParameterError,
)
from gluonish.gluon.loss_scaling import LossScaler
from gluonish.hybrid import report


def embedding(sparse_grad=True, **options):
    net = gluon.nn.Embedding(6, 2, sparse_grad=sparse_grad, **options)
    net.initialize(mx.init.One())
    return net


def backward(net, ids=(1, 4, 1)):
    with autograd.record():
        loss = (net(nd.array(ids)) * 2).sum()
    loss.backward()
    return net.weight.grad()


def classifier(sparse_grad):
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Embedding(30, 4, sparse_grad=sparse_grad))
    net.add(gluon.nn.Flatten(), gluon.nn.Dense(3))
    mx.random.seed(3)
    net.initialize(mx.init.Normal(1))
    return net


def train(net, optimizer, steps=4, **options):
    trainer = gluon.Trainer(net.collect_params(), optimizer, options)
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    x, y = nd.array([[1, 4, 1], [2, 3, 3]]), nd.array([0, 2])
    for _ in range(steps):
        with autograd.record():
            value = loss(net(x), y)
        value.backward()
        trainer.step(2)
    return [param.data().asnumpy() for param in net.collect_params().values()]


def test_gradients_add_up_and_are_reset():
    net = embedding()
    net.weight.grad_req = "add"
    backward(net)
    grad = backward(net, [0])
    assert grad.indices.asnumpy().tolist() == [0, 1, 4]
    assert grad.data.asnumpy().tolist() == [[2, 2], [4, 4], [2, 2]]
    net.weight.zero_grad()
    assert net.weight.grad().data.shape == (0, 2)
    assert net.weight.grad().stype == "row_sparse"


@pytest.mark.parametrize("backend", [None, "fx"])
def test_hybridized_embeddings_give_the_same_rows(backend):
    net = embedding()
    net.hybridize(backend=backend)
    for ids in ([1, 4, 1], [0, 5, 5]):
        grad = backward(net, ids)
        assert grad.stype == "row_sparse"
        assert grad.asnumpy().tolist() == backward(embedding(), ids).asnumpy().tolist()
        assert grad.indices.asnumpy().tolist() == sorted(set(ids))


@pytest.mark.parametrize("hybridized", [False, True])
@pytest.mark.parametrize(
    ("optimizer", "options"),
    [("sgd", {"learning_rate": 0.5}), ("adagrad", {"learning_rate": 0.5})],
)
def test_updates_of_rows_equal_dense_ones_without_decay(optimizer, options, hybridized):
    found = []
    for sparse_grad in (True, False):
        net = classifier(sparse_grad)
        if hybridized:
            net.hybridize()
        found.append(train(net, optimizer, **options))
    for one, other in zip(*found, strict=True):
        onp.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


def test_a_step_with_rows_is_not_compiled_and_says_so(caplog, monkeypatch):
    monkeypatch.setenv("GLUONISH_COMPILE_AFTER", "0")
    report._said.clear()
    net = classifier(True)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.5})
    step = gluon.FusedStep(net, gluon.loss.SoftmaxCrossEntropyLoss(), trainer)
    x, y = nd.array([[1, 4, 1], [2, 3, 3]]), nd.array([0, 2])
    with caplog.at_level(logging.INFO):
        for _ in range(4):
            step(x, y)
    texts = [record.getMessage() for record in caplog.records if "FusedStep" in record.message]
    assert len(texts) == 1
    assert "a gradient is of storage type 'row_sparse'" in texts[0]
    for one, other in zip(
        [param.data().asnumpy() for param in net.collect_params().values()],
        train(classifier(True), "sgd", learning_rate=0.5),
        strict=True,
    ):
        onp.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


def test_lazy_states_survive_a_file(tmp_path):
    net = classifier(True)
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.5})
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    for _ in range(2):
        with autograd.record():
            value = loss(net(nd.array([[1, 4, 1]])), nd.array([0]))
        value.backward()
        trainer.step(1)
        trainer.save_states(tmp_path / "adam")
        trainer.load_states(tmp_path / "adam")
    place = trainer._params.index(net[0].weight)
    mean = trainer._updaters[0].states[place][0].asnumpy()
    assert (mean != 0).any(1).nonzero()[0].tolist() == [1, 4]


def test_half_precision_weights_have_rows_too():
    net = gluon.nn.Embedding(6, 2, sparse_grad=True, dtype="float16")
    net.initialize(mx.init.One())
    options = {"learning_rate": 0.5, "momentum": 0.9, "multi_precision": True}
    trainer = gluon.Trainer(net.collect_params(), "sgd", options)
    backward(net)
    trainer.step(1)
    assert net.weight.data().asnumpy()[:, 0].tolist() == [1, -1, 1, 1, 0, 1]


def test_dense_uses_of_the_same_weight_are_added():
    weight = nd.ones((4, 2))
    weight.attach_grad(stype="row_sparse")
    with autograd.record():
        rows = nd.Embedding(nd.array([1]), weight, input_dim=4, output_dim=2, sparse_grad=True)
        loss = rows.sum() + (weight[2] * 3).sum()
    loss.backward()
    assert weight.grad.indices.asnumpy().tolist() == [1, 2]
    assert weight.grad.asnumpy()[:, 0].tolist() == [0, 1, 3, 0]


def test_a_dense_gradient_stays_dense():
    weight = nd.ones((4, 2))
    weight.attach_grad()
    with autograd.record():
        nd.Embedding(nd.array([1]), weight, 4, 2, sparse_grad=True).sum().backward()
    assert weight.grad.stype == "default"
    assert weight.grad.asnumpy()[:, 0].tolist() == [0, 1, 0, 0]


@pytest.mark.parametrize("stype", ["csr", "row_sparse"])
def test_sparse_arrays_have_gradients(stype):
    array = nd.array([[0, 2], [3, 0]]).tostype(stype)
    array.attach_grad()
    for factor in (1, 2):
        with autograd.record():
            loss = (array * array * factor).sum()
        loss.backward()
        assert array.grad.stype == stype
        assert array.grad.asnumpy().tolist() == [[0, 4 * factor], [6 * factor, 0]]
    array[:] = nd.array([[5, 0], [0, 0]])
    with autograd.record():
        loss = nd.square(array).sum()
    loss.backward()
    assert array.grad.asnumpy().tolist() == [[10, 0], [0, 0]]


def test_blocks_are_called_with_sparse_arrays():
    net = gluon.nn.Dense(2, in_units=3, use_bias=False)
    net.initialize(mx.init.One())
    x = nd.array([[0, 2, 0], [1, 0, 3]])
    for _ in range(2):
        for stype in ("csr", "row_sparse"):
            assert net(x.tostype(stype)).asnumpy().tolist() == net(x).asnumpy().tolist()
        net.hybridize()


def test_parameters_by_rows():
    w = gluon.Parameter("w", shape=(4, 2), stype="row_sparse", grad_stype="row_sparse")
    with pytest.raises(UninitializedParameterError, match="has not been initialized"):
        w.data()
    w.initialize(mx.init.One(), ctx=[mx.cpu(0), mx.cpu(1)])
    for call in (w.row_sparse_data, w.list_row_sparse_data):
        with pytest.raises(RuntimeError, match="when no Trainer is created with it"):
            call(nd.array([1]))
    gluon.Trainer([w], "sgd")
    rows = w.row_sparse_data(nd.array([1, 3], ctx=mx.cpu(1)))
    assert rows.context == mx.cpu(1)
    assert rows.indices.asnumpy().tolist() == [1, 3]
    assert [each.context for each in w.list_row_sparse_data(nd.array([0]))] == w.list_ctx()
    assert w.grad(mx.cpu(1)).shape == (4, 2)
    w.set_data(nd.ones((4, 2)) * 3)
    w.cast("float64")
    assert w.row_sparse_data(nd.array([2])).data.asnumpy().tolist() == [[3, 3]]
    w.reset_ctx(mx.cpu(2))
    assert w.list_ctx() == [mx.cpu(2)]
    with pytest.raises(UninitializedParameterError, match="was not initialized on context cpu"):
        w.row_sparse_data(nd.array([2]))


def test_parameters_say_how_they_are_stored():
    w = gluon.Parameter("w", shape=(4, 2), stype="row_sparse")
    dense = gluon.Parameter("d", shape=(4, 2))
    for param in (w, dense):
        param.initialize()
    for call in (w.data, w.list_data):
        with pytest.raises(RuntimeError, match=r"Please use row_sparse_data\(\) instead"):
            call()
    for call in (dense.row_sparse_data, dense.list_row_sparse_data):
        with pytest.raises(RuntimeError, match=r"Please use data\(\) instead"):
            call(nd.array([0]))
    with pytest.raises(ParameterError, match="stype='csr' was given"):
        gluon.Parameter("w", stype="csr")
    with pytest.raises(ParameterError, match=r"grad_stype for Parameter 'w' must be one of"):
        gluon.Parameter("w", grad_stype="x")


def test_stores_refuse_what_has_no_rows():
    kv = mx.kv.create()
    kv.init("w", nd.ones((3, 2)))
    out = nd.sparse.zeros("row_sparse", (3, 2))
    kv.row_sparse_pull("w", out=out, row_ids=nd.array([2]))
    assert out.asnumpy().tolist() == [[0, 0], [0, 0], [1, 1]]
    for options, error, message in (
        ({"out": out}, RefusedArgumentError, "row_ids=None"),
        ({"row_ids": nd.array([0])}, RefusedArgumentError, "out=None"),
        ({"out": nd.ones((3, 2)), "row_ids": nd.array([0])}, RefusedArgumentError, "NDArray was"),
        ({"out": [out], "row_ids": [nd.array([0])] * 2}, InvalidArgumentError, "2 row_ids and 1"),
        (
            {"out": nd.sparse.zeros("row_sparse", (2, 2)), "row_ids": nd.array([0])},
            ShapeError,
            "Expected the shape of what is stored",
        ),
    ):
        with pytest.raises(error, match=message):
            kv.row_sparse_pull("w", **options)


def test_arrays_of_rows_are_left_out_by_pull():
    kv = mx.kv.create("device")
    kv.init(["a", "b"], [nd.ones((2, 2)).tostype("row_sparse"), nd.ones((2, 2))])
    outs = [nd.zeros((2, 2)), nd.zeros((2, 2))]
    kv.pull(["a", "b"], out=outs)
    assert [float(out.sum().asscalar()) for out in outs] == [4, 4]
    rows = nd.sparse.zeros("row_sparse", (2, 2))
    for key in ("a", "b"):
        kv.pull(key, out=[rows])
        assert rows.indices.shape == (0,)
    for key in ("a", "b"):
        kv.pull(key, out=[rows, outs[0]], ignore_sparse=False)
        assert rows.asnumpy().tolist() == outs[0].asnumpy().tolist() == [[1, 1], [1, 1]]
        rows[:] = 0
    grad = nd.sparse.row_sparse_array(([[1, 2]], [1]), shape=(2, 2))
    kv.push("a", [grad, grad.copyto(mx.cpu(1))])
    kv.pull("a", out=outs[0], ignore_sparse=False)
    assert outs[0].asnumpy().tolist() == [[0, 0], [2, 4]]
    kv.push("b", [grad, nd.ones((2, 2), mx.cpu(1))])
    kv.pull("b", out=outs[1])
    assert outs[1].asnumpy().tolist() == [[1, 1], [2, 3]]


def test_a_backend_by_name_replays_graphs_with_rows(caplog):
    report._said.clear()
    net = embedding()
    net.hybridize(backend="aot_eager")
    with caplog.at_level(logging.WARNING, "gluonish.hybrid"):
        grad = backward(net)
    assert grad.indices.asnumpy().tolist() == [1, 4]
    assert "it has a gradient of storage type 'row_sparse'" in caplog.text


def test_scaled_losses_have_rows():
    net = embedding()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.5})
    trainer._amp_loss_scaler = LossScaler()  # what amp.init_trainer adds
    with autograd.record():
        loss = (net(nd.array([1, 4, 1])) * 2).sum()
        with mx.contrib.amp.scale_loss(loss, trainer) as scaled:
            scaled.backward()
    mx.contrib.amp.unscale(trainer)
    assert net.weight.grad().data.asnumpy().tolist() == [[4, 4], [2, 2]]
    trainer.step(1)
    assert net.weight.data().asnumpy()[:, 0].tolist() == [1, -1, 1, 1, 0, 1]


def test_norms_of_rows_are_clipped():
    net = embedding()
    grad = backward(net)
    norm = gluon.utils.clip_global_norm([grad], 1.0)
    assert norm == pytest.approx(40**0.5)
    assert float(nd.norm(grad).asscalar()) == pytest.approx(1, rel=1e-4)


@pytest.mark.parametrize("hybridized", [False, True])
def test_layers_learn_their_shapes_from_sparse_data(hybridized):
    data = nd.array([[0, 2, 0], [3, 0, 1]]).tostype("csr")
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Dense(2, use_bias=False), gluon.nn.Dense(1, use_bias=False))
    net.initialize("ones")
    net.hybridize(hybridized)
    assert net(data).asnumpy().tolist() == [[4], [8]]
    assert net[0].weight.shape == (2, 3)


def test_sparse_batches_are_split():
    data = nd.array([[0, 2], [3, 0], [4, 5]]).tostype("csr")
    parts = gluon.utils.split_and_load(data, [mx.cpu(0), mx.cpu(1)], even_split=False)
    assert [part.asnumpy().tolist() for part in parts] == [[[0, 2], [3, 0]], [[4, 5]]]
    assert [part.stype for part in parts] == ["csr", "csr"]
    assert [str(part.context) for part in parts] == ["cpu(0)", "cpu(1)"]
    across = gluon.utils.split_data(data, 2, batch_axis=1)
    assert [part.asnumpy().tolist() for part in across] == [[[0], [3], [4]], [[2], [0], [5]]]
    few = gluon.utils.split_data(data, 4, even_split=False)
    assert [part.shape for part in few] == [(1, 2), (1, 2), (1, 2), (0, 2)]


def test_initializers_fill_sparse_arrays():
    weight = nd.sparse.zeros("row_sparse", (3, 2))
    mx.init.One()(mx.init.InitDesc("w_weight"), weight)
    assert weight.indices.asnumpy().tolist() == [0, 1, 2]
    mx.init.Uniform(0.1)(mx.init.InitDesc("w_weight"), weight)
    assert 0 < float(weight.norm().asscalar()) < 0.1 * 6**0.5
