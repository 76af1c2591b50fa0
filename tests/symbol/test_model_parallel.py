"""Models whose parts are on several contexts: placement, copies between them, equal results."""

from __future__ import annotations

import numpy as onp
import pytest

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.errors import ParameterError
from gluonish.gluon import nn

PLACES = {"first": mx.cpu(1), "second": mx.cpu(2)}
STEPS, BATCH, WIDTH = 3, 4, 5


def unrolled():
    """Return two recurrent layers, each in a group, as MXNet's example of LSTMs has it."""
    with mx.AttrScope(ctx_group="first"):
        below = mx.rnn.LSTMCell(WIDTH, prefix="below_")
        hidden, _ = below.unroll(STEPS, mx.sym.var("data"), layout="TNC", merge_outputs=False)
    with mx.AttrScope(ctx_group="second"):
        above = mx.rnn.LSTMCell(WIDTH, prefix="above_")
        hidden, _ = above.unroll(STEPS, hidden, layout="TNC", merge_outputs=False)
        result = mx.sym.FullyConnected(hidden[-1], num_hidden=3, name="result")
        return mx.sym.SoftmaxOutput(result, name="softmax")


def bound(net, **options):
    """Return an Executor with values that are always the same."""
    executor = net.simple_bind(mx.cpu(), data=(STEPS, BATCH, 2), **options)
    random = onp.random.default_rng(0)
    for name, array in executor.arg_dict.items():
        label = name.endswith("label")
        size = array.shape
        array[:] = random.integers(0, 3, size) if label else random.standard_normal(size) * 0.5
    return executor


def test_groups_compute_what_one_context_computes():
    net = unrolled()
    alone, apart = bound(net), bound(net, group2ctx=PLACES)
    for _ in range(4):
        for executor in (alone, apart):
            executor.forward(is_train=True)
            executor.backward()
            for name, grad in executor.grad_dict.items():
                if name.endswith(("weight", "bias")):
                    executor.arg_dict[name][:] -= 0.1 * grad
    onp.testing.assert_array_equal(apart.outputs[0].asnumpy(), alone.outputs[0].asnumpy())
    for name, grad in alone.grad_dict.items():
        onp.testing.assert_array_equal(apart.grad_dict[name].asnumpy(), grad.asnumpy())


def test_arrays_and_gradients_are_where_their_groups_are():
    executor = bound(unrolled(), group2ctx=PLACES)
    for arrays in (executor.arg_dict, executor.grad_dict):
        places = {name: array.context for name, array in arrays.items()}
        assert places["data"] == places["below_i2h_weight"] == mx.cpu(1)
        assert places["above_i2h_weight"] == places["result_bias"] == mx.cpu(2)
    assert executor.forward()[0].context == mx.cpu(2)


def test_bound_arrays_may_be_where_they_are():
    net = unrolled()
    alone = bound(net)
    arrays = {name: array.as_in_context(mx.cpu(3)) for name, array in alone.arg_dict.items()}
    grads = {name: nd.zeros(array.shape, ctx=mx.cpu(3)) for name, array in arrays.items()}
    apart = net.bind(mx.cpu(), arrays, grads, group2ctx=PLACES)
    for executor in (alone, apart):
        executor.forward(is_train=True)
        executor.backward()
    for name, grad in alone.grad_dict.items():
        assert apart.grad_dict[name].context == mx.cpu(3)
        onp.testing.assert_array_equal(apart.grad_dict[name].asnumpy(), grad.asnumpy())


def data(count=40):
    random = onp.random.default_rng(2)
    return random.standard_normal((count, 6)).astype("f"), random.integers(0, 3, count)


def trained(**options):
    """Return what a Module learns."""
    with mx.AttrScope(ctx_group="first"):
        net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=4, name="fc1")
        net = mx.sym.Activation(net, act_type="tanh")
    with mx.AttrScope(ctx_group="second"):
        net = mx.sym.FullyConnected(net, num_hidden=3, name="fc2")
        net = mx.sym.SoftmaxOutput(net, name="softmax")
    module = mx.mod.Module(net, **options)
    random = onp.random.default_rng(3)
    shapes = {"fc1_weight": (4, 6), "fc1_bias": (4,), "fc2_weight": (3, 4), "fc2_bias": (3,)}
    start = {name: nd.array(random.standard_normal(shape)) for name, shape in shapes.items()}
    module.fit(
        mx.io.NDArrayIter(*data(), batch_size=8),
        optimizer="adam",
        arg_params=start,
        num_epoch=2,
    )
    return {name: array.asnumpy() for name, array in module.get_params()[0].items()}


def test_modules_learn_the_same_on_several_contexts():
    expected = trained()
    pairs = {"first": [mx.cpu(1), mx.cpu(2)], "second": [mx.cpu(3), mx.cpu(4)]}
    for options in (
        {"group2ctxs": PLACES},
        {"group2ctxs": pairs, "context": [mx.cpu(0), mx.cpu(5)]},  # data parallel as well
    ):
        for name, value in trained(**options).items():
            onp.testing.assert_allclose(value, expected[name], rtol=1e-4, atol=1e-5)


class Halves(gluon.Block):
    """A net whose halves are on two contexts."""

    def __init__(self, first, second):
        super().__init__()
        self.places = first, second
        self.below = nn.Dense(4, in_units=6, activation="tanh")
        self.above = nn.Dense(3, in_units=4)
        self.below.initialize(mx.init.Constant(0.1), ctx=first)
        self.above.initialize(mx.init.Constant(0.2), ctx=second)

    def forward(self, x):
        hidden = self.below(x.as_in_context(self.places[0]))
        return self.above(hidden.as_in_context(self.places[1]))


@pytest.mark.parametrize("hybrid", [False, True])
def test_halves_of_a_block_learn_on_two_contexts(hybrid):
    results = []
    x, label = data()
    for places in ((mx.cpu(), mx.cpu()), (mx.cpu(1), mx.cpu(2))):
        net, loss = Halves(*places), gluon.loss.SoftmaxCELoss()
        if hybrid:
            net.hybridize()
        halves = net.below, net.above
        trainers = [gluon.Trainer(half.collect_params(), "adam") for half in halves]
        for _ in range(4):
            with autograd.record():
                result = loss(net(nd.array(x)), nd.array(label, ctx=places[1]))
            result.backward()
            for trainer in trainers:
                trainer.step(len(x))
        assert [half.weight.grad().context for half in halves] == list(places)
        results.append([half.weight.data().asnumpy() for half in halves])
    for one, other in zip(*results, strict=True):
        onp.testing.assert_array_equal(one, other)


def test_one_trainer_takes_parameters_of_the_same_contexts():
    net = Halves(mx.cpu(1), mx.cpu(2))
    with pytest.raises(ParameterError, match="must be initialized on the same set of contexts"):
        gluon.Trainer(net.collect_params(), "sgd").step(1)
