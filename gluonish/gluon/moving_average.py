"""MovingAverage: parameters averaged over the steps of a training."""

from __future__ import annotations

import contextlib
import numbers
from typing import TYPE_CHECKING, Any

from gluonish import ndarray as nd
from gluonish.array import NDArray, tensor_lists
from gluonish.array.tensors import plain
from gluonish.block.parameter_memory import copies_of
from gluonish.errors import InvalidArgumentError, ParameterFileError
from gluonish.gluon.kept_values import KeptValues

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from torch import Tensor

    from gluonish.block import Parameter
    from gluonish.serialization.files import PathLike

__all__ = ["MovingAverage"]


class MovingAverage:
    """Exponential moving averages of parameters, which often generalize better than the last ones.

    Parameters
    ----------
    params : ParameterDict, or dict of str to Parameter
        What to average: `net.collect_params()`.
    decay : float, default 0.999
        Share of the average that stays at each update, in [0, 1).

    Attributes
    ----------
    updates : int
        How many there were.

    Raises
    ------
    InvalidArgumentError
        `decay` is out of its range, or `params` no dictionary.

    Notes
    -----
    ``average = decay * average + (1 - decay) * parameter``, from the values of the first update on.
    Parameters that have no gradient (running statistics, frozen ones) and whole numbers are not
    averaged, but taken as they are. Parameters on several contexts are the same there, and averaged
    on the first.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.nn.Dense(1, in_units=1, use_bias=False)
    >>> net.initialize(mx.init.One())
    >>> average = mx.gluon.MovingAverage(net.collect_params(), decay=0.75)
    >>> for value in (1.0, 2.0, 3.0):  # after each trainer.step
    ...     net.weight.set_data(mx.nd.array([[value]]))
    ...     average.update()
    >>> with average.applied():  # to validate, or to save
    ...     print(net.weight.data().asnumpy())
    [[1.6875]]
    >>> print(net.weight.data().asnumpy())
    [[3.]]
    """

    def __init__(self, params: Mapping[str, Parameter] | Any, decay: float = 0.999) -> None:
        self.decay = _check(decay)
        if not hasattr(params, "items"):
            msg = (
                f"MovingAverage: params of type {type(params).__name__} was given. Expected "
                f"parameters by name. Write MovingAverage(net.collect_params())."
            )
            raise InvalidArgumentError(msg)
        self.updates = 0
        self._params: dict[str, Parameter] = dict(params.items())
        self._averages: dict[str, NDArray] = {}

    def update(self) -> None:
        """Take in the parameters as they are now; after each `trainer.step`.

        Raises
        ------
        UninitializedParameterError
            A parameter has no values yet.
        """
        averages: list[Tensor] = []
        values: list[Tensor] = []
        for name, param in self._params.items():
            value = param.data(param.list_ctx()[0])
            average = self._averages.get(name)
            if average is None or param.grad_req == "null" or not plain(value).is_floating_point():
                self._averages[name] = value.copy()
            else:
                averages.append(plain(average))
                values.append(plain(value))
        if averages:
            tensor_lists.lerp_(averages, values, 1 - self.decay)
        self.updates += 1

    def apply(self) -> None:
        """Give the parameters their averages, for good.

        Examples
        --------
        >>> import gluonish as mx
        >>> net = mx.gluon.nn.Dense(1, in_units=1, use_bias=False)
        >>> net.initialize(mx.init.One())
        >>> average = mx.gluon.MovingAverage(net.collect_params())
        >>> average.update()
        >>> net.weight.set_data(mx.nd.zeros((1, 1)))
        >>> average.apply()
        >>> print(net.weight.data().asnumpy())
        [[1.]]
        """
        for name, average in self._averages.items():
            for array in copies_of(self._params[name]):
                array[:] = average.as_in_context(array.context)

    @contextlib.contextmanager
    def applied(self) -> Iterator[None]:
        """Give the parameters their averages for as long as a `with` statement lasts."""
        kept = KeptValues(self._params)
        try:
            self.apply()
            yield
        finally:
            kept.restore()

    def save(self, filename: PathLike) -> None:
        """Write the averages into a file, by the parameters' names.

        Parameters
        ----------
        filename : str or path
            Where to; what `net.collect_params().load` reads, too.

        Examples
        --------
        >>> import tempfile
        >>> import gluonish as mx
        >>> net = mx.gluon.nn.Dense(1, in_units=1, use_bias=False)
        >>> net.initialize(mx.init.One())
        >>> average = mx.gluon.MovingAverage(net.collect_params())
        >>> average.update()
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     average.save(f'{folder}/average.params')
        ...     mx.gluon.MovingAverage(net.collect_params()).load(f'{folder}/average.params')
        """
        nd.save(filename, self._averages)

    def load(self, filename: PathLike) -> None:
        """Go on with the averages in a file.

        Parameters
        ----------
        filename : str or path
            What `save` wrote.

        Raises
        ------
        ParameterFileError
            They are those of other parameters. Nothing has changed.
        """
        found: Any = nd.load(filename)
        problems = [f"{name!r} is missing" for name in self._params if name not in found]
        problems += [f"{name!r} is unknown" for name in found if name not in self._params]
        problems += [
            f"{name!r} is {average.shape} in the file and {self._params[name].shape} here"
            for name, average in found.items()
            if name in self._params and average.shape != self._params[name].shape
        ]
        if problems:
            msg = (
                f"MovingAverage: averages in {str(filename)!r} belong to other parameters: "
                f"{'; '.join(problems[:10])}. Expected the names and shapes of {len(self._params)} "
                f"parameters. Build the net as it was, with the same prefix."
            )
            raise ParameterFileError(msg)
        self._averages = {
            name: average.as_in_context(self._params[name].list_ctx()[0])
            for name, average in found.items()
        }


def _check(decay: Any) -> float:
    if isinstance(decay, numbers.Real) and 0 <= float(decay) < 1:
        return float(decay)
    msg = (
        f"MovingAverage: decay={decay!r} was given. Expected a number in [0, 1), the share of the "
        f"average that stays. 0.999 is a usual choice."
    )
    raise InvalidArgumentError(msg)
