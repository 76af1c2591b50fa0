"""Write positions.npz: position-sensitive pooling of regions in the real MXNet 1.9.1."""

from __future__ import annotations

import sys
from pathlib import Path

import mxnet as mx
import numpy as onp

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "ops" / "vision"))

from position_programs import CALLS, answers

found = {}
for name in CALLS:
    for key, value in answers(mx, name).items():
        found[f"{name}.{key}"] = value
onp.savez_compressed(HERE / "positions.npz", **found)
