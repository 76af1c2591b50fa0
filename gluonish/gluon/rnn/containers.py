"""Cells that hold other cells: sequences of layers, and both directions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from typing_extensions import override

from gluonish.array.symbols import is_symbol
from gluonish.block.frontends import frontend_of
from gluonish.errors import MissingMethodError, MissingNameError
from gluonish.gluon.rnn.base_cell import HybridRecurrentCell, RecurrentCell, check_cell
from gluonish.gluon.rnn.sequences import mask_past_end, merged, reversed_sequence
from gluonish.gluon.rnn.states import as_states
from gluonish.ops.nn.rnn_checks import check_state_count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gluonish.array import NDArray
    from gluonish.gluon.rnn.sequences import Unrolling
    from gluonish.symbol import Symbol

__all__ = ["BidirectionalCell", "HybridSequentialRNNCell", "SequentialRNNCell"]


class _Cells(RecurrentCell):
    """Several cells, whose states stand in one list."""

    def _cells(self) -> list[Any]:
        return list(self._children.values())

    @override
    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        return [info for cell in self._cells() for info in cell.state_info(batch_size)]

    @override
    def _make_states(
        self, batch_size: int, func: Callable[..., Any] | None, options: dict[str, Any]
    ) -> list[Any]:
        return [
            state
            for cell in self._cells()
            for state in cell._own_begin_state(batch_size, func, options)  # noqa: SLF001
        ]

    def _with_states(self, states: Sequence[Any]) -> Iterator[tuple[Any, list[Any]]]:
        """Return each cell with its part of the states."""
        start = 0
        for cell in self._cells():
            end = start + len(cell.state_info())
            yield cell, list(states[start:end])
            start = end


class _Stacked(_Cells):
    """Cells of which each reads the outputs of the one before."""

    def add(self, cell: RecurrentCell) -> None:
        """Append a cell.

        Parameters
        ----------
        cell : RecurrentCell
            The next layer.

        Raises
        ------
        ArgumentKindError
            It is no cell.
        """
        check_cell(self, cell)
        self.register_child(cell)

    def __len__(self) -> int:
        return len(self._children)

    def __getitem__(self, i: int) -> RecurrentCell:
        cells = self._cells()
        if isinstance(i, int) and -len(cells) <= i < len(cells):
            return cells[i]  # type: ignore[no-any-return]
        msg = (
            f"{type(self).__name__} '{self.name}': cell {i!r} was asked for. Expected a number "
            f"below {len(cells)}, its number of cells. Add cells with add(cell)."
        )
        raise MissingNameError(msg)

    def _run_step(self, inputs: Any, states: Any) -> tuple[Any, list[Any]]:
        states = as_states(states)
        check_state_count(type(self).__name__, len(states), self.state_info())
        found: list[Any] = []
        for cell, own in self._with_states(states):
            inputs, new = cell(inputs, own)
            found.extend(new)
        return inputs, found

    @override
    def _unroll(self, given: Unrolling) -> tuple[Any, list[Any]]:
        self.reset()
        inputs = first = given.inputs
        if not is_symbol(first):
            first = given.steps(type(self).__name__)[0]
        states = self._states_for(given.begin_state, first)
        found: list[Any] = []
        last = len(self._children) - 1
        for number, (cell, own) in enumerate(self._with_states(states)):
            merge = given.merge_outputs if number == last else None
            part = given._replace(inputs=inputs, begin_state=own, merge_outputs=merge)
            inputs, new = cell.unroll(*part)
            found.extend(new)
        return inputs, found

    @override
    def __repr__(self) -> str:
        lines = "\n".join(
            f"({key}): {_indent(repr(child))}" for key, child in self._children.items()
        )
        return f"{type(self).__name__}(\n{lines}\n)"


def _indent(text: str) -> str:
    return text.replace("\n", "\n  ")


class SequentialRNNCell(_Stacked):
    """Layers of cells, of which each reads the outputs of the one before.

    Parameters
    ----------
    prefix : str, optional
        Start of the names of its parameters.
    params : ParameterDict, optional
        Parameters of another Block to share.

    Examples
    --------
    >>> import gluonish as mx
    >>> cells = mx.gluon.rnn.SequentialRNNCell()
    >>> cells.add(mx.gluon.rnn.LSTMCell(4))
    >>> cells.add(mx.gluon.rnn.GRUCell(3))
    >>> cells.initialize()
    >>> outputs, states = cells.unroll(5, mx.nd.ones((2, 5, 3)), merge_outputs=True)
    >>> outputs.shape, len(states)
    ((2, 5, 3), 3)
    """

    @override
    def forward(self, inputs: Any, states: Any) -> tuple[Any, list[Any]]:
        """Run one step of all cells."""
        return self._run_step(inputs, states)

    def hybrid_forward(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refuse: it runs its cells one by one, as `forward`."""
        msg = (
            f"SequentialRNNCell.hybrid_forward: it was called with {len(args) + len(kwargs)} "
            f"arguments. Expected a call of the cells themselves: cells(inputs, states). "
            f"HybridSequentialRNNCell has a hybrid_forward."
        )
        raise MissingMethodError(msg)


class HybridSequentialRNNCell(_Stacked, HybridRecurrentCell):  # type: ignore[misc]
    """Layers of cells, each a HybridBlock, of which each reads the outputs of the one before.

    Parameters
    ----------
    prefix : str, optional
        Start of the names of its parameters.
    params : ParameterDict, optional
        Parameters of another Block to share.

    Examples
    --------
    >>> import gluonish as mx
    >>> cells = mx.gluon.rnn.HybridSequentialRNNCell()
    >>> cells.add(mx.gluon.rnn.LSTMCell(4))
    >>> cells.add(mx.gluon.rnn.DropoutCell(0.5))
    >>> cells
    HybridSequentialRNNCell(
    (0): LSTMCell(None -> 16)
    (1): DropoutCell(rate=0.5, axes=())
    )
    """

    @override
    def hybrid_forward(self, F: Any, inputs: Any, states: Any) -> tuple[Any, list[Any]]:
        return self._run_step(inputs, states)


class BidirectionalCell(_Cells, HybridRecurrentCell):  # type: ignore[misc]
    """Two cells that read a sequence in both directions; it can be unrolled only.

    Parameters
    ----------
    l_cell, r_cell : RecurrentCell
        What reads forwards and backwards; the outputs stand side by side.
    output_prefix : str, default 'bi_'
        Start of the outputs' names.

    Examples
    --------
    >>> import gluonish as mx
    >>> rnn = mx.gluon.rnn
    >>> cell = rnn.BidirectionalCell(rnn.GRUCell(4), rnn.GRUCell(4))
    >>> cell.initialize()
    >>> outputs, states = cell.unroll(5, mx.nd.ones((2, 5, 3)), merge_outputs=True)
    >>> outputs.shape, len(states)
    ((2, 5, 8), 2)
    """

    def __init__(
        self, l_cell: RecurrentCell, r_cell: RecurrentCell, output_prefix: str = "bi_"
    ) -> None:
        super().__init__(prefix="", params=None)
        check_cell(self, l_cell, r_cell)
        self.register_child(l_cell, "l_cell")
        self.register_child(r_cell, "r_cell")
        self._output_prefix = output_prefix

    @override
    def hybrid_forward(self, F: Any, inputs: Any, states: Any) -> Any:
        msg = (
            "BidirectionalCell: Bidirectional cannot be stepped. Please use unroll. Expected whole "
            "sequences. Write cell.unroll(length, inputs), of the outermost cell that it is in, in "
            "the place of the loop: inputs are (batch, time, features), or (time, batch, features) "
            "with layout='TNC'; it returns outputs and states."
        )
        raise MissingMethodError(msg)

    @override
    def _unroll(self, given: Unrolling) -> tuple[Any, list[Any]]:
        self.reset()
        steps, axis, valid_length = given.steps("BidirectionalCell"), given.axis, given.valid_length
        first: NDArray | Symbol = steps[0]
        if is_symbol(first) and valid_length is None:
            return self._compose_steps(steps, given)
        sequence = given.whole(steps)
        backwards = reversed_sequence(sequence, valid_length, axis)
        states = self._states_for(given.begin_state, steps[0])
        outputs, found = [], []
        both = (sequence, backwards)
        for data, (cell, own) in zip(both, self._with_states(states), strict=True):
            part = given._replace(inputs=data, begin_state=own, merge_outputs=True)
            output, new = cell.unroll(*part)
            outputs.append(output)
            found.extend(new)
        outputs[1] = reversed_sequence(outputs[1], valid_length, axis)
        joined = frontend_of(outputs[0]).concat(*outputs, dim=2)
        if valid_length is not None:
            joined = mask_past_end(joined, valid_length, axis)
        return given.shown(joined), found

    def _compose_steps(self, steps: list[Any], given: Unrolling) -> tuple[Any, list[Any]]:
        """Return outputs and states of steps that are Symbols, with MXNet's graph."""
        states = self._states_for(given.begin_state, steps[0])
        both, found = [], []
        for data, (cell, own) in zip((steps, steps[::-1]), self._with_states(states), strict=True):
            outputs, new = cell.unroll(len(steps), data, own, given.layout, False)
            both.append(outputs)
            found.extend(new)
        F = frontend_of(steps[0])  # noqa: N806 - its name everywhere
        joined = [
            F.concat(forward, backward, dim=1, name=f"{self._output_prefix}t{number}")
            for number, (forward, backward) in enumerate(zip(both[0], both[1][::-1], strict=True))
        ]
        return (merged(joined, given.axis) if given.merge_outputs else joined), found

    @override
    def __repr__(self) -> str:
        left, right = self._cells()
        return f"{type(self).__name__}(forward={left!r}, backward={right!r})"
