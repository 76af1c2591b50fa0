"""Checks of what optimizers are made with."""

from __future__ import annotations

import inspect
import math
from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.array.core import NDArray
from gluonish.array.guises import plain_number
from gluonish.errors import DTypeError, InvalidArgumentError, MXNetError
from gluonish.errors.arguments import are_parameters, unknown_keywords, value_text

if TYPE_CHECKING:
    from collections.abc import Mapping

_GUISES = (NDArray, onp.ndarray, onp.generic, str)  # of numbers, where MXNet takes them


def checked_rate(where: str, rate: object) -> float:
    """Return a learning rate as Python's number; schedules and tests may use any number.

    Raises
    ------
    InvalidArgumentError
        It is not a number in the sense of floating-point arithmetic.
    DTypeError
        It is text or the like.

    Examples
    --------
    >>> import numpy
    >>> from gluonish.optimizer.hyperparameters import checked_rate
    >>> checked_rate('SGD', numpy.float32(0.5))
    0.5
    """
    try:
        is_nan = math.isnan(rate)  # type: ignore[arg-type]
    except TypeError as error:
        msg = (
            f"{where}: learning_rate={value_text(rate)} was given, a {type(rate).__name__}. "
            f"Expected a number. {_mend(rate)}"
        )
        raise DTypeError(msg) from error
    if is_nan:
        msg = (
            f"{where}: learning_rate={rate!r} was given. Expected a number, which nan is not: "
            f"every weight would become nan. Look for a division by zero where it is computed."
        )
        raise InvalidArgumentError(msg)
    number: float = plain_number(rate)
    return number


def check_schedule(where: str, schedule: object) -> None:
    """Refuse a schedule that can't be asked for a learning rate.

    Raises
    ------
    DTypeError
        It is no function of the number of updates.

    Examples
    --------
    >>> from gluonish.optimizer.hyperparameters import check_schedule
    >>> check_schedule('SGD', None)
    """
    if schedule is None or callable(schedule):
        return
    msg = (
        f"{where}: lr_scheduler={value_text(schedule)} was given, a {type(schedule).__name__}. "
        f"Expected a schedule. Write for example "
        f"lr_scheduler=mx.lr_scheduler.CosineScheduler(max_update=1000, base_lr=0.1)."
    )
    raise DTypeError(msg)


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

    Raises
    ------
    DTypeError
        What should be a number is something else.
    """
    settings = vars(optimizer)
    strange = [name for name, value in settings.items() if isinstance(value, _GUISES)]
    if strange:
        for name in _arguments(type(optimizer)).intersection(strange):
            settings[name] = _number(settings[name])
    for name in _numbers(type(optimizer)).intersection(settings):
        value = settings[name]
        if not isinstance(value, _GUISES) and not hasattr(value, "__float__"):
            msg = (
                f"{type(optimizer).__name__}: {name}={value_text(value)} was given, a "
                f"{type(value).__name__}. Expected a number. Name the arguments, as in "
                f"{type(optimizer).__name__}(learning_rate=0.1)."
            )
            raise DTypeError(msg)


def _number(value: Any) -> Any:
    """Return the number that an array of one element or text is; other values as they are."""
    try:
        return float(value) if isinstance(value, str) else value.item()
    except ValueError:
        return value


def _mend(rate: object) -> str:
    if are_parameters(rate):
        return (
            "An optimizer takes no parameters: write gluon.Trainer(net.collect_params(), 'sgd', "
            "{'learning_rate': 0.1})."
        )
    if callable(rate):
        return (
            "Write 'lr_scheduler' in the place of 'learning_rate', as in gluon.Trainer(params, "
            "'sgd', {'lr_scheduler': schedule}): it is called with the number of updates."
        )
    return "Pass for example learning_rate=0.1."


_known_numbers: dict[type, frozenset[str]] = {}


def _numbers(kind: type) -> frozenset[str]:
    """Return the arguments of optimizers of ours that are numbers, whoever derives from them."""
    if kind in _known_numbers:
        return _known_numbers[kind]
    found = set()
    for each in kind.__mro__[:-1]:
        if each.__module__.startswith("gluonish.") and "__init__" in vars(each):
            for one in inspect.signature(vars(each)["__init__"]).parameters.values():
                if one.annotation == "float" and isinstance(one.default, (int, float)):
                    found.add(one.name)
    _known_numbers[kind] = frozenset(found)
    return _known_numbers[kind]


def unknown_hyperparameter(
    kind: type, name: str, given: Mapping[str, Any], error: TypeError
) -> TypeError:
    """Return the error for an optimizer that does not take an argument.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.optimizer.hyperparameters import unknown_hyperparameter
    >>> told = unknown_hyperparameter(mx.optimizer.SGD, 'sgd', {'lr': 1}, TypeError('no lr'))
    >>> print(str(told)[-55:])
    Did you mean 'learning_rate'? Write 'learning_rate': 1.
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
