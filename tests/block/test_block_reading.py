"""Tests of how parameters are read: into the memory they have, never with a second copy."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as onp
import pytest
import torch

import gluonish as mx
from gluonish import serialization
from gluonish.errors import FileFormatError
from gluonish.serialization.opened import OpenedArrays, opened

if TYPE_CHECKING:
    from pathlib import Path

_MEMORY = """
import json, sys
import torch
import gluonish as mx

def mebibytes(what):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(what)) / 1024

torch.set_num_threads(1)
net = mx.gluon.nn.HybridSequential()
for _ in range(8):
    net.add(mx.gluon.nn.Dense(2048, in_units=2048))
net.collect_params().setattr("grad_req", "null")
if sys.argv[2] == "initialized":
    net.initialize(mx.init.Zero())
before = mebibytes("VmRSS")
with open("/proc/self/clear_refs", "w") as peak:
    peak.write("5")
net.load_parameters(sys.argv[1])
print(json.dumps(mebibytes("VmHWM") - before))
"""


def dense(fill: float | None = None, **options: object) -> mx.gluon.nn.Dense:
    net = mx.gluon.nn.Dense(3, in_units=2, prefix="dense_")
    net.initialize(mx.init.Zero() if fill is None else mx.init.Constant(fill), **options)
    return net


def where(net: mx.gluon.Block) -> list[int]:
    return [
        array._tensor.data_ptr()
        for param in net.collect_params().values()
        for array in param.list_data()
    ]


@pytest.mark.parametrize("name", ["x.params", "x.safetensors"])
def test_values_are_read_into_the_memory_of_parameters(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    dense(2.0).save_parameters(tmp_path / name)
    net = dense()
    before = where(net)
    monkeypatch.setattr(OpenedArrays, "read", lambda *_: pytest.fail("read a copy"))
    monkeypatch.setattr("gluonish.block.matching.FLAT", "no such name")
    net.load_parameters(tmp_path / name)
    assert where(net) == before
    assert net.weight.data().asnumpy().tolist() == [[2.0, 2.0]] * 3
    assert net.weight.grad().shape == (3, 2)


@pytest.mark.parametrize("is_initialized", [True, False])
def test_loading_holds_no_second_copy(tmp_path: Path, is_initialized: bool) -> None:
    path = tmp_path / "x.params"
    names = [f"{number}.{part}" for number in range(8) for part in ("weight", "bias")]
    shapes = {"weight": (2048, 2048), "bias": (2048,)}
    serialization.save(path, {name: torch.ones(shapes[name[2:]]) for name in names})
    kind = "initialized" if is_initialized else "new"
    command = [sys.executable, "-c", _MEMORY, str(path), kind]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    # 128 MiB of values; without parameters to read into, one array of 16 MiB is in memory twice.
    # What else takes memory hangs on how many threads there are.
    assert json.loads(run.stdout) < (12 if is_initialized else 128 + 16 + 12)


def test_parameters_on_several_contexts_are_loaded(tmp_path: Path) -> None:
    dense(2.0).save_parameters(tmp_path / "x")
    net = dense(ctx=[mx.cpu(0), mx.cpu(1)])
    net.load_parameters(tmp_path / "x")
    for ctx in (mx.cpu(0), mx.cpu(1)):
        assert net.weight.data(ctx).asnumpy().tolist() == [[2.0, 2.0]] * 3


@pytest.mark.parametrize("source", ["current", "saved"])
def test_other_dtypes_are_cast(tmp_path: Path, source: str) -> None:
    dense(2.0).save_parameters(tmp_path / "x")
    net = dense()
    net.cast("float16")
    net.load_parameters(tmp_path / "x", cast_dtype=True, dtype_source=source)
    assert net.weight.data().dtype == {"current": onp.float16, "saved": onp.float32}[source]
    assert net.weight.data().asnumpy().tolist() == [[2.0, 2.0]] * 3


def test_tied_parameters_are_loaded(tmp_path: Path) -> None:
    def tied() -> mx.gluon.nn.Sequential:
        net = mx.gluon.nn.Sequential()
        first = dense(3.0)
        net.add(first, mx.gluon.nn.Dense(3, in_units=2, params=first.params))
        return net

    tied().save_parameters(tmp_path / "x")
    net = tied()
    net[0].weight.set_data(mx.nd.zeros((3, 2)))
    net.load_parameters(tmp_path / "x")
    assert net[1].weight.data().asnumpy().tolist() == [[3.0, 3.0]] * 3


@pytest.mark.parametrize("name", ["x.params", "x.safetensors"])
def test_nothing_is_changed_when_a_value_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    flags = torch.tensor([True, False, True])
    serialization.save(path, {"weight": torch.ones(3, 2), "bias": flags})
    data = path.read_bytes()
    place = data.rindex(b"\1\0\1")
    path.write_bytes(data[:place] + b"\7" + data[place + 1 :])
    net = dense()
    with pytest.raises(FileFormatError, match="a bool is stored as a byte above 1"):
        net.load_parameters(path, cast_dtype=True)
    assert net.weight.data().asnumpy().tolist() == [[0.0, 0.0]] * 3


def test_file_that_shrinks_while_it_is_open_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x"
    serialization.save(path, {"w": torch.ones(100_000)})
    with opened(path) as file:
        path.write_bytes(b"")
        assert isinstance(file.tensors, dict)
        with pytest.raises(FileFormatError, match=r"an array ends \d+ bytes early"):
            file.read(file.tensors["w"])


@pytest.mark.parametrize("name", ["x.npz", "x.npy"])
def test_other_formats_are_read_at_once(tmp_path: Path, name: str) -> None:
    values = onp.ones((3, 2), dtype=onp.float32)
    with (tmp_path / name).open("wb") as stream:
        onp.save(stream, values) if name == "x.npy" else onp.savez(stream, w=values)
    with opened(tmp_path / name) as file:
        tensors = file.tensors if isinstance(file.tensors, list) else list(file.tensors.values())
        assert file.read(tensors[0]) is tensors[0]
        assert tensors[0].tolist() == values.tolist()


def test_lists_are_opened_too(tmp_path: Path) -> None:
    for name in ("x.params", "x.safetensors"):
        serialization.save(tmp_path / name, [torch.ones(2), torch.zeros(0), torch.tensor([True])])
        with opened(tmp_path / name) as file:
            assert isinstance(file.tensors, list)
            assert [file.read(tensor).tolist() for tensor in file.tensors] == [[1, 1], [], [True]]
