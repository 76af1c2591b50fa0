"""Softmax and its relatives, and the cross-entropy that softmax goes with."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NoReturn

import torch
from torch import Tensor

from gluonish.array.dtypes import torch_dtype
from gluonish.errors import DTypeError, InvalidArgumentError
from gluonish.ops.table import FULL, Graph, op
from gluonish.ops.table.choices import unknown_choice
from gluonish.ops.table.explain import TORCH_ERRORS, describe, explained
from gluonish.ops.table.inference import like_first, when
from gluonish.process.replay_marks import runs_once
from gluonish.process.torch_names import cross_entropy_loss

if TYPE_CHECKING:
    from gluonish.array.dtypes import DTypeLike
    from gluonish.ops.table import Shape


_MODES = ("channel", "instance")
_NO_CLASS = -(2**62) - 1  # what no label is converted to: 62 bits, a float64 has 53
_EACH = 0  # torch's number for losses that are not added up


def _length_shape(shapes: dict[str, Shape | None], axis: int, **_: object) -> dict[str, Shape]:
    """Rule for an unknown length: the data's shape without the axis."""
    data = shapes["data"]
    if data is None or not data:
        return {}
    place = axis % len(data)
    return {"length": tuple(data[:place] + data[place + 1 :])}


@op(
    nd="softmax",
    npx="softmax",
    nd_method="softmax",
    arguments=when("data", use_length="length"),
    shapes=_length_shape,
    reverse=like_first,
    graph=Graph(own_dtypes=("length",)),
    precision=FULL,
)
def softmax(
    data: Tensor,
    length: Tensor | None = None,
    axis: int = -1,
    temperature: float | None = None,
    dtype: DTypeLike | None = None,
    use_length: bool = False,
) -> Tensor:
    """Turn numbers into probabilities along an axis.

    Parameters
    ----------
    data : Tensor, any shape
        Floating-point numbers.
    length : Tensor, shape of data without `axis`, optional
        How many elements along the axis take part, as integers; the rest gets probability 0.
    axis : int, default -1
        Axis along which the probabilities sum to 1.
    temperature : float, optional
        What the numbers are divided by first.
    dtype : str, optional
        Dtype of the result; the data's by default.
    use_length : bool, default False
        Whether `length` is given.

    Examples
    --------
    >>> import gluonish as mx
    >>> print(mx.nd.softmax(mx.nd.array([[1, 1], [0, 0]])).asnumpy())
    [[0.5 0.5]
     [0.5 0.5]]
    """
    if temperature is not None and temperature != 1:
        data = data / temperature
    try:
        if length is None and not use_length:
            probabilities = torch.softmax(data, axis)
        else:
            probabilities = _softmax_of_part(data, length, axis, use_length)
    except TORCH_ERRORS as error:
        _refuse(data, axis, error)
    return probabilities if dtype is None else probabilities.to(torch_dtype(dtype))


def _softmax_of_part(data: Tensor, length: Tensor | None, axis: int, use_length: bool) -> Tensor:
    if length is None or not use_length:
        msg = (
            f"softmax: use_length={use_length} was given {'without' if length is None else 'with'}"
            f" length. Expected both or neither. Pass length=... and use_length=True."
        )
        raise InvalidArgumentError(msg)
    if length.is_floating_point() and not length.is_meta:  # dtypes come after shapes
        msg = (
            f"softmax: length is an {describe(length)}. Expected an integer dtype. Convert it "
            f"with length.astype('int32')."
        )
        raise DTypeError(msg)
    places = torch.arange(data.size(axis), device=data.device)
    places = places.reshape([-1] + [1] * (data.dim() - 1 - axis % data.dim()))
    outside = places >= length.unsqueeze(axis)
    lowest = torch.finfo(data.dtype).min
    return torch.softmax(data.masked_fill(outside, lowest), axis).masked_fill(outside, 0)


def _refuse(data: Tensor, axis: int, error: Exception) -> NoReturn:
    if isinstance(error, (DTypeError, InvalidArgumentError, torch.OutOfMemoryError)):
        raise error
    expected = (
        f"an axis from {-data.dim()} to {data.dim() - 1}. Pass one of these"
        if data.is_floating_point()
        else "a floating-point dtype. Convert it with x.astype('float32')"
    )
    msg = f"softmax: data is an {describe(data)} and axis={axis}. Expected {expected}."
    kind = InvalidArgumentError if data.is_floating_point() else DTypeError
    raise kind(msg) from error


@op(
    nd="log_softmax",
    npx="log_softmax",
    nd_method="log_softmax",
    reverse=like_first,
    graph=Graph(names_input=True),
    precision=FULL,
)
def log_softmax(
    data: Tensor,
    axis: int = -1,
    temperature: float | None = None,
    dtype: DTypeLike | None = None,
    use_length: bool = False,
) -> Tensor:
    """Compute logarithms of the softmax probabilities along an axis.

    Parameters
    ----------
    data : Tensor, any shape
        Floating-point numbers.
    axis : int, default -1
        Axis along which the probabilities sum to 1.
    temperature : float, optional
        What the numbers are divided by first.
    dtype : str, optional
        Dtype of the result; the data's by default.
    use_length : bool, default False
        Has to be False: this operator takes no lengths.

    Examples
    --------
    >>> import gluonish as mx
    >>> print(mx.nd.log_softmax(mx.nd.zeros((1, 2))).asnumpy().round(4))
    [[-0.6931 -0.6931]]
    """
    _refuse_length("log_softmax", use_length)
    if temperature is not None and temperature != 1:
        data = data / temperature
    try:
        logarithms = torch.log_softmax(data, axis)
    except TORCH_ERRORS as error:
        _refuse(data, axis, error)
    return logarithms if dtype is None else logarithms.to(torch_dtype(dtype))


def _refuse_length(where: str, use_length: bool) -> None:
    if use_length:
        msg = (
            f"{where}: use_length=True was given. Expected False: the operator takes no lengths. "
            f"Use softmax(data, length, use_length=True)."
        )
        raise InvalidArgumentError(msg)


@op(nd="softmin", nd_method="softmin", reverse=like_first, precision=FULL)
def softmin(
    data: Tensor,
    axis: int = -1,
    temperature: float | None = None,
    dtype: DTypeLike | None = None,
    use_length: bool = False,
) -> Tensor:
    """Turn numbers into probabilities along an axis, the smallest number into the largest.

    Parameters
    ----------
    data : Tensor, any shape
        Floating-point numbers.
    axis, temperature, dtype, use_length
        As for `log_softmax`.

    Examples
    --------
    >>> import gluonish as mx
    >>> print(mx.nd.softmin(mx.nd.zeros((1, 2))).asnumpy())
    [[0.5 0.5]]
    """
    _refuse_length("softmin", use_length)
    return softmax(-data, None, axis, temperature, dtype)


@op(
    nd="SoftmaxActivation",
    reverse=like_first,
    precision=FULL,
    choices={"mode": _MODES},
)
@explained("floating-point data of two axes or more. Convert it with x.astype('float32')")
def softmax_activation(data: Tensor, mode: str = "instance") -> Tensor:
    """Turn numbers into probabilities, per example or per position (MXNet's old softmax).

    Parameters
    ----------
    data : Tensor, shape (batch, channels, *)
        Floating-point numbers.
    mode : {'instance', 'channel'}, default 'instance'
        Whether the probabilities sum to 1 along the last axis (MXNet's documentation says over
        all of an example, its code does this), or along the channels at each position.

    Examples
    --------
    >>> import gluonish as mx
    >>> print(mx.nd.SoftmaxActivation(mx.nd.zeros((1, 2))).asnumpy())
    [[0.5 0.5]]
    """
    if mode == "channel":
        return torch.softmax(data, 1)
    if mode == "instance":
        return torch.softmax(data, -1)
    raise unknown_choice(mode, "SoftmaxActivation", "mode", _MODES)


def class_numbers(label: Tensor, classes: int) -> Tensor:
    """Return labels as int64; those outside count as the nearest class, as MXNet's pick does."""
    return label.to(torch.int64).clamp(0, classes - 1)


def losses_of_rows(data: Tensor, label: Tensor) -> Tensor:
    """Return the cross-entropy of the softmax of each row, with the class that its label names."""
    if runs_once(data):
        try:  # nearly always all of them name one, and torch looks anyway
            return cross_entropy_loss(data, label.to(torch.int64), None, _EACH, _NO_CLASS, 0.0)
        except IndexError:
            pass
    ids = class_numbers(label, data.size(1))
    return cross_entropy_loss(data, ids, None, _EACH, _NO_CLASS, 0.0)


@op(nd="softmax_cross_entropy", precision=FULL)
@explained("data of shape (batch, classes) and labels of shape (batch,). Reshape them")
def softmax_cross_entropy(data: Tensor, label: Tensor) -> Tensor:
    """Sum the cross-entropy of softmax probabilities and labels over a batch.

    A probability below 1e-8 counts as 1e-8, which its gradient does not know of, as in MXNet.

    Parameters
    ----------
    data : Tensor, shape (batch, classes)
        Numbers before softmax.
    label : Tensor, shape (batch,)
        Number of the right class of each example.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.zeros((2, 2))
    >>> print(mx.nd.softmax_cross_entropy(x, mx.nd.array([0, 1])).asnumpy().round(4))
    [1.3863]
    """
    losses = losses_of_rows(data, label)
    beyond = losses.detach() - losses.detach().clamp(max=-math.log(1e-8))
    return (losses - beyond.nan_to_num(0, 0, 0)).sum().reshape(1)
