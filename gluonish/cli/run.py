"""`gluonish run`: programs that import mxnet, unchanged."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from gluonish.cli.words import add_words_parser
from gluonish.errors import MissingFileError
from gluonish.mxnet_import.checking import missing_names
from gluonish.mxnet_import.running import run_module, run_script
from gluonish.mxnet_import.taking_over import installed_mxnet

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

_USAGE = """\
gluonish run [--check | --from-python2] program.py [arguments ...]
       gluonish run -m module [arguments ...]"""
_ABOUT = """\
Run a program as python does, with gluonish in the place of mxnet: `import mxnet` and all its
modules give gluonish, in the program and in the processes that it starts.

  program.py     a file, or a folder with a __main__.py
  -m module      a module, or a package with a __main__
  --check        run nothing: list the names of mxnet that the files, or all files in
                 folders, use and gluonish lacks; the exit status is 1 if there are any
  --from-python2 the program, and modules beside it, are in Python 2: print statements,
                 xrange, except X, e and the like are read as Python 3 has them; integers
                 are divided as in Python 3 (needs the extra python2)
  --debug        show where an error of this command comes from
"""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    add_words_parser(
        commands, "run", "run a program that imports mxnet, unchanged", (_USAGE, _ABOUT), _run
    )


def _run(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    words = list(options.words)
    check = is_python2 = False
    while words and words[0].startswith("-"):
        word = words.pop(0)
        if word in ("-h", "--help"):
            parser.print_help()
            return 0
        if word == "-m" and words and not check:
            _tell_of_mxnet()
            return run_module(words[0], words[1:])
        if word == "--from-python2":
            is_python2 = True
            continue
        if word not in ("--check", "--debug"):
            parser.error(f"{word!r} is no option, or lacks its value. See gluonish run --help")
        check = check or word == "--check"
        options.debug = options.debug or word == "--debug"
    if not words:
        parser.error("no program was named. Expected a file, or -m and a module")
    if check:
        return _check(words)
    _tell_of_mxnet()
    return run_script(words[0], words[1:], is_python2=is_python2)


def _tell_of_mxnet() -> None:
    found = installed_mxnet()
    if found is not None:
        version, place = found
        sys.stderr.write(
            f"gluonish run: mxnet {version} is installed in {place}; the program gets gluonish\n"
        )


def _check(words: Sequence[str]) -> int:
    count = files = 0
    for path in _programs(words):
        files += 1
        for line, what in missing_names(path):
            sys.stdout.write(f"{path}:{line}: {what}\n")
            count += 1
    told = "1 name is" if count == 1 else f"{count} names are"
    sys.stdout.write(f"{told} missing in {'1 file' if files == 1 else f'{files} files'}\n")
    return 1 if count else 0


def _programs(words: Sequence[str]) -> list[Path]:
    paths: list[Path] = []
    for word in words:
        path = Path(word)
        if not path.exists():
            msg = f"there is no file or folder {word!r}. Expected programs in Python."
            raise MissingFileError(msg)
        paths += sorted(path.rglob("*.py")) if path.is_dir() else [path]
    return paths
