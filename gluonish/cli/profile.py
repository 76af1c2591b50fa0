"""`gluonish profile`: why the training of a program is slow."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from gluonish import profiler
from gluonish.cli.words import add_words_parser
from gluonish.mxnet_import.running import run_module, run_script
from gluonish.profiler.explaining import Observer

if TYPE_CHECKING:
    import argparse

_USAGE = """\
gluonish profile [--trace FILE] program.py [arguments ...]
       gluonish profile [--trace FILE] -m module [arguments ...]"""
_ABOUT = """\
Run a program that trains, and say where its time goes: data, forward, backward, update, waiting;
which layers take longest, which Blocks stay in Python and why, and what to do about it. End a long
training by Ctrl-C after some seconds: the table is about what has run until then. Programs that
import mxnet get gluonish, as by `gluonish run`.

  program.py     a file, or a folder with a __main__.py
  -m module      a module, or a package with a __main__
  --trace FILE   write layers, lines and operators over time, too, as a trace that
                 chrome://tracing and https://ui.perfetto.dev draw
  --debug        show where an error of this command comes from
"""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    add_words_parser(
        commands,
        "profile",
        "run a program that trains, and say why it is slow",
        (_USAGE, _ABOUT),
        _run,
    )


def _run(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    words = list(options.words)
    trace: str | None = None
    is_module = False
    while words and words[0].startswith("-") and not is_module:
        word = words.pop(0)
        if word in ("-h", "--help"):
            parser.print_help()
            return 0
        if word == "--trace" and words:
            trace = words.pop(0)
        elif word == "--debug":
            options.debug = True
        elif word == "-m":
            is_module = True
        else:
            told = "is no option, or lacks its value. See gluonish profile --help"
            parser.error(f"{word!r} {told}")
    if not words:
        parser.error("no program was named. Expected a file, or -m and a module")
    return _profile(words, trace, is_module=is_module)


def _profile(words: list[str], trace: str | None, *, is_module: bool) -> int:
    """Run a program, and print what was found, however it ends."""
    observer = Observer()
    if trace is not None:
        profiler.set_config(filename=trace, profile_imperative=True)
        profiler.set_state("run")
    try:
        with observer.watching():
            run = run_module if is_module else run_script
            status = run(words[0], words[1:])
    except SystemExit:
        _tell(observer, trace)
        raise
    _tell(observer, trace)
    return status


def _tell(observer: Observer, trace: str | None) -> None:
    sys.stdout.flush()
    sys.stdout.write(f"\n{observer.explanation()}\n")
    if trace is not None:
        profiler.dump()
        sys.stdout.write(f"\nThe trace is in {trace}. Open it in https://ui.perfetto.dev.\n")
