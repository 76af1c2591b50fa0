"""Initializers without random numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.init.base import Initializer, fill
from gluonish.init.registry import alias, register

if TYPE_CHECKING:
    from gluonish.array import NDArray

__all__ = ["Bilinear", "Constant", "LSTMBias", "One", "Zero"]


@register
@alias("zeros")
class Zero(Initializer):
    """Fill weights with 0.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.nn.Dense(1, in_units=2)
    >>> net.initialize(mx.init.Zero())
    >>> print(net.weight.data().asnumpy())
    [[0. 0.]]
    """

    def __init__(self) -> None:
        super().__init__()

    @override
    def _init_weight(self, _: str, arr: NDArray) -> None:
        fill(arr, 0.0)


@register
@alias("ones")
class One(Initializer):
    """Fill weights with 1.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.nn.Dense(1, in_units=2)
    >>> net.initialize('ones')
    >>> print(net.weight.data().asnumpy())
    [[1. 1.]]
    """

    def __init__(self) -> None:
        super().__init__()

    @override
    def _init_weight(self, _: str, arr: NDArray) -> None:
        fill(arr, 1.0)


@register
class Constant(Initializer):
    """Fill weights with a value.

    Parameters
    ----------
    value : float, list, numpy.ndarray or NDArray
        A number, or an array of the weight's shape.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.nn.Dense(1, in_units=2)
    >>> net.initialize(mx.init.Constant(0.5))
    >>> print(net.weight.data().asnumpy())
    [[0.5 0.5]]
    """

    def __init__(self, value: Any) -> None:
        super().__init__(value=value)
        self.value = value

    @override
    def _init_weight(self, _: str, arr: NDArray) -> None:
        fill(arr, self.value)


@register
class Bilinear(Initializer):
    """Fill weights of a transposed convolution such that it enlarges images smoothly.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.nn.Conv2DTranspose(1, 4, 2, 1, in_channels=1)
    >>> net.initialize(mx.init.Bilinear())
    >>> print(net.weight.data()[0, 0, 1].asnumpy())
    [0.1875 0.5625 0.5625 0.1875]
    """

    def __init__(self) -> None:
        super().__init__()

    @override
    def _init_weight(self, name: str, arr: NDArray) -> None:
        self._init_bilinear(name, arr)


@register
class LSTMBias(Initializer):
    """Fill biases of an LSTM with 0, and those of its forget gate with a number.

    Parameters
    ----------
    forget_bias : float, default 1.0
        The number.

    References
    ----------
    Jozefowicz, Zaremba, Sutskever: An empirical exploration of recurrent network architectures
    (2015).

    Examples
    --------
    >>> import gluonish as mx
    >>> bias = mx.gluon.Parameter('bias', shape=(8,), init=mx.init.LSTMBias())
    >>> bias.initialize()
    >>> print(bias.data().asnumpy())
    [0. 0. 1. 1. 0. 0. 0. 0.]
    """

    def __init__(self, forget_bias: float = 1.0) -> None:
        super().__init__(forget_bias=forget_bias)
        self.forget_bias = forget_bias

    @override
    def _init_weight(self, _: str, arr: NDArray) -> None:
        fill(arr, 0.0)
        units = arr.shape[0] // 4  # gates in the order input, forget, cell, output
        arr[units : 2 * units] = self.forget_bias
