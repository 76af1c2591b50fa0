"""Bases of the classes of Symbols, by which type checkers know their operators and methods."""

from __future__ import annotations


class SymbolFluent:
    """Operators and fluent methods of `Symbol`; the front end `sym` puts them into the class."""

    __slots__ = ()


class NumpySymbolFluent:
    """Operators and fluent methods of `sym.np._Symbol`; the front end `sym` puts them in."""

    __slots__ = ()
