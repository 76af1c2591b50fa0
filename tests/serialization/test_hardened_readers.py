"""What a reader of MXNet's files has to check, line by line, each with a file that breaks it."""

from __future__ import annotations

import json
import struct
import time
from typing import TYPE_CHECKING

import pytest

import gluonish as mx
from gluonish import serialization
from gluonish.errors import FileFormatError, MXNetError, UnknownOperatorError
from gluonish.serialization.states import read_states

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

HUGE = 1 << 62


def shape(*dims: int) -> bytes:
    return struct.pack(f"<i{len(dims)}q", len(dims), *dims)


def dense(
    dims: bytes = shape(2),
    *,
    magic: int = 0xF993FAC9,
    storage: int = 0,
    device: int = 1,
    code: int = 0,
    values: bytes = bytes(8),
) -> bytes:
    head = struct.pack("<Ii", magic, storage) + dims
    return head + struct.pack("<iii", device, 0, code) + values


def rows(
    indices: Sequence[int] = (0, 1),
    stored: bytes = shape(2, 2),
    aux: bytes = shape(2),
    code: int = 6,
) -> bytes:
    head = struct.pack("<Ii", 0xF993FAC9, 1) + stored + shape(4, 2)
    head += struct.pack("<iiii", 1, 0, 0, code) + aux
    return head + bytes(16) + struct.pack(f"<{len(indices)}q", *indices)


def csr(starts: Sequence[int] = (0, 1, 2), columns: Sequence[int] = (0, 1)) -> bytes:
    head = struct.pack("<Ii", 0xF993FAC9, 2) + shape(len(columns)) + shape(2, 3)
    head += struct.pack("<iiii", 1, 0, 0, 6) + shape(len(starts)) + struct.pack("<i", 6)
    head += shape(len(columns)) + bytes(4 * len(columns))
    return head + struct.pack(f"<{len(starts) + len(columns)}q", *starts, *columns)


def name(text: bytes, length: int | None = None) -> bytes:
    return struct.pack("<Q", len(text) if length is None else length) + text


def file(
    *records: bytes,
    magic: int = 0x112,
    count: int | None = None,
    names: Sequence[bytes] = (),
    name_count: int | None = None,
    end: bytes = b"",
) -> bytes:
    count = len(records) if count is None else count
    name_count = len(names) if name_count is None else name_count
    head = struct.pack("<QQQ", magic, 0, count) + b"".join(records)
    return head + struct.pack("<Q", name_count) + b"".join(names) + end


CONTAINERS = {
    "the magic": (file(dense(), magic=0x113), "of no known format"),
    "the number of arrays": (file(dense(), count=HUGE), "arrays are announced; expected at most"),
    "the number of names": (file(dense(), name_count=HUGE), "names are announced; expected 0 or 1"),
    "a name's length": (file(dense(), names=[name(b"x", HUGE)]), "the name takes .* at most 1"),
    "the dimensions": (file(dense(shape(HUGE, 1))), "expected at most 2|takes .* all that is left"),
    "the values": (file(dense(shape(1 << 40))), "takes 4398046511104 bytes; expected at most"),
    "index arrays": (file(rows(aux=shape(1 << 40))), "shape .*expected|takes .* all that is left"),
    "the number of dimensions": (
        file(dense(struct.pack("<i", 33) + bytes(33 * 8))), "dimensions is 33; expected 0 to 32"
    ),
    "a negative number of dimensions": (file(dense(struct.pack("<i", -1))), "dimensions is -1"),
    "a negative dimension": (file(dense(shape(-2))), "expected no negative dimension"),
    "a product that wraps": (file(dense(shape(6148914691236517206, 9))), "expected at most 2"),
    "an empty shape that is huge": (file(dense(shape(0, HUGE), values=b"")), "expected at most 2"),
    "the dtype": (file(dense(code=13)), "the dtype code is 13; expected 0 to 12"),
    "the storage type": (file(dense(storage=3)), "the storage type is 3; expected 0, 1 or 2"),
    "sparse arrays in V3": (
        file(rows().replace(b"\xc9\xfa\x93\xf9", b"\xca\xfa\x93\xf9")), "V3 is dense only"
    ),
    "the indices' dtype": (file(rows(code=0)), "of the indices is 0; expected 4 .* or 6"),
    "the device": (file(dense(device=4)), "the device type is 4; expected 1, 2, 3 or 5"),
    "indices of two dimensions": (file(rows(aux=shape(1, 2))), "expected one dimension"),
    "rows that occur twice": (file(rows((1, 1))), "a row index occurs twice"),
    "rows below 0": (file(rows((-1, 1))), "row index -1 is outside"),
    "rows that are not there": (file(rows((0, 4))), "row index 4 is outside .* expected 0 to 3"),
    "csr of one dimension": (
        file(csr().replace(shape(2, 3), shape(6))), "a csr array has shape|expected"
    ),
    "the length of indptr": (file(csr((0, 2))), "indptr has 2 entries; expected 3"),
    "the start of indptr": (file(csr((1, 1, 2))), "indptr runs from 1 to 2; expected 0 to 2"),
    "the end of indptr": (file(csr((0, 1, 3))), "indptr runs from 0 to 3; expected 0 to 2"),
    "an indptr that falls": (file(csr((0, 5, 2))), "indptr falls"),
    "columns that are not there": (file(csr(columns=(0, 3))), "column index 3 is outside"),
    "columns that occur twice": (file(csr((0, 2, 2), (1, 1))), "a column occurs twice in one row"),
    "bools": (file(dense(code=7, values=b"\x01\x07")), "a bool is stored as a byte above 1"),
    "names that are no UTF-8": (file(dense(), names=[name(b"\xff")]), "expected UTF-8"),
    "names with NUL": (file(dense(), names=[name(b"a\0")]), "expected no NUL"),
    "names that occur twice": (
        file(dense(), dense(), names=[name(b"a"), name(b"a")]), "'a' occurs twice"
    ),
    "fewer names than arrays": (
        file(dense(), dense(), names=[name(b"a")]), "1 names are announced; expected 0 or 2"
    ),
    "bytes after the end": (file(dense(), end=b"\0"), "1 bytes follow the last name"),
}  # fmt: skip


@pytest.mark.parametrize("rule", CONTAINERS)
def test_container_is_checked_for(rule: str) -> None:
    data, said = CONTAINERS[rule]
    with pytest.raises(FileFormatError, match=said):
        serialization.load_bytes(data, keeps_sparse=True)


def test_files_that_these_were_made_of_are_good() -> None:
    data = file(dense(), rows(), csr(), names=[name(b"a"), name(b"b"), name(b"c")])
    assert list(serialization.load_bytes(data, keeps_sparse=True)) == ["a", "b", "c"]


def node(op: str = "null", title: str = "x", *inputs: int, **attrs: str) -> dict[str, object]:
    return {"op": op, "name": title, "attrs": attrs, "inputs": [[i, 0, 0] for i in inputs]}


def graph(*nodes: dict[str, object], **changes: object) -> str:
    head = len(nodes) - 1
    return json.dumps({"nodes": nodes, "arg_nodes": [0], "heads": [[head, 0, 0]]} | changes)


X = node()
GRAPHS = {
    "keys that occur twice": ('{"nodes": [], "nodes": []}', "the key 'nodes' stands there twice"),
    "ids of inputs": (graph(X, node("relu", "r", 2)), "has node 2 as input"),
    "ids of inputs below 0": (graph(X, node("relu", "r", -1)), "has node -1 as input"),
    "outputs of inputs": (
        graph(X, {"op": "relu", "name": "r", "inputs": [[0, 1, 0]]}), "output 1 of 'x'"
    ),
    "heads": (graph(X, heads=[[1, 0, 0]]), "heads name node 1, of 1"),
    "outputs of heads": (graph(X, heads=[[0, 7, 0]]), "heads: output 7 of 'x'"),
    "arg_nodes": (graph(X, arg_nodes=[9]), "arg_nodes are not numbers of nodes"),
    "cycles": (
        graph(X, node("relu", "a", 2), node("relu", "b", 1)), "need themselves as inputs: a, b"
    ),
    "values that are no text": (
        graph({"op": "null", "name": "x", "attrs": {"a": 1}, "inputs": []}),
        "attrs that are no texts"
    ),
    "arguments that nobody knows": (graph(X, node("sum", "s", 0, a="1")), "Cannot find argument"),
    "numbers out of range": (
        graph(X, node("FullyConnected", "f", 0, 0, 0, num_hidden="0")), "num_hidden='0' is out of"
    ),
    "text that could be run": (
        graph(X, node("sum", "s", 0, axis="__import__('os').mkdir('PWNED')")), "axis="
    ),
    "text after the end": (graph(X) + " {}", "Extra data"),
    "more nodes than there can be": (graph(X, nodes=[]), "it has no nodes"),
}  # fmt: skip


@pytest.mark.parametrize("rule", GRAPHS)
def test_graph_is_checked_for(rule: str) -> None:
    text, said = GRAPHS[rule]
    with pytest.raises(FileFormatError, match=said):
        mx.sym.load_json(text)


def test_graph_keeps_what_an_operator_without_arguments_was_given() -> None:
    symbol = mx.sym.load_json(graph(X, node("relu", "r", 0, a="1")))
    assert symbol.attr_dict() == {"r": {"a": "1"}}  # as in the real MXNet, whose relu reads none
    assert symbol.eval(x=mx.nd.array([-1, 2]))[0].asnumpy().tolist() == [0, 2]


def test_graph_is_checked_for_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gluonish.symbol.reading._BIGGEST", 100)
    with pytest.raises(FileFormatError, match="characters, more than 100"):
        mx.sym.load_json(graph(*[X] * 50))
    monkeypatch.setattr("gluonish.symbol.reading._BIGGEST", 1 << 20)
    monkeypatch.setattr("gluonish.symbol.reading._MOST", 49)
    with pytest.raises(FileFormatError, match="it has 50 nodes, more than 49"):
        mx.sym.load_json(graph(*[X] * 50))


@pytest.mark.parametrize("op", ["(a+)+$" * 10, "a" * 100_000 + "!", "(?=" * 5000, "no_such_thing"])
def test_name_of_an_operator_reaches_no_regular_expression(op: str) -> None:
    start = time.process_time()
    with pytest.raises(UnknownOperatorError, match="not known") as caught:
        mx.sym.load_json(graph(X, node(op, "r", 0)))
    assert time.process_time() - start < 2
    assert len(str(caught.value)) < 1000


STATES = {
    "foreign globals": b"\x80\x04\x8c\x05posix\x8c\x05mkdir\x93\x8c\x05PWNED\x85R.",
    "foreign globals of protocol 0": b"cos\nmkdir\n(S'PWNED'\ntR.",
    "dotted names": b"\x80\x04\x8c\x18mxnet.optimizer.optimizer\x8c\x0eos.mkdir.thing\x93.",
    "lengths": b"\x80\x04\x8e" + struct.pack("<Q", 1 << 60) + b"abc.",
    "what is not in the memo": b"\x80\x02h\x05.",
    "an empty stack": b"\x80\x02R.",
    "a missing end": b"\x80\x02}",
    "what is no dictionary": b"\x80\x02K\x05.",
    "extensions": b"\x80\x02\x82\x01.",
    "persistent ids": b"\x80\x02Pname\n.",
    "tuples that double": b"\x80\x02)" + b"2\x86" * 60 + b".",
    "depth": b"\x80\x02}K\x00" + b")" + b"\x85" * 5000 + b"s.",
    "numbers of too many digits": b"L" + b"9" * 20_000 + b"L\n.",
}


@pytest.mark.parametrize("rule", STATES)
def test_states_are_checked_for(rule: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    start = time.process_time()
    with pytest.raises(FileFormatError, match=r"^Loading 's'"):
        read_states(STATES[rule], "s")
    assert time.process_time() - start < 2  # doubling or backtracking would not end
    assert list(tmp_path.iterdir()) == []


MAGIC = b"\x0a\x23\xd7\xce"


def chunk(flag: int, payload: bytes, length: int | None = None, magic: bytes = MAGIC) -> bytes:
    length = len(payload) if length is None else length
    return magic + struct.pack("<I", flag << 29 | length) + payload + bytes(-len(payload) % 4)


RECORDS = {
    "the magic": (chunk(0, b"abcd", magic=b"\0\0\0\0"), "was found at byte 0; expected"),
    "the length": (chunk(0, b"abcd", 9), "takes 12 bytes; expected at most 4"),
    "the padding": (chunk(0, b"abc")[:-1], "takes 4 bytes; expected at most 3"),
    "a cut head": (chunk(0, b"abcd") + MAGIC, "4 bytes are left; expected 8"),
    "a middle part that comes first": (chunk(2, b"abcd"), "is a middle part; expected the start"),
    "a last part that comes first": (chunk(3, b"abcd"), "is the last part; expected the start"),
    "a whole record inside of one": (chunk(1, b"abcd") * 2, "expected another part of the record"),
    "a record without an end": (chunk(1, b"abcd") + chunk(2, b""), "0 bytes are left"),
    "kinds that do not exist": (chunk(5, b"abcd"), "is kind 5; expected the start"),
}


@pytest.mark.parametrize("rule", RECORDS)
def test_records_are_checked_for(rule: str, tmp_path: Path) -> None:
    data, said = RECORDS[rule]
    path = tmp_path / "x.rec"
    path.write_bytes(data)
    reader = mx.recordio.MXRecordIO(str(path), "r")
    with pytest.raises(FileFormatError, match=said):
        list(iter(reader.read, None))
    reader.close()


@pytest.mark.parametrize("line", ["0\t2", "0\t400", "0\t-4", "0\t9" + "9" * 5000, "0", "x\t0"])
def test_index_is_checked_for_places(line: str, tmp_path: Path) -> None:
    record, index = tmp_path / "x.rec", tmp_path / "x.idx"
    record.write_bytes(chunk(0, b"abcd"))
    index.write_text(line)
    with pytest.raises(FileFormatError, match=r"line 1.*expected"):
        mx.recordio.MXIndexedRecordIO(str(index), str(record), "r")


def test_header_of_an_image_is_checked_for_the_number_of_labels() -> None:
    with pytest.raises(MXNetError, match="announces 4294967295 labels, and 4 bytes follow"):
        mx.recordio.unpack(struct.pack("<IfQQ", 0xFFFFFFFF, 0, 0, 0) + b"abcd")
