"""Seeds, threads and saved states of the random streams."""

from __future__ import annotations

import copy
import threading

import numpy as onp
import pytest
import torch

import gluonish as mx
from gluonish import random_streams
from gluonish.errors import ContextError, InvalidArgumentError
from gluonish.random_streams import main, parallel, selection


def draws() -> list[onp.ndarray]:
    return [
        main.uniform(0.0, 1.0, (5,)),
        main.normal(0.0, 1.0, (5,)),
        parallel.uniform(0.0, 1.0, (200,)),
        parallel.normal(0.0, 1.0, (200,)),
        selection.shuffle_order(20),
    ]


def test_the_same_seed_gives_the_same_draws() -> None:
    random_streams.seed(3)
    first = draws()
    random_streams.seed(3)
    for one, other in zip(first, draws(), strict=True):
        onp.testing.assert_array_equal(one, other)


def test_a_seed_for_a_context_starts_the_main_generator_elsewhere() -> None:
    mx.random.seed(42, ctx=mx.cpu(3))
    assert main.uniform(0.0, 1.0, (1,))[0] == onp.float32(0.37454012)
    mx.random.seed(42)
    assert main.uniform(0.0, 1.0, (1,))[0] == onp.float32(0.82909364)


def test_npx_seed_is_the_same_seed() -> None:
    mx.npx.random.seed(seed=42)
    assert main.uniform(0.0, 1.0, (1,))[0] == onp.float32(0.82909364)


def test_threads_have_their_own_generators() -> None:
    random_streams.seed(1)
    before = main.uniform(0.0, 1.0, (3,))
    seen = []

    def other() -> None:
        seen.append(main.uniform(0.0, 1.0, (1,))[0])
        random_streams.seed(99)

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    after = main.uniform(0.0, 1.0, (3,))
    random_streams.seed(1)
    onp.testing.assert_array_equal(main.uniform(0.0, 1.0, (6,)), onp.append(before, after))
    assert seen == [onp.float32(0.5488135)]


def test_a_saved_state_continues_where_it_was() -> None:
    random_streams.seed(5)
    draws()
    main.vectors((3,))
    random_streams.device_generator(torch.device("cpu")).manual_seed(3)
    saved = random_streams.get_state()
    kept = copy.deepcopy(saved)
    first = [*draws(), main.vectors((3,))]
    random_streams.seed(6)
    draws()
    random_streams.set_state(saved)
    for one, other in zip(first, [*draws(), main.vectors((3,))], strict=True):
        onp.testing.assert_array_equal(one, other)
    onp.testing.assert_array_equal(saved["main"]["unread"], kept["main"]["unread"])


@pytest.mark.parametrize("seed", [1.7, "a", None])
def test_a_seed_that_is_no_integer_is_refused(seed: object) -> None:
    with pytest.raises(InvalidArgumentError, match=r"seed_state=.* Expected an integer\. Write"):
        mx.random.seed(seed)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="Expected an integer"):
        mx.npx.random.seed(seed)


def test_a_seed_for_an_unknown_context_is_refused() -> None:
    with pytest.raises(ContextError, match="'foo' is not known"):
        mx.random.seed(1, ctx="foo")


def test_an_empty_draw_takes_nothing() -> None:
    random_streams.seed(8)
    for dtype in (onp.float32, onp.float64):
        assert main.uniform(0.0, 1.0, (0,), dtype).shape == (0,)
        assert main.normal(0.0, 1.0, (0, 3), dtype).shape == (0, 3)
        assert parallel.uniform(0.0, 1.0, (0,), dtype).shape == (0,)
        assert parallel.normal(0.0, 1.0, (0,), dtype).shape == (0,)
        assert parallel.gamma(1.0, 1.0, (0,), dtype).shape == (0,)
    assert selection.shuffle_order(0).shape == (0,)
    assert main.uniform(0.0, 1.0, (1,))[0] == raw_unit(127 * 8)


def raw_unit(seed: int) -> onp.float32:
    generator = onp.random.RandomState(seed)
    return onp.float32(generator.randint(0, 2**32, dtype=onp.uint32)) * onp.float32(2.0**-32)
