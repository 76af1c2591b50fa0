"""Operators that only graphs have, with the answers of the real MXNet 1.9.1."""

from __future__ import annotations

from typing import Any

import numpy as onp
import pytest
import torch
from closeness import assert_close

import gluonish as mx
from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.ops.table.graph_names import find

M = torch.arange(12.0).reshape(3, 4)
X = torch.tensor([1.0, 2, 3])
Y = torch.tensor([7.0, 8, 9])
C = torch.tensor([1.0, 0, 1])
PLACES = torch.tensor([0, 2])
MASK = torch.tensor([True, False, True])


def call(name: str, *arrays: torch.Tensor, **arguments: object) -> Any:  # noqa: ANN401
    found = find(name)
    assert found is not None
    result = found.op.function(*arrays, **arguments)
    if isinstance(result, torch.Tensor):
        return result.tolist()
    return [part.tolist() for part in result]


@pytest.mark.parametrize(
    ("name", "arrays", "arguments", "expected"),
    [
        ("_npi_where_lscalar", (C, X), {"scalar": 5}, [5, 2, 5]),
        ("_npi_where_rscalar", (C, X), {"scalar": 5}, [1, 5, 3]),
        ("_npi_where_scalar2", (C,), {"x": 4, "y": 5}, [4, 5, 4]),
        ("_npi_where", (C, X, Y), {}, [1, 8, 3]),
        ("_npi_delete", (M,), {"int_ind": 1, "axis": 0}, [[0, 1, 2, 3], [8, 9, 10, 11]]),
        (
            "_npi_delete",
            (M,),
            {"start": 0, "stop": 2, "step": 1, "axis": 1},
            [[2, 3], [6, 7], [10, 11]],
        ),
        ("_npi_delete", (M, PLACES), {"axis": 1}, [[1, 3], [5, 7], [9, 11]]),
        ("_npi_insert_scalar", (X,), {"val": 9.0, "int_ind": 1}, [1, 9, 2, 3]),
        ("_npi_insert_scalar", (X,), {"val": 9.0, "start": 2, "stop": 0}, [9, 1, 2, 3]),
        ("_npi_insert_slice", (X,), {"val": 9.0, "start": 0, "stop": 2}, [9, 1, 9, 2, 3]),
        ("_npi_insert_slice", (X,), {"val": 9.0, "stop": 1, "int_ind": 2}, [9, 1, 2, 3]),
        ("_npi_identity", (), {"shape": (2, 3)}, [[1, 0, 0], [1, 0, 0]]),
        ("_npi_identity", (), {"shape": (2, 2, 2)}, [[[1, 0], [0, 1]], [[0, 0], [0, 0]]]),
        ("_npi_norm", (X,), {"ord": 1, "flag": 1}, 6),
        ("_npi_norm", (M,), {"ord": 1}, 21),
        ("_npi_norm", (M,), {"ord": 1, "flag": 1, "axis": (1,)}, [6, 22, 38]),
        ("_npi_norm", (M,), {"ord": 1, "flag": -2}, pytest.approx(22.4944438)),
        ("_npi_bernoulli", (), {"prob": 1.0, "logit": -99.0, "is_logit": True}, 1),
        ("_npi_bernoulli", (), {"logit": 99.0}, 1),
        (
            "_npi_insert_tensor",
            (M, torch.tensor([[1.0], [2], [3]]), torch.tensor([1])),
            {"axis": 1},
            [[0, 1, 1, 2, 3], [4, 2, 5, 6, 7], [8, 3, 9, 10, 11]],
        ),
        (
            "_npi_average",
            (M,),
            {"axis": (0,), "returned": True, "weighted": False},
            [[4, 5, 6, 7], 3],
        ),
        ("_npi_average", (X, Y), {}, pytest.approx(2.0833333)),
        ("_npi_percentile", (M,), {"q_scalar": 50.0, "axis": (0,)}, [4, 5, 6, 7]),
        ("_npi_percentile", (M, torch.tensor([50.0, 20])), {}, pytest.approx([5.5, 2.2])),
        ("_npi_bincount", (torch.tensor([0, 1, 1]),), {"minlength": 4}, [1, 2, 0, 0]),
        ("_npi_bincount", (torch.tensor([0, 1, 1]), X), {"has_weights": True}, [1, 5]),
        (
            "_npi_ediff1d",
            (X,),
            {"to_begin_scalar": 4.0, "to_end_scalar": 5.0},
            [4, 1, 1, 5],
        ),
        (
            "_npi_ediff1d",
            (X, C, Y),
            {"to_begin_arr_given": True, "to_end_arr_given": True},
            [1, 0, 1, 1, 1, 7, 8, 9],
        ),
        (
            "_npi_ediff1d",
            (X, Y),
            {"to_begin_scalar": 4.0, "to_end_arr_given": True},
            [4, 1, 1, 7, 8, 9],
        ),
        ("_npi_diag_indices_from", (torch.ones(2, 2),), {}, [[0, 1], [0, 1]]),
        ("_npi_identity", (), {"shape": (2, 2)}, [[1, 0], [0, 1]]),
        ("_npi_hsplit", (torch.arange(4),), {"sections": 2}, [[0, 1], [2, 3]]),
        ("_npi_dsplit", (torch.arange(4).reshape(1, 1, 4),), {"axis": 2, "indices": (0, 3)},
         [[[[0, 1, 2]]], [[[3]]]]),
        ("_npi_boolean_mask_assign_scalar", (X, MASK), {"value": 5.0}, [5, 2, 5]),
        ("_npi_boolean_mask_assign_tensor", (X, MASK, torch.tensor([5.0, 6])), {}, [5, 2, 6]),
        ("_npi_tensordot_int_axes", (X, Y), {"axes": 1}, 50),
        (
            "_npi_tensordot",
            (M, M),
            {"a_axes_summed": (1,), "b_axes_summed": (1,)},
            [[14, 38, 62], [38, 126, 214], [62, 214, 366]],
        ),
        (
            "_npi_norm",
            (M,),
            {"axis": (0,), "flag": 1},
            pytest.approx([80**0.5, 107**0.5, 140**0.5, 179**0.5]),
        ),
        ("_npi_norm", (torch.diag(X),), {"flag": 2}, pytest.approx(6)),
        ("_npi_norm", (torch.diag(X),), {"ord": 2, "axis": (0, 1), "flag": 0}, pytest.approx(3)),
        ("_npi_norm", (X,), {"ord": 1, "axis": (0,), "flag": -1, "keepdims": True}, [6]),
        ("_np_cumsum", (MASK,), {}, [1, 1, 2]),
        ("_np_reshape", (X,), {"newshape": (3, 1)}, [[1], [2], [3]]),
    ],
)  # fmt: skip
def test_operator_of_graphs_computes_as_mxnet_does(
    name: str, arrays: tuple[torch.Tensor, ...], arguments: dict[str, Any], expected: object
) -> None:
    assert call(name, *arrays, **arguments) == expected


@pytest.mark.parametrize(
    ("program", "shape"),
    [
        ("delete(x, 1, axis=0)", (6, 3)),
        ("delete(x, slice(0, 4, 2), axis=0)", (5, 3)),
        ("insert(x, [0, 2], 7.0, axis=1)", (7, 5)),
        ("linalg.eigvals(x[:3])", (3,)),
    ],
)
def test_results_are_outlined_without_values(program: str, shape: tuple[int, ...]) -> None:
    x = mx.np.array(onp.eye(7, 3, dtype="float32"))
    assert eval(f"np.{program}", {"np": mx.np, "x": x}).shape == shape
    x._tensor = x._tensor.to("meta")
    assert eval(f"np.{program}", {"np": mx.np, "x": x})._tensor.shape == shape


def test_pinv_takes_its_share_as_an_array() -> None:
    expected = call("_npi_pinv_scalar_rcond", M, rcond=1e-5)
    onp.testing.assert_allclose(call("_npi_pinv", M, torch.tensor(1e-5)), expected, rtol=1e-5)


def test_boolean_mask_is_assigned_along_inner_axes() -> None:
    mask = torch.tensor([True, False, True, False])
    result = call("_npi_boolean_mask_assign_scalar", M, mask, value=0.0, start_axis=1)
    assert result == [[0, 1, 0, 3], [0, 5, 0, 7], [0, 9, 0, 11]]


def test_constraint_check_refuses_what_is_not_true() -> None:
    with pytest.raises(InvalidArgumentError, match="numbers above 0"):
        mx.npx.constraint_check(mx.np.array([0, 1]) > 0, "numbers above 0 are needed")


def test_scatter_set_nd_replaces_elements() -> None:
    assert call("_scatter_set_nd", X, Y[:2], torch.tensor([[0, 2]]), shape=(3,)) == [7, 2, 8]


def test_zeros_without_dtype_takes_codes_of_dtypes() -> None:
    zeros = mx.nd._internal._zeros_without_dtype
    assert zeros((2,)).dtype == onp.float32
    assert zeros((2,), dtype=6).dtype == onp.int64
    assert zeros((2,), dtype="int8").dtype == onp.int8


@pytest.mark.parametrize("name", ["BatchNorm_v1", "contrib.SyncBatchNorm", "CuDNNBatchNorm"])
def test_variants_of_batch_norm_compute_as_it_does(name: str) -> None:
    x = mx.nd.random.normal(shape=(3, 2, 4))
    gamma, beta = mx.nd.array([1, 2]), mx.nd.array([3, 4])
    results = []
    for each in ("BatchNorm", name):
        *spaces, last = each.split(".")
        function = getattr(mx.nd.contrib if spaces else mx.nd, last)
        mean, variance = mx.nd.zeros((2,)), mx.nd.ones((2,))
        beta.attach_grad()
        with mx.autograd.record():
            y = function(x, gamma, beta, mean, variance, eps=1e-3, fix_gamma=False)
        results.append([y.asnumpy(), mean.asnumpy(), variance.asnumpy()])
    for one, two in zip(*results, strict=True):
        assert_close(one, two)


@pytest.mark.parametrize(
    ("program", "error", "text"),
    [
        ("Crop(nd.ones((1, 1, 3, 3)), h_w=(4, 1))", ShapeError, "Crop: a window of 4 x 1"),
        ("Crop(nd.ones((2,)), nd.ones((2,)), nd.ones((2,)))", InvalidArgumentError, "3 arrays"),
        ("_internal._split_v2(nd.ones((3,)), axis=0, sections=2)", ShapeError, "divides 3"),
        (
            "_internal._slice_assign(nd.ones((3,)), nd.ones((3,)), (0,), (2,))",
            ShapeError,
            "rhs of shape",
        ),
        (
            "_internal._scatter_set_nd(nd.ones((3,)), nd.ones((1,)), nd.zeros((1, 1)), (4,))",
            ShapeError,
            "Expected the array's shape",
        ),
        (
            "random_pdf_normal(nd.ones((3, 2)), nd.ones((2,)), nd.ones((2,)))",
            ShapeError,
            "first axes are the parameter's",
        ),
    ],
)
def test_wrong_arguments_are_explained(program: str, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        eval(f"nd.{program}", {"nd": mx.nd})


def test_determinants_have_no_axis_in_np_mode() -> None:
    x = mx.nd.array([[1, 2], [3, 4]])
    assert mx.nd.linalg.det(x).shape == (1,)
    with mx.util.np_shape(True):
        assert mx.nd.linalg.det(x).shape == ()
        assert [part.shape for part in mx.nd.linalg.slogdet(x)] == [(), ()]
