"""Shows Symbols as pictures, and arrays, parameters and Blocks as tables, in notebooks."""

from __future__ import annotations

import warnings

from gluonish.array import NDArray
from gluonish.block import Block, Parameter, ParameterDict
from gluonish.display.tables import heading, preformatted
from gluonish.metric import EvalMetric
from gluonish.symbol import Symbol
from gluonish.symbol.graph import order
from gluonish.viz import html
from gluonish.viz.network import plot_network
from gluonish.viz.picture import can_draw
from gluonish.viz.table import table

_MOST = 500  # nodes of a picture that is still of use


def picture_of(symbol: Symbol) -> str | None:
    """Return a Symbol's picture as SVG; None where text does better, or nothing can draw.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.viz.notebook import picture_of
    >>> picture_of(mx.sym.var('x')) is None
    True
    """
    nodes = order(symbol.entries)
    if len(nodes) > _MOST or all(node.is_variable for node in nodes) or not can_draw():
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of names that occur twice
        picture = plot_network(symbol, node_attrs={"fixedsize": "false"})
    return str(picture.pipe(format="svg", encoding="utf-8", quiet=True))


def table_of(symbol: Symbol) -> str | None:
    """Return a Symbol's table as HTML where there is no picture of it.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.viz.notebook import table_of
    >>> 'x' in table_of(mx.sym.var('x'))
    True
    """
    if len(order(symbol.entries)) > _MOST or picture_of(symbol) is not None:
        return None
    return preformatted(table(symbol, {}, 100, (0.44, 0.64, 0.74, 1.0)))


def metric_html(metric: EvalMetric) -> str:
    """Return what a metric says as HTML.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.viz.notebook import metric_html
    >>> metric_html(mx.metric.Accuracy())
    '<div><b>Accuracy</b> · accuracy nan</div>'
    """
    values = (f"{name} {value:.5g}" for name, value in metric.get_name_value())
    return heading(type(metric).__name__, *values)


def install() -> None:
    """Have notebooks show pictures and tables."""
    Symbol._repr_svg_ = picture_of  # type: ignore[attr-defined]
    Symbol._repr_html_ = table_of  # type: ignore[attr-defined]
    NDArray._repr_html_ = html.array_html  # type: ignore[attr-defined]
    Parameter._repr_html_ = html.parameter_html  # type: ignore[attr-defined]
    ParameterDict._repr_html_ = html.parameters_html  # type: ignore[attr-defined]
    EvalMetric._repr_html_ = metric_html  # type: ignore[attr-defined]
    Block._repr_html_ = html.block_html  # type: ignore[attr-defined]
