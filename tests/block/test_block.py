"""Blocks: registration, names, errors, hooks, shapes found at the first call."""

from __future__ import annotations

import warnings

import pytest
from closeness import assert_close

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.errors import MissingMethodError, MXNetError
from gluonish.gluon import nn


def test_forgotten_super_init_is_named():
    class Forgetful(nn.Block):
        def __init__(self):
            self.dense = nn.Dense(2)

    class ForgetfulParameter(nn.HybridBlock):
        def __init__(self):
            self.weight = gluon.Parameter("w")

    for cls in (Forgetful, ForgetfulParameter):
        with pytest.raises(AttributeError, match=r"Expected super\(\).__init__\(\)"):
            cls()


def test_blocks_in_a_list_are_warned_of():
    class Hiding(nn.Block):
        def __init__(self):
            super().__init__()
            self.layers = [nn.Dense(2), nn.Dense(3)]

    net = Hiding()
    with pytest.warns(UserWarning, match='"Hiding.layers" is an unregistered container'):
        params = net.collect_params()
    assert list(params.keys()) == []
    with pytest.warns(UserWarning, match="register_child"):
        net.initialize()


def test_registered_blocks_in_a_list_are_fine():
    class Open(nn.Block):
        def __init__(self):
            super().__init__()
            self.layers = [nn.Dense(2, in_units=2)]
            for layer in self.layers:
                self.register_child(layer)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(Open().collect_params()) == 2


def test_child_can_not_become_something_else():
    class Net(nn.Block):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(2)

    with pytest.raises(TypeError, match="Changing attribute type for dense"):
        Net().dense = 3


def test_parameter_attribute_can_not_be_overridden():
    net = nn.Dense(2)
    with pytest.raises(AssertionError, match="Overriding Parameter attribute weight"):
        net.weight = gluon.Parameter("other")


def test_hybrid_block_takes_hybrid_children_only():
    net = nn.HybridSequential()
    with pytest.raises(ValueError, match="Children of HybridBlock must also be HybridBlock"):
        net.add(nn.Sequential())


def test_names_count_up_outside_and_inside_of_scopes():
    outer = nn.HybridSequential(prefix="outer_")
    with outer.name_scope():
        outer.add(nn.Dense(2), nn.Dense(3), nn.Conv2D(2, 3))
    assert [child.name for child in outer] == ["outer_dense0", "outer_dense1", "outer_conv0"]
    one, two = nn.Dense(1), nn.Dense(1)
    number = int(one.name.removeprefix("dense"))
    assert two.name == f"dense{number + 1}"
    assert one.weight.name == f"{one.name}_weight"


def test_collect_params_selects_by_regular_expression():
    net = nn.HybridSequential(prefix="n_")
    with net.name_scope():
        net.add(nn.Dense(2, in_units=2), nn.Dense(2, in_units=2))
    assert list(net.collect_params(".*bias").keys()) == ["n_dense0_bias", "n_dense1_bias"]
    assert list(net.collect_params("n_dense0").keys()) == ["n_dense0_weight", "n_dense0_bias"]


def test_sharing_params_ties_values_and_gradients():
    first = nn.Dense(4, in_units=4, use_bias=False)
    second = nn.Dense(4, in_units=4, use_bias=False, params=first.params)
    first.initialize()
    assert second.weight is first.weight
    x = nd.ones((1, 4))
    with autograd.record():
        y = second(first(x)).sum()
    y.backward()
    tied = first.weight.grad().asnumpy()
    a, b = nn.Dense(4, in_units=4, use_bias=False), nn.Dense(4, in_units=4, use_bias=False)
    a.initialize()
    b.initialize()
    a.weight.set_data(first.weight.data())
    b.weight.set_data(first.weight.data())
    with autograd.record():
        y = b(a(x)).sum()
    y.backward()
    both = a.weight.grad().asnumpy() + b.weight.grad().asnumpy()
    assert tied == pytest.approx(both, abs=1e-6)


def test_apply_and_cast_reach_children_first():
    net = nn.HybridSequential(prefix="n_")
    with net.name_scope():
        net.add(nn.Dense(2, in_units=2))
    seen = []
    assert net.apply(lambda block: seen.append(block.name)) is net
    assert seen == ["n_dense0", "n"]
    net.initialize()
    net.cast("float64")
    assert net(nd.ones((1, 2), dtype="float64")).asnumpy().dtype == "float64"


def test_hooks_see_inputs_and_output_and_can_be_detached():
    net = nn.Flatten()
    calls = []
    before = net.register_forward_pre_hook(lambda block, inputs: calls.append(len(inputs)))
    after = net.register_forward_hook(lambda block, inputs, out: calls.append(out.shape))
    net(nd.ones((2, 3, 4)))
    assert calls == [1, (2, 12)]
    before.detach()
    with after:
        net(nd.ones((1, 2, 2)))
    net(nd.ones((1, 2, 2)))
    assert calls == [1, (2, 12), (1, 4)]


def test_forward_must_be_defined():
    with pytest.raises(MissingMethodError, match=r"forward\(\) is not defined"):
        nn.Block()(nd.ones((1,)))
    with pytest.raises(MissingMethodError, match=r"hybrid_forward\(\) is not defined"):
        nn.HybridBlock()(nd.ones((1,)))


def test_call_without_any_array_is_refused():
    net = nn.Dense(2, in_units=2)
    net.initialize()
    with pytest.raises(ValueError, match="there must be one NDArray or one Symbol in the input"):
        net([1, 2])


def test_uninitialized_net_says_so_with_the_path():
    net = nn.HybridSequential(prefix="top_")
    with net.name_scope():
        net.add(nn.Dense(2))
    with pytest.raises(RuntimeError, match="'top_dense0_weight' has not been initialized") as info:
        net(nd.ones((4, 3)))
    notes = info.value.__notes__
    assert notes == [
        "in Dense 'top_dense0' (0) called with float32 (4, 3) on cpu(0)",
        "in HybridSequential 'top' called with float32 (4, 3) on cpu(0)",
    ]


def test_mismatching_data_names_both_sizes():
    net = nn.Dense(2, in_units=16)
    net.initialize()
    with pytest.raises(MXNetError, match=r"\(8, 12\).*12.*16"):
        net(nd.ones((8, 12)))


def test_data_on_another_context_says_where_the_parameters_are():
    net = nn.Dense(2, in_units=2)
    net.initialize()
    with pytest.raises(RuntimeError, match=r"on context cpu\(1\). It was only initialized on"):
        net(nd.ones((1, 2), ctx=mx.cpu(1)))


class Branches(nn.HybridBlock):
    """Uses its second child first: the orders of initialization differ."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.first = nn.Dense(2, use_bias=False)
        self.second = nn.Dense(2, use_bias=False)

    def hybrid_forward(self, F, x):
        late = self.second(x)
        return F.elemwise_add(self.first(x), late)


def _initial_weights(hybridize):
    mx.random.seed(7)
    net = Branches()
    net.initialize()
    if hybridize:
        net.hybridize()
    net(nd.ones((1, 3)))
    return net.first.weight.data().asnumpy(), net.second.weight.data().asnumpy()


def test_deferred_initialization_draws_in_execution_order_unless_hybridized():
    eager_first, eager_second = _initial_weights(hybridize=False)
    graph_first, graph_second = _initial_weights(hybridize=True)
    assert eager_second.tolist() == graph_first.tolist()
    assert eager_first.tolist() == graph_second.tolist()


def test_custom_block_has_its_weight_inferred():
    class Mine(nn.HybridBlock):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            self.kernel = self.params.get("kernel", shape=(5, 0), allow_deferred_init=True)

        def hybrid_forward(self, F, x, kernel):
            return F.FullyConnected(F.relu(x), kernel, num_hidden=5, no_bias=True)

    net = Mine()
    net.initialize()
    assert net(nd.ones((2, 3))).shape == (2, 5)
    assert net.kernel.shape == (5, 3)


def test_infer_shape_and_type_prepare_without_data():
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, 3), nn.BatchNorm(), nn.Flatten(), nn.Dense(2))
    net.initialize()
    net.infer_shape(nd.ones((1, 2, 8, 8)))
    assert net[0].weight.shape == (4, 2, 3, 3)
    assert net[3].weight.shape == (2, 144)
    net.infer_type(nd.ones((1,), dtype="float16"))
    assert net[0].weight.dtype.__name__ == "float16"


def test_what_can_not_be_inferred_says_which_parameter():
    class Free(nn.HybridBlock):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            self.table = self.params.get("table", shape=(0, 2), allow_deferred_init=True)

        def hybrid_forward(self, F, x, table):
            return F.exp(table)

    net = Free(prefix="free_")
    net.initialize()
    with pytest.raises(MXNetError, match="parameter 'free_table' can't be inferred"):
        net(nd.ones((2, 3)))


def test_summary_prints_mxnets_table(capsys):
    net = nn.HybridSequential()
    net.add(nn.Dense(3), nn.Dropout(0.5))
    net.initialize()
    net.summary(nd.ones((2, 3)))
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == f"{'Layer (type)':>20}  {'Output Shape':>42} {'Param #':>15}"
    assert lines[4] == f"{'Dense-1':>20}  {'(2, 3)':>42} {'12':>15}"
    assert lines[-2] == "Unique parameters in model: 12"
    net.hybridize()
    net.summary(nd.ones((2, 3)))
    assert capsys.readouterr().out.splitlines() == lines


def test_op_hook_sees_every_operator_also_when_hybridized():
    net = nn.HybridSequential(prefix="n_")
    with net.name_scope():
        net.add(nn.Dense(2, in_units=3), nn.Dense(4, in_units=2))
    net.initialize()
    net.hybridize()
    x = nd.ones((1, 3))
    net(x)
    seen = []
    net.register_op_hook(lambda name, op, array: seen.append((name, op, array.shape)))
    net(x)
    net(x)
    assert seen == 2 * [
        (b"n_dense0_fwd_output", b"FullyConnected", (1, 2)),
        (b"n_dense1_fwd_output", b"FullyConnected", (1, 4)),
    ]


def test_op_hook_shows_inputs_on_demand():
    for options in ({"in_units": 3}, {}):  # whose first call finds the shapes
        net = nn.Dense(2, prefix="d_", **options)
        net.initialize()
        names = []
        net.register_op_hook(lambda name, *_, seen=names: seen.append(name), monitor_all=True)
        net(nd.ones((1, 3)))
        assert names == [b"d_fwd_data", b"d_fwd_weight", b"d_fwd_bias", b"d_fwd_output"]


def test_op_hook_of_a_hybridized_block_names_operators_as_its_graph_does():
    class Net(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            return [F.exp(x * 2), F.concat(x, x, dim=0)]

    net = Net(prefix="n_")
    net.hybridize()
    names = []
    net.register_op_hook(lambda name, *_: names.append(name.decode()), monitor_all=True)
    first, second = net(nd.zeros((1, 2)))
    assert first.asnumpy().tolist() == [[1, 1]]
    assert second.shape == (2, 2)
    assert names == [
        "n__mulscalar0_input0", "n__mulscalar0_output", "n_exp0_input0", "n_exp0_output",
        "n_concat0_arg0", "n_concat0_arg1", "n_concat0_output",
    ]  # fmt: skip


def test_op_hook_changes_neither_gradients_nor_moving_averages():
    def trained(*, is_watched):
        net = nn.HybridSequential(prefix="n_")
        with net.name_scope():
            net.add(nn.Dense(3), nn.BatchNorm(), nn.Activation("relu"))
        net.initialize("ones")
        net.hybridize()
        if is_watched:
            net.register_op_hook(lambda *_: None)
        with autograd.record():
            net(nd.arange(8).reshape((4, 2))).sum().backward()
        params = net.collect_params().values()
        grads = [param.grad().asnumpy() for param in params if param.grad_req != "null"]
        return [*grads, *(param.data().asnumpy() for param in params)]

    for found, expected in zip(trained(is_watched=True), trained(is_watched=False), strict=True):
        assert_close(found, expected)
