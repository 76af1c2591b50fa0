"""Arrays that the real MXNet 1.9.1 pickled are read as data; nothing in a pickle runs."""

from __future__ import annotations

import base64
import io
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

import gluonish as mx
from gluonish import npx
from gluonish.errors import FileFormatError

GOLDEN = Path(__file__).parents[1] / "golden" / "pickled_arrays.json"
PICKLES = {name: base64.b64decode(text) for name, text in json.loads(GOLDEN.read_text()).items()}
EXPECTED: dict[str, Any] = {
    "array": [[[1, 2], [3, 4]]],
    "np": [[1, 2]],
    "integers": [[1, 2]],
    "list": [[1, 1], [0, 0, 0]],
    "tuple": [[1, 1]],
    "dict": {"b": [1, 1], "a": [0]},
    "row_sparse": [[[1, 1], [1, 1]]],
    "csr": [[[1, 1], [1, 1]]],
    "empty": [[]],
}


def plain(found: Any) -> Any:  # noqa: ANN401
    if isinstance(found, dict):
        return {name: array.asnumpy().tolist() for name, array in found.items()}
    return [array.asnumpy().tolist() for array in found]


@pytest.mark.parametrize("name", [name for name in PICKLES if not name.startswith("nested")])
def test_mxnets_pickles_of_arrays_are_read(name: str, tmp_path: Path) -> None:
    path = tmp_path / "arrays.pkl"
    path.write_bytes(PICKLES[name])
    expected = EXPECTED[name.split()[0]]
    for found in (mx.nd.load(path), mx.nd.load_frombuffer(PICKLES[name])):
        assert plain(found) == expected
        arrays = list(found.values()) if isinstance(found, dict) else found
        assert {type(array) for array in arrays} == {mx.nd.NDArray}
        assert {array.dtype.__name__ for array in arrays} == {
            "int64" if name.startswith("integers") else "float32"
        }


def test_np_arrays_come_from_npx_load(tmp_path: Path) -> None:
    path = tmp_path / "arrays.pkl"
    path.write_bytes(PICKLES["dict 4"])
    found = npx.load(path)
    assert plain(found) == EXPECTED["dict"]
    assert {type(array) for array in found.values()} == {mx.np.ndarray}


def note_of(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    with pytest.raises(
        FileFormatError, match="a Python pickle, which gluonish never runs"
    ) as caught:
        mx.nd.load(path)
    return caught.value.__notes__[0]


def test_other_pickles_are_refused_with_what_they_hold(tmp_path: Path) -> None:
    path = tmp_path / "x"
    assert (
        "item 'w': list was found; expected an array. Nothing in it was run. Save the arrays with "
        in (note_of(path, PICKLES["nested 4"]))
    )
    assert "it holds int; expected arrays" in note_of(path, pickle.dumps(3))
    assert "it holds dict; expected arrays" in note_of(path, pickle.dumps({1: 2}))
    cut = PICKLES["array 4"][:-20]
    assert "As a pickle of MXNet's arrays: Loading '" in note_of(path, cut)


class Tells:
    """Something that a pickle would run."""

    def __reduce__(self) -> tuple[Any, ...]:
        return pytest.fail, ("it ran",)


def test_nothing_in_a_pickle_runs(tmp_path: Path) -> None:
    assert "it names '" in note_of(tmp_path / "x", pickle.dumps([Tells()]))


@pytest.mark.parametrize("start", [b"(", b"c", b"}"])
def test_text_that_begins_like_old_pickles_is_refused_without_a_note(
    start: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "x"
    path.write_bytes(start + b"onfiguration")
    with pytest.raises(FileFormatError) as caught:
        mx.nd.load(path)
    assert getattr(caught.value, "__notes__", []) == []


class Unpickler(pickle.Unpickler):
    """Python's own, for which MXNet's classes are ours."""

    def find_class(self, module, name):
        return super().find_class(module.replace("mxnet", "gluonish", 1), name)


@pytest.mark.parametrize("kind", ["array", "np", "integers", "dict", "nested"])
@pytest.mark.parametrize("protocol", range(5))
def test_python_unpickles_mxnets_arrays(kind: str, protocol: int) -> None:
    found = Unpickler(io.BytesIO(PICKLES[f"{kind} {protocol}"])).load()
    if kind == "nested":
        assert found["w"][0].asnumpy().tolist() == [1]
        return
    assert plain(found if kind == "dict" else [found]) == EXPECTED[kind]
    assert type(found) is {"np": mx.np.ndarray, "dict": dict}.get(kind, mx.nd.NDArray)


def test_damaged_state_of_an_array_is_refused() -> None:
    with pytest.raises(FileFormatError, match="a pickled array"):
        mx.nd.NDArray(None).__setstate__({"handle": bytearray(b"damaged")})
