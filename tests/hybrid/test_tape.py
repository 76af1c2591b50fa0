"""Tape and Halves: kernels there and back, and what no replay can repeat."""

from __future__ import annotations

import gc
import pickle
import subprocess
import sys
import weakref

import pytest
import torch

import gluonish as mx
from gluonish.hybrid.halves import Halves
from gluonish.hybrid.program import Program
from gluonish.hybrid.tape import Tape
from gluonish.ops.nn.dropout import dropout
from gluonish.ops.nn.normalization import batch_norm

X, W = torch.arange(6.0).reshape(2, 3), torch.ones(4, 3)


def captured(function, tensors, wanted=(), moved=()):
    with mx.autograd.record():
        return Halves(function, tensors, wanted, moved)


def targets(half):
    return [str(node.target) for node in half.module.graph.nodes if node.op.startswith("call")]


def test_both_ways_give_what_torch_gives():
    def net(tensors):
        x, w = tensors
        return [torch.tanh(x @ w.T), x.sum()]

    halves = captured(net, [X, W], {0, 1})
    assert halves.obstacle is None
    assert halves.reached == [0, 1]
    for _ in range(2):
        x, w = (torch.randn_like(each, requires_grad=True) for each in (X, W))
        expected = net([x, w])
        heads = [torch.randn_like(each) for each in expected]
        grads = torch.autograd.grad(expected, [x, w], heads)
        plain = [x.detach(), w.detach()]
        first, second, *kept = halves.forward.run(plain)
        torch.testing.assert_close([first, second], [each.detach() for each in expected])
        torch.testing.assert_close(list(halves.backward.run([*kept, *plain, *heads])), list(grads))


def test_views_and_detached_tensors_are_no_kernels():
    def net(tensors):
        return [tensors[0].detach().t().t().view(2, 3).exp()]

    assert targets(captured(net, [X], {0}).forward) == [str(torch.exp)]


def test_what_was_computed_goes_with_the_tape():
    seen = []

    def net(tensors):
        hidden = tensors[0] * 2
        seen.append(weakref.ref(hidden))
        return [hidden.exp()]

    gc.disable()  # a cycle would keep all that was computed until it is found
    try:
        halves = captured(net, [X], {0})
        assert seen[0]() is None
    finally:
        gc.enable()
    assert halves.obstacle is None


@pytest.mark.parametrize("keeps_values", [False, True])
def test_what_the_program_lets_go_goes_at_once_unless_it_is_kept(keeps_values):
    seen, alive = [], []

    def net(tensors):
        hidden = tensors[0]
        for _ in range(5):
            hidden = hidden.t() * 2
            seen.append(weakref.ref(hidden))
            alive.append(sum(each() is not None for each in seen))
        return [hidden.exp()]

    with mx.autograd.record():
        halves = Halves(net, [X], {0}, (), keeps_values=keeps_values)
    assert alive == ([1, 2, 3, 4, 5] if keeps_values else [1] * 5)
    assert hasattr(halves, "first") is keeps_values
    output, *kept = halves.forward.run([X])
    torch.testing.assert_close(output, (X.t() * 32).exp())
    (grad,) = halves.backward.run([*kept, X, torch.ones_like(output)])
    torch.testing.assert_close(grad, output.t() * 32)


def test_a_view_of_what_lies_where_another_tensor_lay_is_its_own():
    def net(tensors):
        total = torch.zeros(2, 3)
        for step in range(8):
            total = total + (tensors[0] * step).t().t()  # in memory that was let go before
        return [total]

    halves = Halves(net, [X], (), (), keeps_values=False)
    (output,) = halves.forward.run([X])
    torch.testing.assert_close(output, X * 28)


def test_draws_are_repeated_and_not_their_values():
    halves = captured(lambda tensors: [dropout(tensors[0])], [torch.ones(1000)], {0})
    assert halves.obstacle is None
    mx.random.seed(3)
    one, *kept = halves.forward.run([torch.ones(1000)])
    two, *_ = halves.forward.run([torch.ones(1000)])
    mx.random.seed(3)
    with mx.autograd.train_mode():
        torch.testing.assert_close(one, dropout(torch.ones(1000)))
        torch.testing.assert_close(two, dropout(torch.ones(1000)))
    (grad,) = halves.backward.run([*kept, torch.ones(1000), torch.ones(1000)])
    torch.testing.assert_close(grad, one)


def test_moving_averages_move_on_the_way_back():
    data = torch.randn(8, 3)
    tensors = [data, torch.ones(3), torch.zeros(3), torch.zeros(3), torch.ones(3)]
    halves = captured(
        lambda given: [batch_norm(*given, fix_gamma=False)], tensors, {0, 1, 2}, {3, 4}
    )
    assert tensors[3].tolist() == [0, 0, 0]
    output, *kept = halves.forward.run(tensors)
    assert tensors[3].tolist() == [0, 0, 0]
    halves.backward.run([*kept, *tensors, torch.ones_like(output)])
    torch.testing.assert_close(tensors[3], 0.1 * data.mean(0))
    assert halves.backward.writes_inputs
    assert not halves.forward.writes_inputs


def test_what_sees_a_moving_average_is_computed_on_the_way_back():
    def net(tensors):
        x, average = tensors
        average.add_(x.detach().sum())
        return [x * 2 + (x - x.detach()) * average.detach() ** 2]

    tensors = [torch.ones(1), torch.zeros(1)]
    halves = captured(net, tensors, {0}, {1})
    assert halves.obstacle == "a result depends on what is updated"

    class Sloped(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, slope):
            ctx.slope = slope
            return x.clone()

        @staticmethod
        def backward(ctx, grad):
            return grad + ctx.slope, None

    def sloped(tensors):
        x, average = tensors
        average.add_(x.detach().sum())
        return [Sloped.apply(x, average.detach() * 2)]

    halves = captured(sloped, tensors, {0}, {1})
    assert halves.obstacle is None
    for total in (2, 4, 6):
        output, *kept = halves.forward.run(tensors)
        (grad,) = halves.backward.run([*kept, *tensors, torch.ones_like(output)])
        assert (tensors[1].item(), grad.item()) == (total / 2, 1 + total)


def test_what_is_written_within_is_written_in_every_run():
    def net(tensors):
        total = torch.zeros(3)
        total[0] = tensors[0].sum()
        total.add_(1)
        return [total * 2]

    halves = captured(net, [X], {0})
    for _ in range(2):
        assert halves.forward.run([X])[0].tolist() == [32, 2, 2]


HELD = torch.ones(3)


def _held(tensors):
    HELD.add_(1)
    return [tensors[0] + HELD]


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (lambda t: [t[0] * float(t[0].detach().sum())], "Python reads a value of the data (float)"),
        (lambda t: [t[0] * t[0].detach().sum().item()], "Python reads a value of the data (item)"),
        (lambda t: [t[0][t[0] > 1]], "a result depends on values (index)"),
        (lambda t: [torch.unique(t[0])], "a result depends on values (_unique2)"),
        (_held, "a constant is written to"),
        (lambda t: [torch.linalg.matrix_rank(t[0]).float()], None),
    ],
)
def test_what_no_replay_can_repeat_is_told(function, reason):
    halves = captured(function, [X], {0})
    if reason is None:
        assert halves.obstacle is None
    else:
        assert halves.obstacle is not None
        assert halves.obstacle.startswith(reason)


class OneWay(torch.autograd.Function):
    """What has no gradient, and says so when it is asked for."""

    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, *grads):
        msg = "no way back"
        raise RuntimeError(msg)


def test_a_missing_gradient_is_an_obstacle_and_no_error():
    halves = captured(lambda tensors: [OneWay.apply(tensors[0])], [X], {0})
    assert halves.obstacle == "there is no gradient (no way back)"


def test_a_graph_of_kernels_can_be_sent_to_another_process():
    halves = captured(lambda t: [torch.relu(t[0] @ t[1].T)], [X, W], {0, 1})
    program = pickle.loads(pickle.dumps(Program.of(halves.backward.module)))
    output, *kept = halves.forward.run([X, W])
    given = [*kept, X, W, torch.ones_like(output)]
    torch.testing.assert_close(program.module()(*given), halves.backward.run(given))


def test_a_tape_does_not_import_torchs_compiler():
    code = (
        "import sys, torch\n"
        "from gluonish.hybrid.halves import Halves\n"
        "Halves(lambda t: [torch.exp(t[0])], [torch.ones(2)], {0}, ())\n"
        "print('torch._dynamo' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_results_are_recorded_only_inside():
    tape = Tape()
    tape.input("x", X)
    torch.exp(X)
    with tape:
        torch.exp(X)
    torch.exp(X)
    assert len(tape.graph.nodes) == 2
