"""The generators of each Python thread: a twister, a bank of twisters, and torch's for GPUs."""

from __future__ import annotations

import operator
import threading
from typing import Any

import torch

from gluonish.errors import InvalidArgumentError
from gluonish.random_streams.mersenne import MASK, Twister, TwisterBank


class _Streams(threading.local):
    """Generators of one thread; a new thread starts as a new process does."""

    def __init__(self) -> None:
        self.main = Twister(0)
        self.bank = TwisterBank(0)
        self.fallback = Twister(0)
        self.last_seed = 0
        self.generators: dict[torch.device, torch.Generator] = {}


streams = _Streams()


def seed(seed_state: int, ctx: Any = "all") -> None:  # noqa: ANN401
    """Restart both generators of the calling thread.

    Parameters
    ----------
    seed_state : int
        Seed; only its lowest 32 bits count.
    ctx : 'all' or Context, default 'all'
        With 'all', the main generator starts from ``127 * seed_state``, otherwise from
        `seed_state`. Both generators are seeded whatever the context is, as MXNet does on the
        CPU.

    Raises
    ------
    InvalidArgumentError
        `seed_state` is not an integer.

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.seed(42)
    >>> random_streams.main.uniform(0.0, 1.0, (2,))
    array([0.82909364, 0.7478349 ], dtype=float32)
    """
    try:
        value = operator.index(seed_state)
    except TypeError:
        given: object = seed_state
        is_text = isinstance(given, str) and given.strip().isdecimal()
        example = f"int({given!r})" if is_text else "42"
        msg = (
            f"mx.random.seed: seed_state={seed_state!r} was given. Expected an integer. "
            f"Write{'' if is_text else ' for example'} mx.random.seed({example})."
        )
        raise InvalidArgumentError(msg) from None
    spread = 127 * value
    streams.main.seed(spread if isinstance(ctx, str) and ctx == "all" else value)
    streams.bank.seed(spread)
    streams.last_seed = value
    streams.generators.clear()


def device_generator(device: torch.device) -> torch.Generator:
    """Return the calling thread's torch generator for a device that is not the CPU.

    It starts from the last seed, whatever else torch does with its own default generators.
    """
    found = streams.generators.get(device)
    if found is None:
        found = torch.Generator(device)
        found.manual_seed((streams.last_seed + (device.index or 0)) & MASK)
        streams.generators[device] = found
    return found


def get_state() -> dict[str, Any]:
    """Return the state of the calling thread's generators, to continue from it later.

    Returns
    -------
    dict
        NumPy arrays and integers in nested dictionaries; 10 kB at first, up to 20 MB once all
        1024 parallel states are in use.

    Examples
    --------
    >>> from gluonish import random_streams
    >>> before = random_streams.get_state()
    >>> first = random_streams.main.uniform(0.0, 1.0, (3,))
    >>> random_streams.set_state(before)
    >>> bool((random_streams.main.uniform(0.0, 1.0, (3,)) == first).all())
    True
    """
    return {
        "main": streams.main.get_state(),
        "bank": streams.bank.get_state(),
        "fallback": streams.fallback.get_state(),
        "last_seed": streams.last_seed,
        "devices": {
            str(device): one.get_state().numpy().copy()
            for device, one in streams.generators.items()
        },
    }


def set_state(state: dict[str, Any]) -> None:
    """Continue from what `get_state` returned.

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.set_state(random_streams.get_state())
    """
    streams.main.set_state(state["main"])
    streams.bank.set_state(state["bank"])
    streams.fallback.set_state(state["fallback"])
    streams.last_seed = state["last_seed"]
    streams.generators.clear()
    for name, one in state["devices"].items():
        device_generator(torch.device(name)).set_state(torch.from_numpy(one.copy()))
