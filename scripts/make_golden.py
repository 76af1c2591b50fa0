"""Ask the real MXNet again for the values in tests/golden, all or some: `make golden`.

`python scripts/make_golden.py --list` is the index: each script with what it asks. Names run these
alone (`make golden GOLDEN='nd_ops loss'`). MXNet 1.9.1 is expected in `.mx`, 1.6.0 in `.mx16`:
`make golden` installs them there. Afterwards it says which files changed; `git diff` shows how.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
GOLDEN = ROOT / "tests" / "golden"
NEW, OLD = ROOT / ".mx" / "bin" / "python", ROOT / ".mx16" / "bin" / "python"
TIMEOUT = 3600.0  # seconds for one script


class Script(NamedTuple):
    """One script that asks MXNet, and what its docstring says."""

    path: Path
    text: str

    @property
    def name(self) -> str:
        """What it is called on the command line."""
        return self.path.stem.removeprefix("make_")

    @property
    def summary(self) -> str:
        """The first line of its docstring."""
        return self.text.partition("\n")[0]

    def commands(self) -> list[list[str]]:
        """Return the calls that write its files."""
        told = " ".join(self.text.split())
        if "Run with gluonish" in told:
            return [[sys.executable, str(self.path)]]
        if "MXNet 1.6.0 as argument" in told:
            return [[str(NEW), str(self.path), str(OLD)]]
        if "then where mxnet==1.6.0 is" in told:
            return [[str(python), str(self.path)] for python in (NEW, OLD)]
        return [[str(NEW), str(self.path)]]


def scripts() -> list[Script]:
    """Return all scripts, by name; `facts` is what others run, and asks nothing itself."""
    found = []
    for path in sorted(GOLDEN.glob("make_*.py")):
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        if path.stem != "make_facts":
            found.append(Script(path, text))
    return found


def hashes() -> dict[Path, str]:
    """Return a hash of each file that scripts write."""
    files = (path for path in GOLDEN.rglob("*") if path.is_file() and path.suffix != ".py")
    return {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def say(line: str) -> None:
    """Write a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def run(script: Script) -> bool:
    """Run a script and say which files changed; return whether it succeeded."""
    before, start = hashes(), time.monotonic()
    for command in script.commands():
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        try:
            done = subprocess.run(
                command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=TIMEOUT
            )
        except subprocess.TimeoutExpired:
            say(f"{script.name}: no end after {TIMEOUT:.0f} s")
            return False
        if done.returncode:
            say(f"{script.name}: failed\n{done.stderr[-2000:]}")
            return False
    changed = sorted(
        str(path.relative_to(GOLDEN))
        for path, value in hashes().items()
        if before.get(path) != value
    )
    told = f"changed: {', '.join(changed)}" if changed else "as before"
    say(f"{script.name}: {told} ({time.monotonic() - start:.0f} s)")
    return True


def main() -> int:
    """Run the scripts that the command line names, or list all."""
    parser = argparse.ArgumentParser(description="Ask the real MXNet again for golden values.")
    parser.add_argument("names", nargs="*", help="scripts without make_ and .py; all by default")
    parser.add_argument("--list", action="store_true", help="show the scripts and run none")
    options = parser.parse_args()
    known = {script.name: script for script in scripts()}
    if options.list:
        width = max(map(len, known))
        say("\n".join(f"{name:{width}}  {known[name].summary}" for name in known))
        return 0
    unknown = [name for name in options.names if name not in known]
    if unknown:
        parser.error(f"no script make_{unknown[0]}.py. --list shows those there are.")
    results = [run(known[name]) for name in options.names or known]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
