"""Constant: a parameter with a fixed value, which no gradient changes."""

from __future__ import annotations

import warnings
from typing import Any

from typing_extensions import override

from gluonish import init as initializers
from gluonish.array import NDArray
from gluonish.block.parameter import Parameter
from gluonish.block.parameter_memory import array_of
from gluonish.errors.tracebacks import users_level


class Constant(Parameter):
    """Parameter with a fixed value, which no gradient changes.

    Parameters
    ----------
    name : str
        Full name.
    value : NDArray, numpy.ndarray, list or number
        The value.

    Examples
    --------
    >>> import gluonish as mx
    >>> c = mx.gluon.Constant('c', [[1, 2], [3, 4]])
    >>> c
    Constant c (shape=(2, 2), dtype=<class 'numpy.float32'>)
    """

    def __init__(self, name: str, value: Any) -> None:
        self.value = value if isinstance(value, NDArray) else array_of(value)
        super().__init__(
            name,
            grad_req="null",
            shape=self.value.shape,
            dtype=self.value.dtype,
            init=initializers.Constant(self.value),
            differentiable=False,
        )

    @override
    def _init_in_graph(self) -> str:
        return f"Constant_{self.name}"  # its values are with the other parameters'

    @override
    def _allowed(self, grad_req: str) -> str:
        if grad_req != "null":
            warnings.warn(
                f'Constant parameter "{self.name}" does not support grad_req other than "null", '
                f'and new value "{grad_req}" is ignored.',
                stacklevel=users_level(),
            )
        return "null"
