"""Modules without parameters, written in Python: PythonModule and PythonLossModule."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as onp
from typing_extensions import override

from gluonish import ndarray as nd
from gluonish.array import NDArray
from gluonish.errors import DTypeError, MissingMethodError, ModuleStateError, RefusedArgumentError
from gluonish.module.base_module import BaseModule

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gluonish.metric import EvalMetric
    from gluonish.model.checkpoint import Params
    from gluonish.module.given import Binding, Updates, Values

__all__ = ["PythonLossModule", "PythonModule"]


class PythonModule(BaseModule):
    """Base of modules without parameters; a subclass defines the computation.

    It defines `_compute_output_shapes`, `forward`, `backward`, `get_outputs`, `get_input_grads`,
    and, if it has parameters after all, what `BaseModule` has for them.

    Parameters
    ----------
    data_names, label_names, output_names : list of str
        Names of what goes in and comes out.
    logger : Logger, default the module `logging`
        Where `fit` reports to.
    """

    def __init__(
        self,
        data_names: Sequence[str],
        label_names: Sequence[str] | None,
        output_names: Sequence[str],
        logger: Any = logging,
    ) -> None:
        super().__init__(logger=logger)
        self._data_names = _as_names(data_names)
        self._label_names = None if label_names is None else _as_names(label_names)
        self._output_names = list(output_names)
        self._data_shapes: Any = None
        self._label_shapes: Any = None
        self._output_shapes: Any = None

    @property
    @override
    def data_names(self) -> list[str]:
        return self._data_names

    @property
    @override
    def output_names(self) -> list[str]:
        return self._output_names

    @property
    @override
    def data_shapes(self) -> Any:
        return self._data_shapes

    @property
    @override
    def label_shapes(self) -> Any:
        return self._label_shapes

    @property
    @override
    def output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        return self._output_shapes  # type: ignore[no-any-return]

    @override
    def get_params(self) -> tuple[Params, Params]:
        return {}, {}

    @override
    def _init_params(self, given: Values) -> None:
        """Do nothing: there are no parameters."""

    @override
    def update(self) -> None:
        """Do nothing: there are no parameters."""

    @override
    def update_metric(self, eval_metric: EvalMetric, labels: Any, pre_sliced: bool = False) -> None:
        if self._label_shapes is None:
            return
        if pre_sliced:
            msg = (
                "PythonModule.update_metric: pre_sliced=True was given; PythonModule does not "
                "support presliced labels. Pass whole labels."
            )
            raise ModuleStateError(msg)
        eval_metric.update(labels, self.get_outputs())

    @override
    def _bind(self, given: Binding) -> None:
        if given.grad_req != "write":
            msg = (
                f"PythonModule.bind: grad_req={given.grad_req!r} was given. Expected 'write': "
                f"Python module only support write gradient. Leave grad_req out."
            )
            raise ModuleStateError(msg)
        self.for_training, self.inputs_need_grad = given.for_training, given.inputs_need_grad
        _check_shapes("data", self._data_names, given.data_shapes)
        self._data_shapes, self._label_shapes = given.data_shapes, given.label_shapes
        if given.label_shapes is not None:
            _check_shapes("label", self._label_names or [], given.label_shapes)
        self._output_shapes = self._compute_output_shapes()
        self.binded = self.params_initialized = True

    def _compute_output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        """Return names and shapes of the outputs, for the data's."""
        self._lacks("_compute_output_shapes")

    @override
    def _init_optimizer(self, given: Updates) -> None:
        """Do nothing: there are no parameters."""
        self.optimizer_initialized = True


class PythonLossModule(PythonModule):
    """A loss at the end of a chain of modules: passes data on, and computes their gradient.

    Parameters
    ----------
    name : str
        Its output is called `name_output`.
    data_names, label_names : list of str
        One name each.
    logger : Logger, default the module `logging`
        Where `fit` reports to.
    grad_func : callable, optional
        Called with data and labels; returns the gradient of the data. Without it a subclass
        defines `_backward_impl`.

    Examples
    --------
    >>> import gluonish as mx
    >>> loss = mx.mod.PythonLossModule(grad_func=lambda scores, labels: scores - labels)
    >>> loss.bind([('data', (2,))], [('softmax_label', (2,))], inputs_need_grad=True)
    >>> loss.forward(mx.io.DataBatch([mx.nd.ones((2,))], [mx.nd.zeros((2,))]))
    >>> loss.backward()
    >>> print(loss.get_input_grads()[0].asnumpy())
    [1. 1.]
    """

    def __init__(
        self,
        name: str = "pyloss",
        data_names: Sequence[str] = ("data",),
        label_names: Sequence[str] = ("softmax_label",),
        logger: Any = logging,
        grad_func: Callable[[NDArray, NDArray], Any] | None = None,
    ) -> None:
        super().__init__(data_names, label_names, [f"{name}_output"], logger=logger)
        self._name = name
        for kind, names in (("data_names", data_names), ("label_names", label_names)):
            if len(names) != 1:
                msg = (
                    f"PythonLossModule: {kind}={list(names)} was given. Expected one name. Write "
                    f"{kind}=['name']."
                )
                raise RefusedArgumentError(msg)
        is_usable = grad_func is None or callable(grad_func)
        if not is_usable:
            msg = (
                f"PythonLossModule: grad_func={grad_func!r} was given. Expected a function of "
                f"scores and labels. Leave it out to define _backward_impl."
            )
            raise RefusedArgumentError(msg)
        self._scores: Any = None
        self._labels: Any = None
        self._scores_grad: Any = None
        self._grad_func = grad_func

    @override
    def _compute_output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        return [(f"{self._name}_output", tuple(self._data_shapes[0][1]))]

    @override
    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        self._scores = data_batch.data[0]
        if self.for_training if is_train is None else is_train:
            self._labels = data_batch.label[0]

    @override
    def get_outputs(self, merge_multi_context: bool = True) -> Any:
        _check_merged(merge_multi_context)
        return [self._scores]

    @override
    def backward(self, out_grads: Any = None) -> None:
        if out_grads is not None:
            msg = (
                "PythonLossModule.backward: out_grads were given. Expected none: for a loss "
                "module, out_grads should be None. Leave them out."
            )
            raise ModuleStateError(msg)
        if not self.for_training:
            msg = (
                "PythonLossModule.backward: it is not bound for training. Expected "
                "for_training=True. Bind it again."
            )
            raise ModuleStateError(msg)
        self._backward_impl()

    def _backward_impl(self) -> None:
        """Compute the gradient of the data, `self._scores_grad`."""
        if self._grad_func is None:
            self._lacks_gradient()
        grad = self._grad_func(self._scores, self._labels)
        if isinstance(grad, NDArray):
            self._scores_grad = grad
        elif isinstance(grad, (onp.ndarray, list, tuple, int, float)):
            self._scores_grad = nd.array(grad)
        else:
            msg = (
                f"PythonLossModule: grad_func returned {type(grad).__name__}. Expected an array. "
                f"Return the gradient of the scores."
            )
            raise DTypeError(msg)

    def _lacks_gradient(self) -> NoReturn:
        msg = (
            "PythonLossModule: it has no grad_func. Expected a function of scores and labels, or "
            "a subclass with _backward_impl. Pass grad_func=..."
        )
        raise MissingMethodError(msg)

    @override
    def get_input_grads(self, merge_multi_context: bool = True) -> Any:
        _check_merged(merge_multi_context)
        return [self._scores_grad]

    @override
    def install_monitor(self, mon: Any) -> None:
        self._lacks("install_monitor")


def _as_names(names: Any) -> list[str]:
    return list(names) if isinstance(names, tuple) else names


def _check_shapes(kind: str, names: Sequence[str], shapes: Any) -> None:
    found = [desc[0] for desc in shapes]
    if found != list(names):
        msg = (
            f"PythonModule.bind: {kind}_shapes are for {found}. Expected {list(names)}, in this "
            f"order. Pass a shape for each."
        )
        raise ModuleStateError(msg)


def _check_merged(merge_multi_context: bool) -> None:
    if not merge_multi_context:
        msg = (
            "PythonLossModule: merge_multi_context=False was given. Expected True: it is on one "
            "context. Leave it out."
        )
        raise ModuleStateError(msg)
