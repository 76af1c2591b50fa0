"""What rounding makes of a result is no difference; anything else is."""

from __future__ import annotations

import pytest
import torch
from torch import fx

from gluonish.hybrid.compilations import Compilation
from gluonish.hybrid.exactness import exactly
from gluonish.hybrid.piecewise import PIECE
from gluonish.hybrid.trials import Trial, is_as_exact


def loss_of(data, label):
    """Compute what is nearly nothing but rounding where the data are far apart."""
    return (-torch.log_softmax(data.to(torch.float32), -1) * label).sum(-1)


def otherwise(data, label):
    shifted = data - data.max(-1, keepdim=True).values
    return -((shifted - shifted.exp().flip(-1).cumsum(-1)[:, -1:].log()) * label).sum(-1)


GRAPH = fx.symbolic_trace(loss_of)
LABEL = torch.eye(4)
DATA = LABEL * 15.3 + torch.linspace(0, 1, 16).reshape(4, 4)


def differences(run, module=GRAPH):
    tensors = [DATA, LABEL]
    trial = Trial(tensors, range(2))
    results = [trial.run(lambda given: [run(*given)], has_draws=False)[0]]
    right = [module(*tensors)]

    def exact(given):
        found, left = exactly(module, None, given, len(given))
        return [found], left

    return (
        trial.difference(results, right, tensors),
        trial.difference(results, right, tensors, exact=exact),
    )


def test_what_rounding_explains_is_no_difference():
    assert differences(otherwise) == ("result 0", None)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda data, label: otherwise(data, label) * 3,
        lambda data, label: otherwise(data, label) + 1e-4,
        lambda data, label: otherwise(data, label) * float("nan"),
        lambda data, label: otherwise(data, label)[:3],
    ],
)
def test_what_rounding_does_not_explain_is_one(wrong):
    assert differences(wrong) == ("result 0", "result 0")


def test_graphs_run_in_double_whatever_dtype_they_ask_for():
    def function(data):
        return data.half().to(torch.bfloat16) * torch.ones(4, dtype=torch.float32), data.long()

    (found, whole), left = exactly(fx.symbolic_trace(function), None, [DATA], 1)
    assert found.dtype == torch.float64
    assert torch.equal(found, DATA.double())
    assert whole.dtype == torch.int64
    assert left[0].dtype == torch.float64


def test_a_kernel_that_takes_no_other_dtype_says_nothing():
    def function(data):
        return torch._weight_int8pack_mm(data, torch.ones(4, 4, dtype=torch.int8), torch.ones(4))

    assert exactly(fx.symbolic_trace(function), None, [torch.ones(4, 4)], 1) is None


def test_draws_are_the_ones_that_come_next(monkeypatch):
    import gluonish as mx

    monkeypatch.setenv("GLUONISH_COMPILE_AFTER", "inf")
    net = mx.nn.HybridLambda(lambda F, x: x + F.random.normal(shape=(3,)))
    net.hybridize()
    net(mx.nd.zeros(3))
    (graph,) = net._graphs.graphs
    exact = Compilation(graph.module, [torch.zeros(3)], begin=False).exact()
    (found,), _ = exact([torch.zeros(3)])
    assert found.float().tolist() == net(mx.nd.zeros(3)).asnumpy().tolist()


def test_infinities_agree_where_they_are_equal():
    right = torch.tensor([1.0, float("inf")], dtype=torch.float64)
    assert is_as_exact(right.float(), right.float(), right)
    assert not is_as_exact(torch.tensor([1.0, 2.0]), right.float(), right)


def test_of_large_results_others_get_what_the_graph_itself_would_leave_them():
    def function(data):
        third = data / 3
        return third.roll(1), third

    data = torch.arange(2.0 * PIECE)
    (rolled, third), _ = exactly(fx.symbolic_trace(function), None, [data], 1)
    assert third.dtype == rolled.dtype == torch.float64
    assert torch.equal(third, data.double() / 3)
    assert torch.equal(rolled, third.roll(1))  # what is returned stays as it is for all

    def further(data):
        return (data / 3).roll(1)

    (found,), _ = exactly(fx.symbolic_trace(lambda data: [further(data)]), None, [data], 1)
    assert torch.equal(found, third.float().double().roll(1))


def test_a_graph_that_writes_to_what_a_call_has_left_is_computed_in_double_throughout():
    def function(data):
        third = data / 3
        third[1:].mul_(2)
        return [third * 1]

    data = torch.arange(2.0 * PIECE)
    (found,), _ = exactly(fx.symbolic_trace(function), None, [data], 1)
    right = data.double() / 3
    right[1:] *= 2
    assert torch.equal(found, right)


def test_writes_reach_what_a_graph_was_given():
    def function(data, mean):
        mean.mul_(0.5).add_(data.mean(0))
        return [data * mean]

    data, mean = torch.rand(8, PIECE), torch.rand(PIECE)
    (found,), left = exactly(fx.symbolic_trace(function), None, [data, mean], 2)
    right = mean.double() * 0.5 + data.double().mean(0)
    assert torch.allclose(left[1], right, rtol=1e-7, atol=0)
    assert torch.allclose(found, data.double() * right, rtol=1e-7, atol=0)


def test_arguments_that_are_given_by_keywords_count():
    data = torch.rand(3, PIECE)

    def function(data):
        third = data / 3
        return [torch.sum(third, dim=1), torch.add(third, third, alpha=2).sum(dim=-1)]

    found, _ = exactly(fx.symbolic_trace(function), None, [data], 1)
    right = (data.double() / 3).sum(1)
    assert torch.allclose(found[0], right, rtol=1e-6)
    assert torch.allclose(found[1], 3 * right, rtol=1e-6)
