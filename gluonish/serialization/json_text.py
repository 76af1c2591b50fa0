"""Bounded reading of JSON: what stands there twice, is no text or no number is refused."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from typing import NoReturn

_SHOWN: Final = 80
_HALF_CHARACTER: Final = re.compile(r"\\u[dD][89a-fA-F]")


def parse(text: str | bytes, *, are_constants_allowed: bool = False) -> Any:  # noqa: ANN401 - anything that JSON can hold
    """Return what a JSON text holds.

    Beyond what JSON's grammar forbids, this refuses keys that stand twice in an object, which
    readers understand differently, NaN and infinities, and halves of characters, which cannot be
    written again.

    Parameters
    ----------
    text : str or bytes
        The text; bytes are UTF-8, with or without its mark.
    are_constants_allowed : bool, default False
        Whether NaN and infinities are taken after all, as Python writes them.

    Raises
    ------
    ValueError
        It is no such text.

    Examples
    --------
    >>> from gluonish.serialization.json_text import parse
    >>> parse(b'{"a": [1, null]}')
    {'a': [1, None]}
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8-sig")
    elif not text.isascii():
        text.encode()  # a half of a character
    try:
        constant = None if are_constants_allowed else _no_constant
        found = json.loads(text, object_pairs_hook=_distinct, parse_constant=constant)
    except RecursionError as error:
        msg = "its brackets are nested too deeply"
        raise ValueError(msg) from error
    if _HALF_CHARACTER.search(text):
        json.dumps(found, ensure_ascii=False).encode()
    return found


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        twice = repr(next(key for key, count in counts.items() if count > 1))
        msg = f"the key {twice[:_SHOWN]} stands there twice"
        raise ValueError(msg)
    return found


def _no_constant(name: str) -> NoReturn:
    msg = f"{name} is no number of JSON"
    raise ValueError(msg)
