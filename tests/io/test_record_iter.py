"""ImageRecordIter: ends of passes, threads, files and folders, and every mistake."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path

import numpy as onp
import pytest

import gluonish as mx
from gluonish import errors

FOLDER = Path(__file__).parents[1] / "golden" / "pictures"


def batches(**options):
    usual = {"path_imgrec": FOLDER / "ramp.rec", "data_shape": (3, 10, 12), "batch_size": 4}
    return mx.io.ImageRecordIter(**{**usual, **options})


def labels(made):
    return [(batch.label[0].asnumpy().tolist(), batch.pad) for batch in made]


def test_the_next_pass_fills_the_last_batch_and_begins_after_it():
    made = batches()
    assert labels(made) == [([0, 1, 2, 3], 0), ([4, 5, 0, 1], 2)]
    assert labels(made) == []
    made.reset()
    assert labels(made) == [([2, 3, 4, 5], 0)]
    made.reset()
    assert labels(made) == [([0, 1, 2, 3], 0), ([4, 5, 0, 1], 2)]


def test_without_round_batch_zeros_fill_the_last_batch():
    made = batches(round_batch=False)
    for _ in range(2):
        found = list(made)
        assert [batch.label[0].asnumpy().tolist() for batch in found][1] == [4, 5, 0, 0]
        assert found[1].pad == 2
        assert not found[1].data[0][2:].asnumpy().any()
        made.reset()


@pytest.mark.parametrize("ahead", [0, 1, 9])
def test_a_reset_in_the_middle_begins_a_pass(ahead):
    made = batches(prefetch_buffer=ahead)
    made.next()
    made.reset()
    assert labels(made)[0] == ([0, 1, 2, 3], 0)


def test_numbers_depend_neither_on_threads_nor_on_batches_made_ahead():
    options = {"rand_crop": True, "rand_mirror": True, "brightness": 0.3, "shuffle": True}
    found = []
    for threads, ahead in ((1, 0), (3, 2), (8, 20)):
        made = batches(preprocess_threads=threads, prefetch_buffer=ahead, **options)
        found.append([batch.data[0].asnumpy() for batch in made])
    assert all((a == b).all() for other in found[1:] for a, b in zip(found[0], other, strict=True))


def test_a_batch_tells_of_itself():
    made = batches(data_name="x", label_name="y", dtype="float16")
    assert made.provide_data == [("x", (4, 3, 10, 12))]
    assert made.provide_label == [("y", (4,))]
    assert made.provide_data[0].dtype is onp.float16
    with pytest.raises(errors.IteratorEndError, match="DataIter has not begun"):
        made.getdata()
    assert made.iter_next()
    assert (made.getdata().dtype, made.getpad()) == (onp.float16, 0)
    assert made.getindex().tolist() == made.getlabel().asnumpy().tolist() == [0, 1, 2, 3]


def test_iterators_of_bytes_have_names_of_their_own():
    usual = {"path_imgrec": FOLDER / "ramp.rec", "data_shape": (3, 10, 12), "batch_size": 4}
    whole = mx.io.ImageRecordUInt8Iter(**usual).next().data[0]
    signed = mx.io.ImageRecordInt8Iter(mean_r=100, **usual).next().data[0]
    assert (whole.dtype, signed.dtype) == (onp.uint8, onp.int8)
    assert (whole.asnumpy()[:, 0].astype(int) - 100 == signed.asnumpy()[:, 0]).all()


def test_a_folder_of_records_is_one_set(tmp_path):
    for name in ("a.rec", "b.rec"):
        shutil.copy(FOLDER / "ramp.rec", tmp_path / name)
    assert labels(batches(path_imgrec=tmp_path, batch_size=12)) == [([*range(6), *range(6)], 0)]
    parts = [batches(path_imgrec=tmp_path, num_parts=3, part_index=i) for i in range(3)]
    assert [len(part._maker._records) for part in parts] == [4, 4, 4]


def test_a_mean_picture_is_made_and_read_again(tmp_path, caplog):
    path = str(tmp_path / "mean.bin")
    with caplog.at_level(logging.INFO, "gluonish.io"):
        first = batches(mean_img=path).next().data[0].asnumpy()
    assert "create mean image" in caplog.text
    mean = mx.nd.load(path)["mean_img"].asnumpy()
    plain = batches().next().data[0].asnumpy()
    assert onp.allclose(plain - mean, first)
    assert onp.allclose(batches(mean_img=path).next().data[0].asnumpy(), first)
    assert mean[2, 0, 0] == pytest.approx(100)
    with pytest.raises(
        errors.FileFormatError, match=r"Expected an array 'mean_img' of shape \(3, 5"
    ):
        batches(mean_img=path, data_shape=(3, 5, 5))
    mx.nd.save(path, [mx.nd.ones((2,))])
    with pytest.raises(errors.FileFormatError, match="no array of that name"):
        batches(mean_img=path)


def test_hues_lightness_and_saturation_change():
    plain = batches().next().data[0].asnumpy()
    for option in ("random_h", "random_s", "random_l"):
        changed = batches(**{option: 40}).next().data[0].asnumpy()
        assert 1 < onp.abs(changed - plain).mean() < 60
    from gluonish.numpy_images.colours import change_hls

    colours = onp.random.default_rng(0).integers(0, 256, (9, 9, 3)).astype("uint8")
    assert onp.abs(change_hls(colours, 0, 0, 0).astype(int) - colours).max() <= 6


def test_the_log_tells_what_is_read(caplog):
    with caplog.at_level(logging.INFO, "gluonish.io"):
        batches(verbose=False)
        assert not caplog.text
        batches()
    assert "ramp.rec, use 4 threads for decoding" in caplog.text


def test_batches_larger_than_the_file_go_round():
    made = batches(batch_size=8)
    assert labels(made) == [([0, 1, 2, 3, 4, 5, 0, 1], 2)]
    made.reset()
    assert labels(made) == [([2, 3, 4, 5, 0, 1, 2, 3], 4)]
    made = batches(batch_size=14)
    assert labels(made) == [([*range(6), *range(6), 0, 1], 8)]
    assert labels(batches(batch_size=8, round_batch=False)) == [([0, 1, 2, 3, 4, 5, 0, 0], 2)]


REFUSED = {
    "but no path_imgrec": {"path_imgrec": ""},
    "Expected an existing file": {"path_imgrec": FOLDER / "none.rec"},
    "but no data_shape": {"data_shape": None},
    "data_shape=\\(2, 3, 4\\) was given": {"data_shape": (2, 3, 4)},
    "but no batch_size. Expected path_imgrec, data_shape, batch_size": {"batch_size": 0},
    "there is no picture in part 6 of 7": {"num_parts": 7, "part_index": 6},
    "label_width=0 was given": {"label_width": 0},
    "part_index=2 was given with num_parts=2": {"num_parts": 2, "part_index": 2},
    "rand_crops=True.*Did you mean .rand_crop": {"rand_crops": True},
    "zzz=True.*Leave out what it does not have": {"zzz": True},
    "rand_crop='x' was given": {"rand_crop": "x"},
    "scale='x' was given. Expected a number": {"scale": "x"},
    "resize='x' was given. Expected a whole number": {"resize": "x"},
    "random_resized_crop=True was given with rand_crop": {
        "random_resized_crop": True,
        "rand_crop": True,
    },
    "min_random_area=0.5 and max_random_area=0.1": {"min_random_area": 0.5, "max_random_area": 0.1},
    "inter_method=7 was given": {"inter_method": 7},
    "aug_seq='other' and ctx='gpu'": {"aug_seq": "other"},
    "seed='x' was given": {"seed": "x", "shuffle": True},
}


@pytest.mark.parametrize("message", REFUSED)
def test_mistakes_are_explained(message):
    with pytest.raises(errors.MXNetError, match=message):
        batches(**REFUSED[message])


def test_records_that_do_not_fit_are_refused(tmp_path):
    with pytest.raises(errors.ShapeError, match="2-dimensional label but label_width is set to 1"):
        batches(path_imgrec=FOLDER / "pairs.rec").next()
    with pytest.raises(errors.ShapeError, match="the picture has 3 channels. Expected 4"):
        batches(data_shape=(4, 10, 12)).next()
    with pytest.raises(errors.FileFormatError, match="which path_imglist does not list"):
        batches(path_imglist=FOLDER / "plain.lst").next()
    with pytest.raises(errors.RefusedArgumentError, match="has no .rec files"):
        batches(path_imgrec=tmp_path)
    for name in ("a.rec", "b.rec"):
        shutil.copy(FOLDER / "ramp.rec", tmp_path / name)
    with pytest.raises(errors.RefusedArgumentError, match="for a folder of 2 files"):
        batches(path_imgrec=tmp_path, path_imgidx=FOLDER / "ramp.idx")
    (tmp_path / "b.rec").write_bytes((FOLDER / "ramp.rec").read_bytes()[:-4])
    with pytest.raises(errors.FileFormatError, match="b.rec', record at byte"):
        batches(path_imgrec=tmp_path)


def test_arguments_may_be_text():
    made = batches(batch_size="4", data_shape="(3,10,12)", rand_crop="1", scale="0.5", seed_aug="3")
    assert made.next().data[0].shape == (4, 3, 10, 12)
