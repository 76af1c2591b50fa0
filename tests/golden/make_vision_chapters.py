"""Writes vision_chapters.json: what the book's chapters with pretrained networks give in MXNet.

Run `python tests/golden/make_vision_chapters.py` under the real MXNet 1.9.1.
"""

from __future__ import annotations

import functools
import json
import os
import pathlib
import sys
import tempfile
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

home = tempfile.TemporaryDirectory()
os.environ["MXNET_HOME"] = home.name  # read at import

import mxnet as mx

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "gluon" / "model_zoo"))
from chapter_programs import CHAPTERS, narrow, publish

results, checksums = {}, mx.gluon.model_zoo.model_store._model_sha1
narrow(mx)
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    handler = functools.partial(SimpleHTTPRequestHandler, directory=name)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    os.environ["MXNET_GLUON_REPO"] = f"http://127.0.0.1:{server.server_port}"
    for network in sorted({network for network, _ in CHAPTERS.values()}):
        page, address, checksums[network] = publish(mx, network, folder)
        (folder / address).parent.mkdir(parents=True, exist_ok=True)
        (folder / address).write_bytes(page)
    mx.npx.set_np()
    for chapter, (_, program) in CHAPTERS.items():
        results[chapter] = program(mx, folder / chapter)
    server.shutdown()
found = {"versions": {"mxnet": mx.__version__, "script": "make_vision_chapters.py"}}
text = json.dumps(found | {"results": results}, separators=(",", ":"))
(HERE / "vision_chapters.json").write_text(text + "\n")
