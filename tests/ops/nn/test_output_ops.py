"""Operators with gradients of their own: values and gradients of the real MXNet 1.9.1."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as onp
import pytest
import torch
from closeness import assert_close
from torch.fx.experimental.proxy_tensor import make_fx

import gluonish as mx
from gluonish import autograd, nd
from gluonish.gluon import Trainer, nn
from gluonish.gluon.fused_step import FusedStep

if TYPE_CHECKING:
    from types import ModuleType

GOLDEN = Path(__file__).parents[2] / "golden"
MANIFEST = json.loads((GOLDEN / "output_ops.json").read_text())
ROWS = MANIFEST["rows"]
ARRAYS = dict(onp.load(GOLDEN / "output_ops.npz"))


def close(found: nd.NDArray, golden: onp.ndarray[Any, Any]) -> None:
    assert found.shape == golden.shape
    onp.testing.assert_allclose(found.asnumpy(), golden, rtol=2e-5, atol=2e-6)


def values(row: dict[str, Any]) -> dict[str, nd.NDArray]:
    kinds = ("data", "label", "head")
    return {kind: nd.array(ARRAYS[f"{row['name']}/{kind}"]) for kind in kinds}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_output_operator_has_mxnets_value_and_gradient(row: dict[str, Any]) -> None:
    given = values(row)
    given["data"].attach_grad()
    given["label"].attach_grad("add")
    given["label"].grad[:] = 1
    with autograd.record():
        result = getattr(nd, row["op"])(given["data"], given["label"], **row["options"])
    close(result, ARRAYS[f"{row['name']}/result"])
    result.backward(given["head"])
    close(given["data"].grad, ARRAYS[f"{row['name']}/gradient"])
    assert (given["label"].grad.asnumpy() == 1).all()


class Output(nn.HybridBlock):
    def __init__(self, op: str, options: dict[str, Any]) -> None:
        super().__init__()
        self.op, self.options = op, options

    def hybrid_forward(self, F: ModuleType, data: nd.NDArray, label: nd.NDArray) -> nd.NDArray:
        return getattr(F, self.op)(data, label, **self.options)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_output_operator_is_the_same_hybridized(row: dict[str, Any]) -> None:
    given, net = values(row), Output(row["op"], row["options"])
    net.hybridize(backend="fx")
    given["data"].attach_grad()
    for _ in range(3):
        with autograd.record():
            result = net(given["data"], given["label"])
        result.backward(given["head"])
    assert net.graph is not None
    close(result, ARRAYS[f"{row['name']}/result"])
    close(given["data"].grad, ARRAYS[f"{row['name']}/gradient"])


@pytest.mark.parametrize("dtype", ["float16", "float64"])
def test_output_operators_keep_the_dtype(dtype: str) -> None:
    for op in ("SoftmaxOutput", "SVMOutput", "LinearRegressionOutput", "MAERegressionOutput"):
        label = nd.array([1, 0], dtype="int32")
        x = nd.array([[1, 2], [3, 5]], dtype=dtype)
        x.attach_grad()
        with autograd.record():
            y = getattr(nd, op)(x, label if op[0] == "S" else x + 1)
        y.backward()
        assert y.dtype == x.grad.dtype == onp.dtype(dtype)
        assert x.grad.asnumpy().any()


@pytest.mark.parametrize("options", [{"use_ignore": True}, {"normalization": "valid"}, {}])
def test_softmax_output_of_double_precision_is_exact(options: dict[str, Any]) -> None:
    random = onp.random.default_rng(1)
    data, label = random.standard_normal((7, 3)), onp.array([0, 1, 2, 0, 1, 2, 0])
    x = nd.array(data, dtype="float64")
    x.attach_grad()
    with autograd.record():
        y = nd.SoftmaxOutput(x, nd.array(label), grad_scale=1 / 3, **options)
    y.backward()
    exact = (onp.exp(data) / onp.exp(data).sum(1, keepdims=True) - onp.eye(3)[label]) / 3
    exact /= 7 if "normalization" in options else 1
    onp.testing.assert_allclose(x.grad.asnumpy(), exact, rtol=1e-12)


@pytest.mark.parametrize("label", [[1, 0], [[0.5, 0.25, 0.25]] * 2])
def test_out_grad_multiplies_by_the_head_gradient(label: list[Any]) -> None:
    x, head = nd.array([[1, 2, 3], [0, 2, 1]]), nd.array([[3, 1, 2], [5, 7, 0]])
    found = []
    for options in ({}, {"out_grad": True}):
        x.attach_grad()
        with autograd.record():
            y = nd.SoftmaxOutput(x, nd.array(label), **options)
        y.backward(head)
        found.append(x.grad.asnumpy())
    assert_close(found[1], found[0] * head.asnumpy())


def test_smoothing_works_along_channels_too() -> None:
    data, label = nd.random.normal(shape=(2, 3, 4)), nd.array([[0, 1, 2, 0], [2, 1, -1, 0]])
    found = []
    for x, y, options in (
        (data, label, {"multi_output": True}),
        (data.transpose((0, 2, 1)), label, {"preserve_shape": True, "grad_scale": 0.25}),
    ):
        x = x.copy()
        x.attach_grad()
        with autograd.record():
            result = nd.SoftmaxOutput(x, y, smooth_alpha=0.2, **options)
        result.backward()
        found.append(x.grad)
    assert_close(
        found[0].asnumpy(),
        found[1].transpose((0, 2, 1)).asnumpy(),
    )


def test_examples_of_several_axes_take_one_label_each() -> None:
    x = nd.random.normal(shape=(2, 3, 1, 1))
    flat = x.reshape((2, 3)).copy()
    for array in (x, flat):
        array.attach_grad()
        with autograd.record():
            y = nd.SoftmaxOutput(array, nd.array([2, 0]), normalization="batch")
        y.backward()
    onp.testing.assert_array_equal(x.grad.asnumpy().reshape(2, 3), flat.grad.asnumpy())


def test_sparse_penalty_has_mxnets_gradient_and_moving_average() -> None:
    average = nd.array(ARRAYS["sparse/before"])
    for step in range(2):
        x = nd.array(ARRAYS[f"sparse/data{step}"])
        x.attach_grad()
        with autograd.record():
            y = nd.IdentityAttachKLSparseReg(x, average, **MANIFEST["sparse"])
        y.backward(nd.array(ARRAYS[f"sparse/head{step}"]))
        close(y, ARRAYS[f"sparse/result{step}"])
        close(x.grad, ARRAYS[f"sparse/gradient{step}"])
        close(average, ARRAYS[f"sparse/after{step}"])
    nd.IdentityAttachKLSparseReg(x, average)
    close(average, ARRAYS["sparse/after1"])


def objective(scores: nd.NDArray, label: nd.NDArray) -> nd.NDArray:
    return nd.SoftmaxOutput(scores, label, use_ignore=True, normalization="batch")


def train(*, fused: bool) -> tuple[onp.ndarray[Any, Any], list[str]]:
    mx.random.seed(3)
    net = nn.HybridSequential()
    net.add(nn.Dense(8, activation="relu", in_units=4), nn.Dense(3, in_units=8))
    net.initialize(mx.init.Xavier())
    trainer = Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    step = FusedStep(net, objective, trainer)
    random = onp.random.default_rng(5)
    data, label = nd.array(random.standard_normal((6, 4))), nd.array([0, 1, 2, -1, 1, 7])
    for _ in range(12):
        if fused:
            step(data, label)
        else:
            with autograd.record():
                result = objective(net(data), label)
            result.backward()
            trainer.step(6)
    return net[1].weight.data().asnumpy(), [row.backend for row in step.hybrid_report().rows]


@pytest.mark.usefixtures("instant")
def test_fused_step_differentiates_an_output_operator() -> None:
    expected, _ = train(fused=False)
    found, backends = train(fused=True)
    assert "aot" in backends
    onp.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("op", ["SoftmaxOutput", "SVMOutput"])
def test_labels_outside_of_the_classes_are_safe_in_a_traced_step(op: str) -> None:
    data, label = torch.randn(4, 3), torch.tensor([0.0, 1.0, 2.0, 2.0])
    function = getattr(nd, op)

    def step(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        x = x.detach().requires_grad_()
        array = nd.NDArray(x)
        with autograd.record():
            result = function(array, nd.NDArray(y))._tensor
        return torch.autograd.grad(result, x, torch.ones_like(result))[0]

    traced = make_fx(step, tracing_mode="fake")(data, label)
    outside = torch.tensor([0.0, -1.0, 7.0, 2.0])
    torch.testing.assert_close(traced(data, outside), step(data, outside))


def test_second_derivative_is_refused() -> None:
    x = nd.array([[1, 2]])
    x.attach_grad()
    with autograd.record():
        y = nd.SoftmaxOutput(x, nd.array([1]))
        (first,) = autograd.grad(y, x, create_graph=True, retain_graph=True)
    with pytest.raises(mx.MXNetError):
        first.backward()


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (
            "nd.SoftmaxOutput(x, nd.ones((3, 1)))",
            ValueError,
            (
                "SoftmaxOutput: data of shape (3, 4) and a label of shape (3, 1) were given. "
                "Expected a label of shape (3,), or of the data's shape if it holds probabilities"
            ),
        ),
        (
            "nd.SoftmaxOutput(x.reshape((1, 3, 4)), nd.ones((1, 3)), multi_output=True)",
            ValueError,
            "Expected a label of shape (1, 4) or (1, 1, 4), or of",
        ),
        (
            "nd.SoftmaxOutput(x, y, normalization='mean')",
            ValueError,
            "normalization='mean' was given. Expected 'null', 'batch' or 'valid'.",
        ),
        ("nd.SoftmaxOutput(x.astype('int32'), y)", TypeError, "Expected a floating-point dtype."),
        (
            "nd.LinearRegressionOutput(x, y)",
            ValueError,
            (
                "data of shape (3, 4) and a label of shape (3,) were given. "
                "Expected one number in the label for each in the data. Reshape one of them."
            ),
        ),
        ("nd.MAERegressionOutput(x, nd.ones((4, 3)))", ValueError, "Reshape one of them."),
        ("nd.LogisticRegressionOutput(x.astype('int32'), x)", TypeError, "dtype. Convert it"),
        (
            "nd.SVMOutput(x, x)",
            ValueError,
            (
                "SVMOutput: data of shape (3, 4) and a label of shape (3, 4) were given. "
                "Expected one label per row: shape (3,). Reshape the label."
            ),
        ),
        (
            "nd.IdentityAttachKLSparseReg(x, y)",
            ValueError,
            "a moving average of shape (3,) were given. Expected data of shape (batch, units)",
        ),
    ],
)
def test_output_operators_refuse_what_does_not_fit(call: str, kind: type, message: str) -> None:
    given = {"nd": nd, "x": nd.ones((3, 4)), "y": nd.ones(3)}
    with pytest.raises(kind, match=re.escape(message)) as caught:
        eval(call, given)
    assert isinstance(caught.value, mx.MXNetError)
