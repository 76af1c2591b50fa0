"""FusedRNNCell: all layers of a recurrent network in one operator."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish import ndarray as nd, symbol as sym
from gluonish.errors import MissingMethodError, UnknownModeError
from gluonish.errors.tracebacks import users_level
from gluonish.init import FusedRNN
from gluonish.rnn.base_cell import (
    BaseRNNCell,
    RNNParams,
    either,
    merged,
    time_axis,
)
from gluonish.rnn.cells import GRUCell, LSTMCell, RNNCell
from gluonish.rnn.containers import BidirectionalCell, SequentialRNNCell
from gluonish.rnn.dropout_cell import DropoutCell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from gluonish.array import NDArray
    from gluonish.rnn.base_cell import Unrolling
    from gluonish.symbol import Symbol

_GATES = {
    "rnn_relu": [""],
    "rnn_tanh": [""],
    "lstm": ["_i", "_f", "_c", "_o"],
    "gru": ["_r", "_z", "_o"],
}


class FusedRNNCell(BaseRNNCell):
    """Layers of a recurrent network in one operator, which is fast, and can only be unrolled.

    Parameters
    ----------
    num_hidden : int
        Units of each layer.
    num_layers : int, default 1
        Layers.
    mode : {'lstm', 'gru', 'rnn_relu', 'rnn_tanh'}
        Kind of the layers.
    bidirectional : bool, default False
        Whether each layer reads the steps in both directions.
    dropout : float, default 0.0
        Dropout between layers, in [0, 1).
    get_next_state : bool, default False
        Whether `unroll` returns the last states.
    forget_bias : float, default 1.0
        Biases of an LSTM's forget gate before training.
    prefix : str, optional
        What names begin with; the mode and an underscore by default.
    params : RNNParams, optional
        Variables of another cell to share.

    Raises
    ------
    UnknownModeError
        There is no such mode.

    Examples
    --------
    >>> import gluonish as mx
    >>> cell = mx.rnn.FusedRNNCell(5, num_layers=2, mode='gru')
    >>> outputs, _ = cell.unroll(3, mx.sym.var('data', shape=(3, 1, 4)), layout='TNC')
    >>> outputs.infer_shape()[1]
    [(3, 1, 5)]
    """

    def __init__(
        self,
        num_hidden: int,
        num_layers: int = 1,
        mode: str = "lstm",
        bidirectional: bool = False,
        dropout: float = 0.0,
        get_next_state: bool = False,
        forget_bias: float = 1.0,
        prefix: str | None = None,
        params: RNNParams | None = None,
    ) -> None:
        super().__init__(f"{mode}_" if prefix is None else prefix, params)
        if mode not in _GATES:
            msg = (
                f"FusedRNNCell: mode={mode!r} was given. Expected one of "
                f"{', '.join(map(repr, _GATES))}. Write mode='lstm'."
            )
            raise UnknownModeError(msg)
        self._num_hidden, self._num_layers, self._mode = num_hidden, num_layers, mode
        self._bidirectional, self._dropout = bidirectional, dropout
        self._get_next_state, self._forget_bias = get_next_state, forget_bias
        self._directions = ["l", "r"] if bidirectional else ["l"]
        self._parameter = self.params.get(
            "parameters",
            init=FusedRNN(None, num_hidden, num_layers, mode, bidirectional, forget_bias),
        )
        self._own_params = params is None

    @property
    @override
    def state_info(self) -> list[dict[str, Any]]:
        shape = (len(self._directions) * self._num_layers, 0, self._num_hidden)
        return [{"shape": shape, "__layout__": "LNC"} for _ in range(1 + (self._mode == "lstm"))]

    @property
    @override
    def _gate_names(self) -> Sequence[str]:
        return _GATES[self._mode]

    @property
    def _num_gates(self) -> int:
        return len(self._gate_names)

    # --- weights ----------------------------------------------------------------------------

    def _shapes(self, features: int) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Yield name and shape of each gate's parameters, in the order of the vector."""
        units = self._num_hidden
        for kind in ("weight", "bias"):
            for layer in range(self._num_layers):
                width = features if layer == 0 else units * len(self._directions)
                for direction in self._directions:
                    for group, length in (("i2h", width), ("h2h", units)):
                        for gate in self._gate_names:
                            name = f"{self._prefix}{direction}{layer}_{group}{gate}_{kind}"
                            yield name, (units, length) if kind == "weight" else (units,)

    @override
    def unpack_weights(self, args: Mapping[str, NDArray]) -> dict[str, NDArray]:
        found = dict(args)
        vector = found.pop(f"{self._prefix}parameters")
        start = 0
        for name, shape in self._shapes(self._features(vector.size)):
            end = start + shape[0] * (shape[1] if len(shape) > 1 else 1)
            found[name] = vector[start:end].reshape(shape).copy()
            start = end
        return found

    def _features(self, size: int) -> int:
        """Return the width of the data for which a vector has so many numbers."""
        both, units = len(self._directions), self._num_hidden
        each = size // both // units // self._num_gates
        return each - (self._num_layers - 1) * (units + both * units + 2) - units - 2

    @override
    def pack_weights(self, args: Mapping[str, NDArray]) -> dict[str, NDArray]:
        found = dict(args)
        first = f"{self._prefix}l0_i2h{self._gate_names[0]}_weight"
        names = [name for name, _ in self._shapes(found[first].shape[1])]
        parts = [found.pop(name).reshape((-1,)) for name in names]
        found[f"{self._prefix}parameters"] = nd.concat(*parts, dim=0)
        return found

    # --- steps ------------------------------------------------------------------------------

    @override
    def __call__(self, inputs: Symbol, states: list[Symbol]) -> tuple[Symbol, list[Symbol]]:
        msg = (
            "FusedRNNCell: it was called for one step. FusedRNNCell cannot be stepped. Please use "
            "unroll."
        )
        raise MissingMethodError(msg)

    @override
    def _unroll(self, given: Unrolling) -> tuple[Any, list[Any]]:
        axis = time_axis(given.layout)
        data = merged(given.inputs, given.layout)
        if axis == 1:
            warnings.warn(
                "NTC layout detected. Consider using TNC for FusedRNNCell for faster speed",
                stacklevel=users_level(),
            )
            data = sym.swapaxes(data, dim1=0, dim2=1)
        begin = self._begin(given)
        named = dict(zip(("state", "state_cell"), begin, strict=False))
        rnn = sym.RNN(
            data=data,
            parameters=self._parameter,
            state_size=self._num_hidden,
            num_layers=self._num_layers,
            bidirectional=self._bidirectional,
            p=self._dropout,
            state_outputs=self._get_next_state,
            mode=self._mode,
            name=f"{self._prefix}rnn",
            **named,
        )
        outputs, states = rnn, []
        if self._get_next_state:
            outputs, states = rnn[0], [rnn[i + 1] for i in range(len(begin))]
            states[0]._set_attr(__layout__="LNC")
        if axis == 1:
            outputs = sym.swapaxes(outputs, dim1=0, dim2=1)
        return either(given.length, outputs, given.layout, merge=given.merge_outputs), states

    def unfuse(self) -> SequentialRNNCell:
        """Return cells that compute the same, step by step.

        Examples
        --------
        >>> import gluonish as mx
        >>> cells = mx.rnn.FusedRNNCell(5, num_layers=2, mode='gru').unfuse()
        >>> outputs, _ = cells.unroll(1, mx.sym.var('data'), merge_outputs=True)
        >>> outputs.list_arguments()[:3]
        ['data', 'gru_l0_i2h_weight', 'gru_l0_i2h_bias']
        """
        make = self._maker()
        stack = SequentialRNNCell()
        for layer in range(self._num_layers):
            ahead = make(f"{self._prefix}l{layer}_")
            if self._bidirectional:
                back = make(f"{self._prefix}r{layer}_")
                prefix = f"{self._prefix}bi_l{layer}_"
                stack.add(BidirectionalCell(ahead, back, output_prefix=prefix))
            else:
                stack.add(ahead)
            if self._dropout > 0 and layer != self._num_layers - 1:
                stack.add(DropoutCell(self._dropout, prefix=f"{self._prefix}_dropout{layer}_"))
        return stack

    def _maker(self) -> Callable[[str], BaseRNNCell]:
        units = self._num_hidden
        if self._mode == "lstm":
            return lambda prefix: LSTMCell(units, prefix=prefix)
        if self._mode == "gru":
            return lambda prefix: GRUCell(units, prefix=prefix)
        activation = self._mode.removeprefix("rnn_")
        return lambda prefix: RNNCell(units, activation=activation, prefix=prefix)
