"""`plot_network`: the picture of a network, drawn by graphviz."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gluonish.errors import SymbolTypeError
from gluonish.errors.tracebacks import users_level
from gluonish.symbol.graph import order
from gluonish.viz.graphs import WEIGHTS, dtypes_of, picture_of, shapes_of, symbol_of
from gluonish.viz.picture import picture_class

if TYPE_CHECKING:
    from graphviz import Digraph

    from gluonish.block import HybridBlock
    from gluonish.symbol import Symbol
    from gluonish.symbol.graph import Entry, Node

_WHERE = "plot_network"
_ATTRS = {
    "shape": "box", "fixedsize": "true", "width": "1.3", "height": "0.8034", "style": "filled",
}  # fmt: skip
_VARIABLE, _OTHER = "#8dd3c7", "#fccde5"
_COLOURS = {
    "weights": "#fb8072", "statistics": "#bebada", "activation": "#ffffb3", "pooling": "#80b1d3",
    "shape": "#fdb462",
}  # fmt: skip


def plot_network(
    symbol: Symbol | HybridBlock,
    title: str = "plot",
    save_format: str = "pdf",
    shape: Mapping[str, tuple[int, ...]] | None = None,
    dtype: Mapping[str, Any] | None = None,
    node_attrs: Mapping[str, str] | None = None,
    hide_weights: bool = True,
) -> Digraph:
    """Return the picture of a network, which notebooks show.

    It needs the package graphviz (`pip install 'gluonish[viz]'`), and to be rendered its program
    `dot` (a package of most systems).

    Parameters
    ----------
    symbol : Symbol or HybridBlock
        The network.
    title : str, default 'plot'
        The picture's name, and that of the file which `render()` writes.
    save_format : str, default 'pdf'
        The file's format: `pdf`, `png`, `svg` and whatever graphviz knows.
    shape : dict of str to tuple of int, optional
        Shapes of the inputs by name; edges are then labelled with shapes, less the batch.
    dtype : dict of str to str, optional
        Dtypes of the inputs by name; edges are then labelled with dtypes.
    node_attrs : dict of str to str, optional
        Attributes of graphviz's nodes, in place of the default ones.
    hide_weights : bool, default True
        Whether weights, biases and the like are left out.

    Returns
    -------
    graphviz.Digraph
        The picture: `source` is its text, `render('file')` writes it, notebooks show it.

    Raises
    ------
    MissingExtraError
        graphviz is not installed.
    SymbolTypeError
        What was given is no network, or shapes are not given by name.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.sym.FullyConnected(mx.sym.var('data'), num_hidden=10, name='fc')
    >>> picture = mx.viz.plot_network(net, shape={'data': (1, 784)})  # doctest: +SKIP
    >>> picture.render('network')  # doctest: +SKIP
    'network.pdf'
    """
    symbol = symbol_of(symbol, "symbol must be a Symbol")
    given = _attributes(node_attrs)
    cls = picture_class()
    nodes = order(symbol.entries)
    labels = _edge_labels(symbol, shape, dtype)
    _warn_of_repeated_names(nodes)
    picture: Digraph = cls(name=title, format=save_format)
    picture.keeps_sizes = "fixedsize" in given
    for node in nodes:
        if not (node.is_variable and node.name.endswith(WEIGHTS)):
            attrs = _ATTRS | ({"shape": "oval"} if node.is_variable else {}) | given
            label, colour = _appearance(node)
            picture.node(name=node.name, label=label, fillcolor=colour, **attrs)
    for node in nodes:
        for entry in node.inputs:
            other = entry.node
            if hide_weights and other.is_variable and other.name.endswith(WEIGHTS):
                continue
            picture.edge(
                tail_name=node.name,
                head_name=other.name,
                label=labels.get(entry, ""),
                dir="back",
                arrowtail="open",
            )
    return picture


def _attributes(given: object) -> dict[str, str]:
    if given is None or isinstance(given, Mapping):
        return dict(given or {})
    msg = (
        f"{_WHERE}: node_attrs={given!r} was given. Expected a dictionary of graphviz's "
        f"attributes. Write node_attrs={{'shape': 'oval'}}."
    )
    raise SymbolTypeError(msg)


def _appearance(node: Node) -> tuple[str, str]:
    """Return a node's label and colour."""
    if node.op is None:
        return node.name, _VARIABLE
    picture = picture_of(node)
    label = str(node.arguments().get("op_type", node.name))  # a user's own operator has that
    if picture.label is not None:
        label = f"{node.file_name}\n{picture.label(node.params)}"
    return label, _COLOURS.get(picture.family, _OTHER)


def _product(sizes: object) -> str:
    return "x".join(map(str, sizes)) if isinstance(sizes, (list, tuple)) else str(sizes)


def _edge_labels(symbol: Symbol, shape: object, dtype: object) -> dict[Entry, str]:
    labels: dict[Entry, str] = {}
    if shape is not None:
        for entry, lengths in shapes_of(symbol, shape, _WHERE).items():
            labels[entry] = _product(lengths[1:])
    if dtype is not None:
        for entry, kind in dtypes_of(symbol, dtype, _WHERE).items():
            labels[entry] = f"{labels.get(entry, '')}({kind.__name__})"
    return labels


def _warn_of_repeated_names(nodes: list[Node]) -> None:
    repeated = [name for name, count in Counter(node.name for node in nodes).items() if count > 1]
    if repeated:
        warnings.warn(
            f"There are multiple variables with the same name in your graph, this may result in "
            f"cyclic graph. Repeated names: {', '.join(repeated)}",
            RuntimeWarning,
            stacklevel=users_level(),
        )
