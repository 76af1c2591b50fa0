"""Bases of the array classes, by which type checkers know what the op table adds to them."""

from __future__ import annotations


class NDFluent:
    """Operators and fluent methods of `NDArray`; the front end `nd` puts them into the class."""

    __slots__ = ()


class NumpyFluent:
    """Operators and fluent methods of `np.ndarray`; the front end `np` puts them in."""

    __slots__ = ()
