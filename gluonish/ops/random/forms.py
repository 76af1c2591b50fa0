"""Chooses among the operators that `sym.random` stands for: numbers and arrays have their own."""

from __future__ import annotations

from typing import Any

from gluonish.errors import SymbolNameError

# What the operators that draw for arrays call arguments of `sym.random`.
_FOR_ARRAYS = {"normal": {"loc": "mu", "scale": "sigma"}, "exponential": {"scale": "lam"}}
_INPUTS = ("low", "high", "loc", "scale", "lam", "alpha", "beta", "mu", "k", "p", "sigma", "data")


def drawn(
    path: str, arguments: dict[str, Any], has_arrays: bool
) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Return the path of an operator, and its array inputs and other arguments.

    Parameters
    ----------
    path : str
        `random.` and the distribution.
    arguments : dict
        What was given.
    has_arrays : bool
        Whether there are Symbols among them.

    Raises
    ------
    SymbolNameError
        Symbols and numbers are mixed.

    Examples
    --------
    >>> from gluonish.ops.random.forms import drawn
    >>> drawn('random.exponential', {'scale': 2, 'shape': 3}, False)
    ('_internal._random_exponential', {}, {'shape': 3, 'lam': 0.5})
    """
    name = path.removeprefix("random.")
    if name in ("shuffle", "multinomial") or "pdf" in name or "_like" in name:
        given = {key: arguments[key] for key in arguments if key in ("data", "sample")}
        rest = {key: value for key, value in arguments.items() if key not in given}
        return path, given, rest
    if name == "randn":
        name = "normal"
    given = {key: value for key, value in arguments.items() if key in _INPUTS}
    rest = {key: value for key, value in arguments.items() if key not in given}
    if name == "exponential" and "scale" in given:
        given = {"lam": 1.0 / given["scale"]}
    if not has_arrays:
        return f"_internal._random_{name}", {}, rest | given
    numbers = [key for key, value in given.items() if isinstance(value, (int, float))]
    if numbers:
        msg = (
            f"{path}: numbers were given for {', '.join(numbers)}, and Symbols besides. Expected "
            f"all of them as Symbols, or all as numbers."
        )
        raise SymbolNameError(msg)
    names = _FOR_ARRAYS.get(name, {})
    return f"_internal._sample_{name}", {names.get(k, k): v for k, v in given.items()}, rest
