"""Mistakes are drawn in one place each, and their answers are read as people would read them."""

from __future__ import annotations

import ast
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from fuzz.mistakes import advice, answers, drawing
from fuzz.mistakes.running import Ending

_ROOT = Path(__file__).parents[2]
PROGRAM = """\
import gluonish as mx
from gluonish import autograd, nd
x = nd.array([[1, 2], [3, 4]], dtype='float32')
x.attach_grad()
with autograd.record():
    y = (x * 2).sum(axis=1)
y.backward()
for i in range(2):
    print(f'{x.grad}', i)
"""
NAMES = frozenset({"mx", "nd", "x"})


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "fuzz.mistakes", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=_ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )


def test_a_seed_draws_one_change_and_the_same_again():
    for seed in range(200):
        change = drawing.draw(PROGRAM, random.Random(seed))
        assert change == drawing.draw(PROGRAM, random.Random(seed))
        changed = change.of(PROGRAM)
        assert changed != PROGRAM
        assert changed[: change.begin] == PROGRAM[: change.begin]
        assert changed.endswith(PROGRAM[change.end :])


def test_every_kind_of_change_is_drawn():
    kinds = {drawing.draw(PROGRAM, random.Random(seed)).kind for seed in range(3000)}
    assert kinds == {
        "a foreign name", "a keyword left out", "a line left out",
        "a line twice", "a mistyped keyword", "a mistyped name", "a number as text",
        "an argument left out", "another form", "another name", "another number",
        "another operator", "called twice", "called without need", "mistyped text", "no with",
        "not called", "one argument more", "one keyword more", "one part less", "one part more",
        "parts backwards", "text as something else", "without its module",
        "arguments exchanged",
    }  # fmt: skip


def test_most_changes_can_be_read():
    for seed in range(200):
        changed = drawing.draw(PROGRAM, random.Random(seed)).of(PROGRAM)
        assert ast.parse(changed)


@pytest.mark.parametrize(
    ("told", "codes"),
    [
        ("Expected one. Write nd.array(x) around it.", ["nd.array(x)"]),
        ("write x.T, or axis=1 for rows", ["x.T"]),
        ("Write axis=(0, 1), in numbers.", ["axis=(0, 1)"]),
        ("Write it down. Write return.", []),
        ("as in nd.dot(x,\n  y).", ["nd.dot(x,   y)"]),
        ("For example: mx.nd.ones((2, 3)).", ["mx.nd.ones((2, 3))"]),
    ],
)
def test_advised_code_is_found(told, codes):
    assert advice.advised(told) == [" ".join(code.split()) for code in codes]


def test_names_of_advice():
    assert advice.unknown_names("nd.dot(x, y)", NAMES) == ["y"]
    assert advice.unknown_names("[each + len(x) for each in x]", NAMES) == []
    assert advice.unknown_names("lambda z: z + x", NAMES) == []
    assert advice.is_complete("f(x)")
    assert not advice.is_complete("f(x, ...)")


@pytest.mark.parametrize(
    ("line", "code", "wanted"),
    [
        ("y = f(x, 1)", "f(x, 2)", "y = f(x, 2)"),
        ("y = f(x, 1)", "x.T", "y = f(x.T, 1)"),
        ("y = f(x, axis=1)", "axis=0", "y = f(x, axis=0)"),
        ("y = f(x)", "y = g(x)", "y = g(x)"),
        ("y = f(x)", "x.attach_grad()", "x.attach_grad()\n    y = f(x)"),
        ("y = f(\n        x, 1)", "x.T", "y = f(\n        x.T, 1)"),
    ],
)
def test_advice_is_followed_in_each_way_that_it_can_be_read(line, code, wanted):
    before, after = "if True:\n    ", "\nz = 1\n"
    found = list(advice.followed(before + line + after, 2, code))
    assert before + wanted + after in found
    assert all(one.endswith(after) for one in found)


def _faults(told, line=1, kind="gluonish.errors.ShapeError", runs=()):
    endings = iter(runs)
    ending = Ending(told, kind, line, NAMES)

    def run(program):
        below = ending._replace(line=line + program.count("\n") - 1)
        return next(endings, below)

    return [fault.kind for fault in answers.faults("y = nd.dot(x, 1)\n", ending, run)]


FRAME = 'Traceback (most recent call last):\n  File "/a/program.py", line 1, in <module>\n    y\n'
FINE = Ending("", "", 0, NAMES)


def test_faults_of_answers():
    ours = "gluonish.errors.ShapeError: dot: "
    assert _faults(f"{FRAME}{ours}no.") == []
    assert _faults("", kind="timeout") == [answers.NO_ANSWER]
    assert _faults(f"{FRAME}{ours}no.", line=0) == [answers.NO_LINE]
    assert _faults(f"{FRAME.replace('program', 'dot')}{ours}no.") == [answers.OTHERS]
    assert _faults(f"{FRAME}{ours}{'no ' * 300}") == [answers.LONG]
    assert _faults(f"{FRAME}{ours}Write nd.dot(x, z).") == [answers.NAMES]
    assert _faults(f"{FRAME}{ours}Write x.T.", runs=[FINE]) == []
    assert _faults(f"{FRAME}{ours}Write x.T.") == [answers.NO_HELP]


def test_words_of_python_alone():
    def of(error, kind="TypeError"):
        return _faults(f"{FRAME}{kind}: {error}", kind=f"builtins.{kind}")

    assert of("'NDArray' object is not iterable") == [answers.PYTHONS]
    assert of("'NDArray' object is not iterable\nWrite x.T.", "TypeError") == [answers.NO_HELP]
    assert of("'str' object is not callable") == []
    assert of("name 'y' is not defined", "NameError") == []


def test_the_programs_work_as_they_are():
    ended = _run("--check")
    assert (ended.returncode, ended.stdout) == (0, "")


def test_endings(tmp_path):
    endless, wrong = tmp_path / "endless.py", tmp_path / "wrong.py"
    endless.write_text("import os\nos.kill(os.getpid(), 9)\n")
    wrong.write_text("from gluonish import nd\n\ndef f(a):\n    return nd.dot(a)\nf(1)\n")
    ended = _run("--check", str(endless), str(wrong))
    assert ended.returncode == 1
    assert "endless.py: signal 9" in ended.stdout
    assert "wrong.py: gluonish.errors.UnknownArgumentError" in ended.stdout
    assert "in <module>\n    f(1)" in ended.stdout


def test_drawn_mistakes_are_answered():
    ended = _run("--cases", "100", "--seed", "5000", "--all")
    assert ended.returncode == 0, ended.stdout
    assert ended.stdout.count("\n--- ") > 40
