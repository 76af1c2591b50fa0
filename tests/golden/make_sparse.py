"""Ask the real MXNet 1.9.1 for the answers of the programs in tests/ndarray/sparse_programs.py.

Run from the repository's root under a Python that has MXNet 1.9.1; writes
tests/golden/sparse.json. A process answers them one after the other; where one of them ends it,
another process goes on after that.
"""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).parent
sys.path.insert(0, str(ROOT.parent / "ndarray"))

import sparse_programs

NAMES = [*sparse_programs.EXPRESSIONS, *sparse_programs.PROGRAMS]


def answer(name):
    """Return MXNet's answer to an expression or program."""
    import mxnet as mx

    try:
        if name in sparse_programs.PROGRAMS:
            return sparse_programs.PROGRAMS[name](mx)
        return sparse_programs.shown(eval(name, sparse_programs.arrays(mx)))
    except (mx.base.MXNetError, ValueError, TypeError, AttributeError) as error:
        return f"error {type(error).__name__}"


def ask(names):
    """Return answers to names, up to the one that ends the process, and what that is answered."""
    command = [sys.executable, __file__, *names]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [line for line in process.stdout.splitlines() if line.startswith("ANSWER ")]
    found = [json.loads(line[7:]) for line in lines]
    return found if len(found) == len(names) else [*found, "it ends"]


if len(sys.argv) > 1:
    for name in sys.argv[1:]:
        print("\nANSWER", json.dumps(answer(name)), flush=True)  # noqa: T201
else:
    answers = []
    while len(answers) < len(NAMES):
        answers += ask(NAMES[len(answers) :])
    text = json.dumps(dict(zip(NAMES, answers, strict=True)), indent=0)
    (ROOT / "sparse.json").write_text(text + "\n")
