"""Reads arguments that are written as text, without ever evaluating it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from gluonish.array.dtypes import torch_dtype
from gluonish.errors import InvalidArgumentError

if TYPE_CHECKING:
    import inspect

_TOKEN = re.compile(
    r"\s*(?:(?P<number>[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[lL]?)|(?P<mark>[()\[\],])"
    r"|(?P<word>[-+]?[A-Za-z_][\w.]*)|(?P<quoted>'[^'\\]*'|\"[^\"\\]*\"))"
)
_DTYPE = re.compile(r"-?\w{1,20}")
_WORDS: dict[str, Any] = {
    "None": None, "True": True, "true": True, "False": False, "false": False,
    "inf": float("inf"), "-inf": float("-inf"), "nan": float("nan"),
}  # fmt: skip
_FLAGS = {"true": True, "1": True, "false": False, "0": False}  # in capitals, too
_CLOSING = {"(": ")", "[": "]"}
_DEPTH = 8  # of tuples in tuples
_LONGEST = 1 << 20  # characters of one value
_BIGGEST = 1 << 63


def parse(text: str, parameter: inspect.Parameter, where: str) -> Any:
    """Return the value that a text stands for, as an operator's parameter wants it.

    Parameters
    ----------
    text : str
        The text.
    parameter : inspect.Parameter
        Its annotation says what is meant.
    where : str
        How errors begin.

    Raises
    ------
    InvalidArgumentError
        The text is no such value.

    Examples
    --------
    >>> import inspect
    >>> from gluonish.array.texts import parse
    >>> def function(kernel: Sequence[int], act_type: str, flag: bool): ...
    >>> kernel, act_type, flag = inspect.signature(function).parameters.values()
    >>> parse('[3, 3L]', kernel, ''), parse('3', act_type, ''), parse('1', flag, '')
    ((3, 3), '3', True)
    """
    kinds = {kind.strip() for kind in str(parameter.annotation).split("|")}
    if text == "None":
        return None
    if "DTypeLike" in kinds:
        if not _DTYPE.fullmatch(text):  # NumPy reads more than names
            raise _refusal(text, parameter, where)
        torch_dtype(text)  # which says what is wrong with another name
        return text
    if "str" in kinds and not kinds - {"str", "None"}:
        return text
    kinds.discard("None")
    if kinds == {"bool"}:
        return parse_flag(text, text, parameter, where)
    try:
        value = literal(text)
    except ValueError as error:
        if "str" in kinds:
            return text
        raise _refusal(text, parameter, where) from error
    if kinds == {"int"}:
        value = int(value) if isinstance(value, bool) else value
        is_right = isinstance(value, int)
    elif kinds == {"float"}:
        is_right = isinstance(value, (int, float))
    else:
        is_right = not isinstance(value, str) or "str" in kinds
    if not is_right:
        raise _refusal(text, parameter, where)
    return value


def parse_flag(
    text: str | None, value: object, parameter: inspect.Parameter, where: str
) -> bool | None:
    """Return the flag that a value stands for by its text; by None, none does.

    Raises
    ------
    InvalidArgumentError
        The text is none of 'True', 'False', '1' and '0', in letters of any case.
    """
    if text == "None" and "None" in str(parameter.annotation):
        return None
    flag = None if text is None else _FLAGS.get(text.strip().lower())
    if flag is None:
        given = repr(value) if text is not None else f"a {type(value).__name__}"
        msg = (
            f"{where}: {parameter.name}={_cut(given)} was given. Expected a value of type "
            f"{parameter.annotation}. Write {parameter.name}=True or {parameter.name}=False."
        )
        raise InvalidArgumentError(msg)
    return flag


def parse_shape(text: str, where: str) -> tuple[int, ...]:
    """Return a shape; one number is the shape of a vector.

    Raises
    ------
    InvalidArgumentError
        The text is no shape.
    """
    try:
        value = literal(text)
    except ValueError:
        value = text
    if isinstance(value, int) and not isinstance(value, bool):
        value = (value,)
    if value is None:
        return ()
    if not isinstance(value, tuple) or any(type(length) is not int for length in value):
        msg = f"{where}: {_cut(text)!r} was given. Expected a shape. Write it as '(2, 3)'."
        raise InvalidArgumentError(msg)
    return value


def parse_int(text: str, where: str) -> int:
    """Return a whole number.

    Raises
    ------
    InvalidArgumentError
        The text is none.
    """
    try:
        value = literal(text)
    except ValueError:
        value = text
    if type(value) is not int:
        msg = f"{where}: {_cut(text)!r} was given. Expected a whole number. Write it in digits."
        raise InvalidArgumentError(msg)
    return value


def literal(text: str) -> Any:
    """Return the number, word or tuple (of tuples) that a text stands for.

    Raises
    ------
    ValueError
        It is something else.

    Examples
    --------
    >>> from gluonish.array.texts import literal
    >>> literal('(1, None, [2L])'), literal('-1e-3')
    ((1, None, (2,)), -0.001)
    """
    if len(text) > _LONGEST:
        msg = "too long"
        raise ValueError(msg)
    tokens = _tokens(text)
    value, position = _value(tokens, 0, 0)
    if position != len(tokens):
        msg = "text after the value"
        raise ValueError(msg)
    return value


def _tokens(text: str) -> list[tuple[str, str]]:
    found = []
    position, end = 0, len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None or match.end() == position:
            msg = "an unknown character"
            raise ValueError(msg)
        found.append((str(match.lastgroup), match[match.lastgroup or 0]))
        position = match.end()
    return found


def _value(tokens: list[tuple[str, str]], position: int, depth: int) -> tuple[Any, int]:
    if position == len(tokens) or depth > _DEPTH:
        msg = "a value is missing, or too deep"
        raise ValueError(msg)
    kind, token = tokens[position]
    if kind == "number":
        return _number(token), position + 1
    if kind == "quoted":
        return token[1:-1], position + 1
    if kind == "word":
        if token not in _WORDS:
            msg = "an unknown word"
            raise ValueError(msg)
        return _WORDS[token], position + 1
    if token not in _CLOSING:
        msg = "a value is missing"
        raise ValueError(msg)
    return _sequence(tokens, position + 1, depth + 1, _CLOSING[token])


def _sequence(
    tokens: list[tuple[str, str]], position: int, depth: int, closing: str
) -> tuple[Any, int]:
    values = []
    end = ("mark", closing)
    while position < len(tokens) and tokens[position] != end:
        value, position = _value(tokens, position, depth)
        values.append(value)
        if position < len(tokens) and tokens[position] == ("mark", ","):
            position += 1
        elif position == len(tokens) or tokens[position] != end:
            break
    if position == len(tokens) or tokens[position] != end:
        msg = "a bracket is open"
        raise ValueError(msg)
    return tuple(values), position + 1


def _number(token: str) -> int | float:
    token = token.rstrip("lL")
    if token.lstrip("+-").isdigit():
        if len(token) > 25:
            msg = "too many digits"
            raise ValueError(msg)
        value = int(token)
        if not -_BIGGEST <= value < 2 * _BIGGEST:
            msg = "too big"
            raise ValueError(msg)
        return value
    return float(token)


def _refusal(text: str, parameter: inspect.Parameter, where: str) -> InvalidArgumentError:
    msg = (
        f"{where}: {parameter.name}={_cut(text)!r} was given. Expected a value of type "
        f"{parameter.annotation}. Correct the text."
    )
    return InvalidArgumentError(msg)


def _cut(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:80]}..."
