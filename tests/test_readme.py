from __future__ import annotations

import re
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"


@pytest.fixture
def program():
    return "\n".join(re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL))


def test_readme_shows_a_net_that_learns(program, capsys):
    exec(compile(program, str(README), "exec"), {"__name__": "readme"})
    shown, *table = capsys.readouterr().out.splitlines()
    accuracy = re.fullmatch(r"EvalMetric: \{'accuracy': (0\.\d+)\}", shown)
    assert float(accuracy[1]) > 0.7
    assert any("float32(64, 1, 28, 28), int32(64,) cpu(0) record train" in line for line in table)


def test_readme_names_the_two_commands():
    text = README.read_text()
    for command in ("make demo", "make test"):
        assert command in text
        target = command.split()[1]
        assert re.search(rf"^{target}:", (README.parent / "Makefile").read_text(), re.MULTILINE)
