"""Cells that change what other cells do: dropout, zoneout, residual connections."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.block.frontends import frontend_of
from gluonish.errors import RefusedArgumentError, ShapeError
from gluonish.gluon.rnn.base_cell import HybridRecurrentCell, RecurrentCell, check_cell
from gluonish.gluon.rnn.checks import check_probability
from gluonish.gluon.rnn.containers import BidirectionalCell
from gluonish.gluon.rnn.sequences import is_whole, mask_past_end, merged, unmerged

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gluonish.array import NDArray
    from gluonish.block import ParameterDict
    from gluonish.gluon.rnn.sequences import Unrolling

__all__ = ["DropoutCell", "ModifierCell", "ResidualCell", "ZoneoutCell"]


class DropoutCell(HybridRecurrentCell):
    """Dropout on the data, as a layer among cells; without states.

    Parameters
    ----------
    rate : float in [0, 1]
        Probability of 0, while training.
    axes : tuple of int, default ()
        Axes along which all elements share their fate.
    prefix, params : optional
        As for every Block.

    Examples
    --------
    >>> import gluonish as mx
    >>> cell = mx.gluon.rnn.DropoutCell(0.5)
    >>> output, states = cell(mx.nd.ones((2, 3)), [])
    >>> output.shape, states
    ((2, 3), [])
    """

    def __init__(
        self,
        rate: float,
        axes: Sequence[int] = (),
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        check_probability("DropoutCell", "rate", rate)
        self._rate = rate
        self._axes = axes

    @override
    def _alias(self) -> str:
        return "dropout"

    @override
    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        return []

    @override
    def hybrid_forward(self, F: Any, inputs: Any, states: Any) -> Any:
        if self._rate > 0:
            name = f"{self._next_step(inputs)}fwd"
            inputs = F.Dropout(inputs, p=self._rate, axes=self._axes, name=name)
        return inputs, states

    @override
    def _unroll(self, given: Unrolling) -> tuple[Any, list[Any]]:
        # Which masks are drawn depends on the form of the data: one for all, or one for each step.
        # What is past the end of a sequence stays, as in MXNet: the next cell masks it.
        steps = given.steps("DropoutCell")
        is_one = is_whole(given.inputs) if given.merge_outputs is None else given.merge_outputs
        states = given.begin_state or []
        if not is_one:
            return [self(step, states)[0] for step in steps], states
        output, states = self(given.whole(steps), states)
        return output, states

    @override
    def __repr__(self) -> str:
        return f"{type(self).__name__}(rate={self._rate}, axes={self._axes})"


class ModifierCell(HybridRecurrentCell):
    """Base of cells that change another cell's steps, and have its parameters and states.

    A subclass defines `hybrid_forward(self, F, inputs, states)`, which calls `self.base_cell`.

    Parameters
    ----------
    base_cell : RecurrentCell
        The other cell, which can't be used on its own from then on.

    Raises
    ------
    RefusedArgumentError
        It has a modifier already.

    Examples
    --------
    >>> import gluonish as mx
    >>> class Doubled(mx.gluon.rnn.ModifierCell):
    ...     def hybrid_forward(self, F, inputs, states):
    ...         output, states = self.base_cell(inputs, states)
    ...         return 2 * output, states
    >>> Doubled(mx.gluon.rnn.GRUCell(3))
    Doubled(GRUCell(None -> 9))
    """

    def __init__(self, base_cell: RecurrentCell) -> None:
        check_cell(self, base_cell)
        if base_cell._modified:
            msg = (
                f"{type(self).__name__}: Cell {base_cell.name} is already modified. One cell "
                f"cannot be modified twice. Expected a cell without a modifier. Modify the "
                f"modifier instead."
            )
            raise RefusedArgumentError(msg)
        base_cell._modified = True
        super().__init__(prefix=base_cell.prefix + self._alias(), params=None)
        self.base_cell = base_cell

    @property
    @override
    def params(self) -> ParameterDict:
        """The base cell's parameters."""
        return self.base_cell.params

    @override
    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        return self.base_cell.state_info(batch_size)

    @override
    def begin_state(self, *args: Any, **kwargs: Any) -> list[Any]:
        if args and callable(args[0]):  # as MXNet's modifiers have it
            args, kwargs = args[1:], {"func": args[0], **kwargs}
        return super().begin_state(*args, **kwargs)

    @override
    def _make_states(
        self, batch_size: int, func: Callable[..., Any] | None, options: dict[str, Any]
    ) -> list[Any]:
        return self.base_cell._own_begin_state(batch_size, func, options)  # noqa: SLF001

    @override
    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_cell!r})"


class ZoneoutCell(ModifierCell):
    """Zoneout: random elements of outputs and states keep their values of the step before.

    Parameters
    ----------
    base_cell : RecurrentCell
        The cell.
    zoneout_outputs, zoneout_states : float in [0, 1], default 0.0
        Probability to keep the old value, while training.

    References
    ----------
    Krueger et al.: Zoneout: Regularizing RNNs by randomly preserving hidden activations (2016),
    arXiv:1606.01305.

    Examples
    --------
    >>> import gluonish as mx
    >>> cell = mx.gluon.rnn.ZoneoutCell(mx.gluon.rnn.RNNCell(3), zoneout_outputs=0.2)
    >>> cell.initialize()
    >>> outputs, states = cell.unroll(4, mx.nd.ones((2, 4, 3)))
    >>> cell
    ZoneoutCell(p_out=0.2, p_state=0.0, RNNCell(3 -> 3, tanh))
    """

    def __init__(
        self,
        base_cell: RecurrentCell,
        zoneout_outputs: float = 0.0,
        zoneout_states: float = 0.0,
    ) -> None:
        if isinstance(base_cell, BidirectionalCell):
            msg = (
                "ZoneoutCell: BidirectionalCell doesn't support zoneout since it doesn't support "
                "step. Expected a cell with steps. Please add ZoneoutCell to the cells underneath "
                "instead."
            )
            raise RefusedArgumentError(msg)
        super().__init__(base_cell)
        check_probability("ZoneoutCell", "zoneout_outputs", zoneout_outputs)
        check_probability("ZoneoutCell", "zoneout_states", zoneout_states)
        self._zoneout_outputs = zoneout_outputs
        self._zoneout_states = zoneout_states
        self._previous: NDArray | None = None

    @override
    def _alias(self) -> str:
        return "zoneout"

    _between_calls = ("_counter", "_init_counter", "_previous")

    @override
    def reset(self) -> None:
        super().reset()
        self._previous = None

    @override
    def hybrid_forward(self, F: Any, inputs: Any, states: Any) -> Any:
        output, new_states = self.base_cell(inputs, states)
        if self._zoneout_outputs:
            before = F.zeros_like(output) if self._previous is None else self._previous
            output = _mixed(F, self._zoneout_outputs, output, before)
        if self._zoneout_states:
            pairs = zip(new_states, states, strict=True)
            new_states = [_mixed(F, self._zoneout_states, *pair) for pair in pairs]
        if self._zoneout_outputs:
            self._previous = output
        return output, new_states

    @override
    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}(p_out={self._zoneout_outputs}, "
            f"p_state={self._zoneout_states}, {self.base_cell!r})"
        )


def _mixed(F: Any, rate: float, new: Any, old: Any) -> Any:
    return F.where(F.Dropout(F.ones_like(new), p=rate), new, old)


class ResidualCell(ModifierCell):
    """Residual connection around a cell: its data are added to its output.

    Parameters
    ----------
    base_cell : RecurrentCell
        The cell, with as many outputs as features.

    Examples
    --------
    >>> import gluonish as mx
    >>> cell = mx.gluon.rnn.ResidualCell(mx.gluon.rnn.GRUCell(3))
    >>> cell.initialize()
    >>> outputs, states = cell.unroll(4, mx.nd.ones((2, 4, 3)), merge_outputs=True)
    >>> outputs.shape
    (2, 4, 3)
    """

    @override
    def hybrid_forward(self, F: Any, inputs: Any, states: Any) -> Any:
        output, states = self.base_cell(inputs, states)
        try:
            return F.elemwise_add(output, inputs, name=f"{self._next_step(inputs)}fwd"), states
        except ShapeError as error:
            msg = (
                f"ResidualCell: inputs have shape {inputs.shape}, the outputs of its cell "
                f"{output.shape}. Expected equal shapes, since they are added. Build the cell with "
                f"hidden_size={inputs.shape[-1]}."
            )
            raise ShapeError(msg) from error

    @override
    def _unroll(self, given: Unrolling) -> tuple[Any, list[Any]]:
        self.reset()
        outputs, states = self.base_cell.unroll(*given)
        steps, axis, valid_length = given.steps("ResidualCell"), given.axis, given.valid_length
        if not is_whole(outputs):
            if valid_length is not None:
                masked = mask_past_end(merged(steps, axis), valid_length, axis)
                steps = unmerged(masked, axis, given.length)
            return list(map(_sum, outputs, steps)), states
        sequence = given.whole(steps)
        if valid_length is not None:
            sequence = mask_past_end(sequence, valid_length, axis)
        return _sum(outputs, sequence), states


def _sum(left: Any, right: Any) -> Any:
    return frontend_of(left).elemwise_add(left, right)
