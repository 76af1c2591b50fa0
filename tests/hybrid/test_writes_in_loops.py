"""Arrays that a loop was called with are written to before the update, in every way there is."""

from __future__ import annotations

import pytest
from test_loops import Run, batches, both, dense

import gluonish as mx
from gluonish import autograd, nd, np
from gluonish.errors import StaleGradientError
from gluonish.process.postponed import postponed

STEPS = 30


@pytest.fixture(autouse=True)
def always_faster(monkeypatch):
    monkeypatch.setattr("gluonish.hybrid.loops.Loop.is_faster", lambda self, best: True)
    monkeypatch.setattr("gluonish.hybrid.loops.LONGEST", float("inf"))
    monkeypatch.setattr("gluonish.hybrid.judging.IN_A_ROW", 2)
    monkeypatch.setattr("gluonish.hybrid.judging.MOST_ROUNDS", 4)


def times(x):
    x *= 2


def plus_an_array(x):
    x += nd.ones(x.shape)


def in_a_row(x):
    x[0] += 2


def in_columns(x):
    x[:, 1:2] *= 3


def by_a_view(x):
    view = x.reshape((-1,))
    view -= 1


def by_a_view_of_np(x):
    view = x.as_np_ndarray()
    view /= 2


def as_out(x):
    nd.exp(x * 0.1, out=x)


def as_out_by_position(x):
    np.clip(np.ones(x.shape) * 5, 0, 4, x.as_np_ndarray())


def in_place_by_name(x):
    np.nan_to_num(x.as_np_ndarray(), copy=False)


def as_a_state(x):
    nd.sgd_mom_update(nd.ones(x.shape), nd.ones(x.shape), x, lr=0.1, momentum=0.9)


def as_one_of_several_states(x):
    one = nd.ones(x.shape)
    nd.multi_sgd_mom_update(one, one, x, lrs=[0.1], wds=[0.0], num_weights=1)


def by_zeros(x):
    nd.reset_arrays(x, num_arrays=1)


def by_a_shuffle(x):
    np.random.shuffle(x.as_np_ndarray())


def by_an_optimizer(x):
    optimizer = mx.optimizer.create("sgd", learning_rate=0.1)
    optimizer.update(0, x, nd.ones(x.shape), optimizer.create_state(0, x))


def by_an_updater(x):
    mx.optimizer.get_updater(mx.optimizer.create("adam"))(0, nd.ones(x.shape), x)


def by_an_initializer(x):
    mx.init.One()(mx.init.InitDesc("x_weight"), x)


def by_a_store(x):
    store = mx.kv.create("local")
    store.init(3, nd.ones(x.shape))
    store.pull(3, out=x)


def as_an_executors_gradient(x):
    symbol = mx.sym.var("a") * 2
    executor = symbol.bind(mx.cpu(), {"a": nd.ones(x.shape)}, {"a": x})
    executor.forward(is_train=True)
    executor.backward(nd.ones(x.shape))


def as_a_gradient_that_is_added(x):
    other = nd.ones(x.shape)
    autograd.mark_variables([other], [x], "add")
    with autograd.record():
        twice = other * 2
    twice.backward()


WRITES = [
    times, plus_an_array, in_a_row, in_columns, by_a_view, by_a_view_of_np, as_out,
    as_out_by_position, in_place_by_name, as_a_state, as_one_of_several_states, by_zeros,
    by_a_shuffle, by_an_optimizer, by_an_updater, by_an_initializer, by_a_store,
    as_an_executors_gradient, as_a_gradient_that_is_added,
]  # fmt: skip


@pytest.mark.parametrize("write", WRITES, ids=lambda function: function.__name__)
def test_a_write_before_the_update_changes_no_gradient(write):
    def step(run, number, data, label):
        with autograd.record():
            loss = run.loss(run.net(data), label)
        loss.backward()
        if number % 7 == 6:
            write(data)
        run.trainer.step(6)
        run.show(loss, data)

    both(step, steps=STEPS)
    assert not postponed


def test_a_write_by_way_of_torch_is_told_once():
    run = Run(dense, fuses=True)
    for data, label in batches(STEPS):
        tensor = data.tensor
        run.step(data, label)
    before = run.weight.data().asnumpy()
    with autograd.record():
        loss = run.loss(run.net(data), label)
    loss.backward()
    tensor.zero_()
    with pytest.raises(mx.MXNetError, match="by way of its torch tensor"):
        run.trainer.step(6)
    assert not postponed
    assert (run.weight.data().asnumpy() == before).all()
    with pytest.raises(StaleGradientError):  # none was computed
        run.trainer.step(6)
    run.step(*batches(1)[0])
    assert (run.weight.data().asnumpy() != before).any()
    assert loss.shape == (6,)
