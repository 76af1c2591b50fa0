"""The operator RNN beside the real MXNet's, and beside formulas written out."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as onp
import pytest
from closeness import assert_close

import gluonish as mx
from gluonish import autograd, nd, npx
from gluonish.errors import (
    DTypeError,
    InvalidArgumentError,
    MXNetError,
    ShapeError,
    StateCountError,
    UnknownModeError,
)

GOLDEN = Path(__file__).parents[2] / "golden"
KNOWN = json.loads((GOLDEN / "rnn.json").read_text())
OPERATORS = [name for name in KNOWN if name.startswith("op_")]
GATES = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}


def arguments(
    mode: str = "lstm", num_layers: int = 1, bidirectional: bool = False, **options: Any
) -> dict[str, Any]:
    """Return arguments of a call with 5 steps, 3 sequences, 2 features and 4 units."""
    random = onp.random.RandomState(3)
    directions, units = 1 + bidirectional, 4
    out = options.get("projection_size") or units
    size = 0
    for layer in range(num_layers):
        features = out * directions if layer else 2
        size += directions * GATES[mode] * units * (features + out + 2)
        size += directions * out * units if "projection_size" in options else 0
    found = {
        "data": nd.array(random.normal(size=(5, 3, 2))),
        "parameters": nd.array(random.normal(scale=0.6, size=(size,))),
        "state": nd.array(random.normal(size=(num_layers * directions, 3, out))),
    }
    if mode == "lstm":
        found["state_cell"] = nd.array(random.normal(size=(num_layers * directions, 3, units)))
    return found | {
        "state_size": units,
        "num_layers": num_layers,
        "mode": mode,
        "bidirectional": bidirectional,
        "state_outputs": True,
        **options,
    }


def sigmoid(x: onp.ndarray[Any, Any]) -> onp.ndarray[Any, Any]:
    return 1 / (1 + onp.exp(-x))


def steps(mode: str, given: dict[str, Any]) -> onp.ndarray[Any, Any]:
    """Return the outputs of one layer in one direction, by the formulas."""
    x, w = given["data"].asnumpy(), given["parameters"].asnumpy()
    h = given["state"].asnumpy()[0]
    rows, units = GATES[mode] * 4, 4
    i2h, h2h = w[: rows * 2].reshape(rows, 2), w[rows * 2 : rows * 6].reshape(rows, units)
    i_bias, h_bias = w[rows * 6 : rows * 7], w[rows * 7 :]
    c = given["state_cell"].asnumpy()[0] if mode == "lstm" else None
    outputs = []
    for step in x:
        a, b = step @ i2h.T + i_bias, h @ h2h.T + h_bias
        if mode == "lstm":
            enter, keep, value, leave = onp.split(a + b, 4, axis=1)
            c = sigmoid(keep) * c + sigmoid(enter) * onp.tanh(value)
            h = sigmoid(leave) * onp.tanh(c)
        elif mode == "gru":
            reset, update, new = zip(onp.split(a, 3, axis=1), onp.split(b, 3, axis=1), strict=True)
            r, z = sigmoid(sum(reset)), sigmoid(sum(update))
            h = (1 - z) * onp.tanh(new[0] + r * new[1]) + z * h
        else:
            h = onp.tanh(a + b) if mode == "rnn_tanh" else onp.maximum(a + b, 0)
        outputs.append(h)
    return onp.stack(outputs)


@pytest.mark.parametrize("mode", GATES)
def test_one_layer_follows_the_formulas(mode: str) -> None:
    given = arguments(mode)
    output, last, *_ = nd.RNN(**given)
    onp.testing.assert_allclose(output.asnumpy(), steps(mode, given), 1e-5, 1e-6)
    onp.testing.assert_allclose(last.asnumpy()[0], output.asnumpy()[-1], 1e-6)


@pytest.mark.parametrize("name", OPERATORS)
def test_outputs_and_states_are_those_of_mxnet(name: str) -> None:
    options = dict(KNOWN[name])
    size, shape = options.pop("size"), options.pop("shape")
    random = onp.random.RandomState(3)
    vector = nd.array(random.normal(scale=0.4, size=(size,)))
    rows = options["num_layers"] * (1 + options.get("bidirectional", False))
    sizes = [options.get("projection_size") or options["state_size"]]
    sizes += [options["state_size"]] if options["mode"] == "lstm" else []
    states = [nd.array(random.normal(size=(rows, shape[1], each))) for each in sizes]
    data = nd.array(onp.random.RandomState(7).normal(size=shape))
    outputs = nd.RNN(data, vector, *states, state_outputs=True, **options)
    with onp.load(GOLDEN / "rnn.npz") as recorded:
        for number, output in enumerate(outputs):
            onp.testing.assert_allclose(
                output.asnumpy(), recorded[f"{name}/output{number}"], 1e-5, 1e-6
            )


def test_states_are_returned_on_request_only() -> None:
    given = arguments("gru") | {"state_outputs": False}
    output = nd.RNN(**given)
    assert type(output) is nd.NDArray
    assert output.shape == (5, 3, 4)


def test_npx_has_it_for_np_arrays() -> None:
    given = arguments("gru")
    arrays = {
        key: mx.np.array(value.asnumpy()) if isinstance(value, nd.NDArray) else value
        for key, value in given.items()
    }
    output, state = npx.rnn(**arrays)
    assert type(output) is mx.np.ndarray
    onp.testing.assert_array_equal(output.asnumpy(), nd.RNN(**given)[0].asnumpy())
    onp.testing.assert_array_equal(state.asnumpy(), nd.RNN(**given)[1].asnumpy())


@pytest.mark.parametrize("options", [{}, {"projection_size": 3}])
@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize("mode", GATES)
def test_sequences_end_where_their_length_says(
    mode: str, bidirectional: bool, options: dict[str, int]
) -> None:
    if options and mode != "lstm":
        options = {}
    given = arguments(mode, 2, bidirectional, **options)
    lengths = [3, 5, 1]
    outputs, *states = nd.RNN(**given, sequence_length=nd.array(lengths), use_sequence_length=True)
    for number, length in enumerate(lengths):
        alone = dict(given)
        alone["data"] = given["data"][:length, number : number + 1]
        for state in ("state", "state_cell"):
            if state in given:
                alone[state] = given[state][:, number : number + 1]
        wanted, *wanted_states = nd.RNN(**alone)
        found = outputs.asnumpy()[:, number]
        assert_close(found[:length], wanted.asnumpy()[:, 0], steps=32)
        assert (found[length:] == 0).all()
        for state, each in zip(states, wanted_states, strict=True):
            assert_close(state.asnumpy()[:, number], each.asnumpy()[:, 0], steps=32)


def test_a_sequence_without_steps_keeps_its_states() -> None:
    given = arguments("lstm", 1, True)
    lengths = nd.array([0, 5, 2])
    outputs, h, c = nd.RNN(**given, sequence_length=lengths, use_sequence_length=True)
    assert (outputs.asnumpy()[:, 0] == 0).all()
    onp.testing.assert_array_equal(h.asnumpy()[:, 0], given["state"].asnumpy()[:, 0])
    onp.testing.assert_array_equal(c.asnumpy()[:, 0], given["state_cell"].asnumpy()[:, 0])


def test_lengths_may_stand_where_an_lstm_has_its_cell_state() -> None:
    given = arguments("gru")
    data, parameters, state = (given.pop(key) for key in ("data", "parameters", "state"))
    lengths = nd.array([1, 2, 3])
    outputs, _ = nd.RNN(data, parameters, state, lengths, use_sequence_length=True, **given)
    assert (outputs.asnumpy()[1:, 0] == 0).all()


@pytest.mark.parametrize("lengths", [None, [2, 5, 4]])
@pytest.mark.parametrize("options", [{}, {"projection_size": 3}])
def test_wide_limits_of_the_cell_state_change_nothing(
    options: dict[str, int], lengths: list[int] | None
) -> None:
    given = arguments("lstm", 2, True, **options)
    if lengths is not None:
        given |= {"sequence_length": nd.array(lengths), "use_sequence_length": True}
    limits = {"lstm_state_clip_min": -100.0, "lstm_state_clip_max": 100.0}
    for found, wanted in zip(nd.RNN(**given, **limits), nd.RNN(**given), strict=True):
        onp.testing.assert_allclose(found.asnumpy(), wanted.asnumpy(), 1e-5, 1e-6)


def test_the_cell_state_stays_within_its_limits() -> None:
    given = arguments("lstm", 2)
    _, _, cell = nd.RNN(**given, lstm_state_clip_min=-0.1, lstm_state_clip_max=0.05)
    values = cell.asnumpy()
    assert values.min() == onp.float32(-0.1)
    assert values.max() == onp.float32(0.05)


def test_nan_in_the_cell_state_becomes_the_lower_limit_on_request() -> None:
    given = arguments("lstm")
    given["state_cell"] = given["state_cell"] * math.nan
    limits = {"lstm_state_clip_min": -0.25, "lstm_state_clip_max": 1.0}
    assert onp.isnan(nd.RNN(**given, **limits)[2].asnumpy()).all()
    _, _, cell = nd.RNN(**given, **limits, lstm_state_clip_nan=True)
    assert not onp.isnan(cell.asnumpy()).any()


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"projection_size": 3},
        {"lstm_state_clip_min": -0.4, "lstm_state_clip_max": 0.4},
        {"use_sequence_length": True},
    ],
    ids=["plain", "projection", "limits", "lengths"],
)
def test_gradients_are_those_of_small_differences(options: dict[str, Any]) -> None:
    given = arguments("lstm", 2, True, **options)
    if options.get("use_sequence_length"):
        given["sequence_length"] = nd.array([2, 5, 0])
    weights = nd.random.normal(shape=(5, 3, 2 * given["state"].shape[2]), dtype="float64")
    names = ("data", "parameters", "state", "state_cell")
    for name in names:
        given[name] = given[name].astype("float64")
        given[name].attach_grad()

    def loss() -> nd.NDArray:
        output, h, c = nd.RNN(**given)
        return (output * weights).sum() + (h**2).sum() + c.sum()

    with autograd.record():
        total = loss()
    total.backward()
    random = onp.random.RandomState(5)
    for name in names:
        values, gradient = given[name].asnumpy(), given[name].grad.asnumpy()
        direction = random.normal(size=values.shape)
        ends = []
        for sign in (1, -1):
            given[name] = nd.array(values + sign * 1e-6 * direction, dtype="float64")
            ends.append(loss().asscalar())
        given[name] = nd.array(values, dtype="float64")
        slope = (ends[0] - ends[1]) / 2e-6
        assert slope == pytest.approx((gradient * direction).sum(), rel=1e-5), name


def test_dropout_between_layers_draws_the_masks_of_the_operator_dropout() -> None:
    given = arguments("gru", 2, p=0.5)
    parameters, state = given["parameters"], given["state"]
    first, second = 3 * 4 * (2 + 4), 3 * 4 * (4 + 4)
    weights, biases = parameters[: first + second], parameters[first + second :]
    with autograd.train_mode():
        mx.random.seed(4)
        output, _ = nd.RNN(**given)
        mx.random.seed(4)
        one = given | {"num_layers": 1, "state_outputs": False, "p": 0}
        one |= {"parameters": nd.concat(weights[:first], biases[:24], dim=0), "state": state[:1]}
        dropped = nd.Dropout(nd.RNN(**one), p=0.5)
        one |= {"parameters": nd.concat(weights[first:], biases[24:], dim=0), "state": state[1:]}
        wanted = nd.RNN(**one | {"data": dropped})
    onp.testing.assert_allclose(output.asnumpy(), wanted.asnumpy(), 1e-5, 1e-6)
    without = nd.RNN(**given | {"p": 0})[0].asnumpy()
    onp.testing.assert_array_equal(nd.RNN(**given)[0].asnumpy(), without)


ERRORS = {
    "rank": (
        {"data": nd.ones((5, 2))},
        ShapeError,
        r"LSTM: data of shape \(5, 2\) has 2 axes\. Expected rank 3, layout TNC",
    ),
    "no steps": ({"data": nd.zeros((0, 3, 2))}, ShapeError, r"has no steps\. Expected rank 3"),
    "features": (
        {"data": nd.ones((5, 3, 7))},
        ShapeError,
        r"RNN: parameters of shape \(128,\) were given for data of shape \(5, 3, 7\)",
    ),
    "batch": (
        {"data": nd.ones((5, 1, 2))},
        ShapeError,
        r"Invalid recurrent state shape\. Expecting \(1, 1, 4\), got \(1, 3, 4\)",
    ),
    "one state": ({"state_cell": None}, StateCountError, r"LSTM: 1 state was given\. Expected 2"),
    "mode": ({"mode": "LSTM"}, UnknownModeError, r"mode='LSTM' was given\. Expected one of 'gru'"),
    "no mode": ({"mode": None}, InvalidArgumentError, r"mode=None were given\. Expected all three"),
    "one limit": (
        {"lstm_state_clip_min": 1.0},
        InvalidArgumentError,
        r"state_clip_min=1\.0 and state_clip_max=None were given\. Expected both",
    ),
    "limits": (
        {"lstm_state_clip_min": 1.0, "lstm_state_clip_max": 0.0},
        InvalidArgumentError,
        r"the smaller one first",
    ),
    "dtype": (
        {"data": nd.ones((5, 3, 2), dtype="float64")},
        DTypeError,
        r"data of dtype float64 and states of dtype float32, float32 were given beside weights",
    ),
    "no lengths": (
        {"use_sequence_length": True},
        InvalidArgumentError,
        r"use_sequence_length=True was given without sequence_length",
    ),
    "lengths": (
        {"use_sequence_length": True, "sequence_length": nd.array([1, 2])},
        ShapeError,
        r"sequence_length has shape \(2,\)\. Expected \(3,\)",
    ),
    "long": (
        {"use_sequence_length": True, "sequence_length": nd.array([1, 2, 6])},
        InvalidArgumentError,
        r"sequence_length has values from 1 to 6\. Expected 0 to 5",
    ),
}


@pytest.mark.parametrize("case", ERRORS)
def test_bad_input_is_refused(case: str) -> None:
    change, kind, text = ERRORS[case]
    with pytest.raises(kind, match=text) as caught:
        nd.RNN(**arguments("lstm") | change)
    assert isinstance(caught.value, MXNetError)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"projection_size": 2}, r"GRU: projection_size=2 was given\. Expected it for mode='lstm'"),
        (
            {"lstm_state_clip_min": -1.0, "lstm_state_clip_max": 1.0},
            r"GRU: lstm_state_clip_min=-1\.0 was given",
        ),
    ],
)
def test_what_only_an_lstm_has_is_refused(change: dict[str, Any], text: str) -> None:
    with pytest.raises(InvalidArgumentError, match=text):
        nd.RNN(**arguments("gru") | change)


def test_an_unknown_mode_is_a_key_error_as_in_mxnet() -> None:
    with pytest.raises(KeyError, match=r"mode='lst' was given"):
        nd.RNN(**arguments("lstm") | {"mode": "lst"})


def test_shapes_of_parameters_and_states_are_inferred() -> None:
    class Packed(mx.gluon.HybridBlock):
        def __init__(self) -> None:
            super().__init__()
            for name in ("parameters", "state", "state_cell"):
                shape = (0,) if name == "parameters" else (0, 0, 0)
                own = {"init": "zeros", "shape": shape, "allow_deferred_init": True}
                setattr(self, name, self.params.get(name, **own))

        def hybrid_forward(self, F, x, parameters, state, state_cell):
            return F.RNN(x, parameters, state, state_cell, state_size=4, num_layers=2, mode="lstm")

    net = Packed()
    net.initialize()
    assert net(nd.ones((5, 3, 2))).shape == (5, 3, 4)
    assert net.parameters.shape == (288,)
    assert net.state.shape == net.state_cell.shape == (2, 3, 4)
