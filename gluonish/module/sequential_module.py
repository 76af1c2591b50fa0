"""SequentialModule: modules one after the other, each fed with the outputs of the one before."""

from __future__ import annotations

import copy
import logging
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.errors import InvalidArgumentError, ModuleStateError, RefusedArgumentError
from gluonish.module.base_module import BaseModule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Self

    from gluonish.metric import EvalMetric
    from gluonish.model.checkpoint import Params
    from gluonish.module.given import Binding, Updates, Values

__all__ = ["SequentialModule"]


class SequentialModule(BaseModule):
    """Modules one after the other.

    Parameters
    ----------
    logger : Logger, default the module `logging`
        Where `fit` reports to.

    Examples
    --------
    >>> import gluonish as mx
    >>> first = mx.sym.FullyConnected(mx.sym.var('data'), num_hidden=2, name='fc')
    >>> second = mx.sym.SoftmaxOutput(mx.sym.var('fc_output'), name='softmax')
    >>> chain = mx.mod.SequentialModule()
    >>> chain.add(mx.mod.Module(first, label_names=[])).add(
    ...     mx.mod.Module(second, data_names=['fc_output']), take_labels=True, auto_wiring=True
    ... ).bind([('data', (1, 3))], [('softmax_label', (1,))])
    >>> chain.output_shapes
    [('softmax_output', (1, 2))]
    """

    META_TAKE_LABELS = "take_labels"
    META_AUTO_WIRING = "auto_wiring"

    def __init__(self, logger: Any = logging) -> None:
        super().__init__(logger=logger)
        self._modules: list[Any] = []
        self._metas: list[dict[str, Any]] = []
        self._label_shapes: Any = None
        self._data_shapes: Any = None
        self._meta_keys = {self.META_TAKE_LABELS, self.META_AUTO_WIRING}

    def add(self, module: BaseModule, **kwargs: Any) -> Self:
        """Add a module at the end.

        Parameters
        ----------
        module : BaseModule
            The module.
        **kwargs
            `take_labels=True`: it takes the labels. `auto_wiring=True`: its data are the outputs of
            the one before, in order, whatever their names.

        Returns
        -------
        SequentialModule
            Itself.

        Raises
        ------
        RefusedArgumentError
            There is no such option.
        """
        unknown = sorted(kwargs.keys() - self._meta_keys)
        if unknown:
            msg = (
                f'Unknown meta "{unknown[0]}", a typo? Expected some of '
                f"{sorted(self._meta_keys)}. Write add(module, take_labels=True)."
            )
            raise RefusedArgumentError(msg)
        self._modules.append(module)
        self._metas.append(kwargs)
        self.binded = self.params_initialized = self.optimizer_initialized = False
        return self

    def _pairs(self) -> Iterator[tuple[Any, bool]]:
        """Yield each module, and whether it takes the labels."""
        for module, meta in zip(self._modules, self._metas, strict=True):
            yield module, bool(meta.get(self.META_TAKE_LABELS))

    # --- what it is -------------------------------------------------------------------------

    @property
    @override
    def data_names(self) -> list[str]:
        return self._modules[0].data_names if self._modules else []

    @property
    @override
    def output_names(self) -> list[str]:
        return self._modules[-1].output_names if self._modules else []

    @property
    @override
    def data_shapes(self) -> Any:
        self._check("data_shapes", "binded")
        return self._modules[0].data_shapes

    @property
    @override
    def label_shapes(self) -> Any:
        self._check("label_shapes", "binded")
        return self._label_shapes

    @property
    @override
    def output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        self._check("output_shapes", "binded")
        return self._modules[-1].output_shapes  # type: ignore[no-any-return]

    # --- parameters -------------------------------------------------------------------------

    @override
    def get_params(self) -> tuple[Params, Params]:
        self._check("get_params", "binded", "params_initialized")
        arg_params: Params = {}
        aux_params: Params = {}
        for module in self._modules:
            args, states = module.get_params()
            arg_params.update(args)
            aux_params.update(states)
        return arg_params, aux_params

    @override
    def _init_params(self, given: Values) -> None:
        if self.params_initialized and not given.force_init:
            return
        self._check("init_params", "binded")
        for module in self._modules:
            module.init_params(*given)
        self._check_names()
        self.params_initialized = True

    def _check_names(self) -> None:
        """Raise if two modules have parameters of one name."""
        owners: dict[str, int] = {}
        for position, module in enumerate(self._modules):
            for params in module.get_params():
                for name in params:
                    if name in owners:
                        first, second = self._modules[owners[name]], module
                        msg = (
                            f'Duplicated parameter names: name "{name}" in layer {position} '
                            f"({type(second)}) is already used in layer {owners[name]} "
                            f"({type(first)}). Expected names that differ. Give operators a name."
                        )
                        raise InvalidArgumentError(msg)
                    owners[name] = position

    # --- binding ----------------------------------------------------------------------------

    @override
    def _parts(self) -> Sequence[BaseModule]:
        return self._modules

    @override
    def _bind(self, given: Binding) -> None:
        self._check_bindable(given)
        self.for_training, self.inputs_need_grad = given.for_training, given.inputs_need_grad
        self._data_shapes, self._label_shapes = given.data_shapes, None
        shapes = given.data_shapes
        for position, (module, takes_labels) in enumerate(self._pairs()):
            if takes_labels:
                self._label_shapes = given.label_shapes
            if self._metas[position].get(self.META_AUTO_WIRING):
                shapes = _wired(module.data_names, shapes)
            module.bind(
                data_shapes=shapes,
                label_shapes=given.label_shapes if takes_labels else None,
                for_training=given.for_training,
                inputs_need_grad=given.for_training and (given.inputs_need_grad or position > 0),
                force_rebind=given.force_rebind,
                grad_req=given.grad_req,
            )
            shapes = module.output_shapes
        self.binded = True

    def _check_bindable(self, given: Binding) -> None:
        problem = None
        if given.shared_module is not None:
            problem = "Shared module is not supported. Leave shared_module out."
        elif not self._modules:
            problem = "Attempting to bind an empty SequentialModule. Add modules with add(module)."
        elif given.inputs_need_grad and not given.for_training:
            problem = "inputs_need_grad=True needs for_training=True. Pass both."
        if problem is not None:
            msg = f"SequentialModule.bind: {problem}"
            raise ModuleStateError(msg)

    # --- computation ------------------------------------------------------------------------

    @override
    def _init_optimizer(self, given: Updates) -> None:
        self._check("init_optimizer", "binded", "params_initialized")
        if self.optimizer_initialized and not given.force_init:
            self.logger.warning("optimizer already initialized, ignoring.")
            return
        for module in self._modules:
            module.init_optimizer(*given)
        self.optimizer_initialized = True

    @override
    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        self._check("forward", "binded", "params_initialized")
        batch = copy.copy(data_batch)
        for position, module in enumerate(self._modules):
            module.forward(batch, is_train=is_train)
            if position + 1 == len(self._modules):
                break
            batch.data = module.get_outputs()
            if getattr(batch, "provide_data", None):
                names = [desc[0] for desc in module.output_shapes]
                shapes = [array.shape for array in batch.data]
                following = self._modules[position + 1].data_names
                if self._metas[position + 1].get(self.META_AUTO_WIRING):
                    names = following
                batch.provide_data = list(zip(names, shapes, strict=True))

    @override
    def backward(self, out_grads: Any = None) -> None:
        self._check("backward", "binded", "params_initialized")
        for position in reversed(range(len(self._modules))):
            self._modules[position].backward(out_grads=out_grads)
            if position:
                out_grads = self._modules[position].get_input_grads()

    @override
    def update(self) -> None:
        self._check("update", "binded", "params_initialized", "optimizer_initialized")
        for module in self._modules:
            module.update()

    @override
    def get_outputs(self, merge_multi_context: bool = True) -> Any:
        self._check("get_outputs", "binded", "params_initialized")
        return self._modules[-1].get_outputs(merge_multi_context=merge_multi_context)

    @override
    def get_input_grads(self, merge_multi_context: bool = True) -> Any:
        self._check("get_input_grads", "binded", "params_initialized", "inputs_need_grad")
        return self._modules[0].get_input_grads(merge_multi_context=merge_multi_context)

    @override
    def update_metric(self, eval_metric: EvalMetric, labels: Any, pre_sliced: bool = False) -> None:
        self._check("update_metric", "binded", "params_initialized")
        for module, takes_labels in self._pairs():
            if takes_labels:
                module.update_metric(eval_metric, labels, pre_sliced)

    @override
    def install_monitor(self, mon: Any) -> None:
        self._check("install_monitor", "binded")
        for module in self._modules:
            module.install_monitor(mon)


def _wired(names: list[str], shapes: Any) -> list[tuple[str, tuple[int, ...]]]:
    """Return shapes under other names, in order."""
    if len(names) != len(shapes):
        msg = (
            f"SequentialModule: a module with the data {names} follows one with "
            f"{len(shapes)} outputs. Expected as many outputs. Group or slice its Symbol."
        )
        raise RefusedArgumentError(msg)
    return [(name, tuple(desc[1])) for name, desc in zip(names, shapes, strict=True)]
