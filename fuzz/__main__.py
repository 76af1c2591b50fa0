"""Runs the fuzzer: `python -m fuzz`, `python -m fuzz --replay FILE`."""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from pathlib import Path

from fuzz import cases, running
from fuzz.checking import Checker
from fuzz.minimising import isolated, minimise
from fuzz.seeds import FAMILIES, seeds
from fuzz.working import Failure, Report, Task

# How a million cases are divided, in percent.
_SHARES = {
    "params": 30, "states": 18, "symbol": 14, "recordio": 12, "safetensors": 8, "own_states": 5,
    "index": 3, "npz": 3, "npy": 4, "idx": 2, "idx_gz": 1,
}  # fmt: skip
_CHUNK = 20_000  # cases of one process


def main(arguments: list[str] | None = None) -> int:
    """Run the fuzzer, and return 1 if something went wrong with a file."""
    options = _parser().parse_args(arguments)
    if options.replay is not None:
        return _replay(options.replay, smaller=options.minimise)
    start = time.monotonic()
    families = options.families or FAMILIES
    print(f"seed {options.seed}, {options.cases} cases, {options.jobs} processes")
    totals: dict[str, list[Report]] = {}
    known: dict[str, int] = {}

    def tell(task: Task, report: Report) -> None:
        totals.setdefault(task.family, []).append(report)
        for failure in report.failures:
            key = f"{failure.family}: {failure.problem}"
            known[key] = known.get(key, 0) + 1
            if known[key] == 1:
                print(_written(failure, options.output))

    running.run(_tasks(families, options.cases, options.seed), options.jobs, tell)
    for family, reports in totals.items():
        print(_line(family, reports))
    count = sum(report.cases for reports in totals.values() for report in reports)
    wrong = sum(sum(r.counts.values()) for reports in totals.values() for r in reports)
    seconds = time.monotonic() - start
    print(f"{count} cases in {seconds:.0f} s, {wrong} went wrong in {len(known)} ways")
    return 1 if known else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m fuzz", description=__doc__)
    parser.add_argument("families", nargs="*", help=f"of {', '.join(FAMILIES)}; all by default")
    parser.add_argument("--cases", type=int, default=1_000_000, help="how many (1000000)")
    parser.add_argument("--seed", type=int, default=0, help="of all that is random (0)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    parser.add_argument("--output", type=Path, default=Path("fuzz-failures"), help="folder")
    parser.add_argument("--replay", type=Path, help="a file that went wrong, named FAMILY-...")
    parser.add_argument("--minimise", action="store_true", help="make the replayed file smaller")
    return parser


def _tasks(families: list[str], count: int, seed: int) -> list[Task]:
    present = [family for family in families if seeds(family).all]
    whole = sum(_SHARES[family] for family in present)
    tasks = []
    for family in present:
        most = max(1, count * _SHARES[family] // whole)
        starts = range(0, most, _CHUNK)
        tasks += [Task(family, seed, start, min(start + _CHUNK, most), 1) for start in starts]
    return tasks


def _written(failure: Failure, folder: Path) -> str:
    """Write a case that went wrong to a file, and return what to tell."""
    case = cases.make(failure.family, failure.seed, failure.number)
    folder.mkdir(exist_ok=True)
    digest = hashlib.sha256(case.data).hexdigest()[:12]
    path = folder / f"{failure.family}-{failure.number % 2}-{digest}"
    path.write_bytes(case.data)
    steps = "; ".join(case.steps)
    text = (
        f"{failure.family}, seed {failure.seed}, case {failure.number}: {failure.problem}\n"
        f"  made of {case.seed}: {steps[:500]}\n"
        f"  again: python -m fuzz --replay {path} (--minimise)\n"
    )
    details = f"{text}\n{failure.details}".encode("utf-8", "backslashreplace")
    path.with_suffix(".txt").write_bytes(details)
    return text.encode("utf-8", "backslashreplace").decode()


def _replay(path: Path, *, smaller: bool) -> int:
    family, parity = path.name.split("-")[:2]
    data = path.read_bytes()
    path = path.absolute()
    checker = Checker(family)
    checker.warm_up()
    check = isolated(checker)
    if smaller:
        data = minimise(data, int(parity), check)
        path = path.with_name(f"{path.name}-small")
        path.write_bytes(data)
        print(f"{len(data)} bytes in {path}: {data[:400]!r}")
    problem = check(data, int(parity))
    if problem is not None and not problem.startswith("it crashed"):
        print(checker.check(data, int(parity)).details)
    checker.close()
    print(problem or "nothing went wrong")
    return 1 if problem else 0


def _line(family: str, reports: list[Report]) -> str:
    count = sum(report.cases for report in reports)
    read = sum(report.read for report in reports)
    slowest = max(report.slowest for report in reports)
    biggest = max(report.biggest for report in reports)
    wrong = sum(sum(report.counts.values()) for report in reports)
    return (
        f"{family:12} {count:8} cases, {read:7} read, the rest refused, {wrong} wrong; at most "
        f"{slowest[0] * 1e3:.0f} ms (case {slowest[1]}), {biggest[0] / 2**20:.1f} MiB more than "
        f"the file (case {biggest[1]})"
    )


if __name__ == "__main__":
    sys.exit(main())
