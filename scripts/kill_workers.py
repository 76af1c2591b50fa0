"""Kill a random worker of a training, again and again, and see whether it ends as it should.

`python scripts/kill_workers.py [--kills 20] [--workers 2]` trains digits by `gluonish launch` with
new starts and checkpoints, once without a disturbance and then with SIGKILL to one worker at random
moments. It tells how long each start anew took, and compares accuracies and parameters.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

PROGRAM = Path(__file__).parents[1] / "tests" / "distributed" / "resumed.py"
COMMAND = "import sys; from gluonish.cli import main; sys.exit(main())"
LIMIT = 60.0  # seconds from a death to the next step


def launched(folder: Path, workers: int, kills: int, epochs: int, pause: float) -> subprocess.Popen:
    """Start the training."""
    folder.mkdir()
    command = [sys.executable, "-c", COMMAND, "launch", "-n", str(workers)]
    command += ["--max-restarts", str(kills), str(PROGRAM), str(folder), str(epochs), str(pause)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "GLUONISH_COMPILE_AFTER": "inf"}
    log = (folder / "log.txt").open("w")
    return subprocess.Popen(command, stdout=log, stderr=log, env=environment)


def pids(folder: Path, workers: int) -> dict[int, int]:
    """Return the processes of the workers that have written theirs."""
    found = {}
    for rank in range(workers):
        path = folder / f"pid-{rank}"
        if path.exists() and path.read_text():
            found[rank] = int(path.read_text())
    return found


def newest(folder: Path) -> str:
    """Return the name of the newest checkpoint."""
    return max((path.name for path in (folder / "run").glob("*.safetensors")), default="")


def until(condition, process: subprocess.Popen, limit: float) -> float:
    """Return after how many seconds a condition was met."""
    begin = time.monotonic()
    while not condition():
        if time.monotonic() - begin > limit:
            process.kill()
            message = f"a hang: nothing for {limit:g} s"
            raise SystemExit(message)
        if process.poll() is not None:
            break
        time.sleep(0.05)
    return time.monotonic() - begin


def disturbed(folder: Path, workers: int, kills: int, epochs: int, pause: float) -> int:
    """Train with a number of kills, and return how many there were."""
    process = launched(folder, workers, kills, epochs, pause)
    done, waited, worst = 0, 0.0, 0.0
    while done < kills:
        before = newest(folder)
        seconds = until(lambda before=before: newest(folder) > before, process, LIMIT)
        if process.poll() is not None:
            break
        if done:
            worst = max(worst, waited + seconds)
            sys.stdout.write(f"  {waited + seconds:.1f} s to the next checkpoint\n")
        time.sleep(random.uniform(0, 15 * pause))
        victim = random.randrange(workers)
        known = pids(folder, workers)
        if process.poll() is not None:
            break
        before = newest(folder)
        try:
            os.kill(known[victim], signal.SIGKILL)
        except ProcessLookupError:
            continue
        done += 1
        sys.stdout.write(f"kill {done}: worker {victim}, process {known[victim]}, after {before}\n")
        sys.stdout.flush()
        waited = until(lambda known=known: pids(folder, workers) != known, process, LIMIT)
    until(lambda: process.poll() is not None, process, epochs * 60.0)
    if process.wait():
        message = f"the training failed; see {folder}/log.txt"
        raise SystemExit(message)
    sys.stdout.write(f"longest time from a kill to the next checkpoint: {worst:.1f} s\n")
    return done


def main() -> int:
    """Compare a training without a disturbance and one with many."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=16)
    parser.add_argument("--pause", type=float, default=0.1, help="seconds between two steps")
    options = parser.parse_args()
    base = Path(tempfile.mkdtemp())
    whole, killed = base / "whole", base / "killed"
    first = launched(whole, options.workers, 0, options.epochs, 0.0)
    until(lambda: first.poll() is not None, first, 600)
    count = disturbed(killed, options.workers, options.kills, options.epochs, options.pause)
    reports = [json.loads((folder / "report.json").read_text()) for folder in (whole, killed)]
    arrays = [dict(np.load(folder / "weights.npz")) for folder in (whole, killed)]
    same = all((arrays[0][name] == arrays[1][name]).all() for name in arrays[0])
    sys.stdout.write(
        f"{count} kills of {options.workers} workers; accuracy {reports[0]['accuracy']:.4f} without"
        f" and {reports[1]['accuracy']:.4f} with them; parameters equal to the last bit: {same}\n"
    )
    return 0 if same and count == options.kills else 1


if __name__ == "__main__":
    sys.exit(main())
