"""The page of differences says what the code does: programs show its lines, its names are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import gluonish as mx

_PAGE = (Path(__file__).parents[2] / "docs" / "differences.md").read_text(encoding="utf-8")
# Lines that no program here shows, and why.
_WITHOUT = {
    "On a GPU": "needs one",
    "Sums on a GPU": "needs one",
    "NCCL": "needs several GPUs",
    "The first graph": "is a time, and only of the first in a process",
    "In step, workers make the same calls": "tests/distributed starts the processes",
    "`step(ignore_stale_grad=True)` over processes": "tests/distributed starts the processes",
    "`fit` compiles whole steps": "tests/module/test_whole_steps.py waits for no compiler",
}
_NAMED = re.compile(
    r"`(?:mx\.)?((?:nd|np|npx|gluon|nn|io|image|init|viz|mod|kv|autograd)(?:\.\w+)+)"
)
# What the page says is not there, and what MXNet has under that name.
_ABSENT = {"np.bool", "np.float"}


def _lines() -> dict[tuple[str, str], str]:
    """Return the page's lines, by section and bold words."""
    found, section = {}, ""
    for part in re.split(r"^(?=## |- )", _PAGE, flags=re.MULTILINE):
        if part.startswith("## "):
            section = part.splitlines()[0][3:]
        elif head := re.match(r"- \*\*(.+?)\*\*", part, re.DOTALL):
            found[section, " ".join(head[1].split())] = part
    return found


def _programs() -> dict[tuple[str, str], str]:
    """Return the programs of differences.txt, by section and bold words."""
    text = Path(__file__).with_name("differences.txt").read_text(encoding="utf-8")
    found, section = {}, ""
    for part in re.split(r"^(?=##? )", text, flags=re.MULTILINE)[1:]:
        head, _, program = part.partition("\n")
        if head.startswith("## "):
            found[section, head[3:]] = program
        else:
            section = head[2:]
            found[section, ""] = program
    return found


_PROGRAMS = _programs()
_BEGIN = _PROGRAMS["Begin", ""]
_SHOWN = [(section, title) for section, title in _PROGRAMS if title]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("section", "title"), _SHOWN, ids=[f"{s}: {t}" for s, t in _SHOWN])
def test_a_program_shows_the_line(
    section: str, title: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert (section, title) in _lines()
    exec(compile(_BEGIN + _PROGRAMS[section, title], title, "exec"), {"__name__": "program"})


def test_new_lines_come_with_a_program() -> None:
    missing = {title for _, title in set(_lines()) - set(_SHOWN)}
    assert missing == set(_WITHOUT)


def test_names_that_the_page_mentions_are_there() -> None:
    names = set(_NAMED.findall(_PAGE))
    assert len(names) > 40
    absent = set()
    for name in names:
        thing: object = mx.gluon if name.startswith("nn.") else mx
        for part in name.split("."):
            thing = getattr(thing, part, None)
        if thing is None:
            absent.add(name)
    assert absent <= _ABSENT


def test_nothing_is_said_to_come_later() -> None:
    assert "not there yet" not in _PAGE
    for name in ("RecordFileDataset", "vision.ImageRecordDataset"):
        thing: object = mx.gluon.data
        for part in name.split("."):
            thing = getattr(thing, part)
    assert mx.gluon.data.vision.transforms.Rotate
    assert mx.gluon.data.vision.transforms.RandomRotation
