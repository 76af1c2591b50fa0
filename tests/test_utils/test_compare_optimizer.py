"""Helpers for tests that compare optimizers."""

from __future__ import annotations

import numpy as onp
import pytest

import gluonish as mx
from gluonish.errors import RefusedArgumentError
from gluonish.test_utils import compare_ndarray_tuple, compare_optimizer


class Plain(mx.optimizer.Optimizer):
    """Momentum, written out."""

    def create_state(self, index, weight):
        return mx.nd.zeros(weight.shape, dtype=weight.dtype)

    def update(self, index, weight, grad, state):
        self._update_count(index)
        lr, wd = self._get_lr(index), self._get_wd(index)
        state[:] = 0.9 * state - lr * (grad * self.rescale_grad + wd * weight)
        weight += state


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("options", [{}, {"wd": 0.05}, {"rescale_grad": 0.14}])
def test_optimizers_that_do_the_same_pass(dtype, options):
    sgd = mx.optimizer.SGD(learning_rate=0.01, momentum=0.9, lazy_update=False, **options)
    compare_optimizer(Plain(learning_rate=0.01, **options), sgd, (3, 4, 5), dtype)
    compare_optimizer(sgd, sgd, (3, 4), dtype, g_stype="row_sparse")
    compare_optimizer(sgd, sgd, [(3, 4), (5,)], dtype, ntensors=2)


def test_optimizers_that_differ_are_told():
    sgd = mx.optimizer.SGD(learning_rate=0.5, momentum=0.9)
    with pytest.raises(AssertionError, match="exceeds tolerance"):
        compare_optimizer(Plain(learning_rate=0.1), sgd, (3, 4), "float32")
    with pytest.raises(AssertionError):
        compare_optimizer(Plain(learning_rate=0.1), sgd, [(3, 4)], "float32", compare_states=False)
    with pytest.raises(RefusedArgumentError, match=r"ntensors=2 was given with shape=\(3, 4\)"):
        compare_optimizer(sgd, sgd, (3, 4), "float32", ntensors=2)


def test_tuples_of_arrays_are_compared_however_deep():
    one = mx.nd.array(onp.arange(3))
    compare_ndarray_tuple((one, (one, None)), (one + 0, (one, one)))
    with pytest.raises(AssertionError):
        compare_ndarray_tuple((one, (one,)), (one, (one + 1,)))
