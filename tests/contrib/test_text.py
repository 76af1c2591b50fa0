"""mx.contrib.text: vocabularies and vectors; the values are the real MXNet's."""

from __future__ import annotations

import collections
import zipfile

import pytest

import gluonish as mx
from gluonish.contrib import text
from gluonish.contrib.text import pretrained
from gluonish.errors import (
    DTypeError,
    EmbeddingFileError,
    FileDownloadError,
    FileFormatError,
    InvalidArgumentError,
    MissingFileError,
    MissingNameError,
    RefusedArgumentError,
)

COUNTS = collections.Counter({"c": 3, "b": 3, "a": 1, "z": 2, "<unk>": 7})
Vocabulary = text.vocab.Vocabulary
CustomEmbedding = text.embedding.CustomEmbedding


@pytest.fixture
def vectors(tmp_path):
    """Return a function that writes a file of vectors."""

    def write(content, name="vectors.txt"):
        path = tmp_path / name
        path.write_text(content)
        return path

    return write


def shown(embedding):
    return embedding.idx_to_token, embedding.idx_to_vec.asnumpy().tolist()


def test_tokens_are_counted():
    found = text.utils.count_tokens_from_str(" Life is great ! \n life is good . \n")
    assert found == {"Life": 1, "is": 2, "great": 1, "!": 1, "life": 1, "good": 1, ".": 1}


def test_counts_are_added_to_others():
    counter = collections.Counter({"b": 2})
    options = {"token_delim": "-", "seq_delim": "<>", "to_lower": True}
    found = text.utils.count_tokens_from_str("a-b<>A-b", **options, counter_to_update=counter)
    assert found is counter
    assert found == {"a": 2, "b": 4}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, ["<unk>", "b", "c", "z", "a"]),
        ({"most_freq_count": 2}, ["<unk>", "b", "c"]),
        ({"most_freq_count": 0}, ["<unk>"]),
        ({"min_freq": 2}, ["<unk>", "b", "c", "z"]),
        ({"reserved_tokens": ["<pad>", "b"]}, ["<unk>", "<pad>", "b", "c", "z", "a"]),
        (
            {"most_freq_count": 2, "unknown_token": "u", "reserved_tokens": ["<pad>"]},
            ["u", "<pad>", "<unk>", "b"],
        ),
    ],
)
def test_vocabularies_are_in_mxnets_order(options, expected):
    vocabulary = Vocabulary(COUNTS, **options)
    assert vocabulary.idx_to_token == expected
    assert vocabulary.token_to_idx == {token: i for i, token in enumerate(expected)}
    assert len(vocabulary) == len(expected)
    assert vocabulary.unknown_token == expected[0]
    assert vocabulary.reserved_tokens == options.get("reserved_tokens")


def test_vocabulary_of_nothing_knows_the_unknown_token():
    assert Vocabulary().idx_to_token == ["<unk>"]


def test_tokens_and_numbers_are_looked_up():
    vocabulary = Vocabulary(COUNTS)
    assert vocabulary.to_indices("b") == 1
    assert vocabulary.to_indices(["b", "nobody", "a"]) == [1, 0, 4]
    assert vocabulary.to_indices([]) == []
    assert vocabulary.to_tokens(1) == "b"
    assert vocabulary.to_tokens([0, 2]) == ["<unk>", "c"]


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda: Vocabulary(COUNTS, min_freq=0), RefusedArgumentError, "positive value"),
        (lambda: Vocabulary(["a"]), RefusedArgumentError, "collections.Counter"),
        (lambda: Vocabulary(reserved_tokens=["a", "a"]), RefusedArgumentError, "duplicate"),
        (lambda: Vocabulary(reserved_tokens=["<unk>"]), RefusedArgumentError, "unknown_token"),
        (lambda: Vocabulary().to_tokens(1), InvalidArgumentError, "index 1 .* invalid"),
        (lambda: Vocabulary().to_tokens([-1]), InvalidArgumentError, "index -1 .* invalid"),
        (lambda: Vocabulary().to_tokens("a"), DTypeError, "whole number"),
        (lambda: CustomEmbedding("nowhere.txt"), MissingFileError, "valid path"),
        (lambda: text.embedding.create("x"), RefusedArgumentError, "not registered"),
        (
            lambda: text.embedding.create("glove", pretrained_file_name="x"),
            MissingNameError,
            "Cannot find pretrained file x",
        ),
        (
            lambda: text.embedding.get_pretrained_file_names("x"),
            MissingNameError,
            "Cannot find `embedding_name` x",
        ),
        (
            lambda: text.embedding.CompositeEmbedding(3, []),
            RefusedArgumentError,
            "must be an instance of mx.contrib.text.vocab.Vocabulary",
        ),
        (
            lambda: text.embedding.CompositeEmbedding(Vocabulary(), 3),
            RefusedArgumentError,
            "list of instances",
        ),
    ],
)
def test_mistakes_are_explained(call, error, match):
    with pytest.raises(error, match=match):
        call()


def test_vectors_are_loaded(vectors):
    embedding = CustomEmbedding(vectors("a 1 2\nb 3 4\n"))
    assert shown(embedding) == (["<unk>", "a", "b"], [[0, 0], [1, 2], [3, 4]])
    assert embedding.vec_len == 2
    assert type(embedding.idx_to_vec) is mx.nd.NDArray
    assert embedding.get_vecs_by_tokens("a").asnumpy().tolist() == [1, 2]
    assert embedding.get_vecs_by_tokens(["b", "?"]).asnumpy().tolist() == [[3, 4], [0, 0]]
    upper = embedding.get_vecs_by_tokens(["A", "b"], lower_case_backup=True)
    assert upper.asnumpy().tolist() == [[1, 2], [3, 4]]
    assert embedding.get_vecs_by_tokens("A").asnumpy().tolist() == [0, 0]


def test_vectors_are_np_arrays_in_np_mode(vectors):
    mx.npx.set_np()
    try:
        embedding = CustomEmbedding(vectors("a 1 2\n"))
        assert type(embedding.idx_to_vec) is mx.np.ndarray
        assert embedding.get_vecs_by_tokens(["a"]).asnumpy().tolist() == [[1, 2]]
    finally:
        mx.npx.reset_np()


def test_unknown_tokens_have_the_files_vector_or_a_new_one(vectors):
    path = vectors("a,1,2\n<unk>,5,6\n")
    assert shown(CustomEmbedding(path, ",")) == (["<unk>", "a"], [[5, 6], [1, 2]])
    plain = vectors("a,1,2\n")
    made = CustomEmbedding(plain, ",", init_unknown_vec=mx.nd.ones)
    assert shown(made) == (["<unk>", "a"], [[1, 1], [1, 2]])
    by_name = CustomEmbedding(vectors("a,1,2\nb,3,4"), ",", unknown_token="a")
    assert shown(by_name) == (["a", "b"], [[1, 2], [3, 4]])


def test_headers_and_repetitions_are_skipped_with_a_warning(vectors):
    path = vectors("2 5\na 1 2\na 3 4\n")
    with pytest.warns(UserWarning, match="skipped") as caught:
        embedding = CustomEmbedding(path)
    assert shown(embedding) == (["<unk>", "a"], [[0, 0], [1, 2]])
    assert ["header" in str(caught[0].message), "second time" in str(caught[1].message)] == [
        True
    ] * 2


@pytest.mark.parametrize(
    ("content", "match"),
    [
        ("a 1 2\nb 3\nc 4 5 6", "likely|dimension of token c is 3 but"),
        ("a 1 2\nb\n", "line 2, token 'b'.*no vector"),
        ("a x y\n", "could not convert"),
        ("", "no vectors are in it"),
    ],
)
@pytest.mark.filterwarnings("ignore:.*likely a header")
def test_damaged_files_are_refused(vectors, content, match):
    with pytest.raises(EmbeddingFileError, match=match):
        CustomEmbedding(vectors(content))


def test_vectors_are_kept_for_a_vocabulary_only(vectors):
    words = Vocabulary(collections.Counter(["b", "c", "b", "q", "a"]), reserved_tokens=["<pad>"])
    embedding = CustomEmbedding(vectors("a 1 2\nb 3 4\n"), vocabulary=words)
    tokens, matrix = shown(embedding)
    assert tokens == ["<unk>", "<pad>", "b", "a", "c", "q"]
    assert matrix == [[0, 0], [0, 0], [3, 4], [1, 2], [0, 0], [0, 0]]
    assert embedding.reserved_tokens == ["<pad>"]


def test_embeddings_stand_side_by_side(vectors):
    first = CustomEmbedding(vectors("a 1 2\n"), init_unknown_vec=mx.nd.ones)
    second = CustomEmbedding(vectors("a 3 4 5\nb 6 7 8\n", "more.txt"))
    words = Vocabulary(collections.Counter(["a", "b"]))
    both = text.embedding.CompositeEmbedding(words, [first, second])
    assert both.vec_len == 5
    assert both.idx_to_vec.asnumpy().tolist() == [
        [1, 1, 0, 0, 0],
        [1, 2, 3, 4, 5],
        [1, 1, 6, 7, 8],
    ]
    alone = text.embedding.CompositeEmbedding(words, second)
    assert alone.get_vecs_by_tokens("b").asnumpy().tolist() == [6, 7, 8]


def test_vectors_are_replaced(vectors):
    embedding = CustomEmbedding(vectors("a 1 2\nb 3 4\n"))
    embedding.update_token_vectors("a", mx.nd.array([5, 6]))
    embedding.update_token_vectors(["b"], mx.nd.array([[7, 8]]))
    embedding.update_token_vectors("<unk>", mx.nd.array([9, 9]))
    assert shown(embedding)[1] == [[9, 9], [5, 6], [7, 8]]
    embedding.update_token_vectors(["a", "b"], mx.nd.zeros((2, 2)))
    assert shown(embedding)[1] == [[9, 9], [0, 0], [0, 0]]


@pytest.mark.parametrize(
    ("tokens", "new", "error", "match"),
    [
        ("?", [1, 2], InvalidArgumentError, "avoid unintended updates"),
        (["a", "b"], [1, 2], RefusedArgumentError, "must be a 2-D NDArray"),
        (["a"], [1, 2, 3], RefusedArgumentError, "width to the dimension"),
        (["a", "b"], [[1, 2, 3, 4]], RefusedArgumentError, "width to the dimension"),
        ("a", None, RefusedArgumentError, "NoneType was given"),
    ],
)
def test_wrong_updates_are_explained(vectors, tokens, new, error, match):
    embedding = CustomEmbedding(vectors("a 1 2\nb 3 4\n"))
    with pytest.raises(error, match=match):
        embedding.update_token_vectors(tokens, None if new is None else mx.nd.array(new))


def test_names_of_mxnets_files_are_known():
    names = text.embedding.get_pretrained_file_names()
    assert list(names)[:2] == ["glove", "fasttext"]
    assert [len(names["glove"]), len(names["fasttext"])] == [10, 327]
    assert names["glove"][1] == "glove.6B.50d.txt"
    assert {"wiki.simple.vec", "wiki.multi.de.vec", "crawl-300d-2M.vec"} <= {*names["fasttext"]}


def test_classes_of_ones_own_are_created_by_name(monkeypatch):
    monkeypatch.setattr(text.embedding, "_registry", {})

    @text.embedding.register
    class Mine(text.embedding._TokenEmbedding):
        pretrained_file_name_sha1 = {"mine.txt": "0" * 40}  # noqa: RUF012 - MXNet's form

        def __init__(self, size=3, **kwargs):
            super().__init__(**kwargs)
            self.size = size

    assert text.embedding.create("mine", size=5).size == 5
    assert text.embedding.get_pretrained_file_names("mine") == ["mine.txt"]


def test_pretrained_files_that_are_there_are_loaded(tmp_path, monkeypatch):
    (tmp_path / "glove").mkdir()
    (tmp_path / "glove" / "glove.6B.50d.txt").write_text("a" + " 1" * 50)
    name = "glove.6B.50d.txt"
    embedding = text.embedding.create("glove", pretrained_file_name=name, embedding_root=tmp_path)
    assert embedding.idx_to_token == ["<unk>", "a"]
    assert embedding.vec_len == 50
    monkeypatch.setenv("MXNET_HOME", str(tmp_path))
    (tmp_path / "embeddings" / "fasttext").mkdir(parents=True)
    (tmp_path / "embeddings" / "fasttext" / "wiki.simple.vec").write_text("b 1 2\n")
    assert text.embedding.create("fasttext").idx_to_token == ["<unk>", "b"]


def test_pretrained_files_are_downloaded_and_unpacked(tmp_path, monkeypatch):
    asked = []

    def fetch(url, path, sha1_hash=None):
        asked.append((url.rsplit("/", 2)[1:], sha1_hash is not None))
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("glove.6B.50d.txt", "a 1 2\n")
        return str(path)

    monkeypatch.setattr(pretrained, "download", fetch)
    (tmp_path / "glove").mkdir()
    options = {"embedding_root": tmp_path, "vocabulary": Vocabulary(collections.Counter("ab"))}
    found = text.embedding.GloVe("glove.6B.50d.txt", **options)
    assert shown(found) == (["<unk>", "a", "b"], [[0, 0], [1, 2], [0, 0]])
    assert asked == [(["glove", "glove.6B.zip"], True)]
    with pytest.raises(FileFormatError, match="no archive that holds glove.6B.100d.txt"):
        text.embedding.GloVe("glove.6B.100d.txt", embedding_root=tmp_path)


def test_a_missing_network_is_explained(tmp_path, monkeypatch):
    def fail(url, path, sha1_hash=None):
        raise FileDownloadError("no network")  # noqa: EM101 - as the real one does

    monkeypatch.setattr(pretrained, "download", fail)
    with pytest.raises(FileDownloadError) as caught:
        text.embedding.create("fasttext", embedding_root=tmp_path)
    assert "load one of your own with CustomEmbedding" in caught.value.__notes__[0]


def test_the_first_vector_of_a_vocabulary_is_that_of_unknown_tokens(tmp_path):
    (tmp_path / "file").write_text("a 1 2\nb 3 4\n<unk1> 8 9\n")
    vectors = text.embedding.CustomEmbedding(str(tmp_path / "file"), " ", unknown_token="<unk1>")
    vocabulary = text.vocab.Vocabulary(collections.Counter(["b"]), unknown_token="a")
    found = text.embedding.CompositeEmbedding(vocabulary, vectors)
    assert found.idx_to_vec.asnumpy().tolist() == [[8, 9], [3, 4]]
    alone = text.vocab.Vocabulary(unknown_token="a")
    assert text.embedding.CompositeEmbedding(alone, vectors).idx_to_vec.shape == (1, 2)
