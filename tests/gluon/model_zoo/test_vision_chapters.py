"""The book's chapters with pretrained networks: from every kind of server, with MXNet's numbers."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as onp
import pytest
from chapter_programs import CHAPTERS, narrow, publish

import gluonish as mx
from gluonish.errors import FileChecksumError, FileDownloadError, FileFormatError
from gluonish.gluon.model_zoo import model_store, vision

if TYPE_CHECKING:
    from collections.abc import Iterator

    from servers import Web

GOLDEN = Path(__file__).parents[2] / "golden" / "vision_chapters.json"
EXPECTED = json.loads(GOLDEN.read_text(encoding="utf-8"))["results"]


@pytest.fixture(params=CHAPTERS)
def chapter(
    request: pytest.FixtureRequest, web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[str, str]]:
    """Give a chapter and the page with its weights, which a server sends."""
    network, _ = CHAPTERS[request.param]
    monkeypatch.setitem(vision.vgg.vgg_spec, 19, vision.vgg.vgg_spec[19])
    narrow(mx)
    page, address, checksum = publish(mx, network, tmp_path)
    monkeypatch.setitem(model_store.CHECKSUMS, network, checksum)
    monkeypatch.setenv("MXNET_GLUON_REPO", web.url)
    monkeypatch.setenv("MXNET_HOME", str(tmp_path / "home"))
    web.pages[address] = page
    mx.npx.set_np()
    yield request.param, address
    mx.npx.reset_np()


def run(name: str, folder: Path) -> None:
    found: dict[str, Any] = CHAPTERS[name][1](mx, folder)
    assert found.keys() == EXPECTED[name].keys()
    for key, value in found.items():
        onp.testing.assert_allclose(value, EXPECTED[name][key], rtol=2e-3, atol=2e-3)


def test_chapters_have_the_losses_of_mxnet_once_the_weights_are_sent(
    chapter: tuple[str, str], web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, address = chapter
    page = web.pages[address]
    web.pages[address] = page[: len(page) // 2] + b"?" + page[len(page) // 2 + 1 :]
    with pytest.raises((FileChecksumError, FileFormatError), match="not to be had"):
        run(name, tmp_path / "damaged")
    del web.pages[address]
    with pytest.raises(FileDownloadError, match="404"):
        run(name, tmp_path / "missing")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        monkeypatch.setenv("MXNET_GLUON_REPO", f"http://127.0.0.1:{free.getsockname()[1]}")
        with pytest.raises(FileDownloadError, match="Expected them there, or as"):
            run(name, tmp_path / "none")
    assert not list((tmp_path / "home" / "models").iterdir())
    monkeypatch.setenv("MXNET_GLUON_REPO", web.url)
    web.pages[address] = page
    run(name, tmp_path / "sent")
