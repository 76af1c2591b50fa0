"""Servers on this machine for tests: a real S3 server, and a web server that can do less."""

from __future__ import annotations

import contextlib
import logging
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import fsspec
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = "127.0.0.1"


@pytest.fixture(scope="session")
def s3_server() -> Iterator[str]:
    """Start an S3 server, and give its address."""
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(HERE, port=0, verbose=False)
    server.start()
    yield "http://{}:{}".format(*server.get_host_and_port())
    server.stop()


@pytest.fixture
def s3(s3_server: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[fsspec.AbstractFileSystem]:
    """Give a file system with an empty bucket, `s3://mybucket`."""
    import s3fs

    monkeypatch.setenv("AWS_ENDPOINT_URL", s3_server)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    s3fs.S3FileSystem.clear_instance_cache()
    system = fsspec.filesystem("s3")
    system.mkdir("s3://mybucket")
    yield system
    system.rm("s3://mybucket", recursive=True)
    s3fs.S3FileSystem.clear_instance_cache()


class _Pages(BaseHTTPRequestHandler):
    """Serves what `web` is given: as a whole, in parts, or with refusals."""

    pages: dict[str, bytes]
    asked: list[str]

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_HEAD(self) -> None:
        """Answer without a body."""
        self._answer(has_body=False)

    def do_GET(self) -> None:
        """Answer with a body."""
        self._answer(has_body=True)

    def _answer(self, *, has_body: bool) -> None:
        page = self.path.removeprefix("/").removesuffix("?")
        if page not in self.pages:
            self.send_error(403 if page.startswith("secret") else 404)
            return
        data, reach = self.pages[page], self.headers.get("Range", "")
        if reach and not page.startswith("plain"):
            start, _, end = reach.removeprefix("bytes=").partition("-")
            part = data[int(start) : int(end) + 1]
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{end}/{len(data)}")
        else:
            part = data
            self.send_response(200)
        if has_body:
            self.asked.append(f"{page} {len(part)}")
        if not page.startswith("plain"):
            self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        if has_body:
            with contextlib.suppress(ConnectionError):  # whoever asked has heard enough
                self.wfile.write(part)


class Web:
    """A web server: its address, its pages by name, and what was sent of them."""

    def __init__(self, url: str, pages: dict[str, bytes], asked: list[str]) -> None:
        self.url = url
        self.pages = pages
        self.asked = asked


@pytest.fixture
def web() -> Iterator[Web]:
    """Start a web server; pages named `plain...` cannot be had in parts, `secret...` not at all."""
    handler = type("Pages", (_Pages,), {"pages": {}, "asked": []})
    server = ThreadingHTTPServer((HERE, 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield Web(f"http://{HERE}:{server.server_port}", handler.pages, handler.asked)
    server.shutdown()
    thread.join()
    server.server_close()
