"""Numbers as programs hand them over: NumPy's, text, True for 1, arrays of one element."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

import gluonish as mx

GOLDEN = Path(__file__).parents[1] / "golden"
FOUND = json.loads((GOLDEN / "numbers.json").read_text())
_SPEC = importlib.util.spec_from_file_location("number_programs", GOLDEN / "number_programs.py")
PROGRAMS = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(PROGRAMS)


def same(ours: object, theirs: object) -> bool:
    if isinstance(theirs, list) and isinstance(ours, list):
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    try:
        return float(ours) == pytest.approx(float(theirs), rel=1e-5, nan_ok=True)
    except (TypeError, ValueError):
        return ours == theirs


@pytest.mark.parametrize("case", FOUND["operators"])
def test_operators_take_numbers_in_the_guises_that_mxnet_takes(case: str) -> None:
    name, guise = case.rsplit(", ", 1)
    result = PROGRAMS.OPERATORS[name](mx, PROGRAMS.GUISES[guise](mx))
    assert same(PROGRAMS.told(result), FOUND["operators"][case])


@pytest.mark.parametrize("case", FOUND["trainers"])
def test_trainers_take_numbers_in_the_guises_that_mxnet_takes(case: str) -> None:
    name, guise = case.rsplit(", ", 1)
    result = PROGRAMS.TRAINERS[name](mx, PROGRAMS.GUISES[guise](mx))
    assert same(PROGRAMS.told(result), FOUND["trainers"][case])


def test_text_that_is_no_number_is_refused() -> None:
    with pytest.raises(mx.MXNetError, match="axis='a'"):
        mx.nd.sum(mx.nd.ones((2,)), axis="a")


@pytest.mark.parametrize("array", [mx.np.array(1.0), mx.np.array(1)])
def test_iter_of_an_array_without_axes_fails_at_once(array: mx.np.ndarray) -> None:
    with pytest.raises(TypeError, match="iteration over a 0-d array"):
        iter(array)


def test_arrays_with_axes_give_their_rows() -> None:
    for front in (mx.nd, mx.np):
        assert [float(row.sum().item()) for row in front.ones((2, 3))] == [3.0, 3.0]
