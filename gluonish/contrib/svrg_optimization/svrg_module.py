"""SVRGModule: a Module whose gradients are corrected by those of all data."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.contrib.svrg_optimization.svrg_optimizer import _SVRGOptimizer
from gluonish.errors import (
    DTypeError,
    InvalidArgumentError,
    ModuleStateError,
    UnsupportedOptionError,
)
from gluonish.kvstore.creation import is_of_processes
from gluonish.module import BaseModule, Module
from gluonish.ndarray import zeros_like

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gluonish.array import NDArray
    from gluonish.context import Context
    from gluonish.io import DataIter
    from gluonish.module.given import Binding, Updates
    from gluonish.symbol import Symbol

__all__ = ["SVRGModule"]


class SVRGModule(Module):
    """A Module that trains by stochastic variance reduced gradients.

    Every `update_freq` epochs it keeps the weights, and the average over all batches of their
    gradients. Each batch then updates by its gradients, less those that the kept weights have for
    it, plus the averages.

    Parameters
    ----------
    symbol : Symbol
        The graph.
    data_names, label_names, logger, context, work_load_list, fixed_param_names, state_names, \
group2ctxs, compression_params
        Those of `Module`.
    update_freq : int
        After how many epochs the gradients of all data are computed again.

    Raises
    ------
    DTypeError
        `update_freq` is no whole number, or missing.
    InvalidArgumentError
        It is not positive.

    References
    ----------
    Johnson and Zhang, "Accelerating Stochastic Gradient Descent using Predictive Variance
    Reduction", NIPS 2013.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.contrib.svrg_optimization.svrg_module import SVRGModule
    >>> output = mx.sym.FullyConnected(mx.sym.var('data'), num_hidden=1, name='fc')
    >>> output = mx.sym.LinearRegressionOutput(output, mx.sym.var('lin_label'))
    >>> data = mx.io.NDArrayIter(mx.nd.eye(4), mx.nd.arange(4), 2, label_name='lin_label')
    >>> module = SVRGModule(output, label_names=['lin_label'], update_freq=2)
    >>> module.fit(data, eval_metric='mse', optimizer_params={'learning_rate': 0.5}, num_epoch=60)
    >>> module.score(data, 'mse')[0][1] < 0.01
    True
    """

    def __init__(
        self,
        symbol: Symbol,
        data_names: Sequence[str] | None = ("data",),
        label_names: Sequence[str] | None = ("softmax_label",),
        logger: Any = logging,
        context: Context | Sequence[Context] | None = None,
        work_load_list: Sequence[float] | None = None,
        fixed_param_names: Sequence[str] | None = None,
        state_names: Sequence[str] | None = None,
        group2ctxs: Any = None,
        compression_params: Mapping[str, Any] | None = None,
        update_freq: int | None = None,
    ) -> None:
        self.update_freq = _checked(update_freq)
        options: dict[str, Any] = {
            "data_names": data_names,
            "label_names": label_names,
            "logger": logger,
            "context": context,
            "work_load_list": work_load_list,
            "fixed_param_names": fixed_param_names,
            "state_names": state_names,
            "group2ctxs": group2ctxs,
        }
        super().__init__(symbol, compression_params=compression_params, **options)
        self._mod_aux = Module(symbol, **options)  # computes with the weights that are kept
        # The averages, for each context by name; None until they are known.
        self._param_dict: list[dict[str, NDArray]] | None = None

    @override
    def _bind(self, given: Binding) -> None:
        super()._bind(given)
        if given.for_training:
            self._mod_aux.bind(
                given.data_shapes, given.label_shapes, force_rebind=given.force_rebind
            )

    @override
    def _init_optimizer(self, given: Updates) -> None:
        own = {**dict(given.optimizer_params), "default_optimizer": given.optimizer}
        name = _SVRGOptimizer.__name__
        super()._init_optimizer(given._replace(optimizer=name, optimizer_params=own))
        if is_of_processes(self._kvstore):
            msg = (
                f"SVRGModule: kvstore={self._kvstore.type!r} was given. Expected a store of one "
                f"process, since the gradients of all data are those of this one. Train by Module, "
                f"or by gluon.Trainer, in several processes."
            )
            raise UnsupportedOptionError(msg)

    @override
    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        super().forward(data_batch, is_train)
        if is_train is None:
            is_train = self.for_training
        if is_train and self._param_dict is not None:
            self._mod_aux.forward(data_batch, is_train=True)

    @override
    def backward(self, out_grads: NDArray | Sequence[NDArray] | None = None) -> None:
        super().backward(out_grads)
        if self._param_dict is not None:
            self._mod_aux.backward(out_grads)

    @override
    def update(self) -> None:
        if self._param_dict is None:
            msg = (
                "SVRGModule: update was called before update_full_grads. Expected the gradients of "
                "all data to be known. Call module.update_full_grads(train_data), or module.fit."
            )
            raise ModuleStateError(msg)
        self._update_svrg_gradients()
        super().update()

    def _update_svrg_gradients(self) -> None:
        """Correct the gradients of all weights, on each context."""
        group, kept = self._exec_group, self._mod_aux._exec_group.grad_arrays  # noqa: SLF001
        averages = self._param_dict or []
        for name, currents, others in zip(group.param_names, group.grad_arrays, kept, strict=True):
            for current, other, average in zip(currents, others, averages, strict=True):
                if current is not None:
                    found = self._svrg_grads_update_rule(current, other, average[name])
                    if found is not current:
                        current[:] = found

    def _svrg_grads_update_rule(
        self,
        g_curr_batch_curr_weight: NDArray,
        g_curr_batch_special_weight: NDArray,
        g_special_weight_all_batch: NDArray,
    ) -> NDArray:
        """Return a weight's corrected gradient.

        From its own for the batch, that of the weight that is kept, and the average.
        """
        g_curr_batch_curr_weight += g_special_weight_all_batch - g_curr_batch_special_weight
        return g_curr_batch_curr_weight

    def update_full_grads(self, train_data: DataIter) -> None:
        """Keep the weights, and compute the average of their gradients over all batches.

        Parameters
        ----------
        train_data : DataIter
            The data; it is reset before and after. What fills a last batch counts less.

        Raises
        ------
        InvalidArgumentError
            There is no batch.

        Examples
        --------
        >>> import gluonish as mx
        >>> from gluonish.contrib.svrg_optimization.svrg_module import SVRGModule
        >>> output = mx.sym.FullyConnected(mx.sym.var('data'), num_hidden=1)
        >>> output = mx.sym.LinearRegressionOutput(output, mx.sym.var('lin_label'))
        >>> data = mx.io.NDArrayIter(mx.nd.eye(4), mx.nd.arange(4), 2, label_name='lin_label')
        >>> module = SVRGModule(output, label_names=['lin_label'], update_freq=2)
        >>> module.bind(data.provide_data, data.provide_label)
        >>> module.init_params()
        >>> module.init_optimizer()
        >>> module.update_full_grads(data)
        """
        self._check("update_full_grads", "binded", "params_initialized")
        aux = self._mod_aux
        if aux.params_initialized:
            aux.set_params(*self.get_params())
        else:
            arg_params, aux_params = self.get_params()
            aux.init_params(arg_params=arg_params, aux_params=aux_params)
        group = aux._exec_group  # noqa: SLF001
        sums = [
            [None if each is None else zeros_like(each) for each in grads]
            for grads in group.grad_arrays
        ]
        train_data.reset()
        count, padding = 0, 0
        for batch in train_data:
            aux.forward(batch, is_train=True)
            aux.backward()
            for totals, grads in zip(sums, aux._exec_group.grad_arrays, strict=True):  # noqa: SLF001
                for total, grad in zip(totals, grads, strict=True):
                    if total is not None:
                        total += grad
            count += 1
            padding = batch.pad or 0
        train_data.reset()
        if not count:
            msg = (
                "SVRGModule.update_full_grads: train_data gave no batch. Expected at least one. "
                "Give an iterator over data that is not empty."
            )
            raise InvalidArgumentError(msg)
        batches = count - padding / train_data.batch_size
        self._param_dict = [
            {
                name: total / batches
                for name, total in zip(group.param_names, totals, strict=True)
                if total is not None
            }
            for totals in zip(*sums, strict=True)
        ]

    @override
    def _train_epoch(self, train_data: Any, epoch: int, *args: Any) -> Any:
        if epoch % self.update_freq == 0 or self._param_dict is None:
            self.update_full_grads(train_data)
        return super()._train_epoch(train_data, epoch, *args)

    @override
    def _step(self, data_batch: Any) -> None:
        BaseModule._step(self, data_batch)  # forward, backward and update, not one graph of all


def _checked(update_freq: object) -> int:
    if isinstance(update_freq, bool) or not isinstance(update_freq, int):
        msg = (
            f"SVRGModule: update_freq={update_freq!r} was given. update_freq in SVRGModule must be "
            f"an integer to represent the frequency for calculating full gradients. Pass "
            f"update_freq=2 for every second epoch."
        )
        raise DTypeError(msg)
    if update_freq < 1:
        msg = (
            f"SVRGModule: update_freq={update_freq!r} was given. update_freq in SVRGModule must be "
            f"a positive integer to represent the frequency for calculating full gradients. Pass "
            f"update_freq=2 for every second epoch."
        )
        raise InvalidArgumentError(msg)
    return update_freq
