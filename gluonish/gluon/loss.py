"""Losses: how far predictions are from what they should be."""

from __future__ import annotations

import math
from typing import Any

from typing_extensions import override

from gluonish.array import NDArray
from gluonish.block import HybridBlock  # noqa: F401 - a name that MXNet has here
from gluonish.block.outsiders import warn_of_outsiders, warn_of_probabilities
from gluonish.block.typed import Layer
from gluonish.errors import (
    DTypeError,
    InvalidArgumentError,
    MissingMethodError,
    RefusedArgumentError,
    ShapeError,
)
from gluonish.errors.program_text import name_of
from gluonish.errors.suggestions import misspelt_method
from gluonish.errors.wording import how_to_compare
from gluonish.gluon.loss_settings import check_no_data, check_weight, number

__all__ = [
    "CTCLoss",
    "CosineEmbeddingLoss",
    "HingeLoss",
    "HuberLoss",
    "KLDivLoss",
    "L1Loss",
    "L2Loss",
    "LogisticLoss",
    "Loss",
    "PoissonNLLLoss",
    "SDMLLoss",
    "SigmoidBCELoss",
    "SigmoidBinaryCrossEntropyLoss",
    "SoftmaxCELoss",
    "SoftmaxCrossEntropyLoss",
    "SquaredHingeLoss",
    "TripletLoss",
]
_UNSTARRED = ("HybridBlock",)


class Loss(Layer):
    """Base of losses.

    Parameters
    ----------
    weight : float or None
        What every loss is multiplied by; None means 1.
    batch_axis : int
        Axis of the examples, each of which gets a loss.
    **kwargs
        `prefix` and `params` of every Block.

    Raises
    ------
    OperandError
        `weight` is no number.

    Examples
    --------
    >>> import gluonish as mx
    >>> class Difference(mx.gluon.loss.Loss):
    ...     def hybrid_forward(self, F, pred, label):
    ...         return F.abs(pred - label)
    >>> loss = Difference(weight=None, batch_axis=0)
    >>> print(loss(mx.nd.array([1, 2]), mx.nd.array([3, 2])).asnumpy())
    [2. 0.]
    """

    def __init__(self, weight: float | None, batch_axis: int, **kwargs: Any) -> None:
        check_no_data(type(self).__name__, batch_axis)
        check_weight(type(self).__name__, weight)
        super().__init__(**kwargs)
        self._weight = weight
        self._batch_axis = batch_axis

    @override
    def __repr__(self) -> str:
        return f"{type(self).__name__}(batch_axis={self._batch_axis}, w={self._weight})"

    @override
    def hybrid_forward(self, F: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        """Compute the losses with the operators of `F`; overridden by subclasses."""
        msg = (
            f"{type(self).__name__} '{self.name}': hybrid_forward() is not defined. Expected a "
            f"subclass of Loss that defines hybrid_forward(self, F, pred, label)."
            f"{misspelt_method(type(self), 'hybrid_forward')}"
        )
        raise MissingMethodError(msg)

    def _mean(self, F: Any, loss: Any) -> Any:
        """Return the mean of each example's losses."""
        return F.mean(loss, axis=self._batch_axis, exclude=True)


_LABELS = "Reshape one of them"
_PROBABILITIES = (
    "With sparse_label=False it is the probability of each class; for class numbers make the loss "
    "with sparse_label=True"
)


def _as_many(
    F: Any, label: Any, pred: Any, loss: Loss, how: str = _LABELS, names: str = "label pred"
) -> Any:
    """Return a label in the shape of the predictions; `names` are those of both."""
    try:
        return _reshape_like(F, label, pred)
    except ShapeError as error:
        one, other = names.split()
        msg = (
            f"{type(loss).__name__}: {other} has shape {pred.shape}, {one} has shape "
            f"{label.shape}. Expected as many numbers in {one} as in {other}. "
            f"{how_to_compare(pred.shape, label.shape, how, names)}."
        )
        raise ShapeError(msg) from error


def _apply_weighting(
    F: Any, loss: Any, weight: float | None = None, sample_weight: Any = None
) -> Any:
    """Return losses times the weights of examples and of all; losses of others call it, too."""
    if sample_weight is not None:
        if isinstance(sample_weight, (list, tuple)):
            msg = (
                f"sample_weight: a {type(sample_weight).__name__} of {len(sample_weight)} was "
                f"given for losses of shape {loss.shape}. Expected an array. Write "
                f"nd.array(weights).reshape((-1{', 1' * (loss.ndim - 1)})), a number for each "
                f"sample."
            )
            raise DTypeError(msg)
        try:
            loss = F.broadcast_mul(loss, sample_weight)
        except ShapeError as error:
            shape = (loss.shape[0], *(1 for _ in loss.shape[1:]))
            msg = (
                f"sample_weight of shape {sample_weight.shape} was given for losses of shape "
                f"{loss.shape}. Expected a number for each sample. Reshape it to {shape}."
            )
            raise ShapeError(msg) from error
    if weight is None:
        return loss
    check_weight("_apply_weighting", weight)
    return loss * weight


def _reshape_like(F: Any, x: Any, y: Any) -> Any:
    """Return an array in another one's shape; losses of others call it."""
    return F.reshape_like(x, y)


class L2Loss(Loss):
    """Half of the squared difference: weight / 2 * (label - pred)^2.

    Shapes: pred (batch, *), label of as many numbers -> (batch,).

    Parameters
    ----------
    weight : float, default 1.0
        What every loss is multiplied by.
    batch_axis : int, default 0
        Axis of the examples.
    **kwargs
        `prefix` and `params` of every Block.

    Raises
    ------
    OperandError
        `weight` is no number.

    Examples
    --------
    >>> import gluonish as mx
    >>> loss = mx.gluon.loss.L2Loss()
    >>> print(loss(mx.nd.array([1, 2]), mx.nd.array([3, 2])).asnumpy())
    [2. 0.]
    """

    def __init__(self, weight: float = 1.0, batch_axis: int = 0, **kwargs: Any) -> None:
        weight = number(weight)
        check_no_data("L2Loss", batch_axis)
        check_weight("L2Loss", weight, may_be_none=False)
        super().__init__(weight, batch_axis, **kwargs)

    @override
    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        weight = self._weight or 0.0
        if sample_weight is None and type(self._batch_axis) is int:
            fused = F._l2_loss  # noqa: SLF001 - the operator for this class
            return fused(pred, label, weight, self._batch_axis)
        loss = F.square(_as_many(F, label, pred, self) - pred)
        return self._mean(F, _apply_weighting(F, loss, weight / 2, sample_weight))


class L1Loss(Loss):
    """Absolute difference: abs(label - pred).

    Shapes: pred (batch, *), label of as many numbers -> (batch,).

    Parameters
    ----------
    weight : float, optional
        What every loss is multiplied by.
    batch_axis : int, default 0
        Axis of the examples.
    **kwargs
        `prefix` and `params` of every Block.

    Examples
    --------
    >>> import gluonish as mx
    >>> loss = mx.gluon.loss.L1Loss()
    >>> print(loss(mx.nd.array([1, 2]), mx.nd.array([3, 2])).asnumpy())
    [2. 0.]
    """

    def __init__(self, weight: float | None = None, batch_axis: int = 0, **kwargs: Any) -> None:
        super().__init__(weight, batch_axis, **kwargs)

    @override
    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        label = _as_many(F, label, pred, self)
        loss = F.abs(label - pred)
        return self._mean(F, _apply_weighting(F, loss, self._weight, sample_weight))


class SigmoidBinaryCrossEntropyLoss(Loss):
    """Cross-entropy of probabilities for yes or no.

    Shapes: pred (batch, *), label of as many numbers in [0, 1] -> (batch,).

    Parameters
    ----------
    from_sigmoid : bool, default False
        Whether pred are probabilities; otherwise a sigmoid makes them so.
    weight : float, optional
        What every loss is multiplied by.
    batch_axis : int, default 0
        Axis of the examples.
    **kwargs
        `prefix` and `params` of every Block.

    Notes
    -----
    A call takes `(pred, label, sample_weight=None, pos_weight=None)`; `pos_weight` multiplies the
    losses of positive labels.

    Examples
    --------
    >>> import gluonish as mx
    >>> loss = mx.gluon.loss.SigmoidBCELoss()
    >>> print(loss(mx.nd.array([0, 0]), mx.nd.array([0, 1])).asnumpy().round(4))
    [0.6931 0.6931]
    """

    def __init__(
        self,
        from_sigmoid: bool = False,
        weight: float | None = None,
        batch_axis: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._from_sigmoid = from_sigmoid

    @override
    def hybrid_forward(
        self, F: Any, pred: Any, label: Any, sample_weight: Any = None, pos_weight: Any = None
    ) -> Any:
        label = _as_many(F, label, pred, self)
        of_kind = _of_probabilities if self._from_sigmoid else _of_logits
        loss = of_kind(F, pred, label, pos_weight)
        return self._mean(F, _apply_weighting(F, loss, self._weight, sample_weight))


def _softplus_of_minus_abs(F: Any, x: Any) -> Any:
    return F.Activation(-F.abs(x), "softrelu")


def _of_logits(F: Any, pred: Any, label: Any, pos_weight: Any) -> Any:
    if pos_weight is None:
        return F.relu(pred) - pred * label + _softplus_of_minus_abs(F, pred)
    factor = 1 + F.broadcast_mul(pos_weight - 1, label)
    return pred - pred * label + factor * (_softplus_of_minus_abs(F, pred) + F.relu(-pred))


def _of_probabilities(F: Any, pred: Any, label: Any, pos_weight: Any) -> Any:
    smallest = 1e-12
    positive = F.log(pred + smallest) * label
    if pos_weight is not None:
        positive = F.broadcast_mul(positive, pos_weight)
    return -(positive + F.log(1.0 - pred + smallest) * (1.0 - label))


SigmoidBCELoss = SigmoidBinaryCrossEntropyLoss


class SoftmaxCrossEntropyLoss(Loss):
    """Cross-entropy of softmax probabilities and the right classes.

    Shapes: pred (batch, *, classes), label (batch, *) of class numbers -> (batch,).

    Parameters
    ----------
    axis : int, default -1
        Axis of the classes.
    sparse_label : bool, default True
        Whether labels are class numbers; otherwise they are probabilities, shaped like pred.
    from_logits : bool, default False
        Whether pred are logarithms of probabilities; otherwise a softmax makes them so.
    weight : float, optional
        What every loss is multiplied by.
    batch_axis : int, default 0
        Axis of the examples.
    **kwargs
        `prefix` and `params` of every Block.

    Notes
    -----
    As in MXNet, labels outside of the classes count as the nearest class.

    Examples
    --------
    >>> import gluonish as mx
    >>> loss = mx.gluon.loss.SoftmaxCrossEntropyLoss()
    >>> print(loss(mx.nd.zeros((2, 2)), mx.nd.array([0, 1])).asnumpy().round(4))
    [0.6931 0.6931]
    """

    def __init__(
        self,
        axis: int = -1,
        sparse_label: bool = True,
        from_logits: bool = False,
        weight: float | None = None,
        batch_axis: int = 0,
        **kwargs: Any,
    ) -> None:
        check_no_data(type(self).__name__, axis, sparse_label)
        super().__init__(weight, batch_axis, **kwargs)
        self._axis = axis
        self._sparse_label = sparse_label
        self._from_logits = from_logits

    @override
    def _look_at(self, *args: Any) -> None:
        is_plain = len(args) == 2 and self._sparse_label and isinstance(args[0], NDArray)
        is_plain = is_plain and getattr(args[1], "ndim", 0) <= args[0].ndim  # else they are swapped
        if is_plain and isinstance(self._axis, int) and -args[0].ndim <= self._axis < args[0].ndim:
            if not self._from_logits:
                warn_of_probabilities(self, args[0], self._axis)
            classes = args[0].shape[self._axis]
            warn_of_outsiders(self, "labels", args[1], classes, "the last layer's units")

    @override
    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        is_plain = sample_weight is None and type(self._batch_axis) is int
        if self._sparse_label and is_plain and not self._from_logits:
            fused = F._softmax_cross_entropy_loss  # noqa: SLF001 - the operator for this class
            return fused(pred, label, self._axis, self._batch_axis, self._weight)
        if not self._from_logits:
            pred = F.log_softmax(pred, self._axis)
        if self._sparse_label:
            loss = -F.pick(pred, label, axis=self._axis, keepdims=True)
        else:
            label = _as_many(F, label, pred, self, _PROBABILITIES)
            loss = -F.sum(pred * label, axis=self._axis, keepdims=True)
        return self._mean(F, _apply_weighting(F, loss, self._weight, sample_weight))


SoftmaxCELoss = SoftmaxCrossEntropyLoss


class KLDivLoss(Loss):
    """Kullback-Leibler divergence: sum of label * (log(label) - log(probability)).

    Shapes: pred (batch, *), label of the same shape -> (batch,).

    Parameters
    ----------
    from_logits : bool, default True
        Whether pred are logarithms of probabilities; otherwise a softmax makes them so.
    axis : int, default -1
        Axis of that softmax.
    weight : float, optional
        What every loss is multiplied by.
    batch_axis : int, default 0
        Axis of the examples.
    **kwargs
        `prefix` and `params` of every Block.

    Examples
    --------
    >>> import gluonish as mx
    >>> loss = mx.gluon.loss.KLDivLoss(from_logits=False)
    >>> print(loss(mx.nd.zeros((1, 2)), mx.nd.array([[1, 0]])).asnumpy().round(4))
    [0.6931]
    """

    def __init__(
        self,
        from_logits: bool = True,
        axis: int = -1,
        weight: float | None = None,
        batch_axis: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._from_logits = from_logits
        self._axis = axis

    @override
    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        if not self._from_logits:
            pred = F.log_softmax(pred, self._axis)
        try:
            loss = label * (F.log(label + 1e-12) - pred)
        except ShapeError as error:
            msg = (
                f"KLDivLoss: pred has shape {pred.shape}, label has shape {label.shape}. Expected "
                f"one shape: the label is the probability of each class. Reshape one of them."
            )
            raise ShapeError(msg) from error
        loss = _apply_weighting(F, loss, self._weight, sample_weight)
        return F.sum(loss, axis=self._batch_axis, exclude=True)


def _how_to_lay(what: str, given: object, known: str) -> str:
    """Return how data of another layout become those of a layout that is known."""
    if isinstance(given, str) and sorted(given) == sorted(known):
        axes = tuple(given.index(letter) for letter in known)
        how = f"Write {known!r} there, and give the loss {what}.transpose({axes})"
    else:
        how = "Write one of them there, and transpose data that are otherwise"
    return f"{how}: N is the batch, T time" + ", C the classes" * ("C" in known)


class CTCLoss(Loss):
    """Connectionist temporal classification: the loss for sequences without alignment.

    Shapes: pred (batch, steps, classes), label (batch, length) -> (batch,).

    Parameters
    ----------
    layout : {'NTC', 'TNC'}, default 'NTC'
        Order of batch, steps and classes in pred.
    label_layout : {'NT', 'TN'}, default 'NT'
        Order of batch and length in label.
    weight : float, optional
        What every loss is multiplied by.
    **kwargs
        `prefix` and `params` of every Block.

    Raises
    ------
    RefusedArgumentError
        A layout is none of those.

    Notes
    -----
    A call takes `(pred, label, pred_lengths=None, label_lengths=None, sample_weight=None)`. The
    last class is the blank; labels are padded with -1.

    References
    ----------
    Graves, Fernandez, Gomez, Schmidhuber: Connectionist temporal classification (2006).

    Examples
    --------
    >>> import gluonish as mx
    >>> loss = mx.gluon.loss.CTCLoss()
    >>> print(loss(mx.nd.zeros((1, 2, 2)), mx.nd.array([[0]])).asnumpy().round(4))
    [0.2877]
    """

    def __init__(
        self,
        layout: str = "NTC",
        label_layout: str = "NT",
        weight: float | None = None,
        **kwargs: Any,
    ) -> None:
        for what, given, known in (
            ("pred", layout, ("NTC", "TNC")),
            ("label", label_layout, ("NT", "TN")),
        ):
            if given not in known:
                msg = (
                    f"CTCLoss: Only {known[0]!r} and {known[1]!r} layouts for {what} are "
                    f"supported. Got: {given}. {_how_to_lay(what, given, known[0])}."
                )
                raise RefusedArgumentError(msg)
        super().__init__(weight, label_layout.find("N"), **kwargs)
        self._layout = layout
        self._label_layout = label_layout

    def _check_axes(self, what: str, value: object, layout: str) -> None:
        if not isinstance(value, NDArray) or value.ndim == len(layout):
            return
        how = "The arguments are (pred, label, pred_lengths, label_lengths)"
        if what == "label":
            how = f"Write {name_of(value) or what}.expand_dims(1) for sequences of one label"
        msg = (
            f"CTCLoss: {what} of shape {value.shape} was given. Expected {len(layout)} axes in the "
            f"order of {layout!r}: N sequences, T steps{', C classes' * ('C' in layout)}. {how}."
        )
        raise ShapeError(msg)

    def _check_batch(self, pred: object, label: object) -> None:
        """Refuse predictions and labels of so many sequences as another layout would have."""
        if not (isinstance(pred, NDArray) and isinstance(label, NDArray)):
            return
        count = pred.shape[self._layout.find("N")]
        given = label.shape[self._label_layout.find("N")]
        if given in (count, 1) or given != pred.shape[self._layout.find("T")]:
            return
        other = self._layout[1::-1] + "C"
        own = name_of(pred) or "pred"
        msg = (
            f"CTCLoss: pred of shape {pred.shape} is, with layout={self._layout!r}, {count} "
            f"sequences, and label of shape {label.shape} is for {given}. Expected as many. If "
            f"{own} is {'steps' if other == 'TNC' else 'sequences'} first, make the loss for that: "
            f"gluon.loss.CTCLoss(layout={other!r})."
        )
        raise ShapeError(msg)

    @override
    def hybrid_forward(
        self,
        F: Any,
        pred: Any,
        label: Any,
        pred_lengths: Any = None,
        label_lengths: Any = None,
        sample_weight: Any = None,
    ) -> Any:
        self._check_axes("pred", pred, self._layout)
        self._check_axes("label", label, self._label_layout)
        self._check_batch(pred, label)
        if self._layout == "NTC":
            pred = F.swapaxes(pred, 0, 1)
        if self._label_layout == "TN":
            label = F.swapaxes(label, 0, 1)
        with_data, with_label = pred_lengths is not None, label_lengths is not None
        loss = F.CTCLoss(pred, label, pred_lengths, label_lengths, with_data, with_label, "last")
        return _apply_weighting(F, loss, self._weight, sample_weight)


class HuberLoss(Loss):
    """Half of the squared difference over rho, and beyond rho the absolute difference.

    Shapes: pred (batch, *), label of as many numbers -> (batch,).

    Parameters
    ----------
    rho : float, default 1
        Where the parabola turns into a straight line.
    weight : float, optional
        What every loss is multiplied by.
    batch_axis : int, default 0
        Axis of the examples.
    **kwargs
        `prefix` and `params` of every Block.

    Examples
    --------
    >>> import gluonish as mx
    >>> loss = mx.gluon.loss.HuberLoss()
    >>> print(loss(mx.nd.array([0, 0]), mx.nd.array([0.5, 3])).asnumpy())
    [0.125 2.5  ]
    """

    def __init__(
        self, rho: float = 1, weight: float | None = None, batch_axis: int = 0, **kwargs: Any
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._rho = rho

    @override
    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        label = _as_many(F, label, pred, self)
        loss = F.abs(label - pred)
        line, parabola = loss - 0.5 * self._rho, (0.5 / self._rho) * F.square(loss)
        loss = F.where(loss > self._rho, line, parabola)
        return self._mean(F, _apply_weighting(F, loss, self._weight, sample_weight))


class _MarginLoss(Loss):
    """A loss that is 0 from some margin on."""

    def __init__(
        self, margin: float = 1, weight: float | None = None, batch_axis: int = 0, **kwargs: Any
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._margin = margin


class HingeLoss(_MarginLoss):
    """max(0, margin - pred * label) for labels 1 and -1.

    Shapes: pred (batch, *), label of as many numbers -> (batch,).

    Parameters
    ----------
    margin : float, default 1
        From where on there is no loss.
    weight : float, optional
        What every loss is multiplied by.
    batch_axis : int, default 0
        Axis of the examples.
    **kwargs
        `prefix` and `params` of every Block.

    Examples
    --------
    >>> import gluonish as mx
    >>> loss = mx.gluon.loss.HingeLoss()
    >>> print(loss(mx.nd.array([0, 2]), mx.nd.array([-1, 1])).asnumpy())
    [1. 0.]
    """

    @override
    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        label = _as_many(F, label, pred, self)
        loss = F.relu(self._margin - pred * label)
        return self._mean(F, _apply_weighting(F, loss, self._weight, sample_weight))


class SquaredHingeLoss(_MarginLoss):
    """max(0, margin - pred * label)^2 for labels 1 and -1.

    Shapes: pred (batch, *), label of as many numbers -> (batch,).

    Parameters
    ----------
    margin : float, default 1
        From where on there is no loss.
    weight : float, optional
        What every loss is multiplied by.
    batch_axis : int, default 0
        Axis of the examples.
    **kwargs
        `prefix` and `params` of every Block.

    Examples
    --------
    >>> import gluonish as mx
    >>> loss = mx.gluon.loss.SquaredHingeLoss()
    >>> print(loss(mx.nd.array([1, 2]), mx.nd.array([-1, 1])).asnumpy())
    [4. 0.]
    """

    @override
    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        label = _as_many(F, label, pred, self)
        loss = F.square(F.relu(self._margin - pred * label))
        return self._mean(F, _apply_weighting(F, loss, self._weight, sample_weight))


class LogisticLoss(Loss):
    """log(1 + exp(-pred * label)) for labels 1 and -1.

    Shapes: pred (batch, *), label of as many numbers -> (batch,).

    Parameters
    ----------
    weight : float, optional
        What every loss is multiplied by.
    batch_axis : int, default 0
        Axis of the examples.
    label_format : {'signed', 'binary'}, default 'signed'
        Whether labels are 1 and -1, or 1 and 0.
    **kwargs
        `prefix` and `params` of every Block.

    Raises
    ------
    InvalidArgumentError
        `label_format` is none of those.

    Examples
    --------
    >>> import gluonish as mx
    >>> loss = mx.gluon.loss.LogisticLoss()
    >>> print(loss(mx.nd.array([0]), mx.nd.array([1])).asnumpy().round(4))
    [0.6931]
    """

    def __init__(
        self,
        weight: float | None = None,
        batch_axis: int = 0,
        label_format: str = "signed",
        **kwargs: Any,
    ) -> None:
        if label_format not in ("signed", "binary"):
            msg = (
                f"LogisticLoss: label_format can only be signed or binary, received "
                f"{label_format}. Expected 'signed' for 1 and -1, 'binary' for 1 and 0. Pass one."
            )
            raise InvalidArgumentError(msg)
        super().__init__(weight, batch_axis, **kwargs)
        self._label_format = label_format

    @override
    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        label = _as_many(F, label, pred, self)
        if self._label_format == "signed":
            label = (label + 1.0) / 2.0
        loss = _of_logits(F, pred, label, None)
        return self._mean(F, _apply_weighting(F, loss, self._weight, sample_weight))


class TripletLoss(_MarginLoss):
    """max(0, |pred - positive|^2 - |pred - negative|^2 + margin).

    Shapes: pred, positive and negative (batch, *) -> (batch,).

    Parameters
    ----------
    margin : float, default 1
        By how much the negative has to be farther away.
    weight : float, optional
        What every loss is multiplied by.
    batch_axis : int, default 0
        Axis of the examples.
    **kwargs
        `prefix` and `params` of every Block.

    Examples
    --------
    >>> import gluonish as mx
    >>> loss = mx.gluon.loss.TripletLoss()
    >>> x, near, far = mx.nd.zeros((1, 2)), mx.nd.ones((1, 2)), 3 * mx.nd.ones((1, 2))
    >>> print(loss(x, near, far).asnumpy(), loss(x, far, near).asnumpy())
    [0.] [17.]
    """

    @override
    def hybrid_forward(self, F: Any, pred: Any, positive: Any, negative: Any) -> Any:
        positive = _as_many(F, positive, pred, self, names="positive pred")
        negative = _as_many(F, negative, pred, self, names="negative pred")
        distances = F.square(positive - pred) - F.square(negative - pred)
        loss = F.sum(distances, axis=self._batch_axis, exclude=True)
        return _apply_weighting(F, F.relu(loss + self._margin), self._weight, None)


class PoissonNLLLoss(Loss):
    """Negative log-likelihood of counts under a Poisson distribution, averaged over everything.

    Shapes: pred (batch, *), target of as many numbers -> (1,).

    Parameters
    ----------
    weight : float, optional
        What the loss is multiplied by.
    from_logits : bool, default True
        Whether pred are logarithms of the expected counts.
    batch_axis : int, default 0
        Axis of the examples.
    compute_full : bool, default False
        Whether to add Stirling's approximation of the target's factorial.
    **kwargs
        `prefix` and `params` of every Block.

    Notes
    -----
    A call takes `(pred, target, sample_weight=None, epsilon=1e-08)`; `epsilon` is added to expected
    counts before their logarithm is taken.

    Examples
    --------
    >>> import gluonish as mx
    >>> loss = mx.gluon.loss.PoissonNLLLoss()
    >>> print(loss(mx.nd.array([0, 0]), mx.nd.array([1, 2])).asnumpy())
    [1.]
    """

    def __init__(
        self,
        weight: float | None = None,
        from_logits: bool = True,
        batch_axis: int = 0,
        compute_full: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._from_logits = from_logits
        self._compute_full = compute_full

    @override
    def hybrid_forward(
        self,
        F: Any,
        pred: Any,
        target: Any,
        sample_weight: Any = None,
        epsilon: float = 1e-08,
    ) -> Any:
        target = _as_many(F, target, pred, self, names="target pred")
        if self._from_logits:
            loss = F.exp(pred) - target * pred
        else:
            loss = pred - target * F.log(pred + epsilon)
        if self._compute_full:
            factorial = target * F.log(target) - target + 0.5 * F.log(2 * target * math.pi)
            loss = loss + F.where(target > 1, factorial, F.zeros_like(factorial))
        return F.mean(_apply_weighting(F, loss, self._weight, sample_weight))


class CosineEmbeddingLoss(Loss):
    """1 - cosine of the angle for label 1, the cosine above a margin for label -1.

    Shapes: input1 and input2 (batch, units), label (batch,) -> (batch, 1).

    Parameters
    ----------
    weight : float, optional
        What every loss is multiplied by.
    batch_axis : int, default 0
        Axis of the examples.
    margin : float, default 0
        Up to which cosine unlike vectors have no loss.
    **kwargs
        `prefix` and `params` of every Block.

    Examples
    --------
    >>> import gluonish as mx
    >>> loss = mx.gluon.loss.CosineEmbeddingLoss()
    >>> x, y = mx.nd.array([[1, 0], [1, 0]]), mx.nd.array([[0, 2], [3, 0]])
    >>> print(loss(x, y, mx.nd.array([1, -1])).asnumpy())
    [[1.]
     [1.]]
    """

    def __init__(
        self,
        weight: float | None = None,
        batch_axis: int = 0,
        margin: float = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._margin = margin

    @override
    def hybrid_forward(
        self, F: Any, input1: Any, input2: Any, label: Any, sample_weight: Any = None
    ) -> Any:
        input1 = _as_many(F, input1, input2, self, names="input1 input2")
        label = label.reshape((-1, 1))
        lengths = F.norm(input1, axis=-1) * F.norm(input2, axis=-1)
        products = F.sum(input1 * input2, axis=-1)
        cosines = (products / F.maximum(lengths, 1e-12)).reshape((-1, 1))
        alike = F.broadcast_mul(label == 1, 1 - cosines)
        unlike = F.broadcast_mul(label == -1, F.relu(cosines - self._margin))
        return _apply_weighting(F, alike + unlike, self._weight, sample_weight)


class SDMLLoss(Loss):
    """Cross-entropy that pairs each example of one batch with the same place of another.

    Shapes: x1 and x2 (batch, units) -> (batch,).

    Parameters
    ----------
    smoothing_parameter : float in [0, 1), default 0.3
        Probability that is given to the other pairs.
    weight : float, default 1.0
        Accepted as in MXNet, whose loss is not multiplied by it either.
    batch_axis : int, default 0
        Axis of the examples.
    **kwargs
        `prefix` and `params` of every Block.

    References
    ----------
    Bonadiman, Kumar, Mittal: Large scale question paraphrase retrieval with smoothed deep metric
    learning (2019), arXiv:1905.12786.

    Examples
    --------
    >>> import gluonish as mx
    >>> loss = mx.gluon.loss.SDMLLoss()
    >>> loss(mx.nd.ones((3, 2)), mx.nd.ones((3, 2))).shape
    (3,)
    """

    def __init__(
        self,
        smoothing_parameter: float = 0.3,
        weight: float = 1.0,
        batch_axis: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self.kl_loss = KLDivLoss(from_logits=True)
        self.smoothing_parameter = smoothing_parameter

    @override
    def hybrid_forward(self, F: Any, x1: Any, x2: Any) -> Any:
        count = x1.shape[0]
        pairs = F.expand_dims(x1, 1) - F.expand_dims(x2, 0)
        log_probabilities = F.log_softmax(-F.sum(F.square(pairs), axis=2), 1)
        same = F.eye(count, ctx=x1.context)
        others = self.smoothing_parameter / (count - 1)
        labels = same * (1 - self.smoothing_parameter) + (1 - same) * others
        return self.kl_loss(log_probabilities, labels)
