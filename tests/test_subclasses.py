"""What subclasses override is called where the real MXNet 1.9.1 calls it."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import numpy as onp
import pytest

import gluonish as mx

FOLDER = Path(__file__).parent / "golden"
GIVEN = json.loads((FOLDER / "subclasses.json").read_text())["cases"]
_SPEC = importlib.util.spec_from_file_location("subclass_programs", FOLDER / "subclass_programs.py")
PROGRAMS = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(PROGRAMS)


def same(found, given):
    """Return whether values are equal, but for what roundings do to numbers."""
    if isinstance(given, list):
        return len(found) == len(given) and all(map(same, found, given))
    if isinstance(given, float) and isinstance(found, float):
        return onp.isclose(found, given, rtol=2e-3, atol=1e-6)
    return found == given and type(found) is type(given)


@pytest.mark.parametrize(("title", "program"), list(PROGRAMS.cases()))
def test_programs_with_subclasses_give_what_mxnet_gives(title, program):
    with mx.name.NameManager():
        found = json.loads(json.dumps(program(mx)))
    assert same(found, GIVEN[title]), f"{found}\n{GIVEN[title]}"


def test_a_fused_step_obeys_an_optimizer_that_is_the_programs_own():
    weights = []
    for is_fused in (False, True):
        net = PROGRAMS.layers(mx)
        net.hybridize()
        optimizer = PROGRAMS.stilled(mx, "adam")(learning_rate=0.1)
        trainer = mx.gluon.Trainer(net.collect_params(), optimizer)
        loss = mx.gluon.loss.L2Loss()
        step = mx.gluon.FusedStep(net, loss, trainer)
        x, y = mx.nd.array([[1.0, 2.0]]), mx.nd.array([[3.0]])
        for _ in range(4):
            if is_fused:
                step(x, y)
                continue
            with mx.autograd.record():
                value = loss(net(x), y)
            value.backward()
            trainer.step(1)
        weights.append([PROGRAMS.plain(p.data()) for p in net.collect_params().values()])
    assert weights[0] == weights[1]
    assert weights[0][0] != [0.25] * 4
    assert weights[0][1:] == [[0.0, 0.0], [0.25, 0.25]]


def test_methods_of_a_single_optimizer_are_obeyed(monkeypatch):
    net = PROGRAMS.layers(mx)
    optimizer = mx.optimizer.Adam(learning_rate=0.1)
    monkeypatch.setattr(optimizer, "_get_lr", lambda index: 0.1 if index == 1 else 0.0)
    trainer = mx.gluon.Trainer(net.collect_params(), optimizer)
    first, *others = PROGRAMS.trained(mx, net, trainer)
    assert first != [0.25] * 4
    assert others == [[0.0, 0.0], [0.25, 0.25]]
