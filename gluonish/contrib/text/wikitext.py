"""Articles of Wikipedia as sequences of words: `gluon.contrib.data.text`."""

from __future__ import annotations

import os
import shutil
import zipfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as onp
from typing_extensions import override

from gluonish.contrib.text.vocab import Vocabulary
from gluonish.errors import (
    FileAccessError,
    FileFormatError,
    InvalidArgumentError,
    MissingFileError,
    MissingNameError,
)
from gluonish.gluon.data import Dataset
from gluonish.gluon.download import (
    check_sha1,  # noqa: F401 - MXNet has it here, too
    download,
    repository_url,
)
from gluonish.ndarray import array
from gluonish.serialization.files import replacing

if TYPE_CHECKING:
    from gluonish.array import NDArray

__all__ = ["WikiText2", "WikiText103"]
_UNSTARRED = ("check_sha1", "download")

_END: Final = "<eos>"  # stands after each line
_FILES: Final = {
    "train": "wiki.train.tokens",
    "validation": "wiki.valid.tokens",
    "test": "wiki.test.tokens",
}


class _WikiText(Dataset):
    """The words of a file, cut into sequences of one length."""

    _namespace: ClassVar[str]
    _archive_file: ClassVar[tuple[str, str]]

    def __init__(
        self,
        root: str | os.PathLike[str] | None = None,
        segment: str = "train",
        vocab: Vocabulary | None = None,
        seq_len: int = 35,
    ) -> None:
        if segment not in _FILES:
            msg = (
                f"{type(self).__name__}: segment={segment!r} was given. Expected one of "
                f"{', '.join(map(repr, _FILES))}. Choose one of them."
            )
            raise MissingNameError(msg)
        if seq_len < 1:
            msg = (
                f"{type(self).__name__}: seq_len={seq_len!r} was given. Expected at least 1 word. "
                f"Leave it out for 35."
            )
            raise InvalidArgumentError(msg)
        home = os.environ.get("MXNET_HOME") or Path.home() / ".mxnet"
        self._root = Path(home, "datasets", self._namespace)
        if root is not None:
            self._root = Path(root).expanduser()
        self._segment = segment
        self._seq_len = seq_len
        words = _words(self._file(_FILES[segment]))
        self._counter = Counter(word for word in words if word != _END)
        self._vocab = vocab
        if vocab is None:
            self._vocab = Vocabulary(self._counter, reserved_tokens=[_END])
        indices = onp.array(self.vocabulary.to_indices(words), dtype="int32")
        length = max(len(words) - 1, 0) // seq_len * seq_len
        self._data = array(indices[:length].reshape(-1, seq_len), dtype="int32")
        self._label = array(indices[1 : length + 1].reshape(-1, seq_len), dtype="int32")

    @property
    def vocabulary(self) -> Vocabulary:
        """The words' indices."""
        return self._vocab  # type: ignore[return-value]  # set in __init__

    @property
    def frequencies(self) -> Counter[str]:
        """How often each word is there."""
        return self._counter

    @override
    def __getitem__(self, idx: Any) -> tuple[NDArray, NDArray]:
        return self._data[idx], self._label[idx]

    @override
    def __len__(self) -> int:
        return int(self._data.shape[0])

    def _file(self, name: str) -> Path:
        """Return a file of the dataset, out of the archive if it is not there."""
        target = self._root / name
        if not target.is_file():
            _unpack(self._archive(name), name, target)
        return target

    def _archive(self, wanted: str) -> Path:
        name, sha1 = self._archive_file
        path = self._root / name
        if path.is_file():
            return path
        url = repository_url(f"gluon/dataset/{self._namespace}", name)
        try:
            return Path(download(url, path, sha1_hash=sha1, retries=1))
        except FileAccessError as error:
            msg = (
                f"{type(self).__name__}: {wanted!r} and {name!r} not found in {self._root}, and "
                f"the download failed. Expected one of them there. Put it there, pass root=, or "
                f"set MXNET_HOME or MXNET_GLUON_REPO."
            )
            raise MissingFileError(msg) from error


class WikiText2(_WikiText):
    """WikiText-2: two million words of good articles, as pairs of sequences.

    A sample is `seq_len` words and, for each, the word after it, as int32 indices. Lines end with
    the word `<eos>`, and empty ones are left out.

    Parameters
    ----------
    root : path, optional
        Folder of `wiki.train.tokens`, `wiki.valid.tokens` and `wiki.test.tokens`, or of
        `wikitext-2-v1.zip`; the archive is downloaded if they are not there. By default
        `~/.mxnet/datasets/wikitext-2`, or in the folder that MXNET_HOME names.
    segment : {'train', 'validation', 'test'}, default 'train'
        Which part.
    vocab : Vocabulary, optional
        The words' indices, such as `vocabulary` of the training part; made of the words that are
        there by default.
    seq_len : int, default 35
        Length of the sequences, in words.

    Attributes
    ----------
    vocabulary : contrib.text.Vocabulary
        The words' indices.
    frequencies : collections.Counter
        How often each word is there.

    Raises
    ------
    MissingNameError
        There is no such part.
    InvalidArgumentError
        The length is not positive.
    MissingFileError
        The files are not there, and cannot be downloaded.
    FileFormatError
        A file is damaged.

    References
    ----------
    Merity et al., "Pointer Sentinel Mixture Models", 2016, arXiv:1609.07843.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from gluonish.gluon.contrib.data.text import WikiText2
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pathlib.Path(folder, 'wiki.train.tokens').write_text('a cat and a dog . ')
    ...     words = WikiText2(folder, seq_len=3)
    >>> [part.asnumpy().tolist() for part in words[0]]
    [[2, 5, 4], [5, 4, 2]]
    """

    _namespace = "wikitext-2"
    _archive_file = ("wikitext-2-v1.zip", "3c914d17d80b1459be871a5039ac23e752a53cbe")


class WikiText103(_WikiText):
    """WikiText-103: a hundred million words of good articles, as pairs of sequences.

    Parameters, attributes and errors are those of `WikiText2`; the archive is
    `wikitext-103-v1.zip`.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from gluonish.gluon.contrib.data.text import WikiText103
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pathlib.Path(folder, 'wiki.test.tokens').write_text('a cat and a dog . ')
    ...     words = WikiText103(folder, segment='test', seq_len=3)
    >>> len(words), words.frequencies['a']
    (2, 2)
    """

    _namespace = "wikitext-103"
    _archive_file = ("wikitext-103-v1.zip", "0aec09a7537b58d4bb65362fee27650eeaba625a")


def _words(file: Path) -> list[str]:
    """Return the words of a file, with the mark of the end after each line that has some."""
    words: list[str] = []
    try:
        with file.open(encoding="utf-8") as lines:
            for line in lines:
                found = line.split()
                if found:
                    words += [*found, _END]
    except UnicodeDecodeError as error:
        msg = f"{file}: it is damaged ({error}). Expected text in UTF-8. Fetch it again."
        raise FileFormatError(msg) from error
    return words


def _unpack(archive: Path, name: str, target: Path) -> None:
    try:
        with zipfile.ZipFile(archive) as packed:
            inside = [each for each in packed.namelist() if each.rsplit("/", 1)[-1] == name]
            if not inside:
                msg = (
                    f"{archive}: {name!r} not found in it. Expected the archive of the words, not "
                    f"of the raw text. Fetch it again."
                )
                raise FileFormatError(msg)
            with packed.open(inside[0]) as source, replacing(target) as stream:
                shutil.copyfileobj(source, stream)
    except (zipfile.BadZipFile, EOFError) as error:
        msg = f"{archive}: it is damaged ({error}). Expected a zip archive. Fetch it again."
        raise FileFormatError(msg) from error
