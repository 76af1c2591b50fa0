"""What is computed part by part equals what is computed at once."""

from __future__ import annotations

import pytest
import torch

from gluonish.hybrid.piecewise import PIECE, cuts, gives_views, piecewise

aten = torch.ops.aten


def rand(*shape):
    return torch.randn(shape, dtype=torch.float64)


def by_parts(target, args):
    """Compute part by part; return the result and how many parts there were."""
    count = 0

    def call(part):
        nonlocal count
        count += 1
        return target(*part)

    return piecewise(call, args, *cuts(target, args), lambda part: part), count


def check(target, args):
    found, count = by_parts(target, args)
    expected = target(*args)
    assert count > 1
    assert type(found) is type(expected)
    pairs = zip(found, expected, strict=True) if isinstance(found, tuple) else [(found, expected)]
    for one, right in pairs:
        assert (one is None) == (right is None)
        if right is not None:
            assert one.shape == right.shape
            assert torch.allclose(one, right, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize(
    ("filters", "options"),
    [
        ((6, 4, 3, 3), ([1, 1], [1, 1], [1, 1], False, [0, 0], 1)),
        ((6, 2, 3, 3), ([2, 1], [0, 1], [1, 2], False, [0, 0], 2)),
        ((4, 5, 3, 2), ([2, 2], [1, 0], [1, 1], True, [1, 0], 1)),
    ],
)
def test_convolutions(filters, options):
    data, weight = rand(7, 4, 31, 33), rand(*filters)
    check(aten.convolution.default, (data, weight, None, *options))
    channels = filters[1] * options[-1] if options[3] else filters[0]
    args = (data, weight, rand(channels), *options)
    check(aten.convolution.default, args)
    gradient = torch.randn_like(aten.convolution.default(*args))
    back = aten.convolution_backward.default
    check(back, (gradient, data, weight, [channels], *options, [True, True, True]))
    check(back, (gradient, data, weight, [0], *options, [False, True, False]))


@pytest.mark.parametrize("has_statistics", [True, False])
def test_batch_normalization_writes_to_its_statistics(has_statistics):
    data, weight, bias = rand(8, 5, 31, 33), rand(5), rand(5)
    given = (rand(5), rand(5).abs()) if has_statistics else (None, None)
    copies = [one if one is None else one.clone() for one in given]
    forward = aten.native_batch_norm.default
    right = forward(data, weight, bias, *copies, True, 0.1, 1e-5)
    found, count = by_parts(forward, (data, weight, bias, *given, True, 0.1, 1e-5))
    assert count > 1
    for one, other in zip([*found, *given], [*right, *copies], strict=True):
        assert one is None or torch.allclose(one, other)
    _, *saved = right
    gradient = torch.randn_like(data)
    options = (True, 1e-5, [True, True, True])
    check(
        aten.native_batch_norm_backward.default,
        (gradient, data, weight, *given, *saved, *options),
    )


def test_functions_of_each_element():
    data, other = rand(3, PIECE), rand(3, PIECE)
    for target, args in [
        (torch.relu, (data,)),
        (torch.add, (data, other)),
        (torch.mul, (data, 2.0)),
        (torch.where, (data > 0, data, other)),
        (aten.threshold_backward.default, (data, other, 0)),
    ]:
        check(target, args)


def test_what_has_no_independent_parts_is_not_cut():
    data = rand(3, PIECE)
    assert cuts(torch.add, (data, rand(PIECE))) is None  # which is repeated
    assert cuts(torch.softmax, (data, 0)) is None
    assert cuts(torch.cat, ([data, data],)) is None
    assert cuts(torch.relu_, (data,)) is None  # it returns what it was given
    assert cuts(torch.relu, (rand(3, 4),)) is None  # small as it is


@pytest.mark.parametrize("sizes", [(900, 40, 50), (40, 900, 50), (40, 50, 900)])
def test_products_are_cut_along_what_is_longest(sizes):
    rows, inner, columns = sizes
    first, second = rand(rows, inner), rand(inner, columns)
    check(torch.mm, (first, second))
    (axes, joins) = cuts(aten.mm.default, (first, second))
    assert joins == {900: (0,), 40: (None,) if inner == 900 else (1,)}[rows]
    assert len(axes) == 2
    if rows == 900:
        check(torch.addmm, (rand(columns), first, second))
    check(torch.bmm, (rand(30, rows, inner), rand(30, inner, columns)))


def test_what_goes_along_an_axis_is_cut_along_another_one():
    data, gradient = rand(6, 5, 2000), rand(6, 5, 2000)
    for axis in (1, 2, -1):
        for function, back in [
            (torch._softmax, torch._softmax_backward_data),
            (torch._log_softmax, aten._log_softmax_backward_data.default),
        ]:
            check(function, (data, axis, False))
            result = function(data, axis, False)
            check(back, (gradient, result, axis, torch.float64))
    assert cuts(torch._softmax, (data, 0, False)) is None
    assert cuts(torch._softmax, (data, -3, False)) is None


@pytest.mark.parametrize("axes", [[0], [1], [-1], [0, 2], [1, 2], [-3], [], 0, 2])
def test_sums(axes):
    data = rand(6, 50, 200)
    check(torch.sum, (data, axes))
    check(torch.sum, (data, axes, True))
    check(torch.sum, (data,))


def test_views():
    assert all(map(gives_views, ["view", torch.t, aten.permute.default, torch.transpose]))
    assert not any(map(gives_views, [torch.mm, aten.clone.default, torch.relu_, "mul_", len]))
