"""The fuzzer: it repeats itself, notices what goes wrong, and finds nothing in a short run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from lost_processes import CRASHING, HANGING, serve

from fuzz import cases, json_format, minimising, parts, running, small_formats
from fuzz.families import FAMILIES
from fuzz.tasks import Report, Task

ROOT = Path(__file__).parents[2]


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)


def test_short_run_finds_nothing(tmp_path: Path) -> None:
    found = python("-m", "fuzz", "--cases", "2500", "--jobs", "1", "--output", str(tmp_path))
    assert "went wrong in 0 ways" in found.stdout, found.stdout + found.stderr
    assert found.returncode == 0
    assert all(family in found.stdout for family in (*FAMILIES, "bad files", "known files"))


@pytest.mark.parametrize("family", FAMILIES)
def test_a_number_gives_the_same_case_every_time(family: str) -> None:
    first = [cases.make(family, 1, number) for number in range(30)]
    assert first == [cases.make(family, 1, number) for number in range(30)]
    assert first != [cases.make(family, 2, number) for number in range(30)]


@pytest.mark.parametrize("family", ["params", "states", "recordio", "npy", "idx"])
def test_trees_of_good_files_are_written_as_they_were(family: str) -> None:
    for seed in FAMILIES[family].seeds.all:
        assert parts.write(parts.copy(seed.tree)) == seed.data


def test_every_golden_file_is_a_seed() -> None:
    mxnet = ROOT / "tests" / "golden" / "mxnet"
    names = {
        seed.name
        for family in ("params", "states", "recordio", "idx")
        for seed in FAMILIES[family].seeds.all
    }
    for pattern in ("containers/*.params", "models/**/*.params", "*/*.states", "*/*.rec"):
        for path in mxnet.glob(pattern):
            if path.parent.name != "bad_states":
                assert path.relative_to(mxnet.parent).as_posix() in names


def test_wrong_lengths_stay_wrong_until_they_are_repaired() -> None:
    tree = parts.copy(FAMILIES["recordio"].seeds.all[0].tree)
    del tree.parts[0].parts[-2:]
    assert small_formats.parse_recordio(parts.write(parts.copy(tree))[:0]).parts == []
    small_formats.repair_recordio(tree)
    data = parts.write(tree)
    assert parts.write(small_formats.parse_recordio(data)) == data


def test_changes_of_json_never_make_trees_without_end() -> None:
    random = Random(0)
    for _ in range(300):
        tree = {"a": [1, {"b": [2, 3]}], "c": {"d": "e"}}
        for _ in range(8):
            json_format.change(random, tree, {"x": [1]})
        assert len(json_format.dump(tree)) < 1 << 22


def test_crash_and_endless_loop_are_told_and_survived() -> None:
    reports: list[Report] = []
    running.run(
        [Task("params", 0, 0, 8), Task("params", 0, 10, 12)],
        1,
        lambda _, report: reports.append(report),
        serve,
        patience=20,
    )
    failures = {failure.number: failure.problem for r in reports for failure in r.failures}
    assert failures == {CRASHING: "it crashed: SIGSEGV", HANGING: "it hangs: 0 s"}
    assert sum(report.cases for report in reports) == 10


def test_file_that_goes_wrong_is_made_small() -> None:
    data = bytes(range(256)) * 4
    small = minimising.minimise(data, 0, lambda tried, _: "bad" if b"\x07\x08" in tried else None)
    assert small == b"\x07\x08"


FORBIDDEN = {
    "open(path, 'w')": "open",
    "os.open(path, os.O_CREAT | os.O_RDWR)": "open",
    "os.mkdir(path)": "os.mkdir",
    "os.system('true')": "os.system",
    "os.rename(path, path)": "os.rename",
    "os.remove(path)": "os.remove",
    "subprocess.run(['true'])": "subprocess.Popen",
    "socket.socket()": "socket.__new__",
    "eval('1')": "compile",
    "ast.literal_eval('1')": "compile",
    "exec('x = 1')": "compile",
    "pickle.loads(b'cos\\ngetcwd\\n.')": "pickle.find_class",
    "__import__('forbidden_package')": "import",
    "ctypes.CDLL(None)": "ctypes.dlopen",
}


def test_sandbox_forbids_what_no_reader_may_do(tmp_path: Path) -> None:
    (tmp_path / "forbidden_package.py").write_text("")
    program = f"""
import ast, ctypes, os, pickle, socket, subprocess, sys
from fuzz.sandbox import ForbiddenError, Sandbox
sandbox = Sandbox()
sandbox.close_doors()
path = {str(tmp_path / "PWNED")!r}
codes = {{text: compile(text, "case", "eval") for text in {[*FORBIDDEN]!r} if "exec" not in text}}
def run_exec(): exec("x = 1")
for text in {[*FORBIDDEN]!r}:
    try:
        with sandbox.reading():
            open(__file__ if "__file__" in globals() else "/dev/null").close()
            run_exec() if "exec(" in text else FUNCTIONS[text]()
    except ForbiddenError as error:
        print(text, "->", str(error).partition(" ")[0])
    else:
        print(text, "-> nothing")
"""
    functions = ", ".join(f"{text!r}: lambda: {text}" for text in FORBIDDEN if "exec(" not in text)
    found = python("-c", f"FUNCTIONS = {{{functions}}}\n{program}")
    expected = [f"{text} -> {event}" for text, event in FORBIDDEN.items()]
    assert found.stdout.splitlines() == expected, found.stderr
    assert not (tmp_path / "PWNED").exists()


def test_sandbox_measures_time_and_memory() -> None:
    program = """
from fuzz.sandbox import Sandbox
sandbox = Sandbox()
with sandbox.reading():
    x = bytearray(50 << 20)
    del x
assert sandbox.last.memory > 40 << 20, sandbox.last
with sandbox.reading():
    sum(range(10 ** 6))
assert sandbox.last.memory < 20 << 20, sandbox.last
assert sandbox.last.seconds > 0.001
try:
    with sandbox.reading():
        bytearray(1 << 40)
except MemoryError:
    print("refused")
"""
    found = python("-c", program)
    assert found.stdout == "refused\n", found.stderr
