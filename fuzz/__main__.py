"""Runs the fuzzer: `python -m fuzz`, `python -m fuzz --replay FILE`."""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from fuzz import running
from fuzz.checking import Checker
from fuzz.families import FAMILIES
from fuzz.good_files import GOLDEN
from fuzz.minimising import isolated, minimise
from fuzz.sandbox import Sandbox, temporary_folder
from fuzz.tasks import Failure, Report, Task
from fuzz.working import case_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_CHUNK = 20_000  # cases of one task
_CORPUS = Path(__file__).parents[1] / "tests" / "fuzz" / "corpus"
_LONGEST = 6000  # characters of what is told of a file


def main(arguments: list[str] | None = None) -> int:
    """Run the fuzzer, and return 1 if something went wrong with a file."""
    options = _parser().parse_args(arguments)
    if options.minimise is not None:
        return _minimised(options.minimise)
    start = time.monotonic()
    families = options.families or list(FAMILIES)
    tasks = [] if options.replay else _tasks(families, options.cases, options.seed)
    known_files = [options.replay] if options.replay else [options.corpus]
    tasks[:0] = _replays(known_files) + ([] if options.replay else _bad())
    count = sum(task.stop - task.start for task in tasks)
    print(f"seed {options.seed}, {count} cases, {options.jobs} processes")
    totals: dict[str, list[Report]] = {}
    known: dict[str, int] = {}

    def tell(task: Task, report: Report) -> None:
        kind = "bad files" if task.must_refuse else "known files" if task.files else task.family
        totals.setdefault(kind, []).append(report)
        for failure in report.failures:
            key = f"{failure.family}: {failure.problem}"
            known[key] = known.get(key, 0) + 1
            if known[key] == 1:
                print(_written(task, failure, options.output))

    running.run(tasks, options.jobs, tell)
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
    parser.add_argument("--corpus", type=Path, default=_CORPUS, help="files that went wrong once")
    parser.add_argument("--replay", type=Path, help="read such a file, or a folder of them, only")
    parser.add_argument("--minimise", type=Path, help="make such a file smaller")
    return parser


def _tasks(families: Sequence[str], count: int, seed: int) -> list[Task]:
    present = [FAMILIES[name] for name in families if FAMILIES[name].seeds.all]
    whole = sum(family.share for family in present)
    tasks = []
    for family in present:
        most = max(1, count * family.share // whole)
        starts = range(0, most, _CHUNK)
        tasks += [Task(family.name, seed, start, min(start + _CHUNK, most)) for start in starts]
    return tasks


def _replays(paths: list[Path]) -> list[Task]:
    """Return tasks that read files again, each by its path and by its bytes."""
    files: dict[str, list[str]] = {}
    for path in paths:
        for file in sorted(path.iterdir()) if path.is_dir() else [path]:
            family = file.name.split("-")[0]
            if family in FAMILIES and file.suffix != ".txt":
                files.setdefault(family, []).extend([str(file.absolute())] * 2)
    return [Task(family, 0, 0, len(found), tuple(found)) for family, found in files.items()]


def _bad() -> list[Task]:
    """Return tasks that read MXNet's golden files of damage."""
    tasks = []
    for family, folder in (("params", "bad"), ("states", "bad_states")):
        paths = sorted((GOLDEN / "mxnet" / folder).glob(f"*.{family}"))
        files = tuple(str(path) for path in paths for _ in range(2))
        tasks.append(Task(family, 0, 0, len(files), files, must_refuse=True))
    return tasks


def _written(task: Task, failure: Failure, folder: Path) -> str:
    """Write a case that went wrong to a file, and return what to tell."""
    case = case_of(task, failure.number)
    path = Path(task.files[failure.number]) if task.files else folder
    if not task.files:
        folder.mkdir(exist_ok=True)
        path = folder / f"{failure.family}-{hashlib.sha256(case.data).hexdigest()[:12]}"
        path.write_bytes(case.data)
    steps = "; ".join(case.steps)
    text = (
        f"{failure.family}, seed {failure.seed}, case {failure.number}: {failure.problem}\n"
        f"  made of {case.seed}: {steps[:500]}\n"
        f"  again: python -m fuzz --replay {path}; smaller: python -m fuzz --minimise {path}\n"
    )
    details = f"{text}\n{failure.details}".encode("utf-8", "backslashreplace")
    if not task.files:
        path.with_suffix(".txt").write_bytes(details)
    return details.decode()[:_LONGEST] if task.files else details.decode().partition("\n\n")[0]


def _minimised(path: Path) -> int:
    """Write the smallest file that goes wrong as another one does."""
    data, path = path.read_bytes(), path.absolute()
    with tempfile.TemporaryDirectory(dir=temporary_folder()) as folder:
        checker = Checker(path.name.split("-")[0], Path(folder), Sandbox())
        checker.warm_up()
        check = isolated(checker)
        number = next((number for number in (0, 1) if check(data, number)), None)
        if number is None:
            print("nothing goes wrong")
            return 1
        data = minimise(data, number, check)
        print(check(data, number))
        os.chdir("/")
    path = path.with_name(f"{path.name}-small")
    path.write_bytes(data)
    print(f"{len(data)} bytes in {path}: {data[:400]!r}")
    return 0


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
