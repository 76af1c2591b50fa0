from __future__ import annotations

import zipfile

import pytest
import torch

import gluonish as mx
from gluonish import serialization
from gluonish.conversion.finding import Job, checkpoints_of, find_jobs, stem_of
from gluonish.conversion.naming import original_names, torch_name
from gluonish.errors import InvalidArgumentError, MissingFileError
from gluonish.serialization.kinds import Kind, kind_of


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two epochs of a net, a second net without graph, states, and other things."""
    monkeypatch.chdir(tmp_path)
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=1, name="fc")
    arrays = {"fc_weight": mx.nd.ones((1, 2)), "fc_bias": mx.nd.zeros((1,))}
    for epoch in (1, 12):
        mx.model.save_checkpoint("net", epoch, net, arrays, {})
    serialization.save("other-0003.params", {"w": torch.ones(1)})
    updater = mx.optimizer.get_updater(mx.optimizer.SGD(momentum=0.9))
    updater(0, mx.nd.ones((1,)), mx.nd.ones((1,)))
    (tmp_path / "net-0012.states").write_bytes(updater.get_states())
    (tmp_path / "README.md").write_text("# Nets")
    (tmp_path / "names.json").write_text('{"a": 1}')
    return tmp_path


def test_a_file_is_a_job_with_the_graph_beside_it(folder):
    assert find_jobs(["net-0001.params"], needs_graph=True) == [
        Job("net-0001.params", "net-symbol.json")
    ]
    assert find_jobs(["other-0003.params"], needs_graph=False) == [Job("other-0003.params")]


def test_a_graph_takes_its_last_epoch_or_the_one_asked_for(folder):
    assert find_jobs(["net-symbol.json"], needs_graph=True)[0].arrays == "net-0012.params"
    found = find_jobs(["net-symbol.json"], needs_graph=True, epoch=1)
    assert found == [Job("net-0001.params", "net-symbol.json")]
    assert list(checkpoints_of("net-symbol.json")) == [1, 12]
    with pytest.raises(MissingFileError, match=r"no parameters of epoch 5.*epochs 1, 12"):
        find_jobs(["net-symbol.json"], needs_graph=True, epoch=5)


def test_graph_and_parameters_that_are_both_named_are_one_job(folder):
    expected = [Job("net-0001.params", "net-symbol.json")]
    assert find_jobs(["net-0001.params", "net-symbol.json"], needs_graph=True) == expected
    assert find_jobs(["net-symbol.json", "net-0001.params"], needs_graph=False) == expected
    mixed = find_jobs(["other-0003.params", "net-symbol.json"], needs_graph=True)
    assert mixed == [Job("other-0003.params", "net-symbol.json")]


@pytest.mark.parametrize(
    ("inputs", "arrays"),
    [(["net"], "net-0012.params"), (["net", "1"], "net-0001.params"), (["other", "3"], None)],
)
def test_prefixes_and_epochs_are_understood(inputs, arrays, folder):
    found = find_jobs(inputs, needs_graph=False)
    assert [job.arrays for job in found] == [arrays or "other-0003.params"]


def test_prefixes_without_graph_are_told_when_one_is_needed(folder):
    with pytest.raises(MissingFileError, match=r"a graph is needed.*other-symbol.json"):
        find_jobs(["other"], needs_graph=True)
    with pytest.raises(MissingFileError, match=r"a graph is needed.*net.export"):
        find_jobs(["other-0003.params"], needs_graph=True)
    with pytest.raises(MissingFileError, match=r"no epoch 4. Expected one of 3"):
        find_jobs(["other", "4"], needs_graph=False)
    with pytest.raises(MissingFileError, match=r"'nothing': there is no such file or folder, and"):
        find_jobs(["nothing"], needs_graph=False)


def test_graphs_that_fit_no_parameters_are_named(folder):
    (folder / "third-symbol.json").write_bytes((folder / "net-symbol.json").read_bytes())
    named = ["other-0003.params", "net-symbol.json", "third-symbol.json"]
    with pytest.raises(MissingFileError, match=r"net-symbol.json, third-symbol.json were named, n"):
        find_jobs(named, needs_graph=True)


def test_an_epoch_that_was_asked_for_is_that_of_the_parameters(folder):
    with pytest.raises(InvalidArgumentError, match=r"'net-0001.params' is not of epoch 12"):
        find_jobs(["net-0001.params"], needs_graph=False, epoch=12)
    assert len(find_jobs(["net-0012.params"], needs_graph=False, epoch=12)) == 1
    found = find_jobs(["."], needs_graph=False, epoch=12)
    assert [job.arrays for job in found if job.arrays] == ["net-0012.params"]


def test_folders_give_what_they_hold(folder):
    found = find_jobs(["."], needs_graph=False)
    assert {job.main for job in found} == {
        "net-0001.params", "net-0012.params", "net-0012.states", "other-0003.params",
    }  # fmt: skip
    (pair,) = find_jobs(["."], needs_graph=True)
    assert (pair.arrays, pair.graph) == ("net-0012.params", "net-symbol.json")


def test_patterns_are_expanded_and_must_match(folder):
    found = find_jobs(["*.params"], needs_graph=False)
    assert len(found) == 3
    with pytest.raises(MissingFileError, match=r"'\*.npz': no file matches this pattern"):
        find_jobs(["*.npz"], needs_graph=False)


def test_empty_folders_are_told(folder):
    (folder / "empty").mkdir()
    with pytest.raises(InvalidArgumentError, match=r"empty: no files of arrays with a graph were"):
        find_jobs(["empty"], needs_graph=True)


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        (
            b"\n#\xd7\xce\0\0\0\0",
            "x.rec",
            r"of the kind 'RecordIO', which is not converted.*MXRecordIO",
        ),
        (b"0\t0\n", "x.idx", r"kind 'RecordIO index'.*belongs to the .rec file"),
        (b"hello", "x.txt", r"is text, which is not converted. Expected .*MXNet graph"),
        (b"\x08\x09", "x.onnx", r"'ONNX model'.*can be written, not read"),
    ],
)
def test_files_that_are_not_converted_are_told(content, name, message, folder):
    (folder / name).write_bytes(content)
    with pytest.raises(InvalidArgumentError, match=message):
        find_jobs([name], needs_graph=False)


def test_kinds_are_told_by_content_before_names(folder):
    assert kind_of("net-0001.params") is Kind.PARAMS
    assert kind_of("net-symbol.json") is Kind.GRAPH
    assert kind_of("net-0012.states") is Kind.STATES
    assert kind_of("names.json") is Kind.UNKNOWN
    torch.save({"w": torch.ones(1)}, "misnamed.params")
    assert kind_of("misnamed.params") is Kind.TORCH
    with zipfile.ZipFile("x.pt2", "w") as archive:
        archive.writestr("x/models/model.json", "{}")
    assert kind_of("x.pt2") is Kind.TORCH_PROGRAM
    with pytest.raises(InvalidArgumentError, match=r"torch.export.load\(\)"):
        find_jobs(["x.pt2"], needs_graph=False)


@pytest.mark.parametrize(
    ("path", "stem"),
    [("a/net-symbol.json", "net"), ("a\\b.params", "b"), ("s3://b/c.d.npz", "c.d"), ("x", "x")],
)
def test_stems_lose_folder_and_end(path, stem):
    assert stem_of(path) == stem


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("dense0_weight", "dense0.weight"),
        ("0.gamma", "0.weight"),
        ("stage1_bn0_moving_mean", "stage1_bn0.running_mean"),
        ("gamma", "weight"),
        ("rnn._unfused.1.l_cell.h2h_bias", "rnn.bias_hh_l1"),
        ("lstm0_r1_i2h_weight", "lstm0.weight_ih_l1_reverse"),
        ("l0_i2h_weight", "weight_ih_l0"),
        ("my_parameter", "my_parameter"),
    ],
)
def test_names_become_those_of_torch(name, expected):
    assert torch_name(name) == expected


@pytest.mark.parametrize("told", ["", "[1]", "{", '{"a": 1}', "[" * 100_000])
def test_damaged_metadata_tells_no_names(told):
    assert original_names({"gluonish.names": told}) == {}
