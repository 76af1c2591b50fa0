"""`gluonish convert`: parameters, graphs and states in other formats."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from gluonish.cli.text import bytes_text, fail, warn_of
from gluonish.errors import MXNetError
from gluonish.errors.wording import counted
from gluonish.serialization.kinds import TARGETS

if TYPE_CHECKING:
    from gluonish.conversion import Converted

_EPILOG = """\
formats:
{targets}
  resnet50_v1, ...: parameters of this network of the model zoo, from PyTorch's weights of it
  torchvision: the other way round, a state_dict for torchvision's network

examples:
  gluonish convert net-0007.params --to safetensors
  gluonish convert models/ --to safetensors --output converted/
  gluonish convert net-symbol.json net-0007.params --to onnx --input-shape data=1,3,224,224
  gluonish convert net 7 --to pt2 --input-shape data=1,3,224,224 --dynamic-batch
  gluonish convert weights.pt --to mxnet --output weights.params
  gluonish convert resnet50.pth --to resnet50_v1 -o resnet50_v1.params
  gluonish convert resnet50_v1.params --to torchvision -o resnet50.pth
  gluonish convert s3://bucket/net-0007.params --to torch --names torch
"""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    targets = "\n".join(f"  {each.name:12}{each.purpose}" for each in TARGETS.values())
    parser = commands.add_parser(
        "convert",
        help="convert parameters, graphs and states to PyTorch's formats, ONNX, and back",
        epilog=_EPILOG.format(targets=targets),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "inputs",
        nargs="+",
        metavar="IN",
        help="file, folder, pattern, URL, or prefix of a checkpoint with the number of its epoch",
    )
    parser.add_argument(
        "--to", required=True, metavar="FORMAT", help="format, or network of the zoo, see below"
    )
    parser.add_argument(
        "-o", "--output", help="file or folder (default: beside IN; in '.' for URLs)"
    )
    parser.add_argument(
        "--epoch", type=int, help="whose parameters go with a graph (default: the last)"
    )
    parser.add_argument(
        "--dtype",
        choices=["float16", "bfloat16", "float32", "float64"],
        help="what floating-point numbers become (default: what they are)",
    )
    parser.add_argument(
        "--names",
        choices=["plain", "keep", "torch"],
        help="names of arrays: without 'arg:' and 'aux:' (plain, the default), as they are (keep), "
        "or as PyTorch's layers call them (torch: bn0_gamma becomes bn0.weight)",
    )
    parser.add_argument(
        "--rename",
        action="append",
        default=[],
        type=_rename,
        metavar="REGEX=TEXT",
        help="replace what matches in names; can be repeated",
    )
    parser.add_argument(
        "--net",
        metavar="NETWORK",
        help="for torchvision: the network of the zoo that IN is of (default: the one that the "
        "file's name begins with)",
    )
    add_input_shape(parser, "for pt2 and onnx")
    parser.add_argument(
        "--dynamic-batch",
        action="store_true",
        help="let the results of pt2 and onnx take batches of any length",
    )
    parser.add_argument(
        "--no-verify", action="store_true", help="don't compare the results with their sources"
    )
    parser.add_argument("--force", action="store_true", help="replace files that exist already")
    parser.add_argument("-q", "--quiet", action="store_true", help="print errors only")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Convert what the command line says; return the exit status."""
    from gluonish.conversion.converting import convert_one, planned
    from gluonish.conversion.plans import Choices

    choices = Choices(
        options.to,
        options.dtype,
        options.names,
        tuple(options.rename),
        dict(options.input_shape),
        dynamic_batch=options.dynamic_batch,
        verify=not options.no_verify,
        force=options.force,
        progress=False if options.quiet else None,
        net=options.net,
    )
    plans = planned(options.inputs, options.output, options.epoch, choices)
    failed = 0
    for plan in plans:
        try:
            done = convert_one(plan, choices)
        except MXNetError as error:
            if options.debug or len(plans) == 1:
                raise
            fail("convert", error)
            failed += 1
        else:
            if not options.quiet:
                sys.stdout.write(_summary(done))
                sys.stdout.flush()
    if failed:
        warn_of("convert", f"{failed} of {len(plans)} conversions failed; see above")
    return 1 if failed else 0


def _summary(done: Converted) -> str:
    lines = [" + ".join(done.sources), f"  -> {', '.join(done.outputs)}"]
    lines.append(
        f"     {counted(done.arrays, 'array')}, {counted(done.elements, 'number')}, "
        f"{bytes_text(done.bytes)}"
    )
    lines.append(f"     verified: {done.checks}" if done.checks else "     not verified")
    lines += [f"     note: {note}" for note in done.notes]
    return "\n".join(lines) + "\n"


def add_input_shape(parser: argparse.ArgumentParser, why: str) -> None:
    """Add the option `--input-shape`, which can be repeated."""
    parser.add_argument(
        "--input-shape",
        action="append",
        default=[],
        type=input_shape,
        metavar="NAME=1,3,224,224",
        help=f"shape of a graph's input, {why}; can be repeated",
    )


def input_shape(text: str) -> tuple[str, tuple[int, ...]]:
    """Return name and shape that an option says.

    Examples
    --------
    >>> from gluonish.cli.convert import input_shape
    >>> input_shape('data=1,3,224,224')
    ('data', (1, 3, 224, 224))
    """
    name, equals, dims = text.partition("=")
    parts = dims.strip("()[] ").replace("x", ",").rstrip(",").split(",")
    if not name or not equals or not all(part.strip().isdecimal() for part in parts):
        raise _misfit(text, "NAME=LENGTH,LENGTH,..., such as data=1,3,224,224")
    shape = tuple(int(part) for part in parts)
    if 0 in shape:
        raise _misfit(text, "lengths above 0")
    return name, shape


def _rename(text: str) -> tuple[str, str]:
    pattern, equals, replacement = text.rpartition("=")
    if not equals or not pattern:
        raise _misfit(text, "REGEX=TEXT, such as '^net0_='")
    return pattern, replacement


def _misfit(text: str, expected: str) -> argparse.ArgumentTypeError:
    msg = f"{text!r} was given; expected {expected}"
    return argparse.ArgumentTypeError(msg)
