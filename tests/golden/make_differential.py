"""Ask the real MXNet 1.9.1 again for its answers to the cases that the fuzzer of calls has kept.

Run from the repository's root under a Python that has MXNet 1.9.1; writes differential.json.gz.
`python -m fuzz.differential --keep 2000` draws other cases.
"""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from fuzz.differential import keeping


def main():
    """Write differential.json.gz."""
    cases = [row["case"] for row in keeping.read()]
    with tempfile.TemporaryDirectory() as folder:
        lines, answers = Path(folder, "cases.jsonl"), Path(folder, "answers.pickle")
        lines.write_text("".join(json.dumps(case) + "\n" for case in cases), encoding="utf-8")
        command = [sys.executable, "-m", "fuzz.differential.worker", "mxnet", lines, answers]
        subprocess.run(command, cwd=ROOT, check=True)
        with answers.open("rb") as stream:
            found = [pickle.load(stream) for _ in cases]
    keeping.write(cases, found, "1.9.1")


if __name__ == "__main__":
    main()
