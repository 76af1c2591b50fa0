"""MXNet's pickled states are read as data: nothing runs, and costs follow the file's size."""

from __future__ import annotations

import collections
import contextlib
import json
import pickle
import struct
import time
import tracemalloc
from pathlib import Path

import numpy as onp
import pytest
import torch

from gluonish.errors import DTypeError, FileFormatError
from gluonish.serialization.pickled_names import Record
from gluonish.serialization.states import is_pickle, read_states, write_states

GOLDEN = Path(__file__).parent.parent / "golden" / "mxnet"
BAD = sorted((GOLDEN / "bad_states").glob("*.states"))
GOOD = sorted((GOLDEN / "states").glob("*.states"))


def flat(state, name):
    if state is None:
        return {}
    if isinstance(state, (tuple, list)):
        return {
            key: value
            for place, part in enumerate(state)
            for key, value in flat(part, f"{name}.{place}").items()
        }
    return {name: onp.asarray(state)}


def refusal(data, **options):
    with pytest.raises(FileFormatError) as caught:
        read_states(data, "x.states", **options)
    text = str(caught.value)
    assert text.startswith("Loading 'x.states'")
    assert "expected" in text
    return text


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_golden_states_are_read_to_equal_values(path):
    found = read_states(path.read_bytes(), str(path))
    with onp.load(path.with_suffix(".npz")) as golden:
        expected = {key: golden[key] for key in golden.files if key.startswith("state.")}
    arrays = {}
    for index, state in found.states.items():
        arrays |= flat(state, f"state.{index}")
    assert arrays.keys() == expected.keys()
    for name, values in expected.items():
        assert arrays[name].dtype == values.dtype
        assert (arrays[name] == values).all()
    described = json.loads(path.with_suffix(".json").read_text())
    assert found.optimizer.name.lower() == described["optimizer"]
    assert found.optimizer.attributes["num_update"] == described["num_update"]


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_bad_states_are_refused_at_no_cost(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = path.read_bytes()
    refusal(data)
    tracemalloc.start()
    start = time.process_time()
    try:
        refusal(data)
        spent = time.process_time() - start
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert spent < 0.1
    assert peak < len(data) + 2**20
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", GOOD[2:4], ids=lambda path: path.stem)
def test_every_truncation_and_each_changed_byte_is_refused_or_read(path):
    data = path.read_bytes()
    for end in range(len(data)):
        refusal(data[:end])
    for place in range(len(data)):
        for change in (0x01, 0x80, 0xFF):
            damaged = bytearray(data)
            damaged[place] ^= change
            with contextlib.suppress(FileFormatError):
                read_states(bytes(damaged), "x.states")


@pytest.mark.parametrize("protocol", range(6))
def test_python_and_numpy_values_are_read(protocol):
    values = {
        0: (onp.float32(0.5), onp.array([[1, 2], [3, 4]], onp.int64), onp.arange(3, dtype=">f4")),
        1: [None, True, -3, 2**40, -(2**70), 1.5, onp.asfortranarray(onp.ones((2, 3)))],
        "fc_weight": onp.zeros((0, 3), "float16"),
        2: onp.float64(2.5),
    }
    found = read_states(pickle.dumps(values, protocol), "x").states
    assert found[0][0] == 0.5
    assert found[0][1].tolist() == [[1, 2], [3, 4]]
    assert found[0][2].tolist() == [0, 1, 2]
    assert found[1][:6] == [None, True, -3, 2**40, -(2**70), 1.5]
    assert found[1][6].tolist() == [[1, 1, 1], [1, 1, 1]]
    assert (found["fc_weight"].shape, found["fc_weight"].dtype) == ((0, 3), torch.float16)
    assert found[2] == 2.5
    ordered = collections.OrderedDict(values)
    assert read_states(pickle.dumps(ordered, protocol), "x").states.keys() == values.keys()
    default = collections.defaultdict(list, {0: None})
    assert read_states(pickle.dumps(default, protocol), "x").states == {0: None}


class SGD:
    pass


def pickled_optimizer(module, name, **attributes):
    return write_states({0: None}, Record(module, name, attributes))


def test_optimizers_are_records_of_their_attributes():
    shared = {0: 1}
    data = pickled_optimizer("mxnet.optimizer.optimizer", "SGD", lr=0.5, a=shared, b=shared)
    optimizer = read_states(data, "x").optimizer
    assert (optimizer.module, optimizer.name) == ("mxnet.optimizer.optimizer", "SGD")
    assert optimizer.attributes == {"lr": 0.5, "a": {0: 1}, "b": {0: 1}}
    assert optimizer.attributes["a"] is optimizer.attributes["b"]
    for module in ("mxnet.optimizer", "mxnet.optimizer.sgd", "__main__", "gluonnlp.optimizer.bert"):
        assert read_states(pickled_optimizer(module, "Any"), "x").optimizer.name == "Any"
    own = pickled_optimizer("mine.optim", "Any")
    assert "it names 'mine.optim.Any'" in refusal(own)
    assert read_states(own, "x", own=[("mine.optim", "Any")]).optimizer.name == "Any"
    for module in ("mxnet.base", "os", "mxnetx.optimizer", "builtins", "numpy", "torch"):
        assert f"it names '{module}.Any'" in refusal(pickled_optimizer(module, "Any"))
    for name in ("a.b", "", "__class__.__base__"):
        assert "it names" in refusal(pickled_optimizer("mxnet.optimizer", name))


def named(module, name):
    return f"c{module}\n{name}\n".encode()


ARRAY = named("mxnet.ndarray.ndarray", "NDArray") + b"N\x85R"
RECORD = struct.pack("<IiiqiiIf", 0xF993FAC9, 0, 1, 1, 1, 0, 0, 1.5)
HANDLE = b"}X\x06\x00\x00\x00handleC" + bytes([len(RECORD)]) + RECORD + b"s"
DTYPE = named("numpy", "dtype") + b"X\x02\x00\x00\x00f4\x85R"
ONE = b"\x80\x04}K\x00"

PROBLEMS = {
    "the opcode b'P' was found; expected one of those": b"\x80\x04Pabc\n.",
    "the opcode b'\\x82' was found": b"\x80\x04\x82\x01.",
    "a value is missing; expected one": b"\x80\x04s.",
    "a mark is missing": b"\x80\x04t.",
    "values are left over at the end": b"\x80\x04}}.",
    "2 bytes follow the end mark": b"\x80\x04}.NN",
    "the version of the protocol is 9": b"\x80\x09}.",
    "a frame takes 99 bytes; expected at most 2": b"\x80\x04\x95" + struct.pack("<Q", 99) + b"}.",
    "an integer takes 300 bytes; expected at most 16": b"\x80\x02\x8b\x2c\x01\x00\x00" + b"1" * 300,
    "an integer takes -1 bytes": b"\x80\x02\x8b\xff\xff\xff\xff.",
    "an integer is written b'1x'; expected digits": b"I1x\n.",
    "an integer begins with b'1111": b"(I" + b"1" * 100_000 + b"\n.",
    "a number is written b'1x'; expected digits": b"F1x\n.".replace(b"F", b"(F"),
    "text begins with b'abc'; expected quotes": b"(Sabc\n.",
    "text begins with b\"'\\\\\\\\x0'\"; expected valid escapes": b"(S'\\x0'\n.",
    "text begins with b'\\xff'; expected UTF-8": b"\x80\x02X\x01\x00\x00\x00\xff.",
    "text begins with b'\\\\\\\\u12'; expected Unicode escapes": b"(V\\u12\n.",
    "a name begins with b'abc'; expected the end of a line": b"cabc",
    "text takes 16 bytes; expected at most 1": b"\x80\x02X\x10\x00\x00\x00.",
    "value 7 is used; expected one that was kept": b"\x80\x02h\x07.",
    "a value is numbered b'x'; expected digits": b"}px\n.",
    "items are added to of type dict; expected a list": b"\x80\x02}Na.",
    "items are set in of type list; expected a dictionary": b"\x80\x02]NNs.",
    "a dictionary has a key without a value": b"\x80\x02}(Nu.",
    "a key is of type tuple; expected a number or a name": b"\x80\x02}))s.",
    "a name is of type NoneType in of type NoneType": b"\x80\x04NN\x93.",
    "it calls 'int'; expected only": b"\x80\x04K\x01)R.",
    "it calls 'mxnet.optimizer.SGD'": b"\x80\x04" + named("mxnet.optimizer", "SGD") + b")R.",
    "it makes an object of 'collections.defaultdict'": b"\x80\x02"
    + named("collections", "defaultdict")
    + b")\x81.",
    "a value of type dict is given a state of type NoneType": b"\x80\x02}Nb.",
    "a value of type PickledArray is given a state": ONE + ARRAY + HANDLE + b"b" + HANDLE + b"bs.",
    "attributes of 'SGD' have numbers for names": b"\x80\x02"
    + named("mxnet.optimizer", "SGD")
    + b")\x81}K\x01K\x01sb.",
    "an NDArray holds int; expected the bytes": ONE + ARRAY + b"}X\x06\x00\x00\x00handleK\x07sb.",
    "an NDArray holds NoneType; expected the bytes": ONE + ARRAY + b"Nb.",
    "it holds an array without values": ONE + ARRAY + b"s.",
    "it holds Record; expected None, arrays, numbers": ONE
    + named("mxnet.optimizer", "SGD")
    + b")\x81s.",
    "beside the states it holds int; expected an optimizer": b"\x80\x02}K\x01\x86.",
    "it holds list; expected a dictionary of states": b"\x80\x02].",
    "is called with something else than bytes": b"\x80\x02"
    + named("builtins", "bytearray")
    + b"K\x09\x85R.",
    "an OrderedDict is made of something else than pairs": b"\x80\x02"
    + named("collections", "OrderedDict")
    + b"]K\x01a\x85R.",
    "the dtype of a NumPy array is 'O8'": b"\x80\x02"
    + named("numpy", "dtype")
    + b"X\x02\x00\x00\x00O8\x85R.",
    "the dtype of a NumPy array is 'f1'": b"\x80\x02"
    + named("numpy", "dtype")
    + b"X\x02\x00\x00\x00f1\x85R.",
    "the order of bytes in a dtype is damaged": b"\x80\x02" + DTYPE + b"NN\x86b.",
    "a NumPy number is damaged": b"\x80\x03"
    + named("numpy.core.multiarray", "scalar")
    + DTYPE
    + b"C\x01a\x86R.",
}


@pytest.mark.parametrize("problem", PROBLEMS)
def test_what_is_wrong_is_told(problem):
    expected = problem.replace("\\\\\\\\", "\\\\")
    assert expected in refusal(PROBLEMS[problem])


def numpy_array(shape, dtype=DTYPE, data=b"C\x04abcd"):
    new = named("numpy.core.multiarray", "_reconstruct") + named("numpy", "ndarray")
    return (
        b"\x80\x03" + new + b"K\x00\x85C\x01b\x87R(K\x01" + shape + dtype + b"\x89" + data + b"tb."
    )


def test_numpy_arrays_are_checked():
    assert "a NumPy array of shape (2,) has 4 bytes of values; expected 8" in refusal(
        numpy_array(b"K\x02\x85")
    )
    assert "the shape of a NumPy array is damaged" in refusal(numpy_array(b"N\x85"))
    assert "not one of numbers" in refusal(numpy_array(b"K\x01\x85", dtype=b"N"))
    huge = b"\x8a\x08" + (2**62).to_bytes(8, "little")
    assert "expected at most 2**63 - 1 bytes" in refusal(
        numpy_array(huge + huge + b"K\x00\x87", data=b"C\x00")
    )
    assert "has no shape, dtype and values" in refusal(
        b"\x80\x02" + named("numpy.core.multiarray", "_reconstruct")
        + named("numpy", "ndarray") + b"\x85RNb."
    )  # fmt: skip


def test_one_payload_is_not_many_arrays():
    handle = HANDLE + b"q\x00"
    many = b"\x80\x04(" + ARRAY + handle + b"b" + (ARRAY + b"h\x00b") * 99 + b"l."
    text = refusal(many)
    assert "holds list" in text  # so small a payload may be used again
    payload = struct.pack("<Iiiqiii", 0xF993FAC9, 0, 1, 2000, 1, 0, 0) + bytes(8000)
    handle = b"}X\x06\x00\x00\x00handle\x8e" + struct.pack("<Q", len(payload)) + payload + b"sq\x00"
    again = b"\x80\x04(" + ARRAY + handle + b"b" + ARRAY + b"h\x00bl."
    assert "its arrays take more bytes than the file has" in refusal(again)


@pytest.mark.parametrize(
    "part",
    [b"}", b"]", b"(l", b"(d", b"N\x85", b"}K\x00Ns", b"N\x94", b"X\x01\x00\x00\x00a", b"J9999"],
)
def test_memory_is_a_small_multiple_of_the_file(part):
    data = b"\x80\x04(" + part * (100_000 // len(part)) + b"l."
    tracemalloc.start()
    try:
        refusal(data)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 64 * len(data)


def test_nesting_is_bounded_without_recursion():
    deep = b"\x80\x04}K\x00N" + b"\x85" * 100_000 + b"s."
    assert "takes more than 32 times the memory of the file" in refusal(deep)
    assert "it is nested too deeply" in refusal(b"\x80\x04}K\x00N" + b"\x85" * 900 + b"s.")
    loop = b"\x80\x04}K\x00]\x94h\x00as."
    assert "it is nested too deeply" in refusal(loop)
    wide = b"\x80\x04}K\x00]\x94(" + b"N" * 999 + b"e" + b"".join(
        b"]\x94(" + f"h{chr(level)}".encode() * 99 + b"e" for level in range(3)
    )  # fmt: skip
    start = time.process_time()
    refusal(wide + b"0" * 3 + b"h\x03s.")
    assert time.process_time() - start < 1


def test_a_long_line_costs_linear_time():
    start = time.process_time()
    refusal(b"(" + b"V" + b"a" * 4_000_000)
    refusal((b"S'" + b"a" * 100 + b"'\n") * 20_000)
    assert time.process_time() - start < 2


def test_large_arrays_are_not_copied_twice():
    states = {0: torch.zeros(2**20)}
    data = write_states(states)
    tracemalloc.start()
    try:
        found = read_states(data, "x").states
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert torch.equal(found[0], states[0])
    assert peak < 2**20  # torch's own memory is not traced


def test_states_are_written_as_they_were():
    states = {0: (torch.arange(3.0), None), "b": [torch.ones(2, dtype=torch.float16), 3, -70000]}
    states[1] = (True, 2.5, -(2**40))
    found = read_states(write_states(states), "x").states
    assert repr(found) == repr(states)
    assert repr(read_states(write_states(states, np_arrays=True), "x").states) == repr(states)
    with pytest.raises(DTypeError, match="Writing states for MXNet: set was found. Expected None"):
        write_states({0: {1}})
    with pytest.raises(DTypeError, match="complex64"):
        write_states({0: torch.ones(1, dtype=torch.complex64)})


def test_pickles_are_told_from_other_files():
    assert is_pickle(pickle.dumps({}, 0))
    assert is_pickle(pickle.dumps({}, 2))
    assert is_pickle(pickle.dumps(({}, 1), 1))
    assert not is_pickle(b"")
    assert not is_pickle(b"\x12\x01\0\0\0\0\0\0")
