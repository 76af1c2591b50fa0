"""Functions and methods of np take the arguments of the real MXNet."""

from __future__ import annotations

import inspect
import json
from collections import Counter
from pathlib import Path

import numpy as onp
import pytest

from gluonish import np
from gluonish.ops import ops

SIGNATURES = json.loads((Path(__file__).parents[1] / "golden" / "np_signatures.json").read_text())
# What NumPy 2 dropped, and options of nan functions that np.where expresses.
DIFFERENT = {
    "corrcoef": ("bias", "ddof"),
    "histogram2d": ("normed", "weights", "density"),
    "histogramdd": ("normed", "weights", "density"),
    "nanmax": ("initial", "where"),
    "nanmin": ("initial", "where"),
    "nanpercentile": ("interpolation",),
    "nanprod": ("initial", "where"),
    "nanquantile": ("interpolation",),
    "ndarray.astype": ("order", "casting", "subok"),
    "ndarray.broadcast_like": ("other",),
    "ndarray.copy": ("order",),
    "ndarray.round": ("out",),
}
ABSENT = ("ndarray.slice_assign", "ndarray.slice_assign_scalar")
NO_VALUE = "<no value>"
if onp.__version__.startswith("1."):  # which does not say what its own function takes
    ABSENT += ("unravel_index",)


@pytest.mark.parametrize("name", [name for name in SIGNATURES if name not in ABSENT])
def test_parameters_are_those_of_mxnet(name: str) -> None:
    function = np
    for part in name.split("."):
        function = getattr(function, part)
    wanted = [each for each in SIGNATURES[name] if each[0] not in DIFFERENT.get(name, ())]
    found = inspect.signature(function).parameters
    left_out = DIFFERENT.get(name)
    names = [each for each in found if each in dict(wanted)] if left_out else list(found)
    assert names[: len(wanted)] == [parameter for parameter, _ in wanted]
    for parameter, default in wanted:
        if default != NO_VALUE and (name, parameter) != ("pad", "pad_width"):
            assert repr(found[parameter].default) == default


@pytest.mark.parametrize("field", ["nd", "np", "npx", "nd_method", "np_method"])
def test_no_name_is_registered_twice(field: str) -> None:
    counted = Counter(name for op in ops() for name in getattr(op, field))
    assert [name for name, count in counted.items() if count > 1] == []


@pytest.mark.parametrize("op", [op for op in ops() if op.np], ids=lambda op: op.name)
def test_every_np_operator_has_an_example(op: object) -> None:
    assert "Examples\n" in op.function.__doc__
