"""BatchProcessor: what an Estimator does with a batch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish import autograd
from gluonish.gluon.utils import split_and_load

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.array import NDArray
    from gluonish.context import Context
    from gluonish.gluon.contrib.estimator.estimator import Estimator

__all__ = ["BatchProcessor"]


class BatchProcessor:
    """Computes a net's outputs and losses for a batch, and the gradients when it trains.

    A net with several inputs or losses needs one of its own: a class with these two methods.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon.contrib.estimator import BatchProcessor
    >>> class Autoencoder(BatchProcessor):
    ...     def fit_batch(self, estimator, batch, batch_axis=0):
    ...         with mx.autograd.record():
    ...             pred = estimator.net(batch)
    ...             loss = estimator.loss(pred, batch)
    ...         loss.backward()
    ...         return [batch], [batch], [pred], [loss]
    ...     def evaluate_batch(self, estimator, batch, batch_axis=0):
    ...         pred = estimator.val_net(batch)
    ...         return [batch], [batch], [pred], [estimator.val_loss(pred, batch)]
    """

    def _get_data_and_label(
        self, batch: Any, ctx: Sequence[Context], batch_axis: int = 0
    ) -> tuple[list[NDArray], list[NDArray]]:
        """Return a batch's data and labels, each split over the contexts."""
        data = split_and_load(batch[0], ctx_list=ctx, batch_axis=batch_axis)
        label = split_and_load(batch[1], ctx_list=ctx, batch_axis=batch_axis)
        return data, label

    def evaluate_batch(
        self, estimator: Estimator, val_batch: Any, batch_axis: int = 0
    ) -> tuple[Any, Any, Any, Any]:
        """Return data, labels, outputs and losses of a batch for validation.

        Parameters
        ----------
        estimator : Estimator
            Whose `val_net` and `val_loss` are computed.
        val_batch : tuple
            Data and labels.
        batch_axis : int, default 0
            Which axis counts the samples.

        Returns
        -------
        tuple of four lists
            Each with an array for each context.

        Examples
        --------
        >>> import gluonish as mx
        >>> from gluonish.gluon.contrib.estimator import BatchProcessor, Estimator
        >>> net = mx.gluon.nn.Dense(1, in_units=2)
        >>> net.initialize(mx.init.One())
        >>> trainer = mx.gluon.Trainer(net.collect_params(), 'sgd')
        >>> estimator = Estimator(net, mx.gluon.loss.L2Loss(), trainer=trainer)
        >>> batch = mx.nd.ones((3, 2)), mx.nd.ones((3, 1))
        >>> data, label, pred, loss = BatchProcessor().evaluate_batch(estimator, batch)
        >>> loss[0].asnumpy()
        array([0.5, 0.5, 0.5], dtype=float32)
        """
        data, label = self._get_data_and_label(val_batch, estimator.context, batch_axis)
        pred = [estimator.val_net(part) for part in data]
        loss = [estimator.val_loss(*pair) for pair in zip(pred, label, strict=True)]
        return data, label, pred, loss

    def fit_batch(
        self, estimator: Estimator, train_batch: Any, batch_axis: int = 0
    ) -> tuple[Any, Any, Any, Any]:
        """Return data, labels, outputs and losses of a batch, and compute the gradients.

        Parameters
        ----------
        estimator, train_batch, batch_axis
            As for `evaluate_batch`, of the estimator's `net` and `loss`.

        Examples
        --------
        >>> import gluonish as mx
        >>> from gluonish.gluon.contrib.estimator import BatchProcessor, Estimator
        >>> net = mx.gluon.nn.Dense(1, in_units=2)
        >>> net.initialize(mx.init.One())
        >>> trainer = mx.gluon.Trainer(net.collect_params(), 'sgd')
        >>> estimator = Estimator(net, mx.gluon.loss.L2Loss(), trainer=trainer)
        >>> batch = mx.nd.ones((3, 2)), mx.nd.ones((3, 1))
        >>> _ = BatchProcessor().fit_batch(estimator, batch)
        >>> net.weight.grad().asnumpy()
        array([[3., 3.]], dtype=float32)
        """
        data, label = self._get_data_and_label(train_batch, estimator.context, batch_axis)
        with autograd.record():
            pred = [estimator.net(part) for part in data]
            loss = [estimator.loss(*pair) for pair in zip(pred, label, strict=True)]
        autograd.backward(loss)
        return data, label, pred, loss
