"""ImageDetRecordIter: what its random parts keep, ends of passes, threads, and every mistake."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as onp
import pytest
from det_record_iter_programs import COLOURS, SSD

import gluonish as mx
from gluonish import errors

FOLDER = Path(__file__).parents[1] / "golden" / "pictures"


def batches(**options):
    usual = {"path_imgrec": FOLDER / "scenes.rec", "data_shape": (3, 20, 24), "batch_size": 4}
    return mx.io.ImageDetRecordIter(**{**usual, **options})


def objects(row):
    header, columns = int(row[4]), int(row[5])
    return row[4 + header : 4 + int(row[3])].reshape(-1, columns)


def records(path, *labels, picture=b"P6 4 4 255 " + bytes(range(48))):
    writer = mx.recordio.MXRecordIO(str(path), "w")
    for number, label in enumerate(labels):
        writer.write(mx.recordio.pack(mx.recordio.IRHeader(0, label, number, 0), picture))
    writer.close()
    return path


def test_a_batch_tells_of_itself():
    made = batches(label_pad_width=30)
    assert made.provide_data == [("data", (4, 3, 20, 24))]
    assert made.provide_label == [("softmax_label", (4, 34))]
    batch = made.next()
    assert batch.index.tolist() == [0, 1, 2, 3]
    assert batch.data[0].dtype == batch.label[0].dtype == onp.float32
    assert batch.label[0][0].asnumpy()[:7].tolist() == [3, 20, 24, 7, 2, 5, 0]
    assert (batch.label[0][0].asnumpy()[11:] == -1).all()


def test_the_next_pass_fills_the_last_batch_or_nothing_does():
    made = batches()
    assert [(b.index.tolist(), b.pad) for b in made] == [([0, 1, 2, 3], 0), ([4, 5, 0, 1], 2)]
    made.reset()
    assert [(b.index.tolist(), b.pad) for b in made] == [([2, 3, 4, 5], 0)]
    last = list(batches(round_batch=False, label_pad_value=-3))[1]
    assert last.pad == 2
    assert (last.label[0][2:].asnumpy() == -3).all()
    assert not last.data[0][2:].asnumpy().any()


def test_numbers_depend_neither_on_threads_nor_on_batches_made_ahead():
    options = {**SSD, **COLOURS["all"], "shuffle": True}
    found = []
    for threads, ahead in ((1, 0), (3, 2), (8, 20)):
        made = batches(preprocess_threads=threads, prefetch_buffer=ahead, **options)
        found.append([a.asnumpy() for batch in made for a in (batch.data[0], batch.label[0])])
    assert all((a == b).all() for other in found[1:] for a, b in zip(found[0], other, strict=True))


def test_parts_and_frames_show_the_same_objects_in_other_places(tmp_path):
    # A white square on black: where its box says that it is, the picture has to be white.
    pixels = onp.zeros((80, 100, 3), onp.uint8)
    pixels[20:60, 30:80] = 255
    path = records(
        tmp_path / "a.rec",
        *[[2, 5, 1, 0.3, 0.25, 0.8, 0.75]] * 40,
        picture=b"P6 100 80 255 " + pixels.tobytes(),
    )
    options = {"rand_crop_prob": 0.8, "min_crop_scales": 0.4, "rand_pad_prob": 0.5,
               "max_pad_scale": 2, "rand_mirror_prob": 0.5, "fill_value": 0, "inter_method": 0,
               "min_crop_object_coverages": 0.3, "data_shape": (3, 80, 80)}  # fmt: skip
    batch = batches(path_imgrec=path, batch_size=40, **options).next()
    shown = batch.data[0].asnumpy()[:, 0] > 127
    places = set()
    for picture, row in zip(shown, batch.label[0].asnumpy(), strict=True):
        ((_, *sides),) = objects(row)
        left, top, right, bottom = (80 * side for side in sides)
        rows, columns = onp.nonzero(picture)
        ends = (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)
        assert onp.abs(onp.subtract(ends, (left, top, right, bottom))).max() < 3.5
        assert 0 <= left < right <= 80
        assert 0 <= top < bottom <= 80
        places.add(ends)
    assert len(places) > 20


def test_parts_keep_what_their_sampler_asks_for(tmp_path):
    label = [2, 5, 0, 0.1, 0.1, 0.3, 0.3, 1, 0.6, 0.6, 0.95, 0.95]
    path = records(tmp_path / "a.rec", *[label] * 60)
    bounds = {"rand_crop_prob": 1, "min_crop_scales": 0.2, "max_crop_trials": 500}
    whole = batches(path_imgrec=path, batch_size=60, min_crop_object_coverages=1, **bounds).next()
    for row in whole.label[0].asnumpy():
        found = objects(row)
        # Parts are squares, so that the box of an object that shows as a whole stays one.
        ratios = (found[:, 3] - found[:, 1]) / (found[:, 4] - found[:, 2])
        assert onp.abs(ratios - 1).min() < 1e-4
    much = batches(path_imgrec=path, batch_size=60, min_crop_sample_coverages=0.5, **bounds).next()
    for row in much.label[0].asnumpy():
        found = objects(row)
        assert ((found[:, 3] - found[:, 1]) * (found[:, 4] - found[:, 2])).max() > 0.5 - 1e-5
    never = batches(path_imgrec=path, min_crop_overlaps=1, rand_crop_prob=1, max_crop_trials=9)
    assert onp.allclose(never.next().label[0].asnumpy()[:, 4:], label)


def test_boxes_without_area_are_left_out(tmp_path):
    path = records(tmp_path / "a.rec", [2, 5, 0, 0.6, 0.2, 0.1, 0.7], [2, 5, 0, -0.1, 0, 1.5, 1])
    rows = batches(path_imgrec=path, batch_size=2, rand_crop_prob=1).next().label[0].asnumpy()
    assert rows[0].tolist() == [3, 20, 24, 2, 2, 5, -1, -1, -1, -1, -1]
    assert rows[1][3] == 7


def test_a_mean_picture_is_made_and_read_again(tmp_path):
    path = str(tmp_path / "mean.bin")
    first = batches(mean_img=path, verbose=False).next().data[0].asnumpy()
    plain = batches().next().data[0].asnumpy()
    mean = mx.nd.load(path)["mean_img"].asnumpy()
    assert onp.allclose(plain - mean, first)
    assert onp.allclose(batches(mean_img=path).next().data[0].asnumpy(), first)
    assert onp.allclose(batches(mean_img=path, mean_r=1).next().data[0].asnumpy()[:, 1:],
                        plain[:, 1:])  # fmt: skip


def test_lists_may_have_longer_labels(tmp_path):
    lines = [f"{i}\t2\t5\t{i}\t0.1\t0.2\t0.3\t0.4\tx.png" for i in range(6)]
    lines.append("99\t2\t5" + "\t1\t.1\t.2\t.3\t.4" * 5 + "\tx.png")
    path = tmp_path / "a.lst"
    path.write_text("\n".join(lines) + "\n")
    made = batches(path_imglist=path)
    assert made.provide_label[0].shape == (4, 31)
    assert [objects(row)[0, 0] for row in made.next().label[0].asnumpy()] == [0, 1, 2, 3]


def test_the_log_tells_what_is_read(caplog):
    with caplog.at_level(logging.INFO, "gluonish.io"):
        batches(verbose=False)
        assert not caplog.text
        batches(preprocess_threads=2)
    assert "scenes.rec, use 2 threads for decoding" in caplog.text


def test_arguments_may_be_text():
    made = batches(batch_size="4", data_shape="(3,10,12)", rand_crop_prob="1", num_crop_sampler="2",
                   min_crop_scales="(0.2, 0.5)", max_crop_trials="[3, 4]")  # fmt: skip
    assert made.next().data[0].shape == (4, 3, 10, 12)


REFUSED = {
    "but no path_imgrec": {"path_imgrec": ""},
    "but no data_shape": {"data_shape": None},
    "there is no picture in part 6 of 7": {"num_parts": 7, "part_index": 6},
    "label_pad_width: 5 smaller than estimated width: 22. .*Write label_pad_width=22": {
        "label_pad_width": 5
    },
    "dtype='uint8' was given. Expected 'float32'": {"dtype": "uint8"},
    "rand_crop=True.*Did you mean .rand_crop_prob": {"rand_crop": True},
    "resize_mode='stretch' was given.*'force', 'fit', 'shrink'": {"resize_mode": "stretch"},
    "crop_emit_mode='all' was given": {"crop_emit_mode": "all"},
    "resize=0 was given": {"resize": 0},
    "inter_method=7 was given": {"inter_method": 7},
    "aug_seq='aug_default'.*Expected 'det_aug_default'": {"aug_seq": "aug_default"},
    "min_crop_scales=0.5 and max_crop_scales=0.5": {"min_crop_scales": 0.5, "max_crop_scales": 0.5},
    "min_crop_scales=-1.0 and": {"min_crop_scales": -1},
    "min_crop_aspect_ratios=2.0 and max_crop_aspect_ratios=1.0": {"min_crop_aspect_ratios": 2},
    r"min_crop_overlaps=\(0.1, 0.2, 0.3\) was given with num_crop_sampler=2": {
        "num_crop_sampler": 2,
        "min_crop_overlaps": (0.1, 0.2, 0.3),
    },
    "min_crop_scales='x' was given. Expected numbers": {"min_crop_scales": "x"},
    "seed='x' was given": {"seed": "x", "shuffle": True},
}


@pytest.mark.parametrize("message", REFUSED)
def test_mistakes_are_explained(message):
    with pytest.raises(errors.MXNetError, match=message):
        batches(**REFUSED[message])


@pytest.mark.parametrize("label", [[2, 5], [2, 5, 0, 0.1, 0.2, 0.6], [3, 5, *range(9)], [1] * 9])
def test_labels_that_say_nothing_are_refused(label, tmp_path):
    path = records(tmp_path / "a.rec", label)
    with pytest.raises(errors.LabelFormatError, match=r"a.rec', record at byte 0: Label shape is"):
        batches(path_imgrec=path).next()


def test_labels_of_another_width_are_refused():
    with pytest.raises(errors.ShapeError, match="7-dimensional label but label_width is set to 12"):
        batches(label_width=12).next()
