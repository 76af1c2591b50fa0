"""`python -m fuzz.mistakes`: draw mistakes, and print the answers in which something is wrong."""

from __future__ import annotations

import argparse
import collections
import os
import random
import sys
from pathlib import Path

os.environ["GLUONISH_COMPILE"] = "0"  # before gluonish is imported

from tqdm import tqdm

import gluonish.gluon.contrib.estimator
import gluonish.gluon.model_zoo
import gluonish.module
import gluonish.symbol  # noqa: F401 - once here, not in each program
from fuzz.mistakes import answers, drawing
from fuzz.mistakes.running import run

PROGRAMS = Path(__file__).parent / "programs"


def main(arguments: list[str] | None = None) -> int:
    """Draw as many mistakes as were asked for; return 1 if an answer is wrong."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.mistakes", description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="of the first mistake; default 0")
    parser.add_argument("--cases", type=int, default=500, help="how many; default 500")
    parser.add_argument("--only", metavar="KIND", help="print faults whose kind begins so")
    parser.add_argument("--all", action="store_true", help="print answers without faults, too")
    parser.add_argument("--check", action="store_true", help="run the programs as they are")
    parser.add_argument("programs", nargs="*", type=Path, help="others that work")
    options = parser.parse_args(arguments)
    paths = options.programs or sorted(PROGRAMS.glob("*.py"))
    if options.check:
        return _check(paths)
    counts: collections.Counter[str] = collections.Counter()
    seeds = range(options.seed, options.seed + options.cases)
    for seed in tqdm(seeds, file=sys.stderr, mininterval=5):
        chance = random.Random(seed)
        path = chance.choice(paths)
        program = path.read_text(encoding="utf-8")
        change = drawing.draw(program, chance)
        changed = change.of(program)
        ending = run(changed)
        counts["told"] += bool(ending.kind)
        found = answers.faults(changed, ending, run)
        counts.update(fault.kind for fault in found)
        shown = [one for one in found if not options.only or one.kind.startswith(options.only)]
        if shown or (options.all and ending.kind):
            print(f"\n--- {seed}: {path.name}, {change.kind}: {change.text}")
            for fault in shown:
                print(f"*** {fault.kind}: {fault.part}")
            print(ending.told)
    print(f"{options.cases} mistakes: {dict(counts)}")
    return int(any(counts[kind] for kind in answers.WRONG))


def _check(paths: list[Path]) -> int:
    """Run programs as they are; return 1 if one fails or says anything about itself."""
    worst = 0
    for path in paths:
        ending = run(path.read_text(encoding="utf-8"))
        if ending.kind or ending.told:
            print(f"--- {path.name}: {ending.kind}\n{ending.told}")
            worst = 1
    return worst


if __name__ == "__main__":
    sys.exit(main())
