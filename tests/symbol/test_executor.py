"""Executor: golden programs of the real MXNet, first recorded and then replayed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as onp
import pytest
from executor_programs import PROGRAMS, ZOO, animal, mlp
from instant import install

import gluonish as mx

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "executor.json").read_text())["results"]


def assert_equal(found, expected, where=""):
    if isinstance(expected, dict):
        assert sorted(found) == sorted(expected), where
        for key, value in expected.items():
            assert_equal(found[key], value, f"{where}.{key}")
    elif isinstance(expected, list) and not _is_numbers(expected):
        assert len(found) == len(expected), where
        for position, (one, other) in enumerate(zip(found, expected, strict=True)):
            assert_equal(one, other, f"{where}[{position}]")
    elif isinstance(expected, list):
        onp.testing.assert_allclose(found, expected, rtol=1e-4, atol=2e-6, err_msg=where)
    else:
        assert found == expected, where


def _is_numbers(value):
    return all(isinstance(each, (int, float)) and not isinstance(each, bool) for each in value)


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_programs_do_what_they_do_in_mxnet(name):
    assert_equal(PROGRAMS[name](mx), GOLDEN[name], name)


@pytest.mark.parametrize("name", ZOO)
def test_operators_give_mxnets_outputs_and_gradients_in_every_run(name):
    assert_equal(animal(mx, name), GOLDEN[f"zoo/{name}"], name)


@pytest.mark.parametrize("name", ["training", "states", "requests", "heads", "changes"])
def test_programs_do_the_same_where_nothing_is_captured(name, monkeypatch):
    monkeypatch.setenv("GLUONISH_HYBRIDIZE", "0")
    assert_equal(PROGRAMS[name](mx), GOLDEN[name], name)


@pytest.mark.parametrize("backend", ["fx", "aot_eager"])
def test_the_backend_can_be_chosen(backend, monkeypatch):
    monkeypatch.setenv("GLUONISH_BACKEND", backend)
    for name in ("training", "states"):
        assert_equal(PROGRAMS[name](mx), GOLDEN[name], name)


def test_graphs_that_are_compiled_do_the_same(monkeypatch):
    jobs = install(monkeypatch)
    for name in ("training", "states", "draws", "requests"):
        assert_equal(PROGRAMS[name](mx), GOLDEN[name], name)
    assert jobs.count > 4


def test_reports_tell_what_runs(monkeypatch):
    install(monkeypatch)
    executor = mlp(mx).simple_bind(mx.cpu(), data=(2, 3))
    for _ in range(9):
        executor.forward(is_train=True)
        executor.backward()
        executor.forward()
    rows = executor.hybrid_report().rows
    assert [row.signature for row in rows] == ["forward, training", "backward", "forward"]
    assert {row.backend for row in rows} == {"aot"}
    assert rows[0].block == "Executor 'out_output'"
