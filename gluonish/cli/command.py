"""The command line: its subcommands and their options."""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from typing_extensions import override

from gluonish.cli import convert, demo, doctor, inspect, launch, profile, run
from gluonish.cli.text import fail
from gluonish.errors import MXNetError
from gluonish.errors.suggestions import did_you_mean, nearest
from gluonish.libinfo import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

_INTERRUPTED = 130  # what shells expect of a program that was stopped by Ctrl-C


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command `gluonish`.

    Parameters
    ----------
    argv : list of str, optional
        Arguments, by default those of the process.

    Returns
    -------
    int
        Exit status: 0 if all went well.

    Examples
    --------
    >>> from gluonish.cli import main
    >>> main(["doctor"])
    gluonish ...
    0
    """
    parser = _parser()
    options, unknown = parser.parse_known_args(argv)
    if unknown:
        _refuse(parser if options.command is None else _command(parser, options.command), unknown)
    if options.command is None:
        parser.print_help()
        return 0
    try:
        status: int = options.run(options)
    except MXNetError as error:
        if options.debug:
            raise
        fail(options.command, error)
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        return _INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output, such as `head`, has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return status


class _Parser(argparse.ArgumentParser):
    """A parser that knows misspelt commands."""

    @override
    def error(self, message: str) -> NoReturn:
        wrong = re.search(r"invalid choice: '([\w-]+)' \(choose from (.*)\)", message)
        known = [] if wrong is None else re.findall(r"[\w-]+", wrong[2])
        hint = did_you_mean(wrong[1], known) if wrong is not None else ""
        self.exit(
            2, f"{self.prog}: error: {message}{hint}\n{self.prog} --help shows all options.\n"
        )


def _command(parser: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    """Return the parser of a subcommand."""
    found = (action.choices for action in parser._actions if action.dest == "command")  # noqa: SLF001 - argparse tells no other way
    choices: Any = next(found)
    command: argparse.ArgumentParser = choices[name]
    return command


def _refuse(parser: argparse.ArgumentParser, unknown: Sequence[str]) -> NoReturn:
    """Name the options that a command does not have, and those that are like them."""
    known = re.findall(r"--([\w-]+)", parser.format_help())
    given = [each.partition("=") for each in unknown if each.startswith("-")]
    meant = [
        f"--{near}{sign}{value}"
        for option, sign, value in given
        if (near := nearest(option.lstrip("-").replace("_", "-"), known)) is not None
    ]
    hint = f". Did you mean {' '.join(meant)}?" if meant else ""
    parser.error(f"unrecognized arguments: {' '.join(unknown)}{hint}")


def _parser() -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = _Parser(
        prog="gluonish", description="The Gluon way of writing neural networks, on PyTorch."
    )
    parser.add_argument("--version", action="version", version=f"gluonish {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    _add_demo(commands)
    doctor_parser = commands.add_parser(
        "doctor", help="show what gluonish runs on, and which extras are missing"
    )
    doctor_parser.set_defaults(run=lambda _: doctor.run())
    convert.add_parser(commands)
    inspect.add_parser(commands)
    launch.add_parser(commands)
    for each in commands.choices.values():
        each.add_argument("--debug", action="store_true", help="show where an error comes from")
    profile.add_parser(commands)
    run.add_parser(commands)
    return parser


def _add_demo(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("demo", help="train LeNet on real digits and draw what it learned")
    parser.add_argument(
        "--output",
        type=Path,
        default=Path("demo-output"),
        help="folder for parameters and picture (default: %(default)s)",
    )
    parser.add_argument(
        "--epochs", type=_positive, default=demo.EPOCHS, help="rounds (default: %(default)s)"
    )
    parser.add_argument(
        "--seed", type=int, default=0, help="seed of all random numbers (default: %(default)s)"
    )
    parser.set_defaults(run=lambda options: demo.run(options.output, options.epochs, options.seed))


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        msg = f"{number} was given; expected 1 or more"
        raise argparse.ArgumentTypeError(msg)
    return number
