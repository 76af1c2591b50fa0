from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

import gluonish as mx
from gluonish import serialization
from gluonish.cli import main
from gluonish.cli.text import bytes_text
from gluonish.errors import FileFormatError
from gluonish.serialization.kinds import TARGETS

MODELS = Path(__file__).parent.parent / "golden" / "mxnet" / "models"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder with a model, which is the working directory."""
    monkeypatch.chdir(tmp_path)
    for name in ("net-0007.params", "net-symbol.json"):
        Path(name).write_bytes((MODELS / "mlp" / name).read_bytes())
    return tmp_path


def test_arrays_are_converted_and_verified(capsys):
    assert main(["convert", "net-0007.params", "--to", "safetensors"]) == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines() == [
        "net-0007.params",
        "  -> net-0007.safetensors",
        "     4 arrays, 83 numbers, 332 B",
        "     verified: 4 arrays equal, bit for bit",
    ]
    assert shown.err == ""


def test_quiet_prints_nothing_and_unverified_is_said(capsys):
    assert main(["convert", "net", "7", "--to", "torch", "-q"]) == 0
    assert capsys.readouterr() == ("", "")
    assert main(["convert", "net", "7", "--to", "torch", "--force", "--no-verify"]) == 0
    assert "     not verified" in capsys.readouterr().out


def test_graphs_are_converted_with_their_shapes(capsys):
    arguments = ["--input-shape", "data=2,6", "--dynamic-batch", "-o", "out/mlp.pt2"]
    assert main(["convert", "net-symbol.json", "--to", "pt2", *arguments]) == 0
    shown = capsys.readouterr().out
    assert "net-0007.params + net-symbol.json\n  -> out/mlp.pt2" in shown
    assert "batches of 2 and 3, by torch.export.load" in shown
    assert torch.export.load("out/mlp.pt2").module()(torch.zeros(5, 6)).shape == (5, 3)


def test_errors_are_one_line_without_traceback(capsys):
    assert main(["convert", "net", "--to", "torch"]) == 0
    assert main(["convert", "net", "--to", "torch"]) == 1
    error = capsys.readouterr().err
    assert error.startswith("gluonish convert: 'net-0007.pt' exists already.")
    assert error.count("\n") == 1
    with pytest.raises(FileExistsError):
        main(["convert", "net", "--to", "torch", "--debug"])


def test_one_damaged_file_does_not_keep_others_from_being_converted(capsys):
    Path("bad.params").write_bytes(Path("net-0007.params").read_bytes()[:100])
    assert main(["convert", ".", "--to", "safetensors", "-o", "out"]) == 1
    shown = capsys.readouterr()
    assert "-> out/net-0007.safetensors" in shown.out
    assert "gluonish convert: Loading 'bad.params', array 0" in shown.err
    assert shown.err.splitlines()[-1] == "gluonish convert: 1 of 2 conversions failed; see above"
    assert sorted(path.name for path in Path("out").iterdir()) == ["net-0007.safetensors"]
    with pytest.raises(FileFormatError):
        main(["convert", ".", "--to", "safetensors", "-o", "out", "--force", "--debug"])


def test_names_are_changed_by_options(capsys):
    arguments = ["--names", "torch", "--rename", "^mlp_=", "--rename", "dense=layer"]
    assert main(["convert", "net-0007.params", "--to", "torch", *arguments]) == 0
    state = torch.load("net-0007.pt", weights_only=True)
    assert next(iter(state)) == "layer0.weight"


@pytest.mark.parametrize("to", ["safetensors", "torch", "mxnet"])
def test_states_are_converted(to, capsys):
    source = MODELS.parent / "states/adam.states"
    assert main(["convert", str(source), "--to", to, "-o", "out/"]) == 0
    assert "8 arrays, 46 numbers" in capsys.readouterr().out
    (made,) = Path("out").iterdir()
    if to == "torch":
        content = torch.load(made, weights_only=True)
        assert content["optimizer"]["name"] == "Adam"
        assert len(content["state"][0]) == 2
        return
    updater = mx.optimizer.get_updater(mx.optimizer.Adam())
    updater.set_states(made.read_bytes())
    assert len(updater.states) == 4


def test_states_take_no_options_of_arrays(capsys):
    source = MODELS.parent / "states/adam.states"
    options = ["--to", "torch", "-o", "x.pt", "--dtype", "float16"]
    assert main(["convert", str(source), *options]) == 1
    assert "Expected neither --dtype nor new names" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["net"], "the following arguments are required: --to"),
        (["net", "--to", "pt2", "--input-shape", "1,2"], "expected NAME=LENGTH"),
        (["net", "--to", "pt2", "--input-shape", "data=1,0"], "expected lengths above 0"),
        (["net", "--to", "torch", "--rename", "x"], "expected REGEX=TEXT"),
    ],
)
def test_wrong_options_are_explained(arguments, message, capsys):
    with pytest.raises(SystemExit) as caught:
        main(["convert", *arguments])
    assert caught.value.code == 2
    assert message in capsys.readouterr().err


def test_shapes_are_understood_in_all_spellings(capsys):
    for spelled in ("data=2,6", "data=(2, 6)", "data=2x6", "data=[2,6]"):
        assert main(["convert", "net", "--to", "pt2", "--force", "--input-shape", spelled]) == 0


def test_urls_are_read_and_written(capsys):
    fsspec = pytest.importorskip("fsspec")
    with fsspec.open("memory://models/net-0001.params", "wb") as file:
        file.write(Path("net-0007.params").read_bytes())
    url = "memory://models/net-0001.params"
    assert main(["convert", url, "--to", "safetensors"]) == 0
    assert Path("net-0001.safetensors").is_file()
    assert main(["convert", url, "--to", "safetensors", "-o", "memory://out/x.safetensors"]) == 0
    assert len(serialization.load("memory://out/x.safetensors")) == 4
    assert main(["convert", url, "--to", "safetensors", "-o", "memory://out/x.safetensors"]) == 1
    assert "'memory://out/x.safetensors' exists already" in capsys.readouterr().err
    assert main(["inspect", url]) == 0
    assert "4 arrays, 83 numbers" in capsys.readouterr().out


def test_help_shows_formats_and_examples(capsys):
    with pytest.raises(SystemExit):
        main(["convert", "--help"])
    shown = capsys.readouterr().out
    assert "  onnx        graph and parameters, for ONNX Runtime and others" in shown
    assert "gluonish convert net 7 --to pt2" in shown


def test_bytes_are_shown_in_units():
    assert [bytes_text(n) for n in (0, 1023, 1024, 5 << 20, 3 << 50)] == [
        "0 B", "1023 B", "1.0 KiB", "5.0 MiB", "3,072.0 TiB",
    ]  # fmt: skip


def test_results_are_json_in_header(capsys):
    main(["convert", "net-0007.params", "--to", "safetensors", "-q"])
    content = Path("net-0007.safetensors").read_bytes()
    header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
    assert header["__metadata__"]["gluonish.source"] == "MXNet V2"


def test_stopping_a_command_is_no_error_of_its_own(monkeypatch, capsys):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("gluonish.conversion.converting.convert_arrays", stop)
    assert main(["convert", "net", "--to", "torch"]) == 130
    assert "Traceback" not in capsys.readouterr().err


def test_readers_of_the_output_may_stop(monkeypatch):
    """What happens to `gluonish inspect FILE | head -1`."""

    def stop(*_):
        raise BrokenPipeError

    ends = []
    with monkeypatch.context() as patch:
        patch.setattr("gluonish.conversion.converting.convert_arrays", stop)
        patch.setattr(os, "dup2", lambda new, old: ends.append((os.close(new), old)))
        patch.setattr(sys, "stdout", SimpleNamespace(fileno=lambda: 1))
        status = main(["convert", "net", "--to", "torch"])
    assert status == 1
    assert ends == [(None, 1)]


def test_formats_and_networks_that_there_are_not_are_explained(capsys):
    assert main(["convert", "net", "--to", "tflite"]) == 1
    told = capsys.readouterr().err
    known = ", ".join(TARGETS)
    assert {"safetensors", "torch", "pt2", "onnx", "mxnet"} <= TARGETS.keys()
    assert f"to='tflite' was given. Expected one of {known}, torchvision" in told
