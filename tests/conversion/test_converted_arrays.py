from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as onp
import pytest
import torch
from safetensors import safe_open
from safetensors.torch import save_file

import gluonish as mx
from gluonish import serialization
from gluonish.conversion import array_conversion, convert
from gluonish.errors import (
    ConversionError,
    DTypeError,
    ExistingFileError,
    FileFormatError,
    InvalidArgumentError,
)
from gluonish.serialization.any_format import open_arrays

GOLDEN = Path(__file__).parent.parent / "golden" / "mxnet"
PARAMS = sorted([*GOLDEN.rglob("containers/*.params"), *GOLDEN.rglob("v0_v1/*.params")])
WITHOUT_CLASHES = [path for path in PARAMS if path.stem != "v2_dict"]


def dense(path, **options):
    """All arrays of a file by name, read by the library's other reader."""
    loaded = serialization.load(path, **options)
    return loaded if isinstance(loaded, dict) else {str(i): x for i, x in enumerate(loaded)}


def same_bytes(one, other):
    return (
        one.dtype == other.dtype
        and one.shape == other.shape
        and one.contiguous()
        .view(-1)
        .view(torch.uint8)
        .equal(other.contiguous().view(-1).view(torch.uint8))
    )


@pytest.mark.parametrize("path", PARAMS, ids=lambda path: path.stem)
@pytest.mark.parametrize("to", ["safetensors", "torch", "mxnet"])
def test_golden_files_keep_names_and_bytes(path, to, tmp_path):
    (done,) = convert(path, to, f"{tmp_path}/", names="keep")
    assert "equal, bit for bit" in done.checks
    with open_arrays(path) as source, open_arrays(done.outputs[0]) as result:
        before = {item.name: source.dense(i) for i, item in enumerate(source.items)}
        after = {item.name: result.dense(i) for i, item in enumerate(result.items)}
        assert source.named == result.named
    assert before.keys() == after.keys()
    for name, tensor in before.items():
        assert same_bytes(after[name].reshape(tensor.shape), tensor)


def test_the_safetensors_library_reads_results(tmp_path):
    (done,) = convert(GOLDEN / "models/lenet/net-0007.params", "safetensors", f"{tmp_path}/")
    expected = onp.load(GOLDEN / "models/lenet/values.npz")
    names = json.loads((GOLDEN / "models/lenet/names.json").read_text())
    with safe_open(done.outputs[0], "pt") as file:
        assert set(file.keys()) == set(names.values())
        for short, full in names.items():
            onp.testing.assert_array_equal(file.get_tensor(full).numpy(), expected[short])
        told = json.loads(file.metadata()["gluonish.names"])
        assert file.metadata()["format"] == "pt"
        assert file.metadata()["gluonish.source"] == "MXNet V2"
    marks = {name: text.split(":")[0] for name, text in told.items()}
    assert {n for n, mark in marks.items() if mark == "aux"} == {
        name for name in names.values() if "running" in name
    }


def test_torch_reads_results_with_weights_only(tmp_path):
    (done,) = convert(GOLDEN / "models/mlp/net.params", "torch", tmp_path / "x.pt")
    state = torch.load(done.outputs[0], weights_only=True)
    assert list(state) == ["0.weight", "0.bias", "2.weight", "2.bias"]


class Tagger(torch.nn.Module):
    """The golden model `lstm` as somebody would write it in PyTorch."""

    def __init__(self):
        super().__init__()
        self.emb = torch.nn.Embedding(11, 6)
        self.rnn = torch.nn.LSTM(6, 5, num_layers=2, bidirectional=True, batch_first=True)
        self.out = torch.nn.Linear(10, 4)

    def forward(self, x):
        return self.out(self.rnn(self.emb(x))[0])


def test_names_for_torch_fit_torch_layers(tmp_path):
    path = GOLDEN / "models/lstm/net.params"
    (done,) = convert(path, "torch", tmp_path / "x.pt", names="torch")
    net = Tagger()
    net.load_state_dict(torch.load(done.outputs[0], weights_only=True))
    io = onp.load(GOLDEN / "models/lstm/io.npz")
    output = net(torch.from_numpy(io["input"]).long())
    onp.testing.assert_allclose(output.detach().numpy(), io["output"], atol=1e-6)


def test_a_way_back_restores_names_and_marks(tmp_path):
    source = GOLDEN / "models/resnet/net-0007.params"
    (there,) = convert(source, "safetensors", tmp_path / "x.safetensors", names="torch")
    (back,) = convert(there.outputs[0], "mxnet", tmp_path / "y.params")
    before, after = dense(source), dense(back.outputs[0])
    assert set(before) == set(after)
    assert all(same_bytes(after[name], before[name]) for name in before)


def test_a_graph_tells_which_arrays_are_auxiliary(tmp_path):
    model = GOLDEN / "models/lenet"
    plain = tmp_path / "net-0007.npz"
    arrays = {
        name.partition(":")[2]: x.numpy() for name, x in dense(model / "net-0007.params").items()
    }
    onp.savez(plain, **arrays)
    graph = tmp_path / "net-symbol.json"
    graph.write_bytes((model / "net-symbol.json").read_bytes())
    (done,) = convert([plain, graph], "mxnet", tmp_path / "out/net")
    assert done.outputs == (f"{tmp_path}/out/net-0007.params", f"{tmp_path}/out/net-symbol.json")
    net = mx.gluon.SymbolBlock.imports(done.outputs[1], "data", done.outputs[0])
    io = onp.load(model / "io.npz")
    onp.testing.assert_allclose(net(mx.nd.array(io["input"])).asnumpy(), io["output"], atol=1e-5)
    _, arguments, states = mx.model.load_checkpoint(str(tmp_path / "out/net"), 7)
    assert len(arguments) == 12
    assert len(states) == 4


def test_dtype_changes_floating_point_arrays_alone(tmp_path):
    path = tmp_path / "x.params"
    serialization.save(path, {"w": torch.tensor([1.5, 1e-3]), "n": torch.tensor([1, 2])})
    for name, dtype in (("float16", torch.float16), ("bfloat16", torch.bfloat16)):
        (done,) = convert(path, "safetensors", tmp_path / f"{name}.safetensors", dtype=name)
        found = dense(done.outputs[0])
        assert found["w"].dtype is dtype
        assert found["n"].tolist() == [1, 2]
        assert torch.equal(found["w"], torch.tensor([1.5, 1e-3]).to(dtype))


def test_renames_follow_one_after_another(tmp_path):
    path = tmp_path / "x.params"
    serialization.save(path, {"arg:net0_a": torch.ones(1), "arg:net0_b": torch.zeros(1)})
    (done,) = convert(
        path, "torch", tmp_path / "x.pt", rename=[("^net0_", "body."), ("a$", "alpha")]
    )
    assert list(torch.load(done.outputs[0], weights_only=True)) == ["body.alpha", "body.b"]


def test_clashing_names_are_refused_before_anything_is_written(tmp_path):
    with pytest.raises(InvalidArgumentError, match="'arg:x' and 'aux:x' are both 'x'"):
        convert(GOLDEN / "containers/v2_dict.params", "safetensors", f"{tmp_path}/")
    serialization.save(tmp_path / "x.params", {"ab": torch.ones(1)})
    with pytest.raises(InvalidArgumentError, match="'ab' has no name left"):
        convert(tmp_path / "x.params", "torch", rename=[("ab", "")])
    with pytest.raises(InvalidArgumentError, match=r"Renaming by '\(' to 'x'.*regular expression"):
        convert(tmp_path / "x.params", "torch", rename=[("(", "x")])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.params"]


def test_lists_have_no_names_to_change(tmp_path):
    with pytest.raises(InvalidArgumentError, match="holds a list without names"):
        convert(GOLDEN / "containers/v2_list.params", "torch", tmp_path / "x.pt", names="torch")


def test_sparse_arrays_stay_sparse_for_mxnet_alone(tmp_path):
    path = GOLDEN / "containers/v2_mixed.params"
    (done,) = convert(path, "mxnet", tmp_path / "x.params")
    with open_arrays(done.outputs[0]) as arrays:
        assert [item.storage for item in arrays.items] == ["default", "row_sparse", "csr"]
    (done,) = convert(path, "safetensors", tmp_path / "x.safetensors")
    assert done.notes == ("2 sparse arrays made dense: rs, csr",)


def test_arrays_without_dimensions_need_numpy_shapes_in_mxnet(tmp_path):
    save_file({"n": torch.tensor(3), "w": torch.ones(2)}, tmp_path / "x.safetensors")
    (done,) = convert(tmp_path / "x.safetensors", "mxnet")
    assert "V3 records, for n without dimensions or elements" in done.notes[0]
    assert {entry.format for entry in serialization.describe(done.outputs[0])} == {"MXNet V3"}


def test_dtypes_that_mxnet_cannot_read_are_refused(tmp_path):
    save_file({"n": torch.tensor([3], dtype=torch.int16)}, tmp_path / "x.safetensors")
    with pytest.raises(DTypeError, match="'n': its dtype is int16, which MXNet 1.9.1 cannot read"):
        convert(tmp_path / "x.safetensors", "mxnet")
    assert not (tmp_path / "x.params").exists()


def test_nothing_is_replaced_without_force(tmp_path):
    path = tmp_path / "x.params"
    serialization.save(path, {"w": torch.ones(2)})
    (tmp_path / "x.pt").write_text("mine")
    with pytest.raises(FileExistsError, match=r"x.pt' exists already.*--force"):
        convert(path, "torch")
    assert (tmp_path / "x.pt").read_text() == "mine"
    convert(path, "torch", force=True)
    assert torch.load(tmp_path / "x.pt", weights_only=True)["w"].tolist() == [1, 1]
    with pytest.raises(ExistingFileError):
        convert(path, "torch")


def test_a_result_never_replaces_its_source(tmp_path):
    path = tmp_path / "x.params"
    serialization.save(path, {"w": torch.ones(2)})
    before = path.read_bytes()
    with pytest.raises(InvalidArgumentError, match="would replace its own source"):
        convert(path, "mxnet", force=True)
    assert path.read_bytes() == before


def test_two_results_of_one_name_are_refused(tmp_path):
    serialization.save(tmp_path / "x.params", {"w": torch.ones(2)})
    onp.savez(tmp_path / "x.npz", w=onp.ones(2))
    with pytest.raises(InvalidArgumentError, match="would both become"):
        convert(tmp_path, "torch")


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("bad/*.params")), ids=lambda path: path.stem)
def test_damaged_files_leave_nothing_behind(path, tmp_path):
    with pytest.raises((FileFormatError, InvalidArgumentError)):
        convert(path, "safetensors", f"{tmp_path}/")
    assert list(tmp_path.iterdir()) == []


def test_a_result_that_differs_takes_no_place(tmp_path, monkeypatch):
    path = tmp_path / "x.params"
    serialization.save(path, {"w": torch.ones(2)})
    monkeypatch.setattr(array_conversion, "_equal", lambda *_: False)
    with pytest.raises(
        ConversionError, match="1 array differ.*: w. Expected equal ones. It was not"
    ):
        convert(path, "torch")
    assert not (tmp_path / "x.pt").exists()
    (tmp_path / "x.pt").write_text("of before")
    with pytest.raises(ConversionError):
        convert(path, "torch", force=True)
    assert (tmp_path / "x.pt").read_text() == "of before"
    (tmp_path / "x.pt").unlink()
    (done,) = convert(path, "torch", verify=False)
    assert done.checks == ""


class Gadget:
    """Something that only running a file could make."""


def test_torch_files_are_never_run(tmp_path):
    path = tmp_path / "x.pt"
    torch.save({"w": torch.ones(1), "g": Gadget()}, path)
    with pytest.raises(FileFormatError, match="holds Python objects beside tensors"):
        convert(path, "safetensors")


@pytest.mark.parametrize("is_old", [False, True])
def test_wrapped_state_dicts_are_found(is_old, tmp_path):
    path = tmp_path / "x.pt"
    content = {"epoch": 3, "state_dict": {"w": torch.ones(2), "n": {"b": torch.zeros(1)}}}
    torch.save(content, path, _use_new_zipfile_serialization=not is_old)
    (done,) = convert(path, "safetensors")
    assert list(dense(done.outputs[0])) == ["w", "n.b"]
    assert done.notes == ("taken from 'state_dict'; left out: epoch",)


def test_tensors_that_few_bytes_announce_are_refused(tmp_path):
    path = tmp_path / "x.pt"
    torch.save({"w": torch.zeros(1).expand(1 << 40)}, path)
    with pytest.raises(FileFormatError, match="'w'.*would take"):
        convert(path, "safetensors")


def test_damaged_torch_files_are_told(tmp_path):
    path = tmp_path / "x.pt"
    torch.save({"w": torch.zeros(100)}, path)
    content = path.read_bytes()
    path.write_bytes(content[:300])
    with pytest.raises((FileFormatError, InvalidArgumentError)):
        convert(path, "safetensors")
    torch.save({"epoch": 3}, path)
    with pytest.raises(FileFormatError, match="holds no tensors"):
        convert(path, "safetensors")


@pytest.mark.parametrize("changes", list(itertools.product([0, 1], repeat=2)))
def test_safetensors_headers_that_lie_are_refused(changes, tmp_path):
    save_file({"w": torch.ones(4)}, tmp_path / "x.safetensors")
    content = (tmp_path / "x.safetensors").read_bytes()
    if changes[0]:
        content = content.replace(b'"shape":[4]', b'"shape":[5]')
    if changes[1]:
        content = content[:-4]
    (tmp_path / "x.safetensors").write_bytes(content)
    if not any(changes):
        convert(tmp_path / "x.safetensors", "torch")
        return
    with pytest.raises(
        FileFormatError, match=r"offsets are \[0, 16\]; expected two that are 20|expected \d+"
    ):
        convert(tmp_path / "x.safetensors", "torch")


def test_choices_that_do_not_go_together_are_refused(tmp_path):
    path = GOLDEN / "models/mlp/net-0007.params"
    for arguments, message in [
        ({"to": "tflite"}, "to='tflite' was given"),
        ({"to": "torch", "dtype": "int8"}, "dtype='int8' was given"),
        ({"to": "torch", "names": "odd"}, "names='odd' was given"),
        ({"to": "torch", "dynamic_batch": True}, "Shapes of inputs were given for to='torch'"),
        ({"to": "onnx", "names": "torch"}, "New names were given for to='onnx'"),
    ]:
        with pytest.raises(InvalidArgumentError, match=message):
            convert(path, **arguments)


def test_idx_and_npz_files_are_arrays_too(tmp_path):
    (done,) = convert(GOLDEN / "mnist/tiny-images-idx3-ubyte.gz", "torch", tmp_path / "x.pt")
    expected = onp.load(GOLDEN / "mnist/tiny.npz")["images"]
    state = torch.load(done.outputs[0], weights_only=True)
    onp.testing.assert_array_equal(state["tiny-images-idx3-ubyte"].numpy(), expected)


def test_a_bar_is_shown_where_it_is_asked_for(tmp_path, capsys):
    serialization.save(tmp_path / "net.params", {"w": torch.ones(1000)})
    convert(tmp_path / "net.params", "torch", progress=True)
    shown = capsys.readouterr().err
    assert "net: 100%" in shown
    assert "8.00k/8.00k" in shown
    convert(tmp_path / "net.params", "torch", force=True)
    assert capsys.readouterr().err == ""
