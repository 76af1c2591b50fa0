"""Optimizer: learning rates, weight decays and counts that all optimizers share."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, ClassVar

import torch
from typing_extensions import override

from gluonish.array import NDArray, wrap
from gluonish.array.core import like, plain
from gluonish.errors import (
    DTypeError,
    InvalidArgumentError,
    LearningRateError,
    OptimizerError,
)
from gluonish.optimizer import functional

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from torch import Tensor

    from gluonish.lr_scheduler import LRScheduler

_HALF = (torch.float16, torch.bfloat16)


class Optimizer:
    """Base of all optimizers.

    A subclass defines `create_state(index, weight)` and, for arrays, `update(index, weight,
    grad, state)` or, for lists of tensors, `apply`.

    Parameters
    ----------
    rescale_grad : float, default 1.0
        Factor on every gradient.
    param_idx2name : dict of int to str, optional
        Names of the parameters by index; without a weight or gamma in its name a parameter then
        has no weight decay.
    wd : float, default 0.0
        Weight decay per update, as a factor on the weight that is added to its gradient.
    clip_gradient : float, optional
        Each element of a rescaled gradient is kept within [-clip_gradient, clip_gradient].
    learning_rate : float, optional
        Step size per update; 0.01 by default, or the scheduler's.
    lr_scheduler : LRScheduler, optional
        Gives the learning rate for a number of updates.
    sym : object, optional
        A Symbol whose attributes `__lr_mult__` and `__wd_mult__` are multipliers.
    begin_num_update : int, default 0
        Number of updates done before.
    multi_precision : bool, default False
        Whether half-precision weights are updated by way of a float32 copy.
    param_dict : dict of int to Parameter, optional
        Parameters by index; their `lr_mult` and `wd_mult` are used.

    Examples
    --------
    >>> import gluonish as mx
    >>> sgd = mx.optimizer.create('sgd', learning_rate=0.5)
    >>> w, g = mx.nd.array([1.]), mx.nd.array([1.])
    >>> sgd.update(0, w, g, sgd.create_state(0, w))
    >>> print(w.asnumpy())
    [0.5]
    """

    opt_registry: ClassVar[dict[str, type[Optimizer]]] = {}

    def __init__(
        self,
        rescale_grad: float = 1.0,
        param_idx2name: Mapping[int, str] | None = None,
        wd: float = 0.0,
        clip_gradient: float | None = None,
        learning_rate: float | None = None,
        lr_scheduler: LRScheduler | None = None,
        sym: Any = None,
        begin_num_update: int = 0,
        multi_precision: bool = False,
        param_dict: Mapping[int, Any] | None = None,
    ) -> None:
        self.rescale_grad = rescale_grad
        self.lr_scheduler = lr_scheduler
        self.lr = 0.01 if learning_rate is None else learning_rate
        if lr_scheduler is not None:
            if learning_rate is None:
                self.lr = lr_scheduler.base_lr
            lr_scheduler.base_lr = self.lr
        self.wd = wd
        self.clip_gradient = clip_gradient
        self.multi_precision = multi_precision
        self.begin_num_update = begin_num_update
        self.num_update = begin_num_update
        self._index_update_count: dict[Any, int] = {}
        self._all_index_update_counts = {0: self._index_update_count}
        self.idx2name = dict(param_idx2name or {})
        self.param_dict = dict(param_dict or {})
        self.sym_info = () if sym is None else (sym.attr_dict(), sym.list_arguments())
        self.lr_mult: dict[Any, float] = {}
        self.wd_mult: dict[Any, float] = {}
        self.set_lr_mult({})
        self.set_wd_mult({})

    # --- making -----------------------------------------------------------------------------

    @staticmethod
    def register(klass: type[Optimizer]) -> type[Optimizer]:
        """Make an optimizer known by its class name in lower case.

        Examples
        --------
        >>> import gluonish as mx
        >>> @mx.optimizer.register
        ... class Still(mx.optimizer.Optimizer):
        ...     def create_state(self, index, weight):
        ...         return None
        ...     def update(self, index, weight, grad, state):
        ...         pass
        >>> type(mx.optimizer.create('still')).__name__
        'Still'
        """
        name = klass.__name__.lower()
        if name in Optimizer.opt_registry:
            warnings.warn(
                f"WARNING: New optimizer {klass.__module__}.{klass.__name__} is overriding "
                f"existing optimizer {name}",
                stacklevel=2,
            )
        Optimizer.opt_registry[name] = klass
        return klass

    @staticmethod
    def create_optimizer(name: str, **kwargs: Any) -> Optimizer:
        """Return a new optimizer by its name, in any case.

        Raises
        ------
        InvalidArgumentError
            There is no such optimizer.
        """
        if isinstance(name, Optimizer):
            return name
        found = Optimizer.opt_registry.get(name.lower())
        if found is None:
            known = ", ".join(sorted(Optimizer.opt_registry))
            msg = (
                f"Cannot find optimizer {name}. Expected one of {known}. Register your own with "
                f"@mx.optimizer.Optimizer.register."
            )
            raise InvalidArgumentError(msg)
        try:
            return found(**kwargs)
        except TypeError as error:
            msg = f"optimizer {name!r}: {error}. Leave that argument out."
            raise DTypeError(msg) from error

    # --- learning rates and weight decays ---------------------------------------------------

    @property
    def learning_rate(self) -> float:
        """The present learning rate, per update."""
        if self.lr_scheduler is not None:
            return self.lr_scheduler(self.num_update)
        return self.lr

    def set_learning_rate(self, lr: float) -> None:
        """Set the learning rate.

        Raises
        ------
        LearningRateError
            A scheduler decides on the learning rate.
        """
        if self.lr_scheduler is not None:
            msg = (
                "LRScheduler of the optimizer has already been defined. Note that "
                "set_learning_rate can mutate the value of the learning rate of the optimizer "
                "only when the LRScheduler of the optimizer is undefined. Set "
                "optimizer.lr_scheduler.base_lr, or leave lr_scheduler out."
            )
            raise LearningRateError(msg)
        self.lr = lr

    def set_lr_mult(self, args_lr_mult: Mapping[Any, float]) -> None:
        """Set factors on the learning rate of parameters, by index or name."""
        self.lr_mult = {**self._symbol_multipliers("__lr_mult__"), **args_lr_mult}

    def set_wd_mult(self, args_wd_mult: Mapping[Any, float]) -> None:
        """Set factors on the weight decay of parameters, by index or name."""
        self.wd_mult = {
            name: 0.0 for name in self.idx2name.values() if not name.endswith(("_weight", "_gamma"))
        }
        self.wd_mult.update(self._symbol_multipliers("__wd_mult__"))
        self.wd_mult.update(args_wd_mult)

    def _symbol_multipliers(self, key: str) -> dict[str, float]:
        if not self.sym_info:
            return {}
        attributes, names = self.sym_info
        return {n: float(attributes[n][key]) for n in names if key in attributes.get(n, ())}

    def _factor(self, index: Any, which: str) -> float:
        if index in self.param_dict:
            return getattr(self.param_dict[index], which)  # type: ignore[no-any-return]
        factors: dict[Any, float] = getattr(self, which)
        if index in factors:
            return factors[index]
        return factors.get(self.idx2name.get(index), 1.0)

    def _get_lrs(self, indices: Sequence[Any]) -> list[float]:
        rate = self.learning_rate
        return [rate * self._factor(index, "lr_mult") for index in indices]

    def _get_lr(self, index: Any) -> float:
        return self._get_lrs([index])[0]

    def _get_wds(self, indices: Sequence[Any]) -> list[float]:
        wd = self.wd
        if not wd:
            return [0.0] * len(indices)
        return [wd * self._factor(index, "wd_mult") for index in indices]

    def _get_wd(self, index: Any) -> float:
        return self._get_wds([index])[0]

    def _set_current_context(self, device_id: int) -> None:
        """Count updates for one of several devices, each of which updates its own weights."""
        self._index_update_count = self._all_index_update_counts.setdefault(device_id, {})

    def _update_count(self, index: Any) -> None:
        counts = self._index_update_count
        for one in index if isinstance(index, (list, tuple)) else (index,):
            count = counts.get(one, self.begin_num_update) + 1
            counts[one] = count
            self.num_update = max(count, self.num_update)

    # --- states -----------------------------------------------------------------------------

    def create_state(self, index: Any, weight: NDArray) -> Any:  # noqa: ARG002
        """Return what the optimizer keeps for one weight: None, an array, or a tuple of arrays."""
        return None

    def create_state_multi_precision(self, index: Any, weight: NDArray) -> Any:
        """Return the state of one weight, with a float32 copy of a half-precision one."""
        if self._has_master(weight):
            master = weight.astype("float32")
            return (master, self.create_state(index, master))
        if weight._tensor.dtype in _HALF and not self.multi_precision:
            warnings.warn(
                f"Accumulating with {weight.dtype} in optimizer can lead to poor accuracy or slow "
                f"convergence. Consider using multi_precision=True option of the optimizer.",
                stacklevel=2,
            )
        return self.create_state(index, weight)

    def _has_master(self, weight: NDArray) -> bool:
        return self.multi_precision and weight._tensor.dtype in _HALF

    # --- updates ----------------------------------------------------------------------------

    def update(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        """Update one weight, or lists of them, in place.

        Parameters
        ----------
        index : int or list of int
            Which parameter it is.
        weight, grad : NDArray or list of NDArray
            The weight and its gradient.
        state : object or list
            What `create_state` returned.
        """
        many = isinstance(index, (list, tuple))
        indices = list(index) if many else [index]
        self._update_count(indices)
        self.apply(
            indices,
            [plain(one) for one in (weight if many else [weight])],
            [plain(one) for one in (grad if many else [grad])],
            list(state) if many else [state],
        )

    def update_multi_precision(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        """Update one weight, or lists of them; half-precision ones through their float32 copies."""
        if isinstance(index, (list, tuple)):
            if not any(self._has_master(one) for one in weight):
                self._update_many(index, weight, grad, state)
                return
            for one in zip(index, weight, grad, state, strict=True):
                self.update_multi_precision(*one)
            return
        if not self._has_master(weight):
            self.update(index, weight, grad, state)
            return
        master, inner = state
        self.update(index, master, like(master, plain(grad).float()), inner)
        plain(weight).copy_(plain(master))

    def _update_many(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        if type(self).update is Optimizer.update:
            self.update(index, weight, grad, state)
            return
        for one in zip(index, weight, grad, state, strict=True):
            self.update(*one)

    def apply(
        self,
        indices: list[Any],  # noqa: ARG002 - named for subclasses
        weights: list[Tensor],  # noqa: ARG002
        grads: list[Tensor],  # noqa: ARG002
        states: list[Any],  # noqa: ARG002
    ) -> None:
        """Update tensors in place; overridden by subclasses that do not override `update`."""
        msg = (
            f"{type(self).__name__}: neither update() nor apply() is defined. Expected a subclass "
            f"of Optimizer that defines update(self, index, weight, grad, state)."
        )
        raise OptimizerError(msg)

    def _rescaled(self, grads: functional.Tensors) -> functional.Tensors:
        return functional.rescale(grads, self.rescale_grad, self.clip_gradient)

    @override
    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "param_dict": {}}


def zeros_like(weight: NDArray) -> NDArray:
    """Return an array of zeros of a weight's shape, dtype and context."""
    return wrap(torch.zeros_like(plain(weight)), weight.context, type(weight))


def tensors_of(states: Sequence[Any]) -> list[Tensor]:
    """Return the tensors of states that are one array each."""
    return [plain(state) for state in states]


def columns_of(states: Sequence[Any]) -> list[list[Tensor]]:
    """Return, for states that are tuples of arrays, the tensors at each position."""
    return [tensors_of(column) for column in zip(*states, strict=True)]


register = Optimizer.register
create = Optimizer.create_optimizer
