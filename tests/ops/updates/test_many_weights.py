"""Operators that update lists of weights, beside the real MXNet 1.9.1."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as onp
import pytest

from gluonish import nd
from gluonish.errors import InvalidArgumentError

GOLDEN = Path(__file__).parents[2] / "golden"
SETTINGS = json.loads((GOLDEN / "update_lists.json").read_text())
OPS = SETTINGS["ops"]
CASES = [(name, number) for name, (_, settings) in OPS.items() for number in range(len(settings))]
SHAPES = [(4, 3), (5,), (2, 2)]


def find(name):
    function = nd
    for part in name.split("."):
        function = getattr(function, part)
    return function


def call(name, columns, options, **more):
    options = dict(options)
    if name.startswith("contrib"):
        rates = [options.pop("lrs"), options.pop("wds")]
        if "adamw" in name:
            rates = [nd.array([options.pop("rescale_grad", 1.0)]), *rates, options.pop("etas")]
        else:
            rates = [options.pop("step_count"), *rates]
        return find(name)(*columns, *rates, **options, **more)
    arrays = [array for weight in zip(*columns, strict=True) for array in weight]
    if name.startswith("preloaded"):
        arrays += [nd.array(options.pop("lrs")), nd.array(options.pop("wds"))]
    return find(name)(*arrays, num_weights=len(SHAPES), **options, **more)


@pytest.mark.parametrize(("name", "number"), CASES)
def test_three_updates_equal_mxnets(name, number):
    golden = onp.load(GOLDEN / "update_lists.npz")
    states, settings = OPS[name]
    random = onp.random.RandomState(5)
    is_half = "_mp_" in name

    def draw():
        dtype = "float16" if is_half else "float32"
        return [nd.array(random.randn(*s).astype("float32"), dtype=dtype) for s in SHAPES]

    columns = [draw(), None, *([nd.zeros(s) for s in SHAPES] for _ in range(states))]
    columns[0][2][:] = 0
    if is_half:
        columns.append([weight.astype("float32") for weight in columns[0]])
    for _ in range(3):
        columns[1] = draw()
        result = call(name, columns, settings[number], out=columns[0])
        assert result is columns[0]
    del columns[1]
    arrays = [array for column in columns for array in column]
    for place, array in enumerate(arrays):
        # MXNet takes 1 - 0.999 in float32, and norms of half-precision steps in half precision.
        tolerance = 2e-3 if array.dtype is onp.float16 else 5e-5
        onp.testing.assert_allclose(
            array.asnumpy(), golden[f"{name}/{number}/{place}"], rtol=tolerance, atol=tolerance
        )


def test_weights_stay_without_out():
    w, v = nd.ones((1,)), nd.ones((2,))
    new = nd.multi_sgd_update(w, w, v, v, lrs=(0.5, 0.25), wds=(0, 0))
    assert [one.asnumpy().tolist() for one in new] == [[0.5], [0.75, 0.75]]
    assert w.asnumpy().tolist() == [1]
    assert v.asnumpy().tolist() == [1, 1]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda w: nd.multi_sgd_update(w, w, w, lrs=(1,), wds=(0,)), "3 arrays were given beside"),
        (
            lambda w: nd.multi_sgd_update(w, w, lrs=(1,), wds=(0,), num_weights=2),
            "Expected 2 for each weight, num_weights=2 times as many",
        ),
        (lambda w: nd.multi_sgd_update(w, w, lrs=(1, 2), wds=(0,)), "2 lrs were given for 1 wei"),
        (
            lambda w: nd.preloaded_multi_sgd_update(w, w, nd.ones((2,)), nd.ones((1,))),
            "2 learning rates were given for 1 weights",
        ),
        (
            lambda w: nd.preloaded_multi_sgd_update(w, w, nd.ones((1,)), nd.ones((3,))),
            "3 weight decays were given for 1 weights",
        ),
        (
            lambda w: nd.contrib.multi_adamw_update([w], [w, w], [w], [w], 1.0, (1,), (1,), (1,)),
            "lists of 1, 2, 1, 1 arrays were given",
        ),
        (
            lambda w: nd.contrib.multi_lamb_update([w], [w], [w], [w], (1,), (1,), (1,), 2),
            "Expected 2 of each",
        ),
        (
            lambda w: nd.contrib.multi_lamb_update([w], [w], [w], [w], (1, 2), (1,), (1,)),
            "2 step_count were given for 1 weights",
        ),
        (lambda w: nd.reset_arrays(w, num_arrays=2), "1 arrays and num_arrays=2 were given"),
    ],
)
def test_lists_that_do_not_fit_are_refused(make, message):
    with pytest.raises(InvalidArgumentError, match=message):
        make(nd.ones((2,)))
