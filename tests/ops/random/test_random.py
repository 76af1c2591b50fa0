"""Random operators: arguments, errors, shapes, gradients and captured graphs."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as onp
import pytest
import torch
from closeness import assert_close
from torch import fx
from torch.overrides import TorchFunctionMode

import gluonish as mx
from gluonish import random_streams
from gluonish.errors import DTypeError, InvalidArgumentError, OperandError, ShapeError
from gluonish.ops.random.devices import DRAWS, draw_with
from gluonish.ops.random.draws import _CPU_DRAWS, draw, dropout_mask

nd, np, npx = mx.nd, mx.np, mx.npx

SIGNATURES = {
    "np.random.uniform": "low=0.0, high=1.0, size=None, dtype=None, ctx=None",
    "np.random.normal": "loc=0.0, scale=1.0, size=None, dtype=None, ctx=None",
    "np.random.lognormal": "mean=0.0, sigma=1.0, size=None, dtype=None, ctx=None",
    "np.random.randint": "low, high=None, size=None, dtype=None, ctx=None",
    "np.random.choice": "a, size=None, replace=True, p=None, ctx=None",
    "np.random.gamma": "shape, scale=1.0, size=None, dtype=None, ctx=None",
    "np.random.beta": "a, b, size=None, dtype=None, ctx=None",
    "np.random.chisquare": "df, size=None, dtype=None, ctx=None",
    "np.random.exponential": "scale=1.0, size=None, ctx=None",
    "np.random.rayleigh": "scale=1.0, size=None, ctx=None",
    "np.random.weibull": "a, size=None, ctx=None",
    "np.random.pareto": "a, size=None, ctx=None",
    "np.random.power": "a, size=None",
    "np.random.logistic": "loc=0.0, scale=1.0, size=None, ctx=None",
    "np.random.gumbel": "loc=0.0, scale=1.0, size=None, ctx=None",
    "np.random.multivariate_normal": "mean, cov, size=None, check_valid=None, tol=None",
    "np.random.shuffle": "x",
    "npx.random.bernoulli": "prob=None, logit=None, size=None, dtype=None, ctx=None",
    "npx.random.uniform_n": "low=0.0, high=1.0, batch_shape=None, dtype=None, ctx=None",
    "npx.random.normal_n": "loc=0.0, scale=1.0, batch_shape=None, dtype=None, ctx=None",
    "npx.random.seed": "seed, ctx='all'",
    "random.seed": "seed_state, ctx='all'",
    "nd.random.uniform": "low=0, high=1, shape=None, dtype=None, ctx=None",
    "nd.random.normal": "loc=0, scale=1, shape=None, dtype=None, ctx=None",
    "nd.random.randint": "low, high, shape=None, dtype=None, ctx=None",
    "nd.random.exponential": "scale=1, shape=None, dtype=None, ctx=None",
    "nd.random.gamma": "alpha=1, beta=1, shape=None, dtype=None, ctx=None",
    "nd.random.poisson": "lam=1, shape=None, dtype=None, ctx=None",
    "nd.random.negative_binomial": "k=1, p=1, shape=None, dtype=None, ctx=None",
    "nd.random.multinomial": "data, shape=None, get_prob=False, dtype='int32'",
    "nd.random_uniform": "low=0.0, high=1.0, shape=None, ctx=None, dtype=None",
    "nd.sample_normal": "mu, sigma, shape=None, dtype=None",
}


def find(path: str) -> Any:  # noqa: ANN401
    found: Any = mx
    for part in path.split("."):
        found = getattr(found, part)
    return found


@pytest.mark.parametrize("path", SIGNATURES)
def test_parameters_are_mxnets_in_name_order_and_default(path: str) -> None:
    parameters = inspect.signature(find(path)).parameters.values()
    texts = [
        name if default is inspect.Parameter.empty else f"{name}={default!r}"
        for name, default in ((one.name, one.default) for one in parameters)
        if name not in ("out", "name")
    ]
    assert ", ".join(texts) == SIGNATURES[path]


A = onp.float32([1.0, 2.0])


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: np.random.normal(0, -1, 3), ValueError, "scale=-1 was given. Expected scale >= 0"),
        (lambda: np.random.lognormal(0, -1, 3), ValueError, "sigma=-1 was given"),
        (lambda: np.random.gumbel(0, -1, 3), ValueError, "scale=-1 was given"),
        (lambda: np.random.logistic(0, -1, 3), ValueError, "scale=-1 was given"),
        (lambda: np.random.exponential(-1, 3), ValueError, "scale=-1 was given"),
        (lambda: np.random.rayleigh(-1, 3), ValueError, "scale=-1 was given"),
        (lambda: np.random.weibull(0, 3), ValueError, "a=0 was given. Expected a > 0"),
        (lambda: np.random.pareto(-1, 3), ValueError, "a=-1 was given"),
        (lambda: np.random.power(-1, 3), ValueError, "a=-1 was given"),
        (lambda: np.random.gamma(-1, 1, 3), ValueError, "shape=-1 was given"),
        (lambda: np.random.beta(1, 0, 3), ValueError, "b=0 was given"),
        (lambda: np.random.chisquare(-1, 3), ValueError, "df=-1 was given"),
        (lambda: np.random.uniform("a"), mx.MXNetError, "low='a' was given. Expected a number"),
        (lambda: np.random.uniform(size=3, dtype="int32"), DTypeError, "Expected 'float16'"),
        (lambda: np.random.randint(3, 1), mx.MXNetError, "low=3 and high=1 were given"),
        (lambda: np.random.randint(3, 3), mx.MXNetError, "no integer is in \\[3, 3\\)"),
        (lambda: np.random.randint(0), mx.MXNetError, "low=0 and high=0"),
        (lambda: np.random.randint(0.5, 3), mx.MXNetError, "low=0.5 was given. Expected an int"),
        (lambda: np.random.randint(0, 3, dtype="uint8"), DTypeError, "Expected 'int32' or"),
        (lambda: np.random.choice(0), mx.MXNetError, "a=0 was given. Expected a > 0"),
        (lambda: np.random.choice(2.5), mx.MXNetError, "a=2.5 was given"),
        (lambda: np.random.choice(5, 6, replace=False), mx.MXNetError, "6 elements of 5 were"),
        (lambda: np.random.choice(5, 2, p=np.array(A)), ShapeError, "p of shape \\(2,\\)"),
        (
            lambda: np.random.shuffle([1, 2]),
            AssertionError,
            r"x=\[1, 2\] was given. Expected an array",
        ),
        (lambda: np.random.multinomial(3, [0.5, 0.6]), mx.MXNetError, "pvals that sum to 1.1"),
        (lambda: np.random.multinomial(-3, [0.5, 0.5]), mx.MXNetError, "n=-3 was given"),
        (lambda: np.random.multinomial(3.5, [0.5, 0.5]), mx.MXNetError, "n=3.5 was given"),
        (lambda: np.random.uniform(np.array(A), size=3), ShapeError, "Expected shapes that bro"),
        (lambda: np.random.permutation(-1), mx.MXNetError, "x=-1 was given"),
        (lambda: npx.random.bernoulli(), ValueError, "must be specified, but not both"),
        (lambda: npx.random.bernoulli(0.5, 0.5), ValueError, "must be specified, but not both"),
        (lambda: npx.random.bernoulli(1.5), ValueError, "prob=1.5 was given. Expected prob in"),
        (
            lambda: np.random.multivariate_normal(np.zeros(2), np.array([[1.0, 2], [2, 1]])),
            mx.MXNetError,
            "cov is not positive definite",
        ),
        (
            lambda: np.random.multivariate_normal(np.zeros(3), np.eye(2)),
            ShapeError,
            "Expected \\(\\*, n\\) and",
        ),
        (
            lambda: np.random.multivariate_normal(
                np.zeros(2), np.array([[1.0, 0.5], [0, 1]]), check_valid="raise"
            ),
            mx.MXNetError,
            "cov differs from its transpose by 0.5",
        ),
        (
            lambda: np.random.multivariate_normal(np.zeros(2), np.eye(2), check_valid="no"),
            mx.MXNetError,
            "check_valid='no' was given",
        ),
        (lambda: nd.random.uniform(3, 1), mx.MXNetError, "Expected low <= high"),
        (lambda: nd.random.uniform("a"), ValueError, "low='a' was given"),
        (lambda: nd.random.uniform(0, nd.array(A)), AssertionError, "\\(low: int, high: array\\)"),
        (
            lambda: nd.random.uniform(nd.zeros(1), nd.array(A)),
            mx.MXNetError,
            "shapes \\(1,\\), \\(2,\\) were given",
        ),
        (lambda: nd.random.normal(0, 0), mx.MXNetError, "scale=0 was given. Expected scale > 0"),
        (lambda: nd.random.randint(3, 1), mx.MXNetError, "low=3 and high=1"),
        (lambda: nd.random.exponential(-1), mx.MXNetError, "scale=-1 was given"),
        (lambda: nd.random.gamma(0), mx.MXNetError, "alpha=0 was given"),
        (lambda: nd.random.gamma(1, -1), mx.MXNetError, "beta=-1 was given"),
        (lambda: nd.random.poisson(-1), mx.MXNetError, "lam=-1 was given. Expected lam >= 0"),
        (lambda: nd.random.poisson(3, dtype="int32"), mx.MXNetError, "dtype='int32' was given"),
        (lambda: nd.random.negative_binomial(1.5, 0.5), mx.MXNetError, "k=1.5 was given"),
        (lambda: nd.random.negative_binomial(-1, 0.5), mx.MXNetError, "k=-1 was given"),
        (
            lambda: nd.random.generalized_negative_binomial(1, -1),
            mx.MXNetError,
            "alpha=-1 was given",
        ),
        (lambda: nd.random_normal(scale=-1), mx.MXNetError, "scale=-1 was given"),
        (
            lambda: nd.random.uniform_like(nd.ones(2, dtype="int32")),
            mx.MXNetError,
            "dtype='int32' was given",
        ),
    ],
)
def test_bad_arguments_are_refused(call: Any, error: type[Exception], text: str) -> None:  # noqa: ANN401
    random_streams.seed(0)
    with pytest.raises(error, match=text) as caught:
        call()
    assert isinstance(caught.value, mx.MXNetError)
    assert np.random.uniform().item() == pytest.approx(0.5488135)


def test_out_takes_the_result_and_gives_its_shape_in_nd() -> None:
    random_streams.seed(1)
    expected = nd.random.normal(shape=(2, 3)).asnumpy()
    random_streams.seed(1)
    out = nd.zeros((2, 3))
    assert nd.random.normal(0, 1, out=out) is out
    onp.testing.assert_array_equal(out.asnumpy(), expected)
    target = np.zeros((2, 3))
    assert np.random.uniform(size=(2, 3), out=target) is target
    assert (target.asnumpy() != 0).all()


def test_results_stay_in_the_context_asked_for() -> None:
    assert np.random.uniform(size=2, ctx=mx.cpu(1)).ctx == mx.cpu(1)
    with mx.cpu(2):
        assert nd.random.normal(shape=2).context == mx.cpu(2)
    assert nd.random.normal(nd.zeros(2, ctx=mx.cpu(3)), nd.ones(2, ctx=mx.cpu(3))).context == (
        mx.cpu(3)
    )


def test_normal_hands_gradients_to_loc_and_scale() -> None:
    loc, scale = np.array([1.0, 2.0]), np.array([0.5, 3.0])
    loc.attach_grad()
    scale.attach_grad()
    random_streams.seed(2)
    noise = np.random.normal(size=(4, 2)).asnumpy()
    random_streams.seed(2)
    with mx.autograd.record():
        values = np.random.normal(loc, scale, size=(4, 2))
    values.backward()
    onp.testing.assert_array_equal(values.asnumpy(), noise * scale.asnumpy() + loc.asnumpy())
    onp.testing.assert_array_equal(loc.grad.asnumpy(), [4, 4])
    assert_close(scale.grad.asnumpy(), noise.sum(axis=0))


def test_log_probabilities_of_multinomial_hand_gradients_to_the_data() -> None:
    data = nd.array([[0.25, 0.75], [0.5, 0.5]])
    data.attach_grad()
    with mx.autograd.record():
        outcome, log_prob = nd.random.multinomial(data, get_prob=True)
    log_prob.backward()
    chosen = outcome.asnumpy()
    expected = onp.zeros((2, 2), onp.float32)
    for row in range(2):
        expected[row, chosen[row]] = 1 / data.asnumpy()[row, chosen[row]]
    onp.testing.assert_allclose(data.grad.asnumpy(), expected)


def test_permutation_is_the_shuffle_of_a_copy() -> None:
    data = np.arange(12).reshape(6, 2)
    random_streams.seed(4)
    copy = np.random.permutation(data)
    random_streams.seed(4)
    np.random.shuffle(data)
    onp.testing.assert_array_equal(copy.asnumpy(), data.asnumpy())
    random_streams.seed(0)
    assert np.random.permutation(10).tolist() == [0, 2, 3, 5, 9, 1, 6, 8, 4, 7]


class _Recorder(TorchFunctionMode):
    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __torch_function__(
        self,
        func: Any,  # noqa: ANN401 - torch's signature
        types: object,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:  # noqa: ANN401 - torch's signature
        self.names.append(func.__name__)
        return func(*args, **(kwargs or {}))


def test_a_draw_is_one_opaque_call_that_a_graph_makes_again() -> None:
    with _Recorder() as recorder:
        np.random.normal(size=3)
        nd.random.uniform(shape=3)
        np.random.shuffle(np.array(A))
    assert [name for name in recorder.names if name in ("draw", "_shuffle_")] == (
        ["draw", "draw", "_shuffle_"]
    )
    assert not {"random_", "rand", "randn"} & set(recorder.names)
    graph = fx.Graph()
    arguments = ("uniform", (2,), torch.float32, torch.device("cpu"), 0.0, 1.0)
    graph.output(graph.call_function(draw, arguments))
    module = fx.GraphModule(torch.nn.Module(), graph)
    random_streams.seed(0)
    values = torch.cat([module(), module()])
    random_streams.seed(0)
    assert values.tolist() == np.random.uniform(size=4).tolist()


def test_nothing_is_drawn_on_the_meta_device() -> None:
    random_streams.seed(0)
    for kind in _CPU_DRAWS:
        tensor = draw(kind, (2, 3), torch.float32, torch.device("meta"))
        assert tensor.is_meta
        assert tensor.shape == (2, 3)
    assert np.random.uniform().item() == pytest.approx(0.5488135)


MEANS: dict[str, tuple[tuple[Any, ...], float]] = {
    "bernoulli_logit": ((1.0,), 0.7310586),
    "bernoulli_prob": ((0.3,), 0.3),
    "chisquare": ((3.0,), 0.75),
    "choose": ((10,), 4.5),
    "dropout": ((0.4,), 1.0),
    "exponential": ((2.0,), 2.0),
    "gamma": ((2.0, 1.5), 3.0),
    "gumbel": ((0.0, 1.0), 0.5772157),
    "logistic": ((1.0, 2.0), 1.0),
    "lognormal": ((0.0, 0.5), 1.1331485),
    "nd_exponential": ((2.0,), 0.5),
    "nd_gamma": ((2.0, 1.5), 3.0),
    "nd_generalized_negative_binomial": ((3.0, 0.4), 3.0),
    "nd_negative_binomial": ((3.0, 0.4), 4.5),
    "nd_normal": ((1.0, 2.0), 1.0),
    "nd_poisson": ((3.0,), 3.0),
    "nd_uniform": ((1.0, 3.0), 2.0),
    "normal": ((1.0, 2.0), 1.0),
    "pareto": ((4.0,), 1 / 3),
    "power": ((2.0,), 2 / 3),
    "randint": ((0, 10), 4.5),
    "rayleigh": ((2.0,), 2.5066283),
    "uniform": ((1.0, 3.0), 2.0),
    "vectors": ((), 0.0),
    "weibull": ((2.0,), 0.8862269),
}
SHAPES = {
    "choose_weighted",
    "choose_without",
    "count_outcomes",
    "sample_outcomes",
    "shuffle_order",
    "shuffle_rows_order",
}


CPU = torch.device("cpu")


def test_devices_and_cpu_know_the_same_draws() -> None:
    assert set(DRAWS) == set(_CPU_DRAWS) == set(MEANS) | SHAPES


@pytest.mark.parametrize("kind", sorted(MEANS))
def test_draws_have_their_mean_on_every_device(kind: str) -> None:
    parameters, mean = MEANS[kind]
    shape = (200, 100)
    integers = kind in ("choose", "randint")
    dtype = torch.int64 if integers else torch.float32
    generator = torch.Generator().manual_seed(7)
    tensor = draw_with(kind, shape, dtype, CPU, generator, *parameters).double()
    assert tensor.shape == shape
    assert tensor.mean().item() == pytest.approx(mean, abs=0.06)
    random_streams.seed(7)
    extra = ((),) if kind == "dropout" else ()
    ours = draw(kind, shape, dtype, torch.device("cpu"), *parameters, *extra).double()
    assert ours.mean().item() == pytest.approx(mean, abs=0.06)
    assert ours.std().item() == pytest.approx(tensor.std().item(), rel=0.1)


def test_selections_on_other_devices_have_the_shapes_and_ranges_of_the_cpus() -> None:
    generator = torch.Generator().manual_seed(7)
    integer = torch.int64
    weights = torch.tensor([0.1, 0.2, 0.7])
    chosen = draw_with("choose_weighted", (4, 5), integer, CPU, generator, weights, True)
    assert chosen.shape == (4, 5)
    assert int(chosen.max()) <= 2
    assert sorted(
        draw_with("choose_weighted", (3,), integer, CPU, generator, weights, False).tolist()
    ) == ([0, 1, 2])
    assert len(set(draw_with("choose_without", (7,), integer, CPU, generator, 10).tolist())) == 7
    counts = draw_with("count_outcomes", (4, 3), integer, CPU, generator, 9, (0.1, 0.2, 0.7))
    assert counts.sum(1).tolist() == [9, 9, 9, 9]
    rows = weights.expand(2, 3)
    outcomes = draw_with("sample_outcomes", (2, 5), integer, CPU, generator, rows)
    assert outcomes.shape == (2, 5)
    assert sorted(draw_with("shuffle_order", (6,), integer, CPU, generator).tolist()) == list(
        range(6)
    )


def test_dropout_mask_keeps_the_dtype_and_shares_axes() -> None:
    cpu = torch.device("cpu")
    for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
        mask = dropout_mask((4, 6), 0.5, (1,), dtype, cpu)
        assert mask.dtype == dtype
        assert mask.shape == (4, 1)
        assert set(mask.reshape(-1).tolist()) <= {0.0, 2.0}
    meta = dropout_mask((4, 6), 0.5, (-1,), torch.float32, torch.device("meta"))
    assert meta.shape == (4, 1)


def test_error_classes_are_those_named_in_the_documentation() -> None:
    assert issubclass(InvalidArgumentError, ValueError)
    assert issubclass(OperandError, AssertionError)
