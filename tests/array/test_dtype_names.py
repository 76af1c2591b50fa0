"""Names of dtypes, which may come from a file: known, or refused without being evaluated."""

from __future__ import annotations

import ast

import numpy as onp
import pytest
import torch

import gluonish as mx
from gluonish.array.dtypes import torch_dtype
from gluonish.errors import DTypeError


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("float32", torch.float32),
        ("<f8", torch.float64),
        ("?", torch.bool),
        ("|b1", torch.bool),
        ("half", torch.float16),
        ("bfloat16", torch.bfloat16),
    ],
)
def test_name_of_numpy_is_known(name: str, expected: torch.dtype) -> None:
    assert torch_dtype(name) is expected


@pytest.mark.parametrize(
    "name", ["9223372036854775808", "f4,f4", "2f4", "(2,3)f8", "9**9,f4", "{'a': 1}", "O", "U9", ""]
)
def test_other_text_is_refused_and_not_evaluated(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluated = []
    monkeypatch.setattr(ast, "literal_eval", evaluated.append)
    with pytest.raises(DTypeError, match="no array can hold it"):
        torch_dtype(name)
    assert evaluated == []


def test_what_has_a_dtype_stands_for_it() -> None:
    like = mx.nd.ones((2,), dtype="float64")
    x = mx.nd.ones((2,))
    made = [
        x.astype(like), x.astype(like, copy=False), mx.nd.cast(x, like), mx.nd.zeros(2, dtype=like),
        mx.np.zeros(2, dtype=mx.np.ones(2, dtype="float64")), mx.nd.ones(2, dtype=onp.float64(1)),
    ]  # fmt: skip
    assert {onp.dtype(each.dtype).name for each in made} == {"float64"}
    assert x.astype(x, copy=False) is x
