"""Every layer computes as a torch module what it computes as a Block, and its gradients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp
import pytest
import torch
from closeness import assert_close
from layer_samples import LAYERS

import gluonish as mx
from gluonish.gluon import nn

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from gluonish.nd import NDArray

_RANDOM = ("dropout", "rrelu")


@pytest.mark.parametrize("name", LAYERS)
def test_layer_computes_the_same_as_a_module(name: str) -> None:
    build, *shapes = LAYERS[name]
    block = build()
    block.initialize()
    tensors = [torch.randn(shape) for shape in shapes]
    module = block.to_torch(*tensors).eval()
    arrays = [mx.nd.array(tensor.numpy()) for tensor in tensors]
    expected = block(*arrays).asnumpy()
    assert_close(module(*tensors).detach().numpy(), expected)


@pytest.mark.parametrize("name", [n for n in LAYERS if not n.lower().startswith(_RANDOM)])
def test_layer_has_the_gradients_of_training_as_a_module(name: str) -> None:
    build, *shapes = LAYERS[name]
    block = build()
    block.initialize()
    tensors = [torch.randn(shape, requires_grad=True) for shape in shapes]
    module = block.to_torch(*[tensor.detach() for tensor in tensors])
    arrays = [mx.nd.array(tensor.detach().numpy()) for tensor in tensors]
    for array in arrays:
        array.attach_grad()
    before = {key: value.clone() for key, value in module.state_dict().items()}
    module(*tensors).square().sum().backward()
    moved = {key: value.clone() for key, value in module.state_dict().items()}
    module.load_state_dict(before)
    with mx.autograd.record():
        total = (block(*arrays) ** 2).sum()
    total.backward()
    close: dict[str, Any] = {"rtol": 1e-5, "atol": 1e-5}
    for tensor, array in zip(tensors, arrays, strict=True):
        onp.testing.assert_allclose(tensor.grad.numpy(), array.grad.asnumpy(), **close)
    params = block._collect_params_with_prefix()
    for key, parameter in module.named_parameters():
        if params[key].grad_req != "null":
            onp.testing.assert_allclose(
                parameter.grad.numpy(), params[key].grad().asnumpy(), **close, err_msg=key
            )
    for key, value in moved.items():
        onp.testing.assert_allclose(value.numpy(), params[key].data().asnumpy(), **close)


@pytest.mark.parametrize("axes", [(), (1,)])
def test_dropout_draws_torchs_numbers_in_a_module(axes: tuple[int, ...]) -> None:
    module = nn.Dropout(0.25, axes=axes).to_torch()
    data = torch.ones(40, 50)
    torch.manual_seed(3)
    first = module(data)
    torch.manual_seed(3)
    assert torch.equal(module(data), first)
    assert not torch.equal(module(data), first)
    assert sorted(set(first.flatten().tolist())) == [0.0, pytest.approx(4 / 3)]
    shares = first.amax(dim=1).count_nonzero() if axes else first.count_nonzero() / 50
    assert 20 < float(shares) < 38
    assert torch.equal(module.eval()(data), data)


@pytest.mark.parametrize(
    "draw",
    [
        lambda F: F.random.normal(1, 2, shape=(3, 4)),
        lambda F: F.random.uniform(shape=(3, 4)),
        lambda F: F.random.gamma(2.0, shape=(3, 4)),
        lambda F: F.random.poisson(2.0, shape=(3, 4)),
    ],
)
def test_operators_draw_torchs_numbers_in_a_module(draw: Callable[[Any], Any]) -> None:
    class Noise(nn.HybridBlock):
        def hybrid_forward(self, F: ModuleType, x: NDArray) -> NDArray:
            return x + draw(F)

    module = Noise().to_torch()
    data = torch.zeros(3, 4)
    mx.random.seed(1)
    before = mx.nd.random.uniform(shape=(2,)).asnumpy()
    mx.random.seed(1)
    torch.manual_seed(3)
    first = module(data)
    torch.manual_seed(3)
    assert torch.equal(module(data), first)
    assert first.unique().numel() > 1
    assert (mx.nd.random.uniform(shape=(2,)).asnumpy() == before).all()
