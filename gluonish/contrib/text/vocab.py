"""Vocabularies: numbers for words."""

from __future__ import annotations

import collections
import operator
from typing import TYPE_CHECKING, Any

from gluonish.errors import DTypeError, InvalidArgumentError, RefusedArgumentError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Vocabulary"]


class Vocabulary:
    """Numbers for tokens: 0 for unknown ones, then reserved ones, then the most frequent first.

    Parameters
    ----------
    counter : collections.Counter, optional
        How often each token was seen.
    most_freq_count : int, optional
        How many tokens of the counter there are at most; all by default.
    min_freq : int, default 1
        How often a token must have been seen.
    unknown_token : str, default '<unk>'
        What stands for all other tokens.
    reserved_tokens : list of str, optional
        Tokens that are there in any case.

    Raises
    ------
    RefusedArgumentError
        `min_freq` is less than 1, reserved tokens occur twice, or `counter` is none.

    Examples
    --------
    >>> import collections
    >>> from gluonish.contrib.text.vocab import Vocabulary
    >>> counts = collections.Counter(['b', 'a', 'b', 'c', 'c', 'c'])
    >>> vocabulary = Vocabulary(counts, most_freq_count=2, reserved_tokens=['<pad>'])
    >>> vocabulary.idx_to_token
    ['<unk>', '<pad>', 'c', 'b']
    >>> vocabulary.to_indices(['b', 'nobody']), vocabulary.to_tokens(2)
    ([3, 0], 'c')
    """

    def __init__(
        self,
        counter: collections.Counter[str] | None = None,
        most_freq_count: int | None = None,
        min_freq: int = 1,
        unknown_token: str = "<unk>",
        reserved_tokens: Sequence[str] | None = None,
    ) -> None:
        if min_freq < 1:
            msg = (
                f"Vocabulary: min_freq={min_freq!r} was given. `min_freq` must be set to a "
                f"positive value. Leave it out for all tokens."
            )
            raise RefusedArgumentError(msg)
        reserved = None if reserved_tokens is None else list(reserved_tokens)
        _check_reserved(reserved or [], unknown_token)
        self._unknown_token = unknown_token
        self._reserved_tokens = reserved
        self._idx_to_token = [unknown_token, *(reserved or [])]
        if counter is not None:
            self._idx_to_token += _chosen(counter, self._idx_to_token, most_freq_count, min_freq)
        self._token_to_idx = {token: i for i, token in enumerate(self._idx_to_token)}

    def __len__(self) -> int:
        return len(self._idx_to_token)

    @property
    def token_to_idx(self) -> dict[str, int]:
        """Number of each token."""
        return self._token_to_idx

    @property
    def idx_to_token(self) -> list[str]:
        """All tokens, in the order of their numbers."""
        return self._idx_to_token

    @property
    def unknown_token(self) -> str:
        """What stands for tokens that are not there."""
        return self._unknown_token

    @property
    def reserved_tokens(self) -> list[str] | None:
        """Tokens that are there in any case; None if there are none."""
        return self._reserved_tokens

    def to_indices(self, tokens: str | Iterable[str]) -> Any:
        """Return the number of a token, or a list of numbers for several; 0 for unknown ones."""
        if isinstance(tokens, (list, tuple)):
            return [self._token_to_idx.get(token, 0) for token in tokens]
        token: Any = tokens
        return self._token_to_idx.get(token, 0)

    def to_tokens(self, indices: int | Iterable[int]) -> Any:
        """Return the token of a number, or a list of tokens for several.

        Raises
        ------
        InvalidArgumentError
            There is no token of that number.
        DTypeError
            It is no number.
        """
        if isinstance(indices, (list, tuple)):
            return [self._token(index) for index in indices]
        return self._token(indices)

    def _token(self, index: Any) -> str:
        try:
            number = operator.index(index)
        except TypeError as error:
            msg = (
                f"to_tokens: {index!r} was given. Expected a whole number, or a list of them. "
                f"Convert it with int(...)."
            )
            raise DTypeError(msg) from error
        if not 0 <= number < len(self._idx_to_token):
            msg = (
                f"to_tokens: Token index {number} in the provided `indices` is invalid. Expected "
                f"one from 0 to {len(self._idx_to_token) - 1}. Use numbers of this vocabulary."
            )
            raise InvalidArgumentError(msg)
        return self._idx_to_token[number]


def _check_reserved(reserved: Sequence[str], unknown: str) -> None:
    if unknown in reserved:
        msg = (
            f"Vocabulary: `reserved_token` cannot contain `unknown_token` {unknown!r}, but "
            f"{list(reserved)} were given. Leave it out: it is there in any case."
        )
        raise RefusedArgumentError(msg)
    if len(set(reserved)) < len(reserved):
        msg = (
            f"Vocabulary: `reserved_tokens` cannot contain duplicate reserved tokens, but "
            f"{list(reserved)} were given. Give each once."
        )
        raise RefusedArgumentError(msg)


def _chosen(
    counter: object, taken: Sequence[str], most_freq_count: int | None, min_freq: int
) -> list[str]:
    """Return the tokens of a counter that are new: by frequency, then by the alphabet."""
    if not isinstance(counter, collections.Counter):
        msg = (
            f"Vocabulary: {type(counter).__name__} was given. `counter` must be an instance of "
            f"collections.Counter. Write collections.Counter(tokens)."
        )
        raise RefusedArgumentError(msg)
    ranked = sorted(counter.items(), key=lambda pair: (-pair[1], pair[0]))
    known = set(taken)
    found = [token for token, count in ranked if count >= min_freq and token not in known]
    if most_freq_count is None or most_freq_count < 0:
        return found
    return found[:most_freq_count]
