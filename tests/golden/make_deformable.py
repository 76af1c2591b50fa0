"""Write results and gradients of deformable convolutions of the real MXNet 1.9.1.

Run from the repository's root under a Python that has MXNet 1.9.1; writes deformable.npz. The
gradients of modulated ones MXNet has on GPUs only.
"""

from __future__ import annotations

import sys
from pathlib import Path

import mxnet as mx
import numpy as onp

sys.path.insert(0, str(Path(__file__).parents[1] / "ops" / "nn"))

from deformable_programs import run


def main():
    """Run the programs."""
    onp.savez_compressed(Path(__file__).with_name("deformable.npz"), **run(mx))


if __name__ == "__main__":
    main()
