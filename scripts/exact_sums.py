"""Push and pull random whole numbers from several workers at once, and compare with known sums.

`python scripts/exact_sums.py [--workers 2 3 4] [--rounds 500]` runs that many rounds with every
kind of store and of update: up to 15 keys each, of many shapes and dtypes, from up to three
contexts of each worker, in lists and alone, with priorities, in an order of each worker's own.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROGRAM = Path(__file__).parents[1] / "tests" / "distributed" / "sums.py"
COMMAND = "import sys; from gluonish.cli import main; sys.exit(main())"


def counted(workers: int, rounds: int) -> int:
    """Run some workers, tell what they found, and return how many sums were wrong."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "GLUONISH_COMPILE_AFTER": "inf"}
    total = 0
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", COMMAND, "launch", "-n", str(workers), str(PROGRAM)]
        command += [f"{folder}/report", str(rounds)]
        subprocess.run(command, env=environment, check=True)
        reports = [json.loads(path.read_text()) for path in sorted(Path(folder).iterdir())]
    for cases in zip(*reports, strict=True):
        kind, update, *_ = cases[0]
        checked, wrong = (sum(case[place] for case in cases) for place in (2, 3))
        sys.stdout.write(
            f"{workers} workers, {kind}, update by {update}: {rounds} rounds, {checked} pulls, "
            f"{wrong} wrong, {max(case[4] for case in cases):.0f} s\n"
        )
        sys.stdout.flush()
        total += wrong
    return total


def main() -> int:
    """Run all numbers of workers."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, nargs="+", default=[2, 3, 4])
    parser.add_argument("--rounds", type=int, default=500)
    options = parser.parse_args()
    begin = time.monotonic()
    wrong = sum(counted(workers, options.rounds) for workers in options.workers)
    sys.stdout.write(f"{wrong} wrong sums in {time.monotonic() - begin:.0f} s\n")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
