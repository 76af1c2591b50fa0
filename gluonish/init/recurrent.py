"""The initializer of all parameters of a recurrent network in one vector."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.errors import InvalidArgumentError
from gluonish.init.base import InitDesc, Initializer
from gluonish.init.registry import create, register
from gluonish.ops.nn.rnn_checks import check_mode
from gluonish.ops.nn.rnn_stack import GATES, Stack

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gluonish.array import NDArray

_GATES = {"lstm": ("_i", "_f", "_c", "_o"), "gru": ("_r", "_z", "_o")}


@register
class FusedRNN(Initializer):
    """Fill the parameters of the operator RNN, each gate on its own.

    Parameters
    ----------
    init : Initializer or str or None
        Used for the weights of each gate; if None, the one that is used for all arrays.
    num_hidden, num_layers : int
        Units of a layer, and number of layers.
    mode : {'rnn_relu', 'rnn_tanh', 'lstm', 'gru'}
        Kind of the layers.
    bidirectional : bool, default False
        Whether each layer reads the sequences in both directions.
    forget_bias : float, default 1.0
        Biases of an LSTM's forget gate.

    Examples
    --------
    >>> import gluonish as mx
    >>> init = mx.init.FusedRNN('ones', 1, 1, 'lstm')
    >>> vector = mx.gluon.Parameter('vector', shape=(24,), init=init)
    >>> vector.initialize()
    >>> print(vector.data().asnumpy()[-8:])
    [0. 1. 0. 0. 0. 1. 0. 0.]
    """

    def __init__(
        self,
        init: Any,
        num_hidden: int,
        num_layers: int,
        mode: str,
        bidirectional: bool = False,
        forget_bias: float = 1.0,
    ) -> None:
        check_mode(mode)
        own = create(init) if isinstance(init, str) else init
        super().__init__(
            init=None if own is None else own.dumps(),
            num_hidden=num_hidden,
            num_layers=num_layers,
            mode=mode,
            bidirectional=bidirectional,
            forget_bias=forget_bias,
        )
        self._init = own
        self._stack = Stack(mode, num_hidden, num_layers, bidirectional)
        self._forget_bias = forget_bias

    @override
    def _init_weight(self, desc: str, arr: NDArray) -> None:
        around = desc.global_init if isinstance(desc, InitDesc) else None
        init = around if self._init is None else self._init
        if init is None:
            msg = (
                f"FusedRNN: init=None was given, and {str(desc)!r} is filled on its own. Expected "
                f"an initializer for the weights. Write FusedRNN(mx.init.Uniform(), ...)."
            )
            raise InvalidArgumentError(msg)
        start = 0
        for name, shape in self._parts(arr):
            end = start + math.prod(shape)
            part = arr[start:end].reshape(shape)
            if name.endswith("_f_bias"):
                part[:] = self._forget_bias
            else:
                init(InitDesc(name, global_init=around), part)
            arr[start:end] = part.reshape((-1,))
            start = end

    def _parts(self, arr: NDArray) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Return name and shape of the parameters of each gate, in the order of the vector."""
        stack = self._stack
        cells = stack.weight_shapes(self._features(arr))
        for parts in (("i2h_weight", "h2h_weight"), ("i2h_bias", "h2h_bias")):
            for number, shapes in enumerate(cells):
                cell = f"{'lr'[number % stack.directions]}{number // stack.directions}"
                for part in parts:
                    shape = shapes[("i2h_weight", "h2h_weight", "i2h_bias", "h2h_bias").index(part)]
                    side, _, kind = part.partition("_")
                    for gate in _GATES.get(stack.mode, ("",)):
                        yield f"{cell}_{side}{gate}_{kind}", (stack.hidden_size, *shape[1:])

    def _features(self, arr: NDArray) -> int:
        stack = self._stack
        rows = GATES[stack.mode] * stack.hidden_size * stack.directions
        without = sum(math.prod(shape) for cell in stack.weight_shapes(0) for shape in cell)
        features, rest = divmod(arr.size - without, rows)
        if rest or features < 1:
            msg = (
                f"FusedRNN: an array of shape {arr.shape} was given. Expected {without} numbers "
                f"and {rows} more for each feature of the data, for mode={stack.mode!r}, "
                f"num_hidden={stack.hidden_size}, num_layers={stack.num_layers}, "
                f"bidirectional={stack.bidirectional}. Pass such an array."
            )
            raise InvalidArgumentError(msg)
        return features
