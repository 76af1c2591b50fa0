"""Position-sensitive pooling of regions beside the answers of the real MXNet 1.9.1."""

from __future__ import annotations

from pathlib import Path

import numpy as onp
import pytest
import torch
from closeness import assert_close
from position_programs import CALLS, answers, inputs

import gluonish as mx
from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.ops.vision.position_pooling import deformable_ps_roi_pooling, ps_roi_pooling

GOLDEN = onp.load(Path(__file__).parents[2] / "golden" / "positions.npz")


@pytest.mark.parametrize("name", sorted(CALLS))
def test_results_and_gradients_are_those_of_mxnet(name):
    for key, value in answers(mx, name).items():
        expected = GOLDEN[f"{name}.{key}"]
        onp.testing.assert_allclose(value, expected, rtol=1e-4, atol=1e-5, err_msg=key)


@pytest.mark.parametrize("name", sorted(CALLS))
def test_symbols_do_the_same(name):
    operator, options, _ = CALLS[name]
    arrays = inputs(mx, name)
    variables = [mx.sym.var(f"x{number}") for number in range(len(arrays))]
    symbol = getattr(mx.sym.contrib, operator)(
        *variables, spatial_scale=0.125, name="pooled", **options
    )
    symbol = mx.sym.load_json(symbol.tojson())
    values = dict(zip(symbol.list_arguments(), arrays, strict=True))
    expected = GOLDEN[f"{name}.y"]
    _, (shape,), _ = symbol.infer_shape(**{key: each.shape for key, each in values.items()})
    assert shape == expected.shape
    (found,) = symbol.eval(**values)
    onp.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-4, atol=1e-5)


def test_gradients_are_those_of_numbers():
    torch.manual_seed(0)
    rois = torch.tensor([[0, 3, 2, 30, 25], [0, 1, 9, 20, 39]], dtype=torch.float64)
    data = torch.randn(1, 8, 6, 6, dtype=torch.float64, requires_grad=True)
    trans = (torch.randn(2, 4, 2, 2, dtype=torch.float64) / 9).requires_grad_()
    sizes = {"spatial_scale": 0.13, "output_dim": 2, "pooled_size": 2, "group_size": 2}

    def plain(data):
        return ps_roi_pooling(data, rois, **sizes)

    def moved(data, trans):
        options = {"sample_per_part": 2, "trans_std": 0.3, **sizes}
        return deformable_ps_roi_pooling(data, rois, trans, **options)

    assert torch.autograd.gradcheck(plain, (data,))
    assert torch.autograd.gradcheck(moved, (data, trans))


@pytest.mark.parametrize("operator", ["PSROIPooling", "DeformablePSROIPooling"])
def test_regions_of_no_image_give_zeros(operator):
    data = mx.nd.ones((1, 4, 5, 5))
    rois = mx.nd.array([[-1, 0, 0, 30, 30], [0, 0, 0, 30, 30]])
    options = {"spatial_scale": 0.1, "output_dim": 1, "pooled_size": 2, "group_size": 2}
    if operator == "DeformablePSROIPooling":
        options["no_trans"] = True
    found = getattr(mx.nd.contrib, operator)(data, rois, **options)
    assert_close(
        found.asnumpy(),
        [[[[0, 0], [0, 0]]], [[[1, 1], [1, 1]]]],
    )
    none = getattr(mx.nd.contrib, operator)(data, mx.nd.array(onp.zeros((0, 5))), **options)
    assert none.shape == (0, 1, 2, 2)


@pytest.mark.parametrize(
    ("shape", "options", "error", "text"),
    [
        ((1, 3, 5, 5), {}, ShapeError, r"output_dim \* group_size \*\* 2 channels, 1 \* 2 \*\* 2"),
        ((1, 4, 5), {}, ShapeError, "data of shape"),
        ((1, 4, 5, 5), {"spatial_scale": 2}, InvalidArgumentError, "spatial_scale=2"),
        ((1, 4, 5, 5), {"pooled_size": 0}, InvalidArgumentError, "Expected sizes above 0"),
        ((1, 4, 5, 5), {"sample_per_part": 0}, InvalidArgumentError, "sample_per_part=0"),
        ((1, 4, 5, 5), {"part_size": 3}, ShapeError, r"trans of shape \(1, 2 \* classes, 3, 3\)"),
    ],
)
def test_what_does_not_fit_is_refused(shape, options, error, text):
    given = {"spatial_scale": 0.1, "output_dim": 1, "pooled_size": 2, "group_size": 2, **options}
    rois, trans = mx.nd.array([[0, 0, 0, 30, 30]]), mx.nd.zeros((1, 2, 2, 2))
    with pytest.raises(error, match=text):
        mx.nd.contrib.DeformablePSROIPooling(mx.nd.ones(shape), rois, trans, **given)
