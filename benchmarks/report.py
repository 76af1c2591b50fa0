"""Tables of the results, in Markdown that reads well as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchmarks.contestants import OURS, TITLES
from benchmarks.ratios import over_mxnet, over_torch, torch_best
from benchmarks.time_lines import TITLES as LINE_TITLES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["full_report", "short_report"]

_MODES = {"forward": "forward", "step": "training step"}
_SHORT = {"whole": "whole step by hand, compiled", "mxnet": "MXNet eager"}
_COLD_TITLES = {
    "hybrid": "gluonish, hybridized forward",
    "hybrid-step": "gluonish, hybridized training step",
    "fused": "gluonish, fused step",
    "compile": "torch.compile, forward",
    "whole": "torch.compile, whole step",
    "mxnet-hybrid": "MXNet, hybridized forward",
}
_MILLION = 1_000_000


def short_report(results: Mapping[str, Any]) -> str:
    """Return what README.md quotes: conditions, the table of speeds, and one line for the rest."""
    parts = [conditions(results)]
    if results.get("speed"):
        parts.append(_over_torch(results))
    parts += [sentence for sentence in (_mxnet_line(results), _rest_line(results)) if sentence]
    return "\n\n".join(parts)


def full_report(results: Mapping[str, Any]) -> str:
    """Return all tables."""
    parts = [conditions(results)]
    if results.get("speed"):
        parts += ["## Speed", _over_torch(results), _absolute(results)]
        if results["machine"]["mxnet"]:
            parts += ["## Beside the real MXNet", _mxnet_caption(), _over_mxnet(results)]
    if results.get("floors"):
        parts += ["## Products and convolutions alone", _floors(results)]
    if results.get("operators"):
        parts += ["## Tiny operators", _operators(results["operators"])]
    if results.get("executor"):
        parts += ["## Executor", _executor(results["executor"])]
    if results.get("cold"):
        parts += ["## Cold start", _cold(results["cold"]), _import_line(results["import"])]
    if results.get("time"):
        parts += ["## Time to N steps", _LINES_SHOWN, _lines(results["time"])]
    if results.get("memory"):
        parts += ["## Memory", _memory(results["memory"])]
    if results.get("nets"):
        parts += ["## Nets of real size", _nets(results["nets"]), _peaks(results["nets"])]
    if results.get("random"):
        parts += ["## Random numbers", _random(results["random"])]
    if results.get("files"):
        parts += ["## Files", _files(results["files"])]
    if results.get("distributed"):
        parts += ["## Two processes", _distributed(results["distributed"])]
    if results.get("input"):
        parts += ["## Pictures", _input(results["input"])]
    return "\n\n".join(parts)


def conditions(results: Mapping[str, Any]) -> str:
    """Return where and how the results were measured."""
    machine, threads = results["machine"], results["threads"]
    count = "One thread" if threads == 1 else f"{threads} threads"
    others = f", MXNet {machine['mxnet']}" if machine["mxnet"] else ""
    quick = " A quick run: few blocks, no torch.compile." if results["quick"] else ""
    heap = " All keep memory that they free, as gluonish does." if results.get("keep") else ""
    return (
        f"{count}, {machine['device']}; Python {machine['python']}, PyTorch {machine['torch']}"
        f"{others}; all contestants interleaved in one run, PyTorch by hand and MXNet in processes "
        f"of their own, best of several blocks.{quick}{heap}"
    )


# --- speed ----------------------------------------------------------------------------------


def _over_torch(results: Mapping[str, Any]) -> str:
    """Return how many times as fast as PyTorch's best each contestant is."""
    cases = results["speed"]
    names = [*OURS, "whole", "mxnet", "mxnet-hybrid"]
    names = [n for n in names if any(n in case["microseconds"] for case in cases)]
    head = ["times as fast as PyTorch's best", *(_SHORT.get(n, TITLES[n]) for n in names)]
    rows = [[_case_title(case), *(_ratio(over_torch(case, n)) for n in names)] for case in cases]
    return _table(head, rows)


def _absolute(results: Mapping[str, Any]) -> str:
    """Return the time of one call of each contestant."""
    cases = results["speed"]
    names = [n for n in TITLES if any(n in case["microseconds"] for case in cases)]
    head = ["microseconds a call", *(_SHORT.get(n, TITLES[n]) for n in names)]
    rows = [
        [_case_title(case), *(_number(case["microseconds"].get(n)) for n in names)]
        for case in cases
    ]
    return _table(head, rows)


def _over_mxnet(results: Mapping[str, Any]) -> str:
    cases = results["speed"]
    names = [n for n in OURS if any(n in case["microseconds"] for case in cases)]
    head = ["times as fast as MXNet", *(TITLES[name] for name in names)]
    rows = [[_case_title(case), *(_ratio(over_mxnet(case, n)) for n in names)] for case in cases]
    return _table(head, rows)


def _mxnet_caption() -> str:
    return "Eager beside its eager mode; hybrid and fused beside its hybridized mode."


def _mxnet_line(results: Mapping[str, Any]) -> str | None:
    ratios = [
        ratio
        for case in results.get("speed", ())
        for name in OURS
        if (ratio := over_mxnet(case, name)) is not None
    ]
    if not ratios:
        return None
    return (
        f"Beside the real MXNet {results['machine']['mxnet']}, mode for mode, gluonish is "
        f"{min(ratios):.2g} to {max(ratios):.2g} times as fast."
    )


def _case_title(case: Mapping[str, Any]) -> str:
    return f"{case['title']}: {_MODES[case['mode']]}"


def _operators(cases: Sequence[Mapping[str, Any]]) -> str:
    names = [n for n in TITLES if any(n in case["microseconds"] for case in cases)]
    head = ["microseconds a call, arrays (2, 3)", *(TITLES[n] for n in names), "over PyTorch"]
    rows = []
    for case in cases:
        times = case["microseconds"]
        numbers = [_number(times.get(name)) for name in names]
        rows.append([f"`{case['name']}`", *numbers, f"{times['eager'] - times['torch']:+.2f}"])
    return _table(head, rows)


def _executor(times: Mapping[str, float]) -> str:
    titles = {"eager": "gluonish", "torch": "PyTorch by hand", "mxnet": "MXNet"}
    names = [name for name in titles if name in times]
    head = ["microseconds", *(titles[name] for name in names)]
    row = ["perceptron 100-128-10: forward, backward, update of arrays"]
    return _table(head, [[*row, *(_number(times[name]) for name in names)]])


# --- the rest -------------------------------------------------------------------------------


def _cold(cases: Sequence[Mapping[str, Any]]) -> str:
    head = ["milliseconds", "", "three eager calls", "first call"]
    rows = [
        [
            case["title"],
            _COLD_TITLES[name],
            f"{seconds['three eager'] * 1e3:,.1f}",
            f"{seconds['first'] * 1e3:,.1f}",
        ]
        for case in cases
        for name, seconds in case["seconds"].items()
    ]
    return _table(head, rows)


_LINES_SHOWN = "![Steps done against seconds since the start](images/time.svg)"


def _lines(cases: Sequence[Mapping[str, Any]]) -> str:
    head = ["seconds", "", "first step", "a tenth of the steps", "all steps"]
    head.append("times as fast as PyTorch eager")
    rows = []
    for case in cases:
        whole = case["lines"]["torch cold"][-1][1]
        for key, line in case["lines"].items():
            name, state = key.split()
            steps = dict(map(tuple, line))
            last = max(steps)
            has_states = f"{name} warm" in case["lines"]
            rows.append(
                [
                    f"{case['title']}, {last:,} steps",
                    LINE_TITLES[name] + (f", {state}" if has_states else ""),
                    f"{steps[1]:.3f}",
                    f"{steps[last // 10]:.2f}",
                    f"{steps[last]:.2f}",
                    f"{whole / steps[last]:.2f}",
                ]
            )
    return _table(head, rows)


def _import_line(seconds: Mapping[str, float]) -> str:
    return (
        f"`import gluonish` takes {seconds['gluonish'] - seconds['torch']:.2f} s over "
        f"`import torch`, which takes {seconds['torch']:.2f} s."
    )


def _floors(results: Mapping[str, Any]) -> str:
    head = ["microseconds", "gluonish eager", "products and convolutions alone", "part of it"]
    head += ["times as fast as PyTorch's best, at most", "as MXNet's, at most"]
    speeds = {(c["workload"], c["mode"]): c["microseconds"] for c in results.get("speed", ())}
    rows = []
    for row in results["floors"]:
        times = speeds.get((row["workload"], row["mode"]), {})
        whole, alone = row["microseconds"]["whole"], row["microseconds"]["alone"]
        best = (torch_best(times), times.get("mxnet-hybrid"))
        bounds = ["" if one is None else _ratio(one / alone) for one in best]
        numbers = [_number(whole), _number(alone), f"{alone / whole:.0%}"]
        rows.append([_case_title(row), *numbers, *bounds])
    return _table(head, rows)


def _memory(cases: Sequence[Mapping[str, Any]]) -> str:
    names = [n for n in TITLES if any(n in case["mebibytes"] for case in cases)]
    head = ["MiB of a training step over the resting state", *(TITLES[name] for name in names)]
    rows = [
        [case["title"], *(_number(case["mebibytes"].get(name)) for name in names)] for case in cases
    ]
    return _table(head, rows)


def _random(rows: Sequence[Mapping[str, Any]]) -> str:
    head = ["stream", "numbers", "gluonish, µs", "PyTorch's own, µs", "times as long"]
    return _table(
        head,
        [
            [
                row["name"],
                f"{row['size']:,}",
                _number(row["gluonish"]),
                _number(row["torch"]),
                _ratio(row["gluonish"] / row["torch"]),
            ]
            for row in rows
        ],
    )


def _files(rows: Sequence[Mapping[str, Any]]) -> str:
    kinds = [kind for kind in rows[0]["milliseconds"] if kind != "theirs"]
    head = ["milliseconds", "safetensors library", *(f"gluonish, `.{kind}`" for kind in kinds)]
    head += [f"`.{kind}`, times as fast" for kind in kinds]
    table = []
    for row in rows:
        times = row["milliseconds"]
        ratios = [_ratio(times["theirs"] / times[kind]) for kind in kinds]
        numbers = [_number(times[kind]) for kind in ("theirs", *kinds)]
        table.append([row["name"].replace(": ", ", "), *numbers, *ratios])
    return _table(head, table)


def _distributed(rows: Sequence[Mapping[str, Any]]) -> str:
    head = ["milliseconds", "torch.distributed", "gluonish", "times as long"]
    table = []
    for row in rows:
        theirs, ours = (row["milliseconds"][who] for who in ("torch", "gluonish"))
        table.append([row["name"], _number(theirs), _number(ours), _ratio(ours / theirs)])
    return _table(head, table)


def _input(rows: Sequence[Mapping[str, Any]]) -> str:
    others = {"torch": f"PyTorch, {rows[0]['by_hand']}", "mxnet": "MXNet"}
    others = {who: title for who, title in others.items() if who in rows[0]["speeds"]}
    head = ["pictures a second", "gluonish", *others.values()]
    head += [f"times as fast as {title}" for title in others.values()]
    table = []
    for row in rows:
        ours = row["speeds"]["gluonish"]
        speeds = [f"{row['speeds'][who]:,.0f}" for who in others]
        ratios = [_ratio(ours / row["speeds"][who]) for who in others]
        table.append([row["name"], f"{ours:,.0f}", *speeds, *ratios])
    return _table(head, table)


_NETS = ("hybrid", "torch", "torch-last", "mxnet-hybrid")


def _nets(cases: Sequence[Mapping[str, Any]]) -> str:
    names = [name for name in _NETS if name in cases[0]["microseconds"]]
    head = ["milliseconds", *(TITLES[name] for name in names), "times as fast as PyTorch's best"]
    if "mxnet-hybrid" in names:
        head.append("as MXNet")
    rows = []
    for case in cases:
        times = case["microseconds"]
        best = min(times["torch"], times["torch-last"])
        others = [best, *([times["mxnet-hybrid"]] if "mxnet-hybrid" in names else [])]
        ratios = [_ratio(other / times["hybrid"]) for other in others]
        rows.append([_case_title(case), *(_number(times[n] / 1e3) for n in names), *ratios])
    return _table(head, rows)


def _peaks(cases: Sequence[Mapping[str, Any]]) -> str:
    names = [name for name in _NETS if name in cases[0]["mebibytes"]]
    head = ["MiB of a process, at most", *(TITLES[name] for name in names), "times PyTorch's"]
    rows = []
    for case in cases:
        most = case["mebibytes"]
        numbers = [_number(most[name]) for name in names]
        rows.append([_case_title(case), *numbers, _ratio(most["hybrid"] / most["torch"])])
    return _table(head, rows)


def _rest_line(results: Mapping[str, Any]) -> str | None:
    """Return one line on operators, imports and random numbers."""
    said = []
    if results.get("operators"):
        extra = [
            case["microseconds"]["eager"] - case["microseconds"]["torch"]
            for case in results["operators"]
        ]
        said.append(
            f"An operator on a tiny array costs {min(extra):.1f} to {max(extra):.1f} µs over "
            f"PyTorch's own call."
        )
    if results.get("cold"):
        slowest = max(
            (case["seconds"]["hybrid"] for case in results["cold"] if "hybrid" in case["seconds"]),
            key=lambda seconds: seconds["first"] - seconds["three eager"],
            default=None,
        )
        if slowest is not None:
            said.append(
                f"A first hybridized call takes at most "
                f"{(slowest['first'] - slowest['three eager']) * 1e3:.0f} ms more than three "
                f"eager ones."
            )
    ratios = {
        row["name"]: row["gluonish"] / row["torch"]
        for row in results.get("random", ())
        if row["size"] == _MILLION
    }
    if ratios:
        said.append(
            f"A million random numbers of MXNet's streams take {ratios['np uniform']:.2g} (`np` "
            f"uniform), {ratios['nd uniform']:.2g} (`nd` uniform), {ratios['np normal']:.2g} (`np` "
            f"normal) and {ratios['nd normal']:.2g} (`nd` normal) times as long as PyTorch's own."
        )
    return " ".join(said) or None


# --- Markdown -------------------------------------------------------------------------------


def _ratio(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table; all columns but the first and those of words are right-aligned."""
    columns = list(zip(head, *rows, strict=True))
    widths = [max(3, *map(len, column)) for column in columns]
    words = [
        number == 0 or not any(cell[:1].isdigit() or cell[:1] in "+-" for cell in c[1:] if cell)
        for number, c in enumerate(columns)
    ]

    def line(cells: Sequence[str]) -> str:
        padded = [
            cell.ljust(width) if is_words else cell.rjust(width)
            for cell, width, is_words in zip(cells, widths, words, strict=True)
        ]
        return "| " + " | ".join(padded) + " |"

    rule = [
        "-" * width if w else "-" * (width - 1) + ":"
        for width, w in zip(widths, words, strict=True)
    ]
    return "\n".join([line(head), line(rule), *map(line, rows)])
