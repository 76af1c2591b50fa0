"""Tests of `nd.save`, `nd.load` and `nd.load_frombuffer`."""

from __future__ import annotations

from pathlib import Path

import numpy as onp
import pytest

import gluonish as mx
from gluonish.errors import DTypeError, FileFormatError, InvalidArgumentError, MXNetError

CONTAINERS = Path(__file__).parents[1] / "golden" / "mxnet" / "containers"


def test_array_alone_is_a_list_of_one(tmp_path: Path) -> None:
    mx.nd.save(tmp_path / "x", mx.nd.array([[1, 2]]))
    (loaded,) = mx.nd.load(tmp_path / "x")
    assert type(loaded) is mx.nd.NDArray
    assert loaded.context is mx.cpu(0)
    assert loaded.asnumpy().tolist() == [[1, 2]]


def test_list_and_dict_keep_their_order(tmp_path: Path) -> None:
    path = str(tmp_path / "x")
    mx.nd.save(path, [mx.nd.ones((1,)), mx.nd.zeros((2,), dtype="int32")])
    assert [array.dtype for array in mx.nd.load(path)] == [onp.float32, onp.int32]
    mx.nd.save(path, {"b": mx.nd.ones((1,)), "a": mx.nd.zeros((1,))})
    loaded = mx.nd.load(path)
    assert isinstance(loaded, dict)
    assert {name: array.asscalar() for name, array in loaded.items()} == {"b": 1, "a": 0}
    assert list(loaded) == ["b", "a"]


def test_bytes_are_those_of_mxnet(tmp_path: Path) -> None:
    golden = CONTAINERS / "v2_dict.params"
    mx.nd.save(tmp_path / "x", mx.nd.load(golden))
    assert (tmp_path / "x").read_bytes() == golden.read_bytes()


def test_numpy_shapes_give_the_newer_records(tmp_path: Path) -> None:
    with mx.np_shape():
        mx.nd.save(tmp_path / "x", mx.nd.ones((2,)))
    assert (tmp_path / "x").read_bytes()[24:28] == b"\xca\xfa\x93\xf9"


@pytest.mark.parametrize("data", [[], {}])
def test_nothing_saved_is_an_empty_list(tmp_path: Path, data: list[mx.nd.NDArray]) -> None:
    mx.nd.save(tmp_path / "x", data)
    assert mx.nd.load(tmp_path / "x") == []


def test_newer_records_are_read_in_the_older_mode() -> None:
    loaded = mx.nd.load(CONTAINERS / "v3_dict.params")
    assert isinstance(loaded, dict)
    assert loaded["scalar"].shape == ()
    assert type(loaded["scalar"]) is mx.nd.NDArray


def test_buffer_is_read() -> None:
    for kind in (bytes, bytearray, memoryview):
        data = kind((CONTAINERS / "v2_single.params").read_bytes())
        (loaded,) = mx.nd.load_frombuffer(data)
        assert loaded.shape == (2, 3)


def test_array_in_a_graph_is_saved_by_value(tmp_path: Path) -> None:
    x = mx.nd.ones((2,))
    x.attach_grad()
    with mx.autograd.record():
        y = x * 3
        mx.nd.save(tmp_path / "x", [x, y])
    assert [array.asnumpy().tolist() for array in mx.nd.load(tmp_path / "x")] == [[1, 1], [3, 3]]


def test_views_are_saved_by_value(tmp_path: Path) -> None:
    x = mx.nd.arange(6).reshape((2, 3))
    mx.nd.save(tmp_path / "x", [x[1], x.T])
    second, third = mx.nd.load(tmp_path / "x")
    assert second.asnumpy().tolist() == [3, 4, 5]
    assert third.asnumpy().tolist() == [[0, 3], [1, 4], [2, 5]]


def test_a_name_in_the_place_of_data_is_told(tmp_path: Path) -> None:
    path = tmp_path / "x.params"
    with pytest.raises(InvalidArgumentError, match=r"nd\.save\(fname, data\), where PyTorch's"):
        mx.nd.save([mx.nd.ones(2)], path)
    assert not path.exists()


@pytest.mark.parametrize("data", [None, 3, onp.ones(3), (1, 2)])
def test_other_data_are_refused(tmp_path: Path, data: object) -> None:
    with pytest.raises(
        InvalidArgumentError,
        match=r"^nd.save: data=.+ was given. Expected one NDArray, a list of them, or a dict of",
    ):
        mx.nd.save(tmp_path / "x", data)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("part", [3, None, onp.ones(2)])
def test_other_parts_are_refused(tmp_path: Path, part: object) -> None:
    for data in ([mx.nd.ones((1,)), part], {"x": part}):
        with pytest.raises(
            DTypeError, match=r"^nd.save: .*was given among .*(Put other data|Write mx.nd.array)"
        ):
            mx.nd.save(tmp_path / "x", data)


def test_other_keys_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DTypeError, match=r"the key 1, of type int, .*in a dict under str keys"):
        mx.nd.save(tmp_path / "x", {1: mx.nd.ones((1,))})


def test_arrays_of_np_are_refused(tmp_path: Path) -> None:
    for data in (mx.np.ones(2), [mx.np.ones(2)]):
        with pytest.raises(TypeError, match=r"np.ndarray was given among .*, or use npx.save"):
            mx.nd.save(tmp_path / "x", data)


def test_missing_file_is_an_error_of_mxnet_and_of_python(tmp_path: Path) -> None:
    for kind in (MXNetError, FileNotFoundError):
        with pytest.raises(kind, match=r"^Loading '.*none': No such file"):
            mx.nd.load(tmp_path / "none")


def test_damaged_file_is_an_error_of_mxnet() -> None:
    with pytest.raises(FileFormatError, match=r"^Loading 'buffer'"):
        mx.nd.load_frombuffer(b"abc")


def test_text_is_no_buffer() -> None:
    with pytest.raises(DTypeError, match=r"^nd.load_frombuffer: str was given. Expected bytes"):
        mx.nd.load_frombuffer("abc")
