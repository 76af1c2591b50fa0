"""Convolution layers, their transposes and reflection padding."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.array.guises import plain_number
from gluonish.block.typed import Layer
from gluonish.errors.tracebacks import users_level
from gluonish.late import LateModule
from gluonish.nn.basic import make_activation
from gluonish.nn.shapes import check_layout, inputs_of, size_of, sizes, tuple_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gluonish import symbol
    from gluonish.nn.shapes import Sizes
else:
    symbol = LateModule("gluonish.symbol")

__all__ = [
    "Conv1D",
    "Conv1DTranspose",
    "Conv2D",
    "Conv2DTranspose",
    "Conv3D",
    "Conv3DTranspose",
    "ReflectionPad2D",
]

_LAYOUTS = {1: ("NCW",), 2: ("NCHW", "NHWC"), 3: ("NCDHW", "NDHWC")}


def _infer_weight_shape(
    op_name: str, data_shape: tuple[int, ...], kwargs: dict[str, Any]
) -> list[tuple[int, ...]]:
    """Return the shapes of an operator's inputs, those of its parameters included, for data."""
    data = symbol.var("data", shape=data_shape)
    shapes: list[tuple[int, ...]] = getattr(symbol, op_name)(data, **kwargs).infer_shape_partial()[
        0
    ]
    return shapes


_ODD = (3, 5, 7)  # the usual sizes of filters, which are unusual steps
_LARGE = 16


def _warn_of_order(where: str, channels: int, kernel: tuple[int, ...], strides: Sizes) -> None:
    """Warn where numbers look like PyTorch's (channels before, channels after, size)."""
    size = kernel[0]
    is_theirs = strides in _ODD and size % 2 == 0 and set(kernel) == {size}
    if is_theirs and (size > channels or size >= _LARGE):
        warnings.warn(
            f"{where}: channels={channels}, kernel_size={size}, strides={strides} were given, a "
            f"large filter in odd steps. Expected channels, kernel_size and strides in this order. "
            f"PyTorch's Conv2d(n, m, size) is Conv2D(m, size) here: write {where}({size}, "
            f"{strides}).",
            stacklevel=users_level(),
        )


class _Conv(Layer):
    """What convolutions and transposed convolutions have in common."""

    _op_name = "Convolution"

    def __init__(
        self,
        channels: int,
        kernel_size: tuple[int, ...],
        strides: Sizes,
        padding: Sizes,
        dilation: Sizes,
        groups: int,
        layout: str,
        in_channels: int = 0,
        activation: str | None = None,
        use_bias: bool = True,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        op_name: str | None = None,
        adj: Sizes | None = None,
        prefix: str | None = None,
        params: Any = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        where, axes = type(self).__name__, len(kernel_size)
        if op_name is not None:
            self._op_name = op_name
        check_layout(where, layout, _LAYOUTS[axes])
        self._channels = channels = size_of(where, "channels", channels)
        _warn_of_order(where, channels, kernel_size, strides)
        self._in_channels = inputs_of(where, "in_channels", in_channels)
        self._kwargs: dict[str, Any] = {
            "kernel": kernel_size,
            "stride": tuple_of(where, "strides", strides, axes),
            "dilate": tuple_of(where, "dilation", dilation, axes),
            "pad": tuple_of(where, "padding", padding, axes),
            "num_filter": channels,
            "num_group": size_of(where, "groups", groups),
            "no_bias": not use_bias,
            "layout": layout,
        }
        if adj is not None:
            self._kwargs["adj"] = tuple_of(where, "adj", adj, axes)
        with self.name_scope():
            self.weight = self.params.get(
                "weight", shape=self._weight_shape(), init=weight_initializer,
                allow_deferred_init=True,
            )  # fmt: skip
            self.bias = None
            if use_bias:
                self.bias = self.params.get(
                    "bias", shape=(channels,), init=bias_initializer, allow_deferred_init=True
                )
            self.act = make_activation(activation, type(self).__name__)

    def _weight_shape(self) -> tuple[int | None, ...]:
        """Return filters and channels of a group, in the layout's order; None is unknown."""
        if "adj" in self._kwargs:  # it is transposed, and its filters are the other way round
            each = self._channels // self._kwargs["num_group"]
            return self._in_layout(self._in_channels or None, each)
        each = self._in_channels // self._kwargs["num_group"] or None
        return self._in_layout(self._channels, each)

    def _in_layout(self, first: int | None, second: int | None) -> tuple[int | None, ...]:
        kernel = self._kwargs["kernel"]
        if self._kwargs["layout"].endswith("C"):
            return (first, *kernel, second)
        return (first, second, *kernel)

    @override
    def _alias(self) -> str:
        return "conv"

    @override
    def hybrid_forward(self, F: Any, x: Any, weight: Any, bias: Any = None) -> Any:
        result = getattr(F, self._op_name)(x, weight, bias, name="fwd", **self._kwargs)
        return result if self.act is None else self.act(result)

    @override
    def __repr__(self) -> str:
        channels, inputs = sizes(self.weight)[:2]
        return described(self, inputs, channels, self._kwargs)


def described(layer: Any, inputs: int, channels: int, settings: Mapping[str, Any]) -> str:
    """Return what a convolution of an operator's settings prints as."""
    parts = [
        f"{inputs or None} -> {channels}",
        f"kernel_size={settings['kernel']}",
        f"stride={settings['stride']}",
    ]
    if any(settings["pad"]):
        parts.append(f"padding={settings['pad']}")
    if any(step != 1 for step in settings["dilate"]):
        parts.append(f"dilation={settings['dilate']}")
    if settings["num_group"] != 1:
        parts.append(f"groups={settings['num_group']}")
    if settings["no_bias"]:
        parts.append("bias=False")
    if layer.act is not None:
        parts.append(repr(layer.act))
    return f"{type(layer).__name__}({', '.join(parts)})"


class _ConvTranspose(_Conv):
    """What transposed convolutions add: their filters are the other way round."""

    _op_name = "Deconvolution"

    def __init__(
        self,
        channels: int,
        kernel_size: tuple[int, ...],
        strides: Sizes,
        padding: Sizes,
        output_padding: Sizes,
        *args: Any,
        **kwargs: Any,
    ) -> None:
        self.outpad = tuple_of(
            type(self).__name__, "output_padding", output_padding, len(kernel_size)
        )
        super().__init__(
            channels, kernel_size, strides, padding, *args, **{**kwargs, "adj": self.outpad}
        )


class Conv1D(_Conv):
    """Convolution along one axis.

    Shapes: data (batch, channels, width) -> (batch, channels, width).

    Parameters
    ----------
    channels : int
        Number of output channels.
    kernel_size : int or tuple of int
        Size of the filters.
    strides : int or tuple of int, default 1
        Steps of the filters.
    padding : int or tuple of int, default 0
        Zeros added on each side.
    dilation : int or tuple of int, default 1
        Steps between the elements that a filter reads.
    groups : int, default 1
        Into how many groups channels and filters are divided.
    layout : {'NCW'}, default 'NCW'
        Order of the axes.
    activation : str, optional
        Name of the activation function; none by default.
    use_bias : bool, default True
        Whether there is a bias.
    weight_initializer, bias_initializer : Initializer or str, optional
        How the parameters are filled; the weight by what `initialize` is given.
    in_channels : int, optional
        Number of input channels; found at the first call by default.
    **kwargs
        `prefix` and `params` of every Block.

    Raises
    ------
    RefusedArgumentError
        Sizes or layout do not fit 1-D data.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.nn.Conv1D(4, 3, padding=1)
    >>> net.initialize()
    >>> net(mx.nd.ones((2, 3, 8))).shape
    (2, 4, 8)
    """

    def __init__(
        self,
        channels: int,
        kernel_size: Sizes,
        strides: Sizes = 1,
        padding: Sizes = 0,
        dilation: Sizes = 1,
        groups: int = 1,
        layout: str = "NCW",
        activation: str | None = None,
        use_bias: bool = True,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        kernel = tuple_of(type(self).__name__, "kernel_size", kernel_size, 1)
        super().__init__(
            channels, kernel, strides, padding, dilation, groups, layout, in_channels, activation,
            use_bias, weight_initializer, bias_initializer, **kwargs,
        )  # fmt: skip


class Conv2D(_Conv):
    """Convolution along height and width.

    Shapes: data (batch, channels, height, width) -> (batch, channels, height, width).

    Parameters
    ----------
    channels : int
        Number of output channels.
    kernel_size : int or tuple of 2 int
        Size of the filters.
    strides : int or tuple of 2 int, default (1, 1)
        Steps of the filters.
    padding : int or tuple of 2 int, default (0, 0)
        Zeros added on each side.
    dilation : int or tuple of 2 int, default (1, 1)
        Steps between the elements that a filter reads.
    groups : int, default 1
        Into how many groups channels and filters are divided.
    layout : {'NCHW', 'NHWC'}, default 'NCHW'
        Order of the axes.
    activation : str, optional
        Name of the activation function; none by default.
    use_bias : bool, default True
        Whether there is a bias.
    weight_initializer, bias_initializer : Initializer or str, optional
        How the parameters are filled; the weight by what `initialize` is given.
    in_channels : int, optional
        Number of input channels; found at the first call by default.
    **kwargs
        `prefix` and `params` of every Block.

    Raises
    ------
    RefusedArgumentError
        Sizes or layout do not fit 2-D data.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.nn.Conv2D(4, 3, padding=1)
    >>> net.initialize()
    >>> net(mx.nd.ones((2, 3, 8, 8))).shape
    (2, 4, 8, 8)
    """

    def __init__(
        self,
        channels: int,
        kernel_size: Sizes,
        strides: Sizes = (1, 1),
        padding: Sizes = (0, 0),
        dilation: Sizes = (1, 1),
        groups: int = 1,
        layout: str = "NCHW",
        activation: str | None = None,
        use_bias: bool = True,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        kernel = tuple_of(type(self).__name__, "kernel_size", kernel_size, 2)
        super().__init__(
            channels, kernel, strides, padding, dilation, groups, layout, in_channels, activation,
            use_bias, weight_initializer, bias_initializer, **kwargs,
        )  # fmt: skip


class Conv3D(_Conv):
    """Convolution along depth, height and width.

    Shapes: data (batch, channels, depth, height, width) -> (batch, channels, depth, height, width).

    Parameters
    ----------
    channels : int
        Number of output channels.
    kernel_size : int or tuple of 3 int
        Size of the filters.
    strides : int or tuple of 3 int, default (1, 1, 1)
        Steps of the filters.
    padding : int or tuple of 3 int, default (0, 0, 0)
        Zeros added on each side.
    dilation : int or tuple of 3 int, default (1, 1, 1)
        Steps between the elements that a filter reads.
    groups : int, default 1
        Into how many groups channels and filters are divided.
    layout : {'NCDHW', 'NDHWC'}, default 'NCDHW'
        Order of the axes.
    activation : str, optional
        Name of the activation function; none by default.
    use_bias : bool, default True
        Whether there is a bias.
    weight_initializer, bias_initializer : Initializer or str, optional
        How the parameters are filled; the weight by what `initialize` is given.
    in_channels : int, optional
        Number of input channels; found at the first call by default.
    **kwargs
        `prefix` and `params` of every Block.

    Raises
    ------
    RefusedArgumentError
        Sizes or layout do not fit 3-D data.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.nn.Conv3D(4, 3, padding=1)
    >>> net.initialize()
    >>> net(mx.nd.ones((2, 3, 8, 8, 8))).shape
    (2, 4, 8, 8, 8)
    """

    def __init__(
        self,
        channels: int,
        kernel_size: Sizes,
        strides: Sizes = (1, 1, 1),
        padding: Sizes = (0, 0, 0),
        dilation: Sizes = (1, 1, 1),
        groups: int = 1,
        layout: str = "NCDHW",
        activation: str | None = None,
        use_bias: bool = True,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        kernel = tuple_of(type(self).__name__, "kernel_size", kernel_size, 3)
        super().__init__(
            channels, kernel, strides, padding, dilation, groups, layout, in_channels, activation,
            use_bias, weight_initializer, bias_initializer, **kwargs,
        )  # fmt: skip


class Conv1DTranspose(_ConvTranspose):
    """Transposed convolution along one axis.

    Shapes: data (batch, channels, width) -> (batch, channels, width).

    Parameters
    ----------
    channels : int
        Number of output channels.
    kernel_size, strides, padding, dilation : int or tuple of int
        Of the convolution whose transpose this is.
    output_padding : int or tuple of int, default 0
        Elements added at the end of each axis; smaller than the stride.
    groups : int, default 1
        Into how many groups channels and filters are divided.
    layout : {'NCW'}, default 'NCW'
        Order of the axes.
    activation : str, optional
        Name of the activation function; none by default.
    use_bias : bool, default True
        Whether there is a bias.
    weight_initializer, bias_initializer : Initializer or str, optional
        How the parameters are filled; the weight by what `initialize` is given.
    in_channels : int, optional
        Number of input channels; found at the first call by default.
    **kwargs
        `prefix` and `params` of every Block.

    Raises
    ------
    RefusedArgumentError
        Sizes or layout do not fit 1-D data.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.nn.Conv1DTranspose(4, 2, strides=2)
    >>> net.initialize()
    >>> net(mx.nd.ones((2, 3, 8))).shape
    (2, 4, 16)
    """

    def __init__(
        self,
        channels: int,
        kernel_size: Sizes,
        strides: Sizes = 1,
        padding: Sizes = 0,
        output_padding: Sizes = 0,
        dilation: Sizes = 1,
        groups: int = 1,
        layout: str = "NCW",
        activation: str | None = None,
        use_bias: bool = True,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        kernel = tuple_of(type(self).__name__, "kernel_size", kernel_size, 1)
        super().__init__(
            channels, kernel, strides, padding, output_padding, dilation, groups, layout,
            in_channels, activation, use_bias, weight_initializer, bias_initializer, **kwargs,
        )  # fmt: skip


class Conv2DTranspose(_ConvTranspose):
    """Transposed convolution along height and width.

    Shapes: data (batch, channels, height, width) -> (batch, channels, height, width).

    Parameters
    ----------
    channels : int
        Number of output channels.
    kernel_size, strides, padding, dilation : int or tuple of 2 int
        Of the convolution whose transpose this is.
    output_padding : int or tuple of 2 int, default (0, 0)
        Elements added at the end of each axis; smaller than the stride.
    groups : int, default 1
        Into how many groups channels and filters are divided.
    layout : {'NCHW', 'NHWC'}, default 'NCHW'
        Order of the axes.
    activation : str, optional
        Name of the activation function; none by default.
    use_bias : bool, default True
        Whether there is a bias.
    weight_initializer, bias_initializer : Initializer or str, optional
        How the parameters are filled; the weight by what `initialize` is given.
    in_channels : int, optional
        Number of input channels; found at the first call by default.
    **kwargs
        `prefix` and `params` of every Block.

    Raises
    ------
    RefusedArgumentError
        Sizes or layout do not fit 2-D data.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.nn.Conv2DTranspose(4, 2, strides=2)
    >>> net.initialize()
    >>> net(mx.nd.ones((2, 3, 8, 8))).shape
    (2, 4, 16, 16)
    """

    def __init__(
        self,
        channels: int,
        kernel_size: Sizes,
        strides: Sizes = (1, 1),
        padding: Sizes = (0, 0),
        output_padding: Sizes = (0, 0),
        dilation: Sizes = (1, 1),
        groups: int = 1,
        layout: str = "NCHW",
        activation: str | None = None,
        use_bias: bool = True,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        kernel = tuple_of(type(self).__name__, "kernel_size", kernel_size, 2)
        super().__init__(
            channels, kernel, strides, padding, output_padding, dilation, groups, layout,
            in_channels, activation, use_bias, weight_initializer, bias_initializer, **kwargs,
        )  # fmt: skip


class Conv3DTranspose(_ConvTranspose):
    """Transposed convolution along depth, height and width.

    Shapes: data (batch, channels, depth, height, width) -> (batch, channels, depth, height, width).

    Parameters
    ----------
    channels : int
        Number of output channels.
    kernel_size, strides, padding, dilation : int or tuple of 3 int
        Of the convolution whose transpose this is.
    output_padding : int or tuple of 3 int, default (0, 0, 0)
        Elements added at the end of each axis; smaller than the stride.
    groups : int, default 1
        Into how many groups channels and filters are divided.
    layout : {'NCDHW', 'NDHWC'}, default 'NCDHW'
        Order of the axes.
    activation : str, optional
        Name of the activation function; none by default.
    use_bias : bool, default True
        Whether there is a bias.
    weight_initializer, bias_initializer : Initializer or str, optional
        How the parameters are filled; the weight by what `initialize` is given.
    in_channels : int, optional
        Number of input channels; found at the first call by default.
    **kwargs
        `prefix` and `params` of every Block.

    Raises
    ------
    RefusedArgumentError
        Sizes or layout do not fit 3-D data.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.nn.Conv3DTranspose(4, 2, strides=2)
    >>> net.initialize()
    >>> net(mx.nd.ones((2, 3, 8, 8, 8))).shape
    (2, 4, 16, 16, 16)
    """

    def __init__(
        self,
        channels: int,
        kernel_size: Sizes,
        strides: Sizes = (1, 1, 1),
        padding: Sizes = (0, 0, 0),
        output_padding: Sizes = (0, 0, 0),
        dilation: Sizes = (1, 1, 1),
        groups: int = 1,
        layout: str = "NCDHW",
        activation: str | None = None,
        use_bias: bool = True,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        kernel = tuple_of(type(self).__name__, "kernel_size", kernel_size, 3)
        super().__init__(
            channels, kernel, strides, padding, output_padding, dilation, groups, layout,
            in_channels, activation, use_bias, weight_initializer, bias_initializer, **kwargs,
        )  # fmt: skip


class ReflectionPad2D(Layer):
    """Images enlarged by their mirror image at each edge.

    Shapes: data (batch, channels, height, width) -> (batch, channels, larger, larger).

    Parameters
    ----------
    padding : int or tuple of 8 int, default 0
        Width on all four sides, or two widths for each of the four axes.
    **kwargs
        `prefix` and `params` of every Block.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([[[[1, 2], [3, 4]]]])
    >>> print(mx.gluon.nn.ReflectionPad2D(1)(x)[0, 0].asnumpy())
    [[4. 3. 4. 3.]
     [2. 1. 2. 1.]
     [4. 3. 4. 3.]
     [2. 1. 2. 1.]]
    """

    def __init__(self, padding: Sizes = 0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        padding = plain_number(padding)
        if isinstance(padding, (int, float)):
            padding = (0, 0, 0, 0, padding, padding, padding, padding)
        self._padding = tuple_of("ReflectionPad2D", "padding", padding, 8)

    @override
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return F.pad(x, "reflect", self._padding)
