"""Kills a program at random moments while it overwrites checkpoints, and checks what it leaves.

`python tests/serialization/killed_writer.py 1000 FOLDER` kills it a thousand times and prints how
often the old checkpoint was found and how often a newer one; it fails if neither was there whole.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

import torch

from gluonish import serialization
from gluonish.serialization.files import open_source, replacing_together

_COUNT = 200_000  # numbers in the large array of a checkpoint
_LONGEST = 0.03  # seconds until a kill


def write(folder: Path, version: int) -> None:
    """Overwrite three checkpoints: of MXNet's format, of safetensors, and a graph with values."""
    data = {
        "large": torch.full((_COUNT,), version, dtype=torch.int64),
        "small": torch.tensor([version]),
    }
    serialization.save(folder / "net.params", data)
    serialization.save(folder / "net.safetensors", data)
    paths = folder / "net-0000.params", folder / "net-symbol.json"
    with replacing_together(*paths) as (values, graph):
        values.write(serialization.save_bytes(data))
        graph.write(json.dumps({"version": version, "text": "x" * 10_000}).encode())


def check(folder: Path, least: int) -> int:
    """Return the version that is there, after checking that everything is whole and fits."""
    versions = [
        _version(folder / name) for name in ("net.params", "net.safetensors", "net-0000.params")
    ]
    with open_source(folder / "net-symbol.json") as source:
        versions.append(json.loads(source.stream.read())["version"])
    # They are written in this order, so that of two neighbours the first may be one ahead.
    if sorted(versions, reverse=True) != versions or not least <= versions[-1] >= versions[0] - 1:
        msg = f"the versions are {versions}. Expected {least} or later, in the order of writing."
        raise RuntimeError(msg)
    return versions[0]


def _version(path: Path) -> int:
    data = serialization.load(path)
    if not isinstance(data, dict):
        raise TypeError(path)
    version = int(data["small"])
    if data["large"].shape != (_COUNT,) or not bool((data["large"] == version).all()):
        msg = f"{path} mixes versions"
        raise RuntimeError(msg)
    return version


def kill_once(folder: Path, version: int, seconds: float) -> int:
    """Start a writer at a version, kill it after some time, and return the version that is left."""
    child = os.fork()
    if not child:
        while True:
            version += 1
            write(folder, version)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    found = check(folder, version)
    write(folder, found)  # the neighbours that were behind
    return found


def main(kills: int, folder: Path) -> dict[str, int]:
    """Kill a writer many times; return how often the old version was left, and a newer one."""
    torch.set_num_threads(1)
    moments = random.Random(0)
    write(folder, 0)
    version, kept = 0, 0
    for _ in range(kills):
        found = kill_once(folder, version, moments.uniform(0, _LONGEST))
        kept += found == version
        version = found
    left = len(list(folder.iterdir())) - 4
    return {"kills": kills, "kept the old": kept, "had a newer": kills - kept, "leftovers": left}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(main(int(sys.argv[1]), Path(sys.argv[2]))) + "\n")
