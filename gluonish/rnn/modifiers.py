"""Cells around other cells: zoneout, residual connections."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish import symbol as sym
from gluonish.errors import RefusedArgumentError
from gluonish.rnn.base_cell import BaseRNNCell, RNNParams, either
from gluonish.rnn.containers import BidirectionalCell, SequentialRNNCell
from gluonish.rnn.fused_cell import FusedRNNCell
from gluonish.symbol import Symbol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gluonish.array import NDArray
    from gluonish.rnn.base_cell import Unrolling

__all__ = ["ModifierCell", "ResidualCell", "ZoneoutCell"]


class ModifierCell(BaseRNNCell):
    """Base of cells around another one, which has the weights and the states.

    Parameters
    ----------
    base_cell : BaseRNNCell
        The cell, which can't be called directly any more.
    """

    def __init__(self, base_cell: BaseRNNCell) -> None:
        base_cell._modified = True
        super().__init__()
        self.base_cell = base_cell

    @property
    @override
    def params(self) -> RNNParams:
        self._own_params = False
        return self.base_cell.params

    @property
    @override
    def state_info(self) -> list[dict[str, Any]]:
        return self.base_cell.state_info

    @override
    def begin_state(self, func: Callable[..., Symbol] | None = None, **kwargs: Any) -> list[Any]:
        self._check_unmodified()
        func = kwargs.pop("init_sym", func)  # MXNet's name for it here
        self.base_cell._modified = False
        try:
            return self.base_cell.begin_state(func, **kwargs)
        finally:
            self.base_cell._modified = True

    @override
    def unpack_weights(self, args: Mapping[str, NDArray]) -> dict[str, NDArray]:
        return self.base_cell.unpack_weights(args)

    @override
    def pack_weights(self, args: Mapping[str, NDArray]) -> dict[str, NDArray]:
        return self.base_cell.pack_weights(args)


class ZoneoutCell(ModifierCell):
    """A cell some of whose outputs and states stay as they were in the step before.

    Parameters
    ----------
    base_cell : BaseRNNCell
        The cell.
    zoneout_outputs, zoneout_states : float, default 0.0
        Probability for an element of the outputs, and of the states, to stay, in [0, 1).

    References
    ----------
    Krueger et al., "Zoneout: Regularizing RNNs by Randomly Preserving Hidden Activations", 2016,
    arXiv:1606.01305.
    """

    def __init__(
        self, base_cell: BaseRNNCell, zoneout_outputs: float = 0.0, zoneout_states: float = 0.0
    ) -> None:
        what = None
        if isinstance(base_cell, FusedRNNCell):
            what = "FusedRNNCell doesn't support zoneout. Please unfuse first."
        elif _is_bidirectional(base_cell):
            what = (
                "BidirectionalCell doesn't support zoneout since it doesn't support step. Please "
                "add ZoneoutCell to the cells underneath instead."
            )
        if what is not None:
            msg = f"ZoneoutCell: {type(base_cell).__name__} was given. {what}"
            raise RefusedArgumentError(msg)
        super().__init__(base_cell)
        self.zoneout_outputs = zoneout_outputs
        self.zoneout_states = zoneout_states
        self.prev_output: Symbol | None = None

    @override
    def reset(self) -> None:
        super().reset()
        self.prev_output = None

    @override
    def __call__(self, inputs: Symbol, states: list[Symbol]) -> tuple[Symbol, list[Symbol]]:
        output, new = self.base_cell(inputs, states)
        if self.zoneout_outputs:
            before = self.prev_output
            output = _zoned(
                output, sym.zeros((0, 0)) if before is None else before, self.zoneout_outputs
            )
        if self.zoneout_states:
            new = [
                _zoned(one, before, self.zoneout_states)
                for one, before in zip(new, states, strict=True)
            ]
        self.prev_output = output
        return output, new


def _zoned(new: Symbol, before: Symbol, probability: float) -> Symbol:
    mask = sym.Dropout(sym.ones_like(new), p=probability)
    found: Symbol = sym.where(mask, new, before)
    return found


def _is_bidirectional(cell: BaseRNNCell) -> bool:
    if isinstance(cell, SequentialRNNCell):
        return any(map(_is_bidirectional, cell._cells))
    return isinstance(cell, BidirectionalCell)


class ResidualCell(ModifierCell):
    """A cell whose data are added to its outputs.

    Parameters
    ----------
    base_cell : BaseRNNCell
        The cell, with as many units as the data has features.

    References
    ----------
    Wu et al., "Google's Neural Machine Translation System", 2016, arXiv:1609.08144.
    """

    @override
    def __call__(self, inputs: Symbol, states: list[Symbol]) -> tuple[Symbol, list[Symbol]]:
        output, states = self.base_cell(inputs, states)
        return _added(output, inputs), states

    @override
    def _unroll(self, given: Unrolling) -> tuple[Any, list[Any]]:
        self.base_cell._modified = False
        try:
            outputs, states = self.base_cell.unroll(*given)
        finally:
            self.base_cell._modified = True
        merge = given.merge_outputs
        if merge is None:
            merge = isinstance(outputs, Symbol)
        inputs = either(given.length, given.inputs, given.layout, merge=merge)
        if merge:
            return _added(outputs, inputs), states
        return [_added(one, other) for one, other in zip(outputs, inputs, strict=True)], states


def _added(output: Symbol, inputs: Symbol) -> Symbol:
    found: Symbol = sym.elemwise_add(output, inputs, name=f"{output.name}_plus_residual")
    return found
