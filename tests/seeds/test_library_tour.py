"""The programs of a tour of MXNet of 2016 run, and say what that document says.

Python 2 has forced parentheses upon print; the digits are the bundled ones, the GPU is a CPU.
"""

from __future__ import annotations

import logging
import re
import sys
import types
from pathlib import Path

import facts
import numpy as onp
import pytest

import gluonish as mx
from gluonish.mxnet_import.taking_over import give_back

PROGRAMS = Path(__file__).with_name("library_tour.txt").read_text(encoding="utf-8")


class OfficialVectorClassification:
    """What skdata has in this place: digits as rows of 784 numbers from 0 to 255."""

    def __init__(self):
        both = [mx.gluon.data.vision.MNISTSample(train=train) for train in (True, False)]
        self.all_vectors = onp.concatenate(
            [digits._data.asnumpy().reshape(len(digits), -1) for digits in both]
        )
        self.all_labels = onp.concatenate([onp.asarray(digits._label) for digits in both])
        order = onp.arange(len(self.all_labels))
        self.sel_idxs, self.val_idxs = order[: len(both[0])], order[len(both[0]) :]


@pytest.fixture(scope="module")
def shown():
    """Run all programs in one namespace; return what each gave, and what the log was told."""
    views = types.ModuleType("skdata.mnist.views")
    views.OfficialVectorClassification = OfficialVectorClassification
    lines: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(record.getMessage())
    names = {"__name__": "__main__", "told": {"handlers": [handler]}}
    found = {}
    onp.random.seed(0)  # noqa: NPY002 - the programs draw from it
    mx.random.seed(0)
    mx.as_mxnet()
    with pytest.MonkeyPatch.context() as patch, mx.name.NameManager():
        for name in ("skdata", "skdata.mnist"):
            patch.setitem(sys.modules, name, types.ModuleType(name))
        patch.setitem(sys.modules, "skdata.mnist.views", views)
        root = logging.getLogger()
        patch.setattr(root, "handlers", [])  # for basicConfig, which then has one to make
        before = root.level
        for part in re.split(r"^%% ", PROGRAMS, flags=re.MULTILINE)[1:]:
            title, _, code = part.partition("\n")
            code = code.replace("mx.gpu(", "mx.cpu(")
            found[title] = facts.run_cell(
                code.replace("basicConfig(", "basicConfig(**told, "), names
            )
            assert "error" not in found[title], (title, found[title])
        root.setLevel(before)
    give_back()
    return found, lines, names


def test_symbols_show_what_the_document_shows(shown):
    found, _, _ = shown
    assert found["arguments"]["text"] == "['A', 'B']"
    assert found["outputs"]["text"] == "['_plusscalar0_output']"
    assert found["shapes"]["text"] == "([(10,), (10,)], [(10,)], [])"


def test_values_and_gradients_are_those_of_the_formula(shown):
    found, _, names = shown
    assert found["values"]["value"]["is"] == [2.0] * 10
    assert names["output_value"].shape == (10,)
    for title in ("gradients", "simple_bind"):
        grads = found[title]["value"]["parts"]
        for grad in grads:
            onp.testing.assert_allclose(grad["values"], [0.1] * 10, rtol=1e-6)


def test_the_loop_on_arrays_learns_the_digits(shown):
    lines = shown[0]["training"]["printed"].splitlines()
    assert lines[::2] == [f"Starting epoch {epoch}" for epoch in range(10)]
    accuracies = [float(line.removeprefix("Accuracy thus far ")) for line in lines[1::2]]
    assert accuracies[0] < accuracies[-1]
    assert accuracies[-1] > 0.85


def test_feedforward_learns_the_digits_and_tells_the_log(shown):
    _, lines, _ = shown
    starts = [line.partition(" ")[0] for line in lines]
    assert lines[0] == "Start training with [cpu(0)]"
    assert starts.count("Epoch[9]") == 3
    said = [line for line in lines if "Validation-accuracy=" in line]
    assert len(said) == 10
    assert float(said[-1].partition("=")[2]) > 0.8
