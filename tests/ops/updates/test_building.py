"""Operators that are built out of rows say of themselves what those written by hand would."""

from __future__ import annotations

import inspect

import pytest

from gluonish import nd
from gluonish.errors import UnknownArgumentError
from gluonish.ops import Op, ops

BUILT = [op for op in ops() if op.function.__module__.endswith(("_weight", "_weights"))]


@pytest.mark.parametrize("op", BUILT, ids=lambda op: op.name)
def test_every_argument_is_described(op: Op) -> None:
    doc = inspect.getdoc(op.function)
    parameters = doc[doc.index("Parameters\n") : doc.index("Examples\n")].splitlines()[2:]
    described = [line.partition(" : ")[0].strip("*") for line in parameters if " : " in line]
    assert described == list(op.signature.parameters)


def test_forms_of_one_row_have_the_same_options() -> None:
    whole = list(inspect.signature(nd.sgd_mom_update).parameters)
    half = list(inspect.signature(nd.mp_sgd_mom_update).parameters)
    assert half == [*whole[:3], "weight32", *whole[3:]]


def test_a_missing_argument_is_named() -> None:
    with pytest.raises(
        UnknownArgumentError, match=r"sgd_update: .*\(missing a required argument: 'lr'\)"
    ):
        nd.sgd_update(nd.ones((1,)), nd.ones((1,)))
