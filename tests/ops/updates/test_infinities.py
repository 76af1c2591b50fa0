"""What updates make of infinities: asked of MXNet 1.9.1."""

from __future__ import annotations

import numpy as onp
import pytest

import gluonish as mx

INF, NAN = onp.inf, onp.nan


def test_means_of_infinities_stay_infinite():
    mean, var = mx.nd.array([INF, -INF]), mx.nd.array([INF, 1])
    mx.nd.adam_update(mx.nd.ones(2), mx.nd.array([INF, 1]), mean, var, lr=0.1)
    assert mean.asnumpy().tolist() == [INF, -INF]


@pytest.mark.parametrize("name", ["adam", "nadam", "lamb", "rmsprop"])
def test_states_of_optimizers_stay_infinite(name):
    optimizer = mx.optimizer.create(name, learning_rate=0.1)
    weight = mx.nd.ones(2)
    states = optimizer.create_state_multi_precision(0, weight)
    for _ in range(2):
        optimizer.update_multi_precision(0, weight, mx.nd.array([INF, 1]), states)
    state = states[0] if isinstance(states, (list, tuple)) else states
    assert state.asnumpy()[0] == INF


@pytest.mark.parametrize("name", ["sgd_update", "signsgd_update"])
def test_infinite_weights_shrink_to_infinite_ones(name):
    weight = getattr(mx.nd, name)(mx.nd.array([INF, -INF]), mx.nd.ones(2), lr=0.1, wd=0.1)
    assert weight.asnumpy().tolist() == [INF, -INF]


@pytest.mark.parametrize("wd", [0.0, 0.1])
def test_decay_of_infinite_weights_is_no_number_beside_a_state(wd):
    momentum = mx.nd.zeros(1)
    mx.nd.sgd_mom_update(mx.nd.array([INF]), mx.nd.ones(1), momentum, lr=0.1, wd=wd)
    assert onp.isnan(momentum.asnumpy()[0]) == (wd == 0)


@pytest.mark.parametrize("name", ["nag", "signum", "lbsgd"])
def test_optimizers_without_momentum_keep_infinite_weights(name):
    optimizer = mx.optimizer.create(name, learning_rate=0.1, wd=0.1, momentum=0.0)
    weight = mx.nd.array([INF])
    state = optimizer.create_state_multi_precision(0, weight)
    optimizer.update_multi_precision(0, weight, mx.nd.ones(1), state)
    assert weight.asnumpy()[0] == INF
