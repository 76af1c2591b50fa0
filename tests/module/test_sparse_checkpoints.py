"""Parameters that are sparse come from checkpoints as they went there, as in MXNet 1.9.1."""

from __future__ import annotations

import pytest

import gluonish as mx


@pytest.fixture
def prefix(tmp_path):
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
    weight = mx.nd.array([[1, 0, 2], [0, 0, 0]]).tostype("row_sparse")
    states = {"m": mx.nd.array([[1, 0], [0, 2]]).tostype("csr")}
    mx.model.save_checkpoint(str(tmp_path / "all"), 1, net, {"fc_weight": weight}, states)
    given = {"fc_weight": weight, "fc_bias": mx.nd.zeros(2)}
    mx.model.save_checkpoint(str(tmp_path / "net"), 1, net, given, {})
    return str(tmp_path / "net")


def test_checkpoints_keep_their_storage(prefix):
    for load in (mx.model.load_checkpoint, mx.model.load_params):
        *_, args, states = load(prefix.removesuffix("net") + "all", 1)
        assert (args["fc_weight"].stype, states["m"].stype) == ("row_sparse", "csr")
    assert mx.rnn.load_rnn_checkpoint([], prefix, 1)[1]["fc_weight"].stype == "row_sparse"
    assert mx.model.FeedForward.load(prefix, 1).arg_params["fc_weight"].stype == "row_sparse"


def test_a_module_of_a_checkpoint_keeps_it_too_and_computes(prefix):
    module = mx.mod.Module.load(prefix, 1, label_names=None)
    module.bind(data_shapes=[("data", (1, 3))])
    module.init_optimizer(optimizer="sgd", optimizer_params={"learning_rate": 0.5})
    module.forward(mx.io.DataBatch([mx.nd.ones((1, 3))], []), is_train=True)
    assert module.get_outputs()[0].asnumpy().tolist() == [[3.0, 0.0]]
    module.backward([mx.nd.ones((1, 2))])
    module.update()
    weight = module.get_params()[0]["fc_weight"]
    assert weight.stype == "row_sparse"
    assert weight.asnumpy().tolist() == [[0.5, -0.5, 1.5], [-0.5, -0.5, -0.5]]


def test_dense_graphs_take_sparse_parameters(prefix):
    symbol, args, _ = mx.model.load_checkpoint(prefix, 1)
    executor = symbol.simple_bind(mx.cpu(), data=(1, 3))
    executor.copy_params_from(args)
    assert executor.arg_dict["fc_weight"].stype == "default"
    assert executor.arg_dict["fc_weight"].asnumpy().tolist() == [[1.0, 0.0, 2.0], [0.0] * 3]
    block = mx.gluon.SymbolBlock.imports(f"{prefix}-symbol.json", ["data"], f"{prefix}-0001.params")
    assert block(mx.nd.ones((1, 3))).asnumpy().tolist() == [[3.0, 0.0]]
