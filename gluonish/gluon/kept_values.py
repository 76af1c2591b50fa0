"""KeptValues: what parameters hold at a moment, to be put back later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish.block.parameter_memory import copies_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gluonish.array import NDArray
    from gluonish.block import Parameter, ParameterDict


class KeptValues:
    """Values of parameters, on each of their contexts; those without any are left out.

    Parameters
    ----------
    params : ParameterDict, or dict of str to Parameter
        Whose values are copied.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon.kept_values import KeptValues
    >>> net = mx.gluon.nn.Dense(1, in_units=2)
    >>> net.initialize(mx.init.One())
    >>> kept = KeptValues(net.collect_params())
    >>> net.weight.set_data(mx.nd.zeros((1, 2)))
    >>> kept.restore()
    >>> print(net.weight.data().asnumpy())
    [[1. 1.]]
    """

    def __init__(self, params: ParameterDict | Mapping[str, Parameter]) -> None:
        self._values: list[tuple[Parameter, list[NDArray]]] = [
            (param, [array.copy() for array in copies_of(param)]) for param in params.values()
        ]

    def restore(self) -> None:
        """Put them back, in place."""
        for param, values in self._values:
            for array, value in zip(copies_of(param), values, strict=True):
                array[:] = value
