"""MNISTIter, CSVIter and LibSVMIter: what files they read, and refuse."""

from __future__ import annotations

import gzip
import logging
from pathlib import Path

import numpy as onp
import pytest
from iter_programs import LINES, digits, epochs

import gluonish as mx
from gluonish import io


def test_pictures_are_bytes_divided_by_256(tmp_path):
    options = digits(tmp_path)
    pictures = onp.random.RandomState(0).randint(0, 256, (10, 2, 3))
    batch = io.MNISTIter(**options, batch_size=10, shuffle=False).next()
    assert (batch.data[0].asnumpy() == (pictures[:, None] / 256).astype("float32")).all()
    assert batch.data[0].dtype == batch.label[0].dtype == onp.float32
    assert batch.index.tolist() == list(range(10))
    half = io.MNISTIter(**options, batch_size=10, dtype="float16")
    assert half.next().data[0].dtype == onp.float16


def test_gzipped_files_are_read(tmp_path):
    options = digits(tmp_path)
    for name in ("image", "label"):
        path = tmp_path / f"{name}.gz"
        path.write_bytes(gzip.compress(Path(options[name]).read_bytes()))
        options[name] = path
    assert len(list(io.MNISTIter(**options, batch_size=5))) == 2


def test_the_order_of_digits_touches_no_other_generator(tmp_path):
    mx.random.seed(1)
    expected = mx.nd.random.uniform(shape=(3,)).asnumpy()
    mx.random.seed(1)
    io.MNISTIter(**digits(tmp_path), batch_size=5, seed=4)
    assert (mx.nd.random.uniform(shape=(3,)).asnumpy() == expected).all()


def test_what_was_read_is_said_in_the_log(tmp_path, caplog):
    options = digits(tmp_path)
    with caplog.at_level(logging.INFO, "gluonish.io"):
        io.MNISTIter(**options, batch_size=5)
        assert not caplog.messages
        io.MNISTIter(**{**options, "silent": False}, batch_size=5)
    assert caplog.messages == ["MNISTIter: load 10 images, shuffle=1, shape=[5, 1, 2, 3]"]


def test_the_protocol_behind_next(tmp_path):
    it = io.MNISTIter(**digits(tmp_path), batch_size=4, shuffle=False)
    assert isinstance(it, io.MXDataIter)
    with pytest.raises(AssertionError, match="MNISTIter: DataIter has not begun"):
        it.getdata()
    assert it.iter_next()
    assert it.getdata().shape == (4, 1, 2, 3)
    assert it.getlabel().asnumpy().tolist() == [0, 1, 2, 3]
    assert (it.getpad(), it.getindex().dtype) == (0, onp.uint64)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"image": "nowhere"}, FileNotFoundError, "there is no file 'nowhere'"),
        ({"batch_size": 11}, ValueError, "batch_size=11 was given for 10 samples"),
        ({"batch_size": "x"}, ValueError, "batch_size='x' was given"),
        ({"shuffle": "maybe"}, ValueError, "shuffle='maybe' was given"),
        ({"num_parts": 2, "part_index": 2}, mx.MXNetError, "Expected a part from 0 to 1"),
        ({"data_shape": (28, 28)}, ValueError, r"data_shape=\(28, 28\) was given for pictures"),
        ({"input_shape": (0,)}, ValueError, r"input_shape=\(0,\) was given"),
        ({"dtype": "float1"}, TypeError, "float1"),
        ({"prefetch_buffer": -1}, ValueError, "prefetch_buffer=-1"),
    ],
)
def test_mistakes_with_digits_are_explained(options, error, message, tmp_path):
    with pytest.raises(error, match=message):
        io.MNISTIter(**{**digits(tmp_path), "batch_size": 5, **options})


def test_files_of_digits_that_do_not_belong_together_are_refused(tmp_path):
    options = digits(tmp_path)
    with pytest.raises(mx.MXNetError, match="Check that both files belong together"):
        io.MNISTIter(image=options["image"], label=options["image"], batch_size=2)


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("1,2\n3,4\n", {}, r"The data size in CSV do not match size of shape"),
        ("a,b,c\n1,2,3\n", {}, r"could not convert string 'a'"),
        ("1,2,3\n4,5\n", {}, "number of columns changed from 3 to 2 at row 2"),
        ("1,,3\n", {}, r"could not convert string ''"),
        ("1.5,2,3\n", {"dtype": "int32"}, "lines of int32 numbers"),
        ("", {}, "there are no lines"),
        ("1,2,3\n4,5,6\n", {"label_csv": "y"}, "has 2 lines, .* has 1"),
    ],
)
def test_damaged_tables_are_refused(text, options, message, tmp_path):
    (tmp_path / "x").write_text(text)
    (tmp_path / "y").write_text("7\n")
    if "label_csv" in options:
        options = {"label_csv": tmp_path / "y"}
    with pytest.raises(mx.MXNetError, match=message):
        io.CSVIter(data_csv=tmp_path / "x", data_shape=(3,), batch_size=2, **options)


def test_arguments_of_tables_are_checked(tmp_path):
    (tmp_path / "x").write_text("1,2\n3,4\n")
    with pytest.raises(FileNotFoundError, match=r"no file '.*nowhere', and no folder"):
        io.CSVIter(data_csv=tmp_path / "nowhere", data_shape=(3,), batch_size=2)
    with pytest.raises(ValueError, match="but no batch_size"):
        io.CSVIter(data_csv=tmp_path / "x", data_shape=(2,))
    with pytest.raises(ValueError, match="data_shape='x' was given"):
        io.CSVIter(data_csv=tmp_path / "x", data_shape="x", batch_size=1)


def test_a_first_batch_that_is_not_full_is_filled_with_zeros(tmp_path):
    (tmp_path / "x").write_text("1,2\n3,4\n")
    it = io.CSVIter(data_csv=tmp_path / "x", data_shape=(2,), batch_size=3, round_batch=False)
    [(data, _, pad), _] = epochs(it, 1)
    assert (data, pad) == ([[[1, 2], [3, 4], [0, 0]]], 1)


def test_files_of_a_folder_are_read_in_the_order_of_their_names(tmp_path):
    for name, text in (("2", "5,6\n7,8\n9,10"), ("1", "1,2\n3,4\n"), ("0", "")):
        (tmp_path / name).write_text(text)
    it = io.CSVIter(data_csv=tmp_path, data_shape=(2,), batch_size=5)
    assert it.next().data[0].asnumpy().ravel().tolist() == list(range(1, 11))


def test_large_numbers_are_read_exactly(tmp_path):
    (tmp_path / "x").write_text(f"{2**53 + 1}\n")
    it = io.CSVIter(data_csv=tmp_path / "x", data_shape=(1,), batch_size=1, dtype="int64")
    assert it.next().data[0].asnumpy().tolist() == [[2**53 + 1]]


def test_every_line_is_in_one_part(tmp_path):
    text = "".join(f"{i} {i % 7}:{i}\n" * (1 + i % 3) for i in range(40))
    (tmp_path / "a").write_text(text)
    options = {"data_libsvm": tmp_path / "a", "data_shape": (7,), "batch_size": 1}
    expected = [label for _, [label], _ in epochs(io.LibSVMIter(**options), 1)[:-1]]
    for parts in (2, 3, 7):
        found = []
        for index in range(parts):
            it = io.LibSVMIter(**options, num_parts=parts, part_index=index)
            found += [label for _, [label], _ in epochs(it, 1)[:-1]]
        assert found == expected


def test_comments_weights_and_queries_are_left_out(tmp_path):
    (tmp_path / "a").write_text("# all\n1:0.5 qid:3 0:2 # one\n\n2 1\n")
    it = io.LibSVMIter(data_libsvm=tmp_path / "a", data_shape=(2,), batch_size=2)
    [([data], [label], _), _] = epochs(it, 1)
    assert (data, label) == ([[2, 0], [0, 1]], [1, 2])


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("1 1:0.5 3:1\n", {}, "line 1, '1 1:0.5 3:1', has positions up to 3 for a shape of 3"),
        ("1 -1:2\n", {}, "has positions up to -1"),
        ("1 0:2\nx 0:2\n", {}, "line 2, 'x 0:2', is none of LibSVM's"),
        ("", {}, "for 0 samples"),
        (LINES, {"data_shape": (3, 1)}, "Expected one axis"),
        (LINES, {"num_parts": 2, "part_index": 5}, "Expected a part from 0 to 1"),
        (LINES, {"label_libsvm": "y"}, "has 5 lines, .* has 1"),
    ],
)
def test_damaged_lines_are_refused(text, options, message, tmp_path):
    (tmp_path / "a").write_text(text)
    (tmp_path / "y").write_text("0 0:1\n")
    if "label_libsvm" in options:
        options = {"label_libsvm": tmp_path / "y"}
    with pytest.raises(mx.MXNetError, match=message):
        io.LibSVMIter(
            **{"data_libsvm": tmp_path / "a", "data_shape": (3,), "batch_size": 2, **options}
        )
