"""Quantizes Gluon's networks."""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish import ndarray as nd
from gluonish.block import HybridBlock, SymbolBlock
from gluonish.context import Context, cpu
from gluonish.contrib.quantization.models import (
    calib_graph,
    check_words,
    collect,
    quantize_graph,
)
from gluonish.errors import ArgumentKindError, InvalidArgumentError
from gluonish.errors.tracebacks import users_level
from gluonish.io import DataBatch, DataIter
from gluonish.model import load_checkpoint
from gluonish.ndarray import NDArray

if TYPE_CHECKING:
    import logging
    from collections.abc import Iterable, Iterator, Sequence

    from gluonish.contrib.quantization.collecting import Collector


def quantize_net_v2(
    network: HybridBlock,
    quantized_dtype: str = "auto",
    quantize_mode: str = "full",
    quantize_granularity: str = "tensor-wise",
    exclude_layers: list[str] | None = None,
    exclude_layers_match: list[str] | None = None,
    exclude_operators: list[str] | None = None,
    calib_data: Iterable[Any] | None = None,
    data_shapes: Sequence[Any] | None = None,
    calib_mode: str | None = "none",
    num_calib_examples: int | None = None,
    ctx: Context | None = None,
    LayerOutputCollector: Collector | None = None,  # noqa: N803 - MXNet's name
    logger: logging.Logger | None = None,
) -> SymbolBlock:
    """Return a network that computes with 8-bit integers.

    Parameters
    ----------
    network : HybridBlock
        The network on floating-point numbers; it is hybridized.
    quantized_dtype : {'auto', 'int8', 'uint8'}, default 'auto'
        What data becomes; `'auto'` takes uint8 where there are no negative numbers.
    quantize_mode : {'full', 'smart'}, default 'full'
        Whether all operators are quantized that can be, or those that pay, and what is between.
    quantize_granularity : {'tensor-wise', 'channel-wise'}, default 'tensor-wise'
        Whether dense layers have one range for their weights, or one for each output. Convolutions
        that are calibrated have one for each output in any case.
    exclude_layers : list of str, optional
        Names of the layers that stay as they are, as the network's own graph has them, or
        `get_backend_symbol('MKLDNN_QUANTIZE')` of it; so do those that they are fused with.
    exclude_layers_match : list of str, optional
        Parts of names of such layers in the network's own graph.
    exclude_operators : list of str, optional
        Operators that stay as they are, as files call them.
    calib_data : DataIter or DataLoader, optional
        Data for calibration.
    data_shapes : list of DataDesc or tuple of int, optional
        Shapes of the data, needed where there is none for calibration.
    calib_mode : {'none', 'naive', 'entropy', 'customize'}, default 'none'
        How ranges are chosen: anew for each batch, those that occur, from histograms, or by
        `LayerOutputCollector`.
    num_calib_examples : int, optional
        How many examples are used at least; by default all.
    ctx : Context, optional
        Where the network shall run; the CPU by default. On CPUs, layers become one node each.
    LayerOutputCollector : object, optional
        A collector of one's own, see `quantize_graph`.
    logger : logging.Logger, optional
        Told what happens.

    Returns
    -------
    SymbolBlock
        The quantized network. It has no gradient.

    Raises
    ------
    InvalidArgumentError
        An argument is none of those, or data for calibration, or its shapes, are missing.
    ArgumentKindError
        The data can't be iterated.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.nn.Dense(2, use_bias=False)
    >>> net.initialize(mx.init.Constant(0.5))
    >>> data = mx.gluon.data.DataLoader(mx.nd.array([[0.5, -1], [1, 0]]), batch_size=2)
    >>> found = mx.contrib.quantization.quantize_net_v2(net, calib_data=data, calib_mode='naive')
    >>> print(found(mx.nd.array([[0.5, -1]])).asnumpy().round(1))
    [[-0.2 -0.2]]
    """
    ctx = ctx or cpu()
    given: object = network
    if not isinstance(given, HybridBlock):
        msg = (
            f"quantize_net: a {type(given).__name__} was given. Expected a HybridBlock. Make the "
            f"net of nn.HybridSequential, or load files by gluon.SymbolBlock.imports(...)."
        )
        raise ArgumentKindError(msg)
    check_words(calib_mode, quantized_dtype, quantize_mode, quantize_granularity, own=True)
    network.hybridize()
    batches = None if calib_data is None else _Batches(calib_data)
    if batches is not None and not data_shapes:
        data_shapes = batches.shapes
    if not data_shapes:
        msg = (
            "quantize_net: neither calib_data nor data_shapes was given. Expected one of them. "
            "Pass data_shapes=[(1, 3, 224, 224)], for example."
        )
        raise InvalidArgumentError(msg)
    if calib_mode not in (None, "none") and batches is None:
        msg = (
            f"quantize_net: calib_mode={calib_mode!r} was given without data. Expected a DataIter "
            f"or DataLoader. Pass it as calib_data."
        )
        raise InvalidArgumentError(msg)
    shapes = [tuple(getattr(shape, "shape", shape)) for shape in data_shapes]
    count = _run(network, shapes)
    with tempfile.TemporaryDirectory() as folder:
        network.export(str(Path(folder) / "net"), 0)
        symbol, args, aux = load_checkpoint(str(Path(folder) / "net"), 0)
    names = _data_names(symbol.list_arguments(), args, count)
    exclude = list(exclude_layers or [])
    for part in exclude_layers_match or []:
        exclude += [each.name or "" for each in symbol.get_internals() if part in (each.name or "")]
    if ctx.device_type == "cpu":
        symbol = symbol.get_backend_symbol("MKLDNN_QUANTIZE")
    result, qargs, qaux, collector = quantize_graph(
        symbol, args, aux, ctx, exclude, list(exclude_operators or []), calib_mode,
        quantized_dtype, quantize_mode, quantize_granularity, LayerOutputCollector, logger,
    )  # fmt: skip
    if collector is not None and batches is not None:
        collect(symbol, {**args, **aux}, batches, collector, names, ctx, num_calib_examples, logger)
        result, qargs, qaux = calib_graph(
            result, args, aux, collector, str(calib_mode), quantized_dtype, logger
        )
    if ctx.device_type == "cpu":
        result = result.get_backend_symbol("MKLDNN_QUANTIZE")
    with tempfile.TemporaryDirectory() as folder:
        graph, values = Path(folder) / "net-symbol.json", Path(folder) / "net-0000.params"
        result.save(graph)
        nd.save(
            str(values),
            {
                **{f"arg:{name}": array for name, array in qargs.items()},
                **{f"aux:{name}": array for name, array in qaux.items()},
            },
        )
        return SymbolBlock.imports(graph, names, values, ctx=ctx)


def quantize_net(
    network: HybridBlock,
    quantized_dtype: str = "auto",
    quantize_mode: str = "full",
    exclude_layers: list[str] | None = None,
    exclude_layers_match: list[str] | None = None,
    exclude_operators: list[str] | None = None,
    calib_data: Iterable[Any] | None = None,
    data_shapes: Sequence[Any] | None = None,
    calib_mode: str | None = "none",
    num_calib_examples: int | None = None,
    ctx: Context | None = None,
    logger: logging.Logger | None = None,
) -> SymbolBlock:
    """Return a network that computes with 8-bit integers, as `quantize_net_v2` does.

    Parameters
    ----------
    network, quantized_dtype, quantize_mode, exclude_layers, exclude_layers_match, \
exclude_operators, calib_data, data_shapes, calib_mode, num_calib_examples, ctx, logger
        As for `quantize_net_v2`.

    Returns
    -------
    SymbolBlock
        The quantized network.

    Warns
    -----
    UserWarning
        Always: MXNet 2.0 was to keep `quantize_net_v2` alone.

    Examples
    --------
    >>> import warnings
    >>> import gluonish as mx
    >>> net = mx.gluon.nn.Dense(2, use_bias=False)
    >>> net.initialize(mx.init.Constant(0.5))
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter('ignore')
    ...     found = mx.contrib.quantization.quantize_net(net, data_shapes=[(1, 2)])
    >>> print(found(mx.nd.array([[0.5, -1]])).asnumpy().round(1))
    [[-0.3 -0.3]]
    """
    warnings.warn(
        "WARNING: This will be deprecated after MXNet 2.0, please use quantize_net_v2.",
        stacklevel=users_level(),
    )
    return quantize_net_v2(
        network, quantized_dtype, quantize_mode, "tensor-wise", exclude_layers,
        exclude_layers_match, exclude_operators, calib_data, data_shapes, calib_mode,
        num_calib_examples, ctx, None, logger,
    )  # fmt: skip


class _Batches:
    """Data of any kind, as batches.

    Parameters
    ----------
    data : iterable
        A DataIter, a DataLoader, or anything that yields arrays, or lists of them.

    Attributes
    ----------
    shapes : list of tuple of int
        Of the arrays of a batch.
    """

    def __init__(self, data: Iterable[Any]) -> None:
        self._data = data
        if isinstance(data, (NDArray, onp.ndarray)):
            raise ArgumentKindError(self._told(f"is an array of shape {tuple(data.shape)}"))
        try:
            first = next(iter(self))
        except TypeError as error:
            raise ArgumentKindError(self._told(f"is a {type(data).__name__}")) from error
        except StopIteration:
            msg = "quantize_net: calib_data has no batches. Expected some. Pass other data."
            raise InvalidArgumentError(msg) from None
        strange = next((each for each in first.data or () if not isinstance(each, NDArray)), None)
        if strange is not None:
            raise ArgumentKindError(self._told(f"has batches of {type(strange).__name__}"))
        self.shapes = [array.shape for array in first.data or ()]

    def _told(self, what: str) -> str:
        return (
            f"quantize_net: calib_data {what}. Expected a DataIter, or a DataLoader, of NDArrays. "
            f"Pass mx.io.NDArrayIter(data, batch_size=32)."
        )

    def __iter__(self) -> Iterator[DataBatch]:
        if isinstance(self._data, DataIter):
            self._data.reset()
            yield from self._data
            return
        for batch in self._data:
            arrays = list(batch) if isinstance(batch, (list, tuple)) else [batch]
            if isinstance(arrays[0], NDArray) and arrays[0].ndim > 4:  # clips are images in a row
                arrays[0] = arrays[0].reshape((-1, *arrays[0].shape[2:]))
            yield DataBatch(data=arrays)


def _run(network: HybridBlock, shapes: list[tuple[int, ...]]) -> int:
    """Run a network; return how many of the arrays it takes: labels are none of them."""
    for count in range(len(shapes), 0, -1):
        try:
            network(*(nd.zeros(shape) for shape in shapes[:count]))
        except TypeError:
            if count == 1:
                raise
            continue
        return count
    return 0


def _data_names(names: Sequence[str], params: dict[str, NDArray], count: int) -> list[str]:
    """Return the names of the data in a graph that was exported."""
    free = [name for name in names if name not in params]
    return free[:count] if count == 1 else [f"data{i}" for i in range(count)]
