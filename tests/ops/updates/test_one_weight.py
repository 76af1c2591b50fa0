"""Update operators, beside the real MXNet 1.9.1."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as onp
import pytest

import gluonish as mx
from gluonish import nd

GOLDEN = Path(__file__).parents[2] / "golden"
OPS = json.loads((GOLDEN / "update_ops.json").read_text())
CASES = [(name, number) for name, (_, settings) in OPS.items() for number in range(len(settings))]


def find(name):
    function = nd
    for part in name.split("."):
        function = getattr(function, part)
    return function


@pytest.mark.parametrize(("name", "number"), CASES)
def test_three_updates_equal_mxnets(name, number):
    golden = onp.load(GOLDEN / "update_ops.npz")
    states, settings = OPS[name]
    options = dict(settings[number])
    random = onp.random.RandomState(5)
    is_half = name.rpartition(".")[2].startswith("mp_")
    dtype = "float16" if is_half else "float32"

    def draw(kind):
        return nd.array(random.randn(4, 3).astype("float32"), dtype=kind)

    weight = draw(dtype)
    arrays = [nd.zeros((4, 3)) for _ in range(states)]
    if states < 0:
        arrays = [nd.array([1.5]), nd.array([0.7])]
    if is_half:
        arrays.append(weight.astype("float32"))
    scale = [nd.array([options.pop("rescale_grad", 1.0)])] if "adamw" in name else []
    if "phase1" not in name:
        options.setdefault("lr", 0.1)
        options["out"] = weight
    for _ in range(3):
        grad = draw("float32" if "phase2" in name else dtype)
        fresh = find(name)(weight, grad, *arrays, *scale, **options)
    for place, array in enumerate((weight, fresh, *arrays)):
        expected = golden[f"{name}/{number}/{place}"]
        tolerance = 1e-3 if array.dtype == onp.float16 else 1e-5
        onp.testing.assert_allclose(array.asnumpy(), expected, rtol=tolerance, atol=tolerance)


def test_the_weight_stays_without_out():
    weight, momentum = nd.ones((2,)), nd.zeros((2,))
    fresh = nd.sgd_mom_update(weight, nd.ones((2,)), momentum, lr=0.5, momentum=0.9)
    assert weight.asnumpy().tolist() == [1, 1]
    assert fresh.asnumpy().tolist() == [0.5, 0.5]
    assert momentum.asnumpy().tolist() == [-0.5, -0.5]


def test_the_factor_on_the_gradient_may_be_a_number():
    weight, means = nd.ones((2,)), nd.zeros((2, 2))
    for scale in (2.0, nd.array([2.0])):
        fresh = nd.contrib.adamw_update(weight, weight, *means.copy(), scale, lr=0.1, eta=1.0)
        assert fresh.asnumpy() == pytest.approx([0.683772, 0.683772], rel=1e-4)


def test_group_adagrad_is_the_optimizers():
    optimizer = mx.optimizer.contrib.GroupAdaGrad(learning_rate=0.1, clip_gradient=0.5)
    weight, sums = nd.ones((3, 2)), nd.zeros((3, 1))
    other, state = nd.ones((3, 2)), nd.zeros((3, 1))
    for step in range(3):
        grad = nd.array([[0.1, step], [2, -1], [0, 0.3]])
        optimizer.update(0, weight, grad, sums)
        nd.contrib.group_adagrad_update(other, grad, state, out=other, lr=0.1, clip_gradient=0.5)
    assert other.asnumpy().tolist() == weight.asnumpy().tolist()
    assert state.asnumpy().tolist() == sums.asnumpy().tolist()


def test_lamb_steps_change_the_float32_copy():
    half, master = nd.array([1, 2], dtype="float16"), nd.array([1.1, 2.1])
    norms = nd.array([1.5]), nd.array([0.75])
    direction = nd.array([1, -1])
    for expected in ([0.9, 2.3], [0.7, 2.5]):
        nd.mp_lamb_update_phase2(half, direction, *norms, master, lr=0.1, out=half)
        assert master.asnumpy() == pytest.approx(expected, rel=1e-6)
        assert half.asnumpy() == pytest.approx(expected, rel=1e-3)


# What MXNet 1.9.1 gives after so many updates: LAMB's direction of a step, FTML's divisor.
BY_NUMBER = [(2, 0.139, 121.2), (50, 0.1328, 38.25)]


@pytest.mark.parametrize(("number", "direction", "divisor"), BY_NUMBER)
def test_powers_of_betas_are_rounded_to_half(number, direction, divisor):
    half = [nd.ones(1, dtype="float16") * value for value in (1, 0.5, 0.5, 0.7, 0.2)]
    found = nd.lamb_update_phase1(*half[:4], t=number, wd=0.0).asscalar()
    assert found == pytest.approx(direction, rel=2e-3)
    half = [nd.ones(1, dtype="float16") * value for value in (1, 0.5, 0.5, 0.7, 0.2)]
    nd.ftml_update(*half, lr=0.1, t=number, out=half[0])
    assert half[2].asscalar() == pytest.approx(divisor, rel=2e-3)
