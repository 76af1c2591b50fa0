from __future__ import annotations

import pytest

import gluonish as mx
from gluonish import autograd, gluon, nd


def leaf(value):
    array = nd.array([value])
    array.attach_grad()
    return array


def depth(array):
    """How many nodes lie below an array in its graph."""
    waiting = [array._tensor.grad_fn]
    seen = set(waiting)
    for node in waiting:
        for following, _ in node.next_functions:
            if following is not None and following not in seen:
                seen.add(following)
                waiting.append(following)
    return len(seen)


def test_the_graph_of_a_state_does_not_grow_from_step_to_step():
    w, s, depths = leaf(2.0), nd.ones(1), []
    for _ in range(5):
        with autograd.record():
            s = s + w  # torch saves nothing here, and would go back through all steps
            loss = s.sum()
        depths.append(depth(loss))
        loss.backward()
        assert w.grad.asscalar() == 1
    assert len(set(depths[1:])) == 1


def test_what_was_used_up_some_steps_ago_is_constant_too():
    w, v = leaf(2.0), leaf(5.0)
    with autograd.record():
        old = w * w
        loss = old * 3
    loss.backward()
    for _ in range(3):
        with autograd.record():
            loss = v * v
        loss.backward()
    with autograd.record():
        loss = old * v
    loss.backward()
    assert v.grad.asscalar() == 4
    assert w.grad.asscalar() == 12  # as the first pass left it


def test_a_result_of_an_operator_whose_other_result_was_used_is_constant():
    w = nd.array([[1.0, 2.0, 3.0]])
    w.attach_grad()
    with autograd.record():
        parts = nd.split(nd.concat(w * w, w, dim=0), 2, axis=0)
        loss = parts[0].sum()
    loss.backward()
    v = leaf(1.0)
    with autograd.record():
        again = (parts[0] * v).sum()
    again.backward()
    assert v.grad.asscalar() == 14
    assert w.grad.asnumpy().tolist() == [[2.0, 4.0, 6.0]]


@pytest.mark.parametrize("hybridize", [False, True])
def test_states_go_from_batch_to_batch_through_a_net(hybridize):
    net = gluon.rnn.LSTM(3, input_size=4)
    net.initialize(mx.init.Constant(0.1))
    if hybridize:
        net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.0})
    states, found = net.begin_state(batch_size=2), []
    values = states
    for _ in range(4):
        with autograd.record():
            out, states = net(nd.ones((2, 2, 4)), states)
            loss = out.sum()
        loss.backward()
        trainer.step(2)
        found.append(net.l0_i2h_weight.grad().asnumpy().tolist())
    for expected in found:  # the same from constants
        values = [value.copy() for value in values]
        with autograd.record():
            out, new = net(nd.ones((2, 2, 4)), values)
            loss = out.sum()
        loss.backward()
        values = [value.detach() for value in new]
        assert net.l0_i2h_weight.grad().asnumpy().tolist() == expected


def test_a_head_is_used_up_where_torch_saves_nothing():
    w = leaf(2.0)
    with autograd.record():
        loss = w + 1
    loss.backward()
    with pytest.raises(mx.MXNetError, match=r"used up by loss.backward\(\) in line"):
        loss.backward()
    assert w.grad.asscalar() == 1


def test_a_graph_that_is_retained_stays():
    w = leaf(2.0)
    with autograd.record():
        loss = w * w
    for _ in range(2):
        loss.backward(retain_graph=True)
        with autograd.record():
            more = loss * 3
        more.backward(retain_graph=True)
        assert w.grad.asscalar() == 12


def test_an_array_by_itself_is_no_graph_that_is_used_up() -> None:
    w, v = mx.nd.array([1.0, 2.0]), mx.nd.array([1.0, 2.0])
    w.attach_grad()
    v.attach_grad("add")
    mx.autograd.backward([w, v])
    w.backward(mx.nd.array([3.0, 4.0]))
    mx.autograd.backward([v, w], [mx.nd.array([2.0, 2.0]), mx.nd.array([5.0, 5.0])])
    assert w.grad.asnumpy().tolist() == [5, 5]
    assert v.grad.asnumpy().tolist() == [3, 3]


def test_heads_whose_gradient_nobody_wants_are_passed_over_beside_others() -> None:
    w, v = mx.nd.array([1.0, 2.0]), mx.nd.array([1.0, 2.0])
    w.attach_grad()
    v.attach_grad("null")
    with mx.autograd.record():
        y = w * v
    mx.autograd.backward([v, y, w], [mx.nd.ones(2), mx.nd.ones(2), mx.nd.array([10.0, 10.0])])
    assert w.grad.asnumpy().tolist() == [11, 12]
    with pytest.raises(mx.MXNetError, match="was not computed inside"):
        v.backward()
