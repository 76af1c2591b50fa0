"""`Block.to_torch` in torch's own data parallelism: the same training as in one process."""

from __future__ import annotations

import numpy as onp
import pytest
import torch
from torch import distributed
from workers import returned

import gluonish as mx
from gluonish.gluon import nn

LENGTH = 8


def make_net(seed=0):
    """Return a net with a net inside."""
    net, inner = nn.HybridSequential(), nn.HybridSequential()
    inner.add(nn.Dense(8, in_units=8, activation="relu"), nn.Dense(8, in_units=8))
    net.add(nn.Dense(8, in_units=6, activation="relu"), nn.LayerNorm(in_channels=8), inner)
    net.add(nn.Dense(3, in_units=8))
    net.initialize()
    random = onp.random.default_rng(seed)
    for param in net.collect_params().values():
        param.set_data(mx.nd.array(random.standard_normal(param.shape) * 0.3))
    return net


def train(module, rank, count):
    """Train on a worker's part of each batch."""
    optimizer = torch.optim.Adam(module.parameters(), lr=0.05)
    random, length = onp.random.default_rng(1), LENGTH // count
    for _ in range(5):
        x = torch.tensor(random.standard_normal((LENGTH, 6)), dtype=torch.float32)
        label = torch.tensor(random.integers(0, 3, LENGTH))
        own = slice(rank * length, (rank + 1) * length)
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(module(x[own]), label[own]).backward()
        optimizer.step()


def values(net):
    """Return what a net has learned, by structural names."""
    found = net._collect_params_with_prefix()
    return {name: param.data().asnumpy() for name, param in found.items()}


def whole(module):
    """Return the values of a sharded module, those of all workers."""
    from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict

    return get_model_state_dict(module, options=StateDictOptions(full_state_dict=True))


def replicated(rank):
    """Train a module that each worker has."""
    from torch.nn.parallel import DistributedDataParallel

    distributed.init_process_group("gloo")
    net = make_net(seed=rank)  # the first worker's values are taken by all
    module = DistributedDataParallel(net.to_torch())
    train(module, rank, 2)
    grads = [param.grad.numpy() for param in module.parameters()]
    distributed.destroy_process_group()
    return values(net), grads


def sharded(rank):
    """Train a module of which each worker has a part."""
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard

    distributed.init_process_group("gloo")
    mesh = init_device_mesh("cpu", (2,))
    net = make_net()
    before, module = values(net), net.to_torch()
    for part in (module.get_submodule("2"), module.get_submodule("0"), module):
        fully_shard(part, mesh=mesh)
    train(module, rank, 2)
    sizes = [param.to_local().numel() for param in module.parameters()]
    grads = [param.grad.full_tensor().numpy() for param in module.parameters()]
    state = whole(module)
    distributed.destroy_process_group()
    after = values(net)
    assert all((after[name] == value).all() for name, value in before.items())
    net.to_torch().load_state_dict(state)
    assert sum(sizes) < 0.6 * sum(value.size for value in before.values())
    return values(net), grads


def wrapped(rank):
    """Train a module whose parts are wrapped."""
    from torch.distributed.fsdp import FullyShardedDataParallel
    from torch.distributed.fsdp.wrap import CustomPolicy

    distributed.init_process_group("gloo")
    net = make_net()
    module = FullyShardedDataParallel(
        net.to_torch(),
        use_orig_params=True,
        device_id=torch.device("cpu"),
        auto_wrap_policy=CustomPolicy(lambda part: part._get_name() in {"Dense", "LayerNorm"}),
    )
    train(module, rank, 2)
    state = whole(module)
    distributed.destroy_process_group()
    net.to_torch().load_state_dict(state)
    return values(net), []


@pytest.mark.parametrize("program", [replicated, sharded, wrapped], ids=lambda p: p.__name__)
def test_the_block_learns_what_one_process_learns(program):
    alone = make_net()
    module = alone.to_torch()
    train(module, 0, 1)
    expected = values(alone)
    gradients = [param.grad.numpy() for param in module.parameters()]
    for found, grads in returned(2, program):
        for name, value in expected.items():
            onp.testing.assert_allclose(found[name], value, rtol=1e-5, atol=1e-6)
        for own, value in zip(grads, gradients, strict=bool(grads)):
            onp.testing.assert_allclose(own, value, rtol=1e-5, atol=1e-6)
