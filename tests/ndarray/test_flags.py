"""Flags of operators that programs give as text: 'False' is False, as in MXNet."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import numpy as onp
import pytest

import gluonish as mx
from tests.ops import samples, samples_np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

_NAMES: dict[str, Any] = {"nd": mx.nd, "np": mx.np, "npx": mx.npx, "mx": mx, "onp": onp}

_OTHERS = {("np.einsum", "optimize")}  # a number or a way's name
_OF_NUMPY = {  # flags that NumPy looks at in MXNet: whatever is true
    ("np.isin", "invert"),
    ("np.linspace", "retstep"),
    ("np.meshgrid", "sparse"),
    ("np.vander", "increasing"),
}


def _calls(rows: ModuleType) -> Iterator[tuple[ast.Call, ast.keyword]]:
    """Return a call with each flag of each function that the samples give."""
    known = set()
    lists = [value for name, value in vars(rows).items() if name.isupper()]
    for line in "\n".join(each for each in lists if isinstance(each, str)).split("\n"):
        for call in ast.walk(ast.parse(line)):
            if not isinstance(call, ast.Call):
                continue
            for keyword in call.keywords:
                is_flag = isinstance(keyword.value, ast.Constant) and isinstance(
                    keyword.value.value, bool
                )
                key = ast.unparse(call.func), keyword.arg
                if (
                    is_flag
                    and key not in known | _OTHERS | _OF_NUMPY
                    and key[0].startswith(("nd.", "np.", "npx."))
                ):
                    known.add(key)
                    yield call, keyword


def _result(call: ast.Call, known: dict[str, Any]) -> list[Any]:
    mx.random.seed(3)
    result = eval(ast.unparse(call), dict(known))
    results = result if isinstance(result, (list, tuple)) else [result]
    return [each.asnumpy() if hasattr(each, "asnumpy") else onp.asarray(each) for each in results]


@pytest.mark.parametrize(
    ("rows", "wrap", "fewest"), [(samples, mx.nd.array, 60), (samples_np, mx.np.array, 60)]
)
def test_every_flag_may_be_a_text(rows: ModuleType, wrap: Callable[..., Any], fewest: int) -> None:
    known = _NAMES | {name: wrap(value) for name, value in samples.data().items()}
    if rows is samples_np:
        known |= {name: wrap(value) for name, value in samples_np.data().items()}
    wrong, tried = [], 0
    for call, keyword in _calls(rows):
        for flag in (True, False):
            keyword.value = ast.Constant(flag)
            try:
                wanted = _result(call, known)
            except (mx.MXNetError, TypeError, ValueError):  # which means nothing with this flag
                continue
            for text in (str(flag), str(flag).lower(), str(flag).upper(), str(int(flag))):
                keyword.value = ast.Constant(text)
                tried += 1
                try:
                    found = _result(call, known)
                except Exception as error:  # noqa: BLE001 - any is told
                    wrong.append(f"{ast.unparse(call)}: {error!r}")
                    continue
                for ours, theirs in zip(found, wanted, strict=True):
                    if not onp.array_equal(ours, theirs, equal_nan=ours.dtype.kind == "f"):
                        wrong.append(ast.unparse(call))
    assert wrong == []
    assert tried >= fewest


@pytest.mark.parametrize(("rows", "wrap"), [(samples, mx.nd.array), (samples_np, mx.np.array)])
def test_numbers_other_than_0_and_1_are_no_flags(
    rows: ModuleType, wrap: Callable[..., Any]
) -> None:
    known = _NAMES | {name: wrap(value) for name, value in samples.data().items()}
    if rows is samples_np:
        known |= {name: wrap(value) for name, value in samples_np.data().items()}
    taken = []
    for call, keyword in _calls(rows):
        for value in (2, -1, 1.0, 0.5, (), (1,)):
            keyword.value = ast.Constant(value)
            try:
                _result(call, known)
            except mx.MXNetError:
                continue
            taken.append(ast.unparse(call))
    assert taken == []


def test_flags_that_numpy_looks_at_are_whatever_is_true() -> None:
    a = mx.np.array([1, 2, 3])
    assert mx.np.isin(a, a, invert=2).asnumpy().tolist() == [False] * 3
    assert mx.np.vander(a, 2, increasing=2.5).asnumpy().tolist() == [[1, 1], [1, 2], [1, 3]]
    assert len(mx.np.linspace(0, 1, 3, retstep=2)) == 2


@pytest.mark.parametrize("value", [2, 1.0, None, onp.float32(1), onp.array(2), [1], "None"])
def test_what_is_no_flag_is_refused_by_keyword_position_and_in_graphs(value: object) -> None:
    a = mx.nd.ones((2, 2))
    with pytest.raises(mx.MXNetError, match=r"transpose_a=.* was given. Expected a value of type"):
        mx.nd.dot(a, a, transpose_a=value)
    if type(value) not in (int, list, onp.ndarray):  # by position these are told otherwise
        with pytest.raises(mx.MXNetError, match=r"is_ascend=.* Write is_ascend=True or is_asc"):
            mx.nd.sort(a, 1, value)
    with pytest.raises(mx.MXNetError, match=r"keepdims="):
        mx.sym.sum(mx.sym.var("x"), axis=1, keepdims=value)
    with pytest.raises(mx.MXNetError, match=r"keepdims=a NDArray was given"):
        a.sum(axis=1, keepdims=mx.nd.ones(1))


@pytest.mark.parametrize("value", [1, onp.int64(1), onp.bool_(True), onp.array(1), "true"])
def test_what_is_written_as_a_flag_is_one(value: object) -> None:
    a = mx.nd.array([[1, 2], [3, 4]])
    assert mx.nd.dot(a, a, transpose_a=value).asnumpy().tolist() == [[10, 14], [14, 20]]
    assert mx.nd.sort(a, 1, value).asnumpy().tolist() == [[1, 2], [3, 4]]
    assert a.sum(axis=1, keepdims=value).shape == (2, 1)


def test_flags_may_be_texts_by_position_and_in_methods() -> None:
    a = mx.nd.array([[3, 1], [2, 5]])
    assert mx.nd.sort(a, 1, "False").asnumpy().tolist() == [[3, 1], [5, 2]]
    assert a.sum(axis=1, keepdims="False").shape == (2,)
    assert a.as_np_ndarray().sum(axis=1, keepdims="False").shape == (2,)
    assert mx.nd.dot(a, a, transpose_b="False").asnumpy().tolist() == [[11, 8], [16, 27]]


def test_flags_may_be_texts_beside_sparse_arrays() -> None:
    a = mx.nd.array([[3, 1], [2, 5]]).tostype("csr")
    b = mx.nd.array([[1, 2], [3, 4]])
    assert mx.nd.sparse.dot(a, b, transpose_a="False").asnumpy().tolist() == [[6, 10], [17, 24]]


def test_flags_may_be_texts_of_operators_that_make_arrays() -> None:
    assert mx.nd.linspace(0, 1, 2, endpoint="False").asnumpy().tolist() == [0, 0.5]


def test_other_texts_are_refused() -> None:
    a = mx.nd.ones((2, 2))
    with pytest.raises(mx.MXNetError, match=r"keepdims='no' was given. Expected .* bool"):
        a.sum(axis=1, keepdims="no")
    with pytest.raises(mx.MXNetError, match=r"transpose_b='yes' was given"):
        mx.nd.dot(a, a, transpose_b="yes")
