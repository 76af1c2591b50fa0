"""The training loop of FeedForward, on one or several contexts."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any

from gluonish.executor_group.group import DataParallelExecutorGroup
from gluonish.executor_group.whole_steps import whole_steps
from gluonish.model.progress import Progress
from gluonish.model.reporting import BatchEndParam, call
from gluonish.model.stores import initialize_kvstore, update_params, update_params_on_kvstore
from gluonish.optimizer import get_updater

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gluonish.array import NDArray
    from gluonish.context import Context
    from gluonish.io import DataIter
    from gluonish.metric import EvalMetric
    from gluonish.model.reporting import Callbacks
    from gluonish.optimizer import Optimizer
    from gluonish.symbol import Symbol


class Groups:
    """Executors for batches, one group for each bucket of lengths.

    Parameters
    ----------
    symbol : Symbol
        The graph, of the largest bucket if there are several.
    contexts : list of Context
        Where the executors are.
    train_data : DataIter
        Says what a batch holds.
    param_names : list of str
        Which arguments are trained.
    work_load_list : list of float, optional
        How much of a batch each context takes.
    sym_gen : callable, optional
        Makes the Symbol of a bucket from its key.
    """

    def __init__(
        self,
        symbol: Symbol,
        contexts: Sequence[Context],
        train_data: Any,
        param_names: Sequence[str],
        work_load_list: Sequence[float] | None = None,
        sym_gen: Callable[[Any], Symbol] | None = None,
        logger: Any = logging,
    ) -> None:
        self._contexts = contexts
        self._names = param_names
        self._workload = list(work_load_list or [1.0] * len(contexts))
        self._sym_gen, self._logger = sym_gen, logger
        self.first = self._bound(symbol, train_data.provide_data, train_data.provide_label)
        self.current = self.first
        self._by_key: dict[Any, DataParallelExecutorGroup] = {}
        if sym_gen is not None:
            key: Any = train_data.default_bucket_key
            self._by_key[key] = self.first

    def _bound(
        self,
        symbol: Symbol,
        data_shapes: Any,
        label_shapes: Any,
        shared: DataParallelExecutorGroup | None = None,
    ) -> DataParallelExecutorGroup:
        return DataParallelExecutorGroup(
            symbol,
            self._contexts,
            self._workload,
            data_shapes,
            label_shapes or None,
            self._names,
            for_training=True,
            inputs_need_grad=False,
            shared_group=shared,
            logger=self._logger,
        )

    def load(self, batch: Any) -> DataParallelExecutorGroup:
        """Load a batch into the executors that are made for it."""
        if self._sym_gen is not None:
            key = batch.bucket_key
            if key not in self._by_key:
                self._by_key[key] = self._bound(
                    self._sym_gen(key), batch.provide_data, batch.provide_label, self.first
                )
            self.current = self._by_key[key]
        group = self.current
        shapes = [tuple(array.shape) for array in batch.data]
        if shapes != [desc.shape for desc in group.data_shapes]:
            labels = [tuple(array.shape) for array in batch.label or ()]
            group.reshape(
                list(zip(group.data_names, shapes, strict=True)),
                list(zip(group.label_names, labels, strict=True)) or None,
            )
        group.load(batch)
        return group


def train_multi_device(
    symbol: Symbol,
    ctx: Sequence[Context],
    arg_names: Sequence[str],
    param_names: Sequence[str],
    aux_names: Sequence[str],
    arg_params: Mapping[str, NDArray],
    aux_params: Mapping[str, NDArray],
    begin_epoch: int,
    end_epoch: int,
    epoch_size: int | None,
    optimizer: Optimizer,
    kvstore: Any,
    update_on_kvstore: bool,
    train_data: Any,
    eval_data: DataIter | None = None,
    eval_metric: EvalMetric | None = None,
    epoch_end_callback: Callbacks = None,
    batch_end_callback: Callbacks = None,
    logger: Any = None,
    work_load_list: Sequence[float] | None = None,
    monitor: Any = None,
    eval_end_callback: Callbacks = None,
    eval_batch_end_callback: Callbacks = None,
    sym_gen: Callable[[Any], Symbol] | None = None,
    progress_bar: bool = False,
) -> None:
    """Train parameters, which are changed in place; see `FeedForward.fit`."""
    logger = logging if logger is None else logger
    logger.info("Start training with %s", str(list(ctx)))
    groups = Groups(symbol, ctx, train_data, param_names, work_load_list, sym_gen, logger)
    if monitor is not None:
        groups.first.install_monitor(monitor)
    groups.first.set_params(arg_params, aux_params)
    updater = None if update_on_kvstore else get_updater(optimizer)
    if update_on_kvstore:
        kvstore.set_optimizer(optimizer)
    if kvstore is not None:
        initialize_kvstore(
            kvstore, groups.first.param_arrays, arg_params, groups.first.param_names,
            update_on_kvstore,
        )  # fmt: skip
    metric: Any = eval_metric

    def update() -> None:
        group = groups.current
        if updater is None:
            update_params_on_kvstore(
                group.param_arrays, group.grad_arrays, kvstore, group.param_names
            )
        else:
            update_params(
                group.param_arrays, group.grad_arrays, updater, len(ctx), kvstore,
                group.param_names,
            )  # fmt: skip

    steps = whole_steps(groups.first, updater, kvstore, "FeedForward.fit")
    train_data.reset()
    batches = epoch_size
    for epoch in range(begin_epoch, end_epoch):
        tic = time.time()
        metric.reset()
        nbatch = 0
        is_over = False
        with Progress(epoch, shown=progress_bar, total=batches) as progress:
            while not is_over:
                do_reset = True
                for data_batch in train_data:
                    if monitor is not None:
                        monitor.tic()
                    group = groups.load(data_batch)
                    if steps is not None:
                        steps(group, update)
                    else:
                        _step(group, update)
                    if monitor is not None:
                        monitor.toc_print()
                    group.update_metric(metric, data_batch.label)
                    nbatch += 1
                    call(batch_end_callback, BatchEndParam(epoch, nbatch, metric, locals()))
                    progress.advance(metric)
                    if epoch_size is not None and nbatch >= epoch_size:
                        do_reset = False
                        break
                if do_reset:
                    logger.info("Epoch[%d] Resetting Data Iterator", epoch)
                    train_data.reset()
                is_over = epoch_size is None or nbatch >= epoch_size
        batches = progress.count
        logger.info("Epoch[%d] Time cost=%.3f", epoch, time.time() - tic)
        if epoch_end_callback or epoch + 1 == end_epoch:
            groups.first.get_params(arg_params, aux_params)
        call(epoch_end_callback, epoch, symbol, arg_params, aux_params)
        if eval_data is not None:
            _evaluate(groups, eval_data, metric, epoch, eval_batch_end_callback, eval_end_callback)


def _step(group: DataParallelExecutorGroup, update: Callable[[], None]) -> None:
    for executor in group.execs:
        executor.forward(is_train=True)
    for executor in group.execs:
        executor.backward()
    update()


def _evaluate(
    groups: Groups,
    eval_data: DataIter,
    eval_metric: EvalMetric,
    epoch: int,
    eval_batch_end_callback: Callbacks,
    eval_end_callback: Callbacks,
) -> None:
    """Measure on other data."""
    eval_metric.reset()
    eval_data.reset()
    count = 0
    for i, eval_batch in enumerate(eval_data):
        group = groups.load(eval_batch)
        for executor in group.execs:
            executor.forward(is_train=False)
        group.update_metric(eval_metric, eval_batch.label)
        call(eval_batch_end_callback, BatchEndParam(epoch, i, eval_metric, locals()))
        count += 1
    call(eval_end_callback, BatchEndParam(epoch, count, eval_metric, locals()))
    eval_data.reset()
