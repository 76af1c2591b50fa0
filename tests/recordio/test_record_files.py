"""Files of records: MXNet's own, ours byte for byte like them, damaged ones, and every mistake."""

from __future__ import annotations

import json
import pickle
import struct
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

import gluonish as mx
from gluonish.recordio import MXIndexedRecordIO, MXRecordIO
from gluonish.recordio.chunks import MAGIC, RecordSource, record_starts

GOLDEN = Path(__file__).parents[1] / "golden" / "mxnet" / "recordio"
PLAIN = [bytes.fromhex(text) for text in json.loads((GOLDEN / "plain.json").read_text())]


def written(path, records):
    writer = MXRecordIO(path, "w")
    for record in records:
        writer.write(record)
    writer.close()
    return path


def read_all(path):
    reader = MXRecordIO(path, "r")
    return list(iter(reader.read, None))


def test_records_of_mxnet_are_read():
    assert read_all(GOLDEN / "plain.rec") == PLAIN


def test_records_are_written_byte_for_byte_as_mxnet_does(tmp_path):
    path = written(tmp_path / "a.rec", PLAIN)
    assert path.read_bytes() == (GOLDEN / "plain.rec").read_bytes()


def test_image_records_of_mxnet_are_read_and_written_alike(tmp_path):
    reader = MXIndexedRecordIO(GOLDEN / "img.idx", GOLDEN / "img.rec", "r")
    writer = MXIndexedRecordIO(tmp_path / "b.idx", tmp_path / "b.rec", "w")
    for row in json.loads((GOLDEN / "img.json").read_text()):
        header, image = mx.recordio.unpack(reader.read_idx(row["key"]))
        assert header.id == row["id"]
        assert header.id2 == row["id2"]
        assert (
            header.label.tolist() == row["label"] if header.flag else header.label == row["label"]
        )
        assert image.hex() == row["png_hex"]
        given_header = mx.recordio.IRHeader(0, row["label"], row["id"], row["id2"])
        writer.write_idx(row["key"], mx.recordio.pack(given_header, image))
    writer.close()
    assert (tmp_path / "b.rec").read_bytes() == (GOLDEN / "img.rec").read_bytes()
    assert (tmp_path / "b.idx").read_bytes() == (GOLDEN / "img.idx").read_bytes()


words = st.lists(st.sampled_from([MAGIC, b"a", b"\xce", b"\n#", b"wxyz"]), max_size=9).map(b"".join)


@given(st.lists(words, max_size=6))
@settings(max_examples=60)
def test_any_records_come_back(tmp_path_factory, records):
    path = tmp_path_factory.mktemp("r") / "any.rec"
    written(path, records)
    assert read_all(path) == records
    source = RecordSource(path)
    assert len(list(record_starts(source))) == len(records)
    source.close()


def test_a_repeated_key_stands_for_the_last_record(tmp_path):
    writer = MXIndexedRecordIO(tmp_path / "a.idx", tmp_path / "a.rec", "w")
    assert writer.tell() == 0
    writer.write_idx(0, b"old")
    assert writer.tell() == 12
    writer.write_idx(0, b"new")
    writer.write(b"unnamed")
    writer.close()
    reader = MXIndexedRecordIO(tmp_path / "a.idx", tmp_path / "a.rec", "r")
    assert reader.keys == [0, 0]
    assert reader.idx == {0: 12}
    assert reader.read_idx(0) == b"new"
    assert reader.read() == b"unnamed"
    reader.seek(0)
    assert reader.tell() == 12
    reader.reset()
    assert reader.read() == b"old"


def test_keys_may_be_text(tmp_path):
    writer = MXIndexedRecordIO(tmp_path / "a.idx", tmp_path / "a.rec", "w", key_type=str)
    writer.write_idx("a b", b"1")
    writer.write_idx(5, b"2")
    for key in ("a\tb", "a\nb", " a"):
        with pytest.raises(mx.errors.InvalidArgumentError, match="Expected text without tabs"):
            writer.write_idx(key, b"")
    writer.close()
    assert (tmp_path / "a.idx").read_text() == "a b\t0\n5\t12\n"
    reader = MXIndexedRecordIO(tmp_path / "a.idx", tmp_path / "a.rec", "r", key_type=str)
    assert reader.read_idx("5") == b"2"


def test_without_an_index_records_are_counted(tmp_path):
    path = written(tmp_path / "a.rec", PLAIN)
    with pytest.warns(UserWarning, match="there is no such index") as caught:
        reader = MXIndexedRecordIO(tmp_path / "a.idx", path, "r")
    assert caught[0].filename == __file__
    assert reader.keys == list(range(len(PLAIN)))
    assert [reader.read_idx(key) for key in reversed(reader.keys)] == PLAIN[::-1]


def test_the_old_file_stays_until_the_writer_is_closed(tmp_path):
    path = written(tmp_path / "a.rec", [b"old"])
    writer = MXRecordIO(path, "w")
    writer.write(b"new")
    assert read_all(path) == [b"old"]
    writer.close()
    writer.close()
    assert read_all(path) == [b"new"]
    assert [path.name for path in tmp_path.iterdir()] == ["a.rec"]


def test_reset_begins_a_new_file_or_the_file_again(tmp_path):
    writer = MXRecordIO(tmp_path / "a.rec", "w")
    writer.write(b"dropped")
    writer.reset()
    writer.write(b"kept")
    writer.close()
    reader = MXRecordIO(tmp_path / "a.rec", "r")
    assert reader.read() == b"kept"
    assert reader.read() is None
    reader.reset()
    assert reader.read() == b"kept"
    reader.close()
    reader.reset()
    assert reader.read() == b"kept"
    assert [path.name for path in tmp_path.iterdir()] == ["a.rec"]


def test_a_writer_that_is_dropped_is_closed(tmp_path):
    writer = MXRecordIO(tmp_path / "a.rec", "w")
    writer.write(b"kept")
    del writer
    assert read_all(tmp_path / "a.rec") == [b"kept"]


def test_a_writer_that_is_open_when_python_ends_is_closed(tmp_path):
    program = (
        "import sys\nfrom gluonish.recordio import MXRecordIO\n"
        "writer = MXRecordIO(sys.argv[1], 'w')\nwriter.write(b'kept')\nwriter.me = writer\n"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path / "a.rec")], check=True)
    assert read_all(tmp_path / "a.rec") == [b"kept"]


def test_a_reader_can_be_pickled_and_goes_on_where_it_was():
    reader = MXIndexedRecordIO(GOLDEN / "img.idx", GOLDEN / "img.rec", "r")
    first = reader.read()
    copy = pickle.loads(pickle.dumps(reader))
    assert copy.read() == reader.read() != first
    assert copy.read_idx(30) == reader.read_idx(30)
    assert (copy.uri, copy.flag, copy.is_open, copy.writable) == (reader.uri, "r", True, False)


def test_threads_may_share_a_reader(tmp_path):
    records = [bytes([n]) * (n + 1) for n in range(200)]
    path = written(tmp_path / "a.rec", records)
    with pytest.warns(UserWarning, match="no such index"):
        reader = MXIndexedRecordIO(tmp_path / "none", path, "r")
    wrong = []

    def work():
        wrong.extend(key for key in reader.keys if reader.read_idx(key) != records[key])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_closed_reader_with_index_opens_again():
    reader = MXIndexedRecordIO(GOLDEN / "img.idx", GOLDEN / "img.rec", "r")
    record = reader.read_idx(30)
    reader.close()
    assert not reader.is_open
    with pytest.raises(mx.errors.RecordStateError, match="was closed"):
        reader.read()
    assert reader.read_idx(30) == record


def test_a_forked_process_leaves_the_writer_alone(tmp_path):
    writer = MXRecordIO(tmp_path / "a.rec", "w")
    writer.write(b"mine")
    writer.pid += 1
    with pytest.raises(mx.errors.RecordStateError, match="opened by another process"):
        writer.write(b"no")
    writer.close()
    assert not (tmp_path / "a.rec").exists()


@pytest.mark.parametrize("flag", ["a", "rb", "", None])
def test_flags_other_than_r_and_w_are_refused(tmp_path, flag):
    with pytest.raises(ValueError, match="Invalid flag"):
        MXRecordIO(tmp_path / "a.rec", flag)


def test_reading_and_writing_the_wrong_way_are_refused(tmp_path):
    reader = MXIndexedRecordIO(GOLDEN / "img.idx", GOLDEN / "img.rec", "r")
    with pytest.raises(AssertionError, match="was opened to be read. Expected flag 'w'"):
        reader.write(b"")
    with pytest.raises(AssertionError, match="was opened to be read"):
        reader.write_idx(1, b"")
    writer = MXIndexedRecordIO(tmp_path / "a.idx", tmp_path / "a.rec", "w")
    for call in (writer.read, lambda: writer.read_idx(0), lambda: writer.seek(0)):
        with pytest.raises(AssertionError, match="was opened to be written. Expected flag 'r'"):
            call()
    with pytest.raises(mx.errors.RecordStateError, match="was to be pickled"):
        pickle.dumps(writer)
    writer.close()
    with pytest.raises(RuntimeError, match="was closed"):
        writer.write(b"")


def test_mistakes_are_explained(tmp_path):
    with pytest.raises(FileNotFoundError, match="Expected an existing file"):
        MXRecordIO(tmp_path / "none.rec", "r")
    with pytest.raises(FileNotFoundError, match="Expected an existing folder"):
        MXRecordIO(tmp_path / "none" / "a.rec", "w")
    writer = MXRecordIO(tmp_path / "a.rec", "w")
    with pytest.raises(TypeError, match="Expected bytes. Write "):
        writer.write("text")
    reader = MXIndexedRecordIO(GOLDEN / "img.idx", GOLDEN / "img.rec", "r")
    with pytest.raises(
        KeyError, match="has no record of key 99. Expected one of the 6 keys of"
    ) as seen:
        reader.read_idx(99)
    assert "\\" not in str(seen.value)


def test_a_record_that_is_too_long_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("gluonish.recordio.chunks.LIMIT", 100)
    writer = MXRecordIO(tmp_path / "a.rec", "w")
    writer.write(bytes(99))
    with pytest.raises(mx.errors.InvalidArgumentError, match="records of less than 100 bytes"):
        writer.write(bytes(100))


HEAD = struct.Struct("<4sI")
DAMAGED = {
    "7 bytes are left; expected 8": HEAD.pack(MAGIC, 0)[:7],
    "expected b'.*', which begins a chunk": b"abcdefgh",
    "is kind 5; expected the start of a record": HEAD.pack(MAGIC, 5 << 29),
    "is a middle part; expected the start of a record": HEAD.pack(MAGIC, 2 << 29),
    "is the last part; expected the start of a record": HEAD.pack(MAGIC, 3 << 29),
    "is a whole record; expected another part": HEAD.pack(MAGIC, 1 << 29) + HEAD.pack(MAGIC, 0),
    "takes 536870912 bytes; expected at most 4": HEAD.pack(MAGIC, (1 << 29) - 1) + b"abcd",
    "takes 4 bytes; expected at most 3": HEAD.pack(MAGIC, 3) + b"abc",
    "0 bytes are left; expected 8": HEAD.pack(MAGIC, 1 << 29 | 4) + b"abcd",
}


@pytest.mark.parametrize("problem", DAMAGED)
def test_damaged_records_are_refused(tmp_path, problem):
    path = tmp_path / "bad.rec"
    path.write_bytes(HEAD.pack(MAGIC, 0) + DAMAGED[problem])
    reader = MXRecordIO(path, "r")
    assert reader.read() == b""
    with pytest.raises(mx.errors.FileFormatError, match=rf"record at byte 8: .*{problem}"):
        reader.read()


@pytest.mark.parametrize(
    "line",
    ["1\tx", "1", "x\t0", "", "1\t-4", "1\t" + "9" * 30, "1\t2", "1\t908", "1\t904"],
)
def test_indices_that_do_not_fit_are_refused(tmp_path, line):
    path = tmp_path / "bad.idx"
    path.write_text(f"0\t0\n{line}\n2\t136\n")
    with pytest.raises(mx.errors.FileFormatError, match="bad.idx', line 2: "):
        MXIndexedRecordIO(path, GOLDEN / "img.rec", "r")


def test_spaces_and_further_columns_of_an_index_are_passed_over(tmp_path):
    path = tmp_path / "a.idx"
    path.write_text(" 7 \t 136 \tmore\r\n8\t0")
    assert MXIndexedRecordIO(path, GOLDEN / "img.rec", "r").idx == {7: 136, 8: 0}


def test_writers_end_quietly_where_their_folder_is_gone(tmp_path: Path) -> None:
    program = (
        "import shutil, gluonish as mx\n"
        f"writer = mx.recordio.MXRecordIO({str(tmp_path / 'gone' / 'a.rec')!r}, 'w')\n"
        f"writer.write(b'one')\nshutil.rmtree({str(tmp_path / 'gone')!r})\n"
    )
    (tmp_path / "gone").mkdir()
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")
