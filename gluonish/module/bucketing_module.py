"""BucketingModule: modules for batches of several lengths, which share their parameters."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish import name as naming, ndarray as nd, symbol as symbols
from gluonish.errors import (
    DTypeError,
    InvalidArgumentError,
    ModuleStateError,
    RefusedArgumentError,
)
from gluonish.errors.arguments import value_text
from gluonish.model.checkpoint import load_params, params_path, save_params
from gluonish.module.base_module import BaseModule
from gluonish.module.module import Module
from gluonish.module.names import check_input_names

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gluonish.array import NDArray
    from gluonish.context import Context
    from gluonish.executor_group.group import Groups
    from gluonish.metric import EvalMetric
    from gluonish.model.checkpoint import Params
    from gluonish.module.given import Binding, Updates, Values
    from gluonish.symbol import Symbol

__all__ = ["BucketingModule"]


class BucketingModule(BaseModule):
    """Modules for batches of several lengths, made when the first batch of a length comes.

    Parameters
    ----------
    sym_gen : callable
        Called with a bucket's key; returns the Symbol, the names of its data and those of its
        labels.
    default_bucket_key : object
        The key of the largest bucket, whose module holds the parameters.
    logger, context, work_load_list, fixed_param_names, state_names, group2ctxs, compression_params
        As for `Module`.

    Examples
    --------
    >>> import gluonish as mx
    >>> def sym_gen(length):
    ...     x = mx.sym.sum(mx.sym.var('data'), axis=1, keepdims=True)
    ...     return mx.sym.FullyConnected(x, num_hidden=1, name='fc'), ['data'], []
    >>> module = mx.mod.BucketingModule(sym_gen, default_bucket_key=5)
    >>> module.bind([('data', (1, 5))], for_training=False)
    >>> module.init_params(mx.init.One())
    >>> batch = mx.io.DataBatch([mx.nd.ones((1, 3))], bucket_key=3, provide_data=[('data', (1, 3))])
    >>> module.forward(batch)
    >>> print(module.get_outputs()[0].asnumpy())
    [[3.]]
    """

    _takes_some = True

    def __init__(
        self,
        sym_gen: Callable[..., tuple[Symbol, Any, Any]],
        default_bucket_key: Any = None,
        logger: Any = logging,
        context: Context | Sequence[Context] | None = None,
        work_load_list: Sequence[float] | None = None,
        fixed_param_names: Sequence[str] | None = None,
        state_names: Sequence[str] | None = None,
        group2ctxs: Groups = None,
        compression_params: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(logger=logger)
        if default_bucket_key is None:
            msg = (
                "BucketingModule: default_bucket_key is missing. Expected the key of the largest "
                "bucket. Pass default_bucket_key=iterator.default_bucket_key."
            )
            raise RefusedArgumentError(msg)
        self._default_bucket_key = default_bucket_key
        self._sym_gen = sym_gen
        self._context = context
        self._work_load_list = work_load_list
        self._fixed_param_names = list(fixed_param_names or ())
        self._state_names = list(state_names or ())
        self._group2ctxs = group2ctxs
        self._compression_params = compression_params
        symbol, data_names, label_names = self._call_sym_gen(default_bucket_key)
        for names, kind, throw in (
            (data_names, "data", True),
            (label_names, "label", False),
            (state_names, "state", True),
            (fixed_param_names, "fixed_param", True),
        ):
            check_input_names(symbol, list(names or ()), kind, throw)
        self._loaded: Mapping[Any, Symbol] = {}
        self._values: tuple[Params, Params] | None = None
        self._monitor: Any = None
        self._grad_req: Any = None
        self._reset_bind()

    def _reset_bind(self) -> None:
        """Forget all buckets."""
        self.binded = False
        self._buckets: dict[Any, Module] = {}
        self._curr_module: Any = None
        self._curr_bucket_key: Any = None

    def _call_sym_gen(self, *args: Any, **kwargs: Any) -> tuple[Symbol, Any, Any]:
        """Return what a bucket is made of; names begin with number 0 in each of them."""
        with naming.NameManager():
            made: Any = self._sym_gen(*args, **kwargs)
        if not isinstance(made, (tuple, list)) or len(made) != 3:
            msg = (
                f"BucketingModule: sym_gen returned {value_text(made)}. Expected three things: a "
                f"Symbol, the names of its data and of its labels. Write return symbol, "
                f"['data'], ['softmax_label']."
            )
            raise InvalidArgumentError(msg)
        return made[0], made[1], made[2]

    def _made(self, key: Any) -> Module:
        symbol, data_names, label_names = self._call_sym_gen(key)
        symbol = self._loaded.get(key, symbol)
        return Module(
            symbol,
            data_names,
            label_names,
            logger=self.logger,
            context=self._context,
            work_load_list=self._work_load_list,
            fixed_param_names=self._fixed_param_names,
            state_names=self._state_names,
            group2ctxs=self._group2ctxs,
            compression_params=self._compression_params,
        )

    # --- what it is -------------------------------------------------------------------------

    @property
    @override
    def data_names(self) -> list[str]:
        if self.binded:
            return self._curr_module.data_names  # type: ignore[no-any-return]
        return list(self._call_sym_gen(self._default_bucket_key)[1])

    @property
    @override
    def output_names(self) -> list[str]:
        if self.binded:
            return self._curr_module.output_names  # type: ignore[no-any-return]
        return self._call_sym_gen(self._default_bucket_key)[0].list_outputs()

    @property
    @override
    def data_shapes(self) -> Any:
        self._check("data_shapes", "binded")
        return self._curr_module.data_shapes

    @property
    @override
    def label_shapes(self) -> Any:
        self._check("label_shapes", "binded")
        return self._curr_module.label_shapes

    @property
    @override
    def output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        self._check("output_shapes", "binded")
        return self._curr_module.output_shapes  # type: ignore[no-any-return]

    @property
    @override
    def symbol(self) -> Symbol:
        self._check("symbol", "binded")
        return self._curr_module.symbol  # type: ignore[no-any-return]

    # --- parameters -------------------------------------------------------------------------

    @override
    def get_params(self) -> tuple[Params, Params]:
        self._check("get_params", "binded", "params_initialized")
        self._curr_module._params_dirty = self._params_dirty
        params: tuple[Params, Params] = self._curr_module.get_params()
        self._params_dirty = False
        return params

    @override
    def _init_params(self, given: Values) -> None:
        if self.params_initialized and not given.force_init:
            return
        self._check("init_params", "binded")
        self._curr_module.init_params(*given)
        self._params_dirty = False
        self.params_initialized = True

    @override
    def _set_some_params(
        self,
        arg_params: Mapping[str, NDArray] | None,
        aux_params: Mapping[str, NDArray] | None,
        allow_extra: bool,
    ) -> None:
        self._curr_module.set_params(arg_params, aux_params, True, allow_extra=allow_extra)

    @override
    def get_states(self, merge_multi_context: bool = True) -> Any:
        self._check("get_states", "binded", "params_initialized")
        return self._curr_module.get_states(merge_multi_context=merge_multi_context)

    @override
    def set_states(self, states: Any = None, value: float | None = None) -> None:
        self._check("set_states", "binded", "params_initialized")
        self._curr_module.set_states(states, value)

    # --- buckets ----------------------------------------------------------------------------

    @override
    def _bind(self, given: Binding) -> None:
        if self.params_initialized and self.binded:
            self._values = self.get_params()
        self._reset_bind()
        if given.shared_module is not None:
            msg = (
                f"BucketingModule.bind: shared_module={given.shared_module!r} was given. Expected "
                f"none: shared_module for BucketingModule is not supported. Leave it out."
            )
            raise ModuleStateError(msg)
        self.for_training, self.inputs_need_grad = given.for_training, given.inputs_need_grad
        self._grad_req = given.grad_req
        module = self._made(self._default_bucket_key)
        module.bind(*given)
        self._curr_module, self._curr_bucket_key = module, self._default_bucket_key
        self._buckets[self._default_bucket_key] = module
        self.binded = True
        values, self._values = self._values, None
        if values is not None:
            self.set_params(*values)

    def switch_bucket(
        self,
        bucket_key: Any,
        data_shapes: Sequence[Any],
        label_shapes: Sequence[Any] | None = None,
    ) -> None:
        """Go on with the module of a bucket, which is made if there is none yet.

        Parameters
        ----------
        bucket_key : object
            The bucket's key.
        data_shapes, label_shapes : list of DataDesc or of (str, tuple)
            What its batches hold.
        """
        self._check("switch_bucket", "binded")
        if bucket_key not in self._buckets:
            module = self._made(bucket_key)
            module.bind(
                data_shapes,
                label_shapes,
                self._curr_module.for_training,
                self._curr_module.inputs_need_grad,
                force_rebind=False,
                shared_module=self._buckets[self._default_bucket_key],
                grad_req=self._grad_req,
            )
            if self._monitor is not None:
                module.install_monitor(self._monitor)
            self._buckets[bucket_key] = module
        self._curr_module, self._curr_bucket_key = self._buckets[bucket_key], bucket_key

    @override
    def prepare(self, data_batch: Any, sparse_row_id_fn: Callable[..., Any] | None = None) -> None:
        self._check("prepare", "binded", "params_initialized")
        before = self._curr_bucket_key
        self._switch_to(data_batch)
        self._curr_module.prepare(data_batch, sparse_row_id_fn=sparse_row_id_fn)
        here = self._buckets[before]
        self._curr_module, self._curr_bucket_key = here, before

    def _switch_to(self, batch: Any) -> None:
        self.switch_bucket(batch.bucket_key, batch.provide_data, batch.provide_label)

    # --- computation ------------------------------------------------------------------------

    @override
    def _init_optimizer(self, given: Updates) -> None:
        self._check("init_optimizer", "binded", "params_initialized")
        if self.optimizer_initialized and not given.force_init:
            self.logger.warning("optimizer already initialized, ignoring.")
            return
        current = self._curr_module
        current.init_optimizer(*given)
        for module in self._buckets.values():
            if module is not current:
                module.borrow_optimizer(current)
        self.optimizer_initialized = True

    @override
    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        self._check("forward", "binded", "params_initialized")
        self._switch_to(data_batch)
        self._curr_module.forward(data_batch, is_train=is_train)

    @override
    def backward(self, out_grads: Any = None) -> None:
        self._check("backward", "binded", "params_initialized")
        self._curr_module.backward(out_grads=out_grads)

    @override
    def update(self) -> None:
        self._check("update", "binded", "params_initialized", "optimizer_initialized")
        self._params_dirty = True
        self._curr_module.update()

    @override
    def _step(self, data_batch: Any) -> None:
        parts = ("forward_backward", "prepare", "forward", "backward", "update")
        if not self._steps_are(BucketingModule, *parts):
            super()._step(data_batch)
            return
        self._check("fit", "binded", "params_initialized", "optimizer_initialized")
        self._switch_to(data_batch)
        self._params_dirty = True
        self._curr_module._step(data_batch)

    @override
    def get_outputs(self, merge_multi_context: bool = True) -> Any:
        self._check("get_outputs", "binded", "params_initialized")
        return self._curr_module.get_outputs(merge_multi_context=merge_multi_context)

    @override
    def get_input_grads(self, merge_multi_context: bool = True) -> Any:
        self._check("get_input_grads", "binded", "params_initialized", "inputs_need_grad")
        return self._curr_module.get_input_grads(merge_multi_context=merge_multi_context)

    @override
    def update_metric(self, eval_metric: EvalMetric, labels: Any, pre_sliced: bool = False) -> None:
        self._check("update_metric", "binded", "params_initialized")
        self._curr_module.update_metric(eval_metric, labels, pre_sliced)

    @override
    def install_monitor(self, mon: Any) -> None:
        self._check("install_monitor", "binded")
        self._monitor = mon
        for module in self._buckets.values():
            module.install_monitor(mon)

    # --- files ------------------------------------------------------------------------------

    def save_checkpoint(self, prefix: str, epoch: int, remove_amp_cast: bool = False) -> None:
        """Save the parameters, the Symbol of each bucket that was used, and the buckets' keys.

        Parameters
        ----------
        prefix : str
            What the files' names begin with; the keys go into `prefix.buckets`.
        epoch : int
            The number in the name of the file of parameters.
        remove_amp_cast : bool, default False
            Whether casts of mixed precision are left out of the graphs.
        """
        self._check("save_checkpoint", "binded")
        if not all(isinstance(key, int) for key in self._buckets):
            msg = (
                f"BucketingModule.save_checkpoint: the buckets' keys are {list(self._buckets)}. "
                f"Expected whole numbers, which its file can hold. Use lengths as keys, or save "
                f"with mx.model.save_checkpoint."
            )
            raise DTypeError(msg)
        path = params_path(prefix, epoch)
        save_params(path, *self.get_params())
        for key, module in self._buckets.items():
            module.symbol.save(f"{prefix}-{key}-symbol.json", remove_amp_cast=remove_amp_cast)
        nd.save(f"{prefix}.buckets", nd.array(list(self._buckets.keys()), dtype="int32"))
        _log.info('Saved checkpoint to "%s"', path)

    @staticmethod
    def load(
        prefix: str,
        epoch: int,
        sym_gen: Callable[..., Any] | None = None,
        default_bucket_key: Any = None,
        **kwargs: Any,
    ) -> BucketingModule:
        """Return the module of a checkpoint.

        Parameters
        ----------
        prefix : str
            What the files' names begin with.
        epoch : int
            The number in the name of the file of parameters.
        sym_gen : callable
            As for `BucketingModule`.
        default_bucket_key : object
            As for `BucketingModule`.
        **kwargs
            Further arguments of `BucketingModule`.
        """
        saved: Any = nd.load(f"{prefix}.buckets")
        keys = saved[0].asnumpy().tolist()
        found = {key: symbols.load(f"{prefix}-{key}-symbol.json") for key in keys}
        arg_params, aux_params = load_params(prefix, epoch)
        return BucketingModule.load_dict(
            found, sym_gen, default_bucket_key, arg_params, aux_params, **kwargs
        )

    @staticmethod
    def load_dict(
        sym_dict: Mapping[Any, Symbol] | None = None,
        sym_gen: Callable[..., Any] | None = None,
        default_bucket_key: Any = None,
        arg_params: Mapping[str, NDArray] | None = None,
        aux_params: Mapping[str, NDArray] | None = None,
        **kwargs: Any,
    ) -> BucketingModule:
        """Return a module with the Symbols of its buckets, and with its parameters.

        Parameters
        ----------
        sym_dict : dict of object to Symbol
            Symbols by the buckets' keys; those of other buckets are made by `sym_gen`.
        sym_gen : callable
            As for `BucketingModule`.
        default_bucket_key : object
            As for `BucketingModule`.
        arg_params, aux_params : dict of str to NDArray
            The parameters' values.
        **kwargs
            Further arguments of `BucketingModule`.

        Raises
        ------
        RefusedArgumentError
            `sym_gen` or `default_bucket_key` is missing.
        """
        if sym_gen is None:
            msg = (
                "BucketingModule.load: sym_gen is required for loading BucketingModule. Expected "
                "the function that makes Symbols for buckets. Pass sym_gen=..."
            )
            raise RefusedArgumentError(msg)
        module = BucketingModule(sym_gen, default_bucket_key, **kwargs)
        module._loaded = dict(sym_dict or {})
        module._values = dict(arg_params or {}), dict(aux_params or {})
        module.params_initialized = True
        return module


_log = logging.getLogger()
