"""Keywords that operators do not have are passed over where the real MXNet 1.9.1 does so."""

from __future__ import annotations

import importlib
import json
import logging
import sys
from pathlib import Path

import numpy as onp
import pytest

import gluonish as mx
from gluonish.ops import ops
from gluonish.ops.table.loose_keywords import reads_none, tell

TESTS = Path(__file__).parents[2]
GIVEN = json.loads((TESTS / "golden" / "unknown_keywords.json").read_text())
ASKED = [
    (where, path, row, answer)
    for where, rows in GIVEN.items()
    if where not in ("mxnet", "operators")
    for path, (row, answer) in rows.items()
]
STRICTER = {  # where MXNet's function in Python, or NumPy's method, drops what it does not know
    ("np", "eye"), ("np", "einsum"), ("np", "nan_to_num"),
    ("sym np", "eye"), ("sym np", "einsum"), ("sym np", "nan_to_num"),
}  # fmt: skip
sys.path.insert(0, str(TESTS / "ops"))
TABLES = {"nd": importlib.import_module("samples"), "np": importlib.import_module("samples_np")}


@pytest.fixture(autouse=True)
def _untold():
    tell.cache_clear()


def evaluate(where, row):
    """Return what a row gives: an array, or a Symbol."""
    words = where.split()
    is_symbol, space = words[0] == "sym", next(word for word in words if word != "sym")
    is_np = space.startswith("np")
    home = mx.sym if is_symbol else mx
    values = {}
    for name, value in TABLES["np" if is_np else "nd"].data().items():
        if is_symbol:
            values[name] = mx.sym.var(name).as_np_ndarray() if is_np else mx.sym.var(name)
        else:
            values[name] = (mx.np if is_np else mx.nd).array(value, dtype=value.dtype)
    spaces = {"np": home.np, "npx": home.npx, "nd": mx.sym if is_symbol else mx.nd}
    return eval(row, {"mx": mx, "onp": onp, **spaces, **values})


@pytest.mark.parametrize(("where", "path", "row", "answer"), ASKED)
def test_a_keyword_too_many_is_taken_as_mxnet_takes_it(where, path, row, answer, caplog):
    if answer in ("ignored", "kept") and (where, path) not in STRICTER:
        with caplog.at_level(logging.WARNING, "gluonish.ops"):
            found = evaluate(where, row)
        told = [record.getMessage() for record in caplog.records]
        name = path.rpartition(".")[2]
        assert any(name in text and "unknown=... was given" in text for text in told)
        if where.startswith("sym"):
            attrs = json.loads(found.tojson())["nodes"][-1].get("attrs", {})
            assert ("unknown" in attrs) == (answer == "kept")
            again = mx.sym.load_json(found.tojson())
            assert again.tojson() == found.tojson()
        return
    kinds = mx.MXNetError if answer == "MXNetError" else (TypeError, ValueError)
    with pytest.raises(kinds, match="unknown|keyword argument|arguments? \\("):
        evaluate(where, row)


def test_operators_without_parameters_are_those_that_pass_over_keywords():
    is_loose = set(GIVEN["operators"])
    registry = json.loads((TESTS / "golden" / "mxnet_registry.json").read_text())
    known = registry["operators"].keys() | registry["aliases"].keys()
    differing = {
        file
        for op in ops()
        for file in op.files.values()
        if file in known and reads_none(op) != (file in is_loose)
    }
    assert differing == set()


def test_a_keyword_is_told_of_once_for_each_operator(caplog):
    x = mx.nd.array([1.0])

    def call() -> None:
        mx.nd.exp(x, axis=1)
        mx.nd.sqrt(x, axis=1)
        mx.nd.exp(x, inplace=True)

    first = call.__code__.co_firstlineno + 1
    call()
    call()
    assert [record.getMessage() for record in caplog.records] == [
        f"{__file__}:{first + number}: {name}: {key}=... was given, and is passed over, as in "
        f"MXNet. Expected {name}(data). {hint}"
        for number, (name, key, hint) in enumerate(
            (
                ("exp", "axis", "Leave it out."),
                ("sqrt", "axis", "Leave it out."),
                (
                    "exp",
                    "inplace",
                    "About inplace: memory is planned by gluonish; leave it out.",
                ),
            )
        )
    ]


def test_attributes_between_underscores_are_passed_over_by_every_operator():
    x = mx.nd.array([[1.0, 2.0]])
    assert mx.nd.sum(x, __layout__="NC").asscalar() == 3
    with pytest.raises(TypeError, match="unexpected keyword argument '__layout__'"):
        mx.np.mean(x.as_np_ndarray(), __layout__="NC")


@pytest.mark.parametrize("is_hybrid", [False, True])
def test_keywords_are_passed_over_with_out_with_sparse_arrays_and_in_layers(is_hybrid):
    x = mx.nd.array([[0.0, 2.0]])
    out = mx.nd.zeros((1, 2))
    mx.nd.square(x, axis=0, out=out)
    assert out.asnumpy().tolist() == [[0, 4]]
    assert mx.nd.square(x.tostype("csr"), axis=0).asnumpy().tolist() == [[0, 4]]

    class Squared(mx.gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            return F.broadcast_mul(x, F.square(x, axis=0), axis=1)

    net = Squared()
    if is_hybrid:
        net.hybridize()
    assert net(x).asnumpy().tolist() == [[0, 8]]
