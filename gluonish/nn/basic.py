"""Layers without a place of their own: fully connected, dropout, embedding, flatten, lambda."""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish import ndarray as nd, numpy as np, numpy_extension as npx
from gluonish.block import Block, HybridBlock
from gluonish.block.frontends import frontend_of
from gluonish.block.outsiders import warn_of_outsiders
from gluonish.block.typed import Layer
from gluonish.errors import (
    InvalidArgumentError,
    MXNetError,
    RefusedArgumentError,
    UnknownArgumentError,
)
from gluonish.errors.callables import called
from gluonish.errors.suggestions import instead, nearest
from gluonish.nn.activations import Activation
from gluonish.nn.shapes import inputs_of, size_of, sizes
from gluonish.ops.nn.activation import check_activation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gluonish.array.dtypes import DTypeLike

__all__ = ["Dense", "Dropout", "Embedding", "Flatten", "HybridLambda", "Lambda"]


class Dense(Layer):
    """Fully connected layer: activation(dot(data, weight.T) + bias).

    Shapes: data (batch, *) -> (batch, units); without `flatten`, (*, in_units) -> (*, units).

    Parameters
    ----------
    units : int
        Number of outputs.
    activation : str, optional
        Name of the activation function; none by default.
    use_bias : bool, default True
        Whether there is a bias.
    flatten : bool, default True
        Whether all axes but the first count as features; otherwise the last axis alone does.
    dtype : str, default 'float32'
        Dtype of the parameters.
    weight_initializer, bias_initializer : Initializer or str, optional
        How the parameters are filled; the weight by what `initialize` is given.
    in_units : int, optional
        Number of features; found at the first call by default.
    **kwargs
        `prefix` and `params` of every Block.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.nn.Dense(2, activation='relu')
    >>> net.initialize()
    >>> net(mx.nd.ones((3, 4))).shape
    (3, 2)
    >>> net
    Dense(4 -> 2, Activation(relu))
    """

    def __init__(
        self,
        units: int,
        activation: str | None = None,
        use_bias: bool = True,
        flatten: bool = True,
        dtype: DTypeLike = "float32",
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        in_units: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._flatten = flatten
        where = type(self).__name__
        self._units = units = size_of(where, "units", units, 0)
        self._in_units = in_units = inputs_of(where, "in_units", in_units)
        with self.name_scope():
            self.weight = self.params.get(
                "weight",
                shape=(units, in_units or None),
                init=weight_initializer,
                dtype=dtype,
                allow_deferred_init=True,
            )
            self.bias = None
            if use_bias:
                self.bias = self.params.get(
                    "bias",
                    shape=(units,),
                    init=bias_initializer,
                    dtype=dtype,
                    allow_deferred_init=True,
                )
            self.act = make_activation(activation, where)

    @override
    def hybrid_forward(self, F: Any, x: Any, weight: Any, bias: Any = None) -> Any:
        result = F.FullyConnected(
            x, weight, bias, self._units, bias is None, self._flatten, name="fwd"
        )
        return result if self.act is None else self.act(result)

    @override
    def __repr__(self) -> str:
        units, features = sizes(self.weight)
        act = "linear" if self.act is None else self.act
        return f"{type(self).__name__}({features or None} -> {units}, {act})"


def make_activation(activation: str | None, where: str) -> Activation | None:
    """Return a layer for the name of an activation function, named after it."""
    if activation is None:
        return None
    check_activation(activation, where)
    return Activation(activation, prefix=f"{activation}_")


class Dropout(Layer):
    """Set random elements to 0 while training, and scale up the others.

    Shapes: data (*) -> (*).

    Parameters
    ----------
    rate : float in [0, 1]
        Probability of 0.
    axes : tuple of int, optional
        Axes along which all elements share their fate.
    **kwargs
        `prefix` and `params` of every Block.

    Raises
    ------
    InvalidArgumentError
        `rate` is no probability.

    References
    ----------
    Srivastava, Hinton, Krizhevsky, Sutskever, Salakhutdinov: Dropout (2014), JMLR 15.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.nn.Dropout(0.5)
    >>> print(net(mx.nd.ones((4,))).asnumpy())
    [1. 1. 1. 1.]
    >>> with mx.autograd.train_mode():
    ...     y = net(mx.nd.ones((4,)))
    """

    def __init__(self, rate: float, axes: Sequence[int] = (), **kwargs: Any) -> None:
        if not _is_probability(rate):
            msg = (
                f"Dropout: rate={rate!r} was given. Expected a probability in [0, 1]. Pass "
                f"rate={_share(rate)}."
            )
            raise InvalidArgumentError(msg)
        super().__init__(**kwargs)
        self._rate = rate
        self._axes = axes

    @override
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return F.Dropout(x, p=self._rate, axes=self._axes, name="fwd", cudnn_off=False)

    @override
    def __repr__(self) -> str:
        return f"{type(self).__name__}(p = {self._rate}, axes={self._axes})"


def _share(rate: Any) -> float:
    """Return the probability that may have been meant: a share that was given in percent."""
    is_percent = isinstance(rate, (int, float)) and 1 < rate <= 100
    return rate / 100 if is_percent else 0.5


def _is_probability(value: object) -> bool:
    return isinstance(value, numbers.Real) and 0 <= float(value) <= 1


class Embedding(Layer):
    """Table with one row per integer id.

    Shapes: data (*) of ids -> (*, output_dim).

    Parameters
    ----------
    input_dim : int
        Number of ids.
    output_dim : int
        Length of a row.
    dtype : str, default 'float32'
        Dtype of the table.
    weight_initializer : Initializer or str, optional
        How the table is filled.
    sparse_grad : bool, default False
        Whether the table's gradient is of storage type 'row_sparse': it has the rows of the ids
        of a batch only, and so has the update of optimizers with `lazy_update`.
    **kwargs
        `prefix` and `params` of every Block.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.nn.Embedding(10, 4)
    >>> net.initialize()
    >>> net(mx.nd.array([1, 2, 1])).shape
    (3, 4)
    """

    def __init__(
        self,
        input_dim: int,
        output_dim: int,
        dtype: DTypeLike = "float32",
        weight_initializer: Any = None,
        sparse_grad: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        where = type(self).__name__
        input_dim = size_of(where, "input_dim", input_dim)
        output_dim = size_of(where, "output_dim", output_dim)
        self._kwargs = {
            "input_dim": input_dim,
            "output_dim": output_dim,
            "dtype": dtype,
            "sparse_grad": sparse_grad,
        }
        with self.name_scope():
            self.weight = self.params.get(
                "weight",
                shape=(input_dim, output_dim),
                init=weight_initializer,
                dtype=dtype,
                allow_deferred_init=True,
                grad_stype="row_sparse" if sparse_grad else "default",
            )

    @override
    def _look_at(self, *args: Any) -> None:
        warn_of_outsiders(self, "ids", args[0], (self.weight.shape or (0,))[0], "input_dim")

    @override
    def hybrid_forward(self, F: Any, x: Any, weight: Any) -> Any:
        return F.Embedding(x, weight, name="fwd", **self._kwargs)

    @override
    def __repr__(self) -> str:
        return "{name}({input_dim} -> {output_dim}, {dtype})".format(
            name=type(self).__name__, **self._kwargs
        )


class Flatten(Layer):
    """All axes but the first, put into one.

    Shapes: data (batch, *) -> (batch, features).

    Parameters
    ----------
    **kwargs
        `prefix` and `params` of every Block.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.gluon.nn.Flatten()(mx.nd.ones((2, 3, 4))).shape
    (2, 12)
    """

    @override
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return F.Flatten(x)

    @override
    def __repr__(self) -> str:
        return type(self).__name__


_ALIKE = 0.75  # from which two names are alike


def _find(F: Any, name: str, block: str = "Lambda") -> Callable[..., Any]:
    """Return an operator of `F` by its name, also one that only np or npx has."""
    for space in (F, getattr(F, "np", np), getattr(F, "npx", npx)):
        if hasattr(space, name):
            return getattr(space, name)  # type: ignore[no-any-return]
    known = [each for space in (nd, np, npx) for each in dir(space) if not each.startswith("_")]
    takes = "lambda F, x: F.relu(x)" if block == "HybridLambda" else "lambda x: nd.relu(x)"
    plain = name.replace("_", "").lower()
    near = plain if plain in known else nearest(name, known, cutoff=_ALIKE)
    hint = f"Did you mean {near!r}?" if near else "Pass another name, or a function."
    hint = instead(f"gluonish.ndarray.{name}") or hint
    msg = (
        f"{block}: Function name {name} is not found in ndarray. Expected the name of an operator "
        f"of mx.nd, mx.np or mx.npx, or a function such as {takes}. {hint}"
    )
    raise RefusedArgumentError(msg)


def _unrecognized(function: object) -> InvalidArgumentError:
    msg = (
        f"Unrecognized function in lambda: {function} of type {type(function)}. Expected a "
        f"function, or the name of an operator. Pass a lambda, for example."
    )
    return InvalidArgumentError(msg)


class Lambda(Block):
    """Function as a Block.

    Parameters
    ----------
    function : callable or str
        The function, or the name of an operator.
    prefix : str, optional
        Start of its name.

    Raises
    ------
    RefusedArgumentError
        There is no operator of that name.
    InvalidArgumentError
        It is neither a function nor a name.

    Examples
    --------
    >>> import gluonish as mx
    >>> print(mx.gluon.nn.Lambda(lambda x: x + 1)(mx.nd.ones((2,))).asnumpy())
    [2. 2.]
    """

    def __init__(self, function: Callable[..., Any] | str, prefix: str | None = None) -> None:
        super().__init__(prefix=prefix)
        self._func_impl: Callable[..., Any]
        if isinstance(function, str):
            name = function
            _find(nd, name)

            def call(x: Any, *args: Any) -> Any:
                return _find(frontend_of(x), name)(x, *args)

            call.__name__ = name
            self._func_impl = call
        elif callable(function):
            self._func_impl = function
        else:
            raise _unrecognized(function)

    @override
    def forward(self, *args: Any) -> Any:
        """Call the function."""
        expected = (
            "a function of the arrays that the Block is called with. Write nn.Lambda(lambda x: "
            "...) for one of them."
        )
        return called(f"{type(self).__name__} '{self.name}'", expected, self._func_impl, *args)

    @override
    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._func_impl.__name__})"


class HybridLambda(HybridBlock):
    """Function of `F` and arrays as a HybridBlock.

    Parameters
    ----------
    function : callable or str
        A function that takes `F` first, or the name of an operator.
    prefix : str, optional
        Start of its name.

    Raises
    ------
    RefusedArgumentError
        There is no operator of that name.
    InvalidArgumentError
        It is neither a function nor a name.

    Examples
    --------
    >>> import gluonish as mx
    >>> print(mx.gluon.nn.HybridLambda(lambda F, x: F.relu(x))(mx.nd.ones((2,))).asnumpy())
    [1. 1.]
    """

    def __init__(self, function: Callable[..., Any] | str, prefix: str | None = None) -> None:
        super().__init__(prefix=prefix)
        self._func: Callable[..., Any]
        if isinstance(function, str):
            name = self._func_name = function
            _find(nd, name, "HybridLambda")
            self._func = lambda F, *args: _find(F, name)(*args)
        elif callable(function):
            self._func = function
            self._func_name = function.__name__
        else:
            raise _unrecognized(function)

    @override
    def hybrid_forward(self, F: Any, x: Any, *args: Any) -> Any:
        try:
            return self._func(F, x, *args)
        except TypeError as error:
            trace = error.__traceback__
            if isinstance(error, MXNetError) or trace is None or trace.tb_next is not None:
                raise
            given = "F, x" + "".join(f", x{number}" for number in range(2, len(args) + 2))
            msg = (
                f"{type(self).__name__} '{self.name}': {error}; it was called with ({given}). "
                f"Expected a function of the front end F, which has the operators, and of the "
                f"data. Write lambda {given}: and the rest as it is; nn.Lambda takes functions of "
                f"arrays alone."
            )
            raise UnknownArgumentError(msg) from error

    @override
    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._func_name})"
