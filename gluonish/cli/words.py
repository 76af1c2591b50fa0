"""Subcommands that hand words on to a program of the user."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def add_words_parser(
    commands: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    about: str,
    texts: tuple[str, str],
    run: Callable[[argparse.Namespace, argparse.ArgumentParser], int],
) -> None:
    """Add a subcommand that finds out itself which words are its own.

    Parameters
    ----------
    commands : object
        What the subcommands are added to.
    name, about : str
        Its name, and what it does in a line.
    texts : (str, str)
        How it is called, and its help.
    run : callable
        Takes the options, all words among them, and the parser; returns the exit status.
    """
    usage, description = texts
    parser = commands.add_parser(
        name,
        help=about,
        usage=usage,
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=False,
        prefix_chars="\0",  # what begins with a dash may belong to the program
    )
    parser.add_argument("words", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    parser.set_defaults(debug=False, run=lambda options: run(options, parser))
