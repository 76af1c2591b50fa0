"""Quantizes graphs with their parameters."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from gluonish import ndarray as nd
from gluonish.context import Context, cpu
from gluonish.contrib.quantization.collecting import (
    LayerHistogramCollector,
    LayerOutputMinMaxCollector,
    best_thresholds,
)
from gluonish.contrib.quantization.graphs import Wishes, calibrated, quantized
from gluonish.errors import InvalidArgumentError, SymbolTypeError
from gluonish.io import DataIter
from gluonish.symbol import Symbol, load as load_symbol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gluonish.contrib.quantization.collecting import Collector
    from gluonish.ndarray import NDArray

    Params = dict[str, NDArray]

_HERE, _CALIB = "quantization", "calib_graph"
_DTYPES = ("int8", "uint8", "auto")
_MODES = ("full", "smart")
_GRANULARITIES = ("tensor-wise", "channel-wise")
_CALIBRATIONS = ("none", "naive", "entropy")


def quantize_graph(
    sym: str | Symbol,
    arg_params: Mapping[str, NDArray],
    aux_params: Mapping[str, NDArray],
    ctx: Context | None = None,
    excluded_sym_names: list[str] | None = None,
    excluded_op_names: list[str] | None = None,
    calib_mode: str | None = "entropy",
    quantized_dtype: str = "int8",
    quantize_mode: str = "full",
    quantize_granularity: str = "tensor-wise",
    LayerOutputCollector: Collector | None = None,  # noqa: N803 - MXNet's name
    logger: logging.Logger | None = None,
) -> tuple[Symbol, Params, Params, Collector | None]:
    """Quantize a graph, whose ranges are then collected and given to `calib_graph`.

    Parameters
    ----------
    sym : Symbol or str
        The graph, or the file it is in.
    arg_params, aux_params : dict of str to NDArray
        Its parameters.
    ctx : Context, optional
        Where it runs; the CPU by default.
    excluded_sym_names : list of str, optional
        Names of the nodes that stay as they are, or of parts of fused ones.
    excluded_op_names : list of str, optional
        Operators that stay as they are, as files call them.
    calib_mode : {'entropy', 'naive', 'customize', 'none'}, default 'entropy'
        Which collector is returned: for histograms, for ranges, `LayerOutputCollector`, or none.
    quantized_dtype : {'int8', 'uint8', 'auto'}, default 'int8'
        What data becomes; `'auto'` takes uint8 where there are no negative numbers.
    quantize_mode : {'full', 'smart'}, default 'full'
        Whether all operators are quantized that can be, or those that pay, and what is between.
    quantize_granularity : {'tensor-wise', 'channel-wise'}, default 'tensor-wise'
        Whether dense layers have one range for their weights, or one for each output. Convolutions
        that are a node with what follows them have one for each output in any case.
    LayerOutputCollector : object, optional
        A collector of one's own: its `collect(name, array)` is called with each output, its
        `min_max_dict` has the ranges afterwards.
    logger : logging.Logger, optional
        Told what happens.

    Returns
    -------
    Symbol
        The quantized graph.
    dict of str to NDArray
        Its arguments.
    dict of str to NDArray
        Its auxiliary states.
    object or None
        The collector: its `collect` is for `set_monitor_callback` of an Executor.

    Raises
    ------
    InvalidArgumentError
        An argument is none of those.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.sym.FullyConnected(mx.sym.var('data'), num_hidden=2, no_bias=True, name='fc')
    >>> args = {'fc_weight': mx.nd.array([[1, 2], [3, -4]])}
    >>> found, params, _, _ = mx.contrib.quantization.quantize_graph(net, args, {})
    >>> print(params['fc_weight_quantize'].asnumpy())
    [[  32   64]
     [  95 -127]]
    """
    symbol = _loaded(sym)
    check_words(calib_mode, quantized_dtype, quantize_mode, quantize_granularity, own=True)
    _check_ctx(ctx)
    wishes = Wishes(
        _names("excluded_sym_names", excluded_sym_names),
        _names("excluded_op_names", excluded_op_names),
        [*arg_params],
        quantized_dtype,
        quantize_mode == "full",
        quantize_granularity == "channel-wise",
    )
    if logger is not None:
        logger.info("Quantizing symbol")
    result, wanted = quantized(symbol, wishes)
    collector: Collector | None = None
    if calib_mode == "entropy":
        collector = LayerHistogramCollector(include_layer=wanted, logger=logger)
    elif calib_mode == "naive":
        collector = LayerOutputMinMaxCollector(quantized_dtype, wanted, logger)
    elif calib_mode == "customize":
        if LayerOutputCollector is None:
            msg = (
                "quantize_graph: calib_mode='customize' was given without a collector. Expected "
                "an object with collect(name, array) and min_max_dict. Pass it as "
                "LayerOutputCollector."
            )
            raise InvalidArgumentError(msg)
        collector = LayerOutputCollector
    return result, quantized_params(result, arg_params), dict(aux_params), collector


def calib_graph(
    qsym: str | Symbol,
    arg_params: Mapping[str, NDArray],
    aux_params: Mapping[str, NDArray],
    collector: Any,  # a user's
    calib_mode: str = "entropy",
    quantized_dtype: str = "int8",
    logger: logging.Logger | None = logging,  # type: ignore[assignment]
) -> tuple[Symbol, Params, Params]:
    """Give a quantized graph the ranges that a collector has found.

    Parameters
    ----------
    qsym : Symbol or str
        What `quantize_graph` returned.
    arg_params, aux_params : dict of str to NDArray
        The parameters, as they were before quantization.
    collector : object
        The collector.
    calib_mode : {'entropy', 'naive', 'customize'}, default 'entropy'
        Whether ranges are chosen from histograms, or are those that occurred.
    quantized_dtype : {'int8', 'uint8', 'auto'}, default 'int8'
        As for `quantize_graph`.
    logger : logging.Logger, optional
        Told what happens.

    Returns
    -------
    Symbol
        The quantized graph.
    dict of str to NDArray
        Its arguments.
    dict of str to NDArray
        Its auxiliary states.

    Raises
    ------
    InvalidArgumentError
        An argument is none of those.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.sym.FullyConnected(mx.sym.var('data'), num_hidden=2, no_bias=True, name='fc')
    >>> args = {'fc_weight': mx.nd.array([[1, 2], [3, -4]])}
    >>> found, _, _, collector = mx.contrib.quantization.quantize_graph(
    ...     net, args, {}, calib_mode='naive')
    >>> collector.collect('data', mx.nd.array([[0.5, -1]]))
    >>> collector.collect('fc_output', mx.nd.array([[-1.5, 5.5]]))
    >>> found, params, _ = mx.contrib.quantization.calib_graph(
    ...     found, args, {}, collector, calib_mode='naive')
    >>> result = found.eval(data=mx.nd.array([[0.5, -1]]), **params)[0]
    >>> print(result.asnumpy().round(1))
    [[-1.5  5.5]]
    """
    symbol = _loaded(qsym)
    if calib_mode == "entropy":
        thresholds = best_thresholds(collector.hist_dict, quantized_dtype, logger)
    elif calib_mode in ("naive", "customize"):
        thresholds = collector.min_max_dict
    else:
        known = ("entropy", "naive", "customize")
        raise _unknown(_CALIB, "calib_mode", calib_mode, known)
    symbol = calibrated(symbol, thresholds)
    return symbol, quantized_params(symbol, arg_params), dict(aux_params)


def quantize_model(
    sym: str | Symbol,
    arg_params: Mapping[str, NDArray],
    aux_params: Mapping[str, NDArray],
    data_names: Sequence[str] = ("data",),
    label_names: Sequence[str] | None = ("softmax_label",),
    ctx: Context | None = None,
    excluded_sym_names: list[str] | None = None,
    excluded_op_names: list[str] | None = None,
    calib_mode: str | None = "entropy",
    calib_data: DataIter | None = None,
    num_calib_examples: int | None = None,
    quantized_dtype: str = "int8",
    quantize_mode: str = "smart",
    quantize_granularity: str = "tensor-wise",
    logger: logging.Logger | None = None,
) -> tuple[Symbol, Params, Params]:
    """Quantize a graph, operator by operator.

    Parameters
    ----------
    sym : Symbol or str
        The graph, or the file it is in.
    arg_params, aux_params : dict of str to NDArray
        Its parameters.
    data_names : sequence of str, default ('data',)
        Names of the data.
    label_names : sequence of str, optional
        Names of the labels, which calibration does not need.
    ctx : Context, optional
        Where it is calibrated; the CPU by default.
    excluded_sym_names : list of str, optional
        Names of the nodes that stay as they are, or of parts of fused ones.
    excluded_op_names : list of str, optional
        Operators that stay as they are, as files call them.
    calib_mode : {'entropy', 'naive', 'none'}, default 'entropy'
        How ranges are chosen: from histograms, those that occur, or anew for each batch.
    calib_data : DataIter, optional
        The data for that.
    num_calib_examples : int, optional
        How many examples are used at least; by default all.
    quantized_dtype : {'int8', 'uint8', 'auto'}, default 'int8'
        What data becomes; `'auto'` takes uint8 where there are no negative numbers.
    quantize_mode : {'full', 'smart'}, default 'smart'
        Whether all operators are quantized that can be, or those that pay, and what is between.
    quantize_granularity : {'tensor-wise', 'channel-wise'}, default 'tensor-wise'
        Whether dense layers have one range for their weights, or one for each output; the latter
        for layers that are one node, see `quantize_model_mkldnn`.
    logger : logging.Logger, optional
        Told what happens.

    Returns
    -------
    Symbol
        The quantized graph.
    dict of str to NDArray
        Its arguments.
    dict of str to NDArray
        Its auxiliary states.

    Raises
    ------
    InvalidArgumentError
        An argument is none of those, or data for calibration is missing.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.sym.FullyConnected(mx.sym.var('data'), num_hidden=2, no_bias=True, name='fc')
    >>> args = {'fc_weight': mx.nd.array([[1, 2], [3, -4]])}
    >>> found, params, _ = mx.contrib.quantization.quantize_model(net, args, {}, calib_mode='none')
    >>> result = found.eval(data=mx.nd.array([[0.5, -1]]), **params)[0]
    >>> (abs(result - mx.nd.array([[-1.5, 5.5]])) < 0.2).asnumpy().all().item()
    True
    """
    del label_names
    symbol = _loaded(sym)
    check_words(calib_mode, quantized_dtype, quantize_mode, quantize_granularity)
    result, args, aux, collector = quantize_graph(
        symbol, arg_params, aux_params, ctx, excluded_sym_names, excluded_op_names, calib_mode,
        quantized_dtype, quantize_mode, quantize_granularity, None, logger,
    )  # fmt: skip
    if collector is None:
        return result, args, aux
    if not isinstance(calib_data, DataIter):
        msg = (
            f"quantize_model: calib_data={calib_data!r} was given with calib_mode={calib_mode!r}. "
            f"Expected a DataIter over data like those that the model will see. Pass calib_data="
            f"mx.io.NDArrayIter(array, batch_size=32), or calib_mode='none'."
        )
        raise InvalidArgumentError(msg)
    params = {**arg_params, **aux_params}
    collect(symbol, params, calib_data, collector, data_names, ctx, num_calib_examples, logger)
    return calib_graph(
        result, arg_params, aux_params, collector, str(calib_mode), quantized_dtype, logger
    )


def quantize_model_mkldnn(
    sym: str | Symbol,
    arg_params: Mapping[str, NDArray],
    aux_params: Mapping[str, NDArray],
    data_names: Sequence[str] = ("data",),
    label_names: Sequence[str] | None = ("softmax_label",),
    ctx: Context | None = None,
    excluded_sym_names: list[str] | None = None,
    excluded_op_names: list[str] | None = None,
    calib_mode: str | None = "entropy",
    calib_data: DataIter | None = None,
    num_calib_examples: int | None = None,
    quantized_dtype: str = "int8",
    quantize_mode: str = "smart",
    quantize_granularity: str = "tensor-wise",
    logger: logging.Logger | None = None,
) -> tuple[Symbol, Params, Params]:
    """Quantize a graph whose layers become one node each, which is fast and accurate.

    Parameters
    ----------
    sym, arg_params, aux_params, data_names, label_names, ctx, excluded_sym_names, \
excluded_op_names, calib_mode, calib_data, num_calib_examples, quantized_dtype, quantize_mode, \
quantize_granularity, logger
        As for `quantize_model`. Layers are called `sg_mkldnn_conv_bn_act_0` or
        `sg_mkldnn_fully_connected_0`, for example, their operators `_sg_mkldnn_conv` and
        `_sg_mkldnn_fully_connected`.

    Returns
    -------
    Symbol
        The quantized graph.
    dict of str to NDArray
        Its arguments.
    dict of str to NDArray
        Its auxiliary states.

    Raises
    ------
    InvalidArgumentError
        An argument is none of those, data for calibration is missing, or `ctx` is no CPU.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.sym.FullyConnected(mx.sym.var('data'), num_hidden=2, no_bias=True, name='fc')
    >>> args = {'fc_weight': mx.nd.array([[1, 2], [3, -4]])}
    >>> data = mx.io.NDArrayIter(mx.nd.array([[0.5, -1]]))
    >>> found, params, _ = mx.contrib.quantization.quantize_model_mkldnn(
    ...     net, args, {}, calib_mode='naive', calib_data=data)
    >>> result = found.eval(data=mx.nd.array([[0.5, -1]]), **params)[0]
    >>> print(result.asnumpy().round(1))
    [[-1.5  5.5]]
    """
    _check_ctx(ctx)
    if ctx is not None and ctx.device_type != "cpu":
        msg = (
            f"quantize_model_mkldnn: ctx={ctx!r} was given. Expected a CPU. Use quantize_model, or "
            f"leave ctx out."
        )
        raise InvalidArgumentError(msg)
    symbol = _loaded(sym).get_backend_symbol("MKLDNN_QUANTIZE")
    result, args, aux = quantize_model(
        symbol, arg_params, aux_params, data_names, label_names, ctx, excluded_sym_names,
        excluded_op_names, calib_mode, calib_data, num_calib_examples, quantized_dtype,
        quantize_mode, quantize_granularity, logger,
    )  # fmt: skip
    return result.get_backend_symbol("MKLDNN_QUANTIZE"), args, aux


def collect(
    symbol: Symbol,
    params: Mapping[str, NDArray],
    data: Iterable[Any],
    collector: Collector,
    names: Sequence[str],
    ctx: Context | None = None,
    most: int | None = None,
    logger: logging.Logger | None = None,
) -> None:
    """Show a collector each output of a graph for batches of data."""
    ctx = ctx or cpu()
    executor: Any = None
    examples = batches = 0
    for batch in data:
        arrays = [array.as_in_context(ctx) for array in batch.data]
        values = dict(zip(names, arrays, strict=False))
        shapes = {name: array.shape for name, array in values.items()}
        if executor is None or any(executor.arg_dict[n].shape != s for n, s in shapes.items()):
            executor = symbol.simple_bind(ctx, grad_req="null", **shapes)
            executor.copy_params_from(params, params, allow_extra_params=True)
            executor.set_monitor_callback(collector.collect, monitor_all=True)
        executor.forward(is_train=False, **values)
        batches += 1
        examples += len(arrays[0])
        if most is not None and examples >= most:
            break
    if logger is not None:
        logger.info("Collected statistics from %d batches of %d examples", batches, examples)


def quantized_params(symbol: Symbol, params: Mapping[str, NDArray]) -> Params:
    """Return the arguments of a quantized graph."""
    found: Params = {}
    for name in symbol.list_arguments():
        if name in params:
            found[name] = params[name]
        elif name.endswith("_quantize") and (original := name.removesuffix("_quantize")) in params:
            array = params[original]
            parts = nd.contrib.quantize(array, array.min(), array.max(), out_type="int8")
            for suffix, part in zip(("", "_min", "_max"), parts, strict=True):
                found[name + suffix] = part
    return found


def _loaded(sym: object) -> Symbol:
    if isinstance(sym, str):
        return load_symbol(sym)
    if not isinstance(sym, Symbol):
        msg = (
            f"sym is a {type(sym).__name__}. Expected a Symbol, or the name of a file. Pass "
            f"net(mx.sym.var('data')) for a network."
        )
        raise SymbolTypeError(msg)
    return sym


def check_words(
    calib_mode: str | None, dtype: str, mode: str, granularity: str, *, own: bool = False
) -> None:
    """Check the words that choose how a model is quantized.

    Raises
    ------
    InvalidArgumentError
        There is no such word.
    """
    choices = (
        ("calib_mode", calib_mode or "none", _CALIBRATIONS + (("customize",) if own else ())),
        ("quantized_dtype", dtype, _DTYPES),
        ("quantize_mode", mode, _MODES),
        ("quantize_granularity", granularity, _GRANULARITIES),
    )
    for name, word, known in choices:
        if word not in known:
            raise _unknown(_HERE, name, word, known)


def _unknown(where: str, name: str, word: object, known: Sequence[str]) -> InvalidArgumentError:
    how = "Pass one of them."
    if name == "calib_mode" and isinstance(word, str):
        how = (
            "'naive' takes the least and greatest values of the data, 'entropy' the limits that "
            "lose least."
        )
    msg = (
        f"{where}: {name}={word!r} was given. Expected one of {', '.join(map(repr, known))}. {how}"
    )
    return InvalidArgumentError(msg)


def _names(argument: str, names: object) -> list[str]:
    if names is None:
        return []
    if not isinstance(names, list):
        msg = (
            f"quantization: {argument}={names!r} was given. Expected a list of names. Put it into "
            f"brackets."
        )
        raise InvalidArgumentError(msg)
    return names


def _check_ctx(ctx: object) -> None:
    if ctx is not None and not isinstance(ctx, Context):
        msg = f"quantization: ctx={ctx!r} was given. Expected one Context. Pass mx.cpu()."
        raise InvalidArgumentError(msg)
