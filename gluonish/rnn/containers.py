"""Cells made of cells: one after the other, or in both directions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish import symbol as sym
from gluonish.errors import MissingMethodError, RefusedArgumentError
from gluonish.rnn.base_cell import BaseRNNCell, RNNParams, either, separate, time_axis
from gluonish.symbol import Symbol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gluonish.array import NDArray
    from gluonish.rnn.base_cell import Unrolling

__all__ = ["BidirectionalCell", "SequentialRNNCell"]


class CellOfCells(BaseRNNCell):
    """A cell that is made of others.

    Parameters
    ----------
    prefix : str
        What names begin with.
    params : RNNParams, optional
        Variables that all of them share.
    """

    def __init__(self, prefix: str, params: RNNParams | None) -> None:
        self._cells: list[BaseRNNCell] = []
        super().__init__(prefix, params)
        self._override_cell_params = params is not None

    def _adopt(self, cell: BaseRNNCell) -> None:
        """Add a cell, and share variables with it."""
        if self._override_cell_params:
            if not cell._own_params:
                msg = (
                    f"{type(self).__name__}: both it and {type(cell).__name__} were given params. "
                    f"Either specify params for {type(self).__name__} or child cells, not both."
                )
                raise RefusedArgumentError(msg)
            cell.params._params.update(self.params._params)
        self._cells.append(cell)
        self.params._params.update(cell.params._params)

    @property
    @override
    def state_info(self) -> list[dict[str, Any]]:
        return [info for cell in self._cells for info in cell.state_info]

    @override
    def begin_state(self, func: Callable[..., Symbol] | None = None, **kwargs: Any) -> list[Any]:
        self._check_unmodified()
        return [state for cell in self._cells for state in cell.begin_state(func, **kwargs)]

    @override
    def unpack_weights(self, args: Mapping[str, NDArray]) -> dict[str, NDArray]:
        found = dict(args)
        for cell in self._cells:
            found = cell.unpack_weights(found)
        return found

    @override
    def pack_weights(self, args: Mapping[str, NDArray]) -> dict[str, NDArray]:
        found = dict(args)
        for cell in self._cells:
            found = cell.pack_weights(found)
        return found

    def _parts(self, states: list[Any]) -> list[list[Any]]:
        """Return the states of each cell."""
        found, start = [], 0
        for cell in self._cells:
            end = start + len(cell.state_info)
            found.append(states[start:end])
            start = end
        return found


class SequentialRNNCell(CellOfCells):
    """Cells one after the other.

    Parameters
    ----------
    params : RNNParams, optional
        Variables that all of them share.

    Examples
    --------
    >>> import gluonish as mx
    >>> stack = mx.rnn.SequentialRNNCell()
    >>> stack.add(mx.rnn.LSTMCell(5, prefix='l0_'))
    >>> stack.add(mx.rnn.LSTMCell(5, prefix='l1_'))
    >>> len(stack.begin_state())
    4
    """

    def __init__(self, params: RNNParams | None = None) -> None:
        super().__init__("", params)

    def add(self, cell: BaseRNNCell) -> None:
        """Add a cell at the end."""
        self._adopt(cell)

    @override
    def __call__(self, inputs: Symbol, states: list[Symbol]) -> tuple[Symbol, list[Symbol]]:
        self._counter += 1
        found: list[Symbol] = []
        for cell, own in zip(self._cells, self._parts(states), strict=True):
            inputs, new = cell(inputs, own)
            found += new
        return inputs, found

    @override
    def _unroll(self, given: Unrolling) -> tuple[Any, list[Any]]:
        begin = self._begin(given)
        found: list[Any] = []
        outputs: Any = given.inputs
        last = len(self._cells) - 1
        for position, (cell, own) in enumerate(zip(self._cells, self._parts(begin), strict=True)):
            merge = given.merge_outputs if position == last else None
            outputs, states = cell.unroll(given.length, outputs, own, given.layout, merge)
            found += states
        return outputs, found


class BidirectionalCell(CellOfCells):
    """Two cells, of which one reads the steps backwards; their outputs are joined.

    Parameters
    ----------
    l_cell, r_cell : BaseRNNCell
        The cells, forward and backward.
    params : RNNParams, optional
        Variables that both share.
    output_prefix : str, default 'bi_'
        What the names of outputs begin with.

    Examples
    --------
    >>> import gluonish as mx
    >>> both = mx.rnn.BidirectionalCell(mx.rnn.GRUCell(5, 'l_'), mx.rnn.GRUCell(5, 'r_'))
    >>> outputs, _ = both.unroll(2, mx.sym.var('data', shape=(1, 2, 3)), merge_outputs=False)
    >>> outputs[0].infer_shape()[1]
    [(1, 10)]
    """

    def __init__(
        self,
        l_cell: BaseRNNCell,
        r_cell: BaseRNNCell,
        params: RNNParams | None = None,
        output_prefix: str = "bi_",
    ) -> None:
        super().__init__("", params)
        self._output_prefix = output_prefix
        for cell in (l_cell, r_cell):
            self._adopt(cell)

    @override
    def __call__(self, inputs: Symbol, states: list[Symbol]) -> tuple[Symbol, list[Symbol]]:
        msg = (
            "BidirectionalCell: it was called for one step. Bidirectional cannot be stepped. "
            "Please use unroll."
        )
        raise MissingMethodError(msg)

    @override
    def _unroll(self, given: Unrolling) -> tuple[Any, list[Any]]:
        length, layout, merge_outputs = given.length, given.layout, given.merge_outputs
        axis = time_axis(layout)
        steps = separate(length, given.inputs, layout)
        begin = self._begin(given)
        first, second = self._parts(begin)
        left, right = self._cells
        ahead, ahead_states = left.unroll(length, steps, first, layout, merge_outputs)
        back, back_states = right.unroll(length, steps[::-1], second, layout, merge_outputs)
        both = isinstance(ahead, Symbol) and isinstance(back, Symbol)
        merge = both if merge_outputs is None else merge_outputs
        ahead = either(length, ahead, layout, merge=merge)
        back = either(length, back, layout, merge=merge)
        outputs: Any
        if merge:
            back = sym.reverse(back, axis=axis)
            outputs = sym.Concat(ahead, back, dim=2, name=f"{self._output_prefix}out")
        else:
            outputs = [
                sym.Concat(one, other, dim=1, name=f"{self._output_prefix}t{step}")
                for step, (one, other) in enumerate(zip(ahead, back[::-1], strict=True))
            ]
        return outputs, [ahead_states, back_states]
