"""Digits and files of `mx.test_utils`, and the iterator over a DataLoader."""

from __future__ import annotations

import bz2
import logging
import zipfile
from pathlib import Path

import numpy as onp
import pytest

import gluonish as mx
from gluonish import io, nd, test_utils
from gluonish.contrib.io import DataLoaderIter
from gluonish.errors import FileDownloadError

TINY = Path(__file__).parent.parent / "golden" / "mxnet" / "mnist"


@pytest.fixture
def no_network(monkeypatch, tmp_path):
    def refuse(url, *arguments, **options):
        msg = f"no network for {url}"
        raise FileDownloadError(msg)

    monkeypatch.setattr("gluonish.gluon.data.vision.datasets.download", refuse)
    monkeypatch.setattr("gluonish.test_utils.files.fetch", refuse)
    monkeypatch.setenv("MXNET_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)


def test_without_a_network_there_are_the_bundled_digits(no_network, caplog):
    with caplog.at_level(logging.WARNING, "gluonish.data"):
        mnist = test_utils.get_mnist()
    assert "Going on with the 5,000 digits" in caplog.text
    assert mnist["train_data"].shape == (4000, 1, 28, 28)
    assert mnist["test_label"].shape == (1000,)
    assert (mnist["train_data"].dtype, mnist["train_label"].dtype) == (onp.float32, onp.int8)
    assert (mnist["train_data"].min(), mnist["train_data"].max()) == (0, 1)
    picture, label = mx.gluon.data.vision.MNISTSample(train=False)[3]
    assert (mnist["test_data"][3, 0] == picture.asnumpy()[..., 0] / onp.float32(255)).all()
    assert mnist["test_label"][3] == label


def test_files_that_are_there_are_read(no_network, tmp_path):
    folder = tmp_path / "home" / "datasets" / "mnist"
    folder.mkdir(parents=True)
    for kind in ("train", "t10k"):
        for what in ("images-idx3", "labels-idx1"):
            content = (TINY / f"tiny-{what}-ubyte").read_bytes()
            (folder / f"{kind}-{what}-ubyte").write_bytes(content)
    with onp.load(TINY / "tiny.npz") as expected:
        mnist = test_utils.get_mnist()
        assert (mnist["train_label"] == expected["labels"]).all()
        assert (mnist["train_data"][:, 0] == expected["images"] / onp.float32(255)).all()


def test_unpacked_digits_are_iterated_over(no_network):
    train, test = test_utils.get_mnist_iterator(100, (784,), num_parts=2, part_index=1)
    assert train.provide_data[0].shape == (100, 784)
    assert (len(list(train)), len(list(test))) == (20, 5)
    stamp = Path("data/train-images-idx3-ubyte").stat().st_mtime_ns
    train, test = test_utils.get_mnist_iterator(100, (1, 28, 28))
    assert train.provide_data[0].shape == (100, 1, 28, 28)
    assert Path("data/train-images-idx3-ubyte").stat().st_mtime_ns == stamp
    labels = onp.concatenate([batch.label[0].asnumpy() for batch in test])
    assert onp.bincount(labels.astype(int)).tolist() == [100] * 10


def test_files_go_where_they_are_told_to(monkeypatch, tmp_path):
    calls = []
    monkeypatch.setattr("gluonish.test_utils.files.fetch", lambda *call: calls.append(call) or "x")
    assert test_utils.download("http://a.b/c/d.rec?x=1") == "x"
    test_utils.download("http://a.b/d", fname="e/f", dirname=tmp_path, overwrite=True, retries=2)
    assert calls == [
        ("http://a.b/c/d.rec?x=1", Path("d.rec"), False, None, 5),
        ("http://a.b/d", tmp_path / "e" / "f", True, None, 2),
    ]


def test_packed_files_are_unpacked_once(monkeypatch, tmp_path):
    fetched = []

    def fetch(url, path, *options):
        fetched.append(url)
        if url.endswith("zip"):
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr("inside", "text")
        else:
            path.write_bytes(bz2.compress(b"1 2 3"))
        return str(path)

    monkeypatch.setattr("gluonish.test_utils.files.fetch", fetch)
    for _ in range(2):
        test_utils.get_bz2_data(tmp_path, "a.t", "http://a.b/a.bz2", "a.bz2")
        test_utils.get_zip_data(tmp_path, "http://a.b/b.zip", "b.zip")
    assert (tmp_path / "a.t").read_bytes() == b"1 2 3"
    assert (tmp_path / "inside").read_text() == "text"
    assert not (tmp_path / "a.bz2").exists()
    assert fetched == ["http://a.b/a.bz2", "http://a.b/b.zip"]


def test_a_dummy_gives_one_batch_for_ever():
    real = io.NDArrayIter(nd.ones((4, 2)), None, 2)
    dummy = test_utils.DummyIter(real)
    assert all(next(dummy) is dummy.the_batch for _ in range(5))
    assert dummy.reset() is None
    assert (dummy.provide_data, dummy.provide_label) == (real.provide_data, [])
    assert (dummy.batch_size, dummy.real_iter) == (2, real)


def loader(size=2, **options):
    data = mx.gluon.data.ArrayDataset(nd.arange(10).reshape((5, 2)), onp.arange(5))
    return mx.gluon.data.DataLoader(data, size, **options)


def test_a_loader_is_iterated_over_in_full_batches():
    it = DataLoaderIter(loader())
    assert it.provide_data == [io.DataDesc("data", (2, 2), "float32")]
    assert (it.provide_label[0].name, it.provide_label[0].shape) == ("softmax_label", (2,))
    for _ in range(2):
        seen = [
            (b.data[0].asnumpy().tolist(), b.label[0].asnumpy().tolist(), b.pad, b.index)
            for b in it
        ]
        assert seen == [
            ([[0, 1], [2, 3]], [0, 1], 0, None),
            ([[4, 5], [6, 7]], [2, 3], 0, None),
            ([[8, 9], [0, 0]], [4, 0], 1, None),
        ]
        it.reset()


def test_a_loaders_batches_take_names_and_a_dtype():
    it = DataLoaderIter(loader(last_batch="discard"), "a", "b", "float64")
    batch = next(it)
    assert batch.data[0].dtype == batch.label[0].dtype == onp.float64
    assert (it.provide_data[0].name, it.provide_label[0].name, it.dtype) == ("a", "b", "float64")
    assert mx.contrib.io.DataLoaderIter is DataLoaderIter


def test_loaders_without_pairs_are_refused():
    for given in (mx.gluon.data.DataLoader(nd.ones((4, 2)), 2), [], [(nd.ones((2,)),) * 3]):
        with pytest.raises(mx.MXNetError, match="Expected pairs of data and labels"):
            DataLoaderIter(given)
