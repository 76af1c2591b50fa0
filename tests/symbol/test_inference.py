from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as onp
import pytest

import gluonish as mx
from gluonish.errors import (
    DTypeError,
    MXNetError,
    ShapeError,
    SymbolError,
    SymbolNameError,
    SymbolTypeError,
)
from gluonish.ops.table import Op
from gluonish.symbol.graph import Entry, Node
from gluonish.symbol.shape_inference import infer

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor


@pytest.fixture(autouse=True)
def fresh_names():
    with mx.name.NameManager():
        yield


@pytest.fixture
def lenet():
    net = mx.sym.Variable("data")
    net = mx.sym.Convolution(net, kernel=(5, 5), num_filter=20, name="c1")
    net = mx.sym.Activation(net, act_type="tanh")
    net = mx.sym.Pooling(net, pool_type="max", kernel=(2, 2), stride=(2, 2))
    net = mx.sym.FullyConnected(mx.sym.Flatten(net), num_hidden=10, name="f1")
    return mx.sym.SoftmaxOutput(net, name="softmax")


LENET = [(2, 1, 28, 28), (20, 1, 5, 5), (20,), (10, 2880), (10,), (2,)]


def test_all_shapes_follow_from_the_data(lenet):
    expected = (LENET, [(2, 10)], [])
    assert lenet.infer_shape(data=(2, 1, 28, 28)) == expected
    assert lenet.infer_shape((2, 1, 28, 28)) == expected
    assert lenet.infer_shape((2, 1, 28, 28), None, (20,)) == expected


def test_auxiliary_states_have_a_list_of_their_own():
    net = mx.sym.BatchNorm(mx.sym.var("x"), name="bn")
    assert net.infer_shape(x=(2, 3, 4)) == ([(2, 3, 4), (3,), (3,)], [(2, 3, 4)], [(3,), (3,)])


def test_the_weight_of_bilinear_upsampling_follows_from_its_factor():
    net = mx.sym.UpSampling(mx.sym.var("x"), scale=3, sample_type="bilinear", num_filter=2)
    expected = ([(1, 2, 4, 4), (2, 1, 5, 5)], [(1, 2, 12, 12)], [])
    assert net.infer_shape(x=(1, 2, 4, 4)) == expected
    both = mx.sym.UpSampling(*map(mx.sym.var, "ab"), scale=2, sample_type="nearest", num_args=2)
    assert both.infer_shape(a=(1, 2, 4, 4), b=(1, 3, 8, 8))[1] == [(1, 5, 8, 8)]


def test_what_does_not_follow_is_named_in_a_warning(lenet):
    with pytest.warns(UserWarning, match="Cannot decide") as caught:
        assert lenet.infer_shape() == (None, None, None)
    assert str(caught[0].message) == (
        "Cannot decide shape for the following arguments (0s in shape means unknown dimensions). "
        "Consider providing them as input:\n\tdata: ()\n\tc1_weight: ()\n\tc1_bias: ()\n"
        "\tf1_weight: ()\n\tf1_bias: ()\n\tsoftmax_label: ()"
    )
    many = mx.sym.Group([mx.sym.var(f"v{i}") for i in range(15)])
    with pytest.warns(UserWarning, match=r"v9: \(\)\n\t\.\.\.$"):
        many.infer_shape()


def test_partial_inference_shows_what_is_known(lenet):
    assert lenet.infer_shape_partial() == ([()] * 6, [()], [])
    shapes = lenet.infer_shape_partial(data=(0, 1, 28, 28))
    assert shapes == ([(0, *LENET[0][1:]), *LENET[1:5], (0,)], [(0, 10)], [])


def test_lengths_that_depend_on_unknown_ones_stay_open():
    x = mx.sym.var("x")
    assert mx.sym.Reshape(x, shape=(2, -1)).infer_shape_partial(x=(0, 3))[1] == [(2, 0)]
    assert mx.sym.sum(x, axis=1).infer_shape_partial(x=(2, 0, 3))[1] == [(2, 3)]
    conv = mx.sym.Convolution(x, kernel=(3, 3), num_filter=4)
    assert conv.infer_shape_partial(x=(2, 3, 0, 9))[1] == [(2, 4, 0, 7)]


def test_shapes_go_backward_where_operators_keep_them():
    a, b = mx.sym.var("a"), mx.sym.var("b")
    assert (a + b).infer_shape(b=(2, 3))[0] == [(2, 3), (2, 3)]
    assert (a + b).infer_shape(a=(2, 0), b=(0, 3))[0] == [(2, 3), (2, 3)]
    assert (mx.sym.exp(a) * b).infer_shape(b=(4,))[0] == [(4,), (4,)]
    dense = mx.sym.FullyConnected(a, num_hidden=3, no_bias=True)
    shapes = (dense + b).infer_shape_partial(a=(0, 4), b=(5, 3))
    assert shapes == ([(5, 4), (3, 4), (5, 3)], [(5, 3)], [])


def test_broadcasting_operators_leave_unknown_operands_unknown():
    both = mx.sym.broadcast_add(mx.sym.var("a"), mx.sym.var("b"))
    assert both.infer_shape_partial(a=(2, 1)) == ([(2, 1), ()], [()], [])
    assert both.infer_shape(a=(2, 1), b=(2, 3))[1] == [(2, 3)]


@pytest.mark.parametrize(
    ("a", "b", "found"),
    [
        ((0, 3), (5, 1), (0, 3)), ((0, 3), (2, 3), (0, 3)), ((0, 0), (1, 7), (0, 0)),
        ((0,), (4, 3), (4, 0)), ((0, 1), (4, 0), (0, 0)), ((0, 0, 4), (3, 1, 4), (0, 0, 4)),
    ],
)  # fmt: skip
def test_broadcasting_leaves_lengths_open_that_an_operand_leaves_open(a, b, found):
    one, two = mx.sym.var("a", shape=a), mx.sym.var("b", shape=b)
    for operator in (mx.sym.broadcast_add, mx.sym.broadcast_greater):
        assert operator(one, two).infer_shape_partial() == ([a, b], [found], [])
    mean = mx.sym.mean(mx.sym.square(mx.sym.broadcast_sub(one, two)), axis=0)
    assert mean.infer_shape_partial()[1] == [found[1:]]


def test_many_open_lengths_are_no_problem():
    x = mx.sym.var("x", shape=(0,) * 6)
    assert mx.sym.mean(x, axis=-1).infer_shape_partial()[1] == [(0,) * 5]
    joined = mx.sym.concat(x, x, dim=1)
    assert joined.infer_shape_partial(x=(0, 3, 0, 0, 0, 0))[1] == [(0, 6, 0, 0, 0, 0)]


def test_zeros_take_their_open_lengths_from_what_they_meet():
    zeros = mx.sym.zeros((0, 3))
    net = zeros + mx.sym.var("a")
    assert net.infer_shape(a=(2, 3)) == ([(2, 3)], [(2, 3)], [])
    found = infer(net.entries, {"a": (2, 3)})
    assert found[zeros.entries[0]] == (2, 3)
    states = [mx.sym.zeros((1, 0, 3)) for _ in range(2)]
    rnn = mx.sym.RNN(
        mx.sym.var("x"), mx.sym.var("p"), *states, state_size=3, num_layers=1, mode="lstm"
    )
    assert rnn.infer_shape(x=(5, 2, 4)) == ([(5, 2, 4), (108,)], [(5, 2, 3)], [])
    with pytest.warns(UserWarning, match="Cannot decide shape"):
        assert zeros.infer_shape() == (None, None, None)


def test_variables_shapes_count_unless_others_are_given():
    x = mx.sym.var("x", shape=(2, 3))
    assert mx.sym.exp(x).infer_shape()[1] == [(2, 3)]
    assert x.infer_shape(x=(4,))[0] == [(4,)]


def test_np_shape_mode_knows_zero_lengths_and_scalars():
    x = mx.sym.var("x")
    with mx.np_shape():
        assert mx.sym.exp(x).infer_shape(x=(0, 3))[1] == [(0, 3)]
        assert mx.sym.exp(x).infer_shape(x=())[1] == [()]
        assert mx.sym.exp(x).infer_shape_partial(x=(-1, 3)) == ([(-1, 3)], [(-1, 3)], [])
        assert mx.sym.exp(x).infer_shape_partial() == ([None], [None], [])
        assert mx.sym.np.sum(x.as_np_ndarray()).infer_shape(x=(2, 3))[1] == [()]


def test_shapes_that_depend_on_values_are_unknown():
    chosen = mx.sym.contrib.boolean_mask(mx.sym.var("x"), mx.sym.var("m"))
    assert chosen.infer_shape_partial(x=(2, 3), m=(2,))[1] == [()]


def test_errors_name_the_node_its_inputs_and_what_disagrees(lenet):
    with pytest.raises(ShapeError) as caught:
        lenet.infer_shape(data=(2, 1, 28, 28), f1_weight=(10, 7))
    assert str(caught.value).startswith(
        "Error in operator f1 (FullyConnected): data 'flatten0' of shape (2, 2880), weight "
        "'f1_weight' of shape (10, 7), bias 'f1_bias' of shape (10,) was given. Expected weight "
        "'f1_weight' of shape (10, 2880)."
    )
    with pytest.raises(ShapeError, match=r"operator c1 .* Expected weight 'c1_weight' of shape"):
        lenet.infer_shape(data=(2, 1, 28, 28), c1_weight=(3, 3))
    a, b = mx.sym.var("a"), mx.sym.var("b")
    with pytest.raises(ShapeError, match=r"_plus0 .* Expected rhs 'b' of shape \(2, 1\)"):
        (a + b).infer_shape(a=(2, 1), b=(2, 3))
    with pytest.raises(ShapeError, match="operator bn .* Expected gamma 'bn_gamma' of shape"):
        mx.sym.BatchNorm(a, name="bn").infer_shape(a=(2, 3), bn_gamma=(4,))
    both = mx.sym.Group([mx.sym.Reshape(a, shape=(2, -1), name="r") + b, a + mx.sym.var("c")])
    with pytest.raises(ShapeError, match=r"operator r .*inconsistent, its output has shape \(2, 8"):
        both.infer_shape(b=(2, 8), c=(6, 3))
    with pytest.raises(ShapeError, match="weight 'b' has shape .*Expected"):
        mx.sym.FullyConnected(a, b, num_hidden=3, no_bias=True).infer_shape_partial(
            a=(2, 4), b=(0, 5)
        )


def test_wrong_arguments_are_refused(lenet):
    with pytest.raises(SymbolNameError, match=r"argument name foo not found. Candidate .*data"):
        lenet.infer_shape(foo=(2,))
    with pytest.raises(SymbolNameError, match="positional or kwargs"):
        lenet.infer_shape((2,), data=(2,))
    with pytest.raises(SymbolError, match="7 shapes were given. Expected at most 6"):
        lenet.infer_shape(*[None] * 7)
    for wrong in (3, [2, 3], (2.5,), "ab"):
        with pytest.raises(SymbolTypeError, match="Arguments need to be shapes"):
            lenet.infer_shape(data=wrong)


def names(found):
    return tuple([onp.dtype(dtype).name for dtype in part] for part in found)


def test_dtypes_spread_over_the_graph(lenet):
    for dtype in ("float16", onp.float64):
        name = onp.dtype(dtype).name
        assert names(lenet.infer_type(data=dtype)) == ([name] * 6, [name], [])
    both = mx.sym.var("a") + mx.sym.var("b")
    assert names(both.infer_type(b="int8")) == (["int8", "int8"], ["int8"], [])


def test_norms_keep_their_parameters_in_float32_beside_float16():
    net = mx.sym.BatchNorm(mx.sym.var("x"), name="bn", output_mean_var=True)
    wide = "float32"
    assert names(net.infer_type(x="float16")) == (
        ["float16", wide, wide], ["float16", wide, wide], [wide, wide],
    )  # fmt: skip


def test_dtypes_that_operators_change():
    a, b = mx.sym.var("a"), mx.sym.var("b")
    cast = mx.sym.Cast(a, dtype="float16")
    assert names(cast.infer_type(a="int8")) == (["int8"], ["float16"], [])
    assert (cast + b).infer_type_partial()[0] == [None, onp.float16]
    table = mx.sym.Embedding(a, input_dim=5, output_dim=3)
    assert names(table.infer_type(a="int32")) == (["int32", "float32"], ["float32"], [])
    assert mx.sym.shape_array(a).infer_type(a="float16")[1] == [onp.int64]
    assert mx.sym.topk(a, ret_typ="both").infer_type(a="float16")[1] == [onp.float16, onp.float32]
    bigger = a.as_np_ndarray() > b.as_np_ndarray()
    assert names(bigger.infer_type(a="float32", b="float32"))[1] == ["bool"]


def test_dtypes_go_backward_where_operators_keep_them():
    net = mx.sym.FullyConnected(mx.sym.var("a"), num_hidden=2) + mx.sym.var("b")
    assert names(net.infer_type(b="float16"))[0] == ["float16"] * 4


def test_lengths_of_a_softmax_do_not_lead_its_data():
    lengths = mx.sym.cast(mx.sym.var("lengths"), "int32")
    parts = mx.sym.softmax(mx.sym.var("x") * 2, length=lengths, use_length=True)
    out = mx.sym.FullyConnected(parts, num_hidden=2, no_bias=True, name="fc")
    assert out.infer_type(x="float16", lengths="float32")[0] == [
        onp.float16,
        onp.float32,
        onp.float16,
    ]
    with pytest.warns(UserWarning, match="x: None"):
        assert parts.infer_type(lengths="int32") == (None, None, None)


def test_variables_dtypes_count():
    x = mx.sym.var("x", dtype="float16")
    assert names((x + mx.sym.var("y")).infer_type())[0] == ["float16", "float16"]


def test_unknown_dtypes_are_named_in_a_warning(lenet):
    with pytest.warns(UserWarning, match="Cannot decide type for .*:\n\tdata: None\n\tc1_weight"):
        assert lenet.infer_type() == (None, None, None)
    assert lenet.infer_type_partial() == ([None] * 6, [None], [])


def test_dtypes_that_contradict_each_other_are_refused(lenet):
    with pytest.raises(DTypeError, match=r"operator c1 .*Expected float16 for weight 'c1_weight'"):
        lenet.infer_type(data="float16", c1_weight="float32")
    both = mx.sym.var("a") + mx.sym.var("b")
    with pytest.raises(DTypeError, match=r"operator _plus0 .*Expected int8 for rhs 'b' too"):
        both.infer_type(a="int8", b="float32")
    with pytest.raises(DTypeError, match="no array can hold it"):
        both.infer_type(a="foo")


def test_long_chains_are_no_problem():
    x = mx.sym.var("x")
    for _ in range(20_000):
        x = mx.sym.exp(x)
    start = time.process_time()
    assert x.infer_shape(x=(2, 3))[1] == [(2, 3)]
    assert (mx.sym.var("y") + x).infer_shape(y=(2, 3))[0] == [(2, 3), (2, 3)]
    assert x.infer_type(x="float16")[1] == [onp.float16]
    assert time.process_time() - start < 30


def test_what_does_not_fit_at_all_is_refused_and_not_a_crash():
    x = mx.sym.var("x")
    with pytest.raises(ShapeError, match="operator eig .*do not fit"):
        mx.sym.linalg.syevd(x, name="eig").infer_shape(x=(3,))
    with pytest.raises(MXNetError, match="operator z"):
        mx.sym.exp(mx.sym.zeros(shape="(None, 2)", name="z")).infer_shape()
    with pytest.raises(MXNetError, match="operator add"):
        mx.sym.add_n(num_args=0, name="add").infer_shape()


def of_one_operator(function: Callable[..., Any], **facts: Any) -> mx.sym.Symbol:
    """Return a Symbol of an operator of its own, on one variable."""
    op = Op(function, files={("nd", "own"): "own"}, **facts)
    variable = Entry(Node(None, "x"), 0)
    node = Node(op, "own0", "nd", "own", inputs=[variable], names=["data"])
    return mx.sym.Symbol([Entry(node, 0)])


def test_an_operators_own_attribute_error_is_no_error_about_shapes() -> None:
    def broken(data: Tensor) -> Tensor:
        return data.no_such_thing  # type: ignore[attr-defined,no-any-return]

    with pytest.raises(AttributeError, match="no_such_thing") as caught:
        of_one_operator(broken).infer_shape(x=(2, 3))
    assert not isinstance(caught.value, mx.MXNetError)


def test_a_shape_rules_own_attribute_error_comes_out_as_it_is() -> None:
    def rule(shapes: dict[str, Any], **_: object) -> dict[str, Any]:
        return shapes["data"].no_such_thing  # type: ignore[no-any-return]

    def kept(data: Tensor) -> Tensor:
        return data

    with pytest.raises(AttributeError, match="no_such_thing"):
        of_one_operator(kept, shapes=rule).infer_shape(x=(2, 0))


def test_lengths_of_images_follow_from_results_of_convolutions_without_stride():
    data, images = mx.sym.var("a", shape=(0, 10, 0, 0)), mx.sym.var("b", shape=(5, 21, 32, 32))
    for options, length in (
        ({"pad": (1, 1)}, 32),
        ({"dilate": (2, 2), "pad": (1, 1)}, 34),
        ({}, 34),
    ):
        net = mx.sym.Convolution(data, num_filter=21, kernel=(3, 3), **options) + images
        assert net.infer_shape()[0][0] == (5, 10, length, length)
    net = mx.sym.Convolution(data, num_filter=21, kernel=(3, 3), stride=(2, 1)) + images
    assert net.infer_shape_partial()[0][0] == (5, 10, 0, 34)


def test_slices_of_unknown_lengths_stay_open():
    x = mx.sym.var("x", shape=(0, 20))
    assert mx.sym.slice(x, begin=(2, None), end=(5, 10)).infer_shape_partial()[1] == [(0, 10)]
    with mx.util.np_shape(True):
        x = mx.sym.var("x", shape=(-1, 20))
        found = mx.sym.slice(x, begin=(None, None), end=(5, None)).infer_shape_partial()[1]
        assert found == [(-1, 20)]


# What MXNet 1.9.1 answers of a product's second array, and of its result.
PRODUCTS = {
    "dot": [
        ((2, 3), (-1, 4), (3, 4), (2, 4)),
        ((5, 2, 3), (-1, 4), (3, 4), (5, 2, 4)),
        ((2, 3), (-1,), (3,), (2,)),
        ((3,), (-1,), (3,), ()),
        ((5, 2, 3), (7, -1, 4), (7, 3, 4), (5, 2, 7, 4)),
    ],
    "matmul": [((2, 3), (-1, 4), (3, 4), (2, 4)), ((3,), (-1, 4), (3, 4), (4,))],
    "tensordot": [((2, 3, 4), (3, -1, 5), (3, 4, 5), (2, 5))],
    "inner": [((2, 3), (4, -1), (4, 3), (2, 4)), ((2, 3), (-1,), (3,), (2,))],
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_products_tell_the_length_of_what_they_sum_over(name):
    for first, second, found, result in PRODUCTS[name]:
        with mx.np_shape():
            a, b = mx.sym.var("a", shape=first), mx.sym.var("b", shape=second)
            product = getattr(mx.sym.np, name)(a.as_np_ndarray(), b.as_np_ndarray())
            assert product.infer_shape() == ([first, found], [result], [])
            a, b = mx.sym.var("a", shape=(2, -1)), mx.sym.var("b", shape=(3, 4))
            product = mx.sym.np.dot(a.as_np_ndarray(), b.as_np_ndarray())
            assert product.infer_shape() == ([(2, 3), (3, 4)], [(2, 4)], [])


@pytest.mark.parametrize("is_hybrid", [False, True])
def test_a_weight_of_a_product_waits_for_the_first_batch(is_hybrid):
    class Product(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.weight = self.params.get("weight", shape=(-1, 5), allow_deferred_init=True)

        def hybrid_forward(self, F, x, weight):
            return F.np.matmul(x.dot(weight), F.np.transpose(weight))

    with mx.util.np_shape(), mx.util.np_array():
        net = Product()
        net.initialize()
        net.hybridize(is_hybrid)
        assert net(mx.np.ones((2, 7))).shape == (2, 7)
    assert net.weight.shape == (7, 5)


@pytest.mark.parametrize("name", ["bitwise_and", "bitwise_or", "bitwise_xor", "lcm"])
def test_functions_of_integers_and_a_number_have_shapes(name: str) -> None:
    symbol = getattr(mx.sym.np, name)(mx.sym.var("a").as_np_ndarray(), 2)
    assert symbol.infer_shape(a=(2, 3)) == ([(2, 3)], [(2, 3)], [])


def test_where_of_arrays_without_axes_and_a_number_has_a_shape() -> None:
    condition, x = (mx.sym.var(name).as_np_ndarray() for name in "cx")
    mx.npx.set_np()
    assert mx.sym.np.where(condition, x, 2.0).infer_shape(c=(), x=())[1] == [()]
    assert mx.sym.np.where(condition, 2.0, x).infer_shape(c=(), x=())[1] == [()]


def test_shapes_do_not_ask_for_dtypes_that_fit():
    data = mx.sym.var("a", dtype="float64")
    net = mx.sym.RNN(data.expand_dims(0), state_size=2, num_layers=1, mode="rnn_tanh")
    assert net.infer_shape(a=(2, 3)) == ([(2, 3), (14,), (1, 2, 2)], [(1, 2, 2)], [])  # MXNet's
