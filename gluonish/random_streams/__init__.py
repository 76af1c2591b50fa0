"""MXNet's random streams on the CPU, bit for bit.

`main` and `selection` draw from one Mersenne Twister, `parallel` from a bank of 1024. Each Python
thread has its own pair.
"""

from __future__ import annotations

from gluonish.random_streams import main, parallel, selection
from gluonish.random_streams.scalars import parse_float32
from gluonish.random_streams.state import device_generator, get_state, seed, set_state

__all__ = [
    "device_generator",
    "get_state",
    "main",
    "parallel",
    "parse_float32",
    "seed",
    "selection",
    "set_state",
]
