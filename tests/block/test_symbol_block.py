"""SymbolBlock: graphs as Blocks; and HybridBlock.export, which writes what it reads."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as onp
import pytest
from closeness import assert_close

import gluonish as mx
from gluonish import autograd, gluon, nd, npx, sym
from gluonish.errors import (
    ExportError,
    InvalidArgumentError,
    OperandError,
    ParameterFileError,
    UninitializedParameterError,
)
from gluonish.gluon import nn

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def names() -> Iterator[None]:
    with mx.name.NameManager():
        yield
    npx.reset_np()


def perceptron() -> sym.Symbol:
    hidden = sym.FullyConnected(sym.var("data"), num_hidden=4, name="fc1")
    hidden = sym.Activation(hidden, act_type="relu", name="relu1")
    return sym.FullyConnected(hidden, num_hidden=2, name="fc2")


def block() -> gluon.SymbolBlock:
    net = gluon.SymbolBlock(perceptron(), sym.var("data"))
    net.initialize(mx.init.Uniform(0.5))
    return net


def layers(prefix: str | None = "net_") -> nn.HybridSequential:
    net = nn.HybridSequential(prefix=prefix)
    with net.name_scope():
        net.add(nn.Dense(4, activation="relu"), nn.BatchNorm(), nn.Dense(2))
    net.initialize(mx.init.Uniform(0.5))
    return net


X = nd.array(onp.linspace(-1, 1, 15).reshape(3, 5))


# --- what it is -----------------------------------------------------------------------------


def test_names_and_printed_form_are_those_of_mxnet() -> None:
    net = gluon.SymbolBlock(perceptron(), [sym.var("data")])
    assert repr(net) == "SymbolBlock(\n<Symbol fc2> : 1 -> 1\n)"
    assert (net.prefix, net.name) == ("", "symbolblock0")
    assert list(net.collect_params()) == ["fc1_weight", "fc1_bias", "fc2_weight", "fc2_bias"]
    assert list(net._collect_params_with_prefix()) == [
        "1_weight", "1_bias", "2_weight", "2_bias",
    ]  # fmt: skip
    assert net.collect_params()["fc1_weight"].shape is None


def test_states_are_parameters_without_gradient() -> None:
    net = gluon.SymbolBlock(sym.BatchNorm(sym.var("x"), name="bn"), sym.var("x"))
    requests = {name: param.grad_req for name, param in net.collect_params().items()}
    assert requests == {
        "bn_gamma": "null", "bn_beta": "write", "bn_moving_mean": "null", "bn_moving_var": "null",
    }  # fmt: skip
    net.initialize()
    with autograd.record():
        net(nd.array([[1, 2], [3, 6]]))
    onp.testing.assert_allclose(
        net.collect_params()["bn_moving_mean"].data().asnumpy(), [0.2, 0.4], rtol=1e-5
    )


def test_several_outputs_come_as_a_list() -> None:
    both = perceptron().get_internals()
    for outputs in (
        [both["fc1_output"], both["fc2_output"]],
        sym.Group([both["fc1_output"], both["fc2_output"]]),
    ):
        net = gluon.SymbolBlock(outputs, [sym.var("data")])
        net.initialize()
        assert [output.shape for output in net(X)] == [(3, 4), (3, 2)]


def test_it_is_found_where_mxnet_has_it() -> None:
    assert gluon.SymbolBlock is nn.SymbolBlock is gluon.block.SymbolBlock


# --- what it does ---------------------------------------------------------------------------


@pytest.mark.parametrize("active", [False, True])
def test_it_computes_and_learns_what_layers_do(active: bool) -> None:
    net = layers()
    net(X)
    graph = net(sym.var("data"))
    twin = gluon.SymbolBlock(graph, sym.var("data"))
    twin.initialize()
    twin(X)
    for name, param in net.collect_params().items():
        twin.collect_params()[name].set_data(param.data())
    twin.hybridize(active)
    results = []
    for each in (net, twin):
        trainer = gluon.Trainer(each.collect_params(), "sgd", {"learning_rate": 0.1})
        for _ in range(3):
            with autograd.record():
                loss = (each(X) ** 2).sum()
            loss.backward()
            trainer.step(3)
        results.append(each(X).asnumpy())
    onp.testing.assert_allclose(results[1], results[0], rtol=1e-5)
    assert (twin.graph is not None) is active


def test_it_shares_parameters() -> None:
    net = layers()
    net(X)
    graph = net(sym.var("data"))
    for params in (net.collect_params(), dict(net.collect_params().items())):
        twin = gluon.SymbolBlock(graph, sym.var("data"), params=params)
        assert twin.collect_params()["net_dense0_weight"] is net[0].weight
        onp.testing.assert_array_equal(twin(X).asnumpy(), net(X).asnumpy())


def test_features_are_taken_out_of_the_middle() -> None:
    net = layers()
    expected = net[0](X).asnumpy()
    internals = net(sym.var("data")).get_internals()
    part = internals["net_dense0_relu_fwd_output"]
    features = gluon.SymbolBlock(part, sym.var("data"), params=net.collect_params())
    onp.testing.assert_array_equal(features(X).asnumpy(), expected)


def test_it_is_a_layer_among_others() -> None:
    net = nn.HybridSequential()
    net.add(gluon.SymbolBlock(perceptron(), sym.var("data")), nn.Dense(3))
    net.initialize()
    expected = net(X).asnumpy()
    net.hybridize()
    assert_close(net(X).asnumpy(), expected)
    assert list(net._collect_params_with_prefix()) == [
        "0.1_weight", "0.1_bias", "0.2_weight", "0.2_bias", "1.weight", "1.bias",
    ]  # fmt: skip
    assert net(sym.var("x")).list_arguments()[:2] == ["x", "fc1_weight"]


def test_called_with_symbols_it_makes_a_graph_with_the_same_parameters() -> None:
    net = block()
    graph = net(sym.exp(sym.var("q")))
    assert graph.list_arguments() == ["q", "fc1_weight", "fc1_bias", "fc2_weight", "fc2_bias"]
    twice = sym.Group([net(sym.var("a")), net(sym.var("b"))])
    assert twice.list_arguments().count("fc1_weight") == 1
    assert type(net(sym.var("x").as_np_ndarray())).__name__ == "_Symbol"


def test_np_arrays_go_in_and_come_out() -> None:
    net = block()
    npx.set_np()
    net = gluon.SymbolBlock(perceptron(), sym.var("data"))
    net.initialize()
    assert type(net(mx.np.ones((3, 5)))) is mx.np.ndarray


def test_hooks_see_its_calls() -> None:
    net, seen = block(), []
    net.register_forward_pre_hook(lambda each, inputs: seen.append(inputs[0].shape))
    handle = net.register_forward_hook(lambda each, inputs, output: seen.append(output.shape))
    net(X)
    handle.detach()
    net(X)
    assert seen == [(3, 5), (3, 2), (3, 5)]


def test_copies_and_pickles_compute_the_same() -> None:
    net = block()
    expected = net(X).asnumpy()
    for other in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        onp.testing.assert_array_equal(other(X).asnumpy(), expected)


def test_its_parameters_are_saved_and_loaded(tmp_path: Path) -> None:
    net = block()
    expected = net(X).asnumpy()
    net.save_parameters(tmp_path / "net.params")
    other = gluon.SymbolBlock(perceptron(), sym.var("data"))
    other.load_parameters(tmp_path / "net.params")
    onp.testing.assert_array_equal(other(X).asnumpy(), expected)


def test_cast_keeps_the_states_of_batchnorm_in_float32() -> None:
    net = layers()
    net(X)
    twin = gluon.SymbolBlock(net(sym.var("data")), sym.var("data"), params=net.collect_params())
    twin.cast("float16")
    kinds = {name: onp.dtype(p.dtype).name for name, p in twin.collect_params().items()}
    assert kinds["net_dense0_weight"] == "float16"
    assert kinds["net_batchnorm0_gamma"] == kinds["net_batchnorm0_running_var"] == "float32"
    assert twin(X.astype("float16")).dtype == onp.float16


def test_it_moves_to_other_contexts() -> None:
    net = block()
    expected = net(X).asnumpy()
    net.reset_ctx([mx.cpu(1), mx.cpu(2)])
    for ctx in (mx.cpu(1), mx.cpu(2)):
        output = net(X.as_in_context(ctx))
        assert output.context == ctx
        onp.testing.assert_array_equal(output.asnumpy(), expected)


def test_shapes_and_dtypes_are_inferred_through_the_graph() -> None:
    net = gluon.SymbolBlock(perceptron(), sym.var("data"))
    net.infer_shape(nd.ones((1, 7)))
    assert net.collect_params()["fc1_weight"].shape == (4, 7)
    assert net.collect_params()["fc2_bias"].shape == (2,)
    net.infer_type(nd.ones((1, 7), dtype="float64"))
    assert onp.dtype(net.collect_params()["fc2_weight"].dtype) == onp.float64


def test_declared_dtypes_are_those_of_parameters() -> None:
    weight = sym.var("w", dtype="float64")
    net = gluon.SymbolBlock(sym.dot(sym.var("x"), weight), sym.var("x"))
    assert onp.dtype(net.collect_params()["w"].dtype) == onp.float64


def test_summary_counts_its_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    block().summary(X)
    text = capsys.readouterr().out
    assert "SymbolBlock-1" in text
    assert "Total params: 34" in text


def test_optimize_for_captures_at_once() -> None:
    net = block()
    net.optimize_for(X, backend="fx")
    assert net.graph is not None


def test_zeros_of_open_size_follow_the_batch() -> None:
    cell = gluon.rnn.GRUCell(3, prefix="c_")
    outputs, _ = cell.unroll(2, sym.var("x"), merge_outputs=True)
    net = gluon.SymbolBlock(outputs, sym.var("x"))
    net.initialize()
    for active in (False, True):
        net.hybridize(active)
        for batch in (1, 4, 1):
            assert net(nd.ones((batch, 2, 5))).shape == (batch, 2, 3)


# --- errors ---------------------------------------------------------------------------------


def test_inputs_must_be_variables() -> None:
    graph = perceptron()
    with pytest.raises(OperandError, match="must be variable, but <Symbol fc2> is an output of op"):
        gluon.SymbolBlock(graph, graph)
    with pytest.raises(OperandError, match="but an object of type str is none"):
        gluon.SymbolBlock(graph, "data")  # type: ignore[arg-type]


def test_outputs_must_be_symbols() -> None:
    with pytest.raises(InvalidArgumentError, match="an object of type NDArray was given"):
        gluon.SymbolBlock(X, sym.var("data"))  # type: ignore[arg-type]


@pytest.mark.parametrize("args", [(X, X), (3,)])
def test_as_many_arrays_as_inputs_are_wanted(args: tuple[Any, ...]) -> None:
    with pytest.raises(InvalidArgumentError, match=r"Expected 1, for the inputs \['data'\]"):
        block()(*args)
    with pytest.raises(InvalidArgumentError, match="2 arrays were given"):
        block()(sym.var("a"), sym.var("b"))


def test_parameters_must_be_initialized() -> None:
    with pytest.raises(UninitializedParameterError, match="has not been initialized"):
        gluon.SymbolBlock(perceptron(), sym.var("data"))(X)


# --- files ----------------------------------------------------------------------------------


def test_what_is_exported_is_imported_and_exported_again(tmp_path: Path) -> None:
    net = layers()
    net.hybridize()
    expected = net(X).asnumpy()
    graph, params = net.export(tmp_path / "a", epoch=3)
    assert params.endswith("a-0003.params")
    twin = gluon.SymbolBlock.imports(graph, ["data"], params)
    onp.testing.assert_array_equal(twin(X).asnumpy(), expected)
    again, values = twin.export(str(tmp_path / "b"))
    assert Path(again).read_text() == Path(graph).read_text()
    assert Path(values).read_bytes() == Path(params).read_bytes()


def test_states_and_arguments_are_marked(tmp_path: Path) -> None:
    net = layers()
    net.hybridize()
    net(X)
    _, params = net.export(tmp_path / "a")
    marks = {name.partition(":")[2]: name.partition(":")[0] for name in nd.load(params)}
    assert marks["net_batchnorm0_running_mean"] == "aux"
    assert marks["net_batchnorm0_gamma"] == "arg"
    assert len(marks) == 8


class Several(gluon.HybridBlock):
    """A Block with nested inputs and outputs, a constant and a layer that it does not use."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.a = nn.Dense(3)
            self.unused = nn.Dense(2, in_units=2)
            self.c = self.params.get_constant("c", [[1, 2, 3]])

    def hybrid_forward(self, F, x, rest, z=None, c=None):
        out = F.broadcast_add(self.a(x) + rest[0], c)
        return out, [out * 2, rest[1]]


def test_nested_inputs_are_numbered_and_unused_parameters_left_out(tmp_path: Path) -> None:
    net = Several(prefix="n_")
    net.initialize()
    net.hybridize()
    y = nd.ones((3, 3))
    out, (double, same) = net(X, [y, y + 1], None)
    inputs, outputs = net._get_graph(X, [y, y])
    assert [symbol.name for symbol in inputs] == ["data0", "data1", "data2"]
    assert len(outputs) == 2
    graph, params = net.export(tmp_path / "n")
    assert list(nd.load(params)) == ["arg:n_dense0_weight", "arg:n_dense0_bias", "arg:n_c"]
    twin = gluon.SymbolBlock.imports(graph, ["data0", "data1", "data2"], params)
    for found, wanted in zip(twin(X, y, y + 1), (out, double, same), strict=True):
        onp.testing.assert_array_equal(found.asnumpy(), wanted.asnumpy())


def test_a_plain_signature_is_enough_to_export_what_was_not_hybridized(tmp_path: Path) -> None:
    net = layers()
    net(X)
    graph, params = net.export(tmp_path / "a")
    twin = gluon.SymbolBlock.imports(graph, "data", params)
    assert_close(twin(X).asnumpy(), net(X).asnumpy())


def test_a_graph_of_two_inputs_is_exported_before_it_was_hybridized(tmp_path: Path) -> None:
    left, right = sym.var("data0"), sym.var("data1")
    dense = sym.FullyConnected(left, num_hidden=2, name="fc")
    block = gluon.SymbolBlock(dense - right, [left, right])
    block.initialize()
    data = [nd.ones((2, 3)), nd.ones((2, 2))]
    expected = block(*data)
    graph, params = block.export(tmp_path / "net")
    again = gluon.SymbolBlock.imports(graph, ["data0", "data1"], params)
    assert_close(again(*data), expected)


def test_what_is_not_known_is_not_exported(tmp_path: Path) -> None:
    words = "Please first call block.hybridize.* and then run forward"
    with pytest.raises(RuntimeError, match=f"no values yet: net_dense0_weight.*{words}"):
        layers().export(tmp_path / "a")
    net = Several()
    net.initialize()
    net(X, [nd.ones((3, 3))] * 2)
    with pytest.raises(ExportError, match=f"signature does not tell.*{words}"):
        net.export(tmp_path / "a")
    assert list(tmp_path.iterdir()) == []


def test_an_error_of_the_programs_own_is_shown_when_it_can_not_be_exported(tmp_path: Path) -> None:
    class Wrong(gluon.HybridBlock):
        def hybrid_forward(self, F, x):  # type: ignore[no-untyped-def]
            return x + self.misspelt

    with pytest.raises(ExportError, match="no attribute 'misspelt'") as caught:
        Wrong().export(tmp_path / "a")
    assert isinstance(caught.value.__cause__, AttributeError)


def test_the_cached_graph_is_there_after_a_hybridized_call() -> None:
    net = layers()
    assert (net._cached_graph, net._active) == ((), False)
    net.hybridize()
    assert (net._cached_graph, net._active) == ((), True)
    net(X)
    inputs, output = net._cached_graph
    assert [symbol.name for symbol in inputs] == ["data"]
    assert output.name == "net_dense1_fwd"


def test_missing_and_extra_parameters_are_told(tmp_path: Path) -> None:
    net = layers()
    net.hybridize()
    net(X)
    graph, params = net.export(tmp_path / "a")
    values = nd.load(params)
    file = str(tmp_path / "few.params")
    nd.save(file, {key: values[key] for key in list(values)[:2]})
    with pytest.raises(ParameterFileError, match="'net_batchnorm0_gamma'.*missing in the file"):
        gluon.SymbolBlock.imports(graph, ["data"], file)
    few = gluon.SymbolBlock.imports(graph, ["data"], file, allow_missing=True)
    few.collect_params("net_(batch|dense1)").initialize()
    assert few(X).shape == (3, 2)
    nd.save(file, values | {"arg:more": nd.ones((1,))})
    with pytest.raises(ParameterFileError, match="'more'.*not in the Block"):
        gluon.SymbolBlock.imports(graph, ["data"], file)
    more = gluon.SymbolBlock.imports(graph, ["data"], file, ignore_extra=True)
    onp.testing.assert_array_equal(more(X).asnumpy(), net(X).asnumpy())


def test_parameters_are_put_where_they_are_wanted(tmp_path: Path) -> None:
    net = layers()
    net.hybridize()
    net(X)
    net.cast("float64")
    graph, params = net.export(tmp_path / "a")
    twin = gluon.SymbolBlock.imports(graph, ["data"], params, ctx=[mx.cpu(0), mx.cpu(1)])
    weight = twin.collect_params()["net_dense0_weight"]
    assert weight.list_ctx() == [mx.cpu(0), mx.cpu(1)]
    assert weight.data(mx.cpu(1)).dtype == onp.float64


def test_wrong_names_of_inputs_are_told_from_missing_parameters(tmp_path: Path) -> None:
    net = nn.Dense(2, in_units=3, prefix="fc_")
    net.initialize()
    net.hybridize()
    net(nd.ones((1, 3)))
    graph, params = net.export(str(tmp_path / "net"))
    with pytest.raises(
        ParameterFileError,
        match=r"SymbolBlock\.imports\('.*net-symbol\.json'\): input_names=\['dada'\] was given, "
        r"but the graph has no 'dada'\. Expected those of its variables for which "
        r"'.*net-0000\.params' has no values: 'data'\. Write \['data'\] in place of \['dada'\]\.",
    ) as caught:
        gluon.SymbolBlock.imports(graph, ["dada"], params)
    assert isinstance(caught.value, AssertionError)
    with pytest.raises(ParameterFileError, match="'fc_bias': not among the parameters|fc_bias"):
        gluon.SymbolBlock.imports(graph, ["data", "fc_bias"], params)
    unused = gluon.SymbolBlock.imports(graph, ["data", "label"], params)
    assert unused(nd.ones((1, 3)), nd.zeros(1)).shape == (1, 2)


def test_row_sparse_parameters_are_refused_as_in_mxnet() -> None:
    weight = sym.var("weight", stype="row_sparse")
    with pytest.raises(AssertionError, match="doesn't support Parameter 'weight' because its"):
        gluon.SymbolBlock(sym.dot(sym.var("data"), weight), sym.var("data"))
    csr = gluon.SymbolBlock(sym.dot(sym.var("x", stype="csr"), sym.var("w")), sym.var("x"))
    assert list(csr.collect_params()) == ["w"]
