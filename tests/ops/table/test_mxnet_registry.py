"""The op table beside the registry of the real MXNet 1.9.1: names, arguments, inputs, outputs."""

from __future__ import annotations

import ast
import inspect
import json
import re
from pathlib import Path
from typing import Any

import pytest

from gluonish.ops import Op, ops
from gluonish.ops.table.graph_names import Found, find

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "mxnet_registry.json").read_text())
REGISTRY = GOLDEN["operators"]

# Operators that no graph of a user has, or that lack their meaning here.
EXCLUDED = {
    r"_backward|.*_backward$|.*_backward_|_broadcast_backward": "gradients, which torch derives",
    r"_CachedOp|_CustomFunction|_NDArray|_Native|_NoGradient|_set_value|_copyto|_npi_share_memory|"
    r"_cv|_imdecode|_CrossDeviceCopy": "inner parts of MXNet, never in a saved graph",
    r"_sg_": "layers that hold a graph, and what is not there",
    r"_contrib_dgl|_contrib_edge_id|_contrib_getnnz|_sparse_|_square_sum": "sparse arrays",
    r"_foreach|_cond|_while_loop": "control flow, which has whole graphs for arguments",
    r"(preloaded_)?multi_.*(update|lars)|_multi_|reset_arrays|.*_update": "optimizers' steps",
    r"_sample_unique_zipfian": "not there",
    r"_npi_choice|_npi_powerd": "drawn outside of graphs",
    r"Custom": "its inputs and outputs are what a user's class says",
}
NAMES = [name for name in REGISTRY if not any(re.match(each, name) for each in EXCLUDED)]

# What differs, by operator and part, with the reason.
LISTED_WRONGLY = {  # by MXNet: what its functions pass is otherwise
    "_npi_concatenate": {"dim"},
    "_linspace": {"stop"},
    "_image_normalize": {"mean", "std"},  # one number stands for all channels
    "_image_resize": {"size"},  # 0 and () both mean: not given
    "_npi_rot90": {"axes"},  # given always
    "multi_all_finite": {"num_arrays"},  # counted here
}
OTHER_OUTPUTS = {
    "LeakyReLU": "the mask of 'rrelu' is no second output",
    "topk": "the values alone are 'output', not 'output0'",
    "_np_atleast_1d": "one output for each array, by how many there are",
    "_np_atleast_2d": "the same",
    "_np_atleast_3d": "the same",
}
# Functions of `nd` that are no operators of MXNet, and what Gluon's layers are here.
FUNCTIONS = {
    "CuDNNBatchNorm",  # an operator of MXNet for GPUs
    *("_contrib_isfinite", "_contrib_isinf", "_contrib_isnan"),
    *("_contrib_multi_adamw_update", "_contrib_multi_lamb_update"),
    *("_contrib_multi_mp_adamw_update", "_contrib_multi_mp_lamb_update"),
    *("empty", "moveaxis"),
    *("random.exponential", "random.gamma", "random.generalized_negative_binomial"),
    *("random.negative_binomial", "random.normal", "random.poisson", "random.randint"),
    *("random.randn", "random.uniform"),
}


def found(name: str) -> Found:
    result = find(name)
    assert result is not None, name
    return result


def literal(kind: object, text: str | None) -> Any:  # noqa: ANN401 - of any type
    """Return what a text of MXNet's means for an argument of this kind."""
    if text in (None, "None", ""):
        return None
    try:
        value = ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text
    if isinstance(kind, str) and kind.startswith("boolean"):
        return bool(value)
    return tuple(value) if isinstance(value, list) else value


def is_same(one: object, two: object) -> bool:
    if isinstance(one, (list, tuple)) and isinstance(two, (list, tuple)):
        return len(one) == len(two) and all(map(is_same, one, two))
    if isinstance(one, (int, float)) and isinstance(two, (int, float)):
        return abs(one - two) <= 1e-6 * max(abs(one), abs(two))
    if {str(one), str(two)} <= {"None", "()", ""}:
        return True
    return str(getattr(two, "__name__", two)) == str(one)


def default(op: Op, name: str) -> object:
    return op.defaults.get(name, op.signature.parameters[name].default)


def arguments(op: Op, name: str, given: dict[str, str]) -> dict[str, Any]:
    """Return all arguments that are no arrays, as a Symbol knows them."""
    known = {
        key: default(op, key)
        for key in op.signature.parameters
        if key not in op.inputs and default(op, key) is not inspect.Parameter.empty
    }
    kinds = REGISTRY[name]["arguments"]
    for key, text in given.items():
        known[op.attributes.get(key, key)] = literal(kinds.get(key, ["int"])[0], text)
    return known


def variants(name: str) -> list[tuple[dict[str, str], list[str], list[str], list[str]]]:
    """Return arguments, with the inputs, updated inputs and outputs that they lead to."""
    entry = REGISTRY[name]
    rows = [[{}, entry["made"], entry["aux"], entry["outputs"]], *entry.get("variants", [])]
    return [({**entry["base"], **row[0]}, *row[1:]) for row in rows]


def is_variadic(op: Op) -> bool:
    parameters = op.signature.parameters
    return any(
        parameters[key].kind is inspect.Parameter.VAR_POSITIONAL
        or "Sequence[Tensor]" in str(parameters[key].annotation)
        for key in op.inputs
    )


def test_every_exclusion_is_needed() -> None:
    unused = [each for each in EXCLUDED if not any(re.match(each, name) for name in REGISTRY)]
    assert unused == []
    assert len(NAMES) > 450


@pytest.mark.parametrize("name", NAMES)
def test_operator_of_mxnet_is_found_by_its_name(name: str) -> None:
    op, space, path = found(name)
    assert op.files[space, path] == name


@pytest.mark.parametrize("name", NAMES)
def test_arguments_of_mxnet_are_parameters(name: str) -> None:
    op = found(name).op
    entry = REGISTRY[name]
    unknown = {
        key
        for key in entry["arguments"]
        if key != entry.get("count")
        and op.attributes.get(key, key) not in (*op.signature.parameters, "")
    }
    assert unknown == set()


@pytest.mark.parametrize("name", NAMES)
def test_arguments_that_files_leave_out_mean_the_same(name: str) -> None:
    op = found(name).op
    entry = REGISTRY[name]
    different = []
    for key, kind in entry["arguments"].items():
        parameter = op.attributes.get(key, key)
        skipped = ("", "ctx", entry.get("count"), *LISTED_WRONGLY.get(name, ()))
        if len(kind) == 1 or parameter in skipped:
            continue
        mine, theirs = default(op, parameter), literal(*kind)
        is_needed = mine is inspect.Parameter.empty and theirs in (None, ())
        is_float32 = parameter == "dtype" and mine is None and theirs == "float32"
        if not (is_needed or is_float32 or is_same(theirs, mine)):
            different.append((key, theirs, mine))
    assert different == []


@pytest.mark.parametrize("name", NAMES)
def test_inputs_are_made_for_the_same_arguments(name: str) -> None:
    op, space, _ = found(name)
    if is_variadic(op) or "made" not in REGISTRY[name]:
        return
    for given, made, aux, _ in variants(name):
        known = arguments(op, name, given)
        parameters = op.signature.parameters
        if op.arguments is not None:
            mine = [*op.arguments(known)]
        else:
            is_open = {key: default(op, key) is inspect.Parameter.empty for key in op.inputs}
            mine = [key for key in op.inputs if is_open[key] and key not in known]
        assert len(mine) == len(made), given
        assert set(mine) <= parameters.keys()
        if space == "nd":
            assert mine == made
            assert set(op.aux) == set(aux)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in OTHER_OUTPUTS])
def test_outputs_have_the_same_names(name: str) -> None:
    op = found(name).op
    if "made" not in REGISTRY[name]:
        return
    for given, _, _, outputs in variants(name):
        count = op.outputs
        if callable(count):
            count = count(arguments(op, name, given))
        assert count == len(outputs), given
        names = op.output_names
        if callable(names):
            names = names(arguments(op, name, given))
        if len(names) >= count:
            assert [*names[:count]] == outputs
        else:
            plain = ["output"] if count == 1 else [f"output{index}" for index in range(count)]
            assert outputs == plain


def test_names_in_files_are_mxnets() -> None:
    known = {*REGISTRY, *GOLDEN["aliases"]}
    own = {
        file
        for op in ops()
        for (space, path), file in op.files.items()
        if space == "nd" and file not in known and op.recorded is None and file not in FUNCTIONS
        if not op.precision.like  # who has none of MXNet's names says which of them it counts as
    }
    assert own == set()


def test_aliases_lead_to_the_operator_that_they_name() -> None:
    # Files do not have aliases of np: MXNet writes the operators' own names.
    aliases = {
        alias: name
        for alias, name in GOLDEN["aliases"].items()
        if name in NAMES and not alias.startswith("_np")
    }
    found_names = {alias: found(alias).op.files[found(alias)[1:]] for alias in aliases}
    assert found_names == aliases
