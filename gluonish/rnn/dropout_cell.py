"""DropoutCell: dropout of what goes through."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish import symbol as sym
from gluonish.errors import RefusedArgumentError
from gluonish.rnn.base_cell import BaseRNNCell, RNNParams, either
from gluonish.symbol import Symbol

if TYPE_CHECKING:
    from gluonish.rnn.base_cell import Unrolling


class DropoutCell(BaseRNNCell):
    """Dropout of what goes through.

    Parameters
    ----------
    dropout : float
        Probability of dropping an element, in [0, 1).
    prefix : str
        What names begin with.
    params : RNNParams, optional
        Has no use: there are no weights.

    Examples
    --------
    >>> import gluonish as mx
    >>> outputs, states = mx.rnn.DropoutCell(0.5).unroll(3, mx.sym.var('data'))
    >>> outputs.list_arguments(), states
    (['data'], [])
    """

    def __init__(
        self, dropout: float, prefix: str = "dropout_", params: RNNParams | None = None
    ) -> None:
        super().__init__(prefix, params)
        is_number = isinstance(dropout, (int, float))
        if not is_number:
            msg = (
                f"DropoutCell: dropout={dropout!r} was given; dropout probability must be a "
                f"number. Write DropoutCell(0.5)."
            )
            raise RefusedArgumentError(msg)
        self.dropout = dropout

    @property
    @override
    def state_info(self) -> list[dict[str, Any]]:
        return []

    @override
    def __call__(self, inputs: Symbol, states: list[Symbol]) -> tuple[Symbol, list[Symbol]]:
        if self.dropout > 0:
            inputs = sym.Dropout(data=inputs, p=self.dropout)
        return inputs, states

    @override
    def _unroll(self, given: Unrolling) -> tuple[Any, list[Any]]:
        inputs = either(given.length, given.inputs, given.layout, merge=given.merge_outputs)
        if isinstance(inputs, Symbol):
            return self(inputs, [])
        return super()._unroll(given._replace(inputs=inputs))
