"""Tests of `npx.save` and `npx.load`."""

from __future__ import annotations

from pathlib import Path

import pytest

import gluonish as mx
from gluonish import np, npx
from gluonish.errors import DTypeError, InvalidArgumentError

CONTAINERS = Path(__file__).parents[1] / "golden" / "mxnet" / "containers"


@pytest.mark.parametrize("numpy_mode", [False, True])
def test_arrays_of_np_come_back_as_such(tmp_path: Path, numpy_mode: bool) -> None:
    if numpy_mode:
        npx.set_np()
    npx.save(str(tmp_path / "x"), {"a": np.arange(3), "s": np.array(2.5), "e": np.zeros((0, 2))})
    loaded = npx.load(str(tmp_path / "x"))
    assert isinstance(loaded, dict)
    assert all(type(array) is np.ndarray for array in loaded.values())
    assert [array.shape for array in loaded.values()] == [(3,), (), (0, 2)]
    assert loaded["s"].item() == 2.5


def test_array_alone_is_a_list_of_one(tmp_path: Path) -> None:
    npx.save(file=tmp_path / "x", arr=np.ones(2))
    (loaded,) = npx.load(file=tmp_path / "x")
    assert loaded.tolist() == [1, 1]


def test_bytes_are_those_of_mxnet(tmp_path: Path) -> None:
    golden = CONTAINERS / "v3_dict.params"
    npx.save(tmp_path / "x", npx.load(golden))
    assert (tmp_path / "x").read_bytes() == golden.read_bytes()


def test_other_data_are_refused(tmp_path: Path) -> None:
    for data in ("x", None, (np.ones(1),), mx.nd.ones((1,))):
        with pytest.raises(InvalidArgumentError, match=r"^npx.save: .* Expected one np.ndarray"):
            npx.save(tmp_path / "x", data)


def test_other_parts_are_refused(tmp_path: Path) -> None:
    for data in ([3], {"a": None}, {1: np.ones(1)}):
        with pytest.raises(
            DTypeError, match=r"^npx.save: .*was given( among what is to be saved)?\. Expected"
        ):
            npx.save(tmp_path / "x", data)


def test_arrays_of_nd_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DTypeError, match=r"NDArray was given among .*as_np_ndarray\(\), or use nd"):
        npx.save(tmp_path / "x", [mx.nd.ones((1,))])
