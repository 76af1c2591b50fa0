"""Normalization layers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.array.dtypes import torch_dtype
from gluonish.array.guises import plain_number
from gluonish.block.typed import Layer
from gluonish.nn.shapes import check_axis, size_of, sizes

if TYPE_CHECKING:
    from gluonish.array.dtypes import DTypeLike
    from gluonish.block import Parameter, ParameterDict

__all__ = ["BatchNorm", "BatchNormReLU", "GroupNorm", "InstanceNorm", "LayerNorm"]


class _Normalization(Layer):
    """What all normalization layers have: a scale and a shift, which may be fixed."""

    _kwargs: dict[str, Any]

    def _get(self, name: str, size: int, init: Any, **options: Any) -> Parameter:
        """Return one of the layer's parameters; a size of 0 is found at the first call."""
        with self.name_scope():
            return self.params.get(
                name, shape=(size or None,), init=init, allow_deferred_init=True, **options
            )

    def _learn(self, size: int, scale: bool, gamma: Any, center: bool, beta: Any) -> None:
        """Make the parameters that results are multiplied by and moved by."""
        self.gamma = self._get("gamma", size, gamma, grad_req=_requirement(scale))
        self.beta = self._get("beta", size, beta, grad_req=_requirement(center))

    def _settings(self) -> str:
        return ", ".join(f"{key}={value}" for key, value in self._kwargs.items())


def _requirement(is_learned: bool) -> str:
    return "write" if is_learned else "null"


class _BatchNorm(_Normalization):
    """Batch normalization, up to the operator."""

    def __init__(
        self,
        axis: int = 1,
        momentum: float = 0.9,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = True,
        use_global_stats: bool = False,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        running_mean_initializer: Any = "zeros",
        running_variance_initializer: Any = "ones",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        axis = plain_number(axis)
        check_axis(type(self).__name__, axis)
        self._kwargs = {
            "axis": axis,
            "eps": epsilon,
            "momentum": momentum,
            "fix_gamma": not scale,
            "use_global_stats": use_global_stats,
        }
        scaled = {"grad_req": _requirement(scale), "differentiable": scale}
        centred = {"grad_req": _requirement(center), "differentiable": center}
        fixed = {"grad_req": "null", "differentiable": False}
        self.gamma = self._get("gamma", in_channels, gamma_initializer, **scaled)
        self.beta = self._get("beta", in_channels, beta_initializer, **centred)
        self.running_mean = self._get(
            "running_mean", in_channels, running_mean_initializer, **fixed
        )
        self.running_var = self._get(
            "running_var", in_channels, running_variance_initializer, **fixed
        )

    @override
    def cast(self, dtype: DTypeLike) -> None:
        """Turn all parameters into another dtype; beside float16 data they stay float32."""
        super().cast("float32" if torch_dtype(dtype) is torch_dtype("float16") else dtype)

    @override
    def __repr__(self) -> str:
        channels = sizes(self.gamma)[0]
        return f"{type(self).__name__}({self._settings()}, in_channels={channels or None})"


class BatchNorm(_BatchNorm):
    """Normalization of each channel over the batch, then scale and shift.

    While training, mean and variance are the batch's, and the running ones follow; in prediction
    the running ones are used.

    Shapes: data (batch, channels, *) -> (batch, channels, *).

    Parameters
    ----------
    axis : int, default 1
        Axis of the channels.
    momentum : float in [0, 1], default 0.9
        Share of the running mean and variance that stays at an update.
    epsilon : float, default 1e-5
        Added to the variance.
    center : bool, default True
        Whether the shift (beta) is learned.
    scale : bool, default True
        Whether the scale (gamma) is learned; otherwise it is 1.
    use_global_stats : bool, default False
        Whether the running mean and variance are used while training too.
    beta_initializer, gamma_initializer : Initializer or str, default 'zeros' and 'ones'
        How shift and scale are filled.
    running_mean_initializer, running_variance_initializer : Initializer or str
        How the running mean and variance are filled, 'zeros' and 'ones' by default.
    in_channels : int, optional
        Number of channels; found at the first call by default.
    **kwargs
        `prefix` and `params` of every Block.

    References
    ----------
    Ioffe, Szegedy: Batch normalization (2015), arXiv:1502.03167.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.nn.BatchNorm()
    >>> net.initialize()
    >>> with mx.autograd.record():
    ...     y = net(mx.nd.array([[1], [3]]))
    >>> print(y.asnumpy().round(3))
    [[-1.]
     [ 1.]]
    >>> print(net.running_mean.data().asnumpy().round(4))
    [0.2]
    """

    @override
    def hybrid_forward(
        self, F: Any, x: Any, gamma: Any, beta: Any, running_mean: Any, running_var: Any
    ) -> Any:
        return F.BatchNorm(x, gamma, beta, running_mean, running_var, name="fwd", **self._kwargs)


class BatchNormReLU(_BatchNorm):
    """Batch normalization followed by ReLU.

    Shapes: data (batch, channels, *) -> (batch, channels, *).

    Parameters are those of `BatchNorm`.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.nn.BatchNormReLU()
    >>> net.initialize()
    >>> print(net(mx.nd.array([[-1, 2]])).asnumpy().round(3))
    [[0. 2.]]
    """

    @override
    def hybrid_forward(
        self, F: Any, x: Any, gamma: Any, beta: Any, running_mean: Any, running_var: Any
    ) -> Any:
        return F.contrib.BatchNormWithReLU(
            x, gamma, beta, running_mean, running_var, name="fwd", **self._kwargs
        )


class LayerNorm(_Normalization):
    """Normalization along one axis of each example, then scale and shift.

    Shapes: data (*, channels) -> (*, channels).

    Parameters
    ----------
    axis : int, default -1
        The axis.
    epsilon : float, default 1e-5
        Added to the variance.
    center, scale : bool, default True
        Whether shift and scale are learned.
    beta_initializer, gamma_initializer : Initializer or str, default 'zeros' and 'ones'
        How shift and scale are filled.
    in_channels : int, optional
        Length of the axis; found at the first call by default.
    prefix : str, optional
        Start of the names of its parameters.
    params : ParameterDict, optional
        Parameters of another Block to share.

    References
    ----------
    Ba, Kiros, Hinton: Layer normalization (2016), arXiv:1607.06450.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.nn.LayerNorm()
    >>> net.initialize()
    >>> print(net(mx.nd.array([[1, 3]])).asnumpy().round(3))
    [[-1.  1.]]
    """

    def __init__(
        self,
        axis: int = -1,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        in_channels: int = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        axis = plain_number(axis)
        check_axis(type(self).__name__, axis)
        self._kwargs = {"eps": epsilon, "axis": axis, "center": center, "scale": scale}
        self._axis = axis
        self._epsilon = epsilon
        self._learn(in_channels, scale, gamma_initializer, center, beta_initializer)

    @override
    def hybrid_forward(self, F: Any, data: Any, gamma: Any, beta: Any) -> Any:
        return F.LayerNorm(data, gamma, beta, self._axis, self._epsilon)

    @override
    def __repr__(self) -> str:
        channels = sizes(self.gamma)[0]
        return f"{type(self).__name__}({self._settings()}, in_channels={channels})"


class GroupNorm(_Normalization):
    """Normalization of groups of channels of each example, then scale and shift of each group.

    Shapes: data (batch, channels, *sizes) -> the same.

    Parameters
    ----------
    num_groups : int, default 1
        Number of groups, which divides the channels.
    epsilon : float, default 1e-5
        Added to the variance.
    center, scale : bool, default True
        Whether shift and scale are learned.
    beta_initializer, gamma_initializer : Initializer or str, default 'zeros' and 'ones'
        How shift and scale are filled.
    prefix : str, optional
        Start of the names of its parameters.
    params : ParameterDict, optional
        Parameters of another Block to share.

    References
    ----------
    Wu, He: Group normalization (2018), arXiv:1803.08494.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.nn.GroupNorm(2)
    >>> net.initialize()
    >>> net(mx.nd.ones((1, 4, 3))).shape
    (1, 4, 3)
    """

    def __init__(
        self,
        num_groups: int = 1,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        num_groups = size_of(type(self).__name__, "num_groups", num_groups)
        self._kwargs = {
            "eps": epsilon,
            "num_groups": num_groups,
            "center": center,
            "scale": scale,
        }
        self._num_groups = num_groups
        self._epsilon = epsilon
        self._learn(num_groups, scale, gamma_initializer, center, beta_initializer)

    @override
    def hybrid_forward(self, F: Any, data: Any, gamma: Any, beta: Any) -> Any:
        return F.GroupNorm(data, gamma, beta, self._num_groups, self._epsilon)

    @override
    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._settings()})"


class InstanceNorm(_Normalization):
    """Normalization of each channel of each example, then scale and shift.

    Shapes: data (batch, channels, *sizes) -> the same.

    Parameters
    ----------
    axis : int, default 1
        Axis of the channels.
    epsilon : float, default 1e-5
        Added to the variance.
    center : bool, default True
        Whether the shift (beta) is learned.
    scale : bool, default False
        Whether the scale (gamma) is learned.
    beta_initializer, gamma_initializer : Initializer or str, default 'zeros' and 'ones'
        How shift and scale are filled.
    in_channels : int, optional
        Number of channels; found at the first call by default.
    **kwargs
        `prefix` and `params` of every Block.

    References
    ----------
    Ulyanov, Vedaldi, Lempitsky: Instance normalization (2016), arXiv:1607.08022.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.nn.InstanceNorm()
    >>> net.initialize()
    >>> print(net(mx.nd.array([[[1, 3]]])).asnumpy().round(3))
    [[[-1.  1.]]]
    """

    def __init__(
        self,
        axis: int = 1,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = False,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        check_axis(type(self).__name__, axis)
        self._kwargs = {"eps": epsilon, "axis": axis, "center": center, "scale": scale}
        self._axis = axis
        self._epsilon = epsilon
        self._learn(in_channels, scale, gamma_initializer, center, beta_initializer)

    @override
    def hybrid_forward(self, F: Any, x: Any, gamma: Any, beta: Any) -> Any:
        if self._axis == 1:
            return F.InstanceNorm(x, gamma, beta, self._epsilon, name="fwd")
        x = F.swapaxes(x, 1, self._axis)
        x = F.InstanceNorm(x, gamma, beta, self._epsilon, name="fwd")
        return F.swapaxes(x, 1, self._axis)

    @override
    def __repr__(self) -> str:
        channels = sizes(self.gamma)[0]
        return f"{type(self).__name__}({self._settings()}, in_channels={channels})"
