"""The page on hybridize shows programs that run, and names what there is."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "hybridize.md"


def test_programs_of_the_page_run(capsys, monkeypatch):
    for name in ("GLUONISH_BACKEND", "GLUONISH_HYBRIDIZE"):
        monkeypatch.delenv(name, raising=False)
    names = {"__name__": "page"}
    programs = re.findall(r"```python exec.*?\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert len(programs) == 5
    for program in programs:
        exec(compile(program, str(PAGE), "exec"), names)
    shown = capsys.readouterr().out
    assert "torch._C._nn.linear(input0, hidden_weight, hidden_bias)" in shown
    assert "| python | Python reads a value of the data (numpy)" in shown
    assert "nodes, 5 inputs" in shown
    assert "(3,) ['float32(3, 5), float32(3,) cpu(0) record train']" in shown


def test_environment_variables_of_the_page_are_those_of_the_package():
    package = Path(__file__).parents[2] / "gluonish"
    files = [*(package / "hybrid").glob("*.py"), package / "process" / "heap.py"]
    code = "\n".join(file.read_text() for file in files)
    read = set(re.findall(r"(?:environ\.get|is_off)\(\s*\"(GLUONISH_\w+)\"", code))
    assert set(re.findall(r"`(GLUONISH_\w+)=", PAGE.read_text())) == read
