"""Sentences as numbers, in batches of a few lengths."""

from __future__ import annotations

import bisect
import logging
import random
from typing import TYPE_CHECKING, Any

import numpy as onp
from typing_extensions import override

from gluonish import ndarray as nd
from gluonish.errors import InvalidArgumentError, RefusedArgumentError
from gluonish.io import DataBatch, DataDesc, DataIter

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gluonish.array import NDArray

__all__ = ["BucketSentenceIter", "encode_sentences"]

_log = logging.getLogger()


def encode_sentences(
    sentences: Iterable[Sequence[Any]],
    vocab: dict[Any, int] | None = None,
    invalid_label: int = -1,
    invalid_key: Any = "\n",
    start_label: int = 0,
    unknown_token: Any = None,
) -> tuple[list[list[int]], dict[Any, int]]:
    r"""Return sentences as numbers, and the numbers of words.

    Parameters
    ----------
    sentences : list of list of str
        The sentences, in words.
    vocab : dict of str to int, optional
        Numbers of words; they are made if they are not given.
    invalid_label : int, default -1
        A number that no word gets.
    invalid_key : str, default '\n'
        The word that it stands for.
    start_label : int, default 0
        The first number.
    unknown_token : str, optional
        The word that stands for those that `vocab` does not have.

    Raises
    ------
    RefusedArgumentError
        A word is not in `vocab`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.rnn.encode_sentences([['a', 'b'], ['b']], invalid_label=0, start_label=1)
    ([[1, 2], [2]], {'\n': 0, 'a': 1, 'b': 2})
    """
    is_new = vocab is None
    numbers = {invalid_key: invalid_label} if vocab is None else vocab
    following = start_label
    found = []
    for sentence in sentences:
        coded = []
        for word in sentence:
            known = word
            if word not in numbers:
                if not is_new and unknown_token is None:
                    msg = (
                        f"encode_sentences: Unknown token {word}. Expected one of the "
                        f"{len(numbers)} words of vocab. Pass unknown_token=..., or leave vocab "
                        f"out."
                    )
                    raise RefusedArgumentError(msg)
                if following == invalid_label:
                    following += 1
                if unknown_token is not None:
                    known = unknown_token
                if known not in numbers:
                    numbers[known] = following
                    following += 1
            coded.append(numbers[known])
        found.append(coded)
    return found, numbers


def _is_text(sentence: object) -> bool:
    return isinstance(sentence, str) or (
        isinstance(sentence, (list, tuple)) and bool(sentence) and isinstance(sentence[0], str)
    )


class BucketSentenceIter(DataIter):
    """Batches of sentences of about the same length; the label is the next word.

    Parameters
    ----------
    sentences : list of list of int
        Sentences as numbers.
    batch_size : int
        Sentences in a batch.
    buckets : list of int, optional
        Lengths; by default those that fill a batch at least.
    invalid_label : int, default -1
        What sentences are filled up with.
    data_name, label_name : str
        Names of data and labels.
    dtype : str, default 'float32'
        Dtype of both.
    layout : {'NT', 'TN'}
        Whether sentences are rows or columns.

    Raises
    ------
    InvalidArgumentError
        The layout is another one.

    Examples
    --------
    >>> import gluonish as mx
    >>> batches = mx.rnn.BucketSentenceIter([[1, 2, 3]] * 4, 2, buckets=[4], invalid_label=0)
    >>> batch = next(batches)
    >>> print(batch.bucket_key, batch.data[0].asnumpy()[0], batch.label[0].asnumpy()[0])
    4 [1. 2. 3. 0.] [2. 3. 0. 0.]
    """

    def __init__(
        self,
        sentences: Sequence[Sequence[int]],
        batch_size: int,
        buckets: list[int] | None = None,
        invalid_label: int = -1,
        data_name: str = "data",
        label_name: str = "softmax_label",
        dtype: Any = "float32",
        layout: str = "NT",
    ) -> None:
        super().__init__(batch_size)
        text = next((each for each in sentences if _is_text(each)), None)
        if text is not None:
            msg = (
                f"BucketSentenceIter: the sentence {text!r} was given. Expected the numbers of its "
                f"words. Write sentences, vocab = mx.rnn.encode_sentences([['a', 'word'], ...]) "
                f"first, with the words of each sentence: text.split()."
            )
            raise RefusedArgumentError(msg)
        if layout not in ("NT", "TN"):
            msg = (
                f"BucketSentenceIter: Invalid layout {layout}: Must by NT (batch major) or TN "
                f"(time major). Write layout='NT'."
            )
            raise InvalidArgumentError(msg)
        if not buckets:
            counts = onp.bincount([len(sentence) for sentence in sentences])
            buckets = [length for length, count in enumerate(counts) if count >= batch_size]
        buckets.sort()
        if not buckets:
            msg = (
                f"BucketSentenceIter: no length has {batch_size} sentences among {len(sentences)}. "
                f"Expected as many at least. Pass buckets=[...], or a smaller batch_size."
            )
            raise InvalidArgumentError(msg)
        self.buckets, self.invalid_label, self.dtype = buckets, invalid_label, dtype
        self.data_name, self.label_name, self.layout = data_name, label_name, layout
        self.major_axis = layout.find("N")
        self.data = self._sorted(sentences)
        self.default_bucket_key = max(buckets)
        shape = self._shape(self.default_bucket_key)
        self.provide_data = [DataDesc(data_name, shape, layout=layout)]
        self.provide_label = [DataDesc(label_name, shape, layout=layout)]
        self.idx = [
            (position, start)
            for position, rows in enumerate(self.data)
            for start in range(0, len(rows) - batch_size + 1, batch_size)
        ]
        self.curr_idx = 0
        self.reset()

    def _shape(self, length: int) -> tuple[int, int]:
        return (self.batch_size, length) if self.major_axis == 0 else (length, self.batch_size)

    def _sorted(self, sentences: Sequence[Sequence[int]]) -> list[Any]:
        """Return the sentences of each bucket, filled up."""
        rows: list[list[Any]] = [[] for _ in self.buckets]
        discarded = 0
        for sentence in sentences:
            position = bisect.bisect_left(self.buckets, len(sentence))
            if position == len(self.buckets):
                discarded += 1
                continue
            row = onp.full((self.buckets[position],), self.invalid_label, dtype=self.dtype)
            row[: len(sentence)] = sentence
            rows[position].append(row)
        if discarded:
            _log.warning("discarded %d sentences longer than the largest bucket.", discarded)
        return [
            onp.asarray(found, dtype=self.dtype).reshape(-1, length)
            for found, length in zip(rows, self.buckets, strict=True)
        ]

    @override
    def reset(self) -> None:
        """Begin anew, in another order: that of Python's and NumPy's global generators."""
        self.curr_idx = 0
        random.shuffle(self.idx)
        self.nddata: list[NDArray] = []
        self.ndlabel: list[NDArray] = []
        for rows in self.data:
            onp.random.shuffle(rows)  # noqa: NPY002 - as MXNet does
            labels = onp.full_like(rows, self.invalid_label)
            labels[:, :-1] = rows[:, 1:]
            self.nddata.append(nd.array(rows, dtype=self.dtype))
            self.ndlabel.append(nd.array(labels, dtype=self.dtype))

    @override
    def next(self) -> DataBatch:
        """Return the next batch."""
        if self.curr_idx == len(self.idx):
            raise StopIteration
        position, start = self.idx[self.curr_idx]
        self.curr_idx += 1
        rows = slice(start, start + self.batch_size)
        data, label = self.nddata[position][rows], self.ndlabel[position][rows]
        if self.major_axis == 1:
            data, label = data.T, label.T
        return DataBatch(
            [data],
            [label],
            pad=0,
            bucket_key=self.buckets[position],
            provide_data=[DataDesc(self.data_name, data.shape, layout=self.layout)],
            provide_label=[DataDesc(self.label_name, label.shape, layout=self.layout)],
        )
