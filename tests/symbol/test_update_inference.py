"""Updates of weights in graphs find shapes and dtypes of their arrays, as in MXNet 1.9.1."""

from __future__ import annotations

import json

import numpy as onp
import pytest

import gluonish as mx
from gluonish.errors import DTypeError, ShapeError

UPDATES = {
    "sgd_update": "weight grad",
    "sgd_mom_update": "weight grad mom",
    "nag_mom_update": "weight grad mom",
    "signsgd_update": "weight grad",
    "signum_update": "weight grad mom",
    "adam_update": "weight grad mean var",
    "ftrl_update": "weight grad z n",
    "rmsprop_update": "weight grad n",
    "rmspropalex_update": "weight grad n g delta",
    "_sparse_adagrad_update": "weight grad history",
}
HALVES = {
    "mp_sgd_update": "weight grad weight32",
    "mp_sgd_mom_update": "weight grad mom weight32",
    "mp_nag_mom_update": "weight grad mom weight32",
}


def read(name, inputs, **attrs):
    """Return the graph of one operator, read as a file."""
    names = inputs.split()
    nodes = [{"op": "null", "name": each, "inputs": []} for each in names]
    places = [[place, 0, 0] for place in range(len(names))]
    attrs = {key: str(value) for key, value in attrs.items()}
    nodes.append({"op": name, "name": "u", "attrs": attrs, "inputs": places})
    heads = [[len(names), 0, 0]]
    return mx.sym.load_json(
        json.dumps({"nodes": nodes, "arg_nodes": [at for at, *_ in places], "heads": heads})
    )


@pytest.mark.parametrize("name", [*UPDATES, *HALVES])
def test_any_array_tells_the_shape_of_the_others(name):
    inputs = (UPDATES | HALVES)[name]
    symbol = read(name, inputs, lr=0.1)
    for each in inputs.split():
        arguments, outputs, states = symbol.infer_shape(**{each: (2, 3)})
        assert {*arguments, *outputs, *states} == {(2, 3)}


@pytest.mark.parametrize("name", UPDATES)
def test_any_array_tells_the_dtype_of_the_others(name):
    symbol = read(name, UPDATES[name], lr=0.1)
    for each in UPDATES[name].split():
        arguments, outputs, states = symbol.infer_type(**{each: "float16"})
        assert {*arguments, *outputs, *states} == {onp.float16}


@pytest.mark.parametrize("name", HALVES)
def test_states_beside_a_copy_of_the_weight_are_float32(name):
    arguments, outputs, states = read(name, HALVES[name], lr=0.1).infer_type(weight="float16")
    assert {*arguments, *outputs} == {onp.float16}
    assert {*states} == {onp.float32}


def test_a_state_of_another_dtype_is_refused():
    with pytest.raises(DTypeError, match=r"var 'var' of float16 was given. Expected float32"):
        read("adam_update", UPDATES["adam_update"], lr=0.1).infer_type(
            weight="float32", grad="float32", mean="float32", var="float16"
        )
    with pytest.raises(
        DTypeError, match=r"weight32 'weight32' of float16 was given. Expected float32, whatever"
    ):
        read("mp_sgd_update", HALVES["mp_sgd_update"], lr=0.1).infer_type(weight32="float16")


def test_a_state_of_another_shape_is_refused():
    symbol = read("sgd_mom_update", UPDATES["sgd_mom_update"], lr=0.1)
    with pytest.raises(ShapeError, match=r"mom 'mom' of shape \(3, 3\)"):
        symbol.infer_shape(weight=(2, 3), mom=(3, 3))


def test_the_scale_of_adamw_has_a_shape_and_dtype_of_its_own():
    symbol = read("_adamw_update", "weight grad mean var rescale_grad", lr=0.1, eta=1.0)
    arguments, _, states = symbol.infer_shape(weight=(2, 3), rescale_grad=(1,))
    assert arguments == [(2, 3), (2, 3), (1,)]
    assert states == [(2, 3), (2, 3)]
    arguments, _, states = symbol.infer_type(weight="float16")
    assert arguments == [onp.float16, onp.float16, onp.float32]


def test_a_graph_of_an_update_is_bound_by_its_weight():
    symbol = read("adam_update", UPDATES["adam_update"], lr=0.1)
    executor = symbol.simple_bind(mx.cpu(), weight=(2,), grad_req="null")
    executor.arg_dict["grad"][:] = 1
    executor.forward()
    assert executor.aux_dict["mean"].shape == (2,)
    assert (executor.aux_dict["mean"].asnumpy() > 0).all()
