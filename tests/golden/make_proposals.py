"""Write region proposals of the real MXNet 1.9.1.

Run from the repository's root under a Python that has MXNet 1.9.1; writes proposals.npz.
"""

from __future__ import annotations

import sys
from pathlib import Path

import mxnet as mx
import numpy as onp

sys.path.insert(0, str(Path(__file__).parents[1] / "ops" / "vision"))

from proposal_programs import run


def main():
    """Run the programs."""
    onp.savez_compressed(Path(__file__).with_name("proposals.npz"), **run(mx))


if __name__ == "__main__":
    main()
