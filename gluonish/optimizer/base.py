"""Optimizer: learning rates, weight decays and counts that all optimizers share."""

from __future__ import annotations

import inspect
import operator
import os
import warnings
from typing import TYPE_CHECKING, Any, ClassVar

import torch
from typing_extensions import override

from gluonish.array import NDArray, tensor_lists, wrap
from gluonish.array.core import like
from gluonish.array.dtypes import dtype_name, torch_dtype
from gluonish.array.guises import plain_number
from gluonish.array.tensors import all_plain, plain
from gluonish.context import is_np_array
from gluonish.errors import (
    DTypeError,
    InvalidArgumentError,
    LearningRateError,
    OptimizerError,
    OutdatedCallError,
    RefusedArgumentError,
    SparseStorageError,
)
from gluonish.errors.arguments import value_text
from gluonish.errors.suggestions import did_you_mean_value, with_hints
from gluonish.errors.tracebacks import users_level
from gluonish.optimizer.hyperparameters import (
    check_schedule,
    checked_rate,
    make_plain,
    unknown_hyperparameter,
)
from gluonish.optimizer.lazy import as_dense, stand_in
from gluonish.optimizer.overriding import Watched
from gluonish.process.postponed import postponed, settle_all

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import NoReturn

    from torch import Tensor

    from gluonish.lr_scheduler import LRScheduler
    from gluonish.ops.updates.foreach import Tensors
    from gluonish.ops.updates.rules import Batch, Columns, Factors

__all__ = ["Optimizer", "create", "register"]


_HALF = (torch.float16, torch.bfloat16)
_SIMPLE = (bool, int, float, str, type(None))


@with_hints
class Optimizer(Watched):
    """Base of all optimizers.

    A subclass defines `create_state(index, weight)` and either `update(index, weight, grad,
    state)`, for one array, or `compute`, for lists of tensors, and `factors`, if it has more
    numbers that change from step to step than `Optimizer`.

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

    is_traceable: ClassVar[bool] = True
    """Whether `compute` may become part of a graph, which runs it without Python."""

    master_position: ClassVar[int] = 0
    """Where the float32 copy of a half-precision weight stands in its state: 0 or -1."""

    sees_whole_weight: ClassVar[bool] = False
    """Whether the update of a row depends on the weight's other rows, as by a norm."""

    is_elementwise: ClassVar[bool] = False
    """Whether each element is updated by itself, so that parts of a weight can be updated apart."""

    changing: ClassVar[frozenset[str]] = frozenset(
        {"lr", "wd", "rescale_grad", "num_update", "begin_num_update", "aggregate_num"}
    )
    """Attributes that may change from step to step, since only `factors` reads them."""

    updates_at_once: ClassVar[int] = 0
    """What `aggregate_num` is at first: how many weights a program's own `update_multi_precision`
    gets at once; 0: one, no list. `MXNET_OPTIMIZER_AGGREGATION_SIZE` replaces other numbers."""

    asks_in_lists: ClassVar[bool] = False
    """Whether counts, rates and decays are asked of several weights at once, as SGD does."""

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
        check_schedule(type(self).__name__, lr_scheduler)
        self.rescale_grad = rescale_grad
        self.lr_scheduler = lr_scheduler
        self.lr: Any = None  # a schedule's affair alone, where no rate is given beside it
        if lr_scheduler is None or learning_rate is not None:
            rate = 0.01 if learning_rate is None else learning_rate
            self.lr = checked_rate(type(self).__name__, rate)
        if lr_scheduler is not None and learning_rate is not None:
            lr_scheduler.base_lr = self.lr
        self.wd = wd
        self.clip_gradient = clip_gradient
        self.multi_precision = multi_precision
        self.aggregate_num = _at_once(self.updates_at_once)
        self.begin_num_update = begin_num_update
        self.num_update = begin_num_update
        self._index_update_count: dict[Any, int] = {}
        self._all_index_update_counts = {0: self._index_update_count}
        if not isinstance(param_idx2name, (dict, type(None))):
            msg = (
                f"{type(self).__name__}: param_idx2name={param_idx2name!r} was given. "
                f"param_idx2name should be a dict of param indexes to names. Write "
                f"{{0: 'fc_weight'}}."
            )
            raise RefusedArgumentError(msg)
        self.idx2name = dict(param_idx2name or {})
        self.param_dict = dict(param_dict or {})
        self.allow_np_array = is_np_array()
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
        >>> @mx.optimizer.Optimizer.register
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
                stacklevel=users_level(),
            )
        Optimizer.opt_registry[name] = klass
        return klass

    @staticmethod
    def create_optimizer(name: object, **kwargs: Any) -> Optimizer:
        """Return a new optimizer by its name, in any case.

        Raises
        ------
        InvalidArgumentError
            There is no such optimizer.
        """
        if isinstance(name, Optimizer):
            return name
        if not isinstance(name, str):
            msg = (
                f"optimizer: {value_text(name)} of type {type(name).__name__} was given. "
                f"Expected a name, or an object of mx.optimizer. Write 'sgd', or "
                f"mx.optimizer.SGD(learning_rate=0.1)."
            )
            raise DTypeError(msg)
        found = Optimizer.opt_registry.get(name.lower())
        if found is None:
            known = sorted(n for n in Optimizer.opt_registry if not n.startswith("_"))
            how = did_you_mean_value("optimizer", name, known)
            how = how or " Register your own with @mx.optimizer.Optimizer.register."
            msg = f"Cannot find optimizer {name}. Expected one of {', '.join(known)}.{how}"
            raise InvalidArgumentError(msg)
        try:
            return found(**kwargs)
        except TypeError as error:
            raise unknown_hyperparameter(found, name, kwargs, error) from error

    # --- learning rates and weight decays ---------------------------------------------------

    @property
    def _gradient_bound(self) -> float | None:
        """The bound of gradients where MXNet has an operator: 0 is none there."""
        return self.clip_gradient or None

    @property
    def learning_rate(self) -> float:
        """The present learning rate, per update."""
        if self.lr_scheduler is not None:
            return self.lr_scheduler(self.num_update)
        return self.lr  # type: ignore[no-any-return]

    def set_learning_rate(self, lr: float) -> None:
        """Set the learning rate.

        Raises
        ------
        LearningRateError
            A scheduler decides on the learning rate.
        """
        if self.lr_scheduler is not None:
            msg = (
                f"set_learning_rate({lr}), beside a {type(self.lr_scheduler).__name__}: "
                "LRScheduler of the optimizer has already been defined. Note that "
                "set_learning_rate can mutate the value of the learning rate of the optimizer "
                "only when the LRScheduler of the optimizer is undefined. Write "
                "trainer.optimizer.lr_scheduler = None in the line before, which ends the "
                "schedule; to go on with one, set trainer.optimizer.lr_scheduler to a new one."
            )
            raise LearningRateError(msg)
        self.lr = plain_number(lr)

    def set_lr_mult(self, args_lr_mult: Mapping[Any, float]) -> None:
        """Set factors on the learning rate of parameters, by index or name."""
        self.lr_mult = {**self._symbol_multipliers("__lr_mult__"), **args_lr_mult}

    def set_lr_scale(self, args_lrscale: Mapping[Any, float]) -> NoReturn:
        """Refuse, as in MXNet, where `set_lr_mult` has taken its place.

        Raises
        ------
        OutdatedCallError
            Always.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.optimizer.SGD().set_lr_scale({'w': 0.1})
        Traceback (most recent call last):
        ...
        gluonish.errors.OutdatedCallError: SGD.set_lr_scale({'w': 0.1}): MXNet has ...
        """
        msg = (
            f"{type(self).__name__}.set_lr_scale({args_lrscale!r}): MXNet has given it up. "
            f"Expected the call that took its place. Write set_lr_mult({args_lrscale!r})."
        )
        raise OutdatedCallError(msg)

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
        schedule = self.lr_scheduler
        rate = self.lr if schedule is None else plain_number(schedule(self.num_update))
        owners = self.param_dict
        try:
            return [
                rate * (owners[one].lr_mult if one in owners else self._factor(one, "lr_mult"))
                for one in indices
            ]
        except TypeError as error:
            if rate is None:
                raise _no_rate(self) from error
            raise

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
        counts, begin, most = self._index_update_count, self.begin_num_update, self.num_update
        for one in index if isinstance(index, (list, tuple)) else (index,):
            counts[one] = count = counts.get(one, begin) + 1
            if count > most:
                most = count
        self.num_update = most

    def _count(self, index: Any) -> Sequence[Any]:
        """Count an update that is to come, and return the list of what it updates."""
        if postponed:
            settle_all()
        indices = index if isinstance(index, (list, tuple)) else [index]
        if self.asks_in_lists:
            self._update_count(indices)
        elif indices is index and self.obeys():
            for one in index:
                self._update_count(one)
        else:
            self._update_count(index)
        return indices

    def has_updated(self, index: Any) -> bool:
        """Return whether a weight has been updated before, on this device."""
        return index in self._index_update_count

    def forget(self) -> None:
        """Drop what follows from counts of updates that have been replaced."""

    # --- states -----------------------------------------------------------------------------

    def create_state(self, index: Any, weight: NDArray) -> Any:  # noqa: ARG002
        """Return what the optimizer keeps for one weight: None, an array, or a tuple of arrays."""
        return None

    def create_state_multi_precision(self, index: Any, weight: NDArray) -> Any:
        """Return the state of one weight, with a float32 copy of a half-precision one."""
        make_plain(self)
        weight = stand_in(weight)
        if self.has_master(weight):
            master = weight.astype("float32")
            pair = (master, self.create_state(index, master))
            return pair[::-1] if self.master_position else pair
        if plain(weight).dtype in _HALF and not self.multi_precision:
            warnings.warn(
                f"Accumulating with {dtype_name(plain(weight).dtype)} in optimizer can lead to "
                f"poor accuracy or slow convergence. Consider using multi_precision=True option "
                f"of the optimizer.",
                stacklevel=users_level(),
            )
        return self.create_state(index, weight)

    def has_master(self, weight: NDArray) -> bool:
        """Return whether a weight is updated by way of a float32 copy in its state."""
        return self.multi_precision and torch_dtype(weight.dtype) in _HALF

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
        if self._has_own_impl():
            self._update_impl(index, weight, grad, state)
            return
        self._update_plainly(index, weight, grad, state)

    def _update_plainly(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        if not isinstance(index, (list, tuple)):
            weight, grad, state = [weight], [grad], [state]
        index = self._count(index)
        try:
            tensors = all_plain(weight), all_plain(grad)
        except SparseStorageError:
            dense = as_dense(self, weight, grad, state)
            tensors = all_plain(dense.weights), all_plain(dense.grads)
            self.apply(index, *tensors, columns_of(dense.states))
            dense.finish()
        else:
            self.apply(index, *tensors, columns_of(state))

    def update_multi_precision(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        """Update one weight, or lists of them; half-precision ones through their float32 copies."""
        is_list = isinstance(index, (list, tuple))
        if self.asks_update and (self._has_own_update() or self._has_own_impl()):
            if not is_list:
                self._update_one(index, weight, grad, state)
            elif self.aggregate_num > 0 and not self.multi_precision:
                self.update(index, weight, grad, state)
            else:
                for one in zip(index, weight, grad, state, strict=True):
                    self._update_one(*one)
            return
        if self._has_own_impl():
            first = weight[0] if is_list else weight
            copies = {"multi_precision": True} if self.has_master(first) else {}
            self._update_impl(index, weight, grad, state, **copies)
            return
        self._update_with_copies(index, weight, grad, state)

    def _update_impl(
        self, index: Any, weight: Any, grad: Any, state: Any, multi_precision: bool = False
    ) -> None:
        """Update as `update`, or with float32 copies; see `has_update_impl`."""
        update = self._update_with_copies if multi_precision else self._update_plainly
        update(index, weight, grad, state)

    def _update_with_copies(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        is_list = isinstance(index, (list, tuple))
        if not is_list:
            weight, grad, state = [weight], [grad], [state]
        self._update_counted(self._count(index), weight, grad, state)

    def update_lists(
        self,
        indices: Sequence[Any],
        weights: Sequence[NDArray],
        grads: Sequence[NDArray],
        states: Sequence[Any],
    ) -> None:
        """Update weights as `update_multi_precision`, where no other class takes part in it."""
        if postponed:
            settle_all()
        self._update_count(indices)
        self._update_counted(indices, weights, grads, states)

    def _update_counted(
        self,
        index: Sequence[Any],
        weight: Sequence[NDArray],
        grad: Sequence[NDArray],
        state: Sequence[Any],
    ) -> None:
        try:
            self._update_dense(index, weight, grad, state)
        except SparseStorageError:  # before anything was changed
            dense = as_dense(self, weight, grad, state)
            self._update_dense(index, dense.weights, dense.grads, dense.states)
            dense.finish()

    def _update_dense(
        self,
        index: Sequence[Any],
        weight: Sequence[NDArray],
        grad: Sequence[NDArray],
        state: Sequence[Any],
    ) -> None:
        """Update weights, after their updates have been counted."""
        masters = self.multi_precision and [self.has_master(one) for one in weight]
        tensors = all_plain(weight), all_plain(grad)
        if not masters or not any(masters):
            self.apply(index, *tensors, columns_of(state))
        elif all(masters):
            self.compute_multi_precision(*tensors, columns_of(state), self.factors(index))
        else:
            self._compute_both(masters, *tensors, state, self.factors(index))

    def _compute_both(
        self,
        masters: list[bool],
        weights: list[Tensor],
        grads: list[Tensor],
        states: Sequence[Any],
        factors: Factors,
    ) -> None:
        """Update weights some of which have a float32 copy."""
        for which, compute in ((False, self.compute), (True, self.compute_multi_precision)):
            chosen = [position for position, has in enumerate(masters) if has is which]
            compute(
                [weights[i] for i in chosen],
                [grads[i] for i in chosen],
                columns_of([states[i] for i in chosen]),
                {name: [values[i] for i in chosen] for name, values in factors.items()},
            )

    def _update_one(self, index: Any, weight: NDArray, grad: NDArray, state: Any) -> None:
        """Update by a subclass's own `update`."""
        if weight.stype != "default" or not self.has_master(weight):
            self.update(index, weight, grad, state)
            return
        master, inner = state[::-1] if self.master_position else state
        self.update(index, master, like(master, plain(grad).float()), inner)
        plain(weight).copy_(plain(master))

    def is_lazy(self, weight: NDArray) -> bool:  # noqa: ARG002 - for subclasses
        """Return whether a row_sparse gradient of a weight changes no rows but its own.

        States of other rows stay as they are, too, and these have no weight decay.
        """
        return False

    def apply(
        self, indices: Sequence[Any], weights: Tensors, grads: Tensors, states: Columns
    ) -> None:
        """Update tensors in place, after their updates have been counted; see `compute`."""
        self.compute(weights, grads, states, self.factors(indices))

    def factors(self, indices: Sequence[Any]) -> dict[str, list[float]]:
        """Return all numbers of an update that change from step to step, one for each weight.

        To be called after the update has been counted; changes nothing itself.

        Returns
        -------
        dict of str to list of float
            `'lr'`, the learning rates; `'scale'`, the factors on the gradients; `'wd'`, the weight
            decays, left out where all are 0; and what else depends on the number of updates.
        """
        if self.asks_in_lists or (len(indices) > 1 and not self.obeys()):
            rates, wds = self._get_lrs(indices), self._get_wds(indices)
        else:
            rates = [self._get_lr(index) for index in indices]
            wds = [self._get_wd(index) for index in indices]
        factors = {"lr": rates, "scale": [self.rescale_grad] * len(indices)}
        if any(wds):
            factors["wd"] = wds
        return factors

    def constants(self) -> dict[str, Any]:
        """Return the settings that `compute` may depend on, by name."""
        return {
            name: value
            for name, value in self.__dict__.items()
            if name not in self.changing and isinstance(value, _SIMPLE)
        }

    def compute(
        self,
        weights: Tensors,  # noqa: ARG002 - named for subclasses
        grads: Tensors,  # noqa: ARG002
        states: Columns,  # noqa: ARG002
        factors: Factors,  # noqa: ARG002
    ) -> None:
        """Change weights and states in place; a pure function that graphs may hold.

        Reads only constants of the optimizer, and does not branch on values of factors.

        Parameters
        ----------
        weights, grads : list of Tensor
            Memory of the weights, and their gradients.
        states : list of lists of Tensor
            For each array in a weight's state, the list of those of all weights.
        factors : dict of str to list of float or to list of Tensor, shape ()
            What `factors` returned; tensors while a graph is traced.
        """
        msg = (
            f"{type(self).__name__}: neither update() nor compute() is defined. Expected a "
            f"subclass of Optimizer that defines update(self, index, weight, grad, state)."
        )
        raise OptimizerError(msg)

    def compute_multi_precision(
        self, weights: Tensors, grads: Tensors, states: Columns, factors: Factors
    ) -> None:
        """Change half-precision weights and their states, float32 copies among them, in place."""
        inner = list(states)
        masters = inner.pop(self.master_position)
        self.compute(masters, [grad.float() for grad in grads], inner, factors)
        tensor_lists.copy_(weights, masters)

    @override
    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "param_dict": {}}


def by_rule(rule: Callable[..., None], **attributes: str) -> Any:
    """Return a `compute` that calls a rule of updates with the optimizer's own settings.

    Parameters
    ----------
    rule : callable
        Takes weights, gradients, states, factors, and settings, which are attributes of the
        optimizer of the same name.
    **attributes : str
        Names of attributes that are called otherwise.
    """
    named = {"clip": "_gradient_bound", **attributes}
    parameters = inspect.signature(rule).parameters.values()
    names = [one.name for one in parameters if one.kind is one.KEYWORD_ONLY]
    own_settings = operator.attrgetter(*(named.get(name, name) for name in names))

    def compute(self: Optimizer, *batch: *Batch) -> None:
        rule(*batch, **dict(zip(names, own_settings(self), strict=True)))

    return compute


def _at_once(most: int) -> int:
    """Return how many weights are updated at once, as the environment says it, for those of many.

    Raises
    ------
    InvalidArgumentError
        It says no number.
    """
    text = os.environ.get("MXNET_OPTIMIZER_AGGREGATION_SIZE", "") if most else ""
    try:
        return int(text or most)
    except ValueError as error:
        msg = (
            f"MXNET_OPTIMIZER_AGGREGATION_SIZE={text!r}: how many weights are updated at once. "
            f"Expected a whole number. Set it to 4, for example, or unset it."
        )
        raise InvalidArgumentError(msg) from error


def zeros_like(weight: NDArray) -> NDArray:
    """Return an array of zeros of a weight's shape, dtype and context."""
    weight = stand_in(weight)
    return wrap(torch.zeros_like(plain(weight)), weight.context, type(weight))


def columns_of(states: Sequence[Any], take: Callable[[NDArray], Any] = plain) -> list[list[Any]]:
    """Return, for each array in the states of weights, the tensors of all weights.

    A state is None, an array, or a tuple or list of states. Something else than tensors can be
    taken of the arrays.
    """
    first = states[0]
    if first is None:
        return []
    if isinstance(first, (tuple, list)):
        columns = zip(*states, strict=True)
        return [part for column in columns for part in columns_of(column, take)]
    return [list(map(take, states))]


def register(klass: type[Optimizer]) -> type[Optimizer]:
    """Make an optimizer known by its class name in lower case, as `Optimizer.register` does.

    Examples
    --------
    >>> import gluonish as mx
    >>> @mx.optimizer.register
    ... class Resting(mx.optimizer.SGD):
    ...     pass
    >>> type(mx.optimizer.create('resting')).__name__
    'Resting'
    """
    return Optimizer.register(klass)


create = Optimizer.create_optimizer


def _no_rate(optimizer: Optimizer) -> DTypeError:
    name = type(optimizer).__name__
    msg = (
        f"{name}: lr=None, since a schedule decided on the learning rate, and lr_scheduler is None "
        f"now. Expected a number. Call set_learning_rate(0.1) behind lr_scheduler = None."
    )
    return DTypeError(msg)
