"""Updater: an optimizer with the states of the weights it updates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from gluonish.array import NDArray, wrap
from gluonish.array.tensors import plain
from gluonish.context import cpu
from gluonish.errors import ArgumentKindError, ParameterFileError
from gluonish.errors.arguments import value_text
from gluonish.errors.program_arguments import arguments
from gluonish.errors.program_text import name_of as name_of_object
from gluonish.errors.tracebacks import shorten
from gluonish.late import LateModule
from gluonish.optimizer.overriding import Watched
from gluonish.optimizer.settings import name_of, settings_of, with_settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gluonish.context import Context
    from gluonish.optimizer import saving
    from gluonish.optimizer.base import Optimizer
else:
    saving = LateModule("gluonish.optimizer.saving")

__all__ = ["Updater", "get_updater"]


class Updater:
    """Calls an optimizer for weights by index, and keeps their states.

    Parameters
    ----------
    optimizer : Optimizer
        What computes the updates.

    Examples
    --------
    >>> import gluonish as mx
    >>> updater = mx.optimizer.get_updater(mx.optimizer.SGD(learning_rate=0.5))
    >>> w = mx.nd.array([1.])
    >>> updater(0, mx.nd.array([1.]), w)
    >>> print(w.asnumpy())
    [0.5]
    """

    _is_settled = True

    def __init__(self, optimizer: Optimizer) -> None:
        self.optimizer = optimizer
        self.states: dict[Any, Any] = {}
        self._synced: dict[Any, bool] = {}
        self.aggregate_updates = optimizer.aggregate_num > 0

    @property
    def optimizer(self) -> Optimizer:
        """What computes the updates: an optimizer, or any object that has its methods."""
        return self._optimizer

    @optimizer.setter
    def optimizer(self, optimizer: Optimizer) -> None:
        self._optimizer = optimizer
        self._is_foreign = not isinstance(optimizer, Watched)

    @property
    def states_synced(self) -> dict[Any, bool]:
        """Whether each state has met its weight; loaded ones do so at the next update."""
        self._is_settled = False  # who asks may write
        return self._synced

    @states_synced.setter
    def states_synced(self, synced: dict[Any, bool]) -> None:
        self._is_settled = False
        self._synced = synced

    def takes_lists(self) -> bool:
        """Return whether lists of weights may be given at once, without a program's noticing it."""
        return not (self._is_foreign or self._optimizer.obeys())

    def __call__(self, index: Any, grad: Any, weight: Any) -> None:
        """Update one weight, or lists of them, by gradients."""
        states, optimizer = self.states, self._optimizer
        if self._is_foreign:
            self._follow(index, grad, weight)
            return
        create = optimizer.create_state_multi_precision
        if not self._is_settled:
            self.settle(index, weight)
        obeys = optimizer.obeys()
        if not isinstance(index, (list, tuple)):
            if index not in states:
                if isinstance(index, NDArray):
                    try:
                        raise _not_first(self, index)
                    except ArgumentKindError as error:
                        shorten(error)
                        raise
                states[index] = create(index, weight)
                self._synced[index] = True
            if obeys:
                self._obey([index], [grad], [weight])
                return
            optimizer.update_multi_precision(index, weight, grad, states[index])
            return
        for one, array in zip(index, weight, strict=True):
            if one not in states:
                states[one] = create(one, array)
                self._synced[one] = True
        if obeys:
            self._obey(index, grad, weight)
            return
        update = (
            optimizer.update_multi_precision if optimizer.own_updates else optimizer.update_lists
        )
        update(index, weight, grad, [states[one] for one in index])

    def _follow(self, index: Any, grad: Any, weight: Any) -> None:
        """Call an object that merely behaves as an optimizer, method by method as MXNet does."""
        if not isinstance(index, (list, tuple)):
            index, grad, weight = [index], [grad], [weight]
        optimizer = self._optimizer
        if weight:
            optimizer._set_current_context(weight[0].context.device_id)
        for one, array in zip(index, weight, strict=True):
            if one not in self.states:
                self.states[one] = optimizer.create_state_multi_precision(one, array)
            elif not self._synced.get(one, True):
                self.states[one] = self.sync_state_context(self.states[one], array.context)
            self._synced[one] = True
        self._obey(index, grad, weight)

    def _obey(self, index: Any, grad: Any, weight: Any) -> None:
        """Call a program's own methods as MXNet does: for each weight, or several."""
        states, update = self.states, self._optimizer.update_multi_precision
        rows = list(zip(index, weight, grad, strict=True))
        if not self.aggregate_updates:
            for one, array, gradient in rows:
                update(one, array, gradient, states[one])
            return
        by_dtype: dict[Any, list[Any]] = {}
        for row in rows:
            by_dtype.setdefault(row[1].dtype, []).append(row)
        size = max(self.optimizer.aggregate_num, 1)
        for group in by_dtype.values():
            for begin in range(0, len(group), size):
                indices, arrays, gradients = zip(*group[begin : begin + size], strict=True)
                update(indices, arrays, gradients, [states[one] for one in indices])

    def sync_state_context(self, state: Any, context: Context) -> Any:
        """Return a state with its arrays in a context, which may be nested in lists and tuples.

        Examples
        --------
        >>> import gluonish as mx
        >>> updater = mx.optimizer.get_updater(mx.optimizer.Adam())
        >>> state = updater.sync_state_context((mx.nd.ones(2), None), mx.cpu(1))
        >>> state[0].context, state[1]
        (cpu(1), None)
        """
        if isinstance(state, NDArray):
            return state.as_in_context(context)
        if isinstance(state, (list, tuple)):
            return type(state)([self.sync_state_context(each, context) for each in state])
        return state

    def get_states(self, dump_optimizer: bool = False) -> bytes:
        """Return the states of all weights as bytes, for a file.

        Parameters
        ----------
        dump_optimizer : bool, default False
            Whether the optimizer's settings and counts of updates are added.

        Examples
        --------
        >>> import gluonish as mx
        >>> updater = mx.optimizer.get_updater(mx.optimizer.SGD(momentum=0.9))
        >>> updater(0, mx.nd.ones((2,)), mx.nd.ones((2,)))
        >>> other = mx.optimizer.get_updater(mx.optimizer.SGD(momentum=0.9))
        >>> other.set_states(updater.get_states())
        >>> print(other.states[0].asnumpy())
        [-0.01 -0.01]
        """
        return self.packed({}, with_optimizer=dump_optimizer)

    def packed(self, names: Mapping[Any, str], *, with_optimizer: bool) -> bytes:
        """Return the states as bytes, with the names of the parameters."""
        settings = settings_of(self.optimizer) if with_optimizer else None
        return saving.pack(self.states, names, settings)

    def set_states(self, states: bytes) -> None:
        """Put back what `get_states` returned, here or in MXNet 1.x.

        With the optimizer's settings, if they were saved. The arrays move to the contexts of their
        weights at the next update, which also checks their shapes. Pickles of MXNet are read as
        plain data; nothing in them is run.

        Raises
        ------
        FileFormatError
            The bytes are damaged, or come from elsewhere.
        ParameterFileError
            They belong to another kind of optimizer.
        """
        saved = saving.unpack(bytes(states), "bytes", own_names(self.optimizer))
        if saved.optimizer is not None:
            restored = with_settings(self.optimizer, saved.optimizer, "bytes")
            self.optimizer.__dict__.update(restored.__dict__)
        loaded = {index: arrays_of(state) for index, state in saved.states.items()}
        self.put({}, loaded)

    def put(self, states: Mapping[Any, Any], loaded: Mapping[Any, Any]) -> None:
        """Replace all states: by some that are ready, and by some that have to meet their weights.

        The latter are brought to their weights' contexts at the next update.
        """
        self.states = {**states, **loaded}
        self._synced = {index: index not in loaded for index in self.states}
        self._is_settled = not loaded

    def load(self, index: Any, state: Any) -> None:
        """Replace the state of one weight, which it meets at the next update."""
        self.states[index] = state
        self._synced[index] = self._is_settled = False

    def settle(self, index: Any, weight: Any) -> None:
        """Bring loaded states to their weights."""
        if not isinstance(index, (list, tuple)):
            index, weight = [index], [weight]
        for one, array in zip(index, weight, strict=True):
            if one in self.states and not self._synced.get(one, True):
                state = self.states[one]
                fitted = Fitted(self.optimizer, one, array, state)
                if not fitted.fits:
                    msg = f"Updater: loaded states do not fit. {fitted.problem(repr(one))}"
                    raise ParameterFileError(msg)
                self.states[one] = self.sync_state_context(fitted.state(None), array.context)
                self._synced[one] = True
        self._is_settled = all(self._synced.values())


class Fitted:
    """Loaded values for the state of one weight, and the form that it has to have.

    Parameters
    ----------
    optimizer : Optimizer
        Says which form that is.
    index : int or str
        The weight's index.
    weight : NDArray
        The weight.
    loaded : object
        None, an array or tensor, or tuples of them.
    """

    def __init__(self, optimizer: Optimizer, index: Any, weight: NDArray, loaded: Any) -> None:
        self._expected = optimizer.create_state_multi_precision(index, weight)
        self._loaded = loaded
        self.fits = saving.form(self._expected) == saving.form(loaded)

    def problem(self, name: str) -> str:
        """Return a sentence on what does not fit."""
        return (
            f"States of {name} are {saving.form(self._loaded)}; its weight and the optimizer "
            f"expect {saving.form(self._expected)}."
        )

    def state(self, present: Any) -> Any:
        """Return the state; the present one with new values, where that has the same form."""
        target = present if saving.form(present) == saving.form(self._expected) else self._expected
        for array, value in zip(saving.leaves(target), saving.leaves(self._loaded), strict=True):
            plain(array).copy_(plain(value) if isinstance(value, NDArray) else value)
        return _with_numbers(target, self._loaded)


def own_names(optimizer: Optimizer) -> set[tuple[str, str]]:
    """Return modules and names of the program's own optimizers, and of an optimizer's schedule."""
    scheduler = getattr(optimizer, "lr_scheduler", None)
    kinds = [type(optimizer), *getattr(optimizer, "opt_registry", {}).values()]
    names = {(kind.__module__, kind.__name__) for kind in kinds}
    if scheduler is not None:
        place = scheduler if hasattr(scheduler, "__name__") else type(scheduler)
        names.add((place.__module__, name_of(scheduler)))
    return {one for one in names if one[0].partition(".")[0] != "gluonish"}


def renumber(optimizer: Optimizer, places: Mapping[Any, int], devices: int) -> None:
    """Let the counts of updates have other indices, for every context."""
    counts = {
        device: {places.get(index, index): count for index, count in found.items()}
        for device, found in optimizer._all_index_update_counts.items()
    }
    for device in range(devices):
        counts.setdefault(device, dict(counts[0]))
    optimizer._all_index_update_counts = counts
    optimizer._index_update_count = counts[0]


def _with_numbers(target: Any, loaded: Any) -> Any:
    """Return a state with the numbers of another one of the same form."""
    if isinstance(target, (tuple, list)):
        pairs = zip(target, loaded, strict=True)
        parts = [_with_numbers(*pair) for pair in pairs]
        unchanged = all(one is other for one, other in zip(parts, target, strict=True))
        return target if unchanged else type(target)(parts)
    return loaded if isinstance(target, (bool, int, float)) else target


def arrays_of(state: Any) -> Any:
    """Return a state with arrays on the CPU in place of tensors."""
    if isinstance(state, torch.Tensor):
        return wrap(state, cpu(), NDArray)
    if isinstance(state, (tuple, list)):
        return type(state)(arrays_of(part) for part in state)
    return state


def _not_first(updater: Updater, index: NDArray) -> ArgumentKindError:
    """Return the error for an array where the number of a weight belongs."""
    given = arguments(3)
    order = ", ".join(given[::-1] if given else ("index", "grad", "weight"))
    own = name_of_object(updater) or "updater"
    msg = (
        f"Updater: index={value_text(index)} was given, an array. Expected the number, or name, "
        f"of a weight, then its gradient, then the weight. Write {own}({order})."
    )
    return ArgumentKindError(msg)


def get_updater(optimizer: Optimizer) -> Updater:
    """Return an updater for an optimizer.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.optimizer.get_updater(mx.optimizer.SGD()).states
    {}
    """
    return Updater(optimizer)
