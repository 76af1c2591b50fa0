"""The state of everything that draws random numbers: gluonish's, NumPy's, Python's and torch's."""

from __future__ import annotations

import random
from typing import Any

import numpy as onp
import torch

from gluonish import random_streams


def get_state() -> dict[str, Any]:
    """Return the state of the calling thread's and the process's generators.

    Examples
    --------
    >>> import random
    >>> from gluonish.gluon.checkpoints import randomness
    >>> before = randomness.get_state()
    >>> first = random.random()
    >>> randomness.set_state(before)
    >>> random.random() == first
    True
    """
    version, words, normal = random.getstate()
    kind, keys, place, has_normal, kept = onp.random.get_state()  # noqa: NPY002 - that of samplers
    return {
        "streams": random_streams.get_state(),
        "numpy": (kind, onp.asarray(keys), place, has_normal, kept),
        "python": (version, onp.array(words, onp.uint32), normal),
        "torch": torch.get_rng_state(),
        "cuda": [state.clone() for state in torch.cuda.get_rng_state_all()]
        if torch.cuda.is_available()
        else [],
    }


def check(state: dict[str, Any]) -> None:
    """Raise what `set_state` would raise, if anything; change nothing."""
    before = get_state()
    try:
        set_state(state)
    finally:
        set_state(before)


def set_state(state: dict[str, Any]) -> None:
    """Continue from what `get_state` returned; GPUs that are not there are left out."""
    version, words, normal = state["python"]
    random.setstate((version, tuple(map(int, words)), normal))
    onp.random.set_state(state["numpy"])  # noqa: NPY002
    torch.set_rng_state(state["torch"])
    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    for device, one in enumerate(state["cuda"][:count]):
        torch.cuda.set_rng_state(one, device)
    known = state["streams"]
    devices = {
        name: one
        for name, one in known["devices"].items()
        if (torch.device(name).index or 0) < count
    }
    random_streams.set_state({**known, "devices": devices})
