"""Iterators over pictures, to programs that reach into them: as in MXNet."""

from __future__ import annotations

from pathlib import Path

import numpy as onp
import pytest

import gluonish as mx
from gluonish import image

FOLDER = Path(__file__).parents[1] / "golden" / "pictures"
OWN = [[1, "0.png"], [2, "1.jpg"], [3, "0.png"]]
OPTIONS = {"batch_size": 2, "data_shape": (3, 8, 8), "path_root": FOLDER}
BOX = [2, 5, 0, 0.1, 0.1, 0.9, 0.9]


def labels(batches):
    found = [batch.label[0].asnumpy().tolist() for batch in batches]
    batches.reset()
    return found


def told(base):
    """Return a subclass that notes which of its methods are called."""

    class Told(base):
        def __init__(self, *args, **kwargs):
            self.calls = []
            super().__init__(*args, **kwargs)

    def noting(name, method):
        def noted(self, *args):
            self.calls.append(name)
            return method(self, *args)

        return noted

    for name in (
        "next_sample", "imdecode", "read_image", "augmentation_transform", "postprocess_data",
        "check_data_shape", "check_valid_image", "_batchify", "reset", "hard_reset", "next",
        "_parse_label", "_check_valid_label", "_estimate_label_shape",
    ):  # fmt: skip
        if hasattr(base, name):
            setattr(Told, name, noting(name, getattr(base, name)))
    return Told


def test_the_order_of_the_samples_can_be_assigned():
    it = image.ImageIter(imglist=OWN, **OPTIONS)
    assert (it.seq, it.cur, it.num_image, it.imgrec) == (["1", "2", "3"], 0, 3, None)
    it.seq = it.seq[::-1]
    assert labels(it) == labels(it) == [[3, 2], [1, 3]]
    it.cur = 1
    assert it.next().label[0].asnumpy().tolist() == [2, 1]
    it.hard_reset()
    it.num_image = 2
    assert labels(it) == [[3, 2]]
    it.imglist = {"1": (7, "0.png"), "3": (8, "1.jpg")}
    it.seq = ["1", "3"]
    assert labels(it) == [[7, 8]]


def test_keys_are_those_of_lists_and_indices(tmp_path):
    it = image.ImageIter(imglist=OWN, num_parts=3, part_index=1, **OPTIONS)
    assert (it.seq, it.num_image) == (["2"], 1)
    (tmp_path / "a.lst").write_text("3\t1\t0.png\n5\t2\t1.jpg\n3\t7\t0.png\n")
    it = image.ImageIter(path_imglist=tmp_path / "a.lst", **OPTIONS)
    assert it.seq == [3, 5, 3]
    assert labels(it) == [[7, 2], [7, 7]]
    records = {"path_imgrec": FOLDER / "plain.rec", "path_imgidx": FOLDER / "plain.idx"}
    it = image.ImageIter(shuffle=True, **records, **OPTIONS)
    assert it.seq is it.imgidx
    it = image.ImageIter(imglist=[[1, 2, "0.png"]], label_width=2, dtype="int32", **OPTIONS)
    assert it.imglist["1"][0].dtype is onp.int32
    assert it.imglist["1"][0].asnumpy().tolist() == [1, 2]


def test_descriptions_are_plain_pairs():
    it = image.ImageIter(imglist=OWN, **OPTIONS)
    wanted = "[('data', (2, 3, 8, 8))] [('softmax_label', (2,))]"
    for each in (it, mx.io.PrefetchingIter(it), mx.io.ResizeIter(it, 2)):
        assert f"{each.provide_data} {each.provide_label}" == wanted
    it = image.ImageDetIter(imglist=[[BOX, "0.png"]], **OPTIONS)
    it.reshape((3, 4, 4), (4, 5))
    assert f"{it.provide_data} {it.provide_label}" == (
        "[('data', (2, 3, 4, 4))] [('label', (2, 4, 5))]"
    )


def test_the_list_that_is_given_is_the_list_of_augmenters():
    changes = [image.ForceResizeAug((8, 8))]
    assert image.ImageIter(imglist=OWN, aug_list=changes, **OPTIONS).auglist is changes


def test_one_picture_is_as_valid_as_a_list():
    it = image.ImageIter(imglist=OWN, **OPTIONS)
    picture = image.imread(FOLDER / "0.png")
    assert it.check_valid_image(picture) is it.check_valid_image([picture]) is None
    for empty in (picture[:0], [picture[:0]], []):
        with pytest.raises(RuntimeError, match="Data shape is wrong"):
            it.check_valid_image(empty)


def test_methods_are_called_as_in_mxnet():
    it = told(image.ImageIter)(imglist=OWN, **OPTIONS)
    list(it)
    it.hard_reset()
    sample = ["next_sample", "read_image", "imdecode", "check_valid_image",
              "augmentation_transform", "postprocess_data"]  # fmt: skip
    assert it.calls == [
        "check_data_shape", "reset",
        "next", "_batchify", *sample, *sample,
        "next", "_batchify", *sample, "next_sample", "_batchify", *sample,
        "next", "_batchify", "next_sample", "hard_reset",
    ]  # fmt: skip


def test_methods_for_boxes_are_called_as_in_mxnet():
    it = told(image.ImageDetIter)(imglist=[[BOX, "0.png"]] * 2, **OPTIONS)
    read = ["next_sample", "read_image", "_parse_label"]
    assert it.calls == ["check_data_shape", "reset", "_estimate_label_shape", "reset", *read,
                        *read, "next_sample", "reset"]  # fmt: skip
    it.calls.clear()
    it.next()
    sample = ["next_sample", "read_image", "imdecode", "check_valid_image", "_parse_label",
              "augmentation_transform", "_check_valid_label", "postprocess_data"]  # fmt: skip
    assert it.calls == ["next", "_batchify", *sample, *sample]


def test_a_subclass_writes_the_batch():
    class Counted(image.ImageIter):
        def _batchify(self, batch_data, batch_label, start=0):
            for row in range(start, self.batch_size):
                batch_data[row] = row
                batch_label[row] = 5
            return self.batch_size

    batch = Counted(imglist=OWN, **OPTIONS).next()
    assert batch.data[0].mean((1, 2, 3)).asnumpy().tolist() == [0, 1]
    assert batch.label[0].asnumpy().tolist() == [5, 5]


def test_samples_without_a_valid_object_are_left_out():
    without_class = [2, 5, -1, 0.1, 0.1, 0.9, 0.9]
    it = image.ImageDetIter(imglist=[[BOX, "0.png"], [without_class, "1.jpg"]], **OPTIONS)
    assert it.next().pad == 1

    class Refusing(image.ImageDetIter):
        def check_valid_image(self, data):
            msg = "no"
            raise RuntimeError(msg)

    with pytest.raises(StopIteration):
        Refusing(imglist=[[BOX, "0.png"]], **OPTIONS).next()
