"""Region proposals beside those of the real MXNet 1.9.1."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as onp
import pytest

import gluonish as mx
from gluonish.errors import DTypeError, ShapeError

_SPEC = importlib.util.spec_from_file_location(
    "proposal_programs", Path(__file__).with_name("proposal_programs.py")
)
assert _SPEC is not None
assert _SPEC.loader is not None
programs = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(programs)

GOLDEN = onp.load(Path(__file__).parents[2] / "golden" / "proposals.npz")
FOUND = programs.run(mx)


@pytest.mark.parametrize("key", GOLDEN.files)
def test_proposals_are_those_of_mxnet(key: str) -> None:
    onp.testing.assert_allclose(FOUND[key], GOLDEN[key], rtol=1e-6, atol=1e-5)


def test_a_graph_knows_the_shapes_that_follow_from_the_scores() -> None:
    symbol = mx.sym.contrib.Proposal(
        mx.sym.var("p"), scales=(2, 4, 8), ratios=(0.5, 2), rpn_post_nms_top_n=7, name="rois"
    )
    arguments, outputs, _ = symbol.infer_shape(p=(2, 12, 4, 5))
    assert arguments == [(2, 12, 4, 5), (2, 24, 4, 5), (2, 3)]
    assert outputs == [(14, 5)]


@pytest.mark.parametrize(
    ("shapes", "error", "text"),
    [
        (((1, 4, 2, 2), (1, 4, 2, 2), (1, 3)), ShapeError, "for 1 anchors"),
        (((1, 2, 2, 2), (1, 4, 2, 3), (1, 3)), ShapeError, "bbox_pred of shape"),
        (((1, 2, 2, 2), (1, 4, 2, 2), (3,)), ShapeError, "im_info of shape"),
    ],
)
def test_shapes_that_do_not_fit_are_explained(
    shapes: tuple[tuple[int, ...], ...], error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=text):
        mx.nd.contrib.Proposal(*map(mx.nd.ones, shapes), scales=(1,), ratios=(1,))


def test_integers_are_explained() -> None:
    given = [mx.nd.ones(shape) for shape in ((1, 2, 2, 2), (1, 4, 2, 2), (1, 3))]
    given[0] = given[0].astype("int32")
    with pytest.raises(DTypeError, match="cls_prob"):
        mx.nd.contrib.Proposal(*given, scales=(1,), ratios=(1,))
