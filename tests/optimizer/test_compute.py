"""What optimizers compute is a pure function, which a graph can hold for all steps to come."""

from __future__ import annotations

import pytest
import torch
from closeness import assert_close
from torch.fx.experimental.proxy_tensor import make_fx

import gluonish as mx
from gluonish import nd
from gluonish.optimizer.base import columns_of
from tests.optimizer.golden import CASES, make, start

OPTIMIZERS = {
    name: kind
    for name, kind in mx.optimizer.Optimizer.opt_registry.items()
    if kind.__module__.startswith("gluonish.") and not name.startswith("_")
}
# Those that MXNet does not have are traced with their defaults.
ASKED = {case["optimizer"] for case in CASES.values()}
ALL = CASES | {
    f"{name}-scheduled": {"optimizer": name, "args": {"learning_rate": 0.05}}
    for name in sorted(OPTIMIZERS.keys() - ASKED)
}
TRACED = [
    name
    for name, case in ALL.items()
    if OPTIMIZERS[case["optimizer"]].is_traceable and name.endswith(("clip", "scheduled", "half"))
]


class Step:
    """One step of an optimizer, by tensors."""

    def __init__(self, case):
        self.optimizer = make(case)
        arrays, self.grads = start(case)
        self.indices = list(range(len(arrays)))
        states = [
            self.optimizer.create_state_multi_precision(index, array)
            for index, array in enumerate(arrays)
        ]
        self.weights = [array._tensor for array in arrays]
        self.columns = columns_of(states)
        half = case.get("dtype") == "float16"
        optimizer = self.optimizer
        self.compute = optimizer.compute_multi_precision if half else optimizer.compute

    def factors(self):
        self.optimizer._update_count(self.indices)
        return self.optimizer.factors(self.indices)

    def gradients(self, step):
        return [array._tensor for array in self.grads[step]]

    def everything(self):
        return [*self.weights, *(tensor for column in self.columns for tensor in column)]


def as_tensors(factors):
    """Return factors as tensors, one for all weights where all numbers are equal."""
    return {
        name: [torch.tensor(values[0])] * len(values)
        if len(set(values)) == 1
        else [torch.tensor(value) for value in values]
        for name, values in factors.items()
    }


@pytest.mark.parametrize("name", TRACED)
def test_factors_may_be_tensors(name):
    plain, traced = Step(ALL[name]), Step(ALL[name])
    for step in range(4):
        plain.compute(plain.weights, plain.gradients(step), plain.columns, plain.factors())
        factors = as_tensors(traced.factors())
        traced.compute(traced.weights, traced.gradients(step), traced.columns, factors)
        for one, other in zip(plain.everything(), traced.everything(), strict=True):
            assert_close(one, other, steps=64)


@pytest.mark.parametrize("name", [name for name in TRACED if not name.endswith("clip")])
def test_one_graph_does_all_steps(name):
    plain, traced = Step(ALL[name]), Step(ALL[name])
    graph = None
    for step in range(4):
        plain.compute(plain.weights, plain.gradients(step), plain.columns, plain.factors())
        inputs = (
            traced.weights,
            traced.gradients(step),
            traced.columns,
            {name: list(map(torch.tensor, row)) for name, row in traced.factors().items()},
        )
        if graph is None:
            kept = [tensor.clone() for tensor in traced.everything()]
            graph = make_fx(lambda *arguments: traced.compute(*arguments))(*inputs)
            for tensor, value in zip(traced.everything(), kept, strict=True):
                tensor.copy_(value)
        graph(*inputs)
        for one, other in zip(plain.everything(), traced.everything(), strict=True):
            assert_close(one, other, steps=64)


def test_all_but_random_ones_and_your_own_are_traceable():
    class Own(mx.optimizer.SGD):
        def update(self, index, weight, grad, state):
            weight[:] = 0

    class Derived(mx.optimizer.SGD):
        pass

    assert [name for name, one in OPTIMIZERS.items() if not one.is_traceable] == ["sgld"]
    assert Derived.is_traceable
    assert not Own.is_traceable


def test_weights_with_and_without_a_copy_are_updated_together():
    optimizer = mx.optimizer.Nadam(learning_rate=0.1, multi_precision=True)
    alone = mx.optimizer.Nadam(learning_rate=0.1)
    dtypes = ("float16", "float32", "float16")
    weights = [nd.ones((2,), dtype=dtype) for dtype in dtypes]
    others = [nd.ones((2,)) for _ in dtypes]
    updater, other = mx.optimizer.get_updater(optimizer), mx.optimizer.get_updater(alone)
    for _ in range(3):
        updater([0, 1, 2], [nd.ones((2,), dtype=dtype) for dtype in dtypes], weights)
        other([0, 1, 2], [nd.ones((2,)) for _ in dtypes], others)
    for weight, exact in zip(weights, others, strict=True):
        assert weight.asnumpy() == pytest.approx(exact.asnumpy(), rel=1e-3)
