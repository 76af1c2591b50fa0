"""An LSTM cell with a projection, and dropout with one mask for all steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.block.frontends import frontend_of
from gluonish.errors import RefusedArgumentError
from gluonish.gluon.rnn.base_cell import HybridRecurrentCell, RecurrentCell
from gluonish.gluon.rnn.checks import check_probability
from gluonish.gluon.rnn.containers import BidirectionalCell
from gluonish.gluon.rnn.modifiers import ModifierCell
from gluonish.gluon.rnn.sequences import unmerged
from gluonish.nn.shapes import size_of

if TYPE_CHECKING:
    from gluonish.array import NDArray
    from gluonish.block import ParameterDict
    from gluonish.gluon.rnn.sequences import Unrolling


class LSTMPCell(HybridRecurrentCell):
    """Cell of long short-term memory whose hidden state is a projection of its units.

    Shapes: data (batch, input_size), [r (batch, projection_size), c (batch, hidden_size)] ->
    (batch, projection_size), [r, c].

    Parameters
    ----------
    hidden_size : int
        Number of units.
    projection_size : int
        Length of the hidden state.
    i2h_weight_initializer, h2h_weight_initializer, h2r_weight_initializer : optional
        How the weights are filled; by what `initialize` is given.
    i2h_bias_initializer, h2h_bias_initializer : Initializer or str, default 'zeros'
        How the biases are filled.
    input_size : int, optional
        Number of features; found at the first call by default.
    prefix, params : optional
        As for every Block.

    References
    ----------
    Sak, Senior, Beaufays: Long short-term memory based recurrent neural network architectures
    (2014), arXiv:1402.1128.

    Examples
    --------
    >>> import gluonish as mx
    >>> cell = mx.gluon.contrib.rnn.LSTMPCell(4, 2)
    >>> cell.initialize()
    >>> outputs, states = cell.unroll(5, mx.nd.ones((2, 5, 3)), merge_outputs=True)
    >>> outputs.shape
    (2, 5, 2)
    >>> cell
    LSTMPCell(3 -> 16 -> 2)
    """

    def __init__(
        self,
        hidden_size: int,
        projection_size: int,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        h2r_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        input_size: int = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        where = type(self).__name__
        self._hidden_size = hidden_size = size_of(where, "hidden_size", hidden_size)
        projection_size = size_of(where, "projection_size", projection_size)
        self._projection_size = projection_size
        rows = 4 * hidden_size
        for name, shape, init in (
            ("i2h_weight", (rows, input_size), i2h_weight_initializer),
            ("h2h_weight", (rows, projection_size), h2h_weight_initializer),
            ("h2r_weight", (projection_size, hidden_size), h2r_weight_initializer),
            ("i2h_bias", (rows,), i2h_bias_initializer),
            ("h2h_bias", (rows,), h2h_bias_initializer),
        ):
            param = self.params.get(name, shape=shape, init=init, allow_deferred_init=True)
            setattr(self, name, param)

    @override
    def _alias(self) -> str:
        return "lstmp"

    @override
    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        sizes = (self._projection_size, self._hidden_size)
        return [{"shape": (batch_size, size), "__layout__": "NC"} for size in sizes]

    @override
    def hybrid_forward(
        self,
        F: Any,
        inputs: Any,
        states: Any,
        i2h_weight: Any,
        h2h_weight: Any,
        h2r_weight: Any,
        i2h_bias: Any,
        h2h_bias: Any,
    ) -> Any:
        start, rows = self._next_step(inputs), 4 * self._hidden_size
        hidden, cell = states
        i2h = F.FullyConnected(inputs, i2h_weight, i2h_bias, num_hidden=rows, name=f"{start}i2h")
        h2h = F.FullyConnected(hidden, h2h_weight, h2h_bias, num_hidden=rows, name=f"{start}h2h")
        parts = F.SliceChannel(i2h + h2h, num_outputs=4, name=f"{start}slice")
        enter, keep, value, leave = (
            F.Activation(parts[place], act_type=kind, name=start + gate)
            for place, (gate, kind) in enumerate(
                (("i", "sigmoid"), ("f", "sigmoid"), ("c", "tanh"), ("o", "sigmoid"))
            )
        )
        new_cell = F.elemwise_add(keep * cell, enter * value, name=f"{start}state")
        shown = F.Activation(new_cell, act_type="tanh")
        output = F.FullyConnected(
            F.elemwise_mul(leave, shown, name=f"{start}hidden"),
            h2r_weight,
            num_hidden=self._projection_size,
            no_bias=True,
            name=f"{start}out",
        )
        return output, [output, new_cell]

    @override
    def __repr__(self) -> str:
        rows, features = self._reg_params["i2h_weight"].shape or (0, 0)
        known = features if features > 0 else None
        return f"{type(self).__name__}({known} -> {rows} -> {self._projection_size})"


class VariationalDropoutCell(ModifierCell):
    """Dropout around a cell, with one mask for all steps of a sequence.

    Parameters
    ----------
    base_cell : RecurrentCell
        The cell.
    drop_inputs, drop_states, drop_outputs : float in [0, 1], default 0.0
        Probabilities of 0, while training, for the data, the hidden state and the outputs.

    References
    ----------
    Gal, Ghahramani: A theoretically grounded application of dropout in recurrent neural networks
    (2015), arXiv:1512.05287.

    Examples
    --------
    >>> import gluonish as mx
    >>> base = mx.gluon.rnn.LSTMCell(3)
    >>> cell = mx.gluon.contrib.rnn.VariationalDropoutCell(base, drop_states=0.2)
    >>> cell.initialize()
    >>> outputs, states = cell.unroll(4, mx.nd.ones((2, 4, 3)))
    >>> cell
    VariationalDropoutCell(p_out = 0.0, p_state = 0.2)
    """

    def __init__(
        self,
        base_cell: RecurrentCell,
        drop_inputs: float = 0.0,
        drop_states: float = 0.0,
        drop_outputs: float = 0.0,
    ) -> None:
        if drop_states and isinstance(base_cell, BidirectionalCell):
            msg = (
                "VariationalDropoutCell: BidirectionalCell doesn't support variational state "
                "dropout. Expected a cell with steps. Please add VariationalDropoutCell to the "
                "cells underneath instead."
            )
            raise RefusedArgumentError(msg)
        super().__init__(base_cell)
        rates = {"inputs": drop_inputs, "states": drop_states, "outputs": drop_outputs}
        for what, rate in rates.items():
            check_probability("VariationalDropoutCell", f"drop_{what}", rate)
        self._rates = rates
        self._masks: dict[str, NDArray] = {}

    @override
    def _alias(self) -> str:
        return "vardrop"

    _between_calls = ("_counter", "_init_counter", "_masks")

    @override
    def reset(self) -> None:
        super().reset()
        self._masks = {}

    def _dropped(self, F: Any, what: str, values: Any) -> Any:
        """Return values times the mask, which is drawn at the first step."""
        if not self._rates[what]:
            return values
        if what not in self._masks:
            mask = F.Dropout(F.ones_like(values), p=self._rates[what])
            self._masks = self._masks | {what: mask}
        return values * self._masks[what]

    @override
    def hybrid_forward(self, F: Any, inputs: Any, states: Any) -> Any:
        hidden = self._dropped(F, "states", states[0])
        inputs = self._dropped(F, "inputs", inputs)
        output, states = self.base_cell(inputs, [hidden, *states[1:]])
        return self._dropped(F, "outputs", output), states

    @override
    def _unroll(self, given: Unrolling) -> tuple[Any, list[Any]]:
        if self._rates["states"]:
            return super()._unroll(given)
        # Without dropout of states the steps are independent of the masks.
        self.reset()
        steps, axis = given.steps("VariationalDropoutCell"), given.axis
        sequence = given.whole(steps)
        sequence = self._dropped_sequence("inputs", sequence, axis)
        part = given._replace(inputs=sequence, merge_outputs=True)
        outputs, states = self.base_cell.unroll(*part)
        outputs = self._dropped_sequence("outputs", outputs, axis)
        if given.merge_outputs is False:
            return unmerged(outputs, axis, given.length), states
        return outputs, states

    def _dropped_sequence(self, what: str, sequence: NDArray, axis: int) -> NDArray:
        if not self._rates[what]:
            return sequence
        F = frontend_of(sequence)  # noqa: N806 - its name everywhere
        return F.Dropout(sequence, p=self._rates[what], axes=(axis,))  # type: ignore[no-any-return]

    @override
    def __repr__(self) -> str:
        rates = self._rates
        return f"{type(self).__name__}(p_out = {rates['outputs']}, p_state = {rates['states']})"
