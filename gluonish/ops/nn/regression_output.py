"""Regression and support-vector machines as a net's last operator, with gradients of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.errors import ShapeError
from gluonish.ops.table import FULL, Graph, Precision, Sparse, op
from gluonish.ops.table.explain import check_floats
from gluonish.ops.table.own_gradient import read_before, with_gradient

if TYPE_CHECKING:
    from collections.abc import Callable

    from gluonish.ops.table import Shape
    from gluonish.ops.table.own_gradient import Gradient, Value
    from gluonish.ops.table.registry import Function


def _target_shape(shapes: dict[str, Shape | None], **_: object) -> dict[str, Shape]:
    """Rule for an unknown label: the data's shape, or one number per row of a column."""
    data = shapes["data"]
    if data is None:
        return {}
    return {"label": data[:1] if len(data) == 2 and data[1] == 1 else data}


def _class_shape(shapes: dict[str, Shape | None], **_: object) -> dict[str, Shape]:
    """Rule for an unknown label: one number per row."""
    data = shapes["data"]
    return {} if data is None else {"label": data[:-1]}


def _output(name: str, loss: int) -> Callable[[Function], Function]:
    return op(
        nd=name,
        is_loose=True,
        shapes=_target_shape,
        graph=Graph(is_loss=True, label="label"),
        precision=Precision("full", loss=loss),
        sparse=Sparse(names=(name,)),
    )


@_output("LinearRegressionOutput", loss=2)
def linear_regression_output(data: Tensor, label: Tensor, grad_scale: float = 1.0) -> Tensor:
    """Return the data, with the gradient of half of its squared difference from a label.

    Parameters
    ----------
    data : Tensor, shape (batch, *)
        Predictions; floating-point numbers.
    label : Tensor, shape (batch, *), of as many numbers
        What they should be.
    grad_scale : float, default 1.0
        Factor of the gradient, which is also divided by the numbers per example.

    References
    ----------
    Agrees with what MXNet 1.9.1 computes; its `src/operator/regression_output-inl.h` fixes it.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([[3, 1]])
    >>> x.attach_grad()
    >>> with mx.autograd.record():
    ...     y = mx.nd.LinearRegressionOutput(x, mx.nd.array([[1, 1]]))
    >>> y.backward()
    >>> print(y.asnumpy(), x.grad.asnumpy())
    [[3. 1.]] [[1. 0.]]
    """
    return _regression("LinearRegressionOutput", _copy, _gap, data, label, grad_scale)


@_output("LogisticRegressionOutput", loss=3)
def logistic_regression_output(data: Tensor, label: Tensor, grad_scale: float = 1.0) -> Tensor:
    """Turn numbers into probabilities, with the gradient of their binary cross-entropy.

    Parameters
    ----------
    data : Tensor, shape (batch, *)
        Floating-point numbers, of which the logistic function is taken.
    label : Tensor, shape (batch, *), of as many numbers
        What the probabilities should be.
    grad_scale : float, default 1.0
        Factor of the gradient, which is also divided by the numbers per example.

    References
    ----------
    Agrees with what MXNet 1.9.1 computes; its `src/operator/regression_output-inl.h` fixes it.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([[0], [0]])
    >>> x.attach_grad()
    >>> with mx.autograd.record():
    ...     y = mx.nd.LogisticRegressionOutput(x, mx.nd.array([1, 0]))
    >>> y.backward()
    >>> print(y.asnumpy().ravel(), x.grad.asnumpy().ravel())
    [0.5 0.5] [-0.5  0.5]
    """
    return _regression("LogisticRegressionOutput", _sigmoid, _gap, data, label, grad_scale)


@_output("MAERegressionOutput", loss=4)
def mae_regression_output(data: Tensor, label: Tensor, grad_scale: float = 1.0) -> Tensor:
    """Return the data, with the gradient of its absolute difference from a label.

    Parameters
    ----------
    data : Tensor, shape (batch, *)
        Predictions; floating-point numbers.
    label : Tensor, shape (batch, *), of as many numbers
        What they should be.
    grad_scale : float, default 1.0
        Factor of the gradient, which is also divided by the numbers per example.

    Notes
    -----
    Where prediction and label are equal, the gradient is that of a prediction below the label.

    References
    ----------
    Agrees with what MXNet 1.9.1 computes; its `src/operator/regression_output-inl.h` fixes it.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([[3, 1]])
    >>> x.attach_grad()
    >>> with mx.autograd.record():
    ...     y = mx.nd.MAERegressionOutput(x, mx.nd.array([[0, 2]]))
    >>> y.backward()
    >>> x.grad.asnumpy()
    array([[ 0.5, -0.5]], dtype=float32)
    """
    return _regression("MAERegressionOutput", _copy, _direction, data, label, grad_scale)


def _regression(
    name: str, value: Value, gradient: Gradient, data: Tensor, label: Tensor, grad_scale: float
) -> Tensor:
    check_floats(name, data=data)
    if label.shape != data.shape and (
        label.numel() != data.numel() or label.shape[0] != data.shape[0]
    ):
        msg = (
            f"{name}: data of shape {tuple(data.shape)} and a label of shape "
            f"{tuple(label.shape)} were given. Expected one number in the label for each in the "
            f"data. Reshape one of them."
        )
        raise ShapeError(msg)
    width = label.numel() // max(label.shape[0], 1) if label.dim() else 1
    return with_gradient(value, gradient, data, label, grad_scale / max(width, 1))


def _copy(data: Tensor, _: object) -> Tensor:
    return data.clone()


def _sigmoid(data: Tensor, _: object) -> Tensor:
    return torch.sigmoid(data)


def _gap(result: Tensor, label: Tensor, head: Tensor, scale: float) -> Tensor:  # noqa: ARG001
    gap = result - label.reshape(result.shape)
    return (gap if scale == 1 else gap * scale).to(result.dtype)


def _direction(result: Tensor, label: Tensor, head: Tensor, scale: float) -> Tensor:  # noqa: ARG001
    above = (result > label.reshape(result.shape)).to(result.dtype)
    return above * (2 * scale) - scale


@op(nd="SVMOutput", shapes=_class_shape, graph=Graph(is_loss=True, label="label"), precision=FULL)
def svm_output(
    data: Tensor,
    label: Tensor,
    margin: float = 1.0,
    regularization_coefficient: float = 1.0,
    use_linear: bool = False,
) -> Tensor:
    """Return the data, with the gradient of a support-vector machine's loss.

    Parameters
    ----------
    data : Tensor, shape (batch, *, classes)
        Scores; floating-point numbers.
    label : Tensor, shape (batch, *)
        Number of the right class of each row; one outside of the classes is no class at all.
    margin : float, default 1.0
        How far above 0 the right class should be, and the others below.
    regularization_coefficient : float, default 1.0
        Factor of the gradient.
    use_linear : bool, default False
        Whether the loss is the distance from the margin; by default it is its square.

    References
    ----------
    Agrees with what MXNet 1.9.1 computes; its `src/operator/svm_output.cc` fixes it.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([[0.5, -2, 0.5]])
    >>> x.attach_grad()
    >>> with mx.autograd.record():
    ...     y = mx.nd.SVMOutput(x, mx.nd.array([0]))
    >>> y.backward()
    >>> x.grad.asnumpy()
    array([[-1.,  0.,  3.]], dtype=float32)
    """
    check_floats("SVMOutput", data=data)
    if label.shape != data.shape[:-1]:
        msg = (
            f"SVMOutput: data of shape {tuple(data.shape)} and a label of shape "
            f"{tuple(label.shape)} were given. Expected one label per row: shape "
            f"{tuple(data.shape[:-1])}. Reshape the label."
        )
        raise ShapeError(msg)
    read_before(margin, regularization_coefficient)
    options = (margin, regularization_coefficient, use_linear)
    return with_gradient(_copy, _outside_margin, data, label, options)


def _outside_margin(
    scores: Tensor,
    label: Tensor,
    head: Tensor,  # noqa: ARG001 - losses begin here
    options: tuple[float, float, bool],
) -> Tensor:
    margin, coefficient, use_linear = options
    numbers = torch.arange(scores.shape[-1], device=scores.device)
    is_right = label.to(torch.int64).unsqueeze(-1) == numbers
    sign = 1 - 2 * is_right.to(scores.dtype)
    excess = margin + sign * scores
    amount = (excess > 0).to(scores.dtype) if use_linear else 2 * excess.clamp(min=0)
    return sign * amount * coefficient
