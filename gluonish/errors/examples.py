"""Calls out of docstrings, which errors show where somebody calls in another way."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_LONGEST = 90  # characters
_VALUES: Final = {  # of annotations
    "str": "'name'",
    "FilePath": "'name'",
    "str | os.PathLike[str]": "'name'",
    "int": "1",
    "float": "0.1",
    "bool": "True",
    "Tensor": "x",
    "NDArray": "x",
}
_TOKENS = re.compile(r"""'[^']*'|"[^"]*"|.""")  # texts as a whole
_OPEN, _CLOSE = ("(", "[", "{"), (")", "]", "}")
_MADE = ("__init__", "__new__")


def for_example(
    name: str, function: Callable[..., Any], args: Sequence[Any] = (), *, is_needed: bool = True
) -> str:
    """Return a sentence with a call that the docstring of a function shows; or nothing.

    Parameters
    ----------
    name : str
        What is called, as in `'Trainer.step'`.
    function : callable
        What was called; of a constructor, the class of its first argument has the docstring.
    args : list
        What was given by position.
    is_needed : bool, default True
        Whether a call is made up from the signature where the docstring shows none.

    Examples
    --------
    >>> from gluonish.errors.examples import for_example
    >>> from gluonish.init import Xavier
    >>> for_example('Xavier', Xavier)
    ' For example: mx.init.Xavier().'
    """
    documented: list[Any] = [function]
    if args and getattr(function, "__name__", "") in _MADE:
        cls = args[0] if isinstance(args[0], type) else type(args[0])
        documented = [each for each in cls.__mro__ if each.__module__.startswith("gluonish.")]
    last = name.rpartition(".")[2]
    calls = (each for one in documented for each in _calls(one.__doc__ or "", last))
    found = next((each for each in calls if len(each) <= _LONGEST), None)
    found = _made_up(name, function) if found is None and is_needed else found
    return "" if found is None else f" For example: {found}."


def _made_up(name: str, function: Callable[..., Any]) -> str | None:
    """Return a call with what must be given, as far as the signature says what that is."""
    parameters = inspect.signature(function).parameters.values()
    needed = {
        one.name: str(one.annotation)
        for one in parameters
        if one.default is one.empty
        and one.kind is one.POSITIONAL_OR_KEYWORD
        and one.name not in ("self", "cls")
    }
    if not needed or not all(said in _VALUES for said in needed.values()):
        return None
    return f"{name}({', '.join(f'{key}={_VALUES[said]}' for key, said in needed.items())})"


def _calls(doc: str, name: str) -> Iterator[str]:
    """Return the calls of a name in the examples of a docstring.

    They are found in the text: nothing is compiled while an error is made.
    """
    begin = re.compile(rf"(?<![\w.])(?:[\w.]*\.)?{re.escape(name)}(?=\()")
    for statement in _statements(doc):
        text = statement if "'" in statement else statement.replace('"', "'")
        for one in begin.finditer(text):
            end = _closed(text, one.end())
            if end is not None and "f'" not in text[:end]:  # whose names are the example's own
                yield text[one.start() : end]


def _closed(text: str, begin: int) -> int | None:
    """Return where the brackets are closed that open at a place of a text, if they are."""
    depth = 0
    for token in _TOKENS.finditer(text, begin):
        depth += (token[0] in _OPEN) - (token[0] in _CLOSE)
        if not depth:
            return token.end()
    return None


def _statements(doc: str) -> Iterator[str]:
    """Return the statements of the examples of a docstring."""
    lines: list[str] = []
    for line in [*map(str.strip, doc.splitlines()), ">>> "]:
        if line.startswith(">>> ") and lines:
            yield " ".join(lines)
            lines = []
        if line.startswith((">>> ", "... ")):
            lines.append(line[4:].strip())
