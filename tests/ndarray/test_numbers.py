"""Numbers as programs hand them over: NumPy's, text, True for 1, arrays of one element."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import numpy as onp
import pytest

import gluonish as mx
from tests.closeness import assert_close

GOLDEN = Path(__file__).parents[1] / "golden"
FOUND = json.loads((GOLDEN / "numbers.json").read_text())
PLACES = json.loads((GOLDEN / "guises.json").read_text())
sys.path.insert(0, str(GOLDEN))
PROGRAMS = importlib.import_module("number_programs")
GUISES = importlib.import_module("guise_programs")


def same(ours: object, theirs: object) -> bool:
    if isinstance(theirs, list) and isinstance(ours, list):
        if is_array(theirs) and ours[:2] == theirs[:2]:
            found, wanted = (onp.array(each[2], each[1]) for each in (ours, theirs))
            assert_close(found, wanted)
            return True
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    try:
        return float(ours) == pytest.approx(float(theirs), rel=1e-5, nan_ok=True)
    except (TypeError, ValueError):
        return ours == theirs


def is_array(told: list[object]) -> bool:
    """Return whether this is what `told` makes of an array: shape, dtype and digits."""
    return len(told) == 3 and isinstance(told[0], list) and str(told[1]).startswith("float")


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


@pytest.mark.parametrize(
    ("group", "case"), [(group, case) for group in GUISES.PROGRAMS for case in PLACES[group]]
)
def test_layers_draws_and_indices_take_the_guises_that_mxnet_takes(group: str, case: str) -> None:
    name, guise = case.rsplit(", ", 1)
    programs, guises = GUISES.PROGRAMS[group]
    result = programs[name](mx, guises[guise](mx))
    assert same(PROGRAMS.told(result), PLACES[group][case])


@pytest.mark.parametrize("name", GUISES.UFUNCS)
def test_universal_functions_take_out_by_position_and_where(name: str) -> None:
    assert same(GUISES.written(mx, GUISES.UFUNCS[name]), PLACES["ufuncs"][name])


def test_where_of_universal_functions_must_be_true() -> None:
    with pytest.raises(mx.errors.UnsupportedOptionError, match=r"np.add: where=False was given"):
        mx.np.add(mx.np.ones(2), 1, where=False)


def test_nd_reads_true_among_integers_as_1_and_np_as_a_mask() -> None:
    x = mx.nd.arange(6).reshape((2, 3))
    assert x[0, True].asnumpy().tolist() == [1]
    assert x[True].asnumpy().tolist() == [3, 4, 5]
    assert x[False].asnumpy().tolist() == [0, 1, 2]
    assert x.as_np_ndarray()[0, True].shape == (1, 3)


@pytest.mark.parametrize("draw", ["poisson", "gamma"])
def test_draws_that_would_never_end_are_refused(draw: str) -> None:
    with pytest.raises(mx.MXNetError, match="=inf was given. Expected (lam|alpha) to be finite"):
        getattr(mx.nd.random, draw)(float("inf"), shape=2)


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


@pytest.mark.parametrize("space", [mx.nd, mx.np])
def test_powers_make_a_new_array(space):
    x = y = space.array([3, 2])
    x **= 2
    assert x.asnumpy().tolist() == [9, 4]
    assert y.asnumpy().tolist() == [3, 2]


def test_asscalar_keeps_several_axes():
    assert mx.nd.ones((1, 1)).asscalar().tolist() == [[1]]
    assert mx.nd.ones((1,)).asscalar().shape == ()
    assert mx.nd.array(3).asscalar().shape == ()


def test_nothing_may_be_written_to_nothing():
    x = mx.np.ones((3, 4, 2))
    x[2:2] = []
    x[1:1, :] = onp.zeros((0, 1, 7))
    assert x.asnumpy().sum() == 24
