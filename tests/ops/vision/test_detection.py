"""Operators for object detection and resizing, beside the real MXNet's answers."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as onp
import pytest
import torch

from gluonish import autograd, gluon, nd, np, npx
from gluonish.array import wrap
from gluonish.context import cpu
from gluonish.errors import DTypeError, InvalidArgumentError, MXNetError, ShapeError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

_SPEC = importlib.util.spec_from_file_location(
    "samples_detection", Path(__file__).with_name("samples_detection.py")
)
samples = importlib.util.module_from_spec(_SPEC)
sys.modules["samples_detection"] = samples
_SPEC.loader.exec_module(samples)

HERE = Path(__file__).parents[2] / "golden"
GOLDEN = onp.load(HERE / "detection.npz")
ROWS = json.loads((HERE / "detection.json").read_text())["rows"]
DIFFERENTIABLE = [row for row in ROWS if ROWS[row]["gradients"]]


def arrays() -> dict[str, Any]:
    return {name: nd.array(value) for name, value in samples.data().items()}


def evaluate(row: str, values: dict[str, Any]) -> list[Any]:
    names = {"nd": nd, "npx": npx, "np_of": lambda array: array.as_np_ndarray(), **values}
    result = eval(row, names)
    return list(result) if isinstance(result, (list, tuple)) else [result]


def test_every_sample_was_answered() -> None:
    assert sorted(ROWS) == sorted(row for each in samples.FAMILIES for row in samples.rows(each))


@pytest.mark.parametrize("row", ROWS)
def test_result_is_that_of_mxnet(row: str) -> None:
    found = evaluate(row, arrays())
    expected = [GOLDEN[name] for name in ROWS[row]["results"]]
    assert len(found) == len(expected)
    for part, golden in zip(found, expected, strict=True):
        assert type(part) is (np.ndarray if row.startswith("npx") else nd.NDArray)
        assert (part.shape, part.dtype) == (golden.shape, golden.dtype)
        onp.testing.assert_allclose(part.asnumpy(), golden, rtol=1e-5, atol=2e-6)


@pytest.mark.parametrize("row", samples.rows("prior"))
def test_anchors_are_those_of_mxnet_to_the_last_bit(row: str) -> None:
    (found,) = evaluate(row, arrays())
    (name,) = ROWS[row]["results"]
    assert (found.asnumpy() == GOLDEN[name]).all()


@pytest.mark.parametrize("row", DIFFERENTIABLE)
def test_gradient_is_that_of_mxnet(row: str) -> None:
    values = arrays()
    for key in samples.DIFFERENTIABLE:
        values[key].attach_grad()
    with autograd.record():
        parts = evaluate(row, values)
    make = np.array if row.startswith("npx") else nd.array
    autograd.backward(
        parts, [make(samples.weights(part.shape), dtype=part.dtype) for part in parts]
    )
    expected = ROWS[row]["gradients"]
    for key in samples.DIFFERENTIABLE:
        found = values[key].grad.asnumpy()
        golden = GOLDEN[expected[key]] if key in expected else onp.zeros_like(found)
        onp.testing.assert_allclose(found, golden, rtol=1e-4, atol=2e-5, err_msg=key)


@pytest.mark.parametrize("row", ROWS)
def test_shapes_are_known_without_values(row: str) -> None:
    values = {
        name: wrap(torch.as_tensor(value).to("meta"), cpu(), nd.NDArray)
        for name, value in samples.data().items()
    }
    found = [(part.shape, part.dtype) for part in evaluate(row, values)]
    assert found == [(GOLDEN[name].shape, GOLDEN[name].dtype) for name in ROWS[row]["results"]]


class Program(gluon.HybridBlock):
    def __init__(self, program: Callable[..., nd.NDArray]) -> None:
        super().__init__()
        self.program = program

    def hybrid_forward(self, F: ModuleType, *inputs: nd.NDArray) -> nd.NDArray:
        return self.program(F, *inputs)


PROGRAMS = {
    "prior": (("map",), lambda F, x: F.contrib.MultiBoxPrior(x, sizes=[0.5, 0.2])),
    "target": (("many_anchors", "many_labels", "many_predicted"), lambda F, *x: (
        F.contrib.MultiBoxTarget(*x, negative_mining_ratio=3)[2])),
    "detection": (("many_probable", "many_offsets", "many_anchors"), lambda F, *x: (
        F.contrib.MultiBoxDetection(*x, nms_threshold=0.2))),
    "suppression": (("many_boxes",), lambda F, x: F.contrib.box_nms(x, 0.3, 0.1, id_index=0)),
    "matching": (("scores",), lambda F, x: F.contrib.bipartite_matching(x, threshold=0.1)[0]),
    "overlap": (("anchors", "many_anchors"), lambda F, *x: F.contrib.box_iou(*x)),
    "decoding": (("few_anchors", "few_anchors"), lambda F, *x: F.contrib.box_decode(*x)),
    "pooling": (("image", "regions"), lambda F, *x: F.ROIPooling(*x, (2, 2), 0.5)),
    "alignment": (("image", "regions"), lambda F, *x: F.contrib.ROIAlign(*x, (2, 2), 0.5)),
    "resizing": (("image",), lambda F, x: F.contrib.BilinearResize2D(x, height=3, width=5)),
    "sampling": (("image", "affine"), lambda F, *x: (
        F.SpatialTransformer(*x, (4, 3), "affine", "bilinear"))),
    "correlation": (("image", "other"), lambda F, *x: F.Correlation(*x, pad_size=1)),
    "scaling": (("image",), lambda F, x: F.contrib.gradientmultiplier(x, scalar=-2)),
}  # fmt: skip


def changed(name: str, array: nd.NDArray) -> nd.NDArray:
    """Return other values that the operators accept in place of an array."""
    return array if name in ("many_labels", "regions") else array * 0.7 + 0.05


@pytest.mark.parametrize("name", PROGRAMS)
def test_captured_program_follows_the_values(name: str) -> None:
    inputs, program = PROGRAMS[name]
    block = Program(program)
    block.hybridize()
    values = arrays()
    first = [values[key].copy() for key in inputs]
    second = [changed(key, values[key]) for key in inputs]
    for given in (first, first, second, first):
        for array in given:
            array.attach_grad()
        grads = []
        for run in (block, lambda *x: program(nd, *x)):
            with autograd.record():
                result = run(*given) + 0 * given[0].sum()
            result.backward(nd.array(samples.weights(result.shape)))
            grads.append((result.asnumpy(), *(array.grad.asnumpy() for array in given)))
        assert block.graph is not None
        for found, expected in zip(*grads, strict=True):
            onp.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def test_at_least_the_minimum_of_negative_samples_is_mined() -> None:
    values = arrays()
    given = values["anchors"], values["labels"], values["predicted"]
    for minimum, expected in ((0, 0), (1, 1), (99, 2)):
        classes = nd.contrib.MultiBoxTarget(
            *given, overlap_threshold=0.9, negative_mining_ratio=0.1,
            minimum_negative_samples=minimum,
        )[2]  # fmt: skip
        assert int((classes == 0).sum().asscalar()) == expected


def test_alignment_leaves_regions_without_image_zero() -> None:
    image = nd.array(samples.data()["image"])
    regions = nd.array([[0, 0, 0, 4, 4], [-1, 0, 0, 4, 4], [1, 0, 0, 4, 4]])
    found = nd.contrib.ROIAlign(image, regions, (2, 2), 0.5)
    alone = nd.contrib.ROIAlign(image, regions[::2], (2, 2), 0.5)
    assert (found[1] == 0).asnumpy().all()
    assert (found[::2] == alone).asnumpy().all()


def test_regions_may_be_none() -> None:
    image, regions = torch.ones(1, 3, 4, 4), torch.zeros(0, 5)
    wrapped = [wrap(each, cpu(), nd.NDArray) for each in (image, regions)]
    assert nd.ROIPooling(*wrapped, (2, 2), 1.0).shape == (0, 3, 2, 2)
    assert nd.contrib.ROIAlign(*wrapped, (2, 2), 1.0).shape == (0, 3, 2, 2)


@pytest.mark.parametrize("dtype", ["float16", "float64"])
def test_dtype_is_kept(dtype: str) -> None:
    values = {name: array.astype(dtype) for name, array in arrays().items()}
    for family in ("prior", "target", "detection", "suppression", "boxes", "regions"):
        for row in samples.rows(family):
            if "astype" not in row:
                assert {onp.dtype(part.dtype).name for part in evaluate(row, values)} == {dtype}


REFUSED = [
    ("nd.contrib.MultiBoxPrior(image[0])", ShapeError, "MultiBoxPrior: data of shape .4, 8, 6."),
    ("nd.contrib.MultiBoxPrior(image, sizes=[])", InvalidArgumentError, "at least one number"),
    ("nd.contrib.MultiBoxPrior(image, ratios=[])", InvalidArgumentError, r"ratios=\[\] was given"),
    ("nd.contrib.MultiBoxPrior(image, ratios=[0])", InvalidArgumentError, "ratios of width"),
    ("nd.contrib.MultiBoxPrior(image, steps=(0.4, -1))", InvalidArgumentError, "two distances"),
    ("nd.contrib.MultiBoxPrior(image, offsets=(1,))", InvalidArgumentError, "Expected 2 numbers"),
    ("nd.contrib.MultiBoxPrior(image.astype('int32'))", DTypeError, "floating-point"),
    ("nd.contrib.MultiBoxTarget(anchors, labels[:, :, :4], predicted)", ShapeError, "label of"),
    ("nd.contrib.MultiBoxTarget(anchors, labels, predicted, variances=(1, 1))",
     InvalidArgumentError, "Expected 4 numbers"),
    ("nd.contrib.MultiBoxTarget(anchors, labels, predicted, 0.5, -1, 1, 0)",
     InvalidArgumentError, "negative_mining_thresh=0 was given"),
    ("nd.contrib.MultiBoxDetection(probable, offsets[:, 4:], few_anchors)", ShapeError,
     "loc_pred of shape"),
    ("nd.contrib.MultiBoxDetection(probable, offsets, few_anchors, background_id=1)",
     InvalidArgumentError, "first class is the background"),
    ("nd.contrib.box_nms(boxes[0])", ShapeError, "at least one axis of boxes"),
    ("nd.contrib.box_nms(boxes, coord_start=3)", InvalidArgumentError, "different places"),
    ("nd.contrib.box_nms(boxes, score_index=-1)", InvalidArgumentError, "score_index=-1"),
    ("nd.contrib.box_nms(boxes, id_index=1)", InvalidArgumentError, "id_index=1"),
    ("nd.contrib.box_nms(boxes, in_format='xx')", InvalidArgumentError, "in_format='xx'"),
    ("nd.contrib.box_nms(boxes.astype('int32'))", DTypeError, "dtype int32"),
    ("nd.contrib.box_iou(boxes, boxes)", ShapeError, "lhs of shape .6, 6."),
    ("nd.contrib.box_iou(flat, flat, format='x')", InvalidArgumentError, "'center', 'corner'"),
    ("nd.contrib.bipartite_matching(scores)", InvalidArgumentError, "no threshold was given"),
    ("nd.contrib.bipartite_matching(scores[0, :1].reshape(-1), threshold=1)", ShapeError,
     "one axis of rows"),
    ("nd.contrib.box_encode(sampled, matched, anchors, references, means, means)", ShapeError,
     "anchors of shape .1, 6, 4."),
    ("nd.contrib.box_decode(anchors, few_anchors)", ShapeError, r"anchors of shape \(1, n, 4\)"),
    ("nd.ROIPooling(image, boxes, (2, 2), 1)", ShapeError, "rois of shape"),
    ("nd.ROIPooling(image, regions, (2,), 1)", InvalidArgumentError, "Expected 2 numbers"),
    ("nd.ROIPooling(image, regions, (2, 2), 2)", InvalidArgumentError, "spatial_scale=2"),
    ("nd.ROIPooling(image[:1], regions, (2, 2), 1)", InvalidArgumentError, "region of image 1"),
    ("nd.contrib.ROIAlign(image, regions, (3, 3), 1, position_sensitive=True)", ShapeError,
     "parts can share"),
    ("nd.contrib.AdaptiveAvgPooling2D(image, (1, 2, 3))", InvalidArgumentError, "one or two"),
    ("nd.contrib.AdaptiveAvgPooling2D(image[0], 1)", ShapeError, "batch, channels, height"),
    ("nd.contrib.BilinearResize2D(image, mode='scale')", InvalidArgumentError, "mode='scale'"),
    ("nd.contrib.BilinearResize2D(image, mode='like')", InvalidArgumentError, "without like"),
    ("nd.contrib.BilinearResize2D(image, grid)", InvalidArgumentError, "with like"),
    ("nd.contrib.BilinearResize2D(image, height=0)", InvalidArgumentError, "at least one pixel"),
    ("nd.contrib.BilinearResize2D(image, mode='odd_scale')", InvalidArgumentError,
     "without scales"),
    ("nd.GridGenerator(affine, 'affine')", InvalidArgumentError, r"target_shape=\(0, 0\)"),
    ("nd.GridGenerator(grid, 'affine', (2, 2))", ShapeError, "one row of 6 numbers"),
    ("nd.GridGenerator(image, 'warp')", ShapeError, "the ways along x and y"),
    ("nd.GridGenerator(image, 'bend')", InvalidArgumentError, "transform_type='bend'"),
    ("nd.BilinearSampler(image, grid[:1])", ShapeError, "grid of shape"),
    ("nd.SpatialTransformer(image, affine, (2, 2))", InvalidArgumentError, "transform_type=''"),
    ("nd.SpatialTransformer(image, affine, (2, 2), 'affine')", InvalidArgumentError,
     "sampler_type=''"),
    ("nd.SpatialTransformer(image, affine[:1], (2, 2), 'affine', 'bilinear')", ShapeError,
     "Give each image its own"),
    ("nd.Correlation(image, other[:1])", ShapeError, "the same shape"),
    ("nd.Correlation(image, other, kernel_size=2)", InvalidArgumentError, "odd kernel_size"),
    ("nd.Correlation(image, other, kernel_size=9)", ShapeError, "Raise pad_size"),
]  # fmt: skip


@pytest.mark.parametrize(("row", "kind", "says"), REFUSED)
def test_error_says_what_was_expected(row: str, kind: type[MXNetError], says: str) -> None:
    with pytest.raises(kind, match=says):
        evaluate(row, arrays())


def test_growth_that_is_no_number_is_cut_off_by_clip():
    offsets = nd.array([[[1, 2, onp.nan, 3]]])
    anchors = nd.array([[[0.1, 0.1, 0.5, 0.6]]])
    boxes = nd.contrib.box_decode(offsets, anchors, std1=0.2, clip=2.0).asnumpy()
    onp.testing.assert_allclose(boxes, [[[-1.2472640, -1.8767170, 2.4472642, 2.5567169]]], 1e-6)


def test_box_encode_leaves_out_anchors_that_match_no_box():
    anchors, refs = nd.array([[[0, 0, 2, 2], [0, 0, 4, 4]]]), nd.array([[[1, 1, 3, 3]]])
    samples, matches = nd.array([[-1, 1]]), nd.array([[-1, 0]])
    offsets, masks = nd.contrib.box_encode(
        samples, matches, anchors, refs, nd.zeros((4,)), nd.ones((4,))
    )
    assert offsets[0, 0].asnumpy().tolist() == [0] * 4
    assert offsets[0, 1].asnumpy().tolist() == pytest.approx([0, 0, -0.6931, -0.6931], abs=1e-4)
    assert masks.asnumpy().tolist() == [[[0] * 4, [1] * 4]]
