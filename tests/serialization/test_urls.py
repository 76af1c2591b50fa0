"""Tests of URLs wherever a path is taken: a real S3 server, a web server, and memory."""

from __future__ import annotations

import gzip
import tempfile
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import fsspec
import numpy as onp
import pytest
import torch
from fsspec.implementations.memory import MemoryFileSystem

import gluonish as mx
from gluonish import serialization
from gluonish.errors import (
    FileAccessError,
    FileFormatError,
    InvalidArgumentError,
    MissingExtraError,
    MissingFileError,
)
from gluonish.serialization.files import is_url, open_source, replacing, replacing_together
from gluonish.serialization.idx_format import read_idx

if TYPE_CHECKING:
    from servers import Web

ONES = [torch.ones(2)]
BIG = {"a": torch.arange(3_000_000.0), "b": torch.ones(3, dtype=torch.int64)}  # 12 MB


@pytest.fixture(autouse=True)
def temporary_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Check that no temporary file of ours stays."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield
    assert list(folder.glob("gluonish-*")) == []


def mlp() -> mx.gluon.nn.HybridSequential:
    net = mx.gluon.nn.HybridSequential()
    net.add(mx.gluon.nn.Dense(3, in_units=2, activation="relu"), mx.gluon.nn.Dense(1, in_units=3))
    net.initialize()
    return net


# --- S3 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["x.params", "x.safetensors"])
def test_arrays_are_saved_to_and_loaded_from_s3(s3, name: str) -> None:
    mx.nd.save(f"s3://mybucket/deep/{name}", {"w": mx.nd.ones((2, 3))})
    loaded = mx.nd.load(f"s3://mybucket/deep/{name}")
    assert loaded["w"].asnumpy().tolist() == [[1.0] * 3] * 2
    assert s3.ls("mybucket/deep") == [f"mybucket/deep/{name}"]


@pytest.mark.parametrize("name", ["x.params", "x.safetensors"])
def test_large_object_is_loaded_whole_and_described_by_parts(s3, name: str, monkeypatch) -> None:
    url = f"s3://mybucket/{name}"
    serialization.save(url, BIG)
    fetched = []
    cat_file = s3.cat_file
    monkeypatch.setattr(
        s3, "cat_file", lambda *a, **k: fetched.append(cat_file(*a, **k)) or fetched[-1]
    )
    entries = serialization.describe(url)
    assert [(entry.name, entry.shape) for entry in entries] == [("a", (3_000_000,)), ("b", (3,))]
    assert 0 < sum(map(len, fetched)) < 5_000_000
    fetched.clear()
    loaded = serialization.load(url)
    assert fetched == []
    assert isinstance(loaded, dict)
    assert all(torch.equal(loaded[key], BIG[key]) for key in BIG)


def test_object_that_became_longer_is_read_anew(s3) -> None:
    url = "s3://mybucket/x.params"
    for count in (1, 5):
        s3.ls("mybucket")  # fills the cache of listings
        serialization.save(url, [torch.ones(count)])
        assert serialization.load(url)[0].shape == (count,)


def test_net_trainer_and_graph_go_to_s3(s3) -> None:
    net = mlp()
    net.hybridize()
    net(mx.nd.ones((1, 2)))
    trainer = mx.gluon.Trainer(net.collect_params(), "adam")
    start = "s3://mybucket/run/net"
    net.save_parameters(f"{start}.params")
    trainer.save_states(f"{start}.states")
    net.export(start, epoch=3)
    symbol = net(mx.sym.var("data"))
    symbol.save(f"{start}-sym.json")
    assert {PurePosixPath(name).name for name in s3.ls("mybucket/run")} == {
        "net-0003.params", "net-symbol.json", "net-sym.json", "net.params", "net.states",
    }  # fmt: skip
    other = mlp()
    other.load_parameters(f"{start}.params")
    mx.gluon.Trainer(other.collect_params(), "adam").load_states(f"{start}.states")
    block = mx.gluon.SymbolBlock.imports(f"{start}-symbol.json", ["data"], f"{start}-0003.params")
    data = mx.nd.array([[1, 2]])
    assert other(data).asscalar() == net(data).asscalar() == block(data).asscalar()
    assert mx.sym.load(f"{start}-sym.json").list_arguments() == symbol.list_arguments()


def test_module_and_callbacks_write_to_s3(s3) -> None:
    out = mx.sym.LinearRegressionOutput(
        mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=1, name="fc"), name="lin"
    )
    data = mx.io.NDArrayIter(mx.nd.ones((4, 2)), mx.nd.ones((4,)), 2, label_name="lin_label")
    module = mx.mod.Module(out, label_names=["lin_label"])
    prefix = "s3://mybucket/mod"
    module.fit(data, num_epoch=2, epoch_end_callback=mx.callback.do_checkpoint(prefix))
    module.save_checkpoint(prefix, 7, save_optimizer_states=True)
    names = {PurePosixPath(name).name for name in s3.ls("mybucket", refresh=True)}
    assert names == {
        "mod-symbol.json", "mod-0001.params", "mod-0002.params", "mod-0007.params",
        "mod-0007.states",
    }  # fmt: skip
    again = mx.mod.Module.load(prefix, 7, True, label_names=["lin_label"])
    again.bind(data.provide_data, data.provide_label)
    again.init_optimizer()
    symbol, args, _ = mx.model.load_checkpoint(prefix, 2)
    assert symbol.list_outputs() == ["lin_output"]
    assert args["fc_weight"].shape == (1, 2)
    model = mx.model.FeedForward.load(prefix, 2)
    assert model.predict(mx.nd.ones((4, 2))).shape == (4, 1)


def test_iterators_read_from_s3(s3) -> None:
    s3.pipe("mybucket/x.csv", b"1,2\n3,4\n")
    s3.pipe("mybucket/x.svm", b"1 0:3\n0 1:4\n")
    images = bytes([0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 1, 2, 3, 4])
    s3.pipe("mybucket/images.gz", gzip.compress(images))
    s3.pipe("mybucket/labels", bytes([0, 0, 8, 1, 0, 0, 0, 2, 7, 8]))
    rows = mx.io.CSVIter("s3://mybucket/x.csv", data_shape=(2,), batch_size=2)
    assert next(rows).data[0].asnumpy().tolist() == [[1, 2], [3, 4]]
    batches = mx.io.MNISTIter(
        "s3://mybucket/images.gz", "s3://mybucket/labels", batch_size=2, shuffle=False
    )
    assert next(batches).label[0].asnumpy().tolist() == [7, 8]
    assert read_idx("s3://mybucket/labels").tolist() == [7, 8]
    with pytest.raises(MissingFileError, match=r"MNISTIter: there is no file 's3://mybucket/no'"):
        mx.io.MNISTIter("s3://mybucket/no", "s3://mybucket/labels")


def test_download_takes_s3(s3, tmp_path: Path) -> None:
    s3.pipe("mybucket/x.bin", b"content")
    name = mx.gluon.utils.download("s3://mybucket/x.bin", tmp_path)
    assert Path(name).read_bytes() == b"content"


def test_missing_bucket_or_object_is_named(s3) -> None:
    with pytest.raises(
        MissingFileError, match=r"^Loading 's3://mybucket/no': .*Expected an existing object. Check"
    ):
        serialization.load("s3://mybucket/no")
    with pytest.raises(
        MissingFileError, match=r"^Saving 's3://nobucket/x': The specified bucket does not exist. E"
    ):
        serialization.save("s3://nobucket/x", ONES)
    with pytest.raises(FileAccessError, match=r"It is a folder or a bucket; expected an object"):
        serialization.load("s3://mybucket")


def test_credentials_that_are_missing_are_asked_for(s3, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    type(s3).clear_instance_cache()
    for call in (lambda url: serialization.load(url), lambda url: serialization.save(url, ONES)):
        with pytest.raises(FileAccessError, match=r"'s3://mybucket/x': .*Expected credentials for"):
            call("s3://mybucket/x")


def test_permission_that_is_denied_is_told(s3, monkeypatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise PermissionError(13, "Forbidden")

    monkeypatch.setattr(s3, "info", fail)
    with pytest.raises(FileAccessError, match=r"Forbidden. Expected permission. Check the creden"):
        serialization.load("s3://mybucket/x")


@pytest.mark.parametrize("count", [2, 2_000_000])
def test_failed_upload_leaves_the_old_object(s3, monkeypatch, count: int) -> None:
    url = "s3://mybucket/x.params"
    serialization.save(url, ONES)

    async def fail(*_: object, **__: object) -> None:
        raise ConnectionResetError(104, "Connection reset by peer")

    with monkeypatch.context() as patch:
        patch.setattr(type(s3), "_call_s3", fail)
        with pytest.raises(FileAccessError, match=r"Connection reset by peer. Expected an answer"):
            serialization.save(url, [torch.zeros(count)])
    assert torch.equal(serialization.load(url)[0], ONES[0])


def test_program_that_fails_while_saving_leaves_the_old_object(s3) -> None:
    url = "s3://mybucket/x"
    s3.pipe("mybucket/x", b"old")
    with pytest.raises(KeyError), replacing(url) as stream:
        _ = {}[stream.write(b"new")]
    with pytest.raises(KeyError), replacing_together(url, url + "2") as streams:
        _ = {}[streams[0].write(b"new")]
    assert s3.cat_file("mybucket/x") == b"old"
    assert s3.ls("mybucket", refresh=True) == ["mybucket/x"]


# --- web --------------------------------------------------------------------------------------


def test_web_page_is_read(web: Web) -> None:
    web.pages["x.params"] = serialization.save_bytes(ONES)
    assert torch.equal(mx.nd.load(f"{web.url}/x.params")[0]._tensor, ONES[0])


def test_large_page_is_described_by_parts(web: Web) -> None:
    web.pages["x.params"] = serialization.save_bytes(BIG)
    assert [entry.name for entry in serialization.describe(f"{web.url}/x.params")] == ["a", "b"]
    assert sum(int(line.split()[1]) for line in web.asked) < 5_000_000
    web.asked.clear()
    loaded = serialization.load(f"{web.url}/x.params")
    assert isinstance(loaded, dict)
    assert torch.equal(loaded["a"], BIG["a"])
    assert len([line for line in web.asked if int(line.split()[1]) > 10_000_000]) == 1


def test_server_that_gives_no_parts_gives_the_whole(web: Web) -> None:
    web.pages["plain.params"] = serialization.save_bytes(BIG)
    assert len(serialization.describe(f"{web.url}/plain.params")) == 2
    assert torch.equal(serialization.load(f"{web.url}/plain.params")["b"], BIG["b"])  # type: ignore[call-overload]


def test_refusals_of_web_servers_are_told_apart(web: Web) -> None:
    with pytest.raises(MissingFileError, match=r"^Loading '.*/none': .*Expected an existing obj"):
        serialization.load(f"{web.url}/none")
    with pytest.raises(FileAccessError, match=r"^Loading '.*/secret': .*403.*Expected permission"):
        serialization.load(f"{web.url}/secret")
    with pytest.raises(
        FileAccessError, match=r"web servers take no files. Expected a URL that can"
    ):
        serialization.save(f"{web.url}/x.params", ONES)


def test_server_that_does_not_answer_is_told() -> None:
    with pytest.raises(FileAccessError, match=r"Expected an answer. Check the network and the se"):
        serialization.load("http://127.0.0.1:9/x.params")


def test_damaged_page_is_refused_as_a_file_is(web: Web) -> None:
    web.pages["x.params"] = serialization.save_bytes(ONES)[:-9]
    with pytest.raises(FileFormatError, match=r"^Loading 'http://.*/x.params', array 0, byte"):
        serialization.load(f"{web.url}/x.params")


def test_server_that_breaks_off_is_told(web: Web, monkeypatch) -> None:
    web.pages["x.params"] = serialization.save_bytes(BIG)

    def fail(*_: object, **__: object) -> None:
        raise TimeoutError

    with open_source(f"{web.url}/x.params") as source:
        monkeypatch.setattr("fsspec.implementations.http.HTTPFile.read", fail)
        with pytest.raises(FileAccessError, match=r"x.params': TimeoutError. Expected an answer"):
            source.stream.read(10)


def test_parts_can_be_read_in_any_order(web: Web) -> None:
    data = onp.arange(3_000_000, dtype="<u4").tobytes()
    web.pages["x"] = data
    with open_source(f"{web.url}/x") as source:
        stream = source.stream
        assert source.size == len(data)
        assert stream.seek(-4, 2) == len(data) - 4
        assert stream.read() == data[-4:]
        assert stream.read(1) == b""
        stream.seek(8)
        assert stream.seek(4, 1) == 12
        assert stream.read(8) == data[12:20]
        assert stream.tell() == 20
        whole = bytearray(len(data) - 20)
        assert stream.readinto(whole) == len(whole)  # type: ignore[attr-defined]
        assert whole == data[20:]


# --- names ------------------------------------------------------------------------------------


def test_what_is_a_url() -> None:
    for url in ("s3://b/x", "memory://x", "simplecache::s3://b/x", "S3://b", "hdfs+ssl://x"):
        assert is_url(url)
    for path in (
        "C:\\x",
        "C://x",
        "x",
        "./s3://b/x",
        "a/s3://b/x",
        "file:///x",
        "local://x",
        "x::y",
    ):
        assert not is_url(path)


def test_url_of_a_local_file_is_a_file(tmp_path: Path) -> None:
    net = mlp()
    net(mx.nd.ones((1, 2)))
    net.export(f"file://{tmp_path}/net")
    assert {path.name for path in tmp_path.iterdir()} >= {"net-symbol.json", "net-0000.params"}
    assert len(serialization.describe(f"local://{tmp_path}/net-0000.params")) == 4


def test_local_folder_named_like_a_url_is_reached(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s3:").mkdir()
    serialization.save("./s3://x", ONES)
    assert torch.equal(serialization.load("./s3://x")[0], ONES[0])


def test_url_that_pathlib_has_spoilt_is_told() -> None:
    with pytest.raises(InvalidArgumentError, match=r"Write 's3://bucket/x' without Path\(\)"):
        serialization.load(Path("s3://bucket/x"))


def test_chained_url_is_read() -> None:
    serialization.save("memory://chain/x.params", ONES)
    loaded = serialization.load("simplecache::memory://chain/x.params")
    assert torch.equal(loaded[0], ONES[0])


def test_rename_replaces_where_writing_does_not(monkeypatch) -> None:
    url = "memory://atomic/x"
    serialization.save(url, ONES)
    seen = []
    put_file = MemoryFileSystem.put_file

    def watched(self, local: str, path: str, **options: object) -> None:
        put_file(self, local, path, **options)
        seen.append((path, torch.equal(serialization.load(url)[0], ONES[0])))

    monkeypatch.setattr(MemoryFileSystem, "put_file", watched)
    serialization.save(url, [torch.zeros(3)])
    ((beside, was_old),) = seen
    assert was_old
    assert PurePosixPath(beside).name.startswith(".x.")
    assert serialization.load(url)[0].shape == (3,)
    assert MemoryFileSystem().ls("/atomic", detail=False) == ["/atomic/x"]


@pytest.mark.parametrize(
    ("kind", "package"), [("gs", "gcsfs"), ("hdfs", "pyarrow"), ("sftp", "paramiko")]
)
def test_missing_package_is_named(kind: str, package: str, monkeypatch) -> None:
    def fail(*_: object) -> None:
        msg = f"Please install {package}"
        raise ImportError(msg)

    monkeypatch.setattr(fsspec.core, "url_to_fs", fail)
    for call in (serialization.load, lambda url: serialization.save(url, ONES)):
        with pytest.raises(
            MissingExtraError, match=rf"Please install.*Run: pip install {package}$"
        ):
            call(f"{kind}://place/x.params")


def test_full_folder_for_temporary_files_is_named(monkeypatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(MemoryFileSystem, "get_file", fail)
    MemoryFileSystem().pipe_file("/big", bytes(9_000_000))
    with pytest.raises(
        FileAccessError, match=r"No space left.*more room in '.*', or set TMPDIR|TMP"
    ):
        serialization.load("memory://big")
    MemoryFileSystem().rm("/big")
