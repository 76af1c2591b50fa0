"""What becomes of keywords that an operator does not have, as MXNet decides it."""

from __future__ import annotations

import logging
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as onp

from gluonish.array.dtypes import torch_dtype
from gluonish.base import NOT_GIVEN
from gluonish.errors import DTypeError, UnknownArgumentError, UnsupportedOptionError
from gluonish.errors.arguments import meant
from gluonish.errors.tracebacks import users_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gluonish.ops.table import Op

_PYTHONS = ("nothing", "where")  # what functions that MXNet has in Python pass over

_LIKE = ("fix", "isneginf", "isposinf")  # which have the keywords of universal functions, too
_DEFAULTS = {"where": True, "subok": True, "dtype": None, "order": "K", "casting": "same_kind"}
_CASTINGS = ("no", "equiv", "safe", "unsafe")

_log = logging.getLogger("gluonish.ops")

Loose: TypeAlias = Literal["everything", "hidden", "nothing", "where"]
"""The keywords that are passed over; `hidden` are those between two underscores at each end,
`where` are those of NumPy's universal functions, which take `out` by position, too."""


def is_hidden(key: str) -> bool:
    """Return whether a keyword is an attribute of nodes, and no argument of an operator.

    Examples
    --------
    >>> from gluonish.ops.table.loose_keywords import is_hidden
    >>> is_hidden('__lr_mult__'), is_hidden('num_hidden')
    (True, False)
    """
    return len(key) > 4 and key.startswith("__") and key.endswith("__")


def loose(op: Op, space: str, path: str) -> Loose:
    """Return which keywords a front end's function passes over.

    MXNet reads the keywords of an operator into its parameters, and refuses others; where it has
    none it reads nothing. Functions that it has in Python, nearly all of `np` and the methods of
    its arrays among them, have Python's signatures.

    Examples
    --------
    >>> from gluonish.ops.table.graph_names import find
    >>> from gluonish.ops.table.loose_keywords import loose
    >>> loose(find('exp').op, 'nd', 'exp'), loose(find('sum').op, 'nd', 'sum')
    ('everything', 'hidden')
    >>> loose(find('exp').op, 'np', 'exp'), loose(find('sum').op, 'np', 'sum')
    ('where', 'nothing')
    """
    if space == "np" and (path in _LIKE or isinstance(getattr(onp, path, None), onp.ufunc)):
        return "where"
    file = op.files.get((space, path), "")
    is_python = path in op.functions or (
        space.startswith("np") and space != "npx" and not file.startswith("_np_")
    )
    if is_python:
        return "nothing"
    return "everything" if reads_none(op) else "hidden"


def reads_none(op: Op) -> bool:
    """Return whether MXNet's operator reads no keywords, and so passes over all of them."""
    if op.is_loose is not None:
        return op.is_loose
    return {*op.inputs, "out"}.issuperset(op.parameters) and not op.is_variadic


def with_out(
    op: Op, args: tuple[Any, ...], kwargs: Mapping[str, Any], kind: Loose
) -> dict[str, Any] | None:
    """Return keywords with the `out` that follows a universal function's inputs, if one does."""
    if kind != "where" or len(args) != len(op.inputs) + 1 or "out" in kwargs:
        return None
    return {**kwargs, "out": args[-1]}


def without_loose(
    op: Op, path: str, kwargs: Mapping[str, Any], kind: Loose
) -> dict[str, Any] | None:
    """Return the keywords that an operator has; None if none of those given is passed over.

    Keywords that are `NOT_GIVEN` are, and `dtype=None`, with which NumPy calls methods.
    """
    parameters = op.signature.parameters
    passed = [
        key
        for key, value in kwargs.items()
        if value is NOT_GIVEN or (value is None and key == "dtype" and key not in parameters)
    ]
    extra = [key for key in kwargs if key not in parameters]
    if kind in _PYTHONS or any(each.kind is each.VAR_KEYWORD for each in parameters.values()):
        extra = []
    passed += [key for key in extra if kind == "everything" or is_hidden(key)]
    if kind == "where":
        own = [key for key in kwargs if key in _DEFAULTS and key not in (*parameters, *passed)]
        for key in own:
            _require_default(path, key, kwargs[key])
        passed += own
    for key in passed:
        is_told = kind != "where" and not is_hidden(key)
        if is_told and kwargs[key] is not NOT_GIVEN and kwargs[key] is not None:
            tell(path, key, tuple(parameters))
    return {key: value for key, value in kwargs.items() if key not in passed} if passed else None


def _require_default(path: str, key: str, value: Any) -> None:  # noqa: ANN401
    """Check a keyword that NumPy's universal functions have and MXNet's have for its default."""
    if value is _DEFAULTS[key] or (isinstance(value, str) and value == _DEFAULTS[key]):
        return
    given = f"np.{path}: {key}={value!r} was given"
    if key == "dtype":
        try:
            torch_dtype(value)
        except DTypeError as error:
            error.add_note(f"{given}. dtype {value} not understood. Leave it out.")
            raise
    elif key == "casting" and value not in _CASTINGS:
        msg = f"{given}. casting {value} not understood. Expected 'same_kind'. Leave it out."
        raise UnknownArgumentError(msg)
    msg = (
        f"{given}, which is not implemented yet, as in MXNet. Expected the default, "
        f"{_DEFAULTS[key]!r}. Leave it out."
    )
    raise UnsupportedOptionError(msg)


@cache
def tell(path: str, key: str, known: tuple[str, ...]) -> None:
    """Log, once, that a function passes over a keyword; `known` are those that it has."""
    names = [each for each in known if each not in ("name", "ctx")]
    _log.warning(
        "%s: %s: %s=... was given, and is passed over, as in MXNet. Expected %s(%s).%s",
        users_line(),
        path,
        key,
        path,
        ", ".join(names),
        meant([path], [key], names, is_one=True) or " Leave it out.",
    )
