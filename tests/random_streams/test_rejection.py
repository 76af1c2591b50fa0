"""Draws by rejection: the ways to them agree, whatever the sizes and the parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp
import pytest

from gluonish.errors import InvalidArgumentError
from gluonish.random_streams import lanes, parallel, rejection
from gluonish.random_streams.mersenne import TwisterBank
from gluonish.random_streams.paths import draw_along
from gluonish.random_streams.powf import exp32
from gluonish.random_streams.readers import Reader, Window

if TYPE_CHECKING:
    from collections.abc import Callable

    from gluonish.random_streams.lanes import Sampler

KINDS: dict[str, tuple[Callable[..., Sampler], tuple[Any, ...]]] = {
    "normal": (rejection.normal, ()),
    "normal in float64": (rejection.normal, (False,)),
    "gamma": (rejection.gamma, (2.5, 1.5)),
    "gamma of a small shape": (rejection.gamma, (0.3, 1.5)),
    "gamma in float64": (rejection.gamma, (0.7, 2.0, False)),
    "poisson": (rejection.poisson, (3.0,)),
    "poisson of a large mean": (rejection.poisson, (40.0,)),
    "negative binomial": (rejection.negative_binomial, (3.0, 0.4)),
    "negative binomial of large means": (rejection.negative_binomial, (30.0, 0.2)),
    "generalized": (rejection.generalized_negative_binomial, (10.0, 0.3)),
    "generalized of no dispersion": (rejection.generalized_negative_binomial, (4.0, 0.0)),
}


def by_runs(bank: TwisterBank, count: int, sampler: Sampler) -> onp.ndarray:
    values = onp.empty(count)
    with onp.errstate(all="ignore"):
        assert lanes._draw_by_runs(bank, values, sampler)
    return values


def side_by_side(bank: TwisterBank, count: int, sampler: Sampler) -> onp.ndarray:
    values = onp.empty(count)
    with onp.errstate(all="ignore"):
        lanes._draw_side_by_side(bank, values, sampler)
    return values


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("count", [1, 6, 64, 65, 700])
def test_trying_at_each_word_and_side_by_side_agree(name: str, count: int) -> None:
    kind, given = KINDS[name]
    with onp.errstate(all="ignore"):
        sampler = kind(*given)
    banks = [TwisterBank(5), TwisterBank(5)]
    for _ in range(3):
        onp.testing.assert_array_equal(
            by_runs(banks[0], count, sampler), side_by_side(banks[1], count, sampler)
        )
    onp.testing.assert_array_equal(banks[0].words(0, 20, 9), banks[1].words(0, 20, 9))


GAMMAS = {
    "of 1": ([1.0], True),
    "of 1.2 in float64": ([1.2], False),
    "of 9": ([9.0], True),
    "of some each": (onp.linspace(1, 3, 2000), True),
    "of some each in float64": (onp.linspace(1, 3, 2000), False),
}


@pytest.mark.parametrize("name", GAMMAS)
@pytest.mark.parametrize("count", [30_000, 300_000, 1_300_000])
def test_trying_along_a_path_and_side_by_side_agree(name: str, count: int) -> None:
    shapes, single = GAMMAS[name]
    alphas = onp.asarray(shapes, onp.float32)
    if alphas.size > 1:
        alphas = alphas.repeat(count // 2000)
    sampler = rejection.gamma(alphas, 1.5, single)
    banks = [TwisterBank(5), TwisterBank(5)]
    values = onp.empty(count // 2000 * 2000)
    for _ in range(2):
        with onp.errstate(all="ignore"):
            is_along = draw_along(banks[0], values, sampler)
        if not is_along:  # too many parameters of too few values each
            assert alphas.size == 30_000
            return
        assert values.tobytes() == side_by_side(banks[1], values.size, sampler).tobytes()
    onp.testing.assert_array_equal(banks[0].words(0, 1024, 9), banks[1].words(0, 1024, 9))


@pytest.mark.parametrize("single", [True, False])
def test_a_path_skips_what_follows_values_that_are_too_low(single: bool) -> None:
    words = TwisterBank(2).words(0, 64, 3000).copy()
    words[1:, 100:140] = 0x80000000  # points at 0, of which no value is made
    window = Window(words)
    sampler = rejection.gamma(1.0, 1.0, single)
    each = 1 if single else 2
    places = onp.arange(0, words.size - 64, each)
    lengths = sampler.lengths(window, onp.arange(64), list(sampler.parameters))
    with onp.errstate(all="ignore"):
        steps, _, _ = sampler.attempt(Reader(window, places), *sampler.parameters)
    onp.testing.assert_array_equal(lengths[places], steps)
    assert set(steps.tolist()) >= ({2, 3, 4, 18, 19} if single else {4, 6})


@pytest.mark.parametrize("name", KINDS)
def test_tables_that_are_kept_give_what_tries_give(name: str) -> None:
    kind, given = KINDS[name]
    with onp.errstate(all="ignore"):
        sampler = kind(*given)
    banks = [TwisterBank(7), TwisterBank(7)]
    for step in range(300):  # more than one reading of words
        count = 1 + step % 9
        found = lanes.draw(banks[0], count, kind, *given)
        onp.testing.assert_array_equal(found, side_by_side(banks[1], count, sampler))
        if step % 7 == 0:
            onp.testing.assert_array_equal(banks[0].words(0, 1, 3), banks[1].words(0, 1, 3))
        if step == 150:
            for bank in banks:
                bank.seed(9)
        if step == 200:
            banks[0].set_state(banks[0].get_state())


def test_each_value_takes_its_own_parameters() -> None:
    means = onp.array([0.5, 0.5, 3.0, 50.0, 7.0, 20.0], onp.float32)
    banks = [TwisterBank(3), TwisterBank(3)]
    for _ in range(50):
        found = lanes.draw(banks[0], 6, rejection.poisson, means)
        single = [lanes.draw(banks[1], 1, rejection.poisson, float(mean)) for mean in means]
        onp.testing.assert_array_equal(found, onp.concatenate(single))


@pytest.mark.parametrize("count", [6, 2000])
def test_a_draw_that_fails_takes_nothing(count: int) -> None:
    before = parallel.streams.bank.peek(0, 1, 4).copy()
    means = onp.full(count, 2.0, onp.float32)
    means[-1] = onp.inf
    with pytest.raises(InvalidArgumentError, match="mean of inf was given. Expected finite"):
        parallel.poisson(means, (count,))
    onp.testing.assert_array_equal(parallel.streams.bank.peek(0, 1, 4), before)


@pytest.mark.parametrize("alpha", [-1.0, float("nan"), float("inf"), -float("inf")])
@pytest.mark.parametrize("count", [2, 2000])
def test_gamma_shapes_with_which_no_draw_would_end_are_refused(alpha, count):
    alphas = onp.full(count, 2.0, onp.float32)
    alphas[1] = alpha
    with pytest.raises(InvalidArgumentError, match=f"a shape parameter of {alpha} was given"):
        parallel.gamma(alphas, 1.0, (count,))


@pytest.mark.parametrize("mean", [0.3, 3.0, 11.5])
def test_poisson_values_that_are_counted_together_are_those_of_single_tries(mean: float) -> None:
    def one_by_one(lam: float) -> Sampler:
        return rejection.poisson(lam)._replace(limits=None)

    for count in (65_537, 1_300_000):
        banks = [TwisterBank(5), TwisterBank(5)]
        for _ in range(3):  # so that rows end where values do
            found = lanes.draw(banks[0], count, rejection.poisson, mean)
            expected = lanes.draw(banks[1], count, one_by_one, mean)
            assert found.tobytes() == expected.tobytes()


@pytest.mark.parametrize("mean", [0.0, 1e-4, 0.3, 3.0, 11.9])
def test_factors_that_are_counted_by_sums_of_logarithms_are_those_of_products(mean: float) -> None:
    words = TwisterBank(2).words(0, 4, 3000).copy()
    words[:, ::7] = 0xFFFFFFFF - words[:, ::7] // 2**26  # many factors of about 1
    words[1, 500] = 0
    places = (3000 * onp.arange(4)[:, None] + onp.arange(2900)).reshape(-1)
    reader = Reader(Window(words), places)
    means = onp.full(places.size, mean, onp.float32)
    _, _, counts = rejection._count_factors(reader, means)
    onp.testing.assert_array_equal(counts, rejection._count_products(reader, exp32(-means)))


@pytest.mark.parametrize("alpha", [0.01, 0.5, 1.0, 1.3, 9.0, 1e3, 1e6])
def test_what_is_accepted_without_logarithms_is_accepted_with_them(alpha: float) -> None:
    d, lowest, c, _, _, spare = rejection.gamma(alpha, 1.0).parameters
    z = onp.linspace(-6, 6, 200_001, dtype=onp.float32)
    z = z[z > lowest]
    least = onp.nextafter(onp.float32(0.0331) * (z * z) ** 2 + spare, onp.float32(2))
    z, u = z[least <= 1], least[least <= 1]
    assert z.size
    v = (1 + c * z) ** 3
    with onp.errstate(divide="ignore"):
        assert rejection._accept(z, v, u, d).all()
