"""Layers that run branches side by side, pass data on, shuffle pixels or span devices."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.block import Block
from gluonish.block.frontends import frontend_of
from gluonish.block.typed import Layer
from gluonish.errors import ShapeError
from gluonish.errors.wording import shape_text
from gluonish.nn import BatchNorm, Embedding, HybridSequential, Sequential
from gluonish.nn.shapes import tuple_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.array.dtypes import DTypeLike
    from gluonish.block import ParameterDict
    from gluonish.nn.shapes import Sizes

__all__ = [
    "Concurrent",
    "HybridConcurrent",
    "Identity",
    "PixelShuffle1D",
    "PixelShuffle2D",
    "PixelShuffle3D",
    "SparseEmbedding",
    "SyncBatchNorm",
]


class Concurrent(Sequential):
    """Blocks that are all called with the same data; their results are joined.

    Parameters
    ----------
    axis : int, default -1
        Along which axis the results are joined.
    prefix : str, optional
        Start of the names of its parameters and children.
    params : ParameterDict, optional
        Parameters of another Block to share.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon import contrib, nn
    >>> net = contrib.nn.Concurrent()
    >>> net.add(nn.Dense(4), contrib.nn.Identity())
    >>> net.initialize()
    >>> net(mx.nd.ones((3, 5))).shape
    (3, 9)
    """

    def __init__(
        self, axis: int = -1, prefix: str | None = None, params: ParameterDict | None = None
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self.axis = axis

    @override
    def forward(self, x: Any) -> Any:
        """Call the children with the same data, and join their results."""
        found = [block(x) for block in self._children.values()]
        return frontend_of(x).concat(*found, dim=self.axis)


class HybridConcurrent(HybridSequential):
    """HybridBlocks that are all called with the same data; their results are joined.

    Parameters
    ----------
    axis : int, default -1
        Along which axis the results are joined.
    prefix : str, optional
        Start of the names of its parameters and children.
    params : ParameterDict, optional
        Parameters of another Block to share.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon import contrib, nn
    >>> net = contrib.nn.HybridConcurrent(axis=1)
    >>> net.add(nn.Dense(4), nn.Dense(2), contrib.nn.Identity())
    >>> net.initialize()
    >>> net.hybridize()
    >>> net(mx.nd.ones((3, 5))).shape
    (3, 11)
    """

    def __init__(
        self, axis: int = -1, prefix: str | None = None, params: ParameterDict | None = None
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self.axis = axis

    @override
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return F.concat(*[block(x) for block in self._children.values()], dim=self.axis)


class Identity(Layer):
    """Layer that returns what it gets: a branch without layers.

    Parameters
    ----------
    **kwargs
        `prefix` and `params` of every Block.

    Examples
    --------
    >>> import gluonish as mx
    >>> print(mx.gluon.contrib.nn.Identity()(mx.nd.array([3])).asnumpy())
    [3.]
    """

    @override
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return x


class SparseEmbedding(Block):
    """Table with one row per integer id, meant for tables of which a batch uses few rows.

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
    **kwargs
        `prefix` and `params` of every Block.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.contrib.nn.SparseEmbedding(10, 4)
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
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._kwargs = {
            "input_dim": input_dim,
            "output_dim": output_dim,
            "dtype": dtype,
            "sparse_grad": True,
        }
        self.weight = self.params.get(
            "weight",
            shape=(input_dim, output_dim),
            init=weight_initializer,
            dtype=dtype,
            grad_stype="row_sparse",
        )

    @override
    def forward(self, x: Any) -> Any:
        """Look up the rows of ids."""
        weight = self.weight.data(x.ctx)
        return frontend_of(x).Embedding(x, weight, **self._kwargs)

    __repr__ = Embedding.__repr__


class SyncBatchNorm(BatchNorm):
    """Batch normalization with the moments of one device's batch.

    MXNet joins the batches of all devices of a process; here a process normalizes what it is
    called with, and `num_devices` is what is written to files.

    Shapes: data (batch, channels, *) -> (batch, channels, *).

    Parameters
    ----------
    in_channels : int, optional
        Number of channels; found at the first call by default.
    num_devices : int, optional
        Number of devices that share a batch; 1 by default.
    momentum : float in [0, 1], default 0.9
        Share of the running mean and variance that stays at an update.
    epsilon : float, default 1e-5
        Added to the variance.
    center, scale : bool, default True
        Whether shift (beta) and scale (gamma) are learned.
    use_global_stats : bool, default False
        Whether the running mean and variance are used while training too.
    beta_initializer, gamma_initializer : Initializer or str, default 'zeros' and 'ones'
        How shift and scale are filled.
    running_mean_initializer, running_variance_initializer : Initializer or str
        How the running mean and variance are filled, 'zeros' and 'ones' by default.
    **kwargs
        `prefix` and `params` of every Block.

    References
    ----------
    Zhang et al.: Context encoding for semantic segmentation (2018), arXiv:1803.08904.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.contrib.nn.SyncBatchNorm(in_channels=1, num_devices=1)
    >>> net.initialize()
    >>> with mx.autograd.record():
    ...     y = net(mx.nd.array([[1], [3]]))
    >>> print(y.asnumpy().round(3))
    [[-1.]
     [ 1.]]
    """

    def __init__(
        self,
        in_channels: int = 0,
        num_devices: int | None = None,
        momentum: float = 0.9,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = True,
        use_global_stats: bool = False,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        running_mean_initializer: Any = "zeros",
        running_variance_initializer: Any = "ones",
        **kwargs: Any,
    ) -> None:
        super().__init__(
            1, momentum, epsilon, center, scale, use_global_stats, beta_initializer,
            gamma_initializer, running_mean_initializer, running_variance_initializer,
            in_channels, **kwargs,
        )  # fmt: skip
        self._kwargs = {
            "eps": epsilon,
            "momentum": momentum,
            "fix_gamma": not scale,
            "use_global_stats": use_global_stats,
            "ndev": 1 if num_devices is None else num_devices,
            "key": self.prefix,
        }

    @override
    def _settings(self) -> str:
        return ", ".join(f"{key}={value!r}" for key, value in self._kwargs.items())

    @override
    def hybrid_forward(
        self, F: Any, x: Any, gamma: Any, beta: Any, running_mean: Any, running_var: Any
    ) -> Any:
        return F.contrib.SyncBatchNorm(
            x, gamma, beta, running_mean, running_var, name="fwd", **self._kwargs
        )


def _parted(layer: Layer, F: Any, x: Any, factors: Sequence[int]) -> Any:
    """Return data whose channels are divided into those that stay and those that become pixels."""
    many = math.prod(factors)
    try:
        return F.reshape(x, (0, -4, -1, many, *[0] * len(factors)))
    except ShapeError as error:
        axes = ("depth", "height", "width")[-len(factors) :]
        msg = (
            f"{type(layer).__name__}: data of shape {shape_text(x.shape)} was given. Expected "
            f"(batch, channels, {', '.join(axes)}) with channels that {many} divides. Give the "
            f"layer before it a multiple of {many} channels; x.expand_dims(0) makes a batch of one."
        )
        raise ShapeError(msg) from error


class PixelShuffle1D(Layer):
    """Turns channels into length: each position becomes `factor` of them.

    Shapes: data (batch, factor * channels, width) -> (batch, channels, factor * width).

    Parameters
    ----------
    factor : int
        How much longer the data becomes.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.gluon.contrib.nn.PixelShuffle1D(2)(mx.nd.zeros((1, 8, 3))).shape
    (1, 4, 6)
    """

    def __init__(self, factor: int) -> None:
        super().__init__()
        self._factor = int(factor)

    @override
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        x = _parted(self, F, x, (self._factor,))
        x = F.transpose(x, (0, 1, 3, 2))
        return F.reshape(x, (0, 0, -3))

    @override
    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._factor})"


class PixelShuffle2D(Layer):
    """Turns channels into pixels: each pixel becomes a block of them.

    Shapes: data (batch, f1 * f2 * channels, height, width) -> (batch, channels, f1 * height,
    f2 * width).

    Parameters
    ----------
    factor : int or 2 ints
        Height and width (f1, f2) of a block.

    Raises
    ------
    RefusedArgumentError
        There are more or fewer numbers than two.

    References
    ----------
    Shi et al.: Real-time single image and video super-resolution (2016), arXiv:1609.05158.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.gluon.contrib.nn.PixelShuffle2D((2, 3))(mx.nd.zeros((1, 12, 3, 5))).shape
    (1, 2, 6, 15)
    """

    def __init__(self, factor: Sizes) -> None:
        super().__init__()
        self._factors = tuple_of(type(self).__name__, "factor", factor, 2)

    @override
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        f1, f2 = self._factors
        x = _parted(self, F, x, self._factors)
        x = F.reshape(x, (0, 0, -4, f1, f2, 0, 0))
        x = F.transpose(x, (0, 1, 4, 2, 5, 3))
        return F.reshape(x, (0, 0, -3, -3))

    @override
    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._factors})"


class PixelShuffle3D(Layer):
    """Turns channels into voxels: each voxel becomes a block of them.

    Shapes: data (batch, f1 * f2 * f3 * channels, depth, height, width) -> (batch, channels,
    f1 * depth, f2 * height, f3 * width).

    Parameters
    ----------
    factor : int or 3 ints
        Depth, height and width (f1, f2, f3) of a block.

    Raises
    ------
    RefusedArgumentError
        There are more or fewer numbers than three.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.gluon.contrib.nn.PixelShuffle3D((2, 3, 4))(mx.nd.zeros((1, 48, 3, 5, 7))).shape
    (1, 2, 6, 15, 28)
    """

    def __init__(self, factor: Sizes) -> None:
        super().__init__()
        self._factors = tuple_of(type(self).__name__, "factor", factor, 3)

    @override
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        f1, f2, f3 = self._factors
        x = _parted(self, F, x, self._factors)
        x = F.swapaxes(x, 2, 3)
        x = F.reshape(x, (0, 0, 0, -4, f1, f2 * f3, 0, 0))
        x = F.reshape(x, (0, 0, -3, 0, 0, 0))
        x = F.swapaxes(x, 3, 4)
        x = F.reshape(x, (0, 0, 0, 0, -4, f2, f3, 0))
        x = F.reshape(x, (0, 0, 0, -3, 0, 0))
        x = F.swapaxes(x, 4, 5)
        return F.reshape(x, (0, 0, 0, 0, -3))

    @override
    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._factors})"
