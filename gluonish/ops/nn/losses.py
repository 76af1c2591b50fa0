"""Losses in one operator, where gluon's would take several small ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import torch
from torch import Tensor
from torch.nn.functional import mse_loss

from gluonish.errors import ShapeError
from gluonish.errors.program_arguments import exchanged
from gluonish.errors.program_layers import called_in
from gluonish.errors.wording import how_to_compare
from gluonish.ops.nn.softmax import class_numbers, losses_of_rows
from gluonish.ops.table import FULL, Precision, op
from gluonish.ops.table.explain import TORCH_ERRORS, describe
from gluonish.ops.table.inference import elementwise

if TYPE_CHECKING:
    from gluonish.ops.table import Call, Symbols


def _refuse(where: str, pred: Tensor, label: Tensor, expected: str, error: Exception) -> NoReturn:
    if isinstance(error, torch.OutOfMemoryError):
        raise error
    msg = f"{where}: pred is an {describe(pred)}, label an {describe(label)}. Expected {expected}"
    raise ShapeError(msg) from error


def _where_made() -> str:
    """Return in which line a program makes its loss; '' if that is not known."""
    return called_in("SoftmaxCrossEntropyLoss") or called_in("SoftmaxCELoss")


def _mean_of_examples(losses: Tensor, batch_axis: int) -> Tensor:
    """Return the mean over all axes but one."""
    if losses.dim() == 1:
        return losses
    examples = batch_axis % losses.dim()
    return losses.mean([axis for axis in range(losses.dim()) if axis != examples])


def _recorded_cross_entropy(call: Call) -> Symbols:
    axis = call["axis"]
    logarithms = call.F.log_softmax(call["data"], axis)
    losses = -call.F.pick(logarithms, call["label"], axis=axis, keepdims=True)
    return _recorded_mean(call, losses, call["weight"])


def _recorded_mean(call: Call, losses: Symbols, weight: float | None) -> Symbols:
    weighted = losses if weight is None else losses * weight
    return call.F.mean(weighted, axis=call["batch_axis"], exclude=True)


@op(
    nd="_softmax_cross_entropy_loss",
    recorded=_recorded_cross_entropy,
    precision=Precision(like="log_softmax"),
)
def softmax_cross_entropy_loss(
    data: Tensor,
    label: Tensor,
    axis: int = -1,
    batch_axis: int = 0,
    weight: float | None = None,
) -> Tensor:
    """Compute the mean cross-entropy of softmax probabilities and class numbers, per example.

    One operator instead of log_softmax, pick, negative and mean: what
    `gluon.loss.SoftmaxCrossEntropyLoss` spends its time on.

    Parameters
    ----------
    data : Tensor, shape (batch, *, classes, *)
        Numbers before softmax.
    label : Tensor, shape of data without `axis`, or with length 1 there
        Numbers of the right classes, of any dtype.
    axis : int, default -1
        Axis of the classes.
    batch_axis : int, default 0
        Axis of the examples.
    weight : float, optional
        Factor of the losses.

    Returns
    -------
    Tensor, shape (batch,)

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.zeros((2, 2))
    >>> print(mx.nd._softmax_cross_entropy_loss(x, mx.nd.array([0, 1])).asnumpy().round(4))
    [0.6931 0.6931]
    """
    given = label
    try:
        if data.dim() == 2 and axis in (-1, 1) and batch_axis == 0:
            if label.dim() != 1:
                label = label.reshape(-1)
            losses = losses_of_rows(data, label)
        else:
            ids = class_numbers(label, data.size(axis))
            if ids.dim() < data.dim():
                ids = ids.unsqueeze(axis)
            losses = -torch.log_softmax(data, axis).gather(axis, ids)
            losses = _mean_of_examples(losses, batch_axis)
        return losses if weight is None else losses * weight
    except TORCH_ERRORS as error:
        expected = (
            f"floating-point pred and one class number for each of its rows along axis {axis}. "
        )
        if given.shape == data.shape:
            expected += (
                f"These are as many as there are scores: for probabilities (one-hot labels) make "
                f"the loss with sparse_label=False{_where_made()}."
            )
        elif given.shape == data.shape[:1] + data.shape[2:]:
            made = f"make the loss with axis=1{_where_made()}"
            expected += f"Axis 1 has the classes, it seems: {made}."
        elif given.dim() == data.dim() + 1:
            expected += f"Predictions come first: write {exchanged('loss(pred, label)')}."
        elif given.dim() == 1 < data.dim() and len(given) != len(data):
            rows = f"pred has {len(data)} samples, label {len(given)}"
            expected += f"Take both from one batch: {rows}."
        elif data.dim() == 2 == given.dim() and len(given) == len(data) and given.size(1) > 1:
            expected += (
                f"Where each of the {given.size(1)} steps has a label, the last layer keeps the "
                f"steps apart with nn.Dense({data.size(1)}, flatten=False); for probabilities make "
                f"the loss with sparse_label=False."
            )
        else:
            expected += "Reshape label, or pass sparse_label=False for probabilities."
        _refuse("SoftmaxCrossEntropyLoss", data, given, expected, error)


def _recorded_l2(call: Call) -> Symbols:
    data = call["data"]
    losses = call.F.square(call.F.reshape_like(call["label"], data) - data)
    return _recorded_mean(call, losses, call["weight"] / 2)


@op(nd="_l2_loss", recorded=_recorded_l2, precision=Precision(like="mean"))
def l2_loss(data: Tensor, label: Tensor, weight: float = 1.0, batch_axis: int = 0) -> Tensor:
    """Compute half of the mean squared difference, per example.

    One operator instead of reshape_like, subtraction, square, multiplication and mean: what
    `gluon.loss.L2Loss` spends its time on.

    Parameters
    ----------
    data : Tensor, shape (batch, *)
        Predictions.
    label : Tensor, of as many numbers
        What they should be.
    weight : float, default 1.0
        Factor of the losses.
    batch_axis : int, default 0
        Axis of the examples.

    Returns
    -------
    Tensor, shape (batch,)

    Examples
    --------
    >>> import gluonish as mx
    >>> print(mx.nd._l2_loss(mx.nd.array([1, 2]), mx.nd.array([3, 2])).asnumpy())
    [2. 0.]
    """
    try:
        if label.shape != data.shape:
            label = label.reshape(data.shape)
        if label.dtype is not data.dtype:
            label = label.to(data.dtype)
        losses = mse_loss(data, label, reduction="none") * (weight / 2)
        return _mean_of_examples(losses, batch_axis)
    except TORCH_ERRORS as error:
        how = how_to_compare(data.shape, label.shape, "Reshape label, or choose another batch_axis")
        expected = f"floating-point pred and a label of its shape, or with as many numbers. {how}."
        _refuse("L2Loss", data, label, expected, error)


@op(nd="smooth_l1", npx="smooth_l1", reverse=elementwise, precision=FULL)
def smooth_l1(data: Tensor, scalar: float = 1.0) -> Tensor:
    """Return half the square of small values and the size of large ones, smoothly joined.

    Parameters
    ----------
    data : Tensor, any shape
        Numbers.
    scalar : float, default 1.0
        The two meet at 1 / scalar**2.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.smooth_l1(mx.nd.array([0.5, -3])).asnumpy()
    array([0.125, 2.5  ], dtype=float32)
    """
    scalar = float(scalar) if data.is_floating_point() else int(scalar)  # as MXNet converts it
    square = scalar * scalar
    if not square:
        return 0 * data
    wide = data.float() if data.dtype.itemsize == 2 else data
    near = torch.clamp(wide, -1 / square, 1 / square)
    result = near * torch.sub(wide, near, alpha=0.5)
    if square != 1:
        result = square * result
    return result if result.dtype is data.dtype else result.to(data.dtype)
