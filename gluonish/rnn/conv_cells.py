"""Cells whose weighted sums are convolutions: ConvRNNCell, ConvLSTMCell and ConvGRUCell."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish import symbol as sym
from gluonish.errors import RefusedArgumentError
from gluonish.rnn.base_cell import BaseRNNCell, RNNParams

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.symbol import Symbol

__all__ = ["BaseConvRNNCell", "ConvGRUCell", "ConvLSTMCell", "ConvRNNCell"]

_leaky: Any = sym.LeakyReLU
_LEAKY: Any = functools.partial(_leaky, act_type="leaky", slope=0.2)


class BaseConvRNNCell(BaseRNNCell):
    """Base of the cells with convolutions.

    Parameters
    ----------
    input_shape : tuple of int
        The shape of a batch of one step's data.
    num_hidden : int
        Channels of the states.
    h2h_kernel, h2h_dilate : tuple of int
        Kernel, of odd lengths, and dilation of the convolution of the states.
    i2h_kernel, i2h_stride, i2h_pad, i2h_dilate : tuple of int
        Kernel, stride, padding and dilation of the convolution of the data.
    i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer, \
h2h_bias_initializer : Initializer or str, optional
        What fills weights and biases.
    activation : str or callable
        The activation.
    prefix : str, optional
        What names begin with; `ConvRNN_` and the like by default.
    params : RNNParams, optional
        Variables of another cell to share.
    conv_layout : {'NCHW', 'NHWC'}
        The layout of the data.

    Raises
    ------
    RefusedArgumentError
        A length of `h2h_kernel` is even.
    """

    _usual_prefix = ""

    def __init__(
        self,
        input_shape: Sequence[int],
        num_hidden: int,
        h2h_kernel: Sequence[int] = (3, 3),
        h2h_dilate: Sequence[int] = (1, 1),
        i2h_kernel: Sequence[int] = (3, 3),
        i2h_stride: Sequence[int] = (1, 1),
        i2h_pad: Sequence[int] = (1, 1),
        i2h_dilate: Sequence[int] = (1, 1),
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        activation: Any = _LEAKY,
        prefix: str | None = None,
        params: RNNParams | None = None,
        conv_layout: str = "NCHW",
    ) -> None:
        own = self._usual_prefix if prefix is None else prefix
        super().__init__(prefix=own, params=params)
        if not all(length % 2 for length in h2h_kernel):
            msg = (
                f"{type(self).__name__}: Only support odd number, get h2h_kernel= "
                f"{tuple(h2h_kernel)}. Expected odd lengths, which keep the states' shape. Write "
                f"h2h_kernel=(3, 3)."
            )
            raise RefusedArgumentError(msg)
        self._num_hidden, self._activation = num_hidden, activation
        self._conv_layout = conv_layout
        pairs = zip(h2h_dilate, h2h_kernel, strict=True)
        self._h2h: dict[str, Any] = {
            "kernel": tuple(h2h_kernel),
            "stride": (1,) * len(h2h_kernel),
            "pad": tuple(dilate * (length - 1) // 2 for dilate, length in pairs),
            "dilate": tuple(h2h_dilate),
        }
        self._i2h: dict[str, Any] = {
            "kernel": tuple(i2h_kernel),
            "stride": tuple(i2h_stride),
            "pad": tuple(i2h_pad),
            "dilate": tuple(i2h_dilate),
        }
        self._iW = self.params.get("i2h_weight", init=i2h_weight_initializer)
        self._hW = self.params.get("h2h_weight", init=h2h_weight_initializer)
        self._iB = self.params.get("i2h_bias", init=i2h_bias_initializer)
        self._hB = self.params.get("h2h_bias", init=h2h_bias_initializer)
        self._own_params = params is None
        self._state_shape = self._shape_of_states(tuple(input_shape))

    def _shape_of_states(self, input_shape: tuple[int, ...]) -> tuple[int, ...]:
        data = sym.Variable("data", shape=input_shape)
        found = sym.Convolution(
            data=data, num_filter=self._num_hidden, layout=self._conv_layout, **self._i2h
        )
        shapes: Any = found.infer_shape()[1]
        return (0, *shapes[0][1:])

    @property
    @override
    def state_info(self) -> list[dict[str, Any]]:
        return [{"shape": self._state_shape, "__layout__": self._conv_layout}]

    @property
    def _num_gates(self) -> int:
        return len(self._gate_names)

    def _next_name(self) -> str:
        self._counter += 1
        return f"{self._prefix}t{self._counter}_"

    def _conv_forward(self, inputs: Symbol, states: list[Symbol], name: str) -> tuple[Any, Any]:
        """Return the convolutions of the data and of the state."""
        options: dict[str, Any] = {
            "num_filter": self._num_hidden * self._num_gates,
            "layout": self._conv_layout,
        }
        ahead = sym.Convolution(
            data=inputs, weight=self._iW, bias=self._iB, name=f"{name}i2h", **options, **self._i2h
        )
        back = sym.Convolution(
            data=states[0], weight=self._hW, bias=self._hB, name=f"{name}h2h", **options,
            **self._h2h,
        )  # fmt: skip
        return ahead, back


class ConvRNNCell(BaseConvRNNCell):
    """A simple recurrent network with convolutions.

    Parameters
    ----------
    input_shape, num_hidden, ...
        As for `BaseConvRNNCell`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.rnn.ConvRNNCell((1, 2, 8, 9), 4).state_shape
    [(0, 4, 8, 9)]
    """

    _usual_prefix = "ConvRNN_"

    @property
    @override
    def _gate_names(self) -> Sequence[str]:
        return ("",)

    @override
    def __call__(self, inputs: Symbol, states: list[Symbol]) -> tuple[Symbol, list[Symbol]]:
        name = self._next_name()
        ahead, back = self._conv_forward(inputs, states, name)
        output = self._get_activation(ahead + back, self._activation, name=f"{name}out")
        return output, [output]


class ConvLSTMCell(BaseConvRNNCell):
    """Long short-term memory with convolutions.

    Parameters
    ----------
    input_shape, num_hidden, ...
        As for `BaseConvRNNCell`.

    References
    ----------
    Shi et al., "Convolutional LSTM Network", 2015, arXiv:1506.04214.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.rnn.ConvLSTMCell((1, 2, 8, 9), 4, i2h_stride=(2, 1)).state_shape
    [(0, 4, 4, 9), (0, 4, 4, 9)]
    """

    _usual_prefix = "ConvLSTM_"

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
        ahead, back = self._conv_forward(inputs, states, name)
        axis = self._conv_layout.find("C")
        gates = sym.SliceChannel(ahead + back, num_outputs=4, axis=axis, name=f"{name}slice")
        enter = sym.Activation(gates[0], act_type="sigmoid", name=f"{name}i")
        forget = sym.Activation(gates[1], act_type="sigmoid", name=f"{name}f")
        new = self._get_activation(gates[2], self._activation, name=f"{name}c")
        leave = sym.Activation(gates[3], act_type="sigmoid", name=f"{name}o")
        memory = sym.elemwise_add(forget * states[1], enter * new, name=f"{name}state")
        shown = self._get_activation(memory, self._activation)
        output = sym.elemwise_mul(leave, shown, name=f"{name}out")
        return output, [output, memory]


class ConvGRUCell(BaseConvRNNCell):
    """Gated recurrent units with convolutions.

    Parameters
    ----------
    input_shape, num_hidden, ...
        As for `BaseConvRNNCell`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.rnn.ConvGRUCell((1, 2, 8, 9), 4).state_shape
    [(0, 4, 8, 9)]
    """

    _usual_prefix = "ConvGRU_"

    @property
    @override
    def _gate_names(self) -> Sequence[str]:
        return ["_r", "_z", "_o"]

    @override
    def __call__(self, inputs: Symbol, states: list[Symbol]) -> tuple[Symbol, list[Symbol]]:
        name = self._next_name()
        ahead, back = self._conv_forward(inputs, states, name)
        axis = self._conv_layout.find("C")
        where: dict[str, Any] = {} if axis == 1 else {"axis": axis}
        i2h = sym.SliceChannel(ahead, num_outputs=3, name=f"{name}_i2h_slice", **where)
        h2h = sym.SliceChannel(back, num_outputs=3, name=f"{name}_h2h_slice", **where)
        reset = sym.Activation(i2h[0] + h2h[0], act_type="sigmoid", name=f"{name}_r_act")
        update = sym.Activation(i2h[1] + h2h[1], act_type="sigmoid", name=f"{name}_z_act")
        new: Any = self._get_activation(
            i2h[2] + reset * h2h[2], self._activation, name=f"{name}_h_act"
        )
        output = sym.elemwise_add((1.0 - update) * new, update * states[0], name=f"{name}out")
        return output, [output]
