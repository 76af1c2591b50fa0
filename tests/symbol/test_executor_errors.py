"""What Executors say of arguments that do not fit."""

from __future__ import annotations

import numpy as onp
import pytest
from executor_programs import fill, mlp

import gluonish as mx
from gluonish import nd
from gluonish.errors import (
    ContextError,
    DTypeError,
    GradientRequestError,
    InvalidArgumentError,
    MissingGradientError,
    OperandError,
    ShapeError,
    SymbolError,
    SymbolNameError,
    SymbolTypeError,
)

X, W = mx.sym.var("x"), mx.sym.var("w")
PRODUCT = mx.sym.broadcast_mul(X, W, name="product")
NORM = mx.sym.BatchNorm(X, name="bn")
ARRAYS = {"x": nd.ones((2, 3)), "w": nd.ones((2, 3))}


def bound(**options):
    return PRODUCT.bind(mx.cpu(), ARRAYS, **options)


def simply(**shapes):
    return PRODUCT.simple_bind(mx.cpu(), **({"x": (2, 3), "w": (2, 3)} | shapes))


def normed(**options):
    given = {"x": nd.ones((4, 2)), "bn_gamma": nd.ones((2,)), "bn_beta": nd.ones((2,))}
    return NORM.bind(mx.cpu(), given, **options)


def twice():
    return mx.sym.var("a") + mx.sym.var("a")


CASES = {
    "missing arrays": (
        lambda: PRODUCT.bind(mx.cpu(), {}),
        SymbolNameError,
        r"key `x`, `w` is missing in `args`\. Expected arrays for all of \['x', 'w'\]",
    ),
    "too few arrays": (
        lambda: PRODUCT.bind(mx.cpu(), [nd.ones((2, 3))]),
        SymbolNameError,
        r"Length of args does not match the number of arguments: 1 arrays .* Expected 2",
    ),
    "no arrays": (
        lambda: PRODUCT.bind(mx.cpu(), {"x": 1, "w": 2}),
        SymbolTypeError,
        r"args\['x'\]: int was given, and for 'w'\. Only accept list of NDArrays",
    ),
    "no container": (
        lambda: PRODUCT.bind(mx.cpu(), 5),
        SymbolTypeError,
        r"args: int was given\. Only accept list of NDArrays or dict",
    ),
    "context": (
        lambda: PRODUCT.bind("cpu", ARRAYS),
        SymbolTypeError,
        r"Context type error: ctx='cpu' was given\. Expected a context",
    ),
    "another context": (
        lambda: PRODUCT.bind(mx.cpu(1), ARRAYS),
        ContextError,
        r"Input array 'x' is in cpu\(0\) while binding with ctx=cpu\(1\)",
    ),
    "shared_exec": (
        lambda: bound(shared_exec=3),
        SymbolTypeError,
        r"shared_exec=3 was given\. Expected an Executor",
    ),
    "shapes": (
        lambda: mlp(mx).simple_bind(mx.cpu(), data=(2, 4), fc1_weight=(6, 5)),
        ShapeError,
        r"Error in operator fc1 .*weight 'fc1_weight' of shape \(6, 5\)",
    ),
    "dtypes": (
        lambda: (X + W).bind(mx.cpu(), {"x": nd.ones(2), "w": nd.ones(2, dtype="float64")}),
        DTypeError,
        r"Error in operator _plus\d+ .*'x' of float32, rhs 'w' of float64",
    ),
    "gradients' number": (
        lambda: bound(args_grad=[nd.ones((2, 3))]),
        SymbolNameError,
        r"Length of args_grad does not match the number of arguments: 1 arrays",
    ),
    "gradients' kind": (
        lambda: bound(args_grad={"x": 1}),
        SymbolTypeError,
        r"args_grad\['x'\]: int was given",
    ),
    "gradients' container": (
        lambda: bound(args_grad=1),
        SymbolTypeError,
        r"args_grad: int was given",
    ),
    "gradient's shape": (
        lambda: bound(args_grad={"x": nd.ones((3, 2))}),
        ShapeError,
        r"args_grad\['x'\] has shape \(3, 2\)\. Expected \(2, 3\)",
    ),
    "gradient's dtype": (
        lambda: bound(args_grad={"x": nd.ones((2, 3), dtype="float64")}),
        DTypeError,
        r"args_grad\['x'\] has dtype float64\. Expected float32",
    ),
    "grad_req": (
        lambda: bound(grad_req="keep"),
        GradientRequestError,
        r"grad_req='keep' was given for 'x'\. grad_req must be in",
    ),
    "number of grad_req": (
        lambda: bound(grad_req=["write"]),
        InvalidArgumentError,
        r"a list of 1 was given\. The length of grad_req list does not match .* expected 2",
    ),
    "kind of grad_req": (
        lambda: bound(grad_req=5),
        SymbolTypeError,
        r"grad_req=5 was given\. Expected 'write', 'add' or 'null'",
    ),
    "no states": (
        normed,
        SymbolNameError,
        r"Length of aux_states does not match .* Expected 2, for \['bn_moving_mean'",
    ),
    "missing states": (
        lambda: normed(aux_states={}),
        SymbolNameError,
        r"key `bn_moving_mean`, `bn_moving_var` is missing in `aux_states`",
    ),
    "group": (
        lambda: _grouped().simple_bind(mx.cpu(), x=(2,), group2ctx={"other": mx.cpu()}),
        SymbolError,
        r"The device assignment not found for group one of .*Add 'one' to group2ctx",
    ),
    "variables of one name": (
        lambda: twice().simple_bind(mx.cpu(), a=(2,)),
        SymbolNameError,
        r'Find duplicated argument name "a"',
    ),
    "no shapes": (
        lambda: mlp(mx).simple_bind(mx.cpu()),
        SymbolError,
        r"InferShape pass cannot decide shapes for the following arguments.*\n?.*data: None",
    ),
    "no shape": (
        lambda: simply(x=5),
        SymbolTypeError,
        r"simple_bind: x=5 was given\. Expected a shape",
    ),
    "storage": (
        lambda: PRODUCT.simple_bind(mx.cpu(), stype_dict={"x": "round"}, x=(2,), w=(2,)),
        InvalidArgumentError,
        r"storage 'round' was asked for 'x'\. Expected 'default', 'row_sparse' or 'csr'",
    ),
    "another shape than the shared one": (
        lambda: PRODUCT.simple_bind(
            mx.cpu(), shared_exec=simply(), shared_arg_names=["x"], x=(4, 3), w=(4, 3)
        ),
        ShapeError,
        r"'x' of shape \(4, 3\) is to be shared .* where it has shape \(2, 3\)",
    ),
    "unknown argument": (
        lambda: simply().forward(z=nd.ones(2)),
        SymbolTypeError,
        r"Unknown argument z\. Expected one of x, w",
    ),
    "list for an argument": (
        lambda: simply().forward(x=[1, 2]),
        SymbolNameError,
        r"x=\[1, 2\] was given\. only accept keyword argument of NDArrays",
    ),
    "shape of an argument": (
        lambda: simply().forward(x=nd.ones((3, 3))),
        ShapeError,
        r"Shape not match! Argument x, need: \(2, 3\), received: \(3, 3\)",
    ),
    "no head gradient": (
        lambda: _forwarded().backward(),
        MissingGradientError,
        r"no gradient of output 0, 'product_output'\. .*through the make_loss symbol",
    ),
    "head gradient's shape": (
        lambda: _forwarded().backward(nd.ones((3, 2))),
        ShapeError,
        r"a gradient of shape \(3, 2\) was given for output 0 of shape \(2, 3\)",
    ),
    "head gradient's kind": (
        lambda: _forwarded().backward([onp.ones((2, 3))]),
        OperandError,
        r"out_grads=list was given\. inputs must be NDArray",
    ),
    "head gradient's name": (
        lambda: _forwarded().backward({"x": nd.ones((2, 3))}),
        KeyError,
        r"out_grads has no gradient of 'product_output'",
    ),
    "parameters' names": (
        lambda: simply().copy_params_from({"z": nd.ones(2), "v": nd.ones(2)}),
        SymbolNameError,
        r'Find name "v, z" that is not in the arguments',
    ),
    "states' names": (
        lambda: simply().copy_params_from({}, {"z": nd.ones(2)}),
        SymbolNameError,
        r'Find name "z" that is not in the auxiliary states',
    ),
    "parameter's shape": (
        lambda: simply().copy_params_from({"x": nd.ones(2)}),
        ShapeError,
        r"'x' of shape \(2,\) was given\. Expected \(2, 3\)",
    ),
    "reshaping what does not exist": (
        lambda: simply().reshape(z=(2,)),
        SymbolNameError,
        r"reshape: there is no argument 'z'\. Expected some of \['x', 'w'\]",
    ),
    "reshaping others too": (
        lambda: _bound_mlp().reshape(data=(2, 5)),
        SymbolError,
        r"Shape of unspecified arg: out_label changed, from \(4,\) to \(2,\)",
    ),
    "growing": (
        lambda: _bound_mlp().reshape(data=(8, 5), out_label=(8,)),
        SymbolError,
        r"New shape of arg: data is larger than original, \(8, 5\) after \(4, 5\)",
    ),
    "outputs of one name": (
        lambda: _with_equal_outputs().output_dict,
        SymbolNameError,
        r"Duplicate names detected, \['e_output', 'e_output'\]",
    ),
    "gradient by what does not exist": (
        lambda: PRODUCT.gradient(["z"]),
        SymbolNameError,
        r"wrt=\['z'\] was given\. Expected some of the arguments \['x', 'w'\]",
    ),
    "gradient by no names": (
        lambda: PRODUCT.gradient([X]),
        SymbolTypeError,
        r"gradient: wrt=.* was given\. Expected names of arguments",
    ),
}


def _grouped():
    with mx.AttrScope(ctx_group="one"):
        return mx.sym.exp(X)


def _forwarded():
    executor = simply()
    executor.forward(is_train=True)
    return executor


def _bound_mlp():
    return mlp(mx).simple_bind(mx.cpu(), data=(4, 5))


def _with_equal_outputs():
    pair = mx.sym.Group([mx.sym.exp(X, name="e"), mx.sym.exp(X, name="e")])
    return pair.simple_bind(mx.cpu(), x=(2,))


@pytest.mark.parametrize("name", CASES)
def test_errors_say_what_to_do(name):
    call, cls, text = CASES[name]
    with pytest.raises(cls, match=text) as caught:
        call()
    assert isinstance(caught.value, mx.MXNetError)
    assert len(str(caught.value).split(". ")) >= 2


def test_errors_of_simple_bind_show_its_arguments():
    with pytest.raises(ShapeError) as caught:
        mlp(mx).simple_bind(mx.cpu(), data=(2, 4), fc1_weight=(6, 5))
    note = "simple_bind error. Arguments:\ndata: (2, 4)\nfc1_weight: (6, 5)"
    assert note in caught.value.__notes__


def test_an_error_while_running_names_the_node():
    net = mx.sym.dot(X, mx.sym.BlockGrad(W), name="product")
    executor = net.bind(mx.cpu(), {"x": nd.ones((2, 3)), "w": nd.ones((3, 2))})
    executor.arg_dict["w"]._tensor = executor.arg_dict["x"]._tensor
    with pytest.raises(ShapeError) as caught:
        executor.forward()
    assert caught.value.__notes__[0].startswith("in operator product (dot) of x: array")


def test_what_is_missing_is_copied_by_no_one():
    executor = _bound_mlp()
    fill(executor)
    before = executor.arg_dict["fc1_bias"].asnumpy()
    with pytest.raises(ShapeError):
        executor.copy_params_from({"fc1_bias": nd.ones((6,)), "fc2_bias": nd.ones((7,))})
    onp.testing.assert_array_equal(executor.arg_dict["fc1_bias"].asnumpy(), before)
