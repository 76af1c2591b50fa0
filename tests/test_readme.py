from __future__ import annotations

import re
from pathlib import Path

import pytest

from gluonish.errors import FileDownloadError

README = Path(__file__).parents[1] / "README.md"


@pytest.fixture
def program():
    return "\n".join(re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL))


@pytest.fixture
def without_network(monkeypatch, tmp_path):
    def refuse(url, *arguments, **options):
        msg = f"no network for {url}"
        raise FileDownloadError(msg)

    monkeypatch.setattr("gluonish.gluon.data.vision.datasets.download", refuse)
    monkeypatch.setenv("MXNET_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("without_network")
def test_readme_shows_nets_that_learn(program, capsys, tmp_path):
    exec(compile(program, str(README), "exec"), {"__name__": "readme"})
    shown, *table = capsys.readouterr().out.splitlines()
    accuracy = re.fullmatch(r"EvalMetric: \{'accuracy': (0\.\d+)\}", shown)
    assert float(accuracy[1]) > 0.7
    assert any("float32(64, 1, 28, 28), int32(64,) cpu(0) record train" in line for line in table)
    scored = re.fullmatch(r"\[\('accuracy', (0\.\d+)\)\]", table[-1])
    assert float(scored[1]) > 0.8
    assert {path.name for path in tmp_path.iterdir()} >= {"mlp-symbol.json", "mlp-0005.params"}


def test_readme_names_the_two_commands():
    text = README.read_text()
    for command in ("make demo", "make test"):
        assert command in text
        target = command.split()[1]
        assert re.search(rf"^{target}:", (README.parent / "Makefile").read_text(), re.MULTILINE)
