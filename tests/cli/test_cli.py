from __future__ import annotations

import importlib.util
import sys

import numpy as onp
import pytest

import gluonish as mx
from gluonish import nd
from gluonish.cli import main, picture
from gluonish.cli.demo import History, lenet


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A demo of one epoch: its folder, and what it said."""
    output = tmp_path_factory.mktemp("demo") / "output"
    with pytest.MonkeyPatch.context() as patch:
        lines = []
        patch.setattr("gluonish.cli.demo._say", lines.append)
        assert main(["demo", "--epochs", "1", "--seed", "3", "--output", str(output)]) == 0
    return output, lines


def test_demo_learns_saves_loads_and_draws(finished):
    output, lines = finished
    accuracy = float(lines[1].split("%")[0].split()[-1])
    assert accuracy > 85
    assert "images in" in lines[2]
    assert lines[3].endswith("loaded into a fresh net: same answers")
    assert lines[4] == f"picture    {(output / 'lenet.png').resolve()}"
    assert (output / "lenet.png").read_bytes().startswith(b"\x89PNG")
    net = lenet()
    net.load_parameters(str(output / "lenet.params"))
    assert net(nd.zeros((1, 1, 28, 28))).shape == (1, 10)


def test_demo_repeats_itself(finished, tmp_path):
    assert main(["demo", "--epochs", "1", "--seed", "3", "--output", str(tmp_path)]) == 0
    first = nd.load(str(finished[0] / "lenet.params"))
    again = nd.load(str(tmp_path / "lenet.params"))
    for name, values in first.items():
        onp.testing.assert_allclose(again[name].asnumpy(), values.asnumpy(), rtol=0, atol=1e-4)


def test_demo_shows_a_progress_bar(tmp_path, capsys):
    main(["demo", "--epochs", "1", "--output", str(tmp_path)])
    shown = capsys.readouterr()
    assert "4000/4000" in shown.err
    assert "images/s, loss " in shown.err
    assert ", accuracy " in shown.err
    assert shown.out.splitlines()[-1].endswith("lenet.png")


def test_demo_without_matplotlib_trains_and_says_how_to_get_the_picture(
    monkeypatch, tmp_path, capsys
):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert main(["demo", "--epochs", "1", "--output", str(tmp_path)]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("picture    none: matplotlib is not installed. Expected it for")
    assert last.endswith("pip install 'gluonish[viz]'")
    assert [path.name for path in tmp_path.iterdir()] == ["lenet.params"]


def test_picture_is_drawn_without_mistakes_too(tmp_path):
    history = History([1.0, 0.5], [0.9, 0.95], [0.9, 1.0])
    labels = nd.array(onp.arange(30) % 10, dtype="int32")
    path = picture.draw(
        history, nd.zeros((30, 1, 28, 28)), labels, nd.one_hot(labels, 10), tmp_path / "a.png"
    )
    assert path.stat().st_size > 10_000


def test_doctor_shows_versions_and_extras(monkeypatch, capsys):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "s3fs" else find(name)
    )
    monkeypatch.setattr("gluonish.cli.doctor.has_compiler", lambda: False)
    monkeypatch.setattr("gluonish.cli.doctor.has_dot", lambda: False)
    assert main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"gluonish {mx.__version__} in ")
    for start in (
        "torch ", "numpy ", "safetensors ", "CPU ", "compiler missing: ", "dot missing: ", "mxnet ",
    ):  # fmt: skip
        assert any(line.startswith(start) for line in lines), start
    told = "\n".join(lines)
    assert "https://); install it with: pip install 'gluonish[remote]'" in told
    assert "extra viz installed" in told or "extra viz missing" in told


@pytest.mark.parametrize(("cuda", "told"), [(None, "is built for CPUs"), ("13.0", "nvidia-smi")])
def test_doctor_says_why_there_is_no_gpu(cuda, told, monkeypatch, capsys):
    monkeypatch.setattr("gluonish.cli.doctor.num_gpus", lambda: 0)
    monkeypatch.setattr("torch.version.cuda", cuda)
    monkeypatch.setattr("gluonish.cli.doctor.has_compiler", lambda: True)
    monkeypatch.setattr("gluonish.cli.doctor.has_dot", lambda: True)
    assert main(["doctor"]) == 0
    shown = capsys.readouterr().out
    assert told in shown
    assert "compiler found" in shown
    assert "dot found" in shown


def test_doctor_names_an_mxnet_that_is_installed(monkeypatch, capsys):
    found = ("1.9.1", "/packages/mxnet")
    monkeypatch.setattr("gluonish.cli.doctor.installed_mxnet", lambda: found)
    assert main(["doctor"]) == 0
    assert "mxnet 1.9.1 in /packages/mxnet; `import mxnet` gives it" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fly"], "invalid choice: 'fly'"),
        (["demo", "--epochs", "0"], "0 was given; expected 1 or more"),
    ],
)
def test_wrong_arguments_are_explained(arguments, message, capsys):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert message in capsys.readouterr().err


def test_version_is_the_packages(capsys):
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out == f"gluonish {mx.__version__}\n"


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        (["launch", "--nproc_per_node=2", "a.py"], "Did you mean --nproc-per-node=2?"),
        (["demo", "--epcohs", "2"], "Did you mean --epochs?"),
        (["inspect", "--wrong", "a"], "unrecognized arguments: --wrong\n"),
    ],
)
def test_unknown_options_are_those_of_a_command(line, hint, capsys):
    with pytest.raises(SystemExit):
        main(line)
    told = capsys.readouterr().err
    assert hint in told
    assert f"gluonish {line[0]} --help shows all options" in told
