"""Initializers that draw random numbers, from MXNet's streams."""

from __future__ import annotations

import contextlib
import math
from typing import TYPE_CHECKING, Any, Final

import numpy as onp
import torch
from typing_extensions import override

from gluonish import ndarray, numpy, random_streams
from gluonish.array.guises import plain_number
from gluonish.array.tensors import plain
from gluonish.context import cpu, is_np_array
from gluonish.errors import DTypeError, InvalidArgumentError
from gluonish.errors.arguments import value_text
from gluonish.errors.program_layers import written_initializer
from gluonish.init.base import Initializer, fill
from gluonish.init.registry import register
from gluonish.process.recording import state

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gluonish.array import NDArray

__all__ = ["MSRAPrelu", "Normal", "Orthogonal", "Uniform", "Xavier"]

nd: Any = ndarray  # their functions are built at run time
np: Any = numpy

_DRAWS = ("uniform", "gaussian")
_FLOATS = ("float16", "float32", "float64")
_LARGE: Final = 2**17  # elements


def _uniform(arr: NDArray, scale: float) -> None:
    """Fill an array from [-scale, scale); weights of every context are drawn on the CPU."""
    if scale > 0 and _is_large(arr):
        with _written(arr) as values:
            random_streams.parallel.uniform(-scale, scale, arr.shape, out=values)
        return
    source = np.random.uniform if is_np_array() else nd.random.uniform
    fill(arr, source(-scale, scale, arr.shape, dtype=_dtype(arr), ctx=cpu()))


def _normal(arr: NDArray, sigma: float) -> None:
    if sigma > 0 and _is_large(arr):
        with _written(arr) as values:
            random_streams.parallel.normal(0.0, sigma, arr.shape, out=values)
        return
    source = np.random.normal if is_np_array() else nd.random.normal
    fill(arr, source(0, sigma, arr.shape, dtype=_dtype(arr), ctx=cpu()))


def _is_large(arr: NDArray) -> bool:
    """Return whether the streams of `nd` shall write to an array itself: a copy would be large."""
    if is_np_array() or arr.stype != "default" or arr.size < _LARGE or state.as_module:
        return False
    tensor = plain(arr)
    is_plain = tensor.device.type == "cpu" and tensor.dtype is torch.float32
    return is_plain and tensor.is_contiguous()


@contextlib.contextmanager
def _written(arr: NDArray) -> Iterator[Any]:
    """Give an array's memory to write to, and have torch know that it was."""
    tensor = plain(arr)
    yield tensor.numpy()
    torch.autograd.graph.increment_version(tensor)


def _dtype(arr: NDArray) -> str:
    name = onp.dtype(arr.dtype).name
    return name if name in _FLOATS else "float32"


def _number(initializer: Initializer, name: str, value: Any) -> Any:
    """Return a number as it was given; refuse what is none."""
    if value is None or isinstance(value, (str, bytes)) or not hasattr(value, "__float__"):
        kind = type(initializer).__name__
        msg = (
            f"{kind}: {name}={value_text(value)} was given. Expected a number. Write for example "
            f"{kind}({name}=0.1)."
        )
        raise DTypeError(msg)
    return value


@register
class Uniform(Initializer):
    """Fill weights from the uniform distribution over [-scale, scale).

    Parameters
    ----------
    scale : float, default 0.07
        Bound.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.random.seed(0)
    >>> net = mx.gluon.nn.Dense(1, in_units=2)
    >>> net.initialize(mx.init.Uniform(1))
    >>> print(net.weight.data().asnumpy())
    [[0.09762704 0.18568921]]
    """

    def __init__(self, scale: float = 0.07) -> None:
        super().__init__(scale=scale)
        self.scale = _number(self, "scale", scale)

    @override
    def _init_weight(self, _: str, arr: NDArray) -> None:
        _uniform(arr, self.scale)


@register
class Normal(Initializer):
    """Fill weights from the normal distribution with mean 0.

    Parameters
    ----------
    sigma : float, default 0.01
        Standard deviation.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.random.seed(0)
    >>> net = mx.gluon.nn.Dense(1, in_units=2)
    >>> net.initialize(mx.init.Normal(1))
    >>> print(net.weight.data().asnumpy())
    [[2.2122064 0.7740038]]
    """

    def __init__(self, sigma: float = 0.01) -> None:
        super().__init__(sigma=sigma)
        self.sigma = _number(self, "sigma", sigma)

    @override
    def _init_weight(self, _: str, arr: NDArray) -> None:
        _normal(arr, self.sigma)


@register
class Orthogonal(Initializer):
    """Fill weights with a scaled orthogonal matrix.

    Parameters
    ----------
    scale : float, default 1.414
        Factor.
    rand_type : {'uniform', 'normal'}, default 'uniform'
        Distribution of the matrix that is made orthogonal.

    Notes
    -----
    The signs of the singular vectors depend on the linear algebra library, as in MXNet.

    References
    ----------
    Saxe, McClelland, Ganguli: Exact solutions to the nonlinear dynamics of learning in deep linear
    neural networks (2013), arXiv:1312.6120.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.nn.Dense(2, in_units=2)
    >>> net.initialize(mx.init.Orthogonal(scale=1))
    >>> w = net.weight.data()
    >>> print(mx.nd.dot(w, w.T).asnumpy().round(3) + 0)
    [[1. 0.]
     [0. 1.]]
    """

    def __init__(self, scale: float = 1.414, rand_type: str = "uniform") -> None:
        super().__init__(scale=scale, rand_type=rand_type)
        self.scale = _number(self, "scale", scale)
        self.rand_type = rand_type

    @override
    def _init_weight(self, _: str, arr: NDArray) -> None:
        rows, columns = arr.shape[0], math.prod(arr.shape[1:])
        if self.rand_type == "uniform":
            drawn = nd.random.uniform(-1.0, 1.0, (rows, columns), ctx=cpu())
        elif self.rand_type == "normal":
            drawn = nd.random.normal(0.0, 1.0, (rows, columns), ctx=cpu())
        else:
            msg = (
                f"Orthogonal: rand_type={self.rand_type!r} was given. Expected 'uniform' or "
                f"'normal'. Pass one of them."
            )
            raise InvalidArgumentError(msg)
        left, _values, right = onp.linalg.svd(drawn.asnumpy(), full_matrices=False)
        matrix = left if left.shape == drawn.shape else right
        fill(arr, (self.scale * matrix).reshape(arr.shape))


_FOR_VECTORS = (
    "Write where that parameter is made init='ones' for a scale, 'zeros' for a shift, or "
    "init.Normal(0.01); what stands there goes before the init of initialize()."
)


@register
class Xavier(Initializer):
    """Fill weights such that all layers keep the scale of values and gradients.

    Parameters
    ----------
    rnd_type : {'uniform', 'gaussian'}, default 'uniform'
        Distribution.
    factor_type : {'avg', 'in', 'out'}, default 'avg'
        What the variance is divided by: the number of inputs of a unit, of outputs, or their mean.
    magnitude : float, default 3
        Scale is the root of magnitude over that number.

    References
    ----------
    Glorot, Bengio: Understanding the difficulty of training deep feedforward neural networks
    (2010).

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.random.seed(0)
    >>> net = mx.gluon.nn.Dense(1, in_units=2)
    >>> net.initialize(mx.init.Xavier())
    >>> print(net.weight.data().asnumpy())
    [[0.13806546 0.26260424]]
    """

    def __init__(
        self, rnd_type: str = "uniform", factor_type: str = "avg", magnitude: float = 3
    ) -> None:
        super().__init__(rnd_type=rnd_type, factor_type=factor_type, magnitude=magnitude)
        if rnd_type not in _DRAWS:
            raise _unknown_draw(self, rnd_type)
        self.rnd_type = rnd_type
        self.factor_type = factor_type
        is_text = isinstance(magnitude, str)
        self.magnitude = float(magnitude if is_text else _number(self, "magnitude", magnitude))

    @override
    def _init_weight(self, name: str, arr: NDArray) -> None:
        if len(arr.shape) < 2:
            msg = (
                f"{type(self).__name__} initializer cannot be applied to vector {name}. It "
                f"requires at least 2D. Expected a weight with rows and columns, its shape is "
                f"{arr.shape}. "
                f"{written_initializer(name) or _FOR_VECTORS}"
            )
            raise InvalidArgumentError(msg)
        positions = math.prod(arr.shape[2:])
        inputs, outputs = arr.shape[1] * positions, arr.shape[0] * positions
        factors = {"avg": (inputs + outputs) / 2.0, "in": inputs, "out": outputs}
        if self.factor_type not in factors:
            msg = (
                f"{type(self).__name__}: Incorrect factor type {self.factor_type!r}. Expected "
                f"'avg', 'in' or 'out'. Pass one of them as factor_type."
            )
            raise InvalidArgumentError(msg)
        scale = math.sqrt(self.magnitude / factors[self.factor_type])
        if self.rnd_type == "uniform":
            _uniform(arr, scale)
        elif self.rnd_type == "gaussian":
            _normal(arr, scale)
        else:
            raise _unknown_draw(self, self.rnd_type)


def _unknown_draw(initializer: Initializer, given: object) -> InvalidArgumentError:
    meant = " The normal distribution is 'gaussian' here." if "norm" in str(given) else ""
    return InvalidArgumentError(
        f"{type(initializer).__name__}: Unknown random type {given!r}. Expected 'uniform' or "
        f"'gaussian'. Pass one of them as rnd_type.{meant}"
    )


@register
class MSRAPrelu(Xavier):
    """Fill weights such that layers with (parametric) ReLU keep the scale of values.

    Parameters
    ----------
    factor_type : {'avg', 'in', 'out'}, default 'avg'
        What the variance is divided by: the number of inputs of a unit, of outputs, or their mean.
    slope : float, default 0.25
        Slope of the activation below 0.

    References
    ----------
    He, Zhang, Ren, Sun: Delving deep into rectifiers (2015), arXiv:1502.01852.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.random.seed(0)
    >>> net = mx.gluon.nn.Dense(1, in_units=2)
    >>> net.initialize(mx.init.MSRAPrelu())
    >>> print(net.weight.data().asnumpy())
    [[2.4781668  0.86705774]]
    """

    def __init__(self, factor_type: str = "avg", slope: float = 0.25) -> None:
        super().__init__("gaussian", factor_type, 2.0 / (1 + plain_number(slope) ** 2))
        self._kwargs = {"factor_type": factor_type, "slope": slope}
