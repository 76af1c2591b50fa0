"""Runs the fuzzer of calls: `python -m fuzz.differential --cases 2000 --seed 1`."""

from __future__ import annotations

import argparse
import json
import pickle
import subprocess
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from fuzz.differential import keeping
from fuzz.differential.comparing import coarseness, differences
from fuzz.differential.drawing import case_of
from fuzz.differential.known import Known, argued

_HERE = Path(__file__).parent
_ROOT = _HERE.parents[1]


def main() -> int:
    """Draw cases, have both libraries answer, and tell how the answers differ."""
    parser = argparse.ArgumentParser("python -m fuzz.differential", description=__doc__)
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--mxnet", default=str(_ROOT / ".mx/bin/python"))
    parser.add_argument("--output", type=Path, default=Path("fuzz-failures/differential"))
    parser.add_argument("--only", default="")
    parser.add_argument("--fronts", nargs="*", default=[])
    parser.add_argument("--show", type=int, default=2)
    parser.add_argument(
        "--again",
        choices=("gluonish", "none"),
        help="take MXNet's answers of the last run, and have gluonish, or nobody, answer anew",
    )
    parser.add_argument(
        "--on", help="a kind of device, such as gpu: compare gluonish there with itself on the CPU"
    )
    parser.add_argument("--argued", action="store_true", help="show what is argued, too")
    parser.add_argument("--keep", type=int, default=0, help="keep so many cases among the tests")
    parser.add_argument("--also", type=Path, help="a file with a case in each line, asked first")
    options = parser.parse_args()
    fronts = {"fronts": tuple(options.fronts)} if options.fronts else {}
    numbers = range(options.start, options.start + options.cases)
    if options.again:
        cases = list(map(json.loads, (options.output / "cases.jsonl").read_text().splitlines()))
    else:
        cases = [case_of(options.seed, number, only=options.only, **fronts) for number in numbers]
    if options.also:
        cases = [*map(json.loads, options.also.read_text().splitlines()), *cases]
    if options.keep and not options.again:
        cases = [row["case"] for row in keeping.read() if row["case"].get("mended")] + cases
    started = time.monotonic()
    libraries = {"gluonish": ("gluonish",), "none": ()}.get(options.again, ("gluonish", "mxnet"))
    if options.on:
        cases, ours, theirs = _on_a_device(cases, options.output, options.on)
    else:
        ours, theirs = answers(cases, options.output, options.mxnet, libraries)
    kinds: dict[tuple[str, str], list[str]] = defaultdict(list)
    counts: Counter[str] = Counter()
    rules: Counter[Known] = Counter()
    agreed: list[tuple[dict[str, Any], dict[str, Any]]] = []
    answered: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for case, mine, other in zip(cases, ours, theirs, strict=True):
        name = f"{case['front']}.{case['name']}"
        answered[name][0] += 1
        answered[name][1] += "error" not in other
        counts["answered"] += "error" not in other
        found_here = [*differences(mine, other, coarseness(case))]
        if not found_here:
            agreed.append((case, other))
            counts["same" if "error" not in other else "both refuse"] += 1
            continue
        kept = [found for found in found_here if found.kind != "more"]
        argues = [None if options.on else argued(case, found, mine, other) for found in kept]
        for found, rule in zip(kept, argues, strict=True):
            if rule and options.argued:
                kinds[f"{rule.heading}: {name}", found.kind].append(
                    f"{written(case)}\n      {found.details}"
                )
            if not rule:
                kinds[name, found.kind].append(f"{written(case)}\n      {found.details}")
        open_ones = [f.kind for f, rule in zip(kept, argues, strict=True) if not rule]
        rules.update({rule for rule in argues if rule})
        counts[open_ones[0] if open_ones else "argued" if kept else "more"] += 1
    for (name, kind), several in sorted(kinds.items(), key=lambda item: item[0]):
        print(f"{name}: {kind}, {len(several)}")
        for text in several[: options.show]:
            print(f"   {text}")
    if options.keep:
        rows = [agreed[place] for place in keeping.chosen(agreed, options.keep)]
        keeping.write([case for case, _ in rows], [answer for _, answer in rows], "1.9.1")
    never = sorted(name for name, (count, good) in answered.items() if not good)
    print("never answered:", *never)
    print("cases argued, by rule:")
    for rule, count in rules.most_common():
        print(f"{count:6} {rule.heading} | {rule.names}")
    print(dict(counts), f"{time.monotonic() - started:.0f} s")
    return 0


def written(case: dict[str, Any]) -> str:
    """Return a case as a line of a program, nearly."""
    texts = [_text(value) for value in case["args"]]
    texts += [f"{name}={_text(value)}" for name, value in case["kwargs"].items()]
    rest = {
        key: value
        for key, value in case.items()
        if key not in ("args", "kwargs", "front", "name", "kind")
    }
    if "inputs" in rest:
        rest["inputs"] = _text(rest["inputs"])
    return f"{case['front']}.{case['name']}({', '.join(texts)})  # {rest}"


def _text(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_text, value))}]"
    if not isinstance(value, dict):
        return repr(value)
    ((kind, content),) = value.items()
    if kind == "array":
        kind, *numbers = content["values"]
        shape = "x".join(map(str, content["shape"]))
        return f"<{content['dtype']} {shape} {kind}{numbers or ''} {content['seed']}>"
    if kind == "tuple":
        return f"({', '.join(map(_text, content))})"
    return f"array {content} again" if kind == "given" else str(content)


def _on_a_device(
    cases: list[Any], folder: Path, device: str
) -> tuple[list[Any], list[Any], list[Any]]:
    """Return the cases that draw nothing, and our answers on a device and on the CPU."""
    again = [case | {"seed": case["seed"] + 1} for case in cases]
    asked = {
        "there": (f"gluonish:{device}", cases),
        "here": ("gluonish", cases),
        "again": ("gluonish", again),
    }
    found = []
    for name, (library, several) in asked.items():
        _write(several, folder / name)
        _ask(library, sys.executable, folder / name).wait()
        found.append(_told(library, folder / name, len(cases)))
    rows = [
        (case, there, here)
        for case, there, here, other in zip(cases, *found, strict=True)
        if not [*differences(other, here)]
    ]
    return [row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows]


def answers(
    cases: list[Any], folder: Path, mxnet: str, libraries: tuple[str, ...]
) -> tuple[list[Any], list[Any]]:
    """Return our answers and MXNet's; those of the last run of libraries that are not asked."""
    _write(cases, folder)
    pythons = {"gluonish": sys.executable, "mxnet": mxnet}
    workers = [_ask(library, pythons[library], folder) for library in libraries]
    for worker in workers:
        worker.wait()
    ours, theirs = (_told(library, folder, len(cases)) for library in pythons)
    return ours, theirs


def _write(cases: list[Any], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    lines = "".join(json.dumps(case) + "\n" for case in cases)
    (folder / "cases.jsonl").write_text(lines, encoding="utf-8")


def _ask(library: str, python: str, folder: Path) -> subprocess.Popen[bytes]:
    """Have a worker answer the cases of a folder."""
    files = [str((folder / name).absolute()) for name in ("cases.jsonl", f"{library}.pickle")]
    command = [python, "-m", "fuzz.differential.worker", library, *files]
    return subprocess.Popen(command, cwd=_ROOT)


def _told(library: str, folder: Path, count: int) -> list[Any]:
    with (folder / f"{library}.pickle").open("rb") as stream:
        return [pickle.load(stream) for _ in range(count)]


if __name__ == "__main__":
    sys.exit(main())
