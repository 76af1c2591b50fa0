"""What errors say about shapes that were inferred, and how they are inferred anew."""

# ruff: noqa: ANN401 - layers and what they take are of many kinds

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as onp
import pytest

import gluonish as mx
from gluonish import autograd, gluon, nd, random_streams
from gluonish.block.parameter import State
from gluonish.errors import ShapeError
from gluonish.gluon import nn, rnn


def _notes(error: BaseException) -> str:
    return "\n".join(getattr(error, "__notes__", []))


def test_a_forgotten_axis_is_told_before_a_shape_is_taken() -> None:
    net = nn.Conv2D(4, 3)
    net.initialize()
    with pytest.raises(mx.MXNetError) as caught:
        net(nd.ones((2, 28, 28)))
    assert str(caught.value).startswith(
        "Convolution: data of shape (2, 28, 28) was given for kernel=(3, 3). Expected 4 axes: "
        "batch, channels and 2 spatial ones. Reshape the data; one example becomes a batch with "
        "x.expand_dims(0), images of one channel get their axis with x.expand_dims(1)."
    )
    assert "inferred" not in _notes(caught.value)
    assert net.weight.shape == (4, 0, 3, 3)
    assert net(nd.ones((2, 1, 28, 28))).shape == (2, 4, 26, 26)


def test_a_cell_tells_of_axes_before_it_takes_a_shape() -> None:
    cell = rnn.GRUCell(3)
    cell.initialize()
    with pytest.raises(mx.MXNetError, match=r"GRUCell: data of shape \(2, 4, 5\) has 3 axes"):
        cell(nd.ones((2, 4, 5)), cell.begin_state(2))
    assert cell(nd.ones((2, 5)), cell.begin_state(2))[0].shape == (2, 3)


@pytest.mark.parametrize("is_hybrid", [False, True])
def test_errors_say_from_which_batch_a_shape_was_inferred(is_hybrid: bool) -> None:
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(3), nn.Dense(2))
    net.initialize()
    net.hybridize(is_hybrid)
    net(nd.ones((8, 12)))
    with pytest.raises(mx.MXNetError, match=r"has 16 features per row") as caught:
        net(nd.ones((8, 16)))
    assert (
        "'net_dense0_weight' of shape (3, 12) was inferred from a batch of shape (8, 12). If that "
        "was the wrong one, initialize(force_reinit=True) has the next call infer it anew, and "
        "draw its values anew."
    ) in _notes(caught.value)


def test_errors_say_that_a_shape_was_inferred_in_the_same_call() -> None:
    one = nn.Dense(3, prefix="one_")
    two = nn.Dense(3, params=one.params, prefix="two_")
    net = nn.Sequential()
    net.add(one, two)
    net.initialize()
    with pytest.raises(mx.MXNetError, match=r"has 3 features per row") as caught:
        net(nd.ones((8, 12)))
    assert (
        "'one_weight' of shape (3, 12) was inferred from a batch of shape (8, 12), in this call. "
        "Nothing of that is kept."
    ) in _notes(caught.value)
    assert one.weight.state is State.DEFERRED
    assert net(nd.ones((8, 3))).shape == (8, 3)


def test_values_of_other_shapes_are_told_what_a_shape_was_inferred_from() -> None:
    net = nn.Dense(3, prefix="dense_")
    net.initialize()
    net(nd.ones((8, 12)))
    text = (
        r"Parameter 'dense_weight': shape \(3, 16\) was given, which is incompatible with its "
        r"shape \(3, 12\)\. Expected known dimensions to stay\. The shape \(3, 12\) was inferred "
        r"from a batch of shape \(8, 12\)\. Build the Block anew, or call it with data like that\."
    )
    with pytest.raises(AssertionError, match=text):
        net.weight.set_data(nd.ones((3, 16)))


def test_a_shape_that_was_given_is_not_called_inferred() -> None:
    net = nn.Dense(3, in_units=12)
    net.initialize()
    net(nd.ones((8, 12)))
    with pytest.raises(mx.MXNetError) as caught:
        net(nd.ones((8, 16)))
    assert "inferred from" not in _notes(caught.value)
    with pytest.raises(AssertionError, match="may be left out to have them inferred"):
        net.weight.set_data(nd.ones((3, 16)))


# --- force_reinit ---------------------------------------------------------------------------


@pytest.mark.parametrize("is_hybrid", [False, True])
def test_force_reinit_infers_anew(is_hybrid: bool) -> None:
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, 3), nn.BatchNorm(), nn.Dense(2))
    net.initialize()
    net.hybridize(is_hybrid)
    net(nd.ones((2, 1, 8, 8)))
    net.initialize(force_reinit=True)
    assert net[0].weight.data().shape == (4, 1, 3, 3)  # as in MXNet, until data say otherwise
    assert net(nd.ones((2, 3, 6, 6))).shape == (2, 2)
    assert net[0].weight.data().shape == (4, 3, 3, 3)
    assert net[2].weight.data().shape == (2, 64)


def test_shapes_inferred_anew_draw_what_a_new_net_draws() -> None:
    net = nn.Dense(3)
    net.initialize()
    net(nd.ones((2, 4)))
    net.initialize(force_reinit=True)
    state = random_streams.get_state()
    net(nd.ones((2, 5)))
    random_streams.set_state(state)
    other = nn.Dense(3)
    other.initialize()
    other(nd.ones((2, 5)))
    onp.testing.assert_array_equal(net.weight.data().asnumpy(), other.weight.data().asnumpy())


def test_force_reinit_keeps_what_it_drew_where_data_fit() -> None:
    net = nn.Dense(3)
    net.initialize()
    net(nd.ones((2, 4)))
    net.initialize(force_reinit=True)
    values = net.weight.data().asnumpy()
    net(nd.ones((7, 4)))
    onp.testing.assert_array_equal(net.weight.data().asnumpy(), values)


@pytest.mark.parametrize("change", ["a call", "set_data", "written", "loaded"])
def test_shapes_stay_once_something_has_used_them(change: str, tmp_path: Any) -> None:
    net = nn.Dense(3)
    net.initialize()
    net(nd.ones((2, 4)))
    net.save_parameters(tmp_path / "a.params")
    net.initialize(force_reinit=True)
    if change == "a call":
        net(nd.ones((2, 4)))
    elif change == "set_data":
        net.weight.set_data(nd.ones((3, 4)))
    elif change == "written":
        net.weight.data()[:] = 1
    else:
        net.load_parameters(tmp_path / "a.params")
    with pytest.raises(mx.MXNetError, match="has 5 features per row"):
        net(nd.ones((2, 5)))
    assert net.weight.shape == (3, 4)


def test_force_reinit_and_a_call_that_fails_anyhow_change_nothing() -> None:
    net = nn.Sequential()
    net.add(nn.Dense(3), nn.Dense(2, in_units=7))
    net[0].initialize()
    net[1].initialize()
    net[0](nd.ones((2, 4)))
    net[0].initialize(force_reinit=True)
    values, state = net[0].weight.data().asnumpy(), pickle.dumps(random_streams.get_state())
    with pytest.raises(mx.MXNetError, match="has 3 features per row"):
        net(nd.ones((2, 5)))
    onp.testing.assert_array_equal(net[0].weight.data().asnumpy(), values)
    assert pickle.dumps(random_streams.get_state()) == state
    assert net[0](nd.ones((2, 6))).shape == (2, 3)


# --- what else a call may have changed ------------------------------------------------------


def test_averages_that_were_there_are_given_back() -> None:
    net = nn.Sequential()
    net.add(nn.BatchNorm(in_channels=3), nn.Dense(2), nn.Dense(2, in_units=7))
    net.initialize()
    with autograd.record(), pytest.raises(mx.MXNetError):
        net(nd.arange(6).reshape((2, 3)))
    assert net[0].running_mean.data().asnumpy().tolist() == [0, 0, 0]
    assert net[0].running_var.data().asnumpy().tolist() == [1, 1, 1]


def test_a_layer_that_was_called_by_itself_keeps_its_shape() -> None:
    net = nn.Sequential()
    net.add(nn.Dense(3), nn.Dense(2, in_units=7))
    net.initialize()
    net[0](nd.ones((2, 4)))
    values = net[0].weight.data().asnumpy()
    with pytest.raises(mx.MXNetError):
        net(nd.ones((2, 4)))
    onp.testing.assert_array_equal(net[0].weight.data().asnumpy(), values)


def test_a_layer_that_is_added_later_is_taken_back_alone() -> None:
    net = nn.Sequential()
    net.add(nn.Dense(3))
    net.initialize()
    net(nd.ones((2, 4)))
    net.add(nn.Dense(5), nn.Dense(2, in_units=7))
    for layer in (net[1], net[2]):
        layer.initialize()
    with pytest.raises(mx.MXNetError, match="has 5 features"):
        net(nd.ones((2, 4)))
    assert net[0].weight.shape == (3, 4)
    assert net[1].weight.state is State.DEFERRED


def test_graphs_of_a_failed_call_are_forgotten() -> None:
    class Net(nn.HybridBlock):
        def __init__(self) -> None:
            super().__init__()
            self.one, self.two = nn.Dense(3), nn.Dense(2, in_units=7)

        def forward(self, x: Any) -> Any:
            y = self.one(x)
            float(y.sum().asscalar())  # so that the children are captured each for itself
            return self.two(y)

    net = Net()
    net.initialize()
    net.hybridize()
    with pytest.raises(mx.MXNetError, match="has 3 features"):
        net(nd.ones((2, 4)))
    assert net.one._graphs.graphs == []
    assert net.one(nd.ones((2, 5))).shape == (2, 3)


def test_unrolling_gives_shapes_back() -> None:
    for cell in (rnn.LSTMCell(3), rnn.BidirectionalCell(rnn.GRUCell(3), rnn.GRUCell(3))):
        cell.initialize()
        with pytest.raises(mx.MXNetError):
            cell.unroll(2, [nd.ones((2, 4)), nd.ones((2, 5))])
        params = cell.collect_params().values()
        assert {one.state for one in params if "i2h_weight" in one.name} == {State.DEFERRED}
        outputs, _ = cell.unroll(2, nd.ones((2, 2, 6)), merge_outputs=True)
        assert outputs.shape[:2] == (2, 2)


def test_a_part_that_data_never_reach_waits_on() -> None:
    class Net(nn.Block):
        def __init__(self) -> None:
            super().__init__()
            self.used, self.unused, self.reaches = nn.Dense(3), nn.Dense(2), False

        def forward(self, x: Any) -> Any:
            y = self.used(x)
            if self.reaches:
                self.unused(y)
                message = "reached"
                raise ValueError(message)
            return y

    net = Net()
    net.initialize()
    for _ in range(3):
        net(nd.ones((2, 4)))
    net.reaches = True
    state = pickle.dumps(random_streams.get_state())
    with pytest.raises(ValueError, match="reached"):
        net(nd.ones((2, 4)))
    assert net.unused.weight.state is State.DEFERRED
    assert pickle.dumps(random_streams.get_state()) == state


def test_a_copy_of_a_net_looks_for_itself() -> None:
    net = nn.Dense(3)
    net.initialize()
    for copied in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        net = gluon.nn.Lambda(lambda x, c=copied: nd.dot(c(x), x))
        with pytest.raises(mx.MXNetError):
            net(nd.ones((2, 4)))
        assert copied(nd.ones((2, 5))).shape == (2, 3)


# --- modules --------------------------------------------------------------------------------


def _module() -> mx.mod.Module:
    data = mx.sym.Convolution(mx.sym.var("data"), kernel=(3, 3), num_filter=4)
    output = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(data, num_hidden=3), name="softmax")
    return mx.mod.Module(output)


def _bind(module: Any, *shape: int, **options: Any) -> None:
    shapes = {"data_shapes": [("data", shape)], "label_shapes": [("softmax_label", shape[:1])]}
    module.bind(**shapes, **options)


def test_a_module_that_could_not_be_bound_is_bound_to_other_data() -> None:
    module = _module()
    with pytest.raises(mx.MXNetError, match="Expected 4 axes"):
        _bind(module, 2, 28, 28)
    assert not module.binded
    _bind(module, 2, 1, 28, 28)
    module.init_params()
    batch = mx.io.DataBatch([nd.ones((2, 1, 28, 28))], [nd.ones((2,))])
    module.forward(batch)
    with pytest.raises(mx.MXNetError, match="Expected 4 axes"):
        _bind(module, 2, 28, 28, force_rebind=True)
    with pytest.raises(mx.MXNetError, match="Expected 4 axes"):
        module.reshape([("data", (2, 28, 28))], [("softmax_label", (2,))])
    with pytest.raises(mx.MXNetError, match="Expected 4 axes"):
        module.forward(mx.io.DataBatch([nd.ones((2, 28, 28))], [nd.ones((2,))]))
    assert module.data_shapes[0].shape == (2, 1, 28, 28)
    module.forward(batch)
    assert module.get_outputs()[0].shape == (2, 3)


def test_modules_in_turn_are_bound_together_or_not_at_all() -> None:
    first = mx.mod.Module(mx.sym.Flatten(mx.sym.var("data")), label_names=None)
    modules = mx.mod.SequentialModule()
    modules.add(first).add(_module(), take_labels=True, auto_wiring=True)
    with pytest.raises(mx.MXNetError, match="Expected 4 axes"):
        _bind(modules, 2, 1, 28, 28)
    assert not modules.binded
    assert not first.binded


class _Reweighted(nn.HybridBlock):
    """A product whose weight is computed of parameters: only the product tells their shapes."""

    def __init__(self, rule: Any) -> None:
        super().__init__()
        self.rule = rule
        with self.name_scope():
            self.weight = self.params.get("weight", shape=(4, 0), allow_deferred_init=True)
            self.spread = self.params.get("spread", shape=(4, 0), allow_deferred_init=True)

    def hybrid_forward(self, F: Any, x: Any, weight: Any, spread: Any) -> Any:
        kernel = self.rule(self, F, weight, spread)
        return F.FullyConnected(x, kernel, num_hidden=4, no_bias=True)


@pytest.mark.parametrize("is_hybrid", [False, True])
@pytest.mark.parametrize(
    "rule",
    [
        lambda _, F, w, s: F.sign(w) * F.exp(s),
        lambda _, F, w, s: F.clip(w, -1, 1) + F.BlockGrad(s),
        lambda _, F, w, s: F.elemwise_add(w, F.sqrt(s * s + 1e-5)),
        lambda block, F, w, s: w + F.random_normal(shape=block.weight.shape) * F.exp(s),
    ],
)
def test_what_is_computed_of_weights_tells_their_shapes(is_hybrid: bool, rule: Any) -> None:
    net = _Reweighted(rule)
    net.initialize()
    if is_hybrid:
        net.hybridize()
    assert net(nd.ones((2, 3))).shape == (2, 4)
    assert net.weight.shape == net.spread.shape == (4, 3)


def test_layers_with_computed_weights_wait_for_data() -> None:
    class Signs(nn.Conv2D):
        def hybrid_forward(self, F: Any, x: Any, weight: Any, bias: Any = None) -> Any:
            return super().hybrid_forward(F, x, F.sign(weight), bias)

    net = nn.HybridSequential()
    net.add(Signs(4, 3), nn.Dense(2))
    net.initialize()
    assert net(nd.ones((1, 2, 8, 8))).shape == (1, 2)
    assert net[0].weight.shape == (4, 2, 3, 3)


def test_weights_of_numpys_operators_wait_for_data() -> None:
    class Squashed(nn.HybridBlock):
        def __init__(self) -> None:
            super().__init__()
            self.weight = self.params.get("weight", shape=(4, 0), allow_deferred_init=True)

        def hybrid_forward(self, F: Any, x: Any, weight: Any) -> Any:
            return F.npx.fully_connected(x, F.np.tanh(weight), no_bias=True, num_hidden=4)

    net = Squashed()
    net.initialize()
    assert net(mx.np.ones((2, 3))).shape == (2, 4)
    assert net.weight.shape == (4, 3)


def test_a_shape_that_nothing_tells_is_refused_by_the_operator() -> None:
    net = _Reweighted(lambda _, F, w, s: F.L2Normalization(w) + F.norm(s))
    net.initialize()
    with pytest.raises(ShapeError, match="L2Normalization: the shape of parameter"):
        net(nd.ones((2, 3)))
    assert net.weight.shape == (4, 0)


class _Noisy(nn.HybridBlock):
    def __init__(self, ctx: Any) -> None:
        super().__init__()
        self.ctx = ctx
        with self.name_scope():
            self.before, self.after = nn.Dense(3), nn.Dense(2)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        noise = F.random_normal(shape=(2, 3), ctx=self.ctx)
        return self.after(self.before(x) + noise)


@pytest.mark.parametrize("ctx", [None, mx.cpu(), mx.cpu(1)])
def test_initial_values_are_mxnets_where_a_hybridized_block_draws_on_a_context(ctx: Any) -> None:
    mx.random.seed(3)
    net = _Noisy(ctx)
    net.initialize(mx.init.Xavier(), ctx=ctx)
    net.hybridize()
    net(nd.ones((2, 4), ctx=ctx))
    assert net.before.weight.data(ctx)[0, 0].asscalar() == onp.float32(0.15794909)
    assert net.after.weight.data(ctx)[0, 0].asscalar() == onp.float32(0.40749657)
