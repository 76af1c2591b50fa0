"""Write every file of this folder with Apache MXNet 1.9.1 (CPU build) and record what MXNet itself computes.

    python make_golden.py            # needs mxnet==1.9.1 and a NumPy < 1.24 (it was run with 1.23.5)

Nothing here needs a network or a GPU. Each `X.params` / `X.states` / graph comes with an `X.npz` of plain NumPy
arrays: the inputs, and what the real library answered. Reading the `.npz` never needs MXNet or pickle.

The files under v0_v1/ and bad/ cannot be written by MXNet 1.9.1 (old or broken layouts): they are built here
byte by byte, and for v0_v1/ the real loader is asked to confirm that it reads them as intended.
"""

from __future__ import annotations

import copy
import gzip
import json
import logging
import os
import shutil
import struct
import zlib

import mxnet as mx
import numpy as onp
from mxnet import autograd, gluon, nd, np, npx
from mxnet.gluon import nn, rnn

HERE = os.path.dirname(os.path.abspath(__file__))
logging.getLogger().setLevel(logging.ERROR)
BF16 = onp.dtype([("bfloat16", onp.uint16)])
R = onp.random.RandomState(20240229)


def path(*p):
    full = os.path.join(HERE, *p)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    return full


def npz(name, **arrays):
    onp.savez_compressed(path(name), **arrays)


def dump(name, obj):
    with open(path(name), "w") as f:
        json.dump(obj, f, indent=1, sort_keys=True)
        f.write("\n")


def rnd(*shape, dtype="float32"):
    return R.standard_normal(shape).astype(dtype)


def fill(block_or_params, scale=0.3):
    """Give every initialized parameter known values (drawn in name order)."""
    params = (
        block_or_params.collect_params()
        if isinstance(block_or_params, gluon.Block)
        else block_or_params
    )
    for name in sorted(params.keys()):
        p = params[name]
        v = (
            onp.abs(rnd(*p.shape)) + 0.5
            if name.endswith(("var", "gamma"))
            else rnd(*p.shape) * scale
        )
        p.set_data((np if npx.is_np_array() else nd).array(v.astype(p.dtype), dtype=p.dtype))


# ---------------------------------------------------------------- containers (.params of nd.save / npx.save)
def containers():
    legacy = ["float32", "float64", "float16", "uint8", "int32", "int8", "int64", "bool"]
    vals = {}
    for d in legacy:
        v = R.randint(-5, 6, (2, 3)) if d != "bool" else R.randint(0, 2, (2, 3))
        vals[d] = (v * 1.5 if d.startswith("f") else onp.abs(v) if d[0] == "u" else v).astype(d)

    one = rnd(2, 3)
    nd.save(path("containers/v2_single.params"), nd.array(one))
    npz("containers/v2_single.npz", a0=one)

    lst = [rnd(4), rnd(1, 1, 2), onp.arange(6, dtype="int64").reshape(3, 2)]
    nd.save(path("containers/v2_list.params"), [nd.array(a, dtype=a.dtype) for a in lst])
    npz("containers/v2_list.npz", **{"a%d" % i: a for i, a in enumerate(lst)})

    d = {
        "w": rnd(3, 2),
        "b": rnd(3),
        "poids_é_重み": rnd(2),
        "": rnd(1),
        "arg:x": rnd(2, 2),
        "aux:x": rnd(2),
    }
    nd.save(path("containers/v2_dict.params"), {k: nd.array(v) for k, v in d.items()})
    npz("containers/v2_dict.npz", **{"a%d" % i: v for i, v in enumerate(d.values())})
    dump("containers/v2_dict.names.json", list(d))

    nd.save(path("containers/v2_empty.params"), [])

    nd.save(
        path("containers/v2_dtypes.params"),
        {k: nd.array(v, dtype=v.dtype) for k, v in vals.items()},
    )
    npz("containers/v2_dtypes.npz", **vals)

    # nd.array(number) has shape (): MXNet 1.9.1 writes it and then fails to read its own file
    sc = {
        "a": nd.array(2.5),
        "b": nd.array(onp.array(7, "int32"), dtype="int32"),
        "c": nd.array([1, 2]),
    }
    nd.save(path("containers/v2_scalar.params"), sc)
    npz("containers/v2_scalar.npz", **{k: v.asnumpy() for k, v in sc.items()})
    try:
        nd.load(path("containers/v2_scalar.params"))
        raise SystemExit("unexpected: the real loader reads a V2 scalar")
    except mx.MXNetError:
        pass

    f = rnd(7)
    bf = nd.array(f).astype(BF16)
    nd.save(path("containers/v2_bfloat16.params"), {"bf": bf})
    npz(
        "containers/v2_bfloat16.npz",
        bits=bf.asnumpy().view("uint16"),
        as_float32=bf.astype("float32").asnumpy(),
    )

    sh = rnd(*([1] * 20))
    nd.save(path("containers/v2_ndim20.params"), [nd.array(sh)])
    npz("containers/v2_ndim20.npz", a0=sh)

    ctxs = {
        "cpu0": mx.cpu(0),
        "cpu1": mx.cpu(1),
        "pinned": mx.cpu_pinned(0),
        "shared": mx.Context("cpu_shared", 0),
    }
    nd.save(
        path("containers/v2_contexts.params"),
        {k: nd.full((2,), i, ctx=c) for i, (k, c) in enumerate(ctxs.items())},
    )
    npz(
        "containers/v2_contexts.npz",
        **{k: onp.full((2,), i, "float32") for i, k in enumerate(ctxs)},
    )

    sp = mx.nd.sparse
    rs = {
        "plain": sp.row_sparse_array((rnd(2, 2), [1, 3]), shape=(5, 2)),
        "three_d": sp.row_sparse_array((rnd(2, 3, 4), [0, 4]), shape=(6, 3, 4)),
        "one_d": sp.row_sparse_array((rnd(2), [0, 2]), shape=(4,)),
        "empty": sp.zeros("row_sparse", (5, 2)),
        "unsorted": sp.row_sparse_array((rnd(2, 2), [3, 1]), shape=(5, 2)),
        "float64": sp.row_sparse_array(
            (rnd(1, 2).astype("float64"), [2]), shape=(5, 2), dtype="float64"
        ),
        "full": sp.row_sparse_array((rnd(3, 2), [0, 1, 2]), shape=(3, 2)),
    }
    nd.waitall()
    nd.save(path("containers/v2_row_sparse.params"), rs)
    npz(
        "containers/v2_row_sparse.npz",
        **{
            k + s: a
            for k, r in rs.items()
            for s, a in (
                ("_dense", r.tostype("default").asnumpy()),
                ("_data", r.data.asnumpy()),
                ("_indices", r.indices.asnumpy()),
            )
        },
    )

    cs = {
        "plain": sp.csr_matrix((rnd(3), [0, 2, 1], [0, 2, 2, 3]), shape=(3, 4)),
        "empty": sp.zeros("csr", (5, 2)),
        "unsorted": sp.csr_matrix((rnd(3), [2, 0, 1], [0, 2, 2, 3]), shape=(3, 4)),
        "int32_values": sp.csr_matrix(
            (onp.array([1, 2, 3], "int32"), [0, 2, 1], [0, 2, 2, 3]), shape=(3, 4), dtype="int32"
        ),
    }
    nd.waitall()
    nd.save(path("containers/v2_csr.params"), cs)
    npz(
        "containers/v2_csr.npz",
        **{
            k + s: a
            for k, c in cs.items()
            for s, a in (
                ("_dense", c.tostype("default").asnumpy()),
                ("_data", c.data.asnumpy()),
                ("_indices", c.indices.asnumpy()),
                ("_indptr", c.indptr.asnumpy()),
            )
        },
    )

    # nd.save writes the storage-shape field before a pending array is computed, so it can say 0 rows although
    # the rows follow. The timing cannot be forced: the field is patched here, and the real loader agrees.
    with open(path("containers/v2_row_sparse.params"), "rb") as fh:
        b = bytearray(fh.read())
    assert struct.unpack_from("<iqq", b, 32) == (2, 2, 2)
    struct.pack_into("<q", b, 36, 0)
    with open(path("containers/v2_row_sparse_stale.params"), "wb") as fh:
        fh.write(b)
    got = nd.load(path("containers/v2_row_sparse_stale.params"))
    assert all(onp.array_equal(got[k].asnumpy(), rs[k].tostype("default").asnumpy()) for k in rs)

    mixed = {"dense": nd.array(rnd(2, 2)), "rs": rs["plain"], "csr": cs["plain"]}
    nd.save(path("containers/v2_mixed.params"), mixed)
    npz("containers/v2_mixed.npz", **{k: v.tostype("default").asnumpy() for k, v in mixed.items()})

    npx.set_np()
    z = {
        "scalar": onp.float32(3.5).reshape(()),
        "scalar_i64": onp.int64(-7).reshape(()),
        "empty": onp.zeros((0, 3), "float32"),
        "empty_mid": onp.zeros((2, 0, 4), "int8"),
        "vec": rnd(5),
        "mat": rnd(2, 3),
    }
    npx.save(
        path("containers/v3_dict.params"), {k: np.array(v, dtype=v.dtype) for k, v in z.items()}
    )
    npz("containers/v3_dict.npz", **z)
    npx.save(path("containers/v3_list.params"), [np.array(v, dtype=v.dtype) for v in z.values()])
    npz("containers/v3_list.npz", **{"a%d" % i: v for i, v in enumerate(z.values())})
    npx.save(
        path("containers/v3_dtypes.params"),
        {k: np.array(v, dtype=v.dtype) for k, v in vals.items()},
    )
    npz("containers/v3_dtypes.npz", **vals)
    npx.reset_np()


# ---------------------------------------------------------------- old and broken layouts, built by hand
MAGIC = {1: 0xF993FAC8, 2: 0xF993FAC9, 3: 0xF993FACA}
CODE = {"float32": 0, "float64": 1, "float16": 2, "uint8": 3, "int32": 4, "int8": 5, "int64": 6}


def rec(a, v, ctx=(1, 0)):
    head = (
        struct.pack("<I%dI" % a.ndim, a.ndim, *a.shape)
        if v == 0
        else (
            struct.pack("<I", MAGIC[v])
            + (struct.pack("<i", 0) if v > 1 else b"")
            + struct.pack("<i%dq" % a.ndim, a.ndim, *a.shape)
        )
    )
    return head + struct.pack("<iii", ctx[0], ctx[1], CODE[str(a.dtype)]) + a.tobytes()


def lst(recs, names=(), magic=0x112, reserved=0, count=None, nnames=None):
    b = struct.pack("<QQQ", magic, reserved, len(recs) if count is None else count) + b"".join(recs)
    b += struct.pack("<Q", len(names) if nnames is None else nnames)
    for n in names:
        n = n if isinstance(n, bytes) else n.encode()
        b += struct.pack("<Q", len(n)) + n
    return b


def write(name, b):
    with open(path(name), "wb") as f:
        f.write(b)


def old_layouts():
    arrs = {
        "w": rnd(2, 3),
        "i": onp.arange(4, dtype="int32"),
        "d": rnd(1, 2, 2).astype("float64"),
        "h": rnd(3).astype("float16"),
        "u": onp.arange(5, dtype="uint8"),
    }
    for v in (0, 1):
        name = "v0_v1/v%d_dict.params" % v
        write(
            name,
            lst([rec(a, v, (2, 1) if k == "w" else (1, 0)) for k, a in arrs.items()], list(arrs)),
        )
        got = nd.load(path(name))  # the real loader agrees
        assert list(got) == list(arrs)
        for k, a in arrs.items():
            assert got[k].asnumpy().tobytes() == a.tobytes() and got[k].shape == a.shape, (v, k)
    npz("v0_v1/dict.npz", **arrs)
    a = rnd(2, 2)
    write("v0_v1/mixed_versions_list.params", lst([rec(a, 0), rec(a, 1), rec(a, 2)]))
    assert all((x.asnumpy() == a).all() for x in nd.load(path("v0_v1/mixed_versions_list.params")))
    npz("v0_v1/mixed_versions_list.npz", a0=a, a1=a, a2=a)


def bad():
    a = onp.arange(6, dtype="float32").reshape(2, 3)
    good = lst([rec(a, 2)], ["x"])
    why, p = {}, struct.pack

    def put(name, b, reason):
        write("bad/" + name + ".params", b)
        why[name + ".params"] = reason

    def patch(off, fmt, *v):
        b = bytearray(good)
        struct.pack_into(fmt, b, off, *v)
        return bytes(b)

    put("empty_file", b"", "no bytes at all")
    put("magic_only", good[:8], "only the list magic")
    for k in (16, 23, 24, 27, 31, 35, 43, 51, 55, 56, 60, len(good) - 10, len(good) - 1):
        put("truncated_at_%d" % k, good[:k], "the good file cut after %d bytes" % k)
    put("list_magic", patch(0, "<Q", 0x113), "wrong list magic")
    put("big_endian", p(">QQQ", 0x112, 0, 1) + good[24:], "big endian header")
    put("count_2_63", patch(16, "<Q", 1 << 63), "array count 2**63")
    put(
        "count_2_40",
        patch(16, "<Q", 1 << 40),
        "array count 2**40: an allocation of terabytes if believed",
    )
    put("count_too_many", patch(16, "<Q", 2), "one array more than there is")
    put("names_2_63", lst([rec(a, 2)], nnames=1 << 63), "name count 2**63")
    put("names_wrong", lst([rec(a, 2), rec(a, 2)], ["x"]), "1 name for 2 arrays")
    put("name_len_2_40", lst([rec(a, 2)], nnames=1) + p("<Q", 1 << 40) + b"x", "name length 2**40")
    put("name_not_utf8", lst([rec(a, 2)], [b"\xe9"]), "name is not UTF-8")
    put(
        "name_nul",
        lst([rec(a, 2)], [b"x\0y"]),
        "name holds a NUL (the real loader cuts it there, silently)",
    )
    put(
        "name_twice",
        lst([rec(a, 2), rec(a + 1, 2)], ["x", "x"]),
        "same name twice (the real loader keeps the last, silently)",
    )
    put("stype_3", patch(28, "<i", 3), "storage type 3")
    put("stype_minus_1", patch(28, "<i", -1), "storage type -1")
    put("ndim_huge", patch(32, "<i", 0x7FFFFFFF), "ndim 2**31-1")
    put("ndim_minus_1", patch(32, "<i", -1), "ndim -1 (unknown shape)")
    put("ndim_minus_2", patch(32, "<i", -2), "ndim -2")
    put("dim_minus_1", patch(36, "<q", -1), "a dimension of -1")
    put("dim_minus_2_62", patch(36, "<q", -(1 << 62)), "a dimension of -2**62")
    put(
        "dims_overflow",
        patch(36, "<qq", 1 << 33, 1 << 33),
        "2**33 x 2**33: the element count wraps to 4 in 64 bits",
    )
    odd = next(
        d for d in range(3, 99, 2) if 6 * pow(d, -1, 1 << 64) % (1 << 64) < 1 << 63 and 6 % d
    )
    huge = 6 * pow(odd, -1, 1 << 64) % (1 << 64)
    put(
        "dims_wrap_to_6",
        patch(36, "<qq", huge, odd),
        "%d x %d: the element count is 6 modulo 2**64" % (huge, odd),
    )
    put("dims_2_40", patch(36, "<qq", 1 << 20, 1 << 20), "4 TiB of data announced")
    put(
        "empty_but_huge",
        patch(36, "<qq", 0, 1 << 62),
        "0 x 2**62: empty, but NumPy itself cannot hold the shape",
    )
    put("dtype_13", patch(60, "<i", 13), "dtype code 13")
    put("dtype_minus_1", patch(60, "<i", -1), "dtype code -1")
    put("dtype_big", patch(60, "<i", 1), "dtype float64: 24 bytes more than there are")
    put("v0_ndim_huge", lst([p("<I", 0xFFFFFFF0)]), "V0 record with ndim 2**32-16")
    put(
        "v3_sparse",
        lst([p("<Ii", MAGIC[3], 1) + b"\0" * 80]),
        "V3 record that claims to be row_sparse",
    )
    put("trailing", good + b"garbage", "bytes after the end (the real loader ignores them)")
    put(
        "bool_7",
        lst([p("<Iiiqiii", MAGIC[2], 0, 1, 3, 1, 0, 7) + b"\x07\0\x01"]),
        "a bool byte of 7",
    )
    put("not_params_zip", b"PK\x03\x04" + b"\0" * 60, "a zip file (MXNet 2.0 writes .npz here)")
    put("pickle", b"\x80\x04\x95" + b"\0" * 60, "a pickle")

    def rs(shape, sshape, nidx, idx, vals, acode=6):
        return (
            p("<Ii", MAGIC[2], 1)
            + p("<i%dq" % len(sshape), len(sshape), *sshape)
            + p("<i%dq" % len(shape), len(shape), *shape)
            + p("<iii", 1, 0, 0)
            + p("<ii%dq" % len(nidx), acode, len(nidx), *nidx)
            + vals.tobytes()
            + idx.tobytes()
        )

    def csr(shape, nnz, ptr, idx):
        return (
            p("<Ii", MAGIC[2], 2)
            + p("<iq", 1, nnz)
            + p("<iqq", 2, *shape)
            + p("<iii", 1, 0, 0)
            + p("<iiq", 6, 1, len(ptr))
            + p("<iiq", 6, 1, len(idx))
            + onp.zeros(nnz, "f4").tobytes()
            + ptr.astype("i8").tobytes()
            + idx.astype("i8").tobytes()
        )

    v, ar = onp.ones((2, 2), "f4"), onp.array
    put(
        "rs_index_out",
        lst([rs((5, 2), (2, 2), (2,), ar([1, 9]), v)]),
        "row index 9 of 5 (the real library writes out of bounds)",
    )
    put("rs_index_negative", lst([rs((5, 2), (2, 2), (2,), ar([-3, 1]), v)]), "negative row index")
    put("rs_index_twice", lst([rs((5, 2), (2, 2), (2,), ar([1, 1]), v)]), "same row twice")
    put(
        "rs_rows_differ", lst([rs((5, 2), (3, 2), (2,), ar([1, 2]), v)]), "3 stored rows, 2 indices"
    )
    put(
        "rs_width_differs",
        lst([rs((5, 2), (2, 3), (2,), ar([1, 2]), v)]),
        "stored rows 3 wide, array 2 wide",
    )
    put(
        "rs_aux_float",
        lst([rs((5, 2), (2, 2), (2,), ar([1, 2]), v, 0)]),
        "row indices of dtype float32",
    )
    put(
        "rs_aux_2d", lst([rs((5, 2), (2, 2), (1, 2), ar([1, 2]), v)]), "row indices of 2 dimensions"
    )
    put(
        "csr_indptr_falls",
        lst([csr((3, 4), 3, ar([0, 2, 1, 3]), ar([0, 2, 1]))]),
        "indptr is not monotone",
    )
    put(
        "csr_indptr_past_end",
        lst([csr((3, 4), 3, ar([0, 2, 2, 900]), ar([0, 2, 1]))]),
        "indptr ends after the values",
    )
    put(
        "csr_indptr_start",
        lst([csr((3, 4), 3, ar([1, 2, 2, 3]), ar([0, 2, 1]))]),
        "indptr does not start at 0",
    )
    put(
        "csr_indptr_short",
        lst([csr((3, 4), 3, ar([0, 2, 3]), ar([0, 2, 1]))]),
        "indptr of 3 for 3 rows",
    )
    put(
        "csr_column_out",
        lst([csr((3, 4), 3, ar([0, 2, 2, 3]), ar([0, 99, 1]))]),
        "column 99 of 4 (the real library writes out of bounds)",
    )
    put(
        "csr_column_twice",
        lst([csr((3, 4), 3, ar([0, 2, 2, 3]), ar([2, 2, 1]))]),
        "same column twice in a row",
    )
    put(
        "csr_1d",
        lst(
            [
                p("<Ii", MAGIC[2], 2)
                + p("<iq", 1, 0)
                + p("<iq", 1, 3)
                + p("<iii", 1, 0, 0)
                + b"\0" * 64
            ]
        ),
        "csr of one dimension",
    )
    dump("bad/why.json", why)

    # pickles for a restricted reader of .states: each must be refused without running anything
    def states(name, b, reason):
        write("bad_states/" + name + ".states", b)
        why_states[name + ".states"] = reason

    why_states = {}
    states("os_mkdir", b"cposix\nmkdir\n(S'PWNED'\ntR.", "calls os.mkdir('PWNED')")
    states("builtins_eval", b'c__builtin__\neval\n(S\'open("PWNED","w")\'\ntR.', "calls eval")
    states(
        "getattr_chain",
        b"\x80\x04\x8c\x08builtins\x8c\x07getattr\x93\x8c\x02os\x8c\x06system\x86R.",
        "reaches for getattr",
    )
    states(
        "dotted_name",
        b"\x80\x04\x8c\x05mxnet\x8c\x17base.os.system.__call__\x93.",
        "dotted attribute path through an allowed package",
    )
    states(
        "numpy_object",
        b"\x80\x04cnumpy\nload\n.",
        "a numpy function that is not a constructor of arrays",
    )
    states(
        "ndarray_not_bytes",
        b"\x80\x02cmxnet.ndarray.ndarray\nNDArray\nN\x85R}X\x06\x00\x00\x00handleK\x07sb.",
        "an NDArray whose handle is a number",
    )
    states(
        "ndarray_bad_record",
        b"\x80\x03cmxnet.ndarray.ndarray\nNDArray\nN\x85R}X\x06\x00\x00\x00handleC\x08\xc9\xfa\x93\xf9\x00\x00\x00\x00sb.",
        "an NDArray whose handle is a truncated record",
    )
    states("huge_bytes", b"\x80\x04\x8e" + p("<Q", 1 << 60) + b"abc", "announces 2**60 bytes")
    states("truncated", b"\x80\x04}\x94(K\x00", "ends in the middle")
    states("deep", b"\x80\x02" + b"(" * 20000 + b"t" * 20000 + b".", "20 000 nested tuples")
    states("not_a_dict", b"\x80\x02K\x07.", "a number, not a state dictionary")
    dump("bad_states/why.json", why_states)


# ---------------------------------------------------------------- networks
def mlp(prefix):
    net = nn.HybridSequential(prefix=prefix)
    with net.name_scope():
        net.add(nn.Dense(8, activation="relu"), nn.Dropout(0.5), nn.Dense(3))
    return net


def lenet(prefix):
    net = nn.HybridSequential(prefix=prefix)
    with net.name_scope():
        net.add(
            nn.Conv2D(4, 5, padding=2),
            nn.BatchNorm(),
            nn.Activation("sigmoid"),
            nn.AvgPool2D(2, 2),
            nn.Conv2D(6, 5),
            nn.BatchNorm(scale=False),
            nn.Activation("relu"),
            nn.MaxPool2D(2, 2),
            nn.Flatten(),
            nn.Dense(12, activation="tanh"),
            nn.Dense(10),
        )
    return net


class Residual(gluon.HybridBlock):
    def __init__(self, ch, stride=1, project=False, **kw):
        super().__init__(**kw)
        with self.name_scope():
            self.conv1 = nn.Conv2D(ch, 3, strides=stride, padding=1, use_bias=False)
            self.bn1 = nn.BatchNorm()
            self.conv2 = nn.Conv2D(ch, 3, padding=1, use_bias=False)
            self.bn2 = nn.BatchNorm(epsilon=2e-5)
            self.proj = nn.Conv2D(ch, 1, strides=stride) if project else None

    def hybrid_forward(self, F, x):
        relu = F.npx.relu if npx.is_np_array() else F.relu
        y = self.bn2(self.conv2(relu(self.bn1(self.conv1(x)))))
        return relu(y + (self.proj(x) if self.proj is not None else x))


def resnet(prefix):
    net = nn.HybridSequential(prefix=prefix)
    with net.name_scope():
        net.add(
            nn.Conv2D(4, 3, padding=1),
            nn.BatchNorm(),
            nn.LeakyReLU(0.1),
            nn.MaxPool2D(3, 2, 1),
            Residual(4),
            Residual(8, 2, True),
            nn.GlobalAvgPool2D(),
            nn.Dense(5),
        )
    return net


class LSTMNet(gluon.HybridBlock):
    def __init__(self, kind="lstm", **kw):
        super().__init__(**kw)
        with self.name_scope():
            self.emb = nn.Embedding(11, 6)
            cls = {"lstm": rnn.LSTM, "gru": rnn.GRU, "rnn": rnn.RNN}[kind]
            self.rnn = cls(5, num_layers=2, layout="NTC", bidirectional=kind == "lstm")
            self.out = nn.Dense(4, flatten=False)

    def hybrid_forward(self, F, tokens):
        return self.out(self.rnn(self.emb(tokens)))


class Tied(gluon.HybridBlock):
    """Two layers that share one parameter."""

    def __init__(self, **kw):
        super().__init__(**kw)
        with self.name_scope():
            self.a = nn.Dense(4, in_units=4)
            self.b = nn.Dense(4, in_units=4, params=self.a.params)

    def hybrid_forward(self, F, x):
        return self.b(self.a(x))


def param_arrays(net):
    return {k: v.data().asnumpy() for k, v in net._collect_params_with_prefix().items()}


def run_net(folder, make, x, train_steps=0, tag="", input_grad=True, **kw):
    """save_parameters + export + ParameterDict.save, with inputs, outputs, and values by structural name."""
    arr = np.array if npx.is_np_array() else nd.array
    mx.random.seed(3)
    net = (
        make(folder + tag + "_", **kw)
        if not isinstance(make, type)
        else make(prefix=folder + tag + "_", **kw)
    )
    net.initialize(mx.init.Uniform(0.1))
    xin = arr(x, dtype=x.dtype)
    net(xin)
    fill(net)
    net.hybridize()
    for _ in range(train_steps):  # move the running statistics of BatchNorm
        with autograd.record():
            net(xin)
    nd.waitall()
    y = net(xin)
    base = "models/%s%s/" % (folder, tag)
    net.save_parameters(path(base + "net.params"))
    with autograd.record(train_mode=True):
        y_train = net(xin)
    with autograd.record(train_mode=False):
        xg = arr(x, dtype=x.dtype)
        if input_grad:  # MXNet has no gradient for the input of Embedding
            xg.attach_grad()
        loss = (net(xg) ** 2).sum()
    loss.backward()
    grads = {
        "grad." + k: p.grad().asnumpy()
        for k, p in net._collect_params_with_prefix().items()
        if p.grad_req != "null"
    }
    if input_grad:
        grads["grad_input"] = xg.grad.asnumpy()
    net.load_parameters(path(base + "net.params"))  # the train-mode call moved the statistics again
    y2 = net(xin)
    assert onp.array_equal(y.asnumpy(), y2.asnumpy())
    net.export(path(base + "net"), epoch=7)
    if not npx.is_np_array():
        net.collect_params().save(path(base + "net.legacy_pdict.params"))
    imported = gluon.SymbolBlock.imports(
        path(base + "net-symbol.json"), ["data"], path(base + "net-0007.params")
    )
    yi = imported(xin)
    assert onp.allclose(y.asnumpy(), yi.asnumpy(), atol=1e-6)
    out = dict(input=x, output=y.asnumpy(), loss=loss.asnumpy(), **grads)
    if not any(isinstance(b, nn.Dropout) for b in net._children.values()):
        out["output_train_mode"] = y_train.asnumpy()
    npz(base + "io.npz", **out)
    npz(base + "values.npz", **param_arrays(net))
    dump(base + "names.json", {k: p.name for k, p in net._collect_params_with_prefix().items()})
    with open(path(base + "repr.txt"), "w") as f:
        f.write(repr(net) + "\n")
    return net


def networks():
    run_net("mlp", mlp, rnd(4, 6))
    run_net("lenet", lenet, rnd(2, 1, 28, 28), train_steps=3)
    run_net("resnet", resnet, rnd(2, 3, 16, 16), train_steps=3)
    tokens = R.randint(0, 11, (3, 7)).astype("float32")
    for kind in ("lstm", "gru", "rnn"):
        run_net(kind, lambda p, kind=kind: LSTMNet(kind, prefix=p), tokens, input_grad=False)
    npx.set_np()
    run_net("mlp", mlp, rnd(4, 6), tag="_np")
    run_net("lenet", lenet, rnd(2, 1, 28, 28), train_steps=3, tag="_np")
    run_net("resnet", resnet, rnd(2, 3, 16, 16), train_steps=3, tag="_np")
    npx.reset_np()

    tied = Tied(prefix="tied_")
    tied.initialize()
    fill(tied)
    x = rnd(2, 4)
    tied.save_parameters(path("models/tied/all.params"))
    tied.save_parameters(path("models/tied/dedup.params"), deduplicate=True)
    npz("models/tied/io.npz", input=x, output=tied(nd.array(x)).asnumpy())

    # default names (no prefix given): what most users' files look like
    with mx.name.NameManager():
        net = nn.HybridSequential()
        net.add(nn.Dense(4, activation="relu"), nn.BatchNorm(), nn.Dense(2))
    net.initialize()
    net.hybridize()
    x = rnd(3, 5)
    net(nd.array(x))
    fill(net)
    y = net(nd.array(x))
    net.export(path("models/default_names/net"), epoch=0)
    net.save_parameters(path("models/default_names/net.params"))
    npz("models/default_names/io.npz", input=x, output=y.asnumpy())


# ---------------------------------------------------------------- Module checkpoint, old JSON styles
def module():
    sym = mx.sym
    net = sym.FullyConnected(sym.Variable("data"), num_hidden=8, name="fc1")
    net = sym.Activation(net, act_type="relu", name="relu1")
    net = sym.FullyConnected(net, num_hidden=3, name="fc2")
    net = sym.SoftmaxOutput(net, name="softmax")
    x = rnd(40, 6)
    w = rnd(6, 3)
    label = (x @ w).argmax(1).astype("float32")
    mx.random.seed(1)
    it = mx.io.NDArrayIter(x, label, batch_size=10)
    mod = mx.mod.Module(net, context=mx.cpu())
    mod.bind(it.provide_data, it.provide_label)
    names = {"fc1_weight": (8, 6), "fc1_bias": (8,), "fc2_weight": (3, 8), "fc2_bias": (3,)}
    start = {k: rnd(*s) * 0.2 for k, s in names.items()}
    mod.init_params(arg_params={k: nd.array(v) for k, v in start.items()}, aux_params={})
    mod.init_optimizer(optimizer="sgd", optimizer_params={"learning_rate": 0.5, "momentum": 0.9})
    snaps = {}
    for epoch in range(3):
        it.reset()
        for b in it:
            mod.forward_backward(b)
            mod.update()
        snaps[epoch] = {k: v.asnumpy() for k, v in mod.get_params()[0].items()}
    mod.save_checkpoint(path("models/module_mlp/mod"), 3, save_optimizer_states=True)
    it.reset()
    prob = mod.predict(it).asnumpy()
    it.reset()
    acc = dict(mod.score(it, "acc"))["accuracy"]
    out = dict(x=x, label=label, prob=prob, accuracy=onp.array(acc))
    out.update({"start." + k: v for k, v in start.items()})
    for e, s in snaps.items():
        out.update({"epoch%d.%s" % (e, k): v for k, v in s.items()})
    it.reset()  # one more epoch: what resuming must reproduce
    for b in it:
        mod.forward_backward(b)
        mod.update()
    out.update({"epoch3.%s" % k: v.asnumpy() for k, v in mod.get_params()[0].items()})
    npz("models/module_mlp/io.npz", **out)

    # the same graph in the older JSON spellings; the real loader must agree on all of them
    g = json.load(open(path("models/module_mlp/mod-symbol.json")))
    old09 = copy.deepcopy(g)  # 0.9 .. 0.11: "attr", upgraded on load
    for n in old09["nodes"]:
        if "attrs" in n:
            n["attr"] = n.pop("attrs")
    old09["attrs"] = {"mxnet_version": ["int", 900]}
    old08 = copy.deepcopy(g)  # 0.8 and older: "param", pairs, no version
    for n in old08["nodes"]:
        n["param"] = n.pop("attrs", {}) if n["op"] != "null" else (n.pop("attrs", {}) and {})
        n["inputs"] = [i[:2] for i in n["inputs"]]
        n["backward_source_id"] = -1
    old08["heads"] = [h[:2] for h in old08["heads"]]
    del old08["attrs"], old08["node_row_ptr"]
    _, arg, _ = mx.model.load_checkpoint(path("models/module_mlp/mod"), 3)
    for tag, gg in (("09", old09), ("08", old08)):
        dump("models/module_mlp/mod-symbol-%s.json" % tag, gg)
        s = mx.sym.load(path("models/module_mlp/mod-symbol-%s.json" % tag))
        assert s.list_arguments() == net.list_arguments(), tag
        ex = s.bind(mx.cpu(), dict(arg, data=nd.array(x), softmax_label=nd.array(label)))
        assert onp.allclose(ex.forward()[0].asnumpy(), prob, atol=1e-6), tag

    # 0.8 graphs with BatchNorm have no aux inputs: the loader adds moving_mean / moving_var
    d = sym.BatchNorm(
        sym.Convolution(sym.Variable("data"), kernel=(3, 3), num_filter=2, name="conv"),
        name="bn",
        fix_gamma=True,
    )
    g = json.loads(d.tojson())
    drop = [i for i, n in enumerate(g["nodes"]) if n["name"] in ("bn_moving_mean", "bn_moving_var")]
    keep = [i for i in range(len(g["nodes"])) if i not in drop]
    new = {o: k for k, o in enumerate(keep)}
    nodes = []
    for o in keep:
        n = g["nodes"][o]
        nodes.append(
            {
                "op": n["op"],
                "param": n.get("attrs", {}) if n["op"] != "null" else {},
                "name": n["name"],
                "inputs": [[new[i[0]], i[1]] for i in n["inputs"] if i[0] in new],
                "backward_source_id": -1,
            }
        )
    nodes[new[[i for i in keep if g["nodes"][i]["name"] == "conv"][0]]]["attr"] = {
        "lr_mult": "0.1",
        "weight_wd_mult": "0.5",
        "ctx_group": "stage1",
    }
    old = {
        "nodes": nodes,
        "arg_nodes": [i for i, n in enumerate(nodes) if n["op"] == "null"],
        "heads": [[len(nodes) - 1, 0]],
    }
    dump("models/module_mlp/bn-symbol-08.json", old)
    s = mx.sym.load(path("models/module_mlp/bn-symbol-08.json"))
    dump("models/module_mlp/bn-symbol-08.upgraded.json", json.loads(s.tojson()))
    assert s.list_auxiliary_states() == ["bn_moving_mean", "bn_moving_var"]


# ---------------------------------------------------------------- optimizer states
def trainer_states():
    cases = {
        "sgd": ("sgd", {"learning_rate": 0.1, "wd": 0.01}),
        "sgd_mom": ("sgd", {"learning_rate": 0.1, "momentum": 0.9, "wd": 0.01}),
        "nag": ("nag", {"learning_rate": 0.1, "momentum": 0.9}),
        "adam": ("adam", {"learning_rate": 0.01}),
        "adagrad": ("adagrad", {"learning_rate": 0.1}),
        "rmsprop": ("rmsprop", {"learning_rate": 0.01}),
        "rmsprop_centered": ("rmsprop", {"learning_rate": 0.01, "centered": True}),
        "adadelta": ("adadelta", {}),
        "ftrl": ("ftrl", {"learning_rate": 0.1}),
        "adamax": ("adamax", {"learning_rate": 0.01}),
        "nadam": ("nadam", {"learning_rate": 0.01}),
        "signum": ("signum", {"learning_rate": 0.01, "momentum": 0.9}),
        "ftml": ("ftml", {"learning_rate": 0.01}),
        "lamb": ("lamb", {"learning_rate": 0.01}),
        "adam_factor": (
            "adam",
            {
                "learning_rate": 0.01,
                "lr_scheduler": mx.lr_scheduler.FactorScheduler(2, 0.5, base_lr=0.01),
            },
        ),
        "sgd_mom_fp16_multi": (
            "sgd",
            {"learning_rate": 0.1, "momentum": 0.9, "multi_precision": True},
        ),
    }
    x, t = rnd(5, 4), rnd(5, 2)
    for tag, (opt, kw) in cases.items():
        if "fp16" in tag:  # MXNet's CPU build has no float16 Dense: a bare scale
            dt = "float16"
            params = gluon.ParameterDict("t_")
            w = params.get("weight", shape=(4,), dtype=dt)
            params.initialize()

            def net(v, w=w):
                return v * w.data().reshape((1, 4))
        else:
            dt = "float32"
            net = nn.HybridSequential(prefix="t_")
            with net.name_scope():
                net.add(nn.Dense(3, activation="tanh", in_units=4), nn.Dense(2, in_units=3))
            net.initialize()
            params = net.collect_params()
        fill(params)
        target = x if "fp16" in tag else t
        tr = gluon.Trainer(params, opt, dict(kw))
        out = {"x": x, "t": target}

        def step():
            with autograd.record():
                loss = ((net(nd.array(x, dtype=dt)) - nd.array(target, dtype=dt)) ** 2).sum()
            loss.backward()
            tr.step(5)
            nd.waitall()

        def snap(when):
            out.update({"%s.%s" % (when, k): v.data().asnumpy() for k, v in params.items()})

        snap("p0")
        for _ in range(3):
            step()
        snap("p3")
        tr.save_states(path("states/%s.states" % tag))
        upd = tr._kvstore._updater if tr._update_on_kvstore else tr._updaters[0]

        def flat(s, pre):
            if s is None:
                return
            if isinstance(s, (tuple, list)):
                for j, q in enumerate(s):
                    flat(q, "%s.%d" % (pre, j))
            elif isinstance(s, nd.NDArray):
                out[pre] = s.asnumpy()
            else:
                out[pre] = onp.asarray(s)

        for i, s in upd.states.items():
            flat(s, "state.%d" % i)
        meta = {
            "optimizer": opt,
            "args": {k: v for k, v in kw.items() if not hasattr(v, "__dict__")},
            "index_to_param": {str(i): p.name for i, p in enumerate(tr._params)},
            "num_update": tr._optimizer.num_update,
            "learning_rate_after_3": tr.learning_rate,
        }
        step()
        snap("p4")
        npz("states/%s.npz" % tag, **out)
        dump("states/%s.json" % tag, meta)


# ---------------------------------------------------------------- RecordIO, MNIST idx
def png(w, h, seed):
    rows = b"".join(
        b"\0" + bytes((seed * 7 + x * 3 + y * 5 + c) % 256 for x in range(w) for c in range(3))
        for y in range(h)
    )

    def chunk(t, d):
        return struct.pack(">I", len(d)) + t + d + struct.pack(">I", zlib.crc32(t + d))

    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", w, h, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def recordio():
    m = struct.pack("<I", 0xCED7230A)
    plain = [
        b"a",
        b"",
        b"abcd",
        b"abcde",
        m,
        m + m,
        b"1234" + m + b"5678",
        b"12" + m + b"34",
        b"abcd" + m,
        m + b"xyz",
        bytes(range(256)) * 5,
    ]
    w = mx.recordio.MXRecordIO(path("recordio/plain.rec"), "w")
    for r in plain:
        w.write(r)
    w.close()
    rd = mx.recordio.MXRecordIO(path("recordio/plain.rec"), "r")
    for r in plain:
        assert rd.read() == r, r
    assert rd.read() is None
    dump("recordio/plain.json", [r.hex() for r in plain])

    w = mx.recordio.MXIndexedRecordIO(path("recordio/img.idx"), path("recordio/img.rec"), "w")
    meta = []
    for i in range(6):
        label = float(i) if i % 2 == 0 else onp.array([i, i + 0.5, -i], "float32")
        img = png(5 + i, 4, i)
        w.write_idx(
            i * 10,
            mx.recordio.pack(mx.recordio.IRHeader(0, label, i + 1000, 1 if i == 3 else 0), img),
        )
        meta.append(
            {
                "key": i * 10,
                "label": label if isinstance(label, float) else [float(v) for v in label],
                "id": i + 1000,
                "id2": 1 if i == 3 else 0,
                "png_hex": img.hex(),
                "width": 5 + i,
                "height": 4,
            }
        )
    w.close()
    dump("recordio/img.json", meta)
    r = mx.recordio.MXIndexedRecordIO(path("recordio/img.idx"), path("recordio/img.rec"), "r")
    h, s = mx.recordio.unpack(r.read_idx(30))
    assert h.flag == 3 and h.id == 1003 and h.id2 == 1 and s.hex() == meta[3]["png_hex"]


def mnist():
    img = R.randint(0, 256, (20, 28, 28)).astype("uint8")
    lab = R.randint(0, 10, 20).astype("uint8")
    for name, a in (("images-idx3-ubyte", img), ("labels-idx1-ubyte", lab)):
        b = struct.pack(">BBBB%dI" % a.ndim, 0, 0, 8, a.ndim, *a.shape) + a.tobytes()
        write("mnist/tiny-" + name, b)
        with gzip.GzipFile(path("mnist/tiny-" + name + ".gz"), "wb", mtime=0) as f:
            f.write(b)
    out = {"images": img, "labels": lab}
    for flat in (False, True):
        it = mx.io.MNISTIter(
            image=path("mnist/tiny-images-idx3-ubyte"),
            label=path("mnist/tiny-labels-idx1-ubyte"),
            batch_size=8,
            shuffle=False,
            flat=flat,
            silent=True,
        )
        bs = [(b.data[0].asnumpy(), b.label[0].asnumpy()) for b in it]
        out["iter_flat%d_data" % flat] = onp.stack([b[0] for b in bs])
        out["iter_flat%d_label" % flat] = onp.stack([b[1] for b in bs])
    npz("mnist/tiny.npz", **out)


if __name__ == "__main__":
    assert mx.__version__ == "1.9.1", mx.__version__
    for sub in (
        "containers",
        "v0_v1",
        "bad",
        "bad_states",
        "models",
        "states",
        "recordio",
        "mnist",
    ):
        shutil.rmtree(os.path.join(HERE, sub), ignore_errors=True)
    containers()
    old_layouts()
    bad()
    networks()
    module()
    trainer_states()
    recordio()
    mnist()
    nd.waitall()
    print("written")
