"""Calls of operators for object detection and resizing that the real MXNet 1.9.1 answered.

Each row is a Python expression over the arrays of `data()`; the golden file holds MXNet's answer.
"""

from __future__ import annotations

import numpy as onp

PRIOR = """
nd.contrib.MultiBoxPrior(map)
nd.contrib.MultiBoxPrior(map, sizes=[0.5, 0.25], ratios=[2, 1, 0.5])
nd.contrib.MultiBoxPrior(map, sizes=0.5, ratios=3)
nd.contrib.MultiBoxPrior(map, sizes=(0.9,), clip=True, steps=(0.4, 0.2), offsets=(0, 1))
nd.contrib.MultiBoxPrior(map, (0.75, 0.5, 0.25), (1, 2, 0.5), True)
npx.multibox_prior(np_of(map), sizes=[0.75, 0.5], ratios=[1, 2])
"""

TARGET = """
nd.contrib.MultiBoxTarget(anchors, labels, predicted)
nd.contrib.MultiBoxTarget(anchors, labels, predicted, overlap_threshold=0.9)
nd.contrib.MultiBoxTarget(anchors, labels, predicted, overlap_threshold=0)
nd.contrib.MultiBoxTarget(anchors, labels, predicted, 0.9, -1, 1)
nd.contrib.MultiBoxTarget(anchors, labels, predicted, negative_mining_ratio=0.5, ignore_label=-5)
nd.contrib.MultiBoxTarget(anchors, labels, predicted, 0.9, -1, 1, negative_mining_thresh=0.05)
nd.contrib.MultiBoxTarget(anchors, labels, predicted, variances=(1, 1, 1, 0.5))
nd.contrib.MultiBoxTarget(anchors, labels[:, ::-1], predicted)
nd.contrib.MultiBoxTarget(many_anchors, many_labels, many_predicted)
nd.contrib.MultiBoxTarget(many_anchors, many_labels, many_predicted, 0.3, -1, 3, 0.5)
nd.contrib.MultiBoxTarget(many_anchors * 0, many_labels, many_predicted)
npx.multibox_target(np_of(anchors), np_of(labels), np_of(predicted))
"""

DETECTION = """
nd.contrib.MultiBoxDetection(probable, offsets, few_anchors)
nd.contrib.MultiBoxDetection(probable, still, few_anchors)
nd.contrib.MultiBoxDetection(probable, still, few_anchors, force_suppress=True, nms_threshold=0.3)
nd.contrib.MultiBoxDetection(probable, still, few_anchors, nms_threshold=0)
nd.contrib.MultiBoxDetection(probable, still, few_anchors, nms_threshold=1)
nd.contrib.MultiBoxDetection(probable, still, few_anchors, nms_threshold=2, nms_topk=1)
nd.contrib.MultiBoxDetection(probable, still, few_anchors, nms_topk=2)
nd.contrib.MultiBoxDetection(probable, still, few_anchors, nms_topk=0)
nd.contrib.MultiBoxDetection(probable, offsets * 6, few_anchors, clip=False, threshold=0.5)
nd.contrib.MultiBoxDetection(probable, offsets, few_anchors, variances=(1, 1, 1, 1))
nd.contrib.MultiBoxDetection(probable[:, :1], offsets, few_anchors)
nd.contrib.MultiBoxDetection(-3 * probable, offsets, few_anchors, threshold=-9)
nd.contrib.MultiBoxDetection(many_probable, many_offsets, many_anchors)
nd.contrib.MultiBoxDetection(many_probable, many_offsets, many_anchors, True, 0.3, 0, 0.2, True)
npx.multibox_detection(np_of(probable), np_of(offsets), np_of(few_anchors))
"""

SUPPRESSION = """
nd.contrib.box_nms(boxes)
nd.contrib.box_nms(boxes, overlap_thresh=0.1, id_index=0)
nd.contrib.box_nms(boxes, overlap_thresh=0.1, id_index=0, force_suppress=True)
nd.contrib.box_nms(boxes, overlap_thresh=0.1, id_index=0, background_id=0)
nd.contrib.box_nms(boxes, overlap_thresh=0.1, id_index=0, background_id=-2)
nd.contrib.box_nms(boxes, overlap_thresh=0.1, background_id=0)
nd.contrib.box_nms(boxes, overlap_thresh=0.1, topk=0, out_format='center')
nd.contrib.box_nms(boxes, overlap_thresh=0.1, id_index=0, topk=2)
nd.contrib.box_nms(boxes, overlap_thresh=0.1, topk=-3)
nd.contrib.box_nms(boxes, valid_thresh=0.4)
nd.contrib.box_nms(boxes, valid_thresh=-1)
nd.contrib.box_nms(boxes, valid_thresh=2)
nd.contrib.box_nms(boxes, overlap_thresh=0)
nd.contrib.box_nms(boxes, overlap_thresh=1)
nd.contrib.box_nms(boxes, in_format='center', out_format='corner')
nd.contrib.box_nms(boxes, in_format='corner', out_format='center', valid_thresh=0.4)
nd.contrib.box_nms(boxes, in_format='center', out_format='center')
nd.contrib.box_nms(boxes[:, 1:], coord_start=1, score_index=0)
nd.contrib.box_nms(nd.stack(boxes, 0.9 * boxes, axis=0).expand_dims(0))
nd.contrib.box_nms(boxes.astype('float64'))
nd.contrib.box_nms(many_boxes, 0.3, 0.1, 150, id_index=0)
nd.contrib.box_nms(many_boxes, 0.2, 0.1)
nd.contrib.box_non_maximum_suppression(boxes, 0.7)
"""

BOXES = """
nd.contrib.box_iou(boxes[:2, 2:], boxes[2:, 2:])
nd.contrib.box_iou(boxes[:2, 2:], boxes[2:, 2:], format='center')
nd.contrib.box_iou(flat, flat)
nd.contrib.box_iou(anchors, many_anchors[:, :6].reshape((2, 3, 4)))
nd.contrib.bipartite_matching(scores, threshold=1e-12)
nd.contrib.bipartite_matching(scores, True, 0.4)
nd.contrib.bipartite_matching(scores, threshold=0.5)
nd.contrib.bipartite_matching(scores, threshold=1e-12, topk=1)
nd.contrib.bipartite_matching(scores, threshold=1e-12, topk=2)
nd.contrib.bipartite_matching(scores, threshold=1, topk=2, is_ascend=True)
nd.contrib.bipartite_matching(scores.expand_dims(0) * 0 + 1, threshold=1e-12)
nd.contrib.bipartite_matching(scores.astype('float64'), threshold=1e-12)
nd.contrib.box_encode(sampled, matched, few_anchors, references, means, deviations)
nd.contrib.box_decode(0.3 * few_anchors, few_anchors)
nd.contrib.box_decode(0.3 * few_anchors, few_anchors, 0.1, 0.2, 0.3, 0.4, 0.05, 'corner')
nd.contrib.box_decode(nd.concat(few_anchors, -few_anchors, dim=0), few_anchors, format='corner')
"""

REGIONS = """
nd.ROIPooling(image, regions, (2, 2), 1.0)
nd.ROIPooling(image, regions, (2, 3), 0.5)
nd.ROIPooling(image, regions, pooled_size=(4, 1), spatial_scale=0.3)
nd.ROIPooling(image * 0, regions, (3, 3), 1.0)
nd.ROIPooling(image, no_regions, (2, 2), 0.5)
npx.roi_pooling(np_of(image), np_of(regions), (2, 2), 0.7)
nd.contrib.ROIAlign(image, regions, (2, 2), 1.0)
nd.contrib.ROIAlign(image, regions, (2, 3), 0.5)
nd.contrib.ROIAlign(image, regions[:3], (3, 3), 0.5, aligned=True)
nd.contrib.ROIAlign(image, regions, (2, 2), 0.5, sample_ratio=2)
nd.contrib.ROIAlign(image, regions, (2, 2), 0.5, position_sensitive=True)
nd.contrib.ROIAlign(image, regions, (1, 2), 0.5, 3, True)
"""

SPATIAL = """
nd.contrib.AdaptiveAvgPooling2D(image)
nd.contrib.AdaptiveAvgPooling2D(image, output_size=(3, 4))
nd.contrib.AdaptiveAvgPooling2D(image, 3)
nd.contrib.AdaptiveAvgPooling2D(image, output_size=(3,))
nd.contrib.AdaptiveAvgPooling2D(image, output_size=(10, 1))
nd.contrib.BilinearResize2D(image)
nd.contrib.BilinearResize2D(image, height=3, width=4)
nd.contrib.BilinearResize2D(image, height=3, width=4, align_corners=False)
nd.contrib.BilinearResize2D(image, height=13, width=9, align_corners=False)
nd.contrib.BilinearResize2D(image, height=13, width=9)
nd.contrib.BilinearResize2D(image, height=3)
nd.contrib.BilinearResize2D(image, height=1, width=1, align_corners=False)
nd.contrib.BilinearResize2D(image, scale_height=1.3, scale_width=0.7)
nd.contrib.BilinearResize2D(image, grid, mode='like')
nd.contrib.BilinearResize2D(image[:, :, 1:], scale_height=2, scale_width=2, mode='odd_scale')
nd.contrib.BilinearResize2D(image[:, :, 1:], scale_height=0.4, scale_width=1.7, mode='odd_scale')
nd.contrib.BilinearResize2D(image[:, :, 1:], mode='to_even_down')
nd.contrib.BilinearResize2D(image[:, :, 1:], mode='to_even_up')
nd.contrib.BilinearResize2D(image[:, :, 1:], mode='to_odd_down')
nd.contrib.BilinearResize2D(image[:, :, 1:], mode='to_odd_up')
nd.GridGenerator(affine, 'affine', (2, 3))
nd.GridGenerator(grid, transform_type='warp')
nd.BilinearSampler(image, grid)
nd.BilinearSampler(image, nd.GridGenerator(affine, 'affine', (5, 4)), cudnn_off=True)
nd.SpatialTransformer(image, affine, (4, 3), 'affine', 'bilinear')
nd.Correlation(image, other)
nd.Correlation(image, other, pad_size=2)
nd.Correlation(image, other, 3, 2, 2, 2, 4)
nd.Correlation(image, other, 3, 3, 1, 2, 3, False)
nd.Correlation(image, image, is_multiply=False, pad_size=1)
nd.contrib.gradientmultiplier(image, scalar=-2.5)
nd.contrib.gradientmultiplier(image)
nd.contrib.backward_gradientmultiplier(image, scalar=3)
"""

FAMILIES = {
    "prior": PRIOR,
    "target": TARGET,
    "detection": DETECTION,
    "suppression": SUPPRESSION,
    "boxes": BOXES,
    "regions": REGIONS,
    "spatial": SPATIAL,
}
DIFFERENTIABLE = ("boxes", "image", "other", "regions", "affine", "grid")


def rows(family: str) -> list[str]:
    """Return the expressions of a family."""
    return FAMILIES[family].strip().splitlines()


def _corners(draw: onp.random.RandomState, *shape: int) -> onp.ndarray:
    center, size = draw.uniform(size=(*shape, 2)), draw.uniform(0.05, 0.5, size=(*shape, 2))
    return onp.concatenate([center - size / 2, center + size / 2], -1)


def data() -> dict[str, onp.ndarray]:
    """Return the arrays that the expressions speak of."""
    draw = onp.random.RandomState(5)
    anchors = [
        [0, 0, 5, 5],
        [1, 1, 6, 6],
        [5, 5, 10, 10],
        [4, 4, 9, 9],
        [0, 5, 5, 10],
        [0, 0, 1, 1],
    ]
    few = [[0, 0, 0.5, 0.5], [0.1, 0.1, 0.6, 0.6], [0.5, 0.5, 1, 1], [0.4, 0.4, 0.9, 0.9]]
    few.append([0, 0.05, 0.5, 0.5])
    nothing = [-1.0] * 5
    labels = [
        [[1, 0.1, 0.1, 0.5, 0.5], [0, 0.5, 0.5, 0.95, 0.9], nothing],
        [nothing] * 3,
    ]
    probable = [
        [[0.1, 0.2, 0.3, 0.1, 0.2], [0.7, 0.5, 0.3, 0.001, 0.6], [0.2, 0.3, 0.4, 0.009, 0.2]],
        [[0.1] * 5, [0.9] * 5, [0.9] * 5],
    ]
    boxes = [
        [0, 0.5, 0.1, 0.1, 0.2, 0.2],
        [-1, 0.4, 0.1, 0.1, 0.2, 0.2],
        [0, 0.3, 0.1, 0.1, 0.14, 0.14],
        [2, 0.6, 0.5, 0.5, 0.7, 0.8],
        [1, 0, 0.1, 0.1, 0.5, 0.5],
        [0, 0.45, 0.11, 0.11, 0.2, 0.2],
    ]
    many_labels = onp.full((3, 8, 5), -1.0)
    many_labels[0, :6] = onp.concatenate([onp.arange(6)[:, None] % 3, _corners(draw, 6)], -1)
    many_labels[2] = onp.concatenate([onp.arange(8)[:, None] % 3, _corners(draw, 8)], -1)
    many = [
        onp.arange(600).reshape(2, 300, 1) % 4 - 1,
        draw.permutation(600).reshape(2, 300, 1) / 600,
        _corners(draw, 2, 300),
    ]
    probabilities = draw.permutation(2 * 4 * 300).reshape(2, 4, 300) / 2400
    found = {
        "map": onp.zeros((2, 3, 2, 3)),
        "anchors": onp.array([anchors]) / 10,
        "labels": onp.array(labels),
        "predicted": draw.normal(size=(2, 3, 6)),
        "many_anchors": _corners(draw, 1, 300),
        "many_labels": many_labels,
        "many_predicted": draw.normal(size=(3, 4, 300)),
        "few_anchors": onp.array([few]),
        "probable": onp.array(probable),
        "offsets": draw.normal(size=(2, 20)) / 2,
        "still": onp.zeros((2, 20)),
        "many_probable": probabilities,
        "many_offsets": draw.normal(size=(2, 1200)),
        "boxes": onp.array(boxes),
        "many_boxes": onp.concatenate(many, -1),
        "flat": onp.array([[0, 0, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1]]),
        "scores": draw.uniform(size=(5, 4)),
        "sampled": onp.array([[1, -1, 0, 1, 1]]),
        "matched": onp.array([[0, 1, 0, 1, 0]]),
        "references": onp.array([[[0.1, 0.1, 0.5, 0.6], [0.2, 0.3, 0.4, 0.9]]]),
        "means": onp.array([0.1, 0.2, 0.3, 0.4]),
        "deviations": onp.array([0.1, 0.2, 0.3, 0.5]),
        "image": draw.normal(size=(2, 4, 8, 6)),
        "other": draw.normal(size=(2, 4, 8, 6)),
        "regions": onp.array([
            [0, 0, 0, 4, 4], [1, 2.5, -3, 9, 20], [0, 1.2, 3.4, 5.6, 7.8], [1, 4, 4, 2, 2],
            [0, 8, 8, 9, 9],
        ]),
        "no_regions": onp.array([[-1, 0, 0, 4, 4], [0, 40, 40, 50, 50]]),
        "affine": draw.normal(size=(2, 6)) / 2,
        "grid": draw.normal(size=(2, 2, 3, 5)),
    }  # fmt: skip
    return {name: value.astype("float32") for name, value in found.items()}


def weights(shape: tuple[int, ...]) -> onp.ndarray:
    """Return fixed head gradients for a result of this shape."""
    size = int(onp.prod(shape))
    return (onp.arange(size) % 5 - 1.5).reshape(shape).astype("float32")
