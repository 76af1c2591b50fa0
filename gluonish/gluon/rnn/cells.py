"""The cells RNNCell, LSTMCell and GRUCell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.block import calls
from gluonish.block.composing import has_symbols
from gluonish.gluon.rnn.base_cell import HybridRecurrentCell
from gluonish.gluon.rnn.checks import shape_of
from gluonish.nn.shapes import inputs_of, size_of
from gluonish.ops.nn.rnn_checks import check_step
from gluonish.ops.nn.rnn_graphs import lstm_step, rnn_step
from gluonish.ops.nn.rnn_stack import GATES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.block import ParameterDict
    from gluonish.gluon.rnn.sequences import Unrolling

__all__ = ["GRUCell", "LSTMCell", "RNNCell"]


class _GatedCell(HybridRecurrentCell):
    """What the three kinds share: parameters, and steps by torch's fused kernels."""

    _mode = "lstm"
    _is_fused = True  # whether there is a kernel for the cell's activation functions

    def __init__(
        self,
        hidden_size: int,
        input_size: int,
        initializers: Sequence[Any],
        prefix: str | None,
        params: ParameterDict | None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        where = type(self).__name__
        self._hidden_size = hidden_size = size_of(where, "hidden_size", hidden_size)
        self._input_size = input_size = inputs_of(where, "input_size", input_size)
        rows = self._rows = GATES[self._mode] * hidden_size
        shapes = ((rows, input_size), (rows, hidden_size), (rows,), (rows,))
        names = ("i2h_weight", "h2h_weight", "i2h_bias", "h2h_bias")
        for name, shape, init in zip(names, shapes, initializers, strict=True):
            param = self.params.get(name, shape=shape, init=init, allow_deferred_init=True)
            setattr(self, name, param)

    @override
    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        shape = (batch_size, self._hidden_size)
        return [{"shape": shape, "__layout__": "NC"} for _ in range(1 + (self._mode == "lstm"))]

    @override
    def infer_shape(self, *args: Any) -> None:
        shape = shape_of(type(self).__name__, args[0])
        check_step(type(self).__name__, shape)
        self._reg_params["i2h_weight"].shape = (self._rows, shape[1])

    @override
    def hybrid_forward(self, F: Any, inputs: Any, states: Any, **weights: Any) -> Any:  # type: ignore[override]
        new = F._internal._rnn_step(  # noqa: SLF001 - the way to internal operators
            inputs,
            states,
            list(weights.values()),
            mode=self._mode,
            hidden_size=self._hidden_size,
            name=self._next_step(inputs),
        )
        return new[0], new

    @override
    def _unroll(self, given: Unrolling) -> tuple[Any, list[Any]]:
        if not self._runs_at_once() or has_symbols((given.inputs,), {}):
            return super()._unroll(given)
        self.reset()
        steps = given.steps(type(self).__name__)
        sequence = given.whole(steps)
        states = self._states_for(given.begin_state, steps[0])
        F, weights = calls.prepare(self, (steps[0], states), {})  # noqa: N806
        outputs, *last = F._internal._rnn_layers(  # noqa: SLF001
            sequence,
            list(weights.values()),
            [state.expand_dims(0) for state in states],
            given.valid_length,
            mode=self._mode,
            hidden_size=self._hidden_size,
            layout=given.layout,
        )
        return given.shown(outputs), [state[0] for state in last]

    def _runs_at_once(self) -> bool:
        """Return whether nobody watches or changes the single steps."""
        return (
            self._is_fused
            and type(self) in (RNNCell, LSTMCell, GRUCell)
            and not (self._forward_hooks or self._forward_pre_hooks)
            and "hybrid_forward" not in self.__dict__
        )

    @override
    def __repr__(self) -> str:
        rows, features = self._reg_params["i2h_weight"].shape or (0, 0)
        return f"{type(self).__name__}({features if features > 0 else None} -> {rows})"


class RNNCell(_GatedCell):
    """Elman's recurrent cell: output = activation(W_i x + b_i + W_h h + b_h).

    Shapes: data (batch, input_size), [h (batch, hidden_size)] -> (batch, hidden_size), [h].

    Parameters
    ----------
    hidden_size : int
        Number of units.
    activation : str or callable, default 'tanh'
        The activation function, by name or as a Block or function.
    i2h_weight_initializer, h2h_weight_initializer : Initializer or str, optional
        How the weights are filled; by what `initialize` is given.
    i2h_bias_initializer, h2h_bias_initializer : Initializer or str, default 'zeros'
        How the biases are filled.
    input_size : int, optional
        Number of features; found at the first call by default.
    prefix, params : optional
        As for every Block.

    Examples
    --------
    >>> import gluonish as mx
    >>> cell = mx.gluon.rnn.RNNCell(4)
    >>> cell.initialize()
    >>> output, states = cell(mx.nd.ones((2, 3)), cell.begin_state(batch_size=2))
    >>> output.shape
    (2, 4)
    >>> cell
    RNNCell(3 -> 4, tanh)
    """

    def __init__(
        self,
        hidden_size: int,
        activation: Any = "tanh",
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        input_size: int = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        self._mode = f"rnn_{activation}" if activation in ("relu", "tanh") else "rnn_tanh"
        initializers = (
            i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer,
            h2h_bias_initializer,
        )  # fmt: skip
        super().__init__(hidden_size, input_size, initializers, prefix, params)
        self._activation = activation
        self._is_fused = activation in ("relu", "tanh")

    @override
    def _alias(self) -> str:
        return "rnn"

    @override
    def hybrid_forward(self, F: Any, inputs: Any, states: Any, **weights: Any) -> Any:  # type: ignore[override]
        if self._is_fused:
            return super().hybrid_forward(F, inputs, states, **weights)
        new = rnn_step(
            F, self._next_step(inputs), inputs, states, list(weights.values()), self._hidden_size,
            self._activation,
        )  # fmt: skip
        return new[0], new

    @override
    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}, {self._activation})"


class LSTMCell(_GatedCell):
    """Cell of long short-term memory.

    Shapes: data (batch, input_size), [h (batch, hidden_size), c, of the same shape] ->
    (batch, hidden_size), [h, c].

    Parameters
    ----------
    hidden_size : int
        Number of units.
    i2h_weight_initializer, h2h_weight_initializer : Initializer or str, optional
        How the weights are filled; by what `initialize` is given.
    i2h_bias_initializer, h2h_bias_initializer : Initializer or str, default 'zeros'
        How the biases are filled.
    input_size : int, optional
        Number of features; found at the first call by default.
    prefix, params : optional
        As for every Block.
    activation, recurrent_activation : str or callable, default 'tanh' and 'sigmoid'
        The activation functions of the cell state and of the gates.

    Examples
    --------
    >>> import gluonish as mx
    >>> cell = mx.gluon.rnn.LSTMCell(4)
    >>> cell.initialize()
    >>> output, states = cell(mx.nd.ones((2, 3)), cell.begin_state(batch_size=2))
    >>> output.shape, len(states)
    ((2, 4), 2)
    """

    def __init__(
        self,
        hidden_size: int,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        input_size: int = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
        activation: Any = "tanh",
        recurrent_activation: Any = "sigmoid",
    ) -> None:
        initializers = (
            i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer,
            h2h_bias_initializer,
        )  # fmt: skip
        super().__init__(hidden_size, input_size, initializers, prefix, params)
        self._activation = activation
        self._recurrent_activation = recurrent_activation
        self._is_fused = (activation, recurrent_activation) == ("tanh", "sigmoid")

    @override
    def _alias(self) -> str:
        return "lstm"

    @override
    def hybrid_forward(self, F: Any, inputs: Any, states: Any, **weights: Any) -> Any:  # type: ignore[override]
        if self._is_fused:
            return super().hybrid_forward(F, inputs, states, **weights)
        new = lstm_step(
            F, self._next_step(inputs), inputs, states, list(weights.values()), self._hidden_size,
            self._activation, self._recurrent_activation,
        )  # fmt: skip
        return new[0], new


class GRUCell(_GatedCell):
    """Cell of gated recurrent units, with the reset gate behind the product, as in cuDNN.

    Shapes: data (batch, input_size), [h (batch, hidden_size)] -> (batch, hidden_size), [h].

    Parameters
    ----------
    hidden_size : int
        Number of units.
    i2h_weight_initializer, h2h_weight_initializer : Initializer or str, optional
        How the weights are filled; by what `initialize` is given.
    i2h_bias_initializer, h2h_bias_initializer : Initializer or str, default 'zeros'
        How the biases are filled.
    input_size : int, optional
        Number of features; found at the first call by default.
    prefix, params : optional
        As for every Block.

    Examples
    --------
    >>> import gluonish as mx
    >>> cell = mx.gluon.rnn.GRUCell(4)
    >>> cell.initialize()
    >>> output, states = cell(mx.nd.ones((2, 3)), cell.begin_state(batch_size=2))
    >>> output.shape
    (2, 4)
    """

    _mode = "gru"

    def __init__(
        self,
        hidden_size: int,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        input_size: int = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        initializers = (
            i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer,
            h2h_bias_initializer,
        )  # fmt: skip
        super().__init__(hidden_size, input_size, initializers, prefix, params)

    @override
    def _alias(self) -> str:
        return "gru"
