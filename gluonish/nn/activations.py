"""Activation functions as layers."""

from __future__ import annotations

from typing import Any

from typing_extensions import override

from gluonish import init as initializers
from gluonish.block.typed import Layer
from gluonish.errors import RefusedArgumentError
from gluonish.ops.nn.activation import check_activation

__all__ = ["ELU", "GELU", "SELU", "Activation", "LeakyReLU", "PReLU", "Swish"]


class Activation(Layer):
    """Activation function that is chosen by name.

    Shapes: data (*) -> (*).

    Parameters
    ----------
    activation : {'relu', 'sigmoid', 'softrelu', 'softsign', 'tanh'}
        Its name.
    **kwargs
        `prefix` and `params` of every Block.

    Raises
    ------
    InvalidArgumentError
        There is no activation function of that name.

    Examples
    --------
    >>> import gluonish as mx
    >>> print(mx.gluon.nn.Activation('relu')(mx.nd.array([-1, 2])).asnumpy())
    [0. 2.]
    """

    def __init__(self, activation: str, **kwargs: Any) -> None:
        check_activation(activation, type(self).__name__)
        self._act_type = activation
        super().__init__(**kwargs)

    @override
    def _alias(self) -> str:
        return self._act_type

    @override
    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._act_type})"

    @override
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return F.Activation(x, self._act_type, name="fwd")


class LeakyReLU(Layer):
    """max(x, alpha * x).

    Shapes: data (*) -> (*).

    Parameters
    ----------
    alpha : float
        Slope below 0, at least 0.
    **kwargs
        `prefix` and `params` of every Block.

    Raises
    ------
    RefusedArgumentError
        `alpha` is negative.

    Examples
    --------
    >>> import gluonish as mx
    >>> print(mx.gluon.nn.LeakyReLU(0.5)(mx.nd.array([-1, 2])).asnumpy())
    [-0.5  2. ]
    """

    def __init__(self, alpha: float, **kwargs: Any) -> None:
        if alpha < 0:
            msg = (
                f"LeakyReLU: alpha={alpha} was given. Slope coefficient for LeakyReLU must be no "
                f"less than 0. Pass alpha=0.01, for example."
            )
            raise RefusedArgumentError(msg)
        super().__init__(**kwargs)
        self._alpha = alpha

    @override
    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._alpha})"

    @override
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return F.LeakyReLU(x, None, "leaky", self._alpha, name="fwd")


class PReLU(Layer):
    """Leaky ReLU whose slopes are learned.

    Shapes: data (batch, channels, *) -> (batch, channels, *).

    Parameters
    ----------
    alpha_initializer : Initializer, default Constant(0.25)
        How the slopes are filled.
    in_channels : int, default 1
        Number of slopes: one for all channels, or one for each.
    **kwargs
        `prefix` and `params` of every Block.

    References
    ----------
    He, Zhang, Ren, Sun: Delving deep into rectifiers (2015), arXiv:1502.01852.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.nn.PReLU()
    >>> net.initialize()
    >>> print(net(mx.nd.array([[-1, 2]])).asnumpy())
    [[-0.25  2.  ]]
    """

    def __init__(
        self,
        alpha_initializer: Any = initializers.Constant(0.25),  # noqa: B008 - never changed
        in_channels: int = 1,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.alpha = self.params.get("alpha", shape=(in_channels,), init=alpha_initializer)

    @override
    def hybrid_forward(self, F: Any, x: Any, alpha: Any) -> Any:
        return F.LeakyReLU(x, alpha, "prelu", name="fwd")


class ELU(Layer):
    """x above 0, alpha * (exp(x) - 1) below.

    Shapes: data (*) -> (*).

    Parameters
    ----------
    alpha : float, default 1.0
        Scale below 0.
    **kwargs
        `prefix` and `params` of every Block.

    References
    ----------
    Clevert, Unterthiner, Hochreiter: Fast and accurate deep network learning by exponential linear
    units (2015), arXiv:1511.07289.

    Examples
    --------
    >>> import gluonish as mx
    >>> print(mx.gluon.nn.ELU()(mx.nd.array([-1, 2])).asnumpy().round(4))
    [-0.6321  2.    ]
    """

    def __init__(self, alpha: float = 1.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._alpha = alpha

    @override
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return F.LeakyReLU(x, None, "elu", self._alpha)


class SELU(Layer):
    """ELU with the fixed scales that keep mean 0 and variance 1.

    Shapes: data (*) -> (*).

    Parameters
    ----------
    **kwargs
        `prefix` and `params` of every Block.

    References
    ----------
    Klambauer, Unterthiner, Mayr, Hochreiter: Self-normalizing neural networks (2017),
    arXiv:1706.02515.

    Examples
    --------
    >>> import gluonish as mx
    >>> print(mx.gluon.nn.SELU()(mx.nd.array([0, 2])).asnumpy().round(4))
    [0.     2.1014]
    """

    @override
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return F.LeakyReLU(x, None, "selu", name="fwd")


class GELU(Layer):
    """x times the probability that a standard normal variable is below x.

    Shapes: data (*) -> (*).

    Parameters
    ----------
    **kwargs
        `prefix` and `params` of every Block.

    References
    ----------
    Hendrycks, Gimpel: Gaussian error linear units (2016), arXiv:1606.08415.

    Examples
    --------
    >>> import gluonish as mx
    >>> print(mx.gluon.nn.GELU()(mx.nd.array([0, 1])).asnumpy().round(4))
    [0.     0.8413]
    """

    @override
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return F.LeakyReLU(x, None, "gelu", name="fwd")


class Swish(Layer):
    """x * sigmoid(beta * x).

    Shapes: data (*) -> (*).

    Parameters
    ----------
    beta : float, default 1.0
        Steepness.
    **kwargs
        `prefix` and `params` of every Block.

    References
    ----------
    Ramachandran, Zoph, Le: Searching for activation functions (2017), arXiv:1710.05941.

    Examples
    --------
    >>> import gluonish as mx
    >>> print(mx.gluon.nn.Swish()(mx.nd.array([0, 1])).asnumpy().round(4))
    [0.     0.7311]
    """

    def __init__(self, beta: float = 1.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._beta = beta

    @override
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return x * F.sigmoid(self._beta * x, name="fwd")
