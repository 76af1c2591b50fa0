"""Runs tutorials and keeps what they showed: `python -m tutorials [--all] [NAME...]`."""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
PAGES = HERE.parent / "docs" / "tutorials"


def main() -> None:
    """Run the tutorials that are named, or those that changed since they were run."""
    parser = argparse.ArgumentParser(prog="python -m tutorials", description=main.__doc__)
    parser.add_argument("names", nargs="*", help="such as 1-layers; by default what changed")
    parser.add_argument("--all", action="store_true", help="run all, changed or not")
    parser.add_argument("--into", type=Path, default=PAGES, help="folder for the pages")
    given = parser.parse_args()
    from tutorials import notebook

    paths = [HERE / f"{name}.py" for name in given.names] or notebook.all_files()
    if len(paths) == 1:
        given.into.mkdir(parents=True, exist_ok=True)
        notebook.write(paths[0], given.into / f"{paths[0].stem}.md")
        return
    for path in paths:
        if (
            given.names
            or given.all
            or not notebook.is_current(path, given.into / f"{path.stem}.md")
        ):
            started = time.perf_counter()
            command = [sys.executable, "-m", "tutorials", path.stem, "--into", str(given.into)]
            subprocess.run(command, check=True, cwd=HERE.parent)
            print(f"{path.stem}: {time.perf_counter() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
