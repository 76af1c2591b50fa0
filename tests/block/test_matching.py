"""Files find the parameters they are for: every kind of file, in Blocks with other names."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import numpy as onp
import pytest
from closeness import assert_close

import gluonish as mx
from gluonish.errors import ParameterFileError
from gluonish.gluon import nn, rnn
from tests.test_golden_models import BUILDERS, MODELS, Tied, default_names, recorded

if TYPE_CHECKING:
    from pathlib import Path

NAMES = list(BUILDERS)
FILES = ["net.params", "net-0007.params", "net.legacy_pdict.params"]


def assert_loaded(net: nn.HybridBlock, name: str) -> None:
    values = recorded(name, "values.npz")
    for key, param in net._collect_params_with_prefix().items():
        onp.testing.assert_array_equal(param.data().asnumpy(), values[key], err_msg=key)


# --- files of the real MXNet 1.9.1 -------------------------------------------------------------


@pytest.mark.parametrize("prefix", ["same", None, "other_", "a_b3_"])
@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("name", NAMES)
def test_files_of_mxnet_load_into_blocks_of_any_prefix(
    name: str, file: str, prefix: str | None
) -> None:
    net = BUILDERS[name](prefix=f"{name}_" if prefix == "same" else prefix)
    net.load_parameters(MODELS / name / file)
    assert_loaded(net, name)


@pytest.mark.parametrize("prefix", ["same", None, "other_"])
@pytest.mark.parametrize("file", FILES[1:])
@pytest.mark.parametrize("name", NAMES)
def test_files_of_mxnet_load_into_dictionaries_of_any_prefix(
    name: str, file: str, prefix: str | None
) -> None:
    net = BUILDERS[name](prefix=f"{name}_" if prefix == "same" else prefix)
    net.collect_params().load(MODELS / name / file)
    assert_loaded(net, name)


@pytest.mark.parametrize("file", ["net.params", "net-0000.params"])
def test_counters_of_names_may_differ(file: str, caplog: pytest.LogCaptureFixture) -> None:
    nn.Dense(1)
    nets = [default_names(), default_names()]
    with caplog.at_level(logging.WARNING, "gluonish.block"):
        for net in nets:
            net.load_parameters(MODELS / "default_names" / file)
    data = mx.nd.array(recorded("default_names")["input"])
    for net in nets:
        expected = recorded("default_names")["output"]
        onp.testing.assert_allclose(net(data).asnumpy(), expected, rtol=1e-5, atol=1e-6)
    assert bool(caplog.records) is (file != "net.params")
    for record in caplog.records:
        assert "the names differ and were matched with layers numbered anew: " in record.message
        assert f"'dense0_weight' is '{nets[0][0].weight.name}'" in caplog.records[0].message


@pytest.mark.parametrize("file", ["all.params", "dedup.params"])
@pytest.mark.parametrize("prefix", [None, "other_"])
def test_shared_parameters_need_one_of_their_names(file: str, prefix: str | None) -> None:
    net = Tied(prefix=prefix)
    net.load_parameters(MODELS / "tied" / file)
    assert net.a.weight is net.b.weight


# --- files of gluonish -------------------------------------------------------------------------


def perceptron(prefix: str | None = None) -> nn.HybridSequential:
    net = nn.HybridSequential(prefix=prefix)
    with net.name_scope():
        net.add(nn.Dense(4, in_units=3), nn.BatchNorm(in_channels=4), nn.Dense(2, in_units=4))
    net.initialize(mx.init.Uniform(1))
    return net


def save(net: nn.HybridSequential, kind: str, folder: Path) -> str:
    file = f"{folder}/net.params"
    if kind == "structural":
        net.save_parameters(file)
    elif kind == "safetensors":
        file = f"{folder}/net.safetensors"
        net.save_parameters(file)
    elif kind == "npz":
        file = f"{folder}/net.npz"
        onp.savez(
            file, **{k: p.data().asnumpy() for k, p in net._collect_params_with_prefix().items()}
        )
    elif kind == "export":
        file = net.export(f"{folder}/net")[1]
    elif kind == "dictionary":
        net.collect_params().save(file)
    elif kind == "stripped":
        net.save_params(file)
    elif kind == "export of MXNet 2.0":
        named = net._collect_params_with_prefix().items()
        mx.nd.save(file, {f"arg:{key}": param.data() for key, param in named})
    else:
        wrapper = nn.HybridSequential()
        wrapper.add(net)
        wrapper.save_parameters(file)
    return file


KINDS = [
    "structural", "safetensors", "npz", "export", "dictionary", "stripped", "export of MXNet 2.0",
    "wrapped",
]  # fmt: skip


@pytest.mark.parametrize("prefix", ["net_", "other_", None, ""])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_file_loads_into_any_block_of_the_architecture(
    kind: str, prefix: str | None, tmp_path: Path
) -> None:
    net, other = perceptron("net_"), perceptron(prefix)
    file = save(net, kind, tmp_path)
    other.load_parameters(file)
    for name, param in net._collect_params_with_prefix().items():
        own = other._collect_params_with_prefix()[name]
        onp.testing.assert_array_equal(own.data().asnumpy(), param.data().asnumpy(), err_msg=name)


@pytest.mark.parametrize("kind", ["export", "dictionary", "stripped"])
def test_graphs_take_files_of_full_names(kind: str, tmp_path: Path) -> None:
    net = perceptron("net_")
    graph, params = net.export(f"{tmp_path}/net")
    block = mx.gluon.SymbolBlock.imports(graph, "data", params)
    for param in net.collect_params().values():
        param.set_data(param.data() + 1)
    block.load_parameters(save(net, kind, tmp_path))
    for name, param in net.collect_params().items():
        own = block.collect_params()[name].data().asnumpy()
        onp.testing.assert_array_equal(own, param.data().asnumpy())


def test_graphs_take_structural_files_where_shapes_tell_all(tmp_path: Path) -> None:
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(4, in_units=3), nn.Dense(2, in_units=4))
    net.initialize(mx.init.Uniform(1))
    graph, params = net.export(f"{tmp_path}/net")
    block = mx.gluon.SymbolBlock.imports(graph, "data", params)
    block.collect_params().setattr("grad_req", "write")
    for param in block.collect_params().values():
        param.set_data(param.data() * 0)
    net.save_parameters(f"{tmp_path}/structural")
    block.load_parameters(f"{tmp_path}/structural")
    x = mx.nd.ones((2, 3))
    onp.testing.assert_array_equal(block(x).asnumpy(), net(x).asnumpy())
    same = nn.HybridSequential()
    same.add(nn.Dense(4, in_units=4), nn.Dense(4, in_units=4))
    same.initialize()
    same.save_parameters(f"{tmp_path}/structural")
    with pytest.raises(ParameterFileError, match="do not fit together"):
        same.collect_params().load(f"{tmp_path}/structural")


def test_missing_and_other_names_are_told_with_both_lists(tmp_path: Path) -> None:
    net = perceptron("net_")
    net.collect_params().save(tmp_path / "x")
    other = nn.HybridSequential(prefix="net_")
    with other.name_scope():
        other.add(nn.Dense(4, in_units=3), nn.Dense(2, in_units=4), nn.Dense(2, in_units=2))
    with pytest.raises(
        ParameterFileError,
        match=r"'net_dense2_weight', 'net_dense2_bias': missing in the file, which holds "
        r"'net_dense0_weight'(?s:.*)not in the Block, which holds 'net_dense0_weight'",
    ):
        other.load_parameters(tmp_path / "x")
    other.load_parameters(tmp_path / "x", allow_missing=True, ignore_extra=True)
    assert (other[0].weight.data().asnumpy() == net[0].weight.data().asnumpy()).all()


def test_other_shapes_are_no_match(tmp_path: Path) -> None:
    net = perceptron("net_")
    net.collect_params().save(tmp_path / "x")
    other = nn.HybridSequential(prefix="zz_")
    with other.name_scope():
        other.add(nn.Dense(4, in_units=3), nn.BatchNorm(in_channels=4), nn.Dense(3, in_units=4))
    with pytest.raises(ParameterFileError, match="do not fit together, nothing was changed"):
        other.load_parameters(tmp_path / "x")
    assert not other[0].weight._arrays


def test_values_of_another_dtype_are_cast_under_other_names(tmp_path: Path) -> None:
    net = perceptron("net_")
    net.cast("float64")
    net.collect_params().save(tmp_path / "x")
    for source, dtype in (("current", onp.float32), ("saved", onp.float64)):
        other = perceptron("other_")
        with pytest.raises(ParameterFileError, match="of another dtype"):
            other.load_parameters(tmp_path / "x")
        other.load_parameters(tmp_path / "x", cast_dtype=True, dtype_source=source)
        assert other[0].weight.data().dtype is dtype


def test_two_values_for_one_name_are_refused(tmp_path: Path) -> None:
    one = mx.nd.ones((1,))
    mx.nd.save(tmp_path / "x", {"arg:w": one, "aux:w": one})
    with pytest.raises(
        ParameterFileError,
        match=r"it holds several values for 'w', with 'arg:', with 'aux:' or without\. Expected "
        r"one for each name\. Rename one",
    ):
        perceptron().load_parameters(tmp_path / "x")


# --- recurrent layers --------------------------------------------------------------------------


def layer(kind: type[rnn.RNN], **options: object) -> rnn.RNN:
    made = kind(3, 2, **options)
    made.initialize(mx.init.Uniform(1))
    made(mx.nd.ones((5, 2, 4)))
    return made


def wrapped(block: nn.HybridBlock) -> nn.HybridSequential:
    net = nn.HybridSequential()
    net.add(block)
    return net


@pytest.mark.parametrize("is_deferred", [False, True])
@pytest.mark.parametrize(
    ("kind", "options"),
    [
        (rnn.LSTM, {}),
        (rnn.LSTM, {"bidirectional": True}),
        (rnn.LSTM, {"projection_size": 2}),
        (rnn.GRU, {"bidirectional": True}),
        (rnn.RNN, {}),
    ],
)
def test_vectors_of_recurrent_layers_are_taken_apart(
    kind: type[rnn.RNN], options: dict[str, object], is_deferred: bool, tmp_path: Path
) -> None:
    source = layer(kind, **options)
    params = source._reg_params
    order = [name for name in params if name.endswith("weight")]
    order += [name for name in params if name.endswith("bias")]
    flat = mx.nd.concat(*[params[name].data().reshape((-1,)) for name in order], dim=0)
    x = mx.nd.random.normal(shape=(5, 2, 4))
    expected = source(x).asnumpy()
    for name in ("rnn_param", "0.rnn_param"):
        mx.nd.save(tmp_path / "x", {name: flat})
        other = kind(3, 2, **options) if is_deferred else layer(kind, **options)
        net = other if name == "rnn_param" else wrapped(other)
        net.load_parameters(tmp_path / "x")
        assert_close(net(x).asnumpy(), expected)
        mx.nd.save(tmp_path / "x", {name: flat[:-1]})
        with pytest.raises(ParameterFileError, match=f"'{name}'"):
            net.load_parameters(tmp_path / "x")


def test_layer_loads_what_a_stack_of_cells_has_saved_and_the_reverse(tmp_path: Path) -> None:
    source = layer(rnn.LSTM)
    stack = rnn.HybridSequentialRNNCell()
    stack.add(rnn.LSTMCell(3, input_size=4))
    stack.add(rnn.LSTMCell(3, input_size=3))
    wrapped(source).save_parameters(tmp_path / "layer")
    wrapped(stack).load_parameters(tmp_path / "layer")
    assert (stack[1].h2h_bias.data().asnumpy() == source.l1_h2h_bias.data().asnumpy()).all()
    wrapped(stack).save_parameters(tmp_path / "stack")
    other = layer(rnn.LSTM)
    wrapped(other).load_parameters(tmp_path / "stack")
    x = mx.nd.random.normal(shape=(5, 2, 4))
    onp.testing.assert_array_equal(other(x).asnumpy(), source(x).asnumpy())


def test_layer_loads_names_of_its_attributes(tmp_path: Path) -> None:
    source = layer(rnn.GRU, bidirectional=True)
    mx.nd.save(
        tmp_path / "x", {f"0.{name}": param.data() for name, param in source._reg_params.items()}
    )
    other = layer(rnn.GRU, bidirectional=True)
    wrapped(other).load_parameters(tmp_path / "x")
    x = mx.nd.random.normal(shape=(5, 2, 4))
    onp.testing.assert_array_equal(other(x).asnumpy(), source(x).asnumpy())
