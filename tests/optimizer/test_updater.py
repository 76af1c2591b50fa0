"""Updater: states as bytes."""

from __future__ import annotations

import pytest

import gluonish as mx
from gluonish import nd


def updater_after(steps, **options):
    updater = mx.optimizer.get_updater(mx.optimizer.Adam(**options))
    weight = nd.ones((2,))
    for _ in range(steps):
        updater(3, nd.ones((2,)), weight)
    return updater, weight


def test_states_go_to_another_updater():
    updater, _ = updater_after(2)
    other, weight = updater_after(0, learning_rate=0.5)
    other.set_states(updater.get_states())
    assert other.optimizer.lr == 0.5
    assert other.optimizer.num_update == 0
    assert [part.asnumpy().tolist() for part in other.states[3]] == [
        part.asnumpy().tolist() for part in updater.states[3]
    ]
    other(3, nd.ones((2,)), weight)
    assert other.optimizer.num_update == 1


def test_the_optimizer_goes_along_if_asked():
    updater, weight = updater_after(2, learning_rate=0.5)
    other, _ = updater_after(0)
    other.set_states(updater.get_states(dump_optimizer=True))
    assert other.optimizer.lr == 0.5
    assert other.optimizer._index_update_count == {3: 2}
    copied = weight.copy()
    updater(3, nd.ones((2,)), weight)
    other(3, nd.ones((2,)), copied)
    assert copied.asnumpy().tolist() == weight.asnumpy().tolist()


def test_states_of_another_shape_are_refused_at_the_update():
    updater, _ = updater_after(1)
    other, _ = updater_after(0)
    other.set_states(updater.get_states())
    with pytest.raises(ValueError, match=r"Updater: loaded states do not fit. States of 3 are"):
        other(3, nd.ones((4,)), nd.ones((4,)))


def test_foreign_bytes_are_refused():
    updater, _ = updater_after(0)
    with pytest.raises(ValueError, match="Loading states from 'bytes': the header is not that of"):
        updater.set_states(b"abc")


def test_what_is_no_array_can_not_be_saved():
    class Odd(mx.optimizer.Optimizer):
        def create_state(self, index, weight):
            return {"a": weight}

        def update(self, index, weight, grad, state):
            pass

    updater = mx.optimizer.get_updater(Odd())
    updater(0, nd.ones((1,)), nd.ones((1,)))
    with pytest.raises(TypeError, match="states of weight 0: dict was found. Expected None, arr"):
        updater.get_states()


def test_a_method_set_on_an_optimizer_is_called_however_many_attributes_it_has():
    sgd = mx.optimizer.SGD(learning_rate=0.5)
    updater = mx.optimizer.get_updater(sgd)
    weight, grad = mx.nd.array([1.0]), mx.nd.array([1.0])
    updater(0, grad, weight)
    assert weight.asscalar() == 0.5
    del sgd.lazy_update
    sgd._get_lrs = lambda indices: [0.25] * len(indices)
    updater(0, grad, weight)
    assert weight.asscalar() == 0.25
    del sgd._get_lrs
    sgd.lazy_update = True
    updater(0, grad, weight)
    assert weight.asscalar() == -0.25
    calls = []
    sgd.update_multi_precision = lambda *args: calls.append(args[0])
    updater([0, 1], [grad, grad], [weight, weight])
    assert calls == [(0, 1)]


def test_states_go_to_another_context():
    updater = updater_after(0)[0]
    moved = updater.sync_state_context([nd.ones(2), (nd.zeros(1), None)], mx.cpu(1))
    assert type(moved) is list
    assert type(moved[1]) is tuple
    assert moved[0].context == moved[1][0].context == mx.cpu(1)
    assert moved[1][1] is None


def test_scales_of_the_learning_rate_are_told_what_took_their_place():
    with pytest.raises(DeprecationWarning, match=r"MXNet has given it up\. .* Write set_lr_mult"):
        mx.optimizer.SGD().set_lr_scale({"w": 0.5})


def test_optimizers_of_older_versions_do_not_know_numpys_arrays():
    sgd = mx.optimizer.SGD(learning_rate=0.5)
    assert not sgd.allow_np_array
    del sgd.allow_np_array
    weight = mx.nd.ones((2,))
    mx.optimizer.Updater(sgd)(0, mx.nd.ones((2,)), weight)
    assert weight.asnumpy().tolist() == [0.5, 0.5]
