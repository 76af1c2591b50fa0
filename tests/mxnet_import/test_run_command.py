"""`gluonish run` does with a program what python does, and `--check` tells what it lacks."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile

import pytest

from gluonish.cli import main
from gluonish.mxnet_import.taking_over import give_back


@pytest.fixture(autouse=True)
def process(monkeypatch):
    """Give back what a program took."""
    monkeypatch.setattr(sys, "argv", list(sys.argv))
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    yield
    give_back()


def write(folder, text, name="train.py"):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_program_finds_itself_as_python_arranges_it(tmp_path, capsys):
    write(tmp_path, "beside = 3", "neighbour.py")
    path = write(
        tmp_path,
        "import sys, mxnet, neighbour\n"
        "print(sys.argv, sys.path[0], __name__, __file__, neighbour.beside)\n"
        "print(sys.modules['__main__'].sys is sys, __spec__, __package__, __doc__)",
    )
    assert main(["run", path, "--epochs", "3", "-m", "--check"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{[path, '--epochs', '3', '-m', '--check']} {tmp_path} __main__ {path} 3",
        "True None None None",
    ]


def test_modules_packages_folders_and_archives_run(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "import sys, mxnet; print(__name__, __package__, sys.argv[1:], __spec__.name)"
    write(tmp_path, text, "gluon_pkg/__main__.py")
    write(tmp_path, "", "gluon_pkg/__init__.py")
    write(tmp_path, text, "gluon_mod.py")
    assert main(["run", "-m", "gluon_pkg", "-x"]) == 0
    assert main(["run", "-m", "gluon_mod"]) == 0
    assert main(["run", "gluon_pkg", "y"]) == 0
    with zipfile.ZipFile("all.zip", "w") as archive:
        archive.writestr("__main__.py", text)
    assert main(["run", "all.zip"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "__main__ gluon_pkg ['-x'] gluon_pkg.__main__",
        "__main__  [] gluon_mod",
        "__main__  ['y'] __main__",
        "__main__  [] __main__",
    ]


@pytest.mark.parametrize(
    ("end", "status"),
    [("pass", 0), ("raise SystemExit", 0), ("import sys; sys.exit(7)", 7), ("1 / 0", 1),
     ("raise SystemExit('why')", 1), ("x = (", 1)],
)  # fmt: skip
def test_exit_status_and_tracebacks_are_pythons(end, status, tmp_path):
    path = write(tmp_path, f"def f():\n    {end}\nf()")
    command = "import sys; from gluonish.cli import main; sys.exit(main())"
    ours, pythons = (
        subprocess.run([sys.executable, *start, path], capture_output=True, text=True, check=False)
        for start in (["-c", command, "run"], [])
    )
    assert (ours.returncode, ours.stdout, ours.stderr) == (status, pythons.stdout, pythons.stderr)
    assert pythons.returncode == status


def test_an_interrupted_program_ends_as_shells_expect(tmp_path, capsys):
    assert main(["run", write(tmp_path, "raise KeyboardInterrupt")]) == 130
    assert "KeyboardInterrupt" in capsys.readouterr().err


def test_a_missing_name_is_explained_below_the_traceback(tmp_path, capsys):
    assert main(["run", write(tmp_path, "import os\nfrom mxnet.gluon import Trainr")]) == 1
    told = capsys.readouterr().err.splitlines()
    assert (
        told[-1] == "gluonish stands in for mxnet and has no 'gluon.Trainr'; is it 'gluon.Trainer'?"
    )
    assert len([line for line in told if line.startswith("  File")]) == 1


def test_an_installed_mxnet_is_named(tmp_path, capsys, monkeypatch):
    write(tmp_path, "", "mxnet/__init__.py")
    monkeypatch.syspath_prepend(tmp_path)
    assert main(["run", write(tmp_path, "import mxnet as mx; print(mx.__name__)")]) == 0
    shown = capsys.readouterr()
    assert shown.out == "gluonish\n"
    assert f"mxnet of unknown version is installed in {tmp_path / 'mxnet'}; the" in shown.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nothing.py"], "there is no file 'nothing.py'. Expected a program in Python, or -m"),
        (["-m", "nothing.here"], "there is no module 'nothing.here' that can be run"),
        (["-m", "empty_pkg"], "there is no module 'empty_pkg' that can be run"),
        (["-m", "math"], "'math' is not written in Python"),
        (
            ["empty_pkg"],
            "'empty_pkg' is a folder without a __main__.py. Expected a program. Name the file",
        ),
        (["--check", "nothing.py"], "there is no file or folder 'nothing.py'"),
        (["--check", "empty_pkg/wrong.txt"], "wrong.txt' is no program of Python 3"),
    ],
)
def test_what_cannot_be_run_is_told(words, message, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "", "empty_pkg/__init__.py")
    write(tmp_path, "print 'two'", "empty_pkg/wrong.txt")
    assert main(["run", *words]) == 1
    assert message in capsys.readouterr().err


def test_an_error_of_the_command_can_be_traced(capsys):
    with pytest.raises(FileNotFoundError):
        main(["run", "--debug", "nothing.py"])


@pytest.mark.parametrize("words", [[], ["--fly"], ["-m"], ["--check"], ["--check", "-m", "x"]])
def test_words_without_a_program_are_refused(words, capsys):
    with pytest.raises(SystemExit) as caught:
        main(["run", *words])
    assert caught.value.code == 2
    assert "gluonish run: error: " in capsys.readouterr().err


def test_help_is_shown(capsys):
    assert main(["run", "--help"]) == 0
    assert "-m module" in capsys.readouterr().out


def test_check_lists_names_with_their_lines(tmp_path, capsys):
    path = write(
        tmp_path,
        "import mxnet as mx\n"
        "from mxnet.gluon import nn, Trainr\n"
        "import mxnet.gluon.dta\n"
        "from mxnet import *\n"
        "net = nn.Dence(3)\n"
        "y = mx.nd.oness((2, 3)).foo(nd.sofmax(3), gluon.nn.Dense(3).bias)\n"
        "mx.gluon.data.DataLoader(y, batch_sise=3, **{})\n"
        "from mxnet.io import nothing as some; some.thing.more(1)\n"
        "from . import mxnet_tools; import numpy; numpy.nothing\n"
        "class Net(gluon.Blok): pass\n",
    )
    assert main(["run", "--check", path]) == 1
    lines = [line.removeprefix(f"{path}:") for line in capsys.readouterr().out.splitlines()]
    start = "gluonish stands in for mxnet and has no"
    assert lines[:6] == [
        f"2: {start} 'gluon.Trainr'; is it 'gluon.Trainer'?",
        f"3: {start} module 'mxnet.gluon.dta'; is it 'mxnet.gluon.data'?",
        f"5: {start} 'nn.Dence'; is it 'nn.Dense'?",
        f"6: {start} 'ndarray.oness'; is it 'ndarray.ones'?",
        f"6: {start} 'ndarray.sofmax'; is it 'ndarray.softmax'?",
        lines[5],
    ]
    assert lines[5].startswith("7: DataLoader takes no argument 'batch_sise'; it takes dataset, b")
    assert lines[6].startswith(f"8: {start} 'io.nothing'")
    assert lines[7].startswith(f"10: {start} 'gluon.Blok'; is it 'gluon.Block'?")
    assert lines[8:] == ["8 names are missing in 1 file"]


def test_check_reads_folders_and_finds_nothing_in_good_programs(tmp_path, capsys):
    write(tmp_path, "import mxnet as mx; mx.nd.ones(3, ctx=mx.cpu(), dtype='int8')", "a.py")
    write(tmp_path, "import mxnet.gluon as g\ng.nn.Dense(1, activation='relu')", "deep/b.py")
    write(tmp_path, "import inspect, mxnet\ninspect.getargspec, inspect.nothing.inner", "c.py")
    assert main(["run", "--check", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "0 names are missing in 3 files\n"
    assert "mxnet" not in sys.modules
    assert os.environ.get("PYTHONPATH", "").find("children") == -1


def test_check_knows_classes_objects_keywords_and_modules(tmp_path, capsys):
    path = write(
        tmp_path,
        "import multiprocessing, wsgiref\n"
        "import mxnet as mx\n"
        "from mxnet.gluon import nn\n"
        "net = nn.Dense(3, in_unit=4)\n"
        "net.initialise()\n"
        "net.mine = net._units\n"
        "print(net.weight, net.collect_params, net._active)\n"
        "mx.gluon.Trainer.set_lr\n"
        "twice = nn.Dense(3)\n"
        "twice = nothing(twice.whatever)\n"
        "wsgiref.simple_server, multiprocessing.Pool\n"
        "x = mx.nd.NDArray.from_nothing\n",
    )
    assert main(["run", "--check", path]) == 1
    told = [line.removeprefix(f"{path}:") for line in capsys.readouterr().out.splitlines()]
    assert "4: Dense takes no argument 'in_unit'; it takes units, activation, use_bias" in told[0]
    assert told[0].endswith("Did you mean 'in_units'?")
    assert [line.partition(":")[0] for line in told[1:-1]] == ["5", "8", "11", "12"]
    assert "Dense has no attribute 'initialise'" in told[1]
    assert "trainer.set_learning_rate(0.01) changes it" in told[2]
    assert "write import wsgiref.simple_server" in told[3]
