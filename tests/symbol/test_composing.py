from __future__ import annotations

import copy

import numpy as onp
import pytest

import gluonish as mx
from gluonish.errors import (
    InvalidArgumentError,
    InvalidIndexError,
    NotImplementedForSymbol,
    SymbolError,
    SymbolNameError,
    SymbolTypeError,
)


@pytest.fixture(autouse=True)
def fresh_names():
    with mx.name.NameManager():
        yield


@pytest.fixture
def mlp():
    net = mx.sym.Variable("data")
    net = mx.sym.FullyConnected(data=net, name="fc1", num_hidden=128, no_bias=True)
    net = mx.sym.Activation(data=net, name="relu1", act_type="relu")
    return mx.sym.FullyConnected(data=net, name="fc2", num_hidden=10, no_bias=True)


def test_missing_inputs_become_variables_named_after_the_operator(mlp):
    assert mlp.list_arguments() == ["data", "fc1_weight", "fc2_weight"]
    assert mlp.list_outputs() == ["fc2_output"]


def test_a_given_symbol_takes_the_place_of_a_variable():
    weight = mx.sym.Variable("mine")
    net = mx.sym.FullyConnected(mx.sym.var("x"), weight=weight, num_hidden=2, no_bias=True)
    assert net.list_arguments() == ["x", "mine"]


def test_names_count_for_each_operator():
    x = mx.sym.var("x")
    assert [mx.sym.exp(x).name, mx.sym.exp(x).name, mx.sym.log(x).name] == ["exp0", "exp1", "log0"]
    assert (x + x).name == "_plus0"
    assert (x + 1).name == "_plusscalar0"
    assert (2**x).name == "_rpower_scalar0"
    assert (-x).attr("scalar") == "-1.0"


def test_prefix_is_put_before_all_names():
    with mx.name.Prefix("p_"):
        assert mx.sym.exp(mx.sym.var("x")).name == "p_exp0"
        assert mx.sym.exp(mx.sym.var("x"), name="q").name == "p_q"


def test_attribute_scopes_nest_and_reach_made_variables():
    with mx.AttrScope(ctx_group="dev1"), mx.AttrScope(__data__="great"):
        net = mx.sym.FullyConnected(mx.sym.var("x"), num_hidden=3, name="f", no_bias=True)
    for name in ("x", "f_weight", "f"):
        attrs = net.attr_dict()[name]
        assert attrs["ctx_group"] == attrs["__ctx_group__"] == "dev1"
        assert attrs["__data__"] == "great"
    assert mx.sym.var("y").attr("ctx_group") is None


def test_name_and_operator_can_be_asked_as_attributes():
    x = mx.sym.var("x", attr={"__name__": "other"})
    halves = mx.sym.SliceChannel(x, num_outputs=2, name="s")
    assert (x.attr("name"), x.attr("op_name")) == ("x", "null")
    assert (halves.attr("name"), halves.attr("op_name")) == ("s", "SliceChannel")
    assert (x + 1).attr("op_name") == "_plus_scalar"


def test_attributes_of_scopes_are_text():
    with pytest.raises(InvalidArgumentError, match="need to be string"):
        mx.AttrScope(x=1)
    with pytest.raises(InvalidArgumentError, match="need to be string: __x__=1 was given"):
        mx.sym.var("x", attr={"__x__": 1})


def test_attributes_of_operators_become_text():
    class Rule:
        def __str__(self):
            return "<rule>"

    node = mx.sym.FullyConnected(
        mx.sym.var("x"), num_hidden=2, name="fc", attr={"__init__": Rule(), "lr_mult": 2}
    )
    expected = {"num_hidden": "2", "__init__": "<rule>", "__lr_mult__": "2", "lr_mult": "2"}
    assert node.attr_dict()["fc"] == expected


def test_a_variable_keeps_what_it_is_told():
    x = mx.sym.var("x", shape=(2, 3), lr_mult=2.0, dtype="float64", __mine__="a")
    assert x.list_attr() == {
        "__shape__": "(2, 3)", "__lr_mult__": "2.0", "lr_mult": "2.0", "__dtype__": "1",
        "__mine__": "a",
    }  # fmt: skip
    with pytest.raises(SymbolNameError, match="double underscores"):
        mx.sym.var("x", mine="a")
    with pytest.raises(SymbolTypeError, match="Expect a string"):
        mx.sym.var(3)


def test_composing_replaces_variables(mlp):
    other = mx.sym.FullyConnected(mx.sym.var("data2"), name="net2", num_hidden=4, no_bias=True)
    composed = mlp(data=other)
    assert composed.list_arguments() == ["data2", "net2_weight", "fc1_weight", "fc2_weight"]
    assert mlp.list_arguments()[0] == "data"
    assert mlp(other).list_arguments() == composed.list_arguments()


def test_composing_with_a_name_names_the_output_alone(mlp):
    composed = mlp(data=mx.sym.var("y"), name="compose")
    assert composed.list_arguments() == ["y", "fc1_weight", "fc2_weight"]
    assert composed.list_outputs() == ["compose_output"]


def test_composing_refuses_what_does_not_fit(mlp):
    with pytest.raises(SymbolError, match="argument name foo not found"):
        mlp(foo=mx.sym.var("x"))
    with pytest.raises(SymbolTypeError, match="not both"):
        mlp(mx.sym.var("x"), data=mx.sym.var("x"))
    with pytest.raises(SymbolTypeError, match="Compose expect `Symbol`"):
        mlp(data=3)
    with pytest.raises(SymbolError, match="4 Symbols were given"):
        mlp(*[mx.sym.var(name) for name in "abcd"])


def test_groups_and_their_parts(mlp):
    group = mx.sym.Group([mlp, mx.sym.var("x")])
    assert repr(group) == "<Symbol group [fc2, x]>"
    assert [len(group), group.name, group[0].name, group["x"].name] == [2, None, "fc2", "x"]
    assert group[-1].name == "x"
    assert [part.name for part in group] == ["fc2", "x"]
    assert [part.name for part in group[0:1]] == ["fc2"]
    with pytest.raises(SymbolNameError, match='matches name "foo"'):
        group["foo"]
    with pytest.raises(InvalidIndexError, match="below 2"):
        group[5]
    with pytest.raises(SymbolNameError, match="multiple outputs"):
        mx.sym.Group([mlp, mlp])["fc2_output"]
    with pytest.raises(SymbolTypeError, match="list of symbols"):
        mx.sym.Group([])


def test_internals_and_children(mlp):
    internals = mlp.get_internals()
    assert internals.list_outputs() == [
        "data", "fc1_weight", "fc1_output", "relu1_output", "fc2_weight", "fc2_output",
    ]  # fmt: skip
    assert internals["relu1_output"].list_arguments() == ["data", "fc1_weight"]
    assert mlp.get_children().list_outputs() == ["relu1_output", "fc2_weight"]
    assert mx.sym.var("x").get_children() is None


def test_copies_are_apart(mlp):
    for other in (copy.copy(mlp), copy.deepcopy(mlp)):
        other._set_attr(lr_mult="3")
        assert other.attr("lr_mult") == "3"
    assert mlp.attr("lr_mult") is None


def test_setting_attributes_checks_them(mlp):
    mlp._set_attr(num_hidden="5", __a__="b")
    assert mlp.list_attr()["num_hidden"] == "5"
    with pytest.raises(SymbolNameError, match="only accepts string"):
        mlp._set_attr(a=1)
    with pytest.raises(SymbolError, match="Cannot find argument 'a'"):
        mlp._set_attr(a="1")


def test_operators_refuse_what_is_no_symbol(mlp):
    for other in ([1], None, "x"):
        with pytest.raises(SymbolTypeError, match="not supported"):
            mlp + other
    with pytest.raises(SymbolTypeError, match="must be Symbol instances, but got 3"):
        mx.sym.exp(3)
    with pytest.raises(InvalidArgumentError, match="Cannot find argument 'foo', Possible"):
        mx.sym.FullyConnected(mlp, num_hidden=2, foo=3)
    with pytest.raises(NotImplementedForSymbol, match="only available in NDArray"):
        bool(mlp)
    with pytest.raises(NotImplementedForSymbol, match="asnumpy"):
        mlp.asnumpy()


def test_numbers_take_the_place_of_one_operand():
    x = mx.sym.var("x")
    assert mx.sym.maximum(x, 2).entries[0].node.file_name == "_maximum_scalar"
    assert mx.sym.power(2, x).entries[0].node.file_name == "_rpower_scalar"
    assert mx.sym.maximum(1, 2) == 2
    assert mx.sym.pow(2, 3) == 8


def test_numpy_symbols_keep_their_class():
    x = mx.sym.var("x").as_np_ndarray()
    assert type((x + 1)[0]) is type(x)
    assert type(mx.sym.np.exp(x)) is type(x)
    assert type(x.as_nd_ndarray()) is mx.sym.Symbol
    assert repr(x + 1) == "<_Symbol add_scalar1>"


def test_required_arguments_are_asked_for_at_once():
    x = mx.sym.var("x")
    with pytest.raises(InvalidArgumentError, match="parameter num_hidden is not presented.* fc"):
        mx.sym.FullyConnected(x, name="fc")
    with pytest.raises(InvalidArgumentError, match="kernel, num_filter"):
        mx.sym.Convolution(x)
    with pytest.raises(InvalidArgumentError, match="num_outputs"):
        mx.sym.split(x)


def test_arguments_may_be_text():
    x = mx.sym.var("x")
    net = mx.sym.Convolution(x, kernel="(3, 3)", num_filter="4", no_bias="True", name="c")
    assert net.list_arguments() == ["x", "c_weight"]
    assert net.attr("kernel") == "(3, 3)"
    assert net.infer_shape(x=(1, 2, 5, 5))[1] == [(1, 4, 3, 3)]
    with pytest.raises(InvalidArgumentError, match="num_filter='a' was given"):
        mx.sym.Convolution(x, kernel=(3, 3), num_filter="a")


def test_what_an_input_gets_may_be_told_at_the_operator():
    x = mx.sym.var("x")
    net = mx.sym.FullyConnected(x, num_hidden=2, weight_lr_mult=3.0, bias_wd_mult=0, name="f")
    attrs = net.attr_dict()
    assert attrs["f_weight"]["__lr_mult__"] == "3.0"
    assert attrs["f_bias"]["__wd_mult__"] == "0"
    assert "weight_lr_mult" not in attrs["f"]


def test_distributions_take_symbols_or_numbers():
    x = mx.sym.var("x")
    assert mx.sym.random.exponential(x).list_arguments() == ["x"]
    with pytest.raises(SymbolNameError, match="numbers were given for scale"):
        mx.sym.random.normal(x, 1.0)


def test_missing_lists_of_inputs_become_variables():
    assert mx.sym.Concat(num_args=2, name="c").list_arguments() == ["c_arg0", "c_arg1"]
    x = mx.sym.var("x")
    bigger = mx.sym.UpSampling(x, scale=2, sample_type="bilinear", num_filter=3, name="u")
    assert bigger.list_arguments() == ["x", "u_weight"]


def test_several_outputs_are_a_list_in_np_mode():
    x = mx.sym.var("x").as_np_ndarray()
    parts = mx.sym.np.split(x, 2)
    assert [part.list_outputs() for part in parts] == [["split0_output0"], ["split0_output1"]]


@pytest.mark.parametrize(
    ("name", "written", "expected"),
    [
        ("greater", "_npi_less_scalar", [True, False, False]),
        ("greater_equal", "_npi_less_equal_scalar", [True, True, False]),
        ("less", "_npi_greater_scalar", [False, False, True]),
        ("less_equal", "_npi_greater_equal_scalar", [False, True, True]),
        ("equal", "_npi_equal_scalar", [False, True, False]),
        ("subtract", "_npi_rsubtract_scalar", [1, 0, -1]),
    ],
)
def test_np_functions_take_a_number_on_the_left_as_mxnet_writes_it(name, written, expected):
    found = getattr(mx.sym.np, name)(2.0, mx.sym.var("x").as_np_ndarray())
    assert f'"op": "{written}"' in found.tojson()
    assert found.eval(x=mx.np.array([1, 2, 3]))[0].asnumpy().tolist() == expected


def test_functions_of_two_operands_take_them_by_name():
    x, y = mx.sym.var("x"), mx.sym.var("y")
    x_value, y_value = mx.nd.array([3, 0]), mx.nd.array([4, 1])
    values = {}
    for name in ("maximum", "minimum", "hypot"):
        made = getattr(mx.sym, name)(right=y, left=x)
        values[name] = made.eval(x=x_value, y=y_value)[0].asnumpy().tolist()
    assert values == {"maximum": [4, 1], "minimum": [3, 0], "hypot": [5, 1]}
    for name in ("pow", "power"):
        made = getattr(mx.sym, name)(exp=2, base=x)
        assert made.eval(x=x_value)[0].asnumpy().tolist() == [9, 0]


@pytest.mark.parametrize("name", ["weibull", "power", "normal", "gamma", "chisquare"])
@pytest.mark.parametrize("number", [2, onp.float32(2), onp.array(2), onp.array(2.0)])
def test_numbers_of_draws_may_be_numpys_without_axes(name, number):
    drawn = getattr(mx.sym.np.random, name)(number)
    assert drawn.bind(mx.cpu(), {}).forward()[0].shape == ()


@pytest.mark.parametrize(
    "call",
    [
        lambda inputs: mx.sym.sigmoid(inputs),
        lambda inputs: mx.sym.sum(data=inputs),
        lambda inputs: mx.sym.FullyConnected(inputs, num_hidden=2),
        lambda inputs: mx.sym.broadcast_add(inputs),
        lambda inputs: mx.sym.concat(inputs, dim=0),
        lambda inputs: mx.gluon.nn.Dense(3)(inputs),
    ],
)
@pytest.mark.parametrize("kind", [list, tuple])
def test_a_list_is_no_input(call, kind):
    """As in MXNet, whose AssertionError programs catch; all but the first were dropped."""
    with pytest.raises(AssertionError, match=r"must be Symbol instances, but got [\[(]<Symbol a>"):
        call(kind([mx.sym.var("a"), mx.sym.var("b")]))


def test_lists_are_taken_where_an_operator_has_them():
    a, b = mx.sym.var("a").as_np_ndarray(), mx.sym.var("b").as_np_ndarray()
    assert mx.sym.np.concatenate([a, b]).list_arguments() == ["a", "b"]
