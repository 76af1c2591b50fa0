"""Arrays of several contexts of a CPU meet, as in MXNet; what comes out is where the first is."""

from __future__ import annotations

import pytest

import gluonish as mx
from gluonish import autograd, gluon, nd

_X, _Y = [[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]


def _first() -> nd.NDArray:
    return nd.array(_X, ctx=mx.cpu(0))


def _second() -> nd.NDArray:
    return nd.array(_Y, ctx=mx.cpu(1))


# What the real MXNet 1.9.1 gives: the context's number, and the values.
CALLS = [
    (lambda a, b: a + b, 0, [[6, 8], [10, 12]]),
    (lambda a, b: b + a, 1, [[6, 8], [10, 12]]),
    (lambda a, b: nd.dot(b, a), 1, [[23, 34], [31, 46]]),
    (lambda a, b: nd.concat(b, a, dim=0), 1, [*_Y, *_X]),
    (lambda a, b: nd.stack(a, b), 0, [_X, _Y]),
    (lambda a, b: nd.add_n(b, a, a), 1, [[7, 10], [13, 16]]),
    (lambda a, b: nd.take(b, nd.array([1, 0])), 1, _Y[::-1]),
    (lambda a, b: nd.where(a > 1, b, a), 0, [[1, 6], [7, 8]]),
    (lambda a, b: nd.linalg.gemm2(a, b), 0, [[19, 22], [43, 50]]),
    (lambda a, b: nd.sgd_update(a, b, lr=1.0), 0, [[-4, -4], [-4, -4]]),
    (lambda a, b: nd.dot(a.tostype("csr"), b), 0, [[19, 22], [43, 50]]),
    (lambda a, b: a.as_np_ndarray() * b.as_np_ndarray(), 0, [[5, 12], [21, 32]]),
    (lambda a, b: a == b, 0, [[0, 0], [0, 0]]),
]


@pytest.mark.parametrize(("call", "number", "values"), CALLS)
def test_arrays_of_a_cpu_meet(call, number, values):
    result = call(_first(), _second())
    assert result.context == mx.cpu(number)
    assert result.asnumpy().tolist() == values


def test_an_array_stays_where_it_is():
    a, b = _first(), _second()
    b += a
    assert (b.context, b.asnumpy().tolist()) == (mx.cpu(1), [[6, 8], [10, 12]])
    nd.elemwise_add(a, a, out=b)
    assert (b.context, b.asnumpy().tolist()) == (mx.cpu(1), [[2, 4], [6, 8]])


def test_gradients_are_where_their_arrays_are():
    x, y = nd.ones(2, ctx=mx.cpu(0)), nd.ones(2, ctx=mx.cpu(1)) * 2
    x.attach_grad()
    y.attach_grad()
    with autograd.record():
        z = x * y
    z.backward()
    assert (x.grad.context, x.grad.asnumpy().tolist()) == (mx.cpu(0), [2, 2])
    assert (y.grad.context, y.grad.asnumpy().tolist()) == (mx.cpu(1), [1, 1])


@pytest.mark.parametrize("hybridize", [False, True])
def test_losses_of_several_contexts_are_added_up(hybridize):
    places = [mx.cpu(0), mx.cpu(1)]
    net = gluon.nn.Dense(1, in_units=2)
    net.initialize(mx.init.One(), ctx=places)
    if hybridize:
        net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.125})
    totals = []
    for _ in range(40):
        parts = gluon.utils.split_and_load(nd.ones((4, 2)), places)
        with autograd.record():
            total = sum(net(part).sum() for part in parts)
        total.backward()
        trainer.step(16)
        totals.append(total.asscalar())
    assert total.context == mx.cpu(0)
    # Each step takes 4 / 16 / 8 from each of three parameters, and four samples add them up.
    assert totals == [8 - 4 * 3 * step / 32 for step in range(40)]


def test_a_hybridized_block_takes_one_context():
    loss = gluon.loss.L2Loss()
    assert loss(_first(), _second()).asnumpy().tolist() == [8, 8]
    loss.hybridize()
    with pytest.raises(ValueError, match="Find multiple contexts in the input: cpu.0. and cpu.1."):
        loss(_first(), _second())


def test_recurrent_layers_take_states_of_another_context():
    layer = gluon.rnn.LSTM(2, input_size=2)
    layer.initialize(ctx=mx.cpu(1))
    x = nd.ones((2, 1, 2), ctx=mx.cpu(1))
    outputs, _ = layer(x, layer.begin_state(1))
    assert outputs.context == mx.cpu(1)
    assert outputs.asnumpy().tolist() == layer(x).asnumpy().tolist()
