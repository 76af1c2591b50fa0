"""The cells with weights: RNNCell, LSTMCell and GRUCell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish import symbol as sym
from gluonish.init import LSTMBias
from gluonish.rnn.base_cell import BaseRNNCell, RNNParams

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.symbol import Symbol

__all__ = ["GRUCell", "LSTMCell", "RNNCell"]


class WeightedCell(BaseRNNCell):
    """A cell with weights for the data and for the state before.

    Parameters
    ----------
    num_hidden : int
        Units.
    prefix : str
        What names begin with.
    params : RNNParams, optional
        Variables of another cell to share.
    bias_init : Initializer, optional
        What fills the biases of the data.
    """

    def __init__(
        self, num_hidden: int, prefix: str, params: RNNParams | None, bias_init: Any = None
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self._num_hidden = num_hidden
        options = {} if bias_init is None else {"init": bias_init}
        self._iW = self.params.get("i2h_weight")
        self._iB = self.params.get("i2h_bias", **options)
        self._hW = self.params.get("h2h_weight")
        self._hB = self.params.get("h2h_bias")
        self._own_params = params is None

    @property
    @override
    def state_info(self) -> list[dict[str, Any]]:
        return [{"shape": (0, self._num_hidden), "__layout__": "NC"}]

    def _next_name(self) -> str:
        self._counter += 1
        return f"{self._prefix}t{self._counter}_"

    def _sums(self, name: str, inputs: Symbol, state: Symbol) -> tuple[Any, Any]:
        """Return the weighted sums of the data and of the state."""
        rows = self._num_hidden * len(self._gate_names)
        ahead = sym.FullyConnected(
            data=inputs, weight=self._iW, bias=self._iB, num_hidden=rows, name=f"{name}i2h"
        )
        back = sym.FullyConnected(
            data=state, weight=self._hW, bias=self._hB, num_hidden=rows, name=f"{name}h2h"
        )
        return ahead, back


class RNNCell(WeightedCell):
    """A layer of a simple recurrent network.

    Parameters
    ----------
    num_hidden : int
        Units.
    activation : str or callable, default 'tanh'
        The activation.
    prefix : str
        What names begin with.
    params : RNNParams, optional
        Variables of another cell to share.

    Examples
    --------
    >>> import gluonish as mx
    >>> outputs, states = mx.rnn.RNNCell(5).unroll(3, mx.sym.var('data'), merge_outputs=True)
    >>> outputs.list_arguments()
    ['data', 'rnn_i2h_weight', 'rnn_i2h_bias', 'rnn_h2h_weight', 'rnn_h2h_bias']
    """

    def __init__(
        self,
        num_hidden: int,
        activation: Any = "tanh",
        prefix: str = "rnn_",
        params: RNNParams | None = None,
    ) -> None:
        super().__init__(num_hidden, prefix, params)
        self._activation = activation

    @property
    @override
    def _gate_names(self) -> Sequence[str]:
        return ("",)

    @override
    def __call__(self, inputs: Symbol, states: list[Symbol]) -> tuple[Symbol, list[Symbol]]:
        name = self._next_name()
        ahead, back = self._sums(name, inputs, states[0])
        output = self._get_activation(ahead + back, self._activation, name=f"{name}out")
        return output, [output]


class LSTMCell(WeightedCell):
    """A layer of long short-term memory.

    Parameters
    ----------
    num_hidden : int
        Units.
    prefix : str
        What names begin with.
    params : RNNParams, optional
        Variables of another cell to share.
    forget_bias : float, default 1.0
        Biases of the forget gate before training.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.rnn.LSTMCell(5).begin_state()
    [<Symbol lstm_begin_state_0>, <Symbol lstm_begin_state_1>]
    """

    def __init__(
        self,
        num_hidden: int,
        prefix: str = "lstm_",
        params: RNNParams | None = None,
        forget_bias: float = 1.0,
    ) -> None:
        super().__init__(num_hidden, prefix, params, LSTMBias(forget_bias=forget_bias))

    @property
    @override
    def state_info(self) -> list[dict[str, Any]]:
        return super().state_info * 2

    @property
    @override
    def _gate_names(self) -> Sequence[str]:
        return ["_i", "_f", "_c", "_o"]

    @override
    def __call__(self, inputs: Symbol, states: list[Symbol]) -> tuple[Symbol, list[Symbol]]:
        name = self._next_name()
        ahead, back = self._sums(name, inputs, states[0])
        gates = sym.SliceChannel(ahead + back, num_outputs=4, name=f"{name}slice")
        enter = sym.Activation(gates[0], act_type="sigmoid", name=f"{name}i")
        forget = sym.Activation(gates[1], act_type="sigmoid", name=f"{name}f")
        new = sym.Activation(gates[2], act_type="tanh", name=f"{name}c")
        leave = sym.Activation(gates[3], act_type="sigmoid", name=f"{name}o")
        memory = sym.elemwise_add(forget * states[1], enter * new, name=f"{name}state")
        shown = sym.Activation(memory, act_type="tanh")
        output = sym.elemwise_mul(leave, shown, name=f"{name}out")
        return output, [output, memory]


class GRUCell(WeightedCell):
    """A layer of gated recurrent units, as cuDNN computes them.

    Parameters
    ----------
    num_hidden : int
        Units.
    prefix : str
        What names begin with.
    params : RNNParams, optional
        Variables of another cell to share.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.rnn.GRUCell(5).state_shape
    [(0, 5)]
    """

    def __init__(
        self, num_hidden: int, prefix: str = "gru_", params: RNNParams | None = None
    ) -> None:
        super().__init__(num_hidden, prefix, params)

    @property
    @override
    def _gate_names(self) -> Sequence[str]:
        return ["_r", "_z", "_o"]

    @override
    def __call__(self, inputs: Symbol, states: list[Symbol]) -> tuple[Symbol, list[Symbol]]:
        plain = self._next_name()
        name, before = f"{plain}_", states[0]
        ahead, back = self._sums(name, inputs, before)
        i2h = sym.SliceChannel(ahead, num_outputs=3, name=f"{name}i2h_slice")
        h2h = sym.SliceChannel(back, num_outputs=3, name=f"{name}h2h_slice")
        reset = sym.Activation(i2h[0] + h2h[0], act_type="sigmoid", name=f"{name}r_act")
        update = sym.Activation(i2h[1] + h2h[1], act_type="sigmoid", name=f"{name}z_act")
        new = sym.Activation(i2h[2] + reset * h2h[2], act_type="tanh", name=f"{name}h_act")
        output = sym.elemwise_add((1.0 - update) * new, update * before, name=f"{plain}out")
        return output, [output]
