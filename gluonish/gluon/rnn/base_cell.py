"""RecurrentCell: one step of a recurrent network, and the loop over steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.array.symbols import is_symbol
from gluonish.block import HybridBlock, first_call
from gluonish.block.frontends import frontend_of
from gluonish.block.typed import Cell
from gluonish.errors import ArgumentKindError, MissingMethodError, RefusedArgumentError
from gluonish.errors.arguments import value_text
from gluonish.gluon.rnn.sequences import Unrolling, last_valid, mask_past_end, merged
from gluonish.gluon.rnn.states import as_states, begin_states, open_size
from gluonish.ops.nn.rnn_checks import check_state_count
from gluonish.ops.nn.rnn_graphs import activated

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gluonish.array import NDArray
    from gluonish.symbol import Symbol

__all__ = ["HybridRecurrentCell", "RecurrentCell"]


class RecurrentCell(Cell):
    """Base of cells: what maps the data of one step and states to an output and new states.

    A subclass defines `state_info` and `forward(self, inputs, states)`.

    Parameters
    ----------
    prefix : str, optional
        Start of the names of its parameters.
    params : ParameterDict, optional
        Parameters of another cell to share.

    Examples
    --------
    >>> import gluonish as mx
    >>> class Sum(mx.gluon.rnn.RecurrentCell):
    ...     def state_info(self, batch_size=0):
    ...         return [{'shape': (batch_size, 1), '__layout__': 'NC'}]
    ...     def forward(self, inputs, states):
    ...         total = states[0] + inputs
    ...         return total, [total]
    >>> outputs, states = Sum().unroll(3, mx.nd.ones((1, 3, 1)), merge_outputs=True)
    >>> print(outputs.reshape((-1,)).asnumpy())
    [1. 2. 3.]
    """

    _modified = False
    _between_calls: tuple[str, ...] = ("_counter", "_init_counter")

    _counter = -1  # of steps, for the names in graphs
    _init_counter = -1  # of states

    def reset(self) -> None:
        """Forget what belongs to one sequence; `unroll` begins with it."""
        if self._counter >= 0 or self._init_counter >= 0:
            object.__setattr__(self, "_counter", -1)
            object.__setattr__(self, "_init_counter", -1)
        for cell in self._children.values():
            if isinstance(cell, RecurrentCell):
                cell.reset()

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:  # noqa: ARG002 - a hook
        """Return shape and layout of each state; overridden by subclasses."""
        msg = (
            f"{type(self).__name__}: state_info() is not defined. Expected a subclass of "
            f"RecurrentCell that defines state_info(self, batch_size=0). Define it."
        )
        raise MissingMethodError(msg)

    def begin_state(
        self, batch_size: int = 0, func: Callable[..., Any] | None = None, **kwargs: Any
    ) -> list[Any]:
        """Return the states before the first step.

        Parameters
        ----------
        batch_size : int
            Number of sequences.
        func : callable, optional
            Makes an array of `shape` and `name`; `zeros` by default.
        **kwargs
            Passed to it, such as `ctx` and `dtype`.

        Raises
        ------
        RefusedArgumentError
            The cell is inside of a modifier, which has the states.

        Examples
        --------
        >>> import gluonish as mx
        >>> h, c = mx.gluon.rnn.LSTMCell(3).begin_state(batch_size=4)
        >>> h.shape
        (4, 3)
        """
        if self._modified:
            msg = (
                f"{type(self).__name__} '{self.name}': After applying modifier cells (e.g. "
                f"ZoneoutCell) the base cell cannot be called directly. Expected calls of the "
                f"modifier alone. Call the modifier cell instead."
            )
            raise RefusedArgumentError(msg)
        return self._make_states(batch_size, func, kwargs)

    def _next_step(self, inputs: NDArray | Symbol) -> str:
        """Return what the names of the next step's operators start with in a graph."""
        if not is_symbol(inputs):
            return ""
        object.__setattr__(self, "_counter", self._counter + 1)
        return f"t{self._counter}_"

    def _get_activation(self, F: Any, inputs: Any, activation: Any, name: str | None = None) -> Any:
        """Apply an activation function given by its name, or as something to call.

        It is what steps of subclasses call.
        """
        return activated(F, inputs, activation, name)

    def _make_states(
        self, batch_size: int, func: Callable[..., Any] | None, options: dict[str, Any]
    ) -> list[Any]:
        info = self.state_info(batch_size)
        first = self._init_counter + 1
        object.__setattr__(self, "_init_counter", self._init_counter + len(info))
        names = [f"{self.prefix}begin_state_{first + number}" for number in range(len(info))]
        return begin_states(type(self).__name__, names, info, batch_size, func, options)

    def _own_begin_state(
        self, batch_size: int, func: Callable[..., Any] | None, options: dict[str, Any]
    ) -> list[Any]:
        """Return the states before the first step, for a cell around this one."""
        is_modified = self._modified
        object.__setattr__(self, "_modified", False)
        try:
            return self.begin_state(batch_size=batch_size, func=func, **options)
        finally:
            object.__setattr__(self, "_modified", is_modified)

    def unroll(
        self,
        length: int,
        inputs: NDArray | Sequence[NDArray],
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
        valid_length: NDArray | None = None,
    ) -> tuple[Any, list[Any]]:
        """Run the cell over the steps of sequences.

        Parameters
        ----------
        length : int
            Number of steps.
        inputs : NDArray or list of NDArray
            The sequences in one array, or the data of each step.
        begin_state : list of NDArray, optional
            The states before the first step; 0 by default.
        layout : {'NTC', 'TNC'}, default 'NTC'
            Axes of inputs and outputs that are one array.
        merge_outputs : bool, optional
            Whether outputs are one array, or a list of steps. By default a list, and one array
            with `valid_length`.
        valid_length : NDArray, shape (batch,), optional
            Number of valid steps of each sequence: outputs past them are 0, and the states are
            those behind the last valid step.

        Returns
        -------
        outputs : NDArray or list of NDArray
        states : list of NDArray

        Examples
        --------
        >>> import gluonish as mx
        >>> cell = mx.gluon.rnn.GRUCell(4)
        >>> cell.initialize()
        >>> outputs, states = cell.unroll(3, mx.nd.ones((2, 3, 5)), merge_outputs=True)
        >>> outputs.shape, states[0].shape
        ((2, 3, 4), (2, 4))
        """
        given = Unrolling(length, inputs, begin_state, layout, merge_outputs, valid_length)
        return first_call.run(self, self._unroll, (given,), {})  # type: ignore[no-any-return]

    def _unroll(self, given: Unrolling) -> tuple[Any, list[Any]]:
        self.reset()
        steps, axis, valid_length = given.steps(type(self).__name__), given.axis, given.valid_length
        states = self._states_for(given.begin_state, steps[0])
        outputs, history = [], []
        for step in steps:
            output, states = self(step, states)
            outputs.append(output)
            history.append(states)
        if valid_length is None:
            return (merged(outputs, axis) if given.merge_outputs else outputs), states
        states = [last_valid(list(each), valid_length) for each in zip(*history, strict=True)]
        return given.shown(mask_past_end(merged(outputs, axis), valid_length, axis)), states

    def _states_for(self, begin_state: Any, step: NDArray | Symbol) -> list[Any]:
        """Return the states to begin with, for data like that of a step."""
        if begin_state is not None:
            states = as_states(begin_state)
            check_state_count(type(self).__name__, len(states), self.state_info(1))
            return states
        zeros = frontend_of(step).zeros
        if is_symbol(step):
            return self._own_begin_state(open_size(), zeros, {"dtype": "float32"})
        options = {"ctx": step.context, "dtype": step.dtype}
        return self._own_begin_state(step.shape[0], zeros, options)


class HybridRecurrentCell(RecurrentCell, HybridBlock):  # type: ignore[misc]
    """Base of cells that compute with the operators `F` they are given.

    A subclass defines `state_info` and `hybrid_forward(self, F, inputs, states, **params)`.

    Parameters
    ----------
    prefix : str, optional
        Start of the names of its parameters.
    params : ParameterDict, optional
        Parameters of another cell to share.

    Examples
    --------
    >>> import gluonish as mx
    >>> class Longest(mx.gluon.rnn.HybridRecurrentCell):
    ...     def state_info(self, batch_size=0):
    ...         return [{'shape': (batch_size, 1), '__layout__': 'NC'}]
    ...     def hybrid_forward(self, F, inputs, states):
    ...         largest = F.maximum(states[0], inputs)
    ...         return largest, [largest]
    >>> outputs, states = Longest().unroll(3, mx.nd.array([[[1], [3], [2]]]))
    >>> print(states[0].asnumpy())
    [[3.]]
    """


def check_cell(owner: object, *cells: object) -> None:
    """Check that what is to be a part of another cell is a cell.

    Raises
    ------
    ArgumentKindError
        It is something else, such as a recurrent layer.
    """
    for cell in cells:
        if not isinstance(cell, RecurrentCell):
            kind = type(cell).__name__
            ours = f"{kind}Cell" if kind in ("LSTM", "GRU", "RNN") else "LSTMCell"
            msg = (
                f"{type(owner).__name__}: {value_text(cell)} was given, which is no cell. Expected "
                f"a recurrent cell. Write gluon.rnn.{ours}(...), for example; layers such as "
                f"gluon.rnn.LSTM run whole sequences by themselves, in a Sequential."
            )
            raise ArgumentKindError(msg)
