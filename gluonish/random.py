"""`mx.random`: seeds, and the random operators of `nd`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish import ndarray, numpy_extension, random_streams
from gluonish.context import Context
from gluonish.process.replay_marks import once_only

if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "exponential",
    "gamma",
    "generalized_negative_binomial",
    "multinomial",
    "negative_binomial",
    "normal",
    "poisson",
    "randint",
    "randn",
    "seed",
    "shuffle",
    "uniform",
]

_operators: Any = ndarray.random  # filled from the op table
exponential = _operators.exponential
gamma = _operators.gamma
generalized_negative_binomial = _operators.generalized_negative_binomial
multinomial = _operators.multinomial
negative_binomial = _operators.negative_binomial
normal = _operators.normal
poisson = _operators.poisson
randint = _operators.randint
randn = _operators.randn
shuffle = _operators.shuffle
uniform = _operators.uniform


def seed(seed_state: int, ctx: str | Context = "all") -> None:
    """Restart the random numbers of the calling thread.

    Parameters
    ----------
    seed_state : int
        Seed; only its lowest 32 bits count.
    ctx : 'all' or Context, default 'all'
        Devices to seed. As in MXNet, the numbers of the CPU are restarted in any case, but not
        at the same place for 'all' as for a context.

    Raises
    ------
    InvalidArgumentError
        `seed_state` is not an integer.
    ContextError
        `ctx` is not a context.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.random.seed(42)
    >>> mx.np.random.uniform(size=2)
    array([0.82909364, 0.7478349 ])
    """
    _restart(seed_state, ctx if ctx == "all" else Context(ctx))


@once_only
def _restart(seed_state: int, ctx: str | Context) -> None:
    random_streams.seed(seed_state, ctx)


def _seed_npx(seed: int, ctx: str | Context = "all") -> None:
    """Restart the random numbers of the calling thread; the same as `mx.random.seed`.

    Examples
    --------
    >>> from gluonish import np, npx
    >>> npx.random.seed(42)
    >>> np.random.uniform(size=2)
    array([0.82909364, 0.7478349 ])
    """
    _restart(seed, ctx if ctx == "all" else Context(ctx))


_seed_npx.__name__ = _seed_npx.__qualname__ = "seed"
numpy_extension.random.seed = _seed_npx  # filled from the op table
