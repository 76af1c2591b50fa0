"""Checks of what optimizers are made with."""

from __future__ import annotations

import inspect
import math
from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.array.core import NDArray
from gluonish.errors import DTypeError, InvalidArgumentError, MXNetError
from gluonish.errors.arguments import unknown_keywords

if TYPE_CHECKING:
    from collections.abc import Mapping

_GUISES = (NDArray, onp.ndarray, onp.generic, str)  # of numbers, where MXNet takes them


def check_rate(where: str, rate: object) -> None:
    """Refuse a learning rate that is no number; schedules and tests may use any number.

    Raises
    ------
    InvalidArgumentError
        It is not a number in the sense of floating-point arithmetic.
    DTypeError
        It is text or the like.

    Examples
    --------
    >>> from gluonish.optimizer.hyperparameters import check_rate
    >>> check_rate('SGD', 0.1)
    """
    try:
        is_nan = math.isnan(rate)  # type: ignore[arg-type]
    except TypeError as error:
        msg = (
            f"{where}: learning_rate={rate!r} was given, a {type(rate).__name__}. Expected a "
            f"number. Pass for example learning_rate=0.1."
        )
        raise DTypeError(msg) from error
    if is_nan:
        msg = (
            f"{where}: learning_rate={rate!r} was given. Expected a number, which nan is not: "
            f"every weight would become nan. Look for a division by zero where it is computed."
        )
        raise InvalidArgumentError(msg)


def make_plain(optimizer: object) -> None:
    """Turn arrays of one element and text among an optimizer's arguments into Python's numbers.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.optimizer.hyperparameters import make_plain
    >>> sgd = mx.optimizer.SGD(momentum=mx.np.array(0.5), clip_gradient='inf')
    >>> make_plain(sgd)
    >>> sgd.momentum, sgd.clip_gradient
    (0.5, inf)
    """
    settings = vars(optimizer)
    strange = [name for name, value in settings.items() if isinstance(value, _GUISES)]
    if strange:
        for name in _arguments(type(optimizer)).intersection(strange):
            settings[name] = _number(settings[name])


def _number(value: Any) -> Any:
    """Return the number that an array of one element or text is; other values as they are."""
    try:
        return float(value) if isinstance(value, str) else value.item()
    except ValueError:
        return value


def unknown_hyperparameter(
    kind: type, name: str, given: Mapping[str, Any], error: TypeError
) -> TypeError:
    """Return the error for an optimizer that does not take an argument.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.optimizer.hyperparameters import unknown_hyperparameter
    >>> told = unknown_hyperparameter(mx.optimizer.SGD, 'sgd', {'lr': 1}, TypeError('no lr'))
    >>> print(str(told)[-29:])
    Did you mean 'learning_rate'?
    """
    if isinstance(error, MXNetError):
        return error
    known = sorted(_arguments(kind))
    unknown = [key for key in given if key not in known]
    if not unknown:
        msg = f"optimizer {name!r}: {error}. Expected some of {', '.join(known)}. Check them."
        return DTypeError(msg)
    return unknown_keywords([kind.__name__], {key: given[key] for key in unknown}, known)


def _arguments(kind: type) -> set[str]:
    """Return the names that the constructors of a class and its bases take."""
    found: set[str] = set()
    for each in kind.__mro__[:-1]:
        if "__init__" in vars(each):
            parameters = inspect.signature(vars(each)["__init__"]).parameters.values()
            by_name = [one.name for one in parameters if one.kind is not one.VAR_KEYWORD]
            found.update(by_name[1:])
    return found
