"""gluon.contrib.data.text, with values of the real MXNet 1.9.1."""

from __future__ import annotations

import zipfile

import numpy as onp
import pytest

import gluonish as mx
from gluonish.contrib.text.wikitext import WikiText2, WikiText103
from gluonish.errors import (
    FileFormatError,
    InvalidArgumentError,
    MissingFileError,
    MissingNameError,
)

LINES = [
    " \n",
    " = Valkyria = \n",
    " \n",
    " the cat sat on the mat . the dog ran \n",
    " a cat and a dog , café \n",
    "\n",
    " the end of the story of the cat ",
]
# As MXNet orders them: by how often they are there, then by the alphabet.
WORDS = "<unk> <eos> the cat = a dog of , . Valkyria and café end mat on ran sat story"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "wiki.train.tokens").write_text("".join(LINES), encoding="utf-8")
    for part in ("valid", "test"):
        text = "".join(LINES[2:5])
        (tmp_path / f"wiki.{part}.tokens").write_text(text, encoding="utf-8")
    return tmp_path


def test_words_become_sequences(folder):
    words = WikiText2(root=folder, seq_len=5)
    assert len(words) == 6
    assert words.vocabulary.idx_to_token == WORDS.split()
    assert words.frequencies["the"] == 6
    data, label = words[1]
    assert (data.asnumpy().tolist(), label.asnumpy().tolist()) == (
        [3, 17, 15, 2, 14],
        [17, 15, 2, 14, 9],
    )
    assert data.dtype == label.dtype == onp.int32
    assert mx.gluon.contrib.data.text.WikiText2 is WikiText2


def test_the_vocabulary_of_training_serves_the_other_parts(folder):
    vocabulary = WikiText2(root=folder).vocabulary
    words = WikiText2(root=folder, segment="test", vocab=vocabulary, seq_len=4)
    assert words.vocabulary is vocabulary
    assert [words[i][0].asnumpy().tolist() for i in (0, 1)] == [[2, 3, 17, 15], [2, 14, 9, 2]]


def test_few_words_make_no_sequence(folder):
    assert len(WikiText2(root=folder, segment="validation")) == 0
    (folder / "wiki.test.tokens").write_text("")
    assert len(WikiText103(root=folder, segment="test")) == 0


def test_sequences_make_batches(folder):
    words = WikiText2(root=folder, seq_len=5)
    data, label = next(iter(mx.gluon.data.DataLoader(words, batch_size=2)))
    assert data.shape == label.shape == (2, 5)


@pytest.mark.parametrize(("cls", "number"), [(WikiText2, 2), (WikiText103, 103)])
def test_words_come_out_of_the_archive(cls, number, folder, tmp_path):
    root = tmp_path / "packed"
    root.mkdir()
    with zipfile.ZipFile(root / f"wikitext-{number}-v1.zip", "w") as archive:
        archive.write(folder / "wiki.train.tokens", f"wikitext-{number}/wiki.train.tokens")
    assert len(cls(root=root, seq_len=5)) == 6
    assert (root / "wiki.train.tokens").is_file()
    with pytest.raises(FileFormatError, match=r"'wiki\.test\.tokens' not found in it"):
        cls(root=root, segment="test")


def test_files_are_found_in_the_home_of_mxnet(folder, monkeypatch):
    home = folder / "datasets" / "wikitext-2"
    home.mkdir(parents=True)
    (folder / "wiki.train.tokens").rename(home / "wiki.train.tokens")
    monkeypatch.setenv("MXNET_HOME", str(folder))
    assert len(WikiText2(seq_len=5)) == 6


def test_missing_files_are_told(tmp_path, monkeypatch):
    monkeypatch.setenv("MXNET_GLUON_REPO", "http://127.0.0.1:9")
    with pytest.raises(MissingFileError, match=r"'wiki\.train\.tokens' and 'wikitext-2-v1\.zip'"):
        WikiText2(root=tmp_path)


def test_damaged_files_are_told(tmp_path):
    (tmp_path / "wiki.train.tokens").write_bytes(b"a \xff b")
    with pytest.raises(FileFormatError, match="Expected text in UTF-8"):
        WikiText2(root=tmp_path)
    (tmp_path / "wikitext-2-v1.zip").write_bytes(b"no archive")
    with pytest.raises(FileFormatError, match="Expected a zip archive"):
        WikiText2(root=tmp_path, segment="test")


def test_parts_and_lengths_are_checked(folder):
    with pytest.raises(MissingNameError, match=r"segment='x' was given\. Expected one of 'train'"):
        WikiText2(root=folder, segment="x")
    with pytest.raises(InvalidArgumentError, match="seq_len=0 was given"):
        WikiText2(root=folder, seq_len=0)
