"""Losses give the real MXNet's values and gradients, and explain what they can't compute."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as onp
import pytest
from closeness import assert_close

import gluonish as mx
from gluonish.gluon import loss as losses

_GOLDEN = Path(__file__).parents[1] / "golden"
_ROWS = json.loads((_GOLDEN / "loss.json").read_text())["rows"]


@pytest.fixture(scope="module")
def arrays() -> dict[str, onp.ndarray[Any, Any]]:
    with onp.load(_GOLDEN / "loss.npz") as stored:
        return dict(stored)


def _inputs(
    row: dict[str, Any], arrays: dict[str, onp.ndarray[Any, Any]], front: str
) -> list[mx.nd.NDArray | None]:
    array = mx.nd.array if front == "nd" else mx.np.array
    keys = [f"{row['key']}/in{index}" for index in range(row["inputs"])]
    inputs = [array(arrays[key]) if key in arrays else None for key in keys]
    inputs[0].attach_grad()
    return inputs


@pytest.mark.parametrize("mode", ["eager", "hybridized"])
@pytest.mark.parametrize("front", ["nd", "np"])
@pytest.mark.parametrize("row", _ROWS, ids=lambda row: row["key"])
@pytest.mark.filterwarnings("ignore:.*labels from")
def test_loss_gives_mxnets_values_and_gradients(
    row: dict[str, Any], front: str, mode: str, arrays: dict[str, onp.ndarray[Any, Any]]
) -> None:
    block = getattr(losses, row["loss"])(**row["options"])
    assert repr(block) == row["repr"]
    if mode == "hybridized":
        block.hybridize()
    start = f"{row['key']}/np_" if front == "np" and row["np"] else f"{row['key']}/"
    for _ in range(2):
        inputs = _inputs(row, arrays, front)
        with mx.autograd.record():
            loss = block(*inputs)
        loss.backward()
        assert type(loss) is type(inputs[0])
        found = {"loss": loss, "grad": inputs[0].grad}
        for name in found.keys() & {key.removeprefix(start) for key in arrays}:
            golden = arrays[start + name]
            assert found[name].shape == golden.shape
            steps = 640 if row["loss"] == "SDMLLoss" else 64  # distances of other summation order
            assert_close(found[name], golden, steps=steps)


def test_every_loss_of_mxnet_is_there() -> None:
    assert {row["loss"] for row in _ROWS} <= set(losses.__all__)
    assert losses.SoftmaxCELoss is losses.SoftmaxCrossEntropyLoss
    assert losses.SigmoidBCELoss is losses.SigmoidBinaryCrossEntropyLoss
    assert len(losses.__all__) == 17


def test_loss_has_its_class_as_prefix() -> None:
    assert losses.L2Loss().prefix.startswith("l2loss")
    assert losses.L2Loss(prefix="mine_").prefix == "mine_"


@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
def test_class_numbers_of_any_dtype(dtype: str) -> None:
    pred = mx.nd.array([[1, 2, 3], [3, 2, 1]])
    expected = losses.SoftmaxCELoss()(pred, mx.nd.array([2, 1])).asnumpy()
    ours = losses.SoftmaxCELoss()(pred, mx.nd.array([2, 1], dtype=dtype))
    onp.testing.assert_array_equal(ours.asnumpy(), expected)


def test_sigmoid_loss_is_finite_for_large_numbers() -> None:
    loss = losses.SigmoidBCELoss()(mx.nd.array([[100, -100]]), mx.nd.array([[0, 0]]))
    assert loss.asnumpy().tolist() == [50.0]


def test_full_poisson_loss_of_zero_counts_is_finite() -> None:
    loss = losses.PoissonNLLLoss(compute_full=True)(mx.nd.zeros((2,)), mx.nd.zeros((2,)))
    assert loss.asnumpy().tolist() == [1.0]


def test_weight_has_to_be_a_number() -> None:
    for make in (losses.L1Loss, losses.L2Loss):
        with pytest.raises(TypeError, match="weight='a' was given; weight must be a number"):
            make(weight="a")
    with pytest.raises(TypeError, match="weight=None was given; weight must be a number"):
        losses.L2Loss(weight=None)


def test_layouts_of_ctc_are_checked() -> None:
    with pytest.raises(AssertionError, match=r"'NTC' and 'TNC' layouts for pred .* Got: foo"):
        losses.CTCLoss(layout="foo")
    with pytest.raises(AssertionError, match=r"'NT' and 'TN' layouts for label .* Got: foo"):
        losses.CTCLoss(label_layout="foo")


def test_label_format_is_checked() -> None:
    with pytest.raises(ValueError, match="label_format can only be signed or binary"):
        losses.LogisticLoss(label_format="foo")


def test_loss_without_forward_says_so() -> None:
    with pytest.raises(NotImplementedError, match=r"hybrid_forward\(\) is not defined"):
        losses.Loss(None, 0)(mx.nd.ones((2,)), mx.nd.ones((2,)))


def test_wrong_number_of_labels_is_explained() -> None:
    pred = mx.nd.ones((3, 4))
    with pytest.raises(mx.MXNetError, match=r"SoftmaxCrossEntropyLoss: .*\(3, 4\).*\(2,\)"):
        losses.SoftmaxCELoss()(pred, mx.nd.ones((2,)))
    with pytest.raises(mx.MXNetError, match=r"L2Loss: .*\(3, 4\).*\(3,\)"):
        losses.L2Loss()(pred, mx.nd.ones((3,)))
    with pytest.raises(mx.MXNetError, match=r"L1Loss: pred has shape \(3, 4\), label"):
        losses.L1Loss()(pred, mx.nd.ones((3,)))


@pytest.mark.parametrize("kind", [list, tuple])
def test_weights_of_samples_in_a_list_are_refused(kind) -> None:
    loss = losses.SoftmaxCrossEntropyLoss()
    pred, label, weights = mx.nd.ones((3, 2)), mx.nd.array([0, 1, 1]), mx.nd.array([[1], [0], [2]])
    with pytest.raises(TypeError, match=r"a (list|tuple) of 3 .* of shape \(3, 1\).*\(-1, 1\)"):
        loss(pred, label, kind([1.0, 0.0, 2.0]))
    values = loss(pred, label).asnumpy() * [1, 0, 2]
    assert_close(loss(pred, label, weights).asnumpy(), values)


@pytest.mark.parametrize("hybridize", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
def test_labels_that_name_no_class_count_as_the_nearest(hybridize: bool, dtype: str) -> None:
    """A graph that was captured with other labels must not rely on theirs."""
    loss = losses.SoftmaxCrossEntropyLoss()
    if hybridize:
        loss.hybridize()
    pred = mx.nd.arange(12).reshape((4, 3))
    named = mx.nd.array([0, 2, 1, 0], dtype=dtype)
    for _ in range(4):
        expected = loss(pred, named).asnumpy()
    for outside in ([-100, 7, 1, -1], [-1, 3, 1, -(2**30)]):
        found = loss(pred, mx.nd.array(outside, dtype=dtype)).asnumpy()
        assert found.tolist() == expected.tolist()
    with mx.autograd.record():
        outputs = loss(pred, mx.nd.array([-100, 7, 1, -1], dtype=dtype))
    assert outputs.asnumpy().tolist() == expected.tolist()
