"""Shows Symbols as pictures in notebooks."""

from __future__ import annotations

import warnings

from gluonish.symbol import Symbol
from gluonish.symbol.graph import order
from gluonish.viz.network import plot_network
from gluonish.viz.picture import can_draw

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


def install() -> None:
    """Have notebooks show the pictures of Symbols."""
    Symbol._repr_svg_ = picture_of  # type: ignore[attr-defined]
