"""Trainer: applies an optimizer to parameters after each backward pass."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gluonish import optimizer as optimizers
from gluonish.array.waiting import local
from gluonish.block import Parameter, ParameterDict
from gluonish.block.parameter_memory import attachments, copies_of
from gluonish.block.parameter_refusals import how_to_use, not_there, owners
from gluonish.errors import (
    ArgumentKindError,
    DTypeError,
    InvalidArgumentError,
    ParameterError,
    ReadOnlyError,
    StaleGradientError,
    StoreUpdateError,
    ZeroStepError,
)
from gluonish.errors.arguments import value_text
from gluonish.errors.program_arguments import with_first
from gluonish.errors.program_assignments import made_with
from gluonish.errors.program_layers import attribute_set
from gluonish.errors.program_recording import how_to_differentiate
from gluonish.errors.suggestions import with_hints
from gluonish.gluon.states import load_states, save_states
from gluonish.gluon.store_link import StoreLink, link_to, update_copy
from gluonish.gluon.trainer_plan import TrainerPlan
from gluonish.kvstore import KVStore, KVStoreBase
from gluonish.kvstore.compression import Compression
from gluonish.kvstore.creation import check_name, choose, is_of_processes, is_shared
from gluonish.optimizer.hyperparameters import checked_rate
from gluonish.profiler.stages import measured

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.context import Context
    from gluonish.gluon.loss_scaling import LossScaler
    from gluonish.serialization.files import PathLike


__all__ = ["Trainer"]


@with_hints
class Trainer:
    """Applies an optimizer to parameters, once for each batch.

    Parameters
    ----------
    params : ParameterDict, dict or list of Parameter
        What to train; `net.collect_params()`.
    optimizer : str or Optimizer
        The optimizer or its name.
    optimizer_params : dict, optional
        Arguments for an optimizer that is given by name.
    kvstore : str or KVStore, optional, default 'device'
        Where gradients of several contexts are summed: a store from `mx.kv.create` or its name;
        a name means none where there is one context. None leaves gradients as they are.
    compression_params : dict, optional
        `{'type': '2bit', 'threshold': 0.5}`: gradients are quantized before they are summed
        over several contexts.
    update_on_kvstore : bool, optional
        Whether the store updates the weights, once, and copies them to all contexts; otherwise
        each context updates its own copy. By default it does if it can, unless it is 'local' and
        a parameter has more than 16 million elements.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.nn.Dense(1, in_units=1, use_bias=False)
    >>> net.initialize(mx.init.One())
    >>> trainer = mx.gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.5})
    >>> with mx.autograd.record():
    ...     loss = net(mx.nd.array([[2.]]))
    >>> loss.backward()
    >>> trainer.step(batch_size=1)
    >>> print(net.weight.data().asnumpy())
    [[0.]]
    """

    def __init__(
        self,
        params: ParameterDict | Mapping[str, Parameter] | Sequence[Parameter],
        optimizer: str | optimizers.Optimizer,
        optimizer_params: Mapping[str, Any] | None = None,
        kvstore: KVStoreBase | str | None = "device",
        compression_params: Mapping[str, Any] | None = None,
        update_on_kvstore: bool | None = None,
    ) -> None:
        self._params = _as_list(params)
        self._order = self._params
        self._indices = {id(param): index for index, param in enumerate(self._params)}
        _common_contexts(self._params)
        self._optimizer = _make(optimizer, _options(optimizer_params), self._params)
        self._scale = self._amp_original_scale = self._optimizer.rescale_grad
        self._amp_loss_scaler: LossScaler | None = None
        check_name(kvstore)
        if update_on_kvstore and kvstore is None:
            msg = "Trainer: update_on_kvstore=True needs a kvstore. Leave kvstore at 'device'."
            raise InvalidArgumentError(msg)
        if compression_params:
            Compression(compression_params)
        self._compression_params = compression_params
        self._kvstore_params: dict[str, Any] = {
            "kvstore": kvstore,
            "update_on_kvstore": update_on_kvstore,
        }
        self._kvstore: KVStoreBase | None = None
        self._kv_initialized = False
        self._update_on_kvstore: bool | None = None
        self._link: StoreLink | None = None
        self._copies = 0
        self._updaters = [optimizers.get_updater(self._optimizer)]
        for param in self._params:
            param._set_trainer(self)
        if is_shared(kvstore) and all(map(copies_of, self._params)):
            self.prepare()  # all workers begin with the weights of the first

    @property
    def learning_rate(self) -> float:
        """The optimizer's present learning rate, per update."""
        return self._optimizer.learning_rate

    @learning_rate.setter
    def learning_rate(self, value: float) -> None:
        msg = (
            f"Trainer: learning_rate={value!r} was to be set as an attribute. Expected a call, "
            f"since schedules may forbid it. Write trainer.set_learning_rate("
            f"{attribute_set()[1] or repr(value)})."
        )
        raise ReadOnlyError(msg)

    @property
    def optimizer(self) -> optimizers.Optimizer:
        """The optimizer."""
        return self._optimizer

    @property
    def _param2idx(self) -> dict[str, int]:
        """Positions of parameters by name; programs that update some by themselves ask."""
        return {param.name: index for index, param in enumerate(self._params)}

    @property
    def _params_to_init(self) -> list[Parameter]:
        """The parameters that the store, if there is one, has not seen yet."""
        if not self._kv_initialized:
            return list(self._params)
        return [param for param in self._params if not param._arrays]

    @property
    def _contains_sparse_weight(self) -> bool:
        return any(param._stype != "default" for param in self._params)

    @property
    def _contains_sparse_grad(self) -> bool:
        return any(param._grad_stype != "default" for param in self._params)

    @property
    def _distributed(self) -> bool | None:
        """Whether the store is one of several processes; None before it is there."""
        if not self._kv_initialized:
            return None
        return self._kvstore is not None and "dist" in self._kvstore.type

    def set_learning_rate(self, lr: float) -> None:
        """Set the learning rate.

        Raises
        ------
        LearningRateError
            A scheduler decides on the learning rate.

        Examples
        --------
        >>> import gluonish as mx
        >>> net = mx.gluon.nn.Dense(1, in_units=1)
        >>> net.initialize()
        >>> trainer = mx.gluon.Trainer(net.collect_params(), 'sgd')
        >>> trainer.set_learning_rate(0.3)
        >>> trainer.learning_rate
        0.3
        """
        self._optimizer.set_learning_rate(checked_rate("Trainer", lr))

    def step(self, batch_size: float, ignore_stale_grad: bool = False) -> None:
        """Sum the gradients over contexts and update all parameters.

        Parameters
        ----------
        batch_size : int
            What gradients are divided by.
        ignore_stale_grad : bool, default False
            Whether to skip parameters that no `backward()` has reached since the last step.

        Notes
        -----
        After `contrib.amp.init_trainer` nothing is updated where a gradient is infinite or NaN.

        Raises
        ------
        StaleGradientError
            A parameter was not reached, and `ignore_stale_grad` is False.
        UninitializedParameterError
            A parameter has no values yet.
        ZeroStepError
            `batch_size` is 0.
        """
        self._check_and_rescale_grad(self.scale_for(batch_size))
        self.prepare()
        if self.has_own_steps():
            self._allreduce_grads()
            self._update(ignore_stale_grad)
            return
        if local.postponed is not None and self._ends_loop():
            return
        link = self._link
        is_reduced = False
        if self._amp_loss_scaler is not None:
            if link is not None and link.reduces_apart:
                link.reduce(self._trained())
                is_reduced = True
            if self._amp_loss_scaler.has_overflow(self._params):
                return
        fresh = self._fresh(ignore_stale_grad)
        if link is not None and ignore_stale_grad:
            fresh = link.agreed(fresh)
        if link is not None and self._update_on_kvstore:
            link.update(fresh, is_reduced=is_reduced)
            _mark_used(fresh)
            return
        if link is not None and not is_reduced:
            link.reduce(fresh)
        self._update_copies(fresh)

    def has_own_steps(self) -> bool:
        """Return whether a subclass, or a program, replaces a part of a step by its own.

        Examples
        --------
        >>> import gluonish as mx
        >>> class Own(mx.gluon.Trainer):
        ...     def _allreduce_grads(self): pass
        >>> net = mx.gluon.nn.Dense(1, in_units=1)
        >>> net.initialize()
        >>> Own(net.collect_params(), 'sgd').has_own_steps()
        True
        """
        kind, own = type(self), self.__dict__
        if "_update" in own or "_allreduce_grads" in own:
            return True
        return kind is not Trainer and (
            kind._update is not Trainer._update  # noqa: SLF001 - its own
            or kind._allreduce_grads is not Trainer._allreduce_grads  # noqa: SLF001 - its own
        )

    def prepare(self) -> None:
        """Find the store that goes with the parameters' contexts, and give it their values.

        Both happen once, and again where there are other contexts.

        Examples
        --------
        >>> import gluonish as mx
        >>> net = mx.gluon.nn.Dense(1, in_units=1)
        >>> net.initialize()
        >>> mx.gluon.Trainer(net.collect_params(), 'sgd').prepare()
        """
        if self._kv_initialized:
            copies = self._copies
            for param in self._params:
                if len(param._arrays) != copies:
                    break
            else:
                return
        if self._count() != self._copies or not self._kv_initialized:
            self._init_kvstore()
            self._init_params()

    def allreduce_grads(self) -> None:
        """Sum the gradients of each parameter over its contexts, without an update.

        For use with `update`, where gradients are changed in between (clipping).

        Raises
        ------
        StoreUpdateError
            The store updates the weights: several contexts without `update_on_kvstore=False`.
        """
        self._refuse_on_kvstore("allreduce_grads()")
        self._allreduce_grads()

    def scale_for(self, batch_size: float) -> float:
        """Return what gradients are multiplied by for a batch of so many samples.

        Raises
        ------
        ZeroStepError
            There are none.
        DTypeError
            It is no number.
        """
        try:
            scale = self._scale / batch_size
            return scale if type(scale) is float else float(scale)
        except ZeroDivisionError as error:
            msg = (
                "Trainer: batch_size=0 was given. Expected the number of samples that the "
                "gradients were summed over, at least 1. Leave empty batches out."
            )
            raise ZeroStepError(msg) from error
        except TypeError as error:
            msg = (
                f"Trainer: batch_size={value_text(batch_size)} was given, a "
                f"{type(batch_size).__name__}. "
                f"Expected a number of samples. Pass for example data.shape[0]."
            )
            raise DTypeError(msg) from error

    def update(self, batch_size: float, ignore_stale_grad: bool = False) -> None:
        """Update all parameters by their gradients as they are; see `step`.

        Raises
        ------
        StoreUpdateError
            The store updates the weights: several contexts without `update_on_kvstore=False`.
        """
        self._refuse_on_kvstore("update()")
        self._check_and_rescale_grad(self.scale_for(batch_size))
        if self.has_own_steps() or not self._ends_loop():
            self._update(ignore_stale_grad)

    def save_states(self, fname: PathLike) -> None:
        """Save the optimizer's states, settings and counts of updates in a file.

        Parameters
        ----------
        fname : str or os.PathLike
            The file, which is replaced as a whole; a safetensors file, whatever its name.

        Raises
        ------
        FileAccessError
            The file can't be written.

        Examples
        --------
        >>> import gluonish as mx
        >>> net = mx.gluon.nn.Dense(1, in_units=1)
        >>> net.initialize()
        >>> trainer = mx.gluon.Trainer(net.collect_params(), 'adam', {'learning_rate': 0.5})
        >>> other = mx.gluon.Trainer(net.collect_params(), 'adam')
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     trainer.save_states(f'{folder}/adam.states')
        ...     other.load_states(f'{folder}/adam.states')
        >>> other.learning_rate
        0.5
        """
        self.prepare()
        if self._link is not None and self._update_on_kvstore:
            self._link.save_states(fname)
        else:
            save_states(fname, self._updaters[0], self._params)

    def load_states(self, fname: PathLike) -> None:
        """Go on with the optimizer's states, settings and counts of updates in a file.

        What the file says of the learning rate, its schedule, weight decay and so on replaces
        what the Trainer was made with. Parameters are told apart by their names, in which
        numbers, as in `dense0_weight`, may differ.

        Parameters
        ----------
        fname : str or os.PathLike
            What `save_states` wrote.

        Raises
        ------
        FileFormatError
            The file is damaged, or does not come from `save_states`.
        ParameterFileError
            It belongs to another kind of optimizer, or to other parameters. Nothing has changed.
        """
        self.prepare()
        if self._link is not None and self._update_on_kvstore:
            self._link.load_states(fname)
            return
        self._make_updaters()
        load_states(fname, self._updaters[: self._copies], self._params)

    def own_updaters(self) -> list[optimizers.Updater]:
        """Return the updaters that hold states: that of the store, or one for each context.

        There is none where a store of another class updates the weights.

        Examples
        --------
        >>> import gluonish as mx
        >>> net = mx.gluon.nn.Dense(1, in_units=1)
        >>> net.initialize()
        >>> trainer = mx.gluon.Trainer(net.collect_params(), 'adam')
        >>> len(trainer.own_updaters())
        1
        """
        self.prepare()
        if not self._update_on_kvstore:
            self._make_updaters()
            return self._updaters[: self._copies]
        return self._updaters[:1] if type(self._kvstore) is KVStore else []

    def update_order(self) -> list[int]:
        """Return the indices of the parameters in the order of their updates.

        Examples
        --------
        >>> import gluonish as mx
        >>> net = mx.gluon.nn.Dense(1, in_units=1)
        >>> net.initialize()
        >>> mx.gluon.Trainer(net.collect_params(), 'sgd').update_order()
        [0, 1]
        """
        return [self._indices[id(param)] for param in self._order]

    def set_update_order(self, indices: Sequence[int]) -> None:
        """Update the parameters in another order, which matters to optimizers that draw numbers.

        Parameters
        ----------
        indices : list of int
            Each parameter's index once.

        Examples
        --------
        >>> import gluonish as mx
        >>> net = mx.gluon.nn.Dense(1, in_units=1)
        >>> net.initialize()
        >>> trainer = mx.gluon.Trainer(net.collect_params(), 'sgld')
        >>> trainer.set_update_order([1, 0])
        >>> trainer.update_order()
        [1, 0]
        """
        self._order = [self._params[index] for index in indices]

    def _init_kvstore(self) -> None:
        """Find the store that goes with the parameters' contexts."""
        copies = self._copies = self._count()
        wanted, updates = self._kvstore_params["kvstore"], self._kvstore_params["update_on_kvstore"]
        if self._kv_initialized and not isinstance(wanted, str):
            return
        has_rows = self._contains_sparse_weight
        if has_rows and updates is False:
            msg = (
                "Trainer: update_on_kvstore=False was given. Cannot set update_on_kvstore=False "
                "when sparse weights are present. Leave it out."
            )
            raise InvalidArgumentError(msg)
        sizes = [array.size for param in self._params for array in copies_of(param)]
        store, able = choose(wanted, max(copies, 2) if has_rows else copies, sizes)
        if has_rows:
            able = store is not None
        elif self._contains_sparse_grad and not is_of_processes(store):
            able = False
        if store is not None and updates and not store.is_capable(KVStoreBase.OPTIMIZER):
            msg = (
                f"Trainer: update_on_kvstore=True was given, and a {type(store).__name__} can't "
                f"update weights. Please set update_on_kvstore=False when training with it."
            )
            raise InvalidArgumentError(msg)
        if is_of_processes(store) and not store.is_in_step and updates is False:
            msg = (
                f"Trainer: update_on_kvstore=False was given with a {store.type!r} store, which "
                f"only updates weights. Please set update_on_kvstore=True when training in async "
                f"mode."
            )
            raise InvalidArgumentError(msg)
        self._update_on_kvstore = None if store is None else able if updates is None else updates
        self._kvstore, self._link = store, None
        if store is not None:
            self._link = link_to(
                self, store, self._compression_params, updates=bool(self._update_on_kvstore)
            )
        self._kv_initialized = True

    def _count(self) -> int:
        """Return on how many contexts the parameters are."""
        return max((len(param._arrays) for param in self._params), default=1) or 1

    def _init_params(self) -> None:
        """Give the store the values of parameters that it does not have: the link does that."""

    def _check_and_rescale_grad(self, scale: float) -> None:
        """Have the optimizer multiply gradients by a number."""
        if not self._params:
            msg = (
                "Trainer.step: it has no parameters, so that nothing is trained. Expected one or "
                "more. Write gluon.Trainer(net.collect_params(), ...), and look at "
                "net.collect_params('.*weight') if you choose some by a pattern."
            )
            raise ArgumentKindError(msg)
        self._optimizer.rescale_grad = scale

    @property
    def _contexts(self) -> list[Context]:
        """The contexts of the parameters."""
        return _common_contexts(self._params)

    def _check_contexts(self) -> list[Context]:
        """Return the contexts of the parameters, which are the same for all."""
        return self._contexts

    def _allreduce_grads(self) -> None:
        """Sum the gradients over contexts; a store that updates weights does it in `_update`."""
        if self._link is not None and not self._update_on_kvstore:
            self._link.reduce(self._trained())

    def _reset_kvstore(self) -> None:
        """Look for a store anew at the next step, since a parameter has other values."""
        is_own = isinstance(self._kvstore_params["kvstore"], str)
        if is_own and self._update_on_kvstore and type(self._kvstore) is KVStore:
            self._kv_initialized = False
            self._kvstore = self._link = self._update_on_kvstore = None
            self._copies = 0

    def _make_updaters(self) -> None:
        while len(self._updaters) < self._copies:
            self._updaters.append(optimizers.get_updater(self._optimizer))

    def _refuse_on_kvstore(self, what: str) -> None:
        self.prepare()
        if self._update_on_kvstore:
            is_told = self._kvstore_params["update_on_kvstore"]
            why = (
                ", and update_on_kvstore=True"
                if is_told
                else ", where the store updates unless told otherwise"
            )
            msg = (
                f"{what} when parameters are updated on kvstore is not supported. Try setting "
                f"`update_on_kvstore` to False when creating trainer: this one has kvstore="
                f"{self._kvstore_params['kvstore']!r} and {self._copies} contexts"
                f"{why}. Write gluon.Trainer(..., update_on_kvstore=False)."
            )
            raise StoreUpdateError(msg)

    def _trained(self) -> list[Parameter]:
        return [param for param in self._params if param.grad_req != "null"]

    def _waiting(self) -> str:
        """Return the name of a parameter whose Block was never called; '' if there is none."""
        return next((param.name for param in self._trained() if not param._arrays), "")

    def _stale_params(self) -> list[Parameter]:
        """Return the parameters whose gradients were not updated; none if all were not."""
        trained = self._trained()
        stale = [
            param for param in trained if not any(each.is_fresh for each in attachments(param))
        ]
        return stale if len(stale) < len(trained) else []

    def _fresh(self, ignore_stale_grad: bool) -> list[Parameter]:
        """Return the parameters to update."""
        fresh = []
        for param in self._order:
            if param._grad_req == "null":
                continue
            arrays = param._arrays
            if not arrays:
                raise not_there(param, None)
            for array in arrays.values():
                try:
                    if array._attached.is_fresh:  # noqa: SLF001 - a slot
                        continue
                except AttributeError:  # no gradient is attached
                    continue
                if ignore_stale_grad:
                    break
                raise _stale(param, array.context, self._waiting(), self._stale_params())
            else:
                fresh.append(param)
        return fresh

    def _ends_loop(self) -> bool:
        """Do what a loop has put off, with the update; return whether that was done."""
        work = local.postponed
        return work is not None and work.update(self, TrainerPlan)

    def _update(self, ignore_stale_grad: bool = False) -> None:
        """Update all parameters, on the store or on each context."""
        if self._amp_loss_scaler is not None and self._amp_loss_scaler.has_overflow(self._params):
            return
        fresh = self._fresh(ignore_stale_grad)
        if self._link is None or not self._update_on_kvstore:
            self._update_copies(fresh)
            return
        fresh = self._link.agreed(fresh) if ignore_stale_grad else fresh
        self._link.update(fresh, is_reduced=False)
        _mark_used(fresh)

    def _update_copies(self, params: list[Parameter]) -> None:
        if len(self._updaters) < self._copies:
            self._make_updaters()
        if self._copies == 1:
            update_copy(self, params, 0)
            return
        for device in range(self._copies):
            self._optimizer._set_current_context(device)
            update_copy(self, params, device)


def _mark_used(params: list[Parameter]) -> None:
    for param in params:
        for attached in attachments(param):
            attached.is_fresh = False


def _stale(
    param: Parameter, ctx: Context, waiting: str, stale: list[Parameter]
) -> StaleGradientError:
    begin = f"Gradient of Parameter `{param.name}` on context {ctx}"
    if not stale:
        msg = (
            f"{begin}, and that of every other one, has not been updated by backward since last "
            f"`step`. Expected a backward() before each step(). {how_to_differentiate()}"
        )
    else:
        msg = (
            f"{begin} has not been updated by backward since last `step`. This could mean a bug in "
            f"your model that made it only use a subset of the Parameters (Blocks) for this "
            f"iteration: {owners(stale)} took no part in the loss. Expected a loss of all. "
            f"{how_to_use(stale)}. If you are intentionally only using a subset, leave the others "
            f"out of the Trainer, or call step with ignore_stale_grad=True to skip updating of "
            f"Parameters with stale gradient."
        )
    error = StaleGradientError(msg)
    if waiting:
        error.add_note(
            f"{waiting} still waits for its first batch: no forward() calls the Block that it is "
            f"of. Call it there, or put it in the place of a layer that is called; print(net) "
            f"shows their names."
        )
    return error


def _as_list(
    params: ParameterDict | Mapping[str, Parameter] | Sequence[Parameter],
) -> list[Parameter]:
    if hasattr(params, "keys"):
        found: list[Any] = [params[name] for name in sorted(params.keys())]
    elif isinstance(params, (list, tuple)):
        found = list(params)
    else:
        error = _not_parameters(str(type(params)))
        raise error
    for param in found:
        if not isinstance(param, Parameter):
            error = _not_parameters(f"list of {type(param)}")
            raise error
    return found


def _not_parameters(given: str) -> InvalidArgumentError:
    call = with_first("net.collect_params()", "Trainer(net.collect_params(), ...)")
    msg = (
        f"First argument must be a list or dict of Parameters, got {given}. Write {call}; for "
        f"several nets params = net.collect_params(), then params.update(other.collect_params())."
    )
    return InvalidArgumentError(msg)


def _common_contexts(params: list[Parameter]) -> list[Context]:
    contexts: list[Context] = []
    for param in params:
        own = param.list_ctx()
        if contexts and own != contexts:
            msg = (
                f"All Parameters must be initialized on the same set of contexts, but Parameter "
                f"{param.name} is initialized on {own} while previous Parameters are initialized "
                f"on {contexts}. Call net.collect_params().reset_ctx(...) first."
            )
            raise ParameterError(msg)
        contexts = own
    return contexts


def _options(given: object) -> dict[str, Any]:
    if given is None:
        return {}
    if isinstance(given, Mapping):
        others = [key for key in given if not isinstance(key, str)]
        if not others:
            return dict(given)
        msg = (
            f"Trainer: optimizer_params has {others[0]!r} among its keys. Expected names of the "
            f"optimizer's arguments. Write {{'learning_rate': 0.1}}, for example."
        )
        raise DTypeError(msg)
    msg = (
        f"Trainer: optimizer_params={given!r} was given. Expected a dict of the optimizer's "
        "arguments. Write optimizer_params={'learning_rate': 0.1}."
    )
    raise DTypeError(msg)


def _make(
    optimizer: str | optimizers.Optimizer, options: dict[str, Any], params: list[Parameter]
) -> optimizers.Optimizer:
    by_index = dict(enumerate(params))
    if isinstance(optimizer, optimizers.Optimizer):
        if options:
            msg = (
                "optimizer_params must be None if optimizer is an instance of Optimizer instead "
                f"of str; {sorted(options)} were given. Leave them out here, and give them to the "
                f"optimizer: {made_with(optimizer, options)}."
            )
            raise ParameterError(msg)
        optimizer.param_dict = by_index
        return optimizer
    return optimizers.create(optimizer, param_dict=by_index, **options)


measured(Trainer, "update", "step", "update", "allreduce_grads")
