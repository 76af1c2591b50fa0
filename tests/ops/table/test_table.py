"""Every operator of the table: names, signatures, documentation, samples."""

from __future__ import annotations

import doctest
import inspect
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

import gluonish as mx
from gluonish.array import NDArray, ndarray
from gluonish.ndarray.frontend import numpy_names
from gluonish.ops import Op, ops

if TYPE_CHECKING:
    from collections.abc import Callable

FRONTS = {"nd": mx.nd, "np": mx.np, "npx": mx.npx}
METHODS = {"nd_method": NDArray, "np_method": ndarray}
TABLE = ops()
TESTS = Path(__file__).parents[2]


def label(op: Op) -> str:
    return f"{op.function.__module__.rpartition('.')[2]}.{op.function.__name__}"


def find(front: str, path: str) -> Callable[..., Any]:
    found: Any = FRONTS[front]
    for name in path.split("."):
        found = getattr(found, name)
    return cast("Callable[..., Any]", found)


def described(parameter: inspect.Parameter, renamed: dict[str, str]) -> tuple[Any, ...]:
    name = renamed.get(parameter.name, parameter.name)
    return name, parameter.kind, parameter.default


@pytest.mark.parametrize("field", ["nd", "np", "npx", "nd_method", "np_method"])
def test_no_name_is_registered_twice(field: str) -> None:
    names = [name for op in TABLE for name in getattr(op, field)]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("op", TABLE, ids=label)
def test_every_front_end_has_the_operators_parameters_in_order(op: Op) -> None:
    own = [described(parameter, {}) for parameter in op.signature.parameters.values()]
    for front in FRONTS:
        for path in getattr(op, front):
            public = inspect.signature(find(front, path)).parameters.values()
            renamed = numpy_names(op) if front == "np" else {}
            found = [described(each, renamed) for each in public if each.name != "out"]
            assert found == [each for each in own if each[0] != "out"], path


@pytest.mark.parametrize("op", TABLE, ids=label)
def test_every_operator_has_a_name(op: Op) -> None:
    assert op.files or op.nd_method or op.np_method


@pytest.mark.parametrize("op", TABLE, ids=label)
def test_every_method_is_installed(op: Op) -> None:
    for field, cls in METHODS.items():
        for name in getattr(op, field):
            assert callable(getattr(cls, name))


@pytest.mark.parametrize("op", TABLE, ids=label)
def test_every_operator_has_an_example_that_runs(op: Op) -> None:
    text = inspect.getdoc(op.function)
    assert text
    test = doctest.DocTestParser().get_doctest(text, {}, label(op), None, 0)
    assert test.examples
    if getattr(sys.modules[op.function.__module__], op.function.__name__, None) is op.function:
        return  # pytest runs it with the examples of its module
    report: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    assert report == []


def test_every_operator_of_nd_is_called_in_a_test() -> None:
    files = [*TESTS.rglob("test_*.py"), *TESTS.rglob("samples*.py"), *TESTS.rglob("make_*.py")]
    words = set(re.findall(r"\w+", "\n".join(path.read_text() for path in files)))
    without = [
        label(op)
        for op in TABLE
        if op.nd
        and not op.nd[0].startswith("_")
        and not any(path.rpartition(".")[2] in words for path in op.nd)
    ]
    assert without == []
