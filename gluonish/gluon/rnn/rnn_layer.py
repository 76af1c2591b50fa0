"""The layers RNN, LSTM and GRU, which run over whole sequences."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NoReturn, overload

from typing_extensions import override

from gluonish.array.symbols import is_symbol
from gluonish.block import HybridBlock
from gluonish.block.frontends import frontend_of
from gluonish.errors import InvalidArgumentError, MXNetError, RefusedArgumentError
from gluonish.errors.program_arguments import arguments
from gluonish.errors.tracebacks import shorten
from gluonish.gluon.rnn.cells import GRUCell, LSTMCell, RNNCell
from gluonish.gluon.rnn.checks import check_probability, shape_of
from gluonish.gluon.rnn.containers import BidirectionalCell, HybridSequentialRNNCell
from gluonish.gluon.rnn.modifiers import DropoutCell
from gluonish.gluon.rnn.states import as_states, begin_states, open_size
from gluonish.nn.shapes import inputs_of, size_of
from gluonish.ops.nn.rnn_checks import check_clip, check_mode, check_steps
from gluonish.ops.nn.rnn_stack import GATES, Stack

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gluonish.array import NDArray
    from gluonish.array.dtypes import DTypeLike
    from gluonish.block import Parameter
    from gluonish.block.typed import Given
    from gluonish.gluon.rnn.base_cell import HybridRecurrentCell
    from gluonish.symbol import Symbol

__all__ = ["GRU", "LSTM", "RNN"]

_WEIGHTS = ("i2h_weight", "h2h_weight", "i2h_bias", "h2h_bias", "h2r_weight")
_PARTS = re.compile(r"([lr])(\d+)_((?:i2h|h2h|h2r)_(?:weight|bias))")


class _RNNLayer(HybridBlock):
    """What RNN, LSTM and GRU share."""

    def __init__(
        self,
        hidden_size: int,
        num_layers: int,
        layout: str,
        dropout: float,
        bidirectional: bool,
        input_size: int,
        initializers: Sequence[Any],
        mode: str,
        projection_size: int | None = None,
        clip: tuple[float, float, bool] | None = None,
        /,
        dtype: DTypeLike = "float32",
        use_sequence_length: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        where = type(self).__name__
        _check_options(where, layout, dropout)
        check_mode(mode)
        hidden_size = size_of(where, "hidden_size", hidden_size)
        num_layers = size_of(where, "num_layers", num_layers)
        self._hidden_size = hidden_size
        self._projection_size = projection_size
        self._num_layers = num_layers
        self._mode = mode
        self._layout = layout
        self._dropout = dropout
        self._dir = 2 if bidirectional else 1
        self._input_size = inputs_of(where, "input_size", input_size)
        self._use_sequence_length = bool(use_sequence_length)
        self._dtype = dtype
        self._stack = Stack(
            mode, hidden_size, num_layers, bool(bidirectional), dropout, projection_size, clip
        )
        self._options = {**self._stack._asdict(), "layout": layout}
        self._initializers = dict(zip(_WEIGHTS, initializers, strict=False))
        self._make_parameters()

    def _make_parameters(self) -> None:
        for number, shapes in enumerate(self._stack.weight_shapes(self._input_size)):
            side = "lr"[number % self._dir]
            for (part, init), shape in zip(self._initializers.items(), shapes, strict=False):
                name = f"{side}{number // self._dir}_{part}"
                param = self.params.get(
                    name, shape=shape, init=init, allow_deferred_init=True, dtype=self._dtype
                )
                setattr(self, name, param)

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """Return shape, layout and dtype of each state.

        Parameters
        ----------
        batch_size : int, default 0
            Number of sequences.
        """
        shapes = self._stack.state_shapes(batch_size)
        return [{"shape": each, "__layout__": "LNC", "dtype": self._dtype} for each in shapes]

    def begin_state(
        self, batch_size: int = 0, func: Callable[..., Any] | None = None, **kwargs: Any
    ) -> list[Any]:
        """Return the states before the first step.

        Parameters
        ----------
        batch_size : int
            Number of sequences.
        func : callable, optional
            Makes an array of `shape`, `dtype` and `name`; `zeros` by default.
        **kwargs
            Passed to it, such as `ctx`.

        Examples
        --------
        >>> import gluonish as mx
        >>> [h] = mx.gluon.rnn.GRU(3, num_layers=2).begin_state(batch_size=4)
        >>> h.shape
        (2, 4, 3)
        """
        names = [f"{self.prefix}h0_{i}" for i in range(len(self._stack.state_shapes(0)))]
        info = self.state_info(batch_size)
        return begin_states(type(self).__name__, names, info, batch_size, func, kwargs)

    def unfuse(self) -> HybridSequentialRNNCell:
        """Return cells that compute the same, step by step, with the same parameters.

        Raises
        ------
        RefusedArgumentError
            There is a projection, or limits for the cell state, which cells do not have.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.gluon.rnn.LSTM(4, input_size=3).unfuse()
        HybridSequentialRNNCell(
        (0): LSTMCell(3 -> 16)
        )
        """
        if self._stack.projection_size is not None or self._stack.clip is not None:
            what = "state clipping" if self._stack.clip is not None else "projection layer"
            msg = (
                f"{type(self).__name__} '{self.name}': _unfuse does not support {what} yet! "
                f"Expected a layer without. Call the layer itself."
            )
            raise RefusedArgumentError(msg)
        cells = HybridSequentialRNNCell(prefix=self.prefix, params=self.params)
        with cells.name_scope():
            for layer in range(self._num_layers):
                cell = self._cell(f"l{layer}_", layer)
                if self._dir == 2:
                    cell = BidirectionalCell(cell, self._cell(f"r{layer}_", layer))
                cells.add(cell)
                if self._dropout > 0 and layer != self._num_layers - 1:
                    cells.add(DropoutCell(self._dropout))
        return cells

    _unfuse = unfuse

    def _cell(self, prefix: str, layer: int) -> HybridRecurrentCell:
        options: dict[str, Any] = {
            f"{part}_initializer": init
            for part, init in self._initializers.items()
            if part != "h2r_weight"
        }
        options["input_size"] = self._hidden_size * self._dir if layer else self._input_size
        if self._mode == "lstm":
            return LSTMCell(self._hidden_size, prefix=prefix, **options)
        if self._mode == "gru":
            return GRUCell(self._hidden_size, prefix=prefix, **options)
        activation = self._mode.removeprefix("rnn_")
        return RNNCell(self._hidden_size, activation, prefix=prefix, **options)

    @override
    def cast(self, dtype: DTypeLike) -> None:
        super().cast(dtype)
        self._dtype = dtype

    @override
    def _collect_params_with_prefix(self, prefix: str = "") -> dict[str, Parameter]:
        # In files the layer is a sequence of cells, as in MXNet since its first version.
        start = f"{prefix}." if prefix else ""

        def place(match: re.Match[str]) -> str:
            side, layer, part = match.groups()
            cell = f".{side}_cell" if self._dir == 2 else ""
            return f"{start}_unfused.{layer}{cell}.{part}"

        return {_PARTS.sub(place, key): param for key, param in self._reg_params.items()}

    @override
    def infer_shape(self, *args: Any) -> None:
        shape = shape_of(self._stack.where, args[0])
        check_steps(self._stack.where, shape, self._layout)
        for side in "lr"[: self._dir]:
            param = self._reg_params[f"{side}0_i2h_weight"]
            param.shape = (GATES[self._mode] * self._hidden_size, shape[2])

    @overload  # type: ignore[override]
    def __call__(
        self, inputs: Given, states: None = None, sequence_length: Any = None
    ) -> Given: ...
    @overload
    def __call__(
        self, inputs: Given, states: NDArray | Symbol | Sequence[Any], sequence_length: Any = None
    ) -> tuple[Given, list[Given]]: ...
    @override
    def __call__(self, inputs: Any, states: Any = None, sequence_length: Any = None) -> Any:
        """Run the layers over sequences.

        Parameters
        ----------
        inputs : NDArray, shape by `layout`
            The sequences.
        states : NDArray or list of NDArray, optional
            What `begin_state` returns, or the last states of a call; 0 by default.
        sequence_length : NDArray, shape (batch,), optional
            Number of valid steps of each sequence, if the layer has `use_sequence_length`: outputs
            past them are 0, and the last states are those behind the last valid step.

        Returns
        -------
        NDArray, or with states a tuple of it and the list of the last states
        """
        try:
            if states is None and is_symbol(inputs):
                states = self._open_states(inputs)
                lengths = () if sequence_length is None else (sequence_length,)
                return super().__call__(inputs, states, *lengths)[0]
            if sequence_length is None:
                return super().__call__(inputs, states)
            return super().__call__(inputs, states, sequence_length)
        except MXNetError as error:
            shorten(error)
            raise

    @override
    def hybrid_forward(
        self,
        F: Any,
        x: Any,
        states: Any = None,
        sequence_length: Any = None,
        **weights: Any,
    ) -> Any:
        if self._use_sequence_length is (sequence_length is None):
            self._refuse_lengths(sequence_length)
        is_alone = states is None
        if is_alone and is_symbol(x):
            states = self._open_states(x)
        run = F._internal._rnn_layers  # noqa: SLF001 - the way to internal operators
        own = list(weights.values())
        if states is None:
            return run(x, own, None, sequence_length, state_outputs=False, **self._options)
        outputs, *last = run(x, own, as_states(states), sequence_length, **self._options)
        return outputs if is_alone else (outputs, last)

    def _open_states(self, x: Symbol) -> list[Any]:
        """Return zeros for as many sequences as there will be."""
        return self.begin_state(open_size(), frontend_of(x).zeros)

    def _refuse_lengths(self, sequence_length: Any) -> NoReturn:
        is_given = sequence_length is not None
        fix = "Build the layer with use_sequence_length=True"
        if not is_given:
            fix = "Pass sequence_length, one number for each sequence"
        msg = (
            f"{type(self).__name__} '{self.name}': sequence_length was "
            f"{'given' if is_given else 'not given'}. Expected "
            f"{'none' if is_given else 'one'}, since the layer has "
            f"use_sequence_length={self._use_sequence_length}. {fix}."
        )
        raise InvalidArgumentError(msg)

    @override
    def __repr__(self) -> str:
        features = self._reg_params["l0_i2h_weight"].shape or ()
        parts = [f"{_known(features[1])} -> {features[0] // GATES[self._mode]}", self._layout]
        if self._num_layers != 1:
            parts.append(f"num_layers={self._num_layers}")
        if self._dropout != 0:
            parts.append(f"dropout={self._dropout}")
        if self._dir == 2:
            parts.append("bidirectional")
        return f"{type(self).__name__}({', '.join(parts)})"


def _known(size: int) -> int | None:
    return size if size > 0 else None


def _how_to_lay(where: str, layout: object) -> str:
    if isinstance(layout, int):
        cls = where.partition(" ")[0]
        sizes, hidden, layers = arguments(3) or ["n", "m", "k"]
        return (
            f"The arguments are hidden_size, num_layers, layout: PyTorch's {cls}({sizes}, "
            f"{hidden}, {layers}) is {cls}({hidden}, num_layers={layers}) here, which finds "
            f"{sizes} itself."
        )
    return "Pass one of them, or transpose the data."


def _check_options(where: str, layout: str, dropout: float) -> None:
    if layout not in ("TNC", "NTC"):
        msg = (
            f"{where}: Invalid layout {layout}; must be one of ['TNC' or 'NTC']. Expected steps or "
            f"sequences first, features last. {_how_to_lay(where, layout)}"
        )
        raise RefusedArgumentError(msg)
    check_probability(where, "dropout", dropout)


class RNN(_RNNLayer):
    """Elman's recurrent layers: h = activation(W_i x + b_i + W_h h + b_h), for each step.

    Shapes: data (steps, batch, input_size) -> (steps, batch, hidden_size * directions), and with
    states also [h (layers * directions, batch, hidden_size)]; layout 'NTC' has the batch first.

    Parameters
    ----------
    hidden_size : int
        Units of a layer.
    num_layers : int, default 1
        Number of layers, each of which reads the one before.
    activation : {'relu', 'tanh'}, default 'relu'
        The activation function.
    layout : {'TNC', 'NTC'}, default 'TNC'
        Axes of data and output: steps T, sequences N, features C.
    dropout : float in [0, 1], default 0
        Probability of Dropout between layers, while training.
    bidirectional : bool, default False
        Whether each layer reads the sequences in both directions.
    i2h_weight_initializer, h2h_weight_initializer : Initializer or str, optional
        How the weights are filled; by what `initialize` is given.
    i2h_bias_initializer, h2h_bias_initializer : Initializer or str, default 'zeros'
        How the biases are filled.
    input_size : int, optional
        Number of features; found at the first call by default.
    dtype : str, default 'float32'
        Dtype of parameters and states.
    **kwargs
        `use_sequence_length` (bool, default False: whether a call takes the number of valid steps
        of each sequence), and `prefix` and `params` of every Block.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.rnn.RNN(4, num_layers=2, activation='tanh')
    >>> net.initialize()
    >>> x = mx.nd.ones((5, 3, 2))
    >>> net(x).shape
    (5, 3, 4)
    >>> output, states = net(x, net.begin_state(batch_size=3))
    >>> states[0].shape
    (2, 3, 4)
    >>> net
    RNN(2 -> 4, TNC, num_layers=2)
    """

    def __init__(
        self,
        hidden_size: int,
        num_layers: int = 1,
        activation: str = "relu",
        layout: str = "TNC",
        dropout: float = 0,
        bidirectional: bool = False,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        input_size: int = 0,
        dtype: DTypeLike = "float32",
        **kwargs: Any,
    ) -> None:
        super().__init__(
            hidden_size, num_layers, layout, dropout, bidirectional, input_size,
            (i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer,
             h2h_bias_initializer),
            f"rnn_{activation}", dtype=dtype, **kwargs,
        )  # fmt: skip


class LSTM(_RNNLayer):
    """Layers of long short-term memory.

    Shapes: data (steps, batch, input_size) -> (steps, batch, hidden_size * directions), and with
    states also [h (layers * directions, batch, hidden_size), c, of the same shape]; layout 'NTC'
    has the batch first. With a projection, outputs and h have projection_size features.

    Parameters
    ----------
    hidden_size : int
        Units of a layer.
    num_layers : int, default 1
        Number of layers, each of which reads the one before.
    layout : {'TNC', 'NTC'}, default 'TNC'
        Axes of data and output: steps T, sequences N, features C.
    dropout : float in [0, 1], default 0
        Probability of Dropout between layers, while training.
    bidirectional : bool, default False
        Whether each layer reads the sequences in both directions.
    input_size : int, optional
        Number of features; found at the first call by default.
    i2h_weight_initializer, h2h_weight_initializer : Initializer or str, optional
        How the weights are filled; by what `initialize` is given.
    i2h_bias_initializer, h2h_bias_initializer : Initializer or str, default 'zeros'
        How the biases are filled.
    projection_size : int, optional
        Length of the hidden state, if that is a projection of the units.
    h2r_weight_initializer : Initializer or str, optional
        How the projection's weights are filled.
    state_clip_min, state_clip_max : float, optional
        Limits of the cell state; both or none.
    state_clip_nan : bool, default False
        Whether a NaN in the cell state becomes the lower limit.
    dtype : str, default 'float32'
        Dtype of parameters and states.
    **kwargs
        `use_sequence_length` (bool, default False: whether a call takes the number of valid steps
        of each sequence), and `prefix` and `params` of every Block.

    References
    ----------
    Hochreiter, Schmidhuber: Long short-term memory (1997). Sak, Senior, Beaufays: Long short-term
    memory based recurrent neural network architectures (2014), arXiv:1402.1128.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.rnn.LSTM(4, layout='NTC', bidirectional=True)
    >>> net.initialize()
    >>> output, (h, c) = net(mx.nd.ones((3, 5, 2)), net.begin_state(batch_size=3))
    >>> output.shape, h.shape, c.shape
    ((3, 5, 8), (2, 3, 4), (2, 3, 4))
    """

    def __init__(
        self,
        hidden_size: int,
        num_layers: int = 1,
        layout: str = "TNC",
        dropout: float = 0,
        bidirectional: bool = False,
        input_size: int = 0,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        projection_size: int | None = None,
        h2r_weight_initializer: Any = None,
        state_clip_min: float | None = None,
        state_clip_max: float | None = None,
        state_clip_nan: bool = False,
        dtype: DTypeLike = "float32",
        **kwargs: Any,
    ) -> None:
        clip = check_clip(state_clip_min, state_clip_max, state_clip_nan)
        super().__init__(
            hidden_size, num_layers, layout, dropout, bidirectional, input_size,
            (i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer,
             h2h_bias_initializer, h2r_weight_initializer),
            "lstm", projection_size, clip, dtype, **kwargs,
        )  # fmt: skip


class GRU(_RNNLayer):
    """Layers of gated recurrent units.

    Shapes: data (steps, batch, input_size) -> (steps, batch, hidden_size * directions), and with
    states also [h (layers * directions, batch, hidden_size)]; layout 'NTC' has the batch first.

    Parameters
    ----------
    hidden_size : int
        Units of a layer.
    num_layers : int, default 1
        Number of layers, each of which reads the one before.
    layout : {'TNC', 'NTC'}, default 'TNC'
        Axes of data and output: steps T, sequences N, features C.
    dropout : float in [0, 1], default 0
        Probability of Dropout between layers, while training.
    bidirectional : bool, default False
        Whether each layer reads the sequences in both directions.
    input_size : int, optional
        Number of features; found at the first call by default.
    i2h_weight_initializer, h2h_weight_initializer : Initializer or str, optional
        How the weights are filled; by what `initialize` is given.
    i2h_bias_initializer, h2h_bias_initializer : Initializer or str, default 'zeros'
        How the biases are filled.
    dtype : str, default 'float32'
        Dtype of parameters and states.
    **kwargs
        `use_sequence_length` (bool, default False: whether a call takes the number of valid steps
        of each sequence), and `prefix` and `params` of every Block.

    References
    ----------
    Cho et al.: Learning phrase representations using RNN encoder-decoder for statistical machine
    translation (2014), arXiv:1406.1078; with the reset gate behind the product, as in cuDNN.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.rnn.GRU(4)
    >>> net.initialize()
    >>> net(mx.nd.ones((5, 3, 2))).shape
    (5, 3, 4)
    """

    def __init__(
        self,
        hidden_size: int,
        num_layers: int = 1,
        layout: str = "TNC",
        dropout: float = 0,
        bidirectional: bool = False,
        input_size: int = 0,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        dtype: DTypeLike = "float32",
        **kwargs: Any,
    ) -> None:
        super().__init__(
            hidden_size, num_layers, layout, dropout, bidirectional, input_size,
            (i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer,
             h2h_bias_initializer),
            "gru", dtype=dtype, **kwargs,
        )  # fmt: skip
