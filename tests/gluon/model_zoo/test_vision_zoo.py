"""Networks by name: graphs, parameters and outputs as the real MXNet 1.9.1 has them."""

from __future__ import annotations

import contextlib
import functools
import gzip
import hashlib
import io
import json
import select
import socket
import time
import zipfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as onp
import pytest

import gluonish as mx
from gluonish.errors import (
    FileChecksumError,
    FileDownloadError,
    FileFormatError,
    InvalidArgumentError,
    RefusedArgumentError,
    UnknownModeError,
)
from gluonish.gluon import download, web
from gluonish.gluon.model_zoo import model_store, vision
from gluonish.gluon.model_zoo.vision import making

if TYPE_CHECKING:
    from servers import Web

GOLDEN = Path(__file__).parents[2] / "golden"


@functools.cache
def graphs() -> dict[str, Any]:
    with gzip.open(GOLDEN / "model_zoo.json.gz") as stream:
        found: dict[str, Any] = json.load(stream)
    return found


def without_versions(graph: dict[str, Any]) -> dict[str, Any]:
    nodes = [node | {"inputs": [entry[:2] for entry in node["inputs"]]} for node in graph["nodes"]]
    return {"nodes": nodes, "arg_nodes": graph["arg_nodes"], "heads": graph["heads"]}


@pytest.mark.parametrize("name", making.MODELS)
def test_networks_have_the_graphs_of_mxnet(name: str) -> None:
    with mx.name.NameManager():
        net = vision.get_model(name, classes=10, prefix="net_")
        graph = json.loads(net(mx.sym.var("data")).tojson())
    assert without_versions(graph) == without_versions(graphs()[name])


@pytest.mark.parametrize(
    "name", ["resnet18_v1", "resnet50_v2", "mobilenet0.25", "mobilenetv2_0.25"]
)
def test_networks_give_what_they_give_in_mxnet(name: str) -> None:
    size = 64
    net = vision.get_model(name, classes=10, prefix="net_")
    net.initialize()
    pixels = onp.random.default_rng(size).standard_normal((1, 3, size, size))
    data = mx.nd.array(pixels.astype("float32"))
    net.infer_shape(data)
    net(data)
    shapes = {key: param.shape for key, param in net.collect_params().items()}
    assert shapes == {key: tuple(shape) for key, shape in graphs()[name]["shapes"].items()}
    for key, param in net.collect_params().items():
        noise = onp.random.default_rng(zlib.crc32(key.encode())).standard_normal(param.shape)
        if key.endswith("weight"):
            noise *= (2 / onp.prod(param.shape[1:])) ** 0.5
        elif key.endswith(("gamma", "var")):
            noise = 1 + 0.1 * abs(noise)
        else:
            noise *= 0.1
        param.set_data(mx.nd.array(noise.astype("float32")))
    with onp.load(GOLDEN / "model_zoo.npz") as arrays:
        expected = arrays[name]
    scale = abs(expected).max()
    onp.testing.assert_allclose(net(data).asnumpy(), expected, rtol=1e-4, atol=1e-5 * scale)


def test_small_images_have_networks_of_their_own() -> None:
    for version in (1, 2):
        net = vision.get_resnet(version, 18, thumbnail=True, classes=3)
        net.initialize()
        net.hybridize()
        assert net(mx.nd.ones((2, 3, 16, 16))).shape == (2, 3)
        assert net.features[version - 1].weight.shape == (64, 3, 3, 3)
    net = vision.DenseNet(8, 4, [2, 2], dropout=0.1, classes=3)
    assert "Dropout" in repr(net.features[4][0])


# --- weights -----------------------------------------------------------------------------------


def test_weights_are_loaded_from_a_folder(tmp_path: Path) -> None:
    net = vision.mobilenet0_25(classes=10)
    net.initialize()
    net(mx.nd.ones((1, 3, 32, 32)))
    net.save_parameters(tmp_path / "mobilenet0.25.params")
    other = vision.get_model("MobileNet0.25", classes=10, pretrained=True, root=tmp_path)
    data = mx.nd.random.normal(shape=(1, 3, 32, 32))
    assert (other(data).asnumpy() == net(data).asnumpy()).all()
    (tmp_path / "mobilenet0.25.params").rename(tmp_path / "mobilenet0.25-01234567.params")
    again = vision.mobilenet0_25(classes=10, pretrained=True, root=tmp_path, ctx=mx.cpu(1))
    assert again.output.weight.list_ctx() == [mx.cpu(1)]


def archive(name: str, content: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as packed:
        packed.writestr(name, content)
    return stream.getvalue()


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch, web: Web) -> str:
    """Have a server send weights of AlexNet; give the name of their file."""
    digest = hashlib.sha1(b"weights", usedforsecurity=False).hexdigest()
    monkeypatch.setitem(model_store.CHECKSUMS, "alexnet", digest)
    monkeypatch.setenv("MXNET_GLUON_REPO", web.url)
    name = f"alexnet-{digest[:8]}"
    web.pages[f"gluon/models/{name}.zip"] = archive(f"{name}.params", b"weights")
    return f"{name}.params"


def test_missing_weights_are_fetched_once(
    published: str, tmp_path: Path, web: Web, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "new" / "models"
    for _ in range(2):
        assert model_store.get_model_file("alexnet", folder) == str(folder / published)
    assert f"Downloading {published.removesuffix('.params')}.zip: 100%" in capsys.readouterr().err
    assert (folder / published).read_bytes() == b"weights"
    assert [path.name for path in folder.iterdir()] == [published]
    assert len(web.asked) == 1


def test_published_file_comes_first_and_a_damaged_one_is_fetched_again(
    published: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "alexnet.params").write_bytes(b"own")
    assert model_store.get_model_file("alexnet", tmp_path).endswith("alexnet.params")
    (tmp_path / published).write_bytes(b"damaged")
    assert model_store.get_model_file("alexnet", tmp_path) == str(tmp_path / published)
    assert (tmp_path / published).read_bytes() == b"weights"
    assert "It is fetched again; weights of yours are taken as alexnet.params" in caplog.text


@pytest.mark.parametrize(
    ("page", "error", "message"),
    [
        (b"no archive", FileFormatError, "it is no archive that holds alexnet-"),
        (archive("other.params", b""), FileFormatError, "it is no archive that holds alexnet-"),
        (archive("NAME", b"changed"), FileChecksumError, "in it has not the SHA-1"),
        (None, FileDownloadError, "Failed downloading url http://127.* 404"),
    ],
)
def test_what_a_server_sends_wrong_is_not_kept(
    page: bytes | None,
    error: type[Exception],
    message: str,
    published: str,
    tmp_path: Path,
    web: Web,
) -> None:
    sent = f"gluon/models/{published.removesuffix('.params')}.zip"
    if page is None:
        del web.pages[sent]
    else:
        web.pages[sent] = archive(published, b"changed") if b"NAME" in page else page
    with pytest.raises(
        error,
        match=rf"^pretrained: the weights of 'alexnet' are not to be had from http://127.*{message}"
        rf"((?!Expected).)* Expected them there, or as .*{published}\. Have the environment "
        r"variable MXNET_GLUON_REPO name another repository, put the file there yourself, or give "
        r"PyTorch's weights of the network: pretrained='FILE\.pth'\.$",
    ):
        vision.alexnet(pretrained=True, root=tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_server_that_does_not_answer_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "vgg11_bn.params").touch()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        monkeypatch.setenv("MXNET_GLUON_REPO", f"http://127.0.0.1:{free.getsockname()[1]}")
        with pytest.raises(FileDownloadError, match="'vgg11' are not .* 2 tries: .* refused"):
            vision.vgg11(pretrained=True, root=tmp_path)
    monkeypatch.setenv("MXNET_HOME", str(tmp_path))
    (tmp_path / "models").mkdir()
    (tmp_path / "vgg11_bn.params").rename(tmp_path / "models" / "vgg11_bn.params")
    assert model_store.get_model_file("vgg11_bn") == str(tmp_path / "models" / "vgg11_bn.params")
    model_store.purge()
    assert not list((tmp_path / "models").iterdir())


@pytest.mark.parametrize("begun", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"])
def test_a_server_that_falls_silent_is_given_up_at_once(
    begun: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web, "SILENCE", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor(1) as pool:

        def answer() -> socket.socket:
            connection, _ = server.accept()
            connection.sendall(begun)
            return connection

        connection = pool.submit(answer)
        monkeypatch.setenv("MXNET_GLUON_REPO", f"http://127.0.0.1:{server.getsockname()[1]}")
        with pytest.raises(
            FileDownloadError,
            match=r"'vgg11' .* after 1 try: the server was silent for 0\.2 seconds\. Expected",
        ):
            vision.vgg11(pretrained=True, root=tmp_path)
        connection.result().close()
    assert not list(tmp_path.iterdir())


HEADER = b"HTTP/1.1 200 OK\r\nContent-Length: 900000\r\n\r\n"


@pytest.mark.parametrize("begun", [b"", HEADER, HEADER.replace(b"Length", b"Other"), b"HTTP/1.1 "])
def test_a_server_that_drips_is_given_up(
    begun: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web, "WINDOW", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor(1) as pool:

        def answer() -> int:
            connection, _ = server.accept()
            with connection, contextlib.suppress(OSError):
                connection.recv(4096)
                connection.sendall(begun)
                for count in range(2000):
                    connection.sendall(b"x")
                    if select.select([connection], [], [], 0.01)[0]:  # the other side has hung up
                        return count
            return -1

        counted = pool.submit(answer)
        monkeypatch.setenv("MXNET_GLUON_REPO", f"http://127.0.0.1:{server.getsockname()[1]}")
        with pytest.raises(
            FileDownloadError,
            match=r"'vgg11' .* after 1 try: in 0\.3 seconds the server sent less than 1000 bytes "
            r"per second\. Expected",
        ):
            vision.vgg11(pretrained=True, root=tmp_path)
        assert 0 < counted.result() < 2000
    assert not list(tmp_path.iterdir())


def test_a_slow_server_that_sends_enough_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web, "WINDOW", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor(1) as pool:

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 6000\r\n\r\n")
                for _ in range(30):
                    connection.sendall(b"x" * 200)
                    time.sleep(0.01)

        pool.submit(answer)
        url = f"http://127.0.0.1:{server.getsockname()[1]}/file"
        file = Path(download.download(url, tmp_path / "file", retries=0))
    assert file.stat().st_size == 6000


def test_a_repository_that_is_no_address_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MXNET_GLUON_REPO", "models/here")
    with pytest.raises(
        InvalidArgumentError, match=r"the address 'models/here/.*MXNET_GLUON_REPO name another"
    ):
        vision.vgg11(pretrained=True, root=tmp_path)


# --- errors ------------------------------------------------------------------------------------


def test_names_that_are_not_known_are_refused() -> None:
    with pytest.raises(
        InvalidArgumentError,
        match=r"^Model resnet19_v1 is not supported\. Did you mean 'resnet18_v1'\? Available "
        r"options are\n\talexnet\n\tdensenet",
    ):
        vision.get_model("ResNet19_v1")
    with pytest.raises(
        InvalidArgumentError, match=r"^Pretrained model for nope is not available\. Expected one"
    ):
        model_store.short_hash("nope")


def test_sizes_that_there_are_not_are_refused() -> None:
    with pytest.raises(RefusedArgumentError, match=r"Invalid resnet version: 3\. Options are 1"):
        vision.get_resnet(3, 18)
    with pytest.raises(
        RefusedArgumentError, match=r"Invalid number of layers: 17\. Options are \["
    ):
        vision.get_resnet(1, 17)
    with pytest.raises(
        UnknownModeError, match=r"Invalid number of layers: 12\. Options are \[11, "
    ):
        vision.get_vgg(12)
    with pytest.raises(
        RefusedArgumentError, match=r"Unsupported SqueezeNet version '2\.0': '1\.0'"
    ):
        vision.SqueezeNet("2.0")
    with pytest.raises(RefusedArgumentError, match=r"ResNetV1: 2 layers and 2 channels were given"):
        vision.ResNetV1(vision.BasicBlockV1, [1, 1], [4, 8])
    with pytest.raises(RefusedArgumentError, match=r"VGG: 2 layers and 1 filters were given"):
        vision.VGG([1, 1], [4])


def test_networks_of_a_program_are_made_from_the_tables_of_the_zoo() -> None:
    kind, layers, channels = vision.resnet.resnet_spec[18]
    assert (kind, layers) == ("basic_block", [2, 2, 2, 2])
    block = vision.resnet.resnet_block_versions[1][kind]
    net = vision.resnet.resnet_net_versions[1](block, layers, channels)
    assert (type(net), block) == (vision.ResNetV2, vision.BasicBlockV2)
    assert vision.vgg.vgg_spec[16] == ([2, 2, 3, 3, 3], [64, 128, 256, 512, 512])
    assert vision.densenet.densenet_spec[121] == (64, 32, [6, 12, 24, 16])
    conv = vision.resnet._conv3x3(4, 2, 3)
    assert repr(conv).startswith("Conv2D(3 -> 4, kernel_size=(3, 3), stride=(2, 2), padding=(1, 1)")
