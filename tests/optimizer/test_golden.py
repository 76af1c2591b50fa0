"""Optimizers follow the real MXNet 1.9.1, step by step."""

from __future__ import annotations

import inspect

import numpy as onp
import pytest

import gluonish as mx
from tests.optimizer.golden import CASES, DESCRIBED, EXPECTED, make, start


def masters_of(updater):
    position = updater.optimizer.master_position
    return [updater.states[index][position] for index in sorted(updater.states)]


def tolerance(case):
    # MXNet rounds each square in the norm of a float16 weight to float16; here it is exact.
    is_rough = case.get("dtype") == "float16" and case["optimizer"] in ("lamb", "lars")
    return 1e-4 if is_rough else 1e-5


@pytest.mark.parametrize("name", CASES)
def test_ten_steps_equal_mxnets(name):
    case = CASES[name]
    weights, steps = start(case)
    updater = mx.optimizer.get_updater(make(case))
    mx.random.seed(23)
    for grads, expected in zip(steps, EXPECTED[name], strict=True):
        updater(list(range(len(weights))), grads, weights)
        shown = masters_of(updater) if case.get("dtype") == "float16" else weights
        values = onp.concatenate([array.asnumpy().ravel() for array in shown])
        onp.testing.assert_allclose(values, expected, rtol=1e-5, atol=tolerance(case))
    if case.get("dtype") == "float16":
        for weight, master in zip(weights, masters_of(updater), strict=True):
            assert (weight.asnumpy() == master.asnumpy().astype("float16")).all()


@pytest.mark.parametrize("name", [name for name in CASES if name.endswith("decay_clip")])
def test_weights_one_by_one_follow_mxnet_too(name):
    case = CASES[name]
    weights, steps = start(case)
    updater = mx.optimizer.get_updater(make(case))
    mx.random.seed(23)
    for grads in steps:
        for index, (grad, weight) in enumerate(zip(grads, weights, strict=True)):
            updater(index, grad, weight)
    values = onp.concatenate([weight.asnumpy().ravel() for weight in weights])
    onp.testing.assert_allclose(values, EXPECTED[name][-1], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", DESCRIBED["signatures"])
def test_arguments_and_defaults_are_mxnets(name):
    cls = mx.optimizer.Optimizer.opt_registry[name]
    parameters = list(inspect.signature(cls.__init__).parameters.values())[1:]
    ours = [[p.name, p.default] for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    assert ours == DESCRIBED["signatures"][name]
