"""Good files of every format, from the real MXNet where it writes them."""

from __future__ import annotations

import functools
import gzip
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as onp
import torch

from fuzz import container_format, small_formats, zip_format
from fuzz.family import Seed
from fuzz.parts import Blob, Group
from gluonish import serialization
from gluonish.recordio.chunks import write_record
from gluonish.serialization.formats import content_of

if TYPE_CHECKING:
    from gluonish.serialization.formats import ArrayFormat

GOLDEN = Path(__file__).parents[1] / "tests" / "golden"
_MXNET = GOLDEN / "mxnet"


def _golden(*patterns: str) -> list[tuple[str, bytes]]:
    folders = ("bad", "bad_states")
    return [
        (path.relative_to(GOLDEN).as_posix(), path.read_bytes())
        for pattern in patterns
        for path in sorted(_MXNET.rglob(pattern))
        if path.parent.name not in folders
    ]


def params() -> list[Seed]:
    """Return MXNet's containers."""
    files = [each for each in _golden("*.params") if each[1][:1] == b"\x12"]
    return [Seed(name, data, container_format.parse(data)) for name, data in files]


def symbols() -> list[Seed]:
    """Return graphs."""
    found = [(name, json.loads(data)) for name, data in _golden("*symbol*.json")]
    for name in ("sample_graphs", "np_sample_graphs"):
        with gzip.open(GOLDEN / f"{name}.json.gz") as stream:
            graphs = json.load(stream)
        found += [(f"{name}: {call}", graph) for call, (_, graph) in graphs.items()]
    symbols = json.loads((GOLDEN / "symbols.json").read_text())
    found += [
        (f"symbols: {call}", told["json"]) for call, told in symbols.items() if "json" in told
    ]
    return [Seed(name, json.dumps(graph).encode(), graph) for name, graph in found]


def states() -> list[Seed]:
    """Return pickled states."""
    return [
        Seed(name, data, small_formats.parse_pickle(data)) for name, data in _golden("*.states")
    ]


def recordio() -> list[Seed]:
    """Return files of records."""
    files = [*_golden("*.rec"), *_pictures()]
    return [Seed(name, data, small_formats.parse_recordio(data)) for name, data in files]


def _pictures() -> list[tuple[str, bytes]]:
    """Return files of one picture, of each kind that is read."""
    import gluonish as mx

    pixels = onp.arange(300, dtype="u1").reshape(10, 10, 3)
    found = []
    for kind in (".jpg", ".png", ".bmp", ".tif", ".webp", ".gif", ".ppm", ".jp2"):
        record = mx.recordio.pack_img(mx.recordio.IRHeader(0, 1.0, 7, 0), pixels, 90, kind)
        stream = io.BytesIO()
        write_record(stream, record)
        found.append((f"a picture as {kind}", stream.getvalue()))
    return found


def index() -> list[Seed]:
    """Return indices of records."""
    files = [*_golden("*.idx")]
    return [Seed(name, data, small_formats.parse_lines(data)) for name, data in files]


def _arrays() -> list[tuple[str, Any]]:
    """Return contents of `.params` files, for formats that MXNet does not write."""
    files = _golden("containers/*.params", "v0_v1/*.params", "models/mlp/net.params")
    found = [(name, serialization.load_bytes(data)) for name, data in files]
    return [each for each in found if len(each[1])]


def safetensors() -> list[Seed]:
    """Return safetensors files."""
    from gluonish.serialization import safetensors_format

    found = []
    for name, content in _arrays():
        data = safetensors_format.to_bytes(content)
        found.append(Seed(name, data, split_safetensors(data)))
    return found


def written(each: ArrayFormat) -> list[Seed]:
    """Return files that a format writes, or those of MXNet that end as its own do."""
    try:
        files = [(name, _bytes_of(each, content)) for name, content in _arrays()]
    except NotImplementedError:
        files = _golden(*(f"*{end}" for end in each.ends))
    return [Seed(name, data, Group("file", [Blob("bytes", data)])) for name, data in files]


def _bytes_of(each: ArrayFormat, arrays: Any) -> bytes:
    stream = io.BytesIO()
    each.write(stream, content_of(arrays))
    return stream.getvalue()


def split_safetensors(data: bytes) -> tuple[Any, bytes]:
    """Return the header of a good safetensors file, and what follows it."""
    length = int.from_bytes(data[:8], "little")
    return json.loads(data[8 : 8 + length]), data[8 + length :]


def own_states() -> list[Seed]:
    """Return gluonish's own files of states."""
    import gluonish as mx

    found = []
    for name in ("sgd", "adam", "nag", "ftml", "lamb", "rmsprop", "signum", "adadelta"):
        mx.random.seed(0)
        net = mx.gluon.nn.Dense(2, in_units=3, prefix="dense0_")
        net.initialize()
        options = {"momentum": 0.9} if name in ("sgd", "nag") else {}
        trainer = mx.gluon.Trainer(net.collect_params(), name, options, kvstore=None)
        with mx.autograd.record():
            loss = net(mx.nd.ones((2, 3))).sum()
        loss.backward()
        trainer.step(2)
        updater = trainer._updaters[0]
        names = {index: param.name for index, param in enumerate(trainer._params)}
        data = updater.packed(names, with_optimizer=True)
        found.append(Seed(name, data, split_safetensors(data)))
    return found


@functools.cache
def npz() -> list[Seed]:
    """Return archives of NumPy."""
    files = _golden("containers/*.npz", "v0_v1/*.npz", "mlp/values.npz")
    bits = onp.zeros(3, onp.dtype([("bfloat16", "<u2")]))
    for name, content in (("bfloat16", {"x": bits}), ("numbers", _many_kinds())):
        stream = io.BytesIO()
        onp.savez_compressed(stream, **content)
        files.append((name, stream.getvalue()))
    files.append(("sparse", _sparse_npz()))
    return [Seed(name, data, zip_format.parse(data)) for name, data in files]


def _many_kinds() -> dict[str, Any]:
    kinds = ("<f4", ">f8", "<f2", "|u1", "<i4", "|i1", ">i8", "|b1", "<i2", "<u2", "<u4", "<u8")
    return {f"a{kind[1:]}": onp.arange(6).reshape(2, 3).astype(kind) for kind in kinds}


def _sparse_npz() -> bytes:
    """Return a csr array as MXNet 2.0 writes it, whose `format.npy` NumPy cannot read."""
    stream = io.BytesIO()
    arrays: dict[str, Any] = {
        "w/data": onp.ones(2, "f4"),
        "w/indices": onp.array([0, 2]),
        "w/indptr": onp.array([0, 1, 2]),
        "w/shape": onp.array([2, 3]),
        "w/format": onp.frombuffer(b"csr", "u1"),
    }
    onp.savez(stream, **arrays)
    return stream.getvalue()


def npy() -> list[Seed]:
    """Return arrays of NumPy."""
    found = []
    for name, array in _many_kinds().items():
        for order in ("C", "F"):
            stream = io.BytesIO()
            onp.save(stream, onp.asarray(array, order=order))
            data = stream.getvalue()
            found.append(Seed(f"{name} {order}", data, small_formats.parse_npy(data)))
    return found


def idx() -> list[Seed]:
    """Return MNIST's files."""
    files = _golden("*-ubyte")
    for code, kind in ((9, ">i1"), (11, ">i2"), (12, ">i4"), (13, ">f4"), (14, ">f8")):
        head = bytes([0, 0, code, 2, 0, 0, 0, 2, 0, 0, 0, 3])
        files.append((kind, head + onp.arange(6).astype(kind).tobytes()))
    return [Seed(name, data, small_formats.parse_idx(data)) for name, data in files]


torch.set_num_threads(1)
