"""Whoever adds a metric, an optimizer, an initializer or a file format asks it something, too."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as onp
import pytest
import torch

import gluonish as mx
from gluonish import serialization
from gluonish.array.dtypes import torch_dtype
from gluonish.errors import MXNetError
from gluonish.serialization.formats import ArrayFormat
from gluonish.serialization.kinds import Kind

_TESTS = Path(__file__).parent
_BASES = (mx.metric.EvalMetric, mx.optimizer.Optimizer, mx.init.Initializer)
_DTYPES = ("float64", "float32", "float16", "bfloat16", "int64", "int32", "int8", "uint8", "bool")
_SUFFIXES = [".params"] + [
    kind.format.suffix
    for kind in Kind
    if isinstance(kind.format, ArrayFormat) and kind.format.suffix
]


@pytest.fixture(scope="module")
def words() -> set[str]:
    """Return all words of all tests, of the scripts that ask MXNet as well."""
    paths = [path for path in _TESTS.rglob("*.py") if path != Path(__file__)]
    return {word for path in paths for word in re.findall(r"\w+", path.read_text())}


def _of_ours(base: type) -> set[type]:
    """Return the classes of ours below one that are public."""
    found: set[type] = set()
    for each in base.__subclasses__():
        found |= _of_ours(each)
        public = getattr(sys.modules[each.__module__], "__all__", ())
        if each.__module__.startswith("gluonish.") and each.__name__ in public:
            found.add(each)
    return found


@pytest.mark.parametrize("base", _BASES, ids=lambda base: base.__name__)
def test_every_class_is_named_in_a_test(base: type, words: set[str]) -> None:
    names = {each.__name__ for each in _of_ours(base)}
    assert len(names) >= 10  # so many are there
    unasked = {name for name in names if not {name, name.lower()} & words}
    assert not unasked, "a row for those that MXNet has, a test for others: docs/developing.md"


@pytest.mark.parametrize("dtype", _DTYPES)
@pytest.mark.parametrize("suffix", _SUFFIXES)
def test_a_format_keeps_values_or_refuses_them(suffix: str, dtype: str, tmp_path: Path) -> None:
    path = tmp_path / f"x{suffix}"
    given = {
        "whole": torch.arange(6).reshape(2, 3).to(torch_dtype(dtype)),
        "number": torch.ones((), dtype=torch_dtype(dtype)),
        "nothing": torch.zeros((0, 2), dtype=torch_dtype(dtype)),
    }
    for name, tensor in given.items():
        path.unlink(missing_ok=True)
        try:
            serialization.save(path, {name: tensor})
        except MXNetError:
            assert not path.exists()
            continue
        found = serialization.load(path)
        assert isinstance(found, dict)
        assert list(found) == [name]
        assert found[name].dtype == tensor.dtype
        assert found[name].shape == tensor.shape
        assert found[name].equal(tensor)


@pytest.mark.parametrize("suffix", _SUFFIXES)
def test_a_format_keeps_the_elements_of_sparse_arrays(suffix: str, tmp_path: Path) -> None:
    """Dense, where it holds nothing else: `holds_sparse`."""
    dense = onp.eye(3, 4, dtype="float32")
    path = str(tmp_path / f"x{suffix}")
    for stype in ("csr", "row_sparse"):
        mx.nd.save(path, {"w": mx.nd.array(dense).tostype(stype)})
        assert mx.nd.load(path)["w"].asnumpy().tolist() == dense.tolist()
