"""Reads files of vectors, line by line."""

from __future__ import annotations

import array
import warnings
from typing import TYPE_CHECKING

from gluonish.errors import EmbeddingFileError
from gluonish.errors.tracebacks import users_level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.contrib.text.vocab import Vocabulary


class VectorReader:
    """Reads the lines of a file of vectors.

    Parameters
    ----------
    path : str
        Name of the file.
    into : Vocabulary
        Receives the tokens.

    Attributes
    ----------
    numbers : array of float
        The vectors of these tokens, one after the other.
    unknown : list of float or None
        The vector of unknown tokens, if there is one.
    length : int
        Length of the vectors.
    """

    def __init__(self, path: str, into: Vocabulary) -> None:
        self._path = path
        self._into = into
        self.numbers = array.array("f")
        self.unknown: list[float] | None = None
        self.length = 0

    def take(self, line: int, parts: Sequence[str]) -> None:
        """Read one line: a token, then its numbers."""
        into = self._into
        if len(parts) < 2:
            self._refuse(line, "the data format is unexpected: there is no vector", parts[0])
        token = parts[0]
        try:
            vector = [float(part) for part in parts[1:]]
        except ValueError as error:
            self._refuse(line, f"{error} in the vector", token, error)
        if token == into.unknown_token and self.unknown is None:
            self.unknown = vector
        elif token in into.token_to_idx:
            self._warn(line, f"the token {token} is there a second time and is skipped")
            return
        elif len(vector) == 1:
            self._warn(line, f"token {token} with 1-dimensional vector {vector} is likely a header "
                             f"and is skipped")  # fmt: skip
            return
        else:
            into.token_to_idx[token] = len(into.idx_to_token)
            into.idx_to_token.append(token)
            self.numbers.extend(vector)
        if self.length not in (0, len(vector)):
            self._refuse(line, f"the dimension of token {token} is {len(vector)} but the dimension "
                               f"of previous tokens is {self.length}", token)  # fmt: skip
        self.length = len(vector)

    def _warn(self, line: int, text: str) -> None:
        warnings.warn(f"{self._path}, line {line}: {text}", stacklevel=users_level())

    def _refuse(self, line: int, problem: str, token: str, error: Exception | None = None) -> None:
        msg = (
            f"{self._path}, line {line}, token {token[:40]!r}: {problem}. Expected a token and as "
            f"many numbers in each line. Correct the line, or pass elem_delim."
        )
        raise EmbeddingFileError(msg) from error
