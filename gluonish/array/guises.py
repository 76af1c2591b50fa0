"""Numbers in the guises in which MXNet takes them: NumPy's, arrays of one element, text."""

from __future__ import annotations

import ast
from typing import Any

import numpy as onp


def number_read(text: str) -> Any:
    """Return the number or tuple of numbers that a text is, or the text.

    Examples
    --------
    >>> from gluonish.array.guises import number_read
    >>> number_read('2'), number_read('inf'), number_read('(2, 3)'), number_read('same')
    (2, inf, (2, 3), 'same')
    """
    for read in (int, float, ast.literal_eval):
        try:
            return read(text)
        except (ValueError, SyntaxError):
            continue
    return text


def plain_number(value: Any) -> Any:
    """Return NumPy's numbers, arrays without axes and text as Python's numbers; others as they are.

    Examples
    --------
    >>> import numpy
    >>> from gluonish.array.guises import plain_number
    >>> [plain_number(each) for each in (numpy.int64(3), numpy.array(2), '2', None)]
    [3, 2, 2, None]
    """
    if isinstance(value, str):
        return number_read(value)
    if isinstance(value, onp.generic) or (hasattr(value, "item") and value.ndim == 0):
        return value.item()
    return value


def as_written(value: Any) -> Any:
    """Return NumPy's number as the one of Python that is printed alike; others as they are.

    Examples
    --------
    >>> import numpy
    >>> from gluonish.array.guises import as_written
    >>> as_written(numpy.float32(0.1)), as_written(numpy.int64(3)), as_written('a')
    (0.1, 3, 'a')
    """
    if isinstance(value, onp.generic) or (isinstance(value, onp.ndarray) and not value.ndim):
        return float(str(value)) if value.dtype.kind == "f" else value.item()
    return value


def flag_read(value: Any, annotation: str) -> Any:
    """Return 0 and 1 as False and True where a parameter's annotation says so; others as they are.

    Examples
    --------
    >>> from gluonish.array.guises import flag_read
    >>> flag_read(1, 'bool'), flag_read(1, 'int | bool'), flag_read(2, 'bool')
    (True, 1, 2)
    """
    if type(value) is int and value in (0, 1) and "bool" in annotation and "int" not in annotation:
        return bool(value)
    return value
