"""Deformable convolutions beside the answers of the real MXNet 1.9.1."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as onp
import pytest
import torch

import gluonish as mx
from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.ops.nn.deformable import modulated_deformable_convolution
from gluonish.ops.table.graph_names import find

_SPEC = importlib.util.spec_from_file_location(
    "deformable_programs", Path(__file__).with_name("deformable_programs.py")
)
assert _SPEC is not None
assert _SPEC.loader is not None
programs = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(programs)

GOLDEN = onp.load(Path(__file__).parents[2] / "golden" / "deformable.npz")
FOUND = programs.run(mx)


@pytest.mark.parametrize("key", GOLDEN.files)
def test_result_and_gradients_are_those_of_mxnet(key: str) -> None:
    onp.testing.assert_allclose(FOUND[key], GOLDEN[key], rtol=1e-5, atol=1e-5)


def test_modulated_convolution_has_the_gradient_of_its_values() -> None:
    given = programs.arrays("full")
    names = ("data", "offset", "mask", "weight", "bias")
    tensors = [torch.tensor(given[name].astype("float64"), requires_grad=True) for name in names]

    def function(*values: torch.Tensor) -> torch.Tensor:
        return modulated_deformable_convolution(*values, **programs.OPTIONS["full"])

    assert torch.autograd.gradcheck(function, tensors, eps=1e-7, atol=1e-4, fast_mode=True)


def test_all_other_shapes_follow_from_the_images() -> None:
    rule = find("_contrib_ModulatedDeformableConvolution").op.shapes  # type: ignore[union-attr]
    assert rule is not None
    shapes = rule({"data": (2, 4, 5, 6)}, **programs.OPTIONS["full"])
    given = programs.arrays("full")
    assert shapes == {name: given[name].shape for name in ("offset", "mask", "weight", "bias")}


@pytest.mark.parametrize(
    ("change", "error", "text"),
    [
        ({"layout": "NHWC"}, InvalidArgumentError, "layout='NHWC'"),
        ({"no_bias": True}, InvalidArgumentError, "no_bias=True"),
        ({"num_filter": 5}, ShapeError, "weight of shape"),
        ({"pad": (3, 3)}, ShapeError, "offset of shape"),
        ({"data": mx.nd.ones((2, 4))}, ShapeError, "data of shape"),
    ],
)
def test_what_does_not_fit_is_explained(
    change: dict[str, object], error: type[Exception], text: str
) -> None:
    given = {key: mx.nd.array(value) for key, value in programs.arrays("full").items()}
    names = ("data", "offset", "weight", "bias")
    arguments = {name: given[name] for name in names} | programs.OPTIONS["full"] | change
    with pytest.raises(error, match=text):
        mx.nd.contrib.DeformableConvolution(**arguments)


def test_a_mask_of_another_size_is_explained() -> None:
    given = {key: mx.nd.array(value) for key, value in programs.arrays("full").items()}
    del given["head"]
    given["mask"] = mx.nd.ones((2, 3))
    with pytest.raises(ShapeError, match="mask of shape"):
        mx.nd.contrib.ModulatedDeformableConvolution(**given, **programs.OPTIONS["full"])
