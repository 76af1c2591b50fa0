"""Connectionist temporal classification: the loss for sequences without alignment."""

from __future__ import annotations

from typing import NoReturn

import torch
from torch import Tensor
from torch.nn import functional

from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.ops.table import FULL, Graph, op
from gluonish.ops.table.choices import unknown_choice
from gluonish.ops.table.explain import explained
from gluonish.ops.table.inference import when

_BLANKS = ("first", "last")


@op(
    nd=("CTCLoss", "ctc_loss", "contrib.CTCLoss", "contrib.ctc_loss"),
    arguments=when(
        "data", "label", use_data_lengths="data_lengths", use_label_lengths="label_lengths"
    ),
    output_names=("output0",),
    graph=Graph(outputs=2, own_dtypes=("label", "data_lengths", "label_lengths")),
    precision=FULL,
    choices={"blank_label": _BLANKS},
)
@explained(
    "data of shape (steps, batch, classes) and labels of shape (batch, length). Transpose them"
)
def ctc_loss(
    data: Tensor,
    label: Tensor,
    data_lengths: Tensor | None = None,
    label_lengths: Tensor | None = None,
    use_data_lengths: bool = False,
    use_label_lengths: bool = False,
    blank_label: str = "first",
) -> Tensor:
    """Sum the probabilities of all alignments of a label to the steps, and take -log of it.

    Parameters
    ----------
    data : Tensor, shape (steps, batch, classes)
        Numbers before softmax.
    label : Tensor, shape (batch, length)
        Class numbers, padded at the end.
    data_lengths, label_lengths : Tensor, shape (batch,), optional
        How many steps and labels of each example count; fractions are rounded. By default all
        steps, and the labels before the first padding. Where only the lengths of labels are used,
        they may be the third array.
    use_data_lengths, use_label_lengths : bool, default False
        Whether the lengths are given.
    blank_label : {'first', 'last'}, default 'first'
        Which class is the blank: 0, with labels from 1 and padding 0; or the last, with labels
        from 0 and padding -1.

    Returns
    -------
    Tensor, shape (batch,)
        Losses; 0 where a label is too long for its steps, as in MXNet.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, label = mx.nd.zeros((2, 1, 2)), mx.nd.array([[1]])
    >>> print(mx.nd.CTCLoss(x, label).asnumpy().round(4))  # three of four paths: -log(3 / 4)
    [0.2877]
    """
    if blank_label not in _BLANKS:
        raise unknown_choice(blank_label, "CTCLoss", "blank_label", _BLANKS)
    steps, batch, classes = data.shape
    if label.shape[0] != batch or label.shape[1] > steps:
        _refuse_label(tuple(data.shape), tuple(label.shape))
    ids = label.to(torch.int64)
    if data.is_meta:
        return data.new_empty((batch,))
    if use_data_lengths:
        frames = _lengths("data", data_lengths)
    else:
        frames = torch.full((batch,), steps, dtype=torch.int64, device=data.device)
    if use_label_lengths:
        is_third = label_lengths is None and not use_data_lengths
        counts = _lengths("label", data_lengths if is_third else label_lengths)
    else:
        padding = ids == 0 if blank_label == "first" else ids < 0
        counts = (padding.cumsum(1) == 0).sum(1)
    if use_data_lengths:  # what is beyond has no part in it, whatever it holds
        beyond = torch.arange(steps, device=data.device).reshape(-1, 1, 1) >= frames[:, None]
        data = data.masked_fill(beyond, 0)
    logarithms = torch.log_softmax(data, 2)
    blank = 0 if blank_label == "first" else classes - 1
    return functional.ctc_loss(
        logarithms, ids.clamp(0, classes - 1), frames, counts, blank, "none", zero_infinity=True
    )


def _refuse_label(data: tuple[int, ...], label: tuple[int, ...]) -> NoReturn:
    """Refuse labels of another batch, or that are longer than the data, padding included."""
    steps, batch, _ = data
    rows, length = label
    given = f"CTCLoss: a label of shape {label} was given for data of shape {data}, steps first"
    if rows != batch:
        msg = f"{given}. Expected {batch} rows, one for each example. Check the layouts."
        raise ShapeError(msg)
    msg = (
        f"{given}. Expected at most {steps} numbers for {steps} steps, padding included. Cut the "
        f"padding, as in label[:, :{steps}], or check the layout: there are {length} in a row."
    )
    raise ShapeError(msg)


def _lengths(which: str, lengths: Tensor | None) -> Tensor:
    if lengths is None:
        msg = (
            f"CTCLoss: use_{which}_lengths=True was given without {which}_lengths. Expected an "
            f"array of one length per example. Pass {which}_lengths=..."
        )
        raise InvalidArgumentError(msg)
    if not lengths.is_floating_point():
        return lengths.to(torch.int64)
    return torch.floor(lengths.double() + 0.5).to(torch.int64)  # MXNet's rounding
