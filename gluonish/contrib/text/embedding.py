"""Vectors of words: from files of one's own, GloVe and fastText, alone or side by side."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as onp

from gluonish import ndarray as nd, numpy as np
from gluonish.array import NDArray
from gluonish.context import is_np_array
from gluonish.contrib.text import pretrained
from gluonish.contrib.text.reading import VectorReader
from gluonish.contrib.text.vocab import Vocabulary
from gluonish.errors import (
    EmbeddingFileError,
    InvalidArgumentError,
    MissingFileError,
    MissingNameError,
    RefusedArgumentError,
)
from gluonish.serialization.files import is_url, open_source, path_text

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Sequence

__all__ = [
    "CompositeEmbedding",
    "CustomEmbedding",
    "FastText",
    "GloVe",
    "TokenEmbedding",
    "create",
    "get_pretrained_file_names",
    "register",
]

_registry: dict[str, type[TokenEmbedding]] = {}


class TokenEmbedding(Vocabulary):
    """Tokens with a vector for each: the base of all that load them.

    Parameters
    ----------
    **kwargs
        Those of `Vocabulary`.

    Attributes
    ----------
    pretrained_file_name_sha1 : dict of str to str
        In classes that are registered: the names of files that it loads, with checksums.
    """

    pretrained_file_name_sha1: dict[str, str]

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._vec_len = 0
        self._idx_to_vec: NDArray | None = None

    @property
    def vec_len(self) -> int:
        """Length of the vectors."""
        return self._vec_len

    @property
    def idx_to_vec(self) -> Any:
        """All vectors, as the rows of a matrix, in the order of the tokens' numbers."""
        return self._idx_to_vec

    def get_vecs_by_tokens(
        self, tokens: str | Sequence[str], lower_case_backup: bool = False
    ) -> Any:
        """Return the vector of a token, or a matrix for several.

        Parameters
        ----------
        tokens : str or list of str
            The tokens.
        lower_case_backup : bool, default False
            Whether a token that is not there is looked up in small letters, too.
        """
        several = isinstance(tokens, (list, tuple))
        words: list[Any] = list(tokens) if several else [tokens]
        if lower_case_backup:
            known = self.token_to_idx
            words = [word if word in known else str(word).lower() for word in words]
        rows = onp.array(self.to_indices(words), dtype=onp.int64)
        return self.idx_to_vec[_as_array(rows)] if several else self.idx_to_vec[int(rows[0])]

    def update_token_vectors(self, tokens: str | Sequence[str], new_vectors: Any) -> None:
        """Give tokens other vectors.

        Parameters
        ----------
        tokens : str or list of str
            Tokens that are there.
        new_vectors : array
            A vector for one token, or a matrix with one row for each.

        Raises
        ------
        InvalidArgumentError
            A token is not there.
        RefusedArgumentError
            The vectors do not fit.
        """
        several = isinstance(tokens, (list, tuple)) and len(tokens) != 1
        words: list[Any] = list(tokens) if isinstance(tokens, (list, tuple)) else [tokens]
        fits = isinstance(new_vectors, NDArray) and new_vectors.ndim in (
            (2,) if several else (1, 2)
        )
        if not fits:
            shape = getattr(new_vectors, "shape", None)
            what = f"shape {shape}" if shape is not None else type(new_vectors).__name__
            msg = (
                f"update_token_vectors: {what} was given for {len(words)} tokens. `new_vectors` "
                f"must be a {'2-D' if several else '1-D or 2-D'} NDArray. Write mx.nd.array(...)."
            )
            raise RefusedArgumentError(msg)
        if new_vectors.size != len(words) * self.vec_len or (
            new_vectors.ndim == 2 and new_vectors.shape[0] != len(words)
        ):
            msg = (
                f"update_token_vectors: shape {new_vectors.shape} was given. The length of "
                f"new_vectors must be equal to the number of tokens, {len(words)}, and the width "
                f"to the dimension of the embedding, {self.vec_len}. Pass such a matrix."
            )
            raise RefusedArgumentError(msg)
        rows = [self._row(word) for word in words]
        self.idx_to_vec[_as_array(onp.array(rows))] = new_vectors.reshape((-1, self.vec_len))

    def _row(self, token: str) -> int:
        if token not in self.token_to_idx:
            msg = (
                f"Token {token} is unknown. To update the embedding vector for an unknown token, "
                f"please specify it explicitly as the `unknown_token` {self.unknown_token} in "
                f"`tokens`. This is to avoid unintended updates."
            )
            raise InvalidArgumentError(msg)
        return self.token_to_idx[token]

    def _load_embedding(
        self,
        pretrained_file_path: str | os.PathLike[str],
        elem_delim: str,
        init_unknown_vec: Callable[..., Any],
        encoding: str = "utf8",
    ) -> None:
        """Take tokens and vectors from a file."""
        path = path_text(pretrained_file_path)
        if not is_url(path):
            path = str(Path(path).expanduser())
        if not (is_url(path) or Path(path).is_file()):
            msg = (
                f"{path}: there is no such file. `pretrained_file_path` must be a valid path to "
                f"the pre-trained token embedding file. Correct it."
            )
            raise MissingFileError(msg)
        reader = VectorReader(path, self)
        with open_source(path, entire=True) as source:
            lines = io.TextIOWrapper(source.stream, encoding=encoding)
            for number, line in enumerate(lines, 1):
                reader.take(number, line.rstrip().split(elem_delim))
        self._vec_len = reader.length
        if not reader.length:
            msg = (
                f"{path}: no vectors are in it. Expected a token and its numbers in each line, "
                f"with {elem_delim!r} between them. Pass elem_delim if something else is."
            )
            raise EmbeddingFileError(msg)
        count = len(self._idx_to_token)
        matrix = onp.zeros((count, reader.length), dtype=onp.float32)
        first = count - len(reader.numbers) // reader.length
        matrix[first:] = onp.frombuffer(reader.numbers, dtype=onp.float32).reshape(
            -1, reader.length
        )
        unknown: Any = reader.unknown
        if unknown is None:
            made = init_unknown_vec(shape=reader.length)
            unknown = made.asnumpy() if isinstance(made, NDArray) else made
        matrix[:first] = unknown
        self._idx_to_vec = _as_array(matrix)

    def _build_embedding_for_vocabulary(self, vocabulary: Vocabulary | None) -> None:
        """Keep the tokens of a vocabulary only, if there is one."""
        if vocabulary is not None:
            _check_vocabulary(vocabulary)
            self._adopt([self], vocabulary)

    def _adopt(self, embeddings: Iterable[TokenEmbedding], vocabulary: Vocabulary) -> None:
        """Take a vocabulary's tokens, with the vectors of embeddings side by side."""
        tokens = vocabulary.idx_to_token
        _unknown, *known = tokens  # the first stands for all unknown ones, whatever it is called
        parts = [
            onp.concatenate(
                [each.idx_to_vec[0:1].asnumpy()]
                + [each.get_vecs_by_tokens(known).asnumpy()] * bool(known)
            )
            for each in embeddings
        ]
        matrix = onp.concatenate(parts, axis=1)
        self._vec_len = matrix.shape[1]
        self._idx_to_vec = _as_array(matrix)
        self._token_to_idx = dict(vocabulary.token_to_idx)
        self._idx_to_token = list(tokens)
        self._unknown_token = vocabulary.unknown_token
        reserved = vocabulary.reserved_tokens
        self._reserved_tokens = None if reserved is None else list(reserved)


_TokenEmbedding = TokenEmbedding  # MXNet's name
E_co = TypeVar("E_co", bound="type[TokenEmbedding]")


def register(embedding_cls: E_co) -> E_co:
    """Make a class known to `create`, by its name in small letters; a decorator.

    Examples
    --------
    >>> from gluonish.contrib.text import embedding
    >>> @embedding.register
    ... class Numbers(embedding.TokenEmbedding):
    ...     pass
    >>> type(embedding.create('numbers')).__name__
    'Numbers'
    """
    _registry[embedding_cls.__name__.lower()] = embedding_cls
    return embedding_cls


def create(embedding_name: str, **kwargs: Any) -> TokenEmbedding:
    """Return an embedding of a registered class, such as 'glove' or 'fasttext'.

    Parameters
    ----------
    embedding_name : str
        The class's name.
    **kwargs
        What it is called with: `pretrained_file_name`, `embedding_root`, `vocabulary`, ...

    Raises
    ------
    RefusedArgumentError
        No class has that name.

    Examples
    --------
    >>> from gluonish.contrib.text import embedding
    >>> embedding.create('glove', pretrained_file_name='glove.txt')
    Traceback (most recent call last):
    ...
    gluonish.errors.MissingNameError: Cannot find pretrained file glove.txt for ...
    """
    found = _registry.get(str(embedding_name).lower())
    if found is None:
        msg = (
            f"create: {embedding_name!r} is not registered. Expected one of {sorted(_registry)}. "
            f"Please register with token embedding.register first."
        )
        raise RefusedArgumentError(msg)
    return found(**kwargs)


def get_pretrained_file_names(embedding_name: str | None = None) -> Any:
    """Return the names of the files that MXNet's repository has.

    Parameters
    ----------
    embedding_name : {'glove', 'fasttext'}, optional
        Whose; by default a dictionary of all of them is returned.

    Raises
    ------
    MissingNameError
        There are none of that name.

    Examples
    --------
    >>> from gluonish.contrib.text import embedding
    >>> embedding.get_pretrained_file_names('glove')[:2]
    ['glove.42B.300d.txt', 'glove.6B.50d.txt']
    """
    names = {
        kind: list(files)
        for kind, cls in _registry.items()
        if (files := getattr(cls, "pretrained_file_name_sha1", pretrained.ARCHIVES.get(kind)))
    }
    if embedding_name is None:
        return names
    if embedding_name not in names:
        msg = (
            f"Cannot find `embedding_name` {embedding_name}. Expected one of {sorted(names)}. Use "
            f"`get_pretrained_file_names(embedding_name=None).keys()` to get all the valid "
            f"embedding names."
        )
        raise MissingNameError(msg)
    return names[embedding_name]


class CustomEmbedding(TokenEmbedding):
    r"""Vectors from a file of one's own: a token and its numbers in each line.

    Parameters
    ----------
    pretrained_file_path : path
        The file.
    elem_delim : str, default ' '
        What stands between token and numbers.
    encoding : str, default 'utf8'
        The file's encoding.
    init_unknown_vec : callable, default `mx.nd.zeros`
        Makes the vector of unknown tokens from its `shape`, unless the file has one.
    vocabulary : Vocabulary, optional
        The tokens to keep; all of the file by default.
    **kwargs
        Those of `Vocabulary`, such as `unknown_token`.

    Raises
    ------
    MissingFileError
        There is no such file.
    EmbeddingFileError
        It is damaged.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from gluonish.contrib.text.embedding import CustomEmbedding
    >>> file = pathlib.Path(tempfile.mkdtemp()) / 'vectors.txt'
    >>> _ = file.write_text('a 1 2\nb 3 4\n')
    >>> vectors = CustomEmbedding(file)
    >>> vectors.get_vecs_by_tokens(['b', 'nobody']).asnumpy().tolist()
    [[3.0, 4.0], [0.0, 0.0]]
    """

    def __init__(
        self,
        pretrained_file_path: str | os.PathLike[str],
        elem_delim: str = " ",
        encoding: str = "utf8",
        init_unknown_vec: Callable[..., Any] = nd.zeros,
        vocabulary: Vocabulary | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._load_embedding(pretrained_file_path, elem_delim, init_unknown_vec, encoding)
        self._build_embedding_for_vocabulary(vocabulary)


class _Pretrained(TokenEmbedding):
    """Vectors that MXNet's repository has."""

    _kind = ""

    def __init__(
        self,
        pretrained_file_name: str,
        embedding_root: str | os.PathLike[str] | None = None,
        init_unknown_vec: Callable[..., Any] = nd.zeros,
        vocabulary: Vocabulary | None = None,
        **kwargs: Any,
    ) -> None:
        path = pretrained.find(self._kind, pretrained_file_name, embedding_root)
        super().__init__(**kwargs)
        self._load_embedding(path, " ", init_unknown_vec)
        self._build_embedding_for_vocabulary(vocabulary)


@register
class GloVe(_Pretrained):
    """The vectors GloVe, from a file that is downloaded once.

    Parameters
    ----------
    pretrained_file_name : str, default 'glove.840B.300d.txt'
        Which; see `get_pretrained_file_names('glove')`.
    embedding_root : path, optional
        Folder for all such files, by default `embeddings` under `MXNET_HOME` or `~/.mxnet`; this
        one is in its folder `glove`.
    init_unknown_vec : callable, default `mx.nd.zeros`
        Makes the vector of unknown tokens from its `shape`.
    vocabulary : Vocabulary, optional
        The tokens to keep.
    **kwargs
        Those of `Vocabulary`.

    References
    ----------
    Pennington, Socher, Manning: GloVe, global vectors for word representation (2014).
    """

    _kind = "glove"

    def __init__(self, pretrained_file_name: str = "glove.840B.300d.txt", **kwargs: Any) -> None:
        super().__init__(pretrained_file_name, **kwargs)


@register
class FastText(_Pretrained):
    """The vectors of fastText, from a file that is downloaded once.

    Parameters
    ----------
    pretrained_file_name : str, default 'wiki.simple.vec'
        Which; see `get_pretrained_file_names('fasttext')`.
    embedding_root : path, optional
        Folder for all such files, by default `embeddings` under `MXNET_HOME` or `~/.mxnet`; this
        one is in its folder `fasttext`.
    init_unknown_vec : callable, default `mx.nd.zeros`
        Makes the vector of unknown tokens from its `shape`.
    vocabulary : Vocabulary, optional
        The tokens to keep.
    **kwargs
        Those of `Vocabulary`.

    References
    ----------
    Bojanowski et al.: Enriching word vectors with subword information (2016), arXiv:1607.04606.
    """

    _kind = "fasttext"

    def __init__(self, pretrained_file_name: str = "wiki.simple.vec", **kwargs: Any) -> None:
        super().__init__(pretrained_file_name, **kwargs)


class CompositeEmbedding(TokenEmbedding):
    r"""Vectors of several embeddings side by side, for the tokens of a vocabulary.

    Parameters
    ----------
    vocabulary : Vocabulary
        The tokens.
    token_embeddings : TokenEmbedding or list of TokenEmbedding
        Where the vectors come from.

    Raises
    ------
    RefusedArgumentError
        Something else was given.

    Examples
    --------
    >>> import collections, pathlib, tempfile
    >>> from gluonish.contrib.text import embedding, vocab
    >>> file = pathlib.Path(tempfile.mkdtemp()) / 'vectors.txt'
    >>> _ = file.write_text('a 1 2\nb 3 4\n')
    >>> vectors = embedding.CustomEmbedding(file)
    >>> words = vocab.Vocabulary(collections.Counter(['b']))
    >>> embedding.CompositeEmbedding(words, [vectors, vectors]).idx_to_vec.asnumpy()[1].tolist()
    [3.0, 4.0, 3.0, 4.0]
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        token_embeddings: TokenEmbedding | Sequence[TokenEmbedding],
    ) -> None:
        super().__init__()
        _check_vocabulary(vocabulary)
        one = isinstance(token_embeddings, TokenEmbedding)
        embeddings: Any = [token_embeddings] if one else token_embeddings
        if not isinstance(embeddings, (list, tuple)) or not all(
            isinstance(each, TokenEmbedding) for each in embeddings
        ):
            msg = (
                f"CompositeEmbedding: {token_embeddings!r} was given. The argument "
                f"`token_embeddings` must be an instance or a list of instances of TokenEmbedding. "
                f"Load one with CustomEmbedding."
            )
            raise RefusedArgumentError(msg)
        self._adopt(embeddings, vocabulary)


def _check_vocabulary(vocabulary: object) -> None:
    if not isinstance(vocabulary, Vocabulary):
        msg = (
            f"{type(vocabulary).__name__} was given. The argument `vocabulary` must be an instance "
            f"of mx.contrib.text.vocab.Vocabulary. Make one of a collections.Counter."
        )
        raise RefusedArgumentError(msg)


def _as_array(values: Any) -> Any:
    """Return an array of the class that is in force."""
    make = np.array if is_np_array() else nd.array
    return make(values, dtype=values.dtype)
