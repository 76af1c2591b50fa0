"""Symbolic cells give the graphs, values and weights that the real MXNet's give."""

from __future__ import annotations

import gzip
import json
import math
from typing import Any

import facts
import pytest
from cell_programs import PROGRAMS

import gluonish as mx

RESULTS = json.loads(gzip.decompress((facts.GOLDEN / "cells.json.gz").read_bytes()))["results"]


def unlike(found: Any, expected: Any, where: str = "") -> list[str]:  # noqa: ANN401
    """List where results differ from MXNet's, numbers by more than 1e-4."""
    if isinstance(expected, dict):
        if not isinstance(found, dict) or list(found) != list(expected):
            return [f"{where}: {found} is not {expected}"]
        return [d for key in expected for d in unlike(found[key], expected[key], f"{where}.{key}")]
    if isinstance(expected, list):
        found = list(found)
        if len(found) != len(expected):
            return [f"{where}: {found} is not {expected}"]
        pairs = enumerate(zip(found, expected, strict=True))
        return [d for n, (f, e) in pairs for d in unlike(f, e, f"{where}[{n}]")]
    if isinstance(expected, float):
        near = math.isclose(found, expected, rel_tol=1e-4, abs_tol=1e-5)
        return [] if near else [f"{where}: {found} is not {expected}"]
    return [] if found == expected else [f"{where}: {found!r} is not {expected!r}"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_gives_what_mxnet_gives(name: str) -> None:
    wrong = unlike(PROGRAMS[name](mx), RESULTS[name])
    assert not wrong, "\n".join(wrong[:10])


def test_compiled_steps_train_buckets_as_mxnet_does(instant: type[Any]) -> None:
    wrong = unlike(PROGRAMS["trained"](mx), RESULTS["trained"])
    assert not wrong, "\n".join(wrong[:10])
    assert instant.steps > 1
