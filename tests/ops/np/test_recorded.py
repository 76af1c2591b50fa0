"""What graphs write in place of functions: as the real MXNet 1.9.1 does."""

from __future__ import annotations

from typing import Any

import pytest

from gluonish.ops import ops
from gluonish.ops.table.graph_names import find

RULES = {
    (space, path): op.recorded
    for op in ops()
    if op.recorded is not None
    for space, path in op.files
}


@pytest.mark.parametrize(
    ("space", "path", "given", "expected"),
    [
        ("nd", "full", {"shape": (2,), "val": 3}, ("_full", {"shape": (2,), "value": 3})),
        ("nd", "split_v2", {"ary": "a", "indices_or_sections": (2, 4)},
         ("_split_v2", {"data": "a", "indices": [0, 2, 4], "axis": 0, "squeeze_axis": False,
                        "sections": 0})),
        ("nd", "histogram", {"a": "a", "bins": 3, "range": (0, 1)},
         ("_histogram", {"data": "a", "bin_cnt": 3, "range": (0, 1)})),
        ("nd", "histogram", {"a": "a", "bins": "b"}, ("_histogram", {"data": "a", "bins": "b"})),
        ("np", "where", {"condition": "c", "x": 1, "y": "y"},
         ("_npi_where_lscalar", {"condition": "c", "x": "y", "scalar": 1.0})),
        ("np", "where", {"condition": "c", "x": "x", "y": 2},
         ("_npi_where_rscalar", {"condition": "c", "y": "x", "scalar": 2.0})),
        ("np", "where", {"condition": "c", "x": 1, "y": 2},
         ("_npi_where_scalar2", {"condition": "c", "x": 1.0, "y": 2.0})),
        ("np", "where", {"condition": "c", "x": "x", "y": "y"},
         ("_npi_where", {"condition": "c", "x": "x", "y": "y"})),
        ("np", "where", {"condition": "c"}, None),
        ("np", "split", {"ary": "a", "indices_or_sections": 2, "axis": 1},
         ("_split_v2", {"data": "a", "indices": [], "axis": 1, "squeeze_axis": False,
                        "sections": 2})),
        ("np", "tensordot", {"a": "a", "b": "b", "axes": (0, [1])},
         ("_npi_tensordot", {"a": "a", "b": "b", "a_axes_summed": (0,), "b_axes_summed": (1,)})),
        ("np", "tensordot", {"a": "a", "b": "b", "axes": 1},
         ("_npi_tensordot_int_axes", {"a": "a", "b": "b", "axes": 1})),
        ("np", "average", {"a": "a"},
         ("_npi_average", {"a": "a", "axis": None, "returned": False, "weighted": False})),
        ("np", "average", {"a": "a", "weights": "w", "axis": 0},
         ("_npi_average", {"a": "a", "weights": "w", "axis": 0, "returned": False})),
        ("np", "percentile", {"a": "a", "q": 50},
         ("_npi_percentile", {"a": "a", "q_scalar": 50, "axis": None, "interpolation": "linear",
                              "keepdims": False})),
        ("np", "percentile", {"a": "a", "q": "q", "keepdims": True},
         ("_npi_percentile", {"a": "a", "q": "q", "q_scalar": None, "axis": None,
                              "interpolation": "linear", "keepdims": True})),
        ("np", "bincount", {"x": "x", "weights": "w"},
         ("_npi_bincount", {"data": "x", "weights": "w", "minlength": 0, "has_weights": True})),
        ("np", "ediff1d", {"ary": "a", "to_begin": 4, "to_end": "e"},
         ("_npi_ediff1d", {"input1": "a", "to_begin_scalar": 4.0, "input2": "e",
                           "to_end_scalar": None, "to_begin_arr_given": False,
                           "to_end_arr_given": True})),
        ("np", "linalg.pinv", {"a": "a"},
         ("_npi_pinv_scalar_rcond", {"A": "a", "rcond": 1e-15, "hermitian": False})),
        ("np", "linalg.pinv", {"a": "a", "rcond": "r"},
         ("_npi_pinv", {"A": "a", "rcond": "r", "hermitian": False})),
        ("np", "identity", {"n": 3, "dtype": "int32"},
         ("_npi_identity", {"shape": (3, 3), "dtype": "int32"})),
        ("np", "full", {"shape": (2,), "fill_value": 3, "order": "C"},
         ("_full", {"shape": (2,), "value": 3})),
        ("np", "zeros_like", {"a": "a"}, ("_npi_full_like", {"a": "a", "fill_value": 0})),
        ("np", "linalg.norm", {"x": "x"},
         ("_npi_norm", {"data": "x", "ord": 2, "axis": None, "keepdims": False, "flag": -2})),
        ("np", "linalg.norm", {"x": "x", "axis": 0, "keepdims": True},
         ("_npi_norm", {"data": "x", "ord": 2, "axis": (0,), "keepdims": True, "flag": 1})),
        ("np", "linalg.norm", {"x": "x", "ord": "nuc"},
         ("_npi_norm", {"data": "x", "ord": 2, "axis": None, "keepdims": False, "flag": 2})),
        ("np", "linalg.norm", {"x": "x", "ord": 2, "axis": (0, 1)},
         ("_npi_norm", {"data": "x", "ord": 2, "axis": (0, 1), "keepdims": False, "flag": 0})),
        ("np", "linalg.norm", {"x": "x", "ord": 1},
         ("_npi_norm", {"data": "x", "ord": 1, "axis": None, "keepdims": False, "flag": -1})),
        ("np", "clip", {"a": "a", "a_min": None, "a_max": 2},
         ("clip", {"data": "a", "a_min": float("-inf"), "a_max": 2})),
        ("np", "clip", {"a": "a", "a_min": "array", "a_max": 2}, None),
        ("np", "flip", {"m": "m"}, ("_npi_flip", {"m": "m", "axis": None})),
        ("np", "fliplr", {"m": "m"}, ("_npi_flip", {"m": "m", "axis": 1})),
        ("np", "inner", {"a": "a", "b": "b"},
         ("_npi_tensordot", {"a": "a", "b": "b", "a_axes_summed": (-1,),
                             "b_axes_summed": (-1,)})),
        ("np", "arange", {"start": 3},
         ("_npi_arange", {"start": 0, "stop": 3})),
        ("np", "arange", {"start": 3, "stop": 9, "step": 2},
         ("_npi_arange", {"start": 3, "stop": 9, "step": 2})),
        ("np", "ravel", {"x": "x"}, ("_npx_reshape", {"a": "x", "newshape": -1})),
        ("np", "append", {"arr": "a", "values": "b"},
         ("_npi_concatenate", {"seq": ["a", "b"], "axis": None})),
        ("np", "quantile", {"a": "a", "q": 0.5},
         ("_npi_percentile", {"a": "a", "q_scalar": 50.0, "axis": None,
                              "interpolation": "linear", "keepdims": False})),
        ("np", "quantile", {"a": "a", "q": "array"}, None),
        ("np", "diag_indices_from", {"arr": "a"}, ("_npi_diag_indices_from", {"data": "a"})),
        ("np", "full", {"shape": (2,), "fill_value": True},
         ("_full", {"shape": (2,), "dtype": "bool", "value": 1})),
        ("np", "argsort", {"a": "a"},
         ("argsort", {"data": "a", "axis": -1, "is_ascend": True, "dtype": "int64"})),
        ("np", "delete", {"arr": "a", "obj": 1}, ("_npi_delete", {"arr": "a", "int_ind": 1,
                                                                 "axis": None})),
        ("np", "delete", {"arr": "a", "obj": [1, 2]}, None),
        ("np", "insert", {"arr": "a", "obj": slice(0, 2), "values": 7, "axis": 0},
         ("_npi_insert_slice", {"arr": "a", "val": 7.0, "start": 0, "stop": 2, "step": None,
                                "axis": 0})),
        ("np", "insert", {"arr": "a", "obj": "o", "values": "v"},
         ("_npi_insert_tensor", {"arr": "a", "values": "v", "obj": "o", "axis": None})),
        ("np", "insert", {"arr": "a", "obj": [1], "values": 2}, None),
    ],
)  # fmt: skip
def test_function_is_recorded_as_mxnet_records_it(
    space: str, path: str, given: dict[str, Any], expected: object
) -> None:
    result = RULES[space, path](given)
    assert result == expected
    if result is not None:
        found = find(result[0])
        assert found is not None
        assert result[1].keys() <= found.op.signature.parameters.keys()
