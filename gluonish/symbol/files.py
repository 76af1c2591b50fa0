"""Saves Symbols to MXNet's files and loads them: `mx.sym.save`, `load`, `load_json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.errors import FileFormatError, SymbolTypeError
from gluonish.serialization.files import open_source, path_text
from gluonish.symbol.reading import from_json
from gluonish.symbol.symbol import Symbol

if TYPE_CHECKING:
    from gluonish.serialization.files import PathLike


def save(fname: PathLike, symbol: Symbol, remove_amp_cast: bool = True) -> None:
    """Write a Symbol to a file; see `Symbol.save`.

    Examples
    --------
    >>> import os, tempfile
    >>> import gluonish as mx
    >>> path = os.path.join(tempfile.mkdtemp(), 'net-symbol.json')
    >>> mx.sym.save(path, mx.sym.exp(mx.sym.var('x'), name='e'))
    >>> mx.sym.load(path)
    <Symbol e>
    """
    symbol.save(fname, remove_amp_cast)


def load(fname: PathLike) -> Symbol:
    """Return the Symbol that a file holds, written by gluonish or any version of MXNet 1.

    Parameters
    ----------
    fname : str or os.PathLike
        The file, or a URL.

    Raises
    ------
    MissingFileError
        There is no such file.
    FileFormatError
        It holds no graph, or a damaged one.
    UnknownOperatorError
        The graph has operators that are not known; all of them are named.

    Examples
    --------
    See `save`.
    """
    with open_source(fname) as source:
        return Symbol(from_json(source.stream.read(), path_text(fname)))


def load_json(json_str: Any) -> Symbol:
    """Return the Symbol that a text describes.

    Parameters
    ----------
    json_str : str
        What `Symbol.tojson` returned.

    Raises
    ------
    SymbolTypeError
        It is no text.
    FileFormatError
        It is no graph, or a damaged one.
    UnknownOperatorError
        The graph has operators that are not known; all of them are named.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.sym.load_json((mx.sym.var('x') * 2).tojson()).list_arguments()
    ['x']
    """
    if not isinstance(json_str, str):
        msg = (
            f"fromjson: {type(json_str).__name__} was given. Expected a str, fromjson required "
            f"string. Read a file with mx.sym.load."
        )
        raise SymbolTypeError(msg)
    if json_str.lstrip()[:1] != "{" and json_str.endswith(".json"):
        msg = (
            f"load_json: {json_str!r} was given, the name of a file. Expected a graph's text. "
            f"Write mx.sym.load({json_str!r})."
        )
        raise FileFormatError(msg)
    return Symbol(from_json(json_str))
