"""Pooling layers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.block.typed import Layer
from gluonish.nn.shapes import check_layout, tuple_of

if TYPE_CHECKING:
    from gluonish.nn.shapes import Sizes

__all__ = [
    "AvgPool1D",
    "AvgPool2D",
    "AvgPool3D",
    "GlobalAvgPool1D",
    "GlobalAvgPool2D",
    "GlobalAvgPool3D",
    "GlobalMaxPool1D",
    "GlobalMaxPool2D",
    "GlobalMaxPool3D",
    "MaxPool1D",
    "MaxPool2D",
    "MaxPool3D",
]

_LAYOUTS = {1: ("NCW", "NWC"), 2: ("NCHW", "NHWC"), 3: ("NCDHW", "NDHWC")}


class _Pooling(Layer):
    """What all pooling layers have in common."""

    def __init__(
        self,
        pool_size: tuple[int, ...],
        strides: Sizes | None,
        padding: Sizes,
        ceil_mode: bool,
        global_pool: bool,
        pool_type: str,
        layout: str,
        count_include_pad: bool | None = None,
        prefix: str | None = None,
        params: Any = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        where, axes = type(self).__name__, len(pool_size)
        check_layout(where, layout, _LAYOUTS[axes])
        steps = pool_size if strides is None else tuple_of(where, "strides", strides, axes)
        self._kwargs: dict[str, Any] = {
            "kernel": pool_size,
            "stride": steps,
            "pad": tuple_of(where, "padding", padding, axes),
            "global_pool": global_pool,
            "pool_type": pool_type,
            "layout": layout,
            "pooling_convention": "full" if ceil_mode else "valid",
        }
        if count_include_pad is not None:
            self._kwargs["count_include_pad"] = count_include_pad

    @override
    def _alias(self) -> str:
        return "pool"

    @override
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return F.Pooling(x, name="fwd", **self._kwargs)

    @override
    def __repr__(self) -> str:
        settings = self._kwargs
        return (
            f"{type(self).__name__}(size={settings['kernel']}, stride={settings['stride']}, "
            f"padding={settings['pad']}, ceil_mode={settings['pooling_convention'] == 'full'}, "
            f"global_pool={settings['global_pool']}, pool_type={settings['pool_type']}, "
            f"layout={settings['layout']})"
        )


class MaxPool1D(_Pooling):
    """Maximum of each window along one axis.

    Shapes: data (batch, channels, width) -> the same, smaller.

    Parameters
    ----------
    pool_size : int or tuple of int, default 2
        Size of the window.
    strides : int or tuple of int, optional
        Steps between windows; the window's size by default.
    padding : int or tuple of int, default 0
        Padding on each side.
    layout : {'NCW', 'NWC'}, default 'NCW'
        Order of the axes.
    ceil_mode : bool, default False
        Whether windows that reach over the padded end are kept.
    **kwargs
        `prefix` and `params` of every Block.

    Raises
    ------
    RefusedArgumentError
        Sizes or layout do not fit 1-D data.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.gluon.nn.MaxPool1D()(mx.nd.ones((2, 3, 8))).shape
    (2, 3, 4)
    """

    def __init__(
        self,
        pool_size: Sizes = 2,
        strides: Sizes | None = None,
        padding: Sizes = 0,
        layout: str = "NCW",
        ceil_mode: bool = False,
        **kwargs: Any,
    ) -> None:
        window = tuple_of(type(self).__name__, "pool_size", pool_size, 1)
        super().__init__(window, strides, padding, ceil_mode, False, "max", layout, **kwargs)


class MaxPool2D(_Pooling):
    """Maximum of each window along height and width.

    Shapes: data (batch, channels, height, width) -> the same, smaller.

    Parameters
    ----------
    pool_size : int or tuple of 2 int, default (2, 2)
        Size of the window.
    strides : int or tuple of 2 int, optional
        Steps between windows; the window's size by default.
    padding : int or tuple of 2 int, default 0
        Padding on each side.
    layout : {'NCHW', 'NHWC'}, default 'NCHW'
        Order of the axes.
    ceil_mode : bool, default False
        Whether windows that reach over the padded end are kept.
    **kwargs
        `prefix` and `params` of every Block.

    Raises
    ------
    RefusedArgumentError
        Sizes or layout do not fit 2-D data.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.gluon.nn.MaxPool2D()(mx.nd.ones((2, 3, 8, 8))).shape
    (2, 3, 4, 4)
    """

    def __init__(
        self,
        pool_size: Sizes = (2, 2),
        strides: Sizes | None = None,
        padding: Sizes = 0,
        layout: str = "NCHW",
        ceil_mode: bool = False,
        **kwargs: Any,
    ) -> None:
        window = tuple_of(type(self).__name__, "pool_size", pool_size, 2)
        super().__init__(window, strides, padding, ceil_mode, False, "max", layout, **kwargs)


class MaxPool3D(_Pooling):
    """Maximum of each window along depth, height and width.

    Shapes: data (batch, channels, depth, height, width) -> the same, smaller.

    Parameters
    ----------
    pool_size : int or tuple of 3 int, default (2, 2, 2)
        Size of the window.
    strides : int or tuple of 3 int, optional
        Steps between windows; the window's size by default.
    padding : int or tuple of 3 int, default 0
        Padding on each side.
    ceil_mode : bool, default False
        Whether windows that reach over the padded end are kept.
    layout : {'NCDHW', 'NDHWC'}, default 'NCDHW'
        Order of the axes.
    **kwargs
        `prefix` and `params` of every Block.

    Raises
    ------
    RefusedArgumentError
        Sizes or layout do not fit 3-D data.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.gluon.nn.MaxPool3D()(mx.nd.ones((2, 3, 8, 8, 8))).shape
    (2, 3, 4, 4, 4)
    """

    def __init__(
        self,
        pool_size: Sizes = (2, 2, 2),
        strides: Sizes | None = None,
        padding: Sizes = 0,
        ceil_mode: bool = False,
        layout: str = "NCDHW",
        **kwargs: Any,
    ) -> None:
        window = tuple_of(type(self).__name__, "pool_size", pool_size, 3)
        super().__init__(window, strides, padding, ceil_mode, False, "max", layout, **kwargs)


class AvgPool1D(_Pooling):
    """Mean of each window along one axis.

    Shapes: data (batch, channels, width) -> the same, smaller.

    Parameters
    ----------
    pool_size : int or tuple of int, default 2
        Size of the window.
    strides : int or tuple of int, optional
        Steps between windows; the window's size by default.
    padding : int or tuple of int, default 0
        Padding on each side.
    layout : {'NCW', 'NWC'}, default 'NCW'
        Order of the axes.
    ceil_mode : bool, default False
        Whether windows that reach over the padded end are kept.
    count_include_pad : bool, default True
        Whether padding counts as zeros in the mean.
    **kwargs
        `prefix` and `params` of every Block.

    Raises
    ------
    RefusedArgumentError
        Sizes or layout do not fit 1-D data.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.gluon.nn.AvgPool1D()(mx.nd.ones((2, 3, 8))).shape
    (2, 3, 4)
    """

    def __init__(
        self,
        pool_size: Sizes = 2,
        strides: Sizes | None = None,
        padding: Sizes = 0,
        layout: str = "NCW",
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        **kwargs: Any,
    ) -> None:
        window = tuple_of(type(self).__name__, "pool_size", pool_size, 1)
        super().__init__(
            window, strides, padding, ceil_mode, False, "avg", layout, count_include_pad, **kwargs
        )


class AvgPool2D(_Pooling):
    """Mean of each window along height and width.

    Shapes: data (batch, channels, height, width) -> the same, smaller.

    Parameters
    ----------
    pool_size : int or tuple of 2 int, default (2, 2)
        Size of the window.
    strides : int or tuple of 2 int, optional
        Steps between windows; the window's size by default.
    padding : int or tuple of 2 int, default 0
        Padding on each side.
    ceil_mode : bool, default False
        Whether windows that reach over the padded end are kept.
    layout : {'NCHW', 'NHWC'}, default 'NCHW'
        Order of the axes.
    count_include_pad : bool, default True
        Whether padding counts as zeros in the mean.
    **kwargs
        `prefix` and `params` of every Block.

    Raises
    ------
    RefusedArgumentError
        Sizes or layout do not fit 2-D data.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.gluon.nn.AvgPool2D()(mx.nd.ones((2, 3, 8, 8))).shape
    (2, 3, 4, 4)
    """

    def __init__(
        self,
        pool_size: Sizes = (2, 2),
        strides: Sizes | None = None,
        padding: Sizes = 0,
        ceil_mode: bool = False,
        layout: str = "NCHW",
        count_include_pad: bool = True,
        **kwargs: Any,
    ) -> None:
        window = tuple_of(type(self).__name__, "pool_size", pool_size, 2)
        super().__init__(
            window, strides, padding, ceil_mode, False, "avg", layout, count_include_pad, **kwargs
        )


class AvgPool3D(_Pooling):
    """Mean of each window along depth, height and width.

    Shapes: data (batch, channels, depth, height, width) -> the same, smaller.

    Parameters
    ----------
    pool_size : int or tuple of 3 int, default (2, 2, 2)
        Size of the window.
    strides : int or tuple of 3 int, optional
        Steps between windows; the window's size by default.
    padding : int or tuple of 3 int, default 0
        Padding on each side.
    ceil_mode : bool, default False
        Whether windows that reach over the padded end are kept.
    layout : {'NCDHW', 'NDHWC'}, default 'NCDHW'
        Order of the axes.
    count_include_pad : bool, default True
        Whether padding counts as zeros in the mean.
    **kwargs
        `prefix` and `params` of every Block.

    Raises
    ------
    RefusedArgumentError
        Sizes or layout do not fit 3-D data.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.gluon.nn.AvgPool3D()(mx.nd.ones((2, 3, 8, 8, 8))).shape
    (2, 3, 4, 4, 4)
    """

    def __init__(
        self,
        pool_size: Sizes = (2, 2, 2),
        strides: Sizes | None = None,
        padding: Sizes = 0,
        ceil_mode: bool = False,
        layout: str = "NCDHW",
        count_include_pad: bool = True,
        **kwargs: Any,
    ) -> None:
        window = tuple_of(type(self).__name__, "pool_size", pool_size, 3)
        super().__init__(
            window, strides, padding, ceil_mode, False, "avg", layout, count_include_pad, **kwargs
        )


class GlobalMaxPool1D(_Pooling):
    """Maximum of each channel over one axis.

    Shapes: data (batch, channels, width) -> (batch, channels, 1).

    Parameters
    ----------
    layout : {'NCW', 'NWC'}, default 'NCW'
        Order of the axes.
    **kwargs
        `prefix` and `params` of every Block.

    Raises
    ------
    RefusedArgumentError
        The layout does not fit 1-D data.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.gluon.nn.GlobalMaxPool1D()(mx.nd.ones((2, 3, 8))).shape
    (2, 3, 1)
    """

    def __init__(self, layout: str = "NCW", **kwargs: Any) -> None:
        super().__init__((1,), None, 0, True, True, "max", layout, **kwargs)


class GlobalMaxPool2D(_Pooling):
    """Maximum of each channel over height and width.

    Shapes: data (batch, channels, height, width) -> (batch, channels, 1, 1).

    Parameters
    ----------
    layout : {'NCHW', 'NHWC'}, default 'NCHW'
        Order of the axes.
    **kwargs
        `prefix` and `params` of every Block.

    Raises
    ------
    RefusedArgumentError
        The layout does not fit 2-D data.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.gluon.nn.GlobalMaxPool2D()(mx.nd.ones((2, 3, 8, 8))).shape
    (2, 3, 1, 1)
    """

    def __init__(self, layout: str = "NCHW", **kwargs: Any) -> None:
        super().__init__((1, 1), None, 0, True, True, "max", layout, **kwargs)


class GlobalMaxPool3D(_Pooling):
    """Maximum of each channel over depth, height and width.

    Shapes: data (batch, channels, depth, height, width) -> (batch, channels, 1, 1, 1).

    Parameters
    ----------
    layout : {'NCDHW', 'NDHWC'}, default 'NCDHW'
        Order of the axes.
    **kwargs
        `prefix` and `params` of every Block.

    Raises
    ------
    RefusedArgumentError
        The layout does not fit 3-D data.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.gluon.nn.GlobalMaxPool3D()(mx.nd.ones((2, 3, 8, 8, 8))).shape
    (2, 3, 1, 1, 1)
    """

    def __init__(self, layout: str = "NCDHW", **kwargs: Any) -> None:
        super().__init__((1, 1, 1), None, 0, True, True, "max", layout, **kwargs)


class GlobalAvgPool1D(_Pooling):
    """Mean of each channel over one axis.

    Shapes: data (batch, channels, width) -> (batch, channels, 1).

    Parameters
    ----------
    layout : {'NCW', 'NWC'}, default 'NCW'
        Order of the axes.
    **kwargs
        `prefix` and `params` of every Block.

    Raises
    ------
    RefusedArgumentError
        The layout does not fit 1-D data.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.gluon.nn.GlobalAvgPool1D()(mx.nd.ones((2, 3, 8))).shape
    (2, 3, 1)
    """

    def __init__(self, layout: str = "NCW", **kwargs: Any) -> None:
        super().__init__((1,), None, 0, True, True, "avg", layout, **kwargs)


class GlobalAvgPool2D(_Pooling):
    """Mean of each channel over height and width.

    Shapes: data (batch, channels, height, width) -> (batch, channels, 1, 1).

    Parameters
    ----------
    layout : {'NCHW', 'NHWC'}, default 'NCHW'
        Order of the axes.
    **kwargs
        `prefix` and `params` of every Block.

    Raises
    ------
    RefusedArgumentError
        The layout does not fit 2-D data.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.gluon.nn.GlobalAvgPool2D()(mx.nd.ones((2, 3, 8, 8))).shape
    (2, 3, 1, 1)
    """

    def __init__(self, layout: str = "NCHW", **kwargs: Any) -> None:
        super().__init__((1, 1), None, 0, True, True, "avg", layout, **kwargs)


class GlobalAvgPool3D(_Pooling):
    """Mean of each channel over depth, height and width.

    Shapes: data (batch, channels, depth, height, width) -> (batch, channels, 1, 1, 1).

    Parameters
    ----------
    layout : {'NCDHW', 'NDHWC'}, default 'NCDHW'
        Order of the axes.
    **kwargs
        `prefix` and `params` of every Block.

    Raises
    ------
    RefusedArgumentError
        The layout does not fit 3-D data.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.gluon.nn.GlobalAvgPool3D()(mx.nd.ones((2, 3, 8, 8, 8))).shape
    (2, 3, 1, 1, 1)
    """

    def __init__(self, layout: str = "NCDHW", **kwargs: Any) -> None:
        super().__init__((1, 1, 1), None, 0, True, True, "avg", layout, **kwargs)
