from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as onp
import pytest
import torch
from safetensors.torch import save_file

import gluonish as mx
from gluonish import serialization
from gluonish.conversion import Kind, convert, inspect
from gluonish.conversion.reports import statistics_of
from gluonish.errors import InvalidArgumentError, MissingFileError

GOLDEN = Path(__file__).parent.parent / "golden" / "mxnet"
MODELS = GOLDEN / "models"
BAD = sorted(GOLDEN.glob("bad/*.params"))


def test_parameters_are_listed_with_what_wrote_them():
    report = inspect(MODELS / "lenet/net-0007.params")
    assert report.kind is Kind.PARAMS
    assert report.damage is None
    assert report.elements == 2692
    assert len(report.arrays) == 16
    assert report.arrays[0].shape == (4, 1, 5, 5)
    assert report.facts["layout"] == "MXNet V2"
    assert report.facts["arguments"] == 12
    assert report.facts["auxiliary"] == 4
    assert report.facts["names"].startswith("arg: and aux:")
    assert report.facts["graph"].endswith("net-symbol.json")


@pytest.mark.parametrize(
    ("path", "writer", "names"),
    [
        ("v0_v1/v0_dict.params", "MXNet 0.10 or older", "chosen"),
        ("v0_v1/v1_dict.params", "MXNet 0.11", "chosen"),
        ("containers/v3_dict.params", "MXNet 1.5 or newer in NumPy mode, or gluonish", "chosen"),
        ("models/lenet/net.params", "MXNet 0.12 to 1.9, or gluonish", "structural"),
        ("models/lenet/net.legacy_pdict.params", "MXNet 0.12 to 1.9, or gluonish", "full"),
        ("containers/v2_list.params", "MXNet 0.12 to 1.9, or gluonish", "none: a list"),
    ],
)
def test_versions_and_ways_of_naming_are_told(path, writer, names):
    facts = inspect(GOLDEN / path).facts
    assert facts["written by"] == writer
    assert facts["names"].startswith(names)


def test_statistics_are_those_of_the_values():
    report = inspect(MODELS / "lenet/net.params", statistics=True)
    values = onp.load(MODELS / "lenet/values.npz")
    for array in report.arrays:
        numbers, expected = array.statistics, values[array.name]
        assert numbers.least == expected.min()
        assert numbers.largest == expected.max()
        assert numbers.mean == pytest.approx(expected.mean(dtype=onp.float64), abs=1e-9)


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("containers/*.params")), ids=lambda p: p.stem)
def test_statistics_take_all_dtypes_and_storages(path):
    report = inspect(path, statistics=True)
    assert report.damage is None
    full = [a for a in report.arrays if a.storage == "default" and 0 not in a.shape]
    assert all(array.statistics is not None for array in full)


def test_statistics_leave_out_what_is_not_finite():
    numbers = statistics_of(torch.tensor([float("inf"), 1, 3, float("nan")]))
    assert (numbers.least, numbers.largest, numbers.mean, numbers.not_finite) == (1, 3, 2, 2)
    assert statistics_of(torch.tensor([float("nan")])) is None
    assert statistics_of(torch.zeros(0)) is None
    assert statistics_of(torch.tensor([2**63], dtype=torch.uint64)).largest == 2.0**63
    assert statistics_of(torch.tensor([True, False])).mean == 0.5


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_damage_is_told_with_its_place(path):
    report = inspect(path)
    assert report.damage is not None or report.kind is not Kind.PARAMS
    if report.damage is not None:
        assert path.name in report.damage
        assert report.as_json()["damage"] == report.damage


def test_arrays_before_the_damage_are_listed(tmp_path):
    content = (MODELS / "resnet/net-0007.params").read_bytes()
    (tmp_path / "x.params").write_bytes(content[:1500])
    report = inspect(tmp_path / "x.params")
    assert "array 9, byte 1500" in report.damage
    assert [array.shape for array in report.arrays[:2]] == [(4, 3, 3, 3), (4,)]
    assert len(report.arrays) == 9


def test_arrays_before_the_end_of_a_cut_safetensors_file_are_listed(tmp_path):
    path = tmp_path / "x.safetensors"
    save_file({"a": torch.ones(4), "b": torch.ones(8)}, path)
    path.write_bytes(path.read_bytes()[:-4])
    report = inspect(path, statistics=True)
    assert [array.name for array in report.arrays] == ["a"]
    assert "expected" in report.damage
    path.write_bytes(path.read_bytes()[:20])
    assert inspect(path).arrays == []


def test_graphs_are_described_with_and_without_shapes():
    path = MODELS / "lenet/net-symbol.json"
    facts = inspect(path).facts
    assert facts["written by"] == "MXNet 1.9.1, or gluonish"
    assert (facts["nodes"], facts["variables"]) == (29, 17)
    assert facts["operators"]["Convolution"] == 2
    assert facts["inputs"] == {"data": "?"}
    assert (facts["parameters"], facts["auxiliary"]) == (12, 4)
    report = inspect(path, input_shapes={"data": (5, 1, 28, 28)})
    assert report.facts["inputs"] == {"data": "(5, 1, 28, 28)"}
    assert list(report.facts["outputs"].values()) == ["(5, 10)"]
    assert report.nodes[0].shape == (5, 4, 28, 28)
    assert report.as_json()["operators"][0]["shape"] == [5, 4, 28, 28]


@pytest.mark.parametrize(
    ("name", "writer"),
    [
        ("mod-symbol.json", "MXNet 1.9.1, or gluonish"),
        ("mod-symbol-08.json", "MXNet 0.8 to 0.10, which did not say"),
    ],
)
def test_graphs_tell_the_version_that_wrote_them(name, writer):
    report = inspect(MODELS / "module_mlp" / name)
    assert report.facts["written by"] == writer
    assert "softmax_label" in report.facts["inputs"]


def test_operators_that_gluonish_lacks_are_named(tmp_path):
    text = (MODELS / "lenet/net-symbol.json").read_text().replace('"Pooling"', '"Qooling"')
    (tmp_path / "x-symbol.json").write_text(text)
    report = inspect(tmp_path / "x-symbol.json")
    assert report.facts["not in gluonish"] == ["Qooling"]
    assert report.damage is None


def test_nodes_before_the_damage_of_a_graph_are_counted(tmp_path):
    content = (MODELS / "lenet/net-symbol.json").read_bytes()
    (tmp_path / "x-symbol.json").write_bytes(content[:4000])
    report = inspect(tmp_path / "x-symbol.json")
    assert "it is no JSON" in report.damage
    assert 5 < report.facts["nodes"] < 29
    assert "written by" not in report.facts
    for text in ("{", '{"nodes": 3}', '{"nodes": [{}], "heads": []}', "[" * 10_000):
        (tmp_path / "y-symbol.json").write_text(text)
        assert inspect(tmp_path / "y-symbol.json").damage is not None


def test_shapes_that_contradict_a_graph_are_told():
    report = inspect(MODELS / "mlp/net-symbol.json", input_shapes={"data": (1, 99)})
    assert report.facts["shapes"].startswith("not found:")


@pytest.mark.parametrize(
    ("path", "optimizer", "count"),
    [
        ("states/adam.states", "Adam", 8),
        ("models/module_mlp/mod-0003.states", "not in the file", 4),
    ],
)
def test_states_of_mxnet_are_shown_without_running_them(path, optimizer, count):
    report = inspect(GOLDEN / path, statistics=True)
    assert report.kind is Kind.PICKLED_STATES
    assert report.facts["optimizer"].startswith(optimizer)
    assert len(report.arrays) == count
    assert all(array.statistics is not None for array in report.arrays)


def test_states_of_gluonish_have_names(tmp_path):
    net = mx.gluon.nn.Dense(1, in_units=2, prefix="fc_")
    net.initialize()
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"momentum": 0.9})
    with mx.autograd.record():
        loss = net(mx.nd.ones((1, 2)))
    loss.backward()
    trainer.step(1)
    trainer.save_states(str(tmp_path / "x.states"))
    report = inspect(tmp_path / "x.states")
    assert report.kind is Kind.STATES
    assert {array.name for array in report.arrays} == {"fc_weight", "fc_bias"}
    assert report.facts["settings"]["momentum"] == 0.9


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("bad_states/*.states")), ids=lambda p: p.stem)
def test_bad_states_are_told_and_not_run(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert inspect(path).damage is not None
    assert list(tmp_path.iterdir()) == []


def test_records_are_counted_with_their_labels(tmp_path):
    report = inspect(GOLDEN / "recordio/img.rec")
    assert report.facts["records"] == 6
    assert report.facts["labels"] == {"of 1": 3, "of 3": 3}
    assert report.facts["content"] == "PNG"
    assert report.facts["index"].endswith("img.idx")
    plain = inspect(GOLDEN / "recordio/plain.rec").facts
    count = len(json.loads((GOLDEN / "recordio/plain.json").read_text()))
    assert plain["records"] in (count, 11)
    assert plain["headers"].startswith("none")
    content = (GOLDEN / "recordio/img.rec").read_bytes()
    (tmp_path / "x.rec").write_bytes(content[:700])
    damaged = inspect(tmp_path / "x.rec")
    assert "record at byte 592" in damaged.damage
    assert damaged.facts["records"] == 4


def test_indices_of_records_are_counted(tmp_path):
    report = inspect(GOLDEN / "recordio/img.idx")
    assert (report.facts["keys"], report.facts["first key"]) == (6, "0")
    assert report.facts["records"].endswith("img.rec")
    (tmp_path / "x.idx").write_text("0\t0\n1\tx\n")
    damaged = inspect(tmp_path / "x.idx")
    assert "line 2" in damaged.damage
    assert damaged.facts["keys"] == 1


def test_other_files_of_arrays_are_shown(tmp_path):
    report = inspect(GOLDEN / "mnist/tiny-images-idx3-ubyte.gz", statistics=True)
    assert (report.kind, report.arrays[0].shape) == (Kind.IDX, (20, 28, 28))
    torch.save({"epoch": 1, "model": {"w": torch.ones(2)}}, tmp_path / "x.pt")
    report = inspect(tmp_path / "x.pt")
    assert report.arrays[0].name == "w"
    assert report.facts["notes"] == ["taken from 'model'; left out: epoch"]
    onp.save(tmp_path / "x.npy", onp.zeros((2, 3)))
    assert inspect(tmp_path / "x.npy").arrays[0].dtype == "float64"
    (tmp_path / "x.bin").write_bytes(b"hello")
    assert inspect(tmp_path / "x.bin").kind is Kind.UNKNOWN
    (tmp_path / "x.empty").write_bytes(b"")
    assert "is empty" in inspect(tmp_path / "x.empty").damage
    with pytest.raises(MissingFileError):
        inspect(tmp_path / "nothing")


def test_announced_sizes_cost_no_memory(tmp_path):
    header = json.dumps({"w": {"dtype": "F32", "shape": [1 << 60], "data_offsets": [0, 1 << 62]}})
    content = struct.pack("<Q", len(header)) + header.encode() + bytes(100)
    (tmp_path / "x.safetensors").write_bytes(content)
    assert inspect(tmp_path / "x.safetensors", statistics=True).damage is not None
    (tmp_path / "y.safetensors").write_bytes(struct.pack("<Q", 1 << 60) + b"{}")
    assert inspect(tmp_path / "y.safetensors").damage is not None


def test_a_report_is_plain_values_for_machines():
    report = inspect(MODELS / "lenet/net-0007.params", statistics=True)
    found = json.loads(json.dumps(report.as_json()))
    assert found["kind"] == "params"
    assert found["arrays"][0].keys() == {
        "name", "shape", "dtype", "storage", "bytes", "min", "max", "mean", "not_finite",
    }  # fmt: skip


def test_metadata_of_safetensors_is_shown(tmp_path):
    save_file({"w": torch.ones(1)}, tmp_path / "x.safetensors", {"author": "me", "long": "x" * 999})
    assert inspect(tmp_path / "x.safetensors").facts["metadata"] == {"author": "me"}
    serialization.save(tmp_path / "y.safetensors", [torch.ones(1)])
    assert inspect(tmp_path / "y.safetensors").facts["names"] == "none: a list"


def test_checkpoints_tell_how_far_the_training_was(tmp_path):
    net = mx.gluon.nn.Dense(1, in_units=2)
    net.initialize()
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd")
    mx.gluon.Checkpoint(str(tmp_path), net, trainer).save(epoch=3, accuracy=0.5)
    (path,) = tmp_path.glob("*.safetensors")
    report = inspect(path)
    assert report.kind is Kind.CHECKPOINT
    assert (report.facts["epoch"], report.facts["nets"], report.facts["trainers"]) == (3, 1, 1)
    assert report.facts["values"] == {"accuracy": "0.5"}
    with pytest.raises(InvalidArgumentError, match=r"Restore it with gluon.Checkpoint"):
        convert(path, "torch")


@pytest.mark.parametrize("share", [0.3, 0.6, 0.99])
def test_arrays_before_the_end_of_a_cut_archive_are_listed(share, tmp_path):
    content = (MODELS / "lenet/values.npz").read_bytes()
    with onp.load(MODELS / "lenet/values.npz") as archive:
        expected = {name: archive[name] for name in archive.files}
    (tmp_path / "x.npz").write_bytes(content[: int(len(content) * share)])
    report = inspect(tmp_path / "x.npz", statistics=True)
    assert report.damage is not None
    assert 0 < len(report.arrays) <= len(expected)
    for array in report.arrays:
        assert array.shape == expected[array.name].shape
        assert array.statistics.least == expected[array.name].min()


def test_lengths_that_lie_in_archives_end_the_list(tmp_path):
    content = bytearray((MODELS / "mlp/values.npz").read_bytes()[:-40])
    (tmp_path / "x.npz").write_bytes(content[:30])
    assert inspect(tmp_path / "x.npz").arrays == []
    place = content.index(b"0.weight.npy") + 12 + 4 + 8  # the length of 64 bits
    content[place : place + 8] = b"\xff" * 7 + b"\x7f"
    (tmp_path / "x.npz").write_bytes(content)
    assert inspect(tmp_path / "x.npz").arrays == []


def cut_archive(path, **arrays):
    """Write an archive without its directory; return what is in the file."""
    onp.savez_compressed(path, **arrays)
    content = path.read_bytes()
    content = content[: content.index(b"PK\x01\x02")]
    path.write_bytes(content)
    return content


def test_a_changed_value_in_a_cut_archive_ends_the_list(tmp_path):
    values = onp.arange(500.0) ** 0.5
    path = tmp_path / "x.npz"
    content = bytearray(cut_archive(path, first=values, second=values, third=values))
    assert [array.name for array in inspect(path).arrays] == ["first", "second", "third"]
    content[content.index(b"second.npy") + 1500] ^= 1
    path.write_bytes(content)
    assert [array.name for array in inspect(path).arrays] == ["first"]


def test_a_cut_archive_unpacks_no_further_than_a_whole_one(tmp_path):
    path = tmp_path / "x.npz"
    cut_archive(path, small=onp.arange(3), large=onp.zeros(2**26, "int8"))
    assert path.stat().st_size < 2**17
    assert [array.name for array in inspect(path).arrays] == ["small"]


def test_the_first_array_of_a_name_stays_that_of_a_cut_archive(tmp_path):
    path = tmp_path / "x.npz"
    content = cut_archive(path, same=onp.arange(3))
    path.write_bytes(content + content)
    assert [array.name for array in inspect(path).arrays] == ["same"]
