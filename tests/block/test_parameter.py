"""Parameters: states, errors, contexts, sharing."""

from __future__ import annotations

import copy
import pickle

import numpy as onp
import pytest

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.errors import (
    DeferredInitializationError,
    InvalidArgumentError,
    MissingConstantError,
    MXNetError,
    ParameterError,
    UninitializedParameterError,
)
from gluonish.gluon import nn


@pytest.fixture
def weight():
    return gluon.Parameter("w", shape=(2, 3))


def test_repr_shows_name_shape_and_dtype_as_given(weight):
    assert repr(weight) == "Parameter w (shape=(2, 3), dtype=<class 'numpy.float32'>)"
    assert repr(gluon.Parameter("b", shape=3, dtype="float16")) == (
        "Parameter b (shape=(3,), dtype=float16)"
    )


def test_reading_before_initialize_says_to_initialize(weight):
    for read in (weight.data, weight.grad, weight.list_data, weight.list_grad):
        with pytest.raises(UninitializedParameterError, match="'w' has not been initialized. Call"):
            read()
    with pytest.raises(RuntimeError, match="'w' has not been initialized"):
        weight.list_ctx()


def test_set_data_before_initialize_is_refused(weight):
    with pytest.raises(AssertionError, match=r"'w' has not been initialized.*Call it first"):
        weight.set_data(nd.ones((2, 3)))


def test_deferred_parameter_says_what_it_waits_for():
    param = gluon.Parameter("w", shape=(2, 0), allow_deferred_init=True)
    param.initialize()
    with pytest.raises(DeferredInitializationError, match=r"shape \(2, 0\) is not known.*in_units"):
        param.data()
    assert param.list_ctx() == [mx.cpu()]


def test_unknown_shape_without_deferral_is_refused():
    with pytest.raises(ValueError, match=r"'q' because it has invalid shape: \(2, 0\)"):
        gluon.Parameter("q", shape=(2, 0)).initialize()
    with pytest.raises(InvalidArgumentError, match="invalid shape: None"):
        gluon.Parameter("q").initialize()


def test_set_data_fixes_the_shape_of_a_deferred_parameter():
    param = gluon.Parameter("w", shape=(2, 0), allow_deferred_init=True)
    param.initialize()
    param.set_data(nd.ones((2, 3)))
    assert param.shape == (2, 3)
    param._finish_deferred_init()
    assert param.data().asnumpy().tolist() == [[1, 1, 1], [1, 1, 1]]


def test_set_data_of_another_shape_changes_nothing(weight):
    weight.initialize(mx.init.One())
    with pytest.raises(
        AssertionError, match=r"\(2, 4\) was given, which is incompatible with its shape \(2, 3\)"
    ):
        weight.set_data(nd.zeros((2, 4)))
    assert weight.data().asnumpy().sum() == 6


def test_second_initialize_warns_and_keeps_the_values(weight):
    weight.initialize(mx.init.One())
    with pytest.warns(UserWarning, match="'w' is already initialized, ignoring"):
        weight.initialize(mx.init.Zero())
    assert weight.data().asnumpy().sum() == 6
    weight.initialize(mx.init.Zero(), force_reinit=True)
    assert weight.data().asnumpy().sum() == 0


def test_own_initializer_wins_over_the_default():
    param = gluon.Parameter("w", shape=(2,), init="ones")
    param.initialize(default_init=mx.init.Zero())
    assert param.data().asnumpy().tolist() == [1, 1]
    param.initialize("zeros", force_reinit=True)
    assert param.data().asnumpy().tolist() == [0, 0]


def test_several_contexts_hold_equal_copies(weight):
    weight.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
    first, second = weight.list_data()
    assert (first.context, second.context) == (mx.cpu(0), mx.cpu(1))
    assert onp.array_equal(first.asnumpy(), second.asnumpy())
    assert weight.data(mx.cpu(1)) is second
    with pytest.raises(RuntimeError, match=r"on context cpu\(3\).*only initialized"):
        weight.data(mx.cpu(3))


def test_reset_ctx_averages_the_copies(weight):
    weight.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
    weight.list_data()[0][:] = 1
    weight.list_data()[1][:] = 3
    weight.reset_ctx(mx.cpu(2))
    assert weight.list_ctx() == [mx.cpu(2)]
    assert weight.data().asnumpy().tolist() == [[2, 2, 2], [2, 2, 2]]


def test_reset_ctx_before_initialize_is_refused(weight):
    with pytest.raises(ValueError, match="Cannot reset context for Parameter 'w'"):
        weight.reset_ctx(mx.cpu())


def test_reset_ctx_of_a_deferred_parameter_is_remembered():
    param = gluon.Parameter("w", shape=(0,), allow_deferred_init=True)
    param.initialize()
    param.reset_ctx(mx.cpu(1))
    assert param.list_ctx() == [mx.cpu(1)]


@pytest.mark.parametrize("bad", ["foo", "", None])
def test_unknown_grad_req_is_refused(weight, bad):
    with pytest.raises(AssertionError, match="grad_req must be one of 'write', 'add', or 'null'"):
        weight.grad_req = bad


def test_null_grad_req_drops_the_gradient(weight):
    weight.initialize()
    weight.grad_req = "null"
    with pytest.raises(RuntimeError, match="Cannot get gradient array.*grad_req='null'"):
        weight.grad()
    weight.grad_req = "write"
    assert weight.grad().asnumpy().sum() == 0


def test_add_accumulates_and_zero_grad_resets(weight):
    weight.initialize(mx.init.One())
    weight.grad_req = "add"
    for _ in range(2):
        with autograd.record():
            total = (weight.data() * 3).sum()
        total.backward()
    assert weight.grad().asnumpy().tolist() == [[6, 6, 6], [6, 6, 6]]
    weight.zero_grad()
    assert weight.grad().asnumpy().sum() == 0


def test_cast_turns_values_and_gradient(weight):
    weight.initialize(mx.init.One())
    weight.cast("float64")
    assert weight.data().dtype is onp.float64
    assert weight.grad().dtype is onp.float64
    assert repr(weight).endswith("dtype=float64)")


def test_known_dimensions_can_not_change(weight):
    with pytest.raises(
        AssertionError, match=r"\(3, 4\) was given, which is incompatible with its shape \(2, 3\)"
    ):
        weight.shape = (3, 4)


def test_storage_types_are_checked():
    with pytest.raises(AssertionError, match="stype for Parameter 'r' must be one of"):
        gluon.Parameter("r", stype="foo")


def test_constant_keeps_value_and_dtype():
    constant = gluon.Constant("c", nd.ones((2,), dtype="int32"))
    assert constant.dtype is onp.int32
    constant.initialize()
    assert constant.data().asnumpy().tolist() == [1, 1]
    with pytest.warns(UserWarning, match="does not support grad_req other than"):
        constant.grad_req = "write"
    assert constant.grad_req == "null"
    with pytest.raises(RuntimeError, match="Cannot get gradient array"):
        constant.grad()


def test_dictionary_prints_and_looks_up_by_full_name():
    params = gluon.ParameterDict("net_")
    assert repr(params) == "net_ (\n\n)"
    param = params.get("w", shape=(2, 3))
    assert repr(params) == (
        "net_ (\n  Parameter net_w (shape=(2, 3), dtype=<class 'numpy.float32'>)\n)"
    )
    assert params["net_w"] is param
    assert "net_w" in params
    with pytest.raises(KeyError):
        params["w"]


def test_get_returns_the_same_and_refuses_contradictions():
    params = gluon.ParameterDict("net_")
    param = params.get("w", shape=(2, 0))
    assert params.get("w", shape=(2, 3)) is param
    assert param.shape == (2, 3)
    with pytest.raises(AssertionError, match=r"'shape': desired '\(2, 4\)' vs stored '\(2, 3\)'"):
        params.get("w", shape=(2, 4))
    with pytest.raises(ParameterError, match="attribute 'dtype': desired 'float64'"):
        params.get("w", dtype="float64")


def test_shared_dictionary_lends_its_parameters():
    params = gluon.ParameterDict("net_")
    param = params.get("w", shape=(1,))
    assert gluon.ParameterDict("net_", shared=params).get("w") is param


def test_constants_by_name():
    params = gluon.ParameterDict("net_")
    constant = params.get_constant("c", [1.0])
    assert params.get_constant("c") is constant
    assert params.get_constant("c", [1.0]) is constant
    with pytest.raises(AssertionError, match="its value doesn't match"):
        params.get_constant("c", [2.0])
    with pytest.raises(KeyError, match="No constant named 'net_z'. Please specify value"):
        params.get_constant("z")
    params.get("w", shape=(1,))
    with pytest.raises(AssertionError, match="already exists but it is not a constant"):
        params.get_constant("w", [1.0])
    assert issubclass(MissingConstantError, MXNetError)


def test_update_refuses_two_parameters_of_one_name():
    params = gluon.ParameterDict("net_")
    params.get("w", shape=(1,))
    with pytest.raises(AssertionError, match="different Parameters with the same name 'net_w'"):
        params.update({"net_w": gluon.Parameter("net_w")})


def test_setattr_reaches_every_parameter():
    params = gluon.ParameterDict("net_")
    params.get("w", shape=(1,))
    params.get("b", shape=(1,))
    params.setattr("lr_mult", 0.5)
    assert [param.lr_mult for param in params.values()] == [0.5, 0.5]


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda net: pickle.loads(pickle.dumps(net))])
def test_copies_of_networks_can_be_trained(duplicate):
    net = gluon.nn.Dense(1, in_units=2, use_bias=False)
    net.initialize(mx.init.One())
    net.weight.grad_req = "add"
    other = duplicate(net)
    trainer = gluon.Trainer(other.collect_params(), "sgd", {"learning_rate": 1})
    for _ in range(2):
        with autograd.record():
            loss = other(nd.array([[2, 3]]))
        loss.backward()
    trainer.step(1)
    assert other.weight.grad().asnumpy().tolist() == [[4, 6]]
    assert other.weight.data().asnumpy().tolist() == [[-3, -5]]
    assert net.weight.data().asnumpy().tolist() == [[1, 1]]
    assert net.weight.grad().asnumpy().tolist() == [[0, 0]]


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: nn.Dense(3, in_units=-3), "Dense: in_units=-3 .* 0 or more. Write in_units=3,"),
        (lambda: nn.Dense(-3, in_units=3), "Dense: units=-3 was given. Expected a whole number, 0"),
        (lambda: nn.Dense(2.5), "Dense: units=2.5 was given. .* Write units=1, for example"),
        (
            lambda: nn.Dense(nd.ones((2, 3))),
            r"units=<NDArray of .* layer = Dense\(...\); layer\(x\)",
        ),
        (lambda: nn.Conv2D(4, 3, in_channels=-3), "Conv2D: in_channels=-3 was given"),
        (lambda: nn.Conv2D(4, (3, 0)), "Conv2D: kernel_size=0 was given. Expected a whole number"),
        (lambda: nn.Conv2D(4, 3, padding=-1), "Conv2D: padding=-1 was given. .* 0 or more"),
        (lambda: nn.MaxPool2D(2, strides="x"), "MaxPool2D: strides='x' was given"),
        (lambda: nn.Embedding(-3, 3), "Embedding: input_dim=-3 was given"),
        (lambda: nn.GroupNorm(0), "GroupNorm: num_groups=0 was given"),
        (lambda: mx.gluon.rnn.GRUCell(0), "GRUCell: hidden_size=0 was given"),
    ],
)
def test_sizes_that_no_layer_has_are_refused_where_it_is_made(make, told):
    with pytest.raises(AssertionError, match=told):
        make()


def test_sizes_are_taken_in_every_guise():
    net = nn.Dense("3", in_units=onp.int64(2))
    net.initialize()
    assert net.weight.shape == (3, 2)
    assert nn.Dense(2.0, in_units=-1).bias.shape == (2,)


def test_lengths_below_0_are_refused_when_arrays_are_made():
    param = mx.gluon.Parameter("weight", shape=(-3, 3))
    with pytest.raises(
        ParameterError,
        match=r"weight': shape dimension size cannot be less than 0, while received -3\. Expected "
        r"lengths of 1 or more, or 0 where data will tell\. Check units, in_units, channels",
    ):
        param.initialize()


def test_parameters_on_no_context_say_so():
    net = mx.gluon.nn.Dense(2, in_units=3, prefix="fc_")
    net.initialize(ctx=[])
    assert net.weight.list_ctx() == []
    text = (
        r"'fc_weight' was not initialized on context cpu\(0\). It was only initialized on \[\]: "
        r"ctx was an empty list. .* Call net.initialize\(ctx=mx.cpu\(\)\)"
    )
    with pytest.raises(RuntimeError, match=text):
        net(mx.nd.ones((1, 3)))
    with pytest.raises(RuntimeError, match=r"'fc_weight' was not initialized. It was only"):
        net.weight.list_data()
    net.initialize()
    assert net(mx.nd.ones((1, 3))).shape == (1, 2)
    assert net.weight.list_ctx() == [mx.cpu()]
    net.collect_params().reset_ctx([])
    assert net.weight.list_ctx() == []
    deferred = mx.gluon.nn.Dense(2)
    deferred.initialize(ctx=[])
    with pytest.raises(RuntimeError, match=r"It was only initialized on \[\]"):
        deferred(mx.nd.ones((1, 3)))


@pytest.mark.parametrize("shape", [(0, 3), (2, -1)])
def test_lengths_that_are_known_are_not_forgotten(shape: tuple[int, ...]) -> None:
    param = mx.gluon.Parameter("w", shape=(2, 3))
    with pytest.raises(AssertionError, match="Expected known dimensions to stay"):
        param.shape = shape
    assert param.shape == (2, 3)


def test_set_data_without_elements_is_refused_where_the_shape_is_not_known() -> None:
    param = mx.gluon.Parameter("w", shape=(0, 3), allow_deferred_init=True)
    param.initialize()
    with pytest.raises(RuntimeError, match=r"array of shape \(0, 3\)\. Expected elements along"):
        param.set_data(mx.nd.ones((0, 3)))
    param.set_data(mx.nd.ones((2, 3)))
    assert param.shape == (2, 3)


def test_a_frozen_parameter_has_no_gradient_whatever_its_array_was_attached_since():
    param = gluon.Parameter("w", shape=(2,))
    param.initialize()
    param.grad_req = "null"
    param.data().attach_grad()
    for read in (param.grad, param.list_grad):
        with pytest.raises(RuntimeError, match="because grad_req='null'"):
            read()
    assert param.data().grad.shape == (2,)


def test_arrays_and_symbols_in_one_call_are_refused_as_a_value():
    class Sum(gluon.HybridBlock):
        def hybrid_forward(self, F, a, b):
            return a + b

    for pair in ((nd.ones(3), mx.sym.var("a")), (mx.sym.var("a"), nd.ones(3))):
        with pytest.raises(ValueError, match="do not support mixed NDArrays and Symbols types"):
            Sum()(*pair)
    net = Sum()
    net.hybridize()
    with pytest.raises(ValueError, match="Find multiple contexts in the input: cpu.1. and cpu.2."):
        net(nd.ones(3, ctx=mx.cpu(1)), nd.ones(3, ctx=mx.cpu(2)))


def test_the_variable_has_the_shape_that_the_program_gave_last() -> None:
    param = gluon.Parameter("w", shape=(2, 0))
    param.shape = (2, 4)
    assert param.var().attr("__shape__") == "(2, 4)"  # MXNet's
    early = gluon.Parameter("w", shape=(2, 0))
    early.var()
    early.shape = (2, 4)
    assert early.var().attr("__shape__") == "(2, 0)"  # MXNet's
