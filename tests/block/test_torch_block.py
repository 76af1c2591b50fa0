"""torch's modules as Blocks: parameters, modes, files, graphs and training."""

from __future__ import annotations

import copy
import pickle
import re
from typing import TYPE_CHECKING

import numpy as onp
import pytest
import torch
from closeness import assert_close

import gluonish as mx
from gluonish.errors import BlockTypeError, ExportError, InvalidArgumentError, ParameterError
from gluonish.gluon import TorchBlock, nn

if TYPE_CHECKING:
    from pathlib import Path


class Residual(torch.nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.body = torch.nn.Sequential(
            torch.nn.Conv2d(channels, channels, 3, padding=1, bias=False),
            torch.nn.BatchNorm2d(channels),
            torch.nn.ReLU(inplace=True),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.body(x)


class ResNet(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = torch.nn.Conv2d(3, 4, 3)
        self.blocks = torch.nn.Sequential(Residual(4), Residual(4))
        self.head = torch.nn.Linear(4, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.blocks(self.stem(x)).mean((2, 3)))


IMAGES = (4, 3, 8, 8)


def data(*shape: int) -> mx.nd.NDArray:
    return mx.nd.random.normal(shape=shape or IMAGES)


def mixed() -> nn.HybridSequential:
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(TorchBlock(ResNet(), prefix="torch_"), nn.Dense(3))
    net.initialize()
    return net


# --- parameters --------------------------------------------------------------------------------


def test_parameters_have_the_modules_names_and_memory() -> None:
    module = ResNet()
    block = TorchBlock(module, prefix="r_")
    assert list(block._collect_params_with_prefix()) == list(module.state_dict())
    assert "r_blocks_0_body_1_running_mean" in block.collect_params()
    assert block.collect_params()["r_blocks_0_body_1_running_mean"].grad_req == "null"
    block.collect_params()["r_head_weight"].data()[:] = 7
    assert float(module.head.weight[0, 0].detach()) == 7
    with torch.no_grad():
        module.head.bias.fill_(3)
    assert block.collect_params()["r_head_bias"].data().asnumpy().tolist() == [3, 3]
    assert block.module is module


def test_frozen_parameters_have_no_gradient() -> None:
    module = torch.nn.Linear(2, 1)
    module.bias.requires_grad_(False)
    block = TorchBlock(module, prefix="l_")
    assert block.collect_params()["l_bias"].grad_req == "null"
    assert block.collect_params()["l_weight"].grad_req == "write"


def test_initialize_keeps_the_modules_values() -> None:
    module = ResNet()
    before = {name: value.clone() for name, value in module.state_dict().items()}
    block = TorchBlock(module)
    block.initialize(mx.init.One())
    assert all(torch.equal(value, before[name]) for name, value in module.state_dict().items())
    block.initialize(mx.init.Constant(5), force_reinit=True)
    state = module.state_dict()
    assert state["head.weight"].unique().tolist() == [5]
    assert state["head.bias"].unique().tolist() == [0]
    assert state["blocks.0.body.1.weight"].unique().tolist() == [1]
    assert state["blocks.0.body.1.running_var"].unique().tolist() == [1]


def test_module_follows_casts_and_contexts() -> None:
    block = TorchBlock(ResNet(), prefix="r_")
    block.cast("float64")
    assert block.module.head.weight.dtype is torch.float64
    assert block.module.blocks[0].body[1].num_batches_tracked.dtype is torch.int64
    assert block(data().astype("float64")).dtype is onp.float64
    block.collect_params().reset_ctx([mx.cpu(1), mx.cpu(2)])
    result = block(data().astype("float64").as_in_context(mx.cpu(2)))
    assert result.context is mx.cpu(2)
    weight = block.collect_params()["r_head_weight"]
    weight.set_data(mx.nd.zeros(weight.shape, dtype="float64"))
    assert not block.module.head.weight.any()
    block.initialize(ctx=mx.cpu(0))
    assert weight.list_ctx() == [mx.cpu(0)]


def test_tied_tensors_are_one_parameter() -> None:
    module = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 2))
    module[1].weight = module[0].weight
    block = TorchBlock(module)
    params = block._collect_params_with_prefix()
    assert params["0.weight"] is params["1.weight"]
    assert len(block.collect_params()) == 3


def test_names_that_meet_stay_apart() -> None:
    module = torch.nn.ModuleDict({"a": torch.nn.ModuleDict({"b_c": torch.nn.Linear(1, 1)})})
    module["a_b"] = torch.nn.ModuleDict({"c": torch.nn.Linear(1, 1)})
    block = TorchBlock(module, prefix="m_")
    assert sorted(block.collect_params()) == [
        "m_a_b.c.bias", "m_a_b.c.weight", "m_a_b_c_bias", "m_a_b_c_weight",
    ]  # fmt: skip


def test_parameters_can_be_shared() -> None:
    first = TorchBlock(torch.nn.Linear(2, 1), prefix="l_")
    second = TorchBlock(torch.nn.Linear(2, 1), prefix="l_", params=first.params)
    x = data(3, 2)
    assert (first(x).asnumpy() == second(x).asnumpy()).all()
    with pytest.raises(
        ParameterError, match=r"'l_weight' to share has shape \(1, 2\)\. Expected \(1, 3\)"
    ):
        TorchBlock(torch.nn.Linear(3, 1), prefix="l_", params=first.params)


def test_files_have_the_modules_names(tmp_path: Path) -> None:
    net = mixed()
    x = data()
    net(x)
    for name in ("net.params", "net.safetensors"):
        net.save_parameters(tmp_path / name)
        other = mixed()
        other.load_parameters(tmp_path / name)
        assert_close(other(x).asnumpy(), net(x).asnumpy())
    assert "0.blocks.1.body.1.running_var" in mx.nd.load(str(tmp_path / "net.params"))


def test_copies_are_apart_and_whole() -> None:
    block = TorchBlock(ResNet(), prefix="r_")
    x = data()
    expected = block(x).asnumpy()
    for other in (copy.deepcopy(block), pickle.loads(pickle.dumps(block))):
        assert (other(x).asnumpy() == expected).all()
        other.collect_params()["r_head_weight"].data()[:] = 0
        assert not other.module.head.weight.any()
    assert (block(x).asnumpy() == expected).all()


# --- calling -----------------------------------------------------------------------------------


@pytest.mark.parametrize("hybridize", [False, True])
def test_trainer_trains_the_module_as_torch_does(hybridize: bool) -> None:
    module = ResNet()
    twin = copy.deepcopy(module)
    block = TorchBlock(module)
    if hybridize:
        block.hybridize()
    trainer = mx.gluon.Trainer(block.collect_params(), "sgd", {"learning_rate": 0.1})
    optimizer = torch.optim.SGD(twin.parameters(), lr=0.1)
    for _ in range(3):
        x = data()
        with mx.autograd.record():
            loss = (block(x) ** 2).sum()
        loss.backward()
        trainer.step(1)
        optimizer.zero_grad()
        twin(torch.from_numpy(x.asnumpy())).square().sum().backward()
        optimizer.step()
    for name, value in twin.state_dict().items():
        own = module.state_dict()[name]
        onp.testing.assert_allclose(own.numpy(), value.numpy(), rtol=1e-4, atol=1e-5, err_msg=name)
    twin.eval()
    expected = twin(torch.from_numpy(x.asnumpy())).detach().numpy()
    onp.testing.assert_allclose(block(x).asnumpy(), expected, rtol=1e-4, atol=1e-5)


def test_mode_follows_autograd_and_frozen_parts_stay() -> None:
    module = torch.nn.Sequential(torch.nn.Dropout(0.5), torch.nn.Dropout(0.5))
    module[1].eval()
    block = TorchBlock(module)
    x = mx.nd.ones((100,))
    assert float(block(x).max().asscalar()) == 1
    with mx.autograd.train_mode():
        assert float(block(x).max().asscalar()) == 2
    assert not any(part.training for part in module.modules())
    whole = TorchBlock(torch.nn.Sequential(torch.nn.Dropout(0.5), torch.nn.Dropout(0.5)).eval())
    with mx.autograd.record():
        assert float(whole(x).max().asscalar()) == 4


def test_hybridized_block_calls_the_module_anew() -> None:
    calls = []

    class Counts(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            calls.append(x)
            return x * len(calls)

    net = nn.HybridSequential()
    net.add(TorchBlock(Counts()), nn.Activation("relu"))
    net.hybridize()
    assert [float(net(mx.nd.ones((1,))).asscalar()) for _ in range(3)] == [1, 2, 3]
    assert net.graph is not None


def test_functions_with_gradients_of_their_own_work_hybridized() -> None:
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx: object, x: torch.Tensor) -> torch.Tensor:
            return 2 * x

        @staticmethod
        def backward(ctx: object, grad: torch.Tensor) -> torch.Tensor:
            return 10 * grad

    class Doubles(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            with torch.no_grad():
                shift = x.sum()
            return Double.apply(x) + shift

    block = TorchBlock(Doubles())
    block.hybridize()
    x = mx.nd.ones((2,))
    x.attach_grad()
    for _ in range(3):
        with mx.autograd.record():
            y = block(x)
        y.backward()
        assert y.asnumpy().tolist() == [4, 4]
        assert x.grad.asnumpy().tolist() == [10, 10]


def test_buffers_that_are_replaced_or_not_saved_keep_their_values() -> None:
    class Averages(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("count", torch.zeros(1))
            self.register_buffer("scale", torch.full((1,), 2.0), persistent=False)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.count = self.count + 1
            return x * self.scale + self.count

    block = TorchBlock(Averages(), prefix="a_")
    x = mx.nd.ones((1,))
    assert [float(block(x).asscalar()) for _ in range(3)] == [3, 4, 5]
    assert list(block.collect_params()) == ["a_count"]
    assert block.collect_params()["a_count"].data().asscalar() == 3
    block.cast("float64")
    assert block(x.astype("float64")).dtype is onp.float64
    assert block.module.scale.dtype is torch.float64


@pytest.mark.parametrize("hybridize", [False, True])
def test_lstm_takes_and_returns_nested_states(hybridize: bool) -> None:
    module = torch.nn.LSTM(3, 4, 2, batch_first=True)
    block = TorchBlock(module)
    if hybridize:
        block.hybridize()
    x, state = data(2, 5, 3), (data(2, 2, 4), data(2, 2, 4))
    for _ in range(2):
        with mx.autograd.record():
            outputs, (hidden, cell) = block(x, state)
            total = outputs.sum() + hidden.sum() + cell.sum()
        total.backward()
    given = [torch.from_numpy(each.asnumpy()) for each in (x, *state)]
    module.zero_grad()
    expected, last = module(given[0], (given[1], given[2]))
    (expected.sum() + last[0].sum() + last[1].sum()).backward()
    onp.testing.assert_allclose(outputs.asnumpy(), expected.detach().numpy(), atol=1e-6)
    onp.testing.assert_allclose(cell.asnumpy(), last[1].detach().numpy(), atol=1e-6)
    for name, parameter in module.named_parameters():
        grad = block._collect_params_with_prefix()[name].grad().asnumpy()
        onp.testing.assert_allclose(grad, parameter.grad.numpy(), rtol=1e-4, atol=1e-5)


def test_transformer_layer_takes_arrays_by_keyword() -> None:
    module = torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True, dropout=0.0)
    block = TorchBlock(module)
    block.hybridize()
    x = data(2, 5, 8)
    mask = mx.np.array(onp.arange(10).reshape(2, 5) % 5 > 2)
    tensor = torch.from_numpy(x.asnumpy())
    expected = module(tensor, src_key_padding_mask=torch.from_numpy(mask.asnumpy()))
    result = block(x, src_key_padding_mask=mask.as_nd_ndarray())
    onp.testing.assert_allclose(
        result.asnumpy()[:, :3], expected.detach().numpy()[:, :3], atol=1e-5
    )
    named = block(src=x)
    onp.testing.assert_allclose(named.asnumpy(), module(tensor).detach().numpy(), atol=1e-5)


def test_results_are_of_the_datas_class_and_never_without_axes_in_nd() -> None:
    block = TorchBlock(torch.nn.Flatten(0))
    assert type(block(mx.np.ones((2, 2)))) is mx.np.ndarray

    class Total(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x.sum()

    block = TorchBlock(Total())
    assert block(mx.np.ones((2,))).shape == ()
    assert block(mx.nd.ones((2,))).shape == (1,)


def test_layers_around_learn_their_shapes_from_it() -> None:
    net = nn.HybridSequential()
    net.add(nn.Dense(3), TorchBlock(torch.nn.Linear(3, 5)), nn.Dense(2))
    net.initialize()
    net.hybridize()
    assert net(data(4, 7)).shape == (4, 2)
    assert net[2].weight.shape == (2, 5)


def test_fused_step_trains_it() -> None:
    net = mixed()
    net.hybridize()
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.01})
    step = mx.gluon.FusedStep(net, mx.gluon.loss.L2Loss(), trainer)
    x, y = data(), mx.nd.ones((4, 3))
    losses = [float(step(x, y).mean().asscalar()) for _ in range(8)]
    assert losses[-1] < losses[0]
    assert int(net[0].module.blocks[0].body[1].num_batches_tracked) == 8


def test_network_around_becomes_a_module_again() -> None:
    net = mixed()
    x = data()
    module = net.to_torch(x)
    tensor = torch.from_numpy(x.asnumpy())
    onp.testing.assert_allclose(
        module.eval()(tensor).detach().numpy(), net(x).asnumpy(), rtol=1e-5, atol=1e-6
    )
    assert "0.blocks.0.body.0.weight" in module.state_dict()
    program = torch.export.export(module, (tensor,))
    assert torch.allclose(program.module()(tensor), module(tensor), atol=1e-6)
    module(tensor).sum().backward()
    assert module.get_parameter("0.stem.weight").grad.any()


def test_summary_counts_its_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    TorchBlock(torch.nn.Linear(3, 5)).summary(data(2, 3))
    assert "Total params: 20" in capsys.readouterr().out


def test_repr_shows_the_module() -> None:
    assert repr(TorchBlock(torch.nn.ReLU())) == "TorchBlock(\n  ReLU()\n)"


# --- errors ------------------------------------------------------------------------------------


def test_what_is_no_module_is_refused() -> None:
    with pytest.raises(
        BlockTypeError,
        match=r"TorchBlock 't': an object of type Dense was given\. Expected a torch\.nn\.Module",
    ):
        TorchBlock(nn.Dense(2), prefix="t_")


@pytest.mark.parametrize(
    "module", [lambda: torch.nn.LazyLinear(2), lambda: torch.nn.Linear(2, 2, device="meta")]
)
@pytest.mark.filterwarnings("ignore:Lazy modules:UserWarning")
def test_modules_without_values_are_refused(module: object) -> None:
    with pytest.raises(InvalidArgumentError, match=r"'weight' of \w+ has no values yet"):
        TorchBlock(module())


@pytest.mark.parametrize("hybridize", [False, True])
def test_it_has_no_graph_for_mxnet(hybridize: bool, tmp_path: Path) -> None:
    net = mixed()
    if hybridize:
        net.hybridize()
    net(data())
    message = (
        "TorchBlock 'net_torch': a Symbol was given. Expected arrays: a torch module has no graph "
        "of MXNet's operators. Export the network by torch: torch.export.export(net.to_torch(), "
        "(x,))."
    )
    with pytest.raises(ExportError, match=f"^{re.escape(message)}"):
        net.export(tmp_path / "net")


def test_block_follows_what_torch_puts_into_the_module() -> None:
    class Tied(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first = torch.nn.Linear(3, 3, bias=False)
            self.second = torch.nn.Linear(3, 3, bias=False)
            self.second.weight = self.first.weight

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.second(self.first(x))

    module = Tied()
    block = TorchBlock(module, prefix="tied_")
    weight = block.collect_params()["tied_first_weight"]
    ones = {name: torch.ones(3, 3) for name in module.state_dict()}
    module.load_state_dict(ones, assign=True)
    assert block(mx.nd.ones((1, 3))).asnumpy().tolist() == [[9, 9, 9]]
    assert module.second.weight is module.first.weight
    weight.set_data(mx.nd.ones((3, 3)) * 2)
    assert module.first.weight.detach().numpy().tolist() == [[2] * 3] * 3
    module.double()
    assert block(mx.nd.ones((1, 3), dtype="float64")).asnumpy().tolist() == [[36] * 3]
    assert weight.data().dtype == onp.float64
    trainer = mx.gluon.Trainer(block.collect_params(), "sgd", {"learning_rate": 1})
    with mx.autograd.record():
        loss = block(mx.nd.ones((1, 3), dtype="float64")).sum()
    loss.backward()
    trainer.step(1)
    assert float(module.first.weight.detach().sum()) == 18 - 108
    again = copy.deepcopy(block)
    again.module.float()
    assert again(mx.nd.ones((1, 3))).dtype == onp.float32
    assert weight.data().dtype == onp.float64
    shared = TorchBlock(Tied(), prefix="tied_", params=block.collect_params())
    module.float()
    block(mx.nd.ones((1, 3)))
    assert (
        shared(mx.nd.ones((1, 3))).asnumpy().tolist()
        == block(mx.nd.ones((1, 3))).asnumpy().tolist()
    )
