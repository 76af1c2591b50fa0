"""Recurrent cells whose products are convolutions: states and data have channels and places."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.errors import RefusedArgumentError
from gluonish.gluon.rnn.base_cell import HybridRecurrentCell
from gluonish.nn.shapes import size_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.block import ParameterDict

__all__ = [
    "Conv1DGRUCell",
    "Conv1DLSTMCell",
    "Conv1DRNNCell",
    "Conv2DGRUCell",
    "Conv2DLSTMCell",
    "Conv2DRNNCell",
    "Conv3DGRUCell",
    "Conv3DLSTMCell",
    "Conv3DRNNCell",
]

_LAYOUTS = {1: "NCW", 2: "NCHW", 3: "NCDHW"}


class _ConvCell(HybridRecurrentCell):
    """What all nine share: parameters, shapes and the two convolutions."""

    _axes = 1  # of places
    _gates = 1
    _state_count = 1

    def __init__(
        self,
        input_shape: Sequence[int],
        hidden_channels: int,
        i2h_kernel: int | Sequence[int],
        h2h_kernel: int | Sequence[int],
        i2h_pad: int | Sequence[int] = 0,
        i2h_dilate: int | Sequence[int] = 1,
        h2h_dilate: int | Sequence[int] = 1,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        conv_layout: str | None = None,
        activation: Any = "tanh",
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        hidden_channels = size_of(type(self).__name__, "hidden_channels", hidden_channels)
        self._hidden_channels = hidden_channels
        self._input_shape = tuple(input_shape)
        self._conv_layout = conv_layout or _LAYOUTS[self._axes]
        self._channel_axis = self._conv_layout.find("C")
        self._activation = activation
        self._i2h_kernel = self._each("i2h_kernel", i2h_kernel)
        self._i2h_pad = self._each("i2h_pad", i2h_pad)
        self._i2h_dilate = self._each("i2h_dilate", i2h_dilate)
        self._h2h_kernel = self._each("h2h_kernel", h2h_kernel)
        self._h2h_dilate = self._each("h2h_dilate", h2h_dilate)
        if any(size % 2 == 0 for size in self._h2h_kernel):
            msg = (
                f"{type(self).__name__}: Only support odd number, get h2h_kernel= {h2h_kernel}. "
                f"Expected odd sizes, so that states keep their shape. Pass 3, for example."
            )
            raise RefusedArgumentError(msg)
        # Padding by half of what a window spans leaves as many places as there were.
        self._h2h_pad = tuple(
            dilation * (size - 1) // 2
            for dilation, size in zip(self._h2h_dilate, self._h2h_kernel, strict=True)
        )
        rows = self._gates * hidden_channels
        channels = self._input_shape[self._channel_axis - 1]
        for name, shape, init in (
            ("i2h_weight", self._weight(channels, self._i2h_kernel), i2h_weight_initializer),
            ("h2h_weight", self._weight(hidden_channels, self._h2h_kernel), h2h_weight_initializer),
            ("i2h_bias", (rows,), i2h_bias_initializer),
            ("h2h_bias", (rows,), h2h_bias_initializer),
        ):
            param = self.params.get(name, shape=shape, init=init, allow_deferred_init=True)
            setattr(self, name, param)

    def _each(self, name: str, given: int | Sequence[int]) -> tuple[int, ...]:
        """Return a setting with one number for each axis of places."""
        found = (given,) * self._axes if isinstance(given, int) else tuple(given)
        if len(found) == self._axes:
            return found
        msg = (
            f"{type(self).__name__}: {name}={given!r} was given. For {self._axes}D convolution, "
            f"the convolution settings can only be either int or list/tuple of length "
            f"{self._axes}. Pass a number."
        )
        raise RefusedArgumentError(msg)

    def _placed(self, channels: int, places: tuple[int, ...]) -> tuple[int, ...]:
        """Return the size of channels, and those of places, in the order of the layout."""
        return (channels, *places) if self._channel_axis == 1 else (*places, channels)

    def _weight(self, channels: int, kernel: tuple[int, ...]) -> tuple[int, ...]:
        return (self._gates * self._hidden_channels, *self._placed(channels, kernel))

    @override
    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        sizes = self._input_shape
        sizes = sizes[1:] if self._channel_axis == 1 else sizes[:-1]
        windows = zip(sizes, self._i2h_kernel, self._i2h_pad, self._i2h_dilate, strict=False)
        places = tuple(
            size + 2 * pad - dilation * (width - 1) if size else 0
            for size, width, pad, dilation in windows
        )
        shape = (batch_size, *self._placed(self._hidden_channels, places))
        return [{"shape": shape, "__layout__": self._conv_layout}] * self._state_count

    def _convolved(
        self, F: Any, start: str, inputs: Any, hidden: Any, weights: Sequence[Any]
    ) -> list[Any]:
        """Return the convolutions of data and of hidden state."""
        i2h_weight, h2h_weight, i2h_bias, h2h_bias = weights
        shared = {
            "num_filter": self._gates * self._hidden_channels,
            "stride": (1,) * self._axes,
            "layout": self._conv_layout,
        }
        i2h = F.Convolution(
            inputs, i2h_weight, i2h_bias, kernel=self._i2h_kernel, pad=self._i2h_pad,
            dilate=self._i2h_dilate, name=f"{start}i2h", **shared,
        )  # fmt: skip
        h2h = F.Convolution(
            hidden, h2h_weight, h2h_bias, kernel=self._h2h_kernel, pad=self._h2h_pad,
            dilate=self._h2h_dilate, name=f"{start}h2h", **shared,
        )  # fmt: skip
        return [i2h, h2h]

    @override
    def __repr__(self) -> str:
        shape = self._reg_params["i2h_weight"].shape or (0,) * (2 + self._axes)
        channels = shape[1 if self._channel_axis == 1 else -1]
        known = channels if channels > 0 else None
        mapping = f"{known} -> {shape[0]}, {self._activation}, {self._conv_layout}"
        return f"{type(self).__name__}({mapping})"


class _ConvRNNCell(_ConvCell):
    @override
    def _alias(self) -> str:
        return "conv_rnn"

    @override
    def hybrid_forward(
        self,
        F: Any,
        inputs: Any,
        states: Any,
        i2h_weight: Any,
        h2h_weight: Any,
        i2h_bias: Any,
        h2h_bias: Any,
    ) -> Any:
        start = self._next_step(inputs)
        weights = i2h_weight, h2h_weight, i2h_bias, h2h_bias
        i2h, h2h = self._convolved(F, start, inputs, states[0], weights)
        output = self._get_activation(F, i2h + h2h, self._activation, name=f"{start}out")
        return output, [output]


class _ConvLSTMCell(_ConvCell):
    _gates = 4
    _state_count = 2

    @override
    def _alias(self) -> str:
        return "conv_lstm"

    @override
    def hybrid_forward(
        self,
        F: Any,
        inputs: Any,
        states: Any,
        i2h_weight: Any,
        h2h_weight: Any,
        i2h_bias: Any,
        h2h_bias: Any,
    ) -> Any:
        start, kind = self._next_step(inputs), self._activation
        hidden, cell = states
        weights = i2h_weight, h2h_weight, i2h_bias, h2h_bias
        i2h, h2h = self._convolved(F, start, inputs, hidden, weights)
        parts = F.SliceChannel(
            i2h + h2h, num_outputs=self._gates, axis=self._channel_axis, name=f"{start}slice"
        )
        enter, keep, leave = (
            F.Activation(parts[place], act_type="sigmoid", name=start + gate)
            for place, gate in ((0, "i"), (1, "f"), (3, "o"))
        )
        value = self._get_activation(F, parts[2], kind, name=f"{start}c")
        cell = F.elemwise_add(keep * cell, enter * value, name=f"{start}state")
        shown = self._get_activation(F, cell, kind)
        output = F.elemwise_mul(leave, shown, name=f"{start}out")
        return output, [output, cell]


class _ConvGRUCell(_ConvCell):
    _gates = 3

    @override
    def _alias(self) -> str:
        return "conv_gru"

    @override
    def hybrid_forward(
        self,
        F: Any,
        inputs: Any,
        states: Any,
        i2h_weight: Any,
        h2h_weight: Any,
        i2h_bias: Any,
        h2h_bias: Any,
    ) -> Any:
        start = self._next_step(inputs)
        weights = i2h_weight, h2h_weight, i2h_bias, h2h_bias
        i2h, h2h = (
            F.SliceChannel(
                product, num_outputs=self._gates, axis=self._channel_axis, name=f"{start}{of}_slice"
            )
            for of, product in zip(
                ("i2h", "h2h"),
                self._convolved(F, start, inputs, states[0], weights),
                strict=True,
            )
        )
        reset, update = (
            F.Activation(i2h[place] + h2h[place], act_type="sigmoid", name=f"{start}{gate}_act")
            for place, gate in enumerate("rz")
        )
        sums = i2h[2] + reset * h2h[2]
        new = self._get_activation(F, sums, self._activation, name=f"{start}h_act")
        output = F.elemwise_add((1.0 - update) * new, update * states[0], name=f"{start}out")
        return output, [output]


class Conv1DRNNCell(_ConvRNNCell):
    """Elman's cell with convolutions over one axis as its products.

    Shapes: data (batch, channels, width), [h] -> (batch, hidden_channels, ...), [h],
    whose places are those that i2h_kernel leaves.

    Parameters
    ----------
    input_shape : tuple of int
        Shape of the data of a step, without the batch; channels may be 0: found at the first call.
    hidden_channels : int
        Number of channels of the states.
    i2h_kernel, h2h_kernel : int or tuple of int
        Sizes of the windows over data and over states; those over states are odd.
    i2h_pad, i2h_dilate, h2h_dilate : int or tuple of int, default 0, 1 and 1
        Padding of the data, and distances of the windows' places.
    i2h_weight_initializer, h2h_weight_initializer : Initializer or str, optional
        How the weights are filled; by what `initialize` is given.
    i2h_bias_initializer, h2h_bias_initializer : Initializer or str, default 'zeros'
        How the biases are filled.
    conv_layout : str, default 'NCW'
        Order of axes, this or 'NWC'.
    activation : str or callable, default 'tanh'
        The activation function, by name or as a Block or function.
    prefix, params : optional
        As for every Block.

    Examples
    --------
    >>> import gluonish as mx
    >>> cell = mx.gluon.contrib.rnn.Conv1DRNNCell((2, 6), 3, i2h_kernel=3, h2h_kernel=3)
    >>> cell.initialize()
    >>> x = mx.nd.ones((1, 4, 2, 6))
    >>> outputs, states = cell.unroll(4, x, merge_outputs=True)
    >>> outputs.shape
    (1, 4, 3, 4)
    >>> cell
    Conv1DRNNCell(2 -> 3, tanh, NCW)
    """

    _axes = 1


class Conv2DRNNCell(_ConvRNNCell):
    """Elman's cell with convolutions over two axes as its products.

    Shapes: data (batch, channels, height, width), [h] -> (batch, hidden_channels, ...), [h],
    whose places are those that i2h_kernel leaves.

    Parameters
    ----------
    input_shape : tuple of int
        Shape of the data of a step, without the batch; channels may be 0: found at the first call.
    hidden_channels : int
        Number of channels of the states.
    i2h_kernel, h2h_kernel : int or tuple of int
        Sizes of the windows over data and over states; those over states are odd.
    i2h_pad, i2h_dilate, h2h_dilate : int or tuple of int, default 0, 1 and 1
        Padding of the data, and distances of the windows' places.
    i2h_weight_initializer, h2h_weight_initializer : Initializer or str, optional
        How the weights are filled; by what `initialize` is given.
    i2h_bias_initializer, h2h_bias_initializer : Initializer or str, default 'zeros'
        How the biases are filled.
    conv_layout : str, default 'NCHW'
        Order of axes, this or 'NHWC'.
    activation : str or callable, default 'tanh'
        The activation function, by name or as a Block or function.
    prefix, params : optional
        As for every Block.

    Examples
    --------
    >>> import gluonish as mx
    >>> cell = mx.gluon.contrib.rnn.Conv2DRNNCell((2, 6, 6), 3, i2h_kernel=3, h2h_kernel=3)
    >>> cell.initialize()
    >>> x = mx.nd.ones((1, 4, 2, 6, 6))
    >>> outputs, states = cell.unroll(4, x, merge_outputs=True)
    >>> outputs.shape
    (1, 4, 3, 4, 4)
    >>> cell
    Conv2DRNNCell(2 -> 3, tanh, NCHW)
    """

    _axes = 2


class Conv3DRNNCell(_ConvRNNCell):
    """Elman's cell with convolutions over three axes as its products.

    Shapes: data (batch, channels, depth, height, width), [h] -> (batch, hidden_channels, ...), [h],
    whose places are those that i2h_kernel leaves.

    Parameters
    ----------
    input_shape : tuple of int
        Shape of the data of a step, without the batch; channels may be 0: found at the first call.
    hidden_channels : int
        Number of channels of the states.
    i2h_kernel, h2h_kernel : int or tuple of int
        Sizes of the windows over data and over states; those over states are odd.
    i2h_pad, i2h_dilate, h2h_dilate : int or tuple of int, default 0, 1 and 1
        Padding of the data, and distances of the windows' places.
    i2h_weight_initializer, h2h_weight_initializer : Initializer or str, optional
        How the weights are filled; by what `initialize` is given.
    i2h_bias_initializer, h2h_bias_initializer : Initializer or str, default 'zeros'
        How the biases are filled.
    conv_layout : str, default 'NCDHW'
        Order of axes, this or 'NDHWC'.
    activation : str or callable, default 'tanh'
        The activation function, by name or as a Block or function.
    prefix, params : optional
        As for every Block.

    Examples
    --------
    >>> import gluonish as mx
    >>> cell = mx.gluon.contrib.rnn.Conv3DRNNCell((2, 6, 6, 6), 3, i2h_kernel=3, h2h_kernel=3)
    >>> cell.initialize()
    >>> x = mx.nd.ones((1, 4, 2, 6, 6, 6))
    >>> outputs, states = cell.unroll(4, x, merge_outputs=True)
    >>> outputs.shape
    (1, 4, 3, 4, 4, 4)
    >>> cell
    Conv3DRNNCell(2 -> 3, tanh, NCDHW)
    """

    _axes = 3


class Conv1DLSTMCell(_ConvLSTMCell):
    """Cell of long short-term memory with convolutions over one axis as its products.

    Shapes: data (batch, channels, width), [h, c] -> (batch, hidden_channels, ...), [h, c],
    whose places are those that i2h_kernel leaves.

    Parameters
    ----------
    input_shape : tuple of int
        Shape of the data of a step, without the batch; channels may be 0: found at the first call.
    hidden_channels : int
        Number of channels of the states.
    i2h_kernel, h2h_kernel : int or tuple of int
        Sizes of the windows over data and over states; those over states are odd.
    i2h_pad, i2h_dilate, h2h_dilate : int or tuple of int, default 0, 1 and 1
        Padding of the data, and distances of the windows' places.
    i2h_weight_initializer, h2h_weight_initializer : Initializer or str, optional
        How the weights are filled; by what `initialize` is given.
    i2h_bias_initializer, h2h_bias_initializer : Initializer or str, default 'zeros'
        How the biases are filled.
    conv_layout : str, default 'NCW'
        Order of axes, this or 'NWC'.
    activation : str or callable, default 'tanh'
        The activation function, by name or as a Block or function.
    prefix, params : optional
        As for every Block.

    References
    ----------
    Shi et al.: Convolutional LSTM network: a machine learning approach for precipitation nowcasting
    (2015), arXiv:1506.04214.

    Examples
    --------
    >>> import gluonish as mx
    >>> cell = mx.gluon.contrib.rnn.Conv1DLSTMCell((2, 6), 3, i2h_kernel=3, h2h_kernel=3)
    >>> cell.initialize()
    >>> x = mx.nd.ones((1, 4, 2, 6))
    >>> outputs, states = cell.unroll(4, x, merge_outputs=True)
    >>> outputs.shape
    (1, 4, 3, 4)
    >>> cell
    Conv1DLSTMCell(2 -> 12, tanh, NCW)
    """

    _axes = 1


class Conv2DLSTMCell(_ConvLSTMCell):
    """Cell of long short-term memory with convolutions over two axes as its products.

    Shapes: data (batch, channels, height, width), [h, c] -> (batch, hidden_channels, ...), [h, c],
    whose places are those that i2h_kernel leaves.

    Parameters
    ----------
    input_shape : tuple of int
        Shape of the data of a step, without the batch; channels may be 0: found at the first call.
    hidden_channels : int
        Number of channels of the states.
    i2h_kernel, h2h_kernel : int or tuple of int
        Sizes of the windows over data and over states; those over states are odd.
    i2h_pad, i2h_dilate, h2h_dilate : int or tuple of int, default 0, 1 and 1
        Padding of the data, and distances of the windows' places.
    i2h_weight_initializer, h2h_weight_initializer : Initializer or str, optional
        How the weights are filled; by what `initialize` is given.
    i2h_bias_initializer, h2h_bias_initializer : Initializer or str, default 'zeros'
        How the biases are filled.
    conv_layout : str, default 'NCHW'
        Order of axes, this or 'NHWC'.
    activation : str or callable, default 'tanh'
        The activation function, by name or as a Block or function.
    prefix, params : optional
        As for every Block.

    References
    ----------
    Shi et al.: Convolutional LSTM network: a machine learning approach for precipitation nowcasting
    (2015), arXiv:1506.04214.

    Examples
    --------
    >>> import gluonish as mx
    >>> cell = mx.gluon.contrib.rnn.Conv2DLSTMCell((2, 6, 6), 3, i2h_kernel=3, h2h_kernel=3)
    >>> cell.initialize()
    >>> x = mx.nd.ones((1, 4, 2, 6, 6))
    >>> outputs, states = cell.unroll(4, x, merge_outputs=True)
    >>> outputs.shape
    (1, 4, 3, 4, 4)
    >>> cell
    Conv2DLSTMCell(2 -> 12, tanh, NCHW)
    """

    _axes = 2


class Conv3DLSTMCell(_ConvLSTMCell):
    """Cell of long short-term memory with convolutions over three axes as its products.

    Shapes: data (batch, channels, depth, height, width), [h, c] -> (batch, hidden_channels, ...),
    [h, c], whose places are those that i2h_kernel leaves.

    Parameters
    ----------
    input_shape : tuple of int
        Shape of the data of a step, without the batch; channels may be 0: found at the first call.
    hidden_channels : int
        Number of channels of the states.
    i2h_kernel, h2h_kernel : int or tuple of int
        Sizes of the windows over data and over states; those over states are odd.
    i2h_pad, i2h_dilate, h2h_dilate : int or tuple of int, default 0, 1 and 1
        Padding of the data, and distances of the windows' places.
    i2h_weight_initializer, h2h_weight_initializer : Initializer or str, optional
        How the weights are filled; by what `initialize` is given.
    i2h_bias_initializer, h2h_bias_initializer : Initializer or str, default 'zeros'
        How the biases are filled.
    conv_layout : str, default 'NCDHW'
        Order of axes, this or 'NDHWC'.
    activation : str or callable, default 'tanh'
        The activation function, by name or as a Block or function.
    prefix, params : optional
        As for every Block.

    References
    ----------
    Shi et al.: Convolutional LSTM network: a machine learning approach for precipitation nowcasting
    (2015), arXiv:1506.04214.

    Examples
    --------
    >>> import gluonish as mx
    >>> cell = mx.gluon.contrib.rnn.Conv3DLSTMCell((2, 6, 6, 6), 3, i2h_kernel=3, h2h_kernel=3)
    >>> cell.initialize()
    >>> x = mx.nd.ones((1, 4, 2, 6, 6, 6))
    >>> outputs, states = cell.unroll(4, x, merge_outputs=True)
    >>> outputs.shape
    (1, 4, 3, 4, 4, 4)
    >>> cell
    Conv3DLSTMCell(2 -> 12, tanh, NCDHW)
    """

    _axes = 3


class Conv1DGRUCell(_ConvGRUCell):
    """Gated recurrent unit with convolutions over one axis as its products.

    Shapes: data (batch, channels, width), [h] -> (batch, hidden_channels, ...), [h],
    whose places are those that i2h_kernel leaves.

    Parameters
    ----------
    input_shape : tuple of int
        Shape of the data of a step, without the batch; channels may be 0: found at the first call.
    hidden_channels : int
        Number of channels of the states.
    i2h_kernel, h2h_kernel : int or tuple of int
        Sizes of the windows over data and over states; those over states are odd.
    i2h_pad, i2h_dilate, h2h_dilate : int or tuple of int, default 0, 1 and 1
        Padding of the data, and distances of the windows' places.
    i2h_weight_initializer, h2h_weight_initializer : Initializer or str, optional
        How the weights are filled; by what `initialize` is given.
    i2h_bias_initializer, h2h_bias_initializer : Initializer or str, default 'zeros'
        How the biases are filled.
    conv_layout : str, default 'NCW'
        Order of axes, this or 'NWC'.
    activation : str or callable, default 'tanh'
        The activation function, by name or as a Block or function.
    prefix, params : optional
        As for every Block.

    Examples
    --------
    >>> import gluonish as mx
    >>> cell = mx.gluon.contrib.rnn.Conv1DGRUCell((2, 6), 3, i2h_kernel=3, h2h_kernel=3)
    >>> cell.initialize()
    >>> x = mx.nd.ones((1, 4, 2, 6))
    >>> outputs, states = cell.unroll(4, x, merge_outputs=True)
    >>> outputs.shape
    (1, 4, 3, 4)
    >>> cell
    Conv1DGRUCell(2 -> 9, tanh, NCW)
    """

    _axes = 1


class Conv2DGRUCell(_ConvGRUCell):
    """Gated recurrent unit with convolutions over two axes as its products.

    Shapes: data (batch, channels, height, width), [h] -> (batch, hidden_channels, ...), [h],
    whose places are those that i2h_kernel leaves.

    Parameters
    ----------
    input_shape : tuple of int
        Shape of the data of a step, without the batch; channels may be 0: found at the first call.
    hidden_channels : int
        Number of channels of the states.
    i2h_kernel, h2h_kernel : int or tuple of int
        Sizes of the windows over data and over states; those over states are odd.
    i2h_pad, i2h_dilate, h2h_dilate : int or tuple of int, default 0, 1 and 1
        Padding of the data, and distances of the windows' places.
    i2h_weight_initializer, h2h_weight_initializer : Initializer or str, optional
        How the weights are filled; by what `initialize` is given.
    i2h_bias_initializer, h2h_bias_initializer : Initializer or str, default 'zeros'
        How the biases are filled.
    conv_layout : str, default 'NCHW'
        Order of axes, this or 'NHWC'.
    activation : str or callable, default 'tanh'
        The activation function, by name or as a Block or function.
    prefix, params : optional
        As for every Block.

    Examples
    --------
    >>> import gluonish as mx
    >>> cell = mx.gluon.contrib.rnn.Conv2DGRUCell((2, 6, 6), 3, i2h_kernel=3, h2h_kernel=3)
    >>> cell.initialize()
    >>> x = mx.nd.ones((1, 4, 2, 6, 6))
    >>> outputs, states = cell.unroll(4, x, merge_outputs=True)
    >>> outputs.shape
    (1, 4, 3, 4, 4)
    >>> cell
    Conv2DGRUCell(2 -> 9, tanh, NCHW)
    """

    _axes = 2


class Conv3DGRUCell(_ConvGRUCell):
    """Gated recurrent unit with convolutions over three axes as its products.

    Shapes: data (batch, channels, depth, height, width), [h] -> (batch, hidden_channels, ...), [h],
    whose places are those that i2h_kernel leaves.

    Parameters
    ----------
    input_shape : tuple of int
        Shape of the data of a step, without the batch; channels may be 0: found at the first call.
    hidden_channels : int
        Number of channels of the states.
    i2h_kernel, h2h_kernel : int or tuple of int
        Sizes of the windows over data and over states; those over states are odd.
    i2h_pad, i2h_dilate, h2h_dilate : int or tuple of int, default 0, 1 and 1
        Padding of the data, and distances of the windows' places.
    i2h_weight_initializer, h2h_weight_initializer : Initializer or str, optional
        How the weights are filled; by what `initialize` is given.
    i2h_bias_initializer, h2h_bias_initializer : Initializer or str, default 'zeros'
        How the biases are filled.
    conv_layout : str, default 'NCDHW'
        Order of axes, this or 'NDHWC'.
    activation : str or callable, default 'tanh'
        The activation function, by name or as a Block or function.
    prefix, params : optional
        As for every Block.

    Examples
    --------
    >>> import gluonish as mx
    >>> cell = mx.gluon.contrib.rnn.Conv3DGRUCell((2, 6, 6, 6), 3, i2h_kernel=3, h2h_kernel=3)
    >>> cell.initialize()
    >>> x = mx.nd.ones((1, 4, 2, 6, 6, 6))
    >>> outputs, states = cell.unroll(4, x, merge_outputs=True)
    >>> outputs.shape
    (1, 4, 3, 4, 4, 4)
    >>> cell
    Conv3DGRUCell(2 -> 9, tanh, NCDHW)
    """

    _axes = 3
