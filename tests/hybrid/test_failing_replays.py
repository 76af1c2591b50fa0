"""A captured graph that fails at what it is given: the error is what the Block itself says."""

from __future__ import annotations

import pytest

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.errors import InvalidIndexError
from gluonish.gluon import nn


class Net(gluon.HybridBlock):
    """Chooses rows of what layers give."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(3, flatten=False)
        self.norm = nn.BatchNorm()

    def hybrid_forward(self, F, x, at):
        return F.gather_nd(self.norm(self.dense(x)), F.stack(at, at * 0))


@pytest.fixture
def net():
    net = Net()
    net.initialize()
    net.hybridize()
    return net


X = nd.random.normal(shape=(4, 5))
SAID = r"gather_nd: indices of an array of shape \(4, 3\) .*index 7 is out of bounds"


@pytest.mark.parametrize("calls", [1, 4])
def test_a_replay_fails_in_the_words_of_the_operator(net, calls):
    for _ in range(calls):
        expected = net(X, nd.array([1, 2])).asnumpy()
    with pytest.raises(InvalidIndexError, match=SAID) as caught:
        net(X, nd.array([1, 7]))
    assert caught.value.__notes__[-1].startswith("in Net 'net")
    assert (net(X, nd.array([1, 2])).asnumpy() == expected).all()


def test_arguments_in_lists_are_told_too():
    class Listed(gluon.HybridBlock):
        def hybrid_forward(self, F, pair):
            return F.gather_nd(pair[0], F.stack(pair[1], pair[1] * 0))

    net = Listed()
    net.hybridize()
    for _ in range(2):
        net([X, nd.array([1, 2])])
    with pytest.raises(InvalidIndexError, match="index 7 is out of bounds"):
        net([X, nd.array([1, 7])])


@pytest.mark.parametrize("steps", [1, 3, 12, 60, 200])
def test_a_loop_fails_in_the_words_of_the_operator_and_changes_no_weight(net, steps):
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.001})
    loss_of = gluon.loss.L2Loss()
    loss_of.hybridize()

    def step(at):
        with autograd.record():
            loss = loss_of(net(X, nd.array(at)), nd.ones((2,)))
        loss.backward()
        trainer.step(4)
        return loss

    for _ in range(steps):
        step([1, 2])
    weight = net.dense.weight.data().asnumpy().copy()
    with pytest.raises(InvalidIndexError, match="index 7 is out of bounds"):
        step([1, 7])
    assert (net.dense.weight.data().asnumpy() == weight).all()
    assert step([1, 2]).asnumpy().shape == (2,)
    assert (net.dense.weight.data().asnumpy() != weight).any()


def test_what_the_block_says_nothing_about_is_as_it_was(net):
    net(X, nd.array([1, 2]))

    def fails(tensors):
        raise RuntimeError("no such kernel")  # noqa: EM101 - as torch says

    mean = net.norm.running_mean.data().asnumpy().copy()
    with autograd.record():
        net(X, nd.array([1, 2])).asnumpy()
    assert (net.norm.running_mean.data().asnumpy() != mean).any()
    mean = net.norm.running_mean.data().asnumpy().copy()
    for one in net._graphs.graphs:
        one.run = fails
    with autograd.record(), pytest.raises(RuntimeError, match="no such kernel"):
        net(X, nd.array([1, 2]))
    assert (net.norm.running_mean.data().asnumpy() == mean).all()


def test_what_a_failed_call_was_to_compute_says_so(net):
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.001})
    loss_of = gluon.loss.L2Loss()
    loss_of.hybridize()

    def forward(at):
        with autograd.record():
            output = net(X, nd.array(at))
            return output, loss_of(output, nd.ones((2,)))

    for _ in range(200):
        forward([1, 2])[1].backward()
        trainer.step(4)
    output, loss = forward([1, 7])

    def go_back():
        loss.backward()
        loss.asnumpy()

    with pytest.raises(InvalidIndexError, match="index 7 is out of bounds"):
        go_back()
    for look in (output.asnumpy, lambda: loss + 1, lambda: loss.shape):
        with pytest.raises(mx.MXNetError, match="no values, since the call .* gather_nd: indices"):
            look()
    forward([1, 2])[1].backward()
    trainer.step(4)
