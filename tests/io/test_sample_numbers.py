"""ImageRecordIter with `seed_aug`: each sample's changes are MXNet's, in all orders and passes."""

from __future__ import annotations

import struct

import numpy as onp
import pytest

import gluonish as mx
from gluonish.io.sample_numbers import numbers_in_chunks

MIB = 2**20
INDEXED = {"path_imgidx": "a.idx"}
SHUFFLED = {"shuffle": True, "seed": 1}
FIRST = [19, 78, 6, 56]

# Upper left pixels of the crops, from MXNet with one thread: two batches for each of three passes.
CORNERS = [
    (
        {},
        [FIRST, [8, 48, 92, 56], [8, 48, 92, 64], [20, 66, 6, 56], [8, 48, 92, 64],
         [20, 78, 6, 56]],
    ),
    ({"round_batch": False}, [FIRST, [8, 48, 92]] * 3),
    (INDEXED, [FIRST] * 6),
    ({**INDEXED, **SHUFFLED}, [FIRST] * 6),
    (
        {**INDEXED, "round_batch": False},
        [FIRST, [19, 78, 6], FIRST, [8, 78, 6], FIRST, [8, 48, 6]],
    ),
    (
        SHUFFLED,
        [[48, 20, 64, 92], [8, 84, 66, 48], [84, 8, 20, 66], [64, 92, 48, 84], [20, 64, 92, 66],
         [8, 64, 92, 48]],
    ),
    ({"num_parts": 2, "part_index": 1}, [FIRST, [8, 48, 6, 56], [8, 78, 6, 56]]),
]  # fmt: skip


def bitmap(first):
    """Return a file with a picture of 12 by 12 pixels, each of which has its own value."""
    rows = onp.arange(first, first + 144, dtype="uint8").reshape(12, 12)[::-1, :, None]
    data = rows.repeat(3, 2).tobytes()
    size = struct.pack("<IiiHHIIiiII", 40, 12, 12, 1, 24, 0, len(data), 2835, 2835, 0, 0)
    return b"BM" + struct.pack("<IHHI", 54 + len(data), 0, 0, 54) + size + data


@pytest.fixture
def batches(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    writer = mx.recordio.MXIndexedRecordIO("a.idx", "a.rec", "w")
    for number in range(7):
        header = mx.recordio.IRHeader(0, number, number, 0)
        writer.write_idx(number, mx.recordio.pack(header, bitmap(number)))
    writer.close()
    usual = {"path_imgrec": "a.rec", "data_shape": (3, 4, 4), "batch_size": 4}
    return lambda **options: mx.io.ImageRecordIter(
        **usual, rand_crop=True, seed_aug=11, preprocess_threads=1, **options
    )


def corners(batch, *, is_round=True):
    found = batch.data[0][:, 0, 0, 0] - batch.label[0]
    count = 4 if is_round else 4 - batch.pad
    return found.asnumpy().astype(int).tolist()[:count]


@pytest.mark.parametrize(("options", "wanted"), CORNERS)
def test_the_crops_are_mxnets_pass_after_pass(batches, options, wanted):
    made, found = batches(**options), []
    for _ in range(3):
        found += [corners(b, is_round=options.get("round_batch", True)) for b in made]
        made.reset()
    assert found == wanted


def test_a_pass_that_is_broken_off_begins_anew(batches):
    made = batches()
    for _ in range(2):
        assert corners(made.next()) == FIRST
        made.reset()


def test_long_files_are_read_in_pieces_of_whole_records():
    def found(*starts, end):
        return numbers_in_chunks([start * MIB for start in starts], end * MIB)

    assert found(0, 3, 6, 9, 12, end=15) == [0, 1, 0, 1, 0]
    assert found(4, 7, 10, end=11) == [0, 1, 2]
    assert found(4, 7, 10, end=12) == [0, 1, 0]
    assert found(0, 20, 40, 59, end=60) == [0, 0, 0, 1]
