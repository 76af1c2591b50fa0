"""Pages of the web, whose servers are given up where they are silent or send next to nothing."""

from __future__ import annotations

import contextlib
import http.client
import io
import ssl
import time
import urllib.request
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing_extensions import Buffer

SILENCE: Final = 30.0  # seconds without a sign of life from the server
WINDOW: Final = 60.0  # seconds of waiting for a server
LEAST: Final = 1000.0  # bytes per second in such a time


class SlowServerError(TimeoutError):
    """A server sends less than what is worth to be waited for."""


@contextlib.contextmanager
def opened(url: str, *, verify_ssl: bool) -> Iterator[tuple[http.client.HTTPResponse, int]]:
    """Open a page; give what its bytes come from, and how many there are, 0 if that is not told.

    Parameters
    ----------
    url : str
        Address, http or https.
    verify_ssl : bool
        Whether to check the server's certificate.

    Raises
    ------
    OSError
        The server does not send it: `TimeoutError` if it is silent for `SILENCE` seconds,
        `SlowServerError` if it sends less than `LEAST` bytes per second of `WINDOW` seconds that
        are spent waiting, be it in the header or later.
    """
    context = None if verify_ssl else ssl._create_unverified_context()  # noqa: SLF001
    opener = urllib.request.build_opener(_Plain(), _Secure(context=context))
    with opener.open(url, timeout=SILENCE) as response:
        yield response, int(response.headers.get("Content-Length") or 0)


class _Watched(io.RawIOBase):
    """What comes from a server, counted over the time that is spent waiting for it."""

    def __init__(self, raw: io.RawIOBase) -> None:
        self._raw = raw
        self._waited = 0.0
        self._count = 0

    @override
    def readable(self) -> bool:
        return True

    @override
    def readinto(self, buffer: Buffer, /) -> int | None:
        begin = time.monotonic()
        count: int | None = self._raw.readinto(buffer)
        self._waited += time.monotonic() - begin
        self._count += count or 0
        if self._waited >= WINDOW:
            if count and self._count < LEAST * self._waited:
                raise SlowServerError
            self._waited, self._count = 0.0, 0
        return count

    @override
    def close(self) -> None:
        self._raw.close()
        super().close()


class _Response(http.client.HTTPResponse):
    """An answer that is watched, from its first byte on."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fp: io.BufferedReader = io.BufferedReader(_Watched(self.fp.detach()))


class _PlainConnection(http.client.HTTPConnection):
    response_class = _Response


class _SecureConnection(http.client.HTTPSConnection):
    response_class = _Response


class _Plain(urllib.request.HTTPHandler):
    @override
    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_PlainConnection, req)


class _Secure(urllib.request.HTTPSHandler):
    def __init__(self, context: ssl.SSLContext | None) -> None:
        super().__init__(context=context)
        self._given = context

    @override
    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_SecureConnection, req, context=self._given)
