from __future__ import annotations

import hashlib
import http.server
import re
import threading
from typing import ClassVar

import numpy as onp
import pytest

import gluonish as mx
from gluonish import nd, np, npx
from gluonish.gluon import utils

CONTENT = b"0123456789" * 20_000


@pytest.mark.parametrize("front", [nd, np, onp])
def test_split_data_cuts_along_an_axis(front):
    data = front.arange(10).reshape(5, 2)
    uneven = utils.split_data(data, 2, even_split=False)
    assert [part.shape for part in uneven] == [(3, 2), (2, 2)]
    assert [part.shape for part in utils.split_data(data, 2, batch_axis=-1)] == [(5, 1), (5, 1)]
    assert type(uneven[0]) is type(data)
    sizes = [len(part) for part in utils.split_data(front.arange(11), 4, even_split=False)]
    assert sizes == [3, 3, 3, 2]


def test_split_data_may_give_empty_slices():
    parts = utils.split_data(nd.ones((5, 2)), 7, even_split=False)
    assert [part.shape[0] for part in parts] == [1, 1, 1, 1, 1, 0, 0]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((2,), ValueError, "data with shape (5, 2) cannot be evenly split into 2 slices along"),
        ((0,), ValueError, "num_slice=0 was given"),
        ((2, 3), IndexError, "batch_axis=3 was given for data with shape (5, 2)"),
    ],
)
def test_split_data_refuses_what_cannot_be(arguments, error, message):
    with pytest.raises(error, match=re.escape(message)):
        utils.split_data(nd.ones((5, 2)), *arguments)


def test_split_and_load_puts_slices_on_contexts():
    contexts = [mx.cpu(0), mx.cpu(1)]
    for data in (nd.ones((4, 2)), onp.ones((4, 2)), [[1, 2]] * 4):
        parts = utils.split_and_load(data, contexts)
        assert [part.context for part in parts] == contexts
        assert [part.shape for part in parts] == [(2, 2)] * 2
        assert parts[0].dtype is onp.float32
    (alone,) = utils.split_and_load(nd.ones((5, 2)), [mx.cpu(1)])
    assert (alone.shape, alone.context) == ((5, 2), mx.cpu(1))
    npx.set_np()
    assert type(utils.split_and_load([[1], [2]], contexts)[0]) is np.ndarray


def test_split_and_load_needs_a_list_of_contexts():
    with pytest.raises(TypeError, match=r"ctx_list=cpu\(0\) was given. Expected a list"):
        utils.split_and_load(nd.ones((2,)), mx.cpu())
    with pytest.raises(ValueError, match=r"ctx_list=\[\] was given"):
        utils.split_and_load(nd.ones((2,)), [])


def test_slices_pass_gradients_on():
    x = nd.arange(4)
    x.attach_grad()
    with mx.autograd.record():
        first, second = utils.split_data(x, 2)
        loss = (2 * first).sum() + (3 * second).sum()
    loss.backward()
    assert x.grad.asnumpy().tolist() == [2, 2, 3, 3]


@pytest.mark.parametrize("front", [nd, np])
@pytest.mark.parametrize(
    ("limit", "expected"), [(1.0, [0.6, 0.8]), (10.0, [3.0, 4.0]), (0, [0, 0])]
)
def test_clip_global_norm_scales_in_place(front, limit, expected):
    arrays = [front.array([3.0]), front.array([4.0])]
    assert utils.clip_global_norm(arrays, limit) == 5.0
    assert [float(array.asnumpy()[0]) for array in arrays] == pytest.approx(expected)


def test_clip_global_norm_can_leave_the_norm_on_the_device():
    arrays = [nd.array([3.0]), nd.array([4.0], ctx=mx.cpu(1)), nd.zeros((2,), dtype="float64")]
    norm = utils.clip_global_norm(arrays, 1.0, check_isfinite=False)
    assert norm.asnumpy().tolist() == [5.0]
    assert norm.context == mx.cpu(0)
    assert arrays[1].asnumpy() == pytest.approx([0.8])


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_clip_global_norm_warns_of_what_is_not_finite(bad):
    with pytest.warns(UserWarning, match="nan or inf is detected. Clipping results will be"):
        utils.clip_global_norm([nd.array([bad, 1])], 1.0)


def test_clip_global_norm_refuses_nothing_and_negative_norms():
    with pytest.raises(AssertionError, match="no array was given"):
        utils.clip_global_norm([], 1.0)
    with pytest.raises(ValueError, match="max_norm=-1 was given"):
        utils.clip_global_norm([nd.ones(2)], -1)


def test_clip_global_norm_clips_the_gradients_that_a_trainer_uses():
    x = nd.array([3.0, 4.0])
    x.attach_grad()
    with mx.autograd.record():
        y = (x * x).sum() / 2
    y.backward()
    utils.clip_global_norm([x.grad], 1.0)
    assert x.grad.asnumpy() == pytest.approx([0.6, 0.8])


@pytest.mark.parametrize(
    ("shape", "in_nd", "in_np"),
    [
        ((2, 3), True, True),
        ((0, 3), False, True),
        ((-1, 3), False, False),
        ((), False, True),
        (None, False, False),
    ],
)
def test_shape_is_known(shape, in_nd, in_np):
    assert utils.shape_is_known(shape) is in_nd
    npx.set_np()
    assert utils.shape_is_known(shape) is in_np


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves one file; `flaky` fails the first time, `short` breaks off."""

    seen: ClassVar[list[str]] = []

    def do_GET(self):
        self.seen.append(self.path)
        if self.path == "/missing" or (self.path == "/flaky" and self.seen.count("/flaky") == 1):
            self.send_error(404 if self.path == "/missing" else 503)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(CONTENT)))
        self.end_headers()
        self.wfile.write(CONTENT[:100] if self.path == "/short" else CONTENT)

    def log_message(self, *args):
        pass


@pytest.fixture
def server():
    Handler.seen.clear()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join()


def test_download_puts_files_where_it_is_told(server, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert utils.download(f"{server}/a.bin") == "a.bin"
    deep = tmp_path / "sub" / "dir" / "b.bin"
    assert utils.download(f"{server}/a.bin", path=str(deep)) == str(deep)
    assert utils.download(f"{server}/c.bin?x=1", path=deep.parent) == str(deep.parent / "c.bin")
    assert deep.read_bytes() == (tmp_path / "a.bin").read_bytes() == CONTENT
    assert sorted(path.name for path in deep.parent.iterdir()) == ["b.bin", "c.bin"]
    assert "Downloading b.bin: 100%" in capsys.readouterr().err


def test_download_keeps_what_is_there_and_right(server, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"mine")
    url = f"{server}/file"
    utils.download(url, path)
    utils.download(url, path, sha1_hash=hashlib.sha1(b"mine").hexdigest())
    assert Handler.seen == []
    utils.download(url, path, sha1_hash=hashlib.sha1(CONTENT).hexdigest())
    assert path.read_bytes() == CONTENT
    path.write_bytes(b"mine")
    utils.download(url, path, overwrite=True)
    assert path.read_bytes() == CONTENT


def test_download_tries_again(server, tmp_path):
    utils.download(f"{server}/flaky", tmp_path / "file", retries=1)
    assert Handler.seen == ["/flaky"] * 2


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("missing", "HTTP Error 404: Not Found"),
        ("short", f"the server ended .* of the file, {len(CONTENT) - 100} bytes early"),
        ("wrong", ""),
    ],
)
def test_failed_downloads_leave_no_trace(server, tmp_path, name, told):
    path = tmp_path / "file"
    path.write_bytes(b"mine")
    sha1 = "0" * 40 if name == "wrong" else None
    error, message = (
        (UserWarning, "the content hash does not match")
        if name == "wrong"
        else (RuntimeError, f"Failed downloading url {server}/{name} after 2 tries: {told}")
    )
    with pytest.raises(error, match=message) as caught:
        utils.download(f"{server}/{name}", path, sha1_hash=sha1, overwrite=True, retries=1)
    assert isinstance(caught.value, (mx.MXNetError, OSError))
    assert Handler.seen == [f"/{name}"] * 2
    assert path.read_bytes() == b"mine"
    assert list(tmp_path.iterdir()) == [path]


def test_download_warns_where_certificates_are_not_checked(server, tmp_path):
    with pytest.warns(UserWarning, match="Unverified HTTPS request is being made"):
        utils.download(f"{server}/a", tmp_path / "a", verify_ssl=False)


@pytest.mark.parametrize(
    ("url", "options", "error", "message"),
    [
        ("http://x/y", {"retries": -1}, AssertionError, "Number of retries should be at least 0"),
        ("x/y", {}, ValueError, "Expected one that starts with http://, https:// or s3://"),
        ("http://x/", {}, ValueError, "Can't construct file-name from the address"),
    ],
)
def test_download_refuses_bad_arguments(url, options, error, message):
    with pytest.raises(error, match=message):
        utils.download(url, **options)


def test_replace_file_moves_or_says_why_not(tmp_path):
    new, old = tmp_path / "new", tmp_path / "old"
    new.write_text("new")
    old.write_text("old")
    utils.replace_file(new, old)
    assert old.read_text() == "new"
    assert not new.exists()
    with pytest.raises(OSError, match="Moving downloaded temp file"):
        utils.replace_file(new, old)
    assert utils.check_sha1(old, hashlib.sha1(b"new").hexdigest())
