"""A Block as a torch module: what they share, and what torch's tools do with it."""

from __future__ import annotations

import copy
import io
import pickle
from typing import TYPE_CHECKING, Any

import numpy as onp
import pytest
import torch
from torch import multiprocessing
from torch.nn.utils import prune

import gluonish as mx
from gluonish.errors import DeferredInitializationError
from gluonish.gluon import nn, rnn

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.queues import Queue
    from pathlib import Path
    from types import ModuleType

    from gluonish.nd import NDArray


def convolutional() -> nn.HybridSequential:
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Conv2D(4, 3, in_channels=3), nn.BatchNorm(in_channels=4))
        net.add(nn.Activation("relu"), nn.GlobalAvgPool2D(), nn.Dense(3, in_units=4))
    net.initialize(mx.init.Xavier())
    return net


def images(batch: int = 2) -> torch.Tensor:
    return torch.randn(batch, 3, 6, 6)


def weight_of(net: nn.HybridSequential) -> onp.ndarray[Any, Any]:
    return net[0].weight.data().asnumpy()


# --- what they share ---------------------------------------------------------------------------


def test_state_dict_has_the_structural_names_and_the_values() -> None:
    net = convolutional()
    state = net.to_torch().state_dict()
    expected = net._collect_params_with_prefix()
    assert set(state) == set(expected)
    for name, param in expected.items():
        assert (state[name].numpy() == param.data().asnumpy()).all()


def test_running_statistics_and_constants_are_buffers() -> None:
    class Shift(nn.HybridBlock):
        def __init__(self) -> None:
            super().__init__()
            self.shift = self.params.get_constant("shift", [1.0, 2.0])
            self.scale = self.params.get("scale", shape=(2,))

        def hybrid_forward(
            self, F: ModuleType, x: NDArray, shift: NDArray, scale: NDArray
        ) -> NDArray:
            return F.broadcast_add(F.broadcast_mul(x, scale), shift)

    net = Shift()
    net.initialize(mx.init.One())
    module = net.to_torch()
    assert [name for name, _ in module.named_buffers()] == ["shift"]
    assert [name for name, _ in module.named_parameters()] == ["scale"]
    assert module(torch.ones(1, 2)).tolist() == [[2.0, 3.0]]
    buffers = [name for name, _ in convolutional().to_torch().named_buffers()]
    assert buffers == ["1.running_mean", "1.running_var"]


def test_optimizers_of_both_sides_train_the_same_memory() -> None:
    net = convolutional()
    module = net.to_torch()
    start = weight_of(net)
    module(images()).sum().backward()
    torch.optim.SGD(module.parameters(), lr=0.1).step()
    after = weight_of(net)
    assert not (after == start).all()
    trainer = mx.gluon.Trainer(net.collect_params(), "adam")
    with mx.autograd.record():
        loss = net(mx.nd.array(images().numpy())).sum()
    loss.backward()
    trainer.step(1)
    assert not (weight_of(net) == after).all()
    assert (module.state_dict()["0.weight"].numpy() == weight_of(net)).all()


@pytest.mark.parametrize("change", [lambda m: m.double(), lambda m: m.to(torch.bfloat16)])
def test_block_follows_the_module_to_another_dtype(
    change: Callable[[torch.nn.Module], object],
) -> None:
    net = convolutional()
    module = net.to_torch()
    assert change(module) is module
    dtype = module.state_dict()["0.weight"].dtype
    assert net[0].weight.data().tensor.dtype is dtype
    with torch.no_grad():
        module.get_parameter("0.weight").zero_()
    assert not net[0].weight.data().astype("float32").asnumpy().any()
    with mx.autograd.record():
        loss = net(mx.nd.array(images().numpy()).astype(net[0].weight.dtype)).sum()
    loss.backward()
    assert net[0].weight.grad().tensor.dtype is dtype


def test_block_follows_what_is_loaded_in_place_of_its_values() -> None:
    net, other = convolutional(), convolutional()
    module = net.to_torch()
    state = {name: value.clone() for name, value in other.to_torch().state_dict().items()}
    assert not module.load_state_dict(state).missing_keys
    assert (weight_of(net) == weight_of(other)).all()
    module.load_state_dict({name: value + 1 for name, value in state.items()}, assign=True)
    assert (weight_of(net) == weight_of(other) + 1).all()
    assert net(mx.nd.array(images().numpy())).shape == (2, 3)


def test_parameters_without_gradient_require_none() -> None:
    net = convolutional()
    net[0].weight.grad_req = "null"
    wants = {name: one.requires_grad for name, one in net.to_torch().named_parameters()}
    assert [name for name, wanted in wants.items() if not wanted] == ["0.weight"]


def test_tied_parameters_are_one_tensor() -> None:
    net = nn.HybridSequential()
    first = nn.Dense(4, in_units=4)
    net.add(first, nn.Dense(4, in_units=4, params=first.params))
    net.initialize()
    module = net.to_torch()
    assert module.get_parameter("0.weight") is module.get_parameter("1.weight")
    assert len(list(module.parameters())) == 2
    assert len(module.state_dict()) == 4
    copied = copy.deepcopy(module)
    assert copied.get_parameter("0.weight") is copied.get_parameter("1.weight")


def test_copies_are_apart_and_whole() -> None:
    net = convolutional()
    module = net.to_torch().eval()
    data = images()
    stored = io.BytesIO()
    torch.save(module.state_dict(), stored)
    for other in (copy.deepcopy(module), pickle.loads(pickle.dumps(module))):
        assert torch.equal(other(data), module(data))
        with torch.no_grad():
            other.get_parameter("0.weight").zero_()
        assert not weight_of(other.block).any()
        assert weight_of(net).any()
        stored.seek(0)
        other.load_state_dict(torch.load(stored, weights_only=True))
        assert (weight_of(other.block) == weight_of(net)).all()


def test_names_that_modules_have_for_methods_are_free() -> None:
    class Odd(nn.HybridBlock):
        def __init__(self) -> None:
            super().__init__()
            self.half = self.params.get("half", shape=(2,))
            self.train = nn.Dense(2, in_units=2)

        def hybrid_forward(self, F: ModuleType, x: NDArray, half: NDArray) -> NDArray:
            return self.train(F.broadcast_mul(x, half))

    net = Odd()
    net.initialize()
    module = net.to_torch()
    assert list(module.state_dict()) == ["half", "train.weight", "train.bias"]
    module(torch.ones(1, 2)).sum().backward()
    assert all(parameter.grad is not None for parameter in module.parameters())


# --- calling -----------------------------------------------------------------------------------


def test_arguments_and_results_may_be_nested_and_named() -> None:
    class Power(mx.gluon.Block):
        def forward(
            self, pair: tuple[NDArray, NDArray], *, factor: NDArray | None = None, power: int = 1
        ) -> object:
            left, right = pair
            total = (left + right) * (1 if factor is None else factor)
            return {"total": total**power, "parts": [left, (right, None)]}

    module = Power().to_torch()
    result = module((torch.ones(2), torch.ones(2)), factor=torch.full((2,), 3.0), power=2)
    assert result["total"].tolist() == [36.0, 36.0]
    assert isinstance(result["parts"][1][0], torch.Tensor)
    assert result["parts"][1][1] is None


def test_recurrent_layers_take_and_return_states() -> None:
    layer = rnn.LSTM(3, 2, input_size=4, bidirectional=True)
    layer.initialize()
    module = layer.to_torch()
    assert "_unfused.0.l_cell.i2h_weight" in module.state_dict()
    states = [torch.randn(4, 2, 3), torch.randn(4, 2, 3)]
    data = torch.randn(5, 2, 4)
    outputs, last = module(data, states)
    expected, final = layer(
        mx.nd.array(data.numpy()), [mx.nd.array(state.numpy()) for state in states]
    )
    onp.testing.assert_allclose(outputs.detach().numpy(), expected.asnumpy(), atol=1e-6)
    for one, other in zip(last, final, strict=True):
        onp.testing.assert_allclose(one.detach().numpy(), other.asnumpy(), atol=1e-6)


def test_blocks_with_their_own_forward_reach_the_modules_tensors() -> None:
    class Own(mx.gluon.Block):
        def __init__(self) -> None:
            super().__init__()
            self.weight = self.params.get("weight", shape=(2,))

        def forward(self, x: NDArray) -> NDArray:
            return x * self.weight.data() + self.weight.data(x.context) + mx.nd.ones((2,))

    net = Own()
    net.initialize()
    module = copy.deepcopy(net.to_torch())
    module(torch.full((2,), 3.0)).sum().backward()
    assert module.get_parameter("weight").grad.tolist() == [4.0, 4.0]
    assert not net.weight.grad().asnumpy().any()


def test_hybridized_blocks_stay_hybridized() -> None:
    net = convolutional()
    net.hybridize()
    data = images()
    expected = net(mx.nd.array(data.numpy())).asnumpy()
    module = net.to_torch().eval()
    onp.testing.assert_allclose(module(data).detach().numpy(), expected, atol=1e-6)
    assert net.graph is not None
    assert (net(mx.nd.array(data.numpy())).asnumpy() == expected).all()


def test_np_blocks_compute_as_modules() -> None:
    mx.npx.set_np()

    class Softplus(nn.HybridBlock):
        def hybrid_forward(self, F: ModuleType, x: NDArray) -> NDArray:
            return F.np.log(1 + F.np.exp(x)).sum()

    module = Softplus().to_torch()
    assert module(torch.zeros(3)).shape == ()


def test_no_grad_is_respected() -> None:
    module = convolutional().to_torch()
    with torch.no_grad():
        assert not module(images()).requires_grad
    assert module(images()).requires_grad


def test_batch_norm_moves_its_statistics_in_training_mode_only() -> None:
    module = convolutional().to_torch()
    start = module.get_buffer("1.running_mean").clone()
    module.eval()(images())
    assert torch.equal(module.get_buffer("1.running_mean"), start)
    with torch.no_grad():
        module.train()(images())
    assert not torch.equal(module.get_buffer("1.running_mean"), start)


def test_parts_keep_a_mode_of_their_own() -> None:
    net = nn.HybridSequential()
    inner = nn.HybridSequential()
    inner.add(nn.Dropout(0.5), nn.Dropout(0.5))
    net.add(inner, nn.Dropout(0.5))
    module = net.to_torch()
    data = torch.ones(100)

    def largest() -> float:
        return float(module(data).max())

    assert largest() == 8
    module.get_submodule("0").eval()
    assert largest() == 2
    module.get_submodule("0.1").train()
    assert largest() == 4
    module.eval()
    assert largest() == 1
    module.get_submodule("1").train()
    assert largest() == 2
    assert not inner._forward_hooks
    assert mx.autograd.is_training() is False


def test_error_inside_leaves_the_block_as_it_was() -> None:
    net = convolutional()
    net.hybridize()
    module = net.to_torch()
    with pytest.raises(mx.MXNetError):
        module(torch.ones(2, 5, 6, 6))
    assert not mx.autograd.is_recording()
    assert net._graphs is not None
    net(mx.nd.array(images().numpy()))


def test_functional_call_takes_other_values() -> None:
    module = convolutional().to_torch().eval()
    zeros = {name: torch.zeros_like(value) for name, value in module.named_parameters()}
    assert not torch.func.functional_call(module, zeros, (images(),)).any()
    grads = torch.func.grad(
        lambda params, data: torch.func.functional_call(module, params, (data,)).sum()
    )(dict(module.named_parameters()), images())
    assert set(grads) == set(zeros)


# --- deferred parameters -----------------------------------------------------------------------


def test_parameters_without_values_are_told() -> None:
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(*[nn.Dense(2) for _ in range(6)])
    with pytest.raises(
        DeferredInitializationError,
        match=r"HybridSequential 'net': to_torch\(\) found parameters without values: "
        r"'net_dense0_weight', .* and 2 more\. Expected all of them to have values\. Call "
        r"net\.initialize\(\) and pass one batch of data through the network before, or give "
        r"that batch: net\.to_torch\(x\)\.",
    ):
        net.to_torch()
    net.initialize()
    with pytest.raises(DeferredInitializationError, match="'net_dense0_weight'"):
        net.to_torch()
    assert net.to_torch(torch.ones(1, 3))(torch.ones(4, 3)).shape == (4, 2)


def test_an_example_may_be_an_array() -> None:
    net = nn.Dense(2)
    net.initialize()
    assert net.to_torch(mx.nd.ones((1, 3)))(torch.ones(4, 3)).shape == (4, 2)


# --- torch's tools -----------------------------------------------------------------------------


def test_compile_follows_mode_and_gradients() -> None:
    net = convolutional()
    module = net.to_torch()
    compiled = torch.compile(module, backend="aot_eager", fullgraph=True)
    data = images()
    module.eval()
    assert torch.allclose(compiled(data), module(data), atol=1e-6)
    module.train()
    state = copy.deepcopy(module.state_dict())
    compiled(data).square().sum().backward()
    after = {name: value.clone() for name, value in module.state_dict().items()}
    grads = {name: one.grad.clone() for name, one in module.named_parameters()}
    module.load_state_dict(state)
    module.zero_grad()
    module(data).square().sum().backward()
    for name, parameter in module.named_parameters():
        assert torch.allclose(parameter.grad, grads[name], atol=1e-5), name
    for name, value in module.state_dict().items():
        assert torch.allclose(value, after[name], atol=1e-6), name


def test_parts_of_modules_are_compiled_and_mapped() -> None:
    class Outer(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            net = nn.Dense(4, in_units=3)
            net.initialize()
            self.net = net.to_torch()
            self.out = torch.nn.Linear(4, 2)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.out(torch.relu(self.net(x)))

    outer = Outer()
    data = torch.randn(2, 3)
    compiled = torch.compile(outer, backend="aot_eager", fullgraph=True)
    assert torch.allclose(compiled(data), outer(data), atol=1e-6)
    compiled(data).sum().backward()
    assert outer.net.get_parameter("weight").grad.any()
    several = {
        name: torch.stack([value, 2 * value]) for name, value in outer.net.named_parameters()
    }
    results = torch.func.vmap(
        lambda params: torch.func.functional_call(outer.net, params, (data,))
    )(several)
    assert torch.allclose(results[1], 2 * results[0], atol=1e-5)


@pytest.mark.compiler
@pytest.mark.filterwarnings("ignore:.*script_method.*:DeprecationWarning")
def test_inductor_compiles_the_whole_block(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    # What torch keeps of graphs is for the instructions of the processor that it was told of.
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    net = nn.HybridSequential()
    net.add(nn.Dense(4, "relu", in_units=3), nn.Dropout(0.5), nn.Dense(2, in_units=4))
    net.initialize()
    module = net.to_torch()
    compiled = torch.compile(module, fullgraph=True)
    data = torch.randn(5, 3)
    module.eval()
    assert torch.allclose(compiled(data), module(data), atol=1e-6)
    module.train()
    assert not torch.equal(compiled(data), compiled(data))


def test_export_keeps_the_batch_open() -> None:
    module = convolutional().to_torch().eval()
    batch = torch.export.Dim("batch", min=2)
    program = torch.export.export(module, (images(),), dynamic_shapes=({0: batch},))
    stored = io.BytesIO()
    torch.export.save(program, stored)
    stored.seek(0)
    again = torch.export.load(stored).module()
    for size in (2, 5):
        data = images(size)
        assert torch.allclose(again(data), module(data), atol=1e-6)
    assert set(program.state_dict) == set(module.state_dict())


def _meet(rank: int, address: str, results: Queue[tuple[int, object]]) -> None:
    torch.set_num_threads(1)
    torch.distributed.init_process_group("gloo", init_method=address, rank=rank, world_size=2)
    torch.manual_seed(rank)
    mx.random.seed(rank)
    net = convolutional()
    module = torch.nn.parallel.DistributedDataParallel(net.to_torch())
    torch.manual_seed(10 + rank)
    module(images(4)).square().sum().backward()
    torch.optim.SGD(module.parameters(), lr=0.1).step()
    results.put((rank, weight_of(net)))
    torch.distributed.barrier()
    torch.distributed.destroy_process_group()


def test_distributed_data_parallel_keeps_processes_equal(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    address = f"file://{tmp_path}/meeting"
    workers = [context.Process(target=_meet, args=(rank, address, results)) for rank in (0, 1)]
    for worker in workers:
        worker.start()
    found = dict(results.get(timeout=60) for _ in workers)
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    assert (found[0] == found[1]).all()


def test_hooks_of_parts_are_called_and_may_change_what_passes() -> None:
    net = nn.HybridSequential()
    net.add(nn.Dense(3, in_units=2), nn.HybridSequential())
    net[1].add(nn.Dense(2, in_units=3))
    net.initialize()
    module = net.to_torch()
    x = torch.ones(4, 2)
    wanted = module(x)
    seen: list[object] = []
    part = module.get_submodule("1.0")
    handles = [
        module.get_submodule("0").register_forward_hook(lambda _m, _a, out: seen.append(out.shape)),
        part.register_forward_pre_hook(lambda _m, args: (args[0] * 2,)),
        part.register_forward_hook(lambda _m, _a, out: out / 2),
        part.register_full_backward_hook(lambda _m, _gi, grads: seen.append(grads[0].shape)),
    ]
    found = module(x)
    torch.testing.assert_close(found, wanted)
    found.sum().backward()
    assert seen == [(4, 3), (4, 2)]
    assert net(mx.nd.ones((4, 2))).shape == (4, 2)
    assert len(seen) == 2
    for handle in handles:
        handle.remove()
    module(x)
    assert len(seen) == 2
    assert "forward" not in part.__dict__
    assert "forward" not in net[1][0].__dict__


def test_pruned_weights_go_on_training() -> None:
    net = nn.HybridSequential()
    net.add(nn.Dense(3, in_units=4))
    net.initialize()
    module = net.to_torch()
    part = module.get_submodule("0")
    prune.random_unstructured(part, "weight", 0.5)
    x = torch.ones(1, 4)
    before = module(x).sum()
    optimizer = torch.optim.SGD(module.parameters(), lr=0.1)
    before.backward()
    optimizer.step()
    after = module(x).detach().sum()
    assert float(after) == pytest.approx(float(before.detach()) - 0.1 * (6 + 3), abs=1e-5)
    assert int((part.weight == 0).sum()) == 6


def test_a_hook_of_a_hybridized_np_part() -> None:
    mx.npx.set_np()
    try:
        net = nn.HybridSequential()
        net.add(nn.Dense(3, in_units=2), nn.Activation("relu"))
        net.initialize()
        net.hybridize()
        module = net.to_torch()
        module.get_submodule("1").register_forward_hook(lambda _m, _a, out: out * 0 + 5)
        assert module(torch.ones(1, 2)).tolist() == [[5, 5, 5]]
        assert (net(mx.np.ones((1, 2))).asnumpy() != 5).all()
    finally:
        mx.npx.reset_np()


def test_what_wraps_a_part_or_is_put_in_its_place_is_called() -> None:
    net = convolutional()
    module = net.to_torch().eval()
    data = images()
    expected = module(data)

    class Doubled(torch.nn.Module):
        def __init__(self, inner: torch.nn.Module) -> None:
            super().__init__()
            self.inner = inner

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.inner(x) * 2

    module.set_submodule("4", Doubled(module.get_submodule("4")))
    assert torch.allclose(module(data), expected * 2)
    module.set_submodule("4", torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(4, 5)))
    assert module(data).shape == (2, 5)
    assert torch.allclose(net.to_torch().eval()(data), expected)


@pytest.mark.filterwarnings("ignore:LSTM with projections is not supported with oneDNN")
def test_recurrent_layers_with_projections_are_exported() -> None:
    net = rnn.LSTM(4, 2, projection_size=2, bidirectional=True, input_size=3)
    net.initialize()
    module = net.to_torch().eval()
    x = torch.randn(5, 2, 3)
    program = torch.export.export(module, (x,))
    torch.testing.assert_close(program.module()(x), module(x))


@pytest.mark.filterwarnings("ignore:.torch.jit:DeprecationWarning")
@pytest.mark.filterwarnings("ignore::torch.jit.TracerWarning")
@pytest.mark.parametrize("grad", [True, False])
def test_a_trace_keeps_the_batch_open(grad: bool) -> None:
    module = convolutional().to_torch().eval()
    with torch.set_grad_enabled(grad):
        traced = torch.jit.trace(module, images())
        data = images(5)
        assert torch.equal(traced(data), module(data))
    stored = io.BytesIO()
    torch.jit.save(traced, stored)
    stored.seek(0)
    assert torch.equal(torch.jit.load(stored)(data), module(data))
