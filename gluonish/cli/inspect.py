"""`gluonish inspect`: what a file is, and what is in it."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gluonish.cli.convert import add_input_shape
from gluonish.cli.text import bytes_text, fail, table, terminal_width, wrapped
from gluonish.errors import InvalidArgumentError, MXNetError
from gluonish.errors.wording import counted, shape_text
from gluonish.serialization.files import path_text, replacing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.conversion import ArrayReport, Report

_EPILOG = """\
examples:
  gluonish inspect net-0007.params --stats
  gluonish inspect net-symbol.json --input-shape data=1,3,224,224 --plot net.svg
  gluonish inspect models/
  gluonish inspect train.rec --json
"""
_MOST_FILES = 1000
_NODES = {"fixedsize": "false", "width": "1.6"}  # else long names do not fit
_PICTURES = ("gv", "jpg", "pdf", "png", "svg")


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = commands.add_parser(
        "inspect",
        help="show what a file is and what is in it: parameters, graphs, states, records",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="file, folder or URL")
    parser.add_argument(
        "--stats", action="store_true", help="read all values: their least, largest and mean"
    )
    add_input_shape(parser, "to find all others")
    parser.add_argument("--json", action="store_true", help="print JSON, for machines")
    parser.add_argument(
        "--plot",
        metavar="PICTURE",
        help="draw the graph into a .png, .svg, .pdf or .gv file (needs the extra viz)",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Show what the command line says; return the exit status: 1 if a file is damaged."""
    from gluonish.conversion import inspect

    if options.plot is not None and len(options.files) > 1:
        msg = f"--plot: {len(options.files)} files were given. Expected one. Name the graph alone."
        raise InvalidArgumentError(msg)
    files = [path_text(name) for name in options.files]
    if any(Path(name).is_dir() for name in files):
        return _folders(files, options)
    shapes = dict(options.input_shape)
    reports, failed = [], False
    for name in options.files:
        try:
            report = inspect(
                name,
                statistics=options.stats,
                input_shapes=shapes,
                progress=False if options.json else None,
            )
        except MXNetError as error:
            if options.debug or len(options.files) == 1:
                raise
            fail("inspect", error)
            failed = True
            continue
        reports.append(report)
        if not options.json:
            sys.stdout.write("\n".join(_lines(report, bool(shapes))) + "\n")
        if report.damage is not None:
            fail("inspect", InvalidArgumentError(report.damage))
            failed = True
    if options.json:
        found: Any = [report.as_json() for report in reports]
        sys.stdout.write(
            json.dumps(found[0] if len(options.files) == 1 else found, indent=2) + "\n"
        )
    if options.plot is not None and reports:
        _plot(reports[0], options.plot, shapes)
    return 1 if failed else 0


def _plot(report: Report, target: str, shapes: dict[str, tuple[int, ...]]) -> None:
    from gluonish import symbol, viz
    from gluonish.conversion.inspecting import graph_of

    graph = graph_of(report.path, report.kind)
    kind = Path(target).suffix.removeprefix(".")
    if graph is None or kind not in _PICTURES:
        what = f"{report.path!r} is no graph, and has none beside it" if graph is None else target
        msg = (
            f"--plot: {what}. Expected a -symbol.json file, and a picture whose name ends in one "
            f"of {', '.join(f'.{each}' for each in _PICTURES)}."
        )
        raise InvalidArgumentError(msg)
    picture = viz.plot_network(
        symbol.load(graph), title=Path(graph).stem, shape=shapes or None, node_attrs=_NODES
    )
    if kind == "gv":
        with replacing(target) as stream:
            stream.write(picture.source.encode())
    else:
        picture.format = kind
        picture.render(outfile=target, cleanup=True, quiet=True)
    sys.stderr.write(f"picture {target}\n")


def _folders(names: list[str], options: argparse.Namespace) -> int:
    """Show a line for each file in folders."""
    from gluonish.conversion import Kind, inspect

    files: list[str] = []
    for name in names:
        inside = sorted(path for path in Path(name).rglob("*") if path.is_file())
        files += map(str, inside) if Path(name).is_dir() else [name]
    start = names[0] if len(names) == 1 else ""
    reports, errors = [], []
    for path in files[:_MOST_FILES]:
        try:
            reports.append(inspect(path, progress=False))
        except MXNetError as error:
            errors.append(error)
    known = [report for report in reports if report.kind is not Kind.UNKNOWN]
    if options.json:
        sys.stdout.write(json.dumps([report.as_json() for report in reports], indent=2) + "\n")
    else:
        rows = [
            [
                str(Path(report.path).relative_to(start)) if start else report.path,
                report.kind.value,
                _content(report),
                bytes_text(report.size),
                "damaged" if report.damage else "",
            ]
            for report in known
        ]
        head = ["file", "kind", "content", "size", ""]
        lines = [start] if start else []
        lines += table(head, rows, [3], terminal_width()) if rows else ["  no files of models"]
        if len(known) < len(reports):
            lines.append(f"  and {counted(len(reports) - len(known), 'file')} of other kinds")
        if len(files) > _MOST_FILES:
            lines.append(f"  and {len(files) - _MOST_FILES:,} more files, which were not looked at")
        sys.stdout.write("\n".join(lines) + "\n")
    errors += [
        InvalidArgumentError(report.damage)
        for report in reports
        if report.damage and (report in known or not report.size)
    ]
    for each in errors:
        fail("inspect", each)
    return 1 if errors else 0


def _content(report: Report) -> str:
    facts = report.facts
    if report.arrays:
        arrays, numbers = len(report.arrays), report.elements
        return f"{counted(arrays, 'array')}, {counted(numbers, 'number')}"
    if "nodes" in facts:
        return f"{counted(facts['nodes'], 'node')}"
    if isinstance(facts.get("records"), int):
        return counted(facts["records"], "record")
    return counted(facts["keys"], "key") if "keys" in facts else ""


def _lines(report: Report, with_nodes: bool) -> list[str]:
    width = terminal_width()
    lines = [report.path, f"  {report.kind.value}, {bytes_text(report.size)}"]
    if report.arrays:
        stored = sum(array.bytes for array in report.arrays)
        lines[1] += (
            f"; {counted(len(report.arrays), 'array')}, {counted(report.elements, 'number')}"
            f"{'' if stored == report.size else f', {bytes_text(stored)} of values'}"
        )
    for label, value in report.facts.items():
        if isinstance(value, str):
            lines += wrapped(label, value.split(" "), width, mark="")
        else:
            lines += wrapped(label, _items(label, value), width)
    if report.damage is not None and report.arrays:
        lines.append(f"  before the damage, {counted(len(report.arrays), 'array')}:")
    if report.arrays:
        lines += ["", *_array_table(report.arrays, width)]
    if with_nodes and report.nodes:
        rows = [[node.name, node.operator, shape_text(node.shape)] for node in report.nodes]
        lines += ["", *table(["operator", "kind", "result"], rows, [], width)]
    return lines


def _items(label: str, value: Any) -> list[str]:  # noqa: ANN401 - whatever a fact is
    if isinstance(value, dict):
        if label == "labels":
            return [f"{number:,} {name}" for name, number in value.items()]
        return [f"{name} {text:,}" if isinstance(text, int) else f"{name} {text}"
                for name, text in value.items()] or ["none"]  # fmt: skip
    if isinstance(value, list):
        return [str(item) for item in value] or ["none"]
    return [f"{value:,}" if isinstance(value, int) else str(value)]


def _array_table(arrays: Sequence[ArrayReport], width: int) -> list[str]:
    is_sparse = any(array.storage != "default" for array in arrays)
    has_numbers = any(array.statistics is not None for array in arrays)
    odd = any(array.statistics and array.statistics.not_finite for array in arrays)
    head = ["name", "shape", "dtype", *(["storage"] if is_sparse else []), "bytes"]
    head += ["min", "max", "mean"] if has_numbers else []
    head += ["nan, inf"] if odd else []
    rows = []
    for array in arrays:
        row = [array.name, shape_text(array.shape), array.dtype]
        row += [array.storage] if is_sparse else []
        row.append(f"{array.bytes:,}")
        numbers = array.statistics
        if has_numbers:
            values = [] if numbers is None else [numbers.least, numbers.largest, numbers.mean]
            row += [f"{value:.4g}" for value in values] or ["", "", ""]
        if odd:
            row.append(f"{numbers.not_finite:,}" if numbers and numbers.not_finite else "")
        rows.append(row)
    return table(head, rows, range(3 + is_sparse, len(head)), width)
