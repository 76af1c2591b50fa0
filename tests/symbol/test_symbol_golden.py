from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

import gluonish as mx
from gluonish.errors import FileFormatError

GOLDEN = Path(__file__).parents[1] / "golden"
sys.path.insert(0, str(GOLDEN))
from symbol_programs import describe  # noqa: E402 - path first

EXPECTED = json.loads((GOLDEN / "symbols.json").read_text())
# What differs, and why.
DIFFERENT = {
    "S.LeakyReLU(a, act_type='rrelu')": "the mask of rrelu is no output here",
    "S.np.pad(A, ((1, 1), (0, 0)))": "MXNet's function counts twice",
}
# Graphs that hold what gluonish does not read.
UNREAD = {
    "S.LeakyReLU(a, act_type='rrelu')": "the mask is no output here",
}
READ = [text for text in EXPECTED if isinstance(EXPECTED[text], dict) and text not in UNREAD]


def without_versions(found):
    """MXNet numbers heads by how often a variable was updated anywhere, not in the graph."""
    if isinstance(found, dict):
        found["json"]["heads"] = [head[:2] for head in found["json"]["heads"]]
    return found


def test_expressions_make_the_graphs_that_mxnet_makes():
    different = {}
    for text, expected in EXPECTED.items():
        if text in DIFFERENT or isinstance(expected, str):  # MXNet refuses some of them
            continue
        found = json.loads(json.dumps(describe(mx, np, text)))
        if without_versions(found) != without_versions(expected):
            different[text] = found, expected
    assert different == {}


@pytest.mark.parametrize("text", DIFFERENT)
def test_what_differs_still_does(text):
    assert json.loads(json.dumps(describe(mx, np, text))) != EXPECTED[text]


def test_graphs_are_the_same_after_reading():
    different = {}
    for text in READ:
        graph = json.dumps(EXPECTED[text]["json"])
        found, expected = json.loads(mx.sym.load_json(graph).tojson()), json.loads(graph)
        for one in (found, expected):
            one["heads"] = [head[:2] for head in one["heads"]]
            for node in one["nodes"]:
                node["inputs"] = [entry[:2] for entry in node["inputs"]]
        if found != expected:
            different[text] = found, expected
    assert different == {}


@pytest.mark.parametrize("text", UNREAD)
def test_what_is_not_read_is_refused(text):
    with pytest.raises(FileFormatError):
        mx.sym.load_json(json.dumps(EXPECTED[text]["json"]))
