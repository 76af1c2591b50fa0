"""`python -m benchmarks`: measure, print tables, write JSON, draw, fill the documents."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks import documents, picture, report
from benchmarks.contestants import TITLES
from benchmarks.measure import PARTS, Options, measure
from benchmarks.remote import VARIABLE, find_python
from benchmarks.targets import verdicts
from benchmarks.workloads import WORKLOADS


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure gluonish beside PyTorch by hand and the real MXNet, in one run.",
    )
    choose = {"action": "append", "metavar": "NAME"}
    parser.add_argument("--part", choices=PARTS, help=f"one of {', '.join(PARTS)}", **choose)
    parser.add_argument(
        "--workload", choices=WORKLOADS, help=f"one of {', '.join(WORKLOADS)}", **choose
    )
    parser.add_argument(
        "--contestant", choices=TITLES, help=f"one of {', '.join(TITLES)}", **choose
    )
    parser.add_argument("--quick", action="store_true", help="two minutes, no torch.compile")
    parser.add_argument("--threads", type=int, default=1, help="threads of each contestant")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument(
        "--mxnet", metavar="PYTHON", help=f"Python that has MXNet; otherwise {VARIABLE}, .mx"
    )
    parser.add_argument(
        "--settle",
        type=float,
        default=90.0,
        help="seconds for which a contestant may become faster by itself, at most",
    )
    parser.add_argument(
        "--keep",
        action="store_true",
        help="have all contestants keep memory that they free, as gluonish does by itself",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results here")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the speeds here")
    parser.add_argument(
        "--from",
        dest="sources",
        type=Path,
        action="append",
        metavar="FILE",
        help="take results from --json's file; of several, parts of the later ones",
    )
    parser.add_argument(
        "--write-docs", action="store_true", help="fill README.md and docs/benchmarks.md"
    )
    return parser


def _results(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return results, and write them to a file too; what there is, where something fails."""
    results: dict[str, Any] = {}
    if arguments.sources:
        for source in arguments.sources:
            results.update(json.loads(source.read_text()))
        return results
    try:
        _measure(arguments, results)
    finally:
        if arguments.json is not None:
            arguments.json.write_text(json.dumps(results, indent=1) + "\n")
    return results


def _measure(arguments: argparse.Namespace, results: dict[str, Any]) -> None:
    options = Options(
        parts=tuple(arguments.part or _parts(arguments)),
        workloads=tuple(arguments.workload or WORKLOADS),
        contestants=tuple(arguments.contestant or TITLES),
        quick=arguments.quick,
        threads=arguments.threads,
        device=arguments.device,
        mxnet=find_python(arguments.mxnet),
        settle=arguments.settle,
        keep=arguments.keep,
    )
    start = time.perf_counter()

    def say(line: str) -> None:
        sys.stderr.write(f"[{time.perf_counter() - start:4.0f} s] {line}\n")

    measure(options, say, results)


def _parts(arguments: argparse.Namespace) -> tuple[str, ...]:
    """Return what to measure where --part does not say it."""
    if arguments.quick:
        return ("operators", "speed")
    named = arguments.workload or arguments.contestant
    return ("speed", "cold", "memory") if named else PARTS


def main() -> None:
    """Run what the command line asks for."""
    arguments = _parser().parse_args()
    results = _results(arguments)
    lines = [report.full_report(results), *map(str, verdicts(results))]
    sys.stdout.write("\n\n".join((lines[0], "\n".join(lines[1:]))) + "\n")
    if arguments.plot is not None:
        if picture.is_available():
            picture.draw(results, arguments.plot)
        else:
            sys.stderr.write("No picture: it needs matplotlib, pip install 'gluonish[viz]'\n")
    if arguments.write_docs:
        for path in documents.write(results):
            sys.stderr.write(f"wrote {path}\n")


if __name__ == "__main__":
    main()
