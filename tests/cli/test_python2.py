"""Old programs: in Python 2, as workers, and the command line without a command."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from gluonish.cli import main
from gluonish.errors import FileFormatError, MissingExtraError
from gluonish.mxnet_import import python2

if TYPE_CHECKING:
    from pathlib import Path

_OLD = """\
import mxnet as mx
import helper
print 'sum', mx.nd.ones(3).sum().asscalar()
for i in xrange(2):
    print i,
print helper.has({'a': 1})
try:
    raise ValueError, 'told'
except ValueError, error:
    print error
"""
_HELPER = """\
def has(d):
    print 'asked'
    return d.has_key('a')
"""


def _gluonish(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "gluonish", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "old.py").write_text(_OLD)
    (tmp_path / "helper.py").write_text(_HELPER)
    return tmp_path


def test_a_program_in_python_2_and_its_modules_run(program: Path) -> None:
    done = _gluonish(program, "run", "--from-python2", "old.py")
    assert done.stderr == ""
    assert done.stdout == "sum 3.0\n0 1 asked\nTrue\ntold\n"
    assert not (program / "__pycache__").exists()  # which Python 3 would take for the module


def test_without_the_option_python_2_is_recognized(program: Path) -> None:
    done = _gluonish(program, "run", "old.py")
    assert done.returncode == 1
    assert "SyntaxError: Missing parentheses" in done.stderr
    assert "Run it with: gluonish run --from-python2 program.py" in done.stderr


def test_what_is_in_neither_python_is_refused(program: Path) -> None:
    (program / "old.py").write_text("print 'a' 'b")
    done = _gluonish(program, "run", "--from-python2", "old.py")
    assert done.returncode == 1
    assert "old.py: " in done.stderr
    assert "Expected a program in Python 2." in done.stderr
    with pytest.raises(FileFormatError, match="look at that line"):
        python2.as_python3(b"def f(:", "old.py")


def test_empty_programs_and_encodings_are_read() -> None:
    assert python2.as_python3(b"", "old.py") == ""
    text = "# -*- coding: latin-1 -*-\nprint u'\xe9'".encode("latin-1")
    assert "print('\xe9')" in python2.as_python3(text, "old.py")


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("fissix", "fissix.refactor"):
        monkeypatch.setitem(sys.modules, name, None)
    python2._tool.cache_clear()
    with pytest.raises(MissingExtraError, match=r"pip install 'gluonish\[python2\]'"):
        python2.as_python3(b"print 1", "old.py")


def test_workers_of_a_program_that_imports_mxnet(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(
        "import sys\nimport mxnet as mx\nkv = mx.kv.create('dist_sync')\n"
        "words = kv.rank, kv.num_workers, mx.__version__, sys.argv[1:]\n"
        "sys.stdout.write(' '.join(map(str, words)) + '\\n')  # at once, beside the other worker\n"
    )
    done = _gluonish(tmp_path, "launch", "-n", "2", "--as-mxnet", "train.py", "--epochs", "5")
    assert done.returncode == 0, done.stderr
    lines = sorted(done.stdout.splitlines())
    assert lines == [f"{rank} 2 1.9.1 ['--epochs', '5']" for rank in (0, 1)]


def test_a_bare_gluonish_lists_its_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    shown = capsys.readouterr().out
    for command in ("demo", "doctor", "convert", "inspect", "launch", "profile", "run"):
        assert f"    {command} " in shown
