"""Datasets over files of records and lists of files, and transforms that turn pictures."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as onp
import pytest

import gluonish as mx
from gluonish import gluon
from gluonish.gluon.data import vision
from gluonish.gluon.data.vision import transforms

GOLDEN = Path(__file__).parents[3] / "golden" / "mxnet" / "recordio"


def small(picture, label):
    return picture[:4, :5], onp.float32(onp.sum(label))


def test_records_are_samples():
    data = gluon.data.RecordFileDataset(GOLDEN / "img.rec")
    assert len(data) == 6
    assert data[2] == mx.recordio.MXIndexedRecordIO(
        GOLDEN / "img.idx", GOLDEN / "img.rec", "r"
    ).read_idx(20)
    assert data[-1] == data[5]
    with pytest.raises(IndexError):
        data[6]


def test_pictures_in_records_are_samples():
    data = vision.ImageRecordDataset(GOLDEN / "img.rec")
    picture, label = data[0]
    assert (type(picture), picture.shape, label) == (mx.nd.NDArray, (4, 5, 3), 0.0)
    assert picture[1, 2].asnumpy().tolist() == [11, 12, 13]
    assert data[1][1].tolist() == [1.0, 1.5, -1.0]
    grey = vision.ImageRecordDataset(GOLDEN / "img.rec", flag=0, transform=lambda x, y: (x, -y))[2]
    assert (grey[0].shape, grey[1]) == ((4, 7, 1), -2.0)
    mx.npx.set_np()
    assert type(data[0][0]) is mx.np.ndarray


@pytest.mark.parametrize(
    "options", [{}, {"num_workers": 2}, {"num_workers": 2, "thread_pool": True}]
)
def test_a_loader_reads_records_with_workers(options):
    data = vision.ImageRecordDataset(GOLDEN / "img.rec").transform(small)
    loader = gluon.data.DataLoader(data, batch_size=4, **options)
    shapes = [(pictures.shape, labels.asnumpy().tolist()) for pictures, labels in loader]
    assert shapes == [((4, 4, 5, 3), [0.0, 1.5, 2.0, 3.5]), ((2, 4, 5, 3), [4.0, 5.5])]


def test_records_without_an_index_are_counted(tmp_path):
    shutil.copy(GOLDEN / "img.rec", tmp_path)
    with pytest.warns(UserWarning, match="img.idx: there is no such index"):
        data = vision.ImageRecordDataset(tmp_path / "img.rec")
    assert [data[i][0].shape[1] for i in range(len(data))] == [5, 6, 7, 8, 9, 10]


def test_a_list_of_files_is_a_dataset(tmp_path):
    data = vision.ImageRecordDataset(GOLDEN / "img.rec")
    for number in range(2):
        (tmp_path / f"{number}.png").write_bytes(
            mx.recordio.unpack(data._record.read_idx(10 * number))[1]
        )
    (tmp_path / "a.lst").write_text("7\t1.0\t2.5\t1.png\n\n8\t3\t0.png\n")
    listed = vision.ImageListDataset(tmp_path, tmp_path / "a.lst")
    assert [(x.shape, y.tolist()) for x, y in listed] == [
        ((4, 6, 3), [1.0, 2.5]),
        ((4, 5, 3), [3.0]),
    ]
    entries = [[1, "1.png"], [2, 3, "0.png"], [[4, 5], "0.png"], [mx.nd.array([6]), "0.png"]]
    listed = vision.ImageListDataset(tmp_path, entries, flag=0)
    assert [y.tolist() for _, y in listed] == [[1.0], [2.0, 3.0], [4.0, 5.0], [6.0]]
    assert listed[0][0].shape == (4, 6, 1)


def test_mistakes_with_datasets_are_explained(tmp_path):
    with pytest.raises(FileNotFoundError, match="Expected an existing file"):
        vision.ImageRecordDataset(tmp_path / "none.rec")
    with pytest.raises(ValueError, match="ImageRecordDataset: flag=2 was given"):
        vision.ImageRecordDataset(GOLDEN / "img.rec", flag=2)
    with pytest.raises(TypeError, match="no imglist was given"):
        vision.ImageListDataset(tmp_path)
    for line in ("a\t1\tx.png", "1 2 x.png", "1\tx\tx.png", "1\t2\t"):
        (tmp_path / "a.lst").write_text(f"0\t1\tx.png\n{line}\n")
        with pytest.raises(mx.errors.FileFormatError, match=r"line 2 of .*a.lst"):
            vision.ImageListDataset(tmp_path, tmp_path / "a.lst")


def test_pictures_are_turned():
    picture = mx.nd.array(onp.arange(60).reshape(3, 4, 5))
    turned = transforms.Rotate(30)(picture)
    # The real MXNet 1.9.1 gave these numbers.
    expected = [0.20456918, 1.3205944, 3.7548099, 7.1208353, 5.181982]
    assert turned[0, 0].asnumpy() == pytest.approx(expected, abs=1e-4)


def test_pictures_are_turned_at_random_as_mxnet_does():
    onp.random.seed(0)  # noqa: NPY002 - MXNet's generator
    turn = transforms.RandomRotation((-30, 30), rotate_with_proba=0.5)
    picture = mx.nd.array(onp.arange(60).reshape(3, 4, 5))
    sums = [turn(picture).asnumpy().sum() for _ in range(6)]
    # The real MXNet 1.9.1 gave these sums, and then this number.
    assert sums == pytest.approx([1770, 1770, 1770, 1770, 1649.7472, 1519.8341], abs=1e-2)
    assert onp.random.rand() == pytest.approx(0.9636627605010293)  # noqa: NPY002


def test_mistakes_with_rotations_are_explained():
    whole = mx.nd.ones((3, 4, 5), dtype="int32")
    for transform in (transforms.Rotate(30), transforms.RandomRotation((-30, 30))):
        with pytest.raises(TypeError, match="This transformation only supports float32, int32"):
            transform(whole)
    assert transforms.RandomRotation((-30, 30), rotate_with_proba=0)(whole) is whole
    with pytest.raises(ValueError, match="must be an ordered tuple"):
        transforms.RandomRotation((30, 30))
    with pytest.raises(TypeError, match="Expected two angles in degrees"):
        transforms.RandomRotation(30)
    with pytest.raises(ValueError, match="should be between 0 and 1"):
        transforms.RandomRotation((-30, 30), rotate_with_proba=2)
