"""Counting words."""

from __future__ import annotations

import collections
import re

__all__ = ["count_tokens_from_str"]


def count_tokens_from_str(
    source_str: str,
    token_delim: str = " ",
    seq_delim: str = "\n",
    to_lower: bool = False,
    counter_to_update: collections.Counter[str] | None = None,
) -> collections.Counter[str]:
    r"""Count the tokens of a text.

    Parameters
    ----------
    source_str : str
        The text.
    token_delim, seq_delim : str, default ' ' and a new line
        What stands between tokens and between sequences, as regular expressions.
    to_lower : bool, default False
        Whether letters are made small first.
    counter_to_update : collections.Counter, optional
        Counts to add to; it is changed and returned.

    Returns
    -------
    collections.Counter
        How often each token is there.

    Examples
    --------
    >>> from gluonish.contrib.text.utils import count_tokens_from_str
    >>> sorted(count_tokens_from_str(' Life is great ! \n life is good . \n').items())[:3]
    [('!', 1), ('.', 1), ('Life', 1)]
    >>> count_tokens_from_str('a-b-A', token_delim='-', to_lower=True)['a']
    2
    """
    tokens = filter(None, re.split(f"{token_delim}|{seq_delim}", source_str))
    counter = collections.Counter() if counter_to_update is None else counter_to_update
    counter.update(map(str.lower, tokens) if to_lower else tokens)
    return counter
