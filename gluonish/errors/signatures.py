"""What Python says of arguments that do not fit a signature, and what to do about them."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Final

from gluonish.errors.arguments import meant

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_UNEXPECTED: Final = re.compile(r"unexpected keyword argument '(\w+)'")
_MISSING: Final = re.compile(r"missing \d+ required .*? argument(.*)")
_NAMED: Final = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def named(parameters: Collection[inspect.Parameter]) -> list[str]:
    """Return the names of parameters that can be given by name.

    Examples
    --------
    >>> import inspect
    >>> from gluonish.errors.signatures import named
    >>> named(inspect.signature(lambda x, *rest, y=1: x).parameters.values())
    ['x', 'y']
    """
    return [one.name for one in parameters if one.kind in _NAMED]


def unexpected(text: str) -> str:
    """Return the keyword that a signature does not have, or nothing.

    Examples
    --------
    >>> from gluonish.errors.signatures import unexpected
    >>> unexpected("f() got an unexpected keyword argument 'strid'")
    'strid'
    """
    found = _UNEXPECTED.search(text)
    return "" if found is None else found[1]


def add_or_leave_out(
    text: str, taken: Collection[str], owners: Sequence[str] = (), *, is_one: bool = False
) -> str:
    """Return what to do about an unknown keyword or missing arguments, with a space before it.

    Parameters
    ----------
    text : str
        Python's words.
    taken : list of str
        The arguments there are.
    owners, is_one
        As `names` and `is_one` of `meant`.

    Examples
    --------
    >>> from gluonish.errors.signatures import add_or_leave_out
    >>> add_or_leave_out("f() missing 2 required positional arguments: 'x' and 'y'", ['x', 'y'])
    ' Add x and y.'
    >>> add_or_leave_out("f() got an unexpected keyword argument 'zoom'", ['x'])
    ' Leave zoom out.'
    """
    word = unexpected(text)
    if word:
        return meant(owners, [word], taken, is_one=is_one) or f" Leave {word} out."
    found = _MISSING.search(text)
    missing = [] if found is None else re.findall(r"'(\w+)'", found[1])
    missing = [each for each in missing if each in taken]
    return f" Add {' and '.join(missing)}." if missing else ""
