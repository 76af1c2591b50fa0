"""Names that MXNet does not document, and programs use all the same."""

from __future__ import annotations

import numpy as onp
import pytest

import gluonish as mx
from gluonish.errors import (
    FileAccessError,
    InvalidArgumentError,
    MissingNameError,
    OperandError,
    SymbolError,
)
from gluonish.gluon import loss, nn, utils
from gluonish.gluon.data import dataloader
from gluonish.gluon.model_zoo import model_store


def test_losses_of_programs_weigh_and_reshape():
    values = mx.nd.array([[1, 2], [3, 4]])
    found = loss._apply_weighting(mx.nd, values, 0.5, mx.nd.array([[1], [2]]))
    assert found.asnumpy().tolist() == [[0.5, 1], [3, 4]]
    assert loss._apply_weighting(mx.nd, values) is values
    assert loss._reshape_like(mx.nd, mx.nd.ones(4), values).shape == (2, 2)
    with pytest.raises(OperandError, match="weight must be a number"):
        loss._apply_weighting(mx.nd, values, "heavy")


def test_addresses_of_files_follow_the_environment(monkeypatch):
    monkeypatch.setenv("MXNET_GLUON_REPO", "http://files.example/here")
    assert utils._get_repo_url() == "http://files.example/here/"
    found = utils._get_repo_file_url("gluon/models", "net.zip")
    assert found == "http://files.example/here/gluon/models/net.zip"


def test_models_of_programs_have_checksums(monkeypatch):
    monkeypatch.setitem(model_store._model_sha1, "mine", "0123456789" * 4)
    assert model_store.short_hash("mine") == "01234567"


def test_loaders_of_programs_move_batches():
    batch = (mx.nd.ones(2), [mx.nd.ones(3), "name"])
    moved = dataloader._as_in_context(batch, mx.cpu(1))
    assert [moved[0].ctx, moved[1][0].ctx, moved[1][1]] == [mx.cpu(1), mx.cpu(1), "name"]


def test_blocks_that_change_themselves_forget_their_graphs():
    net = nn.Dense(2, in_units=3)
    net.initialize()
    net._clear_cached_op()
    assert not net._active
    net.hybridize()
    data = mx.nd.ones((1, 3))
    net(data)
    net.act = nn.Activation("tanh")
    net._clear_cached_op()
    assert net._active
    found = net(data).asnumpy()
    onp.testing.assert_allclose(found, onp.tanh(net.weight.data().asnumpy().sum(1))[None], 1e-5)


def test_symbols_for_a_backend_are_copies():
    symbol = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2))
    for found in (
        symbol.get_backend_symbol("MKLDNN"),
        symbol.optimize_for("MKLDNN", ctx=mx.cpu(), args={}, aux={}),
    ):
        assert found is not symbol
        assert found.tojson() == symbol.tojson()
    for method in (symbol.get_backend_symbol, symbol.optimize_for):
        with pytest.raises(SymbolError, match=r"'nonsense', which cannot be found\. Expected one"):
            method("nonsense")


@pytest.mark.parametrize(
    "options",
    [
        {"data": (4, 3)},
        {"typ": "forward", "data": (4, 3)},
        {"location": {"data": onp.zeros((3, 2)), "softmax_label": mx.nd.zeros(3)}},
        {"grad_req": "null", "typ": "forward", "ctx": mx.cpu(1), "data": (4, 3)},
    ],
)
def test_the_speed_of_a_graph_is_measured(options):
    hidden = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2)
    symbol = mx.sym.SoftmaxOutput(hidden, name="softmax")
    assert 0 < mx.test_utils.check_speed(symbol, N=3, **options) < 10


def test_speed_is_that_of_all_or_of_forward():
    with pytest.raises(InvalidArgumentError, match="typ can only be 'whole' or 'forward'"):
        mx.test_utils.check_speed(mx.sym.var("x") * 2, typ="backward", x=(2,))


def test_models_are_fetched_from_addresses(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr("gluonish.test_utils.files.download", lambda *args: asked.append(args))
    info = {"net": {"symbol": "http://a/s.json", "params": "http://a/p.params"}}
    prefix, epoch = mx.test_utils.download_model("net", tmp_path / "models", info)
    assert (prefix, epoch) == (str(tmp_path / "models" / "net"), 0)
    assert asked == [
        ("http://a/s.json", f"{prefix}-symbol.json"),
        ("http://a/p.params", f"{prefix}-0000.params"),
    ]
    with pytest.raises(MissingNameError, match=r"'other' was given\. Expected one of \['net'\]"):
        mx.test_utils.download_model("other", tmp_path, info)


def test_pictures_that_are_there_are_not_fetched(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("gluonish.test_utils.files.download", _refuse)
    with pytest.raises(FileAccessError, match="no network"):
        mx.test_utils.get_cifar10()
    (tmp_path / "data" / "cifar").mkdir()
    for name in ("train.rec", "test.rec"):
        (tmp_path / "data" / "cifar" / name).touch()
    mx.test_utils.get_cifar10()


def _refuse(*args):
    msg = f"no network: {args}"
    raise FileAccessError(msg)


def test_trainers_know_the_positions_of_parameters():
    net = nn.Dense(2, in_units=3, prefix="net_")
    net.initialize()
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd")
    assert trainer._param2idx == {"net_bias": 0, "net_weight": 1}
