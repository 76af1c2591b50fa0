"""Deformable convolutions, with the ordinary ones that compute their offsets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.block.typed import Layer
from gluonish.errors import RefusedArgumentError
from gluonish.nn.basic import make_activation
from gluonish.nn.convolution import described
from gluonish.nn.shapes import check_layout, inputs_of, size_of, sizes, tuple_of

if TYPE_CHECKING:
    from gluonish.block import Parameter, ParameterDict
    from gluonish.nn.shapes import Sizes

__all__ = ["DeformableConvolution", "ModulatedDeformableConvolution"]


class DeformableConvolution(Layer):
    """Convolution whose filters read where offsets say, which another convolution computes.

    Shapes: data (batch, channels, height, width) -> (batch, channels, height, width).

    Parameters
    ----------
    channels : int
        Number of output channels.
    kernel_size, strides, padding, dilation : int or 2 ints
        Of the filters: size, steps, zeros added on each side, steps between what they read.
    groups : int, default 1
        Into how many groups channels and filters are divided.
    num_deformable_group : int, default 1
        Into how many groups channels are divided that have the same offsets.
    layout : {'NCHW'}, default 'NCHW'
        Order of the axes.
    use_bias, offset_use_bias : bool, default True
        Whether there are biases, of the filters and of the offsets.
    in_channels : int, optional
        Number of input channels; found at the first call by default.
    activation : str, optional
        Name of the activation function; none by default.
    weight_initializer, bias_initializer : Initializer or str, optional
        How the filters and their bias are filled.
    offset_weight_initializer, offset_bias_initializer : Initializer or str, default 'zeros'
        How the parameters of the offsets are filled; with zeros it starts as a convolution.
    op_name : str, optional
        The operator; the layer's own by default.
    adj : int or 2 ints, optional
        For operators that take it.
    prefix, params : optional
        As for every Block.

    Raises
    ------
    RefusedArgumentError
        Sizes or layout do not fit pictures, or the groups do not fit the channels.

    References
    ----------
    Dai et al.: Deformable convolutional networks (2017), arXiv:1703.06211.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.contrib.cnn.DeformableConvolution(4, kernel_size=3, padding=1)
    >>> net.initialize()
    >>> net(mx.nd.ones((1, 2, 5, 5))).shape
    (1, 4, 5, 5)
    >>> net
    DeformableConvolution(2 -> 4, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1))
    """

    _numbers = 2  # that each element which a filter reads needs: how far down and to the right
    _parts: tuple[str, ...] = ("offset", "deformable_conv")  # whose parameters come first

    deformable_conv_weight: Parameter
    deformable_conv_bias: Parameter | None

    def __init__(
        self,
        channels: int,
        kernel_size: Sizes = (1, 1),
        strides: Sizes = (1, 1),
        padding: Sizes = (0, 0),
        dilation: Sizes = (1, 1),
        groups: int = 1,
        num_deformable_group: int = 1,
        layout: str = "NCHW",
        use_bias: bool = True,
        in_channels: int = 0,
        activation: str | None = None,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        offset_weight_initializer: Any = "zeros",
        offset_bias_initializer: Any = "zeros",
        offset_use_bias: bool = True,
        op_name: str | None = None,
        adj: Sizes | None = None,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        where = type(self).__name__
        check_layout(where, layout, ("NCHW",))
        channels, groups = size_of(where, "channels", channels), size_of(where, "groups", groups)
        in_channels = inputs_of(where, "in_channels", in_channels)
        _check_groups(where, channels, in_channels, groups)
        self._channels, self._in_channels = channels, in_channels
        self._op_name = op_name or where
        kernel = tuple_of(where, "kernel_size", kernel_size, 2)
        shared = {
            "kernel": kernel,
            "stride": tuple_of(where, "strides", strides, 2),
            "dilate": tuple_of(where, "dilation", dilation, 2),
            "pad": tuple_of(where, "padding", padding, 2),
            "num_group": groups,
            "layout": layout,
        }
        self._places = kernel[0] * kernel[1] * num_deformable_group
        moves = self._places * self._numbers
        self._kwargs_offset = shared | {
            "num_filter": moves, "no_bias": not offset_use_bias, "cudnn_off": True,
        }  # fmt: skip
        self._kwargs_deformable_conv: dict[str, Any] = shared | {
            "num_filter": channels, "num_deformable_group": num_deformable_group,
            "no_bias": not use_bias,
        }  # fmt: skip
        if adj is not None:
            self._kwargs_deformable_conv["adj"] = tuple_of(where, "adj", adj, 2)
        with self.name_scope():
            each = in_channels // groups or None
            for part in self._parts:
                is_offset = part == "offset"
                size = moves if is_offset else channels
                init = offset_weight_initializer if is_offset else weight_initializer
                weight = self._get(f"{part}_weight", (size, each, *kernel), init)
                setattr(self, f"{part}_weight", weight)
                bias = None
                if offset_use_bias if is_offset else use_bias:
                    init = offset_bias_initializer if is_offset else bias_initializer
                    bias = self._get(f"{part}_bias", (size,), init)
                setattr(self, f"{part}_bias", bias)
            self.act = make_activation(activation, type(self).__name__)

    def _get(self, name: str, shape: tuple[int | None, ...], init: Any) -> Parameter:
        return self.params.get(name, shape=shape, init=init, allow_deferred_init=True)

    @override
    def _alias(self) -> str:
        return "deformable_conv"

    @override
    def hybrid_forward(
        self,
        F: Any,
        x: Any,
        offset_weight: Any,
        deformable_conv_weight: Any,
        offset_bias: Any = None,
        deformable_conv_bias: Any = None,
    ) -> Any:
        moves = F.Convolution(x, offset_weight, offset_bias, **self._kwargs_offset)
        result = getattr(F.contrib, self._op_name)(
            x, *self._moved(F, moves), deformable_conv_weight, deformable_conv_bias,
            **self._kwargs_deformable_conv, name="fwd",
        )  # fmt: skip
        return result if self.act is None else self.act(result)

    def _moved(self, F: Any, moves: Any) -> tuple[Any, ...]:  # noqa: ARG002 - others need it
        """Return what the operator takes beside data and filters."""
        return (moves,)

    @override
    def __repr__(self) -> str:
        settings = self._kwargs_deformable_conv
        channels, each = sizes(self.deformable_conv_weight)[:2]
        total = (each or 0) * settings["num_group"]
        return described(self, total, channels, settings)


class ModulatedDeformableConvolution(DeformableConvolution):
    """Deformable convolution in which each element also has a weight, between 0 and 2.

    Shapes: data (batch, channels, height, width) -> (batch, channels, height, width).

    Parameters are those of `DeformableConvolution`.

    References
    ----------
    Zhu et al.: Deformable ConvNets v2 (2018), arXiv:1811.11168.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.contrib.cnn.ModulatedDeformableConvolution(4, kernel_size=3, padding=1)
    >>> net.initialize()
    >>> net(mx.nd.ones((1, 2, 5, 5))).shape
    (1, 4, 5, 5)
    """

    _numbers = 3
    _parts = ("deformable_conv", "offset")

    @override
    def _alias(self) -> str:
        return "modulated_deformable_conv"

    @override
    def _moved(self, F: Any, moves: Any) -> tuple[Any, ...]:
        offset = F.slice_axis(moves, axis=1, begin=0, end=2 * self._places)
        mask = F.slice_axis(moves, axis=1, begin=2 * self._places, end=None)
        return offset, F.sigmoid(mask) * 2


def _check_groups(where: str, channels: int, in_channels: int, groups: int) -> None:
    if groups < 1 or channels % groups or in_channels % groups:
        msg = (
            f"{where}: groups={groups} was given for {channels} output and {in_channels or 'any'} "
            f"input channels. Expected a divisor of both. Choose other channels or groups=1."
        )
        raise RefusedArgumentError(msg)
