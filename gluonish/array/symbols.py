"""How Symbols are known by those who need not import the room of graphs for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from gluonish.symbol import Symbol


class Composed:
    """What Symbols are, and nothing else is."""

    __slots__ = ()


def is_symbol(value: object) -> TypeIs[Symbol]:
    """Return whether something is a Symbol.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.array.symbols import is_symbol
    >>> is_symbol(mx.sym.var('x')), is_symbol(mx.nd.ones(2))
    (True, False)
    """
    return isinstance(value, Composed)
